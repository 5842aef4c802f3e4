/* From a buffer to an archive: which parts are read, in which order and how far, and what the
   archive says of dropped records. The manager, the recorder and `fxt salvage` read buffers by this.
   See spec/system.md, section 1. */
#ifndef FXT_BUFFER_PARTS_H
#define FXT_BUFFER_PARTS_H

#include <fxt/buffer.h>
#include <fxt/record.h>

#include "src/wire/layout.h"

/* What is read of a part. Sizes in bytes. */
struct fxt_i_source {
    uint64_t offset; /* in the buffer */
    uint64_t size;
    uint64_t room;        /* size of the part */
    uint32_t chunk_bytes; /* 0: it has no chunks, and so no leases */
    uint32_t lap;         /* of a rolling part: the wrapped count at which it was written */
    bool is_durable;
    bool is_older; /* the provider writes to the other half */
};

/*@ predicate part_formed(struct fxt_buffer_part *p, struct fxt_buffer_header *h) =
  @   128 <= p->offset && p->offset + p->room <= h->total_size && p->size <= p->room;
  @ // A source lies in its part, and the part in the buffer.
  @ predicate source_formed(struct fxt_i_source *s, struct fxt_buffer_header *h) =
  @   128 <= s->offset && s->offset + s->room <= h->total_size && s->size <= s->room &&
  @   s->chunk_bytes <= 4096;
  @*/

/* Returns the source of the half that was written at the wrapped count `lap`, up to its data end,
   which is valid. Of the one rolling part in oneshot mode. */
/*@ requires \valid(out) && \valid_read(in) && \separated(out, in);
  @ requires buffer_formed(in);
  @ terminates \true;
  @ assigns *out;
  @ ensures formed: source_formed(out, in);
  @ ensures half: out->lap == lap && out->is_durable == false && out->is_older == false &&
  @     out->room == in->rolling_size;
  @ ensures end: out->size == in->rolling_data_end[in->buffering_mode == 0 ? 0 : lap % 2];
  @*/
void fxt_i_half_source(struct fxt_i_source *out, const struct fxt_buffer_header *in, uint32_t lap);

/* Lists the parts in the order in which they are read, and returns their number. A part is read up to
   its data end if the ends are kept, or if the provider has stopped and the end is not 0; otherwise it
   is read to its end. Of a half of a lap below `next_lap`, which the archive has, nothing is read.
   Implements BUF-11. */
/*@ requires \valid(out + (0 .. 2)) && \valid_read(in) && \separated(out + (0 .. 2), in);
  @ requires buffer_formed(in);
  @ terminates \true;
  @ assigns out[0 .. 2];
  @ ensures count: 1 <= \result <= 3;
  @ ensures formed_0: source_formed(out, in);
  @ ensures formed_1: \result > 1 ==> source_formed(out + 1, in);
  @ ensures formed_2: \result > 2 ==> source_formed(out + 2, in);
  @ ensures durable: out[0].is_durable == true <==> in->buffering_mode != 0;
  @ ensures rolling: (\result > 1 ==> out[1].is_durable == false) &&
  @     (\result > 2 ==> out[2].is_durable == false);
  @ ensures lap: \result > 2 ==> out[1].lap == in->wrapped_count - 1 &&
  @     out[2].lap == in->wrapped_count;
  @ ensures saved: \result > 2 && out[1].lap < next_lap ==> out[1].size == 0;
  @*/
uint32_t fxt_i_sources(struct fxt_i_source out[FXT_BUFFER_PARTS_MAX],
                       const struct fxt_buffer_header *in, bool has_stopped, uint32_t next_lap);

/* Returns the one word of the record by which an archive says that a provider dropped records. It
   follows the records of the provider. */
/*@ terminates \true;
  @ assigns \nothing;
  @ ensures l_provider_event_header_type(\result) == 0 &&
  @     l_provider_event_header_size(\result) == 1 &&
  @     l_provider_event_header_metadata_type(\result) == 3 &&
  @     l_provider_event_header_provider_id(\result) == provider_id &&
  @     l_provider_event_header_event_id(\result) == 0;
  @*/
static inline uint64_t fxt_i_drops_record(uint32_t provider_id)
{
    return fxt_pack_provider_event_header(1, provider_id, FXT_PROVIDER_EVENT_BUFFER_FULL);
}

#endif
