/* Owns the log_ fields of the manager. While the timer runs, log_lines counts the lines that were
   written since its begin. The loop's thread only. */
#include "src/manager/manager.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "src/manager/watch.h"
#include "src/convert/printable.h"

#define SECOND_MS 1000
#define TEXT_BYTES 400 /* a longer line is cut */

static void write_line(const struct trace_manager *manager, const char *text)
{
    char line[FXT_I_PRINTABLE_GROWTH * TEXT_BYTES];

    fxt_i_printable(line, sizeof line, text, strlen(text));
    manager->log(manager->log_data, line);
}

static void write_format(const struct trace_manager *manager, const char *format, va_list args)
{
    char text[TEXT_BYTES];

    vsnprintf(text, sizeof text, format, args);
    write_line(manager, text);
}

static void end_second(struct trace_manager *manager)
{
    uint64_t suppressed = manager->log_suppressed;
    char text[80];

    fxt_i_timer_end(&manager->log_second);
    manager->log_lines = 0;
    manager->log_suppressed = 0;
    if (suppressed == 0)
        return;
    snprintf(text, sizeof text, "%llu more line%s in this second left out",
             (unsigned long long)suppressed, suppressed == 1 ? "" : "s");
    write_line(manager, text);
}

static void on_second(void *self)
{
    end_second(self);
}

void fxt_i_log(struct trace_manager *manager, const char *format, ...)
{
    va_list args;

    if (manager->log == NULL)
        return;
    if (manager->log_second == NULL)
        fxt_i_timer_begin(&manager->log_second, manager->loop, SECOND_MS, on_second, manager);
    assert(manager->log_lines <= FXT_I_LOG_LINES);
    if (manager->log_lines == FXT_I_LOG_LINES) {
        manager->log_suppressed++;
        return;
    }
    manager->log_lines++;
    va_start(args, format);
    write_format(manager, format, args);
    va_end(args);
}

void fxt_i_log_always(struct trace_manager *manager, const char *format, ...)
{
    va_list args;

    if (manager->log == NULL)
        return;
    va_start(args, format);
    write_format(manager, format, args);
    va_end(args);
}

void fxt_i_log_end(struct trace_manager *manager)
{
    end_second(manager);
}
