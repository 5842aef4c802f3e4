/* Which events belong together: the begin and the end of a duration, the events of an async
   operation, the events of a flow. Each such operation has a number, in the order in which the
   trace begins them. The numbers depend on the records alone, so every pass over a trace finds the
   same ones.

   Async operations match as durations do, by process and async id [ASY-02]; an async instant belongs to the
   innermost one that is open [ASY-03].

   The events of a flow id belong together in the order of the records, from the first begin until all
   begins have an end: chains of one id that overlap in the file stay together [FLW-01]. An end that
   finds no begin open is an operation of its own, of which a later record is the begin if its time is not
   later.

   Durations match in the order of time (src/timeline/pairing.h), in ticks, for a thread is one of a
   provider; async operations and flows match in ns. An end that waits for its begin
   until the end of the trace is a stray: the first pass does not know its operation yet. The later
   passes do, and take a begin that ends with a stray for no open one. */
#ifndef FXT_TOOLS_FXT_EDIT_OPERATIONS_H
#define FXT_TOOLS_FXT_EDIT_OPERATIONS_H

#include "src/timeline/asyncs.h"
#include "src/cli/size.h"
#include "src/tools/fxt/edit/item.h"
#include "src/timeline/map.h"

#define OPERATION_NONE UINT64_MAX

#define OPERATIONS_THREADS TOOL_SIZE(65536u) /* of a trace */
#define OPERATIONS_FILE_THREADS (2 * OPERATIONS_THREADS)
#define OPERATIONS_OPENS TOOL_SIZE(1u << 20)
#define OPERATIONS_STRAYS TOOL_SIZE(1u << 20)
#define OPERATIONS_CHAINS TOOL_SIZE(1u << 20)
#define OPERATIONS_RECENT 32u
#define OPERATIONS_WAITING 64u
#define OPERATIONS_AHEAD 8u

/* A complete duration. */
struct operations_span {
    uint64_t operation;
    uint64_t begin;
    uint64_t end;
};

/* A flow event that a complete duration may enclose which comes later. */
struct operations_flow {
    uint64_t operation;
    uint64_t time;
    bool is_enclosed; /* by another one, which stays */
};

struct operations_thread {
    uint64_t process;
    bool is_unknown;          /* it is not registered, nor is its process known */
    struct pairing durations; /* lists of opens and of strays */
    uint32_t recent_count;
    uint32_t waiting_count;
    struct operations_span recent[OPERATIONS_RECENT]; /* a ring */
    struct operations_flow waiting[OPERATIONS_WAITING];
    uint32_t ahead_count;
    uint64_t ahead[OPERATIONS_AHEAD]; /* times that the begins and ends have not reached */
};

struct operations_open {
    uint64_t operation;
    uint64_t time;
    uint64_t place; /* of its record */
    uint32_t next;  /* of its list; of a free one the next free one */
};

struct operations_stray {
    uint64_t time;
    uint64_t place; /* of its record */
    uint32_t next;  /* of its list */
    uint8_t note;   /* of the end alone */

    /* Known after the first pass: */
    uint32_t around;    /* the stray of the next duration around it that has one; 0: none */
    uint64_t operation; /* OPERATION_NONE: no begin matches */
    uint64_t begin;     /* its time */
};

/* From a duration to one around it that may be far: a search takes a number of steps that grows with
   the logarithm of the depth. */
struct operations_jump {
    uint32_t to; /* an open or a stray; 0: none */
    uint32_t depth;
};

/* The strays of a thread that have a begin, in the order of time: a part of by_time. */
struct operations_strays {
    uint32_t first;
    uint32_t count;
};

struct operations_chain {
    uint64_t id;
    uint64_t operation;
    uint64_t open;            /* begins of the operation without an end */
    uint64_t stray_operation; /* of the last ends that found no begin open */
    uint64_t stray_count;     /* those without a begin so far */
    uint64_t stray_time;      /* the latest one's */
    bool ended;               /* the next begin begins another operation */
};

struct operations {
    struct fxt_tables *tables;

    /* NULL, or called before a begin or an end changes what is open in a thread. */
    void (*before)(void *context, struct operations_thread *thread, uint64_t time);
    void *context;

    uint64_t count;        /* of operations so far */
    uint64_t places;       /* of events so far */
    uint32_t first_thread; /* threads of earlier traces of the file (MET-10) */
    uint32_t thread_count; /* of this trace */
    uint32_t chain_count;
    uint32_t next_look;
    uint32_t stray_count;
    uint32_t sorted_count;
    uint32_t used; /* of opens */
    uint32_t free;
    uint32_t next_ended; /* of ended: the first whose begin is still to come */
    bool is_matched;     /* after the first pass: the strays are known */
    bool full;           /* some event found no room, and stands for itself */
    struct map thread_numbers;
    struct map chain_numbers;
    struct asyncs asyncs;
    struct operations_thread threads[OPERATIONS_THREADS];
    struct operations_open opens[OPERATIONS_OPENS];    /* 0 is none */
    struct operations_stray strays[OPERATIONS_STRAYS]; /* in the order of the file; 0 is none */
    struct operations_jump open_jumps[OPERATIONS_OPENS];
    struct operations_jump stray_jumps[OPERATIONS_STRAYS];
    uint32_t by_time[OPERATIONS_STRAYS];
    uint64_t ended[OPERATIONS_STRAYS]; /* the operations that end with a stray, ascending */
    struct operations_strays strays_of[OPERATIONS_FILE_THREADS]; /* of a thread, by its number */
    struct operations_chain chains[OPERATIONS_CHAINS];
};

/* The event of an operation. */
struct operation {
    uint64_t number; /* OPERATION_NONE: the record stands for itself; of a stray in the first pass
                        undefined */
    struct operations_thread *thread; /* of an event; NULL: no room */
    bool ends;                        /* as many begins as ends have been seen */
    uint32_t stray;                   /* of an end that is one; else 0 */
};

/* Zeroed, or NULL after a message. */
struct operations *operations_new(void);
void operations_free(struct operations *operations);

/* Begins a pass. */
void operations_reset(struct operations *operations, struct fxt_tables *tables);

/* To be called with every record, in order. */
struct operation operations_take(struct operations *operations, const struct item *item);

/* Ends a pass. */
void operations_end(struct operations *operations);

/* After the first pass: the innermost open begin of the thread at the time; 0: none. Those around
   it follow by `next`. */
uint32_t operations_open_around(const struct operations *operations,
                                const struct operations_thread *thread, uint64_t time);

/* After the first pass: the stray of the innermost duration of the thread that has one and contains
   the time; 0: none. Those of the durations around it follow by `around`. */
uint32_t operations_stray_around(const struct operations *operations,
                                 const struct operations_thread *thread, uint64_t time);

#endif
