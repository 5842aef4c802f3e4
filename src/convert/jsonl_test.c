#include "src/convert/testing.h"
#include "src/convert/testing_random.h"

/* The JSON of the trace of these lines. */
static void expect(const char *lines, const char *json)
{
    uint64_t size = testing_assemble(lines);
    cr_expect_str_eq(
        testing_print(testing_trace, size, fxt_convert_jsonl_record, fxt_convert_jsonl_error),
        json);
}

Test(jsonl, metadata_and_tables)
{
    expect("magic", "{\"offset\":\"0\",\"record\":\"magic\",\"size\":1}\n");
    expect("provider_info provider_id=4294967295 name=\"al\\\"pha\"",
           "{\"offset\":\"0\",\"record\":\"provider_info\",\"size\":2,\"provider_id\":4294967295,"
           "\"name\":\"al\\\"pha\"}\n");
    expect("provider_section provider_id=1",
           "{\"offset\":\"0\",\"record\":\"provider_section\",\"size\":1,\"provider_id\":1}\n");
    expect("provider_event provider_id=1\nword provider_event.header size=1 event_id=3",
           "{\"offset\":\"0\",\"record\":\"provider_event\",\"size\":1,\"provider_id\":1,"
           "\"event_id\":\"buffer_full\"}\n"
           "{\"offset\":\"8\",\"record\":\"provider_event\",\"size\":1,\"provider_id\":0,"
           "\"event_id\":3}\n");
    expect("word trace_info.header size=1 trace_info_type=2 bits=0xff00000001000000",
           "{\"offset\":\"0\",\"record\":\"trace_info\",\"size\":1,\"trace_info_type\":2,"
           "\"data\":\"1095216660481\"}\n");
    expect("initialization ticks_per_second=1000",
           "{\"offset\":\"0\",\"record\":\"initialization\",\"size\":2,"
           "\"ticks_per_second\":\"1000\"}\n");
    expect("string index=5 value=\"cat\"\nthread index=7 process=1 thread=2",
           "{\"offset\":\"0\",\"record\":\"string\",\"size\":2,\"index\":5,\"value\":\"cat\"}\n"
           "{\"offset\":\"16\",\"record\":\"thread\",\"size\":3,\"index\":7,\"process\":\"1\","
           "\"thread\":\"2\"}\n");
}

Test(jsonl, events)
{
    expect("string index=1 value=\"cat\"\nthread index=1 process=100 thread=200\n"
           "event instant timestamp=7 thread=@1 category=@1 name=\"x\" scope=process",
           "{\"offset\":\"0\",\"record\":\"string\",\"size\":2,\"index\":1,\"value\":\"cat\"}\n"
           "{\"offset\":\"16\",\"record\":\"thread\",\"size\":3,\"index\":1,\"process\":\"100\","
           "\"thread\":\"200\"}\n"
           "{\"offset\":\"40\",\"record\":\"event\",\"size\":4,\"event_type\":\"instant\","
           "\"timestamp\":\"7\",\"thread\":{\"ref\":1,\"process\":\"100\",\"thread\":\"200\"},"
           "\"category\":{\"ref\":1,\"value\":\"cat\"},\"name\":{\"ref\":32769,\"value\":\"x\"},"
           "\"scope\":\"process\",\"args\":[]}\n");
    expect("event instant",
           "{\"offset\":\"0\",\"record\":\"event\",\"size\":4,"
           "\"event_type\":\"instant\",\"timestamp\":\"0\",\"thread\":{\"ref\":0,\"process\":\"0\","
           "\"thread\":\"0\"},\"category\":{\"ref\":0,\"value\":\"\"},\"name\":{\"ref\":0,"
           "\"value\":\"\"},\"scope\":null,\"args\":[]}\n");
    expect("event counter thread=@9 name=@300 id=18446744073709551615",
           "{\"offset\":\"0\",\"record\":\"event\",\"size\":3,\"event_type\":\"counter\","
           "\"timestamp\":\"0\",\"thread\":{\"ref\":9,\"process\":null,\"thread\":null},"
           "\"category\":{\"ref\":0,\"value\":\"\"},\"name\":{\"ref\":300,\"value\":null},"
           "\"id\":\"18446744073709551615\",\"args\":[]}\n");
    expect("event duration_complete thread=@9 end=9",
           "{\"offset\":\"0\",\"record\":\"event\",\"size\":3,\"event_type\":"
           "\"duration_complete\",\"timestamp\":\"0\",\"thread\":{\"ref\":9,\"process\":null,"
           "\"thread\":null},\"category\":{\"ref\":0,\"value\":\"\"},\"name\":{\"ref\":0,"
           "\"value\":\"\"},\"end\":\"9\",\"args\":[]}\n");
    expect("word event.header size=3 event_type=15 thread=9\nu64 1 2",
           "{\"offset\":\"0\",\"record\":\"event\",\"size\":3,\"event_type\":15,"
           "\"timestamp\":\"1\",\"thread\":{\"ref\":9,\"process\":null,\"thread\":null},"
           "\"category\":{\"ref\":0,\"value\":\"\"},\"name\":{\"ref\":0,\"value\":\"\"},"
           "\"args\":[],\"tail\":[\"0x0000000000000002\"]}\n");
}

/* The JSON of the one argument of an event. */
static void expect_arg(const char *arg, const char *json)
{
    char line[256] = "event duration_end thread=@9 { ";
    strcat(strcat(line, arg), " }");
    testing_print(testing_trace, testing_assemble(line), fxt_convert_jsonl_record,
                  fxt_convert_jsonl_error);
    const char *args = strstr(testing_text, "\"args\":[");
    cr_assert_not_null(args);
    testing_text[testing_text_size - strlen("]}\n")] = '\0';
    cr_expect_str_eq(args + strlen("\"args\":["), json);
}

Test(jsonl, arguments)
{
#define NAME_A "{\"name\":{\"ref\":32769,\"value\":\"a\"},"
    expect_arg("\"a\" null", NAME_A "\"type\":\"null\",\"value\":null}");
    expect_arg("\"a\" int32 -5", NAME_A "\"type\":\"int32\",\"value\":-5}");
    expect_arg("\"a\" uint32 4294967295", NAME_A "\"type\":\"uint32\",\"value\":4294967295}");
    expect_arg("\"a\" int64 -5", NAME_A "\"type\":\"int64\",\"value\":\"-5\"}");
    expect_arg("\"a\" uint64 5", NAME_A "\"type\":\"uint64\",\"value\":\"5\"}");
    expect_arg("\"a\" double 1.5", NAME_A "\"type\":\"double\",\"value\":\"0x3ff8000000000000\"}");
    expect_arg("\"a\" double 0x1", NAME_A "\"type\":\"double\",\"value\":\"0x0000000000000001\"}");
    expect_arg("\"a\" string @7",
               NAME_A "\"type\":\"string\",\"value\":{\"ref\":7,\"value\":null}}");
    expect_arg("\"a\" string \"b\"",
               NAME_A "\"type\":\"string\",\"value\":{\"ref\":32769,\"value\":\"b\"}}");
    expect_arg("\"a\" pointer 0x10", NAME_A "\"type\":\"pointer\",\"value\":\"16\"}");
    expect_arg("\"a\" koid 16", NAME_A "\"type\":\"koid\",\"value\":\"16\"}");
    expect_arg("\"a\" bool true", NAME_A "\"type\":\"bool\",\"value\":true}");
    expect_arg("\"a\" bool false", NAME_A "\"type\":\"bool\",\"value\":false}");
    expect_arg("\"a\" blob x\"00ff\"", NAME_A "\"type\":\"blob\",\"value\":\"00ff\"}");
    expect_arg("@0 null, @1 null",
               "{\"name\":{\"ref\":0,\"value\":\"\"},\"type\":\"null\",\"value\":null},"
               "{\"name\":{\"ref\":1,\"value\":null},\"type\":\"null\",\"value\":null}");
}

Test(jsonl, unknown_arguments_and_tails_of_arguments)
{
    expect("word event.header size=8 event_type=3 arg_count=2 thread=9\nu64 1\n"
           "word arg.header type=12 size=3 name=1 data=4294967295\nu64 2 3\n"
           "word arg.header type=1 size=2 name=1 data=4294967295\nu64 4\nu64 5",
           "{\"offset\":\"0\",\"record\":\"event\",\"size\":8,\"event_type\":\"duration_end\","
           "\"timestamp\":\"1\",\"thread\":{\"ref\":9,\"process\":null,\"thread\":null},"
           "\"category\":{\"ref\":0,\"value\":\"\"},\"name\":{\"ref\":0,\"value\":\"\"},"
           "\"args\":[{\"name\":{\"ref\":1,\"value\":null},\"type\":12,\"data\":4294967295,"
           "\"tail\":[\"0x0000000000000002\",\"0x0000000000000003\"]},"
           "{\"name\":{\"ref\":1,\"value\":null},\"type\":\"int32\",\"value\":-1,"
           "\"tail\":[\"0x0000000000000004\"]}],\"tail\":[\"0x0000000000000005\"]}\n");
}

Test(jsonl, blobs)
{
    expect("blob blob_type=data name=@5 payload=x\"00ff\"",
           "{\"offset\":\"0\",\"record\":\"blob\",\"size\":2,\"blob_type\":\"data\",\"name\":"
           "{\"ref\":5,\"value\":null},\"payload\":\"00ff\"}\n");
}

Test(jsonl, userspace_and_kernel_objects)
{
    expect("userspace_object pointer=0x10 process=3 name=\"o\"\n"
           "userspace_object pointer=0x10 process=@3",
           "{\"offset\":\"0\",\"record\":\"userspace_object\",\"size\":4,\"pointer\":\"16\","
           "\"process\":{\"ref\":0,\"process\":\"3\"},\"name\":{\"ref\":32769,\"value\":\"o\"},"
           "\"args\":[]}\n"
           "{\"offset\":\"32\",\"record\":\"userspace_object\",\"size\":2,\"pointer\":\"16\","
           "\"process\":{\"ref\":3,\"process\":null},\"name\":{\"ref\":0,\"value\":\"\"},"
           "\"args\":[]}\n");
    expect("kernel_object object_type=thread koid=9\nkernel_object object_type=99 koid=9",
           "{\"offset\":\"0\",\"record\":\"kernel_object\",\"size\":2,\"object_type\":\"thread\","
           "\"koid\":\"9\",\"name\":{\"ref\":0,\"value\":\"\"},\"args\":[]}\n"
           "{\"offset\":\"16\",\"record\":\"kernel_object\",\"size\":2,\"object_type\":99,"
           "\"koid\":\"9\",\"name\":{\"ref\":0,\"value\":\"\"},\"args\":[]}\n");
}

Test(jsonl, scheduling_and_log)
{
    expect("legacy_switch timestamp=1 cpu=3 outgoing_state=blocked outgoing_thread=@1 "
           "incoming_thread=5/6 outgoing_priority=7 incoming_priority=8",
           "{\"offset\":\"0\",\"record\":\"legacy_switch\",\"size\":4,\"timestamp\":\"1\","
           "\"cpu\":3,\"outgoing_state\":\"blocked\",\"outgoing_thread\":{\"ref\":1,"
           "\"process\":null,\"thread\":null},\"incoming_thread\":{\"ref\":0,\"process\":\"5\","
           "\"thread\":\"6\"},\"outgoing_priority\":7,\"incoming_priority\":8}\n");
    expect("context_switch timestamp=1 cpu=300 outgoing_thread=5 incoming_thread=6\n"
           "thread_wakeup timestamp=1 cpu=2 waking_thread=5",
           "{\"offset\":\"0\",\"record\":\"context_switch\",\"size\":4,\"timestamp\":\"1\","
           "\"cpu\":300,\"outgoing_state\":\"new\",\"outgoing_thread\":\"5\","
           "\"incoming_thread\":\"6\",\"args\":[]}\n"
           "{\"offset\":\"32\",\"record\":\"thread_wakeup\",\"size\":3,\"timestamp\":\"1\","
           "\"cpu\":2,\"waking_thread\":\"5\",\"args\":[]}\n");
    expect("log timestamp=1 thread=@2 message=\"a line\\n\"",
           "{\"offset\":\"0\",\"record\":\"log\",\"size\":3,\"timestamp\":\"1\",\"thread\":"
           "{\"ref\":2,\"process\":null,\"thread\":null},\"message\":\"a line\\n\"}\n");
}

Test(jsonl, profiler_and_large)
{
    expect("module timestamp=1 thread=@2 module_id=2 name=\"libc\" build_id=\"A\"\n"
           "mmap timestamp=1 thread=@2 module_id=2 flags=5 start_address=1 address_range=2 "
           "vaddr=3\n"
           "backtrace timestamp=1 thread=@2 frames=[1,0xffffffffffffffff]",
           "{\"offset\":\"0\",\"record\":\"module\",\"size\":4,\"timestamp\":\"1\",\"thread\":"
           "{\"ref\":2,\"process\":null,\"thread\":null},\"module_id\":2,\"name\":\"libc\","
           "\"build_id\":\"41\"}\n"
           "{\"offset\":\"32\",\"record\":\"mmap\",\"size\":5,\"timestamp\":\"1\",\"thread\":"
           "{\"ref\":2,\"process\":null,\"thread\":null},\"module_id\":2,\"flags\":5,"
           "\"start_address\":\"1\",\"address_range\":\"2\",\"vaddr\":\"3\"}\n"
           "{\"offset\":\"72\",\"record\":\"backtrace\",\"size\":4,\"timestamp\":\"1\","
           "\"thread\":{\"ref\":2,\"process\":null,\"thread\":null},"
           "\"frames\":[\"1\",\"18446744073709551615\"]}\n");
    expect("large_blob blob_format=0 category=@1 name=\"n\" timestamp=3 thread=@2 payload=x\"01\" "
           "{ @1 null }\nlarge_blob blob_format=1 payload=x\"ab\"",
           "{\"offset\":\"0\",\"record\":\"large_blob\",\"size\":7,\"blob_format\":0,\"category\":"
           "{\"ref\":1,\"value\":null},\"name\":{\"ref\":32769,\"value\":\"n\"},\"timestamp\":"
           "\"3\",\"thread\":{\"ref\":2,\"process\":null,\"thread\":null},\"payload\":\"01\","
           "\"args\":[{\"name\":{\"ref\":1,\"value\":null},\"type\":\"null\",\"value\":null}]}\n"
           "{\"offset\":\"56\",\"record\":\"large_blob\",\"size\":4,\"blob_format\":1,\"category\":"
           "{\"ref\":0,\"value\":\"\"},\"name\":{\"ref\":0,\"value\":\"\"},\"payload\":\"ab\"}\n");
}

Test(jsonl, strings_are_escaped_and_bytes_that_are_no_text_are_hexadecimal)
{
    expect("string index=1 value=\"\\\"\\\\\\x08\\x0c\\n\\r\\t\\x00\\x1f\\x7f\xc3\xa9/\"",
           "{\"offset\":\"0\",\"record\":\"string\",\"size\":3,\"index\":1,\"value\":"
           "\"\\\"\\\\\\b\\f\\n\\r\\t\\u0000\\u001f\x7f\xc3\xa9/\"}\n");
    expect("string index=1 value=\"f\\xff\"\nlog thread=@1 message=\"\\xc0\\x80\"",
           "{\"offset\":\"0\",\"record\":\"string\",\"size\":2,\"index\":1,\"value\":"
           "{\"hex\":\"66ff\"}}\n"
           "{\"offset\":\"16\",\"record\":\"log\",\"size\":3,\"timestamp\":\"0\",\"thread\":"
           "{\"ref\":1,\"process\":null,\"thread\":null},\"message\":{\"hex\":\"c080\"}}\n");
    expect("string index=1 value=\"\\xed\\xa0\\x80\"\nevent duration_end thread=@1 name=@1",
           "{\"offset\":\"0\",\"record\":\"string\",\"size\":2,\"index\":1,\"value\":"
           "{\"hex\":\"eda080\"}}\n"
           "{\"offset\":\"16\",\"record\":\"event\",\"size\":2,\"event_type\":\"duration_end\","
           "\"timestamp\":\"0\",\"thread\":{\"ref\":1,\"process\":null,\"thread\":null},"
           "\"category\":{\"ref\":0,\"value\":\"\"},\"name\":{\"ref\":1,\"value\":"
           "{\"hex\":\"eda080\"}},\"args\":[]}\n");
}

Test(jsonl, unknown_records_give_all_their_words)
{
    expect("word record.header type=12 size=2\nu64 5\nword metadata.header size=1 metadata_type=9",
           "{\"offset\":\"0\",\"record\":\"unknown\",\"size\":2,\"type\":12,\"words\":"
           "[\"0x000000000000002c\",\"0x0000000000000005\"]}\n"
           "{\"offset\":\"16\",\"record\":\"unknown\",\"size\":1,\"type\":0,\"words\":"
           "[\"0x0000000000090010\"]}\n");
}

Test(jsonl, what_cannot_be_read)
{
    expect("u64 0\nword event.header size=2 thread=1 event_type=1\nu64 7\n"
           "word string.header size=9\nu64 1",
           "{\"offset\":\"0\",\"record\":\"zero_word\"}\n"
           "{\"offset\":\"8\",\"record\":\"malformed\",\"size\":2,\"rule\":\"EVT-03\","
           "\"at\":\"24\"}\n"
           "{\"offset\":\"24\",\"error\":\"truncated\",\"rule\":\"REC-03\"}\n");
    expect("bytes x\"00\"", "{\"offset\":\"0\",\"error\":\"truncated\",\"rule\":\"REC-01\"}\n");
    expect("word string.header",
           "{\"offset\":\"0\",\"error\":\"zero_size\",\"rule\":\"REC-02\"}\n");
    expect("u64 0x1000044678541600",
           "{\"offset\":\"0\",\"error\":\"byte_order\",\"rule\":\"REC-10\"}\n");
}

Test(jsonl, a_record_that_did_not_fit_memory_is_an_error_line)
{
    struct fxt_out out = testing_out();
    struct fxt_error error = {64, FXT_FULL, FXT_RULE_LIM_02};
    fxt_convert_jsonl_error(&out, &error);
    fxt_out_flush(&out);
    cr_expect_str_eq(testing_text,
                     "{\"offset\":\"64\",\"error\":\"too_large\",\"rule\":\"LIM-02\"}\n");
}

Test(jsonl, a_payload_longer_than_the_buffer_is_whole)
{
    static char line[40000];
    size_t at = 0;
    at += (size_t)strlen(strcpy(line, "large_blob blob_format=1 payload=x\""));
    for (int i = 0; i < 9000; i++) {
        memcpy(line + at, "5a", 2);
        at += 2;
    }
    memcpy(line + at, "\"", 2);
    testing_print(testing_trace, testing_assemble(line), fxt_convert_jsonl_record,
                  fxt_convert_jsonl_error);
    const char *payload = strstr(testing_text, "\"payload\":\"");
    cr_assert_not_null(payload);
    payload += strlen("\"payload\":\"");
    cr_expect_eq(strspn(payload, "5a"), 18000);
    cr_expect_str_eq(payload + 18000, "\"}\n");
}

/* Brackets close in order, strings end, and no control character stands anywhere: with the tests
   above, that is all that can go wrong with JSON that one table makes. */
static bool well_formed(const char *line, size_t length)
{
    char open[16];
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
            open[depth++ % sizeof open] = c;
        else if (!in_string && (c == '}' || c == ']') &&
                 (depth == 0 || open[--depth] != (c == '}' ? '{' : '[')))
            return false;
    }
    return depth == 0 && !in_string && length > 0 && line[0] == '{';
}

Test(jsonl, any_bytes_give_well_formed_lines)
{
    testing_seed = 5;
    for (int i = 0; i < 5000; i++) {
        memset(testing_trace, 0, 2048);
        uint64_t size = testing_likely_trace(testing_trace, 200);
        const char *line =
            testing_print(testing_trace, size, fxt_convert_jsonl_record, fxt_convert_jsonl_error);
        while (*line != '\0') {
            size_t length = strcspn(line, "\n");
            cr_assert(well_formed(line, length), "%.*s", (int)length, line);
            cr_assert_eq(line[length], '\n');
            line += length + 1;
        }
    }
}
