/* Presences: which of the threads that trace are inside.

   Everything is under the lock of threads, except that a thread stores to the `active` of its own
   presence, with release or in front of a light fence; it is read with acquire behind a heavy one.
   A free presence has 0 there; a presence whose thread has ended may have what that thread left. */
#include "src/engine/engine.h"

#define PROBES 64 /* presences to examine when none is free */

static struct fxt_i_presence presences[FXT_I_THREADS];

/* The lock of threads is held. */
void fxt_i_presence_give_back(struct fxt_i_presence *presence)
{
    assert(fxt_i_lock_is_held(&fxt_i_engine.thread_lock));
    fxt_i_store(&presence->active, 0);
    fxt_i_store32(&presence->named, 0);
    presence->owner = 0;
    presence->next_free = fxt_i_engine.free_presences;
    fxt_i_engine.free_presences = presence;
}

/* Gives the presence back if its thread has ended. If the kernel has used the number of an ended
   thread again, the presence waits for the end of that thread. The lock of threads is held. */
static bool give_back_if_ended(struct fxt_i_presence *presence)
{
    if (presence->owner == 0 || !fxt_i_thread_has_ended(presence->owner))
        return false;
    if (fxt_i_load_relaxed(&presence->active) != 0)
        fxt_i_store32(&fxt_i_engine.left, 1);
    fxt_i_presence_give_back(presence);
    return true;
}

/* Examines the next few presences that were not examined yet. The lock of threads is held. */
static void give_back_of_ended(void)
{
    static uint32_t next;

    for (int i = 0; i < PROBES; i++)
        give_back_if_ended(&presences[next++ % FXT_I_THREADS]);
}

struct fxt_i_presence *fxt_i_presence_take(uint64_t owner)
{
    assert(fxt_i_lock_is_held(&fxt_i_engine.thread_lock));
    if (fxt_i_engine.free_presences == NULL && fxt_i_engine.presence_count == FXT_I_THREADS)
        give_back_of_ended();
    struct fxt_i_presence *presence = fxt_i_engine.free_presences;
    if (presence != NULL)
        fxt_i_engine.free_presences = presence->next_free;
    else if (fxt_i_engine.presence_count < FXT_I_THREADS) {
        presence = &presences[fxt_i_engine.presence_count++];
        *presence = (struct fxt_i_presence){0}; /* in a forked child: of a thread of the parent */
    }
    if (presence != NULL)
        presence->owner = owner;
    return presence;
}

struct fxt_i_presence *fxt_i_presence_at(uint32_t number)
{
    fxt_i_lock(&fxt_i_engine.thread_lock);
    bool taken = number < fxt_i_engine.presence_count;
    fxt_i_unlock(&fxt_i_engine.thread_lock);
    return taken ? &presences[number] : NULL;
}

/* Whether a thread of which `active` was loaded may write to the half of that epoch; for epoch 0, to
   any. A thread that was pinned and ended without a release writes no more. The lock of threads is
   held. */
static bool is_inside(struct fxt_i_presence *presence, uint64_t active, uint64_t epoch)
{
    if (active == FXT_I_PINNED)
        return !give_back_if_ended(presence);
    return active != 0 && (epoch == 0 || active == epoch + FXT_I_INSIDE);
}

/* Any thread, after it has stored to the gate or to the state and executed a heavy fence. A thread
   that is not seen inside will see that store. Takes the lock of threads. */
bool fxt_i_anyone_inside(uint64_t epoch, const struct trace_context *except)
{
    bool inside = false;

    assert(epoch % 2 == 0);
    assert(except == NULL || except == &fxt_i_this_thread);
    fxt_i_lock(&fxt_i_engine.thread_lock);
    for (uint32_t i = 0; i < fxt_i_engine.presence_count && !inside; i++) {
        uint64_t active = fxt_i_load(&presences[i].active);
        bool is_other = except == NULL || except->presence != &presences[i];
        inside = (is_other || active == FXT_I_PINNED) && is_inside(&presences[i], active, epoch);
    }
    fxt_i_unlock(&fxt_i_engine.thread_lock);
    return inside;
}
