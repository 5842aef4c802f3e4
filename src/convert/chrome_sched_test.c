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
    expect(CPUS CPU("3") "," RAN("1.000", "0.000", "3", "thread 11", "\"thread\":11") ","
           RAN("0.500", "0.000", "3", "thread 13", "\"thread\":13"));
}

Test(chrome_sched, legacy_switches_resolve_their_threads)
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
    cr_assert_eq(fxt_write_legacy_switch(&test.writer, &in), FXT_OK);
    expect(CPUS CPU("3") ","
           RAN("1.000", "1.000", "3", "thread 9223372036854775808",
               "\"thread\":\"9223372036854775808\",\"state\":\"dead\""));
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

Test(chrome_sched, what_still_runs_ends_in_the_order_of_the_cpus)
{
    static const uint16_t cpus[] = {65535, 64, 0, 63, 4096, 4095, 1};
    static const uint16_t sorted[] = {0, 1, 63, 4095, 4096, 65535};
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
