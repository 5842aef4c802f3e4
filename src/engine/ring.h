/* The arithmetic of the rolling part: how a half is divided into chunks, and where the next lease
   begins. No state and no atomics, so any thread may call these functions. The engine keeps the
   position in one word and moves it by compare-and-swap: if two threads start from the same
   position, one of them tries again.

   A half of a buffer is a row of chunks of the same size; the last chunk also has the remainder. A
   lease is a run of chunks of one half. The position has the number of leased chunks of the current
   half, and the wrapped count, which selects the current half. Positions only rise, so two leases
   of the same wrapped count never overlap (proofs/lemmas/ring.c). */
#ifndef FXT_ENGINE_RING_H
#define FXT_ENGINE_RING_H

#include <stdbool.h>
#include <stdint.h>

struct fxt_i_ring {
    uint64_t half_bytes;
    uint32_t chunk_bytes; /* a multiple of 8 */
    uint32_t chunks;      /* of a half */
};

struct fxt_i_position {
    uint32_t wrapped;
    uint32_t leased; /* chunks of the current half; at most ring->chunks */
};

struct fxt_i_lease {
    struct fxt_i_position next; /* the position after it */
    uint32_t first;             /* chunk */
    uint32_t count;             /* of chunks; 0 if there is no room */
};

/*@ predicate ring_ok(struct fxt_i_ring *r) =
  @   64 <= r->chunk_bytes <= 4096 && r->chunk_bytes % 8 == 0 && r->half_bytes % 8 == 0 &&
  @   1 <= r->chunks && r->half_bytes <= 4294967296 &&
  @   r->chunks * r->chunk_bytes <= r->half_bytes < (r->chunks + 1) * r->chunk_bytes;
  @ // How many chunks were leased before that position, since the start.
  @ logic integer l_rank(struct fxt_i_ring *r, integer wrapped, integer leased) =
  @   wrapped * r->chunks + leased;
  @ // Where a chunk begins in its half; the chunk behind the last one begins at the half's end.
  @ logic integer l_chunk_at(struct fxt_i_ring *r, integer chunk) =
  @   chunk < r->chunks ? chunk * r->chunk_bytes : r->half_bytes;
  @*/

/* Divides halves of that many bytes into chunks. */
/*@ requires \valid(ring) && 64 <= half_bytes <= 4294967296 && half_bytes % 8 == 0;
  @ terminates \true;
  @ assigns *ring;
  @ ensures ring_ok(ring) && ring->half_bytes == half_bytes;
  @*/
void fxt_i_ring_init(struct fxt_i_ring *ring, uint64_t half_bytes);

/* The number of chunks that hold that many bytes; 0 if a half is too small for them. */
/*@ requires \valid_read(ring) && ring_ok(ring);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures none: \result == 0 <==> bytes == 0 || bytes > ring->half_bytes;
  @ ensures fits: \result > 0 ==> \result <= ring->chunks && bytes <= l_chunk_at(ring, \result);
  @ ensures least: \result > 1 ==> (\result - 1) * ring->chunk_bytes < bytes;
  @*/
uint32_t fxt_i_ring_chunks_of(const struct fxt_i_ring *ring, uint64_t bytes);

/* Takes a lease of `count` chunks in the current half. */
/*@ requires \valid_read(ring) && ring_ok(ring);
  @ requires 1 <= count <= ring->chunks && at.leased <= ring->chunks;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures room: \result.count > 0 <==> at.leased + count <= ring->chunks;
  @ ensures all: \result.count > 0 ==> \result.count == count;
  @ ensures inside: \result.count > 0 ==> \result.first + count <= ring->chunks;
  @ ensures half: \result.count > 0 ==> \result.next.wrapped == at.wrapped &&
  @     \result.next.leased <= ring->chunks;
  @ ensures behind: \result.count > 0 ==>
  @     l_rank(ring, at.wrapped, at.leased) == l_rank(ring, at.wrapped, \result.first) &&
  @     l_rank(ring, \result.next.wrapped, \result.next.leased) ==
  @       l_rank(ring, at.wrapped, \result.first) + count;
  @*/
struct fxt_i_lease fxt_i_ring_take(const struct fxt_i_ring *ring, struct fxt_i_position at,
                                   uint32_t count);

/* The position at the start of the next half. */
/*@ requires \valid_read(ring) && ring_ok(ring);
  @ requires at.leased <= ring->chunks && at.wrapped < 4294967295;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures half: \result.wrapped == at.wrapped + 1 && \result.leased == 0;
  @ ensures rises: l_rank(ring, at.wrapped, at.leased) <=
  @     l_rank(ring, \result.wrapped, \result.leased);
  @*/
struct fxt_i_position fxt_i_ring_turn(const struct fxt_i_ring *ring, struct fxt_i_position at);

/* The offset of a chunk in its half, in bytes. For ring->chunks, the size of the half. */
/*@ requires \valid_read(ring) && ring_ok(ring) && chunk <= ring->chunks;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures at: \result == l_chunk_at(ring, chunk) && \result <= ring->half_bytes;
  @ ensures whole: \result % 8 == 0;
  @*/
uint64_t fxt_i_ring_chunk_at(const struct fxt_i_ring *ring, uint32_t chunk);

#endif
