/* What format.c, format_record.c and format_large.c share; nobody else includes it. */
#ifndef FXT_CONVERT_FORMAT_I_H
#define FXT_CONVERT_FORMAT_I_H

#include <fxt/read.h>

#include "src/convert/format.h"

/* The arguments in `out`, FXT_ARGS_MAX of them at most; how many. */
size_t fxt_i_format_args(struct fxt_arg *out, struct fxt_args args);

void fxt_i_format_put(struct fxt_format *format, const uint8_t *bytes, uint64_t size);

/* A large record that is not kept. */
enum fxt_status fxt_i_format_large(struct fxt_format *format, const struct fxt_record *record);

#endif
