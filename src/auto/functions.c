/* The functions that -finstrument-functions calls. Each thread has a state of its own: the stack of the
   functions that are open, and a table of those that it has called. A thread that ends leaves its state
   to the next one, because the engine keeps the places of sites. fxt_auto_lock protects the free states.

   A signal handler may interrupt anything here. It finds the stack whole, because a place is taken
   before it is filled. While the thread looks up a function for the first time (`is_busy`), the
   functions of the handler are not recorded.

   A function that longjmp or a coroutine leaves has no exit: the exit of one below takes it away. */
#include "src/auto/auto.h"

#include <pthread.h>

#include <fxt/record.h>
#include <lib/trace-engine/instrumentation.h>

#define HOOK __attribute__((visibility("default"), no_instrument_function))
#define FENCE() __asm__ volatile("" ::: "memory") /* for a signal handler of this thread */
#define CATEGORY "function"
#define DEPTH_MAX 65536u
#define SLOTS_FIRST 1024u /* a power of two */
#define ROOM 256u

struct frame {
    const void *function;
    trace_ticks_t begin; /* 0: it is not recorded */
};

struct function {
    const void *address;
    const char *name; /* NULL: it is not recorded */
    struct trace_i_site site;
};

struct thread {
    struct thread *next; /* that is free, too */
    uint32_t depth;      /* may be beyond DEPTH_MAX */
    uint32_t used;
    uint32_t slots; /* a power of two, more than `used` */
    struct function **table;
    struct function *room; /* for `left` functions more */
    uint32_t left;
    struct frame frames[DEPTH_MAX];
};

static struct thread *free_threads;
static pthread_key_t key;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;

static _Thread_local struct thread *self __attribute__((tls_model("initial-exec")));
static _Thread_local bool is_busy __attribute__((tls_model("initial-exec")));

static void give_back(void *state)
{
    struct thread *thread = state;

    is_busy = true; /* what the thread calls from here on is not recorded */
    self = NULL;
    thread->depth = 0;
    pthread_mutex_lock(&fxt_auto_lock);
    thread->next = free_threads;
    free_threads = thread;
    pthread_mutex_unlock(&fxt_auto_lock);
}

static void make_key(void)
{
    pthread_key_create(&key, give_back);
}

static struct thread *new_thread(void)
{
    struct thread *thread = fxt_auto_memory(sizeof *thread);

    if (thread == NULL)
        return NULL;
    thread->slots = SLOTS_FIRST;
    thread->table = fxt_auto_memory(SLOTS_FIRST * sizeof *thread->table);
    return thread->table != NULL ? thread : NULL;
}

static struct thread *begin_thread(void)
{
    is_busy = true;
    pthread_once(&key_once, make_key);
    pthread_mutex_lock(&fxt_auto_lock);
    struct thread *thread = free_threads;
    if (thread != NULL)
        free_threads = thread->next;
    pthread_mutex_unlock(&fxt_auto_lock);
    if (thread == NULL)
        thread = new_thread();
    if (thread != NULL)
        pthread_setspecific(key, thread);
    self = thread;
    FENCE();
    is_busy = false;
    return thread;
}

/* ---- the table */

static uint32_t place_of(const void *address, uint32_t slots)
{
    return (uint32_t)((uintptr_t)address * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (slots - 1);
}

static struct function **slot_of(struct function **table, uint32_t slots, const void *address)
{
    uint32_t place = place_of(address, slots);

    while (table[place] != NULL && table[place]->address != address)
        place = (place + 1) & (slots - 1);
    return &table[place];
}

/* The old table stays: it is as large as all before it. */
static bool grow(struct thread *thread)
{
    uint32_t slots = 2 * thread->slots;
    struct function **table = fxt_auto_memory(slots * sizeof *table);

    if (table == NULL)
        return false;
    for (uint32_t i = 0; i < thread->slots; i++)
        if (thread->table[i] != NULL)
            *slot_of(table, slots, thread->table[i]->address) = thread->table[i];
    thread->table = table;
    thread->slots = slots;
    return true;
}

static struct function *new_function(struct thread *thread, const void *address)
{
    if (thread->left == 0) {
        thread->room = fxt_auto_memory(ROOM * sizeof *thread->room);
        thread->left = thread->room != NULL ? ROOM : 0;
    }
    if (thread->left == 0)
        return NULL;
    struct function *function = thread->room++;
    thread->left--;
    function->address = address;
    function->name = fxt_auto_name(address);
    if (function->name != NULL && fxt_auto.filter != NULL &&
        !fxt_auto_fits(fxt_auto.filter, function->name))
        function->name = NULL;
    return function;
}

static struct function *add(struct thread *thread, const void *address)
{
    struct function *function = NULL;

    is_busy = true;
    FENCE();
    if (2 * thread->used < thread->slots || grow(thread)) {
        function = new_function(thread, address);
        if (function != NULL) {
            *slot_of(thread->table, thread->slots, address) = function;
            thread->used++;
        }
    }
    FENCE();
    is_busy = false;
    return function;
}

static void write_event(struct thread *thread, const void *address, uint32_t type, uint64_t value)
{
    struct function *function = *slot_of(thread->table, thread->slots, address);

    if (function == NULL)
        function = add(thread, address);
    if (function != NULL && function->name != NULL && trace_i_on(&function->site, CATEGORY))
        trace_i_event(&function->site, CATEGORY, function->name, type, value, NULL, 0);
}

/* ---- the stack */

static bool is_recorded(void)
{
    static struct trace_i_site site;
    return trace_i_on(&site, CATEGORY);
}

static void end(struct thread *thread, const struct frame *frame)
{
    if (frame->begin == 0)
        return;
    if (fxt_auto.open)
        write_event(thread, frame->function, FXT_EVENT_DURATION_END, 0);
    else if (fxt_auto.least == 0 || trace_get_ticks() - frame->begin >= fxt_auto.least)
        write_event(thread, frame->function, FXT_EVENT_DURATION_COMPLETE, frame->begin);
}

/* Ends what is open from `depth` on, from the top. */
static void end_from(struct thread *thread, uint32_t depth)
{
    while (thread->depth > depth) {
        uint32_t at = thread->depth - 1;
        struct frame frame = {NULL, 0};
        if (at < DEPTH_MAX)
            frame = thread->frames[at];
        thread->depth = at;
        end(thread, &frame);
    }
}

HOOK void __cyg_profile_func_enter(void *function, void *caller);
HOOK void __cyg_profile_func_exit(void *function, void *caller);

void __cyg_profile_func_enter(void *function, void *caller)
{
    (void)caller;
    if (!fxt_auto.functions || is_busy)
        return;
    struct thread *thread = self != NULL ? self : begin_thread();
    if (thread == NULL)
        return;
    uint32_t at = thread->depth++;
    FENCE();
    if (at >= DEPTH_MAX)
        return;
    thread->frames[at] = (struct frame){function, 0};
    if (!is_recorded())
        return;
    thread->frames[at].begin = trace_get_ticks();
    if (fxt_auto.open)
        write_event(thread, function, FXT_EVENT_DURATION_BEGIN, 0);
}

/* Those above it are left: they had no exit. Only with begin events do they have an end. */
void __cyg_profile_func_exit(void *function, void *caller)
{
    struct thread *thread = self;

    (void)caller;
    if (thread == NULL || is_busy || thread->depth == 0)
        return;
    if (thread->depth > DEPTH_MAX) {
        thread->depth--;
        return;
    }
    uint32_t at = thread->depth;
    while (at > 0 && thread->frames[at - 1].function != function)
        at--;
    if (at == 0)
        return;
    if (fxt_auto.open)
        end_from(thread, at);
    thread->depth = at;
    end_from(thread, at - 1);
}

void fxt_auto_end(void)
{
    if (self != NULL && !is_busy && !fxt_auto.open)
        end_from(self, 0);
}
