/* What the page of fxt html shows of a timeline: slices, instants, samples of counters and points
   of flows, in the order of the page. collect.c takes them from the timeline, arrange.c orders
   them, columns.c writes them. */
#ifndef FXT_TOOLS_FXT_HTML_PAGE_H
#define FXT_TOOLS_FXT_HTML_PAGE_H

#include "src/timeline/timeline.h"

#define ITEMS_MAX (1u << 25) /* of each kind; fxt.1 states it */
#define ARGS_BYTES (UINT64_C(1) << 30)
#define NAMES_BYTES (64u << 20)
#define DEPTH_MAX 256u                     /* rows of a track */
#define TIME_MAX ((UINT64_C(1) << 53) - 1) /* ns: a double holds them exactly */

/* The page has a track for each thread, then one for the async operations of each process, then one
   for each CPU up to the last. */
enum page_track { PAGE_THREAD, PAGE_ASYNC, PAGE_CPU };

/* A slice, an instant or a sample. */
struct item {
    uint64_t time; /* ns since page->first */
    union {
        uint64_t duration;
        double value;
    };
    uint32_t name; /* numbers of page->names */
    unsigned category : 31;
    unsigned unfinished : 1;
    uint32_t args;      /* where they are in page->args */
    uint32_t args_size; /* in bytes */
    uint32_t parent;    /* the place of the slice around it, plus 1; 0: none */
    uint32_t group;     /* its track, then its row, then its place */
};

/* Items in the order of the page: those of group g are it[begins[g]] … it[begins[g + 1] - 1]. */
struct items {
    uint32_t count;
    struct item *it;
    uint32_t *begins;
};

struct point {
    uint64_t key; /* what is sorted by */
    uint64_t time;
    uint64_t id;
    uint32_t slice; /* as the parent of an item */
    uint32_t trace;
    uint8_t event; /* FXT_EVENT_FLOW_* */
};

enum left_out {
    LEFT_MALFORMED, /* records, and places where reading stopped */
    LEFT_UNKNOWN,   /* records and events of unknown type */
    LEFT_OTHER,     /* records that the page does not show */
    LEFT_FULL,      /* events beyond ITEMS_MAX */
    LEFT_ARGS,      /* events whose arguments are beyond ARGS_BYTES */
    LEFT_DEEP,      /* slices beyond DEPTH_MAX */
    LEFT_FAR,       /* events of which a part is beyond TIME_MAX */
    LEFT_LATE,      /* times beyond 2^63 - 1 ns */
    ODD_BEGINS,     /* begins without an end */
    ODD_ENDS,       /* ends without a begin */
    ODD_BACKWARDS,  /* durations that end before they begin */
    ODD_COUNTERS,   /* counter events without a value */
    LEFT_COUNT
};

/* Names that are not in the trace. */
enum word {
    WORD_OTHERS,
    WORD_LOG,
    WORD_MESSAGE,
    WORD_SCHED,
    WORD_STOPPED_AS,
    WORD_THREAD,
    WORD_WAKEUP,
    WORD_COUNT
};

struct page {
    const char *file;
    struct timeline *timeline; /* collect.c empties what it takes */
    uint64_t notes[LEFT_COUNT];
    uint32_t no_counter; /* a text: the name of the first of ODD_COUNTERS */
    bool names_full;
    bool tables_full;
    bool failed; /* no memory */

    uint64_t begin; /* ns: what is wanted, begin <= time < end */
    uint64_t end;
    uint64_t first; /* ns: the page shows what lies from first to last */
    uint64_t last;

    uint8_t *args; /* see args.c */
    uint64_t args_size;
    uint64_t args_room;
    uint32_t name_count;
    uint64_t name_bytes;
    uint32_t *names;        /* texts */
    uint32_t *name_numbers; /* of each text; 0: none yet */
    uint32_t words[WORD_COUNT];
    uint32_t *threads; /* texts: the label of each */
    uint32_t *processes;

    uint32_t *rows;        /* the first of each track, and the count of all */
    struct items slices;   /* by row */
    struct items instants; /* by track */
    struct items samples;  /* by track of the timeline */
    struct array points;   /* of struct point, by trace, id and time */
};

/* The state of the caller: file, timeline, begin, end and what it knows of notes. The rest is
   zeroed, and made. False if there is no memory. */
bool page_make(struct page *page);
void page_free(struct page *page);

/* Zeroed memory for so many, and for one more. The page fails if there is none. */
void *page_memory(struct page *page, uint64_t count, size_t size);

static inline uint32_t page_tracks(const struct page *page)
{
    const struct timeline *timeline = page->timeline;
    uint32_t others = timeline->threads.count + timeline->processes.count;
    uint32_t cpus = timeline->cpus.count;
    return cpus > 0 ? others + cpus_at(timeline, cpus - 1)->cpu + 1 : others;
}

/* window.c: first and last. False if there is no memory. */
bool page_choose_window(struct page *page);

/* Cuts what begins or ends outside of the window. What is wanted, but cannot be shown, is counted.
   False: it is outside as a whole. */
bool page_clip(struct page *page, uint64_t *begin, uint64_t *end);

static inline bool page_wants(const struct page *page, uint64_t time)
{
    return page->begin <= time && time < page->end;
}

/* names.c: texts of the timeline get numbers as they are used. */
#define NAME_OTHERS 0u /* stands for every text that found no room */

/* To be called before texts are used; those that come later are no names. */
bool page_names_init(struct page *page);
uint32_t page_name(struct page *page, uint32_t text);

/* args.c: adds a set of arguments of the timeline, or none for ROW_NONE, to page->args. False if
   there is no room for all of them. */
bool page_put_args(struct page *page, uint32_t args);

/* collect.c: items with their tracks, in the order of time; their parents are numbers of items,
   plus 1. numbers: for each slice of the timeline the number of its item, plus 1. */
void collect_instants(struct page *page, struct array *items);
void collect_slices(struct page *page, struct array *items, uint32_t *numbers);
void collect_samples(struct page *page, struct array *items);
void collect_points(struct page *page, const struct array *slices, const uint32_t *numbers);

#endif
