/* A thread that copies an archive from the manager to a sink. */
#ifndef FXT_TOOLS_TRACE_DRAIN_H
#define FXT_TOOLS_TRACE_DRAIN_H

#include <pthread.h>

#include "src/tools/trace/content.h"
#include "src/tools/trace/sink.h"

struct drain {
    struct sink *sink;       /* owned by the thread until drain_join */
    struct content *content; /* follows the archive, or NULL; owned by the thread, too */
    pthread_t thread;
    pthread_mutex_t lock;
    uint64_t taken; /* bytes of the archive; protected by the lock */
    bool released;  /* protected by the lock */
    int error;      /* errno of a failed read; owned by the thread, too */
    int socket;     /* closed by drain_join */
    int ends[2]; /* a pair: the end of [0] wakes the thread, which closes its own end [1] at last */
};

/* *out is the manager's end; the caller closes it. Nothing is written before drain_release. False
   after a message. */
bool drain_begin(struct drain *drain, struct sink *sink, struct content *content, int *out);

/* Begins to write to the sink. */
void drain_release(struct drain *drain);

/* A descriptor for poll: readable if the archive has ended or the sink has failed. */
int drain_ended(const struct drain *drain);

/* Stops reading the archive. */
void drain_stop(struct drain *drain);

/* The bytes of the archive so far. Any thread may call this. */
uint64_t drain_taken(struct drain *drain);

/* Waits until the archive has ended. Without drain_release, the sink stays untouched. False after a
   message if the archive could not be read to its end. */
bool drain_join(struct drain *drain);

#endif
