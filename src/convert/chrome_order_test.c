#include "src/convert/chrome_test.h"

#include <criterion/criterion.h>

static struct chrome_test test;

static void init(void)
{
    chrome_test_init(&test);
}

TestSuite(chrome_order, .init = init);

static void write_event(uint8_t type, uint64_t ns, uint64_t value)
{
    struct fxt_event event = chrome_test_event(type, ns);
    event.value = value;
    cr_assert_eq(fxt_write_event(&test.writer, &event, NULL, 0), FXT_OK);
}

static void write_begin(uint64_t ns)
{
    write_event(FXT_EVENT_DURATION_BEGIN, ns, 0);
}

static void write_end(uint64_t ns)
{
    write_event(FXT_EVENT_DURATION_END, ns, 0);
}

static void write_complete(uint64_t ns, uint64_t end)
{
    write_event(FXT_EVENT_DURATION_COMPLETE, ns, end);
}

// The events as "B5 X6+3 E9".
static void expect(const char *expected)
{
    char found[400] = "";
    chrome_test_run(&test);
    for (const char *at = test.text; (at = strstr(at, "{\"ph\":\"")) != NULL; at++) {
        const char *dur = strstr(at, "\"dur\":");
        size_t length = strlen(found);
        bool has_dur = at[7] == 'X';
        snprintf(found + length, sizeof found - length, has_dur ? "%s%c%.0f+%.0f" : "%s%c%.0f",
                 length > 0 ? " " : "", at[7], strtod(strstr(at, "\"ts\":") + 5, NULL) * 1000,
                 has_dur ? strtod(dur + 6, NULL) * 1000 : 0);
    }
    cr_assert_str_eq(found, expected);
}

Test(chrome_order, what_is_alone_in_its_ns_stays)
{
    write_begin(1);
    write_complete(2, 3);
    write_event(FXT_EVENT_INSTANT, 4, 0);
    write_end(5);
    write_begin(5);
    write_end(6);
    expect("B1 X2+1 i4 E5 B5 E6");
}

Test(chrome_order, an_end_comes_after_its_begin)
{
    write_begin(5);
    write_end(5);
    write_begin(5);
    write_begin(5);
    write_end(5);
    write_end(5);
    write_begin(6);
    write_end(9);
    expect("B5 E6 B6 B6 E7 E7 B7 E9");
}

Test(chrome_order, an_end_comes_after_what_its_duration_encloses)
{
    write_begin(1);
    write_complete(5, 5);
    write_end(5);
    write_begin(11);
    write_event(FXT_EVENT_INSTANT, 15, 0);
    write_end(15);
    write_begin(21);
    write_event(FXT_EVENT_FLOW_BEGIN, 25, 1);
    write_end(25);
    write_event(FXT_EVENT_INSTANT, 35, 0);
    write_complete(31, 35);
    expect("B1 X5+0 E6 B11 i15 E16 B21 s25 E26 i35 X31+5");
}

Test(chrome_order, what_comes_after_an_end_is_not_enclosed)
{
    write_begin(1);
    write_end(5);
    write_complete(5, 5);
    write_end(7);
    expect("B1 E5 X5+0 E7");
}

Test(chrome_order, a_complete_duration_comes_after_the_begin_that_encloses_it)
{
    write_begin(5);
    write_begin(5);
    write_event(FXT_EVENT_INSTANT, 7, 0);
    write_complete(5, 9);
    write_end(20);
    write_complete(5, 30); // the inner begin is no longer open
    expect("B5 B5 i7 X6+3 E20 X6+24");
}

Test(chrome_order, a_complete_duration_encloses_what_began_and_ended_in_its_first_ns)
{
    write_begin(5);
    write_end(5);
    write_complete(5, 9);
    expect("B5 E6 X5+4");
}

Test(chrome_order, a_complete_duration_comes_after_what_ended_later_than_it_did)
{
    write_begin(1);
    write_event(FXT_EVENT_INSTANT, 5, 0);
    write_end(5);
    for (uint64_t ns = 10; ns < 100; ns += 2) {
        write_begin(ns);
        write_end(ns + 1);
    }
    write_complete(5, 200);
    chrome_test_run(&test);
    cr_expect_not_null(strstr(test.text, "\"ts\":0.006,\"dur\":0.194,"), "%s", test.text);
}

Test(chrome_order, the_later_of_equal_complete_durations_is_longer)
{
    write_complete(5, 9);
    write_complete(5, 9);
    write_complete(5, 9);
    write_begin(9);
    expect("X5+4 X5+5 X5+6 B11");
}

Test(chrome_order, what_is_late_stays)
{
    write_begin(50);
    write_end(50);
    write_begin(5);
    write_end(7);
    write_complete(2, 3);
    expect("B50 E51 B5 E7 X2+1");
}

Test(chrome_order, threads_do_not_push_each_other)
{
    struct fxt_event other = chrome_test_event(FXT_EVENT_DURATION_END, 5);
    write_begin(5);
    other.thread = fxt_thread_inline(7, 9);
    fxt_write_event(&test.writer, &other, NULL, 0);
    write_event(FXT_EVENT_COUNTER, 5, 0);
    expect("B5 E5 C5");
}

Test(chrome_order, a_new_trace_begins_without_durations)
{
    write_begin(5);
    fxt_write_magic(&test.writer);
    write_complete(5, 9);
    write_end(5);
    expect("B5 X5+4 E5");
}
