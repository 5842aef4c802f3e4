#include <stdio.h>

#include "src/convert/testing.h"
#include "src/convert/testing_random.h"

static void print_no_error(struct fxt_out *out, const struct fxt_error *error)
{
    (void)out;
    (void)error;
}

static const char *events_of(uint64_t size)
{
    return testing_print(testing_trace, size, fxt_convert_events_record, print_no_error);
}

/* The events of the trace of these lines. */
static void expect(const char *lines, const char *json)
{
    cr_expect_str_eq(events_of(testing_assemble(lines)), json);
}

#define HEAD "{\"event\":\"instant\",\"provider\":0,\"process\":1,\"thread\":2,"
#define THREAD "thread=1/2 category=\"c\" name=\"n\" "
#define SAID "\"category\":\"c\",\"name\":\"n\","

Test(events, each_event_type_has_what_belongs_to_it)
{
    expect("event instant timestamp=1 " THREAD "scope=global\nevent counter timestamp=1 " THREAD
           "id=18446744073709551615",
           HEAD SAID "\"ts\":1,\"ns\":1,\"scope\":\"global\",\"args\":{}}\n"
                     "{\"event\":\"counter\",\"provider\":0,\"process\":1,\"thread\":2," SAID
                     "\"ts\":1,\"ns\":1,\"id\":18446744073709551615,\"args\":{}}\n");
    expect("event duration_begin timestamp=1 " THREAD
           "\nevent duration_complete timestamp=1 " THREAD "end=9",
           "{\"event\":\"duration_begin\",\"provider\":0,\"process\":1,\"thread\":2," SAID
           "\"ts\":1,\"ns\":1,\"args\":{}}\n"
           "{\"event\":\"duration_complete\",\"provider\":0,\"process\":1,\"thread\":2," SAID
           "\"ts\":1,\"ns\":1,\"end\":9,\"end_ns\":9,\"args\":{}}\n");
    expect("event flow_step " THREAD "id=3",
           "{\"event\":\"flow_step\",\"provider\":0,\"process\":1,\"thread\":2," SAID
           "\"ts\":0,\"ns\":0,\"id\":3,\"args\":{}}\n");
}

Test(events, a_scope_that_is_absent_or_undefined_is_thread)
{
    expect("event instant " THREAD,
           HEAD SAID "\"ts\":0,\"ns\":0,\"scope\":\"thread\",\"args\":{}}\n");
    expect("thread index=9 process=1 thread=2\n"
           "word event.header size=3 event_type=0 thread=9\nu64 5 3",
           HEAD "\"category\":\"\",\"name\":\"\",\"ts\":5,\"ns\":5,\"scope\":\"thread\","
                "\"args\":{}}\n");
}

Test(events, refs_are_those_of_the_provider_at_the_record)
{
    expect("string index=1 value=\"of zero\"\nprovider_section provider_id=5\n"
           "event duration_end thread=@1 name=@1\nstring index=1 value=\"of five\"\n"
           "thread index=1 process=3 thread=4\nevent duration_end thread=@1 name=@1\n"
           "provider_section provider_id=0\nevent duration_end thread=@1 name=@1\n"
           "string index=1 value=\"later\"",
           "{\"event\":\"duration_end\",\"provider\":5,\"process\":null,\"thread\":null,"
           "\"category\":\"\",\"name\":null,\"ts\":0,\"ns\":0,\"args\":{}}\n"
           "{\"event\":\"duration_end\",\"provider\":5,\"process\":3,\"thread\":4,"
           "\"category\":\"\",\"name\":\"of five\",\"ts\":0,\"ns\":0,\"args\":{}}\n"
           "{\"event\":\"duration_end\",\"provider\":0,\"process\":null,\"thread\":null,"
           "\"category\":\"\",\"name\":\"of zero\",\"ts\":0,\"ns\":0,\"args\":{}}\n");
}

/* The nanoseconds that the trace of one instant event gives. */
static void expect_ns(const char *rate, const char *ticks, const char *ns)
{
    char lines[256];
    char wanted[64];
    snprintf(lines, sizeof lines, "initialization ticks_per_second=%s\nevent instant timestamp=%s",
             rate, ticks);
    snprintf(wanted, sizeof wanted, "\"ts\":%s,\"ns\":%s,", ticks, ns);
    cr_expect_not_null(strstr(events_of(testing_assemble(lines)), wanted), "%s: %s", wanted,
                       testing_text);
}

Test(events, nanoseconds_are_exact_rounded_down_and_end_at_the_largest)
{
    expect_ns("3", "2", "666666666");
    expect_ns("19200000", "18446744073709551615", "18446744073709551615");
    expect_ns("2000000000", "18446744073709551615", "9223372036854775807");
    expect_ns("1", "18446744073", "18446744073000000000");
    expect_ns("1", "18446744074", "18446744073709551615");
}

/* The args of an event. */
static void expect_args(const char *args, const char *json)
{
    char line[512];
    snprintf(line, sizeof line, "string index=1 value=\"one\"\nevent duration_end thread=@9 { %s }",
             args);
    events_of(testing_assemble(line));
    const char *found = strstr(testing_text, "\"args\":");
    cr_assert_not_null(found);
    testing_text[testing_text_size - strlen("}\n")] = '\0';
    cr_expect_str_eq(found + strlen("\"args\":"), json);
}

Test(events, arguments_of_each_type)
{
    expect_args("\"a\" null, \"b\" int32 -5, \"c\" uint32 4294967295",
                "{\"a\":null,\"b\":-5,\"c\":4294967295}");
    expect_args("\"a\" int64 -9223372036854775808, \"b\" uint64 18446744073709551615",
                "{\"a\":-9223372036854775808,\"b\":18446744073709551615}");
    expect_args("\"a\" pointer 0x10, \"b\" koid 18446744073709551615",
                "{\"a\":16,\"b\":18446744073709551615}");
    expect_args("\"a\" bool true, \"b\" bool false, \"c\" blob x\"00ff\"",
                "{\"a\":true,\"b\":false,\"c\":\"00ff\"}");
    expect_args("\"a\" string @1, @1 string \"\\\"\"", "{\"a\":\"one\",\"one\":\"\\\"\"}");
    expect_args("\"a\" string \"f\\xff\"", "{\"a\":{\"hex\":\"66ff\"}}");
}

Test(events, doubles_are_json_or_words)
{
    expect_args("\"a\" double 1.5, \"b\" double 0x8000000000000000, \"c\" double 0x1",
                "{\"a\":1.5,\"b\":-0.0,\"c\":5.0e-324}");
    expect_args("\"a\" double 0x7ff0000000000000, \"b\" double 0xfff0000000000000",
                "{\"a\":\"Infinity\",\"b\":\"-Infinity\"}");
    expect_args("\"a\" double 0x7ff0000000000001, \"b\" double 0xfff8000000000000",
                "{\"a\":\"NaN\",\"b\":\"NaN\"}");
}

Test(events, what_is_unresolved_is_null_and_without_a_name_left_out)
{
    expect_args("\"a\" string @7, @8 int32 1, \"b\" int32 2", "{\"a\":null,\"b\":2}");
    expect_args("@0 int32 1", "{\"\":1}");
    expect_args("\"f\\xff\" int32 1", "{\"f\xef\xbf\xbd\":1}");
}

Test(events, of_two_arguments_of_one_name_the_last_is_the_value)
{
    expect_args("\"one\" int32 1, \"b\" int32 2, @1 int32 3", "{\"b\":2,\"one\":3}");
    expect_args("\"a\" int32 1, \"a\" int32 2, \"ab\" int32 3, \"a\" int32 4",
                "{\"ab\":3,\"a\":4}");
    expect_args("\"\\xff\" int32 1, \"\\xfe\" int32 2", "{\"\xef\xbf\xbd\":2}");
    expect_args("\"\\xff\\xff\" int32 1, \"\\xff\" int32 2",
                "{\"\xef\xbf\xbd\xef\xbf\xbd\":1,\"\xef\xbf\xbd\":2}");
    expect_args("\"\\xff\" int32 1, \"\\xef\\xbf\\xbd\" int32 2", "{\"\xef\xbf\xbd\":2}");
}

Test(events, arguments_of_unknown_type_are_left_out_and_hide_none)
{
    expect("string index=1 value=\"a\"\nthread index=9 process=1 thread=2\n"
           "word event.header size=4 event_type=0 arg_count=2 thread=9\nu64 0\n"
           "word arg.header type=1 size=1 name=1 data=7\nword arg.header type=11 size=1 name=1",
           HEAD "\"category\":\"\",\"name\":\"\",\"ts\":0,\"ns\":0,\"scope\":\"thread\","
                "\"args\":{\"a\":7}}\n");
}

Test(events, switches_of_both_kinds_look_alike)
{
    expect("thread index=1 process=1 thread=5\nlegacy_switch timestamp=1 cpu=3 "
           "outgoing_state=blocked outgoing_thread=@1 incoming_thread=@2",
           "{\"event\":\"context_switch\",\"provider\":0,\"outgoing_thread\":5,"
           "\"incoming_thread\":null,\"ts\":1,\"ns\":1,\"cpu\":3,\"outgoing_state\":\"blocked\","
           "\"outgoing_priority\":0,\"incoming_priority\":0}\n");
    expect("context_switch timestamp=1 cpu=300 outgoing_state=dead outgoing_thread=5 "
           "incoming_thread=6 { \"w\" int32 -1 }\nthread_wakeup timestamp=1 cpu=2 waking_thread=5",
           "{\"event\":\"context_switch\",\"provider\":0,\"ts\":1,\"ns\":1,\"cpu\":300,"
           "\"outgoing_state\":\"dead\",\"outgoing_thread\":5,\"incoming_thread\":6,"
           "\"args\":{\"w\":-1}}\n"
           "{\"event\":\"thread_wakeup\",\"provider\":0,\"ts\":1,\"ns\":1,\"cpu\":2,"
           "\"waking_thread\":5,\"args\":{}}\n");
}

Test(events, objects_blobs_and_logs)
{
    expect("blob blob_type=data name=\"b\" payload=x\"00ff\"\nlog timestamp=1 thread=1/2 "
           "message=\"a\\n\"",
           "{\"event\":\"blob\",\"provider\":0,\"name\":\"b\",\"blob_type\":\"data\","
           "\"payload\":\"00ff\"}\n{\"event\":\"log\",\"provider\":0,\"process\":1,\"thread\":2,"
           "\"ts\":1,\"ns\":1,\"message\":\"a\\n\"}\n");
    expect(
        "userspace_object pointer=0x10 process=3 name=\"o\" { \"a\" int32 1 }\n"
        "userspace_object pointer=0x10 process=@3\nkernel_object object_type=17 koid=5 name=\"j\"",
        "{\"event\":\"userspace_object\",\"provider\":0,\"process\":3,\"name\":\"o\","
        "\"pointer\":16,\"args\":{\"a\":1}}\n"
        "{\"event\":\"userspace_object\",\"provider\":0,\"process\":null,\"name\":\"\","
        "\"pointer\":16,\"args\":{}}\n"
        "{\"event\":\"kernel_object\",\"provider\":0,\"name\":\"j\",\"object_type\":17,"
        "\"koid\":5,\"args\":{}}\n");
}

Test(events, profiler_records_and_large_blobs)
{
    expect("module timestamp=1 thread=1/0 module_id=2 name=\"libc\" build_id=\"A\"\n"
           "mmap timestamp=1 thread=@2 module_id=2 flags=5 start_address=1 address_range=2 "
           "vaddr=3\nbacktrace timestamp=1 thread=1/2 frames=[1,0xffffffffffffffff]",
           "{\"event\":\"module\",\"provider\":0,\"process\":1,\"thread\":0,\"ts\":1,\"ns\":1,"
           "\"module_id\":2,\"name\":\"libc\",\"build_id\":\"41\"}\n"
           "{\"event\":\"mmap\",\"provider\":0,\"process\":null,\"thread\":null,\"ts\":1,\"ns\":1,"
           "\"module_id\":2,\"flags\":5,\"start_address\":1,\"address_range\":2,\"vaddr\":3}\n"
           "{\"event\":\"backtrace\",\"provider\":0,\"process\":1,\"thread\":2,\"ts\":1,\"ns\":1,"
           "\"frames\":[1,18446744073709551615]}\n");
    expect("large_blob blob_format=0 category=@1 name=\"n\" timestamp=3 thread=@2 payload=x\"01\" "
           "{ \"a\" null }\nlarge_blob blob_format=1 payload=x\"ab\"",
           "{\"event\":\"large_blob\",\"provider\":0,\"category\":null,\"name\":\"n\","
           "\"process\":null,\"thread\":null,\"blob_format\":0,\"ts\":3,\"ns\":3,"
           "\"payload\":\"01\",\"args\":{\"a\":null}}\n"
           "{\"event\":\"large_blob\",\"provider\":0,\"category\":\"\",\"name\":\"\","
           "\"blob_format\":1,\"payload\":\"ab\"}\n");
}

Test(events, tables_metadata_unknown_and_malformed_records_give_nothing)
{
    expect("magic\nprovider_info provider_id=1 name=\"p\"\nprovider_section provider_id=1\n"
           "provider_event provider_id=1\ninitialization ticks_per_second=1\n"
           "string index=1 value=\"s\"\nthread index=1 process=1 thread=2\nu64 0\n"
           "word trace_info.header size=1 trace_info_type=2\n"
           "word record.header type=12 size=1\nword event.header size=2 event_type=15 thread=1\n"
           "u64 1\nword event.header size=2 thread=1 event_type=1\nu64 7\n"
           "word large_blob.header size=2 blob_format=2\nu64 0",
           "");
}

/* Brackets close in order and strings end; a number is never inside a name. */
static bool well_formed(const char *line, size_t length)
{
    size_t depth = 0;
    bool in_string = false;
    for (size_t i = 0; i < length; i++) {
        char c = line[i];
        if ((unsigned char)c < 0x20)
            return false;
        if (in_string && c == '\\')
            i++;
        else if (c == '"')
            in_string = !in_string;
        else if (!in_string && (c == '{' || c == '['))
            depth++;
        else if (!in_string && (c == '}' || c == ']') && depth-- == 0)
            return false;
    }
    return depth == 0 && !in_string && length > 0 && line[0] == '{';
}

Test(events, any_bytes_give_well_formed_lines)
{
    testing_seed = 6;
    for (int i = 0; i < 5000; i++) {
        memset(testing_trace, 0, 2048);
        const char *line = events_of(testing_likely_trace(testing_trace, 200));
        while (*line != '\0') {
            size_t length = strcspn(line, "\n");
            cr_assert(well_formed(line, length), "%.*s", (int)length, line);
            cr_assert_eq(line[length], '\n');
            line += length + 1;
        }
    }
}
