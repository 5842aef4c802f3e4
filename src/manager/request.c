/* Requests: they change the state of the session and set flags on the tracees. step.c carries out
   what follows from them. */
#include "src/manager/request.h"

#include <stdlib.h>
#include <unistd.h>

#include "src/manager/log.h"
#include "src/manager/send.h"
#include "src/manager/session.h"
#include "src/manager/soon.h"
#include "src/manager/step.h"
#include "src/manager/tracee.h"

#define START_MS 5000     /* for providers to start */
#define HURRY_STOP_MS 300 /* for providers to stop, if the client is in a hurry */

/* Creation. */

static bool take_categories(const struct fxt_i_session *session, struct fxt_i_names *out,
                            const struct fxt_i_controller_packet *packet)
{
    struct fxt_i_names expanded = {NULL, 0};
    bool known = true;

    for (uint32_t i = 0; i < packet->name_count; i++) {
        struct fxt_bytes name = fxt_i_packet_name(packet->names, i);
        known = known && fxt_i_names_add(out, (const char *)name.bytes, name.size) &&
                fxt_i_config_expand(&session->manager->config, &expanded,
                                    out->names[out->count - 1], NULL);
    }
    known = known && expanded.count <= FXT_I_NAMES_MAX;
    fxt_i_names_free(&expanded);
    return known;
}

/* Closes the descriptor if it returns an error. */
static int fill(struct fxt_i_session *session, const struct fxt_i_controller_packet *packet,
                int output)
{
    bool defer = packet->numbers[3] != 0;

    session->mode = (enum trace_mode)packet->numbers[0];
    session->megabytes = (uint32_t)packet->numbers[1];
    session->start_timeout_ms = packet->numbers[2] != 0 ? (uint32_t)packet->numbers[2] : START_MS;
    session->stop_timeout_ms =
        packet->numbers[4] != 0 ? (uint32_t)packet->numbers[4] : session->manager->stop_timeout_ms;
    if (!take_categories(session, &session->categories, packet) ||
        (defer && session->mode != TRACE_MODE_STREAMING) || !fxt_i_archive_takes(output)) {
        close(output);
        return TRACE_ERROR_INVALID;
    }
    session->archive =
        fxt_i_archive_create(&session->manager->loop, session->manager->stall_timeout_ms, output,
                             defer, fxt_i_session_archive_changed, session);
    return session->archive != NULL ? TRACE_ERROR_NONE : TRACE_ERROR_NO_RESOURCES;
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
        close(output);
        return error;
    }
    session->manager = manager;
    session->last = &session->tracees;
    session->last_past = &session->past;
    session->owner = client;
    session->state = TRACE_SESSION_READY;
    session->step = fxt_i_session_step;
    error = fill(session, packet, output);
    if (error != TRACE_ERROR_NONE) {
        fxt_i_session_free(session);
        return error;
    }
    session->specs = client->specs;
    session->spec_count = client->spec_count;
    client->specs = NULL;
    client->spec_count = 0;
    client->session = session;
    manager->session = session;
    for (struct fxt_i_provider *it = manager->providers; it != NULL; it = it->next)
        if (it->id != 0)
            fxt_i_session_add_provider(session, it);
    fxt_i_session_set_state(session, TRACE_SESSION_INITIALIZED);
    return TRACE_ERROR_NONE;
}

/* Dead tracees keep their buffers while the output does not accept the contents. */
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
    if (provider->tracee == NULL)
        return;
    *session->last = provider->tracee;
    session->last = &provider->tracee->next;
    if (fxt_i_session_is_on(session))
        fxt_i_tracee_start(provider->tracee, TRACE_DISPOSITION_CLEAR_ENTIRE);
    fxt_i_session_soon(session);
}

/* Requests. */

static void on_start_timeout(void *self)
{
    struct fxt_i_session *session = self;
    if (session->state ==
        TRACE_SESSION_STARTING) { /* a slow provider counts as soon as it has started */
        fxt_i_log_always(session->manager, "not all providers have started in time");
        fxt_i_session_set_state(session, TRACE_SESSION_STARTED);
        fxt_i_asked_done(&session->start, TRACE_ERROR_NONE, 0, 0);
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
        return TRACE_ERROR_ALREADY_STARTED;
    case TRACE_SESSION_STOPPING:
        return TRACE_ERROR_STOPPING;
    default:
        return TRACE_ERROR_TERMINATING;
    }
}

int fxt_i_session_start(struct fxt_i_session *session, const struct fxt_i_asked *request,
                        const struct fxt_i_controller_packet *packet)
{
    int error = may_start(session);

    if (error != TRACE_ERROR_NONE)
        return error;
    fxt_i_names_free(&session->additional);
    if (!take_categories(session, &session->additional, packet))
        return TRACE_ERROR_INVALID;
    session->start = *request;
    session->disposition = session->clear_next ? (uint16_t)TRACE_DISPOSITION_CLEAR_ENTIRE
                                               : (uint16_t)packet->numbers[0];
    session->clear_next = false;
    session->started_ns = uv_hrtime();
    fxt_i_session_set_state(session, TRACE_SESSION_STARTING);
    for (struct fxt_i_tracee *it = session->tracees; it != NULL; it = it->next)
        fxt_i_tracee_start(it, session->disposition);
    fxt_i_timer_begin(&session->timer, &session->manager->loop, session->start_timeout_ms,
                      on_start_timeout, session);
    fxt_i_session_soon(session);
    return TRACE_ERROR_NONE;
}

static void give_up_waiting(struct fxt_i_session *session)
{
    for (struct fxt_i_tracee *it = session->tracees; it != NULL; it = it->next) {
        if (fxt_i_tracee_is_quiet(it))
            continue;
        it->timed_out = true;
        fxt_i_tracee_misbehaves(it, "does not stop in time");
    }
}

static void on_stop_timeout(void *self)
{
    struct fxt_i_session *session = self;
    give_up_waiting(session);
    fxt_i_session_soon(session);
}

static void begin_stop(struct fxt_i_session *session, bool write_results)
{
    if (session->snapshot != NULL) /* waited for by the end of the session */
        fxt_i_archive_hurry(session->snapshot);
    session->write_results = write_results;
    for (struct fxt_i_tracee *it = session->tracees; it != NULL; it = it->next) {
        fxt_i_tracee_stop(it);
        it->to_save = write_results;
    }
    fxt_i_timer_begin(&session->timer, &session->manager->loop, session->stop_timeout_ms,
                      on_stop_timeout, session);
    fxt_i_session_soon(session);
}

int fxt_i_session_stop(struct fxt_i_session *session, const struct fxt_i_asked *request,
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
    fxt_i_asked_done(&session->start, TRACE_ERROR_STOPPING, 0, 0);
    fxt_i_session_set_state(session, TRACE_SESSION_STOPPING);
    begin_stop(session, write_results);
    return TRACE_ERROR_NONE;
}

/* A second terminate request means that the client does not want to wait. */
static void hurry(struct fxt_i_session *session)
{
    fxt_i_archive_hurry(session->archive);
    if (session->timer != NULL && session->stop_timeout_ms > HURRY_STOP_MS)
        fxt_i_timer_begin(&session->timer, &session->manager->loop, HURRY_STOP_MS, on_stop_timeout,
                          session);
    session->stop_timeout_ms = HURRY_STOP_MS;
}

int fxt_i_session_terminate(struct fxt_i_session *session, const struct fxt_i_asked *request,
                            bool write_results)
{
    if (session->state == TRACE_SESSION_TERMINATING) {
        hurry(session);
        return TRACE_ERROR_TERMINATING;
    }
    session->terminate = *request;
    fxt_i_asked_done(&session->start, TRACE_ERROR_TERMINATING, 0, 0);
    fxt_i_asked_done(&session->stop, TRACE_ERROR_TERMINATING, 0, 0);
    bool written = session->clear_next; /* the last stop has written them */
    fxt_i_session_set_state(session, TRACE_SESSION_TERMINATING);
    begin_stop(session, write_results && !written);
    return TRACE_ERROR_NONE;
}

void fxt_i_session_forget_client(struct fxt_i_session *session, struct fxt_i_client *client)
{
    static const struct fxt_i_asked nobody;

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
