#include "src/read/fixture_test.h"

#define HEADER(format) (15 | AT(format, 40))
#define METADATA(category, name, args, thread)                                                     \
    (AT(category, 0) | AT(name, 16) | AT(args, 32) | AT(thread, 36))

static struct fxt_large_blob blob_of(const struct fxt_record *record)
{
    struct fxt_large_blob blob;
    struct fxt_error error;
    memset(&blob, PATTERN, sizeof blob);
    cr_assert_eq(fxt_read_large_blob(record, &blob, &error), FXT_OK, "%s at %lu",
                 fxt_rule_id(error.rule), error.offset);
    return blob;
}

Test(large_blob, with_metadata_has_the_strings_before_the_timestamp)
{
    struct fxt_record record = RECORD(
        HEADER(0) | UINT64_C(0xfffff00000000000),
        METADATA(INLINE(3), INLINE(4), 1, 0) | UINT64_C(0xfffff00000000000), text_word("cat"),
        text_word("name"), 77, UINT64_MAX, AT(1, 63), 1 | AT(1, 4), 3, text_word("abcpad"));
    struct fxt_large_blob blob = blob_of(&record);
    cr_expect_eq(blob.blob_format, FXT_LARGE_BLOB_METADATA);
    expect_inline(blob.category, "cat");
    expect_inline(blob.name, "name");
    cr_expect_eq(blob.timestamp, 77);
    expect_thread(blob.thread, 0, UINT64_MAX, AT(1, 63));
    cr_expect_eq(blob.args.count, 1);
    cr_expect_eq(blob.args.words, 1);
    cr_expect_eq(blob.args.offset, record.offset + 56);
    expect_bytes(blob.payload, "abc", 3);
    cr_expect_eq(blob.tail.words, 0);
}

Test(large_blob, with_metadata_may_have_everything_indexed)
{
    struct fxt_record record = RECORD(HEADER(0), METADATA(32767, 1, 0, 255), UINT64_MAX, 0);
    struct fxt_large_blob blob = blob_of(&record);
    expect_indexed(blob.category, 32767);
    expect_indexed(blob.name, 1);
    cr_expect_eq(blob.timestamp, UINT64_MAX);
    expect_thread(blob.thread, 255, 0, 0);
    cr_expect_eq(blob.args.count, 0);
    expect_bytes(blob.payload, NULL, 0);
}

Test(large_blob, without_metadata_has_strings_and_payload_only)
{
    struct fxt_record record =
        RECORD(HEADER(1), METADATA(INLINE(3), 7, 0, 0) | UINT64_C(0xffffffff00000000),
               text_word("cat"), 9, text_word("nine byt"), text_word("e"));
    struct fxt_large_blob blob = blob_of(&record);
    cr_expect_eq(blob.blob_format, FXT_LARGE_BLOB_NO_METADATA);
    expect_inline(blob.category, "cat");
    expect_indexed(blob.name, 7);
    expect_bytes(blob.payload, "nine byte", 9);
    cr_expect_eq(blob.timestamp, 0);
    expect_thread(blob.thread, 0, 0, 0);
    cr_expect_eq(blob.args.count, 0);
    cr_expect_null(blob.args.bytes);
}

Test(large_blob, of_another_format_is_not_decoded)
{
    for (unsigned format = 2; format <= 15; format++) {
        struct fxt_record record = RECORD(HEADER(format), 0, 0);
        struct fxt_large_blob blob;
        struct fxt_error error;
        memset(&blob, PATTERN, sizeof blob);
        cr_expect_eq(fxt_read_large_blob(&record, &blob, &error), FXT_WRONG_TYPE);
        cr_expect(untouched(&blob, sizeof blob));
    }
}

static void expect_payload_refused(uint64_t format, uint64_t size, uint64_t words_there)
{
    uint64_t words[8] = {HEADER(format), METADATA(0, 0, 0, 1)};
    unsigned at = format == 0 ? 3 : 2;
    words[at] = size;
    struct fxt_record record = record_of(words, at + 1 + words_there);
    struct fxt_large_blob blob;
    struct fxt_error error;
    memset(&blob, PATTERN, sizeof blob);
    cr_assert_eq(fxt_read_large_blob(&record, &blob, &error), FXT_MALFORMED, "%lu", size);
    expect_error(&error, FXT_RULE_LRG_04, record.offset + 8 * (at + 1), "payload");
    cr_expect(untouched(&blob, sizeof blob));
}

Test(large_blob, refuses_a_payload_size_larger_than_what_is_left)
{
    static const uint64_t sizes[] = {17,
                                     24,
                                     4294967296,
                                     AT(1, 35),
                                     AT(1, 61),
                                     AT(1, 61) + 1,
                                     AT(1, 63),
                                     AT(1, 63) + 8,
                                     UINT64_MAX - 15,
                                     UINT64_MAX - 8,
                                     UINT64_MAX - 7,
                                     UINT64_MAX - 6,
                                     UINT64_MAX - 1,
                                     UINT64_MAX};
    for (uint64_t format = 0; format <= 1; format++)
        for (unsigned i = 0; i < LENGTH(sizes); i++)
            for (uint64_t there = 0; there <= 2; there++)
                expect_payload_refused(format, sizes[i], there);
    for (uint64_t format = 0; format <= 1; format++)
        for (uint64_t size = 1; size <= 16; size++)
            expect_payload_refused(format, size, (size + 7) / 8 - 1);
}

Test(large_blob, has_strings_of_32767_bytes)
{
    static uint64_t words[8195];
    memset(words, 0x77, sizeof words);
    words[0] = HEADER(1);
    words[1] = METADATA(INLINE(32767), INLINE(32767), 0, 0);
    words[8194] = 0;
    struct fxt_record record = record_of(words, 8195);
    struct fxt_large_blob blob = blob_of(&record);
    cr_expect_eq(fxt_string_ref_length(blob.category), 32767);
    cr_expect_eq(fxt_string_ref_length(blob.name), 32767);
    cr_expect_eq(blob.category.bytes, record.bytes + 16);
    cr_expect_eq(blob.name.bytes, record.bytes + 16 + 32768);
    cr_expect_eq(blob.tail.words, 0);
}

Test(large_blob, has_payloads_of_any_size)
{
    static uint64_t words[100000];
    static const uint64_t sizes[] = {0, 1, 7, 8, 9, 32760, 32769, 70001, 799976};
    for (unsigned i = 0; i < LENGTH(sizes); i++) {
        memset(words, 0x19, sizeof words);
        words[0] = HEADER(1);
        words[1] = 0;
        words[2] = sizes[i];
        struct fxt_record record = record_of(words, 3 + (sizes[i] + 7) / 8);
        struct fxt_large_blob blob = blob_of(&record);
        expect_bytes(blob.payload, words + 3, sizes[i]);
        cr_expect_eq(blob.tail.words, 0);
    }
}
