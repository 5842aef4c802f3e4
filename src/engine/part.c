/* The parts of the buffer: its header, the durable part, and the two halves with their gates. Each
   function says who may call it. */
#include "src/engine/engine.h"

/* The thread that turns or starts; in oneshot mode, where no thread turns, the holder of the lock
   of tables. */
void fxt_i_open(struct fxt_i_half *half)
{
    assert(fxt_i_this_thread.locks > 0);
    assert(fxt_i_engine.last_epoch % 2 == 0);
    fxt_i_engine.last_epoch += 2;
    half->epoch = fxt_i_engine.last_epoch;
    fxt_i_store(&half->holders, FXT_I_HOLDERS * half->epoch);
    fxt_i_store(&half->gate, half->epoch);
}

/* A thread that is inside with that epoch, and has seen it open. In oneshot mode, holders are not
   counted: no half is used again, and the only half opens again while other threads take chunks. */
bool fxt_i_half_hold(struct fxt_i_half *half, uint64_t epoch)
{
    uint64_t holders = fxt_i_load(&half->holders);

    if (fxt_i_engine.mode == TRACE_BUFFERING_MODE_ONESHOT)
        return true;
    while (holders / FXT_I_HOLDERS == epoch) {
        assert(holders % FXT_I_HOLDERS + 1 < FXT_I_HOLDERS);
        if (fxt_i_swap(&half->holders, &holders, holders + 1))
            return true;
    }
    return false;
}

void fxt_i_half_release(struct fxt_i_half *half, uint64_t epoch)
{
    uint64_t holders = fxt_i_load(&half->holders);

    if (fxt_i_engine.mode == TRACE_BUFFERING_MODE_ONESHOT)
        return;
    while (holders / FXT_I_HOLDERS == epoch) {
        assert(holders % FXT_I_HOLDERS > 0);
        if (fxt_i_swap(&half->holders, &holders, holders - 1))
            return;
    }
}

/* A thread that has closed the gate of the half and seen all leave, or that initializes the
   engine. */
void fxt_i_void_leases(struct fxt_i_half *half)
{
    half->epoch = 0;
    fxt_i_store(&half->holders, 0);
}

/* The thread that turns, or starts. */
void fxt_i_clear(struct fxt_i_half *half)
{
    const struct fxt_i_ring *ring = &fxt_i_engine.ring;

    assert(half->used <= ring->chunks);
    assert((uintptr_t)half->bytes % 8 == 0);
    for (uint32_t chunk = 0; chunk < half->used; chunk++)
        fxt_i_publish(half->bytes + fxt_i_ring_chunk_at(ring, chunk), 0);
    half->used = 0;
}

/* The dispatcher, behind the last writer of the half, and only if a thread has left a call: it may
   have taken chunks and left before it wrote their head. */
void fxt_i_cover_chunks(uint32_t wrapped)
{
    const struct fxt_i_ring *ring = &fxt_i_engine.ring;
    uint8_t *bytes = fxt_i_engine.half[wrapped & 1].bytes;
    uint64_t end = fxt_i_data_end(wrapped);
    uint64_t at;

    if (fxt_i_load32(&fxt_i_engine.left) == 0)
        return;
    for (uint32_t chunk = 0; (at = fxt_i_ring_chunk_at(ring, chunk)) < end;) {
        uint64_t word = fxt_load_word(bytes + at);
        if (word == 0)
            fxt_i_publish(bytes + at, fxt_i_filler(fxt_i_ring_chunk_at(ring, chunk + 1) - at));
        chunk += fxt_i_is_lease_head(word) ? (uint32_t)fxt_i_lease_head_chunks(word) : 1;
    }
}

/* Any thread, wait-free. If the holder of the lock of tables opens a gate at the same time, `full`
   still keeps every record out. */
void fxt_i_mark_full(void)
{
    fxt_i_store(&fxt_i_engine.full, 1);
    for (int h = 0; h < 2; h++)
        fxt_i_store(&fxt_i_engine.half[h].gate, FXT_I_CLOSED);
}

/* Any thread, as long as no other thread writes that field at the same time. Readers load it with
   acquire. */
void fxt_i_put_header(uint32_t byte, uint64_t word)
{
    assert(byte % 8 == 0 && byte < FXT_BUFFER_HEADER_BYTES);
    fxt_i_publish(fxt_i_engine.buffer + byte, word);
}

/* The thread that turns, starts, or finishes a stop. */
void fxt_i_put_wrapped(uint32_t wrapped)
{
    fxt_i_put_header(FXT_I_HEADER_SECOND,
                     fxt_i_header_second(fxt_i_engine.mode, FXT_BUFFER_ENDS_KEPT, wrapped));
}

/* The thread that turns, starts, or finishes a stop; or reports the half as saved. */
void fxt_i_put_data_end(uint32_t wrapped, uint64_t bytes)
{
    assert(bytes <= fxt_i_engine.ring.half_bytes && bytes % 8 == 0);
    fxt_i_store(&fxt_i_engine.data_end[wrapped & 1], bytes);
    fxt_i_put_header(FXT_I_HEADER_ROLLING_END + 8 * (wrapped & 1), bytes);
}

/* The threads with a lease of this lap, while they are inside, several at a time; lock-free. The
   greatest end stays. While tracing runs, no record lies beyond the end in the header: the end is
   raised after the chunks are taken and before anything is published in them, which releases it.
   The half is not handed over, and not used again, before all these threads have left. So a late
   thread never raises the end of the next lap. */
void fxt_i_raise_data_end(uint32_t wrapped, uint64_t bytes)
{
    assert(bytes > 0 && bytes <= fxt_i_engine.ring.half_bytes && bytes % 8 == 0);
    fxt_i_raise(fxt_i_engine.buffer + FXT_I_HEADER_ROLLING_END + 8 * (wrapped & 1), bytes);
}

/* Any thread. */
uint64_t fxt_i_data_end(uint32_t wrapped)
{
    return fxt_i_load(&fxt_i_engine.data_end[wrapped & 1]);
}

/* The thread that starts. */
void fxt_i_clear_data_ends(void)
{
    fxt_i_put_data_end(0, 0);
    fxt_i_put_data_end(1, 0);
}

/* The thread that starts. */
void fxt_i_clear_header(void)
{
    fxt_i_clear_data_ends();
    fxt_buffer_write_header(fxt_i_engine.buffer, &fxt_i_engine.header);
}

/* A traced thread that is inside; lock-free. */
void fxt_i_count_inlined(void)
{
    fxt_i_count(fxt_i_engine.buffer + FXT_I_HEADER_INLINED);
}

/* Any thread; takes the lock of tables. */
uint64_t fxt_i_definitions_bytes(void)
{
    if (fxt_i_engine.mode == TRACE_BUFFERING_MODE_ONESHOT)
        return 0;
    fxt_i_lock(&fxt_i_engine.table_lock);
    uint64_t bytes = (uint64_t)(fxt_i_engine.durable_next - fxt_i_engine.durable_bytes);
    fxt_i_unlock(&fxt_i_engine.table_lock);
    return bytes;
}

/* Streaming mode. One word of the durable part is kept for this. If a start has retained a durable part
   that had no more room, there is none. The lock of tables is held. */
static void append_filler(void)
{
    uint8_t *place = fxt_i_engine.durable_next;
    uint8_t *next = place + 8;

    if (place == fxt_i_engine.durable_bytes + fxt_i_engine.header.durable_size)
        return;
    if (place == fxt_i_engine.durable_end)
        fxt_i_engine.durable_end = next;
    fxt_i_put_header(FXT_I_HEADER_DURABLE_END, (uint64_t)(next - fxt_i_engine.durable_bytes));
    fxt_i_put_record(place, (uint64_t)(fxt_i_engine.durable_end - place), 8, fxt_i_filler(8));
    fxt_i_engine.durable_next = next;
}

/* The dispatcher; takes the lock of tables. */
uint64_t fxt_i_definitions_bytes_unlike(uint64_t number)
{
    fxt_i_lock(&fxt_i_engine.table_lock);
    if ((uint64_t)(fxt_i_engine.durable_next - fxt_i_engine.durable_bytes) == number)
        append_filler();
    uint64_t bytes = (uint64_t)(fxt_i_engine.durable_next - fxt_i_engine.durable_bytes);
    fxt_i_unlock(&fxt_i_engine.table_lock);
    return bytes;
}

/* The thread that starts, or the dispatcher when all have left: no record is written meanwhile. */
void fxt_i_write_header(void)
{
    struct fxt_i_position at = fxt_i_position_of(fxt_i_load(&fxt_i_engine.position));

    fxt_i_put_wrapped(at.wrapped);
    fxt_i_put_header(FXT_I_HEADER_DURABLE_END, fxt_i_definitions_bytes());
    fxt_i_put_data_end(at.wrapped, fxt_i_ring_chunk_at(&fxt_i_engine.ring, at.leased));
    fxt_i_put_header(FXT_I_HEADER_DROPPED, fxt_i_load(&fxt_i_engine.dropped));
}
