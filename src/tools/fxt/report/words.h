/* Numbers and names as people read them, and escaped for each form of output. */
#ifndef FXT_TOOLS_FXT_REPORT_WORDS_H
#define FXT_TOOLS_FXT_REPORT_WORDS_H

#include <fxt/record.h>

#include "src/convert/out.h"

#define WORDS_BYTES 48u

/* Each writes fewer than WORDS_BYTES bytes and a NUL, and returns their number. */
size_t words_ns(char *to, uint64_t ns); /* 999 ns, 1.234 µs, 12.35 ms, 123.4 s */
size_t words_u64(char *to, uint64_t number);
size_t words_double(char *to, double number);  /* 3 for 3.0; nan, inf, -inf */
size_t words_percent(char *to, double change); /* +12.3 % */

enum words_form { WORDS_TEXT, WORDS_CSV, WORDS_FOLDED, WORDS_XML };

/* A name. In every form, bytes that are not UTF-8 and characters that are not printable become
   \xNN; (empty) stands for a name without bytes, except in CSV. WORDS_TEXT and WORDS_XML also
   shorten it. */
void words_name(struct fxt_out *out, struct fxt_bytes name, enum words_form form);

#endif
