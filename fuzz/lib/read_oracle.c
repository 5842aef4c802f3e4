/* Laws of the reader: it frames as the format says, delivers pointers into its input only, and its
   decoders are total: they decode, or say what is broken and where, or that the record is of
   another kind, and leave their output alone unless they decode. */
#include <string.h>

#include "fuzz/lib/any.h"
#include "fuzz/lib/frame.h"

#define PATTERN 0x5a

static bool has_pattern(const void *bytes, size_t size)
{
    const uint8_t *p = bytes;
    for (size_t i = 0; i < size; i++)
        if (p[i] != PATTERN)
            return false;
    return true;
}

static void check_error(const struct fxt_record *record, const struct fxt_error *error)
{
    FUZZ_CHECK(error->status == FXT_MALFORMED);
    FUZZ_CHECK(fxt_rule_class(error->rule) == FXT_MALFORMED_CLASS);
    FUZZ_CHECK(error->offset >= record->offset && (error->offset - record->offset) % 8 == 0);
    FUZZ_CHECK(error->offset - record->offset <= 8 * (uint64_t)record->words);
}

/* Decoders of other kinds refuse the record; the right one is asked twice. */
static void check_decoders(const struct fxt_record *record)
{
    static const size_t sizes = sizeof(union fuzz_any);
    enum fuzz_kind_id right = fuzz_kind_of(record);
    union fuzz_any any;
    struct fxt_error error;

    for (int kind = 0; kind < FUZZ_KIND_COUNT; kind++) {
        memset(&any, PATTERN, sizes);
        memset(&error, PATTERN, sizeof error);
        enum fxt_status status = fuzz_decode((enum fuzz_kind_id)kind, &any, record, &error);
        if (kind != (int)right) {
            FUZZ_CHECK(status == FXT_WRONG_TYPE && error.status == FXT_WRONG_TYPE);
            FUZZ_CHECK(has_pattern(&any, sizes));
        } else if (status != FXT_OK) {
            FUZZ_CHECK(status == FXT_MALFORMED);
            FUZZ_CHECK(has_pattern(&any, sizes));
            check_error(record, &error);
        }
    }
}

static void check_record(const struct fxt_record *record)
{
    struct fuzz_record first;
    struct fuzz_record second;
    struct fxt_error error;
    struct fxt_error again;

    check_decoders(record);
    enum fxt_status status = fuzz_decode_all(&first, record, &error);
    FUZZ_CHECK(fuzz_decode_all(&second, record, &again) == status);
    if (status == FXT_OK) {
        fuzz_check_inside(&first, record);
        FUZZ_CHECK(fuzz_digest(&first, true) == fuzz_digest(&second, true));
    } else if (status == FXT_MALFORMED) {
        FUZZ_CHECK(error.rule == again.rule && error.offset == again.offset);
    }
}

static void check_framed(const struct fuzz_copy *copy, const struct fxt_record *record, uint64_t at)
{
    uint64_t header = fuzz_word(copy->bytes + at);
    FUZZ_CHECK(record->bytes == copy->bytes + at);
    FUZZ_CHECK(record->offset == at);
    FUZZ_CHECK(record->header == header && record->type == header % 16);
}

void fuzz_oracle_read(const uint8_t *bytes, size_t size)
{
    struct fuzz_copy copy = fuzz_copy(bytes, size, (unsigned)(fuzz_control(bytes, size) % 8));
    struct fxt_reader reader;
    enum fxt_status status = FXT_OK;

    fxt_reader_init(&reader, copy.bytes, size);
    while (status == FXT_OK || status == FXT_ZERO_WORD) {
        struct fxt_record record;
        struct fxt_error error;
        uint64_t at = reader.position;
        struct fuzz_frame expected = fuzz_frame(copy.bytes, size, at);
        memset(&record, PATTERN, sizeof record);
        status = fxt_reader_next(&reader, &record, &error);
        FUZZ_CHECK(status == expected.status);
        FUZZ_CHECK(fxt_reader_rest(&reader) == size - reader.position);
        if (status == FXT_OK) {
            FUZZ_CHECK(record.words == expected.words);
            FUZZ_CHECK(reader.position == at + 8 * expected.words);
            check_framed(&copy, &record, at);
            check_record(&record);
            continue;
        }
        FUZZ_CHECK(has_pattern(&record, sizeof record));
        FUZZ_CHECK(reader.position == at + (status == FXT_ZERO_WORD ? 8 : 0));
        if (status != FXT_END)
            FUZZ_CHECK(error.status == status && error.rule == expected.rule && error.offset == at);
        if (status != FXT_ZERO_WORD)
            FUZZ_CHECK(fxt_reader_next(&reader, &record, &error) == status);
    }
    fuzz_release(&copy);
}
