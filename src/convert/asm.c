/* The assembler, a line at a time. The trace so far is bytes[0 .. size); a line's bytes are made
   behind it and counted only when the whole line was good, so that an error adds nothing. */
#include "src/convert/asm.h"

#define REPEAT_MAX UINT32_MAX

void fxt_asm_init(struct fxt_assembler *assembler, uint8_t *bytes, uint64_t capacity,
                  uint8_t *scratch, uint64_t scratch_size)
{
    assembler->bytes = bytes;
    assembler->capacity = capacity;
    assembler->size = 0;
    assembler->scratch = scratch;
    assembler->scratch_size = scratch_size;
    assembler->line = 0;
    assembler->column = 0;
    assembler->message = "";
}

/* A line without `repeat`. */
static bool statement(struct fxt_asm_cursor *cursor, struct fxt_asm_sink *sink, const char *name,
                      size_t length)
{
    const struct fxt_convert_kind *kind;
    bool known;
    if (!fxt_asm_raw(cursor, sink, &known, name, length)) {
        if (known)
            return false;
        kind = fxt_convert_kind_by_name(name, length);
        if (kind == NULL || kind->encode == NULL)
            return fxt_asm_fail(cursor, name, "no record and no raw line of that name");
        if (!fxt_asm_record(cursor, sink, kind))
            return false;
    }
    return fxt_asm_at_end(cursor) || fxt_asm_fail(cursor, cursor->at, "the line goes on here");
}

static bool multiply(struct fxt_asm_cursor *cursor, struct fxt_asm_sink *sink, uint64_t times)
{
    uint64_t one = sink->size;
    if (one > 0 && times > sink->capacity / one)
        return fxt_asm_fail_full(cursor, "the memory for the trace is full");
    for (uint64_t i = 1; i < times && one > 0; i++)
        memcpy(sink->bytes + i * one, sink->bytes, (size_t)one);
    sink->size = one * times;
    return true;
}

static bool whole_line(struct fxt_asm_cursor *cursor, struct fxt_asm_sink *sink)
{
    const char *name;
    size_t length;
    uint64_t times = 1;
    if (fxt_asm_at_end(cursor))
        return true;
    if (!fxt_asm_name(cursor, &name, &length))
        return false;
    if (fxt_convert_text_is(name, length, "repeat")) {
        if (!fxt_asm_number(cursor, &times, REPEAT_MAX) || !fxt_asm_name(cursor, &name, &length))
            return false;
    }
    return statement(cursor, sink, name, length) && multiply(cursor, sink, times);
}

enum fxt_status fxt_asm_line(struct fxt_assembler *assembler, const char *line, size_t length)
{
    struct fxt_asm_cursor cursor = {
        line, line, line + length, assembler->scratch, assembler->scratch_size, NULL, NULL, FXT_OK};
    struct fxt_asm_sink sink = {assembler->bytes + assembler->size,
                                assembler->capacity - assembler->size, 0};
    assembler->line++;
    assembler->column = 0;
    assembler->message = "";
    if (whole_line(&cursor, &sink)) {
        assembler->size += sink.size;
        return FXT_OK;
    }
    assembler->column = (uint64_t)(cursor.error_at - line) + 1;
    assembler->message = cursor.message;
    return cursor.status;
}
