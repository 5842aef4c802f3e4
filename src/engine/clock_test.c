/* Ticks: they rise whatever processor looks, and at the rate that is told. */
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "src/engine/clock.h"
#include "src/engine/fixture_test.h"

TestSuite(clock, .timeout = 60);

enum { ROUNDS = 20000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t last;
static int backwards;

/* The processor reads its counter when it likes: before it has the lock, for one. */
static void finish_what_is_before(void)
{
#ifdef __x86_64__
    __builtin_ia32_lfence();
#endif
}

/* Each reading is behind the one before, which another processor may have made. */
static void *read_ticks(void *cpu)
{
    cpu_set_t one;

    CPU_ZERO(&one);
    CPU_SET((int)(intptr_t)cpu, &one);
    sched_setaffinity(0, sizeof one, &one);
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&lock);
        finish_what_is_before();
        uint64_t now = fxt_i_ticks();
        finish_what_is_before();
        backwards += now < last;
        last = now;
        pthread_mutex_unlock(&lock);
        if (i % 16 == 0)
            sched_yield();
    }
    return NULL;
}

Test(clock, ticks_never_go_back_whatever_processor_looks)
{
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);

    for (long i = 0; i < THREADS; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, read_ticks, (void *)(intptr_t)(i % cpus)),
                     0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    cr_expect_eq(backwards, 0, "%d times", backwards);
}

Test(clock, rate_is_that_of_the_ticks)
{
    int64_t ns = fxt_i_monotonic_ns();
    uint64_t ticks = fxt_i_ticks();
    usleep(300000);
    double rate = (double)(fxt_i_ticks() - ticks) * 1e9 / (double)(fxt_i_monotonic_ns() - ns);
    double told = (double)fxt_i_ticks_per_second();
    cr_expect(rate > told * 0.999 && rate < told * 1.001, "%f, told %f", rate, told);
}

Test(clock, counter_is_one_of_the_list_or_is_not)
{
    cr_expect(fxt_i_lists_tsc("tsc kvm-clock acpi_pm \n"));
    cr_expect(fxt_i_lists_tsc("hpet tsc\n"));
    cr_expect(fxt_i_lists_tsc("tsc"));
    cr_expect_not(fxt_i_lists_tsc(""));
    cr_expect_not(fxt_i_lists_tsc("hpet acpi_pm \n"));
    cr_expect_not(fxt_i_lists_tsc("tsc-early arttsc \n"));
    cr_expect(fxt_i_lists_tsc("tsc-early arttsc tsc \n"));
}

Test(clock, counter_is_taken_only_where_the_kernel_trusts_it)
{
    if (fxt_i_clock_is_tsc)
        cr_expect(fxt_i_kernel_trusts_tsc());
    else
        cr_expect_eq(fxt_i_ticks_per_second(), 1000000000);
}

/* A program may keep a time, or the rate, from before it is traced. */
Test(clock, is_the_same_before_and_after_the_first_trace)
{
    uint64_t before = trace_get_ticks();
    uint64_t rate = trace_ticks_per_second();
    set_up(TRACE_BUFFERING_MODE_ONESHOT, 1 << 20);
    uint64_t after = trace_get_ticks();
    cr_expect_eq(rate, trace_ticks_per_second());
    cr_expect(before <= after && after - before < 10 * rate, "%lu",
              (unsigned long)(after - before));
}
