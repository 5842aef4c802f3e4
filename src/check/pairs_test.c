/* Threads, asyncs and flows whose keys differ in one part only are told apart, also when they lie
   in each other's way in the table; what a trace has noted is gone in the next one. */
#include <limits.h>

#include "src/check/fixture_test.h"

#define KEYS 32 /* as many as 64 slots take: they do get in each other's way */

struct key {
    uint64_t process;
    uint64_t thread;
    uint64_t id;
    uint32_t provider;
    bool flow;
};

static void on_thread(struct bench *b, const struct key *key, uint8_t type, uint64_t timestamp)
{
    struct fxt_event in = {.event_type = type,
                           .timestamp = timestamp,
                           .value = key->id,
                           .thread = fxt_thread_inline(key->process, key->thread)};
    section(b, key->provider);
    cr_assert_eq(fxt_write_event(&b->writer, &in, NULL, 0), FXT_OK);
}

static struct bench *with_providers(void)
{
    struct bench *b = new_bench();
    b->ignored = FXT_RULE_EVT_11; /* these tests are about ids */
    magic(b);
    for (uint32_t id = 0; id < 4; id++)
        provider(b, id, "p");
    return b;
}

/* Every second key begins and ends, the others only end. */
static void write_halves(struct bench *b, const struct key *keys, uint8_t begin, uint8_t end,
                         uint64_t *ends)
{
    for (unsigned i = 0; i < KEYS; i += 2)
        on_thread(b, &keys[i], (uint8_t)(begin + (keys[i].flow ? 3 : 0)), 1);
    for (unsigned i = 1; i < KEYS; i += 2) {
        ends[i / 2] = b->writer.size + 8;
        on_thread(b, &keys[i], (uint8_t)(end + (keys[i].flow ? 3 : 0)), 2);
    }
    for (unsigned i = 0; i < KEYS; i += 2)
        on_thread(b, &keys[i], (uint8_t)(end + (keys[i].flow ? 3 : 0)), 3);
    run_check(b, FXT_EDITION_CURRENT);
}

static void expect_ends(const struct bench *b, const uint64_t *ends, enum fxt_rule rule)
{
    cr_assert_eq(b->kept.count, KEYS / 2, "%s", findings(b));
    for (unsigned i = 0; i < KEYS / 2; i++) {
        unsigned found = 0;
        for (uint32_t k = 0; k < b->kept.count; k++)
            found += b->kept.findings[k].offset == ends[i] && b->kept.findings[k].rule == rule;
        cr_expect_eq(found, 1, "at %d", (int)ends[i]);
    }
}

static void expect_durations_apart(const struct key *keys)
{
    uint64_t ends[KEYS / 2];
    struct bench *b = with_providers();
    write_halves(b, keys, FXT_EVENT_DURATION_BEGIN, FXT_EVENT_DURATION_END, ends);
    expect_ends(b, ends, FXT_RULE_EVT_04);
    free_bench(b);
}

Test(pairs, durations_of_threads_are_told_apart_by_each_part_of_the_key)
{
    struct key by_process[KEYS];
    struct key by_thread[KEYS];
    struct key by_provider[KEYS];
    for (unsigned i = 0; i < KEYS; i++) {
        by_process[i] = (struct key){.process = i, .thread = 7};
        by_thread[i] = (struct key){.process = 7, .thread = i};
        by_provider[i] = (struct key){.process = 7, .thread = i / 4, .provider = i % 4};
    }
    expect_durations_apart(by_process);
    expect_durations_apart(by_thread);
    expect_durations_apart(by_provider);
}

/* Two keys in four slots, in many traces: here and there the one lies where the other is looked
   for. */
static struct bench *crowded_bench(void)
{
    struct bench *b = calloc(1, sizeof *b);
    set_memory(b, 2, 1024, 0, 4, 4);
    b->ignored = FXT_RULE_EVT_11;
    fxt_writer_init(&b->writer, b->bytes, sizeof b->bytes);
    return b;
}

static void expect_all(const struct bench *b, uint32_t count, enum fxt_rule rule)
{
    cr_assert_eq(b->kept.count, count, "%s", findings(b));
    for (uint32_t i = 0; i < count; i++)
        cr_expect_eq(b->kept.findings[i].rule, rule);
}

Test(pairs, a_thread_of_two_providers_is_two_threads)
{
    struct bench *b = crowded_bench();
    for (uint64_t koid = 0; koid < 64; koid++) {
        struct key here = {.process = 7, .thread = koid, .provider = 0};
        struct key there = {.process = 7, .thread = koid, .provider = 1};
        magic(b);
        provider(b, 0, "");
        provider(b, 1, "");
        on_thread(b, &here, FXT_EVENT_DURATION_BEGIN, 1);
        on_thread(b, &there, FXT_EVENT_DURATION_END, 2);
    }
    run_check(b, FXT_EDITION_CURRENT);
    expect_all(b, 2 * 64, FXT_RULE_EVT_04); /* the begin and the end of each trace */
    free_bench(b);
}

Test(pairs, an_async_of_process_0_is_no_flow)
{
    struct bench *b = crowded_bench();
    for (uint64_t id = 0; id < 64; id++) {
        struct key key = {.thread = 1, .id = id};
        magic(b);
        provider(b, 0, "");
        on_thread(b, &key, FXT_EVENT_ASYNC_BEGIN, 1);
        on_thread(b, &key, FXT_EVENT_FLOW_END, 2);
        on_thread(b, &key, FXT_EVENT_ASYNC_END, 3);
    }
    run_check(b, FXT_EDITION_CURRENT);
    expect_all(b, 64, FXT_RULE_EVT_07);
    free_bench(b);
}

static void expect_asyncs_apart(const struct key *keys, enum fxt_rule rule)
{
    uint64_t ends[KEYS / 2];
    struct bench *b = with_providers();
    write_halves(b, keys, FXT_EVENT_ASYNC_BEGIN, FXT_EVENT_ASYNC_END, ends);
    expect_ends(b, ends, rule);
    free_bench(b);
}

Test(pairs, asyncs_and_flows_are_told_apart_by_each_part_of_the_key)
{
    struct key by_id[KEYS];
    struct key by_process[KEYS];
    struct key by_kind[KEYS];
    struct key flows[KEYS];
    for (unsigned i = 0; i < KEYS; i++) {
        by_id[i] = (struct key){.process = 7, .thread = 1, .id = i};
        by_process[i] = (struct key){.process = i, .thread = 1, .id = 5};
        by_kind[i] = (struct key){.thread = 1, .id = i / 2, .flow = i % 2 == 1};
        flows[i] = (struct key){.process = i % 3, .thread = i % 5, .id = i, .flow = true};
    }
    expect_asyncs_apart(by_id, FXT_RULE_EVT_06);
    expect_asyncs_apart(by_process, FXT_RULE_EVT_06);
    expect_asyncs_apart(by_kind, FXT_RULE_EVT_07);
    expect_asyncs_apart(flows, FXT_RULE_EVT_07);
}

Test(pairs, a_flow_that_ends_twice_is_not_matched)
{
    struct bench *b = new_bench();
    b->ignored = FXT_RULE_EVT_11;
    prologue(b);
    event(b, FXT_EVENT_FLOW_BEGIN, 1, 5);
    event(b, FXT_EVENT_FLOW_END, 2, 5);
    event(b, FXT_EVENT_FLOW_END, 3, 5);
    event(b, FXT_EVENT_ASYNC_BEGIN, 4, 5);
    event(b, FXT_EVENT_ASYNC_BEGIN, 5, 5);
    event(b, FXT_EVENT_ASYNC_END, 6, 5);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "EVT-06@136 EVT-07@64");
    free_bench(b);
}

/* A checker with room for so many threads and twice as many asyncs or flows. */
static struct bench *small_bench(uint32_t threads, uint32_t opens)
{
    struct bench *b = calloc(1, sizeof *b);
    set_memory(b, 1, 1024, 0, 2 * threads, 2 * opens);
    b->ignored = FXT_RULE_EVT_11;
    fxt_writer_init(&b->writer, b->bytes, sizeof b->bytes);
    return b;
}

Test(pairs, what_was_not_noted_for_lack_of_memory_is_not_called_unfinished)
{
    struct bench *b = small_bench(1, 1);
    prologue(b);
    event(b, FXT_EVENT_FLOW_BEGIN, 1, 5);
    event(b, FXT_EVENT_FLOW_BEGIN, 1, 6);
    event(b, FXT_EVENT_FLOW_BEGIN, 1, 7);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "LIM-01@112");
    free_bench(b);
}

Test(pairs, an_end_is_not_called_lonely_once_memory_was_short)
{
    static char text[1001];
    struct bench *b = small_bench(1, 1);
    memset(text, 'x', 1000);
    prologue(b);
    name(b, 3, text);
    event(b, FXT_EVENT_DURATION_END, 1, 0);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "LIM-01@64");
    free_bench(b);
}

Test(pairs, each_trace_has_all_the_memory_and_judges_references_anew)
{
    struct bench *b = small_bench(1, 1);
    for (int i = 0; i < 3; i++) {
        prologue(b);
        event(b, FXT_EVENT_FLOW_BEGIN, 1, 5u + (unsigned)i);
        event(b, FXT_EVENT_FLOW_END, 2, 5u + (unsigned)i);
    }
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "");
    for (int i = 0; i < 2; i++) {
        uint64_t at = b->writer.size;
        char expected[64];
        struct fxt_event in = {.event_type = FXT_EVENT_INSTANT,
                               .thread = fxt_thread_inline(9, 9),
                               .name = fxt_string_index(77)};
        magic(b);
        fxt_write_event(&b->writer, &in, NULL, 0);
        in.thread.process++;
        fxt_write_event(&b->writer, &in, NULL, 0);
        fxt_write_event(&b->writer, &in, NULL, 0);
        run_check(b, FXT_EDITION_CURRENT);
        uint32_t last = b->kept.count - 3;
        snprintf(expected, sizeof expected, "%d %d", (int)at + 8, (int)at + 40);
        cr_assert_eq(b->kept.count, 3u * (unsigned)(i + 1), "%s", findings(b));
        cr_expect_eq(b->kept.findings[last].rule, FXT_RULE_STR_02);
        cr_expect_eq(b->kept.findings[last].offset, at + 8);
        cr_expect_eq(b->kept.findings[last + 1].rule, FXT_RULE_STR_02);
        cr_expect_eq(b->kept.findings[last + 1].offset, at + 40);
        cr_expect_eq(b->kept.findings[last + 2].rule, FXT_RULE_LIM_01);
        cr_expect_eq(b->kept.findings[last + 2].offset, at + 40);
    }
    free_bench(b);
}

/* The records of a provider that has no memory are not judged; those of the next trace are. */
Test(pairs, a_new_trace_finds_its_provider_again)
{
    struct bench *b = small_bench(2, 2);
    struct fxt_provider_info other = {.provider_id = 5};
    prologue(b);
    fxt_write_provider_info(&b->writer, &other);
    event(b, FXT_EVENT_DURATION_END, 1, 0);
    prologue(b);
    event(b, FXT_EVENT_DURATION_END, 1, 0);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "LIM-01@64 EVT-04@152");
    free_bench(b);
}

Test(pairs, a_checker_needs_no_clean_struct)
{
    struct bench *b = new_bench();
    memset(&b->checker, 0xff, sizeof b->checker);
    prologue(b);
    event(b, FXT_EVENT_ASYNC_BEGIN, 1, 5);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "EVT-06@64");
    free_bench(b);
}

/* Many more ids than there is memory for, each matched. */
static struct bench *many_matched(uint8_t begin, uint8_t end)
{
    struct bench *b = small_bench(2, 8);
    prologue(b);
    for (uint64_t id = 0; id < 1000; id++) {
        event(b, begin, 2 * id + 1, id);
        event(b, end, 2 * id + 2, id);
    }
    return b;
}

Test(pairs, asyncs_and_flows_that_are_matched_need_no_memory)
{
    struct bench *flows = many_matched(FXT_EVENT_FLOW_BEGIN, FXT_EVENT_FLOW_END);
    struct bench *asyncs = many_matched(FXT_EVENT_ASYNC_BEGIN, FXT_EVENT_ASYNC_END);
    run_check(flows, FXT_EDITION_CURRENT);
    run_check(asyncs, FXT_EDITION_CURRENT);
    expect_findings(flows, "");
    expect_findings(asyncs, "");
    free_bench(flows);
    free_bench(asyncs);
}

Test(pairs, what_is_open_is_kept_while_others_are_forgotten)
{
    struct bench *b = small_bench(1, 8);
    prologue(b);
    event(b, FXT_EVENT_ASYNC_BEGIN, 1, 10000);
    event(b, FXT_EVENT_ASYNC_BEGIN, 1, 10001);
    for (uint64_t id = 0; id < 1000; id++) {
        event(b, FXT_EVENT_ASYNC_BEGIN, id + 1, id);
        event(b, FXT_EVENT_ASYNC_END, id + 1, id);
    }
    event(b, FXT_EVENT_ASYNC_END, 2000, 10001);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "EVT-06@64");
    free_bench(b);
}

/* Steps of a flow may stand in the section of another provider, long after its end. */
Test(pairs, steps_of_what_was_forgotten_are_no_finding)
{
    struct bench *b = many_matched(FXT_EVENT_FLOW_BEGIN, FXT_EVENT_FLOW_END);
    thread(b, 1, 101, 201);
    for (uint64_t id = 0; id < 1000; id++)
        event(b, FXT_EVENT_FLOW_STEP, 2 * id + 1, id);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "");
    free_bench(b);
}

Test(pairs, steps_of_what_was_forgotten_at_time_0_are_no_finding)
{
    struct bench *b = small_bench(2, 8);
    prologue(b);
    for (uint64_t id = 0; id < 1000; id++) {
        event(b, FXT_EVENT_FLOW_BEGIN, 0, id);
        event(b, FXT_EVENT_FLOW_END, 0, id);
    }
    thread(b, 1, 101, 201);
    for (uint64_t id = 0; id < 1000; id++)
        event(b, FXT_EVENT_FLOW_STEP, 0, id);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "");
    free_bench(b);
}

/* With the first use of the id in mind, a step between two uses breaks no rule. */
Test(pairs, a_step_before_the_second_use_of_a_forgotten_id_is_no_finding)
{
    struct bench *b = many_matched(FXT_EVENT_FLOW_BEGIN, FXT_EVENT_FLOW_END);
    event(b, FXT_EVENT_FLOW_STEP, 5000, 7);
    event(b, FXT_EVENT_FLOW_BEGIN, 5001, 7);
    event(b, FXT_EVENT_FLOW_END, 5002, 7);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "");
    free_bench(b);
}

Test(pairs, what_comes_later_than_what_was_forgotten_is_judged)
{
    struct bench *b = many_matched(FXT_EVENT_FLOW_BEGIN, FXT_EVENT_FLOW_END);
    uint64_t at = b->writer.size;
    char expected[64];
    event(b, FXT_EVENT_FLOW_STEP, 5000, 5000);
    event(b, FXT_EVENT_FLOW_BEGIN, 5000, 5001);
    event(b, FXT_EVENT_FLOW_BEGIN, 5001, 5001);
    event(b, FXT_EVENT_FLOW_END, 5002, 5001);
    event(b, FXT_EVENT_FLOW_END, 5003, 5001);
    snprintf(expected, sizeof expected, "EVT-13@%d EVT-07@%d", (int)at + 48, (int)at);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, expected);
    free_bench(b);
}

Test(pairs, counts_are_compared_also_of_what_lies_earlier_than_what_was_forgotten)
{
    struct bench *b = many_matched(FXT_EVENT_FLOW_BEGIN, FXT_EVENT_FLOW_END);
    uint64_t at = b->writer.size;
    char expected[64];
    thread(b, 1, 101, 201);
    event(b, FXT_EVENT_FLOW_END, 3, 5000);
    snprintf(expected, sizeof expected, "EVT-07@%d", (int)at + 24);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, expected);
    free_bench(b);
}

Test(pairs, a_flow_that_lies_earlier_than_what_was_forgotten_may_have_ended)
{
    struct bench *b = many_matched(FXT_EVENT_FLOW_BEGIN, FXT_EVENT_FLOW_END);
    thread(b, 1, 101, 201);
    event(b, FXT_EVENT_FLOW_BEGIN, 3, 5000);
    event(b, FXT_EVENT_FLOW_BEGIN, 4, 5000);
    event(b, FXT_EVENT_FLOW_END, 5, 5000);
    event(b, FXT_EVENT_FLOW_END, 6, 5000);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "");
    free_bench(b);
}

#define END_AT_0 INT_MIN

/* The times of the events of one flow id, in the order of the trace: begins, and ends below 0. */
static const char *found_of(const int *times, unsigned count)
{
    static char text[256];
    struct bench *b = new_bench();
    b->ignored = FXT_RULE_EVT_11;
    prologue(b);
    for (unsigned i = 0; i < count; i++) {
        int time = times[i] == END_AT_0 ? 0 : abs(times[i]);
        thread(b, 1, 100, 200 + i); /* a thread of its own, so that any order is allowed */
        event(b, times[i] < 0 ? FXT_EVENT_FLOW_END : FXT_EVENT_FLOW_BEGIN, (uint64_t)time, 5);
    }
    run_check(b, FXT_EDITION_CURRENT);
    snprintf(text, sizeof text, "%.255s", findings(b));
    free_bench(b);
    return text;
}

#define FOUND_OF(...) found_of((int[]){__VA_ARGS__}, sizeof((int[]){__VA_ARGS__}) / sizeof(int))

Test(pairs, a_flow_that_begins_while_one_of_its_id_is_open_is_found)
{
    cr_expect_str_eq(FOUND_OF(1, 2, -3, -4), "EVT-13@136");
    cr_expect_str_eq(FOUND_OF(1, -2, 3, 4, -5, -6), "EVT-13@232");
    cr_expect_str_eq(FOUND_OF(2, 1, -3, -4), "EVT-13@136");
    cr_expect_str_eq(FOUND_OF(1, 1, -3, -4), "EVT-13@136");
}

Test(pairs, a_flow_id_may_be_used_again_when_its_flow_has_ended)
{
    cr_expect_str_eq(FOUND_OF(1, -2, 3, -4), "");
    cr_expect_str_eq(FOUND_OF(1, -2, 2, -3), "", "an end and a begin at one time");
    cr_expect_str_eq(FOUND_OF(1, 3, -2, -4), "", "the first end stands late in the trace");
    cr_expect_str_eq(FOUND_OF(-2, -4, 1, 3), "");
    cr_expect_str_eq(FOUND_OF(3, -4, 1, -2), "");
}

Test(pairs, an_end_at_time_0_is_an_end)
{
    cr_expect_str_eq(FOUND_OF(0, END_AT_0, 3, 5, -6, -7), "EVT-13@232");
    cr_expect_str_eq(FOUND_OF(0, END_AT_0, 0, -6), "");
    cr_expect_str_eq(FOUND_OF(0, END_AT_0, 0, 5, -6, -7), "", "the end may be that of any begin");
}

Test(pairs, a_flow_that_is_not_matched_is_reported_once)
{
    cr_expect_str_eq(FOUND_OF(1, 2, -3), "EVT-07@88");
}

Test(pairs, asyncs_of_one_id_may_be_open_at_once)
{
    struct bench *b = new_bench();
    prologue(b);
    event(b, FXT_EVENT_ASYNC_BEGIN, 1, 5);
    event(b, FXT_EVENT_ASYNC_BEGIN, 2, 5);
    event(b, FXT_EVENT_ASYNC_END, 3, 5);
    event(b, FXT_EVENT_ASYNC_END, 4, 5);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "");
    free_bench(b);
}
