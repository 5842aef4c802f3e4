/* What the files of the manager call of each other, by file. state.h has the structs. */
#ifndef FXT_MANAGER_MANAGER_H
#define FXT_MANAGER_MANAGER_H

#include "src/manager/state.h"

/* The step of a session. */

/* Takes a struct fxt_i_session, and may free it. */
void fxt_i_session_step(void *session);

/* A session: its state, and its end. */

void fxt_i_session_set_state(struct fxt_i_session *session, enum trace_session_state state);
/* Answers the start request: all providers have started, or the timeout has expired. */
void fxt_i_session_answer_start(struct fxt_i_session *session);
void fxt_i_session_free(struct fxt_i_session *session);
/* Frees the session without writing anything more. */
void fxt_i_session_abandon(struct fxt_i_session *session);
bool fxt_i_session_is_on(const struct fxt_i_session *session); /* starting or started */
void fxt_i_specs_free(struct fxt_i_spec *specs, uint32_t count);

/* Requests of clients, and other outside events that change a session. */

/* Each returns an enum trace_controller_error if it fails at once. Otherwise the request is
   answered when it is done. fxt_i_session_create takes ownership of the descriptor. */
int fxt_i_session_create(struct fxt_i_client *client, const struct fxt_i_controller_packet *packet,
                         int output);
int fxt_i_session_start(struct fxt_i_session *session, const struct fxt_i_client_request *request,
                        const struct fxt_i_controller_packet *packet);
int fxt_i_session_stop(struct fxt_i_session *session, const struct fxt_i_client_request *request,
                       bool write_results);
int fxt_i_session_terminate(struct fxt_i_session *session,
                            const struct fxt_i_client_request *request, bool write_results);

/* Nothing more is sent to the client. */
void fxt_i_session_forget_client(struct fxt_i_session *session, struct fxt_i_client *client);
void fxt_i_session_add_provider(struct fxt_i_session *session, struct fxt_i_provider *provider);

/* Flushing: the current contents of the buffers go into an archive. */

/* Like the requests of request.h. Takes ownership of the descriptor, unless it is -1. */
int fxt_i_session_flush(struct fxt_i_session *session, const struct fxt_i_client_request *request,
                        int output);
void fxt_i_session_step_flush(struct fxt_i_session *session);
/* Whether a flush may read the tracee's buffer now. */
bool fxt_i_flush_may_read(const struct fxt_i_tracee *tracee);

/* The request for known categories. */

/* Answers with the categories of the configuration and of the providers, as soon as all providers
   have answered or the timeout has expired. */
void fxt_i_client_ask_categories(struct fxt_i_client *client, uint32_t transaction);
/* A provider has sent its categories, or disconnected (NULL). */
void fxt_i_clients_receive_categories(struct trace_manager *manager, uint32_t transaction,
                                      const struct fxt_i_packet *packet);
/* The client is being dropped: its inquiry gets no answer. */
void fxt_i_client_end_inquiry(struct fxt_i_client *client);

/* The queues of alerts that wait for the client. */

/* Queues the alert. If the tracee's queue is full, the alert replaces its oldest one. */
void fxt_i_alert_put(struct fxt_i_tracee *tracee, const struct fxt_i_fifo *packet);
/* Removes the oldest alert of all tracees. False if there is none. */
bool fxt_i_alert_take(struct fxt_i_session *session, char name[FXT_I_ALERT_MAX + 1]);

/* Packets that tell a client about its session. */

void fxt_i_client_statistics(struct fxt_i_client *client, uint32_t transaction,
                             const struct fxt_i_tracee *tracee);
/* transaction: 0 if the client has not asked. */
void fxt_i_client_state(struct fxt_i_client *client, uint32_t transaction);
/* Sends the oldest queued alert if the client watches for one. */
void fxt_i_client_alert(struct fxt_i_client *client);

/* Clients: the connections to the controller socket. */

void fxt_i_client_accept(struct trace_manager *manager, int socket);
/* Makes a place for one more client. If all are taken, drops the client that has been idle for the
   longest time; a client that has a session or waits for an answer is not idle. False if there is
   still no place. */
bool fxt_i_client_make_place(struct trace_manager *manager);
void fxt_i_client_drop(struct fxt_i_client *client, const char *why);

/* Providers: the connections to the registry. */

void fxt_i_provider_accept(struct trace_manager *manager, int socket);
/* Makes a place for one more provider. If all are taken, drops a connection that has not registered
   yet. False if there is still no place. */
bool fxt_i_provider_make_place(struct trace_manager *manager);
/* Frees the provider; its tracee counts as dead. */
void fxt_i_provider_drop(struct fxt_i_provider *provider, const char *why);

/* The two sockets at which the manager listens. */

/* A place is free: accepts waiting connections again. */
void fxt_i_manager_accept_again(struct trace_manager *manager);
/* No place is free and no client is idle: stops accepting clients for a while, because no event
   reports that a client has become idle. Without memory for the timer, until a client disconnects. */
void fxt_i_manager_await_idle_client(struct trace_manager *manager);
/* Accepts waiting connections and passes each to `accepted`. */
void fxt_i_manager_accept(struct trace_manager *manager, int listening,
                          void (*accepted)(struct trace_manager *manager, int socket));
/* Whether the connection has an unread packet, or its end. */
bool fxt_i_manager_is_readable(int socket);

/* The log of the manager: lines for the program that hosts it. Other programs can cause any number
   of them, so the log has a rate limit: FXT_I_LOG_LINES lines a second, and then one line that counts
   the suppressed lines. */

#define FXT_I_LOG_LINES 10 /* a second, and the one that counts */

/* Logs one line, or counts it. Quoted text is escaped. */
void fxt_i_log(struct trace_manager *manager, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Logs a line of the session itself, which no other program can repeat, without the rate limit. */
void fxt_i_log_always(struct trace_manager *manager, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Logs the count of suppressed lines. The last call. */
void fxt_i_log_end(struct trace_manager *manager);

/* Packets to providers and clients. Answers that a client does not read are queued here. */

/* False if the packet could not be sent. True if the provider has disconnected: its watch reports
   that. The descriptors stay the caller's. */
bool fxt_i_provider_send(struct fxt_i_provider *provider, const struct fxt_i_packet *packet,
                         const struct fxt_bytes *names, const int *descriptors, size_t count);

void fxt_i_client_send(struct fxt_i_client *client, struct fxt_i_controller_packet *packet,
                       const struct fxt_bytes *names);
/* Sends queued answers as far as there is room. */
void fxt_i_client_send_queued(struct fxt_i_client *client);
/* Whether too many answers are queued because the client does not read them. Until it does, the
   manager does not read its requests. */
bool fxt_i_client_is_backlogged(const struct fxt_i_client *client);
/* Sends the last packet of an answer, after `packets` others. */
void fxt_i_client_done(struct fxt_i_client *client, uint32_t transaction, int error,
                       uint32_t packets, int output_error);
/* Answers the request and clears it. */
void fxt_i_request_done(struct fxt_i_client_request *request, int error, uint32_t packets,
                        int output_error);

/* A provider in a session. */

/* Collects the categories of the session and of the specification of the provider of that name. An
   empty list means all categories. Returns an errno value: EINVAL if a group is unknown, E2BIG if
   there are too many, ENOMEM. */
int fxt_i_tracee_categories(const struct fxt_i_session *session, const char *name,
                            struct fxt_i_names *out);
/* NULL if the provider cannot take part. */
struct fxt_i_tracee *fxt_i_tracee_create(struct fxt_i_session *session,
                                         struct fxt_i_provider *provider);
void fxt_i_tracee_free(struct fxt_i_tracee *tracee);
void fxt_i_tracee_start(struct fxt_i_tracee *tracee, uint16_t disposition);
void fxt_i_tracee_stop(struct fxt_i_tracee *tracee);
/* Asks the provider to hand over its current half. */
void fxt_i_tracee_flush(struct fxt_i_tracee *tracee);
void fxt_i_tracee_terminate(struct fxt_i_tracee *tracee);
void fxt_i_tracee_died(struct fxt_i_tracee *tracee);
/* Removes the tracee from the session; its records are kept. */
void fxt_i_tracee_expel(struct fxt_i_tracee *tracee, const char *what);
void fxt_i_tracee_saved(struct fxt_i_tracee *tracee);
void fxt_i_tracee_release_buffer(struct fxt_i_tracee *tracee);

/* Saving: from a buffer into an archive. */

/* Returns the save of that kind. */
static inline struct fxt_i_save *fxt_i_save_of(struct fxt_i_tracee *tracee,
                                               enum fxt_i_save_kind kind)
{
    return kind == FXT_I_SAVE_ALL ? &tracee->snapshot : &tracee->save;
}

enum fxt_i_save_verdict {
    FXT_I_SAVE_BEGUN,
    FXT_I_SAVE_NONE,   /* nothing to save, or the tracee's request is impossible */
    FXT_I_SAVE_BROKEN, /* the buffer's header breaks the rules, and did not before */
};
/* Begins to save the half that the tracee has handed over, or everything that is not saved yet,
   or the whole buffer. No other save of this tracee may be writing to that archive. */
enum fxt_i_save_verdict fxt_i_save_begin(struct fxt_i_tracee *tracee, enum fxt_i_save_kind kind,
                                         struct fxt_i_archive *archive);
/* Goes on for a few milliseconds. True if the save is done or the archive has failed. */
bool fxt_i_save_some(struct fxt_i_save *save);
/* Ends the save where it is. */
void fxt_i_save_end(struct fxt_i_save *save);
/* Reads the header of the buffer again, for the statistics. */
void fxt_i_save_reread_header(struct fxt_i_tracee *tracee);

#endif
