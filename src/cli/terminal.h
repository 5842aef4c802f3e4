/* What people see at a terminal: its width, and whether there are colours. */
#ifndef FXT_CLI_TERMINAL_H
#define FXT_CLI_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

enum terminal_colour { TERMINAL_COLOUR_AUTO, TERMINAL_COLOUR_ALWAYS, TERMINAL_COLOUR_NEVER };

/* AUTO: if it is a terminal, TERM is not "dumb", and NO_COLOR is not set. */
bool terminal_has_colours(int fd, enum terminal_colour wanted);

/* $COLUMNS, or else what the terminal says; at least TERMINAL_COLUMNS_MIN. 0: no limit, since it is no
   terminal or does not say. */
unsigned terminal_columns(int fd);

#define TERMINAL_COLUMNS_MIN 20u

/* The columns that a text takes: of a character 0, 1 or 2, of an escape sequence for colours none. */
size_t terminal_width(const char *text, size_t size);

/* Cuts lines to a width. */

struct terminal_fit {
    unsigned columns; /* 0: no limit */
    size_t used;      /* columns of the line so far */
    bool is_cut;      /* the rest of the line is left out */
};

#define TERMINAL_FIT_BYTES(size) ((size) + (size) / 2 + 16)

/* Copies bytes to TERMINAL_FIT_BYTES(size) bytes at `to`. Lines that are too long end in an ellipsis, and
   in the end of all colours. Returns the size. */
size_t terminal_fit(struct terminal_fit *fit, char *to, const char *bytes, size_t size);

#endif
