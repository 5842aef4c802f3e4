#include "src/read/fixture_test.h"

#define LOG(length, thread) (9 | AT(length, 16) | AT(thread, 32))
#define RESERVED (AT(1, 31) | UINT64_C(0xffffff0000000000))

Test(log, with_an_inline_thread_has_the_message_behind_it)
{
    struct fxt_record record =
        RECORD(LOG(11, 0) | RESERVED, UINT64_MAX, 4, 5, text_word("log mess"), text_word("age"));
    struct fxt_log log;
    struct fxt_error error;
    cr_assert_eq(fxt_read_log(&record, &log, &error), FXT_OK);
    cr_expect_eq(log.timestamp, UINT64_MAX);
    expect_thread(log.thread, 0, 4, 5);
    expect_bytes(log.message, "log message", 11);
    cr_expect_eq(log.tail.words, 0);
}

static void expect_message(uint64_t length)
{
    static uint64_t words[4095];
    memset(words, 0x6b, sizeof words);
    words[0] = LOG(length, 255);
    words[1] = 0;
    struct fxt_record record = record_of(words, 2 + (length + 7) / 8);
    struct fxt_log log;
    struct fxt_error error;
    cr_assert_eq(fxt_read_log(&record, &log, &error), FXT_OK);
    expect_thread(log.thread, 255, 0, 0);
    expect_bytes(log.message, words + 2, length);
    cr_expect_eq(log.tail.words, 0);
}

Test(log, has_messages_up_to_the_largest_record)
{
    static const uint64_t lengths[] = {0, 1, 7, 8, 9, 32000, 32743, 32744};
    for (unsigned i = 0; i < LENGTH(lengths); i++)
        expect_message(lengths[i]);
}

Test(log, refuses_a_message_longer_than_the_largest_record)
{
    static uint64_t words[4095];
    static const uint64_t lengths[] = {32745, 32767};
    for (unsigned i = 0; i < LENGTH(lengths); i++) {
        words[0] = LOG(lengths[i], 1);
        struct fxt_record record = record_of(words, 4095);
        struct fxt_log log;
        struct fxt_error error;
        cr_assert_eq(fxt_read_log(&record, &log, &error), FXT_MALFORMED);
        expect_error(&error, FXT_RULE_LOG_01, record.offset + 16, "message");
    }
}
