/* Shared by the files of the live source. */
#ifndef FXT_KERNEL_LIVE_I_H
#define FXT_KERNEL_LIVE_I_H

#include "src/kernel/clock.h"
#include "src/kernel/live.h"
#include "src/kernel/perf.h"

#define FXT_KERNEL_EVENTS 16 /* perf events of a processor */

struct fxt_kernel_processor {
    struct fxt_kernel_ring ring;
    int events[FXT_KERNEL_EVENTS]; /* descriptors; the first one owns the ring */
    uint32_t event_count;
    uint32_t number;
    uint32_t running;              /* the running thread by the last switch */
    uint32_t ending;               /* the last thread that ended there */
    bool switched;                 /* a switch has been seen, and nothing was lost since */
    uint64_t lost;                 /* events, by the records of the ring */
    bool pending;                  /* `event` is pending */
    uint64_t before;               /* tail of the ring before `event` */
    struct fxt_kernel_event event; /* the pending event */
};

struct fxt_kernel_live {
    struct fxt_kernel_line line;
    struct tep_handle *tep; /* NULL: no tracefs */
    uint32_t groups;
    uint32_t missing;
    uint32_t tracepoints[FXT_KERNEL_EVENTS]; /* tracepoint numbers for perf events */
    uint32_t tracepoint_count;
    int poll; /* epoll of all rings */
    uint32_t count;
    struct fxt_kernel_processor *processors;
};

/* Opens the events of one processor, whose number is set. Returns 0 or an errno value. */
int fxt_kernel_processor_open(struct fxt_kernel_processor *processor,
                              const struct fxt_kernel_live *live);
/* Events that found no room, also those that no record of the ring tells of. 0 before Linux 6.0. */
uint64_t fxt_kernel_processor_lost(const struct fxt_kernel_processor *processor);
void fxt_kernel_processor_disable(struct fxt_kernel_processor *processor);
void fxt_kernel_processor_close(struct fxt_kernel_processor *processor);

/* Stores the numbers of the online processors, at most `max`. Returns their number. */
uint32_t fxt_kernel_online(uint32_t *numbers, uint32_t max);

/* Explains why perf_event_open failed, and what would help. */
void fxt_kernel_explain(char message[FXT_KERNEL_MESSAGE], int error);

#endif
