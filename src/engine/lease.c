/* Leases: a thread's own part of the current half, taken by one compare-and-swap of the position.

   Each function is called by its context's thread. Many threads run at the same time; all is
   lock-free except turns and spares. The swap of the position gives the chunks to one thread, and
   only if their half is still the current one. */
#include "src/engine/lease.h"

void fxt_i_lease_give_up(struct trace_context *context)
{
    assert(context == &fxt_i_this_thread);
    assert(context->next <= context->end);
    /* A pinned thread may still write there, so it stays a holder: the half is used again only when
       its gate is closed and the thread is outside. */
    if (context->epoch != 0 && fxt_i_lease_open(context) && !fxt_i_pinned(context))
        fxt_i_half_release(&fxt_i_engine.half[context->gate == &fxt_i_engine.half[1].gate],
                           context->epoch);
    context->epoch = 0;
    context->next = NULL;
    context->end = NULL;
    if (!fxt_i_pinned(context))
        fxt_i_set_active(context, FXT_I_INSIDE);
}

/* The lock of threads is held. */
void fxt_i_lease_recycle(struct trace_context *context)
{
    if (fxt_i_spare_put(context))
        context->epoch = 0;
    else
        fxt_i_lease_give_up(context);
}

/* Writes the first records of a run of chunks that belongs to this thread. */
static void fill(struct fxt_i_chunks *out, struct fxt_i_half *half, uint64_t epoch,
                 struct fxt_i_lease lease)
{
    const struct fxt_i_ring *ring = &fxt_i_engine.ring;
    uint8_t *first = half->bytes + fxt_i_ring_chunk_at(ring, lease.first);
    uint64_t end = fxt_i_ring_chunk_at(ring, lease.first + lease.count);

    assert(lease.count > 0 && lease.first + lease.count <= ring->chunks);
    assert(half == &fxt_i_engine.half[lease.next.wrapped & 1] && epoch != FXT_I_CLOSED);
    fxt_i_raise_data_end(lease.next.wrapped, end);
    out->next = first + 8;
    out->end = half->bytes + end;
    out->epoch = epoch;
    out->half = half;
    fxt_i_put_lease(first, (uint64_t)(out->end - first), lease.next.wrapped, lease.count);
}

bool fxt_i_take_chunks(struct trace_context *context, struct fxt_i_chunks *out, uint64_t bytes)
{
    const struct fxt_i_ring *ring = &fxt_i_engine.ring;
    if (ring->chunks == 0) /* in a forked child */
        return false;
    uint32_t count = fxt_i_ring_chunks_of(ring, bytes + 8);
    assert(context == &fxt_i_this_thread && bytes % 8 == 0);

    while (count != 0 && fxt_i_load(&fxt_i_engine.full) == 0) {
        uint64_t at = fxt_i_load(&fxt_i_engine.position);
        struct fxt_i_half *half = &fxt_i_engine.half[(at >> 32) & 1];
        uint64_t epoch = fxt_i_load(&half->gate);
        struct fxt_i_lease lease = fxt_i_ring_take(ring, fxt_i_position_of(at), count);

        if (lease.count == 0) {
            if (!fxt_i_turn(context, at))
                break;
            continue;
        }
        /* No fence here, and no second load of the gate. If the swap below succeeds, a thread that
           closes this half moves the position after that swap, which has released `active`, so it
           sees this thread. A stop waits because this thread is inside. */
        if (!fxt_i_pinned(context))
            fxt_i_set_active(context, epoch + FXT_I_INSIDE);
        if (epoch == FXT_I_CLOSED || !fxt_i_half_hold(half, epoch)) {
            if (fxt_i_load32(&fxt_i_engine.state) != TRACE_STARTED)
                break;
            if (fxt_i_load(&fxt_i_engine.position) == at)
                fxt_i_yield();
            continue;
        }
        if (fxt_i_swap(&fxt_i_engine.position, &at, fxt_i_position_word(lease.next))) {
            fill(out, half, epoch, lease);
            return true;
        }
        fxt_i_half_release(half, epoch);
    }
    return false;
}

static bool renew_lease(struct trace_context *context, uint64_t bytes)
{
    struct fxt_i_chunks chunks;

    fxt_i_lease_give_up(context);
    if (!fxt_i_spare_take(context, &chunks, bytes) && !fxt_i_take_chunks(context, &chunks, bytes))
        return false;
    context->leased = true;
    context->next = chunks.next;
    context->end = chunks.end;
    context->epoch = chunks.epoch;
    context->gate = &chunks.half->gate;
    assert(context->epoch != FXT_I_CLOSED && context->epoch % 2 == 0);
    assert(context->next < context->end && (uintptr_t)context->next % 8 == 0);
    return true;
}

bool fxt_i_lease_slow(struct trace_context *context, uint64_t bytes)
{
    bool renewed = false;

    assert(context == &fxt_i_this_thread && context->depth > 0);
    assert(bytes % 8 == 0);
    bool was_busy = fxt_i_busy_begin(context);
    if (context->locks == 0)
        renewed = renew_lease(context, bytes);
    if (!renewed)
        fxt_i_drop(context);
    fxt_i_busy_end(context, was_busy);
    return renewed;
}
