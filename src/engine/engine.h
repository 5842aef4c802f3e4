/* The engine's state, and what its files share.

   A record's way: a call site (site.c) asks for its category; a context (context.c) says that this
   thread is inside; the thread's lease, a run of chunks of the current half, has room (lease.c), or
   what a thread that ended left of its own (spare.c); event.c or record.c encodes into it and
   publishes. Strings and threads that a record refers to are in the tables (tables.c), and their
   records in the durable part (durable.c). state.c starts and stops, turn.c goes from one half to
   the other, and hands the full one over.

   The buffer is a row of complete records at every store. A lease begins as one filler record that
   covers it. A record is written into the filler's inside; then the filler for what is left behind
   it is stored, and last, in one store, its own header in place of the old filler's. A thread that
   is killed anywhere leaves the old filler or the new record.

   A half is open while its gate holds the epoch of its leases, a number that no other opening ever
   had. A thread that is inside says so by its lease's epoch + 1 in its own `active`, then looks at
   the gate; whoever closes stores to the gate, fences all threads, then looks at every `active`:
   so a half is read, or used again, when all who write to it have left. */
#ifndef FXT_ENGINE_ENGINE_H
#define FXT_ENGINE_ENGINE_H

#include <fxt/buffer.h>
#include <fxt/intern.h>
#include <lib/trace-engine/handler.h>
#include <lib/trace-engine/instrumentation.h>

#include "src/base/word.h"
#include "src/chunk/chunk.h"
#include "src/engine/atomic.h"
#include "src/engine/clock.h"
#include "src/engine/os.h"
#include "src/engine/ring.h"
#include "src/wire/layout.h"

#define FXT_I_CLOSED 0          /* a gate that no lease passes; epochs are even and above */
#define FXT_I_INSIDE 1          /* of a thread without a lease */
#define FXT_I_PINNED UINT64_MAX /* of a thread whose caller may still write into any lease it had */
#define FXT_I_NEVER UINT32_MAX  /* no generation; a site that has none has 0 */
#define FXT_I_CACHES 64         /* threads that remember literals */
#define FXT_I_CACHED 256
#define FXT_I_SPARES 1024

/* What a thread knows of literals, by their address. */
struct fxt_i_literal {
    const char *literal;
    uint64_t tag; /* for which it holds */
    uint16_t index;
};

struct fxt_i_cache {
    struct fxt_i_literal literals[FXT_I_CACHED];
    bool taken;
};

/* A thread of this process that has traced: the context that its functions are given. */
struct trace_context {
    /* For whoever closes: 0, or that this thread is inside: FXT_I_PINNED, or the epoch of its lease
       + FXT_I_INSIDE. */
    fxt_i_atomic active;
    fxt_i_atomic dropped; /* by this thread since the start; nobody else stores */
    /* The rest is the thread's own. */
    uint8_t *next; /* in its lease */
    uint8_t *end;
    const fxt_i_atomic *gate; /* of the half of its lease */
    uint64_t epoch;           /* of its lease; 0: none */
    uint32_t generation;      /* of the start that its lease and its references belong to */
    uint32_t indexed;         /* the generation in which thread_ref is an index; or FXT_I_NEVER */
    uint32_t depth;           /* contexts held */
    uint32_t locks;           /* of the engine, held */
    uint16_t thread_ref;      /* its index in the thread table */
    bool registered;          /* in this generation; thread_ref 0 means inline then */
    bool leased;              /* it had a lease in this generation */
    bool busy;                /* in the middle of a record: a signal handler finds no room */
    bool known;               /* in the list below */
    bool ending;              /* its thread ends: in the list only while it is inside */
    uint64_t thread_id;
    struct trace_context *next_thread;
    struct trace_context **back; /* what points to it */
    struct fxt_i_cache *cache;   /* or NULL */
} __attribute__((aligned(128)));

struct fxt_i_half {
    fxt_i_atomic gate;
    fxt_i_atomic holders; /* threads with a lease of this half's epoch */
    uint64_t epoch;       /* of its last opening */
    uint32_t used;        /* chunks, its first ones, that may hold an earlier lap */
    uint8_t *bytes;
} __attribute__((aligned(64)));

/* Room in a half that somebody has taken. */
struct fxt_i_chunks {
    uint8_t *next;
    uint8_t *end;
    uint64_t epoch; /* of its half; 0: none */
    struct fxt_i_half *half;
    uint64_t thread_id; /* of a spare: who left it */
};

/* What streaming does with a full half. */
enum fxt_i_save {
    FXT_I_SAVE_NONE,     /* both halves may be written */
    FXT_I_SAVE_CLOSING,  /* writers of the full half are leaving */
    FXT_I_SAVE_NOTIFIED, /* its bytes are the handler's */
};

struct fxt_i_engine {
    /* Read by every record, written when a half or the state changes. */
    struct fxt_i_half half[2];
    struct fxt_i_ring ring;
    uint32_t generation;
    uint16_t mode;
    fxt_i_atomic32 state;                               /* trace_state_t */
    fxt_i_atomic position __attribute__((aligned(64))); /* wrapped << 32 | leased chunks */

    /* The lock of turns: one thread goes to the next half. */
    fxt_i_atomic32 turn_lock __attribute__((aligned(64)));
    fxt_i_atomic32 saving; /* enum fxt_i_save */
    fxt_i_atomic data_end[2];
    fxt_i_atomic full;          /* not 0: no record finds room before the next start */
    uint64_t saved_durable_end; /* what the handler was told */
    uint32_t saving_wrapped;

    /* The lock of definitions: the durable part, or the chunk that stands for it, and the tables. */
    fxt_i_atomic32 table_lock;
    uint8_t *durable_next;
    uint8_t *durable_end;
    uint8_t *durable_bytes;
    struct fxt_interner interner;

    /* The lock of the list of threads. */
    fxt_i_atomic32 thread_lock;
    struct trace_context *threads;
    fxt_i_atomic dropped_before; /* by threads that are not in the list */

    /* The lock of sites. */
    fxt_i_atomic32 site_lock;
    fxt_i_atomic32 unloads; /* of modules: literals may have gone */

    /* The lock of the life: initialize, start, stop, terminate. */
    fxt_i_atomic32 life_lock;
    fxt_i_atomic prolonged; /* contexts held */
    async_dispatcher_t *dispatcher;
    trace_handler_t *handler;
    uint8_t *buffer;
    struct fxt_buffer_header header;
    zx_status_t disposition;
    bool initialized;
    bool terminating;
    bool told_of_start; /* the handler */
    bool used;          /* the buffer has been started in once */
    uint64_t last_epoch;
    struct fxt_i_cache caches[FXT_I_CACHES];  /* under the lock of threads */
    struct fxt_i_chunks spares[FXT_I_SPARES]; /* so, too: what threads that ended left */
    uint32_t spare_count;
};

extern struct fxt_i_engine fxt_i_engine;
extern __thread struct trace_context fxt_i_this_thread;

/* Locks for what happens once in a while. A signal handler that interrupts a thread with one drops
   its records, so it never waits for the thread that it interrupts. */
void fxt_i_lock(fxt_i_atomic32 *lock);
bool fxt_i_try_lock(fxt_i_atomic32 *lock);
void fxt_i_unlock(fxt_i_atomic32 *lock);

/* Contexts. */

/* This thread goes inside: false when the engine is not started, or when a signal handler has
   interrupted a record (which is counted). */
bool fxt_i_enter(struct trace_context *context);
void fxt_i_leave(struct trace_context *context);
void fxt_i_thread_ends(void *context);
void fxt_i_drop(struct trace_context *context);
uint64_t fxt_i_dropped(void); /* by all; holds the lock of threads */
/* Whether a thread but that one is inside: with a lease of that epoch, or for 0 at all. Fence
   before. */
bool fxt_i_anyone_inside(uint64_t epoch, const struct trace_context *but);
static inline bool fxt_i_pinned(const struct trace_context *context)
{
    return fxt_i_load_relaxed(&context->active) == FXT_I_PINNED;
}

/* Leases. */

/* Sees to it that the context's lease has `bytes` left, a multiple of 8. False, and counted, when
   there is no room. */
bool fxt_i_lease_slow(struct trace_context *context, uint64_t bytes);
/* The context has no lease any more, and its half a holder less. The context is inside. */
void fxt_i_lease_give_up(struct trace_context *context);
/* The same, and a new thread may have what is left of it. */
void fxt_i_lease_bequeath(struct trace_context *context);

static inline bool fxt_i_lease_open(const struct trace_context *context)
{
    return fxt_i_load_relaxed(context->gate) == context->epoch;
}

static inline bool fxt_i_lease(struct trace_context *context, uint64_t bytes)
{
    if (fxt_i_lease_open(context) && (uint64_t)(context->end - context->next) >= bytes)
        return true;
    return fxt_i_lease_slow(context, bytes);
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

/* Spares: what threads that ended left, for new ones. */

/* What is left of the context's lease becomes a spare, holder and all; false when it is not worth
   it. The lock of threads is held, and the context is inside. */
bool fxt_i_spare_put(struct trace_context *context);
/* A spare with room for as many bytes, for a thread that has not written yet. The context is
   inside, without a lease; then it is inside with that of the spare. */
bool fxt_i_spare_take(struct trace_context *context, struct fxt_i_chunks *out, uint64_t bytes);

/* Takes chunks for as many bytes of records. */
bool fxt_i_take_chunks(struct trace_context *context, struct fxt_i_chunks *out, uint64_t bytes);

/* The record of `bytes` bytes at context->next is complete but for its first word. */
static inline void fxt_i_publish_record(struct trace_context *context, uint64_t bytes,
                                        uint64_t header)
{
    uint8_t *place = context->next;
    uint8_t *next = place + bytes;
    if (next != context->end)
        fxt_i_publish((uint64_t *)(void *)next, fxt_i_filler((uint64_t)(context->end - next)));
    fxt_i_publish((uint64_t *)(void *)place, header);
    context->next = next;
}

/* Turns. */

/* Goes on in the other half, when `at` is still the position. False when records find no room. */
bool fxt_i_turn(struct trace_context *context, uint64_t at);
/* Part of stopping and of saving, on the dispatcher: whether it is done. */
bool fxt_i_finish_closing(void);
void fxt_i_open(struct fxt_i_half *half);
/* The half is closed and nobody is inside: what leases there were are void. */
void fxt_i_forget_leases(struct fxt_i_half *half);
void fxt_i_clear(struct fxt_i_half *half); /* no chunk of it is leased any more */
void fxt_i_clear_data_ends(void);
void fxt_i_clear_header(void); /* of a buffer that holds nothing */
void fxt_i_write_header(void); /* from what is true now */
/* A field of the header that changes while tracing runs; `word` is all 8 bytes. */
void fxt_i_put_header(uint32_t byte, uint64_t word);
uint64_t fxt_i_data_end(uint32_t wrapped);
/* The data end of the half covers those bytes. The caller has a lease of that lap and is inside. */
void fxt_i_raise_data_end(uint32_t wrapped, uint64_t bytes);

/* Definitions: records of the durable part. The lock of tables is held. */

/* A writer over scratch memory, for at least that many bytes; what it has when it ends is moved to
   the durable part in one piece. NULL when there is no room. In oneshot mode the trace is full then;
   else recording goes on: what is not defined is written inline. */
struct fxt_writer *fxt_i_definition_begin(struct trace_context *context, uint64_t bytes);
void fxt_i_definition_end(void); /* may be called again, for nothing */
/* The same for the name of a thread. Names are the first to be left out: they may take one half of
   the durable part, the other one is for what records refer to. NULL when it is left out: counted. */
struct fxt_writer *fxt_i_definition_begin_name(struct trace_context *context, uint64_t bytes);
void fxt_i_count_inlined(void); /* a definition that found no room, in the buffer's header */
void fxt_i_definitions_clear(void);
void fxt_i_define_initialization(void); /* before anyone traces */
uint64_t fxt_i_definitions_bytes(void);
void fxt_i_mark_full(void); /* no record finds room before the next start */

static inline uint64_t fxt_i_padded(uint64_t bytes)
{
    return 8 * fxt_words_of(bytes);
}

/* Tables. */

void fxt_i_tables_init(void);
/* Indexed, or inline when the table or the durable part is full. False in oneshot mode when there is
   no room for its record. */
bool fxt_i_register_string(struct trace_context *context, const char *string, size_t length,
                           struct fxt_string_ref *ref);
bool fxt_i_register_this_thread(struct trace_context *context);

/* Sites. */
void fxt_i_sites_reset(void);

/* Observers, and what the dispatcher is asked to do. */
void fxt_i_observers_signal(bool started);
bool fxt_i_observers_pending(void);
void fxt_i_observers_forget(void);
void fxt_i_ask_dispatcher(zx_time_t delay_ns);

/* Records that are not on the hot path. */
void fxt_i_write_event(struct trace_context *context, uint32_t event_type, uint64_t timestamp,
                       uint64_t value, const trace_thread_ref_t *thread,
                       const trace_string_ref_t *category, const trace_string_ref_t *name,
                       const trace_arg_t *args, size_t count);

#endif
