/* The state of the threads that were seen, up to a limit. */
#ifndef FXT_KERNEL_THREADS_H
#define FXT_KERNEL_THREADS_H

#include <stdbool.h>
#include <stdint.h>

#include "src/kernel/event.h"

#define FXT_KERNEL_THREADS_MAX 65536u

struct fxt_kernel_thread {
    uint64_t call_start; /* ticks */
    int64_t call;        /* its current system call */
    uint32_t tid;
    uint32_t process; /* 0: unknown */
    uint32_t next;    /* next in the bucket or in the free list: index + 1 */
    bool in_call;
    bool woken; /* and has not run since */
    char name[FXT_KERNEL_COMM];
};

struct fxt_kernel_threads {
    struct fxt_kernel_thread all[FXT_KERNEL_THREADS_MAX];
    uint32_t buckets[FXT_KERNEL_THREADS_MAX]; /* index + 1 */
    uint32_t free;                            /* index + 1 */
    uint32_t used;                            /* entries from here on were never used */
};

/* Removes all threads. */
void fxt_kernel_threads_clear(struct fxt_kernel_threads *threads);

/* NULL if the thread is unknown. */
struct fxt_kernel_thread *fxt_kernel_threads_find(struct fxt_kernel_threads *threads, uint32_t tid);

/* Adds the thread if it is unknown. NULL if there is no room. */
struct fxt_kernel_thread *fxt_kernel_threads_get(struct fxt_kernel_threads *threads, uint32_t tid);

void fxt_kernel_threads_remove(struct fxt_kernel_threads *threads, uint32_t tid);

#endif
