#include "src/convert/chrome_test.h"

#include <criterion/criterion.h>

static struct chrome_test test;

static void init(void)
{
    chrome_test_init(&test);
}

TestSuite(chrome_sched, .init = init);

static void expect(const char *lines)
{
    chrome_test_run(&test);
    const char *body = strchr(test.text, '[') + 1;
    *strstr(test.text, "\n],\"otherData\"") = 0;
    cr_assert_str_eq(body, lines);
}

static void write_switch(uint16_t cpu, uint64_t timestamp, uint64_t outgoing, uint64_t incoming)
{
    struct fxt_context_switch in = {.cpu = cpu,
                                    .timestamp = timestamp,
                                    .outgoing_thread = outgoing,
                                    .incoming_thread = incoming,
                                    .outgoing_state = FXT_THREAD_BLOCKED};
    cr_assert_eq(fxt_write_context_switch(&test.writer, &in, NULL, 0), FXT_OK);
}

static void write_instant(uint64_t timestamp)
{
    const struct fxt_event in = {
        .timestamp = timestamp, .thread = {1, 2, 0}, .event_type = FXT_EVENT_INSTANT};
    cr_assert_eq(fxt_write_event(&test.writer, &in, NULL, 0), FXT_OK);
}

static void write_name(uint8_t type, uint64_t koid, uint64_t process, const char *name)
{
    struct fxt_kernel_object object = {
        .object_type = type, .koid = koid, .name = chrome_test_string(name)};
    struct fxt_arg arg = {
        .name = chrome_test_string("process"), .type = FXT_ARG_KOID, .value = process};
    fxt_write_kernel_object(&test.writer, &object, &arg, process != 0);
}

#define CPUS "\n{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":4000000000,\"tid\":3,"           \
             "\"args\":{\"name\":\"CPUs\"}},"
#define CPU(n) "\n{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":4000000000,\"tid\":" n ","      \
               "\"args\":{\"name\":\"CPU " n "\"}}"
#define RAN(ts, dur, cpu, name, args)                                                            \
    "\n{\"ph\":\"X\",\"ts\":" ts ",\"dur\":" dur ",\"pid\":4000000000,\"tid\":" cpu              \
    ",\"cat\":\"sched\",\"name\":\"" name "\",\"args\":{" args "}}"

Test(chrome_sched, a_thread_runs_from_switch_to_switch)
{
    write_switch(3, 1000, 5, 11); // of thread 5 the begin is not known
    write_switch(3, 3500, 11, 12);
    write_switch(3, 4000, 12, 0); // idle
    write_switch(3, 9000, 0, 11);
    expect(CPUS CPU("3") ","
           RAN("1.000", "2.500", "3", "thread 11", "\"thread\":11,\"state\":\"blocked\"") ","
           RAN("3.500", "0.500", "3", "thread 12", "\"thread\":12,\"state\":\"blocked\"") ","
           RAN("9.000", "0.000", "3", "thread 11", "\"thread\":11"));
}

Test(chrome_sched, a_thread_that_runs_at_the_end_runs_until_the_last_time_of_the_trace)
{
    write_switch(3, 1000, 0, 11);
    write_instant(9000);
    chrome_test_run(&test);
    cr_expect_not_null(strstr(test.text, "\"ts\":1.000,\"dur\":8.000,"), "%s", test.text);
}

static void write_provider(uint32_t id)
{
    const struct fxt_provider_info info = {.provider_id = id};
    cr_assert_eq(fxt_write_provider_info(&test.writer, &info), FXT_OK);
}

static void write_section(uint32_t id)
{
    const struct fxt_provider_section section = {.provider_id = id};
    cr_assert_eq(fxt_write_provider_section(&test.writer, &section), FXT_OK);
}

static struct fxt_arg weight_arg(const char *name, int32_t weight)
{
    return (struct fxt_arg){
        .name = chrome_test_string(name), .type = FXT_ARG_INT32, .value = (uint32_t)weight};
}

static void write_weights(uint64_t timestamp, uint64_t outgoing, int32_t outgoing_weight,
                          uint64_t incoming, int32_t incoming_weight)
{
    const struct fxt_context_switch in = {.cpu = 3,
                                          .timestamp = timestamp,
                                          .outgoing_thread = outgoing,
                                          .incoming_thread = incoming,
                                          .outgoing_state = FXT_THREAD_BLOCKED};
    const struct fxt_arg args[] = {weight_arg("incoming_weight", incoming_weight),
                                   weight_arg("outgoing_weight", outgoing_weight)};
    cr_assert_eq(fxt_write_context_switch(&test.writer, &in, args, 2), FXT_OK);
}

Test(chrome_sched, a_thread_of_the_least_weight_is_idle)
{
    write_weights(1000, 2, 10, 9, INT32_MIN);
    write_weights(2000, 9, INT32_MIN, 2, 10);
    write_weights(3000, 2, 10, 8, INT32_MIN + 1);
    expect(CPUS CPU("3") ","
           RAN("2.000", "1.000", "3", "thread 2", "\"thread\":2,\"state\":\"blocked\","
               "\"incoming_weight\":-2147483647,\"outgoing_weight\":10") ","
           RAN("3.000", "0.000", "3", "thread 8", "\"thread\":8"));
}

Test(chrome_sched, a_thread_of_no_process_and_priority_0_is_idle)
{
    struct fxt_legacy_switch in = {.cpu = 3,
                                   .timestamp = 1000,
                                   .outgoing = fxt_thread_inline(1, 2),
                                   .incoming = fxt_thread_inline(0, 9),
                                   .outgoing_priority = 16};
    cr_assert_eq(fxt_write_legacy_switch(&test.writer, &in), FXT_OK);
    in.timestamp = 2000;
    in.outgoing = in.incoming;
    in.incoming = fxt_thread_inline(1, 2);
    in.outgoing_priority = 0;
    cr_assert_eq(fxt_write_legacy_switch(&test.writer, &in), FXT_OK);
    expect(CPUS CPU("3") "," RAN("2.000", "0.000", "3", "thread 2",
                                 "\"thread\":2,\"incoming_priority\":0"));
}

Test(chrome_sched, each_provider_has_its_own_cpus)
{
    const struct fxt_thread_wakeup wakeup = {.cpu = 3, .timestamp = 2500, .waking_thread = 12};
    write_provider(7);
    write_switch(3, 1000, 0, 11);
    write_provider(8);
    write_switch(3, 2000, 0, 12);
    fxt_write_thread_wakeup(&test.writer, &wakeup, NULL, 0);
    write_section(7);
    write_switch(3, 3000, 11, 0);
    write_section(8);
    write_switch(3, 4000, 12, 0);
    expect(CPUS CPU("3") ",\n{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":4000000000,\"tid\":65539,"
           "\"args\":{\"name\":\"CPU 3 of provider 8\"}},"
           "\n{\"ph\":\"i\",\"ts\":2.500,\"s\":\"t\",\"pid\":4000000000,\"tid\":65539,"
           "\"cat\":\"sched\",\"name\":\"wakeup\",\"args\":{\"thread\":12,\"name\":\"thread 12\"}},"
           RAN("1.000", "2.000", "3", "thread 11", "\"thread\":11,\"state\":\"blocked\"") ","
           RAN("2.000", "2.000", "65539", "thread 12", "\"thread\":12,\"state\":\"blocked\""));
}

Test(chrome_sched, the_first_provider_with_cpus_of_each_trace_has_the_same_tracks)
{
    write_provider(7);
    write_instant(500);
    write_provider(8);
    write_switch(3, 1000, 0, 11);
    write_switch(3, 2000, 11, 0);
    fxt_write_magic(&test.writer);
    write_provider(7);
    write_switch(3, 1000, 0, 12);
    chrome_test_run(&test);
    cr_expect_eq(chrome_test_count(&test, "\"tid\":3,\"cat\":\"sched\""), 2, "%s", test.text);
}

Test(chrome_sched, records_of_a_cpu_without_a_place_are_left_out_and_counted)
{
    const struct fxt_thread_wakeup wakeup = {.cpu = 7, .timestamp = 5, .waking_thread = 12};
    write_provider(7);
    for (uint32_t cpu = 0; cpu < 65536; cpu += 64)
        write_switch((uint16_t)cpu, 1, 0, 11);
    write_switch(65535, 2, 0, 11);
    write_provider(8);
    write_switch(3, 3, 0, 12);
    fxt_write_thread_wakeup(&test.writer, &wakeup, NULL, 0);
    chrome_test_run(&test);
    cr_expect_eq(test.chrome.omitted.cpus, 2);
    cr_expect_eq(chrome_test_count(&test, "\"cat\":\"sched\""), 1025);
}

Test(chrome_sched, threads_are_named_by_their_kernel_objects)
{
    write_name(FXT_OBJECT_THREAD, 11, 4, "wor\"ker");
    write_switch(3, 1000, 5, 11);
    write_switch(3, 2000, 11, 0);
    expect("\n{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":4,\"tid\":11,"
           "\"args\":{\"name\":\"wor\\\"ker\"}}," CPUS CPU("3") ","
           RAN("1.000", "1.000", "3", "wor\\\"ker",
               "\"thread\":11,\"process\":4,\"state\":\"blocked\""));
}

Test(chrome_sched, cpus_run_side_by_side_until_the_last_record)
{
    write_switch(3, 1000, 0, 11);
    write_switch(65535, 2000, 0, 12);
    expect(CPUS CPU("3") "," CPU("65535") ","
           RAN("1.000", "1.000", "3", "thread 11", "\"thread\":11") ","
           RAN("2.000", "0.000", "65535", "thread 12", "\"thread\":12"));
}

Test(chrome_sched, a_state_is_told_only_of_the_thread_that_it_belongs_to)
{
    write_switch(3, 1000, 0, 11);
    write_switch(3, 2000, 99, 0); // the switch from 11 to 99 is missing
    expect(CPUS CPU("3") "," RAN("1.000", "1.000", "3", "thread 11", "\"thread\":11"));
}

Test(chrome_sched, a_new_trace_starts_with_idle_cpus)
{
    write_switch(3, 1000, 0, 11);
    fxt_write_magic(&test.writer);
    write_switch(3, 500, 12, 13);
    expect(CPUS CPU("3") "," RAN("1.000", "0.000", "3", "thread 11", "\"thread\":11") "," CPU("3") ","
           RAN("0.500", "0.000", "3", "thread 13", "\"thread\":13"));
}

Test(chrome_sched, the_threads_of_a_trace_keep_their_names_when_another_one_follows)
{
    write_name(FXT_OBJECT_THREAD, 11, 4, "worker");
    write_switch(3, 1000, 0, 11);
    write_switch(3, 2000, 11, 0);
    fxt_write_magic(&test.writer);
    write_switch(3, 500, 0, 11);
    expect("\n{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":4,\"tid\":11,"
           "\"args\":{\"name\":\"worker\"}}," CPUS CPU("3") ","
           RAN("1.000", "1.000", "3", "worker",
               "\"thread\":11,\"process\":4,\"state\":\"blocked\"") "," CPU("3") ","
           RAN("0.500", "0.000", "3", "thread 11", "\"thread\":11"));
}

Test(chrome_sched, legacy_switches_resolve_their_threads_and_tell_priorities)
{
    struct fxt_thread thread = {.index = 1, .process = 1, .thread = UINT64_C(1) << 63};
    struct fxt_legacy_switch in = {.cpu = 3,
                                   .timestamp = 1000,
                                   .outgoing = fxt_thread_index(2), // not registered
                                   .incoming = fxt_thread_index(1)};
    fxt_write_thread(&test.writer, &thread);
    cr_assert_eq(fxt_write_legacy_switch(&test.writer, &in), FXT_OK);
    in.timestamp = 2000;
    in.outgoing = fxt_thread_inline(1, UINT64_C(1) << 63);
    in.incoming = fxt_thread_index(2);
    in.outgoing_state = FXT_THREAD_DEAD;
    in.incoming_priority = 17;
    cr_assert_eq(fxt_write_legacy_switch(&test.writer, &in), FXT_OK);
    in.timestamp = 4000;
    in.outgoing = fxt_thread_index(2);
    in.incoming = fxt_thread_inline(0, 0);
    in.outgoing_priority = 16;
    cr_assert_eq(fxt_write_legacy_switch(&test.writer, &in), FXT_OK);
    expect(CPUS CPU("3") ","
           RAN("1.000", "1.000", "3", "thread 9223372036854775808",
               "\"thread\":\"9223372036854775808\",\"incoming_priority\":0,\"state\":\"dead\","
               "\"outgoing_priority\":0") ","
           RAN("2.000", "2.000", "3", "<unknown thread #2>",
               "\"thread_ref\":2,\"incoming_priority\":17,\"state\":\"dead\","
               "\"outgoing_priority\":16"));
}

Test(chrome_sched, switches_are_put_into_the_order_of_time)
{
    write_switch(3, 200, 2, 3);
    write_switch(3, 100, 1, 2);
    write_switch(3, 300, 3, 0);
    expect(CPUS CPU("3") ","
           RAN("0.100", "0.100", "3", "thread 2", "\"thread\":2,\"state\":\"blocked\"") ","
           RAN("0.200", "0.100", "3", "thread 3", "\"thread\":3,\"state\":\"blocked\""));
    cr_assert_eq(test.chrome.omitted.late_switches, 0);
}

Test(chrome_sched, switches_at_the_same_time_stay_in_the_order_of_the_trace)
{
    write_switch(3, 200, 2, 0);
    write_switch(3, 100, 1, 7);
    write_switch(3, 100, 7, 2);
    expect(CPUS CPU("3") ","
           RAN("0.100", "0.000", "3", "thread 7", "\"thread\":7,\"state\":\"blocked\"") ","
           RAN("0.100", "0.100", "3", "thread 2", "\"thread\":2,\"state\":\"blocked\""));
}

// Whole spans, whatever the order: the durations of all add up to the time from first to last.
Test(chrome_sched, a_window_of_switches_in_any_order_is_drawn_in_order)
{
    for (uint64_t i = 0; i < 3 * FXT_CHROME_WINDOW; i++) {
        uint64_t block = i / (FXT_CHROME_WINDOW / 2), at = i % (FXT_CHROME_WINDOW / 2);
        uint64_t time = (block + 1) * (FXT_CHROME_WINDOW / 2) - at; // each half a window backwards
        write_switch(3, time, time, time + 1);
    }
    chrome_test_run(&test);
    cr_assert_eq(test.chrome.omitted.late_switches, 0);
    // the last one takes no time
    cr_assert_eq(chrome_test_count(&test, "\"dur\":0.001,"), 3 * FXT_CHROME_WINDOW - 1);
}

Test(chrome_sched, a_switch_that_comes_too_late_to_be_sorted_is_left_out_and_counted)
{
    for (uint64_t time = 1; time <= FXT_CHROME_WINDOW + 1; time++)
        write_switch(3, time * 1000, 0, 0);
    uint64_t offset = test.writer.size;
    write_switch(3, 500, 1, 2);
    write_switch(4, 500, 1, 2); // another CPU shows nothing yet
    write_switch(3, 600, 1, 2);
    chrome_test_run(&test);
    cr_assert_eq(test.chrome.omitted.late_switches, 2);
    cr_assert_eq(test.chrome.first_late, offset);
    cr_assert_not_null(strstr(test.text, "\"late_switches\":2"));
    cr_assert_null(strstr(strstr(test.text, "\"X\"") + 1, "\"X\""));
}

static void write_switch_with(uint64_t timestamp, struct fxt_arg *args, size_t count)
{
    struct fxt_context_switch in = {.cpu = 3,
                                    .timestamp = timestamp,
                                    .outgoing_thread = 11,
                                    .incoming_thread = 11,
                                    .outgoing_state = FXT_THREAD_BLOCKED};
    cr_assert_eq(fxt_write_context_switch(&test.writer, &in, args, count), FXT_OK);
}

Test(chrome_sched, arguments_of_a_switch_that_waits_are_those_of_its_record)
{
    char longest[400];
    char name[1000];
    memset(longest, 'x', sizeof longest);
    struct fxt_arg args[] = {
        {.name = fxt_string_index(1), .type = FXT_ARG_STRING, .text = fxt_string_index(2)},
        {.name = chrome_test_string("thread"), .type = FXT_ARG_INT32, .value = 6},
        {.name = chrome_test_string("long"),
         .type = FXT_ARG_STRING,
         .text = fxt_string_inline(longest, sizeof longest)}};
    chrome_test_register(&test, 1, "first");
    chrome_test_register(&test, 2, "value");
    write_switch_with(1000, NULL, 0);
    write_switch_with(2000, args, 3);
    chrome_test_register(&test, 1, "later");
    write_switch_with(3000, args, 1);
    snprintf(name, sizeof name,
             CPUS CPU("3") "," RAN("1.000", "1.000", "3", "thread 11",
                                   "\"thread\":11,\"state\":\"blocked\",\"first\":\"value\","
                                   "\"thread#2\":6,\"long\":\"%.400s\"") ","
             RAN("2.000", "1.000", "3", "thread 11",
                 "\"thread\":11,\"state\":\"blocked\",\"later\":\"value\"") ","
             RAN("3.000", "0.000", "3", "thread 11", "\"thread\":11"), longest);
    expect(name);
}

// 1.8 MB of text can wait; this is 2.9 MB from a record of 32 bytes an argument.
Test(chrome_sched, arguments_of_any_length_are_written)
{
    static char longest[32000];
    struct fxt_arg args[15];
    memset(longest, '\x01', sizeof longest); // \u0001
    struct fxt_string string = {.index = 1, .value = {(const uint8_t *)longest, sizeof longest}};
    fxt_write_string(&test.writer, &string);
    for (int i = 0; i < 15; i++)
        args[i] = (struct fxt_arg){.name = fxt_string_inline(&"abcdefghijklmno"[i], 1),
                                   .type = FXT_ARG_STRING,
                                   .text = fxt_string_index(1)};
    for (uint64_t time = 1; time <= 3; time++)
        write_switch_with(time, args, 15);
    chrome_test_run(&test);
    cr_assert_eq(chrome_test_count(&test, "\\u0001"), 2 * 15 * sizeof longest);
}

// Each holds blocks until it is written; they are used again and again.
Test(chrome_sched, arguments_of_many_switches_find_room)
{
    char text[200];
    memset(text, 'y', sizeof text);
    struct fxt_arg arg = {.name = chrome_test_string("a"),
                          .type = FXT_ARG_STRING,
                          .text = fxt_string_inline(text, sizeof text)};
    const uint64_t count = 12000;
    for (uint64_t time = 1; time <= count; time++)
        write_switch_with(time ^ 64, &arg, 1);
    chrome_test_run(&test);
    cr_assert_eq(chrome_test_count(&test, "\"a\":\"yyy"), count - 1);
    cr_assert_eq(test.chrome.omitted.late_switches, 0);
}

Test(chrome_sched, wakeups_are_instants_with_their_arguments)
{
    struct fxt_thread_wakeup in = {.cpu = 3, .timestamp = 1000, .waking_thread = 11};
    struct fxt_arg args[] = {
        {.name = chrome_test_string("weight"), .type = FXT_ARG_INT32, .value = 6},
        {.name = chrome_test_string("thread"), .type = FXT_ARG_KOID, .value = 9}};
    cr_assert_eq(fxt_write_thread_wakeup(&test.writer, &in, args, 2), FXT_OK);
    expect(CPUS CPU("3") ",\n{\"ph\":\"i\",\"ts\":1.000,\"s\":\"t\",\"pid\":4000000000,\"tid\":3,"
           "\"cat\":\"sched\",\"name\":\"wakeup\",\"args\":{\"thread\":11,"
           "\"name\":\"thread 11\",\"weight\":6,\"thread#2\":9}}");
}

Test(chrome_sched, what_still_runs_ends_once_on_each_cpu)
{
    static const uint16_t cpus[] = {65535, 64, 0, 63, 4096, 4095, 1};
    static const uint16_t sorted[] = {65535, 0, 1, 63, 4096, 4095};
    for (unsigned i = 0; i < 7; i++)
        write_switch(cpus[i], 1000, 0, 100u + cpus[i]);
    write_switch(64, 1500, 164, 0);
    write_switch(64, 2000, 0, 0);
    chrome_test_run(&test);
    const char *at = strstr(test.text, "164");
    for (unsigned i = 0; i < 6; i++) {
        char expected[64];
        snprintf(expected, sizeof expected, "\"tid\":%u,\"cat\":\"sched\"", sorted[i]);
        at = strstr(at + 1, "\"ph\":\"X\"");
        cr_assert_not_null(at);
        cr_assert_not_null(strstr(at, expected));
        cr_assert_lt(strstr(at, expected), strchr(at, '\n'));
    }
    cr_assert_null(strstr(at + 1, "\"ph\":\"X\""));
}

/* A walk over all CPUs for each of them would take minutes. */
Test(chrome_sched, many_traces_in_one_cost_no_more_than_their_bytes, .timeout = 20)
{
    for (unsigned i = 0; i < 100000; i++) {
        fxt_write_magic(&test.writer);
        write_switch(65535, 1000, 0, 7);
    }
    chrome_test_run(&test);
    cr_assert_eq(test.malformed, 0);
}
