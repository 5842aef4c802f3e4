/* What the files import*.c and finish*.c share: the state of an import. */
#ifndef FXT_TIMELINE_IMPORTER_H
#define FXT_TIMELINE_IMPORTER_H

#include "src/convert/kinds.h"
#include "src/timeline/pairing.h"
#include "src/timeline/map.h"
#include "src/timeline/refs.h"
#include "src/timeline/array.h"
#include "src/timeline/timeline.h"

/* The durations of a thread, as one provider wrote them [EVT-04]. */
struct lane_row {
    uint32_t thread;
    struct pairing durations; /* rows of slices, by `parent`, and of strays, by `next` */
};

/* A context switch or a wakeup. */
struct switch_row {
    uint64_t ts;
    uint64_t offset;
    uint64_t outgoing; /* koids */
    uint64_t incoming;
    uint32_t outgoing_thread; /* of a legacy switch */
    uint32_t incoming_thread;
    uint32_t args;
    uint32_t trace;
    uint32_t provider;
    int32_t priority; /* of the incoming thread */
    uint16_t cpu;
    uint8_t state;
    uint8_t type; /* FXT_SCHEDULING_* */
    uint8_t outgoing_idle;
    uint8_t incoming_idle;
    uint8_t has_waker;
    uint64_t waker; /* koid */
};

struct known_provider {
    uint64_t generation;
    uint32_t row;
};

/* Counts what a timeline leaves out, or what is odd about the trace. */
struct import_notes {
    uint64_t malformed; /* a run of zero words counts once */
    uint64_t unknown;   /* records and events of unknown type */
    uint64_t profiler;
    uint64_t valueless; /* counter events */
    uint64_t crossed;   /* ends of durations that name another event */
};

struct importer {
    struct timeline *timeline;
    struct refs refs;
    struct import_notes notes;
    uint32_t trace;   /* counts the traces of the file, from 1 (MET-10) */
    uint32_t nowhere; /* the row of a key that found no memory */
    bool failed;
    struct map processes;
    struct map threads;
    struct map koids;      /* threads by trace and koid */
    struct map koid_names; /* the names of threads whose process is not said [WHO-02] */
    struct map lane_map;
    struct map asyncs_map;
    struct map counter_map;
    struct array lanes;
    struct array asyncs;   /* of struct id_event_row */
    struct array switches; /* of struct switch_row */
    struct known_provider providers[TOOL_PROVIDERS];
};

/* NULL if there is no memory, after a message. */
struct importer *import_new(struct timeline *timeline);
void import_free(struct importer *importer);

/* Every record of a file, in order. What cannot be decoded is counted. */
void import_record(struct importer *importer, const struct fxt_record *record);

/* Some row found no memory: the rest need not be given. */
bool import_failed(const struct importer *importer);

/* After the last record of so many bytes: the rules of spec/meaning.md that need the whole trace. False if
   there is no memory: the timeline is incomplete. */
bool import_end(struct importer *importer, uint64_t bytes);

/* The number of a string in the texts of the timeline. */
static inline uint32_t import_text(struct importer *importer, struct fxt_string_ref ref)
{
    return refs_text(&importer->refs, ref);
}

/* A timeline has no later time than 2^63 - 1 ns [ORD-01]. */
static inline uint64_t import_clamp(uint64_t ns)
{
    return ns < INT64_MAX ? ns : INT64_MAX;
}

static inline uint64_t import_time(struct importer *importer, uint64_t ticks)
{
    return refs_ns(&importer->refs, ticks);
}

/* The row of the key, for the caller to fill in if it is ROW_NONE. Without memory the import fails, and
   this is a row that nobody reads. Valid until the next call. */
static inline uint32_t *import_row(struct importer *importer, struct map *map, uint64_t a,
                                   uint64_t b, uint64_t c)
{
    uint32_t *row = map_add(map, MAP_UNLIMITED, a, b, c);
    if (row != NULL)
        return row;
    importer->failed = true;
    importer->nowhere = ROW_NONE;
    return &importer->nowhere;
}

/* The first thread of a koid, or ROW_NONE. */
static inline uint32_t import_known(const struct importer *importer, uint32_t trace, uint64_t koid)
{
    const uint32_t *row = map_find(&importer->koids, trace, koid, 0);
    return row != NULL ? *row : ROW_NONE;
}

/* import_who.c */
uint32_t import_provider(struct importer *importer);
uint32_t import_process(struct importer *importer, uint64_t koid);
uint32_t import_thread(struct importer *importer, struct fxt_thread_ref ref);
uint32_t import_thread_of_koids(struct importer *importer, uint64_t process, uint64_t koid);
uint32_t import_thread_of_koid(struct importer *importer, uint32_t trace, uint64_t koid);
struct lane_row *import_lane(struct importer *importer, struct fxt_thread_ref ref);

/* import_args.c: the number of a set, or ROW_NONE if there are no arguments. */
uint32_t import_args(struct importer *importer, struct fxt_args args);
uint32_t import_arg_list(struct importer *importer, const struct fxt_arg *args, uint32_t count);
void import_more_args(struct importer *importer, uint32_t *set, const struct fxt_arg *args,
                      uint32_t count);
bool import_is_number(const struct fxt_arg *arg); /* a value of a counter [CNT-01] */
/* The arguments of an end become those of its slice, too. */
void import_join_args(struct timeline *timeline, uint32_t *set, uint32_t more);

/* import_event.c, import_other.c */
void import_event(struct importer *importer, const struct fxt_event *event,
                  const struct fxt_arg *args, uint64_t offset);
void import_other(struct importer *importer, enum fxt_kind kind,
                  const union fxt_convert_any *fields, uint64_t offset);

/* finish*.c, in this order. False if there is no memory. */
void finish_threads(struct importer *importer); /* import_who.c */
void finish_durations(struct importer *importer);
bool finish_asyncs(struct importer *importer); /* slices get into the order of time */
bool finish_slices(struct importer *importer);
bool finish_scheduling(struct importer *importer);
void finish_stats(struct importer *importer, uint64_t bytes);

#endif
