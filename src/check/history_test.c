/* Flow events outside of durations, complete durations that overlap, context switches, and ticks per
   second that change: what is found, and what is not. */
#include "src/check/fixture_test.h"

/* One event of thread 1: a letter and its time or times. B and E begin and end a duration, C is a
   complete one, F a flow step. */
struct step {
    char what;
    uint64_t time;
    uint64_t end;
};

/* The findings of these events behind the prologue of 64 bytes; those of flow ids do not count. */
static const char *found_in(const struct step *steps, unsigned count)
{
    static const uint8_t types[] = {['B'] = FXT_EVENT_DURATION_BEGIN,
                                    ['C'] = FXT_EVENT_DURATION_COMPLETE,
                                    ['E'] = FXT_EVENT_DURATION_END,
                                    ['F'] = FXT_EVENT_FLOW_STEP};
    static char text[1024];
    struct bench *b = new_bench();
    b->ignored = FXT_RULE_EVT_07;
    prologue(b);
    for (unsigned i = 0; i < count; i++)
        event(b, types[(unsigned char)steps[i].what], steps[i].time, steps[i].end);
    run_check(b, FXT_EDITION_CURRENT);
    snprintf(text, sizeof text, "%.1023s", findings(b));
    free_bench(b);
    return text;
}

#define FOUND(...)                                                                                 \
    found_in((struct step[]){__VA_ARGS__},                                                         \
             sizeof((struct step[]){__VA_ARGS__}) / sizeof(struct step))

Test(history, a_flow_event_lies_inside_a_duration)
{
    cr_expect_str_eq(FOUND({'B', 1, 0}, {'F', 2, 7}, {'E', 3, 0}), "");
    cr_expect_str_eq(FOUND({'F', 2, 7}), "EVT-11@64");
    cr_expect_str_eq(FOUND({'B', 1, 0}, {'E', 2, 0}, {'F', 2, 7}), "EVT-11@96");
    cr_expect_str_eq(FOUND({'F', 1, 7}, {'F', 2, 7}), "EVT-11@64", "the first of a thread");
}

Test(history, a_complete_duration_encloses_flow_events_before_it_and_after_it)
{
    cr_expect_str_eq(FOUND({'F', 2, 7}, {'C', 1, 3}), "");
    cr_expect_str_eq(FOUND({'C', 1, 3}, {'F', 2, 7}), "");
    cr_expect_str_eq(FOUND({'C', 1, 3}, {'F', 3, 7}), "");
    cr_expect_str_eq(FOUND({'F', 1, 7}, {'F', 2, 7}, {'C', 0, 3}), "");
    cr_expect_str_eq(FOUND({'C', 1, 3}, {'F', 4, 7}), "EVT-11@88");
    cr_expect_str_eq(FOUND({'F', 1, 7}, {'C', 2, 3}), "EVT-11@64");
    cr_expect_str_eq(FOUND({'F', 1, 7}, {'C', 1, 2}, {'F', 3, 7}), "EVT-11@112");
    cr_expect_str_eq(FOUND({'F', 0, 7}), "EVT-11@64", "at time 0");
    cr_expect_str_eq(FOUND({'F', 2, 7}, {'C', 3, 1}), "EVT-05@104 EVT-11@64",
                     "what ends before it begins encloses nothing");
}

Test(history, flow_events_before_an_end_without_a_begin_are_inside)
{
    cr_expect_str_eq(FOUND({'F', 2, 7}, {'E', 3, 0}), "EVT-04@88");
    cr_expect_str_eq(FOUND({'F', 2, 7}, {'E', 3, 0}, {'F', 4, 7}), "EVT-04@88 EVT-11@104");
}

Test(history, a_thread_may_have_a_flow_event_outside_and_an_open_begin)
{
    cr_expect_str_eq(FOUND({'F', 2, 7}, {'B', 3, 0}), "EVT-04@88 EVT-11@64");
}

Test(history, durations_of_other_threads_enclose_nothing)
{
    struct bench *b = new_bench();
    prologue(b);
    thread(b, 2, 100, 201);
    event(b, FXT_EVENT_DURATION_BEGIN, 1, 0);
    thread(b, 1, 100, 201);
    event(b, FXT_EVENT_FLOW_BEGIN, 2, 7);
    event(b, FXT_EVENT_FLOW_END, 2, 7);
    thread(b, 1, 100, 200);
    event(b, FXT_EVENT_DURATION_END, 3, 0);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "EVT-11@128");
    cr_expect_eq(b->kept.findings[0].number, 7);
    free_bench(b);
}

Test(history, complete_durations_that_nest_or_do_not_overlap_are_no_finding)
{
    cr_expect_str_eq(FOUND({'C', 2, 3}, {'C', 4, 5}, {'C', 1, 6}, {'C', 7, 8}), "");
    cr_expect_str_eq(FOUND({'C', 1, 6}, {'C', 2, 3}, {'C', 4, 5}, {'C', 7, 8}), "");
    cr_expect_str_eq(FOUND({'C', 1, 3}, {'C', 3, 5}), "", "one begins when the other ends");
    cr_expect_str_eq(FOUND({'C', 1, 3}, {'C', 1, 5}), "");
    cr_expect_str_eq(FOUND({'C', 1, 5}, {'C', 3, 5}), "");
    cr_expect_str_eq(FOUND({'C', 1, 5}, {'C', 1, 5}), "");
    cr_expect_str_eq(FOUND({'C', 1, 5}, {'C', 3, 3}), "");
    cr_expect_str_eq(FOUND({'C', 5, 1}, {'C', 3, 7}), "EVT-05@80");
}

Test(history, complete_durations_that_overlap_are_found_at_the_later_record)
{
    cr_expect_str_eq(FOUND({'C', 1, 3}, {'C', 2, 4}), "EVT-12@88");
    cr_expect_str_eq(FOUND({'C', 2, 4}, {'C', 1, 3}), "EVT-12@88");
    cr_expect_str_eq(FOUND({'C', 0, 9}, {'C', 1, 2}, {'C', 3, 4}, {'C', 5, 10}), "EVT-12@136");
    cr_expect_str_eq(FOUND({'C', 1, 3}, {'C', 4, 6}, {'C', 2, 7}), "EVT-12@112");
}

Test(history, complete_durations_of_two_threads_may_overlap)
{
    struct bench *b = new_bench();
    prologue(b);
    event(b, FXT_EVENT_DURATION_COMPLETE, 1, 3);
    thread(b, 1, 100, 201);
    event(b, FXT_EVENT_DURATION_COMPLETE, 2, 4);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "");
    free_bench(b);
}

/* More than are kept of a thread, in both orders: what nests is never a finding. */
Test(history, deep_nesting_is_no_finding)
{
    struct bench *b = new_bench();
    prologue(b);
    for (uint64_t i = 1; i <= 100; i++)
        event(b, FXT_EVENT_DURATION_COMPLETE, 1000 - i, 1000 + i);
    for (uint64_t i = 1; i <= 100; i++)
        event(b, FXT_EVENT_DURATION_COMPLETE, 2000 + i, 3000 - i);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "");
    free_bench(b);
}

static void context_switch(struct bench *b, uint16_t cpu, uint64_t timestamp, uint64_t outgoing,
                           uint64_t incoming)
{
    struct fxt_context_switch in = {.timestamp = timestamp,
                                    .outgoing_thread = outgoing,
                                    .incoming_thread = incoming,
                                    .cpu = cpu,
                                    .outgoing_state = FXT_THREAD_BLOCKED};
    cr_assert_eq(fxt_write_context_switch(&b->writer, &in, NULL, 0), FXT_OK);
}

Test(history, context_switches_of_a_processor_follow_on_each_other)
{
    struct bench *b = new_bench();
    magic(b);
    context_switch(b, 0, 100, 1, 2);
    context_switch(b, 1, 50, 1, 7);
    context_switch(b, 0, 100, 2, 3);
    context_switch(b, 1, 60, 7, 0);
    context_switch(b, 1, 70, 0, 0);
    context_switch(b, 0, 120, 3, 1);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "");
    free_bench(b);
}

Test(history, context_switches_that_run_backwards_on_a_processor_are_found)
{
    struct bench *b = new_bench();
    magic(b);
    context_switch(b, 0, 200, 1, 2);
    context_switch(b, 0, 100, 2, 3);
    context_switch(b, 0, 300, 2, 4);
    context_switch(b, 0, 400, 4, 5);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "SCH-06@48");
    cr_expect_eq(b->kept.findings[0].number, 100);
    free_bench(b);
}

Test(history, a_thread_that_leaves_a_processor_had_come_to_it)
{
    struct bench *b = new_bench();
    magic(b);
    context_switch(b, 0, 100, 1, 2);
    context_switch(b, 0, 200, 3, 4);
    context_switch(b, 0, 300, 4, 5);
    context_switch(b, 1, 300, 9, 5);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "SCH-07@40");
    cr_expect_eq(b->kept.findings[0].number, 3);
    free_bench(b);
}

Test(history, a_context_switch_to_the_same_thread_is_found)
{
    struct bench *b = new_bench();
    magic(b);
    context_switch(b, 0, 100, 5, 5);
    context_switch(b, 0, 200, 6, 6);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "SCH-08@8 SCH-08@40 SCH-07@40");
    free_bench(b);
}

static void legacy_switch(struct bench *b, uint64_t timestamp, struct fxt_thread_ref outgoing,
                          struct fxt_thread_ref incoming)
{
    struct fxt_legacy_switch in = {.timestamp = timestamp,
                                   .outgoing = outgoing,
                                   .incoming = incoming,
                                   .outgoing_state = FXT_THREAD_BLOCKED};
    cr_assert_eq(fxt_write_legacy_switch(&b->writer, &in), FXT_OK);
}

/* Legacy or not, they are one row of switches; a ref that is not registered says nothing. */
Test(history, legacy_switches_are_followed_by_their_koids)
{
    struct bench *b = new_bench();
    magic(b);
    thread(b, 1, 100, 1);
    thread(b, 2, 100, 2);
    legacy_switch(b, 10, fxt_thread_index(1), fxt_thread_index(2));
    context_switch(b, 0, 20, 2, 1);
    legacy_switch(b, 30, fxt_thread_inline(100, 1), fxt_thread_index(9));
    legacy_switch(b, 40, fxt_thread_index(1), fxt_thread_index(2));
    legacy_switch(b, 50, fxt_thread_index(1), fxt_thread_inline(100, 1));
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "THR-02@104 SCH-08@152 SCH-07@152");
    free_bench(b);
}

Test(history, each_provider_follows_its_processors_by_itself)
{
    struct bench *b = new_bench();
    magic(b);
    provider(b, 1, "");
    context_switch(b, 0, 200, 1, 2);
    provider(b, 2, "");
    context_switch(b, 0, 100, 3, 4);
    section(b, 1);
    context_switch(b, 0, 300, 2, 1);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "");
    free_bench(b);
}

/* Processor 7 is not thread 7 of process 0. */
Test(history, a_processor_is_no_thread)
{
    struct bench *b = new_bench();
    prologue(b);
    context_switch(b, 7, 200, 1, 2);
    thread(b, 1, 0, 7);
    event(b, FXT_EVENT_INSTANT, 100, 0);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "");
    free_bench(b);
}

Test(history, more_processors_than_fit_give_one_finding)
{
    struct bench *b = new_bench();
    magic(b);
    for (uint16_t cpu = 0; cpu < 64; cpu++)
        context_switch(b, cpu, 100, 1, 2);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "LIM-01@1032");
    free_bench(b);
}

static void ticks(struct bench *b, uint64_t rate)
{
    struct fxt_initialization in = {.ticks_per_second = rate};
    cr_assert_eq(fxt_write_initialization(&b->writer, &in), FXT_OK);
}

Test(history, a_first_rate_behind_a_timestamp_is_a_change_unless_it_is_the_default)
{
    struct bench *b = new_bench();
    prologue(b);
    event(b, FXT_EVENT_INSTANT, 1, 0);
    ticks(b, 1000);
    provider(b, 1, "");
    context_switch(b, 0, 1, 1, 2);
    ticks(b, 1000000000);
    provider(b, 2, "");
    ticks(b, 1000);
    event(b, FXT_EVENT_INSTANT, 1, 0);
    provider(b, 3, "");
    context_switch(b, 0, 1, 1, 2);
    ticks(b, 1000);
    b->ignored = FXT_RULE_STR_02;
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "INI-03@88 THR-02@176 INI-03@240");
    cr_expect_eq(b->kept.findings[0].number, 1000);
    free_bench(b);
}

Test(history, a_refused_record_has_no_timestamp)
{
    struct bench *b = new_bench();
    prologue(b);
    word(b, 0x0000000000000014);           /* an event of one word */
    word(b, UINT64_C(0x7000000000000028)); /* a scheduling record of type 7 */
    word(b, 0);
    ticks(b, 1000);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "EVT-01@72 SCH-02@72");
    free_bench(b);
}
