/* The events of one processor, from the ring that the kernel writes. */
#ifndef FXT_KERNEL_PERF_H
#define FXT_KERNEL_PERF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/perf_event.h>
#include <traceevent/event-parse.h>

#include "src/kernel/event.h"

/* The fields of every event, in this order: the thread, the time, the processor, and for
   tracepoints their data. Times are those of CLOCK_MONOTONIC. */
#define FXT_KERNEL_PERF_SAYS                                                                       \
    (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_RAW)

/* Reads one record. False if it has nothing useful, or is damaged. `tep` has the tracepoints, and
   is NULL if there are none. tid is 0 for a switch without an outgoing thread (it is dead). */
bool fxt_kernel_perf_decode(struct fxt_kernel_event *out, struct tep_handle *tep,
                            const struct perf_event_header *record);

/* The ring of a processor. */
struct fxt_kernel_ring {
    struct perf_event_mmap_page *page;
    uint8_t *data;
    uint64_t size;  /* size of the data, a power of two */
    uint64_t head;  /* the kernel's head, as last read */
    uint64_t tail;  /* everything before it was read */
    uint8_t *whole; /* 64 KiB: for a record that wraps around the end of the ring */
};

/* Maps the ring of a perf event, of at most `most` bytes, or fewer if the limit of locked memory
   is lower. Returns 0 or an errno value. */
int fxt_kernel_ring_map(struct fxt_kernel_ring *ring, int event, size_t most);
void fxt_kernel_ring_unmap(struct fxt_kernel_ring *ring);

/* Reads the kernel's head. */
void fxt_kernel_ring_look(struct fxt_kernel_ring *ring);

/* The next record before `head`; NULL if there is none. Valid until the next call. */
const struct perf_event_header *fxt_kernel_ring_next(struct fxt_kernel_ring *ring);

/* Returns everything before `tail` to the kernel. */
void fxt_kernel_ring_give_back(struct fxt_kernel_ring *ring, uint64_t tail);

#endif
