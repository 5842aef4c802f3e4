/* The parts of a trace buffer, in the order in which they are read. */
#include <fxt/buffer.h>

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
