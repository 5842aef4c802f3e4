/* Flushing: each provider is stopped, what it has is written, and it is started again. */
#include <unistd.h>

#include "src/manager/manager.h"

static void on_flush_timeout(void *self)
{
    struct fxt_i_session *session = self;
    /* What is in the buffers of those that do not answer is found by its sizes; the session's own
       archive gets it later. */
    for (struct fxt_i_tracee *it = session->tracees; it != NULL; it = it->next) {
        if (it->to_flush && session->snapshot != NULL)
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
                : output >= 0 && !fxt_i_archive_takes(output)         ? TRACE_ERROR_INVALID
                                                                      : TRACE_ERROR_NONE;
    if (error != TRACE_ERROR_NONE) {
        if (output >= 0)
            close(output);
        return error;
    }
    if (output >= 0) {
        session->snapshot = fxt_i_archive_create(session->manager, output, false,
                                                 fxt_i_session_archive_changed, session);
        if (session->snapshot == NULL)
            return TRACE_ERROR_NO_RESOURCES;
    }
    session->flush = *request;
    session->flushing = true;
    for (struct fxt_i_tracee *it = session->tracees; it != NULL; it = it->next) {
        it->to_flush = it->started_once && it->buffer != NULL;
        it->to_restart = it->to_flush && !fxt_i_tracee_is_quiet(it);
        it->restart_with = TRACE_DISPOSITION_RETAIN;
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
        tracee->restart_with = TRACE_DISPOSITION_CLEAR_NONDURABLE;
    }
    tracee->to_flush = false;
}

static void restart_one(struct fxt_i_session *session, struct fxt_i_tracee *tracee)
{
    tracee->to_restart = false;
    if (fxt_i_session_is_on(session))
        fxt_i_tracee_start(tracee, tracee->restart_with);
}

void fxt_i_session_step_flush(struct fxt_i_session *session)
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
