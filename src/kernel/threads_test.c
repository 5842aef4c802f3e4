/* The table of threads. */
#include "src/kernel/threads.h"

#include <criterion/criterion.h>

TestSuite(threads, .timeout = 60);

static struct fxt_kernel_threads threads;

Test(threads, thread_is_found_until_it_is_removed)
{
    cr_expect_null(fxt_kernel_threads_find(&threads, 5));
    struct fxt_kernel_thread *thread = fxt_kernel_threads_get(&threads, 5);
    cr_assert_not_null(thread);
    cr_expect_eq(thread->tid, 5);
    cr_expect_eq(fxt_kernel_threads_get(&threads, 5), thread);
    cr_expect_eq(fxt_kernel_threads_find(&threads, 5), thread);
    fxt_kernel_threads_remove(&threads, 5);
    cr_expect_null(fxt_kernel_threads_find(&threads, 5));
    fxt_kernel_threads_remove(&threads, 5);
}

Test(threads, same_bucket_holds_several)
{
    const uint32_t step = FXT_KERNEL_THREADS_MAX;
    for (uint32_t i = 0; i < 4; i++)
        fxt_kernel_threads_get(&threads, 7 + i * step)->process = i;
    fxt_kernel_threads_remove(&threads, 7 + step);
    for (uint32_t i = 0; i < 4; i++) {
        struct fxt_kernel_thread *thread = fxt_kernel_threads_find(&threads, 7 + i * step);
        cr_assert_eq(thread == NULL, i == 1);
        cr_expect(thread == NULL || thread->process == i);
    }
}

Test(threads, idle_thread_is_never_known)
{
    cr_expect_null(fxt_kernel_threads_get(&threads, 0));
    fxt_kernel_threads_get(&threads, FXT_KERNEL_THREADS_MAX);
    cr_expect_null(fxt_kernel_threads_find(&threads, 0));
}

Test(threads, full_table_takes_no_more_until_one_is_removed)
{
    for (uint32_t i = 1; i <= FXT_KERNEL_THREADS_MAX; i++)
        cr_assert_not_null(fxt_kernel_threads_get(&threads, i * 3));
    cr_expect_null(fxt_kernel_threads_get(&threads, 1));
    cr_expect_not_null(fxt_kernel_threads_get(&threads, 3));
    fxt_kernel_threads_remove(&threads, 300);
    struct fxt_kernel_thread *thread = fxt_kernel_threads_get(&threads, 1);
    cr_assert_not_null(thread);
    cr_expect_eq(thread->process, 0);
    fxt_kernel_threads_clear(&threads);
    cr_expect_null(fxt_kernel_threads_find(&threads, 3));
    cr_expect_not_null(fxt_kernel_threads_get(&threads, 2));
}
