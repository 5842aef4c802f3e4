/* The state of a manager. Everything runs on one thread, that of the loop: the thread that calls
   trace_manager_run, and before and after it the thread that creates, connects and destroys the
   manager. Only trace_manager_quit may be called by any thread and by a signal handler. So
   nothing here is locked. The manager shares buffers with providers, which it reads word by word
   (copy.c), and sockets with all others. Invariants between the calls are asserted; data from a
   provider or a client is checked and refused.

   manager.c owns the sockets (listen.c) and everything else. A program that connects to the
   registry is a provider (provider.c). A client connects to the controller (client.c) and has at
   most one session, in which every provider is a tracee (tracee.c) with a buffer and a FIFO.
   Requests change the state of the session and set flags on the tracees (request.c, flush.c);
   step.c carries out what follows. The records of a tracee are copied out of its buffer once
   (copy.c), validated, and put into an archive (save.c, section.c). The archive is a queue of
   blocks in front of the client's output (archive.c). Packets to providers and clients are in
   send.c and answer.c.

   Nothing blocks, except outputs that are files. Whatever a provider or a client does harms only
   itself. */
#ifndef FXT_MANAGER_STATE_H
#define FXT_MANAGER_STATE_H

#include <trace-controller/controller.h>
#include <trace-manager/manager.h>

#include "src/protocol/controller.h"
#include "src/protocol/packet.h"
#include "src/manager/config.h"
#include "src/manager/copy.h"
#include "src/socket/socket.h"

#define FXT_I_CONNECTIONS_PER_PROCESS 8 /* of one process, at each of the two sockets */
#define FXT_I_ALERTS_MAX 16             /* queued for one tracee */
#define FXT_I_DEAD_MAX 100              /* dead tracees that keep their buffers */
#define FXT_I_DEAD_MANY 50              /* if there are more, they are written at once */
#define FXT_I_FIRST_PACKET_MS 5000      /* for the first packet of a connection */

struct fxt_i_provider {
    struct trace_manager *manager;
    struct fxt_i_provider *next;
    struct fxt_i_tracee *tracee; /* in the session, or NULL */
    struct fxt_i_watch *watch;
    struct fxt_i_watch *death;              /* of the process */
    struct fxt_i_timer *first_packet_timer; /* until it has registered */
    uint64_t process;
    int socket;
    int process_descriptor;
    uint32_t id;    /* 0: has not registered */
    uint32_t asked; /* the transaction of known categories, or 0 */
    char name[FXT_I_NAME_MAX + 1];
};

struct fxt_i_client_request {
    struct fxt_i_client *client; /* NULL: nobody waits */
    uint32_t transaction;
};

struct fxt_i_spec {
    char name[FXT_I_NAME_MAX + 1];
    uint32_t megabytes;
    struct fxt_i_names categories;
};

/* The queued alerts of one tracee. Each tracee has its own queue, so that a tracee that sends
   alerts all the time loses only its own. */
struct fxt_i_alerts {
    uint64_t numbers[FXT_I_ALERTS_MAX]; /* numbers in the order of arrival, across all tracees */
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
    struct fxt_i_provider *provider; /* NULL: it died or left the session */
    enum fxt_i_tracee_state state;
    uint64_t process;
    uint32_t id;
    char name[FXT_I_NAME_MAX + 1];
    uint8_t *buffer; /* read-only; NULL: released */
    uint64_t bytes;
    int fifo;
    struct fxt_i_watch *watch;
    uint16_t pending_disposition; /* the disposition of a start until *started* arrives, or 0 */
    uint64_t start_sent_ns;   /* when it was told to start for the first time: fxt_i_now_ns, or 0 */
    uint64_t disconnected_ns; /* when it closed its FIFO, or died; 0: it has not */
    bool started_once;
    bool declined;      /* it had left before it started, and stayed connected */
    bool drop_reported; /* the client knows that it has dropped records */
    bool died;
    bool misbehaved;
    bool timed_out;  /* did not stop in time; `misbehaved` is then set, too */
    bool ignored;    /* uses another version of the protocol: nothing is saved */
    bool to_save;    /* its records are to be saved */
    bool to_flush;   /* a flush waits for this tracee */
    bool flush_sent; /* has been asked to hand over its current half */
    bool saving;     /* has asked to save a half */
    bool written;    /* everything has been saved */
    uint32_t save_wrapped;
    uint64_t save_durable_end;
    uint32_t next_wrapped;        /* the wrapped count of the next half to save */
    uint32_t flush_wrapped;       /* of the half that it was asked to hand over */
    uint64_t last_durable_end;    /* of the last half that it handed over */
    struct fxt_i_section section; /* in the session's archive */
    struct fxt_i_save save;       /* into the session's archive */
    struct fxt_i_save snapshot;   /* into the archive of a flush, independently */
    uint64_t bytes_written;
    uint64_t records_refused;
    struct fxt_i_alerts alerts;
    struct fxt_buffer_header header; /* as last read */
};

/* The tracee will send nothing more. */
static inline bool fxt_i_tracee_is_dead(const struct fxt_i_tracee *tracee)
{
    return tracee->provider == NULL || tracee->fifo < 0;
}

/* Nobody writes to the buffer any more, or the manager does not wait for it. */
static inline bool fxt_i_tracee_is_quiescent(const struct fxt_i_tracee *tracee)
{
    return tracee->provider == NULL || tracee->fifo < 0 || tracee->state == FXT_I_TRACEE_READY ||
           tracee->state == FXT_I_TRACEE_STOPPED;
}

struct fxt_i_session {
    struct trace_manager *manager;
    struct fxt_i_client *owner; /* NULL: disconnected */
    enum trace_session_state state;
    enum trace_mode mode;
    uint32_t megabytes;
    uint32_t start_timeout_ms;
    uint32_t stop_timeout_ms;
    bool write_results;
    bool clear_next; /* everything is written: the next start clears the buffers */
    bool aborted;
    bool is_crowded; /* a provider has waited for a place */
    struct fxt_i_names categories;
    struct fxt_i_names additional;
    struct fxt_i_spec *specs;
    uint32_t spec_count;
    struct fxt_i_tracee *tracees; /* in the order of arrival */
    struct fxt_i_tracee **last;
    struct fxt_i_tracee *past; /* dead tracees whose records are all written */
    struct fxt_i_tracee **last_past;
    uint64_t past_dropped; /* records */
    uint64_t past_refused;
    struct fxt_i_archive *archive;
    struct fxt_i_archive *snapshot; /* the archive of a flush, or NULL */
    struct fxt_i_timer *timer;
    struct fxt_i_timer *flush_timer;
    struct fxt_i_timer *drop_timer; /* for dropped records, while recording is on */
    uint64_t started_ns;            /* fxt_i_now_ns, or 0 */
    struct fxt_i_client_request start;
    struct fxt_i_client_request stop;
    struct fxt_i_client_request terminate;
    struct fxt_i_client_request flush;
    bool flushing;
    uint32_t served;          /* id of the tracee whose records were saved last */
    uint64_t alert_count;     /* all alerts so far */
    struct fxt_i_timer *step; /* see fxt_i_session_schedule */
};

/* Something has changed. The loop takes the session's step in its next round, when the caller has
   returned, so that nothing is freed under a caller. */
static inline void fxt_i_session_schedule(struct fxt_i_session *session)
{
    fxt_i_immediate_begin(session->step);
}

/* The same, as the `changed` callback of an archive. */
static inline void fxt_i_session_archive_changed(void *session)
{
    fxt_i_session_schedule((struct fxt_i_session *)session);
}

struct fxt_i_answer {
    struct fxt_i_answer *next;
    uint64_t size;
    uint8_t bytes[];
};

struct fxt_i_client {
    struct trace_manager *manager;
    struct fxt_i_client *next;
    struct fxt_i_session *session; /* the session of this client, or NULL */
    int socket;
    uint64_t process;
    uint64_t last_received_ns; /* when its last packet arrived, or when it connected: ns */
    struct fxt_i_watch *watch;
    struct fxt_i_timer *first_packet_timer; /* runs until its first packet */
    struct fxt_i_answer *first;             /* queue of unsent answers */
    struct fxt_i_answer **last;
    uint64_t waiting;         /* bytes of unsent answers */
    bool gone;                /* nothing is sent any more */
    uint32_t watching_alert;  /* transaction, or 0 */
    struct fxt_i_spec *specs; /* specifications for the next initialize */
    uint32_t spec_count;
    /* Known categories. */
    uint32_t inquiry;         /* transaction, or 0 */
    uint32_t inquiry_pending; /* number of providers that have not answered ... */
    uint32_t inquiry_last;    /* ... questions up to this number */
    struct fxt_i_timer *inquiry_timer;
    struct fxt_i_category *found;
    size_t found_count;
};

struct trace_manager {
    async_loop_t *loop;
    int wake; /* an eventfd: trace_manager_quit was called */
    struct fxt_i_watch *wake_watch;
    bool quitting;
    struct fxt_i_timer *patience; /* of who quits, before a log line says what is waited for */
    char directory[FXT_I_DIRECTORY_MAX];
    int registry;
    int controller;
    bool sockets_are_ours;
    bool is_crowded; /* a provider waits for a place, until the registry is looked at again */
    int spare;       /* a spare descriptor, closed when there are no others */
    struct fxt_i_watch *registry_watch;
    struct fxt_i_watch *controller_watch;
    struct fxt_i_timer *pause; /* of both */
    struct fxt_i_config config;
    trace_manager_log_t *log; /* NULL: no log */
    void *log_data;
    trace_manager_fill_t *fill; /* NULL: nobody asks */
    void *fill_data;
    struct fxt_i_timer *log_second;
    uint32_t log_lines;
    uint64_t log_suppressed;
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
