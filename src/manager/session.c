/* A session: READY, INITIALIZED, STARTING, STARTED, STOPPING, STOPPED, TERMINATING. */
#include "src/manager/manager.h"

#include <assert.h>
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/* Which state may follow on which. */
static bool may_follow(enum trace_session_state from, enum trace_session_state to)
{
    switch (to) {
    case TRACE_SESSION_INITIALIZED:
        return from == TRACE_SESSION_READY;
    case TRACE_SESSION_STARTING:
        return from == TRACE_SESSION_INITIALIZED || from == TRACE_SESSION_STOPPED;
    case TRACE_SESSION_STARTED:
        return from == TRACE_SESSION_STARTING;
    case TRACE_SESSION_STOPPING:
        return from == TRACE_SESSION_STARTING || from == TRACE_SESSION_STARTED;
    case TRACE_SESSION_STOPPED:
        return from == TRACE_SESSION_STOPPING;
    case TRACE_SESSION_TERMINATING:
        return from != TRACE_SESSION_READY && from != TRACE_SESSION_TERMINATING;
    default:
        return false;
    }
}

void fxt_i_session_set_state(struct fxt_i_session *session, enum trace_session_state state)
{
    assert(may_follow(session->state, state));
    assert(session->owner == NULL || session->owner->session == session);
    session->state = state;
    if (session->owner != NULL)
        fxt_i_client_state(session->owner, 0);
}

void fxt_i_session_answer_start(struct fxt_i_session *session)
{
    fxt_i_request_done(&session->start, session->aborted ? TRACE_ERROR_ABORTED : TRACE_ERROR_NONE,
                       0, session->archive->error);
}

bool fxt_i_session_is_on(const struct fxt_i_session *session)
{
    return session->state == TRACE_SESSION_STARTING || session->state == TRACE_SESSION_STARTED;
}

void fxt_i_specs_free(struct fxt_i_spec *specs, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        fxt_i_names_free(&specs[i].categories);
    free(specs);
}

static void free_all(struct fxt_i_tracee *tracee)
{
    while (tracee != NULL) {
        struct fxt_i_tracee *next = tracee->next;
        fxt_i_tracee_free(tracee);
        tracee = next;
    }
}

void fxt_i_session_free(struct fxt_i_session *session)
{
    free_all(session->tracees);
    free_all(session->past);
    fxt_i_names_free(&session->categories);
    fxt_i_names_free(&session->additional);
    fxt_i_specs_free(session->specs, session->spec_count);
    fxt_i_archive_free(session->archive);
    fxt_i_archive_free(session->snapshot);
    fxt_i_timer_end(&session->timer);
    fxt_i_timer_end(&session->flush_timer);
    fxt_i_timer_end(&session->drop_timer);
    fxt_i_timer_end(&session->step);
    free(session);
#ifdef __GLIBC__
    malloc_trim(0); /* a manager waits long for its next session */
#endif
}

void fxt_i_session_abandon(struct fxt_i_session *session)
{
    if (session->owner != NULL)
        session->owner->session = NULL;
    session->manager->session = NULL;
    fxt_i_session_free(session);
}
