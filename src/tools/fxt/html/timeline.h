/* What the page of fxt html shows: slices, instants, samples of counters and flows, in columns.
   timeline.c collects them from the records, arrange.c brings them into the order of the page. */
#ifndef FXT_TOOLS_FXT_HTML_TIMELINE_H
#define FXT_TOOLS_FXT_HTML_TIMELINE_H

#include <fxt/record.h>

#include "src/cli/size.h"
#include "src/tools/fxt/refs/counters.h"
#include "src/tools/fxt/refs/names.h"
#include "src/tools/fxt/refs/refs.h"
#include "src/tools/fxt/refs/tracks.h"

#define ITEMS_MAX (1u << 25) /* of each kind; fxt.1 states it */
#define ARGS_BYTES (1u << 30)
#define DEPTH_MAX 256u /* rows of a track */
#define CPUS_MAX 65536u
#define ASYNC_SLOTS TOOL_SIZE(262144u) /* a power of two */

#define ITEM_NONE 0u /* no item; the first has number 1 */

/* The kind of a track, in the high bits of its number. The low bits are the number of the thread
   in `tracks`, of the process there, or of the CPU. */
enum track_kind { TRACK_THREAD = 0, TRACK_ASYNC = 1, TRACK_CPU = 2, TRACK_KINDS = 3 };
#define TRACK_KIND_SHIFT 28u
#define PAGE_TRACKS (2 * TRACKS_MAX + CPUS_MAX) /* threads, then processes, then CPUs */

/* One event: a slice, an instant, a sample, a point of a flow, or a context switch. */
struct item {
    uint64_t time; /* ns */
    uint64_t end; /* of a slice; an open async slice, its stray, a flow: the id; a sample: bits of a
                      double; a context switch: its provider, of its trace */
    uint32_t track; /* of a sample: the number of its counter */
    uint32_t name;  /* a context switch: of the thread that begins to run, NAME_OTHERS if none */
    uint32_t category;
    union {
        uint32_t args;  /* offset of its arguments, 0: none */
        uint32_t trace; /* of a flow: the number of its trace in the file */
    };
    uint32_t parent; /* the slice around it; a context switch: the thread that stops, as `name` */
    uint32_t link;   /* an open slice: the one opened before it; at the end, its place in the page
                        plus 1 */
    uint16_t depth;  /* of a flow: its event type */
    bool unfinished;
    bool complete; /* a slice that was written when it ended */
};

struct items {
    uint32_t room;   /* for so many */
    uint32_t used;   /* number of the last */
    uint32_t count;  /* of `order` */
    uint32_t *order; /* made by arrange.c: the numbers of the items as the page has them */
    struct item *it; /* moves when it grows */
};

enum left_out {
    LEFT_MALFORMED, /* records, and places where reading stopped */
    LEFT_UNKNOWN,   /* records and events of unknown type */
    LEFT_OTHER,     /* records that the page does not show */
    LEFT_FULL,      /* events beyond ITEMS_MAX */
    LEFT_ARGS,      /* events whose arguments are beyond ARGS_BYTES */
    LEFT_DEEP,      /* slices beyond DEPTH_MAX */
    ODD_BEGINS,     /* begins without an end */
    ODD_ENDS,       /* ends without a begin */
    ODD_BACKWARDS,  /* slices that end before they begin */
    LEFT_COUNT
};

struct timeline {
    const char *file;
    uint64_t notes[LEFT_COUNT];
    bool crowded; /* so many async operations are open that some are not matched */
    struct items slices;
    struct items instants;
    struct items samples;
    struct items flows;
    struct items switches;
    struct items strays; /* ends whose begin has not come yet */
    uint32_t args_used;
    uint32_t args_room;
    uint8_t *args;                            /* moves when it grows */
    uint32_t traces;                          /* magic numbers so far */
    uint64_t last;                            /* ns, of the traces that have ended */
    uint64_t last_of[TRACKS_MAX];             /* by the number of the trace, of tracks.trace */
    uint32_t async_begins[ASYNC_SLOTS];       /* the slice that was opened last, by hash */
    uint32_t async_ends[ASYNC_SLOTS];         /* the last stray */
    uint32_t track_rows[PAGE_TRACKS + 1];     /* the first row of each track */
    uint32_t row_begins[ITEMS_MAX + 2];       /* places in slices.order, for each row */
    uint32_t instant_begins[PAGE_TRACKS + 1]; /* in instants.order, for each track */
    uint32_t sample_begins[COUNTERS_MAX + 1]; /* in samples.order, for each counter */
    uint32_t numbers[ITEMS_MAX];              /* for arrange.c */
    struct refs refs;
    struct names names;
    struct tracks tracks;
    struct counters counters;
};

/* NULL after a message. file: a name for messages and for the page. */
struct timeline *timeline_new(const char *file);
void timeline_free(struct timeline *timeline);

/* All records are to be given, in order. */
void timeline_record(struct timeline *timeline, const struct fxt_record *record);

/* After the last record: orders everything. False after a message if there is no memory. */
bool timeline_end(struct timeline *timeline);

/* More traces than that are one trace. */
static inline uint32_t timeline_place(uint32_t trace)
{
    return trace < TRACKS_MAX ? trace : TRACKS_MAX - 1;
}

/* The last time of the trace that a track or a provider belongs to; 0 is that of what found no room. */
static inline uint64_t timeline_last_of(const struct timeline *timeline, uint32_t trace)
{
    return trace > 0 ? timeline->last_of[timeline_place(trace)] : timeline->last;
}

/* The number of one more item; ITEM_NONE if there is no room, which is counted. */
uint32_t timeline_add(struct timeline *timeline, struct items *items, const struct item *item);

/* args.c: the arguments of a record as the page reads them; see there. 0: none. */
uint32_t args_put(struct timeline *timeline, struct fxt_args args);

/* One argument that is a text, before those of the record. */
uint32_t args_put_text(struct timeline *timeline, const char *name, struct fxt_bytes text,
                       struct fxt_args args);

/* Both lists as one. */
uint32_t args_join(struct timeline *timeline, uint32_t first, uint32_t second);

/* The bytes of a list. */
struct fxt_bytes args_bytes(const struct timeline *timeline, uint32_t args);

uint32_t timeline_word(struct timeline *timeline, const char *word);

/* Brings all items into the order of the page: slices by row and time, instants by track and time,
   samples by counter and time, flows by id and time. A row has slices of one depth, which do not
   overlap. False after a message if there is no memory. */
bool arrange(struct timeline *timeline);

/* The place in track_rows of a track. */
uint32_t arrange_track(uint32_t track);

#endif
