/* The parts of a trace buffer, in the order in which they are read. */
#include "src/buffer/parts.h"

/*@ requires \valid_read(in) && buffer_formed(in) && half <= 1;
  @ requires \valid(out) && \separated(in, out);
  @ terminates \true;
  @ assigns *out;
  @ ensures buffer_half(out, in, half);
  @*/
static void put_half(struct fxt_buffer_part *out, const struct fxt_buffer_header *in, uint32_t half)
{
    out->offset = FXT_BUFFER_HEADER_BYTES + in->durable_size + half * in->rolling_size;
    out->size = in->rolling_data_end[half];
    out->room = in->rolling_size;
}

uint32_t fxt_buffer_parts(struct fxt_buffer_part out[FXT_BUFFER_PARTS_MAX],
                          const struct fxt_buffer_header *in)
{
    uint32_t current = in->wrapped_count % 2;

    if (in->buffering_mode == FXT_BUFFERING_ONESHOT) {
        put_half(&out[0], in, 0);
        return 1;
    }
    out[0].offset = FXT_BUFFER_HEADER_BYTES;
    out[0].size = in->durable_data_end;
    out[0].room = in->durable_size;
    if (in->wrapped_count == 0) {
        put_half(&out[1], in, 0);
        /*@ assert durable: buffer_part(out, 128, in->durable_data_end, in->durable_size); */
        return 2;
    }
    put_half(&out[1], in, 1 - current);
    /*@ assert durable: buffer_part(out, 128, in->durable_data_end, in->durable_size); */
    /*@ ghost turned:; */
    put_half(&out[2], in, current);
    /*@ assert durable: buffer_part(out, 128, in->durable_data_end, in->durable_size); */
    /*@ assert kept: out[1].offset == \at(out[1].offset, turned) &&
      @   out[1].size == \at(out[1].size, turned) && out[1].room == \at(out[1].room, turned); */
    /*@ assert ends: in->rolling_data_end[0] == \at(in->rolling_data_end[0], turned) &&
      @   in->rolling_data_end[1] == \at(in->rolling_data_end[1], turned); */
    /*@ assert half_1: current == 0 ==> buffer_half(out + 1, in, 1); */
    /*@ assert half_0: current == 1 ==> buffer_half(out + 1, in, 0); */
    return 3;
}

/*@ requires \valid_read(in);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result <==> in->flags % 2 == 1;
  @*/
static bool are_ends_kept(const struct fxt_buffer_header *in)
{
    return in->flags % 2 == FXT_BUFFER_ENDS_KEPT;
}

/*@ requires \valid(out) && \valid_read(part) && \valid_read(in);
  @ requires \separated(out, part, in);
  @ requires formed: part_formed(part, in);
  @ terminates \true;
  @ assigns *out;
  @ ensures formed: source_formed(out, in);
  @ ensures part: out->offset == part->offset && out->size == part->size &&
  @     out->room == part->room && out->lap == lap;
  @ ensures rolling: out->is_durable == false && out->is_older == false;
  @*/
static void put_source(struct fxt_i_source *out, const struct fxt_buffer_part *part,
                       const struct fxt_buffer_header *in, uint32_t lap)
{
    out->offset = part->offset;
    out->size = part->size;
    out->room = part->room;
    out->chunk_bytes = are_ends_kept(in) ? fxt_buffer_chunk_bytes(part->room) : 0;
    out->lap = lap;
    out->is_durable = false;
    out->is_older = false;
}

void fxt_i_half_source(struct fxt_i_source *out, const struct fxt_buffer_header *in, uint32_t lap)
{
    struct fxt_buffer_part part;

    put_half(&part, in, in->buffering_mode == FXT_BUFFERING_ONESHOT ? 0 : lap % 2);
    /*@ assert halves: part.offset == 128 + in->durable_size ||
      @   part.offset == 128 + in->durable_size + in->rolling_size; */
    put_source(out, &part, in, lap);
}

/* Like put_source, but what is read may end elsewhere than at the data end. */
/*@ requires \valid(out) && \valid_read(part) && \valid_read(in);
  @ requires \separated(out, part, in);
  @ requires formed: part_formed(part, in);
  @ terminates \true;
  @ assigns *out;
  @ ensures formed: source_formed(out, in);
  @ ensures lap: out->lap == lap;
  @ ensures saved: lap < next_lap ==> out->size == 0;
  @ ensures rolling: out->is_durable == false && out->is_older == false;
  @*/
static void put_read(struct fxt_i_source *out, const struct fxt_buffer_part *part,
                     const struct fxt_buffer_header *in, uint32_t lap, bool has_stopped,
                     uint32_t next_lap)
{
    put_source(out, part, in, lap);
    if (lap < next_lap)
        out->size = 0;
    else if (!are_ends_kept(in) && (!has_stopped || part->size == 0))
        out->size = part->room;
}

uint32_t fxt_i_sources(struct fxt_i_source out[FXT_BUFFER_PARTS_MAX],
                       const struct fxt_buffer_header *in, bool has_stopped, uint32_t next_lap)
{
    struct fxt_buffer_part parts[FXT_BUFFER_PARTS_MAX];
    uint32_t lap = in->wrapped_count;
    uint32_t count = fxt_buffer_parts(parts, in);

    /*@ assert half: lap % 2 == 0 || lap % 2 == 1; */
    /*@ assert parts_0: part_formed(&parts[0], in); */
    /*@ assert parts_1: count > 1 ==> part_formed(&parts[1], in); */
    /*@ assert parts_2: count > 2 ==> part_formed(&parts[2], in); */
    if (count == 1) {
        put_read(&out[0], &parts[0], in, lap, has_stopped, next_lap);
        return 1;
    }
    put_read(&out[0], &parts[0], in, 0, has_stopped, 0);
    out[0].chunk_bytes = 0;
    out[0].is_durable = true;
    /*@ assert first: source_formed(out, in); */
    /*@ assert left_1: part_formed(&parts[1], in); */
    /*@ assert left_2: count > 2 ==> part_formed(&parts[2], in); */
    if (count == 2) {
        put_read(&out[1], &parts[1], in, lap, has_stopped, next_lap);
        /*@ assert first: source_formed(out, in); */
        return 2;
    }
    put_read(&out[1], &parts[1], in, lap - 1, has_stopped, next_lap);
    out[1].is_older = true;
    /*@ assert first: source_formed(out, in); */
    /*@ assert second: source_formed(out + 1, in); */
    /*@ assert saved: out[1].lap < next_lap ==> out[1].size == 0; */
    /*@ assert left: part_formed(&parts[2], in); */
    put_read(&out[2], &parts[2], in, lap, has_stopped, next_lap);
    /*@ assert first: source_formed(out, in); */
    /*@ assert second: source_formed(out + 1, in); */
    /*@ assert saved: out[1].lap < next_lap ==> out[1].size == 0; */
    return 3;
}
