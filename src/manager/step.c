/* What a session has to do: each step looks at all marks and states, does what can be done by now, and
   answers who waits for it. Called by the loop alone, so that nothing goes away under anybody's
   feet. */
#include <string.h>

#include "src/manager/manager.h"

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

/* Who is dead keeps its buffer until it is written; when that are too many, or the mode writes all
   along, it is written at once. */
static void step_dead(struct fxt_i_session *session)
{
    struct fxt_i_tracee **at = &session->tracees;
    uint32_t dead = 0;

    for (struct fxt_i_tracee *it = session->tracees; it != NULL; it = it->next)
        dead += fxt_i_tracee_is_dead(it) && it->buffer != NULL;
    while (*at != NULL) {
        struct fxt_i_tracee *it = *at;
        if (fxt_i_tracee_is_dead(it) && !it->started_once && !it->misbehaved) {
            *at = it->next;
            fxt_i_tracee_free(it);
            continue;
        }
        bool now = fxt_i_tracee_is_dead(it) && it->buffer != NULL && !it->saving && !it->to_flush &&
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
        if (it->state == FXT_I_TRACEE_STARTING && !fxt_i_tracee_is_dead(it))
            return;
    fxt_i_timer_end(&session->timer);
    fxt_i_session_set_state(session, TRACE_SESSION_STARTED);
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
        if (fxt_i_tracee_is_dead(it))
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
    step_abort(session); /* for the last that was written there may have been no room */
    session->clear_next = session->write_results;
    fxt_i_session_set_state(session, TRACE_SESSION_STOPPED);
    answer(session, &session->stop);
}

/* The session is freed when it is over. */
static void step_terminate(struct fxt_i_session *session)
{
    struct trace_manager *manager = session->manager;

    if (session->state != TRACE_SESSION_TERMINATING || !all_is_saved(session) || session->flushing)
        return;
    fxt_i_timer_end(&session->timer);
    fxt_i_archive_finish(session->archive);
    if (!fxt_i_archive_is_empty(session->archive) || session->archive->writing)
        return;
    step_abort(session);
    answer(session, &session->terminate);
    for (struct fxt_i_tracee *it = session->tracees; it != NULL; it = it->next)
        fxt_i_tracee_terminate(it);
    if (session->owner != NULL)
        session->owner->session = NULL;
    manager->session = NULL;
    fxt_i_session_free(session);
    fxt_i_session_is_over(manager);
}

void fxt_i_session_step(void *session)
{
    step_abort(session);
    step_saves(session);
    step_dead(session);
    fxt_i_session_step_flush(session);
    step_start(session);
    step_stop(session);
    step_terminate(session);
}
