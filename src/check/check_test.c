/* The checker over several records: pairing, order, limits, editions, what it forgets. The rules of
   single records have their cases in the conformance vectors. */
#include "src/check/fixture_test.h"

Test(check, a_clean_trace_has_no_findings)
{
    struct bench *b = new_bench();
    prologue(b);
    event(b, FXT_EVENT_DURATION_BEGIN, 1, 0);
    event(b, FXT_EVENT_DURATION_BEGIN, 2, 0);
    event(b, FXT_EVENT_DURATION_END, 3, 0);
    event(b, FXT_EVENT_DURATION_END, 3, 0);
    event(b, FXT_EVENT_ASYNC_BEGIN, 4, 7);
    event(b, FXT_EVENT_ASYNC_INSTANT, 4, 7);
    event(b, FXT_EVENT_ASYNC_END, 5, 7);
    event(b, FXT_EVENT_DURATION_BEGIN, 5, 0);
    event(b, FXT_EVENT_FLOW_BEGIN, 5, 7);
    event(b, FXT_EVENT_FLOW_END, 6, 7);
    event(b, FXT_EVENT_DURATION_END, 6, 0);
    event(b, FXT_EVENT_INSTANT, 6, 0);
    run_check(b, FXT_EDITION_2020);
    expect_findings(b, "");
    free_bench(b);
}

Test(check, a_trace_without_records_has_no_findings)
{
    struct bench *b = new_bench();
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "");
    free_bench(b);
}

Test(check, a_trace_that_does_not_begin_with_the_magic_number_is_suspicious)
{
    struct bench *b = new_bench();
    name(b, 1, "cat");
    magic(b);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "MET-07@0");
    free_bench(b);
}

Test(check, a_duration_end_without_its_begin_is_found_where_it_is)
{
    struct bench *b = new_bench();
    prologue(b);
    event(b, FXT_EVENT_DURATION_BEGIN, 1, 0);
    event(b, FXT_EVENT_DURATION_END, 2, 0);
    event(b, FXT_EVENT_DURATION_END, 3, 0);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "EVT-04@96");
    free_bench(b);
}

Test(check, durations_that_never_end_are_found_at_the_end_by_the_outermost_begin)
{
    struct bench *b = new_bench();
    prologue(b);
    event(b, FXT_EVENT_DURATION_BEGIN, 1, 0);
    event(b, FXT_EVENT_DURATION_BEGIN, 2, 0);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "EVT-04@64");
    cr_assert_eq(b->kept.findings[0].number, 2);
    event(b, FXT_EVENT_DURATION_END, 3, 0); /* of the inner one: the outer begin stays open */
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "EVT-04@64");
    cr_assert_eq(b->kept.findings[0].number, 1);
    free_bench(b);
}

Test(check, durations_nest_on_each_thread_by_itself)
{
    struct bench *b = new_bench();
    prologue(b);
    event(b, FXT_EVENT_DURATION_BEGIN, 1, 0);
    thread(b, 1, 100, 201);
    event(b, FXT_EVENT_DURATION_END, 2, 0);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "EVT-04@104 EVT-04@64");
    free_bench(b);
}

Test(check, an_inline_thread_and_an_indexed_one_of_the_same_koids_are_one_thread)
{
    struct bench *b = new_bench();
    struct fxt_event in = {.event_type = FXT_EVENT_DURATION_END,
                           .timestamp = 9,
                           .category = fxt_string_index(1),
                           .name = fxt_string_index(2),
                           .thread = fxt_thread_inline(100, 200)};
    prologue(b);
    event(b, FXT_EVENT_DURATION_BEGIN, 1, 0);
    cr_assert_eq(fxt_write_event(&b->writer, &in, NULL, 0), FXT_OK);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "");
    free_bench(b);
}

Test(check, time_running_backwards_on_a_thread_is_suspicious_but_for_complete_events)
{
    struct bench *b = new_bench();
    prologue(b);
    event(b, FXT_EVENT_INSTANT, 5, 0);
    event(b, FXT_EVENT_DURATION_COMPLETE, 1, 9);
    event(b, FXT_EVENT_INSTANT, 4, 0);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "EVT-08@112");
    free_bench(b);
}

Test(check, a_complete_duration_that_ends_before_it_begins_is_found_at_its_end_word)
{
    struct bench *b = new_bench();
    prologue(b);
    event(b, FXT_EVENT_DURATION_COMPLETE, 5, 4);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "EVT-05@80");
    free_bench(b);
}

Test(check, asyncs_and_flows_may_come_in_any_order_in_the_file)
{
    struct bench *b = new_bench();
    b->ignored = FXT_RULE_EVT_11;
    prologue(b);
    event(b, FXT_EVENT_FLOW_STEP, 5, 1);
    event(b, FXT_EVENT_FLOW_END, 6, 1);
    event(b, FXT_EVENT_ASYNC_END, 7, 1);
    thread(b, 1, 100, 201);
    event(b, FXT_EVENT_FLOW_BEGIN, 5, 1);
    event(b, FXT_EVENT_ASYNC_BEGIN, 7, 1);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "");
    free_bench(b);
}

Test(check, asyncs_and_flows_need_both_ends)
{
    struct bench *b = new_bench();
    b->ignored = FXT_RULE_EVT_11;
    prologue(b);
    event(b, FXT_EVENT_ASYNC_BEGIN, 1, 1);
    event(b, FXT_EVENT_ASYNC_BEGIN, 2, 1);
    event(b, FXT_EVENT_ASYNC_END, 3, 1);
    event(b, FXT_EVENT_ASYNC_INSTANT, 3, 2);
    event(b, FXT_EVENT_FLOW_STEP, 4, 1);
    run_check(b, FXT_EDITION_CURRENT);
    cr_assert_eq(b->kept.count, 3, "%s", findings(b));
    free_bench(b);
}

Test(check, nothing_of_an_id_lies_before_its_begin_or_behind_its_end)
{
    static const uint64_t times[][4] = {
        {1, 0, 2, 1}, {1, 3, 2, 1}, {2, 1, 1, 1}, {1, 1, 2, 0}, {1, 2, 2, 0}};
    for (unsigned i = 0; i < 5; i++) {
        struct bench *b = new_bench();
        b->ignored = FXT_RULE_EVT_11;
        prologue(b);
        event(b, FXT_EVENT_FLOW_BEGIN, times[i][0], 1);
        thread(b, 1, 100, 201);
        event(b, FXT_EVENT_FLOW_STEP, times[i][1], 1);
        thread(b, 1, 100, 202);
        event(b, FXT_EVENT_FLOW_END, times[i][2], 1);
        run_check(b, FXT_EDITION_CURRENT);
        cr_assert_eq(b->kept.count, times[i][3], "case %u: %s", i, findings(b));
        free_bench(b);
    }
}

Test(check, times_of_a_flow_are_compared_in_nanoseconds)
{
    struct bench *b = new_bench();
    b->ignored = FXT_RULE_EVT_11;
    struct fxt_initialization slow = {.ticks_per_second = 1000};
    prologue(b);
    provider(b, 1, "fast");
    name(b, 1, "cat");
    name(b, 2, "name");
    thread(b, 1, 100, 200);
    event(b, FXT_EVENT_FLOW_BEGIN, 2000000, 1);
    provider(b, 2, "slow");
    cr_assert_eq(fxt_write_initialization(&b->writer, &slow), FXT_OK);
    name(b, 1, "cat");
    name(b, 2, "name");
    thread(b, 1, 101, 201);
    event(b, FXT_EVENT_FLOW_END, 3, 1);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "");
    free_bench(b);
}

Test(check, an_async_id_belongs_to_its_process_and_a_flow_id_to_the_trace)
{
    struct bench *b = new_bench();
    b->ignored = FXT_RULE_EVT_11;
    prologue(b);
    event(b, FXT_EVENT_ASYNC_BEGIN, 1, 1);
    event(b, FXT_EVENT_FLOW_BEGIN, 1, 1);
    thread(b, 1, 101, 201);
    event(b, FXT_EVENT_ASYNC_END, 2, 1);
    event(b, FXT_EVENT_FLOW_END, 2, 1);
    run_check(b, FXT_EDITION_CURRENT);
    cr_assert_eq(b->kept.count, 2);
    cr_assert_eq(b->kept.findings[0].rule, FXT_RULE_EVT_06);
    cr_assert_eq(b->kept.findings[1].rule, FXT_RULE_EVT_06);
    free_bench(b);
}

Test(check, references_are_judged_by_the_tables_of_their_provider)
{
    struct bench *b = new_bench();
    magic(b);
    provider(b, 1, "one");
    name(b, 1, "cat");
    name(b, 2, "name");
    thread(b, 1, 1, 2);
    provider(b, 2, "two");
    event(b, FXT_EVENT_INSTANT, 1, 0);
    section(b, 1);
    event(b, FXT_EVENT_INSTANT, 2, 0);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "STR-02@96 STR-02@96 THR-02@96");
    free_bench(b);
}

Test(check, a_second_magic_number_ends_the_trace_before_and_forgets_its_tables)
{
    struct bench *b = new_bench();
    prologue(b);
    event(b, FXT_EVENT_DURATION_BEGIN, 1, 0);
    magic(b);
    event(b, FXT_EVENT_INSTANT, 0, 0);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "EVT-04@64 STR-02@88 STR-02@88 THR-02@88");
    free_bench(b);
}

Test(check, a_provider_section_needs_an_introduction)
{
    struct bench *b = new_bench();
    magic(b);
    section(b, 9);
    provider(b, 9, "nine");
    section(b, 9);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "MET-03@8");
    free_bench(b);
}

Test(check, a_run_of_zero_words_is_one_finding)
{
    struct bench *b = new_bench();
    magic(b);
    word(b, 0);
    word(b, 0);
    word(b, 0);
    name(b, 1, "a");
    word(b, 0);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "REC-09@8 REC-09@48");
    free_bench(b);
}

Test(check, findings_beyond_those_that_are_kept_are_counted)
{
    struct bench *b = new_bench();
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    uint32_t count = 0;
    /* 15 string arguments of the same inline name with dirty padding, an unregistered value, reserved
       bits and a tail: four findings each, and from the second on a fifth for the name. */
    word(b, 4 + 16 * (2 + 45) + 1048576 * UINT64_C(15) + 16777216 * UINT64_C(1));
    word(b, 0);
    for (unsigned i = 0; i < 15; i++) {
        word(b,
             6 + 16 * 3 + 65536 * UINT64_C(32769) + 4294967296 * UINT64_C(9) + (UINT64_C(1) << 60));
        word(b, UINT64_C(0x0100000000000041));
        word(b, 0);
    }
    fxt_check_init(&b->checker, &b->memory, FXT_EDITION_CURRENT);
    fxt_reader_init(&reader, b->bytes, b->writer.size);
    cr_assert_eq(fxt_reader_next(&reader, &record, &error), FXT_OK);
    count = fxt_check_record(&b->checker, &record);
    /* MET-07, THR-02; REC-05, REC-04, STR-02, REC-08 of each; ARG-06 of all but the first. */
    cr_assert_eq(count, 2 + 15 * 4 + 14);
    cr_assert_eq(b->checker.findings[FXT_FINDINGS_MAX - 1].rule != FXT_RULE_NONE, 1);
    free_bench(b);
}

Test(check, each_argument_gives_all_its_findings_up_to_the_limit)
{
    struct bench *b = new_bench();
    magic(b);
    thread(b, 1, 1, 2);
    word(b, 4 + 16 * (2 + 24) + 1048576 * UINT64_C(12) + 16777216 * UINT64_C(1));
    word(b, 0);
    for (unsigned i = 0; i < 12; i++) {
        word(b, 0 + 16 * 2 + 65536 * (UINT64_C(32768)) + (UINT64_C(1) << 40));
        word(b, 1);
    }
    run_check(b, FXT_EDITION_CURRENT);
    /* STR-06, REC-04, REC-08, ARG-07 of each; ARG-06 of all but the first. */
    cr_assert_eq(b->kept.count, 12 * 4 + 11);
    free_bench(b);
}

Test(check, what_came_after_edition_2020_is_reported_when_asked_for)
{
    struct bench *b = new_bench();
    struct fxt_thread_wakeup wakeup = {.timestamp = 1, .waking_thread = 5};
    struct fxt_backtrace backtrace = {.thread = fxt_thread_inline(1, 2)};
    struct fxt_large_blob large = {.blob_format = FXT_LARGE_BLOB_NO_METADATA};
    magic(b);
    fxt_write_thread_wakeup(&b->writer, &wakeup, NULL, 0);
    fxt_write_backtrace(&b->writer, &backtrace);
    fxt_write_large_blob(&b->writer, &large, NULL, 0);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "");
    run_check(b, FXT_EDITION_2020);
    expect_findings(b, "EDN-01@8 EDN-01@32 EDN-01@64");
    free_bench(b);
}

Test(check, what_came_later_in_an_argument_is_reported_at_the_argument)
{
    struct bench *b = new_bench();
    magic(b);
    name(b, 1, "a");
    word(b, 0x100054); /* an instant event of an inline thread, with one argument */
    word(b, 1);
    word(b, 1);
    word(b, 2);
    word(b, 0x100010019); /* bool, true */
    run_check(b, FXT_EDITION_2020);
    expect_findings(b, "EDN-01@56");
    free_bench(b);
}

Test(check, an_unknown_scheduling_type_is_no_matter_of_the_edition)
{
    struct bench *b = new_bench();
    magic(b);
    word(b, 0x3000000000000018);
    run_check(b, FXT_EDITION_2020);
    expect_findings(b, "SCH-02@8");
    free_bench(b);
}

Test(check, the_first_record_is_the_magic_number_whatever_stands_before_it)
{
    struct bench *b = new_bench();
    word(b, 0);
    name(b, 1, "a");
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "REC-09@0 MET-07@8");
    free_bench(b);

    b = new_bench();
    word(b, 0);
    magic(b);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "REC-09@0");
    free_bench(b);
}

Test(check, trace_info_of_another_type_is_not_the_magic_number_and_a_broken_one_is_MET_06_alone)
{
    struct bench *b = new_bench();
    word(b, 0x340010);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "MET-07@0 MET-05@0");
    free_bench(b);

    b = new_bench();
    word(b, 0x40010);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "MET-06@0");
    free_bench(b);
}

Test(check, argument_names_are_empty_and_equal_however_they_are_written)
{
    struct bench *b = new_bench();
    magic(b);
    name(b, 1, "");
    word(b, 0x500094); /* an instant event of an inline thread, with five arguments */
    word(b, 1);
    word(b, 1);
    word(b, 2);
    word(b, 0x12);       /* ref 0 */
    word(b, 0x80000012); /* inline, of length 0 */
    word(b, 0x10012);    /* indexed, registered as empty */
    word(b, 0x70012);    /* not registered: nothing is known of it */
    word(b, 0x70012);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "STT-04@8 ARG-07@48 STR-06@56 ARG-07@56 ARG-06@56 ARG-07@64 ARG-06@64 "
                       "STR-02@72 STR-02@80");
    free_bench(b);
}

Test(check, full_thread_memory_is_said_once_and_silences_what_it_makes_uncertain)
{
    struct bench *b = new_bench();
    free_bench(b);
    b = calloc(1, sizeof *b);
    set_memory(b, 1, 1024, 0, 2, 2);
    fxt_writer_init(&b->writer, b->bytes, sizeof b->bytes);
    prologue(b);
    for (uint64_t koid = 0; koid < 5; koid++) {
        thread(b, 1, 7, koid);
        event(b, FXT_EVENT_DURATION_END, 1, 0);
    }
    run_check(b, FXT_EDITION_CURRENT);
    cr_assert_eq(b->kept.count, 2, "%s", findings(b));
    cr_assert_eq(b->kept.findings[0].rule, FXT_RULE_EVT_04);
    cr_assert_eq(b->kept.findings[1].rule, FXT_RULE_LIM_01);
    free_bench(b);
}

Test(check, full_string_memory_is_said_once_and_references_are_no_longer_judged)
{
    struct bench *b = new_bench();
    free_bench(b);
    b = calloc(1, sizeof *b);
    set_memory(b, 1, 64, 0, 2, 2);
    fxt_writer_init(&b->writer, b->bytes, sizeof b->bytes);
    prologue(b);
    name(b, 3, "a text that has no room left for it");
    name(b, 1, "nor has this one, so the index is free again");
    event(b, FXT_EVENT_INSTANT, 1, 0);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "LIM-01@64");
    free_bench(b);
}

Test(check, a_checker_may_be_used_again_in_the_same_memory)
{
    struct bench *b = new_bench();
    prologue(b);
    event(b, FXT_EVENT_DURATION_BEGIN, 1, 0);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "EVT-04@64");
    fxt_writer_init(&b->writer, b->bytes, sizeof b->bytes);
    magic(b);
    event(b, FXT_EVENT_DURATION_END, 1, 0);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "STR-02@8 STR-02@8 THR-02@8");
    free_bench(b);
}
