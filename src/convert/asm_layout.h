/* The bit fields of spec/layout.tbl by name, for the raw level of the assembler language. */
#ifndef FXT_CONVERT_ASM_LAYOUT_H
#define FXT_CONVERT_ASM_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fxt_asm_field {
    const char *word;
    const char *name;
    uint8_t lo;
    uint8_t width;
    int64_t constant; /* -1: the field is not constant */
};

/* The fields of one word; they stand next to each other. */
struct fxt_asm_word {
    const struct fxt_asm_field *fields;
    size_t count;
};

/* The word of that name, or false. */
bool fxt_asm_word_find(struct fxt_asm_word *word, const char *name, size_t length);

/* The word as which this header of a record is best read. */
struct fxt_asm_word fxt_asm_word_of_header(uint64_t header);

/* The same for the header of an argument. */
struct fxt_asm_word fxt_asm_word_of_arg(uint64_t header);

/* The bits of a field, at their place. */
uint64_t fxt_asm_field_mask(const struct fxt_asm_field *field);

/* The field of `word` with that name, or NULL. */
const struct fxt_asm_field *fxt_asm_field_find(const struct fxt_asm_word *word, const char *name,
                                               size_t length);

#endif
