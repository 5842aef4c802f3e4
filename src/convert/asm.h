/* Inside the assembler: a cursor over one line, and where its bytes go. The language is defined in
   spec/asm.md. Every function that returns false has noted an error in the cursor; the first one
   counts. */
#ifndef FXT_CONVERT_ASM_H
#define FXT_CONVERT_ASM_H

#include "src/convert/convert.h"
#include "src/convert/kinds.h"

struct fxt_asm_cursor {
    const char *start;
    const char *at;
    const char *end;
    uint8_t *scratch; /* what is left of it */
    uint64_t scratch_size;
    const char *message; /* NULL: no error yet */
    const char *error_at;
    enum fxt_status status; /* of the error */
};

/* Bytes that the line adds. size <= capacity. */
struct fxt_asm_sink {
    uint8_t *bytes;
    uint64_t capacity;
    uint64_t size;
};

/* asm_lex.c: tokens. All skip blanks first; a ';' ends the line. */
bool fxt_asm_fail(struct fxt_asm_cursor *cursor, const char *at, const char *message);
bool fxt_asm_fail_full(struct fxt_asm_cursor *cursor, const char *message);
bool fxt_asm_at_end(struct fxt_asm_cursor *cursor);
const char *fxt_asm_here(struct fxt_asm_cursor *cursor);
char fxt_asm_peek(struct fxt_asm_cursor *cursor);         /* '\0' at the end */
bool fxt_asm_take(struct fxt_asm_cursor *cursor, char c); /* false without an error */
bool fxt_asm_need(struct fxt_asm_cursor *cursor, char c, const char *message);
bool fxt_asm_name(struct fxt_asm_cursor *cursor, const char **name, size_t *length);
bool fxt_asm_number(struct fxt_asm_cursor *cursor, uint64_t *number, uint64_t max);
/* A number of `bits` bits in two's complement; the result has them sign extended to 64. */
bool fxt_asm_signed(struct fxt_asm_cursor *cursor, uint64_t *number, unsigned bits);
bool fxt_asm_double(struct fxt_asm_cursor *cursor, uint64_t *bits);
bool fxt_asm_bytes(struct fxt_asm_cursor *cursor, struct fxt_bytes *bytes);
bool fxt_asm_scratch(struct fxt_asm_cursor *cursor, uint8_t **bytes, uint64_t size);

/* asm_value.c: values of fields and arguments. */
bool fxt_asm_string_ref(struct fxt_asm_cursor *cursor, struct fxt_string_ref *ref);
bool fxt_asm_thread_ref(struct fxt_asm_cursor *cursor, struct fxt_thread_ref *ref,
                        bool process_only);
bool fxt_asm_named(struct fxt_asm_cursor *cursor, uint16_t *number,
                   const struct fxt_convert_names *names);
bool fxt_asm_args(struct fxt_asm_cursor *cursor, struct fxt_arg *args, size_t *count);

/* asm_record.c: a record by name, of which the cursor has taken the name. */
bool fxt_asm_record(struct fxt_asm_cursor *cursor, struct fxt_asm_sink *sink,
                    const struct fxt_convert_kind *kind);

/* asm_raw.c: a raw line, of which the cursor has taken the first word. *known says whether it is
   one at all. */
bool fxt_asm_raw(struct fxt_asm_cursor *cursor, struct fxt_asm_sink *sink, bool *known,
                 const char *name, size_t length);

#endif
