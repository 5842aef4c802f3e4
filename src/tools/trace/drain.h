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
    int socket;     /* closed by drain_join */
    int ended[2];   /* a pipe: readable if the archive has ended or the sink has failed */
};

/* *out is the manager's end; the caller closes it. False after a message. */
bool drain_begin(struct drain *drain, struct sink *sink, struct content *content, int *out);

/* A descriptor for poll. */
int drain_ended(const struct drain *drain);

/* Stops reading the archive. */
void drain_stop(struct drain *drain);

/* The bytes of the archive so far. Any thread may call this. */
uint64_t drain_taken(struct drain *drain);

/* Waits until the archive has ended. */
void drain_join(struct drain *drain);

#endif
