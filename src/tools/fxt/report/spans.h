/* The durations of all windows, each of which is a tree with siblings in a list. window.h says what
   they are for. */
#ifndef FXT_TOOLS_FXT_REPORT_SPANS_H
#define FXT_TOOLS_FXT_REPORT_SPANS_H

#include "src/cli/size.h"
#include "src/tools/fxt/report/calls.h"
#include "src/tools/fxt/report/groups.h"

#define SPANS_MAX TOOL_SIZE(1u << 20) /* of all windows */
#define SPAN_NONE 0u

/* A duration, or a forest of several. */
struct span {
    uint64_t begin;
    uint64_t end;
    uint64_t covered;        /* of a forest: by its durations */
    uint64_t absorbed_begin; /* of a duration: what its call tree has begins and ends here */
    uint64_t absorbed_end;   /* 0: nothing yet */
    uint64_t arrival;
    uint64_t names; /* a bit for each hash of a name */
    uint32_t parent;
    uint32_t previous; /* siblings, by time */
    uint32_t next;
    uint32_t first; /* children */
    uint32_t last;
    uint32_t group;
    uint32_t call;
    bool is_forest;
    bool is_late; /* it takes nothing from its parent's self time */
};

struct spans {
    struct groups *groups;
    struct calls *calls; /* NULL: no stacks */
    uint32_t capacity;   /* of one window, at most SPANS_MAX */
    uint32_t used;
    uint32_t free;
    bool full;        /* a duration found no room */
    uint64_t late;    /* durations that came after their place was given up */
    uint64_t overlap; /* durations that overlap with others */
    struct span it[SPANS_MAX];
};

struct window {
    uint32_t first; /* those without a parent */
    uint32_t last;
    uint32_t count;
    uint64_t arrivals;
    bool parents_first;
};

/* A begin that is open, from the last to the first. */
struct open {
    uint64_t begin;
    uint64_t id;
    uint32_t name;
    uint32_t category;
    uint32_t track;
    uint32_t next;
};

/* The ends of the list of a parent's children; parent SPAN_NONE: of those without one. */
uint32_t *window_first(struct spans *spans, struct window *window, uint32_t parent);
uint32_t *window_last(struct spans *spans, struct window *window, uint32_t parent);

/* The time that a span takes from its parent's self time. */
uint64_t window_covered(const struct span *span);

/* Unlinks and frees a span without children. */
void window_remove(struct spans *spans, struct window *window, uint32_t index);

#endif
