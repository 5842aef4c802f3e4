/* A provider's parts, and what they share. The order of things: provider.c makes it and takes it
   apart; connection.c finds a manager and hears what it wants; tracing.c is a trace, from Initialize
   to Terminate, and the engine's handler; categories.c says what is traced.

   All runs on the dispatcher, but for what is said to be called by traced threads. Descriptors lie
   in slots of the provider and change under its lock, so that a forked child finds, and closes, just
   those that there are. No other lock is taken while it is held, but for that of the categories at a
   fork. */
#ifndef FXT_PROVIDER_PROVIDER_H
#define FXT_PROVIDER_PROVIDER_H

#include <pthread.h>
#include <sys/types.h>

#include <lib/async/dispatcher.h>
#include <lib/trace-engine/handler.h>
#include <trace-provider/provider.h>

#include "src/control/packet.h"

#define FXT_I_PENDING_MAX 8 /* packets that found no room in the FIFO */

struct fxt_i_categories {
    pthread_mutex_t lock; /* traced threads ask while more are added */
    char *names;          /* each ends in NUL */
    size_t count;
};

struct trace_provider {
    trace_handler_t handler; /* first: the engine's handler is its provider */
    async_dispatcher_t *dispatcher;
    pid_t owner; /* process that made it */
    pthread_mutex_t lock;
    bool destroying;
    bool dispatcher_gone;
    async_task_t begin_task;
    async_task_t destroy_task;

    /* The connection. */
    int connection; /* descriptors are -1 when there are none */
    int watch;      /* of the directory of the sockets */
    async_wait_t connection_wait;
    async_wait_t watch_wait;
    async_task_t retry_task;
    bool retrying;
    uint32_t refusals; /* connections that the manager closed, in a row */
    char name[FXT_I_NAME_MAX + 1];
    uint8_t packet[FXT_I_PACKET_BYTES_MAX];
    struct fxt_i_known *known; /* under the lock */
    uint16_t known_count;

    /* Tracing. */
    bool in_session;
    bool ending; /* the engine has been told to terminate */
    bool named;  /* the process, in the buffer */
    uint8_t *buffer;
    size_t buffer_bytes;
    int fifo;
    async_wait_t fifo_wait;
    bool saved_late; /* a half, when tracing had stopped */
    struct fxt_i_fifo saved;
    bool flush_wanted; /* the manager has asked for the current half, and does not have it yet */
    uint8_t pending[FXT_I_PENDING_MAX][FXT_I_FIFO_BYTES];
    uint32_t pending_count;
    struct fxt_i_categories categories;
};

struct fxt_i_known {
    char name[FXT_I_NAME_MAX + 1];
    char description[FXT_I_NAME_MAX + 1];
};

/* Puts a descriptor into a slot, and closes what was in it; -1 to close alone. */
void fxt_i_provider_set(trace_provider_t *provider, int *slot, int descriptor);
void fxt_i_provider_finish_destroying(trace_provider_t *provider);

/* Connection. */

/* Registers with a manager, now or when one appears. */
void fxt_i_connection_begin(trace_provider_t *provider);
/* Connects and registers on the calling thread, before the dispatcher knows of it. */
void fxt_i_connection_begin_now(trace_provider_t *provider, bool *started);
void fxt_i_connection_end(trace_provider_t *provider);
/* Hears the manager again, after a session has ended. */
void fxt_i_connection_resume(trace_provider_t *provider);

/* Tracing: each ignores what does not fit the state, as the protocol wants it. */

/* The descriptors are the session's then. */
void fxt_i_tracing_initialize(trace_provider_t *provider, const struct fxt_i_packet *packet,
                              int buffer, int fifo);
void fxt_i_tracing_start(trace_provider_t *provider, const struct fxt_i_packet *packet);
void fxt_i_tracing_stop(trace_provider_t *provider);
/* Over when the engine has given the buffer back. */
void fxt_i_tracing_terminate(trace_provider_t *provider);

/* Categories. No names: all categories. A name that ends in * stands for all that begin so. */
bool fxt_i_categories_add(struct fxt_i_categories *categories, const uint8_t *names,
                          uint32_t count);
void fxt_i_categories_clear(struct fxt_i_categories *categories);
/* By traced threads, too. */
bool fxt_i_categories_have(struct fxt_i_categories *categories, const char *category);

#endif
