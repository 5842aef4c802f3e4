#include "src/convert/testing.h"
#include "src/convert/testing_random.h"

/* The text of the trace of these lines. */
static void expect(const char *lines, const char *text)
{
    uint64_t size = testing_assemble(lines);
    cr_expect_str_eq(
        testing_print(testing_trace, size, fxt_convert_text_record, fxt_convert_text_error), text);
}

Test(text, metadata_and_tables)
{
    expect("magic\nprovider_info provider_id=1 name=\"alpha\"\nprovider_section provider_id=2\n"
           "provider_event provider_id=1 event_id=buffer_full\n"
           "initialization ticks_per_second=1000\nstring index=1 value=\"cat\"\n"
           "thread index=1 process=1001 thread=2001\n",
           "0x000000 magic\n"
           "0x000008 provider_info provider_id=1 name=\"alpha\"\n"
           "0x000018 provider_section provider_id=2\n"
           "0x000020 provider_event provider_id=1 event_id=buffer_full\n"
           "0x000028 initialization ticks_per_second=1000\n"
           "0x000038 string index=1 value=\"cat\"\n"
           "0x000048 thread index=1 process=1001 thread=2001\n");
    expect("word trace_info.header size=2 trace_info_type=2\nu64 255",
           "0x000000 trace_info trace_info_type=2 data=0 tail=[0xff]\n");
}

Test(text, references_are_shown_as_what_they_stand_for)
{
    expect("string index=1 value=\"+cat\"\nthread index=1 process=1001 thread=2001\n"
           "event instant timestamp=1000 thread=@1 category=@1 name=\"x\" scope=process "
           "{ \"i\" int32 -5, \"s\" string \"abc\" }\n"
           "event counter timestamp=1000 thread=@2 category=@12 name=\"\" id=5 { @3 null }\n"
           "userspace_object pointer=0x1000 process=@1 name=@1\n",
           "0x000000 string index=1 value=\"+cat\"\n"
           "0x000010 thread index=1 process=1001 thread=2001\n"
           "0x000028 event instant timestamp=1000 thread=1001/2001 category=\"+cat\" name=\"x\" "
           "scope=process {i: int32 -5, s: string \"abc\"}\n"
           "0x000070 event counter timestamp=1000 thread=#2? category=#12? name=\"\" id=5 "
           "{#3?: null}\n"
           "0x000090 userspace_object pointer=0x1000 process=1001 name=\"+cat\"\n");
}

Test(text, nothing_is_resolved_without_tables)
{
    struct fxt_out out = testing_out();
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    fxt_reader_init(&reader, testing_trace,
                    testing_assemble("event instant timestamp=1 thread=@1 category=@2 name=\"x\""));
    cr_assert_eq(fxt_reader_next(&reader, &record, &error), FXT_OK);
    fxt_convert_text_record(&out, NULL, &record);
    fxt_out_flush(&out);
    cr_expect_str_eq(testing_text, "0x000000 event instant timestamp=1 thread=#1? category=#2? name=\"x\"\n");
}

Test(text, arguments)
{
    expect("event duration_end timestamp=0 thread=1/2 category=\"\" name=\"\" { \"a b\" null, "
           "\"u\" uint32 7, \"l\" int64 -7, \"v\" uint64 7, \"d\" double 2.5, "
           "\"e\" double 0xfff0000000000000, \"f\" double 0x7fefffffffffffff, \"p\" pointer 255, "
           "\"k\" koid 9, \"t\" bool true, \"z\" blob x\"00ff\", \"y\" blob \"\" }",
           "0x000000 event duration_end timestamp=0 thread=1/2 category=\"\" name=\"\" "
           "{\"a b\": null, u: uint32 7, l: int64 -7, v: uint64 7, d: double 2.5, "
           "e: double -inf, f: double 1.7976931348623157e+308, p: pointer 0xff, k: koid 9, "
           "t: bool true, z: blob 2 bytes x\"00ff\", y: blob 0 bytes}\n");
    expect("word event.header size=5 event_type=2 arg_count=1 thread=1\nu64 0\n"
           "word arg.header type=12 size=2 name=1 data=3\nu64 9\nu64 8",
           "0x000000 event duration_begin timestamp=0 thread=#1? category=\"\" name=\"\" "
           "{#1?: unknown type 12 3 tail=[0x9]} tail=[0x8]\n");
}

Test(text, objects_blobs_logs_and_large_blobs)
{
    expect("blob blob_type=data name=\"b\" payload=\"A\"\n"
           "kernel_object object_type=process koid=9 name=\"p\" { \"process\" koid 8 }\n"
           "log timestamp=1 thread=1/2 message=\"hi\"\n"
           "large_blob blob_format=0 category=\"c\" name=\"n\" timestamp=3 thread=1/2 "
           "payload=\"0123456789012345678901234567890123\" { \"k\" bool true }\n"
           "large_blob blob_format=1 category=\"c\" name=\"n\" payload=\"\"",
           "0x000000 blob blob_type=data name=\"b\" payload=1 byte x\"41\"\n"
           "0x000018 kernel_object object_type=process koid=9 name=\"p\" {process: koid 8}\n"
           "0x000048 log timestamp=1 thread=1/2 message=\"hi\"\n"
           "0x000070 large_blob blob_format=0 category=\"c\" name=\"n\" timestamp=3 thread=1/2 "
           "payload=34 bytes x\"3031323334353637383930313233343536373839303132333435363738393031\""
           "... {k: bool true}\n"
           "0x0000e8 large_blob blob_format=1 category=\"c\" name=\"n\" payload=0 bytes\n");
}

Test(text, scheduling_and_profiler)
{
    expect("legacy_switch timestamp=1 cpu=3 outgoing_state=blocked outgoing_thread=@1 "
           "incoming_thread=5/6 outgoing_priority=7 incoming_priority=8\n"
           "context_switch timestamp=1 cpu=2 outgoing_state=dead outgoing_thread=5 "
           "incoming_thread=6\n"
           "thread_wakeup timestamp=1 cpu=2 waking_thread=5 { \"weight\" int32 1 }\n",
           "0x000000 legacy_switch timestamp=1 cpu=3 outgoing_state=blocked outgoing_thread=#1? "
           "incoming_thread=5/6 outgoing_priority=7 incoming_priority=8\n"
           "0x000020 context_switch timestamp=1 cpu=2 outgoing_state=dead outgoing_thread=5 "
           "incoming_thread=6\n"
           "0x000040 thread_wakeup timestamp=1 cpu=2 waking_thread=5 {weight: int32 1}\n");
    expect("module timestamp=1 thread=5/0 module_id=2 name=\"libc\" build_id=x\"abcd\"\n"
           "mmap timestamp=1 thread=5/0 module_id=2 flags=5 start_address=4096 "
           "address_range=8192 vaddr=0\n"
           "backtrace timestamp=1 thread=@1 frames=[4096,8192]\n",
           "0x000000 module timestamp=1 thread=5/0 module_id=2 name=\"libc\" "
           "build_id=2 bytes x\"abcd\"\n"
           "0x000030 mmap timestamp=1 thread=5/0 module_id=2 flags=5 start_address=0x1000 "
           "address_range=0x2000 vaddr=0x0\n"
           "0x000068 backtrace timestamp=1 thread=#1? frames=[0x1000,0x2000]\n");
}

Test(text, unknown_kinds)
{
    expect("word record.header type=12 size=3\nu64 1 2\nword record.header type=13 size=1\n"
           "word event.header size=3 event_type=12 thread=1\nu64 0 1",
           "0x000000 unknown record type 12, 3 words, header 0x3c tail=[0x1,0x2]\n"
           "0x000018 unknown record type 13, 1 word, header 0x1d\n"
           "0x000020 event unknown type 12 timestamp=0 thread=#1? category=\"\" name=\"\" "
           "tail=[0x1]\n");
    expect("word record.header type=12 size=20\nrepeat 19 u64 1",
           "0x000000 unknown record type 12, 20 words, header 0x14c tail=[0x1,0x1,0x1,0x1,0x1,"
           "0x1,0x1,0x1,0x1,0x1,0x1,0x1,0x1,0x1,0x1,0x1,...]\n");
}

Test(text, errors_are_one_line_with_their_rule)
{
    expect("u64 0\nword event.header size=1\nword string.header size=9\nu64 1",
           "0x000000 zero word [REC-09] an all-zero word is not a record\n"
           "0x000008 malformed event, 1 word, at 0x000010 [EVT-01] an event record holds its "
           "timestamp\n"
           "0x000010 error truncated [REC-03] a record ends inside the trace\n");
}

Test(text, long_offsets_keep_their_digits)
{
    struct fxt_out out = testing_out();
    struct fxt_error error = {UINT64_MAX, FXT_TRUNCATED, FXT_RULE_REC_01};
    fxt_convert_text_error(&out, &error);
    error.offset = 0x1000000;
    fxt_convert_text_error(&out, &error);
    fxt_out_flush(&out);
    cr_expect_str_eq(testing_text,
                     "0xffffffffffffffff error truncated [REC-01] a trace is a whole number of "
                     "8-byte words\n0x1000000 error truncated [REC-01] a trace is a whole number "
                     "of 8-byte words\n");
}

Test(text, any_bytes_give_lines_of_printable_text)
{
    testing_seed = 4;
    for (int i = 0; i < 5000; i++) {
        memset(testing_trace, 0, 2048);
        uint64_t size = testing_likely_trace(testing_trace, 200);
        testing_print(testing_trace, size, fxt_convert_text_record, fxt_convert_text_error);
        cr_assert(testing_text_size == 0 || testing_text[testing_text_size - 1] == '\n');
        for (size_t k = 0; k < testing_text_size; k++) {
            unsigned char c = (unsigned char)testing_text[k];
            cr_assert(c == '\n' || (c >= 0x20 && c != 0x7f));
            cr_assert(c != '\n' || k + 1 == testing_text_size ||
                      strncmp(testing_text + k + 1, "0x", 2) == 0);
        }
    }
}
