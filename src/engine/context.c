/* Contexts: a thread begins to trace, goes inside and outside, and ends.

   A context is its thread's own. A signal handler runs on the thread that it interrupts; `busy`
   and `locks` tell it what it may not touch, ordered by signal fences. Unless a function says
   otherwise, it is called by the thread of its context, in a signal handler too. */
#include "src/engine/engine.h"

#include <assert.h>

#define PROBES 8 /* caches to examine when none is free */

/* All are taken: examines the next few. NULL if their owners may live. Under the lock of threads. */
static struct fxt_i_cache *cache_of_ended(void)
{
    static uint32_t next;

    for (int i = 0; i < PROBES; i++) {
        struct fxt_i_cache *cache = &fxt_i_engine.caches[next++ % FXT_I_CACHES];
        if (fxt_i_thread_has_ended(cache->owner))
            return cache;
    }
    return NULL;
}

/* The lock of threads is held. */
static void take_cache(struct trace_context *context)
{
    assert(fxt_i_lock_is_held(&fxt_i_engine.thread_lock));
    assert(context->cache == NULL);
    for (int i = 0; i < FXT_I_CACHES && context->cache == NULL; i++) {
        if (fxt_i_engine.caches[i].owner == 0)
            context->cache = &fxt_i_engine.caches[i];
    }
    if (context->cache == NULL)
        context->cache = cache_of_ended();
    if (context->cache != NULL)
        context->cache->owner = context->thread_id;
}

/* Makes the thread known to the others, unless there are too many. In a call that is not inside yet,
   so a signal handler finds no room. Takes the lock of threads. */
static void take_presence(struct trace_context *context)
{
    assert(context->depth == 0 && fxt_i_is_in_call(context));
    context->thread_id = fxt_i_thread_id();
    if (!context->ending)
        fxt_i_at_thread_end(context);
    fxt_i_lock(&fxt_i_engine.thread_lock);
    context->presence = fxt_i_presence_take(context->thread_id);
    if (context->presence != NULL && !context->ending)
        take_cache(context);
    fxt_i_unlock(&fxt_i_engine.thread_lock);
}

/* Passes on the thread's spare room. The lock of threads is held. */
static void give_presence_back(struct trace_context *context)
{
    struct fxt_i_presence *presence = context->presence;

    fxt_i_lease_recycle(context);
    context->next = NULL;
    context->end = NULL;
    context->gate = &fxt_i_no_gate;
    context->presence = NULL;
    if (context->cache != NULL)
        context->cache->owner = 0;
    context->cache = NULL;
    fxt_i_presence_give_back(presence);
}

/* In a call that is inside no more, so a signal handler finds no room. Takes the lock of threads. */
static void detach(struct trace_context *context)
{
    assert(fxt_i_is_in_call(context));
    fxt_i_set_active(context, context->epoch + FXT_I_INSIDE); /* no fence: see spare.c */
    fxt_i_lock(&fxt_i_engine.thread_lock);
    give_presence_back(context);
    fxt_i_unlock(&fxt_i_engine.thread_lock);
}

/* Called by the thread that ends, not in a signal handler, as the destructor of the engine's key.
   Other destructors may run after it and trace. Whether this one will be called again cannot be
   known, so from here on the thread has a presence only while it writes a record. A context that it
   still holds finds no room any more. A pinned thread keeps its presence: a later destructor may fill
   the record, and releases the context. */
void fxt_i_thread_ends(void *self)
{
    struct trace_context *context = self;

    assert(context == &fxt_i_this_thread);
    fxt_i_call_begin(context, FXT_I_HERE);
    context->ending = true;
    if (context->presence != NULL && !fxt_i_pinned(context))
        detach(context);
    if (context->depth > 0)
        context->busy = true;
    fxt_i_call_end(context);
}

/* Discards the state that a thread kept from an earlier start. The generation is last: a thread
   that leaves this in the middle begins again. */
static void begin_generation(struct trace_context *context)
{
    assert(context->depth == 0 && context->presence != NULL);
    context->gate = &fxt_i_no_gate;
    context->epoch = 0;
    context->next = NULL;
    context->end = NULL;
    context->registered = false;
    context->indexed = FXT_I_NEVER;
    context->leased = false;
    fxt_i_signal_fence();
    context->generation = fxt_i_engine.generation;
}

/* The store of 0 releases what the thread wrote to the threads that then find it outside. */
static void go_outside(struct trace_context *context)
{
    assert(context->depth == 0);
    if (context->ending && context->presence != NULL)
        detach(context);
    else
        fxt_i_set_active(context, 0);
}

/* The lease is given up as it is, because a record may have been published that `next` does not
   stand behind, and stays a holder of its half: without a fence, the half is not used again. */
static void take_back(struct trace_context *context)
{
    context->depth = context->held;
    context->busy = false;
    context->asking = false;
    context->registered = false;
    context->gate = &fxt_i_no_gate;
    context->epoch = 0;
    context->next = NULL;
    context->end = NULL;
    fxt_i_store32(&fxt_i_engine.left, 1);
    if (context->depth == 0)
        fxt_i_set_active(context, 0);
    else if (!fxt_i_pinned(context))
        fxt_i_set_active(context, FXT_I_INSIDE);
    fxt_i_call_end(context);
    fxt_i_drop(context);
}

/* With a lock held, it was the handler of a fault that has left: then nothing is safe. */
void fxt_i_recover_from(struct trace_context *context, uintptr_t here)
{
    if (context->locks != 0 || !fxt_i_has_left(context->frame, here))
        return;
    fxt_i_signals_hold();
    take_back(context);
    fxt_i_signals_release();
}

/* Whether this thread may go inside, or farther. Afterwards it has a presence. In a forked child,
   a context that the parent held has none. */
static bool may_enter(struct trace_context *context, bool started)
{
    if (context->busy || context->asking || context->locks != 0)
        return false;
    if (context->depth > 0)
        return context->presence != NULL;
    if (started && context->presence == NULL)
        take_presence(context);
    return started && context->presence != NULL && fxt_i_active(context) == 0;
}

/* Stores `active`, executes a light fence, then loads the state. A thread that stops stores the
   state, executes a heavy fence, then loads `active`. So one of the two sees the other. The fence
   orders the store, and the thread's last release goes on with it (see write_now), so it is
   relaxed. */
static bool go_inside(struct trace_context *context, bool interrupts)
{
    bool started = fxt_i_load32(&fxt_i_engine.state) == TRACE_STARTED;

    assert(context == &fxt_i_this_thread);
    if (interrupts || !may_enter(context, started)) {
        if (started)
            fxt_i_drop(context);
        return false;
    }
    if (context->depth == 0) {
        fxt_i_store_relaxed(&context->presence->active, context->epoch + FXT_I_INSIDE);
        fxt_i_light_fence();
        if (fxt_i_load32(&fxt_i_engine.state) != TRACE_STARTED) {
            go_outside(context);
            return false;
        }
        if (context->generation != fxt_i_engine.generation) {
            begin_generation(context);
            fxt_i_store_relaxed(&context->presence->active, FXT_I_INSIDE);
        }
    }
    context->depth++;
    return true;
}

/* A signal handler may interrupt a call that has begun and is not inside yet. It finds no room: its
   end would be taken for that of the call. */
bool fxt_i_enter(struct trace_context *context, uintptr_t here)
{
    fxt_i_recover(context, here);
    bool begun = fxt_i_call_begin(context, here);
    bool entered = go_inside(context, !begun && context->depth == context->held);
    if (!entered && begun)
        fxt_i_call_end(context);
    return entered;
}

void fxt_i_leave(struct trace_context *context)
{
    assert(context == &fxt_i_this_thread);
    assert(context->depth > 0);
    context->depth--;
    if (context->depth == 0)
        go_outside(context);
    fxt_i_call_end(context);
}

trace_context_t *fxt_i_keep(struct trace_context *context)
{
    context->held++;
    fxt_i_call_end(context);
    return context;
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
    return fxt_i_enter(context, FXT_I_HERE) ? fxt_i_keep(context) : NULL;
}

/* The thread that acquired it. */
void trace_release_context(trace_context_t *context)
{
    if (context == NULL)
        return;
    assert(context == &fxt_i_this_thread);
    assert(context->held > 0);
    fxt_i_call_begin(context, FXT_I_HERE);
    context->held--;
    fxt_i_leave(context);
}

/* A prolonged context is a count only: any thread may release it. */
#define PROLONGED_MAX 127
static char prolonged_context;

/* Any thread. It is inside while it increments the count, so that a thread that stops sees one of
   the two. */
trace_prolonged_context_t *trace_acquire_prolonged_context(void)
{
    trace_prolonged_context_t *held = NULL;
    if (!fxt_i_enter(&fxt_i_this_thread, FXT_I_HERE))
        return NULL;
    if (fxt_i_add(&fxt_i_engine.prolonged, 1) < PROLONGED_MAX)
        held = (trace_prolonged_context_t *)(void *)&prolonged_context;
    else
        fxt_i_count_down(&fxt_i_engine.prolonged);
    fxt_i_leave(&fxt_i_this_thread);
    return held;
}

/* Any thread, lock-free. The dispatcher looks again by itself. From here on it may go away. */
void trace_release_prolonged_context(trace_prolonged_context_t *context)
{
    (void)context;
    fxt_i_count_down(&fxt_i_engine.prolonged);
}
