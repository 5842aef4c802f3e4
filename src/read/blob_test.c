#include "src/read/fixture_test.h"

#define BLOB(name, size, type) (5 | AT(name, 16) | AT(size, 32) | AT(type, 48))

Test(blob, has_name_type_and_payload)
{
    struct fxt_record record =
        RECORD(BLOB(INLINE(9), 3, 255), text_word("a long n"), text_word("a"), text_word("xyz"));
    struct fxt_blob blob;
    struct fxt_error error;
    cr_assert_eq(fxt_read_blob(&record, &blob, &error), FXT_OK);
    expect_inline(blob.name, "a long na");
    expect_bytes(blob.payload, "xyz", 3);
    cr_expect_eq(blob.blob_type, 255);
}

static void expect_payload(uint64_t size)
{
    static uint64_t words[4095];
    memset(words, 0x91, sizeof words);
    words[0] = BLOB(32767, size, 0) | AT(1, 47) | AT(0xff, 56);
    struct fxt_record record = record_of(words, 1 + (size + 7) / 8);
    struct fxt_blob blob;
    struct fxt_error error;
    cr_assert_eq(fxt_read_blob(&record, &blob, &error), FXT_OK);
    expect_indexed(blob.name, 32767);
    expect_bytes(blob.payload, words + 1, size);
    cr_expect_eq(blob.blob_type, 0);
    cr_expect_eq(blob.tail.words, 0);
}

Test(blob, has_payloads_up_to_the_largest_record)
{
    static const uint64_t sizes[] = {0, 1, 7, 8, 9, 32000, 32751, 32752};
    for (unsigned i = 0; i < LENGTH(sizes); i++)
        expect_payload(sizes[i]);
}

Test(blob, refuses_a_payload_longer_than_the_largest_record)
{
    static uint64_t words[4095];
    for (uint64_t size = 32753; size <= 32767; size++) {
        words[0] = BLOB(1, size, 1);
        struct fxt_record record = record_of(words, 4095);
        struct fxt_blob blob;
        struct fxt_error error;
        cr_assert_eq(fxt_read_blob(&record, &blob, &error), FXT_MALFORMED);
        expect_error(&error, FXT_RULE_BLB_01, record.offset + 8, "payload");
    }
}

Test(blob, reads_0x8000_as_a_name_of_no_words)
{
    struct fxt_record record = RECORD(BLOB(INLINE(0), 1, 1), 'x');
    struct fxt_blob blob;
    struct fxt_error error;
    cr_assert_eq(fxt_read_blob(&record, &blob, &error), FXT_OK);
    expect_inline(blob.name, "");
    expect_bytes(blob.payload, "x", 1);
}
