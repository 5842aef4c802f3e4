/* The manager's parts, and what they share. All run on one thread, that of the loop.

   manager.c owns the sockets and everything else. A program that connects to the registry is a
   provider (provider.c); a client connects to the controller (client.c) and has at most one session
   (session.c, step.c, flush.c), in which every provider is a tracee (tracee.c) with a buffer and a
   FIFO. What a tracee has written is copied out of its buffer once (take.c), validated, and
   put into an archive (save.c, section.c); the archive is a queue of blocks in front of the client's
   output (archive.c).

   Nothing blocks, but for outputs that are files. Whatever a provider or a client says or does harms
   that one only. */
#ifndef FXT_MANAGER_MANAGER_H
#define FXT_MANAGER_MANAGER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <uv.h>

#include <fxt/buffer.h>
#include <fxt/check.h>
#include <trace-controller/controller.h>
#include <trace-manager/manager.h>

#include "src/control/controller.h"
#include "src/control/packet.h"
#include "src/socket/socket.h"

#define FXT_I_PROVIDERS_MAX 100
#define FXT_I_CLIENTS_MAX 32
#define FXT_I_CONNECTIONS_PER_PROCESS 8        /* at each of the two sockets */
#define FXT_I_ALERTS_MAX 16                    /* of one tracee */
#define FXT_I_DEAD_MAX 100                     /* tracees that have died and keep their buffers */
#define FXT_I_QUEUE_BYTES (UINT64_C(16) << 20) /* in front of an output before saves wait */
#define FXT_I_START_MS 5000
#define FXT_I_STOP_MS 5000
#define FXT_I_RATES 16
#define FXT_I_CATEGORIES_MS 1000
#define FXT_I_SILENCE_MS 5000   /* until a connection has sent its first packet */
#define FXT_I_STALL_MS 60000    /* an output that takes nothing for so long is given up */
#define FXT_I_HURRY_STOP_MS 300 /* for providers, when the client is in a hurry */
#define FXT_I_HURRY_MS 1000     /* the same, when nobody waits for it any more */

/* Watches and timers: of the loop, freed by it some time after they were ended. */

struct fxt_i_watch {
    uv_poll_t poll; /* first */
    void (*ready)(void *self, int events);
    void *self;
};
/* events: of uv_poll_event. NULL for a descriptor that cannot be waited for, or without memory. */
struct fxt_i_watch *fxt_i_watch_begin(uv_loop_t *loop, int descriptor, int events,
                                      void (*ready)(void *self, int events), void *self);
void fxt_i_watch_change(struct fxt_i_watch *watch, int events);
/* Sets it to NULL. The descriptor may be closed then. */
void fxt_i_watch_end(struct fxt_i_watch **watch);

struct fxt_i_timer {
    uv_timer_t timer; /* first */
    void (*due)(void *self);
    void *self;
};
/* Once, in so many milliseconds; begins anew when it runs already. False without memory. */
bool fxt_i_timer_begin(struct fxt_i_timer **timer, uv_loop_t *loop, uint64_t ms,
                       void (*due)(void *self), void *self);
void fxt_i_timer_end(struct fxt_i_timer **timer);

/* Names: a set of strings, each there once. */

struct fxt_i_names {
    char **names;
    uint32_t count;
};
bool fxt_i_names_add(struct fxt_i_names *names, const char *name, size_t length);
bool fxt_i_names_have(const struct fxt_i_names *names, const char *name);
void fxt_i_names_free(struct fxt_i_names *names);

/* The configuration. */

struct fxt_i_category {
    char *name;
    char *description;
};
struct fxt_i_group {
    char *name;
    struct fxt_i_names members;
};
struct fxt_i_config {
    struct fxt_i_category *categories;
    struct fxt_i_group *groups;
    size_t category_count;
    size_t group_count;
};
/* 0, or an errno value with a message. */
int fxt_i_config_read(struct fxt_i_config *config, const char *path, char message[200]);
void fxt_i_config_free(struct fxt_i_config *config);
/* Adds a category, or for #group its members; one that begins "name/" only for a provider of that
   name, NULL: none of them. False when a group is not known. */
bool fxt_i_config_expand(const struct fxt_i_config *config, struct fxt_i_names *out,
                         const char *category, const char *provider);

/* Archives. */

struct fxt_i_block {
    struct fxt_i_block *next;
    uint64_t size;
    uint64_t written;
    uint64_t room;
    uint8_t bytes[];
};

struct fxt_i_archive {
    struct trace_manager *manager;
    int output; /* -1: closed */
    bool is_socket;
    bool waits; /* for the output: it is no file */
    bool writing;
    bool half_closed; /* the output: its reader sends nothing more */
    int error;        /* errno of the first failure: nothing is taken in any more */
    int deferred;     /* a file that takes all until the end, or -1 */
    uint64_t deferred_at;
    uint64_t deferred_size; /* whole blocks */
    struct fxt_i_watch *watch;
    struct fxt_i_timer *stall;
    struct fxt_i_block *first;
    struct fxt_i_block **last;
    struct fxt_i_block *spare;
    uint64_t queued;             /* bytes */
    uint64_t stall_ms;           /* that the output may take nothing */
    uint64_t bytes_written;      /* taken in, archive's head included */
    uint64_t rates[FXT_I_RATES]; /* ticks per second of its providers, the last one first; or 0 */
    void (*changed)(void *self); /* has room, is empty, or has failed */
    void *self;
};
/* Whether an archive may be written to it: a socket, a pipe or a file. Other things that can be waited
   for, such as terminals, might take nothing for ever, and the manager with them. */
bool fxt_i_archive_takes(int output);
/* Takes the descriptor. NULL without memory: then it is closed. */
struct fxt_i_archive *fxt_i_archive_create(struct trace_manager *manager, int output, bool defer,
                                           void (*changed)(void *self), void *self);
void fxt_i_archive_free(struct fxt_i_archive *archive);
/* Nothing follows: a deferred archive begins to go to the output. */
void fxt_i_archive_finish(struct fxt_i_archive *archive);
bool fxt_i_archive_has_room(const struct fxt_i_archive *archive);
bool fxt_i_archive_is_empty(const struct fxt_i_archive *archive);
/* A block with room for as many bytes; NULL without memory, which ends the archive. */
struct fxt_i_block *fxt_i_archive_block(struct fxt_i_archive *archive, uint64_t room);
/* Takes the block, with size bytes in it. */
void fxt_i_archive_put(struct fxt_i_archive *archive, struct fxt_i_block *block);
/* Nobody waits for it any more: an output that takes nothing is given up soon. */
void fxt_i_archive_hurry(struct fxt_i_archive *archive);
/* Nothing more goes to the output. error: an errno value. */
void fxt_i_archive_fail(struct fxt_i_archive *archive, int error);

/* What an archive knows of one provider. */
struct fxt_i_section {
    bool introduced;            /* by a provider info record */
    uint64_t durable_end;       /* bytes of the durable part that are in the archive */
    struct fxt_checker checker; /* has seen every record of it, in their order */
    struct fxt_checker alone;   /* judges one record at a time and remembers none */
    void *memory;               /* of the checkers; NULL: none yet */
};
/* False without memory. */
bool fxt_i_section_begin(struct fxt_i_section *section);
/* As fxt_check_record; more than FXT_FINDINGS_MAX findings when the record cannot be judged. */
uint32_t fxt_i_section_check(struct fxt_i_section *section, const struct fxt_record *record);
/* As fxt_check_record of a checker that has seen nothing else; the findings are in `alone`. */
uint32_t fxt_i_section_check_alone(struct fxt_i_section *section, const struct fxt_record *record);
void fxt_i_section_end(struct fxt_i_section *section);

/* Providers. */

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
void fxt_i_provider_accept(struct trace_manager *manager, int socket);
/* True if one more fits. A connection that has not registered yet makes room when there is none. */
bool fxt_i_provider_has_place(struct trace_manager *manager);
/* Frees it; its tracee has died then. */
void fxt_i_provider_drop(struct fxt_i_provider *provider, const char *why);
/* False when it does not take the packet. Descriptors stay the caller's. */
bool fxt_i_provider_send(struct fxt_i_provider *provider, const struct fxt_i_packet *packet,
                         const struct fxt_bytes *names, const int *descriptors, size_t count);

/* Sessions. */

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

/* Saves: from a buffer into an archive, a bounded amount at a time. */

enum fxt_i_save_kind {
    FXT_I_SAVE_NOTHING,
    FXT_I_SAVE_HALF, /* that the tracee has handed over */
    FXT_I_SAVE_REST, /* what is not in the session's archive yet */
    FXT_I_SAVE_ALL,  /* what is in the buffer, into an archive of its own */
};

/* A rolling part, or what of it holds records. */
struct fxt_i_source {
    uint64_t offset; /* in the buffer */
    uint64_t size;
    uint64_t room; /* of the part */
    uint32_t chunk_bytes;
    uint32_t lap;  /* the wrapped count that its records were written at */
    bool is_older; /* the provider writes to the other half */
    bool is_live;  /* the provider may be writing to the buffer */
};

/* Whole leases, copied out of the buffer and not looked at yet. The copy lies in a block of the
   archive, behind room for what the manager writes in front of it. */
#define FXT_I_SAVE_HEAD (8 + 8 + 104)
struct fxt_i_piece {
    struct fxt_i_piece *next;
    struct fxt_i_block *block;
    uint64_t offset; /* in the buffer */
    uint64_t size;
    uint64_t copied;
    uint32_t chunk_bytes;
};
static inline uint8_t *fxt_i_piece_bytes(const struct fxt_i_piece *piece)
{
    return piece->block->bytes + FXT_I_SAVE_HEAD;
}

struct fxt_i_save {
    enum fxt_i_save_kind kind;
    struct fxt_i_tracee *tracee;
    struct fxt_buffer_header header; /* as it was when the save began */
    struct fxt_i_archive *archive;
    struct fxt_i_section *section; /* of the tracee in the archive */
    struct fxt_i_section own;      /* of FXT_I_SAVE_ALL */
    struct fxt_i_source sources[2];
    uint32_t source_count;
    uint32_t source;          /* that is copied now */
    uint64_t at;              /* bytes of it that have been copied */
    uint64_t definitions_end; /* bytes of the durable part, unless its header keeps count */
    struct fxt_i_piece *open; /* is being copied */
    struct fxt_i_piece *first;
    struct fxt_i_piece **last;
    uint64_t ahead; /* bytes of the pieces */
    bool overtaken; /* the ring overwrote something before it was copied */
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
};

/* What clients ask for: an enum trace_controller_error when it fails at once, else the request is
   answered when it is done. */
int fxt_i_session_create(struct fxt_i_client *client, const struct fxt_i_controller *packet,
                         int output);
int fxt_i_session_start(struct fxt_i_session *session, const struct fxt_i_asked *request,
                        const struct fxt_i_controller *packet);
int fxt_i_session_stop(struct fxt_i_session *session, const struct fxt_i_asked *request,
                       bool write_results);
int fxt_i_session_terminate(struct fxt_i_session *session, const struct fxt_i_asked *request,
                            bool write_results);
/* Takes the descriptor, unless it is -1. */
int fxt_i_session_flush(struct fxt_i_session *session, const struct fxt_i_asked *request,
                        int output);
/* Frees it as it is: nothing more is written. */
void fxt_i_session_abandon(struct fxt_i_session *session);
/* The client hears nothing any more. */
void fxt_i_session_forget_client(struct fxt_i_session *session, struct fxt_i_client *client);
void fxt_i_session_add_provider(struct fxt_i_session *session, struct fxt_i_provider *provider);
/* Something has happened: soon, when whoever calls is done, the session goes on with whatever there
   is to do. */
void fxt_i_session_soon(struct fxt_i_session *session);
void fxt_i_session_step(void *session);
void fxt_i_session_step_flush(struct fxt_i_session *session);
/* Whether a flush wants what is in the buffer now. */
bool fxt_i_flush_may_read(const struct fxt_i_tracee *tracee);
void fxt_i_session_archive_changed(void *session);
void fxt_i_session_set_state(struct fxt_i_session *session, enum trace_session_state state);
bool fxt_i_session_is_on(const struct fxt_i_session *session); /* starting, or started */
void fxt_i_session_free(struct fxt_i_session *session);
void fxt_i_session_status(const struct fxt_i_session *session, struct trace_status *out);

/* Tracees. */

/* NULL when the provider cannot take part. */
struct fxt_i_tracee *fxt_i_tracee_create(struct fxt_i_session *session,
                                         struct fxt_i_provider *provider);
void fxt_i_tracee_free(struct fxt_i_tracee *tracee);
void fxt_i_tracee_start(struct fxt_i_tracee *tracee, uint16_t disposition);
void fxt_i_tracee_stop(struct fxt_i_tracee *tracee);
/* Asks it to hand over its current half. */
void fxt_i_tracee_flush(struct fxt_i_tracee *tracee);
void fxt_i_tracee_terminate(struct fxt_i_tracee *tracee);
void fxt_i_tracee_died(struct fxt_i_tracee *tracee);
/* It is out of the session, and keeps what it has written. */
void fxt_i_tracee_misbehaves(struct fxt_i_tracee *tracee, const char *what);
void fxt_i_tracee_saved(struct fxt_i_tracee *tracee);
void fxt_i_tracee_release_buffer(struct fxt_i_tracee *tracee);
/* Nothing is to be expected of it any more. */
bool fxt_i_tracee_is_dead(const struct fxt_i_tracee *tracee);
/* Nobody writes to the buffer any more, or nobody is waited for. */
bool fxt_i_tracee_is_quiet(const struct fxt_i_tracee *tracee);

/* Saving. */

/* Where a save of that kind is done. */
static inline struct fxt_i_save *fxt_i_save_of(struct fxt_i_tracee *tracee,
                                               enum fxt_i_save_kind kind)
{
    return kind == FXT_I_SAVE_ALL ? &tracee->snapshot : &tracee->save;
}
/* The half that it has asked for: false when what it says cannot be. Or what is not saved yet, or
   all: false when there is nothing to take. No other save of it goes into that archive. */
bool fxt_i_save_begin(struct fxt_i_tracee *tracee, enum fxt_i_save_kind kind,
                      struct fxt_i_archive *archive);
/* Goes on, for a few milliseconds. True when it is done, or the archive has failed. */
bool fxt_i_save_some(struct fxt_i_save *save);
/* Ends it as it is. */
void fxt_i_save_end(struct fxt_i_save *save);
/* What its header says by now: for the statistics. */
void fxt_i_save_look(struct fxt_i_tracee *tracee);

/* A word of a buffer that may be written to. */
uint64_t fxt_i_shared_word(const uint8_t *at);
/* Copies a part of what is left into the open piece, or opens one. False when all is copied. */
bool fxt_i_take_some(struct fxt_i_save *save, const uint8_t *buffer);
/* Gives up what has been copied and is not in the archive. */
void fxt_i_take_none(struct fxt_i_save *save);

/* Alerts. */

/* Queues it, in place of the tracee's oldest one if it has as many as it may, and tells the client. */
void fxt_i_alert_put(struct fxt_i_tracee *tracee, const struct fxt_i_fifo *packet);
/* The oldest alert of all tracees. False if none waits. */
bool fxt_i_alert_take(struct fxt_i_session *session, char name[FXT_I_ALERT_MAX + 1]);

/* Clients. */

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
void fxt_i_client_accept(struct trace_manager *manager, int socket);
/* True if one more fits. When there is no room, the client that has been idle for the longest time
   is dropped; one that has a session or waits for an answer is not idle. */
bool fxt_i_client_has_place(struct trace_manager *manager);
void fxt_i_client_drop(struct fxt_i_client *client, const char *why);
void fxt_i_client_send(struct fxt_i_client *client, struct fxt_i_controller *packet,
                       const struct fxt_bytes *names);
/* Answers, and forgets, the request. */
void fxt_i_client_done(struct fxt_i_asked *request, int error, uint32_t packets, int output_error);
void fxt_i_client_statistics(struct fxt_i_client *client, uint32_t transaction,
                             const struct fxt_i_tracee *tracee);
void fxt_i_client_state(struct fxt_i_client *client, uint32_t transaction);
void fxt_i_client_alert(struct fxt_i_client *client);
/* A provider has said which categories it has; or has gone (NULL). */
void fxt_i_clients_hear_categories(struct trace_manager *manager, uint32_t transaction,
                                   const struct fxt_i_packet *packet);
void fxt_i_specs_free(struct fxt_i_spec *specs, uint32_t count);

/* The manager. */

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
    trace_manager_log_t *log;
    void *log_data;
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

void fxt_i_log(struct trace_manager *manager, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void fxt_i_copy_name(char out[FXT_I_NAME_MAX + 1], struct fxt_bytes name);
void fxt_i_session_is_over(struct trace_manager *manager);
/* A place is free: whoever waits at the socket is accepted. */
void fxt_i_manager_accept_again(struct trace_manager *manager);
/* Whether the connection has a packet, or its end, that has not been read yet. */
bool fxt_i_manager_has_more(int socket);

#endif
