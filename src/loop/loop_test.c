/* The loop: tasks run in the order of their deadlines, and are told when it goes away. */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

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

static async_loop_t *looping;
static zx_status_t refused;

static void run_it_once_more(async_dispatcher_t *dispatcher, async_task_t *task, zx_status_t status)
{
    note(dispatcher, task, status);
    refused = async_loop_run(looping, ZX_TIME_INFINITE, true);
}

Test(loop, run_that_is_refused_changes_nothing_for_the_one_that_runs)
{
    cr_assert_eq(async_loop_create(&kAsyncLoopConfigNoAttachToThread, &looping), ZX_OK);
    async_dispatcher_t *dispatcher = async_loop_get_dispatcher(looping);
    struct numbered tasks[] = {
        {{NULL, run_it_once_more, 0}, 0}, task(1, in_ms(1)), task(2, in_ms(2))};
    for (int i = 0; i < 3; i++)
        cr_assert_eq(async_post_task(dispatcher, &tasks[i].task), ZX_OK);
    cr_expect_eq(async_loop_run(looping, in_ms(200), false), ZX_ERR_TIMED_OUT,
                 "not after one task");
    cr_expect_eq(refused, ZX_ERR_BAD_STATE);
    cr_expect_eq(called, 3);
    async_loop_destroy(looping);
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

Test(loop, quit_while_it_becomes_idle_is_forgotten_when_it_is_reset)
{
    async_loop_t *loop;
    async_loop_create(&kAsyncLoopConfigNoAttachToThread, &loop);
    async_dispatcher_t *dispatcher = async_loop_get_dispatcher(loop);
    struct numbered tasks[] = {{{NULL, quit, 0}, 1}, task(2, in_ms(50))};
    async_post_task(dispatcher, &tasks[0].task);
    cr_expect_eq(async_loop_run_until_idle(loop), ZX_ERR_CANCELED);
    cr_expect_eq(async_loop_reset_quit(loop), ZX_OK);
    async_post_task(dispatcher, &tasks[1].task);
    cr_expect_eq(async_loop_run(loop, in_ms(10000), true), ZX_OK, "it runs");
    cr_expect_eq(called, 2);
    async_loop_destroy(loop);
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

static char thread_name[16];

static void quit_and_tell_the_name(async_dispatcher_t *dispatcher, async_task_t *posted,
                                   zx_status_t status)
{
    prctl(PR_GET_NAME, thread_name);
    quit(dispatcher, posted, status);
}

Test(loop, thread_without_a_name_keeps_the_one_of_the_program)
{
    static const char *const names[] = {NULL, "", "its name"};
    char own[16];
    prctl(PR_GET_NAME, own);
    for (int i = 0; i < 3; i++) {
        async_loop_t *loop;
        async_loop_create(&kAsyncLoopConfigNoAttachToThread, &loop);
        struct numbered last = {{NULL, quit_and_tell_the_name, 0}, i};
        cr_assert_eq(async_loop_start_thread(loop, names[i], NULL), ZX_OK);
        async_post_task(async_loop_get_dispatcher(loop), &last.task);
        async_loop_join_threads(loop);
        cr_expect_str_eq(thread_name, i < 2 ? own : "its name");
        async_loop_destroy(loop);
    }
}

struct waiter {
    async_wait_t wait; /* first */
    int called;
    zx_status_t status;
    short events;
};

static void note_ready(async_dispatcher_t *dispatcher, async_wait_t *wait, zx_status_t status,
                       short events)
{
    struct waiter *it = (struct waiter *)(void *)wait;
    (void)dispatcher;
    it->called++;
    it->status = status;
    it->events = events;
}

static struct waiter waiter_for(int descriptor, short events)
{
    return (struct waiter){{NULL, NULL, note_ready, descriptor, events}, 0, ZX_OK, 0};
}

Test(loop, wait_ends_once_when_the_descriptor_is_ready)
{
    async_loop_t *loop;
    int ends[2];
    async_loop_create(&kAsyncLoopConfigNoAttachToThread, &loop);
    async_dispatcher_t *dispatcher = async_loop_get_dispatcher(loop);
    cr_assert_eq(pipe(ends), 0);
    struct waiter in = waiter_for(ends[0], POLLIN);
    struct waiter out = waiter_for(ends[1], POLLOUT);
    cr_assert_eq(async_begin_wait(dispatcher, &in.wait), ZX_OK);
    cr_expect_eq(async_begin_wait(dispatcher, &in.wait), ZX_ERR_ALREADY_EXISTS);
    cr_assert_eq(async_begin_wait(dispatcher, &out.wait), ZX_OK);
    cr_expect_eq(async_loop_run_until_idle(loop), ZX_OK);
    cr_expect_eq(in.called, 0);
    cr_expect_eq(out.called, 1);
    cr_expect_eq(out.events, POLLOUT);
    cr_assert_eq(write(ends[1], "x", 1), 1);
    cr_expect_eq(async_loop_run(loop, in_ms(10000), true), ZX_OK, "the loop is woken");
    cr_expect_eq(in.called, 1);
    cr_expect_eq(in.events, POLLIN);
    cr_expect_eq(async_loop_run_until_idle(loop), ZX_OK);
    cr_expect_eq(in.called, 1);
    cr_expect_eq(async_cancel_wait(dispatcher, &in.wait), ZX_ERR_NOT_FOUND);
    async_loop_destroy(loop);
}

struct poster {
    async_wait_t wait; /* first */
    struct numbered *task;
};

static void post(async_dispatcher_t *dispatcher, async_wait_t *wait, zx_status_t status,
                 short events)
{
    (void)events;
    if (status == ZX_OK)
        async_post_task(dispatcher, &((struct poster *)(void *)wait)->task->task);
}

Test(loop, it_is_not_idle_while_a_task_is_due_that_a_wait_has_posted)
{
    async_loop_t *loop;
    int ends[2];
    async_loop_create(&kAsyncLoopConfigNoAttachToThread, &loop);
    cr_assert_eq(pipe(ends), 0);
    struct numbered posted = task(1, 0);
    struct poster poster = {{.handler = post, .descriptor = ends[1], .events = POLLOUT}, &posted};
    cr_assert_eq(async_begin_wait(async_loop_get_dispatcher(loop), &poster.wait), ZX_OK);
    cr_expect_eq(async_loop_run_until_idle(loop), ZX_OK);
    cr_expect_eq(called, 1);
    async_loop_destroy(loop);
}

struct busy {
    async_wait_t wait; /* first */
    long called;
};

static void wait_again(async_dispatcher_t *dispatcher, async_wait_t *wait, zx_status_t status,
                       short events)
{
    (void)events;
    ((struct busy *)(void *)wait)->called++;
    if (status == ZX_OK)
        async_begin_wait(dispatcher, wait);
}

static long times_posted;

static void post_again(async_dispatcher_t *dispatcher, async_task_t *posted, zx_status_t status)
{
    times_posted++;
    if (status == ZX_OK)
        async_post_task(dispatcher, posted);
}

/* Both at once, so that neither kind keeps the other from running. */
Test(loop, busy_waits_and_tasks_that_post_themselves_starve_nobody)
{
    async_loop_t *loop;
    int ends[2];
    async_loop_create(&kAsyncLoopConfigNoAttachToThread, &loop);
    async_dispatcher_t *dispatcher = async_loop_get_dispatcher(loop);
    cr_assert_eq(pipe(ends), 0);
    async_task_t endless = {.handler = post_again};
    struct busy busy = {{.handler = wait_again, .descriptor = ends[1], .events = POLLOUT}, 0};
    struct waiter waiter = waiter_for(ends[0], POLLIN);
    struct numbered timed = task(1, in_ms(20));
    async_post_task(dispatcher, &endless);
    async_post_task(dispatcher, &timed.task);
    cr_assert_eq(async_begin_wait(dispatcher, &busy.wait), ZX_OK);
    cr_assert_eq(async_begin_wait(dispatcher, &waiter.wait), ZX_OK);
    cr_assert_eq(write(ends[1], "x", 1), 1);
    alarm(10);
    cr_expect_eq(async_loop_run(loop, in_ms(200), false), ZX_ERR_TIMED_OUT);
    cr_expect_eq(called, 1, "the task that was due during the run");
    cr_expect_eq(waiter.called, 1);
    cr_expect_gt(times_posted, 1);
    cr_expect_gt(busy.called, 1);
    async_loop_destroy(loop);
}

Test(loop, run_until_a_past_deadline_serves_what_is_due_and_ready)
{
    async_loop_t *loop;
    int ends[2];
    async_loop_create(&kAsyncLoopConfigNoAttachToThread, &loop);
    async_dispatcher_t *dispatcher = async_loop_get_dispatcher(loop);
    cr_assert_eq(pipe(ends), 0);
    struct numbered due = task(1, 0);
    struct waiter waiter = waiter_for(ends[1], POLLOUT);
    async_post_task(dispatcher, &due.task);
    cr_assert_eq(async_begin_wait(dispatcher, &waiter.wait), ZX_OK);
    cr_expect_eq(async_loop_run(loop, 0, false), ZX_ERR_TIMED_OUT);
    cr_expect_eq(called, 1);
    cr_expect_eq(waiter.called, 1);
    async_loop_destroy(loop);
}

static void quit_when_ready(async_dispatcher_t *dispatcher, async_wait_t *wait, zx_status_t status,
                            short events)
{
    note_ready(dispatcher, wait, status, events);
    async_loop_quit((async_loop_t *)(void *)dispatcher);
}

Test(loop, wait_is_served_while_a_task_keeps_the_loop_from_being_idle)
{
    async_loop_t *loop;
    int ends[2];
    async_loop_create(&kAsyncLoopConfigNoAttachToThread, &loop);
    async_dispatcher_t *dispatcher = async_loop_get_dispatcher(loop);
    cr_assert_eq(pipe(ends), 0);
    async_task_t endless = {.handler = post_again};
    struct waiter waiter = waiter_for(ends[1], POLLOUT);
    waiter.wait.handler = quit_when_ready;
    async_post_task(dispatcher, &endless);
    cr_assert_eq(async_begin_wait(dispatcher, &waiter.wait), ZX_OK);
    alarm(10);
    cr_expect_eq(async_loop_run_until_idle(loop), ZX_ERR_CANCELED);
    cr_expect_eq(waiter.called, 1);
    async_loop_destroy(loop);
}

static struct numbered *to_cancel;
static zx_status_t cancel_status;

static void cancel_other(async_dispatcher_t *dispatcher, async_task_t *posted, zx_status_t status)
{
    note(dispatcher, posted, status);
    cancel_status = async_cancel_task(dispatcher, &to_cancel->task);
}

Test(loop, task_can_be_canceled_by_one_that_was_due_together_with_it)
{
    async_loop_t *loop;
    async_loop_create(&kAsyncLoopConfigNoAttachToThread, &loop);
    struct numbered tasks[] = {{{NULL, cancel_other, 0}, 1}, task(2, 0), task(3, 0)};
    to_cancel = &tasks[1];
    for (int i = 0; i < 3; i++)
        async_post_task(async_loop_get_dispatcher(loop), &tasks[i].task);
    cr_expect_eq(async_loop_run_until_idle(loop), ZX_OK);
    cr_expect_eq(cancel_status, ZX_OK);
    cr_expect_eq(called, 2);
    cr_expect_eq(order[1], 3);
    async_loop_destroy(loop);
}

Test(loop, waits_are_told_of_a_closed_end_and_of_a_shutdown_but_not_when_canceled)
{
    async_loop_t *loop;
    int ends[2];
    int other[2];
    async_loop_create(&kAsyncLoopConfigNoAttachToThread, &loop);
    async_dispatcher_t *dispatcher = async_loop_get_dispatcher(loop);
    cr_assert_eq(pipe(ends), 0);
    cr_assert_eq(pipe(other), 0);
    struct waiter closed = waiter_for(ends[0], POLLIN);
    struct waiter canceled = waiter_for(other[0], POLLIN);
    struct waiter left = waiter_for(other[0], POLLIN);
    cr_assert_eq(async_begin_wait(dispatcher, &closed.wait), ZX_OK);
    cr_assert_eq(async_begin_wait(dispatcher, &canceled.wait), ZX_OK);
    cr_assert_eq(async_cancel_wait(dispatcher, &canceled.wait), ZX_OK);
    cr_assert_eq(async_begin_wait(dispatcher, &left.wait), ZX_OK);
    close(ends[1]);
    cr_expect_eq(async_loop_start_thread(loop, "loop", NULL), ZX_OK);
    for (int i = 0; i < 1000 && *(volatile int *)&closed.called == 0; i++)
        usleep(1000);
    async_loop_shutdown(loop);
    cr_expect_eq(closed.called, 1);
    cr_expect_neq(closed.events & POLLHUP, 0);
    cr_expect_eq(canceled.called, 0);
    cr_expect_eq(left.called, 1);
    cr_expect_eq(left.status, ZX_ERR_CANCELED);
    cr_expect_eq(async_begin_wait(dispatcher, &left.wait), ZX_ERR_BAD_STATE);
    async_loop_destroy(loop);
}

Test(loop, wait_that_has_not_begun_is_not_found)
{
    async_loop_t *loop;
    struct waiter it;
    async_loop_create(&kAsyncLoopConfigNoAttachToThread, &loop);
    async_dispatcher_t *dispatcher = async_loop_get_dispatcher(loop);
    memset(&it, 0x5a, sizeof it); /* the dispatcher's fields, too */
    it.wait.descriptor = 9999;
    it.wait.events = POLLIN;
    cr_expect_eq(async_cancel_wait(dispatcher, &it.wait), ZX_ERR_NOT_FOUND);
    cr_expect_eq(async_begin_wait(dispatcher, &it.wait), ZX_ERR_INVALID_ARGS);
    cr_expect_eq(async_cancel_wait(dispatcher, &it.wait), ZX_ERR_NOT_FOUND);
    async_loop_destroy(loop);
}

Test(loop, dispatcher_without_waits_has_none_to_cancel)
{
    static const struct async_ops ops;
    async_dispatcher_t dispatcher = {&ops};
    struct waiter it = waiter_for(0, POLLIN);
    cr_expect_eq(async_begin_wait(&dispatcher, &it.wait), ZX_ERR_NOT_SUPPORTED);
    cr_expect_eq(async_cancel_wait(&dispatcher, &it.wait), ZX_ERR_NOT_FOUND);
}

Test(loop, each_of_several_waits_can_be_canceled)
{
    async_loop_t *loop;
    int ends[3][2];
    struct waiter waiters[3];
    async_loop_create(&kAsyncLoopConfigNoAttachToThread, &loop);
    async_dispatcher_t *dispatcher = async_loop_get_dispatcher(loop);
    for (int i = 0; i < 3; i++) {
        cr_assert_eq(pipe(ends[i]), 0);
        waiters[i] = waiter_for(ends[i][1], POLLOUT);
        cr_assert_eq(async_begin_wait(dispatcher, &waiters[i].wait), ZX_OK);
    }
    cr_expect_eq(async_cancel_wait(dispatcher, &waiters[1].wait), ZX_OK);
    cr_expect_eq(async_cancel_wait(dispatcher, &waiters[0].wait), ZX_OK);
    cr_expect_eq(async_cancel_wait(dispatcher, &waiters[0].wait), ZX_ERR_NOT_FOUND);
    cr_expect_eq(async_loop_run_until_idle(loop), ZX_OK);
    cr_expect_eq(waiters[0].called + waiters[1].called, 0);
    cr_expect_eq(waiters[2].called, 1);
    async_loop_destroy(loop);
}

Test(loop, files_cannot_be_waited_for)
{
    async_loop_t *loop;
    async_loop_create(&kAsyncLoopConfigNoAttachToThread, &loop);
    int file = open("/proc/self/exe", O_RDONLY);
    struct waiter it = waiter_for(file, POLLIN);
    cr_expect_eq(async_begin_wait(async_loop_get_dispatcher(loop), &it.wait), ZX_ERR_NOT_SUPPORTED);
    close(file);
    async_loop_destroy(loop);
}

/* The loop of its parent runs on. */
Test(loop, forked_child_may_destroy_it)
{
    async_loop_t *loop;
    int status = 0;
    async_loop_create(&kAsyncLoopConfigNoAttachToThread, &loop);
    cr_assert_eq(async_loop_start_thread(loop, "loop", NULL), ZX_OK);
    pid_t child = fork();
    if (child == 0) {
        alarm(5);
        async_loop_shutdown(loop);
        async_loop_destroy(loop);
        _exit(3);
    }
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 3);
    struct numbered it = task(1, 0);
    async_post_task(async_loop_get_dispatcher(loop), &it.task);
    for (int i = 0; i < 1000 && *(volatile int *)&called == 0; i++)
        usleep(1000);
    cr_expect_eq(called, 1);
    async_loop_destroy(loop);
}

/* However few descriptors are left, it says so. */
Test(loop, without_descriptors_it_is_not_created)
{
    int free_one = dup(0);
    close(free_one);
    for (int left = 0; left <= 16; left++) {
        int status = 0;
        pid_t child = fork();
        if (child == 0) {
            struct rlimit limit = {(rlim_t)(free_one + left), (rlim_t)(free_one + left)};
            async_loop_t *loop = NULL;
            setrlimit(RLIMIT_NOFILE, &limit);
            zx_status_t result = async_loop_create(&kAsyncLoopConfigNoAttachToThread, &loop);
            async_loop_destroy(loop);
            _exit(result == ZX_OK ? 0 : result == ZX_ERR_NO_RESOURCES ? 1 : 2);
        }
        cr_assert_eq(waitpid(child, &status, 0), child);
        cr_expect(WIFEXITED(status) && WEXITSTATUS(status) <= 1, "%d left", left);
        cr_expect(left != 16 || WEXITSTATUS(status) == 0);
    }
}

/* A daemon has closed them. */
Test(loop, leaves_the_standard_descriptors_alone)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        async_loop_t *loop;
        for (int fd = 0; fd <= 2; fd++)
            close(fd);
        async_loop_create(&kAsyncLoopConfigNoAttachToThread, &loop);
        async_loop_start_thread(loop, "loop", NULL);
        bool is_closed = write(1, "x", 1) < 0 && write(2, "x", 1) < 0 && read(0, &status, 1) < 0;
        async_loop_destroy(loop);
        _exit(is_closed ? 3 : 4);
    }
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 3);
}

static async_dispatcher_t *busy;

static void post_and_cancel(struct numbered *it)
{
    async_post_task(busy, &it->task);
    async_cancel_task(busy, &it->task);
}

static void post_in_signal(int number)
{
    static struct numbered it;
    (void)number;
    post_and_cancel(&it);
}

/* As one does that traces, and finds the half of the buffer full. */
Test(loop, may_be_used_by_a_signal_handler_that_interrupts_its_use)
{
    const struct itimerval often = {{0, 50}, {0, 50}};
    const struct itimerval never = {{0, 0}, {0, 0}};
    struct numbered it = task(1, 0);
    async_loop_t *loop;
    async_loop_create(&kAsyncLoopConfigNoAttachToThread, &loop);
    busy = async_loop_get_dispatcher(loop);
    signal(SIGALRM, post_in_signal);
    setitimer(ITIMER_REAL, &often, NULL);
    for (int i = 0; i < 300000; i++)
        post_and_cancel(&it);
    setitimer(ITIMER_REAL, &never, NULL);
    async_loop_destroy(loop);
}

static void *use_and_be_cancelled(void *self)
{
    pthread_cancel(pthread_self());
    post_and_cancel(self);
    pthread_testcancel();
    return self;
}

/* To wake the loop is a system call at which the thread could be cancelled. */
Test(loop, may_be_used_after_a_thread_was_cancelled_that_used_it)
{
    struct numbered it = task(1, 0);
    pthread_t thread;
    void *result;
    async_loop_t *loop;
    async_loop_create(&kAsyncLoopConfigNoAttachToThread, &loop);
    busy = async_loop_get_dispatcher(loop);
    cr_assert_eq(pthread_create(&thread, NULL, use_and_be_cancelled, &it), 0);
    pthread_join(thread, &result);
    cr_expect_eq(result, PTHREAD_CANCELED);
    post_and_cancel(&it);
    async_loop_destroy(loop);
}

/* In a child: a limit of descriptors below the number of waits lets every poll of them all fail. */
static int run_with_polls_that_fail(void)
{
    struct rlimit limit = {1, 1};
    struct waiter waiters[2];
    async_loop_t *loop;
    int ends[2][2];
    struct numbered timed = task(1, in_ms(30));
    if (async_loop_create(&kAsyncLoopConfigNoAttachToThread, &loop) != ZX_OK)
        return 1;
    async_dispatcher_t *dispatcher = async_loop_get_dispatcher(loop);
    for (int i = 0; i < 2; i++) {
        if (pipe(ends[i]) != 0)
            return 2;
        waiters[i] = waiter_for(ends[i][0], POLLIN);
        if (async_begin_wait(dispatcher, &waiters[i].wait) != ZX_OK)
            return 3;
    }
    setrlimit(RLIMIT_NOFILE, &limit);
    async_post_task(dispatcher, &timed.task);
    if (write(ends[1][1], "x", 1) != 1 || async_loop_start_thread(loop, "loop", NULL) != ZX_OK)
        return 4;
    for (int i = 0; i < 2000 && *(volatile int *)&called == 0; i++)
        usleep(1000);
    async_loop_shutdown(loop); /* wakes the thread */
    bool good = called == 1 && waiters[0].status == ZX_ERR_CANCELED && waiters[1].called == 1 &&
                waiters[1].status == ZX_OK;
    async_loop_destroy(loop);
    return good ? 0 : 5;
}

Test(loop, serves_tasks_and_waits_although_poll_fails)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        alarm(10);
        _exit(run_with_polls_that_fail());
    }
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "it ends with %x", (unsigned)status);
}

/* In a child: closes all descriptors, as a daemon does, and opens files in their place. */
static int run_without_descriptors(void)
{
    struct numbered it = task(1, 0);
    struct stat info;
    async_loop_t *loop;
    int files[8];
    if (async_loop_create(&kAsyncLoopConfigNoAttachToThread, &loop) != ZX_OK ||
        async_loop_start_thread(loop, "loop", NULL) != ZX_OK)
        return 1;
    usleep(50000); /* it polls */
    for (int fd = 3; fd < 1024; fd++)
        close(fd);
    for (int i = 0; i < 8; i++)
        files[i] = fileno(tmpfile());
    for (int round = 1; round <= 3; round++) {
        async_post_task(async_loop_get_dispatcher(loop), &it.task);
        for (int i = 0; i < 3000 && *(volatile int *)&called < round; i++)
            usleep(1000);
        if (called != round)
            return 2;
    }
    async_loop_destroy(loop);
    for (int i = 0; i < 8; i++)
        if (fstat(files[i], &info) != 0 || info.st_size != 0)
            return 3;
    return 0;
}

Test(loop, writes_to_no_file_of_a_program_that_closed_its_descriptors)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        alarm(20);
        _exit(run_without_descriptors());
    }
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "it ends with %x", (unsigned)status);
}

#define MANY 100

Test(loop, has_room_for_many_waits)
{
    static struct waiter waiters[MANY];
    async_loop_t *loop;
    int ends[2];
    async_loop_create(&kAsyncLoopConfigNoAttachToThread, &loop);
    async_dispatcher_t *dispatcher = async_loop_get_dispatcher(loop);
    cr_assert_eq(pipe(ends), 0);
    for (int i = 0; i < MANY; i++) {
        waiters[i] = waiter_for(dup(ends[0]), POLLIN);
        cr_assert_eq(async_begin_wait(dispatcher, &waiters[i].wait), ZX_OK);
    }
    cr_expect_eq(async_loop_run(loop, in_ms(20), false), ZX_ERR_TIMED_OUT);
    cr_expect_eq(waiters[0].called + waiters[MANY - 1].called, 0);
    cr_assert_eq(write(ends[1], "x", 1), 1);
    cr_expect_eq(async_loop_run_until_idle(loop), ZX_OK);
    for (int i = 0; i < MANY; i++)
        cr_expect_eq(waiters[i].called, 1);
    async_loop_destroy(loop);
}
