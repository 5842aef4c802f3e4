/* One line of the log. No state. */
#include "src/manager/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "src/terminal/printable.h"

void fxt_i_log(const struct fxt_i_logger *logger, const char *format, ...)
{
    char text[400];
    char line[FXT_I_PRINTABLE_GROWTH * sizeof text];
    va_list args;

    if (logger->write == NULL)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fxt_i_printable(line, sizeof line, text, strlen(text));
    logger->write(logger->data, line);
}
