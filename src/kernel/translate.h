/* Events of the kernel become records. */
#ifndef FXT_KERNEL_TRANSLATE_H
#define FXT_KERNEL_TRANSLATE_H

#include <lib/trace-engine/instrumentation.h>

#include "src/kernel/event.h"
#include "src/kernel/threads.h"

/* Interrupts of processors beyond are not recorded. */
#define FXT_KERNEL_CPUS 1024u

/* A handler that runs. */
struct fxt_kernel_handler {
    uint64_t start; /* ticks */
    int64_t number;
    bool running;
    bool cpu_named;
    char name[32];
};

/* Large: not for the stack. */
struct fxt_kernel_translation {
    uint32_t groups;                  /* what is recorded */
    uint64_t latest;                  /* ticks: no record is earlier */
    uint64_t lost;                    /* events, so far */
    uint64_t lost_at;                 /* ticks: when that was noticed last */
    uint64_t untold[FXT_KERNEL_CPUS]; /* of them, for whose record there was no room yet */
    struct fxt_kernel_threads threads;
    struct fxt_kernel_handler hard[FXT_KERNEL_CPUS];
    struct fxt_kernel_handler soft[FXT_KERNEL_CPUS];
};

/* "kernel:sched" and so on, by the number of the group's bit. */
const char *fxt_kernel_category(uint32_t number);

/* A new trace, of these groups. */
void fxt_kernel_translation_begin(struct fxt_kernel_translation *translation, uint32_t groups);

/* Writes the records of one event that happened at `ticks`; nothing unless tracing is started. */
void fxt_kernel_translate(struct fxt_kernel_translation *translation,
                          const struct fxt_kernel_event *event, uint64_t ticks);

/* Writes what could not be told before, once, if tracing is still started. What processors beyond the
   last have lost is told as lost on that. */
void fxt_kernel_translation_end(struct fxt_kernel_translation *translation);

/* "read" for 0, or NULL. */
const char *fxt_kernel_call_name(int64_t number);

#endif
