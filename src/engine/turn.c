/* Turns: from the full half to the other one, and what then happens to the full one.

   Circular: the other half held an earlier lap. It is used again once nobody writes there: when no
   thread holds a lease of it, or else when its gate is closed and all who were inside have left. A
   thread that is stopped in the middle of a record there makes the others drop theirs.

   Streaming: the full half is closed at once. When its writers have left, the dispatcher tells the
   handler, and until the handler says that it is saved, nobody turns. */
#include "src/engine/engine.h"

#define PATIENCE 2000 /* pauses: some tens of microseconds */

void fxt_i_open(struct fxt_i_half *half)
{
    fxt_i_engine.last_epoch += 2;
    half->epoch = fxt_i_engine.last_epoch;
    fxt_i_store(&half->gate, half->epoch);
}

void fxt_i_forget_leases(struct fxt_i_half *half)
{
    half->epoch = 0;
    fxt_i_store(&half->holders, 0);
}

void fxt_i_clear(struct fxt_i_half *half)
{
    const struct fxt_i_ring *ring = &fxt_i_engine.ring;
    for (uint32_t chunk = 0; chunk < half->used; chunk++)
        fxt_i_publish((uint64_t *)(void *)(half->bytes + fxt_i_ring_chunk_at(ring, chunk)), 0);
    half->used = 0;
}

static uint64_t *header_word(uint32_t byte)
{
    return (uint64_t *)(void *)(fxt_i_engine.buffer + byte);
}

void fxt_i_put_header(uint32_t byte, uint64_t word)
{
    fxt_i_publish(header_word(byte), word);
}

static void put_wrapped(uint32_t wrapped)
{
    fxt_i_put_header(FXT_I_HEADER_SECOND,
                     fxt_i_header_second(fxt_i_engine.mode, FXT_BUFFER_ENDS_KEPT, wrapped));
}

static void put_data_end(uint32_t wrapped, uint64_t bytes)
{
    fxt_i_store(&fxt_i_engine.data_end[wrapped & 1], bytes);
    fxt_i_put_header(FXT_I_HEADER_ROLLING_END + 8 * (wrapped & 1), bytes);
}

/* While tracing runs, the end in the header is never in front of a record: it is raised after the
   chunks are taken and before anything is written to them. Only threads with a lease of this lap
   raise it, and they do so while they are inside: the half is not handed over, and not used again,
   before all of them have left. So what a late thread raises is never the end of the next lap. */
void fxt_i_raise_data_end(uint32_t wrapped, uint64_t bytes)
{
    fxt_i_raise(header_word(FXT_I_HEADER_ROLLING_END + 8 * (wrapped & 1)), bytes);
}

uint64_t fxt_i_data_end(uint32_t wrapped)
{
    return fxt_i_load(&fxt_i_engine.data_end[wrapped & 1]);
}

void fxt_i_clear_data_ends(void)
{
    put_data_end(0, 0);
    put_data_end(1, 0);
}

void fxt_i_clear_header(void)
{
    fxt_i_clear_data_ends();
    fxt_buffer_write_header(fxt_i_engine.buffer, &fxt_i_engine.header);
}

void fxt_i_write_header(void)
{
    struct fxt_i_position at = fxt_i_position_of(fxt_i_load(&fxt_i_engine.position));

    put_wrapped(at.wrapped);
    fxt_i_put_header(FXT_I_HEADER_DURABLE_END, fxt_i_definitions_bytes());
    put_data_end(at.wrapped, fxt_i_ring_chunk_at(&fxt_i_engine.ring, at.leased));
    fxt_i_put_header(FXT_I_HEADER_DROPPED, fxt_i_dropped());
}

/* Whether nobody writes to the half of the earlier lap. Where it is open and has no holders, their
   number stays as it is: a thread that found the half current before the last turns may be adding
   itself just now, and will take itself off again. */
static bool is_left(struct fxt_i_half *half, const struct trace_context *context)
{
    if (half->epoch == 0)
        return true;
    if (fxt_i_load(&half->gate) != FXT_I_CLOSED && fxt_i_load(&half->holders) == 0)
        return true;
    fxt_i_store(&half->gate, FXT_I_CLOSED);
    fxt_i_heavy_fence();
    if (fxt_i_anyone_inside(half->epoch, context))
        return false;
    fxt_i_forget_leases(half);
    return true;
}

/* Nobody writes to the half any more. Its data end falls before it is cleared: who copies the half
   just now sees that it is used again. */
static void empty(struct fxt_i_half *half, uint32_t wrapped)
{
    put_data_end(wrapped, 0);
    fxt_i_clear(half);
    fxt_i_open(half);
}

/* Nobody can take a lease of the half `at` any more. */
static void move_position(uint64_t at)
{
    const struct fxt_i_ring *ring = &fxt_i_engine.ring;
    struct fxt_i_position from = fxt_i_position_of(at);
    struct fxt_i_position to = fxt_i_ring_turn(ring, from);

    put_wrapped(to.wrapped);
    while (!fxt_i_swap(&fxt_i_engine.position, &at, fxt_i_position_word(to)))
        ;
    from = fxt_i_position_of(at);
    fxt_i_engine.half[from.wrapped & 1].used = from.leased;
    put_data_end(from.wrapped, fxt_i_ring_chunk_at(ring, from.leased));
}

static bool turn_locked(const struct trace_context *context, uint64_t at)
{
    uint64_t now = fxt_i_load(&fxt_i_engine.position);
    uint32_t wrapped = fxt_i_position_of(at).wrapped;
    struct fxt_i_half *from = &fxt_i_engine.half[wrapped & 1];
    struct fxt_i_half *to = &fxt_i_engine.half[(wrapped + 1) & 1];

    if (now >> 32 != wrapped)
        return true;
    if (fxt_i_load32(&fxt_i_engine.state) != TRACE_STARTED)
        return false;
    if (wrapped == UINT32_MAX) {
        fxt_i_mark_full();
        return false;
    }
    if (fxt_i_load32(&fxt_i_engine.saving) != FXT_I_SAVE_NONE || !is_left(to, context))
        return false;
    empty(to, wrapped + 1);
    move_position(now);
    if (fxt_i_engine.mode == TRACE_BUFFERING_MODE_STREAMING) {
        fxt_i_store(&from->gate, FXT_I_CLOSED);
        fxt_i_engine.saving_wrapped = wrapped;
        fxt_i_store32(&fxt_i_engine.saving, FXT_I_SAVE_CLOSING);
        fxt_i_ask_dispatcher(0);
    }
    return true;
}

bool fxt_i_turn(struct trace_context *context, uint64_t at)
{
    if (fxt_i_engine.mode == TRACE_BUFFERING_MODE_ONESHOT) {
        fxt_i_mark_full();
        return false;
    }
    for (int i = 0; !fxt_i_try_lock(&fxt_i_engine.turn_lock); i++) {
        if (i == PATIENCE)
            return false;
        fxt_i_pause();
    }
    bool turned = turn_locked(context, at);
    fxt_i_unlock(&fxt_i_engine.turn_lock);
    return turned;
}

static zx_status_t flush(void)
{
    if (fxt_i_engine.mode != TRACE_BUFFERING_MODE_STREAMING ||
        fxt_i_load32(&fxt_i_engine.state) != TRACE_STARTED)
        return ZX_ERR_BAD_STATE;
    return turn_locked(NULL, fxt_i_load(&fxt_i_engine.position)) ? ZX_OK : ZX_ERR_SHOULD_WAIT;
}

zx_status_t trace_engine_flush_buffer(void)
{
    fxt_i_lock(&fxt_i_engine.turn_lock);
    zx_status_t status = flush();
    fxt_i_unlock(&fxt_i_engine.turn_lock);
    return status;
}

bool fxt_i_finish_closing(void)
{
    if (fxt_i_load32(&fxt_i_engine.saving) != FXT_I_SAVE_CLOSING)
        return true;
    uint32_t wrapped = fxt_i_engine.saving_wrapped;
    struct fxt_i_half *half = &fxt_i_engine.half[wrapped & 1];
    fxt_i_heavy_fence();
    if (fxt_i_anyone_inside(half->epoch, NULL))
        return false;
    fxt_i_forget_leases(half);
    uint64_t durable_end = fxt_i_definitions_bytes();
    fxt_i_engine.saved_durable_end = durable_end;
    fxt_i_store32(&fxt_i_engine.saving, FXT_I_SAVE_NOTIFIED);
    trace_handler_t *handler = fxt_i_engine.handler;
    handler->ops->notify_buffer_full(handler, wrapped, durable_end);
    return true;
}

static zx_status_t mark_saved(uint32_t wrapped, uint64_t durable_data_end)
{
    if (fxt_i_engine.mode != TRACE_BUFFERING_MODE_STREAMING ||
        fxt_i_load32(&fxt_i_engine.state) == TRACE_STOPPED ||
        fxt_i_load32(&fxt_i_engine.saving) != FXT_I_SAVE_NOTIFIED)
        return ZX_ERR_BAD_STATE;
    if (wrapped != fxt_i_engine.saving_wrapped ||
        durable_data_end != fxt_i_engine.saved_durable_end)
        return ZX_ERR_INVALID_ARGS;
    put_data_end(wrapped, 0);
    fxt_i_store32(&fxt_i_engine.saving, FXT_I_SAVE_NONE);
    return ZX_OK;
}

zx_status_t trace_engine_mark_buffer_saved(uint32_t wrapped_count, uint64_t durable_data_end)
{
    fxt_i_lock(&fxt_i_engine.turn_lock);
    zx_status_t status = mark_saved(wrapped_count, durable_data_end);
    fxt_i_unlock(&fxt_i_engine.turn_lock);
    return status;
}
