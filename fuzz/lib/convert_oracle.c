/* Laws of the converters: what was disassembled is assembled to the same bytes, whatever they are;
   Chrome's JSON, and each line of the JSON Lines, is valid JSON; the JSON Lines say what was decoded;
   text comes in whole lines. */
#include <stdlib.h>
#include <string.h>

#include <fxt/read.h>
#include <fxt/tables.h>

#include "fuzz/lib/json.h"
#include "fuzz/lib/lines.h"
#include "fuzz/lib/oracle.h"
#include "src/convert/chrome.h"
#include "src/convert/convert.h"

#define ASM_MAX 8192u /* longer inputs add time, and nothing else */

/* All text, in one piece. */
struct text {
    char *bytes;
    size_t size;
    size_t capacity;
};

static bool keep(void *context, const char *bytes, size_t size)
{
    struct text *text = context;
    if (text->capacity - text->size < size) {
        text->capacity = 2 * text->capacity + size;
        text->bytes = realloc(text->bytes, text->capacity);
        FUZZ_CHECK(text->bytes != NULL);
    }
    if (size > 0)
        memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
    return true;
}

/* A buffer as small as it may be, so that its end is met often. */
static struct fxt_out out_to(struct text *text)
{
    struct fxt_out out = {
        fuzz_need(FXT_OUT_CAPACITY_MIN, 1), FXT_OUT_CAPACITY_MIN, 0, keep, text, false};
    text->size = 0;
    return out;
}

static void finish(struct fxt_out *out)
{
    fxt_out_flush(out);
    FUZZ_CHECK(!out->failed && out->size == 0);
    free(out->bytes);
}

static void disassemble(struct text *text, const uint8_t *bytes, uint64_t size)
{
    struct fxt_out out = out_to(text);
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    enum fxt_status status;

    fxt_reader_init(&reader, bytes, size);
    while ((status = fxt_reader_next(&reader, &record, &error)) != FXT_END) {
        if (status == FXT_OK) {
            fxt_convert_disasm_record(&out, &record);
            continue;
        }
        fxt_convert_disasm_error(&out, &error);
        if (status != FXT_ZERO_WORD) {
            fxt_convert_disasm_rest(&out, bytes + reader.position, size - reader.position);
            break;
        }
    }
    finish(&out);
}

static void assemble(struct fxt_assembler *assembler, const struct text *text)
{
    size_t at = 0;
    while (at < text->size) {
        const char *stop = memchr(text->bytes + at, '\n', text->size - at);
        FUZZ_CHECK(stop != NULL);
        size_t length = (size_t)(stop - text->bytes) - at;
        FUZZ_CHECK(fxt_asm_line(assembler, text->bytes + at, length) == FXT_OK);
        at += length + 1;
    }
}

void fuzz_oracle_asm(const uint8_t *bytes, size_t size)
{
    struct text text = {0};
    struct fxt_assembler assembler;

    if (size > ASM_MAX)
        return;
    struct fuzz_copy copy = fuzz_copy(bytes, size, 0);
    disassemble(&text, copy.bytes, size);
    uint8_t *again = fuzz_need(size, 1);
    uint64_t scratch_size = text.size + 2048;
    uint8_t *scratch = fuzz_need(scratch_size, 1);
    fxt_asm_init(&assembler, again, size, scratch, scratch_size);
    assemble(&assembler, &text);
    FUZZ_CHECK(assembler.size == size);
    FUZZ_CHECK(size == 0 || memcmp(again, bytes, size) == 0);
    free(scratch);
    free(again);
    free(text.bytes);
    fuzz_release(&copy);
}

static struct fxt_tables *tables_of(uint64_t control)
{
    static struct fxt_tables tables;
    static struct fxt_provider providers[2];
    static uint32_t ids[2];
    static struct fxt_object objects[16];
    static uint8_t arena[4096];
    struct fxt_tables_memory memory = {.providers = providers,
                                       .provider_ids = ids,
                                       .objects = objects,
                                       .arena = arena,
                                       .provider_max = 1 + (uint32_t)(control % 2),
                                       .object_max = 16,
                                       .arena_size = control % 3 == 0 ? 64 : sizeof arena};
    fxt_tables_init(&tables, &memory);
    return &tables;
}

static void check_lines(const struct text *text, bool json)
{
    size_t at = 0;
    while (at < text->size) {
        const char *stop = memchr(text->bytes + at, '\n', text->size - at);
        FUZZ_CHECK(stop != NULL);
        size_t length = (size_t)(stop - text->bytes) - at;
        FUZZ_CHECK(length > 0);
        FUZZ_CHECK(!json || fuzz_json_valid(text->bytes + at, length));
        at += length + 1;
    }
}

static void print(struct text *text, const struct fuzz_copy *copy, bool json)
{
    struct fxt_tables *tables = tables_of(fuzz_control(copy->bytes, copy->size));
    struct fxt_out out = out_to(text);
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    enum fxt_status status = FXT_OK;

    fxt_reader_init(&reader, copy->bytes, copy->size);
    while (status == FXT_OK || status == FXT_ZERO_WORD) {
        status = fxt_reader_next(&reader, &record, &error);
        if (status == FXT_OK) {
            struct fxt_error ignored;
            fxt_tables_apply(tables, &record, &ignored);
            (json ? fxt_convert_jsonl_record : fxt_convert_text_record)(&out, tables, &record);
        } else if (status != FXT_END) {
            (json ? fxt_convert_jsonl_error : fxt_convert_text_error)(&out, &error);
        }
    }
    finish(&out);
    check_lines(text, json);
}

/* Reads the trace again, with the same memory for its tables. */
static void read_lines(const struct text *text, const struct fuzz_copy *copy)
{
    struct fxt_tables *tables = tables_of(fuzz_control(copy->bytes, copy->size));
    struct fuzz_lines lines = {text->bytes, text->bytes + text->size, tables};
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    enum fxt_status status = FXT_OK;

    fxt_reader_init(&reader, copy->bytes, copy->size);
    while (status == FXT_OK || status == FXT_ZERO_WORD) {
        status = fxt_reader_next(&reader, &record, &error);
        if (status == FXT_OK) {
            struct fxt_error ignored;
            fxt_tables_apply(tables, &record, &ignored);
            fuzz_lines_record(&lines, &record);
        } else if (status != FXT_END) {
            fuzz_lines_error(&lines, &error);
        }
    }
    FUZZ_CHECK(lines.at == lines.end);
}

static void chrome(struct text *text, const struct fuzz_copy *copy)
{
    static struct fxt_chrome_memory memory;
    struct fxt_tables *tables = tables_of(fuzz_control(copy->bytes, copy->size));
    struct fxt_out out = out_to(text);
    struct fxt_chrome converter;
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    enum fxt_status status;

    fxt_chrome_init(&converter, &out, tables, &memory);
    fxt_reader_init(&reader, copy->bytes, copy->size);
    while ((status = fxt_reader_next(&reader, &record, &error)) == FXT_OK ||
           status == FXT_ZERO_WORD) {
        if (status == FXT_ZERO_WORD)
            continue;
        fxt_chrome_before_record(&converter, &record);
        fxt_tables_apply(tables, &record, &error);
        status = fxt_chrome_record(&converter, &record);
        FUZZ_CHECK(status == FXT_OK || status == FXT_MALFORMED);
    }
    fxt_chrome_end(&converter);
    finish(&out);
    FUZZ_CHECK(fuzz_json_valid(text->bytes, text->size));
}

void fuzz_oracle_json(const uint8_t *bytes, size_t size)
{
    struct fuzz_copy copy = fuzz_copy(bytes, size, 0);
    struct text text = {0};

    chrome(&text, &copy);
    print(&text, &copy, true);
    read_lines(&text, &copy);
    print(&text, &copy, false);
    free(text.bytes);
    fuzz_release(&copy);
}
