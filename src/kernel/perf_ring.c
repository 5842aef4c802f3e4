/* The ring of one processor. The kernel writes and publishes its head, which this file reads.
   This file reads at its tail and publishes it.

   Only the program's main thread and the kernel use the ring. fxt_kernel_ring_look loads the head
   with acquire, so that it sees what the kernel wrote before. fxt_kernel_ring_give_back stores
   the tail with release, so that the kernel writes there only after the read. Data of the kernel
   is checked. */
#include "src/kernel/perf.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "src/engine/atomic.h"

#define LEAST 32768
#define RECORD_MAX 65536 /* the size field has 16 bits */

static fxt_i_atomic *shared_word(__u64 *word)
{
    return (fxt_i_atomic *)(void *)word;
}

static int map(struct fxt_kernel_ring *ring, int event, size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    void *place = mmap(NULL, page + bytes, PROT_READ | PROT_WRITE, MAP_SHARED, event, 0);
    if (place == MAP_FAILED)
        return errno;
    ring->page = place;
    ring->data = (uint8_t *)place + page;
    ring->size = bytes;
    assert(bytes > 0 && (bytes & (bytes - 1)) == 0);
    return 0;
}

int fxt_kernel_ring_map(struct fxt_kernel_ring *ring, int event, size_t most)
{
    int error = EPERM;
    memset(ring, 0, sizeof *ring);
    ring->whole = malloc(RECORD_MAX);
    if (ring->whole == NULL)
        return ENOMEM;
    for (size_t bytes = most; error == EPERM && bytes >= LEAST; bytes /= 2)
        error = map(ring, event, bytes);
    if (error != 0)
        free(ring->whole);
    return error;
}

void fxt_kernel_ring_unmap(struct fxt_kernel_ring *ring)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    munmap(ring->page, page + ring->size);
    free(ring->whole);
}

void fxt_kernel_ring_look(struct fxt_kernel_ring *ring)
{
    ring->head = fxt_i_load(shared_word(&ring->page->data_head));
}

const struct perf_event_header *fxt_kernel_ring_next(struct fxt_kernel_ring *ring)
{
    struct perf_event_header header;
    uint64_t at = ring->tail & (ring->size - 1);
    uint64_t before_end = ring->size - at;

    if (ring->head - ring->tail < sizeof header)
        return NULL;
    memcpy(&header, ring->data + at, sizeof header); /* records are aligned to 8 bytes */
    if (header.size < sizeof header || header.size > ring->head - ring->tail) {
        ring->tail = ring->head;
        return NULL;
    }
    ring->tail += header.size;
    if (header.size <= before_end)
        return (const struct perf_event_header *)(const void *)(ring->data + at);
    memcpy(ring->whole, ring->data + at, before_end);
    memcpy(ring->whole + before_end, ring->data, header.size - before_end);
    return (const struct perf_event_header *)(const void *)ring->whole;
}

void fxt_kernel_ring_give_back(struct fxt_kernel_ring *ring, uint64_t tail)
{
    assert(tail <= ring->tail);
    fxt_i_store(shared_word(&ring->page->data_tail), tail);
}
