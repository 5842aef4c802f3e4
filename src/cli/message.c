/* Messages on stderr. No state; any code may call this. Each message is a single write of stdio,
   so that lines of several processes on one terminal stay whole. Only this file prints outside
   text to stderr, and it escapes all of it. */
#include "src/cli/message.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "src/convert/printable.h"
#include "src/cli/progress.h"

#define LINE_BYTES 8192

static void say(const char *name, const char *format, va_list arguments)
{
    char text[LINE_BYTES];
    char line[FXT_I_PRINTABLE_GROWTH * LINE_BYTES];
    int at = snprintf(text, sizeof text, "%s%s", name, *name != '\0' ? ": " : "");
    vsnprintf(text + at, sizeof text - (size_t)at, format, arguments);
    size_t size = fxt_i_printable(line, sizeof line - 1, text, strlen(text));
    line[size] = '\n';
    progress_hide();
    fwrite(line, 1, size + 1, stderr);
    fflush(stderr);
}

void message(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(program.name, format, arguments);
    va_end(arguments);
}

void message_at(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say("", format, arguments);
    va_end(arguments);
}

enum exit_code exit_worse(enum exit_code a, enum exit_code b)
{
    return a > b ? a : b;
}
