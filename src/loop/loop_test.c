/* The loop: tasks run in the order of their deadlines, and are told when it goes away. */
#include <time.h>

#include <criterion/criterion.h>
#include <lib/async-loop/loop.h>

TestSuite(loop, .timeout = 30);

static int order[16];
static zx_status_t statuses[16];
static int called;

struct numbered {
    async_task_t task; /* first */
    int number;
};

static void note(async_dispatcher_t *dispatcher, async_task_t *task, zx_status_t status)
{
    (void)dispatcher;
    order[called] = ((struct numbered *)(void *)task)->number;
    statuses[called++] = status;
}

static zx_time_t in_ms(int ms)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec + ms * INT64_C(1000000);
}

static struct numbered task(int number, zx_time_t deadline)
{
    return (struct numbered){{NULL, note, deadline}, number};
}

Test(loop, tasks_run_by_deadline_and_then_in_the_order_of_posting)
{
    async_loop_t *loop;
    cr_assert_eq(async_loop_create(&kAsyncLoopConfigNoAttachToThread, &loop), ZX_OK);
    async_dispatcher_t *dispatcher = async_loop_get_dispatcher(loop);
    struct numbered tasks[] = {task(0, in_ms(20)), task(1, 0), task(2, in_ms(10)), task(3, 0),
                               task(4, ZX_TIME_INFINITE)};
    for (int i = 0; i < 5; i++)
        cr_assert_eq(async_post_task(dispatcher, &tasks[i].task), ZX_OK);
    cr_expect_eq(async_loop_run_until_idle(loop), ZX_OK);
    cr_expect_eq(called, 2);
    cr_expect_eq(async_loop_run(loop, in_ms(100), false), ZX_ERR_TIMED_OUT);
    cr_expect_eq(called, 4);
    const int wanted[] = {1, 3, 2, 0};
    cr_expect_arr_eq(order, wanted, sizeof wanted);
    async_loop_destroy(loop);
    cr_expect_eq(called, 5);
    cr_expect_eq(statuses[4], ZX_ERR_CANCELED);
}

Test(loop, canceled_task_does_not_run)
{
    async_loop_t *loop;
    async_loop_create(&kAsyncLoopConfigNoAttachToThread, &loop);
    async_dispatcher_t *dispatcher = async_loop_get_dispatcher(loop);
    struct numbered one = task(1, 0);
    cr_expect_eq(async_cancel_task(dispatcher, &one.task), ZX_ERR_NOT_FOUND);
    async_post_task(dispatcher, &one.task);
    cr_expect_eq(async_cancel_task(dispatcher, &one.task), ZX_OK);
    async_loop_run_until_idle(loop);
    async_loop_destroy(loop);
    cr_expect_eq(called, 0);
}

Test(loop, run_once_runs_one_task)
{
    async_loop_t *loop;
    async_loop_create(&kAsyncLoopConfigNoAttachToThread, &loop);
    struct numbered tasks[] = {task(1, 0), task(2, in_ms(5))};
    for (int i = 0; i < 2; i++)
        async_post_task(async_loop_get_dispatcher(loop), &tasks[i].task);
    cr_expect_eq(async_loop_run(loop, ZX_TIME_INFINITE, true), ZX_OK);
    cr_expect_eq(called, 1);
    cr_expect_eq(async_loop_run(loop, ZX_TIME_INFINITE, true), ZX_OK);
    cr_expect_eq(called, 2);
    async_loop_destroy(loop);
}

static void quit(async_dispatcher_t *dispatcher, async_task_t *posted, zx_status_t status)
{
    note(dispatcher, posted, status);
    async_loop_quit((async_loop_t *)(void *)dispatcher);
}

Test(loop, thread_runs_the_loop_until_it_is_told_to_quit)
{
    async_loop_t *loop;
    async_loop_create(&kAsyncLoopConfigNoAttachToThread, &loop);
    struct numbered last = task(1, 0);
    last.task.handler = quit;
    cr_assert_eq(async_loop_start_thread(loop, "a name that is too long for it", NULL), ZX_OK);
    cr_expect_eq(async_loop_start_thread(loop, "second", NULL), ZX_ERR_BAD_STATE);
    async_post_task(async_loop_get_dispatcher(loop), &last.task);
    async_loop_join_threads(loop);
    cr_expect_eq(called, 1);
    cr_expect_eq(async_loop_run(loop, 0, false), ZX_ERR_CANCELED);
    cr_expect_eq(async_loop_reset_quit(loop), ZX_OK);
    cr_expect_eq(async_loop_run(loop, in_ms(1), false), ZX_ERR_TIMED_OUT);
    async_loop_shutdown(loop);
    cr_expect_eq(async_post_task(async_loop_get_dispatcher(loop), &last.task), ZX_ERR_BAD_STATE);
    cr_expect_eq(async_loop_run(loop, 0, false), ZX_ERR_BAD_STATE);
    async_loop_destroy(loop);
}
