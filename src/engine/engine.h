/* The state of the engine, which its files share. README.md explains the concepts: lease, half, turn,
   gate, epoch, holder, spare, presence.

   The path of a record: a call site (site.c) asks for its category. A context (context.c) marks
   this thread as inside. The thread's lease, a run of chunks of the current half, has room
   (lease.c), or the thread takes room that an ended thread left (spare.c). event.c or record.c
   encodes into it and publishes. Strings and threads that a record refers to are in the tables
   (tables.c), and their records in the durable part (durable.c). state.c starts and stops. turn.c
   switches from one half to the other, and hands the full half over.

   A file calls functions of the files to its left only (order_test.py):
   begin os clock ring engine presence dispatcher part turn spare lease context durable tables definition
   observer site record event scope state macro process.


   Threads. The comment on a function begins with the threads that may call it, or the head of its
   file names them. Traced threads, up to FXT_I_THREADS at a time, and signal handlers on them, call
   the functions that take a context, with their own. The dispatcher is one thread, which runs the
   tasks of state.c. Any thread may start, stop, query or flush. Fields that are not atomic are
   written under the lock that is declared above them. Threads that are inside read half[], ring,
   generation, mode, handler and buffer without a lock: these change only while tracing is stopped
   and nobody is inside, and the store of TRACE_STARTED to `state` releases them. Locks are taken
   in this order: life, then one of tables, observers, sites and turns; turns, then threads. The
   handler's is_category_enabled is called under the lock of sites.

   Invariants are asserted in every build, because a broken invariant here corrupts memory that
   others read. An assertion costs a compare, off the path of an event. FXT_I_ASSERT_HOT is for
   that path. Input of programs, managers or killed threads is checked and refused, not asserted.
   The exception is a program that passes a context of another thread, or one that it does not hold:
   no engine could go on after that. */
#ifndef FXT_ENGINE_ENGINE_H
#define FXT_ENGINE_ENGINE_H

#include <assert.h>

#include <fxt/buffer.h>
#include <fxt/intern.h>
#include <lib/trace-engine/handler.h>
#include <lib/trace-engine/instrumentation.h>

#include "src/base/word.h"
#include "src/buffer/chunk.h"
#include "src/engine/atomic.h"
#include "src/engine/clock.h"
#include "src/engine/os.h"
#include "src/engine/put.h"
#include "src/engine/ring.h"
#include "src/wire/layout.h"

/* For the path of every event: active in builds without optimization (-c dbg), under the
   sanitizers and in the explorer, which define FXT_HOT_ASSERTIONS. */
#if !defined __OPTIMIZE__ || defined FXT_HOT_ASSERTIONS
#define FXT_I_ASSERT_HOT(condition) assert(condition)
#else
#define FXT_I_ASSERT_HOT(condition) ((void)0)
#endif

#define FXT_I_NOTE "fxtref"     /* the owner of the ELF note that each copy of the engine has */
#define FXT_I_NOTE_ENGINE 1     /* its type */
#define FXT_I_CLOSED 0          /* a gate that no lease passes; epochs are even and larger */
#define FXT_I_INSIDE 1          /* `active` of a thread without a lease */
#define FXT_I_PINNED UINT64_MAX /* `active` of a thread whose caller may write into its leases */
#define FXT_I_HELD UINTPTR_MAX  /* `frame` of a thread whose caller holds a context */
#define FXT_I_NEVER UINT32_MAX  /* no generation; a new site has 0 */
#define FXT_I_CACHES 64         /* threads that cache literals */
#define FXT_I_CACHED 256
#define FXT_I_COPIES 64
#define FXT_I_SPARES 1024
/* More than the chunks of a half. The upper 40 bits of a word of holders are an epoch: enough for
   ten thousand turns a second for a year. */
#define FXT_I_HOLDERS (UINT64_C(1) << 24)
#define FXT_I_THREADS 16384 /* traced threads; events of more are dropped and counted */

/* A thread's cache of literals, by their address. */
struct fxt_i_literal {
    const char *literal;
    uint32_t generation; /* for which it is valid */
    uint16_t length;
    uint16_t index;
};

struct fxt_i_cache {
    struct fxt_i_literal literals[FXT_I_CACHED];
    struct fxt_i_literal copies[FXT_I_COPIES]; /* without a literal: strings that were copied */
    uint64_t owner;                            /* the thread that took it; 0: free */
};

/* The state of a traced thread that other threads read. It is not in the thread's own memory, which
   is freed with the thread. If a thread traces for the first time in the last round of destructors
   of thread-specific values, the engine does not learn of its end, and its presence and its cache
   stay taken until another thread finds none free. */
struct fxt_i_presence {
    /* Read by threads that close a half. 0: outside. Otherwise this thread is inside, and the value
       is FXT_I_PINNED or the epoch of its lease + FXT_I_INSIDE. */
    fxt_i_atomic active;
    struct fxt_i_presence *next_free;
    uint64_t owner; /* the thread that took it; 0: free */
    /* The thread that was registered with this presence last. Under the lock of tables. */
    fxt_i_atomic32 named; /* generation in which it is registered; 0: it has ended */
    uint64_t thread_id;
    char name[16]; /* its name in the trace */
} __attribute__((aligned(128)));

/* A thread of this process that has traced: the context that its functions receive. All of it
   belongs to the thread. */
struct trace_context {
    struct fxt_i_presence *presence; /* or NULL: the thread is not known to the others */
    uint64_t drops;                  /* by this thread, ever */
    uint8_t *next;                   /* next record in its lease */
    uint8_t *end;
    const fxt_i_atomic *gate; /* the gate of its lease's half */
    uint64_t epoch;           /* epoch of its lease; 0: none */
    uint32_t generation;      /* generation of its lease and its references */
    uint32_t indexed;         /* generation in which thread_ref is an index; or FXT_I_NEVER */
    uintptr_t frame;          /* of the call that this thread is in: see fxt_i_recover */
    uint32_t depth;           /* contexts held, by calls of the engine too */
    uint32_t held;            /* contexts held by callers */
    uint32_t locks;           /* reasons to hold signals back: locks of the engine, and a drop */
    uint16_t thread_ref;      /* its index in the thread table */
    bool registered;          /* in this generation; then thread_ref 0 means inline */
    bool leased;              /* it had a lease in this generation */
    bool busy;                /* in the middle of a record: a signal handler finds no room */
    bool asking;              /* asks the handler for a category: a signal handler asks nothing */
    bool ending;              /* the thread ends: it has a presence only while inside */
    struct fxt_i_interrupts interrupts; /* before the first lock */
    uint64_t thread_id;
    struct fxt_i_cache *cache; /* or NULL */
} __attribute__((aligned(128)));

struct fxt_i_half {
    fxt_i_atomic gate;
    fxt_i_atomic holders; /* leases of this half's epoch: FXT_I_HOLDERS * epoch + their number */
    uint64_t epoch;       /* epoch of its last opening */
    uint32_t used;        /* number of first chunks that may hold an earlier lap */
    uint8_t *bytes;
} __attribute__((aligned(64)));

/* A part of a half that a thread has taken. */
struct fxt_i_chunks {
    uint8_t *next;
    uint8_t *end;
    uint64_t epoch; /* epoch of its half; 0: none */
    struct fxt_i_half *half;
    uint64_t thread_id; /* of a spare: the thread that left it */
};

/* The state of a full half in streaming mode. */
enum fxt_i_save {
    FXT_I_SAVE_NONE,     /* no full half: both may be written */
    FXT_I_SAVE_CLOSING,  /* the writers of the full half are leaving */
    FXT_I_SAVE_NOTIFIED, /* the handler owns its bytes */
};

struct fxt_i_engine {
    /* A forked child keeps these. */
    uint32_t generation;  /* under the lock of the life */
    uint64_t last_epoch;  /* see fxt_i_open */
    uintptr_t site_reset; /* the number of the last reset, in the upper bits; the lock of sites */
    /* How often the records were cleared, ever. A duration that began before the last time has lost
       its begin, and writes no end. */
    fxt_i_atomic clearings;

    /* From here on a forked child has zeros. The kernel clears whole pages, from the one in which
       half[] begins to the one in which life_lock ends: see fxt_i_wipe_in_child. */
    struct fxt_i_cache caches[FXT_I_CACHES]; /* protected by the lock of threads */

    /* Read by every record; written when a half or the state changes. */
    struct fxt_i_half half[2];
    struct fxt_i_ring ring;
    uint16_t mode;
    fxt_i_atomic32 state;                               /* trace_state_t */
    fxt_i_atomic position __attribute__((aligned(64))); /* wrapped << 32 | leased chunks */

    /* The lock of turns: one thread switches halves. */
    fxt_i_atomic32 turn_lock __attribute__((aligned(64)));
    fxt_i_atomic32 saving; /* enum fxt_i_save */
    fxt_i_atomic data_end[2];
    fxt_i_atomic full;          /* not 0: no record finds room until the next start */
    fxt_i_atomic32 left;        /* not 0: a thread has left a call */
    uint64_t saved_durable_end; /* as reported to the handler */
    uint32_t saving_wrapped;
    /* The last half that a start cleared while the handler owned it: the answer may come still. */
    uint32_t owed_wrapped;
    uint64_t owed_durable_end; /* 0: none */

    /* The lock of tables: the durable part, or the chunk that replaces it, and the tables. */
    fxt_i_atomic32 table_lock;
    uint8_t *durable_next;
    uint8_t *durable_end;
    uint8_t *durable_bytes;
    struct fxt_interner interner;

    /* The lock of threads. */
    fxt_i_atomic32 thread_lock;
    uint32_t presence_count; /* presences that have been taken, the free ones included */
    struct fxt_i_presence *free_presences;
    struct fxt_i_chunks spares[FXT_I_SPARES]; /* room that ended threads left */
    uint32_t spare_count;

    /* Dropped records. */
    fxt_i_atomic dropped;  /* since the start */
    fxt_i_atomic dropping; /* threads that are counting one */

    /* The lock of sites. */
    fxt_i_atomic32 site_lock;

    /* The lock of the life, which is the last field: initialize, start, stop, terminate. */
    fxt_i_atomic prolonged; /* contexts held */
    async_dispatcher_t *dispatcher;
    trace_handler_t *handler;
    uint8_t *buffer;
    struct fxt_buffer_header header;
    zx_status_t disposition;
    bool initialized;
    bool terminating;
    bool start_notified; /* the handler knows of this start */
    bool used;           /* the buffer has been used by a start */
    bool is_own;         /* false: never initialized, or the state is of the process that forked */
    fxt_i_atomic32 life_lock;
    uint8_t rest_of_page[FXT_I_PAGE_BYTES_MAX];
};
_Static_assert(sizeof(struct fxt_i_cache[FXT_I_CACHES]) >= FXT_I_PAGE_BYTES_MAX,
               "the page in which half[] begins has nothing of what a child keeps");

extern struct fxt_i_engine fxt_i_engine;
/* In a library that is loaded at run time, too, it needs no memory at its first use. */
extern __thread struct trace_context fxt_i_this_thread __attribute__((tls_model("initial-exec")));
extern const fxt_i_atomic fxt_i_no_gate; /* of a thread without a lease */

/* Hold back what could end the calling thread's work in the middle: signals whose handler may leave
   by siglongjmp, and an asynchronous cancellation. Not the signals of a fault. They nest. */
void fxt_i_signals_hold(void);
void fxt_i_signals_release(void);

/* Locks for rare operations, whose holder holds signals back. If the handler of a fault interrupts
   a thread that holds one, the handler's records are dropped, so it never waits for that thread. */
void fxt_i_lock(fxt_i_atomic32 *lock);
bool fxt_i_try_lock(fxt_i_atomic32 *lock);
void fxt_i_unlock(fxt_i_atomic32 *lock);

/* For assertions: true if this thread holds the lock. Sometimes also true if it holds another
   lock while a third thread holds this one. */
static inline bool fxt_i_lock_is_held(const fxt_i_atomic32 *lock)
{
    return fxt_i_this_thread.locks > 0 && fxt_i_peek32(lock) != 0;
}

/* Decrements a count that delays the end of a stop (`prolonged`, `dropping`), unless it is 0, as in
   a forked child. */
void fxt_i_count_down(fxt_i_atomic *count);

/* Counts a record that the context's thread has dropped, if tracing is on. */
void fxt_i_drop(struct trace_context *context);

/* Presences. */

/* NULL if all are taken by threads that may live. The lock of threads is held. */
struct fxt_i_presence *fxt_i_presence_take(uint64_t owner);
void fxt_i_presence_give_back(struct fxt_i_presence *presence);
/* Whether a thread other than `except` is inside with a lease of that epoch; for epoch 0, inside at
   all. Call after a heavy fence. */
bool fxt_i_anyone_inside(uint64_t epoch, const struct trace_context *except);
/* The presences that have been taken, one after the other; NULL behind the last one. Any thread. */
struct fxt_i_presence *fxt_i_presence_at(uint32_t number);

/* The task on the dispatcher. */

void fxt_i_dispatcher_init(async_task_handler_t *work);
void fxt_i_dispatcher_begin(void);
void fxt_i_dispatcher_forget(void);
/* Posts the task, unless it is already posted. */
void fxt_i_dispatcher_post(zx_time_t delay_ns);

/* The parts of the buffer: see part.c for the callers. */

void fxt_i_open(struct fxt_i_half *half);
/* Counts one more lease among the holders of the half. False if the half has been opened again
   since that epoch. */
bool fxt_i_half_hold(struct fxt_i_half *half, uint64_t epoch);
/* Counts one lease less, unless the half has been opened again, or its leases are void. */
void fxt_i_half_release(struct fxt_i_half *half, uint64_t epoch);
/* Voids all leases of the half, which is closed. Nobody is inside. */
void fxt_i_void_leases(struct fxt_i_half *half);
void fxt_i_clear(struct fxt_i_half *half); /* marks all chunks of it as not leased */
/* Covers the chunks of that lap that were taken and have no head. */
void fxt_i_cover_chunks(uint32_t wrapped);
void fxt_i_mark_full(void); /* no record finds room before the next start */
/* Writes a field of the header that changes while tracing runs; `word` is all 8 bytes. */
void fxt_i_put_header(uint32_t byte, uint64_t word);
void fxt_i_put_wrapped(uint32_t wrapped);
/* The data end of the half of that lap. */
void fxt_i_put_data_end(uint32_t wrapped, uint64_t bytes);
void fxt_i_raise_data_end(uint32_t wrapped, uint64_t bytes);
uint64_t fxt_i_data_end(uint32_t wrapped);
void fxt_i_clear_data_ends(void);
void fxt_i_clear_header(void);  /* writes the header of an empty buffer */
void fxt_i_write_header(void);  /* writes the header from the current state */
void fxt_i_count_inlined(void); /* a definition that found no room, in the buffer's header */
uint64_t fxt_i_definitions_bytes(void);
/* The same, but never that number: appends a filler instead. */
uint64_t fxt_i_definitions_bytes_unlike(uint64_t number);

/* Contexts: the functions that take one are called by its thread. */

/* A place in the calling function's stack frame. */
#define FXT_I_HERE ((uintptr_t)__builtin_frame_address(0))
/* Between what a signal handler interrupts and the handler's frame, the kernel puts more on the
   stack. */
#define FXT_I_SIGNAL_BYTES 512

/* A signal handler may leave by siglongjmp, and never return to the call of the engine that it has
   interrupted. So `frame` has the place on the stack of the outermost call that is not over; 0
   between two calls, or FXT_I_HELD if the caller holds a context. It is set before the rest of the
   thread's state changes, and reset after it has changed back. */

static inline bool fxt_i_is_in_call(const struct trace_context *context)
{
    return context->frame != 0 && context->frame != FXT_I_HELD;
}

/* Begins a call, unless the thread is in one. */
static inline bool fxt_i_call_begin(struct trace_context *context, uintptr_t here)
{
    if (fxt_i_is_in_call(context))
        return false;
    context->frame = here;
    fxt_i_signal_fence();
    return true;
}

/* Ends a call, unless an outer one is left. */
static inline void fxt_i_call_end(struct trace_context *context)
{
    fxt_i_signal_fence();
    if (context->depth == context->held)
        context->frame = context->held != 0 ? FXT_I_HELD : 0;
}

/* If the thread has left its call without an end, takes its state back: the call counts as a
   dropped record. `here` is in a frame that a signal handler does not share with what it has
   interrupted. */
void fxt_i_recover_from(struct trace_context *context, uintptr_t here);

static inline void fxt_i_recover(struct trace_context *context, uintptr_t here)
{
    if (__builtin_expect(fxt_i_is_in_call(context), 0))
        fxt_i_recover_from(context, here);
}

/* Until the end, a signal handler finds no room. */
static inline bool fxt_i_busy_begin(struct trace_context *context)
{
    bool was_busy = context->busy;

    if (!was_busy)
        fxt_i_call_begin(context, FXT_I_HERE);
    context->busy = true;
    fxt_i_signal_fence();
    return was_busy;
}

static inline void fxt_i_busy_end(struct trace_context *context, bool was_busy)
{
    fxt_i_signal_fence();
    context->busy = was_busy;
    if (!was_busy)
        fxt_i_call_end(context);
}

/* Whether this is a signal handler in the middle of a record. */
static inline bool fxt_i_is_interrupted(struct trace_context *context)
{
    if (context->busy)
        fxt_i_recover(context, FXT_I_HERE);
    return context->busy;
}

/* Marks this thread as inside. False if the engine is not started, or if a signal handler has
   interrupted a record (which is counted). `here` is in the frame of the function that leaves, or
   of one that has called it. */
bool fxt_i_enter(struct trace_context *context, uintptr_t here);
void fxt_i_leave(struct trace_context *context);
/* The caller holds the context from here on. */
trace_context_t *fxt_i_keep(struct trace_context *context);
void fxt_i_thread_ends(void *context);

static inline uint64_t fxt_i_active(const struct trace_context *context)
{
    return context->presence != NULL ? fxt_i_load_relaxed(&context->presence->active) : 0;
}

static inline bool fxt_i_pinned(const struct trace_context *context)
{
    return fxt_i_active(context) == FXT_I_PINNED;
}

/* Without a presence, a thread writes only while nobody else may: see
   fxt_i_define_initialization. */
static inline void fxt_i_set_active(struct trace_context *context, uint64_t active)
{
    if (context->presence != NULL)
        fxt_i_store(&context->presence->active, active);
}

/* Leases. Lock-free, except for turns. */

/* Gives up the context's lease, and decrements the holders of its half. The context is inside. */
void fxt_i_lease_give_up(struct trace_context *context);
/* The same, but makes the rest of the lease a spare if it is large enough. */
void fxt_i_lease_recycle(struct trace_context *context);

static inline bool fxt_i_lease_open(const struct trace_context *context)
{
    return fxt_i_load_relaxed(context->gate) == context->epoch;
}

/* A position in one word. */
static inline struct fxt_i_position fxt_i_position_of(uint64_t word)
{
    return (struct fxt_i_position){(uint32_t)(word >> 32), (uint32_t)word};
}

static inline uint64_t fxt_i_position_word(struct fxt_i_position at)
{
    return (uint64_t)at.wrapped << 32 | at.leased;
}

/* Spares: room of ended threads, for new ones. */

/* Makes the rest of the context's lease a spare, which stays a holder of its half. False if the
   rest is too small. The lock of threads is held, and the context is inside. */
bool fxt_i_spare_put(struct trace_context *context);
/* Takes a spare with room for as many bytes, for a thread that has not written yet. The context
   is inside, without a lease; afterwards it is inside with the spare's lease. */
bool fxt_i_spare_take(struct trace_context *context, struct fxt_i_chunks *out, uint64_t bytes);

/* Takes chunks for as many bytes of records. */
bool fxt_i_take_chunks(struct trace_context *context, struct fxt_i_chunks *out, uint64_t bytes);

/* Publishes the record of `bytes` bytes at context->next, which is complete except for its first
   word. Wait-free. The header's store releases the record and the filler behind it to readers of
   the buffer. They do not look at the filler before. */
static inline void fxt_i_publish_record(struct trace_context *context, uint64_t bytes,
                                        uint64_t header)
{
    FXT_I_ASSERT_HOT(bytes > 0 && bytes % 8 == 0 && (uintptr_t)context->next % 8 == 0);
    FXT_I_ASSERT_HOT(bytes <= (uint64_t)(context->end - context->next));
    fxt_i_put_record(context->next, (uint64_t)(context->end - context->next), bytes, header);
    context->next += bytes;
}

/* Turns: see turn.c for the callers. */

/* Switches to the other half if `at` is still the position. False if records find no room. */
bool fxt_i_turn(struct trace_context *context, uint64_t at);
/* A step of saving, on the dispatcher. Returns whether saving is done. */
bool fxt_i_finish_closing(void);
/* The same as a step of stopping, after all have left and the gates are closed. */
void fxt_i_finish_closing_at_stop(void);
/* A step of stopping, on the dispatcher. Returns whether no thread can open a gate any more. */
bool fxt_i_turns_are_over(void);

/* Definitions: records of the durable part. The lock of tables is held. */

/* Returns a writer over scratch memory, for at least that many bytes. At the end, its contents
   are moved to the durable part in one piece. NULL if there is no room. In oneshot mode, the
   trace is then full. In the other modes recording goes on, and undefined strings and threads are
   written inline. */
struct fxt_writer *fxt_i_definition_begin(struct trace_context *context, uint64_t bytes);
void fxt_i_definition_end(void); /* a second call is a no-op */
/* The same for the name of a thread. Names may use half of the durable part: the rest is reserved
   for definitions that records refer to. If there is no room, counts the name and returns NULL. */
struct fxt_writer *fxt_i_definition_begin_name(struct trace_context *context, uint64_t bytes);
void fxt_i_definitions_clear(void);
void fxt_i_define_initialization(void); /* before anyone traces */

static inline uint64_t fxt_i_padded(uint64_t bytes)
{
    return 8 * fxt_words_of(bytes);
}

/* Tables. */

void fxt_i_tables_init(void);
/* Makes a reference: indexed, or inline if the table or the durable part is full. False in oneshot
   mode if there is no room for its record. */
bool fxt_i_register_string(struct trace_context *context, const char *string, size_t length,
                           struct fxt_string_ref *ref);
bool fxt_i_register_this_thread(struct trace_context *context);
/* Write the new names of threads that were renamed since they were registered: of this thread, when
   it ends; of all threads, when tracing stops. Not inside, and without a lock. */
void fxt_i_update_thread_name(struct trace_context *context);
void fxt_i_update_thread_names(void);

/* Sites. Any thread; takes the lock of sites. */
void fxt_i_sites_reset(void);

/* Observers: any thread; each takes their lock. */
void fxt_i_observers_signal(bool started);
bool fxt_i_observers_pending(void);
void fxt_i_observers_forget(void);

/* Returns whether the event was written. The count of drops does not tell, because a signal handler
   may drop records meanwhile. */
bool fxt_i_begin_duration(struct trace_i_site *site, const char *category, const char *name,
                          const trace_arg_value_t *values, size_t num_args);

/* Writes an event of this thread, now, whose name is any string, or NULL. Returns whether it was written. */
bool fxt_i_write_dynamic(const char *category, const char *name, uint32_t event_type,
                         uint64_t value, const trace_arg_t *args, size_t num_args);

/* Writes an event that is not on the hot path. Returns whether it was written. */
bool fxt_i_write_event(struct trace_context *context, uint32_t event_type, uint64_t timestamp,
                       uint64_t value, const trace_thread_ref_t *thread,
                       const trace_string_ref_t *category, const trace_string_ref_t *name,
                       const trace_arg_t *args, size_t count);

#endif
