#include "src/convert/testing.h"

#include "src/base/word.h"

/* The words that one line gives, as the writer's bytes say. */
static void expect_words(const char *lines, size_t count, const uint64_t *words)
{
    uint64_t size = testing_assemble(lines);
    cr_assert_eq(size, 8 * count, "%d bytes", (int)size);
    for (size_t i = 0; i < count; i++)
        cr_expect_eq(fxt_load_word(testing_trace + 8 * i), words[i], "word %d is 0x%llx in %s",
                     (int)i, (unsigned long long)fxt_load_word(testing_trace + 8 * i), lines);
}

#define EXPECT_WORDS(lines, ...)                                                                   \
    expect_words(lines, sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t),                      \
                 (uint64_t[]){__VA_ARGS__})

/* The line is an error of that kind at that column, and adds nothing. */
static void expect_status(enum fxt_status expected, const char *line, uint64_t column,
                          const char *message)
{
    struct fxt_assembler assembler;
    fxt_asm_init(&assembler, testing_trace, 256, testing_scratch, 64);
    cr_assert_eq(fxt_asm_line(&assembler, "magic", 5), FXT_OK);
    cr_expect_eq(fxt_asm_line(&assembler, line, strlen(line)), expected, "%s", line);
    cr_expect_eq(assembler.size, 8);
    cr_expect_eq(assembler.line, 2);
    cr_expect_eq(assembler.column, column, "column %d of %s", (int)assembler.column, line);
    cr_expect_not_null(strstr(assembler.message, message), "%s: %s", line, assembler.message);
    cr_expect_eq(fxt_asm_line(&assembler, "magic", 5), FXT_OK);
    cr_expect_str_eq(assembler.message, "");
    cr_expect_eq(assembler.size, 16);
}

static void expect_error(const char *line, uint64_t column, const char *message)
{
    expect_status(FXT_INVALID, line, column, message);
}

Test(asm, records_by_name_are_what_the_writer_writes)
{
    EXPECT_WORDS("magic", FXT_MAGIC);
    EXPECT_WORDS("string index=1 value=\"cat\"", 0x0000000300010022, 0x746163);
    EXPECT_WORDS("thread index=1 process=100 thread=200", 0x10033, 100, 200);
    EXPECT_WORDS("event instant timestamp=7 thread=@1 category=@1 name=@2", 0x0002000101000024, 7);
    EXPECT_WORDS("event counter timestamp=7 thread=1/2 id=5 { @2 int32 -5 }", 0x0000000000110064, 7,
                 1, 2, 0xfffffffb00020011, 5);
}

Test(asm, fields_may_stand_in_any_order_and_be_left_out)
{
    EXPECT_WORDS("thread thread=200 index=1", 0x10033, 0, 200);
    EXPECT_WORDS("event duration_end name=@2 thread=@1", 0x0002000001030024, 0);
    EXPECT_WORDS("blob", 0x15);
}

Test(asm, blanks_comments_and_empty_lines_say_nothing)
{
    EXPECT_WORDS("\n  ; a comment\n\t magic ; another\r\n\r\nthread index = 1\n", FXT_MAGIC,
                 0x10033, 0, 0);
    EXPECT_WORDS("string index=1 value=\"a;b\" ; c", 0x0000000300010022, 0x623b61);
    EXPECT_WORDS("event duration_end thread=@1{@1 null,@2 bool true}", 0x0000000001230044, 0,
                 0x10010, 0x0000000100020019);
}

Test(asm, escapes_give_any_byte)
{
    EXPECT_WORDS("stream \"\\x00\\xff\\n\\t\\r\\\"\\\\a\"", 0x615c220d090aff00);
    EXPECT_WORDS("stream x\"00 fF01\"", 0x01ff00);
    EXPECT_WORDS("stream \"\xc3\xa9\"", 0xa9c3);
}

Test(asm, words_of_the_layout_by_their_fields)
{
    EXPECT_WORDS("word event.header size=3 event_type=0 arg_count=1 thread=1 category=1 name=2",
                 0x0002000101100034);
    EXPECT_WORDS("word magic.header", FXT_MAGIC);
    EXPECT_WORDS("word magic.header size=2 magic=0", 0x40020);
    EXPECT_WORDS("word event.header type=0", 0);
    EXPECT_WORDS("word string.header bits=0x8000000080000000 size=1 bits=0x10000",
                 0x8000000080010012);
    EXPECT_WORDS("word large_blob.metadata category=0x8003 thread=255", 0x00000ff000008003);
}

Test(asm, numbers_streams_and_bytes)
{
    EXPECT_WORDS("u64 5 0xffffffffffffffff -1 18446744073709551615", 5, UINT64_MAX, UINT64_MAX,
                 UINT64_MAX);
    EXPECT_WORDS("stream \"12345678\"", 0x3837363534333231);
    EXPECT_WORDS("stream \"abc\" pad=x\"0102030405\"", 0x0504030201636261);
    EXPECT_WORDS("bytes x\"01\"\nbytes \"\"\nbytes x\"02030405060708\"", 0x0807060504030201);
    cr_expect_eq(testing_assemble("stream \"\""), 0);
    cr_expect_eq(testing_assemble("bytes x\"010203\""), 3);
}

Test(asm, repeat_copies_a_line)
{
    EXPECT_WORDS("repeat 3 u64 1 2", 1, 2, 1, 2, 1, 2);
    EXPECT_WORDS("repeat 1 magic\nrepeat 0 u64 7\nrepeat 5 bytes \"\"", FXT_MAGIC);
    cr_expect_eq(testing_assemble("repeat 100000 u64 7"), 800000);
}

Test(asm, doubles_by_their_bits_or_in_decimal)
{
    EXPECT_WORDS("event duration_end thread=@1 { @1 double 2.5, @1 double -1e3, "
                 "@1 double 0x3ff8000000000000, @1 double 7, @1 double 25e-1 }",
                 0x015300c4, 0, 0x10025, 0x4004000000000000, 0x10025, 0xc08f400000000000, 0x10025,
                 0x3ff8000000000000, 0x10025, 0x401c000000000000, 0x10025, 0x4004000000000000);
}

Test(asm, errors_say_where_and_what)
{
    expect_error("evnet instant", 1, "no record");
    expect_error("trace_info", 1, "no record");
    expect_error("event", 6, "a name was expected");
    expect_error("event bang", 7, "no such name");
    expect_error("event instant thread=@1 nam=@2", 25, "no such field");
    expect_error("event instant thread=@1 thread=@2", 25, "twice");
    expect_error("event instant thread=@1 id=5", 25, "this variant has no such field");
    expect_error("event counter thread=@1 scope=process", 25, "this variant has no such field");
    expect_error("large_blob blob_format=1 timestamp=5", 26, "this variant has no such field");
    expect_error("large_blob blob_format=1 { }", 26, "this variant has no arguments");
    expect_error("string index=1 { }", 16, "has no arguments");
    expect_error("string index 1", 14, "'='");
    expect_error("string index=65536", 14, "too large");
    expect_error("string index=1x", 15, "does not belong to a number");
    expect_error("string index=0x", 16, "a number was expected");
    expect_error("string index=99999999999999999999", 14, "64 bits");
    expect_error("string index=1 value=abc", 22, "a string was expected");
    expect_error("string index=1 value=\"abc", 26, "does not end");
    expect_error("string index=1 value=\"a\\q\"", 25, "not an escape");
    expect_error("string index=1 value=\"a\\x4\"", 26, "two hexadecimal digits");
    expect_error("string index=1 value=x\"123\"", 26, "two hexadecimal digits");
    expect_error("string index=1 value=\"a\tb\"", 24, "must be escaped");
    expect_error("string index=0 value=\"a\"", 1, "the writer refuses this");
    expect_error("event instant thread=@0", 23, "inline");
    expect_error("event instant thread=@256", 23, "too large");
    expect_error("event instant thread=5", 23, "process/thread");
    expect_error("event instant name=@32768", 21, "too large");
    expect_error("event instant { @1 int32 2147483648 }", 26, "too large");
    expect_error("event instant { @1 int32 -2147483649 }", 27, "too large");
    expect_error("event instant { @1 int33 1 }", 20, "no such type");
    expect_error("event instant { @1 bool 1 }", 25, "a name was expected");
    expect_error("event instant { @1 bool yes }", 25, "true or false");
    expect_error("event instant { @1 double 0.1234567890123456789 }", 27, "64 bits");
    expect_error("event instant { @1 null @2 null }", 25, "',' or '}'");
    expect_error("event instant { @1 null", 24, "',' or '}'");
    expect_error("event instant { } name=@1", 19, "nothing may follow");
    expect_error("backtrace frames=5", 18, "frames are");
    expect_error("backtrace frames=[5", 20, "',' or ']'");
    expect_error("magic 5", 7, "a name was expected");
    expect_error("word nothing.header", 6, "no word");
    expect_error("word event.header sizes=3", 19, "no such field");
    expect_error("word event.header size=4096", 24, "too large");
    expect_error("word event.header size=1 size=1", 26, "twice");
    expect_error("u64", 4, "a number was expected");
    expect_error("stream \"abc\" pad=x\"00\"", 14, "multiple of 8");
    expect_error("stream \"abc\" pod=x\"00\"", 14, "pad=");
    expect_error("bytes x\"00\" 5", 13, "the line goes on");
    expect_error("repeat 2 repeat 2 magic", 10, "no record");
    expect_error("repeat", 7, "a number was expected");
    expect_error("repeat 2", 9, "a name was expected");
    expect_error("repeat 4294967296 magic", 8, "too large");
    expect_error("@", 1, "a name was expected");
}

Test(asm, errors_of_raw_lines_say_where_and_what)
{
    expect_error("word", 5, "a name was expected");
    expect_error("word event.header 5", 19, "a name was expected");
    expect_error("word event.header bits", 23, "'='");
    expect_error("word event.header size", 23, "'='");
    expect_error("u64 x", 5, "a number was expected");
    expect_error("stream abc", 8, "a string was expected");
    expect_error("stream \"abc\" 5", 14, "a name was expected");
    expect_error("stream \"abc\" pad", 17, "'='");
    expect_error("stream \"abc\" pad=5", 18, "a string was expected");
}

Test(asm, errors_of_values_say_where_and_what)
{
    expect_error("event 256", 7, "too large");
    expect_error("thread index=256", 14, "too large");
    expect_error("mmap flags=256", 12, "too large");
    expect_error("u64 1.", 6, "does not belong to a number");
    expect_error("u64 1\"", 6, "does not belong to a number");
    expect_error("u64 1@", 6, "does not belong to a number");
    expect_error("u64 1_", 6, "does not belong to a number");
    expect_error("provider_info provider_id=4294967296", 27, "too large");
    expect_error("backtrace frames=[x]", 19, "a number was expected");
    expect_error("event 200 id=5", 11, "this variant has no such field");
    expect_error("string index=1 value=\"a\\xg1\"", 26, "two hexadecimal digits");
    expect_error("string index=1 value=\"a\\x", 26, "two hexadecimal digits");
    expect_error("string index=1 value=\"a\x7f\"", 24, "must be escaped");
    expect_error("event instant { @1 double 1. }", 29, "digits were expected");
    expect_error("event instant { @1 double 1e }", 29, "a number was expected");
    expect_error("event instant { @1 double 1x }", 28, "does not belong to a number");
    expect_error("event instant { @1 double 1e5000 }", 27, "no exact decimal number");
}

Test(asm, string_of_more_than_32767_bytes_is_an_error)
{
    static char line[40000] = "event instant name=\"";
    static uint8_t scratch[40000];
    struct fxt_assembler assembler;
    size_t length = strlen(line);

    memset(line + length, 'x', 32768);
    strcpy(line + length + 32768, "\"");
    fxt_asm_init(&assembler, testing_trace, sizeof testing_trace, scratch, sizeof scratch);
    cr_expect_eq(fxt_asm_line(&assembler, line, strlen(line)), FXT_INVALID);
    cr_expect_str_eq(assembler.message, "the string is longer than 32767 bytes");
    cr_expect_eq(assembler.column, 20);
}

Test(asm, more_than_15_arguments_or_255_frames_are_errors)
{
    static char line[4096];
    strcpy(line, "event instant thread=@1 { @1 null");
    for (int i = 0; i < 14; i++)
        strcat(line, ", @1 null");
    size_t fifteen = strlen(line);
    strcat(line, " }");
    cr_expect_eq(testing_assemble(line), 8 * 17);
    strcpy(line + fifteen, ", @1 null }");
    struct fxt_assembler assembler;
    fxt_asm_init(&assembler, testing_trace, sizeof testing_trace, testing_scratch, 4096);
    cr_expect_eq(fxt_asm_line(&assembler, line, strlen(line)), FXT_INVALID);
    strcpy(line, "backtrace thread=@1 frames=[1");
    for (int i = 0; i < 254; i++)
        strcat(line, ",1");
    size_t all = strlen(line);
    strcat(line, "]");
    cr_expect_eq(fxt_asm_line(&assembler, line, strlen(line)), FXT_OK);
    cr_expect_eq(assembler.size, 8 * 257);
    strcpy(line + all, ",1]");
    cr_expect_eq(fxt_asm_line(&assembler, line, strlen(line)), FXT_INVALID);
}

Test(asm, memory_that_is_full_is_an_error_and_adds_nothing)
{
    expect_status(FXT_FULL, "repeat 32 magic", 16, "the memory for the trace is full");
    expect_status(FXT_FULL, "repeat 4294967295 magic", 24, "the memory for the trace is full");
    expect_status(FXT_FULL, "repeat 31 string index=1 value=\"a\"", 35, "the memory");
    expect_status(FXT_FULL,
                  "string index=1 value=\"0123456789012345678901234567890123456789"
                  "0123456789012345678901234567890123456789\"",
                  88, "scratch");
    expect_status(FXT_FULL, "backtrace frames=[1,2,3,4,5,6,7,8,9]", 36, "scratch");
    char hex[160] = "bytes x\"";
    for (int i = 0; i < 65; i++)
        strcat(hex, "00");
    expect_status(FXT_FULL, hex, 139, "scratch");
}

Test(asm, trace_that_is_full_gets_no_part_of_a_raw_line)
{
    static const char *const lines[] = {"bytes \"12345\"", "stream \"1\"", "stream \"12345\"", "u64 1",
                                        "word event.header"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct fxt_assembler assembler;
        memset(testing_trace, 0xaa, 16);
        fxt_asm_init(&assembler, testing_trace, 4, testing_scratch, 64);
        cr_expect_eq(fxt_asm_line(&assembler, lines[i], strlen(lines[i])), FXT_FULL, "%s",
                     lines[i]);
        cr_expect_str_eq(assembler.message, "the memory for the trace is full");
        cr_expect_eq(assembler.size, 0);
        for (int at = 4; at < 16; at++)
            cr_expect_eq(testing_trace[at], 0xaa, "byte %d of %s", at, lines[i]);
    }
}

Test(asm, every_prefix_of_a_line_is_a_line_or_an_error)
{
    static const char line[] = "event instant timestamp=7 thread=1/2 category=x\"41\" name=\"\\n\" "
                               "scope=2 { @1 int32 -5, \"d\" double -2.5e1 } ; end";
    char *copy = testing_text;
    for (size_t length = 0; length < sizeof line; length++) {
        struct fxt_assembler assembler;
        fxt_asm_init(&assembler, testing_trace, 1024, testing_scratch, 1024);
        memcpy(copy, line, length);
        memset(copy + length, '9', 16); /* bytes that are not the line's */
        enum fxt_status status = fxt_asm_line(&assembler, copy, length);
        cr_expect(status == FXT_OK || status == FXT_INVALID);
        cr_expect_eq(assembler.size > 0, status == FXT_OK && length > 0);
        cr_expect_leq(assembler.column, length + 1);
    }
}

Test(asm, any_characters_are_a_line_or_an_error)
{
    static const char letters[] = "event instant{}@=\"x\\;0123456789-.,/[]repeatwordu64 bytes";
    uint64_t state = 7;
    for (int i = 0; i < 100000; i++) {
        struct fxt_assembler assembler;
        char line[48];
        size_t length = 0;
        fxt_asm_init(&assembler, testing_trace, 1024, testing_scratch, 1024);
        for (; length < sizeof line; length++) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            line[length] = letters[(state >> 33) % (sizeof letters - 1)];
        }
        if (i % 3 == 0)
            memcpy(line, "event counter ", 14);
        if (i % 3 == 1)
            memcpy(line, "u64 ", 4);
        enum fxt_status status = fxt_asm_line(&assembler, line, length);
        cr_expect(status == FXT_OK ? assembler.column == 0 : assembler.column <= length + 1);
        cr_expect(status == FXT_OK || assembler.size == 0);
    }
}
