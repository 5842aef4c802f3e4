/* A hash table with chains. Its owner provides the memory, which may be zero or cleared. Thread
   0, the idle thread of every processor, is never in it. */
#include "src/kernel/threads.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

void fxt_kernel_threads_clear(struct fxt_kernel_threads *threads)
{
    memset(threads->buckets, 0, sizeof threads->buckets);
    threads->free = 0;
    threads->used = 0;
}

static uint32_t *bucket_of(struct fxt_kernel_threads *threads, uint32_t tid)
{
    return &threads->buckets[tid % FXT_KERNEL_THREADS_MAX];
}

/* The link that points to the entry, or the end of the chain. */
static uint32_t *link_to(struct fxt_kernel_threads *threads, uint32_t tid)
{
    uint32_t *link = bucket_of(threads, tid);

    assert(threads->used <= FXT_KERNEL_THREADS_MAX);
    while (*link != 0 && threads->all[*link - 1].tid != tid)
        link = &threads->all[*link - 1].next;
    return link;
}

struct fxt_kernel_thread *fxt_kernel_threads_find(struct fxt_kernel_threads *threads, uint32_t tid)
{
    uint32_t found = *link_to(threads, tid);
    return found != 0 ? &threads->all[found - 1] : NULL;
}

/* The index of a free entry, plus 1; 0: none. */
static uint32_t take(struct fxt_kernel_threads *threads)
{
    uint32_t taken = threads->free;
    if (taken != 0)
        threads->free = threads->all[taken - 1].next;
    else if (threads->used < FXT_KERNEL_THREADS_MAX)
        taken = ++threads->used;
    return taken;
}

struct fxt_kernel_thread *fxt_kernel_threads_get(struct fxt_kernel_threads *threads, uint32_t tid)
{
    struct fxt_kernel_thread *thread = fxt_kernel_threads_find(threads, tid);
    uint32_t taken = thread == NULL && tid != 0 ? take(threads) : 0;
    if (taken == 0)
        return thread;
    assert(taken <= threads->used);
    thread = &threads->all[taken - 1];
    *thread = (struct fxt_kernel_thread){.tid = tid, .next = *bucket_of(threads, tid)};
    *bucket_of(threads, tid) = taken;
    return thread;
}

void fxt_kernel_threads_remove(struct fxt_kernel_threads *threads, uint32_t tid)
{
    uint32_t *link = link_to(threads, tid);
    uint32_t removed = *link;
    if (removed == 0)
        return;
    *link = threads->all[removed - 1].next;
    threads->all[removed - 1].next = threads->free;
    threads->free = removed;
}
