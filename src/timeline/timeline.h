/* What a trace means, by the rules of spec/meaning.md: slices, flows, counters, CPU spans, thread states,
   in rows. importer.h makes one of records. The rows are columns of `fxt sql` and `fxt export`.

   Rows refer to each other by number; the number of a row is its id. Rows of slices, counters,
   flow events, switches and wakeups are in the order of time, all others in that of the file. */
#ifndef FXT_TIMELINE_TIMELINE_H
#define FXT_TIMELINE_TIMELINE_H

#include "src/timeline/texts.h"

#define DUR_NONE UINT64_MAX /* begun, never ended */

/* Row 0 of processes and of threads is the idle task, as in Perfetto. */
#define PROCESS_IDLE 0u
#define THREAD_IDLE 0u

struct provider_row {
    uint64_t full_events; /* provider events "buffer full" */
    uint32_t provider_id;
    uint32_t name;
    uint32_t trace; /* of the file, from 1 (MET-10) */
    uint8_t introduced;
};

struct process_row {
    uint64_t koid;
    uint32_t name; /* ROW_NONE: it has none */
    uint32_t trace;
};

struct thread_row {
    uint64_t koid;
    uint32_t process; /* ROW_NONE: unknown */
    uint32_t name;    /* ROW_NONE: it has none */
    uint32_t track;   /* ROW_NONE: no slice */
    uint32_t trace;
    uint16_t ref; /* of a thread that is not registered, else 0 */
};

enum track_type { TRACK_THREAD, TRACK_ASYNC, TRACK_COUNTER };

struct track_row {
    uint64_t id;      /* async id, counter id */
    uint32_t name;    /* of a TRACK_ASYNC, else ROW_NONE */
    uint32_t thread;  /* of a TRACK_THREAD, else ROW_NONE */
    uint32_t process; /* of the others */
    uint32_t event;   /* name of a counter event */
    uint32_t arg;     /* and of its argument */
    uint32_t category;
    uint32_t source; /* arg set */
    uint8_t type;    /* enum track_type */
};

struct slice_row {
    uint64_t ts;
    uint64_t dur;
    uint64_t offset;     /* in the file, of the record that began it */
    uint64_t end_offset; /* and of the one that ended it; 0: there is none */
    uint32_t track;
    uint32_t category;
    uint32_t name;
    uint32_t depth;
    uint32_t parent; /* while importing: the slice that was open before, on a lane or track */
    uint32_t args;
    uint32_t provider;
    uint8_t event; /* FXT_EVENT_* of the record */
    uint8_t scope;
};

struct counter_row {
    uint64_t ts;
    uint64_t value; /* as struct fxt_arg has it */
    uint64_t offset;
    uint32_t track;
    uint32_t args; /* those that are not numeric */
    uint32_t provider;
    uint8_t type; /* FXT_ARG_* */
};

struct arg_row {
    uint64_t value; /* as struct fxt_arg has it; of a string or blob the text's number */
    uint32_t set;
    uint32_t key;
    uint8_t type; /* FXT_ARG_* */
};

/* Arguments of one event, or of a begin and an end. */
struct set_row {
    uint32_t first;
    uint32_t count;
    uint32_t next; /* the set with those of the end */
};

/* A flow event; or, while importing, an async event. */
struct id_event_row {
    uint64_t ts;
    uint64_t id;
    uint64_t offset;
    uint32_t thread;
    uint32_t category;
    uint32_t name;
    uint32_t args;
    uint32_t slice; /* ROW_NONE: no slice encloses it */
    uint32_t provider;
    uint32_t trace;
    uint8_t event;
};

struct flow_row {
    uint64_t id;
    uint32_t out;
    uint32_t in;
};

#define STRAY_MATCHED UINT8_MAX

/* Events that are in no slice: ends without a begin, durations that end before they begin. */
struct stray_row {
    uint64_t ts;
    uint64_t value; /* async id, end time in ns */
    uint64_t offset;
    uint32_t thread;
    uint32_t category;
    uint32_t name;
    uint32_t args;
    uint32_t provider;
    uint32_t next; /* while importing: the end that waits before this one, on a lane */
    uint8_t event; /* while importing: STRAY_MATCHED once it has found its begin */
};

struct sched_row {
    uint64_t ts;
    uint64_t dur;
    uint64_t offset;
    uint32_t cpu;
    uint32_t thread;
    int32_t priority;
    uint32_t args; /* of the switch that ended it */
    uint8_t has_end;
    uint8_t end_state; /* FXT_THREAD_*, or any other number */
};

#define STATE_RUNNING 0x100u
#define STATE_WAKING 0x101u

struct state_row {
    uint64_t ts;
    uint64_t dur;
    uint32_t cpu;
    uint32_t thread;
    uint32_t waker;
    uint32_t args;
    uint16_t state; /* FXT_THREAD_* after a switch, STATE_* */
};

struct log_row {
    uint64_t ts;
    uint64_t offset;
    uint32_t thread;
    uint32_t message;
    uint32_t provider;
};

struct object_row {
    uint64_t key; /* koid or pointer */
    uint64_t process;
    uint64_t offset;
    uint32_t type; /* of a kernel object; ROW_NONE: a userspace object */
    uint32_t name;
    uint32_t args;
    uint32_t provider;
    uint8_t has_process;
};

struct blob_row {
    uint64_t offset;
    uint64_t ts; /* DUR_NONE: it has none */
    uint32_t name;
    uint32_t category; /* ROW_NONE: it has none */
    uint32_t thread;
    uint32_t args;
    uint32_t payload;
    uint32_t provider;
    uint32_t type;
    uint8_t large;
};

struct stat_row {
    uint32_t name;
    uint32_t idx; /* provider id, or ROW_NONE */
    uint32_t severity;
    uint32_t description;
    uint64_t value;
};

struct metadata_row {
    uint32_t name;
    uint32_t text; /* ROW_NONE: `number` is the value */
    uint64_t number;
};

/* From the earliest to the latest time: of all traces, and of each. */
struct bounds_row {
    uint64_t start;
    uint64_t end; /* before `start`: there is no time */
};

struct cpu_row {
    uint32_t cpu;
};

/* Every array of rows, with the type of a row. */
#define TIMELINE_ROWS(ROW)                                                                         \
    ROW(providers, provider_row)                                                                   \
    ROW(processes, process_row)                                                                    \
    ROW(threads, thread_row)                                                                       \
    ROW(tracks, track_row)                                                                         \
    ROW(slices, slice_row)                                                                         \
    ROW(counters, counter_row)                                                                     \
    ROW(args, arg_row)                                                                             \
    ROW(sets, set_row)                                                                             \
    ROW(flow_events, id_event_row)                                                                 \
    ROW(flows, flow_row)                                                                           \
    ROW(strays, stray_row)                                                                         \
    ROW(scheds, sched_row)                                                                         \
    ROW(states, state_row)                                                                         \
    ROW(logs, log_row)                                                                             \
    ROW(objects, object_row)                                                                       \
    ROW(blobs, blob_row)                                                                           \
    ROW(stats, stat_row)                                                                           \
    ROW(metadata, metadata_row)                                                                    \
    ROW(cpus, cpu_row)                                                                             \
    ROW(bounds, bounds_row)                                                                        \
    ROW(traces, bounds_row)

struct timeline {
#define FIELD(name, type) struct array name; /* of struct type */
    TIMELINE_ROWS(FIELD)
#undef FIELD
    struct texts texts;
};

bool timeline_init(struct timeline *timeline);
void timeline_free(struct timeline *timeline);

/* Some row or text found no memory: the timeline is incomplete. */
bool timeline_failed(const struct timeline *timeline);

#define ACCESS(name, type)                                                                         \
    static inline struct type *name##_at(const struct timeline *timeline, uint32_t row)            \
    {                                                                                              \
        return (struct type *)array_at(&timeline->name, row);                                      \
    }
TIMELINE_ROWS(ACCESS)
#undef ACCESS

#endif
