/* Threads, asyncs and flows whose keys differ in one part only are told apart, also when they lie
   in each other's way in the table; what a trace has noted is gone in the next one. */
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

/* A checker with room for so many threads and so many asyncs or flows. */
static struct bench *small_bench(uint32_t threads, uint32_t opens)
{
    struct bench *b = calloc(1, sizeof *b);
    set_memory(b, 1, 1024, 0, 2 * threads, 2 * opens);
    fxt_writer_init(&b->writer, b->bytes, sizeof b->bytes);
    return b;
}

Test(pairs, what_was_not_noted_for_lack_of_memory_is_not_called_unfinished)
{
    struct bench *b = small_bench(1, 1);
    prologue(b);
    event(b, FXT_EVENT_FLOW_BEGIN, 1, 5);
    event(b, FXT_EVENT_FLOW_BEGIN, 1, 6);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "LIM-01@88");
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
    event(b, FXT_EVENT_FLOW_BEGIN, 1, 5);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "EVT-07@64");
    free_bench(b);
}
