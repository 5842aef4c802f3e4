/* What a manager knows. All runs on one thread, that of the loop.

   manager.c owns the sockets (listen.c) and everything else. A program that connects to the registry
   is a provider (provider.c); a client connects to the controller (client.c) and has at most one
   session, in which every provider is a tracee (tracee.c) with a buffer and a FIFO. Requests change
   the state of the session and set marks on the tracees (request.c, flush.c); what they lead to is done
   in step.c. What a tracee has written is copied out of its buffer once (take.c), validated, and put
   into an archive (save.c, section.c); the archive is a queue of blocks in front of the client's output
   (archive.c). What goes out to providers and clients is in send.c and answer.c.

   Nothing blocks, but for outputs that are files. Whatever a provider or a client says or does harms
   that one only. */
#ifndef FXT_MANAGER_STATE_H
#define FXT_MANAGER_STATE_H

#include <trace-controller/controller.h>

#include "src/control/controller.h"
#include "src/control/packet.h"
#include "src/manager/config.h"
#include "src/manager/log.h"
#include "src/manager/take.h"
#include "src/socket/socket.h"

#define FXT_I_CONNECTIONS_PER_PROCESS 8 /* at each of the two sockets */
#define FXT_I_ALERTS_MAX 16             /* of one tracee */
#define FXT_I_DEAD_MAX 100              /* tracees that have died and keep their buffers */
#define FXT_I_SILENCE_MS 5000           /* until a connection has sent its first packet */

struct fxt_i_provider {
    struct trace_manager *manager;
    struct fxt_i_provider *next;
    struct fxt_i_tracee *tracee; /* in the session, or NULL */
    struct fxt_i_watch *watch;
    struct fxt_i_watch *death;   /* of the process */
    struct fxt_i_timer *silence; /* until it has registered */
    uint64_t process;
    int socket;
    int process_descriptor;
    uint32_t id;    /* 0: has not registered */
    uint32_t asked; /* the transaction of known categories, or 0 */
    char name[FXT_I_NAME_MAX + 1];
};

struct fxt_i_asked {
    struct fxt_i_client *client; /* NULL: nobody waits */
    uint32_t transaction;
};

struct fxt_i_spec {
    char name[FXT_I_NAME_MAX + 1];
    uint32_t megabytes;
    struct fxt_i_names categories;
};

/* The alerts of one tracee that wait for the client. Each tracee has its own queue, so that one that
   alerts all the time loses its own alerts only. */
struct fxt_i_alerts {
    uint64_t numbers[FXT_I_ALERTS_MAX]; /* in the order of arrival, all tracees counted together */
    char names[FXT_I_ALERTS_MAX][FXT_I_ALERT_MAX + 1];
    uint32_t count;
};

enum fxt_i_tracee_state {
    FXT_I_TRACEE_READY, /* has been given its buffer */
    FXT_I_TRACEE_STARTING,
    FXT_I_TRACEE_STARTED,
    FXT_I_TRACEE_STOPPING,
    FXT_I_TRACEE_STOPPED,
};

struct fxt_i_tracee {
    struct fxt_i_session *session;
    struct fxt_i_tracee *next;
    struct fxt_i_provider *provider; /* NULL: has died, or is out */
    enum fxt_i_tracee_state state;
    uint64_t process;
    uint32_t id;
    char name[FXT_I_NAME_MAX + 1];
    uint8_t *buffer; /* read-only; NULL: released */
    uint64_t bytes;
    int fifo;
    struct fxt_i_watch *watch;
    bool started_once;
    bool died;
    bool misbehaved;
    bool timed_out;  /* did not stop in time: it has misbehaved, too */
    bool ignored;    /* speaks another version: nothing is taken of it */
    bool to_save;    /* what it has is to go into the archive */
    bool to_flush;   /* a flush waits for it */
    bool flush_told; /* it has been asked to hand over its current half */
    bool saving;     /* has asked for a half to be saved */
    bool written;    /* all that it has */
    uint32_t save_wrapped;
    uint64_t save_durable_end;
    uint32_t next_wrapped;        /* the half that comes next */
    uint32_t flush_wrapped;       /* that it has been asked to hand over */
    uint64_t last_durable_end;    /* of the last half that it asked for */
    struct fxt_i_section section; /* in the session's archive */
    struct fxt_i_save save;       /* into that archive */
    struct fxt_i_save snapshot;   /* into that of a flush: neither waits for the other */
    uint64_t bytes_written;
    uint64_t records_refused;
    struct fxt_i_alerts alerts;
    struct fxt_buffer_header header; /* what was last read of it */
};

/* Nothing is to be expected of it any more. */
static inline bool fxt_i_tracee_is_dead(const struct fxt_i_tracee *tracee)
{
    return tracee->provider == NULL || tracee->fifo < 0;
}

/* Nobody writes to the buffer any more, or nobody is waited for. */
static inline bool fxt_i_tracee_is_quiet(const struct fxt_i_tracee *tracee)
{
    return tracee->provider == NULL || tracee->fifo < 0 || tracee->state == FXT_I_TRACEE_READY ||
           tracee->state == FXT_I_TRACEE_STOPPED;
}

struct fxt_i_session {
    struct trace_manager *manager;
    struct fxt_i_client *owner; /* NULL: has gone */
    enum trace_session_state state;
    enum trace_mode mode;
    uint32_t megabytes;
    uint32_t start_timeout_ms;
    uint32_t stop_timeout_ms;
    uint16_t disposition;
    bool write_results;
    bool clear_next; /* all has been written: the next start begins anew */
    bool aborted;
    struct fxt_i_names categories;
    struct fxt_i_names additional;
    struct fxt_i_spec *specs;
    uint32_t spec_count;
    struct fxt_i_tracee *tracees; /* the first that came first */
    struct fxt_i_tracee **last;
    struct fxt_i_tracee *past; /* are dead, and all they had is written */
    struct fxt_i_tracee **last_past;
    uint64_t past_dropped; /* records */
    uint64_t past_refused;
    struct fxt_i_archive *archive;
    struct fxt_i_archive *snapshot; /* of a flush, or NULL */
    struct fxt_i_timer *timer;
    struct fxt_i_timer *flush_timer;
    uint64_t started_ns; /* uv_hrtime, or 0 */
    struct fxt_i_asked start;
    struct fxt_i_asked stop;
    struct fxt_i_asked terminate;
    struct fxt_i_asked flush;
    bool flushing;
    uint64_t alert_count; /* of all that came */
    struct fxt_i_timer *soon;
    void (*step)(void *session); /* what it does when that is due */
};

struct fxt_i_answer {
    struct fxt_i_answer *next;
    uint64_t size;
    uint8_t bytes[];
};

struct fxt_i_client {
    struct trace_manager *manager;
    struct fxt_i_client *next;
    struct fxt_i_session *session; /* its own, or NULL */
    int socket;
    uint64_t process;
    uint64_t heard; /* when its last packet came, or it connected: uv_now */
    struct fxt_i_watch *watch;
    struct fxt_i_timer *silence; /* until its first packet */
    struct fxt_i_answer *first;  /* that found no room yet */
    struct fxt_i_answer **last;
    uint64_t waiting;         /* bytes of them */
    bool gone;                /* nothing is sent any more */
    uint32_t watching_alert;  /* transaction, or 0 */
    struct fxt_i_spec *specs; /* for the next initialize */
    uint32_t spec_count;
    /* Known categories. */
    uint32_t inquiry;       /* transaction, or 0 */
    uint32_t inquiry_waits; /* for so many providers ... */
    uint32_t inquiry_last;  /* ... which were asked by this number at the latest */
    struct fxt_i_timer *inquiry_timer;
    struct fxt_i_category *found;
    size_t found_count;
};

struct trace_manager {
    uv_loop_t loop;
    uv_async_t wake;
    bool loop_made;
    bool quitting;
    char directory[FXT_I_DIRECTORY_MAX];
    int registry;
    int controller;
    bool sockets_are_ours;
    int spare; /* a descriptor to be closed when there are none left */
    struct fxt_i_watch *registry_watch;
    struct fxt_i_watch *controller_watch;
    struct fxt_i_timer *pause; /* of both */
    struct fxt_i_config config;
    struct fxt_i_logger log;
    uint32_t stop_timeout_ms;
    uint32_t stall_timeout_ms;
    struct fxt_i_provider *providers;
    struct fxt_i_client *clients;
    struct fxt_i_session *session; /* or NULL */
    uint32_t connections;          /* of providers */
    uint32_t client_count;
    uint32_t last_id;
    uint32_t last_inquiry;
    uint8_t packet[FXT_I_PACKET_BYTES_MAX];      /* scratch, of providers */
    uint8_t request[FXT_I_CONTROLLER_BYTES_MAX]; /* scratch, of clients */
    uint8_t answer[FXT_I_CONTROLLER_BYTES_MAX];
};

#endif
