/* What is known of threads that were seen: of a bounded number. */
#ifndef FXT_KERNEL_THREADS_H
#define FXT_KERNEL_THREADS_H

#include <stdbool.h>
#include <stdint.h>

#include "src/kernel/event.h"

#define FXT_KERNEL_THREADS_MAX 65536u

struct fxt_kernel_thread {
    uint64_t call_start; /* ticks */
    int64_t call;        /* the system call that it is in */
    uint32_t tid;
    uint32_t process; /* 0: not known */
    uint32_t next;    /* of the same bucket or of those that are free: index + 1 */
    bool in_call;
    bool woken; /* and has not run since */
    char name[FXT_KERNEL_COMM];
};

struct fxt_kernel_threads {
    struct fxt_kernel_thread all[FXT_KERNEL_THREADS_MAX];
    uint32_t buckets[FXT_KERNEL_THREADS_MAX]; /* index + 1 */
    uint32_t free;                            /* index + 1 */
    uint32_t used;                            /* from here on none was ever taken */
};

/* Forgets all. */
void fxt_kernel_threads_clear(struct fxt_kernel_threads *threads);

/* NULL when it is not known. */
struct fxt_kernel_thread *fxt_kernel_threads_find(struct fxt_kernel_threads *threads, uint32_t tid);

/* Adds it when it is not known; NULL when there is no room. */
struct fxt_kernel_thread *fxt_kernel_threads_get(struct fxt_kernel_threads *threads, uint32_t tid);

void fxt_kernel_threads_remove(struct fxt_kernel_threads *threads, uint32_t tid);

#endif
