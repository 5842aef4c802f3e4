/* Laws of content: what the commands print of a trace is what its model says. They ask for nothing where
   the commands may choose: model.c says where that is. Each takes valid output. */
#ifndef FXT_FUZZ_LAWS_H
#define FXT_FUZZ_LAWS_H

#include "fuzz/tools/model.h"
#include "fuzz/tools/trace.h"
#include "fuzz/tools/value.h"

/* fxt json: phase, time, duration, scope, ids, names and arguments of each event, in their order. */
void law_json(const struct model *model, const char *text, size_t size);

/* fxt report --json: how often and how long, by name; the longest; counters. */
void law_report(const struct model *model, const char *text, size_t size);

/* fxt html: slices with their depths and parents, samples of counters, points of flows. */
void law_html(const struct model *model, const char *text, size_t size);

/* fxt export: the lines of slice.jsonl, counter.jsonl, flow.jsonl, fxt_flow_event.jsonl, thread_state.jsonl
   and sched_slice.jsonl. */
struct law_tables {
    struct value slices;
    struct value counters;
    struct value flows;
    struct value flow_events;
    struct value states;
    struct value scheds;
};

void law_export(const struct model *model, const struct law_tables *tables);

/* The last two: what ran on each CPU, and the states of threads. */
void law_sched(const struct model *model, const struct law_tables *tables);

/* What --open says. */
enum law_open { LAW_KEEP, LAW_CLOSE, LAW_DROP };

/* from <= ns < to */
struct law_window {
    uint64_t from;
    uint64_t to;
    enum law_open open;
};

/* fxt cut: durations and flows at the borders of the part, to the ns. */
void law_cut(const struct model *whole, const struct model *part, const struct law_window *window);

#define LAW_TEXT_MAX 255u

struct law_pattern {
    char text[64];
    bool is_category; /* not of the name */
};

/* fxt filter: the instants and counters are those whose name matches. */
void law_filter(const struct model *whole, const struct model *part,
                const struct law_pattern *pattern);

/* fxt merge: events of the whole trace, then those of its first `half` bytes, later by `shift` ns. No provider
   has a rate. */
void law_merge(const struct model *whole, uint64_t half, int64_t shift, const struct model *merged);

/* fxt diff: finds a change of one field of an event, and none if the event is written in another way. */
void law_diff(const struct model *model, const struct tool_trace *whole, uint64_t *random);

#endif
