/* The log of a manager that is flooded. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/manager/manager.h"
#include "src/manager/watch.h"

TestSuite(log, .timeout = 60);

static struct {
    int count;
    char last[512];
} lines;

static void add_line(void *data, const char *line)
{
    (void)data;
    lines.count++;
    snprintf(lines.last, sizeof lines.last, "%s", line);
}

static void flood(struct trace_manager *manager, int count)
{
    for (int i = 1; i <= count; i++)
        fxt_i_log(manager, "line %d", i);
}

Test(log, line_beyond_those_of_a_second_is_counted_in_the_next_one)
{
    static struct trace_manager manager = {.log = add_line};
    cr_assert_eq(async_loop_create(&kAsyncLoopConfigNoAttachToThread, &manager.loop), ZX_OK);
    flood(&manager, FXT_I_LOG_LINES + 7);
    cr_expect_eq(lines.count, FXT_I_LOG_LINES);
    while (manager.log_second != NULL)
        async_loop_run(manager.loop, ZX_TIME_INFINITE, true);
    cr_expect_eq(lines.count, FXT_I_LOG_LINES + 1);
    cr_expect_str_eq(lines.last, "7 more lines in this second left out");
    flood(&manager, 2);
    cr_expect_str_eq(lines.last, "line 2");
    fxt_i_log_end(&manager);
    cr_expect_eq(lines.count, FXT_I_LOG_LINES + 3, "nothing is left out, nothing is counted");
}

Test(log, line_of_the_session_is_not_lost_in_a_flood)
{
    static struct trace_manager manager = {.log = add_line};
    cr_assert_eq(async_loop_create(&kAsyncLoopConfigNoAttachToThread, &manager.loop), ZX_OK);
    flood(&manager, FXT_I_LOG_LINES + 1);
    fxt_i_log_always(&manager, "the session is aborted");
    cr_expect_str_eq(lines.last, "the session is aborted");
    fxt_i_log_end(&manager);
    cr_expect_str_eq(lines.last, "1 more line in this second left out");
}

Test(log, manager_that_ends_tells_what_it_left_out)
{
    char directory[] = "/tmp/fxt_log_XXXXXX";
    char why[200];
    struct trace_manager_options options = TRACE_MANAGER_OPTIONS_INIT;
    trace_manager_t *manager;
    cr_assert_not_null(mkdtemp(directory));
    options.directory = directory;
    options.log = add_line;
    cr_assert_eq(trace_manager_create(&options, &manager, why), 0, "%s", why);
    flood(manager, FXT_I_LOG_LINES + 3);
    trace_manager_destroy(manager);
    rmdir(directory);
    cr_expect_eq(lines.count, FXT_I_LOG_LINES + 1);
    cr_expect_str_eq(lines.last, "3 more lines in this second left out");
}
