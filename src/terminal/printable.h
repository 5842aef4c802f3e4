/* Text from outside on its way to a terminal or a log: names of programs, of categories, of files,
   alerts, arguments. All messages of all programs go through here. */
#ifndef FXT_TERMINAL_PRINTABLE_H
#define FXT_TERMINAL_PRINTABLE_H

#include <stddef.h>
#include <stdint.h>

#define FXT_I_PRINTABLE_GROWTH 4u /* at most as many bytes for one */

/* The bytes of the character at bytes[0], or 0 if it must not be printed as it is. These are bytes that
   are no UTF-8, and characters that a terminal or an editor obeys instead of showing: C0 and C1
   controls, DEL, line and paragraph separators, bidirectional marks, overrides and isolates, and the
   byte order mark. size > 0. */
size_t fxt_i_printable_length(const uint8_t *bytes, size_t size);

/* Writes the text to `out` with each byte that must not be printed as \xNN, and a NUL behind it.
   Characters that find no room are left out whole. A backslash stays as it is, so the result is for
   people, not for parsers. room > 0. Returns the length of what is in `out`. */
size_t fxt_i_printable(char *out, size_t room, const char *text, size_t size);

#endif
