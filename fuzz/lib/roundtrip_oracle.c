/* Reader, writer and canonical form agree on each record of the input (section 11 of the format),
   and the writer is all or nothing at any capacity. */
#include <stdlib.h>
#include <string.h>

#include <fxt/check.h>

#include "fuzz/lib/any.h"

#define PATTERN 0x5a
#define PREFIX 16u /* written before, must stay */

/* Memory of exactly this capacity, with `prefix` bytes of it used. */
static struct fxt_writer writer_of(uint64_t capacity, uint64_t prefix)
{
    struct fxt_writer writer;
    uint8_t *memory = malloc(capacity);
    FUZZ_CHECK(memory != NULL || capacity == 0);
    if (capacity > 0)
        memset(memory, PATTERN, capacity);
    fxt_writer_init(&writer, memory, capacity);
    writer.size = prefix;
    return writer;
}

/* Too little room, and no other reason, gives FXT_FULL; what was written before stays. */
static void check_capacity(const struct fuzz_record *record, uint64_t bytes, uint64_t capacity)
{
    struct fxt_writer writer = writer_of(PREFIX + capacity, PREFIX);
    enum fxt_status status = fuzz_encode(&writer, record);

    FUZZ_CHECK(status == (capacity >= bytes ? FXT_OK : FXT_FULL));
    FUZZ_CHECK(writer.size == PREFIX + (status == FXT_OK ? bytes : 0));
    FUZZ_CHECK(writer.capacity == PREFIX + capacity);
    for (uint64_t i = 0; i < PREFIX; i++)
        FUZZ_CHECK(writer.bytes[i] == PATTERN);
    for (uint64_t i = writer.size; status == FXT_OK && i < writer.capacity; i++)
        FUZZ_CHECK(writer.bytes[i] == PATTERN);
    free(writer.bytes);
}

/* What the writer made of fields that did not come from canonical bytes. */
static void check_rewritten(const struct fuzz_record *in, const uint8_t *bytes, uint64_t size)
{
    struct fuzz_record fields = *in;
    struct fuzz_record again;
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;

    fxt_reader_init(&reader, bytes, size);
    FUZZ_CHECK(fxt_reader_next(&reader, &record, &error) == FXT_OK);
    FUZZ_CHECK(reader.position == size);
    FUZZ_CHECK(fxt_check_canonical(&record, &error) == FXT_OK);
    FUZZ_CHECK(fuzz_decode_all(&again, &record, &error) == FXT_OK);
    fuzz_canonicalize(&fields);
    FUZZ_CHECK(fuzz_digest(&again, false) == fuzz_digest(&fields, false));
}

static void check_decoded(const struct fuzz_record *in, const struct fxt_record *record,
                          enum fxt_status canonical, uint64_t *random)
{
    uint64_t original = 8 * (uint64_t)record->words;
    struct fxt_writer writer = writer_of(original, 0);
    enum fxt_status status = fuzz_encode(&writer, in);

    /* Rewriting can only leave out: tails, streams of no bytes. So there is room. */
    FUZZ_CHECK(status == FXT_OK || status == FXT_INVALID || status == FXT_WRONG_TYPE);
    bool same = status == FXT_OK && writer.size == original &&
                memcmp(writer.bytes, record->bytes, original) == 0;
    FUZZ_CHECK(same == (canonical == FXT_OK));
    if (status == FXT_OK) {
        if (!same)
            check_rewritten(in, writer.bytes, writer.size);
        uint64_t room = fuzz_random(random) % 3;
        check_capacity(in, writer.size,
                       room == 0   ? writer.size - 1 - fuzz_random(random) % writer.size
                       : room == 1 ? writer.size
                                   : writer.size + fuzz_random(random) % 32);
    } else {
        FUZZ_CHECK(writer.size == 0);
    }
    free(writer.bytes);
}

void fuzz_oracle_roundtrip(const uint8_t *bytes, size_t size)
{
    uint64_t random = fuzz_control(bytes, size);
    struct fuzz_copy copy = fuzz_copy(bytes, size, 0);
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    struct fxt_error reason;
    struct fuzz_record decoded;
    enum fxt_status status;

    fxt_reader_init(&reader, copy.bytes, size);
    while ((status = fxt_reader_next(&reader, &record, &error)) == FXT_OK ||
           status == FXT_ZERO_WORD) {
        if (status == FXT_ZERO_WORD)
            continue;
        enum fxt_status canonical = fxt_check_canonical(&record, &reason);
        FUZZ_CHECK(canonical == FXT_OK || canonical == FXT_INVALID);
        status = fuzz_decode_all(&decoded, &record, &error);
        if (status == FXT_OK) {
            check_decoded(&decoded, &record, canonical, &random);
            continue;
        }
        FUZZ_CHECK(canonical == FXT_INVALID);
        FUZZ_CHECK(reason.offset >= record.offset &&
                   reason.offset - record.offset <= 8 * (uint64_t)record.words);
        if (status == FXT_MALFORMED)
            FUZZ_CHECK(reason.rule == error.rule && reason.offset == error.offset);
    }
    fuzz_release(&copy);
}
