/* For the tests of this room: traces from assembler lines, and what a printer says about them. The
   memory is static, so that one test uses one trace and one text at a time. */
#ifndef FXT_CONVERT_TESTING_H
#define FXT_CONVERT_TESTING_H

#include <criterion/criterion.h>

#include <fxt/read.h>

#include "src/convert/convert.h"

enum { TESTING_BYTES = 1 << 20, TESTING_TEXT = 1 << 23 };

static uint8_t testing_trace[TESTING_BYTES];
static uint8_t testing_again[TESTING_BYTES];
static uint8_t testing_scratch[TESTING_TEXT];
static char testing_text[TESTING_TEXT];
static size_t testing_text_size;
static char testing_buffer[FXT_OUT_CAPACITY_MIN];

static inline bool testing_flush(void *context, const char *bytes, size_t size)
{
    (void)context;
    cr_assert_lt(testing_text_size + size, sizeof testing_text, "more text than a test expects");
    memcpy(testing_text + testing_text_size, bytes, size);
    testing_text_size += size;
    testing_text[testing_text_size] = '\0';
    return true;
}

static inline struct fxt_out testing_out(void)
{
    struct fxt_out out = {testing_buffer, sizeof testing_buffer, 0, testing_flush, NULL, false};
    testing_text_size = 0;
    testing_text[0] = '\0';
    return out;
}

/* Assembles lines that are separated by \n into `bytes`; returns the size. */
static inline uint64_t testing_assemble_into(uint8_t *bytes, uint64_t capacity, const char *lines,
                                             size_t size)
{
    struct fxt_assembler assembler;
    const char *end = lines + size;
    fxt_asm_init(&assembler, bytes, capacity, testing_scratch, sizeof testing_scratch);
    while (lines < end) {
        const char *stop = memchr(lines, '\n', (size_t)(end - lines));
        if (stop == NULL)
            stop = end;
        enum fxt_status status = fxt_asm_line(&assembler, lines, (size_t)(stop - lines));
        cr_assert_eq(status, FXT_OK, "line %d column %d: %s in: %.*s", (int)assembler.line,
                     (int)assembler.column, assembler.message, (int)(stop - lines), lines);
        lines = stop < end ? stop + 1 : end;
    }
    return assembler.size;
}

static inline uint64_t testing_assemble(const char *lines)
{
    return testing_assemble_into(testing_trace, sizeof testing_trace, lines, strlen(lines));
}

static inline struct fxt_tables *testing_tables(void)
{
    static struct fxt_tables tables;
    static struct fxt_provider providers[4];
    static uint32_t ids[4];
    static uint8_t arena[1 << 16];
    struct fxt_tables_memory memory = {.providers = providers,
                                       .provider_ids = ids,
                                       .arena = arena,
                                       .provider_max = 4,
                                       .arena_size = sizeof arena};
    memset(providers, 0, sizeof providers);
    fxt_tables_init(&tables, &memory);
    return &tables;
}

typedef void testing_record(struct fxt_out *out, const struct fxt_tables *tables,
                            const struct fxt_record *record);
typedef void testing_error(struct fxt_out *out, const struct fxt_error *error);

/* What the printer says about the trace, in testing_text. */
static inline const char *testing_print(const uint8_t *bytes, uint64_t size,
                                        testing_record *print_record, testing_error *print_error)
{
    struct fxt_out out = testing_out();
    struct fxt_tables *tables = testing_tables();
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    struct fxt_error ignored;
    enum fxt_status status;
    fxt_reader_init(&reader, bytes, size);
    while ((status = fxt_reader_next(&reader, &record, &error)) != FXT_END) {
        if (status == FXT_OK) {
            fxt_tables_apply(tables, &record, &ignored);
            print_record(&out, tables, &record);
            continue;
        }
        print_error(&out, &error);
        if (status != FXT_ZERO_WORD)
            break;
    }
    fxt_out_flush(&out);
    return testing_text;
}

static inline const char *testing_disassemble(const uint8_t *bytes, uint64_t size)
{
    struct fxt_out out = testing_out();
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
            fxt_convert_disasm_rest(&out, bytes + size - fxt_reader_rest(&reader),
                                    fxt_reader_rest(&reader));
            break;
        }
    }
    fxt_out_flush(&out);
    return testing_text;
}

/* Disassembles and assembles again: the same bytes. */
static inline void testing_identity(const uint8_t *bytes, uint64_t size)
{
    testing_disassemble(bytes, size);
    uint64_t again =
        testing_assemble_into(testing_again, sizeof testing_again, testing_text, testing_text_size);
    cr_assert_eq(again, size, "%d bytes became %d:\n%s", (int)size, (int)again, testing_text);
    cr_assert(size == 0 || memcmp(bytes, testing_again, (size_t)size) == 0, "other bytes:\n%.4000s",
              testing_text);
}

#endif
