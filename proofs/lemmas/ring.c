/* Leases do not overlap. */
#include "src/engine/ring.h"

/* Two leases that were taken one after the other do not share a byte, when they are of the same
   half of the same wrapped count: P6. */
/*@ requires \valid_read(ring) && ring_ok(ring);
  @ requires first.count > 0 && second.count > 0;
  @ requires first.first + first.count <= ring->chunks;
  @ requires second.first + second.count <= ring->chunks;
  @ requires after: l_rank(ring, wrapped, first.first) + first.count <=
  @     l_rank(ring, wrapped, second.first);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures apart: l_chunk_at(ring, first.first + first.count) <= l_chunk_at(ring, second.first);
  @ ensures inside: l_chunk_at(ring, second.first + second.count) <= ring->half_bytes;
  @*/
static inline void leases_apart(const struct fxt_i_ring *ring, uint32_t wrapped,
                                struct fxt_i_lease first, struct fxt_i_lease second)
{
    (void)ring;
    (void)wrapped;
    (void)first;
    (void)second;
}
