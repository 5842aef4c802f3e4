/* Laws of the formatter: what it writes has no malformed record and is canonical but for the records
   that it counts as copied; formatting that again changes nothing; and when large blobs are cut, no
   large record is left. */
#include <stdlib.h>
#include <string.h>

#include <fxt/check.h>

#include "fuzz/lib/oracle.h"
#include "src/convert/format.h"

/* What was written; of records of 8 bytes no more than as many become of it. */
struct trace {
    uint8_t *bytes;
    size_t size;
    size_t capacity;
};

static bool keep(void *context, const char *bytes, size_t size)
{
    struct trace *trace = context;
    if (trace->capacity - trace->size < size) {
        trace->capacity = 2 * trace->capacity + size;
        trace->bytes = realloc(trace->bytes, trace->capacity);
        FUZZ_CHECK(trace->bytes != NULL);
    }
    memcpy(trace->bytes + trace->size, bytes, size);
    trace->size += size;
    return true;
}

static struct fxt_format format_all(struct trace *to, const uint8_t *bytes, size_t size,
                                    enum fxt_format_large large)
{
    static struct fxt_provider provider;
    static uint32_t id;
    static uint8_t arena[4096];
    static uint8_t scratch[FUZZ_INPUT_MAX];
    const struct fxt_tables_memory memory = {.providers = &provider,
                                             .provider_ids = &id,
                                             .arena = arena,
                                             .provider_max = 1,
                                             .arena_size = sizeof arena};
    char buffer[FXT_OUT_CAPACITY_MIN];
    struct fxt_out out = {buffer, sizeof buffer, 0, keep, to, false};
    struct fxt_tables tables;
    struct fxt_format format;
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    enum fxt_status status;

    fxt_tables_init(&tables, &memory);
    fxt_format_init(&format, &out, &tables, large, scratch, sizeof scratch);
    fxt_reader_init(&reader, bytes, size);
    while ((status = fxt_reader_next(&reader, &record, &error)) == FXT_OK ||
           status == FXT_ZERO_WORD) {
        if (status == FXT_ZERO_WORD)
            continue;
        fxt_tables_apply(&tables, &record, &error);
        status = fxt_format_record(&format, &record);
        FUZZ_CHECK(status == FXT_OK || status == FXT_MALFORMED);
    }
    fxt_out_flush(&out);
    return format;
}

static void check_written(const struct trace *trace, const struct fxt_format *format)
{
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    enum fxt_status status;
    uint64_t others = 0;
    fxt_reader_init(&reader, trace->bytes, trace->size);
    while ((status = fxt_reader_next(&reader, &record, &error)) == FXT_OK) {
        FUZZ_CHECK(format->large == FXT_FORMAT_LARGE_KEEP || record.type != FXT_RECORD_LARGE);
        others += fxt_check_canonical(&record, &error) != FXT_OK;
    }
    /* A trace of the other byte order is told by its first word only, which may have moved there. */
    FUZZ_CHECK(status == FXT_END || status == FXT_BYTE_ORDER);
    FUZZ_CHECK(status == FXT_BYTE_ORDER || others == format->as_it_is);
}

void fuzz_oracle_format(const uint8_t *bytes, size_t size)
{
    static const enum fxt_format_large ways[] = {FXT_FORMAT_LARGE_KEEP, FXT_FORMAT_LARGE_DROP,
                                                 FXT_FORMAT_LARGE_BLOBS};
    for (size_t i = 0; i < 3; i++) {
        struct trace once = {.bytes = fuzz_need(1, 1)};
        struct trace again = {.bytes = fuzz_need(1, 1)};
        struct fxt_format format = format_all(&once, bytes, size, ways[i]);
        check_written(&once, &format);
        format = format_all(&again, once.bytes, once.size, ways[i]);
        FUZZ_CHECK(format.rewritten == 0 && format.malformed == 0);
        FUZZ_CHECK(again.size <= once.size && memcmp(again.bytes, once.bytes, again.size) == 0);
        free(again.bytes);
        free(once.bytes);
    }
}
