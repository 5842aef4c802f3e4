/* What fxt report counts in one file. The command feeds it, record by record, and print_*.c print
   it. */
#ifndef FXT_TOOLS_FXT_REPORT_REPORT_H
#define FXT_TOOLS_FXT_REPORT_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "src/cli/tool_options.h"
#include "src/tools/fxt/report/counters.h"
#include "src/timeline/asyncs.h"
#include "src/timeline/refs.h"
#include "src/tools/fxt/report/tracks.h"
#include "src/tools/fxt/report/opens.h"
#include "src/tools/fxt/report/window.h"

/* What the options of fxt report choose. */

#define REPORT_TOP 20u /* rows of a table of text, and of every list */

enum report_by {
    REPORT_BY_NAME,
    REPORT_BY_CATEGORY,
    REPORT_BY_THREAD,
    REPORT_BY_PROCESS,
    REPORT_BY_PROVIDER,
    REPORT_BY_ARG, /* and name */
};

#define REPORT_ARG "arg:" /* and the name of an argument */
#define REPORT_ARG_MAX 255u

struct report_grouping {
    enum report_by by;
    const char *text; /* as the option has it */
};

/* The first is the default. */
enum report_sort {
    REPORT_SORT_TOTAL,
    REPORT_SORT_COUNT,
    REPORT_SORT_SELF,
    REPORT_SORT_MIN,
    REPORT_SORT_P50,
    REPORT_SORT_P90,
    REPORT_SORT_P99,
    REPORT_SORT_MAX,
    REPORT_SORT_NAME,
    REPORT_SORT_COUNT_OF
};

/* When a thread has events, and so its longest gaps. */

#define COVER_GAPS 32u

/* The times from the begin of an event to its end, joined to at most COVER_GAPS + 1 pieces that are
   ordered and do not touch. When there are more, the shortest gap is given up. */
struct cover {
    uint64_t shortest; /* of the gaps; 0 while there is room for more */
    uint32_t count;
    struct {
        uint64_t begin;
        uint64_t end;
    } it[COVER_GAPS + 2];
};

/* begin <= end. cover: zeroed at first. */
void cover_add(struct cover *cover, uint64_t begin, uint64_t end);

/* The longest of many times: durations, or gaps. */

#define LONGEST_MAX 1000u

struct long_one {
    uint64_t ns;
    uint64_t begin;
    uint32_t name;
    uint32_t track;
    bool is_async;
};

struct longest {
    uint32_t wanted; /* at most LONGEST_MAX */
    uint32_t count;
    struct long_one it[LONGEST_MAX + 1]; /* the longest first; of equal ones the first that came */
};

static inline bool longest_wants(const struct longest *longest, uint64_t ns)
{
    return longest->count < longest->wanted ||
           (longest->wanted > 0 && ns > longest->it[longest->count - 1].ns);
}

/* To be called if longest_wants. */
void longest_add(struct longest *longest, const struct long_one *one);

struct stream;

#define WINDOW_CAPACITY 4096u

struct report_options {
    struct options common; /* the first member */
    struct report_grouping grouping;
    enum report_sort sort;
    uint32_t top; /* rows of each table; 0: not given */
    bool json;
    bool csv;
    bool folded;
    bool flamegraph;
    bool diff;
};

/* What is odd about the trace, or what the report leaves out. */
struct report_notes {
    uint64_t malformed;     /* records, and places where reading stopped */
    uint64_t begins[2];     /* without an end, of durations and of async operations */
    uint64_t ends[2];       /* without a begin */
    uint64_t backwards;     /* durations that end before they begin */
    uint64_t no_value;      /* counter events without a number [CNT-02] */
    uint32_t no_value_name; /* of the first of them */
};

/* When a thread has durations and events. Those of all providers are one track [SLC-01]. */
struct report_times {
    struct window window;
    struct cover cover;
    struct pairing unfinished; /* its list `late`: begins without an end, at the end of the trace */
};

struct report {
    const char *file;
    struct report_grouping grouping;
    uint64_t records;
    uint64_t events;
    uint64_t durations;
    struct report_notes notes;
    uint32_t stacks; /* of all threads: a node of `calls`, with totals, made at the end */
    struct opens opens;
    uint64_t first; /* ns, of all traces that have ended; greater than `last`: no time */
    uint64_t last;
    uint64_t from; /* the part that is counted: from <= time < to */
    uint64_t to;
    struct asyncs asyncs;
    struct window async_windows[ASYNCS_MAX];
    struct refs refs; /* with the times of the trace that is being read */
    struct names names;
    struct tracks tracks;
    struct report_times times[TRACKS_MAX]; /* of each track->thread */
    struct groups groups;
    struct spans spans;
    struct calls calls;
    struct totals totals; /* of spans */
    struct counters counters;
    struct longest longest;
    struct longest unfinished; /* how long they last at least */
    struct longest gaps;
};

/* Of the memory of one report; more than one may exist, but only the latest takes records. NULL
   after a message. */
struct report *report_new(const char *file, const struct report_options *options);
void report_free(struct report *report);

/* The part of the trace that counts: durations are clipped. To be called before records are given. */
void report_set_part(struct report *report, uint64_t from, uint64_t to);

static inline bool report_wants(const struct report *report, uint64_t ns)
{
    return report->from <= ns && ns < report->to;
}

/* Clips a time to the part. False: nothing of it is in the part. begin <= end. */
bool report_clip(const struct report *report, uint64_t *begin, uint64_t *end);

/* From when to when the trace, or the part, has something. False: it has no time. */
bool report_span(const struct report *report, uint64_t *first, uint64_t *last);

/* Counts a whole trace. False if there is no memory, after a message. */
bool report_read(struct report *report, struct stream *stream);

/* The parts of report_read: for each record, after the last one of a trace, and after all. */
void report_record(struct report *report, const struct fxt_record *record);
void report_end_trace(struct report *report);
bool report_end(struct report *report);

/* A duration that has both its ends; of which async id, or ASYNC_NONE. */
void report_duration(struct report *report, const struct open *duration, const struct open *end,
                     uint32_t async);

/* Counts the totals of an async id that is to be forgotten. */
void report_end_async(struct report *report, uint32_t async);

/* An end without a begin. */
static inline void report_note_stray(struct report *report, uint64_t ns, bool is_async)
{
    report->notes.ends[is_async] += report_wants(report, ns);
}

void report_note_longest(struct longest *longest, const struct open *duration, uint64_t ns,
                         bool is_async);

/* Whether the report lacks something, because the trace is malformed or exceeds a limit. */
bool report_is_incomplete(const struct report *report);

/* What an event adds to the key of its duration: its category, or the value of its argument; 0: nothing. */
uint32_t report_part_of_key(struct report *report, const struct fxt_event *event);

/* The key of the group of a duration. */
uint32_t report_key(struct report *report, const struct open *duration, const struct open *end);

/* The label of a group. */
uint32_t report_group_name(const struct report *report, const struct group *group);

/* After the end: groups of one label become one. Which of them is which in another trace, nobody
   knows. */
void report_join_equal_names(struct report *report);

/* One line on stderr for each thing that is odd. */
void report_warn(const struct report *report);

#endif
