/* One event of the Linux kernel, in the form that every source produces and the translation
   consumes.

   Plain data of one size: a source may be in another process and send its events through a pipe.
   Unknown values are 0 or "". */
#ifndef FXT_KERNEL_EVENT_H
#define FXT_KERNEL_EVENT_H

#include <stdint.h>

enum fxt_kernel_kind {
    FXT_KERNEL_SWITCH = 1,
    FXT_KERNEL_WAKING, /* precedes the wakeup, from the waking thread */
    FXT_KERNEL_WAKEUP,
    FXT_KERNEL_NAME, /* name of a thread, or that it exists */
    FXT_KERNEL_EXIT,
    FXT_KERNEL_CALL, /* begin of a system call */
    FXT_KERNEL_RETURN,
    FXT_KERNEL_IRQ, /* begin of an interrupt handler */
    FXT_KERNEL_IRQ_DONE,
    FXT_KERNEL_SOFTIRQ,
    FXT_KERNEL_SOFTIRQ_DONE,
    FXT_KERNEL_FREQUENCY,
    FXT_KERNEL_LOST,
    FXT_KERNEL_ARRIVAL, /* of a thread on a processor; used by the source only */
};

/* Groups of events, one bit for each category. */
enum {
    FXT_KERNEL_SCHED = 1,
    FXT_KERNEL_SYSCALL = 2,
    FXT_KERNEL_INTERRUPT = 4,
    FXT_KERNEL_FREQ = 8,
    FXT_KERNEL_META = 16,
    FXT_KERNEL_GROUPS = 5,
};

#define FXT_KERNEL_COMM 16 /* bytes of a thread's name, including NUL */
#define FXT_KERNEL_NO_PRIO INT32_MIN

struct fxt_kernel_event {
    uint64_t ns; /* time of the source's clock */
    uint32_t kind;
    uint32_t cpu;     /* wakeup: the target processor */
    uint32_t tid;     /* switch: the outgoing thread; otherwise the thread of the event */
    uint32_t process; /* the process of tid */
    uint32_t other;   /* switch: the incoming thread; waking: the waker, or 0 */
    int32_t prio;     /* as the scheduler numbers them: lower runs sooner */
    int32_t other_prio;
    uint32_t state; /* switch: state of the outgoing thread, a trace_thread_state_t */
    int64_t number; /* of the system call or interrupt; kHz; number of lost events, 0: unknown */
    int64_t result; /* result of the system call */
    char name[32];  /* name of tid or of the interrupt's handler */
    char other_name[FXT_KERNEL_COMM];
};

/* Receives the events of a source, in the order of time. */
struct fxt_kernel_sink {
    void (*put)(void *data, const struct fxt_kernel_event *event, uint64_t ticks);
    void *data;
};

#endif
