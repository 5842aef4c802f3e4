/* The lines that people and the assembler read: fields and values of arguments, which differ in how
   they show references, payloads and doubles. */
#ifndef FXT_CONVERT_PLAIN_H
#define FXT_CONVERT_PLAIN_H

#include "src/convert/kinds.h"
#include "src/convert/out.h"

struct fxt_plain {
    void (*string)(struct fxt_out *out, const struct fxt_tables *tables, struct fxt_string_ref ref);
    void (*thread)(struct fxt_out *out, const struct fxt_tables *tables, struct fxt_thread_ref ref,
                   bool process_only);
    void (*payload)(struct fxt_out *out, struct fxt_bytes bytes);
    void (*real)(struct fxt_out *out, const struct fxt_arg *arg);
    const char *unknown; /* stands before the number of an unknown type */
};

/* The name of a number, or the number. */
void fxt_plain_named(struct fxt_out *out, const struct fxt_convert_names *names, uint64_t number);

/* " NAME=VALUE" for each field that the record has. */
void fxt_plain_fields(const struct fxt_plain *plain, struct fxt_out *out,
                      const struct fxt_tables *tables, const struct fxt_convert_kind *kind,
                      const union fxt_convert_any *any);

/* "TYPE VALUE" */
void fxt_plain_arg(const struct fxt_plain *plain, struct fxt_out *out,
                   const struct fxt_tables *tables, const struct fxt_arg *arg);

#endif
