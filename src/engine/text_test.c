/* What the engine writes is UTF-8, whatever bytes a program has. */
#include <sys/mman.h>
#include <sys/prctl.h>

#include <fxt/check.h>
#include <trace/event.h>

#include "src/engine/fixture_test.h"

TestSuite(text, .timeout = 60);

#define BAD "caf\xe9"
#define LONG 40001

/* The text that is too long is "a" and characters of two bytes, so that the limit is in one. */
static const char *long_text(void)
{
    static char text[LONG + 1];
    text[0] = 'a';
    for (size_t i = 1; i < LONG; i += 2)
        memcpy(text + i, "\xc3\xa9", 2);
    return text;
}

static trace_context_t *begin(void)
{
    set_up(TRACE_BUFFERING_MODE_ONESHOT, 4 << 20);
    start();
    return trace_acquire_context();
}

/* Everything is there, and no string breaks STR-05. */
static void end(void)
{
    static struct fxt_checker checker;
    static struct fxt_provider provider;
    static uint32_t provider_id;
    static struct fxt_check_thread threads[64];
    static struct fxt_check_open opens[64];
    static uint8_t arena[4 << 20];
    const struct fxt_check_memory memory = {.tables = {.providers = &provider,
                                                       .provider_ids = &provider_id,
                                                       .arena = arena,
                                                       .provider_max = 1,
                                                       .arena_size = sizeof arena},
                                            .threads = threads,
                                            .opens = opens,
                                            .thread_max = 64,
                                            .open_max = 64};
    struct fxt_record record;
    struct fxt_reader reader;
    struct fxt_error error;

    stop();
    read_buffer();
    struct fxt_buffer_header header;
    cr_assert_eq(fxt_buffer_read_header(&header, it.buffer, it.bytes, it.bytes, &error), FXT_OK);
    cr_expect_eq(header.records_dropped, 0);
    fxt_check_init(&checker, &memory,
                   FXT_EDITION_2020); /* in which names of threads are UTF-8, too */
    fxt_reader_init(&reader, it.buffer + FXT_BUFFER_HEADER_BYTES, header.rolling_data_end[0]);
    while (fxt_reader_next(&reader, &record, &error) == FXT_OK) {
        uint32_t count = fxt_check_record(&checker, &record);
        for (uint32_t i = 0; i < count && i < FXT_FINDINGS_MAX; i++)
            cr_expect_neq(checker.findings[i].rule, FXT_RULE_STR_05, "record of type %u",
                          record.type);
    }
}

Test(text, event_of_a_macro_has_question_marks_for_what_is_no_character)
{
    trace_release_context(begin());
    for (int i = 0; i < 2; i++) /* a site that is not known, and one that is */
        TRACE_INSTANT("+c", "e", TRACE_SCOPE_THREAD, "a", TA_STRING(BAD), "b",
                      TA_CHAR_ARRAY("\xc3\xa9\xc3(\xff", 5));
    {
        TRACE_DURATION("+c", "d", "a", TA_STRING(BAD));
    }
    TRACE_INSTANT("+" BAD, BAD, TRACE_SCOPE_THREAD, BAD, 1);
    end();
    cr_expect_eq(count_of("instant +c e a:string=caf? b:string=\xc3\xa9?(? scope=0"), 2);
    cr_expect_eq(count_of("complete +c d a:string=caf?"), 1);
    cr_expect_eq(count_of("instant +caf? caf? caf?:int32=1 scope=0"), 1);
    tear_down();
}

Test(text, record_of_every_kind_has_question_marks_for_what_is_no_character)
{
    trace_context_t *context = begin();
    trace_string_ref_t bad = trace_make_inline_c_string_ref(BAD);
    trace_thread_ref_t thread = trace_make_inline_thread_ref(1, 2);
    trace_arg_t args[] = {
        trace_make_arg(bad, trace_make_double_arg_value(1.5)),
        trace_make_arg(bad, trace_make_null_arg_value()),
        trace_make_arg(bad, trace_make_bool_arg_value(true)),
        trace_make_arg(bad, trace_make_koid_arg_value(3)),
        trace_make_arg(bad, trace_make_string_arg_value(bad)),
    };
    int file = memfd_create(BAD, 0);
    cr_assert_geq(file, 0);
    trace_context_write_instant_event_record(context, 1, &thread, &bad, &bad, TRACE_SCOPE_THREAD,
                                             args, 5);
    trace_context_write_counter_event_record(context, 1, &thread, &bad, &bad, 7, args, 5);
    trace_context_write_blob_record(context, TRACE_BLOB_TYPE_DATA, &bad, "\xff", 1);
    void *place = trace_context_begin_write_blob_record(context, TRACE_BLOB_TYPE_DATA, &bad, 1);
    cr_assert_not_null(place);
    memcpy(place, "\xfe", 1);
    trace_context_write_blob_event_record(context, 1, &thread, &bad, &bad, "\xff", 1, args, 5);
    trace_context_write_blob_attachment_record(context, &bad, &bad, "\xff", 1);
    trace_context_write_log_record(context, 1, &thread, BAD, 4);
    trace_context_write_thread_wakeup_record(context, 1, 1, 77, args, 5);
    trace_context_write_kernel_object_record_for_handle(context, (zx_handle_t)file, args, 5);
    trace_context_write_process_info_record(context, 55, &bad);
    trace_context_write_thread_info_record(context, 55, 56, &bad);
    trace_context_write_string_record(context, 7000, BAD, 4);
    trace_release_context(context);
    end();
#define ARGS "caf?:double=1.5 caf?:null caf?:bool=1 caf?:koid=3 caf?:string=caf?"
    cr_expect_eq(count_of("instant caf? caf? " ARGS " scope=0"), 1);
    cr_expect_eq(count_of("counter caf? caf? " ARGS " id=7"), 1);
    cr_expect_eq(count_of("blob caf? \xff"), 1, "a payload is any bytes");
    cr_expect_eq(count_of("blob caf? \xfe"), 1);
    cr_expect_eq(count_of("large caf? caf? 1"), 2);
    cr_expect_eq(count_of("log caf?"), 1);
    cr_expect_eq(count_from("object 1 caf?"), 1);
    cr_expect_eq(count_from("object 2 caf?"), 1);
    cr_expect_eq(count_of("string 7000 caf?"), 1);
    tear_down();
}

Test(text, names_of_threads_have_question_marks_for_what_is_no_character)
{
    char name[301];
    trace_thread_ref_t ref;
    prctl(PR_SET_NAME, BAD);
    trace_context_t *context = begin();
    memset(name, 0, sizeof name);
    for (size_t i = 0; i < sizeof name - 1; i += 2)
        memcpy(name + i, "\xc3\xa9", 2);
    trace_context_register_current_thread(context, &ref);
    trace_context_register_vthread(context, 0, "vt\xe9", 1, &ref);
    trace_context_register_vthread(context, 0, name, 2, &ref);
    trace_release_context(context);
    end();
    cr_expect_eq(count_of("object 2 caf?"), 1);
    cr_expect_eq(count_of("object 2 vt?"), 1);
    cr_expect_eq(count_from("object 2 \xc3\xa9"), 1);
    tear_down();
}

Test(text, registered_string_has_question_marks_for_what_is_no_character)
{
    trace_context_t *context = begin();
    trace_string_ref_t a;
    trace_string_ref_t b;
    trace_context_register_bytestring(context, "a\0\x80", 3, &a);
    trace_context_register_string_copy(context, "a\0?", 3, &b);
    cr_expect(trace_is_indexed_string_ref(&a));
    cr_expect_eq(a.encoded_value, b.encoded_value);
    trace_release_context(context);
    end();
    tear_down();
}

/* The text is in the caller's memory then, and not in the engine's. */
Test(text, registered_string_that_finds_no_room_stays_the_callers)
{
    trace_context_t *context = begin();
    trace_string_ref_t ref = trace_make_empty_string_ref();
    char text[20];
    for (int i = 0; i < (int)FXT_STRING_INDEX_MAX + 10; i++) {
        snprintf(text, sizeof text, "%d" BAD, i);
        trace_context_register_string_copy(context, text, strlen(text), &ref);
    }
    cr_assert(trace_is_inline_string_ref(&ref));
    cr_expect_eq(ref.inline_string, text);
    cr_expect_eq(text[strlen(text) - 1], '\xe9', "and it is not changed");
    trace_release_context(context);
    end();
    tear_down();
}

Test(text, long_text_is_cut_between_two_characters)
{
    trace_context_t *context = begin();
    trace_string_ref_t ref = trace_make_inline_string_ref(long_text(), LONG);
    trace_thread_ref_t thread = trace_make_inline_thread_ref(1, 2);
    cr_expect_eq(ref.encoded_value & TRACE_ENCODED_STRING_REF_LENGTH_MASK, 31999);
    trace_context_write_process_info_record(context, 55, &ref);
    trace_context_write_string_record(context, 7000, long_text(), LONG);
    trace_context_register_string_copy(context, long_text(), LONG, &ref);
    trace_context_write_blob_attachment_record(context, &ref, &ref, "", 0);
    trace_context_write_log_record(context, 1, &thread, "\x80\x80\x80\x80", 4);
    trace_release_context(context);
    TRACE_INSTANT("+c", "e", TRACE_SCOPE_THREAD, "a", TA_STRING(long_text()));
    end();
    cr_expect_eq(count_of("log ????"), 1);
    for (int i = 0; i < it.count; i++)
        cr_expect(strncmp(it.lines[i], "log", 3) == 0 || strchr(it.lines[i], '?') == NULL, "%s",
                  it.lines[i]);
    tear_down();
}

/* A text of that many bytes, of one character. */
static const char *text_of_length(size_t length, const char *character)
{
    static char texts[20][32001];
    static int next;
    char *text = texts[next++ % 20];
    size_t size = strlen(character);
    size_t at = 0;
    for (; at + size <= length; at += size)
        memcpy(text + at, character, size);
    text[at] = '\0';
    return text;
}

/* The events in the buffer, and their arguments. */
static struct fxt_event found[8];
static struct fxt_arg args_found[8][FXT_ARGS_MAX];
static int found_count;

static void read_events(void)
{
    struct fxt_buffer_header header;
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;

    cr_assert_eq(fxt_buffer_read_header(&header, it.buffer, it.bytes, it.bytes, &error), FXT_OK);
    found_count = 0;
    fxt_reader_init(&reader, it.buffer + FXT_BUFFER_HEADER_BYTES, header.rolling_data_end[0]);
    while (fxt_reader_next(&reader, &record, &error) == FXT_OK) {
        if (record.type != FXT_RECORD_EVENT)
            continue;
        cr_assert_lt(found_count, 8);
        struct fxt_event *event = &found[found_count];
        cr_assert_eq(fxt_read_event(&record, event, &error), FXT_OK);
        for (int i = 0; fxt_args_next(&event->args, &args_found[found_count][i], &error) == FXT_OK;)
            i++;
        found_count++;
    }
}

#define MARK "\xe2\x80\xa6"

static bool has_mark(struct fxt_string_ref ref)
{
    size_t length = ref.ref & TRACE_ENCODED_STRING_REF_LENGTH_MASK;
    return length >= 3 && memcmp(ref.bytes + length - 3, MARK, 3) == 0;
}

static size_t length_of(struct fxt_string_ref ref)
{
    return ref.ref & TRACE_ENCODED_STRING_REF_LENGTH_MASK;
}

Test(text, strings_that_are_too_long_for_one_record_are_cut_with_a_mark)
{
    trace_release_context(begin());
    const char *a = text_of_length(20000, "a");
    const char *b = text_of_length(20000, "b");
    const char *small = text_of_length(1000, "s");
    for (int i = 0; i < 2; i++) /* a site that is not known, and one that is */
        TRACE_INSTANT("+c", "e", TRACE_SCOPE_THREAD, "a", TA_STRING(a), "n", 1, "b", TA_STRING(b),
                      "small", TA_STRING(small));
    end();
    read_events();
    cr_assert_eq(found_count, 2);
    for (int i = 0; i < 2; i++) {
        const struct fxt_arg *args = args_found[i];
        cr_expect(has_mark(args[0].text));
        cr_expect(has_mark(args[2].text));
        cr_expect_eq(length_of(args[0].text), length_of(args[2].text));
        cr_expect_gt(length_of(args[0].text), 15000);
        cr_expect_eq(memcmp(args[0].text.bytes, a, length_of(args[0].text) - 3), 0);
        cr_expect_eq(memcmp(args[2].text.bytes, b, length_of(args[2].text) - 3), 0);
        cr_expect_eq(args[1].value, 1);
        cr_expect_eq(length_of(args[3].text), 1000, "the short one is whole");
        cr_expect_not(has_mark(args[3].text));
    }
    cr_expect_eq(a[19999], 'a', "the program's text is not changed");
    tear_down();
}

Test(text, string_is_cut_for_its_record_between_two_characters)
{
    trace_release_context(begin());
    TRACE_INSTANT("+c", "e", TRACE_SCOPE_THREAD, "a",
                  TA_STRING(text_of_length(20000, "\xe2\x82\xac")), "b",
                  TA_STRING(text_of_length(19999, "\xf0\x9f\x98\x80")), "c",
                  TA_STRING(text_of_length(31999, "\xc3\xa9")));
    end(); /* which looks for STR-05 */
    read_events();
    cr_assert_eq(found_count, 1);
    for (int i = 0; i < 3; i++) {
        struct fxt_string_ref text = args_found[0][i].text;
        cr_expect(has_mark(text));
        for (size_t at = 0; at < length_of(text); at++)
            cr_assert_neq(text.bytes[at], '?');
    }
    tear_down();
}

static void end_with_long_strings(const char *a, const char *b)
{
    TRACE_DURATION("+c", "long", "a", a, "b", b);
}

Test(text, duration_with_strings_that_are_too_long_has_both_events)
{
    trace_release_context(begin());
    end_with_long_strings(text_of_length(20000, "a"), text_of_length(20000, "b"));
    end();
    read_events();
    cr_assert_eq(found_count, 2);
    cr_expect_eq(found[0].event_type, FXT_EVENT_DURATION_BEGIN);
    cr_expect(has_mark(args_found[0][0].text));
    cr_expect_eq(found[1].event_type, FXT_EVENT_DURATION_END);
    tear_down();
}

/* The largest record that there is has no mark, and one byte more gives it one. */
Test(text, string_is_cut_only_if_the_record_is_too_large)
{
    trace_release_context(begin());
    const char *whole = text_of_length(16352, "w");
    const char *other = text_of_length(16376, "o");
    const char *longer = text_of_length(16377, "o");
    for (int i = 0; i < 2; i++)
        TRACE_DURATION_BEGIN("+c", "e", "a", TA_STRING(whole), "b", TA_STRING(other));
    TRACE_DURATION_BEGIN("+c", "e", "a", TA_STRING(whole), "b", TA_STRING(longer));
    end();
    read_events();
    cr_assert_eq(found_count, 3);
    for (int i = 0; i < 3; i++) {
        cr_expect_eq(length_of(args_found[i][0].text), 16352);
        cr_expect_eq(length_of(args_found[i][1].text), 16376);
        cr_expect_eq(has_mark(args_found[i][1].text), i == 2);
    }
    tear_down();
}

Test(text, every_string_of_a_record_may_be_cut)
{
    trace_context_t *context = begin();
    trace_arg_t args[TRACE_MAX_ARGS];
    trace_thread_ref_t thread = trace_make_inline_thread_ref(1, 2);
    trace_string_ref_t long_ref = trace_make_inline_c_string_ref(text_of_length(32000, "x"));
    for (size_t i = 0; i < TRACE_MAX_ARGS; i++)
        args[i] = trace_make_arg(long_ref, trace_make_string_arg_value(long_ref));
    int file = memfd_create("object", 0);
    trace_context_write_counter_event_record(context, 1, &thread, &long_ref, &long_ref, 7, args,
                                             15);
    trace_context_write_thread_wakeup_record(context, 1, 1, 77, args, 15);
    trace_context_write_kernel_object_record_for_handle(context, (zx_handle_t)file, args, 15);
    trace_context_write_blob_record(context, TRACE_BLOB_TYPE_DATA, &long_ref, long_text(), 32000);
    void *place =
        trace_context_begin_write_blob_record(context, TRACE_BLOB_TYPE_DATA, &long_ref, 32000);
    cr_assert_not_null(place);
    memset(place, 'p', 32000);
    trace_release_context(context);
    end();
    read_events();
    cr_assert_eq(found_count, 1);
    cr_expect_eq(found[0].value, 7);
    cr_expect(has_mark(found[0].category));
    cr_expect(has_mark(found[0].name));
    for (int i = 0; i < 15; i++) {
        cr_expect(has_mark(args_found[0][i].name));
        cr_expect(has_mark(args_found[0][i].text));
    }
    cr_expect_eq(count_from("object"), 1);
    cr_expect_eq(count_from("blob"), 2);
    tear_down();
}
