/* The totals of groups: the time of the durations that lie in no other one of their group [SUM-01].

   A window knows what lies in what, and counts a duration when that gives up its place. One of its
   group that encloses it may come later. So the durations of a group that were counted stay as runs,
   which a later one takes off the total again: neighbours are one run unless a begin that is open
   lies between them, and may enclose only one of them. */
#ifndef FXT_TOOLS_FXT_REPORT_TOTALS_H
#define FXT_TOOLS_FXT_REPORT_TOTALS_H

#include <stdbool.h>
#include <stdint.h>

#include "src/cli/size.h"
#include "src/timeline/map.h"
#include "src/tools/fxt/report/groups.h"

#define TOTAL_RUNS_MAX TOOL_SIZE(262144u)

struct total_run {
    uint64_t begin;
    uint64_t end;
    uint64_t ns; /* that were counted */
    bool has_gaps;
    uint32_t earlier; /* of its group and window; of a free one the next free one */
};

/* The runs of a group in a window. */
struct total_list {
    uint64_t window;
    uint32_t group;
    uint32_t latest;
    uint32_t next; /* of the window; of a free one the next free one */
};

struct totals {
    struct map lists_of;
    uint64_t windows;
    uint32_t runs_used;
    uint32_t runs_free;
    uint32_t lists_used;
    uint32_t lists_free;
    bool full;                    /* a group of a window found no room */
    uint32_t on_path[GROUPS_MAX]; /* how many of the group are around what a walk visits */
    struct total_run runs[TOTAL_RUNS_MAX];
    struct total_list lists[TOTAL_RUNS_MAX];
};

/* What a window has: zeroed at first. */
struct window_totals {
    uint64_t number;
    uint32_t lists;
};

/* Takes what lies in a new duration of the group off its total. False if the duration has the end of a
   run inside, of which a part may lie in it. */
bool totals_take(struct totals *totals, struct groups *groups, const struct window_totals *window,
                 uint32_t group, uint64_t begin, uint64_t end);

/* Whether a begin that is open may lie in that time. */
typedef bool totals_is_open(const void *context, uint64_t from, uint64_t to);

/* Keeps a duration that was counted, and that lies in no run in part but for a gap of one. */
void totals_keep(struct totals *totals, struct window_totals *window, uint32_t group,
                 struct total_run new, totals_is_open *is_open, const void *context);

/* Forgets the runs of a window. */
void totals_end(struct totals *totals, struct window_totals *window);

#endif
