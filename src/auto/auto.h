/* What the files of libfxtref-auto share. */
#ifndef FXT_AUTO_AUTO_H
#define FXT_AUTO_AUTO_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <lib/trace-engine/types.h>

/* Written by the constructor before the program has threads. */
struct auto_config {
    bool functions; /* are recorded */
    bool locks;
    bool open;           /* begin and end events, instead of complete durations */
    const char *filter;  /* or NULL: all */
    trace_ticks_t least; /* shorter durations are left out */
};
extern struct auto_config fxt_auto;

/* Of all that threads share. It is held while a process forks, so that a child finds it free. */
extern pthread_mutex_t fxt_auto_lock;

/* Writes the durations of functions that this thread, which ends the process, has open. */
void fxt_auto_end(void);

/* filter.c: whether a name fits a list of patterns with * and ?, separated by commas. A pattern that
   begins with - excludes. The last one that fits decides. Without one, the name is recorded if the list
   begins with an exclusion. */
bool fxt_auto_fits(const char *filter, const char *name);

/* names.c: the name of a function, for as long as the process lives; NULL: no memory. Takes a lock. */
const char *fxt_auto_name(const void *function);

/* Zeroed memory that is never given back; NULL: none. */
void *fxt_auto_memory(size_t size);

/* lock.c: to be called once, before a thread waits. */
void fxt_auto_watch_locks(void);

#endif
