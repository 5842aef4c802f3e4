/* What fxt report counts in one file. The command feeds it, record by record, and print_*.c print
   it. */
#ifndef FXT_TOOLS_FXT_REPORT_REPORT_H
#define FXT_TOOLS_FXT_REPORT_REPORT_H

#include "src/cli/tool_options.h"
#include "src/tools/fxt/report/choices.h"
#include "src/tools/fxt/report/cover.h"
#include "src/tools/fxt/report/longest.h"
#include "src/tools/fxt/report/opens.h"
#include "src/tools/fxt/report/window.h"
#include "src/tools/fxt/refs/counters.h"
#include "src/tools/fxt/refs/refs.h"
#include "src/tools/fxt/refs/tracks.h"

struct stream;

#define WINDOW_CAPACITY 4096u

struct report_options {
    struct options common; /* the first member */
    enum report_by by;
    enum report_sort sort;
    enum report_colour colour;
    uint32_t top; /* rows of each table; 0: not given */
    bool json;
    bool csv;
    bool folded;
    bool flamegraph;
    bool diff;
};

/* What is odd about the trace, or what the report leaves out. */
struct report_notes {
    uint64_t malformed; /* records, and places where reading stopped */
    uint64_t begins;    /* without an end */
    uint64_t ends;      /* without a begin */
    uint64_t async_begins;
    uint64_t async_ends;
    uint64_t backwards; /* durations that end before they begin */
};

/* When a thread has durations and events. */
struct report_times {
    struct window window;
    struct cover cover;
};

struct report {
    const char *file;
    enum report_by by;
    uint64_t events;
    uint64_t durations;
    struct report_notes notes;
    uint32_t stacks; /* of all threads: a node of `calls`, with totals, made at the end */
    struct opens opens;
    uint32_t async_begins[OPENS_MAX]; /* the last one that is open, by hash */
    uint32_t async_ends[OPENS_MAX];   /* the last one that waits */
    struct refs refs;
    struct names names;
    struct tracks tracks;
    struct report_times times[TRACKS_MAX]; /* of each track */
    struct groups groups;
    struct spans spans;
    struct calls calls;
    struct counters counters;
    struct longest longest;
    struct longest gaps;
};

/* Of the memory of one report; more than one may exist, but only the latest takes records. NULL
   after a message. */
struct report *report_new(const char *file, const struct report_options *options);
void report_free(struct report *report);

/* Counts a whole trace. False if there is no memory, after a message. */
bool report_read(struct report *report, struct stream *stream);

/* The parts of report_read: for each record, and after the last one. */
void report_record(struct report *report, const struct fxt_record *record);
bool report_end(struct report *report);

/* A duration that has both its ends, in ns. */
void report_duration(struct report *report, const struct open *duration, uint64_t end,
                     bool is_async);

/* Whether the report lacks something, because the trace is malformed or exceeds a limit. */
bool report_is_incomplete(const struct report *report);

/* The label of a group. */
uint32_t report_group_name(const struct report *report, const struct group *group);

/* After the end: groups of one label become one. Which of them is which in another trace, nobody
   knows. */
void report_join_equal_names(struct report *report);

/* One line on stderr for each thing that is odd. */
void report_tell(const struct report *report);

#endif
