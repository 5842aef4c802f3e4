/* The durations of all windows, each of which is a tree with siblings in a list. window.h says what
   they are for. */
#ifndef FXT_TOOLS_FXT_REPORT_SPANS_H
#define FXT_TOOLS_FXT_REPORT_SPANS_H

#include "src/cli/size.h"
#include "src/tools/fxt/report/calls.h"
#include "src/tools/fxt/report/groups.h"
#include "src/tools/fxt/report/totals.h"

#define SPANS_MAX TOOL_SIZE(1u << 20) /* of all windows */
#define SPAN_NONE 0u

/* A duration, or a forest of several. It begins and ends at places [SLC-06], which are times and, of
   one time, numbers of records. */
struct span {
    /* The first line of the cache is what a walk of the tree reads. */
    _Alignas(64) uint64_t begin;
    uint64_t end;
    uint64_t arrival;
    uint64_t covers; /* of its time, what the siblings before it do not */
    uint32_t parent;
    uint32_t previous; /* siblings, by place */
    uint32_t next;
    uint32_t first; /* children */
    uint32_t last;
    uint32_t group;
    bool is_behind; /* a complete duration that is not empty: its record tells its end only */
    bool is_forest;
    bool is_unfinished; /* it has no self time */
    bool is_async;      /* no stack */

    /* What is read at equal times, and of the few that absorb or merge. */
    uint64_t begin_number; /* if it is_behind: of the begin behind which it begins, or 0 */
    uint64_t end_number;
    uint64_t last_number;    /* the largest end_number of what lies inside and has the same end */
    uint64_t ns;             /* of a forest: what its durations cover */
    uint64_t absorbed_begin; /* of a duration: what its call tree has begins and ends here */
    uint64_t absorbed_end;   /* 0: nothing yet */
    uint64_t names;          /* a bit for each hash of a name */
    uint32_t call;
};

struct spans {
    struct groups *groups;
    struct calls *calls; /* NULL: no stacks */
    struct totals *totals;
    uint64_t from; /* sums are of what lies between these times */
    uint64_t to;
    uint32_t capacity; /* of one window, at most SPANS_MAX */
    uint32_t used;
    uint32_t free;    /* those of no window */
    bool full;        /* a duration found no room */
    uint64_t late;    /* durations that came after their place was given up */
    uint64_t overlap; /* durations that overlap with others */
    struct span it[SPANS_MAX];
};

struct window {
    uint32_t first; /* those without a parent */
    uint32_t last;
    uint32_t count;
    uint32_t free; /* from the one that has been free for the longest time */
    uint32_t last_free;
    uint64_t arrivals;
    struct window_totals totals;
};

/* A begin that is open, from the last to the first, or an end that waits. */
struct open {
    uint64_t begin;
    uint64_t number; /* of its record */
    uint64_t id;
    uint32_t name;
    uint32_t key; /* what its event adds to the key of its group */
    uint32_t track;
    uint32_t next;
};

/* How much of a time is counted. begin <= end. */
static inline uint64_t spans_length(const struct spans *spans, uint64_t begin, uint64_t end)
{
    uint64_t from = begin > spans->from ? begin : spans->from;
    uint64_t to = end < spans->to ? end : spans->to;
    return to > from ? to - from : 0;
}

/* The ends of the list of a parent's children; parent SPAN_NONE: of those without one. */
uint32_t *window_first(struct spans *spans, struct window *window, uint32_t parent);
uint32_t *window_last(struct spans *spans, struct window *window, uint32_t parent);

/* Takes a span out of the list of its siblings. */
void window_unlink(struct spans *spans, struct window *window, uint32_t index);

/* The same, and frees it. It has no children. */
void window_remove(struct spans *spans, struct window *window, uint32_t index);

/* A span that is in no list, or SPAN_NONE. */
uint32_t window_allocate(struct spans *spans, struct window *window);
void window_free(struct spans *spans, struct window *window, uint32_t index);

/* The free spans of a window become free for others. */
void window_give_up(struct spans *spans, struct window *window);

#endif
