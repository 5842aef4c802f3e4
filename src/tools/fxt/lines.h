/* Lines of a text input, of any length up to LINE_BYTES_MAX. */
#ifndef FXT_TOOLS_FXT_LINES_H
#define FXT_TOOLS_FXT_LINES_H

#include "src/cli/input.h"

#define LINE_BYTES_MAX ((size_t)1 << 30)

struct lines {
    struct input input;
    char *buffer; /* begin … end - 1 is unread */
    size_t capacity;
    size_t begin;
    size_t end;
    bool ended;
    bool too_long; /* a line is longer than LINE_BYTES_MAX or than memory allows */
};

/* False after a message; then there is nothing to close. */
bool lines_open(struct lines *lines, const char *path, bool as_it_is);

/* Returns the next line without its '\n'; it lives until the next call. False at the end. */
bool lines_next(struct lines *lines, const char **line, size_t *length);

/* True if the input failed, after a message. */
bool lines_close(struct lines *lines);

#endif
