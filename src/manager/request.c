/* Requests: they change the state of the session and set flags on the tracees. step.c carries out
   what follows from them. */
#include "src/manager/manager.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/socket/socket.h"

#define START_MS 5000     /* for providers to start */
#define HURRY_STOP_MS 300 /* for providers to stop, if the client is in a hurry */

/* Creation. */

/* The client's error for an errno value of fxt_i_config_expand or fxt_i_tracee_categories. */
static int error_of_errno(int error)
{
    return error == 0        ? TRACE_ERROR_NONE
           : error == ENOMEM ? TRACE_ERROR_NO_RESOURCES
                             : TRACE_ERROR_INVALID;
}

static int take_categories(const struct fxt_i_session *session, struct fxt_i_names *out,
                           const struct fxt_i_controller_packet *packet)
{
    struct fxt_i_names expanded = {NULL, 0};
    int error = 0;

    for (uint32_t i = 0; i < packet->name_count && error == 0; i++) {
        struct fxt_bytes name = fxt_i_packet_name(packet->names, i);
        if (!fxt_i_names_add(out, (const char *)name.bytes, name.size))
            error = ENOMEM;
        else
            error = fxt_i_config_expand(&session->manager->config, &expanded,
                                        out->names[out->count - 1], NULL);
    }
    if (error == 0 && expanded.count > FXT_I_NAMES_MAX)
        error = EINVAL;
    fxt_i_names_free(&expanded);
    return error_of_errno(error);
}

/* Collects the categories of a provider of that name, and returns the errno value. */
static int check_provider(const struct fxt_i_session *session, const char *name)
{
    struct fxt_i_names names = {NULL, 0};
    int error = fxt_i_tracee_categories(session, name, &names);
    fxt_i_names_free(&names);
    return error;
}

/* Checks the providers that names of the form provider/category mention. */
static int check_named(const struct fxt_i_session *session, const struct fxt_i_names *names)
{
    char provider[FXT_I_NAME_MAX + 1];
    int error = 0;
    for (uint32_t i = 0; i < names->count && error == 0; i++) {
        size_t length = strcspn(names->names[i], "/");
        if (names->names[i][length] != '/')
            continue;
        fxt_i_copy_name(provider, (struct fxt_bytes){(const uint8_t *)names->names[i], length});
        error = check_provider(session, provider);
    }
    return error;
}

/* Refuses a session whose categories are invalid for a provider that the client or the configuration
   names. Otherwise that provider would be left out when it registers, during the session. */
static int check_providers(const struct fxt_i_session *session)
{
    const struct fxt_i_config *config = &session->manager->config;
    int error = check_named(session, &session->categories);
    for (uint32_t i = 0; i < session->spec_count && error == 0; i++)
        error = check_provider(session, session->specs[i].name);
    for (size_t i = 0; i < config->group_count && error == 0; i++)
        error = check_named(session, &config->groups[i].members);
    return error_of_errno(error);
}

/* Allocates now what must not fail later. */
static bool make_timers(struct fxt_i_session *session)
{
    async_loop_t *loop = session->manager->loop;
    return fxt_i_immediate_make(&session->step, loop, fxt_i_session_step, session) &&
           fxt_i_timer_make(&session->timer, loop) &&
           fxt_i_timer_make(&session->flush_timer, loop) &&
           fxt_i_timer_make(&session->drop_timer, loop);
}

/* Closes the descriptor if it returns an error. */
static int configure(struct fxt_i_session *session, const struct fxt_i_controller_packet *packet,
                     int output)
{
    bool defer = packet->numbers[3] != 0;

    session->mode = (enum trace_mode)packet->numbers[0];
    session->megabytes = (uint32_t)packet->numbers[1];
    session->start_timeout_ms = packet->numbers[2] != 0 ? (uint32_t)packet->numbers[2] : START_MS;
    session->stop_timeout_ms =
        packet->numbers[4] != 0 ? (uint32_t)packet->numbers[4] : session->manager->stop_timeout_ms;
    int error = make_timers(session) ? TRACE_ERROR_NONE : TRACE_ERROR_NO_RESOURCES;
    if (error == TRACE_ERROR_NONE && defer && session->mode != TRACE_MODE_STREAMING)
        error = TRACE_ERROR_INVALID;
    if (error == TRACE_ERROR_NONE)
        error = take_categories(session, &session->categories, packet);
    if (error == TRACE_ERROR_NONE)
        error = check_providers(session);
    if (error == TRACE_ERROR_NONE)
        error = fxt_i_archive_check_output(output);
    if (error != TRACE_ERROR_NONE) {
        fxt_i_socket_release(output);
        return error;
    }
    session->archive =
        fxt_i_archive_create(session->manager->loop, session->manager->stall_timeout_ms, output,
                             defer, fxt_i_session_archive_changed, session);
    if (session->archive != NULL)
        return TRACE_ERROR_NONE;
    fxt_i_log_always(session->manager, "no archive%s: %s", defer ? " in $TMPDIR, or /var/tmp" : "",
                     strerror(errno));
    return TRACE_ERROR_NO_RESOURCES;
}

int fxt_i_session_create(struct fxt_i_client *client, const struct fxt_i_controller_packet *packet,
                         int output)
{
    struct trace_manager *manager = client->manager;
    struct fxt_i_session *session = NULL;
    int error = TRACE_ERROR_ALREADY_INITIALIZED;

    if (manager->session == NULL) {
        session = calloc(1, sizeof *session);
        error = TRACE_ERROR_NO_RESOURCES;
    }
    if (session == NULL) {
        fxt_i_socket_release(output);
        return error;
    }
    session->manager = manager;
    session->is_crowded = manager->is_crowded;
    session->last = &session->tracees;
    session->last_past = &session->past;
    session->owner = client;
    session->state = TRACE_SESSION_READY;
    session->specs = client->specs;
    session->spec_count = client->spec_count;
    client->specs = NULL;
    client->spec_count = 0;
    error = configure(session, packet, output);
    if (error != TRACE_ERROR_NONE) {
        fxt_i_session_free(session);
        return error;
    }
    client->session = session;
    manager->session = session;
    for (struct fxt_i_provider *it = manager->providers; it != NULL; it = it->next)
        if (it->id != 0)
            fxt_i_session_add_provider(session, it);
    fxt_i_session_set_state(session, TRACE_SESSION_INITIALIZED);
    return TRACE_ERROR_NONE;
}

/* A slow output makes dead tracees, which keep their buffers, accumulate. */
static bool are_too_many_dead(const struct fxt_i_session *session)
{
    uint32_t dead = 0;
    for (const struct fxt_i_tracee *it = session->tracees; it != NULL; it = it->next)
        dead += fxt_i_tracee_is_dead(it) && it->buffer != NULL;
    return dead > FXT_I_DEAD_MAX;
}

void fxt_i_session_add_provider(struct fxt_i_session *session, struct fxt_i_provider *provider)
{
    if (session->state == TRACE_SESSION_TERMINATING || session->aborted)
        return;
    if (are_too_many_dead(session)) {
        fxt_i_log(session->manager, "%s (process %llu): left out: too many wait to be written",
                  provider->name, (unsigned long long)provider->process);
        return;
    }
    provider->tracee = fxt_i_tracee_create(session, provider);
    if (provider->tracee == NULL) /* fxt_i_tracee_create has logged why */
        return;
    *session->last = provider->tracee;
    session->last = &provider->tracee->next;
    if (fxt_i_session_is_on(session))
        fxt_i_tracee_start(provider->tracee, TRACE_DISPOSITION_CLEAR_ENTIRE);
    fxt_i_session_schedule(session);
}

/* Requests. */

static void on_start_timeout(void *self)
{
    struct fxt_i_session *session = self;
    if (session->state == TRACE_SESSION_STARTING) { /* a slow provider counts from its start on */
        fxt_i_log_always(session->manager, "not all providers have started in time");
        fxt_i_session_set_state(session, TRACE_SESSION_STARTED);
        fxt_i_session_answer_start(session);
    }
}

static int may_start(const struct fxt_i_session *session)
{
    switch (session->state) {
    case TRACE_SESSION_INITIALIZED:
    case TRACE_SESSION_STOPPED:
        return session->aborted ? TRACE_ERROR_ABORTED : TRACE_ERROR_NONE;
    case TRACE_SESSION_STARTING:
    case TRACE_SESSION_STARTED:
        return session->aborted ? TRACE_ERROR_ABORTED : TRACE_ERROR_ALREADY_STARTED;
    case TRACE_SESSION_STOPPING:
        return TRACE_ERROR_STOPPING;
    default:
        return TRACE_ERROR_TERMINATING;
    }
}

int fxt_i_session_start(struct fxt_i_session *session, const struct fxt_i_client_request *request,
                        const struct fxt_i_controller_packet *packet)
{
    int error = may_start(session);

    if (error != TRACE_ERROR_NONE)
        return error;
    fxt_i_names_free(&session->additional);
    error = take_categories(session, &session->additional, packet);
    if (error != TRACE_ERROR_NONE)
        return error;
    session->start = *request;
    uint16_t disposition = session->clear_next ? (uint16_t)TRACE_DISPOSITION_CLEAR_ENTIRE
                                               : (uint16_t)packet->numbers[0];
    session->clear_next = false;
    session->started_ns = fxt_i_now_ns();
    fxt_i_session_set_state(session, TRACE_SESSION_STARTING);
    for (struct fxt_i_tracee *it = session->tracees; it != NULL; it = it->next)
        fxt_i_tracee_start(it, disposition);
    fxt_i_timer_begin(&session->timer, session->manager->loop, session->start_timeout_ms,
                      on_start_timeout, session);
    fxt_i_session_schedule(session);
    return TRACE_ERROR_NONE;
}

static void give_up_waiting(struct fxt_i_session *session)
{
    for (struct fxt_i_tracee *it = session->tracees; it != NULL; it = it->next) {
        if (fxt_i_tracee_is_quiescent(it))
            continue;
        it->timed_out = true;
        fxt_i_tracee_expel(it, "does not stop in time");
    }
}

/* A client whose output for a flush stalls loses its snapshot; the session goes on. */
static void give_up_snapshot(struct fxt_i_session *session)
{
    if (session->snapshot != NULL)
        fxt_i_archive_fail(session->snapshot, ETIMEDOUT);
}

static void on_stop_timeout(void *self)
{
    struct fxt_i_session *session = self;
    give_up_waiting(session);
    give_up_snapshot(session);
    fxt_i_session_schedule(session);
}

static void begin_stop(struct fxt_i_session *session, bool write_results)
{
    if (session->snapshot != NULL) /* the end of the session waits for it */
        fxt_i_archive_hurry(session->snapshot);
    session->write_results = write_results;
    for (struct fxt_i_tracee *it = session->tracees; it != NULL; it = it->next) {
        fxt_i_tracee_stop(it);
        it->to_save = write_results;
    }
    fxt_i_timer_begin(&session->timer, session->manager->loop, session->stop_timeout_ms,
                      on_stop_timeout, session);
    fxt_i_session_schedule(session);
}

int fxt_i_session_stop(struct fxt_i_session *session, const struct fxt_i_client_request *request,
                       bool write_results)
{
    if (session->state == TRACE_SESSION_TERMINATING)
        return TRACE_ERROR_TERMINATING;
    if (session->state == TRACE_SESSION_STOPPING)
        return TRACE_ERROR_STOPPING;
    if (session->aborted)
        return TRACE_ERROR_ABORTED;
    if (!fxt_i_session_is_on(session))
        return TRACE_ERROR_NOT_STARTED;
    session->stop = *request;
    fxt_i_request_done(&session->start, TRACE_ERROR_STOPPING, 0, 0);
    fxt_i_session_set_state(session, TRACE_SESSION_STOPPING);
    begin_stop(session, write_results);
    return TRACE_ERROR_NONE;
}

/* A second terminate request means that the client does not want to wait. */
static void hurry(struct fxt_i_session *session)
{
    fxt_i_archive_hurry(session->archive);
    give_up_snapshot(session);
    if (fxt_i_timer_runs(session->timer) && session->stop_timeout_ms > HURRY_STOP_MS)
        fxt_i_timer_begin(&session->timer, session->manager->loop, HURRY_STOP_MS, on_stop_timeout,
                          session);
    session->stop_timeout_ms = HURRY_STOP_MS;
}

int fxt_i_session_terminate(struct fxt_i_session *session,
                            const struct fxt_i_client_request *request, bool write_results)
{
    if (session->state == TRACE_SESSION_TERMINATING) {
        hurry(session);
        return TRACE_ERROR_TERMINATING;
    }
    session->terminate = *request;
    fxt_i_request_done(&session->start, TRACE_ERROR_TERMINATING, 0, 0);
    fxt_i_request_done(&session->stop, TRACE_ERROR_TERMINATING, 0, 0);
    bool written = session->clear_next; /* the last stop has written them */
    fxt_i_session_set_state(session, TRACE_SESSION_TERMINATING);
    begin_stop(session, write_results && !written);
    return TRACE_ERROR_NONE;
}

void fxt_i_session_forget_client(struct fxt_i_session *session, struct fxt_i_client *client)
{
    static const struct fxt_i_client_request nobody;

    if (session->flush.client == client) {
        session->flush = nobody;
        if (session->snapshot != NULL)
            fxt_i_archive_hurry(session->snapshot);
    }
    if (session->owner != client)
        return;
    session->owner = NULL;
    fxt_i_archive_hurry(session->archive);
    session->start = nobody;
    session->stop = nobody;
    session->terminate = nobody;
    if (session->state != TRACE_SESSION_TERMINATING)
        fxt_i_session_terminate(session, &nobody, true);
}
