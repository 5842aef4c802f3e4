/* Translation of kernel events to records. */
#ifndef FXT_KERNEL_TRANSLATE_H
#define FXT_KERNEL_TRANSLATE_H

#include <lib/trace-engine/instrumentation.h>

#include "src/kernel/event.h"
#include "src/kernel/threads.h"

/* Interrupts of processors with higher numbers are not recorded. */
#define FXT_KERNEL_CPUS 1024u

/* A running interrupt handler. */
struct fxt_kernel_handler {
    uint64_t start; /* ticks */
    int64_t number;
    bool running;
    bool cpu_named;
    char name[32];
};

/* Large: do not put it on the stack. */
struct fxt_kernel_translation {
    uint32_t groups;  /* recorded groups */
    uint64_t latest;  /* ticks: no record is earlier */
    uint64_t lost;    /* lost events so far */
    uint64_t lost_at; /* ticks: when a loss was last noticed */
    uint64_t
        unreported[FXT_KERNEL_CPUS]; /* lost events that are not reported yet for lack of room */
    struct fxt_kernel_threads threads;
    struct fxt_kernel_handler hard[FXT_KERNEL_CPUS];
    struct fxt_kernel_handler soft[FXT_KERNEL_CPUS];
};

/* "kernel:sched" and so on, by the number of the group's bit. */
const char *fxt_kernel_category(uint32_t number);

/* Begins a new trace of these groups. */
void fxt_kernel_translation_begin(struct fxt_kernel_translation *translation, uint32_t groups);

/* Writes the records of one event at `ticks`; nothing unless tracing is started. */
void fxt_kernel_translate(struct fxt_kernel_translation *translation,
                          const struct fxt_kernel_event *event, uint64_t ticks);

/* Writes pending reports of lost events, once, if tracing is still started. Losses of processors
   beyond the last count as losses of the last. False if some found no room. */
bool fxt_kernel_translation_end(struct fxt_kernel_translation *translation);

/* The name of a system call, such as "read" for 0; or NULL. */
const char *fxt_kernel_call_name(int64_t number);

#endif
