/* A thread that takes an archive from the manager to a sink. */
#ifndef FXT_TOOLS_TRACE_DRAIN_H
#define FXT_TOOLS_TRACE_DRAIN_H

#include <pthread.h>

#include "src/tools/trace/content.h"
#include "src/tools/trace/sink.h"

struct drain {
    struct sink *sink;       /* the thread's until drain_join */
    struct content *content; /* follows the archive, or NULL; the thread's, too */
    pthread_t thread;
    pthread_mutex_t lock;
    uint64_t taken; /* bytes of the archive; under the lock */
    int socket;     /* closed by drain_join */
    int ended[2];   /* a pipe: readable when the archive has ended, or the sink has failed */
};

/* *out is for the manager; the caller closes it. False after a message. */
bool drain_begin(struct drain *drain, struct sink *sink, struct content *content, int *out);

/* For poll. */
int drain_ended(const struct drain *drain);

/* Takes no more of it. */
void drain_stop(struct drain *drain);

/* How many bytes of the archive have come, for any thread. */
uint64_t drain_taken(struct drain *drain);

/* Waits until the archive has ended. */
void drain_join(struct drain *drain);

#endif
