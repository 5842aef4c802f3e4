#include "src/read/fixture_test.h"

#define EVENT(type, args, thread, category, name)                                                  \
    (4 | AT(type, 16) | AT(args, 20) | AT(thread, 24) | AT(category, 32) | AT(name, 48))

static struct fxt_event event_of(const struct fxt_record *record)
{
    struct fxt_event event;
    struct fxt_error error;
    memset(&event, PATTERN, sizeof event);
    cr_assert_eq(fxt_read_event(record, &event, &error), FXT_OK, "%s at %lu",
                 fxt_rule_id(error.rule), error.offset);
    return event;
}

Test(event, has_fields_at_their_least)
{
    struct fxt_record record = RECORD(EVENT(0, 0, 0, 0, 0), 0, 0, 0);
    struct fxt_event event = event_of(&record);
    cr_expect_eq(event.event_type, FXT_EVENT_INSTANT);
    cr_expect_eq(event.timestamp, 0);
    expect_thread(event.thread, 0, 0, 0);
    expect_indexed(event.category, 0);
    expect_indexed(event.name, 0);
    cr_expect_eq(event.args.count, 0);
    cr_expect_eq(event.args.words, 0);
    cr_expect_eq(event.value, 0);
    cr_expect_eq(event.has_scope, 0);
    cr_expect_eq(event.scope, FXT_SCOPE_THREAD);
}

Test(event, has_fields_at_their_most)
{
    uint64_t words[18] = {EVENT(10, 15, 255, 32767, 32766), UINT64_MAX};
    for (unsigned i = 0; i < 15; i++)
        words[2 + i] = AT(1, 4);
    words[17] = UINT64_MAX;
    struct fxt_record record = record_of(words, 18);
    struct fxt_event event = event_of(&record);
    cr_expect_eq(event.event_type, FXT_EVENT_FLOW_END);
    cr_expect_eq(event.timestamp, UINT64_MAX);
    expect_thread(event.thread, 255, 0, 0);
    expect_indexed(event.category, 32767);
    expect_indexed(event.name, 32766);
    cr_expect_eq(event.args.count, 15);
    cr_expect_eq(event.args.words, 15);
    cr_expect_eq(event.args.bytes, record.bytes + 16);
    cr_expect_eq(event.args.offset, record.offset + 16);
    cr_expect_eq(event.value, UINT64_MAX);
}

Test(event, has_inline_thread_and_strings_in_this_order)
{
    struct fxt_record record =
        RECORD(EVENT(2, 0, 0, INLINE(3), INLINE(9)), 7, UINT64_MAX, AT(1, 63), text_word("cat"),
               text_word("nine byt"), text_word("e"));
    struct fxt_event event = event_of(&record);
    expect_thread(event.thread, 0, UINT64_MAX, AT(1, 63));
    expect_inline(event.category, "cat");
    expect_inline(event.name, "nine byte");
}

Test(event, may_have_one_string_inline_and_one_indexed)
{
    struct fxt_record record = RECORD(EVENT(2, 0, 1, 5, INLINE(3)), 7, text_word("nam"));
    struct fxt_event event = event_of(&record);
    expect_indexed(event.category, 5);
    expect_inline(event.name, "nam");
    record = RECORD(EVENT(2, 0, 1, INLINE(3), 5), 7, text_word("cat"));
    event = event_of(&record);
    expect_inline(event.category, "cat");
    expect_indexed(event.name, 5);
}

Test(event, reads_0x8000_as_an_inline_string_of_no_words)
{
    struct fxt_record record = RECORD(EVENT(2, 0, 1, INLINE(0), INLINE(0)), 7);
    struct fxt_event event = event_of(&record);
    expect_inline(event.category, "");
    expect_inline(event.name, "");
    cr_expect_eq(event.tail.words, 0);
}

static void expect_name_of_length(uint64_t length)
{
    static uint64_t words[4095];
    memset(words, 0x5e, sizeof words);
    words[0] = EVENT(3, 0, 1, 0, INLINE(length));
    words[1] = 7;
    struct fxt_record record = record_of(words, 2 + (length + 7) / 8);
    struct fxt_event event = event_of(&record);
    cr_expect_eq(event.name.ref, INLINE(length));
    cr_expect_eq(event.name.bytes, length > 0 ? record.bytes + 16 : NULL);
    cr_expect_eq(fxt_string_ref_length(event.name), length);
    cr_expect_eq(event.tail.words, 0);
}

Test(event, has_inline_strings_of_any_length_that_fits)
{
    static const uint64_t lengths[] = {0, 1, 7, 8, 9, 16, 32000, 32001, 32743, 32744};
    for (unsigned i = 0; i < LENGTH(lengths); i++)
        expect_name_of_length(lengths[i]);
}

Test(event, refuses_an_inline_string_longer_than_the_largest_record)
{
    static uint64_t words[4095];
    static const uint64_t lengths[] = {32745, 32752, 32767};
    for (unsigned i = 0; i < LENGTH(lengths); i++) {
        struct fxt_event event;
        struct fxt_error error;
        words[0] = EVENT(3, 0, 1, 0, INLINE(lengths[i]));
        struct fxt_record record = record_of(words, 4095);
        cr_assert_eq(fxt_read_event(&record, &event, &error), FXT_MALFORMED);
        expect_error(&error, FXT_RULE_STR_03, record.offset + 16, "name");
    }
}

/* Which types are followed by a word of their own. */
static const bool has_value[16] = {
    [1] = 1, [4] = 1, [5] = 1, [6] = 1, [7] = 1, [8] = 1, [9] = 1, [10] = 1};

Test(event, of_a_type_with_a_word_of_its_own_has_it_after_the_arguments)
{
    for (unsigned type = 1; type <= 10; type++) {
        struct fxt_record record =
            RECORD(EVENT(type, 1, 1, 1, 2), 7, 1 | AT(1, 4) | AT(55, 32), UINT64_MAX - type, 99);
        struct fxt_event event = event_of(&record);
        cr_expect_eq(event.event_type, type);
        cr_expect_eq(event.value, has_value[type] ? UINT64_MAX - type : 0);
        cr_expect_eq(event.has_scope, 0);
        cr_expect_eq(event.scope, 0);
        cr_assert_eq(event.tail.words, has_value[type] ? 1 : 2);
        cr_expect_eq(fxt_tail_word(&event.tail, event.tail.words - 1), 99);
    }
}

Test(event, of_a_type_with_a_word_of_its_own_needs_it)
{
    for (unsigned type = 1; type <= 10; type++) {
        struct fxt_record record = RECORD(EVENT(type, 1, 1, 1, 2), 7, AT(1, 4));
        struct fxt_event event;
        struct fxt_error error;
        enum fxt_status status = fxt_read_event(&record, &event, &error);
        cr_expect_eq(status, has_value[type] ? FXT_MALFORMED : FXT_OK);
        if (has_value[type])
            expect_error(&error, FXT_RULE_EVT_03, record.offset + 24, "event");
    }
}

Test(event, of_unknown_type_has_what_all_events_have_and_the_rest_as_tail)
{
    for (unsigned type = 11; type <= 15; type++) {
        struct fxt_record record = RECORD(EVENT(type, 1, 0, INLINE(3), 2), 7, 8, 9,
                                          text_word("cat"), 1 | AT(1, 4) | AT(55, 32), 70, 71);
        struct fxt_event event = event_of(&record);
        cr_expect_eq(event.event_type, type);
        cr_expect_eq(event.timestamp, 7);
        expect_thread(event.thread, 0, 8, 9);
        expect_inline(event.category, "cat");
        cr_expect_eq(event.args.count, 1);
        cr_expect_eq(event.value, 0);
        cr_assert_eq(event.tail.words, 2);
        cr_expect_eq(fxt_tail_word(&event.tail, 0), 70);
        struct fxt_record bare = RECORD(EVENT(type, 0, 1, 1, 2), 7);
        cr_expect_eq(event_of(&bare).tail.words, 0);
    }
}

Test(instant, has_the_scope_of_its_word_and_thread_for_any_other)
{
    static const struct {
        uint64_t word;
        uint8_t scope;
    } cases[] = {{0, FXT_SCOPE_THREAD},
                 {1, FXT_SCOPE_PROCESS},
                 {2, FXT_SCOPE_GLOBAL},
                 {3, FXT_SCOPE_THREAD},
                 {UINT64_MAX, FXT_SCOPE_THREAD},
                 {256, FXT_SCOPE_THREAD},
                 {AT(1, 32) + 1, FXT_SCOPE_THREAD},
                 {257, FXT_SCOPE_THREAD}};
    for (unsigned i = 0; i < LENGTH(cases); i++) {
        struct fxt_record record = RECORD(EVENT(0, 0, 1, 1, 2), 7, cases[i].word, 99);
        struct fxt_event event = event_of(&record);
        cr_expect_eq(event.has_scope, 1);
        cr_expect_eq(event.scope, cases[i].scope, "%lu", cases[i].word);
        cr_expect_eq(event.value, cases[i].word);
        cr_expect_eq(event.tail.words, 1);
    }
}

Test(instant, without_a_scope_word_is_of_its_thread)
{
    struct fxt_record record = RECORD(EVENT(0, 0, 1, 1, 2), 7);
    struct fxt_event event = event_of(&record);
    cr_expect_eq(event.has_scope, 0);
    cr_expect_eq(event.scope, FXT_SCOPE_THREAD);
    cr_expect_eq(event.value, 0);
}
