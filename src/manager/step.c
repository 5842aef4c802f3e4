/* The step of a session: it looks at all flags and states, does what is possible now, and answers
   the requests that are done. Only the loop calls it, so that nothing is freed under a caller. */
#include "src/manager/manager.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#define SAVING_NS UINT64_C(5000000) /* in one step */
#define DROP_POLL_MS 250

static void step_abort(struct fxt_i_session *session)
{
    int error = session->archive->error;
    if (error == 0 || session->aborted)
        return;
    session->aborted = true;
    if (error != EPIPE) /* whoever closed it knows why, such as a full disk */
        fxt_i_log_always(session->manager,
                         "the output accepts no more data: %s; the session is aborted",
                         strerror(error));
    for (struct fxt_i_tracee *it = session->tracees; it != NULL; it = it->next) {
        fxt_i_save_end(&it->save);
        it->saving = false;
        it->to_save = false;
        fxt_i_tracee_stop(it);
    }
    if (session->owner != NULL)
        fxt_i_client_state(session->owner, 0);
}

/* The next save into the session's archive, if any. */
static enum fxt_i_save_kind wanted_of(const struct fxt_i_tracee *it)
{
    if (it->saving)
        return FXT_I_SAVE_HALF;
    return it->to_save && fxt_i_tracee_is_quiescent(it) ? FXT_I_SAVE_REST : FXT_I_SAVE_NOTHING;
}

static void refuse_half(struct fxt_i_tracee *it)
{
    it->saving = false;
    if (!it->misbehaved)
        fxt_i_tracee_expel(it, "asks for what cannot be saved");
}

/* The save is done, or could not begin. */
static void finish_save(struct fxt_i_tracee *it, enum fxt_i_save_kind kind, bool begun)
{
    if (kind == FXT_I_SAVE_ALL)
        it->to_flush = false;
    else if (kind == FXT_I_SAVE_REST)
        it->to_save = false;
    else if (!begun)
        refuse_half(it);
    else if (it->session->archive->error == 0) {
        it->next_wrapped++;
        fxt_i_tracee_saved(it);
    } else {
        it->saving = false;
    }
}

static bool begin_save(struct fxt_i_tracee *it, enum fxt_i_save_kind kind,
                       struct fxt_i_archive *archive)
{
    enum fxt_i_save_verdict verdict = fxt_i_save_begin(it, kind, archive);

    if (verdict == FXT_I_SAVE_BROKEN)
        fxt_i_tracee_expel(it, "the header of its buffer breaks the rules");
    return verdict == FXT_I_SAVE_BEGUN;
}

/* Saves a part of the tracee's records. True if it can be called again at once. */
static bool save_one(struct fxt_i_tracee *it, struct fxt_i_save *save, enum fxt_i_save_kind next,
                     struct fxt_i_archive *archive)
{
    enum fxt_i_save_kind kind = save->kind != FXT_I_SAVE_NOTHING ? save->kind : next;

    if (kind == FXT_I_SAVE_NOTHING || (!fxt_i_archive_has_room(archive) && archive->error == 0))
        return false;
    bool begun = save->kind != FXT_I_SAVE_NOTHING || begin_save(it, kind, archive);
    assert(!begun || (save->kind == kind && save->archive == archive));
    if (!begun || fxt_i_save_some(save))
        finish_save(it, kind, begun);
    return true;
}

static bool save_both(struct fxt_i_session *session, struct fxt_i_tracee *it)
{
    bool more = save_one(it, &it->save, wanted_of(it), session->archive);
    if (session->snapshot == NULL)
        return more;
    return save_one(it, &it->snapshot,
                    fxt_i_flush_may_read(it) ? FXT_I_SAVE_ALL : FXT_I_SAVE_NOTHING,
                    session->snapshot) ||
           more;
}

static struct fxt_i_tracee *next_of(const struct fxt_i_session *session,
                                    const struct fxt_i_tracee *it)
{
    return it != NULL && it->next != NULL ? it->next : session->tracees;
}

/* Saves for a few milliseconds, or while the archive has room. The loop then serves other events. The
   next step begins behind the tracee that was served last (round robin). */
static void step_saves(struct fxt_i_session *session)
{
    uint64_t end = fxt_i_now_ns() + SAVING_NS;
    struct fxt_i_tracee *at = NULL;
    uint32_t count = 0;

    for (struct fxt_i_tracee *it = session->tracees; it != NULL; it = it->next, count++)
        if (it->id == session->served)
            at = it;
    for (uint32_t idle = 0; idle < count;) { /* ends when none in a full round could be served */
        at = next_of(session, at);
        idle++;
        if (!save_both(session, at))
            continue;
        session->served = at->id;
        idle = 0;
        if (fxt_i_now_ns() >= end) {
            fxt_i_session_schedule(session);
            return;
        }
    }
}

/* Reports each provider that has dropped records to the client, once. A provider sends no packet when
   it drops records, so the headers of the buffers are polled. */
static void step_drops(struct fxt_i_session *session)
{
    if (!fxt_i_session_is_on(session))
        return;
    for (struct fxt_i_tracee *it = session->tracees; it != NULL; it = it->next) {
        if (it->drop_reported)
            continue;
        fxt_i_save_reread_header(it);
        it->drop_reported = it->header.records_dropped > 0;
        if (it->drop_reported && session->owner != NULL)
            fxt_i_client_statistics(session->owner, 0, it);
    }
    if (!fxt_i_timer_runs(session->drop_timer))
        fxt_i_timer_begin(&session->drop_timer, session->manager->loop, DROP_POLL_MS,
                          fxt_i_session_archive_changed, session);
}

static bool is_busy(const struct fxt_i_tracee *it)
{
    return it->saving || it->to_flush || it->to_save || it->save.kind != FXT_I_SAVE_NOTHING ||
           it->snapshot.kind != FXT_I_SAVE_NOTHING;
}

/* Keeps the tracee for the statistics only. */
static void retire(struct fxt_i_session *session, struct fxt_i_tracee *tracee)
{
    assert(fxt_i_tracee_is_dead(tracee) && !is_busy(tracee));
    assert(*session->last_past == NULL);
    fxt_i_save_reread_header(tracee);
    fxt_i_tracee_release_buffer(tracee);
    session->past_dropped += tracee->header.records_dropped;
    session->past_refused += tracee->records_refused;
    tracee->next = NULL;
    *session->last_past = tracee;
    session->last_past = &tracee->next;
}

/* A dead tracee keeps its buffer until its records are written. They are written at once in streaming
   mode, or if more than FXT_I_DEAD_MANY tracees are dead: at FXT_I_DEAD_MAX, the session refuses new
   providers. */
static void step_dead(struct fxt_i_session *session)
{
    struct fxt_i_tracee **at = &session->tracees;
    uint32_t dead = 0;

    for (struct fxt_i_tracee *it = session->tracees; it != NULL; it = it->next)
        dead += fxt_i_tracee_is_dead(it);
    bool at_once = dead > FXT_I_DEAD_MANY || session->mode == TRACE_MODE_STREAMING;
    while (*at != NULL) {
        struct fxt_i_tracee *it = *at;
        if (!fxt_i_tracee_is_dead(it) || is_busy(it)) {
            at = &it->next;
        } else if (!it->started_once && !it->misbehaved && it->start_sent_ns == 0) {
            *at = it->next;
            fxt_i_tracee_free(it);
        } else if (it->written || session->aborted || !it->started_once) {
            *at = it->next;
            retire(session, it);
        } else {
            it->to_save = at_once;
            if (at_once)
                fxt_i_session_schedule(session);
            at = &it->next;
        }
    }
    session->last = at;
    assert(*session->last == NULL);
}

static void step_start(struct fxt_i_session *session)
{
    if (session->state != TRACE_SESSION_STARTING)
        return;
    for (struct fxt_i_tracee *it = session->tracees; it != NULL; it = it->next)
        if (it->state == FXT_I_TRACEE_STARTING && !fxt_i_tracee_is_dead(it))
            return;
    fxt_i_timer_stop(session->timer);
    fxt_i_session_set_state(session, TRACE_SESSION_STARTED);
    fxt_i_session_answer_start(session);
}

/* Whether all tracees have stopped and their records are in the archive. */
static bool all_is_saved(struct fxt_i_session *session)
{
    for (struct fxt_i_tracee *it = session->tracees; it != NULL; it = it->next)
        if (!fxt_i_tracee_is_quiescent(it) || is_busy(it))
            return false;
    return true;
}

static void answer(struct fxt_i_session *session, struct fxt_i_client_request *request)
{
    uint32_t count = 0;

    if (request->client == NULL)
        return;
    for (struct fxt_i_tracee *it = session->past; it != NULL; it = it->next, count++)
        fxt_i_client_statistics(request->client, request->transaction, it);
    for (struct fxt_i_tracee *it = session->tracees; it != NULL; it = it->next, count++) {
        fxt_i_save_reread_header(it);
        fxt_i_client_statistics(request->client, request->transaction, it);
    }
    if (session->aborted)
        fxt_i_request_done(request, TRACE_ERROR_ABORTED, count, session->archive->error);
    else
        fxt_i_request_done(request, TRACE_ERROR_NONE, count, session->is_crowded ? EUSERS : 0);
}

static void step_stop(struct fxt_i_session *session)
{
    if (session->state != TRACE_SESSION_STOPPING || !all_is_saved(session) ||
        !fxt_i_archive_is_empty(session->archive))
        return;
    fxt_i_timer_stop(session->timer);
    step_abort(session); /* the last write may have found no room */
    session->clear_next = session->write_results;
    fxt_i_session_set_state(session, TRACE_SESSION_STOPPED);
    answer(session, &session->stop);
}

/* Frees the session if it has ended. */
static void step_terminate(struct fxt_i_session *session)
{
    struct trace_manager *manager = session->manager;

    if (session->state != TRACE_SESSION_TERMINATING || !all_is_saved(session) || session->flushing)
        return;
    fxt_i_timer_stop(session->timer);
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
    if (manager->quitting)
        async_loop_quit(manager->loop);
}

void fxt_i_session_step(void *session)
{
    assert(((struct fxt_i_session *)session)->manager->session == session);
    step_abort(session);
    step_saves(session);
    step_drops(session);
    step_dead(session);
    fxt_i_session_step_flush(session);
    step_start(session);
    step_stop(session);
    step_terminate(session);
}
