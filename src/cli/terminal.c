/* Terminals. No state but a struct terminal_fit. Widths are those of most terminals: a table of them
   has no place in a tool for traces, so rare characters may be taken for too narrow. */
#include "src/cli/terminal.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define ELLIPSIS "…"
#define COLOURS_END "\033[0m"
#define COLUMNS_MAX 10000

bool terminal_has_colours(int fd, enum terminal_colour wanted)
{
    const char *no_color = secure_getenv("NO_COLOR");
    const char *term = secure_getenv("TERM");
    if (wanted != TERMINAL_COLOUR_AUTO)
        return wanted == TERMINAL_COLOUR_ALWAYS;
    return isatty(fd) == 1 && (no_color == NULL || *no_color == '\0') && term != NULL &&
           strcmp(term, "dumb") != 0;
}

unsigned terminal_columns(int fd)
{
    const char *text = secure_getenv("COLUMNS");
    struct winsize size = {.ws_col = 0};
    if (isatty(fd) != 1)
        return 0;
    long columns = text != NULL ? strtol(text, NULL, 10) : 0;
    if ((columns <= 0 || columns > COLUMNS_MAX) && ioctl(fd, TIOCGWINSZ, &size) == 0)
        columns = size.ws_col;
    if (columns <= 0)
        return 0;
    return (unsigned)columns < TERMINAL_COLUMNS_MIN ? TERMINAL_COLUMNS_MIN : (unsigned)columns;
}

static bool is_wide(uint32_t code)
{
    static const uint32_t ranges[][2] = {{0x1100, 0x115f}, {0x2e80, 0xa4cf},   {0xac00, 0xd7a3},
                                         {0xf900, 0xfaff}, {0xfe30, 0xfe6f},   {0xff00, 0xff60},
                                         {0xffe0, 0xffe6}, {0x1f300, 0x1faff}, {0x20000, 0x3fffd}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (code >= ranges[i][0] && code <= ranges[i][1])
            return true;
    return false;
}

/* The size of the escape sequence or of the character, which is at least 1, and its width. */
static size_t next(const char *text, size_t size, size_t *width)
{
    const uint8_t *bytes = (const uint8_t *)text;
    size_t length = 1;
    *width = 0;
    if (bytes[0] == 0x1b) {
        while (length < size && bytes[length] != 'm')
            length++;
        return length < size ? length + 1 : size;
    }
    uint32_t code = bytes[0] < 0xc0 ? bytes[0] : bytes[0] & (bytes[0] < 0xe0 ? 31u : 15u);
    while (length < size && (bytes[length] & 0xc0) == 0x80 && length < 4)
        code = code << 6 | (bytes[length++] & 63u);
    bool is_mark = (code >= 0x300 && code <= 0x36f) || (code >= 0x200b && code <= 0x200d);
    *width = is_mark ? 0 : is_wide(code) ? 2 : 1;
    return length;
}

size_t terminal_width(const char *text, size_t size)
{
    size_t all = 0;
    for (size_t at = 0, width; at < size; all += width)
        at += next(text + at, size - at, &width);
    return all;
}

/* The bytes of the text that have at most so many columns. */
static size_t size_of(const char *text, size_t size, size_t columns)
{
    size_t at = 0;
    for (size_t all = 0, width; at < size; all += width) {
        size_t length = next(text + at, size - at, &width);
        if (all + width > columns)
            break;
        at += length;
    }
    return at;
}

static char *put(char *to, const char *bytes, size_t size)
{
    memcpy(to, bytes, size);
    return to + size;
}

/* A part of a line without its end. */
static char *fit_part(struct terminal_fit *fit, char *to, const char *text, size_t size)
{
    size_t room = fit->columns - fit->used;
    size_t width = terminal_width(text, size);
    if (fit->is_cut)
        return to;
    if (width <= room) {
        fit->used += width;
        return put(to, text, size);
    }
    fit->is_cut = true;
    if (room > 0) {
        size_t kept = size_of(text, size, room - 1);
        fit->used += terminal_width(text, kept) + 1;
        to = put(to, text, kept);
        to = put(to, ELLIPSIS, strlen(ELLIPSIS));
    }
    return memchr(text, 0x1b, size) != NULL ? put(to, COLOURS_END, strlen(COLOURS_END)) : to;
}

size_t terminal_fit(struct terminal_fit *fit, char *to, const char *bytes, size_t size)
{
    char *begin = to;
    if (fit->columns == 0) {
        memcpy(to, bytes, size);
        return size;
    }
    for (size_t at = 0; at < size;) {
        const char *end = memchr(bytes + at, '\n', size - at);
        size_t length = end != NULL ? (size_t)(end - bytes) - at : size - at;
        to = fit_part(fit, to, bytes + at, length);
        at += length;
        if (end != NULL) {
            *to++ = '\n';
            at++;
            fit->used = 0;
            fit->is_cut = false;
        }
    }
    return (size_t)(to - begin);
}
