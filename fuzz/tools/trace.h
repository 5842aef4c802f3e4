/* A trace of the fuzzer: its records, and what fxt check says of it. */
#ifndef FXT_FUZZ_TOOLS_TRACE_H
#define FXT_FUZZ_TOOLS_TRACE_H

#include <stdbool.h>

#include <fxt/record.h>

#include "fuzz/lib/oracle.h"
#include "fuzz/tools/run.h"

struct tool_trace {
    struct tool_file file;
    struct tool_result events; /* of fxt dump --events */
    const uint8_t *bytes;      /* the caller's */
    size_t size;
    bool is_sound;      /* as it is, not compressed: fxt check has only suspicious findings */
    bool has_odd_pairs; /* some of events that do not belong together as they should */
    bool has_late_flows;
    bool has_flows_outside;     /* of durations, of which fxt check misses some */
    bool rules[FXT_RULE_COUNT]; /* of the findings */
};

struct tool_trace tool_trace(const void *bytes, size_t size);
void tool_trace_close(struct tool_trace *trace);

/* The size of the first half of the records. */
size_t tool_half(const struct tool_trace *trace);

/* The part has no finding of a rule that the whole has none of. But if some events of the whole do not
   belong together as they should, others of the part may not, and the records between two context
   switches may be missing (`gaps`). */
void tool_check_rules(const struct tool_trace *whole, const struct tool_trace *part, bool gaps);

/* The records of the part are records of the whole, in the same order. */
void tool_check_order(const struct tool_trace *whole, const struct tool_result *part);

/* Each record of the whole is in one of the halves. Definitions are in both. So may be durations, if a
   part `brings` some that are not of it, and events of which some match and others do not, because they
   have no begin that decides. */
void tool_check_halves(const struct tool_trace *whole, const struct tool_result *part,
                       const struct tool_result *rest, bool brings);

#endif
