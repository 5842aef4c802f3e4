/* The generated table of bit fields, and lookups in it. Constant; used by the assembler (raw level)
   and the disassembler (headers of records that have no line by name). */
#include "src/convert/asm_layout.h"

#include <string.h>

#include "src/convert/args.h"
#include "src/convert/kinds.h"

static const struct fxt_asm_field table[] = {
#include "src/wire/layout_table.inc"
};

#define TABLE_COUNT (sizeof table / sizeof table[0])
#define NAME_MAX 48u
#define WORD(number, name, word, shape) [number] = word,

bool fxt_asm_word_find(struct fxt_asm_word *word, const char *name, size_t length)
{
    size_t first = 0;
    while (first < TABLE_COUNT && !fxt_convert_text_is(name, length, table[first].word))
        first++;
    size_t end = first;
    while (end < TABLE_COUNT && fxt_convert_text_is(name, length, table[end].word))
        end++;
    if (first == end)
        return false;
    word->fields = table + first;
    word->count = end - first;
    return true;
}

uint64_t fxt_asm_field_mask(const struct fxt_asm_field *field)
{
    return (UINT64_MAX >> (64 - field->width)) << field->lo;
}

const struct fxt_asm_field *fxt_asm_field_find(const struct fxt_asm_word *word, const char *name,
                                               size_t length)
{
    for (size_t i = 0; i < word->count; i++)
        if (fxt_convert_text_is(name, length, word->fields[i].name))
            return &word->fields[i];
    return NULL;
}

/* Types whose subtype is unknown, and record.header for unknown types. */
static const char *family(uint16_t type)
{
    switch (type) {
    case FXT_RECORD_METADATA:
        return "metadata.header";
    case FXT_RECORD_SCHEDULING:
        return "scheduling.header";
    case FXT_RECORD_PROFILER:
        return "profiler.header";
    case FXT_RECORD_LARGE:
        return "large.header";
    default:
        return "record.header";
    }
}

struct fxt_asm_word fxt_asm_word_of_header(uint64_t header)
{
    static const char suffix[] = ".header";
    struct fxt_asm_word word = {table, 0};
    struct fxt_record record = {NULL, 0, header, 1, (uint8_t)(header % 16)};
    const struct fxt_convert_kind *kind = fxt_convert_kind_of(&record);
    char name[NAME_MAX];
    size_t length = kind == NULL ? 0 : strlen(kind->name);
    if (length > 0 && length + sizeof suffix <= sizeof name) {
        memcpy(name, kind->name, length);
        memcpy(name + length, suffix, sizeof suffix);
        length += sizeof suffix - 1;
        if (fxt_asm_word_find(&word, name, length))
            return word;
    }
    const char *other = family(record.type);
    fxt_asm_word_find(&word, other, strlen(other));
    return word;
}

struct fxt_asm_word fxt_asm_word_of_arg(uint64_t header)
{
    static const char *const names[16] = {FXT_CONVERT_ARG_TYPES(WORD)};
    struct fxt_asm_word word = {table, 0};
    const char *name = names[header % 16] != NULL ? names[header % 16] : "arg.header";
    fxt_asm_word_find(&word, name, strlen(name));
    return word;
}
