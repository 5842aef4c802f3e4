/* The arithmetic of the rolling part. */
#include "src/engine/ring.h"

#include <fxt/buffer.h>

void fxt_i_ring_init(struct fxt_i_ring *ring, uint64_t half_bytes)
{
    uint32_t size = fxt_buffer_chunk_bytes(half_bytes);

    ring->half_bytes = half_bytes;
    ring->chunk_bytes = size;
    ring->chunks = (uint32_t)(half_bytes / size);
}

uint32_t fxt_i_ring_chunks_of(const struct fxt_i_ring *ring, uint64_t bytes)
{
    if (bytes > ring->half_bytes)
        return 0;
    uint64_t count = (bytes + ring->chunk_bytes - 1) / ring->chunk_bytes;
    /* The last chunk is larger. */
    return count > ring->chunks ? ring->chunks : (uint32_t)count;
}

struct fxt_i_lease fxt_i_ring_take(const struct fxt_i_ring *ring, struct fxt_i_position at,
                                   uint32_t count)
{
    struct fxt_i_lease lease = {{at.wrapped, at.leased}, at.leased, 0};

    if (count > ring->chunks - at.leased)
        return lease;
    lease.next.leased = at.leased + count;
    lease.count = count;
    return lease;
}

struct fxt_i_position fxt_i_ring_turn(const struct fxt_i_ring *ring, struct fxt_i_position at)
{
    struct fxt_i_position next = {at.wrapped + 1, 0};

    (void)ring;
    return next;
}

uint64_t fxt_i_ring_chunk_at(const struct fxt_i_ring *ring, uint32_t chunk)
{
    uint64_t words = ring->chunk_bytes / 8;

    /*@ assert bytes: ring->chunk_bytes == 8 * words; */
    return chunk < ring->chunks ? 8 * (chunk * words) : ring->half_bytes;
}
