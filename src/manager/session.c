/* A session: READY, INITIALIZED, STARTING, STARTED, STOPPING, STOPPED, TERMINATING. Requests change
   the state and set marks on the tracees; `step` looks at all marks, does what can be done by now,
   and answers who waits. It is called by the loop alone, so nothing goes away under anybody's
   feet. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/manager/manager.h"

static void step(void *self);

void fxt_i_session_soon(struct fxt_i_session *session)
{
    fxt_i_timer_begin(&session->soon, &session->manager->loop, 0, step, session);
}

static void archive_changed(void *self)
{
    fxt_i_session_soon(self);
}

static void set_state(struct fxt_i_session *session, enum trace_session_state state)
{
    session->state = state;
    if (session->owner != NULL)
        fxt_i_client_state(session->owner, 0);
}

/* Making one. */

static bool take_categories(const struct fxt_i_session *session, struct fxt_i_names *out,
                            const struct fxt_i_controller *packet)
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

static void free_session(struct fxt_i_session *session)
{
    while (session->tracees != NULL) {
        struct fxt_i_tracee *next = session->tracees->next;
        fxt_i_tracee_free(session->tracees);
        session->tracees = next;
    }
    fxt_i_names_free(&session->categories);
    fxt_i_names_free(&session->additional);
    fxt_i_specs_free(session->specs, session->spec_count);
    fxt_i_archive_free(session->archive);
    fxt_i_archive_free(session->snapshot);
    fxt_i_timer_end(&session->timer);
    fxt_i_timer_end(&session->flush_timer);
    fxt_i_timer_end(&session->soon);
    free(session);
}

void fxt_i_session_abandon(struct fxt_i_session *session)
{
    if (session->owner != NULL)
        session->owner->session = NULL;
    session->manager->session = NULL;
    free_session(session);
}

/* Closes the descriptor when it returns an error. */
static int fill(struct fxt_i_session *session, const struct fxt_i_controller *packet, int output)
{
    bool defer = packet->numbers[3] != 0;

    session->mode = (enum trace_mode)packet->numbers[0];
    session->megabytes = (uint32_t)packet->numbers[1];
    session->start_timeout_ms =
        packet->numbers[2] != 0 ? (uint32_t)packet->numbers[2] : FXT_I_START_MS;
    if (!take_categories(session, &session->categories, packet) ||
        (defer && session->mode != TRACE_MODE_STREAMING)) {
        close(output);
        return TRACE_ERROR_INVALID;
    }
    session->archive =
        fxt_i_archive_create(session->manager, output, defer, archive_changed, session);
    return session->archive != NULL ? TRACE_ERROR_NONE : TRACE_ERROR_NO_RESOURCES;
}

int fxt_i_session_create(struct fxt_i_client *client, const struct fxt_i_controller *packet,
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
    session->owner = client;
    session->state = TRACE_SESSION_READY;
    error = fill(session, packet, output);
    if (error != TRACE_ERROR_NONE) {
        free_session(session);
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
    set_state(session, TRACE_SESSION_INITIALIZED);
    return TRACE_ERROR_NONE;
}

static bool is_on(const struct fxt_i_session *session)
{
    return session->state == TRACE_SESSION_STARTING || session->state == TRACE_SESSION_STARTED;
}

void fxt_i_session_add_provider(struct fxt_i_session *session, struct fxt_i_provider *provider)
{
    struct fxt_i_tracee **last = &session->tracees;

    if (session->state == TRACE_SESSION_TERMINATING || session->aborted)
        return;
    provider->tracee = fxt_i_tracee_create(session, provider);
    if (provider->tracee == NULL)
        return;
    while (*last != NULL)
        last = &(*last)->next;
    *last = provider->tracee;
    if (is_on(session))
        fxt_i_tracee_start(provider->tracee, TRACE_DISPOSITION_CLEAR_ENTIRE);
    fxt_i_session_soon(session);
}

/* Requests. */

static void on_start_timeout(void *self)
{
    struct fxt_i_session *session = self;
    if (session->state == TRACE_SESSION_STARTING) { /* who is slow counts when it comes */
        fxt_i_log(session->manager, "not all providers have started in time");
        set_state(session, TRACE_SESSION_STARTED);
        fxt_i_client_done(&session->start, TRACE_ERROR_NONE, 0, 0);
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
                        const struct fxt_i_controller *packet)
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
    set_state(session, TRACE_SESSION_STARTING);
    for (struct fxt_i_tracee *it = session->tracees; it != NULL; it = it->next)
        fxt_i_tracee_start(it, session->disposition);
    fxt_i_timer_begin(&session->timer, &session->manager->loop, session->start_timeout_ms,
                      on_start_timeout, session);
    fxt_i_session_soon(session);
    return TRACE_ERROR_NONE;
}

static void give_up_waiting(struct fxt_i_session *session)
{
    for (struct fxt_i_tracee *it = session->tracees; it != NULL; it = it->next)
        if (!fxt_i_tracee_is_quiet(it))
            fxt_i_tracee_misbehaves(it, "does not stop in time");
}

static void on_stop_timeout(void *self)
{
    struct fxt_i_session *session = self;
    give_up_waiting(session);
    fxt_i_session_soon(session);
}

static void begin_stop(struct fxt_i_session *session, bool write_results)
{
    session->write_results = write_results;
    for (struct fxt_i_tracee *it = session->tracees; it != NULL; it = it->next) {
        fxt_i_tracee_stop(it);
        it->to_save = write_results;
        it->to_restart = false;
    }
    fxt_i_timer_begin(&session->timer, &session->manager->loop, session->manager->stop_timeout_ms,
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
    if (!is_on(session))
        return TRACE_ERROR_NOT_STARTED;
    session->stop = *request;
    fxt_i_client_done(&session->start, TRACE_ERROR_STOPPING, 0, 0);
    set_state(session, TRACE_SESSION_STOPPING);
    begin_stop(session, write_results);
    return TRACE_ERROR_NONE;
}

int fxt_i_session_terminate(struct fxt_i_session *session, const struct fxt_i_asked *request,
                            bool write_results)
{
    if (session->state == TRACE_SESSION_TERMINATING)
        return TRACE_ERROR_TERMINATING;
    session->terminate = *request;
    fxt_i_client_done(&session->start, TRACE_ERROR_TERMINATING, 0, 0);
    fxt_i_client_done(&session->stop, TRACE_ERROR_TERMINATING, 0, 0);
    bool written = session->clear_next; /* by the last stop */
    set_state(session, TRACE_SESSION_TERMINATING);
    begin_stop(session, write_results && !written);
    return TRACE_ERROR_NONE;
}

void fxt_i_session_forget_client(struct fxt_i_session *session, struct fxt_i_client *client)
{
    static const struct fxt_i_asked nobody;

    if (session->flush.client == client)
        session->flush = nobody;
    if (session->owner != client)
        return;
    session->owner = NULL;
    session->start = nobody;
    session->stop = nobody;
    session->terminate = nobody;
    if (session->state != TRACE_SESSION_TERMINATING)
        fxt_i_session_terminate(session, &nobody, true);
}

/* Flushing. */

static void on_flush_timeout(void *self)
{
    struct fxt_i_session *session = self;
    /* What is in the buffers of those that do not answer is found by its sizes. */
    for (struct fxt_i_tracee *it = session->tracees; it != NULL; it = it->next)
        if (it->to_flush && session->snapshot != NULL) {
            fxt_i_save_all(it, session->snapshot);
            it->to_flush = false;
        }
    fxt_i_session_soon(session);
}

int fxt_i_session_flush(struct fxt_i_session *session, const struct fxt_i_asked *request,
                        int output)
{
    int error = session->aborted                                      ? TRACE_ERROR_ABORTED
                : session->state != TRACE_SESSION_STARTED             ? TRACE_ERROR_NOT_STARTED
                : session->flushing                                   ? TRACE_ERROR_STOPPING
                : output < 0 && session->mode != TRACE_MODE_STREAMING ? TRACE_ERROR_INVALID
                                                                      : TRACE_ERROR_NONE;
    if (error != TRACE_ERROR_NONE) {
        if (output >= 0)
            close(output);
        return error;
    }
    if (output >= 0) {
        session->snapshot =
            fxt_i_archive_create(session->manager, output, false, archive_changed, session);
        if (session->snapshot == NULL)
            return TRACE_ERROR_NO_RESOURCES;
    }
    session->flush = *request;
    session->flushing = true;
    for (struct fxt_i_tracee *it = session->tracees; it != NULL; it = it->next) {
        it->to_flush = it->started_once && it->buffer != NULL;
        it->to_restart = it->to_flush && !fxt_i_tracee_is_quiet(it);
        fxt_i_tracee_stop(it);
    }
    fxt_i_timer_begin(&session->flush_timer, &session->manager->loop, session->start_timeout_ms,
                      on_flush_timeout, session);
    fxt_i_session_soon(session);
    return TRACE_ERROR_NONE;
}

static void flush_one(struct fxt_i_session *session, struct fxt_i_tracee *tracee)
{
    if (session->snapshot != NULL) {
        if (!fxt_i_archive_has_room(session->snapshot) && session->snapshot->error == 0)
            return;
        fxt_i_save_all(tracee, session->snapshot);
    } else {
        if (!fxt_i_archive_has_room(session->archive) && session->archive->error == 0)
            return;
        fxt_i_save_rest(tracee, session->archive);
        tracee->saved_durable_end = tracee->header.durable_data_end;
    }
    tracee->to_flush = false;
}

static void restart_one(struct fxt_i_session *session, struct fxt_i_tracee *tracee)
{
    tracee->to_restart = false;
    if (!is_on(session))
        return;
    fxt_i_tracee_start(tracee, session->snapshot != NULL ? TRACE_DISPOSITION_RETAIN
                                                         : TRACE_DISPOSITION_CLEAR_NONDURABLE);
}

static void step_flush(struct fxt_i_session *session)
{
    bool left = false;

    for (struct fxt_i_tracee *it = session->tracees; it != NULL; it = it->next) {
        if (it->to_flush && fxt_i_tracee_is_quiet(it) && !it->saving)
            flush_one(session, it);
        if (it->to_restart && !it->to_flush && it->state == FXT_I_TRACEE_STOPPED)
            restart_one(session, it);
        left = left || it->to_flush;
    }
    if (!session->flushing || left ||
        (session->snapshot != NULL && session->snapshot->error == 0 &&
         !fxt_i_archive_is_empty(session->snapshot)))
        return;
    int error = session->snapshot != NULL ? session->snapshot->error : session->archive->error;
    fxt_i_client_done(&session->flush, error != 0 ? TRACE_ERROR_ABORTED : TRACE_ERROR_NONE, 0,
                      error);
    fxt_i_archive_free(session->snapshot);
    session->snapshot = NULL;
    session->flushing = false;
    fxt_i_timer_end(&session->flush_timer);
}

/* What there is to do. */

static void step_abort(struct fxt_i_session *session)
{
    if (session->archive->error == 0 || session->aborted)
        return;
    session->aborted = true;
    fxt_i_log(session->manager, "the output takes no more: %s; the session is aborted",
              strerror(session->archive->error));
    for (struct fxt_i_tracee *it = session->tracees; it != NULL; it = it->next) {
        it->saving = false;
        it->to_save = false;
        fxt_i_tracee_stop(it);
    }
    if (session->owner != NULL)
        fxt_i_client_state(session->owner, 0);
}

static void step_saves(struct fxt_i_session *session)
{
    for (struct fxt_i_tracee *it = session->tracees; it != NULL; it = it->next) {
        if (!it->saving || !fxt_i_archive_has_room(session->archive))
            continue;
        if (fxt_i_save_half(it, session->archive))
            fxt_i_tracee_saved(it);
        else
            fxt_i_tracee_misbehaves(it, "asks for what cannot be saved");
    }
}

static bool is_dead(const struct fxt_i_tracee *tracee)
{
    return tracee->provider == NULL || tracee->fifo < 0;
}

/* Who is dead keeps its buffer until it is written; when that are too many, or the mode writes all
   along, it is written at once. */
static void step_dead(struct fxt_i_session *session)
{
    struct fxt_i_tracee **at = &session->tracees;
    uint32_t dead = 0;

    for (struct fxt_i_tracee *it = session->tracees; it != NULL; it = it->next)
        dead += is_dead(it) && it->buffer != NULL;
    while (*at != NULL) {
        struct fxt_i_tracee *it = *at;
        if (is_dead(it) && !it->started_once && !it->misbehaved) {
            *at = it->next;
            fxt_i_tracee_free(it);
            continue;
        }
        bool now = is_dead(it) && it->buffer != NULL && !it->saving && !it->to_flush &&
                   (dead > FXT_I_DEAD_MAX || session->mode == TRACE_MODE_STREAMING);
        if (now && (session->aborted || fxt_i_archive_has_room(session->archive))) {
            if (!session->aborted)
                fxt_i_save_rest(it, session->archive);
            fxt_i_tracee_release_buffer(it);
            it->to_save = false;
            dead--;
        }
        at = &it->next;
    }
}

static void step_start(struct fxt_i_session *session)
{
    if (session->state != TRACE_SESSION_STARTING)
        return;
    for (struct fxt_i_tracee *it = session->tracees; it != NULL; it = it->next)
        if (it->state == FXT_I_TRACEE_STARTING && !is_dead(it))
            return;
    fxt_i_timer_end(&session->timer);
    set_state(session, TRACE_SESSION_STARTED);
    fxt_i_client_done(&session->start, TRACE_ERROR_NONE, 0, 0);
}

/* Whether all have stopped and what they have is in the archive. */
static bool all_is_saved(struct fxt_i_session *session)
{
    for (struct fxt_i_tracee *it = session->tracees; it != NULL; it = it->next)
        if (!fxt_i_tracee_is_quiet(it) || it->saving || it->to_flush)
            return false;
    for (struct fxt_i_tracee *it = session->tracees; it != NULL; it = it->next) {
        if (!it->to_save)
            continue;
        if (!fxt_i_archive_has_room(session->archive) && session->archive->error == 0)
            return false;
        fxt_i_save_rest(it, session->archive);
        it->to_save = false;
        if (is_dead(it))
            fxt_i_tracee_release_buffer(it);
    }
    return true;
}

static void answer(struct fxt_i_session *session, struct fxt_i_asked *request)
{
    uint32_t count = 0;

    if (request->client == NULL)
        return;
    for (struct fxt_i_tracee *it = session->tracees; it != NULL; it = it->next) {
        fxt_i_save_look(it);
        fxt_i_client_statistics(request->client, request->transaction, it);
        count++;
    }
    fxt_i_client_done(request, session->aborted ? TRACE_ERROR_ABORTED : TRACE_ERROR_NONE, count,
                      session->archive->error);
}

static void step_stop(struct fxt_i_session *session)
{
    if (session->state != TRACE_SESSION_STOPPING || !all_is_saved(session) ||
        !fxt_i_archive_is_empty(session->archive))
        return;
    fxt_i_timer_end(&session->timer);
    session->clear_next = session->write_results;
    set_state(session, TRACE_SESSION_STOPPED);
    answer(session, &session->stop);
}

/* True when the session is over, and freed. */
static bool step_terminate(struct fxt_i_session *session)
{
    struct trace_manager *manager = session->manager;

    if (session->state != TRACE_SESSION_TERMINATING || !all_is_saved(session) || session->flushing)
        return false;
    fxt_i_timer_end(&session->timer);
    fxt_i_archive_finish(session->archive);
    if (!fxt_i_archive_is_empty(session->archive) || session->archive->writing)
        return false;
    step_abort(session);
    answer(session, &session->terminate);
    for (struct fxt_i_tracee *it = session->tracees; it != NULL; it = it->next)
        fxt_i_tracee_terminate(it);
    if (session->owner != NULL)
        session->owner->session = NULL;
    manager->session = NULL;
    free_session(session);
    fxt_i_session_is_over(manager);
    return true;
}

static void step(void *self)
{
    struct fxt_i_session *session = self;

    step_abort(session);
    step_saves(session);
    step_dead(session);
    step_flush(session);
    step_start(session);
    step_stop(session);
    step_terminate(session);
}

/* Alerts and questions. */

void fxt_i_session_alert(struct fxt_i_session *session, const struct fxt_i_fifo *packet)
{
    if (session->alert_count == FXT_I_ALERTS_MAX) {
        session->alert_count--;
        memmove(session->alerts[0], session->alerts[1],
                session->alert_count * sizeof session->alerts[0]);
    }
    char *name = session->alerts[session->alert_count++];
    memcpy(name, packet->alert, packet->alert_length);
    name[packet->alert_length] = '\0';
    if (session->owner != NULL)
        fxt_i_client_alert(session->owner);
}

void fxt_i_session_status(const struct fxt_i_session *session, struct trace_status *out)
{
    memset(out, 0, sizeof *out);
    if (session == NULL)
        return;
    out->state = session->state;
    out->mode = session->mode;
    out->bytes_written = session->archive->bytes_written;
    out->output_error = session->archive->error;
    out->started_ns = session->started_ns != 0 ? uv_hrtime() - session->started_ns : 0;
    for (struct fxt_i_tracee *it = session->tracees; it != NULL; it = it->next) {
        fxt_i_save_look(it);
        out->providers += !is_dead(it);
        out->records_dropped += it->header.records_dropped;
        out->records_refused += it->records_refused;
    }
}
