/* Reading in pieces of any size gives the same records and errors as reading at once. */
#include <stdlib.h>
#include <string.h>

#include "fuzz/lib/any.h"
#include "fuzz/lib/chunk.h"
#include "fuzz/lib/frame.h"

/* Small pieces for small traces; few enough pieces for large ones. */
static uint64_t next_step(struct fuzz_chunks *chunks)
{
    uint64_t left = chunks->size - chunks->given;
    uint64_t step = 1 + fuzz_random(&chunks->random) % chunks->step_max + chunks->size / 512;
    return step < left ? step : left;
}

static void give(struct fuzz_chunks *chunks, bool first)
{
    uint64_t rest = first ? 0 : fxt_reader_rest(&chunks->reader);
    uint64_t step = next_step(chunks);
    uint8_t *chunk = malloc(rest + step);
    FUZZ_CHECK(chunk != NULL || rest + step == 0);
    if (rest > 0)
        memcpy(chunk, chunks->reader.bytes + chunks->reader.size - rest, rest);
    if (step > 0)
        memcpy(chunk + rest, chunks->bytes + chunks->given, step);
    chunks->given += step;
    if (first)
        fxt_reader_init_chunk(&chunks->reader, chunk, step);
    else
        fxt_reader_continue(&chunks->reader, chunk, rest + step, chunks->given == chunks->size);
    free(chunks->chunk);
    chunks->chunk = chunk;
}

void fuzz_chunks_begin(struct fuzz_chunks *chunks, const uint8_t *bytes, uint64_t size,
                       uint64_t random)
{
    memset(chunks, 0, sizeof *chunks);
    chunks->bytes = bytes;
    chunks->size = size;
    chunks->random = random | 1;
    chunks->step_max = UINT64_C(1) << fuzz_random(&chunks->random) % 10;
    give(chunks, true);
}

void fuzz_chunks_end(struct fuzz_chunks *chunks)
{
    free(chunks->chunk);
}

enum fxt_status fuzz_chunks_next(struct fuzz_chunks *chunks, struct fxt_record *record,
                                 struct fxt_error *error, uint64_t words_max)
{
    for (;;) {
        uint64_t at = chunks->reader.base + chunks->reader.position;
        enum fxt_status status = fxt_reader_next(&chunks->reader, record, error);
        if (status != FXT_MORE)
            return status;
        FUZZ_CHECK(!chunks->reader.final && record->bytes == NULL);
        if (record->words > 0) {
            FUZZ_CHECK(record->offset >= at);
            FUZZ_CHECK(record->header == fuzz_word(chunks->bytes + record->offset));
        }
        if (record->words > words_max) {
            fxt_reader_pass(&chunks->reader, record);
            return FXT_FULL;
        }
        give(chunks, false);
    }
}

static uint64_t digest_record(const struct fxt_record *record)
{
    struct fuzz_record decoded;
    struct fxt_error error;
    enum fxt_status status = fuzz_decode_all(&decoded, record, &error);
    uint64_t digest = fuzz_mix(fuzz_mix(record->offset, record->header), record->words);

    digest = fuzz_mix(digest, status);
    if (status == FXT_OK) {
        fuzz_check_inside(&decoded, record);
        return fuzz_mix(digest, fuzz_digest(&decoded, true));
    }
    if (status == FXT_MALFORMED)
        return fuzz_mix(fuzz_mix(digest, error.rule), error.offset);
    return digest;
}

/* Both readers side by side. A record that the second gave up is only compared in place and size;
   when the trace ends inside it, the first reader refuses it at its begin and the second where the
   bytes end. */
static void compare(const struct fuzz_copy *copy, uint64_t random, uint64_t words_max)
{
    struct fuzz_chunks chunks;
    struct fxt_reader whole;
    struct fxt_record expected;
    struct fxt_record found;
    struct fxt_error expected_error;
    struct fxt_error found_error;
    enum fxt_status status = FXT_OK;

    fxt_reader_init(&whole, copy->bytes, copy->size);
    fuzz_chunks_begin(&chunks, copy->bytes, copy->size, random);
    while (status == FXT_OK || status == FXT_ZERO_WORD) {
        status = fxt_reader_next(&whole, &expected, &expected_error);
        enum fxt_status other = fuzz_chunks_next(&chunks, &found, &found_error, words_max);
        if (other == FXT_FULL && status == FXT_OK) {
            FUZZ_CHECK(found.offset == expected.offset && found.words == expected.words);
            continue;
        }
        if (other == FXT_FULL) {
            FUZZ_CHECK(status == FXT_TRUNCATED && expected_error.rule == FXT_RULE_REC_03);
            FUZZ_CHECK(found.offset == expected_error.offset);
            other = fuzz_chunks_next(&chunks, &found, &found_error, words_max);
            FUZZ_CHECK(other == status && found_error.rule == FXT_RULE_REC_03);
            break;
        }
        FUZZ_CHECK(other == status);
        if (status == FXT_OK)
            FUZZ_CHECK(digest_record(&found) == digest_record(&expected));
        else if (status != FXT_END)
            FUZZ_CHECK(found_error.status == expected_error.status &&
                       found_error.rule == expected_error.rule &&
                       found_error.offset == expected_error.offset);
    }
    fuzz_chunks_end(&chunks);
}

void fuzz_oracle_chunks(const uint8_t *bytes, size_t size)
{
    uint64_t random = fuzz_control(bytes, size);
    struct fuzz_copy copy = fuzz_copy(bytes, size, 0);

    compare(&copy, fuzz_random(&random), UINT64_MAX);
    compare(&copy, fuzz_random(&random), fuzz_random(&random) % 8);
    fuzz_release(&copy);
}
