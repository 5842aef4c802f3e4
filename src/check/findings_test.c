/* What fuzzing found: the order of findings, the scope of edition 2020, and providers for which
   there is no memory. */
#include "src/check/fixture_test.h"

static void words(struct bench *b, const uint64_t *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        word(b, values[i]);
}

Test(check_findings, those_of_one_record_are_in_the_order_of_their_offsets)
{
    struct bench *b = new_bench();
    /* An inline category that is not UTF-8, behind it a name that is not registered. */
    const uint64_t event[] = {UINT64_C(0x0007800101000034), 5, UINT64_C(0xff)};
    magic(b);
    thread(b, 1, 7, 8);
    words(b, event, 3);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "STR-02@32 STR-05@48");
    free_bench(b);
}

Test(check_findings, what_a_new_trace_finds_unfinished_is_in_order_too)
{
    struct bench *b = new_bench();
    prologue(b);
    for (uint64_t koid = 1; koid <= 8; koid++) {
        thread(b, 1, 7, koid);
        event(b, FXT_EVENT_DURATION_BEGIN, 1, 0);
    }
    magic(b);
    run_check(b, FXT_EDITION_CURRENT);
    cr_assert_eq(b->kept.count, 8, "%s", findings(b));
    for (uint32_t i = 1; i < 8; i++)
        cr_expect_lt(b->kept.findings[i - 1].offset, b->kept.findings[i].offset);
    free_bench(b);
}

Test(check_findings, a_scope_that_is_none_is_a_tail_in_edition_2020)
{
    struct bench *b = new_bench();
    const uint64_t event[] = {UINT64_C(0x0000000001000044), 5, 3, 0};
    magic(b);
    thread(b, 1, 7, 8);
    words(b, event, 4);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "EVT-10@48 REC-08@56");
    run_check(b, FXT_EDITION_2020);
    expect_findings(b, "REC-08@48");
    cr_expect_eq(b->kept.findings[0].number, 2);
    free_bench(b);
}

static struct bench *bench_of_providers(uint32_t providers, uint64_t arena)
{
    struct bench *b = calloc(1, sizeof *b);
    set_memory(b, providers, arena, 0, 8, 8);
    fxt_writer_init(&b->writer, b->bytes, sizeof b->bytes);
    prologue(b);
    return b;
}

/* Providers 0 and 4 fit. The records of 5, which takes the place of 4, must not be held against 0, and
   what 5 defined before 4 came back is unknown. */
Test(check_findings, records_of_a_provider_without_memory_do_not_count_as_those_of_another)
{
    struct bench *b = bench_of_providers(2, 1024);
    struct fxt_initialization slow = {.ticks_per_second = 10};
    struct fxt_initialization fast = {.ticks_per_second = 20};
    struct fxt_provider_info first = {.provider_id = 4};
    struct fxt_provider_info other = {.provider_id = 5};
    struct fxt_provider_section again = {.provider_id = 5};
    struct fxt_provider_section back = {.provider_id = 0};
    fxt_write_provider_info(&b->writer, &first);
    fxt_write_provider_section(&b->writer, &back);
    fxt_write_initialization(&b->writer, &slow);
    event(b, FXT_EVENT_INSTANT, 10, 0);
    fxt_write_provider_info(&b->writer, &other);
    fxt_write_initialization(&b->writer, &fast);
    thread(b, 1, 100, 200);
    name(b, 1, "another");
    event(b, FXT_EVENT_DURATION_END, 5, 0);
    fxt_write_provider_section(&b->writer, &back);
    event(b, FXT_EVENT_INSTANT, 9, 0);
    fxt_write_initialization(&b->writer, &slow); /* is no change: the other one was not its own */
    fxt_write_provider_section(&b->writer, &again);
    event(b, FXT_EVENT_INSTANT, 5, 0);
    fxt_write_initialization(&b->writer, &fast); /* as before */
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "MET-03@72 LIM-01@112 EVT-08@208");
    free_bench(b);
}

Test(check_findings, a_full_arena_takes_no_place_from_the_last_provider)
{
    struct bench *b = bench_of_providers(1, 64);
    event(b, FXT_EVENT_DURATION_BEGIN, 1, 0);
    name(b, 3, "a text that has no room left for it, because the arena has 64 bytes");
    section(b, 0);
    event(b, FXT_EVENT_DURATION_END, 2, 0);
    event(b, FXT_EVENT_INSTANT, 1, 0);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "LIM-01@80 EVT-08@192");
    free_bench(b);
}

/* The end is not looked at, because 5 has taken the place of 4, and with it what 4 defined. */
Test(check_findings, a_duration_of_a_provider_that_lost_its_place_is_not_called_unfinished)
{
    struct bench *b = bench_of_providers(2, 1024);
    provider(b, 4, "four");
    name(b, 1, "cat");
    name(b, 2, "name");
    thread(b, 1, 100, 201);
    event(b, FXT_EVENT_DURATION_BEGIN, 1, 0);
    provider(b, 5, "five");
    section(b, 4);
    event(b, FXT_EVENT_DURATION_END, 2, 0);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "LIM-01@152");
    free_bench(b);
}

/* Its header would be the end time of the event, if it were an argument of no words. */
Test(check_findings, an_argument_of_size_0_and_of_a_rare_type_is_malformed_in_a_plain_event_too)
{
    for (uint64_t type = 0; type < 16; type++) {
        struct bench *b = new_bench();
        const uint64_t complete[] = {UINT64_C(0x0002000101140034), 5, type | UINT64_C(0x20000)};
        prologue(b);
        event(b, FXT_EVENT_INSTANT, 1, 0);
        words(b, complete, 3);
        run_check(b, FXT_EDITION_CURRENT);
        cr_expect_str_eq(findings(b), "ARG-02@96", "type %d: %s", (int)type, findings(b));
        free_bench(b);
    }
}

Test(check_findings, a_text_of_over_32000_bytes_is_found_in_a_plain_event_too)
{
    static char text[32002];
    struct bench *b = new_bench();
    struct fxt_event in = {.category = fxt_string_index(1),
                           .name = fxt_string_index(2),
                           .thread = fxt_thread_index(1)};
    memset(text, 'x', sizeof text);
    prologue(b);
    for (uint16_t length = 31999; length <= 32001; length++) {
        struct fxt_arg arg = fxt_make_string(fxt_string_index(1), fxt_string_inline(text, length));
        cr_assert_eq(fxt_write_event(&b->writer, &in, &arg, 1), FXT_OK);
    }
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "STR-04@64136");
    cr_expect_eq(b->kept.findings[0].number, 32001);
    free_bench(b);
}

Test(check_findings, a_record_that_is_passed_over_is_the_first_one_all_the_same)
{
    struct bench *b = new_bench();
    struct fxt_error passed = {.offset = 0, .status = FXT_FULL, .rule = FXT_RULE_LIM_02};
    struct fxt_record record = {.bytes = b->bytes, .offset = 80000, .words = 1, .header = 0x1b};
    fxt_check_init(&b->checker, &b->memory, FXT_EDITION_CURRENT);
    keep_all(b, fxt_check_error(&b->checker, &passed));
    expect_findings(b, "MET-07@0 LIM-02@0");
    record.type = 11;
    keep_all(b, fxt_check_record(&b->checker, &record));
    passed.offset = 80008;
    keep_all(b, fxt_check_error(&b->checker, &passed));
    expect_findings(b, "MET-07@0 LIM-02@0 REC-06@80000 LIM-02@80008");
    free_bench(b);
}

Test(check_findings, an_argument_that_no_counter_may_have_is_named_by_its_type)
{
    static const uint16_t types[] = {FXT_ARG_NULL, FXT_ARG_STRING, FXT_ARG_POINTER, FXT_ARG_KOID};
    for (unsigned i = 0; i < sizeof types / sizeof *types; i++) {
        struct bench *b = new_bench();
        const struct fxt_event in = {.event_type = FXT_EVENT_COUNTER,
                                     .category = fxt_string_index(1),
                                     .name = fxt_string_index(2),
                                     .thread = fxt_thread_index(1)};
        const struct fxt_arg args[] = {fxt_make_int32(fxt_string_index(1), 1),
                                       fxt_make_arg(types[i], fxt_string_index(2), 1)};
        prologue(b);
        cr_assert_eq(fxt_write_event(&b->writer, &in, args, 2), FXT_OK);
        run_check(b, FXT_EDITION_CURRENT);
        expect_findings(b, "EVT-09@88");
        cr_expect_eq(b->kept.findings[0].number, types[i]);
        free_bench(b);
    }
}
