/* Fields -> bytes by the encoder of the fuzzers, then: the reader gives the fields back, they are
   canonical, and the writer gives the same bytes. What the writer must refuse, it refuses. */
#include <stdlib.h>
#include <string.h>

#include <fxt/check.h>

#include "fuzz/lib/generate.h"

static void check_too_long(const struct fuzz_record *record, size_t size)
{
    uint8_t *memory = fuzz_need(size, 1);
    struct fxt_writer writer;
    fxt_writer_init(&writer, memory, size);
    FUZZ_CHECK(fuzz_encode(&writer, record) == FXT_INVALID && writer.size == 0);
    free(memory);
}

static void check_generated(const struct fuzz_record *record, const uint8_t *bytes, size_t size)
{
    struct fuzz_copy copy = fuzz_copy(bytes, size, 3);
    struct fuzz_record decoded;
    struct fxt_reader reader;
    struct fxt_record framed;
    struct fxt_writer writer;
    struct fxt_error error;

    fxt_reader_init(&reader, copy.bytes, size);
    FUZZ_CHECK(fxt_reader_next(&reader, &framed, &error) == FXT_OK && reader.position == size);
    FUZZ_CHECK(fuzz_decode_all(&decoded, &framed, &error) == FXT_OK);
    FUZZ_CHECK(decoded.kind == record->kind);
    FUZZ_CHECK(fuzz_digest(&decoded, true) == fuzz_digest(record, true));
    FUZZ_CHECK(fxt_check_canonical(&framed, &error) == FXT_OK);
    uint8_t *memory = fuzz_need(size, 1);
    fxt_writer_init(&writer, memory, size);
    FUZZ_CHECK(fuzz_encode(&writer, record) == FXT_OK && writer.size == size);
    FUZZ_CHECK(memcmp(memory, bytes, size) == 0);
    free(memory);
    fuzz_release(&copy);
}

static void check_refused(struct fuzz_record *record, struct fuzz_source *source)
{
    static uint8_t memory[FUZZ_EMIT_MAX];
    struct fxt_writer writer;
    if (!fuzz_generate_invalid(record, source))
        return;
    fxt_writer_init(&writer, memory, sizeof memory);
    FUZZ_CHECK(fuzz_encode(&writer, record) == FXT_INVALID && writer.size == 0);
}

void fuzz_oracle_generated(const uint8_t *bytes, size_t size)
{
    static uint8_t emitted[FUZZ_EMIT_MAX];
    struct fuzz_source source = {.bytes = bytes, .size = size < 512 ? size : 512, .random = 1};
    struct fuzz_record record;

    for (unsigned i = 0; i < 32 && !fuzz_source_empty(&source); i++) {
        fuzz_generate(&record, &source);
        bool fits;
        size_t length = fuzz_emit(emitted, &fits, &record);
        if (fits)
            check_generated(&record, emitted, length);
        else
            check_too_long(&record, length);
        check_refused(&record, &source);
    }
}
