#include "src/convert/chrome_test.h"

#include <criterion/criterion.h>

static struct chrome_test test;

static void init(void)
{
    chrome_test_init(&test);
}

TestSuite(chrome, .init = init);

#define HEAD "{\"displayTimeUnit\":\"ns\",\"traceEvents\":["
#define TAIL                                                                                   \
    "\n],\"otherData\":{\"base_ns\":\"0\",\"omitted\":{\"malformed\":0,\"unknown\":0,\"blobs\":0,"               \
    "\"large_blobs\":0,\"userspace_objects\":0,\"kernel_objects\":0,\"provider_events\":0,"  \
    "\"late_switches\":0,\"ends_before_begin\":0,\"cpus\":0,\"counters\":0}}}\n"
#define AT ",\"pid\":7,\"tid\":8,\"cat\":\"cat\",\"name\":\"name\""

// The lines between head and tail are these.
static void expect(const char *lines)
{
    chrome_test_run(&test);
    cr_assert_eq(strncmp(test.text, HEAD, strlen(HEAD)), 0, "%s", test.text);
    const char *body = test.text + strlen(HEAD);
    cr_assert_gt(test.size, strlen(HEAD) + strlen(TAIL));
    size_t length = test.size - strlen(HEAD) - strlen(TAIL);
    cr_assert_str_eq(body + length, TAIL);
    test.text[strlen(HEAD) + length] = 0;
    cr_assert_str_eq(body, lines);
}

// One event that ends in this.
static void expect_args(const char *args)
{
    char line[4000];
    snprintf(line, sizeof line, "\n{\"ph\":\"i\",\"ts\":0.001,\"s\":\"t\"" AT ",\"args\":{%s}}",
             args);
    expect(line);
}

static void write_event(struct fxt_event event)
{
    cr_assert_eq(fxt_write_event(&test.writer, &event, NULL, 0), FXT_OK);
}

static void write_args(const struct fxt_arg *args, size_t count)
{
    struct fxt_event event = chrome_test_event(FXT_EVENT_INSTANT, 1);
    cr_assert_eq(fxt_write_event(&test.writer, &event, args, count), FXT_OK);
}

static struct fxt_arg arg(const char *name, uint8_t type, uint64_t value)
{
    return (struct fxt_arg){.name = chrome_test_string(name), .type = type, .value = value};
}

Test(chrome, no_records_give_an_empty_document)
{
    chrome_test_run(&test);
    cr_assert_str_eq(test.text, HEAD TAIL);
}

Test(chrome, durations_are_B_E_and_X)
{
    struct fxt_event event = chrome_test_event(FXT_EVENT_DURATION_COMPLETE, 1234567);
    event.value = 2234568;
    write_event(chrome_test_event(FXT_EVENT_DURATION_BEGIN, 1000));
    write_event(chrome_test_event(FXT_EVENT_DURATION_END, 123456789012345));
    write_event(event);
    expect("\n{\"ph\":\"B\",\"ts\":1.000" AT "},"
           "\n{\"ph\":\"E\",\"ts\":123456789012.345,\"pid\":7,\"tid\":8},"
           "\n{\"ph\":\"X\",\"ts\":1234.567,\"dur\":1000.001" AT "}");
}

Test(chrome, a_complete_duration_that_ends_before_it_begins_is_left_out)
{
    struct fxt_event event = chrome_test_event(FXT_EVENT_DURATION_COMPLETE, 100);
    event.value = 99;
    write_event(event);
    event.value = 100;
    write_event(event);
    chrome_test_run(&test);
    cr_expect_eq(test.chrome.omitted.ends_before_begin, 1);
    cr_expect_eq(chrome_test_count(&test, "\"ts\":"), 1);
    cr_expect_not_null(strstr(test.text, "\"ts\":0.100,\"dur\":0.000,"), "%s", test.text);
}

// Perfetto leaves a duration open whose end has another name or category.
Test(chrome, end_of_a_duration_has_no_name)
{
    struct fxt_event end = chrome_test_event(FXT_EVENT_DURATION_END, 2);
    end.category = chrome_test_string("other category");
    end.name = chrome_test_string("other name");
    write_event(chrome_test_event(FXT_EVENT_DURATION_BEGIN, 1));
    write_event(end);
    expect("\n{\"ph\":\"B\",\"ts\":0.001" AT "},"
           "\n{\"ph\":\"E\",\"ts\":0.002,\"pid\":7,\"tid\":8}");
}

Test(chrome, instants_have_their_scope)
{
    for (uint8_t scope = 0; scope < 3; scope++) {
        struct fxt_event event = chrome_test_event(FXT_EVENT_INSTANT, 5);
        event.scope = scope;
        event.has_scope = 1;
        write_event(event);
    }
    write_event(chrome_test_event(FXT_EVENT_INSTANT, 0));
    expect("\n{\"ph\":\"i\",\"ts\":0.005,\"s\":\"t\"" AT "},"
           "\n{\"ph\":\"i\",\"ts\":0.005,\"s\":\"p\"" AT "},"
           "\n{\"ph\":\"i\",\"ts\":0.005,\"s\":\"g\"" AT "},"
           "\n{\"ph\":\"i\",\"ts\":0.000,\"s\":\"t\"" AT "}");
}

Test(chrome, counters_have_an_id_unless_it_is_0_and_numbers_of_any_size)
{
    struct fxt_event event = chrome_test_event(FXT_EVENT_COUNTER, 1);
    struct fxt_arg args[] = {arg("a", FXT_ARG_UINT64, UINT64_MAX),
                             arg("b", FXT_ARG_INT64, UINT64_C(1) << 63),
                             arg("c", FXT_ARG_UINT64, UINT64_C(1) << 63),
                             arg("d", FXT_ARG_UINT64, INT64_MAX)};
    cr_assert_eq(fxt_write_event(&test.writer, &event, args, 4), FXT_OK);
    event.value = 0xdeadbeefdeadbeef;
    cr_assert_eq(fxt_write_event(&test.writer, &event, args + 3, 1), FXT_OK);
    expect("\n{\"ph\":\"C\",\"ts\":0.001" AT
           ",\"args\":{\"a\":1.8446744073709551615e+19,\"b\":-9223372036854775808,"
           "\"c\":9.223372036854775808e+18,\"d\":9223372036854775807}},"
           "\n{\"ph\":\"C\",\"ts\":0.001,\"id\":\"0xdeadbeefdeadbeef\"" AT
           ",\"args\":{\"d\":9223372036854775807}}");
}

Test(chrome, counters_take_booleans_for_numbers_and_keep_all_else_apart)
{
    struct fxt_event event = chrome_test_event(FXT_EVENT_COUNTER, 1);
    struct fxt_arg args[] = {arg("text", FXT_ARG_STRING, 0), arg("yes", FXT_ARG_BOOL, 1),
                             arg("no", FXT_ARG_BOOL, 0),     arg("koid", FXT_ARG_KOID, 7),
                             arg("n", FXT_ARG_INT32, 5),     arg("at", FXT_ARG_POINTER, 16),
                             arg("null", FXT_ARG_NULL, 0)};
    args[0].text = chrome_test_string("12");
    cr_assert_eq(fxt_write_event(&test.writer, &event, args, 7), FXT_OK);
    expect("\n{\"ph\":\"C\",\"ts\":0.001" AT ",\"args\":{\"yes\":1,\"no\":0,\"n\":5},"
           "\"other_args\":{\"text\":\"12\",\"koid\":7,\"at\":\"0x10\",\"null\":null}}");
}

Test(chrome, counters_without_a_value_are_counted_and_the_first_is_named)
{
    struct fxt_event event = chrome_test_event(FXT_EVENT_COUNTER, 1);
    struct fxt_arg state = arg("state", FXT_ARG_KOID, 7);
    struct fxt_arg value = arg("n", FXT_ARG_DOUBLE, 0x7ff8000000000000);
    fxt_write_event(&test.writer, &event, &value, 1);
    uint64_t offset = test.writer.size;
    fxt_write_event(&test.writer, &event, &state, 1);
    event.name = chrome_test_string("another");
    fxt_write_event(&test.writer, &event, NULL, 0);
    chrome_test_run(&test);
    cr_expect_eq(test.chrome.omitted.counters, 2);
    cr_expect_eq(test.chrome.first_counter, offset);
    cr_expect_str_eq(test.chrome.first_counter_name, "name");
}

Test(chrome, async_ids_are_of_their_process_and_flow_ids_of_the_trace)
{
    for (uint8_t type = FXT_EVENT_ASYNC_BEGIN; type <= FXT_EVENT_FLOW_END; type++) {
        struct fxt_event event = chrome_test_event(type, 1);
        event.value = 31;
        write_event(event);
    }
    expect("\n{\"ph\":\"b\",\"ts\":0.001,\"id2\":{\"local\":\"0x1f\"}" AT "},"
           "\n{\"ph\":\"n\",\"ts\":0.001,\"id2\":{\"local\":\"0x1f\"}" AT "},"
           "\n{\"ph\":\"e\",\"ts\":0.001,\"id2\":{\"local\":\"0x1f\"}" AT "},"
           "\n{\"ph\":\"s\",\"ts\":0.001,\"id\":\"0x1f\"" AT "},"
           "\n{\"ph\":\"t\",\"ts\":0.001,\"id\":\"0x1f\"" AT "},"
           "\n{\"ph\":\"f\",\"ts\":0.001,\"id\":\"0x1f\",\"bp\":\"e\"" AT "}");
}

Test(chrome, integers_from_2_to_the_53_on_are_strings)
{
    const uint64_t limit = UINT64_C(1) << 53;
    struct fxt_arg args[] = {
        arg("null", FXT_ARG_NULL, 0),
        arg("i32", FXT_ARG_INT32, 0x80000000),
        arg("u32", FXT_ARG_UINT32, 0xffffffff),
        arg("i64", FXT_ARG_INT64, limit - 1),
        arg("i64 big", FXT_ARG_INT64, limit),
        arg("i64 neg", FXT_ARG_INT64, 0 - (limit - 1)),
        arg("i64 negbig", FXT_ARG_INT64, 0 - limit),
        arg("i64 min", FXT_ARG_INT64, UINT64_C(1) << 63),
        arg("u64", FXT_ARG_UINT64, limit - 1),
        arg("u64 big", FXT_ARG_UINT64, UINT64_MAX),
        arg("pointer", FXT_ARG_POINTER, 0xff00000000000001),
        arg("koid", FXT_ARG_KOID, 12),
        arg("koid big", FXT_ARG_KOID, UINT64_C(1) << 63 | 1),
        arg("yes", FXT_ARG_BOOL, 1),
        arg("no", FXT_ARG_BOOL, 0),
    };
    write_args(args, 15);
    expect_args("\"null\":null,\"i32\":-2147483648,\"u32\":4294967295,\"i64\":9007199254740991,"
                "\"i64 big\":\"9007199254740992\",\"i64 neg\":-9007199254740991,"
                "\"i64 negbig\":\"-9007199254740992\",\"i64 min\":\"-9223372036854775808\","
                "\"u64\":9007199254740991,\"u64 big\":\"18446744073709551615\","
                "\"pointer\":\"0xff00000000000001\",\"koid\":12,"
                "\"koid big\":\"9223372036854775809\",\"yes\":true,\"no\":false");
}

Test(chrome, doubles_that_are_no_number_are_strings)
{
    struct fxt_arg args[] = {
        arg("a", FXT_ARG_DOUBLE, 0x7ff8000000000000), arg("b", FXT_ARG_DOUBLE, 0x7ff0000000000000),
        arg("c", FXT_ARG_DOUBLE, 0xfff0000000000000), arg("d", FXT_ARG_DOUBLE, 0xfff0000000000001),
        arg("e", FXT_ARG_DOUBLE, 0x3fb999999999999a), arg("f", FXT_ARG_DOUBLE, 0x7fefffffffffffff),
    };
    write_args(args, 6);
    expect_args("\"a\":\"NaN\",\"b\":\"Infinity\",\"c\":\"-Infinity\",\"d\":\"NaN\",\"e\":0.1,"
                "\"f\":1.7976931348623157e+308");
}

Test(chrome, blobs_are_base64)
{
    static const char *const texts[] = {"", "f", "fo", "foo", "foob", "fooba", "foobar", "\xff\xfe"};
    struct fxt_arg args[8];
    for (int i = 0; i < 8; i++) {
        args[i] = arg("", FXT_ARG_BLOB, 0);
        args[i].name = fxt_string_inline(&"01234567"[i], 1);
        args[i].blob = (struct fxt_bytes){(const uint8_t *)texts[i], strlen(texts[i])};
    }
    write_args(args, 8);
    expect_args("\"0\":\"\",\"1\":\"Zg==\",\"2\":\"Zm8=\",\"3\":\"Zm9v\",\"4\":\"Zm9vYg==\","
                "\"5\":\"Zm9vYmE=\",\"6\":\"Zm9vYmFy\",\"7\":\"//4=\"");
}

Test(chrome, a_name_that_occurs_again_gets_a_number)
{
    struct fxt_arg args[] = {
        arg("a", FXT_ARG_INT32, 1),    arg("a#2", FXT_ARG_INT32, 2),  arg("a", FXT_ARG_INT32, 3),
        arg("b", FXT_ARG_INT32, 4),    arg("a", FXT_ARG_INT32, 5),    arg("a#2", FXT_ARG_INT32, 6),
        arg("", FXT_ARG_INT32, 7),     arg("", FXT_ARG_INT32, 8),     arg("\x80", FXT_ARG_INT32, 9),
        arg("\xef\xbf\xbd", FXT_ARG_INT32, 10), arg("\"", FXT_ARG_INT32, 11),
        arg("\"", FXT_ARG_INT32, 12),
    };
    write_args(args, 12);
    expect_args("\"a\":1,\"a#2\":2,\"a#3\":3,\"b\":4,\"a#4\":5,\"a#2#2\":6,\"\":7,\"#2\":8,"
                "\"\xef\xbf\xbd\":9,\"\xef\xbf\xbd#2\":10,\"\\\"\":11,\"\\\"#2\":12");
}

Test(chrome, a_name_is_the_same_inline_and_by_any_index)
{
    struct fxt_arg args[15];
    for (int i = 0; i < 15; i++)
        args[i] = arg("k", FXT_ARG_NULL, 0);
    args[1].name = fxt_string_index(1);
    args[2].name = fxt_string_index(2);
    args[3].name = fxt_string_index(3); // not registered
    args[4].name = fxt_string_index(3);
    args[5].name = chrome_test_string("<unknown #3>");
    chrome_test_register(&test, 1, "k");
    chrome_test_register(&test, 2, "k");
    write_args(args, 15);
    expect_args("\"k\":null,\"k#2\":null,\"k#3\":null,\"<unknown #3>\":null,"
                "\"<unknown #3>#2\":null,\"<unknown #3>#3\":null,\"k#4\":null,\"k#5\":null,"
                "\"k#6\":null,\"k#7\":null,\"k#8\":null,\"k#9\":null,\"k#10\":null,"
                "\"k#11\":null,\"k#12\":null");
}

Test(chrome, strings_are_escaped_and_made_utf8)
{
    struct fxt_event event = chrome_test_event(FXT_EVENT_DURATION_BEGIN, 0);
    struct fxt_arg text = arg("a\tb", FXT_ARG_STRING, 0);
    text.text = chrome_test_string("\\\x01 \xf0\x9f\x98\x80 \xff");
    event.category = chrome_test_string("\xc3\x28");
    event.name = fxt_string_index(9);
    chrome_test_register(&test, 9, "say \"hi\"\n");
    cr_assert_eq(fxt_write_event(&test.writer, &event, &text, 1), FXT_OK);
    expect("\n{\"ph\":\"B\",\"ts\":0.000,\"pid\":7,\"tid\":8,\"cat\":\"\xef\xbf\xbd(\","
           "\"name\":\"say \\\"hi\\\"\\n\",\"args\":{\"a\\tb\":\"\\\\\\u0001 \xf0\x9f\x98\x80 "
           "\xef\xbf\xbd\"}}");
}

#define TRACK_NAME(what, pid, tid, text) \
    "\n{\"ph\":\"M\",\"name\":\"" what "\",\"pid\":" pid ",\"tid\":" tid \
    ",\"args\":{\"name\":\"" text "\"}}"
#define PROCESS_NAME(pid, tid, text) TRACK_NAME("process_name", pid, tid, text)
#define THREAD_NAME(pid, tid, text) TRACK_NAME("thread_name", pid, tid, text)
#define UNKNOWN_THREAD(tid) "\"pid\":4000000002,\"tid\":" tid ",\"thread_ref\":1"
#define UNKNOWN_AT(ts, tid) \
    "\n{\"ph\":\"B\",\"ts\":" ts ",\"pid\":4000000002,\"tid\":" tid ",\"thread_ref\":12"

Test(chrome, refs_that_are_not_registered_have_a_track_of_their_own)
{
    struct fxt_event event = chrome_test_event(FXT_EVENT_DURATION_BEGIN, 0);
    event.thread = fxt_thread_index(12);
    event.category = fxt_string_index(32767);
    event.name = fxt_string_index(0);
    write_event(event);
    write_event(event);
    expect(UNKNOWN_AT("0.000", "12") ",\"cat\":\"<unknown #32767>\",\"name\":\"\"},"
           PROCESS_NAME("4000000002", "12", "unknown threads") ","
           THREAD_NAME("4000000002", "12", "thread ref 12 of provider 0") ","
           UNKNOWN_AT("0.000", "12") ",\"cat\":\"<unknown #32767>\",\"name\":\"\"}");
}

Test(chrome, koids_of_more_than_32_bits_are_strings)
{
    struct fxt_thread thread = {.index = 3, .process = 5, .thread = UINT64_C(1) << 63 | 6};
    struct fxt_event event = chrome_test_event(FXT_EVENT_DURATION_BEGIN, 0);
    event.thread = fxt_thread_index(3);
    cr_assert_eq(fxt_write_thread(&test.writer, &thread), FXT_OK);
    write_event(event);
    event.thread = fxt_thread_inline(UINT64_MAX, UINT64_MAX);
    write_event(event);
    event.thread = fxt_thread_inline(UINT64_C(1) << 32, UINT32_MAX);
    write_event(event);
    expect("\n{\"ph\":\"B\",\"ts\":0.000,\"pid\":5,\"tid\":\"9223372036854775814\","
           "\"cat\":\"cat\",\"name\":\"name\"},"
           "\n{\"ph\":\"B\",\"ts\":0.000,\"pid\":\"18446744073709551615\","
           "\"tid\":\"18446744073709551615\",\"cat\":\"cat\",\"name\":\"name\"},"
           "\n{\"ph\":\"B\",\"ts\":0.000,\"pid\":\"4294967296\",\"tid\":4294967295,"
           "\"cat\":\"cat\",\"name\":\"name\"}");
}

static void write_indexed(uint64_t timestamp)
{
    struct fxt_event event = chrome_test_event(FXT_EVENT_DURATION_BEGIN, timestamp);
    event.thread = fxt_thread_index(1);
    event.name = fxt_string_index(1);
    write_event(event);
}

#define INDEXED(ts, thread, name) \
    "\n{\"ph\":\"B\",\"ts\":" ts "," thread ",\"cat\":\"cat\",\"name\":\"" name "\"}"

Test(chrome, a_registration_replaces_the_one_before)
{
    struct fxt_thread thread = {.index = 1, .process = 1, .thread = 2};
    chrome_test_register(&test, 1, "one");
    fxt_write_thread(&test.writer, &thread);
    write_indexed(1);
    chrome_test_register(&test, 1, "two");
    thread.thread = 3;
    fxt_write_thread(&test.writer, &thread);
    write_indexed(2);
    chrome_test_register(&test, 1, "");
    write_indexed(3);
    expect(INDEXED("0.001", "\"pid\":1,\"tid\":2", "one") ","
           INDEXED("0.002", "\"pid\":1,\"tid\":3", "two") ","
           INDEXED("0.003", "\"pid\":1,\"tid\":3", ""));
}

Test(chrome, each_provider_has_its_own_strings_threads_and_clock)
{
    struct fxt_provider_section section = {.provider_id = 2};
    struct fxt_initialization clock = {.ticks_per_second = 1000};
    struct fxt_thread thread = {.index = 1, .process = 1, .thread = 2};
    struct fxt_string again = {.index = 1, .value = {(const uint8_t *)"again", 5}};
    chrome_test_register(&test, 1, "one");
    fxt_write_thread(&test.writer, &thread);
    write_indexed(1);
    fxt_write_provider_section(&test.writer, &section);
    fxt_write_initialization(&test.writer, &clock);
    write_indexed(2);
    fxt_write_string(&test.writer, &again);
    write_indexed(3);
    section.provider_id = 0;
    fxt_write_provider_section(&test.writer, &section);
    write_indexed(4);
    fxt_write_magic(&test.writer); // a new trace
    write_indexed(5);
    expect(INDEXED("0.001", "\"pid\":1,\"tid\":2", "one") ","
           INDEXED("2000.000", UNKNOWN_THREAD("257"), "<unknown #1>") ","
           PROCESS_NAME("4000000002", "257", "unknown threads") ","
           THREAD_NAME("4000000002", "257", "thread ref 1 of provider 2") ","
           INDEXED("3000.000", UNKNOWN_THREAD("257"), "again") ","
           INDEXED("0.004", "\"pid\":1,\"tid\":2", "one") ","
           INDEXED("0.005", UNKNOWN_THREAD("1"), "<unknown #1>") ","
           THREAD_NAME("4000000002", "1", "thread ref 1 of provider 0"));
}

// The cache has one entry for both: see string_entry in chrome_text.c.
Test(chrome, strings_of_two_providers_do_not_get_mixed_up)
{
    const uint16_t index = (uint16_t)((1 + 2654435761u) % FXT_CHROME_STRINGS);
    struct fxt_provider_section section = {.provider_id = 0};
    struct fxt_event event = chrome_test_event(FXT_EVENT_DURATION_BEGIN, 1);
    for (int round = 0; round < 2; round++) {
        section.provider_id = 0;
        fxt_write_provider_section(&test.writer, &section);
        if (round == 0)
            chrome_test_register(&test, index, "one");
        event.name = fxt_string_index(index);
        write_event(event);
        section.provider_id = 2;
        fxt_write_provider_section(&test.writer, &section);
        if (round == 0)
            chrome_test_register(&test, 1, "two");
        event.name = fxt_string_index(1);
        write_event(event);
    }
    expect(INDEXED("0.001", "\"pid\":7,\"tid\":8", "one") ","
           INDEXED("0.001", "\"pid\":7,\"tid\":8", "two") ","
           INDEXED("0.001", "\"pid\":7,\"tid\":8", "one") ","
           INDEXED("0.001", "\"pid\":7,\"tid\":8", "two"));
}

Test(chrome, kernel_objects_name_processes_and_threads)
{
    struct fxt_kernel_object object = {
        .object_type = FXT_OBJECT_PROCESS, .koid = 7, .name = chrome_test_string("bin/\xff")};
    struct fxt_arg process = arg("process", FXT_ARG_KOID, 7);
    fxt_write_kernel_object(&test.writer, &object, NULL, 0);
    object.object_type = FXT_OBJECT_THREAD;
    object.koid = 8;
    object.name = chrome_test_string("main");
    fxt_write_kernel_object(&test.writer, &object, &process, 1);
    expect("\n{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":7,\"args\":"
           "{\"name\":\"bin/\xef\xbf\xbd\"}},"
           "\n{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":7,\"tid\":8,"
           "\"args\":{\"name\":\"main\"}}");
}

Test(chrome, names_come_last_where_an_id_is_a_string)
{
    uint64_t koid = UINT64_C(1) << 63;
    struct fxt_kernel_object object = {
        .object_type = FXT_OBJECT_PROCESS, .koid = koid, .name = chrome_test_string("bin")};
    struct fxt_arg process = arg("process", FXT_ARG_KOID, 7);
    fxt_write_kernel_object(&test.writer, &object, NULL, 0);
    object.object_type = FXT_OBJECT_THREAD;
    object.name = chrome_test_string("main");
    fxt_write_kernel_object(&test.writer, &object, &process, 1);
    object.koid = 8;
    process.value = koid;
    fxt_write_kernel_object(&test.writer, &object, &process, 1);
    expect("\n{\"ph\":\"M\",\"ts\":9223372036854775,\"name\":\"process_name\","
           "\"pid\":\"9223372036854775808\",\"args\":{\"name\":\"bin\"}},"
           "\n{\"ph\":\"M\",\"ts\":9223372036854774,\"name\":\"thread_name\",\"pid\":7,"
           "\"tid\":\"9223372036854775808\",\"args\":{\"name\":\"main\"}},"
           "\n{\"ph\":\"M\",\"ts\":9223372036854774,\"name\":\"thread_name\","
           "\"pid\":\"9223372036854775808\",\"tid\":8,\"args\":{\"name\":\"main\"}}");
}

Test(chrome, log_records_are_global_instants)
{
    struct fxt_log log = {.timestamp = 1,
                          .thread = fxt_thread_inline(7, 8),
                          .message = {(const uint8_t *)"a \"b\"\n", 6}};
    cr_assert_eq(fxt_write_log(&test.writer, &log), FXT_OK);
    expect("\n{\"ph\":\"i\",\"ts\":0.001,\"pid\":7,\"tid\":8,\"s\":\"g\",\"name\":\"log\","
           "\"args\":{\"message\":\"a \\\"b\\\"\\n\"}}");
}

Test(chrome, profiler_records_are_instants)
{
    static const uint8_t id[] = {0x00, 0xab, 0xff};
    static const uint8_t frames[16] = {1, 0, 0, 0, 0, 0, 0, 0x80, 2};
    struct fxt_thread_ref at = fxt_thread_inline(7, 8);
    struct fxt_module module = {.timestamp = 1,
                                .thread = at,
                                .name = {(const uint8_t *)"lib", 3},
                                .build_id = {id, 3},
                                .module_id = 4};
    struct fxt_mmap map = {.timestamp = 2, .thread = at, .start_address = 0x1000,
                           .address_range = 0x20, .vaddr = 0, .module_id = 4, .flags = 5};
    struct fxt_backtrace trace = {.timestamp = 3, .thread = at, .frames = {frames, 16},
                                  .frame_count = 2};
    cr_assert_eq(fxt_write_module(&test.writer, &module), FXT_OK);
    cr_assert_eq(fxt_write_mmap(&test.writer, &map), FXT_OK);
    cr_assert_eq(fxt_write_backtrace(&test.writer, &trace), FXT_OK);
    expect("\n{\"ph\":\"i\",\"ts\":0.001,\"pid\":7,\"tid\":8,\"s\":\"p\",\"cat\":\"profiler\","
           "\"name\":\"module\",\"args\":{\"module_id\":4,\"name\":\"lib\","
           "\"build_id\":\"00abff\"}},"
           "\n{\"ph\":\"i\",\"ts\":0.002,\"pid\":7,\"tid\":8,\"s\":\"p\",\"cat\":\"profiler\","
           "\"name\":\"mmap\",\"args\":{\"module_id\":4,\"start_address\":\"0x1000\","
           "\"address_range\":\"0x20\",\"vaddr\":\"0x0\",\"flags\":5}},"
           "\n{\"ph\":\"i\",\"ts\":0.003,\"pid\":7,\"tid\":8,\"s\":\"t\",\"cat\":\"profiler\","
           "\"name\":\"backtrace\",\"args\":{\"frames\":[\"0x8000000000000001\",\"0x2\"]}}");
}

static void write_large_blob(const char *category, const struct fxt_arg *args, size_t count)
{
    struct fxt_large_blob blob = {.blob_format = FXT_LARGE_BLOB_METADATA,
                                  .timestamp = 1,
                                  .thread = fxt_thread_inline(7, 8),
                                  .category = chrome_test_string(category),
                                  .name = chrome_test_string("name"),
                                  .payload = {(const uint8_t *)"12345", 5}};
    cr_assert_eq(fxt_write_large_blob(&test.writer, &blob, args, count), FXT_OK);
}

Test(chrome, a_large_blob_is_an_instant_with_its_size)
{
    struct fxt_arg size = arg("size", FXT_ARG_INT32, 9);
    write_large_blob("cat", &size, 1);
    expect("\n{\"ph\":\"i\",\"ts\":0.001,\"pid\":7,\"tid\":8,\"s\":\"t\",\"cat\":\"cat\","
           "\"name\":\"name\",\"args\":{\"size\":5,\"size#2\":9}}");
}

Test(chrome, a_large_blob_of_fidl_carries_its_payload)
{
    struct fxt_arg again = arg("blob", FXT_ARG_INT32, 9);
    write_large_blob("fidl:blob", &again, 1);
    expect("\n{\"ph\":\"i\",\"ts\":0.001,\"pid\":7,\"tid\":8,\"s\":\"t\",\"cat\":\"fidl:blob\","
           "\"name\":\"name\",\"args\":{\"size\":5,\"blob\":\"MTIzNDU=\",\"blob#2\":9}}");
}

Test(chrome, a_large_blob_of_another_category_carries_its_size_only)
{
    write_large_blob("fidl:blub", NULL, 0);
    expect("\n{\"ph\":\"i\",\"ts\":0.001,\"pid\":7,\"tid\":8,\"s\":\"t\",\"cat\":\"fidl:blub\","
           "\"name\":\"name\",\"args\":{\"size\":5}}");
}

// 3 ticks a ns: ticks 3, 4 and 5 are 1 ns.
Test(chrome, a_flow_comes_after_a_duration_that_began_at_an_earlier_tick)
{
    struct fxt_initialization clock = {.ticks_per_second = 3000000000};
    struct fxt_event complete = chrome_test_event(FXT_EVENT_DURATION_COMPLETE, 3);
    struct fxt_event flow = chrome_test_event(FXT_EVENT_FLOW_BEGIN, 3);
    fxt_write_initialization(&test.writer, &clock);
    complete.value = 300;
    flow.value = 31;
    write_event(flow); // at the tick at which the duration begins
    flow.timestamp = 4;
    write_event(flow);
    flow.timestamp = 6;
    write_event(flow);
    write_event(complete);
#define FLOW(ts) "\n{\"ph\":\"s\",\"ts\":" ts ",\"id\":\"0x1f\"" AT "}"
    expect(FLOW("0.001") "," FLOW("0.002") "," FLOW("0.002") ","
           "\n{\"ph\":\"X\",\"ts\":0.001,\"dur\":0.099" AT "}");
}

#define LOST(ts, tid, id) \
    "\n{\"ph\":\"i\",\"ts\":" ts ",\"s\":\"t\",\"pid\":4000000001,\"tid\":" tid \
    ",\"cat\":\"provider\",\"name\":\"buffer_full\",\"args\":{\"provider_id\":" id "}}"

Test(chrome, provider_events_are_instants_at_the_latest_time_of_their_provider)
{
    struct fxt_provider_info info = {.provider_id = 5, .name = {(const uint8_t *)"p\"5", 3}};
    struct fxt_provider_section section = {.provider_id = 9};
    struct fxt_provider_event full = {.provider_id = 5, .event_id = FXT_PROVIDER_EVENT_BUFFER_FULL};
    fxt_write_provider_info(&test.writer, &info);
    write_event(chrome_test_event(FXT_EVENT_DURATION_BEGIN, 9));
    write_event(chrome_test_event(FXT_EVENT_DURATION_BEGIN, 7));
    fxt_write_provider_section(&test.writer, &section);
    write_event(chrome_test_event(FXT_EVENT_DURATION_BEGIN, 8));
    fxt_write_provider_event(&test.writer, &full);
    full.provider_id = 9;
    fxt_write_provider_event(&test.writer, &full);
    full.provider_id = 0; // which wrote nothing
    fxt_write_provider_event(&test.writer, &full);
    fxt_write_provider_event(&test.writer, &full);
#define BEGIN(ts) "\n{\"ph\":\"B\",\"ts\":" ts AT "},"
    expect(BEGIN("0.009") BEGIN("0.007") BEGIN("0.008")
           PROCESS_NAME("4000000001", "2", "providers") ","
           THREAD_NAME("4000000001", "2", "p\\\"5") "," LOST("0.009", "2", "5") ","
           THREAD_NAME("4000000001", "3", "provider 9") "," LOST("0.008", "3", "9") ","
           THREAD_NAME("4000000001", "1", "provider 0") "," LOST("0.009", "1", "0") ","
           LOST("0.009", "1", "0"));
}

Test(chrome, what_is_left_out_is_counted)
{
    struct fxt_blob blob = {.name = chrome_test_string("b"), .blob_type = FXT_BLOB_DATA};
    struct fxt_large_blob large = {.blob_format = FXT_LARGE_BLOB_NO_METADATA};
    struct fxt_userspace_object object = {.process = fxt_thread_inline(7, 0), .pointer = 1};
    struct fxt_kernel_object kernel = {.object_type = 3, .koid = 1};
    struct fxt_provider_event full = {.provider_id = 0, .event_id = 0};
    static const uint8_t type_14[8] = {0x1e};
    static const uint8_t event_type_15[16] = {0x24, 0, 0x0f, 1};
    static const uint8_t short_event[8] = {0x14};
    fxt_write_blob(&test.writer, &blob);
    fxt_write_large_blob(&test.writer, &large, NULL, 0);
    fxt_write_userspace_object(&test.writer, &object, NULL, 0);
    fxt_write_kernel_object(&test.writer, &kernel, NULL, 0);
    fxt_write_provider_event(&test.writer, &full);
    fxt_write_raw(&test.writer, type_14, sizeof type_14);
    fxt_write_raw(&test.writer, short_event, sizeof short_event);
    fxt_write_raw(&test.writer, event_type_15, sizeof event_type_15);
    chrome_test_run(&test);
    cr_assert_eq(test.chrome.events, 0);
    cr_assert_eq(test.malformed, 1);
    cr_assert_str_eq(test.text, HEAD
                     "\n],\"otherData\":{\"base_ns\":\"0\",\"omitted\":{\"malformed\":1,\"unknown\":2,\"blobs\":1,"
                     "\"large_blobs\":1,\"userspace_objects\":1,\"kernel_objects\":1,"
                     "\"provider_events\":1,\"late_switches\":0,\"ends_before_begin\":0,\"cpus\":0,\"counters\":0}}}\n");
}

Test(chrome, definitions_that_do_not_decode_are_counted)
{
    static const uint8_t string[8] = {0x12, 0, 1, 0, 9}; // 9 bytes, of which none is there
    static const uint8_t thread[8] = {0x13, 0, 1};       // no koids
    static const uint8_t initialization[8] = {0x11};     // no rate
    static const uint8_t provider[8] = {0x10, 0, 0x31, 0, 0, 0, 0x90}; // a name of 9 bytes
    fxt_write_raw(&test.writer, string, sizeof string);
    fxt_write_raw(&test.writer, thread, sizeof thread);
    fxt_write_raw(&test.writer, initialization, sizeof initialization);
    fxt_write_raw(&test.writer, provider, sizeof provider);
    chrome_test_run(&test);
    cr_assert_eq(test.malformed, 4);
    cr_assert_eq(test.chrome.omitted.malformed, 4);
}

static uint64_t roll(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

// The name in the next "args":{"…":null}, with its length.
static const char *next_name(const char **at, size_t *length)
{
    const char *name = strstr(*at, "\"args\":{\"") + 9;
    const char *end = strstr(name, "\":null");
    *at = end + 1;
    *length = (size_t)(end - name);
    return name;
}

// Two names are the same exactly when they look the same, wherever in a letter they part.
Test(chrome, names_are_the_same_when_they_are_written_the_same)
{
    static const char letters[] = "x\x80\x82\xac\xe2\xf0\x90";
    uint64_t state = 7;
    for (int i = 0; i < 8000; i++) {
        char first[16];
        char second[16];
        uint16_t size = (uint16_t)(1 + roll(&state) % 9);
        for (int k = 0; k < 9; k++)
            first[k] = second[k] = letters[roll(&state) % 7];
        second[roll(&state) % size] = letters[roll(&state) % 7];
        second[roll(&state) % size] = letters[roll(&state) % 7];
        struct fxt_arg args[2] = {fxt_make_null(fxt_string_inline(first, size)),
                                  fxt_make_null(fxt_string_inline(second, size))};
        write_args(&args[0], 1);
        write_args(&args[1], 1);
        write_args(args, 2);
    }
    chrome_test_run(&test);
    const char *at = test.text;
    for (int i = 0; i < 8000; i++) {
        size_t size_a;
        size_t size_b;
        size_t size;
        const char *a = next_name(&at, &size_a);
        const char *b = next_name(&at, &size_b);
        next_name(&at, &size);
        bool same = size_a == size_b && memcmp(a, b, size_a) == 0;
        const char *again = strstr(at, "#2\":null");
        cr_assert_eq(same, again != NULL && again < strchr(at, '\n'));
    }
}

static void expect_repeats(bool same)
{
    static char text[15][31001];
    struct fxt_arg args[15];
    for (uint16_t i = 0; i < 15; i++) {
        memset(text[i], 'x', 31000);
        text[i][30999] = (char)(same ? 'x' : 'a' + i);
        chrome_test_register(&test, (uint16_t)(1 + i), text[i]);
        args[i] = fxt_make_null(fxt_string_index((uint16_t)(1 + i)));
    }
    for (int i = 0; i < 40; i++)
        write_args(args, 15);
    chrome_test_run(&test);
    cr_assert_eq(strstr(test.text, "#15\":null") != NULL, same);
}

// Each is compared with all before it, under each number that they got.
Test(chrome, long_names_are_told_apart_by_their_last_letter)
{
    expect_repeats(false);
    chrome_test_init(&test);
    expect_repeats(true);
}
