/* Turns: the switch from the full half to the other one, and the saving of the full half.

   Circular: the other half holds an earlier lap. It is used again when nobody writes there: when
   no thread holds a lease of it, or when its gate is closed and all threads have left. A thread
   that is suspended in the middle of a record there makes the others drop theirs.

   Streaming: the full half is closed at once. When its writers have left, the dispatcher tells
   the handler. Until the handler answers that the half is saved, nobody turns.

   The lock of turns orders the threads that turn: traced threads that find no room (fxt_i_turn),
   threads that flush, and threads that report a half as saved. The dispatcher takes a full half
   over without it: the store of FXT_I_SAVE_CLOSING released that half, and while that state
   stands nobody turns. Starting uses the same words while tracing is stopped, under the lock of
   the life. */
#include "src/engine/engine.h"

#define LOCK_TRIES 2000 /* pauses: some tens of microseconds */

/* Whether nobody writes to the half of the earlier lap. If it is open and nobody holds it, its gate
   stays open until it opens again: a thread that found the half current before the last turns may
   hold it for a moment, and lets go of it, because the position has changed. */
static bool has_no_writers(struct fxt_i_half *half, const struct trace_context *context)
{
    assert(fxt_i_lock_is_held(&fxt_i_engine.turn_lock));
    if (half->epoch == 0)
        return true;
    if (fxt_i_load(&half->gate) != FXT_I_CLOSED &&
        fxt_i_load(&half->holders) == FXT_I_HOLDERS * half->epoch)
        return true;
    fxt_i_store(&half->gate, FXT_I_CLOSED);
    fxt_i_heavy_fence();
    if (fxt_i_anyone_inside(half->epoch, context))
        return false;
    fxt_i_void_leases(half);
    return true;
}

/* Empties the half, to which nobody writes. Sets its data end to 0 before it clears it, so that a
   reader that is copying the half sees that it is used again. */
static void reopen(struct fxt_i_half *half, uint32_t wrapped)
{
    assert(fxt_i_lock_is_held(&fxt_i_engine.turn_lock));
    assert(half == &fxt_i_engine.half[wrapped & 1]);
    fxt_i_put_data_end(wrapped, 0);
    fxt_i_clear(half);
    fxt_i_open(half);
}

/* Makes the other half the current one. Afterwards, nobody can take a lease of the old half. The
   lock of turns is held. */
static void move_position(uint64_t at)
{
    const struct fxt_i_ring *ring = &fxt_i_engine.ring;
    struct fxt_i_position from = fxt_i_position_of(at);
    struct fxt_i_position to = fxt_i_ring_turn(ring, from);

    fxt_i_put_wrapped(to.wrapped);
    while (!fxt_i_swap(&fxt_i_engine.position, &at, fxt_i_position_word(to)))
        ;
    from = fxt_i_position_of(at);
    fxt_i_engine.half[from.wrapped & 1].used = from.leased;
    assert(from.wrapped + 1 == to.wrapped && from.leased <= ring->chunks);
    fxt_i_put_data_end(from.wrapped, fxt_i_ring_chunk_at(ring, from.leased));
}

static bool turn_locked(const struct trace_context *context, uint64_t at)
{
    uint64_t now = fxt_i_load(&fxt_i_engine.position);
    uint32_t wrapped = fxt_i_position_of(at).wrapped;
    struct fxt_i_half *from = &fxt_i_engine.half[wrapped & 1];
    struct fxt_i_half *to = &fxt_i_engine.half[(wrapped + 1) & 1];

    assert(fxt_i_lock_is_held(&fxt_i_engine.turn_lock));
    assert(fxt_i_engine.mode != TRACE_BUFFERING_MODE_ONESHOT);
    if (now >> 32 != wrapped)
        return true;
    if (fxt_i_load32(&fxt_i_engine.state) != TRACE_STARTED)
        return false;
    if (wrapped == UINT32_MAX) {
        fxt_i_mark_full();
        return false;
    }
    if (fxt_i_load32(&fxt_i_engine.saving) != FXT_I_SAVE_NONE || !has_no_writers(to, context))
        return false;
    reopen(to, wrapped + 1);
    move_position(now);
    if (fxt_i_engine.mode == TRACE_BUFFERING_MODE_STREAMING) {
        fxt_i_store(&from->gate, FXT_I_CLOSED);
        fxt_i_engine.saving_wrapped = wrapped;
        fxt_i_store32(&fxt_i_engine.saving, FXT_I_SAVE_CLOSING);
        fxt_i_dispatcher_post(0);
    }
    return true;
}

/* A traced thread. Takes the lock of turns, or gives up after a while, so that it never waits for a
   thread that is suspended in the middle of a turn. */
bool fxt_i_turn(struct trace_context *context, uint64_t at)
{
    if (fxt_i_engine.mode == TRACE_BUFFERING_MODE_ONESHOT) {
        fxt_i_mark_full();
        return false;
    }
    for (int i = 0; !fxt_i_try_lock(&fxt_i_engine.turn_lock); i++) {
        if (i == LOCK_TRIES)
            return false;
        fxt_i_pause();
    }
    bool turned = turn_locked(context, at);
    fxt_i_unlock(&fxt_i_engine.turn_lock);
    return turned;
}

/* The lock of turns is held. */
static zx_status_t flush(void)
{
    if (fxt_i_engine.mode != TRACE_BUFFERING_MODE_STREAMING ||
        fxt_i_load32(&fxt_i_engine.state) != TRACE_STARTED)
        return ZX_ERR_BAD_STATE;
    return turn_locked(NULL, fxt_i_load(&fxt_i_engine.position)) ? ZX_OK : ZX_ERR_SHOULD_WAIT;
}

/* Any thread; takes the lock of turns. */
zx_status_t trace_engine_flush_buffer(void)
{
    fxt_i_lock(&fxt_i_engine.turn_lock);
    zx_status_t status = flush();
    fxt_i_unlock(&fxt_i_engine.turn_lock);
    return status;
}

static struct fxt_i_half *closing_half(void)
{
    return &fxt_i_engine.half[fxt_i_engine.saving_wrapped & 1];
}

/* The dispatcher, once nobody writes to the full half. The handler's answer names the two numbers, which
   are never those of a half whose answer a start has not waited for. */
static void hand_over(void)
{
    uint32_t wrapped = fxt_i_engine.saving_wrapped;
    uint64_t durable_end = fxt_i_definitions_bytes_unlike(
        wrapped == fxt_i_engine.owed_wrapped ? fxt_i_engine.owed_durable_end : 0);
    trace_handler_t *handler = fxt_i_engine.handler;

    assert(fxt_i_engine.mode == TRACE_BUFFERING_MODE_STREAMING);
    assert(fxt_i_peek(&closing_half()->gate) == FXT_I_CLOSED);
    fxt_i_void_leases(closing_half());
    fxt_i_cover_chunks(wrapped);
    fxt_i_engine.saved_durable_end = durable_end;
    fxt_i_store32(&fxt_i_engine.saving, FXT_I_SAVE_NOTIFIED);
    handler->ops->notify_buffer_full(handler, wrapped, durable_end);
}

/* The dispatcher. */
bool fxt_i_finish_closing(void)
{
    if (fxt_i_load32(&fxt_i_engine.saving) != FXT_I_SAVE_CLOSING)
        return true;
    struct fxt_i_half *half = closing_half();
    fxt_i_heavy_fence();
    if (fxt_i_anyone_inside(half->epoch, NULL))
        return false;
    hand_over();
    return true;
}

/* The dispatcher. Does not wait for a thread that may be inside for a moment: such a thread finds
   the gate closed. Waiting would notify the handler of a full half after the stop of tracing. */
void fxt_i_finish_closing_at_stop(void)
{
    if (fxt_i_load32(&fxt_i_engine.saving) == FXT_I_SAVE_CLOSING)
        hand_over();
}

/* The dispatcher, after it has seen TRACE_STOPPING. The holder of the lock of turns may have seen
   an earlier state, and a thread that flushes is not inside. A thread that takes the lock later
   sees TRACE_STOPPING and does not turn. */
bool fxt_i_turns_are_over(void)
{
    bool over = fxt_i_try_lock(&fxt_i_engine.turn_lock);

    if (over)
        fxt_i_unlock(&fxt_i_engine.turn_lock);
    return over;
}

/* The lock of turns is held. */
static zx_status_t mark_saved(uint32_t wrapped, uint64_t durable_data_end)
{
    assert(fxt_i_lock_is_held(&fxt_i_engine.turn_lock));
    if (fxt_i_engine.mode != TRACE_BUFFERING_MODE_STREAMING ||
        fxt_i_load32(&fxt_i_engine.state) == TRACE_STOPPED ||
        fxt_i_load32(&fxt_i_engine.saving) != FXT_I_SAVE_NOTIFIED)
        return ZX_ERR_BAD_STATE;
    if (wrapped != fxt_i_engine.saving_wrapped ||
        durable_data_end != fxt_i_engine.saved_durable_end)
        return ZX_ERR_INVALID_ARGS;
    fxt_i_put_data_end(wrapped, 0);
    fxt_i_store32(&fxt_i_engine.saving, FXT_I_SAVE_NONE);
    return ZX_OK;
}

/* Any thread, in the handler's notify_buffer_full too; takes the lock of turns. */
zx_status_t trace_engine_mark_buffer_saved(uint32_t wrapped_count, uint64_t durable_data_end)
{
    fxt_i_lock(&fxt_i_engine.turn_lock);
    zx_status_t status = mark_saved(wrapped_count, durable_data_end);
    fxt_i_unlock(&fxt_i_engine.turn_lock);
    return status;
}
