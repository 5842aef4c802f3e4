/* Lines for the assembler. The buffer always has the start of the line at `begin`. */
#include "src/tools/fxt/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/cli/message.h"
#include "src/cli/size.h"

#define FIRST_BYTES TOOL_SIZE((size_t)256 << 10)

bool lines_open(struct lines *lines, const char *path, bool as_it_is)
{
    *lines = (struct lines){.capacity = FIRST_BYTES};
    if (!input_open(&lines->input, path, as_it_is))
        return false;
    lines->buffer = malloc(lines->capacity);
    if (lines->buffer == NULL) {
        message("%s: %s", lines->input.raw.name, strerror(ENOMEM));
        input_close(&lines->input);
        return false;
    }
    return true;
}

/* Reads more of the line at `begin`. */
static bool more(struct lines *lines)
{
    if (lines->begin > 0) {
        memmove(lines->buffer, lines->buffer + lines->begin, lines->end - lines->begin);
        lines->end -= lines->begin;
        lines->begin = 0;
    }
    if (lines->end == lines->capacity) {
        size_t larger = lines->capacity * 2;
        char *buffer = larger <= LINE_BYTES_MAX ? realloc(lines->buffer, larger) : NULL;
        lines->too_long = buffer == NULL;
        if (buffer == NULL)
            return false;
        lines->buffer = buffer;
        lines->capacity = larger;
    }
    size_t got = input_read(&lines->input, (uint8_t *)lines->buffer + lines->end,
                            lines->capacity - lines->end);
    lines->end += got;
    lines->ended = got == 0;
    return got > 0;
}

bool lines_next(struct lines *lines, const char **line, size_t *length)
{
    size_t searched = 0;
    for (;;) {
        const char *at = lines->buffer + lines->begin;
        size_t ready = lines->end - lines->begin;
        const char *found = memchr(at + searched, '\n', ready - searched);
        if (found != NULL || (lines->ended && ready > 0 && !lines->input.raw.failed)) {
            *line = at;
            *length = found != NULL ? (size_t)(found - at) : ready;
            lines->begin += *length + (found != NULL ? 1 : 0);
            return true;
        }
        searched = ready;
        if (lines->ended || lines->too_long || (!more(lines) && !lines->ended))
            return false;
    }
}

bool lines_close(struct lines *lines)
{
    bool failed = lines->input.raw.failed;
    input_close(&lines->input);
    free(lines->buffer);
    lines->buffer = NULL;
    return failed;
}
