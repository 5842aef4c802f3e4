/* Lines of a text input, of any length up to LINE_BYTES_MAX. */
#ifndef FXT_TOOLS_FXT_LINES_H
#define FXT_TOOLS_FXT_LINES_H

#include "src/tools/common/input.h"

#define LINE_BYTES_MAX ((size_t)1 << 30)

struct lines {
    struct input input;
    char *buffer; /* begin … end - 1 has not been given yet */
    size_t capacity;
    size_t begin;
    size_t end;
    bool ended;
    bool too_long; /* a line is longer than LINE_BYTES_MAX, or than memory */
};

/* False after a message; then there is nothing to close. */
bool lines_open(struct lines *lines, const char *path, bool as_it_is);

/* The next line without its '\n', which lives until the next call; false at the end. */
bool lines_next(struct lines *lines, const char **line, size_t *length);

/* True when the input failed, after a message. */
bool lines_close(struct lines *lines);

#endif
