/* Spares: the rest of the leases of ended threads. A new thread begins there, so that many
   threads with a few records each fill the chunks that they share.

   Everything is under the lock of threads. A spare counts as a holder of its half, and a thread
   that changes the number of holders is inside with the spare's epoch. So meanwhile the half is
   not used again, and its holders are not forgotten. Only fxt_i_spare_take takes the lock; the
   callers of fxt_i_spare_put hold it.

   There is no fence between the store to `active` and the load of the gate. A thread that has closed
   the gate takes the same lock in fxt_i_anyone_inside. If it takes the lock first, this thread finds
   the gate closed. Otherwise it finds this thread inside. */
#include "src/engine/engine.h"

#define SCAN_MAX 64  /* newest spares to examine before a thread takes chunks of its own */
#define KEPT_PART 16 /* a spare below this part of a chunk is removed when it does not fit */
#define BYTES_MIN 24 /* least size of a spare: the smallest event */

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

/* Only spares of the current half are used: the next turn overwrites the other half. */
static bool is_current(const struct fxt_i_half *half)
{
    uint64_t at = fxt_i_load(&fxt_i_engine.position);
    return half == &fxt_i_engine.half[fxt_i_position_of(at).wrapped & 1];
}

/* The order of spares does not matter, so the newest one takes its place. */
static void remove_spare(uint32_t at)
{
    assert(fxt_i_lock_is_held(&fxt_i_engine.thread_lock));
    assert(at < fxt_i_engine.spare_count && fxt_i_engine.spare_count <= FXT_I_SPARES);
    fxt_i_engine.spares[at] = fxt_i_engine.spares[--fxt_i_engine.spare_count];
}

/* Whether the spare is useless: its half is closed or earlier, or it is too small. If not, the
   context is inside with the spare's epoch. */
static bool is_spent(struct trace_context *context, const struct fxt_i_chunks *spare,
                     uint64_t least)
{
    if (!fxt_i_pinned(context))
        fxt_i_set_active(context, spare->epoch + FXT_I_INSIDE);
    if (!is_open(spare))
        return true;
    if (is_current(spare->half) && room_of(spare) >= least)
        return false;
    fxt_i_half_release(spare->half, spare->epoch);
    return true;
}

static uint64_t worth_keeping(void)
{
    return fxt_i_engine.ring.chunk_bytes / KEPT_PART;
}

/* Makes room for one more spare if there is none. */
static bool make_place(struct trace_context *context)
{
    uint64_t active = fxt_i_active(context);

    for (uint32_t i = fxt_i_engine.spare_count; fxt_i_engine.spare_count == FXT_I_SPARES && i > 0;
         i--)
        if (is_spent(context, &fxt_i_engine.spares[i - 1], worth_keeping()))
            remove_spare(i - 1);
    fxt_i_set_active(context, active);
    return fxt_i_engine.spare_count < FXT_I_SPARES;
}

bool fxt_i_spare_put(struct trace_context *context)
{
    const struct fxt_i_chunks left = {context->next, context->end, context->epoch, half_of(context),
                                      context->thread_id};

    assert(fxt_i_lock_is_held(&fxt_i_engine.thread_lock));
    assert(left.next <= left.end && left.epoch == context->epoch);
    if (left.half == NULL || left.epoch == 0 || room_of(&left) < BYTES_MIN ||
        !make_place(context) || !is_open(&left))
        return false;
    fxt_i_engine.spares[fxt_i_engine.spare_count++] = left;
    return true;
}

/* The thread traces while it ends, and has left this spare. */
static bool is_own(const struct trace_context *context, const struct fxt_i_chunks *spare)
{
    return context->ending && spare->thread_id == context->thread_id;
}

/* Whether the thread's records stay in order: it has not written yet, or it continues its own
   spare. */
static bool suits(const struct trace_context *context, const struct fxt_i_chunks *spare)
{
    return !context->leased || is_own(context, spare);
}

bool fxt_i_spare_take(struct trace_context *context, struct fxt_i_chunks *out, uint64_t bytes)
{
    bool found = false;

    assert(context->epoch == 0 && context->depth > 0);
    if (context->leased && !context->ending)
        return false;
    fxt_i_lock(&fxt_i_engine.thread_lock);
    uint32_t count = fxt_i_engine.spare_count;
    for (uint32_t i = 1; i <= count && i <= SCAN_MAX && !found; i++) {
        struct fxt_i_chunks *spare = &fxt_i_engine.spares[count - i];
        bool fits = suits(context, spare) && bytes <= room_of(spare);
        if (!fits && is_own(context, spare))
            spare->thread_id = 0; /* the thread continues elsewhere: here, its order would break */
        bool spent = is_spent(context, spare, fits ? bytes : worth_keeping());
        found = fits && !spent;
        if (found)
            *out = *spare;
        if (found || spent)
            remove_spare(count - i);
    }
    fxt_i_unlock(&fxt_i_engine.thread_lock);
    return found;
}
