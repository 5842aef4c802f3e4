/* The arithmetic of the rolling part: halves of all sizes, leases up to the last byte. */
#include <string.h>

#include <criterion/criterion.h>
#include <fxt/buffer.h>

#include "src/engine/ring.h"

static struct fxt_i_ring ring_of(uint64_t half_bytes)
{
    struct fxt_i_ring ring;
    fxt_i_ring_init(&ring, half_bytes);
    return ring;
}

Test(ring, chunks_tile_every_half)
{
    for (uint64_t bytes = 64; bytes <= 70000; bytes += 8) {
        struct fxt_i_ring ring = ring_of(bytes);
        uint64_t at = 0;
        for (uint32_t chunk = 0; chunk < ring.chunks; chunk++) {
            uint64_t next = fxt_i_ring_chunk_at(&ring, chunk + 1);
            cr_assert_eq(fxt_i_ring_chunk_at(&ring, chunk), at);
            cr_assert_geq(next - at, ring.chunk_bytes);
            cr_assert_lt(next - at, 2 * ring.chunk_bytes);
            at = next;
        }
        cr_assert_eq(at, bytes);
    }
}

Test(ring, chunks_grow_with_the_buffer)
{
    static const struct {
        uint64_t half;
        uint32_t chunk;
    } wanted[] = {{64, 64},       {1856, 128},     {30656, 2048},
                  {491456, 4096}, {7864256, 4096}, {4294967296 - 128, 4096}};
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        cr_expect_eq(ring_of(wanted[i].half).chunk_bytes, wanted[i].chunk, "%zu", i);
}

Test(ring, the_chunks_for_a_size_are_the_fewest_that_hold_it)
{
    for (uint64_t half = 64; half <= 2000; half += 8) {
        struct fxt_i_ring ring = ring_of(half);
        cr_assert_eq(fxt_i_ring_chunks_of(&ring, 0), 0);
        for (uint64_t bytes = 1; bytes <= half; bytes++) {
            uint32_t count = fxt_i_ring_chunks_of(&ring, bytes);
            cr_assert(count >= 1 && count <= ring.chunks);
            cr_assert_geq(fxt_i_ring_chunk_at(&ring, count), bytes);
            if (count < ring.chunks)
                cr_assert_lt((uint64_t)(count - 1) * ring.chunk_bytes, bytes);
        }
        cr_assert_eq(fxt_i_ring_chunks_of(&ring, half + 1), 0);
        cr_assert_eq(fxt_i_ring_chunks_of(&ring, UINT64_MAX), 0);
    }
}

/* Leases of 1, 2, 3 … chunks, over and over, for some turns: each byte of a half is in one lease at
   most, and only what was too small for the next lease is in none. */
Test(ring, leases_of_a_half_do_not_overlap)
{
    struct fxt_i_ring ring = ring_of(1856);
    struct fxt_i_position at = {0, 0};
    uint8_t taken[1856];
    memset(taken, 0, sizeof taken);
    for (uint32_t i = 0; i < 1000; i++) {
        uint32_t count = 1 + i % 4;
        struct fxt_i_lease lease = fxt_i_ring_take(&ring, at, count);
        if (lease.count == 0) {
            cr_assert_gt(at.leased + count, ring.chunks);
            cr_assert_eq(lease.next.leased, at.leased);
            cr_assert_eq(lease.next.wrapped, at.wrapped);
            struct fxt_i_position next = fxt_i_ring_turn(&ring, at);
            cr_assert_eq(next.wrapped, at.wrapped + 1);
            lease = fxt_i_ring_take(&ring, next, count);
            memset(taken, 0, sizeof taken);
        }
        cr_assert_eq(lease.count, count);
        cr_assert_eq(lease.next.leased, lease.first + count);
        uint64_t end = fxt_i_ring_chunk_at(&ring, lease.first + count);
        cr_assert_leq(end, ring.half_bytes);
        for (uint64_t byte = fxt_i_ring_chunk_at(&ring, lease.first); byte < end; byte++)
            cr_assert_eq(taken[byte]++, 0);
        at = lease.next;
    }
    cr_assert_gt(at.wrapped, 10);
}

Test(ring, a_half_is_leased_to_its_last_byte)
{
    struct fxt_i_ring ring = ring_of(1856);
    struct fxt_i_position at = {UINT32_MAX, 0};
    struct fxt_i_lease lease = fxt_i_ring_take(&ring, at, ring.chunks);
    cr_assert_eq(lease.count, ring.chunks);
    cr_assert_eq(fxt_i_ring_chunk_at(&ring, lease.first + lease.count), 1856);
    cr_assert_eq(fxt_i_ring_take(&ring, lease.next, 1).count, 0);
}

Test(ring, every_legal_buffer_has_chunks)
{
    for (uint64_t total = 4096; total <= FXT_BUFFER_BYTES_MAX; total += 4096 * 257) {
        for (uint16_t mode = 0; mode <= 2; mode++) {
            struct fxt_buffer_header header;
            cr_assert_eq(fxt_buffer_sizes(&header, total, mode), FXT_OK);
            struct fxt_i_ring ring = ring_of(header.rolling_size);
            cr_assert_geq(ring.chunks, 8);
            cr_assert_eq(fxt_i_ring_chunk_at(&ring, ring.chunks), header.rolling_size);
        }
    }
}
