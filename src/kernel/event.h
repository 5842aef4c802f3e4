/* One event of the Linux kernel, as every source tells it and the translation takes it.

   Plain data of one size: a source may live in another process and send its events through a pipe.
   What was not said is 0 or "". */
#ifndef FXT_KERNEL_EVENT_H
#define FXT_KERNEL_EVENT_H

#include <stdint.h>

enum fxt_kernel_kind {
    FXT_KERNEL_SWITCH = 1,
    FXT_KERNEL_WAKING, /* is told before the wakeup, by the one who wakes */
    FXT_KERNEL_WAKEUP,
    FXT_KERNEL_NAME, /* of a thread, or that there is one */
    FXT_KERNEL_EXIT,
    FXT_KERNEL_CALL, /* a system call begins */
    FXT_KERNEL_RETURN,
    FXT_KERNEL_IRQ, /* a handler begins */
    FXT_KERNEL_IRQ_DONE,
    FXT_KERNEL_SOFTIRQ,
    FXT_KERNEL_SOFTIRQ_DONE,
    FXT_KERNEL_FREQUENCY,
    FXT_KERNEL_LOST,
    FXT_KERNEL_ARRIVAL, /* of a thread on a processor; for the source only */
};

/* What is collected while its category is on: bits. */
enum {
    FXT_KERNEL_SCHED = 1,
    FXT_KERNEL_SYSCALL = 2,
    FXT_KERNEL_INTERRUPT = 4,
    FXT_KERNEL_FREQ = 8,
    FXT_KERNEL_META = 16,
    FXT_KERNEL_GROUPS = 5,
};

#define FXT_KERNEL_COMM 16 /* bytes of a thread's name, the NUL among them */
#define FXT_KERNEL_NO_PRIO INT32_MIN

struct fxt_kernel_event {
    uint64_t ns; /* of the source's clock */
    uint32_t kind;
    uint32_t cpu;     /* wakeup: where it will run */
    uint32_t tid;     /* switch: the outgoing thread; else the one that this is about */
    uint32_t process; /* of tid */
    uint32_t other;   /* switch: the incoming thread; waking: who wakes, 0: nobody */
    int32_t prio;     /* as the scheduler numbers them, lower is sooner */
    int32_t other_prio;
    uint32_t state; /* switch: what became of the outgoing thread, a trace_thread_state_t */
    int64_t number; /* of the system call or interrupt; kHz; how many were lost, 0: some */
    int64_t result; /* of the system call */
    char name[32];  /* of tid, or of the interrupt's handler */
    char other_name[FXT_KERNEL_COMM];
};

/* Takes the events of a source, in the order of time. */
struct fxt_kernel_sink {
    void (*put)(void *data, const struct fxt_kernel_event *event, uint64_t ticks);
    void *data;
};

#endif
