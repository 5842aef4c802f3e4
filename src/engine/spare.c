/* Spares: what threads that ended left of their leases. A new thread begins there, so that many
   threads of a few records each fill the chunks that they share.

   All is done under the lock of the list of threads. A spare counts as a holder of its half, and
   whoever changes that number is inside with the spare's epoch: so the half is not used again, and
   its holders are not forgotten, in between. */
#include "src/engine/engine.h"

#define LOOKS 64     /* at the newest spares, before a thread takes chunks of its own */
#define KEPT_PART 16 /* less than this part of a chunk is kept only for whoever it suits now */
#define BYTES_MIN 24 /* of a spare: the smallest event */

static struct fxt_i_half *half_of(const struct trace_context *context)
{
    for (int h = 0; h < 2; h++)
        if (context->gate == &fxt_i_engine.half[h].gate)
            return &fxt_i_engine.half[h];
    return NULL;
}

static uint64_t room_of(const struct fxt_i_chunks *spare)
{
    return (uint64_t)(spare->end - spare->next);
}

static bool is_open(const struct fxt_i_chunks *spare)
{
    return fxt_i_load(&spare->half->gate) == spare->epoch;
}

/* Of the half that records go to now. What is written to the other one is the first to be lost. */
static bool is_current(const struct fxt_i_half *half)
{
    uint64_t at = fxt_i_load(&fxt_i_engine.position);
    return half == &fxt_i_engine.half[fxt_i_position_of(at).wrapped & 1];
}

/* The newest one takes its place. */
static void take_out(uint32_t at)
{
    fxt_i_engine.spares[at] = fxt_i_engine.spares[--fxt_i_engine.spare_count];
}

/* Whether nobody will write there any more: it is closed, of the earlier half, or too small. If
   not, the context is inside with the spare's epoch. */
static bool is_spent(struct trace_context *context, const struct fxt_i_chunks *spare,
                     uint64_t least)
{
    if (!fxt_i_pinned(context))
        fxt_i_store(&context->active, spare->epoch + FXT_I_INSIDE);
    fxt_i_light_fence();
    if (!is_open(spare))
        return true;
    if (is_current(spare->half) && room_of(spare) >= least)
        return false;
    fxt_i_add(&spare->half->holders, UINT64_MAX);
    return true;
}

static uint64_t worth_keeping(void)
{
    return fxt_i_engine.ring.chunk_bytes / KEPT_PART;
}

/* Makes room for one more where there is none. */
static bool has_place(struct trace_context *context)
{
    uint64_t active = fxt_i_load_relaxed(&context->active);

    for (uint32_t i = fxt_i_engine.spare_count; fxt_i_engine.spare_count == FXT_I_SPARES && i > 0;
         i--)
        if (is_spent(context, &fxt_i_engine.spares[i - 1], worth_keeping()))
            take_out(i - 1);
    fxt_i_store(&context->active, active);
    fxt_i_light_fence();
    return fxt_i_engine.spare_count < FXT_I_SPARES;
}

bool fxt_i_spare_put(struct trace_context *context)
{
    const struct fxt_i_chunks left = {context->next, context->end, context->epoch, half_of(context),
                                      context->thread_id};

    if (left.half == NULL || left.epoch == 0 || room_of(&left) < BYTES_MIN || !has_place(context) ||
        !is_open(&left))
        return false;
    fxt_i_engine.spares[fxt_i_engine.spare_count++] = left;
    return true;
}

/* Whether the thread's records stay in their order: it has not written yet, or it goes on in what
   it left itself, when it traces while it ends. */
static bool suits(const struct trace_context *context, const struct fxt_i_chunks *spare)
{
    return !context->leased || (context->ending && spare->thread_id == context->thread_id);
}

bool fxt_i_spare_take(struct trace_context *context, struct fxt_i_chunks *out, uint64_t bytes)
{
    bool found = false;

    if (context->leased && !context->ending)
        return false;
    fxt_i_lock(&fxt_i_engine.thread_lock);
    uint32_t count = fxt_i_engine.spare_count;
    for (uint32_t i = 1; i <= count && i <= LOOKS && !found; i++) {
        struct fxt_i_chunks *spare = &fxt_i_engine.spares[count - i];
        bool fits = suits(context, spare) && bytes <= room_of(spare);
        bool spent = is_spent(context, spare, fits ? bytes : worth_keeping());
        found = fits && !spent;
        if (found)
            *out = *spare;
        if (found || spent)
            take_out(count - i);
    }
    fxt_i_unlock(&fxt_i_engine.thread_lock);
    return found;
}
