/* The manager's parts, and what they share. All run on one thread, that of the loop.

   manager.c owns the sockets and everything else. A program that connects to the registry is a
   provider (provider.c); a client connects to the controller (client.c) and has at most one session
   (session.c, step.c, flush.c), in which every provider is a tracee (tracee.c) with a buffer and a FIFO. What a
   tracee has written is copied out of its buffer once, validated, and put into an archive (save.c);
   the archive is a queue of blocks in front of the client's output (archive.c).

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
#define FXT_I_ALERTS_MAX 16
#define FXT_I_DEAD_MAX 100                     /* tracees that have died and keep their buffers */
#define FXT_I_QUEUE_BYTES (UINT64_C(16) << 20) /* in front of an output before saves wait */
#define FXT_I_START_MS 5000
#define FXT_I_STOP_MS 60000
#define FXT_I_CATEGORIES_MS 1000
#define FXT_I_REGISTER_MS 5000
#define FXT_I_STALL_MS 60000 /* an output that takes nothing for so long is given up */

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
    uint64_t queued;           /* bytes */
    uint64_t bytes_written;    /* taken in, archive's head included */
    uint64_t ticks_per_second; /* that its providers agree on, or 0 */
    void *checker_memory;
    struct fxt_checker checker;
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

/* Providers. */

struct fxt_i_provider {
    struct trace_manager *manager;
    struct fxt_i_provider *next;
    struct fxt_i_tracee *tracee; /* in the session, or NULL */
    struct fxt_i_watch *watch;
    struct fxt_i_watch *death; /* of the process */
    struct fxt_i_timer *hurry; /* until it has registered */
    uint64_t process;
    int socket;
    int process_descriptor;
    uint32_t id;    /* 0: has not registered */
    uint32_t asked; /* the transaction of known categories, or 0 */
    char name[FXT_I_NAME_MAX + 1];
};
void fxt_i_provider_accept(struct trace_manager *manager, int socket);
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
    bool ignored;  /* speaks another version: nothing is taken of it */
    bool to_save;  /* what it has is to go into the archive */
    bool to_flush; /* what it has is wanted, and then it goes on */
    bool to_restart;
    uint16_t restart_with; /* disposition */
    bool saving;           /* has asked for a half to be saved */
    bool introduced;       /* in the archive */
    bool written;          /* all that it has */
    uint32_t save_wrapped;
    uint64_t save_durable_end;
    uint32_t next_wrapped; /* the half that comes next */
    uint64_t saved_durable_end;
    uint64_t bytes_written;
    uint64_t records_refused;
    struct fxt_buffer_header header; /* what was last read of it */
};

struct fxt_i_session {
    struct trace_manager *manager;
    struct fxt_i_client *owner; /* NULL: has gone */
    enum trace_session_state state;
    enum trace_mode mode;
    uint32_t megabytes;
    uint32_t start_timeout_ms;
    uint16_t disposition;
    bool write_results;
    bool clear_next; /* all has been written: the next start begins anew */
    bool aborted;
    struct fxt_i_names categories;
    struct fxt_i_names additional;
    struct fxt_i_spec *specs;
    uint32_t spec_count;
    struct fxt_i_tracee *tracees; /* the first that came first */
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
    char alerts[FXT_I_ALERTS_MAX][FXT_I_ALERT_MAX + 1];
    uint32_t alert_count;
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
void fxt_i_session_archive_changed(void *session);
void fxt_i_session_set_state(struct fxt_i_session *session, enum trace_session_state state);
bool fxt_i_session_is_on(const struct fxt_i_session *session); /* starting, or started */
void fxt_i_session_free(struct fxt_i_session *session);
void fxt_i_session_alert(struct fxt_i_session *session, const struct fxt_i_fifo *packet);
void fxt_i_session_status(const struct fxt_i_session *session, struct trace_status *out);

/* Tracees. */

/* NULL when the provider cannot take part. */
struct fxt_i_tracee *fxt_i_tracee_create(struct fxt_i_session *session,
                                         struct fxt_i_provider *provider);
void fxt_i_tracee_free(struct fxt_i_tracee *tracee);
void fxt_i_tracee_start(struct fxt_i_tracee *tracee, uint16_t disposition);
void fxt_i_tracee_stop(struct fxt_i_tracee *tracee);
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

/* The half that it has asked for. False when what it says cannot be. */
bool fxt_i_save_half(struct fxt_i_tracee *tracee, struct fxt_i_archive *archive);
/* What has not been saved yet; or all of it, into an archive that has nothing of it. */
void fxt_i_save_rest(struct fxt_i_tracee *tracee, struct fxt_i_archive *archive);
void fxt_i_save_all(struct fxt_i_tracee *tracee, struct fxt_i_archive *archive);
/* What its header says by now: for the statistics. */
void fxt_i_save_look(struct fxt_i_tracee *tracee);

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
    struct fxt_i_watch *watch;
    struct fxt_i_answer *first; /* that found no room yet */
    struct fxt_i_answer **last;
    uint64_t waiting;         /* bytes of them */
    bool gone;                /* nothing is sent any more */
    uint32_t watching_alert;  /* transaction, or 0 */
    struct fxt_i_spec *specs; /* for the next initialize */
    uint32_t spec_count;
    /* Known categories. */
    uint32_t inquiry;       /* transaction, or 0 */
    uint32_t inquiry_waits; /* for so many providers */
    struct fxt_i_timer *inquiry_timer;
    struct fxt_i_category *found;
    size_t found_count;
};
void fxt_i_client_accept(struct trace_manager *manager, int socket);
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
    uint8_t packet[FXT_I_PACKET_BYTES_MAX]; /* scratch */
};

void fxt_i_log(struct trace_manager *manager, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void fxt_i_copy_name(char out[FXT_I_NAME_MAX + 1], struct fxt_bytes name);
void fxt_i_session_is_over(struct trace_manager *manager);

#endif
