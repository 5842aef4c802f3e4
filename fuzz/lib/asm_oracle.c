/* Laws of the assembler on any text (spec/asm.md). A line adds whole words or nothing, and what is
   wrong with it is at a column of that line. What all lines added is disassembled to text that adds
   it again. With less room, the same lines are assembled up to one for which there is no room. */
#include <stdlib.h>
#include <string.h>

#include "fuzz/lib/oracle.h"
#include "src/convert/convert.h"

#define ROOM 8192u /* bytes of a trace */

struct line {
    const char *text;
    size_t length;
};

/* Cuts the next line off. Each is in memory of its own, so that nothing behind it can be read. */
static bool next_line(struct line *out, const char **at, const char *end)
{
    if (*at == end)
        return false;
    const char *stop = memchr(*at, '\n', (size_t)(end - *at));
    if (stop == NULL)
        stop = end;
    *out = (struct line){*at, (size_t)(stop - *at)};
    *at = stop == end ? end : stop + 1;
    return true;
}

static enum fxt_status assemble(struct fxt_assembler *assembler, const struct line *line)
{
    struct fuzz_copy copy = fuzz_copy((const uint8_t *)line->text, line->length, 0);
    uint64_t size = assembler->size;
    uint64_t number = assembler->line;
    enum fxt_status status = fxt_asm_line(assembler, (const char *)copy.bytes, line->length);

    FUZZ_CHECK(assembler->line == number + 1);
    FUZZ_CHECK(assembler->size >= size && assembler->size <= assembler->capacity);
    FUZZ_CHECK((assembler->message[0] == '\0') == (status == FXT_OK));
    if (status != FXT_OK) {
        FUZZ_CHECK(status == FXT_INVALID || status == FXT_FULL);
        FUZZ_CHECK(assembler->size == size);
        FUZZ_CHECK(assembler->column >= 1 && assembler->column <= line->length + 1);
    }
    fuzz_release(&copy);
    return status;
}

/* Returns the bytes of the trace. */
static uint64_t assemble_all(uint8_t *trace, uint64_t room, const char *text, size_t size,
                             uint8_t *scratch)
{
    struct fxt_assembler assembler;
    const char *at = text;
    struct line line;

    fxt_asm_init(&assembler, trace, room, scratch, size + 2048);
    while (next_line(&line, &at, text + size))
        assemble(&assembler, &line);
    return assembler.size;
}

/* In room for less than all: no line is assembled otherwise than with room for all. */
static void check_little_room(const uint8_t *trace, uint64_t added, uint64_t room, const char *text,
                              size_t size, uint8_t *scratch)
{
    struct fxt_assembler full, little;
    uint8_t *all = fuzz_need(added, 1);
    uint8_t *less = fuzz_need(room, 1);
    const char *at = text;
    struct line line;

    fxt_asm_init(&full, all, added, scratch, size + 2048);
    fxt_asm_init(&little, less, room, scratch, size + 2048);
    while (next_line(&line, &at, text + size)) {
        uint64_t before = full.size;
        enum fxt_status status = assemble(&full, &line);
        if (status == FXT_OK && full.size - before > room - little.size) {
            FUZZ_CHECK(assemble(&little, &line) == FXT_FULL);
            break;
        }
        /* `repeat 0` adds nothing, but needs room for one record */
        FUZZ_CHECK(assemble(&little, &line) == status || full.size == before);
        FUZZ_CHECK(little.size == full.size);
    }
    FUZZ_CHECK(memcmp(less, trace, little.size) == 0);
    free(less);
    free(all);
}

void fuzz_oracle_asm_text(const uint8_t *bytes, size_t size)
{
    uint64_t control = fuzz_control(bytes, size);
    uint8_t *trace = fuzz_need(ROOM, 1);
    uint8_t *scratch = fuzz_need(size + 2048, 1);
    uint64_t added = assemble_all(trace, ROOM, (const char *)bytes, size, scratch);

    fuzz_oracle_asm(trace, added);
    if (added > 0)
        check_little_room(trace, added, control % added, (const char *)bytes, size, scratch);
    free(scratch);
    free(trace);
}
