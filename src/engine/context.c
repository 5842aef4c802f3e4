/* Contexts: which threads trace, which of them are inside, and what they dropped.

   A context is its thread's own. Others read the thread's presence, under the lock of threads:
   `active` (stored with release or in front of a light fence, read with acquire behind a heavy one)
   and `dropped` (relaxed: a count). A free presence has 0 in both. A signal handler runs on the thread that it interrupts; `busy`
   and `locks` tell it what it may not touch, ordered by signal fences. Unless a function says
   otherwise, it is called by the thread of its context, in a signal handler too. */
#include "src/engine/engine.h"

#include <assert.h>

/* A gate that is never open, for threads without a lease. */
static const fxt_i_atomic no_gate = {FXT_I_INSIDE};

__thread struct trace_context fxt_i_this_thread = {.gate = &no_gate, .indexed = FXT_I_NEVER};

static struct fxt_i_presence presences[FXT_I_THREADS];

/* Any thread. The swap acquires what the last holder's store of 0 released. */
bool fxt_i_try_lock(fxt_i_atomic32 *lock)
{
    fxt_i_this_thread.locks++;
    fxt_i_signal_fence();
    if (fxt_i_load32(lock) == 0 && fxt_i_swap32(lock, 0, 1))
        return true;
    fxt_i_signal_fence();
    fxt_i_this_thread.locks--;
    return false;
}

/* Any thread that does not hold it: it would wait for itself. */
void fxt_i_lock(fxt_i_atomic32 *lock)
{
    while (!fxt_i_try_lock(lock))
        fxt_i_yield();
}

/* The thread that holds it. */
void fxt_i_unlock(fxt_i_atomic32 *lock)
{
    assert(fxt_i_holds(lock));
    fxt_i_store32(lock, 0);
    fxt_i_signal_fence();
    fxt_i_this_thread.locks--;
}

/* The lock of threads is held. */
static void take_cache(struct trace_context *context)
{
    assert(fxt_i_holds(&fxt_i_engine.thread_lock));
    assert(context->cache == NULL);
    for (int i = 0; i < FXT_I_CACHES && context->cache == NULL; i++) {
        if (!fxt_i_engine.caches[i].taken) {
            context->cache = &fxt_i_engine.caches[i];
            context->cache->taken = true;
        }
    }
}

/* NULL if all are taken. The lock of threads is held. */
static struct fxt_i_presence *take_presence(void)
{
    struct fxt_i_presence *presence = fxt_i_engine.free_presences;

    assert(fxt_i_holds(&fxt_i_engine.thread_lock));
    if (presence != NULL)
        fxt_i_engine.free_presences = presence->next_free;
    else if (fxt_i_engine.presence_count < FXT_I_THREADS)
        presence = &presences[fxt_i_engine.presence_count++];
    return presence;
}

/* The lock of threads is held. */
static void give_back(struct fxt_i_presence *presence)
{
    assert(fxt_i_holds(&fxt_i_engine.thread_lock));
    fxt_i_store(&presence->active, 0);
    presence->next_free = fxt_i_engine.free_presences;
    fxt_i_engine.free_presences = presence;
}

/* Makes the thread known to the others, unless there are too many. Not inside; takes the lock of
   threads. */
static void appear(struct trace_context *context)
{
    assert(context->presence == NULL && context->depth == 0);
    context->busy = true;
    fxt_i_signal_fence();
    context->thread_id = fxt_i_thread_id();
    fxt_i_lock(&fxt_i_engine.thread_lock);
    struct fxt_i_presence *presence = take_presence();
    if (presence != NULL && !context->ending)
        take_cache(context);
    fxt_i_unlock(&fxt_i_engine.thread_lock);
    if (presence != NULL && !context->ending)
        fxt_i_at_thread_end(context);
    context->presence = presence;
    fxt_i_signal_fence();
    context->busy = false;
}

/* Passes on the thread's spare room and counts its drops. Takes the lock of threads. */
static void disappear(struct trace_context *context)
{
    struct fxt_i_presence *presence = context->presence;

    context->busy = true;
    fxt_i_signal_fence();
    fxt_i_store(&presence->active, context->epoch + FXT_I_INSIDE);
    fxt_i_light_fence();
    fxt_i_lock(&fxt_i_engine.thread_lock);
    fxt_i_lease_bequeath(context);
    context->next = NULL;
    context->end = NULL;
    context->gate = &no_gate;
    context->presence = NULL; /* from now on, fxt_i_drop counts elsewhere */
    fxt_i_signal_fence();
    fxt_i_add(&fxt_i_engine.dropped_before, fxt_i_load_relaxed(&presence->dropped));
    fxt_i_store_relaxed(&presence->dropped, 0);
    if (context->cache != NULL)
        context->cache->taken = false;
    context->cache = NULL;
    give_back(presence);
    fxt_i_unlock(&fxt_i_engine.thread_lock);
    fxt_i_signal_fence();
    context->busy = false;
}

/* The thread that ends, not in a signal handler: the destructor of its value for the engine's key.
   Other destructors may run after it and trace. Whether this one will be called again cannot be
   known, so from here on the thread has a presence only while it writes a record. A context that it
   still holds finds no room any more. */
void fxt_i_thread_ends(void *self)
{
    struct trace_context *context = self;

    assert(context == &fxt_i_this_thread);
    context->ending = true;
    if (context->presence != NULL)
        disappear(context);
    if (context->depth > 0)
        context->busy = true;
}

/* Wait-free. A thread with a presence counts there, another one in the count of all. Both count in
   the buffer's header, too, for whoever finds the buffer after this process was killed. */
void fxt_i_drop(struct trace_context *context)
{
    struct fxt_i_presence *presence = context->presence;

    context->drops++;
    if (presence != NULL)
        fxt_i_store_relaxed(&presence->dropped, fxt_i_load_relaxed(&presence->dropped) + 1);
    else
        fxt_i_add(&fxt_i_engine.dropped_before, 1);
    fxt_i_count((uint64_t *)(void *)(fxt_i_engine.buffer + FXT_I_HEADER_DROPPED));
}

/* Any thread; takes the lock of threads. Who is dropping just now may not be counted yet. */
uint64_t fxt_i_dropped(void)
{
    fxt_i_lock(&fxt_i_engine.thread_lock);
    uint64_t sum = fxt_i_load(&fxt_i_engine.dropped_before);
    for (uint32_t i = 0; i < fxt_i_engine.presence_count; i++)
        sum += fxt_i_load_relaxed(&presences[i].dropped);
    fxt_i_unlock(&fxt_i_engine.thread_lock);
    return sum;
}

/* Who starts; takes the lock of threads. */
void fxt_i_clear_dropped(void)
{
    fxt_i_lock(&fxt_i_engine.thread_lock);
    fxt_i_store(&fxt_i_engine.dropped_before, 0);
    for (uint32_t i = 0; i < fxt_i_engine.presence_count; i++)
        fxt_i_store_relaxed(&presences[i].dropped, 0);
    fxt_i_unlock(&fxt_i_engine.thread_lock);
}

/* Any thread behind a heavy fence, which comes behind its store to the gate or to the state: who is
   not seen inside will see that store. Takes the lock of threads. */
bool fxt_i_anyone_inside(uint64_t epoch, const struct trace_context *but)
{
    bool inside = false;

    assert(epoch % 2 == 0);
    assert(but == NULL || but == &fxt_i_this_thread);
    fxt_i_lock(&fxt_i_engine.thread_lock);
    for (uint32_t i = 0; i < fxt_i_engine.presence_count && !inside; i++) {
        uint64_t active = fxt_i_load(&presences[i].active);
        bool is_other = but == NULL || but->presence != &presences[i];
        inside = active != 0 && (is_other || active == FXT_I_PINNED) &&
                 (epoch == 0 || active == FXT_I_PINNED || active == epoch + FXT_I_INSIDE);
    }
    fxt_i_unlock(&fxt_i_engine.thread_lock);
    return inside;
}

/* Discards the state that a thread kept from an earlier start. */
static void renew(struct trace_context *context)
{
    assert(context->depth == 0 && context->presence != NULL);
    context->generation = fxt_i_engine.generation;
    context->gate = &no_gate;
    context->epoch = 0;
    context->next = NULL;
    context->end = NULL;
    context->registered = false;
    context->indexed = FXT_I_NEVER;
    context->leased = false;
    fxt_i_store_relaxed(&context->presence->dropped, 0);
}

/* The store of 0 releases what the thread wrote to whoever then finds it outside. */
static void go_outside(struct trace_context *context)
{
    assert(context->depth == 0);
    if (context->ending && context->presence != NULL)
        disappear(context);
    else
        fxt_i_set_active(context, 0);
}

/* Whether this thread may go inside, or farther. Afterwards it has a presence. In a forked child,
   a context that the parent held has none. */
static bool may_enter(struct trace_context *context, bool started)
{
    if (context->busy || context->locks != 0)
        return false;
    if (context->depth > 0)
        return context->presence != NULL;
    if (started && context->presence == NULL)
        appear(context);
    return started && context->presence != NULL && fxt_i_active(context) == 0;
}

/* `active` is stored, then comes a light fence, then the state is looked at: whoever stops stores
   the state, then comes a heavy fence, then looks at `active`. So one sees the other. */
bool fxt_i_enter(struct trace_context *context)
{
    bool started = fxt_i_load32(&fxt_i_engine.state) == TRACE_STARTED;

    assert(context == &fxt_i_this_thread);
    if (!may_enter(context, started)) {
        if (started)
            fxt_i_drop(context);
        return false;
    }
    if (context->depth == 0) {
        fxt_i_store(&context->presence->active, context->epoch + FXT_I_INSIDE);
        fxt_i_light_fence();
        if (fxt_i_load32(&fxt_i_engine.state) != TRACE_STARTED) {
            go_outside(context);
            return false;
        }
        if (context->generation != fxt_i_engine.generation) {
            renew(context);
            fxt_i_store(&context->presence->active, FXT_I_INSIDE);
        }
    }
    context->depth++;
    return true;
}

void fxt_i_leave(struct trace_context *context)
{
    assert(context == &fxt_i_this_thread);
    assert(context->depth > 0);
    context->depth--;
    if (context->depth == 0)
        go_outside(context);
}

/* Any thread, wait-free. */
trace_state_t trace_state(void)
{
    return (trace_state_t)fxt_i_load32(&fxt_i_engine.state);
}

/* Any thread. */
trace_context_t *trace_acquire_context(void)
{
    struct trace_context *context = &fxt_i_this_thread;
    return fxt_i_enter(context) ? context : NULL;
}

/* The thread that acquired it. */
void trace_release_context(trace_context_t *context)
{
    fxt_i_leave(context);
}

/* A prolonged context is a count only: any thread may release it. */
#define PROLONGED_MAX 127
static char prolonged_context;

/* Any thread: inside while it adds itself, so that whoever stops sees it or the count. */
trace_prolonged_context_t *trace_acquire_prolonged_context(void)
{
    trace_prolonged_context_t *held = NULL;
    if (!fxt_i_enter(&fxt_i_this_thread))
        return NULL;
    if (fxt_i_add(&fxt_i_engine.prolonged, 1) < PROLONGED_MAX)
        held = (trace_prolonged_context_t *)(void *)&prolonged_context;
    else
        fxt_i_add(&fxt_i_engine.prolonged, UINT64_MAX);
    fxt_i_leave(&fxt_i_this_thread);
    return held;
}

/* Any thread, wait-free but for the last one, which posts a task. */
void trace_release_prolonged_context(trace_prolonged_context_t *context)
{
    (void)context;
    if (fxt_i_add(&fxt_i_engine.prolonged, UINT64_MAX) == 1 &&
        fxt_i_load32(&fxt_i_engine.state) == TRACE_STOPPING)
        fxt_i_ask_dispatcher(0);
}
