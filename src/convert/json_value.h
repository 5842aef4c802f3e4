/* JSON values that the printers of JSON Lines share. Bytes that are not UTF-8 are {"hex":"66ff"}: no
   byte is lost (conformance/schema/dump.md, section 1). */
#ifndef FXT_CONVERT_JSON_VALUE_H
#define FXT_CONVERT_JSON_VALUE_H

#include <fxt/record.h>

#include "src/convert/names.h"
#include "src/convert/out.h"

/* ,"name": */
void fxt_json_key(struct fxt_out *out, const char *name);

/* A string that needs no escapes. */
void fxt_json_plain(struct fxt_out *out, const char *string);

/* Two lower case digits a byte, as a string. */
void fxt_json_hex(struct fxt_out *out, struct fxt_bytes bytes);

/* Text of a trace. */
void fxt_json_text(struct fxt_out *out, struct fxt_bytes bytes);

/* The name of a number, or the number if it has none. */
void fxt_json_named(struct fxt_out *out, const struct fxt_convert_names *names, uint64_t number);

#endif
