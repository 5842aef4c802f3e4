/* While the timer runs, a line was written less than a second ago. The loop's thread only. */
#include "src/manager/refusal.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

#define QUIET_MS 1000

static void write_line(struct trace_manager *manager, const char *line);

static void on_second(void *self)
{
    struct trace_manager *manager = self;
    uint64_t withheld = manager->refusals_withheld;
    char line[80];

    assert(manager->refusal_pause != NULL);
    fxt_i_timer_end(&manager->refusal_pause);
    if (withheld == 0)
        return;
    manager->refusals_withheld = 0;
    snprintf(line, sizeof line, "%llu more connections were refused", (unsigned long long)withheld);
    write_line(manager, line);
}

static void write_line(struct trace_manager *manager, const char *line)
{
    assert(manager->refusal_pause == NULL && manager->refusals_withheld == 0);
    fxt_i_log(&manager->log, "%s", line);
    fxt_i_timer_begin(&manager->refusal_pause, &manager->loop, QUIET_MS, on_second, manager);
}

void fxt_i_log_refusal(struct trace_manager *manager, const char *format, ...)
{
    char line[200];
    va_list args;

    if (manager->refusal_pause != NULL) {
        manager->refusals_withheld++;
        return;
    }
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    write_line(manager, line);
}
