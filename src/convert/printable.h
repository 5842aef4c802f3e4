/* Text from outside that goes to a terminal or a log: names of programs, categories and files,
   alerts, arguments. All messages of all programs go through here. */
#ifndef FXT_CONVERT_PRINTABLE_H
#define FXT_CONVERT_PRINTABLE_H

#include <stddef.h>
#include <stdint.h>

#define FXT_I_PRINTABLE_GROWTH 4u /* most output bytes for one input byte */

/* The size of the character at bytes[0], or 0 if it must be escaped. That holds for bytes that
   are not UTF-8, and for characters that a terminal or an editor obeys instead of showing: C0 and
   C1 controls, DEL, line and paragraph separators, bidirectional marks, overrides and isolates,
   and the byte order mark. size > 0. */
size_t fxt_i_printable_length(const uint8_t *bytes, size_t size);

/* Writes the text to `out`, with each unsafe byte as \xNN, and terminates it by NUL. Characters
   that do not fit are left out whole. A backslash is not escaped, so the result is for people,
   not for parsers. room > 0. Returns the length of the result. */
size_t fxt_i_printable(char *out, size_t room, const char *text, size_t size);

#endif
