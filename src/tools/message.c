/* Messages. No state; everybody calls it. Each message is a single write of stdio, so that lines
   of several processes on one terminal stay whole. */
#include "src/tools/message.h"

#include <stdarg.h>
#include <stdio.h>

#include "src/tools/progress.h"

static void say(const char *name, const char *format, va_list arguments)
{
    char line[8192];
    int at = snprintf(line, sizeof line - 1, "%s%s", name, *name != '\0' ? ": " : "");
    int more = vsnprintf(line + at, sizeof line - 1 - (size_t)at, format, arguments);
    size_t size = more < 0 ? (size_t)at : (size_t)at + (size_t)more;
    if (size > sizeof line - 2)
        size = sizeof line - 2;
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
