/* Flushing: the current contents of the buffers go into an archive, and no provider stops.

   For an archive of its own, the manager reads the buffers as they are. For the session's
   archive, in streaming mode, it asks each provider to hand over its current half, which is then
   saved like any other half. */
#include "src/manager/manager.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "src/socket/socket.h"

/* The provider was told to start and clear its buffer, and has not done so yet. */
static bool is_being_cleared(const struct fxt_i_tracee *tracee)
{
    return tracee->state == FXT_I_TRACEE_STARTING && tracee->started_once &&
           tracee->pending_disposition != TRACE_DISPOSITION_RETAIN;
}

bool fxt_i_flush_may_read(const struct fxt_i_tracee *tracee)
{
    return tracee->to_flush && tracee->session->snapshot != NULL && !is_being_cleared(tracee);
}

/* Leaves the providers that have not answered out of the flush. Their records stay in their buffers,
   and go into the session's archive. */
static void on_flush_timeout(void *self)
{
    struct fxt_i_session *session = self;

    for (struct fxt_i_tracee *it = session->tracees; it != NULL; it = it->next) {
        if (!it->to_flush || fxt_i_flush_may_read(it))
            continue;
        fxt_i_log(session->manager, "%s (process %llu): left out of a flush: it does not answer",
                  it->name, (unsigned long long)it->process);
        it->to_flush = false;
    }
    fxt_i_session_schedule(session);
}

/* The client's error for a flush of an aborted session. */
static int error_of_state(const struct fxt_i_session *session)
{
    return session->state == TRACE_SESSION_STOPPING      ? TRACE_ERROR_STOPPING
           : session->state == TRACE_SESSION_TERMINATING ? TRACE_ERROR_TERMINATING
                                                         : TRACE_ERROR_ABORTED;
}

int fxt_i_session_flush(struct fxt_i_session *session, const struct fxt_i_client_request *request,
                        int output)
{
    int error = session->aborted                                      ? error_of_state(session)
                : session->state != TRACE_SESSION_STARTED             ? TRACE_ERROR_NOT_STARTED
                : session->flushing                                   ? TRACE_ERROR_STOPPING
                : output < 0 && session->mode != TRACE_MODE_STREAMING ? TRACE_ERROR_INVALID
                : output >= 0 ? fxt_i_archive_check_output(output)
                              : TRACE_ERROR_NONE;
    if (error != TRACE_ERROR_NONE) {
        if (output >= 0)
            fxt_i_socket_release(output);
        return error;
    }
    if (output >= 0) {
        session->snapshot =
            fxt_i_archive_create(session->manager->loop, session->manager->stall_timeout_ms, output,
                                 false, fxt_i_session_archive_changed, session);
        if (session->snapshot == NULL) {
            fxt_i_log_always(session->manager, "no snapshot: %s", strerror(errno));
            return TRACE_ERROR_NO_RESOURCES;
        }
    }
    session->flush = *request;
    session->flushing = true;
    for (struct fxt_i_tracee *it = session->tracees; it != NULL; it = it->next) {
        it->to_flush = it->buffer != NULL && it->state != FXT_I_TRACEE_READY && !it->ignored;
        it->flush_sent = false;
    }
    fxt_i_timer_begin(&session->flush_timer, session->manager->loop, session->start_timeout_ms,
                      on_flush_timeout, session);
    fxt_i_session_schedule(session);
    return TRACE_ERROR_NONE;
}

/* Flushes one tracee into the session's archive. A dead tracee needs no flush: step_dead writes its
   records. Schedules another step for the flags that it changes. */
static void flush_one(struct fxt_i_tracee *tracee)
{
    if (fxt_i_tracee_is_dead(tracee)) {
        tracee->to_flush = false;
        fxt_i_session_schedule(tracee->session);
    } else if (tracee->state == FXT_I_TRACEE_STOPPED) {
        tracee->to_flush = false;
        tracee->to_save = tracee->to_save || !tracee->written;
        fxt_i_session_schedule(tracee->session);
    } else if (!tracee->flush_sent && tracee->state == FXT_I_TRACEE_STARTED) {
        fxt_i_tracee_flush(tracee);
    } else if (tracee->flush_sent && tracee->next_wrapped > tracee->flush_wrapped) {
        tracee->to_flush = false;
    }
}

void fxt_i_session_step_flush(struct fxt_i_session *session)
{
    bool left = false;

    if (!session->flushing)
        return;
    for (struct fxt_i_tracee *it = session->tracees; it != NULL; it = it->next) {
        if (it->to_flush && session->snapshot == NULL)
            flush_one(it);
        left = left || it->to_flush || (session->snapshot == NULL && it->to_save);
    }
    if (left || (session->snapshot != NULL && session->snapshot->error == 0 &&
                 !fxt_i_archive_is_empty(session->snapshot)))
        return;
    int error = session->snapshot != NULL ? session->snapshot->error : session->archive->error;
    fxt_i_request_done(&session->flush, error != 0 ? TRACE_ERROR_ABORTED : TRACE_ERROR_NONE, 0,
                       error);
    fxt_i_archive_free(session->snapshot);
    session->snapshot = NULL;
    session->flushing = false;
    fxt_i_timer_stop(session->flush_timer);
}
