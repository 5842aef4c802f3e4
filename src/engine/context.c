/* Contexts: which threads trace, which of them are inside, and what they dropped.

   A context is its thread's own; of others' contexts the list is read, under the lock of threads:
   `active` (stored with release or in front of a light fence, read with acquire behind a heavy one)
   and `dropped` (relaxed: a count). A signal handler runs on the thread that it interrupts; `busy`
   and `locks` tell it what it may not touch, ordered by signal fences. Unless a function says
   otherwise, it is called by the thread of its context, in a signal handler too. */
#include "src/engine/engine.h"

#include <assert.h>

/* A gate that is never open, for threads without a lease. */
static const fxt_i_atomic no_gate = {FXT_I_INSIDE};

__thread struct trace_context fxt_i_this_thread = {.gate = &no_gate, .indexed = FXT_I_NEVER};

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

/* Not inside; takes the lock of threads. */
static void join_list(struct trace_context *context)
{
    assert(!context->known && context->depth == 0);
    context->busy = true;
    fxt_i_signal_fence();
    context->thread_id = fxt_i_thread_id();
    fxt_i_lock(&fxt_i_engine.thread_lock);
    context->next_thread = fxt_i_engine.threads;
    context->back = &fxt_i_engine.threads;
    if (context->next_thread != NULL)
        context->next_thread->back = &context->next_thread;
    fxt_i_engine.threads = context;
    if (!context->ending)
        take_cache(context);
    fxt_i_unlock(&fxt_i_engine.thread_lock);
    if (!context->ending)
        fxt_i_at_thread_end(context);
    context->known = true;
    fxt_i_signal_fence();
    context->busy = false;
}

/* Passes on the thread's spare room and counts its drops. Takes the lock of threads. */
static void leave_list(struct trace_context *context)
{
    context->busy = true;
    fxt_i_signal_fence();
    fxt_i_store(&context->active, context->epoch + FXT_I_INSIDE);
    fxt_i_light_fence();
    fxt_i_lock(&fxt_i_engine.thread_lock);
    assert(context->known && *context->back == context);
    fxt_i_lease_bequeath(context);
    context->next = NULL;
    context->end = NULL;
    context->gate = &no_gate;
    *context->back = context->next_thread;
    if (context->next_thread != NULL)
        context->next_thread->back = context->back;
    context->known = false; /* from now on, fxt_i_drop counts elsewhere */
    fxt_i_signal_fence();
    fxt_i_add(&fxt_i_engine.dropped_before, fxt_i_load_relaxed(&context->dropped));
    fxt_i_store_relaxed(&context->dropped, 0);
    if (context->cache != NULL)
        context->cache->taken = false;
    context->cache = NULL;
    fxt_i_store(&context->active, 0);
    fxt_i_unlock(&fxt_i_engine.thread_lock);
    fxt_i_signal_fence();
    context->busy = false;
}

/* The thread that ends, not in a signal handler: the destructor of its value for the engine's key.
   Other destructors may run after it and trace. Whether this one will be called again cannot be
   known: so from here on the thread is in the list only while it writes a record. A context that it
   still holds finds no room any more.

   A thread must not write its first record ever in the last of the four rounds of destructors,
   behind this key: it would stay in the list, and nothing tells that it ends. */
void fxt_i_thread_ends(void *self)
{
    struct trace_context *context = self;

    assert(context == &fxt_i_this_thread);
    context->ending = true;
    if (context->known)
        leave_list(context);
    if (context->depth > 0)
        context->busy = true;
}

/* Wait-free: a count of its own, but for a thread that is not in the list, which adds to that of
   all. In the buffer's header, too: whoever finds it after this process was killed knows how many.
   */
void fxt_i_drop(struct trace_context *context)
{
    if (context->known)
        fxt_i_store_relaxed(&context->dropped, fxt_i_load_relaxed(&context->dropped) + 1);
    else
        fxt_i_add(&fxt_i_engine.dropped_before, 1);
    fxt_i_count((uint64_t *)(void *)(fxt_i_engine.buffer + FXT_I_HEADER_DROPPED));
}

/* Any thread; takes the lock of threads. Who is dropping just now may not be counted yet. */
uint64_t fxt_i_dropped(void)
{
    fxt_i_lock(&fxt_i_engine.thread_lock);
    uint64_t sum = fxt_i_load(&fxt_i_engine.dropped_before);
    for (struct trace_context *it = fxt_i_engine.threads; it != NULL; it = it->next_thread)
        sum += fxt_i_load_relaxed(&it->dropped);
    fxt_i_unlock(&fxt_i_engine.thread_lock);
    return sum;
}

/* Any thread behind a heavy fence, which comes behind its store to the gate or to the state: who is
   not seen inside will see that store. Takes the lock of threads. */
bool fxt_i_anyone_inside(uint64_t epoch, const struct trace_context *but)
{
    bool inside = false;

    assert(epoch % 2 == 0);
    assert(but == NULL || but == &fxt_i_this_thread);
    fxt_i_lock(&fxt_i_engine.thread_lock);
    for (struct trace_context *it = fxt_i_engine.threads; it != NULL && !inside;
         it = it->next_thread) {
        uint64_t active = fxt_i_load(&it->active);
        inside = active != 0 && (it != but || active == FXT_I_PINNED) &&
                 (epoch == 0 || active == FXT_I_PINNED || active == epoch + FXT_I_INSIDE);
    }
    fxt_i_unlock(&fxt_i_engine.thread_lock);
    return inside;
}

/* Discards the state that a thread kept from an earlier start. */
static void renew(struct trace_context *context)
{
    assert(context->depth == 0 && context->known);
    context->generation = fxt_i_engine.generation;
    context->gate = &no_gate;
    context->epoch = 0;
    context->next = NULL;
    context->end = NULL;
    context->registered = false;
    context->indexed = FXT_I_NEVER;
    context->leased = false;
    fxt_i_store_relaxed(&context->dropped, 0);
}

/* The store of 0 releases what the thread wrote to whoever then finds it outside. */
static void go_outside(struct trace_context *context)
{
    assert(context->depth == 0);
    if (context->ending && context->known)
        leave_list(context);
    else
        fxt_i_store(&context->active, 0);
}

/* `active` is stored, then comes a light fence, then the state is looked at: whoever stops stores
   the state, then comes a heavy fence, then looks at `active`. So one sees the other. */
bool fxt_i_enter(struct trace_context *context)
{
    bool started = fxt_i_load32(&fxt_i_engine.state) == TRACE_STARTED;

    assert(context == &fxt_i_this_thread);
    if (context->busy || context->locks != 0 ||
        (context->depth == 0 && fxt_i_load_relaxed(&context->active) != 0)) {
        if (started)
            fxt_i_drop(context);
        return false;
    }
    if (context->depth == 0) {
        if (!started)
            return false;
        if (!context->known)
            join_list(context);
        fxt_i_store(&context->active, context->epoch + FXT_I_INSIDE);
        fxt_i_light_fence();
        if (fxt_i_load32(&fxt_i_engine.state) != TRACE_STARTED) {
            go_outside(context);
            return false;
        }
        if (context->generation != fxt_i_engine.generation) {
            renew(context);
            fxt_i_store(&context->active, FXT_I_INSIDE);
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
