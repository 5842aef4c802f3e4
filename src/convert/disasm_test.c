#include "src/convert/testing.h"
#include "src/convert/testing_random.h"

/* Every line by name comes back as it was. */
static void expect_same_text(const char *lines)
{
    uint64_t size = testing_assemble(lines);
    cr_expect_str_eq(testing_disassemble(testing_trace, size), lines);
    testing_identity(testing_trace, size);
}

/* Exactly this text for the trace of these lines, and the same bytes again. */
static void expect_text(const char *lines, const char *text)
{
    uint64_t size = testing_assemble(lines);
    cr_expect_str_eq(testing_disassemble(testing_trace, size), text);
    testing_identity(testing_trace, size);
}

Test(disasm, trace_of_the_other_byte_order_is_numbers)
{
    expect_text("u64 0x1000044678541600\nu64 1\n",
                "; 0x0 reading ends: REC-10 a trace of the other byte order is refused\n"
                "u64 0x1000044678541600\nu64 1\n");
}

Test(disasm, canonical_records_come_back_by_name)
{
    expect_same_text("magic\n");
    expect_same_text("provider_info provider_id=1 name=\"alpha\"\n");
    expect_same_text("provider_section provider_id=4294967295\n");
    expect_same_text("provider_event provider_id=1 event_id=buffer_full\n");
    expect_same_text("initialization ticks_per_second=1000000000\n");
    expect_same_text("string index=1 value=\"cat\"\n");
    expect_same_text("thread index=255 process=18446744073709551615 thread=200\n");
    expect_same_text("blob blob_type=data name=@5 payload=x\"00ff\"\n");
    expect_same_text("userspace_object pointer=0x1000 process=@1 name=\"o\" { @2 int32 -5 }\n");
    expect_same_text("userspace_object pointer=0x1000 process=7 name=\"\"\n");
    expect_same_text("kernel_object object_type=thread koid=9 name=\"t\" { \"process\" koid 8 }\n");
    expect_same_text("kernel_object object_type=77 koid=9 name=\"\\xff\"\n");
    expect_same_text("legacy_switch timestamp=1 cpu=3 outgoing_state=blocked outgoing_thread=@1 "
                     "incoming_thread=5/6 outgoing_priority=7 incoming_priority=8\n");
    expect_same_text("context_switch timestamp=1 cpu=65535 outgoing_state=dead outgoing_thread=5 "
                     "incoming_thread=6 { \"incoming_weight\" int32 1 }\n");
    expect_same_text("thread_wakeup timestamp=1 cpu=2 waking_thread=5\n");
    expect_same_text("log timestamp=1 thread=@2 message=\"a line\\n\"\n");
    expect_same_text(
        "module timestamp=1 thread=5/0 module_id=2 name=\"libc\" build_id=x\"abcd\"\n");
    expect_same_text("mmap timestamp=1 thread=5/0 module_id=2 flags=5 start_address=0x1000 "
                     "address_range=0x2000 vaddr=0x0\n");
    expect_same_text("backtrace timestamp=1 thread=@1 frames=[0x1000,0xffffffffffffffff]\n");
    expect_same_text("backtrace timestamp=1 thread=@1 frames=[]\n");
    expect_same_text("large_blob blob_format=0 category=@1 name=\"n\" timestamp=3 thread=1/2 "
                     "payload=x\"010203\" { \"k\" bool true }\n");
    expect_same_text("large_blob blob_format=1 category=@1 name=\"n\" payload=x\"010203\"\n");
}

Test(disasm, every_type_of_event_comes_back_by_name)
{
    expect_same_text("event instant timestamp=7 thread=@1 category=@1 name=\"inline\"\n"
                     "event instant timestamp=7 thread=@1 category=@1 name=\"\" scope=thread\n"
                     "event instant timestamp=7 thread=1/2 category=\"\" name=@3 scope=global\n"
                     "event counter timestamp=7 thread=@1 category=@1 name=@2 id=5\n"
                     "event duration_begin timestamp=7 thread=@1 category=@1 name=@2\n"
                     "event duration_end timestamp=7 thread=@1 category=@1 name=@2\n"
                     "event duration_complete timestamp=7 thread=@1 category=@1 name=@2 end=9\n"
                     "event async_begin timestamp=7 thread=@1 category=@1 name=@2 id=1\n"
                     "event async_instant timestamp=7 thread=@1 category=@1 name=@2 id=1\n"
                     "event async_end timestamp=7 thread=@1 category=@1 name=@2 id=1\n"
                     "event flow_begin timestamp=7 thread=@1 category=@1 name=@2 id=0\n"
                     "event flow_step timestamp=7 thread=@1 category=@1 name=@2 id=1\n"
                     "event flow_end timestamp=7 thread=@1 category=@1 name=@2 "
                     "id=18446744073709551615\n");
}

Test(disasm, every_type_of_argument_comes_back_by_name)
{
    expect_same_text(
        "event duration_end timestamp=0 thread=0/0 category=\"\" name=\"\" { @1 null, "
        "\"a\" int32 -2147483648, \"\" uint32 4294967295, \"b\" int64 -9223372036854775808, "
        "\"c\" uint64 18446744073709551615, \"d\" double 2.5, \"e\" double 0x7ff8000000000001, "
        "\"f\" double -0.1, \"g\" string @3, \"h\" string \"x \\\" y\", \"i\" string \"\", "
        "\"j\" pointer 0xffff, \"k\" koid 12, \"l\" bool false, \"m\" blob x\"\" }\n");
}

Test(disasm, what_the_writer_would_not_write_comes_back_as_raw_lines)
{
    expect_text("word event.header size=4 event_type=0 thread=1 name=0x8003 bits=0x0\n"
                "u64 7\nstream \"abc\" pad=x\"0000000001\"\nu64 9\n",
                "; 0x10 not canonical: REC-05 the padding of a stream is zero\n"
                "word event.header size=4 thread=1 name=0x8003\n"
                "u64 7\nu64 0x100000000636261\nu64 9\n");
    expect_text("word string.header size=2 index=1 length=3 bits=0x8000000000000000\n"
                "stream \"abc\"\n",
                "; 0x0 not canonical: REC-04 reserved bits are zero\n"
                "word string.header size=2 index=1 length=3 bits=0x8000000000000000\n"
                "stream \"abc\"\n");
    expect_text("word record.header type=12 size=2\nu64 5\n",
                "; 0x0 not canonical: REC-06 the record type is one that the format defines\n"
                "word record.header type=12 size=2\nu64 5\n");
    expect_text("word magic.header magic=1\n",
                "; 0x0 not canonical: MET-06 the magic number record is exactly "
                "0x0016547846040010\n"
                "word trace_info.header size=1 data=1\n");
}

Test(disasm, arguments_of_raw_records_are_found)
{
    expect_text("word event.header size=9 event_type=3 arg_count=4 thread=1 bits=0\nu64 7\n"
                "word arg.header type=14 size=2 name=5 data=6\nu64 1\n"
                "word arg_plain.header type=3 size=2 name=5\nu64 2\n"
                "word arg_bool.header size=1 name=5 value=1 bits=0x200000000\n"
                "word arg_string.header size=2 name=5 value=0x8003\nstream \"abc\"\n",
                "; 0x10 not canonical: ARG-04 the argument type is one that the format defines\n"
                "word event.header size=9 event_type=3 arg_count=4 thread=1\nu64 7\n"
                "word arg.header type=14 size=2 name=5 data=6\nu64 1\n"
                "word arg_plain.header type=3 size=2 name=5\nu64 2\n"
                "word arg_bool.header size=1 name=5 value=1 bits=0x200000000\n"
                "word arg_string.header size=2 name=5 value=0x8003\nstream \"abc\"\n");
}

Test(disasm, malformed_records_say_what_is_wrong)
{
    expect_text("word event.header size=1\n",
                "; 0x8 malformed: EVT-01 an event record holds its timestamp\n"
                "word event.header size=1\n");
}

Test(disasm, zero_words_odd_bytes_and_what_cannot_be_framed_come_back)
{
    expect_text("magic\nu64 0\nmagic\nbytes x\"010203\"\n",
                "magic\nu64 0\nmagic\n"
                "; 0x18 reading ends: REC-01 a trace is a whole number of 8-byte words\n"
                "bytes x\"010203\"\n");
    expect_text("word string.header size=0 index=7\nu64 5\n",
                "; 0x0 reading ends: REC-02 a record's size counts its header, so it is never "
                "zero\n"
                "word string.header size=0 index=7\nu64 5\n");
    expect_text("word string.header size=9 index=7 length=5\nstream \"alpha\"\nbytes x\"aa\"\n",
                "; 0x0 reading ends: REC-03 a record ends inside the trace\n"
                "word string.header size=9 index=7 length=5\nstream \"alpha\"\nbytes x\"aa\"\n");
    expect_text("u64 0x1000044678541600\nmagic\n",
                "; 0x0 reading ends: REC-10 a trace of the other byte order is refused\n"
                "u64 0x1000044678541600\nu64 0x16547846040010\n");
    expect_text("", "");
}

Test(disasm, bytes_at_random_come_back)
{
    testing_seed = 1;
    for (int i = 0; i < 3000; i++) {
        uint64_t size = testing_random() % 400;
        for (uint64_t k = 0; k < size; k++)
            testing_trace[k] = (uint8_t)(testing_random() >> 56);
        testing_identity(testing_trace, size);
    }
}

Test(disasm, likely_records_at_random_come_back)
{
    testing_seed = 2;
    for (int i = 0; i < 20000; i++) {
        memset(testing_trace, 0, 4096);
        testing_identity(testing_trace, testing_likely_trace(testing_trace, 200));
    }
}

Test(disasm, valid_traces_with_one_bit_flipped_come_back)
{
    uint64_t size = testing_assemble(testing_all_kinds);
    for (uint64_t bit = 0; bit < 8 * size; bit++) {
        testing_trace[bit / 8] ^= (uint8_t)(1u << (bit % 8));
        testing_identity(testing_trace, size);
        testing_trace[bit / 8] ^= (uint8_t)(1u << (bit % 8));
    }
}

Test(disasm, valid_traces_with_a_few_bytes_changed_come_back)
{
    uint64_t size = testing_assemble(testing_all_kinds);
    testing_seed = 3;
    for (int i = 0; i < 5000; i++) {
        testing_assemble(testing_all_kinds);
        for (uint64_t n = 1 + testing_random() % 4; n > 0; n--)
            testing_trace[testing_random() % size] = (uint8_t)testing_likely_number();
        testing_identity(testing_trace, size);
    }
}

Test(disasm, valid_traces_cut_anywhere_come_back)
{
    uint64_t size = testing_assemble(testing_all_kinds);
    for (uint64_t cut = 0; cut <= size; cut++)
        testing_identity(testing_trace, cut);
}

Test(disasm, large_records_of_any_size_come_back)
{
    uint64_t words = 50000;
    memset(testing_trace, 0x5a, 8 * (size_t)words);
    fxt_store_word(testing_trace, FXT_RECORD_LARGE | words << 4 | UINT64_C(1) << 40);
    fxt_store_word(testing_trace + 8, 0);
    fxt_store_word(testing_trace + 16, 8 * (words - 3));
    testing_identity(testing_trace, 8 * words);
    cr_expect_eq(strncmp(testing_text, "large_blob ", 11), 0);
    testing_trace[3] = 1; /* now 4 GiB are announced */
    testing_identity(testing_trace, 8 * words);
}

Test(disasm, doubles_of_every_size_come_back)
{
    uint64_t size = testing_assemble("event duration_end thread=@1 { @1 double 0.0 }");
    testing_seed = 8;
    for (int i = 0; i < 20000; i++) {
        double number = (double)(testing_random() % 1000000) / (double)(1 + testing_random() % 999);
        uint64_t bits = testing_likely_number();
        if (i % 2 == 0)
            memcpy(&bits, &number, sizeof bits);
        fxt_store_word(testing_trace + size - 8, bits);
        testing_identity(testing_trace, size);
    }
}
