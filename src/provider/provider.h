/* The parts of a provider, and the state that they share. provider.c creates and destroys it.
   connection.c finds a manager and handles its packets. tracing.c is a trace, from Initialize to
   Terminate, and the engine's handler. categories.c holds the enabled categories.
   copies.c looks for other copies of the engine.

   Everything runs on the dispatcher, one thread, with these exceptions. A provider is created by
   a thread of the program, before the dispatcher knows of it. Any thread may set its known
   categories, under its lock. Any thread may destroy it: through a task, or at once if the
   dispatcher is gone. Traced threads ask the engine's handler for categories and send alerts. The
   fork handlers run on the forking thread.

   Descriptors are in slots of the provider and change under its lock, so that a forked child can
   find and close exactly the open ones. Only the dispatcher changes them, so it reads them
   without the lock. Locks are taken in this order: that of the one provider, the provider's, that
   of the categories. None is held while the engine or the dispatcher is called, except that of the one
   provider while a task is posted that begins its successor. Packets of the manager are checked;
   assertions are about the provider's own state. */
#ifndef FXT_PROVIDER_PROVIDER_H
#define FXT_PROVIDER_PROVIDER_H

#include <pthread.h>
#include <sys/types.h>

#include <lib/async/dispatcher.h>
#include <lib/trace-engine/handler.h>
#include <trace-provider/provider.h>

#include "src/protocol/packet.h"
#include "src/socket/socket.h"

#define FXT_I_PENDING_MAX 8 /* unsent packets for the FIFO */

struct fxt_i_categories {
    pthread_mutex_t lock; /* traced threads read while names change */
    char *names;          /* each terminated by NUL */
    size_t count;
    size_t of_session; /* how many of them last as long as the session */
};

struct trace_provider {
    trace_handler_t handler; /* first, so that the engine's handler pointer is a provider pointer */
    async_dispatcher_t *dispatcher;
    dev_t error_device; /* of standard error, when the program made the provider */
    ino_t error_inode;
    trace_provider_t *next; /* this and `destroyed` are protected by the lock of the one provider */
    bool destroyed;         /* trace_provider_destroy was called */
    pthread_mutex_t lock;
    bool destroying;
    bool dispatcher_gone;
    async_task_t begin_task;
    async_task_t destroy_task;

    /* The connection. */
    int connection; /* descriptors are -1 if closed */
    int watch;      /* inotify, of the directory of the sockets */
    struct fxt_i_identity connection_identity;
    struct fxt_i_identity watch_identity;
    async_wait_t connection_wait;
    async_wait_t watch_wait;
    async_task_t retry_task;
    bool retrying;
    async_task_t look_task; /* with a connection: whether the descriptors are still ours */
    bool looking;
    uint32_t refusals;         /* consecutive connections that the manager closed */
    uint32_t listener_retries; /* consecutive retries at a socket at which nobody listens */
    char name[FXT_I_NAME_MAX + 1];
    uint8_t packet[FXT_I_PACKET_BYTES_MAX];
    struct fxt_i_known *known; /* protected by `lock` */
    uint16_t known_count;

    /* Tracing. */
    bool in_session;
    bool ending;  /* the engine was asked to terminate */
    bool named;   /* the buffer has the name of the process */
    bool oneshot; /* no part of the buffer is durable */
    uint8_t *buffer;
    size_t buffer_bytes;
    int fifo;
    struct fxt_i_identity fifo_identity;
    async_wait_t fifo_wait;
    bool told_of_start; /* of this start */
    bool saved_late;    /* `saved` arrived while tracing was stopped */
    struct fxt_i_fifo saved;
    bool flush_wanted; /* a flush of the current half is pending */
    uint8_t pending[FXT_I_PENDING_MAX][FXT_I_FIFO_BYTES];
    uint32_t pending_count;
    struct fxt_i_categories categories;
};

struct fxt_i_known {
    char name[FXT_I_NAME_MAX + 1];
    char description[FXT_I_NAME_MAX + 1];
};

/* Stores a descriptor in a slot and closes the old one; -1 only closes. Takes the lock. */
void fxt_i_provider_set(trace_provider_t *provider, int *slot, int descriptor);
/* Whether the slot's descriptor is still the one that was stored. The program may have closed it, and
   opened another file in its place, which is not ours to use. */
bool fxt_i_provider_has(trace_provider_t *provider, const int *slot);
void fxt_i_provider_finish_destroying(trace_provider_t *provider);

/* Connection. */

/* Registers with a manager, now or when one appears. */
void fxt_i_connection_begin(trace_provider_t *provider);
/* Connects and registers on the calling thread, before the dispatcher runs the provider. */
void fxt_i_connection_begin_now(trace_provider_t *provider, bool *started);
void fxt_i_connection_end(trace_provider_t *provider);
/* Handles packets of the manager again, after a session has ended. */
void fxt_i_connection_resume(trace_provider_t *provider);

/* Tracing. As the protocol requires, each function ignores packets that do not fit the state. */

/* Takes ownership of the descriptors. */
void fxt_i_tracing_initialize(trace_provider_t *provider, const struct fxt_i_packet *packet,
                              int buffer, int fifo);
void fxt_i_tracing_start(trace_provider_t *provider, const struct fxt_i_packet *packet);
void fxt_i_tracing_stop(trace_provider_t *provider);
/* The session is over when the engine has given the buffer back. */
void fxt_i_tracing_terminate(trace_provider_t *provider);

/* Remembers what standard error is. */
void fxt_i_copies_begin(trace_provider_t *provider);
/* Says there, once, that another object of this process has a copy of the engine. */
void fxt_i_copies_tell(const trace_provider_t *provider);
/* Says there that the program has closed the provider's descriptors during a session. */
void fxt_i_closed_tell(const trace_provider_t *provider);

/* Categories. Any thread may call these functions; each takes the list's lock. An empty list
   enables all categories. A name that ends in * matches all categories with that prefix. */
bool fxt_i_categories_begin(struct fxt_i_categories *categories, const uint8_t *names,
                            uint32_t count);
/* Replaces the additional ones of the start before. Without memory, there are none. */
void fxt_i_categories_start(struct fxt_i_categories *categories, const uint8_t *names,
                            uint32_t count);
void fxt_i_categories_clear(struct fxt_i_categories *categories);
/* Traced threads call this, with the engine's lock of sites held, or inside. */
bool fxt_i_categories_have(struct fxt_i_categories *categories, const char *category);

#endif
