/* A program that forbids membarrier(2) to itself while it is traced, as a sandbox does. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "src/engine/engine.h"
#include "src/engine/fixture_test.h"

TestSuite(fence, .timeout = 120);

enum { THREADS = 4, EVENTS = 20000 };

static pthread_barrier_t begin, forbidden;

static void event(int number)
{
    static const char *const names[] = {"i"};
    static struct trace_i_site site = {.names = names};
    trace_arg_value_t value = trace_make_int32_arg_value(number);
    if (trace_i_on(&site, "+c"))
        trace_i_event(&site, "+c", "n", FXT_EVENT_INSTANT, 0, &value, 1);
}

static void *trace_before_and_after(void *unused)
{
    event(0);
    pthread_barrier_wait(&begin);
    pthread_barrier_wait(&forbidden);
    for (int i = 1; i < EVENTS; i++)
        event(i);
    return unused;
}

/* For all threads. */
static void forbid_membarrier(uint32_t answer)
{
    struct sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_membarrier, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | answer),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {sizeof rules / sizeof rules[0], rules};

    cr_assert_eq(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
    cr_assert_eq(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter),
                 0);
}

static void trace_through(uint32_t answer)
{
    trace_engine_sizes_t sizes;
    pthread_t threads[THREADS];

    set_up(TRACE_BUFFERING_MODE_ONESHOT, 16 << 20);
    if (!fxt_i_fences_are_light)
        cr_skip_test("the kernel has no membarrier");
    start();
    pthread_barrier_init(&begin, NULL, THREADS + 1);
    pthread_barrier_init(&forbidden, NULL, THREADS + 1);
    for (int t = 0; t < THREADS; t++)
        pthread_create(&threads[t], NULL, trace_before_and_after, NULL);
    pthread_barrier_wait(&begin);
    forbid_membarrier(answer);
    pthread_barrier_wait(&forbidden);
    for (int t = 0; t < THREADS; t++)
        pthread_join(threads[t], NULL);
    stop();
    read_buffer();
    trace_engine_get_sizes(&sizes);
    cr_expect_eq(sizes.records_dropped, 0);
    cr_expect_eq(count_from("instant +c n"), THREADS * EVENTS);
    cr_expect(!fxt_i_fences_are_light, "a fence that is none is taken for one");
    start();
    event(1);
    stop();
    read_buffer();
    cr_expect_eq(count_from("instant +c n"), 1);
    tear_down();
}

Test(fence, filter_that_refuses_membarrier_makes_light_fences_full)
{
    trace_through(EPERM);
}

Test(fence, filter_that_hides_membarrier_makes_light_fences_full)
{
    trace_through(ENOSYS);
}

/* Turns execute heavy fences while other threads trace. */
Test(fence, half_is_used_again_after_membarrier_is_refused)
{
    pthread_t threads[THREADS];

    set_up(TRACE_BUFFERING_MODE_CIRCULAR, 65536);
    if (!fxt_i_fences_are_light)
        cr_skip_test("the kernel has no membarrier");
    start();
    forbid_membarrier(EPERM);
    pthread_barrier_init(&begin, NULL, THREADS);
    pthread_barrier_init(&forbidden, NULL, THREADS);
    for (int t = 0; t < THREADS; t++)
        pthread_create(&threads[t], NULL, trace_before_and_after, NULL);
    for (int t = 0; t < THREADS; t++)
        pthread_join(threads[t], NULL);
    stop();
    read_buffer();
    cr_expect_gt(count_from("instant +c n"), 100);
    cr_expect(!fxt_i_fences_are_light);
    tear_down();
}
