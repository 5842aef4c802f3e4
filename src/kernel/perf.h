/* Events of one processor, out of the ring that the kernel writes them to. */
#ifndef FXT_KERNEL_PERF_H
#define FXT_KERNEL_PERF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/perf_event.h>
#include <traceevent/event-parse.h>

#include "src/kernel/event.h"

/* What every event is asked to say, in this order: the thread, the time, the processor, and of
   tracepoints their data. Times are those of CLOCK_MONOTONIC. */
#define FXT_KERNEL_PERF_SAYS                                                                       \
    (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_RAW)

/* Reads one record. False when it says nothing of use, or is damaged. `tep` knows the tracepoints,
   and is NULL without any. Without a switch's outgoing thread (it is dead), tid is 0. */
bool fxt_kernel_perf_decode(struct fxt_kernel_event *out, struct tep_handle *tep,
                            const struct perf_event_header *record);

/* The ring of a processor. */
struct fxt_kernel_ring {
    struct perf_event_mmap_page *page;
    uint8_t *data;
    uint64_t size;  /* of the data, a power of two */
    uint64_t head;  /* the kernel's, when it was looked at last */
    uint64_t tail;  /* what is before was read */
    uint8_t *whole; /* 64 KiB: a record that the end of the ring cuts in two */
};

/* Maps the ring of a perf event, of at most `most` bytes; less when so much may not be locked. 0 or
   an errno value. */
int fxt_kernel_ring_map(struct fxt_kernel_ring *ring, int event, size_t most);
void fxt_kernel_ring_unmap(struct fxt_kernel_ring *ring);

/* Looks how far the kernel has come. */
void fxt_kernel_ring_look(struct fxt_kernel_ring *ring);

/* The next record, until `head`; NULL when there is none. Valid until the next call. */
const struct perf_event_header *fxt_kernel_ring_next(struct fxt_kernel_ring *ring);

/* Gives the kernel back what was read: all before `tail`. */
void fxt_kernel_ring_give_back(struct fxt_kernel_ring *ring, uint64_t tail);

#endif
