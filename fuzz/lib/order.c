/* See order.h. One list of the steps of a trace, and one of the findings that they call for. Which
   records there are and what references stand for, libfxt's decoders and tables say, which have oracles
   of their own. */
#include "fuzz/lib/order.h"

#include <string.h>

#include <fxt/tables.h>

#include "fuzz/lib/any.h"

enum { STEPS = 256, CALLS = 4 * STEPS, PROVIDERS = 4, INLINE = 0x8000 };

/* Beside the types of events. */
enum { SWITCH = 16, INTRODUCED, NAMED };

/* An event, a context switch, or the name of a provider. */
struct step {
    uint64_t offset;
    uint64_t trace; /* how many magic numbers are before it */
    uint64_t timestamp;
    uint64_t ns;
    uint64_t value;   /* of an event; the id of a provider */
    uint64_t process; /* of an event */
    uint64_t thread;  /* of an event, or outgoing */
    uint64_t incoming;
    uint32_t provider;
    uint16_t type;
    uint16_t processor;
    bool is_known; /* the thread */
    bool has_incoming;
    bool dangles; /* its category or its name */
};

/* A finding that may be there, or must. */
struct call {
    struct fxt_finding finding;
    bool must;
};

static struct order {
    struct step steps[STEPS];
    struct call calls[CALLS];
    size_t count;
    size_t call_count;
    uint64_t trace;
    bool is_full;
} order;

static struct fxt_tables tables;

/* ---- steps */

static void add(const struct fxt_record *record, struct step step)
{
    if (order.count == STEPS) {
        order.is_full = true;
        return;
    }
    step.offset = record->offset;
    step.trace = order.trace;
    step.provider = fxt_tables_provider(&tables)->id;
    step.ns = fxt_ticks_to_ns(step.timestamp, fxt_tables_provider(&tables)->ticks_per_second);
    order.steps[order.count++] = step;
}

static bool dangles(struct fxt_string_ref ref)
{
    struct fxt_bytes text;
    return ref.ref != 0 && ref.ref < INLINE && !fxt_tables_string(&tables, &text, ref);
}

static void take_event(const struct fxt_record *record, const struct fxt_event *event)
{
    struct fxt_thread_ref koids = {0, 0, 0};
    bool is_known = fxt_tables_thread(&tables, &koids, event->thread);
    if (event->event_type <= FXT_EVENT_FLOW_END)
        add(record, (struct step){.timestamp = event->timestamp,
                                  .value = event->value,
                                  .process = koids.process,
                                  .thread = koids.thread,
                                  .type = event->event_type,
                                  .is_known = is_known,
                                  .dangles = dangles(event->category) || dangles(event->name)});
}

static void take_legacy(const struct fxt_record *record, const struct fxt_legacy_switch *change)
{
    struct fxt_thread_ref from = {0, 0, 0}, to = {0, 0, 0};
    bool is_known = fxt_tables_thread(&tables, &from, change->outgoing);
    bool has_incoming = fxt_tables_thread(&tables, &to, change->incoming);
    add(record, (struct step){.timestamp = change->timestamp,
                              .thread = from.thread,
                              .incoming = to.thread,
                              .type = SWITCH,
                              .processor = change->cpu,
                              .is_known = is_known,
                              .has_incoming = has_incoming});
}

static void take_switch(const struct fxt_record *record, const struct fxt_context_switch *change)
{
    add(record, (struct step){.timestamp = change->timestamp,
                              .thread = change->outgoing_thread,
                              .incoming = change->incoming_thread,
                              .type = SWITCH,
                              .processor = change->cpu,
                              .is_known = true,
                              .has_incoming = true});
}

static void take_record(const struct fxt_record *record)
{
    struct fuzz_record decoded;
    struct fxt_error error;
    const union fuzz_any *any = &decoded.any;
    order.trace += record->header == FXT_MAGIC && record->offset > 0;
    if (fuzz_decode_all(&decoded, record, &error) != FXT_OK)
        return;
    if (decoded.kind == FUZZ_EVENT)
        take_event(record, &any->event);
    if (decoded.kind == FUZZ_LEGACY_SWITCH)
        take_legacy(record, &any->legacy_switch);
    if (decoded.kind == FUZZ_CONTEXT_SWITCH)
        take_switch(record, &any->context_switch);
    if (decoded.kind == FUZZ_PROVIDER_INFO)
        add(record, (struct step){.value = any->provider_info.provider_id, .type = INTRODUCED});
    if (decoded.kind == FUZZ_PROVIDER_SECTION)
        add(record, (struct step){.value = any->provider_section.provider_id, .type = NAMED});
    if (decoded.kind == FUZZ_PROVIDER_EVENT)
        add(record, (struct step){.value = any->provider_event.provider_id, .type = NAMED});
    order.is_full |= fxt_tables_apply(&tables, record, &error) == FXT_FULL;
}

static void take_trace(const uint8_t *bytes, size_t size)
{
    static struct fxt_provider providers[PROVIDERS];
    static uint32_t ids[PROVIDERS];
    static uint8_t arena[4 * FUZZ_INPUT_MAX];
    const struct fxt_tables_memory memory = {.providers = providers,
                                             .provider_ids = ids,
                                             .arena = arena,
                                             .provider_max = PROVIDERS,
                                             .arena_size = sizeof arena,
                                             .zeroed = 1};
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    enum fxt_status status;

    order.count = order.call_count = 0;
    order.trace = 0;
    order.is_full = false;
    if (tables.providers == NULL)
        fxt_tables_init(&tables, &memory);
    fxt_tables_reset(&tables);
    fxt_reader_init(&reader, bytes, size);
    while ((status = fxt_reader_next(&reader, &record, &error)) == FXT_OK ||
           status == FXT_ZERO_WORD)
        if (status == FXT_OK)
            take_record(&record);
}

/* ---- what they call for */

static void call(enum fxt_rule rule, uint64_t offset, uint64_t number, bool must)
{
    if (order.call_count == CALLS) {
        order.is_full = true;
        return;
    }
    order.calls[order.call_count++] = (struct call){{offset, number, rule}, must};
}

static bool is_event(const struct step *step)
{
    return step->type <= FXT_EVENT_FLOW_END && step->is_known;
}

static bool is_of_thread(const struct step *step, const struct step *other)
{
    return is_event(step) && is_event(other) && step->trace == other->trace &&
           step->provider == other->provider && step->process == other->process &&
           step->thread == other->thread;
}

static bool is_flow(const struct step *step)
{
    return step->type >= FXT_EVENT_FLOW_BEGIN && step->type <= FXT_EVENT_FLOW_END;
}

static bool is_duration(const struct step *step)
{
    return step->type == FXT_EVENT_DURATION_COMPLETE && step->value >= step->timestamp;
}

/* The durations of the thread that are open in front of a step, and the begin of the outermost one. */
static uint64_t count_open(const struct step *end, const struct step *of, uint64_t *outermost)
{
    uint64_t open = 0;
    for (const struct step *step = order.steps; step < end; step++) {
        if (!is_of_thread(step, of))
            continue;
        if (step->type == FXT_EVENT_DURATION_BEGIN && open++ == 0)
            *outermost = step->offset;
        open -= step->type == FXT_EVENT_DURATION_END && open > 0;
    }
    return open;
}

/* EVT-04. */
static void call_durations(const struct step *step)
{
    const struct step *end = order.steps + order.count;
    uint64_t outermost = 0;
    if (step->type == FXT_EVENT_DURATION_END && count_open(step, step, &outermost) == 0)
        call(FXT_RULE_EVT_04, step->offset, 0, true);
    for (const struct step *later = step + 1; later < end; later++)
        if (is_of_thread(step, later))
            return;
    uint64_t open = count_open(end, step, &outermost);
    if (open > 0)
        call(FXT_RULE_EVT_04, outermost, open, true);
}

/* EVT-08: a complete duration is written at its end, so it does not count. */
static void call_backwards(const struct step *step)
{
    const struct step *last = step;
    if (step->type == FXT_EVENT_DURATION_COMPLETE)
        return;
    do
        if (last == order.steps)
            return;
    while (last--, !is_of_thread(last, step) || last->type == FXT_EVENT_DURATION_COMPLETE);
    if (step->timestamp < last->timestamp)
        call(FXT_RULE_EVT_08, step->offset + 8, step->timestamp, true);
}

static bool crosses(const struct step *one, const struct step *other)
{
    return one->timestamp < other->timestamp && other->timestamp < one->value &&
           one->value < other->value;
}

/* EVT-12, against the durations before it. That of the last one must be found. */
static void call_overlaps(const struct step *step)
{
    unsigned durations = 0;
    for (const struct step *other = step; is_duration(step) && other-- > order.steps;) {
        if (!is_of_thread(other, step) || !is_duration(other))
            continue;
        durations++;
        if (!crosses(step, other) && !crosses(other, step))
            continue;
        call(FXT_RULE_EVT_12, step->offset, step->value, durations == 1);
        return;
    }
}

/* EVT-11: neither a duration that is open, nor one that ends without a begin, nor a complete one. The
   first one of a thread must be found, unless the thread has complete durations. */
static void call_outside(const struct step *step)
{
    uint64_t outermost;
    bool must = true;
    if (!is_flow(step) || count_open(step, step, &outermost) > 0)
        return;
    for (const struct step *other = order.steps; other < order.steps + order.count; other++) {
        if (!is_of_thread(step, other))
            continue;
        bool is_lonely = other > step && other->type == FXT_EVENT_DURATION_END &&
                         count_open(other, other, &outermost) == 0;
        if (is_lonely || (is_duration(other) && other->timestamp <= step->timestamp &&
                          step->timestamp <= other->value))
            return;
        must &= !is_duration(other);
    }
    for (size_t i = 0; i < order.call_count; i++) /* of an earlier one of the thread */
        for (const struct step *other = order.steps; other < step; other++)
            must &= order.calls[i].finding.rule != FXT_RULE_EVT_11 ||
                    order.calls[i].finding.offset != other->offset || !is_of_thread(step, other);
    call(FXT_RULE_EVT_11, step->offset, step->value, must);
}

/* ---- asyncs of a process, flows of a trace */

static bool is_of_pair(const struct step *step, const struct step *other)
{
    bool flows = is_flow(step) && is_flow(other);
    bool asyncs = is_event(step) && is_event(other) && step->type >= FXT_EVENT_ASYNC_BEGIN &&
                  step->type <= FXT_EVENT_ASYNC_END && other->type >= FXT_EVENT_ASYNC_BEGIN &&
                  other->type <= FXT_EVENT_ASYNC_END && step->process == other->process;
    return (flows || asyncs) && step->trace == other->trace && step->value == other->value;
}

static bool begins(const struct step *step)
{
    return step->type == FXT_EVENT_ASYNC_BEGIN || step->type == FXT_EVENT_FLOW_BEGIN;
}

static bool ends(const struct step *step)
{
    return step->type == FXT_EVENT_ASYNC_END || step->type == FXT_EVENT_FLOW_END;
}

/* As many begins as ends, and nothing before the first begin or after the last end. */
static bool is_matched(const struct step *of)
{
    uint64_t first = UINT64_MAX, begin = UINT64_MAX, last = 0, end = 0, count = 0, found = 0;
    for (const struct step *step = order.steps; step < order.steps + order.count; step++) {
        if (!is_of_pair(step, of))
            continue;
        first = step->ns < first ? step->ns : first;
        last = step->ns > last ? step->ns : last;
        begin = begins(step) && step->ns < begin ? step->ns : begin;
        end = ends(step) && step->ns > end ? step->ns : end;
        found += begins(step);
        count += begins(step) - (uint64_t)ends(step);
    }
    return count == 0 && found > 0 && first == begin && last == end;
}

static bool ends_between(const struct step *one, const struct step *other)
{
    uint64_t from = one->ns < other->ns ? one->ns : other->ns;
    uint64_t to = one->ns < other->ns ? other->ns : one->ns;
    for (const struct step *step = order.steps; step < order.steps + order.count; step++)
        if (is_of_pair(step, one) && ends(step) && from <= step->ns && step->ns <= to)
            return true;
    return false;
}

/* EVT-13: of two begins. It must be found if nothing else is before the second. */
static void call_twice(const struct step *step)
{
    size_t between = 0;
    for (const struct step *other = step; other-- > order.steps;) {
        if (!is_of_pair(other, step))
            continue;
        if (begins(other) && !ends_between(other, step)) {
            bool is_first = between++ == 0;
            for (const struct step *one = order.steps; one < other; one++)
                is_first &= !is_of_pair(one, step);
            call(FXT_RULE_EVT_13, step->offset, step->value, is_first);
            return;
        }
        between++;
    }
}

/* EVT-06, EVT-07 and EVT-13. */
static void call_pairs(const struct step *step)
{
    bool is_first = true;
    if (!is_of_pair(step, step))
        return;
    for (const struct step *other = order.steps; other < step; other++)
        is_first &= !is_of_pair(other, step);
    if (is_first && !is_matched(step))
        call(is_flow(step) ? FXT_RULE_EVT_07 : FXT_RULE_EVT_06, step->offset, step->value, true);
    if (is_flow(step) && begins(step) && is_matched(step))
        call_twice(step);
}

/* ---- processors and providers */

static const struct step *find_switch(const struct step *step)
{
    for (const struct step *last = step; last-- > order.steps;)
        if (last->type == SWITCH && last->trace == step->trace &&
            last->provider == step->provider && last->processor == step->processor)
            return last;
    return NULL;
}

static bool is_backwards(const struct step *step)
{
    const struct step *last = find_switch(step);
    return last != NULL && step->timestamp < last->timestamp;
}

/* SCH-06 to SCH-08. */
static void call_switches(const struct step *step)
{
    const struct step *last = find_switch(step);
    if (step->is_known && step->has_incoming && step->thread == step->incoming && step->thread != 0)
        call(FXT_RULE_SCH_08, step->offset, step->thread, true);
    if (is_backwards(step))
        call(FXT_RULE_SCH_06, step->offset + 8, step->timestamp, true);
    else if (last != NULL && !is_backwards(last) && last->has_incoming && step->is_known &&
             last->incoming != step->thread)
        call(FXT_RULE_SCH_07, step->offset, step->thread, true);
}

/* MET-03. */
static void call_provider(const struct step *step)
{
    for (const struct step *other = order.steps; other < step; other++)
        if (other->type == INTRODUCED && other->trace == step->trace && other->value == step->value)
            return;
    call(FXT_RULE_MET_03, step->offset, step->value, true);
}

static void call_all(void)
{
    for (const struct step *step = order.steps; step < order.steps + order.count; step++) {
        call_pairs(step);
        if (is_event(step)) {
            call_durations(step);
            call_backwards(step);
            call_overlaps(step);
            call_outside(step);
        }
        if (step->type == SWITCH)
            call_switches(step);
        if (step->type == NAMED)
            call_provider(step);
    }
}

/* ---- findings */

static bool is_judged(enum fxt_rule rule)
{
    return rule == FXT_RULE_EVT_04 || (rule >= FXT_RULE_EVT_06 && rule <= FXT_RULE_EVT_08) ||
           (rule >= FXT_RULE_EVT_11 && rule <= FXT_RULE_EVT_13) || rule == FXT_RULE_MET_03 ||
           (rule >= FXT_RULE_SCH_06 && rule <= FXT_RULE_SCH_08);
}

static bool is_same(const struct fxt_finding *one, const struct fxt_finding *other)
{
    return one->rule == other->rule && one->offset == other->offset && one->number == other->number;
}

static bool is_found(const struct fxt_finding *findings, size_t count, enum fxt_rule rule,
                     uint64_t offset)
{
    for (size_t i = 0; i < count; i++)
        if (findings[i].rule == rule && findings[i].offset == offset)
            return true;
    return false;
}

/* Nothing but what the steps call for, and nothing twice. */
static void check_found(const struct fxt_finding *findings, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool is_called = !is_judged(findings[i].rule);
        if (is_called)
            continue;
        for (size_t k = 0; k < order.call_count; k++)
            is_called |= is_same(&findings[i], &order.calls[k].finding);
        FUZZ_CHECK(is_called);
        FUZZ_CHECK(!is_found(findings, i, findings[i].rule, findings[i].offset));
    }
}

/* All that must be. Of two begins of a flow, the checker may name a later one. */
static void check_called(const struct fxt_finding *findings, size_t count)
{
    for (size_t k = 0; k < order.call_count; k++) {
        const struct call *one = &order.calls[k];
        bool is_there = !one->must;
        for (size_t i = 0; i < count && !is_there; i++)
            is_there =
                is_same(&findings[i], &one->finding) ||
                (one->finding.rule == FXT_RULE_EVT_13 && findings[i].rule == FXT_RULE_EVT_13 &&
                 findings[i].number == one->finding.number);
        FUZZ_CHECK(is_there);
    }
}

static void check_references(const struct fxt_finding *findings, size_t count)
{
    for (const struct step *step = order.steps; step < order.steps + order.count; step++) {
        if (step->type > FXT_EVENT_FLOW_END)
            continue;
        FUZZ_CHECK(is_found(findings, count, FXT_RULE_THR_02, step->offset) == !step->is_known);
        FUZZ_CHECK(is_found(findings, count, FXT_RULE_STR_02, step->offset) == step->dangles);
    }
}

static bool judge(const uint8_t *bytes, size_t size)
{
    take_trace(bytes, size);
    if (!order.is_full)
        call_all();
    return !order.is_full;
}

void fuzz_order_check(const uint8_t *bytes, size_t size, const struct fxt_finding *findings,
                      size_t count)
{
    if (!judge(bytes, size))
        return;
    check_found(findings, count);
    check_called(findings, count);
    check_references(findings, count);
}

bool fuzz_order_breaks(const uint8_t *bytes, size_t size, enum fxt_rule rule)
{
    bool breaks = !judge(bytes, size);
    for (size_t i = 0; i < order.call_count; i++)
        breaks |= order.calls[i].finding.rule == rule;
    return breaks;
}
