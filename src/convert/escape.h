/* Bytes to the inside of a JSON string: escapes what JSON wants escaped, and makes valid UTF-8 of
   anything. Each maximal ill-formed part becomes one U+FFFD, as the Unicode standard recommends
   (section 3.9) and browsers and Python do. */
#ifndef FXT_CONVERT_ESCAPE_H
#define FXT_CONVERT_ESCAPE_H

#include "src/convert/out.h"

#define FXT_ESCAPE_GROWTH 6u /* at most as many bytes for one */
#define FXT_ESCAPE_SLACK 16u /* bytes after the end that may be overwritten */

/* Writes the text at `to`, where FXT_ESCAPE_GROWTH * size + FXT_ESCAPE_SLACK bytes are free, and
   returns its end. No quotes are added. */
char *fxt_escape(char *to, const uint8_t *bytes, size_t size);

/* The same for text of any size. */
void fxt_escape_out(struct fxt_out *out, const uint8_t *bytes, size_t size);

/* How many bytes the character at bytes[0] takes, at least 1 and at most size, which is not 0.
   *valid is false for a maximal ill-formed part. */
size_t fxt_escape_character(bool *valid, const uint8_t *bytes, size_t size);

#endif
