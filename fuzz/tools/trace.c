#include "fuzz/tools/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/lib/frame.h"
#include "fuzz/lib/order.h"

/* Which events belong together, and in which order. Nothing can be said of it if the ticks change. */
static bool is_of_pairs(int rule)
{
    return (rule >= FXT_RULE_EVT_04 && rule <= FXT_RULE_EVT_13) || rule == FXT_RULE_INI_03;
}

static int rule_of(const char *id, size_t size)
{
    for (int rule = 1; rule < FXT_RULE_COUNT; rule++) {
        const char *own = fxt_rule_id((enum fxt_rule)rule);
        if (strlen(own) == size && memcmp(own, id, size) == 0)
            return rule;
    }
    return 0;
}

/* fxt check prints a line for each finding, with " RULE: " in it. */
static void read_rules(struct tool_trace *trace, const char *text)
{
    while ((text = strchr(text, ':')) != NULL) {
        const char *end = text++, *begin = end;
        while (begin[-1] != ' ' && begin[-1] != '\n' && end - begin < 8)
            begin--;
        int rule = begin[-1] == ' ' && *text == ' ' ? rule_of(begin, (size_t)(end - begin)) : 0;
        if (rule == 0 || trace->rules[rule])
            continue;
        trace->rules[rule] = true;
        trace->is_sound &= fxt_rule_class((enum fxt_rule)rule) == FXT_SUSPICIOUS;
        trace->has_odd_pairs |= is_of_pairs(rule);
    }
}

/* The begin or end of a flow. */
struct flow {
    uint64_t id;
    uint64_t ns;
    bool ends;
};

/* By id and time; at one time, begins come first. */
static int compare_flows(const void *a, const void *b)
{
    const struct flow *one = a, *other = b;
    if (one->id != other->id)
        return one->id < other->id ? -1 : 1;
    if (one->ns != other->ns)
        return one->ns < other->ns ? -1 : 1;
    return (int)one->ends - (int)other->ends;
}

static size_t read_flows(struct flow *flows, const char *events)
{
    static const char begin[] = "{\"event\":\"flow_begin\"", end[] = "{\"event\":\"flow_end\"";
    size_t count = 0;
    for (const char *at = events; *at != '\0'; at = strchr(at, '\n') + 1) {
        struct flow *flow = &flows[count];
        flow->ends = strncmp(at, end, strlen(end)) == 0;
        count += (flow->ends || strncmp(at, begin, strlen(begin)) == 0) &&
                 tool_number(&flow->id, at, "\"id\"") && tool_number(&flow->ns, at, "\"ns\"");
    }
    return count;
}

/* Whether some of one id come in another order than their times. fxt filter takes flows in the order of
   the records, so that two may be one to it, whose begins say different things. */
static bool are_late(const struct flow *flows, size_t count)
{
    for (size_t i = 1; i < count; i++)
        for (size_t j = 0; j < i; j++)
            if (flows[j].id == flows[i].id && flows[j].ns > flows[i].ns)
                return true;
    return false;
}

/* EVT-13, of which fxt check misses some: of an id, a begin follows on another one in time, and no end
   is between them. Sorts the flows. */
static bool are_open_twice(struct flow *flows, size_t count)
{
    bool twice = false;
    qsort(flows, count, sizeof *flows, compare_flows);
    for (size_t i = 0; i + 1 < count && !twice; i++) {
        const struct flow *next = &flows[i + 1];
        bool follows = !flows[i].ends && !next->ends && next->id == flows[i].id;
        size_t end = i + 1;
        while (end < count && flows[end].id == next->id && flows[end].ns == next->ns &&
               !flows[end].ends)
            end++;
        bool ends = end < count && flows[end].id == next->id && flows[end].ns == next->ns;
        twice = follows && !ends;
    }
    return twice;
}

static void look_at_flows(struct tool_trace *trace)
{
    static struct flow flows[FUZZ_INPUT_MAX / 8];
    size_t count = read_flows(flows, trace->events.bytes);
    trace->has_late_flows = are_late(flows, count);
    trace->has_odd_pairs = trace->has_odd_pairs || are_open_twice(flows, count);
}

struct tool_trace tool_trace(const void *bytes, size_t size)
{
    struct tool_trace trace = {.file = tool_file(bytes, size), .bytes = bytes, .size = size};
    struct tool_result checked = TOOL("check", "--raw", "--max-findings=0", trace.file.path);
    FUZZ_CHECK(checked.code == 0 || checked.code == 1);
    /* It says so if it did not look at everything. */
    trace.is_sound = strncmp(checked.said, "fxt: ", 5) != 0;
    read_rules(&trace, checked.bytes);
    tool_release(&checked);
    trace.events = TOOL("dump", "--events", trace.file.path);
    look_at_flows(&trace);
    trace.has_flows_outside = trace.is_sound && fuzz_order_breaks(bytes, size, FXT_RULE_EVT_11);
    return trace;
}

void tool_trace_close(struct tool_trace *trace)
{
    tool_release(&trace->events);
    tool_close(&trace->file);
}

/* ---- rules */

static bool may_be_new(const struct tool_trace *whole, int rule, bool gaps)
{
    if (rule == FXT_RULE_EVT_11 && whole->has_flows_outside)
        return true;
    /* A step that stands before the begin of its flow may go with another one. */
    if (is_of_pairs(rule))
        return whole->has_odd_pairs || (rule == FXT_RULE_EVT_07 && whole->has_late_flows);
    if (rule == FXT_RULE_SCH_07 && (gaps || whole->rules[FXT_RULE_SCH_06]))
        return true;
    return (rule == FXT_RULE_SCH_06 || rule == FXT_RULE_SCH_07) && whole->rules[FXT_RULE_INI_03];
}

void tool_check_rules(const struct tool_trace *whole, const struct tool_trace *part, bool gaps)
{
    for (int rule = 1; rule < FXT_RULE_COUNT; rule++)
        if (part->rules[rule] && !whole->rules[rule] && !may_be_new(whole, rule, gaps)) {
            fprintf(stderr, "a finding of %s is new\n", fxt_rule_id((enum fxt_rule)rule));
            fuzz_broken(__FILE__, __LINE__, "no new finding");
        }
}

/* ---- records */

struct records {
    size_t count;
    struct fxt_bytes it[FUZZ_INPUT_MAX / 8];
};

static void split(struct records *records, const void *bytes, size_t size)
{
    records->count = 0;
    for (uint64_t at = 0; at + 8 <= size;) {
        const uint8_t *record = (const uint8_t *)bytes + at;
        struct fuzz_frame frame = fuzz_frame(bytes, size, at);
        FUZZ_CHECK(frame.status == FXT_OK && records->count < FUZZ_INPUT_MAX / 8);
        records->it[records->count++] = (struct fxt_bytes){record, 8 * frame.words};
        at += 8 * frame.words;
    }
}

size_t tool_half(const struct tool_trace *trace)
{
    static struct records all;
    split(&all, trace->bytes, trace->size);
    return all.count < 2 ? 0 : (size_t)(all.it[all.count / 2].bytes - trace->bytes);
}

static int compare(const void *a, const void *b)
{
    const struct fxt_bytes *one = a, *other = b;
    if (one->size != other->size)
        return one->size < other->size ? -1 : 1;
    return memcmp(one->bytes, other->bytes, one->size);
}

void tool_check_order(const struct tool_trace *whole, const struct tool_result *part)
{
    static struct records all, parts;
    size_t found = 0;
    split(&all, whole->bytes, whole->size);
    split(&parts, part->bytes, part->size);
    for (size_t i = 0; i < all.count && found < parts.count; i++)
        found += compare(&parts.it[found], &all.it[i]) == 0;
    FUZZ_CHECK(found == parts.count);
}

static void split_and_sort(struct records *records, const void *bytes, size_t size)
{
    split(records, bytes, size);
    qsort(records->it, records->count, sizeof *records->it, compare);
}

/* How many of the sorted records are equal to the one, from *at on. */
static size_t count_equal(const struct records *records, size_t *at, const struct fxt_bytes *one)
{
    size_t count = 0;
    while (*at < records->count && compare(&records->it[*at], one) < 0)
        (*at)++;
    for (; *at < records->count && compare(&records->it[*at], one) == 0; (*at)++)
        count++;
    return count;
}

/* Whether async and flow events match, fxt check does not say if their threads are not registered. */
static bool may_match_oddly(const struct tool_trace *whole, unsigned event)
{
    return whole->has_odd_pairs || (whole->has_late_flows && event >= FXT_EVENT_FLOW_BEGIN) ||
           (whole->rules[FXT_RULE_THR_02] && event >= FXT_EVENT_ASYNC_BEGIN &&
            event <= FXT_EVENT_FLOW_END);
}

/* The type of a record is in bits 0 to 3, that of an event in bits 16 to 19. */
static bool may_be_twice(const struct tool_trace *whole, const struct fxt_bytes *record,
                         bool brings)
{
    unsigned type = record->bytes[0] % 16;
    unsigned event = record->bytes[2] % 16;
    if (type == FXT_RECORD_EVENT)
        return may_match_oddly(whole, event) || (brings && event >= FXT_EVENT_DURATION_BEGIN &&
                                                 event <= FXT_EVENT_DURATION_COMPLETE);
    if (type == FXT_RECORD_PROFILER) /* modules and mappings stay with each backtrace */
        return event != FXT_PROFILER_BACKTRACE;
    return type <= FXT_RECORD_THREAD || type == FXT_RECORD_USERSPACE_OBJECT ||
           type == FXT_RECORD_KERNEL_OBJECT;
}

void tool_check_halves(const struct tool_trace *whole, const struct tool_result *part,
                       const struct tool_result *rest, bool brings)
{
    static struct records all, parts, rests;
    size_t at = 0, in_part = 0, in_rest = 0;
    split_and_sort(&all, whole->bytes, whole->size);
    split_and_sort(&parts, part->bytes, part->size);
    split_and_sort(&rests, rest->bytes, rest->size);
    while (at < all.count) {
        const struct fxt_bytes *one = &all.it[at];
        size_t count = count_equal(&all, &at, one);
        size_t found = count_equal(&parts, &in_part, one) + count_equal(&rests, &in_rest, one);
        FUZZ_CHECK(found >= count);
        FUZZ_CHECK(found == count || may_be_twice(whole, one, brings));
    }
}
