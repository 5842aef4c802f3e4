/* <fxt/buffer.h>, and src/convert/salvage.c, over the images of corpus/buffers.json: what is wrong
   with a header, the parts in the order of reading, the records that are found. What a manager
   archives of them is buffers_saved_test.c's.

   usage: buffers_test [CORPUS [KNOWN]] */
#include <stdbool.h>

#include <fxt/buffer.h>

#include "conformance/manager_vectors.h"
#include "src/convert/salvage.h"

static const json_t *expected;

static void test_sizes(void)
{
    struct fxt_buffer_header header, before;
    memset(&header, 0x5a, sizeof header);
    before = header;
    enum fxt_status status =
        fxt_buffer_sizes(&header, number_at(vector, "total"), (uint16_t)number_at(vector, "mode"));
    expect_number("accepted", status == FXT_OK, !json_is_null(expected));
    if (status != FXT_OK) {
        if (memcmp(&header, &before, sizeof header) != 0)
            fail("the header is written to");
        return;
    }
    expect_number("durable size", header.durable_size, number_at(expected, "durable"));
    expect_number("rolling size", header.rolling_size, number_at(expected, "rolling"));
}

static void expect_finding(enum fxt_status status, const struct fxt_error *error)
{
    const json_t *first = json_array_get(json_object_get(expected, "findings"), 0);
    expect_number("header", status, first == NULL ? FXT_OK : FXT_MALFORMED);
    if (status == FXT_OK || first == NULL)
        return;
    expect_text("rule", fxt_rule_id(error->rule), text_of(first, "rule"));
    expect_number("offset", error->offset, number_at(first, "offset"));
}

/* What was read writes back to the same bytes, but for those that are reserved. */
static void expect_header_again(const struct fxt_buffer_header *header, const uint8_t *bytes)
{
    uint8_t again[FXT_BUFFER_HEADER_BYTES];
    fxt_buffer_write_header(again, header);
    expect_bytes("header again", again, 80, bytes, 80);
}

static void test_header(const uint8_t *bytes, size_t size)
{
    struct fxt_buffer_header header, before;
    struct fxt_error error = {0};
    memset(&header, 0x5a, sizeof header);
    before = header;
    enum fxt_status status = fxt_buffer_read_header(&header, bytes, size, size, &error);
    expect_finding(status, &error);
    if (status == FXT_OK)
        expect_header_again(&header, bytes);
    else if (memcmp(&header, &before, sizeof header) != 0)
        fail("the header is written to");
}

static void expect_parts(const struct fxt_salvage *salvage)
{
    const json_t *parts = json_object_get(expected, "parts");
    expect_number("parts", salvage->part_count, json_array_size(parts));
    for (uint32_t i = 0; i < salvage->part_count && i < json_array_size(parts); i++) {
        const json_t *part = json_array_get(parts, i);
        expect_number("part", salvage->parts[i].offset, number_of(json_array_get(part, 1)));
        expect_number("bytes of a part", salvage->parts[i].size,
                      number_of(json_array_get(part, 2)));
    }
}

/* The next record of `records` from *i on that is kept; NULL when there is none. */
static const json_t *next_kept(const json_t *records, size_t *i)
{
    while (*i < json_array_size(records)) {
        const json_t *record = json_array_get(records, (*i)++);
        if (strcmp(json_string_value(json_array_get(record, 2)), "kept") == 0)
            return record;
    }
    return NULL;
}

static void expect_record(const struct fxt_record *record, const json_t *wanted, size_t number)
{
    static uint8_t bytes[1 << 16];
    const json_t *trace = json_object_get(expected, "trace");
    size_t size = put_hex(bytes, sizeof bytes, json_string_value(json_array_get(trace, number)));
    expect_number("record", record->offset, number_of(json_array_get(wanted, 0)));
    expect_bytes("record", record->bytes, 8 * (size_t)record->words, bytes, size);
}

static void test_salvage(const uint8_t *bytes, size_t size)
{
    const json_t *records = json_object_get(expected, "records");
    struct fxt_salvage salvage;
    struct fxt_record record;
    struct fxt_error error;
    size_t i = 0;
    size_t number = 0;
    if (fxt_salvage_init(&salvage, bytes, size, &error) != FXT_OK)
        return;
    expect_parts(&salvage);
    while (fxt_salvage_next(&salvage, &record)) {
        const json_t *wanted = next_kept(records, &i);
        if (wanted == NULL) {
            fail("the record at %" PRIu64 " is too much", record.offset);
            return;
        }
        expect_record(&record, wanted, number++);
    }
    if (next_kept(records, &i) != NULL)
        fail("records are missing behind %zu", number);
}

static void test(void)
{
    size_t size;
    expected = json_object_get(vector, "expected");
    if (strcmp(text_of(vector, "level"), "sizes") == 0) {
        test_sizes();
        return;
    }
    uint8_t *bytes = bytes_of(&size);
    test_header(bytes, size);
    if (strcmp(text_of(vector, "level"), "salvage") == 0)
        test_salvage(bytes, size);
    free(bytes);
}

int main(int argc, char **argv)
{
    return run_vectors(argc > 1 ? argv[1] : "conformance/corpus/buffers.json",
                       argc > 2 ? argv[2] : "conformance/buffers_known.tsv", test);
}
