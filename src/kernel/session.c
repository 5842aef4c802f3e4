/* A session has a translation and, while it is on, a source: the kernel or a capture. Only the
   program's main thread calls this. */
#include "src/kernel/session.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lib/trace-engine/instrumentation.h>

#include "src/kernel/live.h"
#include "src/kernel/replay.h"
#include "src/kernel/translate.h"

struct fxt_kernel_session {
    const char *capture; /* NULL: live */
    struct fxt_kernel_live *live;
    struct fxt_kernel_replay *replay;
    bool on;
    struct fxt_kernel_pace pace; /* pace of the replay */
    struct fxt_kernel_sink sink;
    struct fxt_kernel_translation translation;
};

static void put(void *data, const struct fxt_kernel_event *event, uint64_t ticks)
{
    struct fxt_kernel_session *session = data;
    if (session->replay != NULL)
        fxt_kernel_pace_step(&session->pace);
    fxt_kernel_translate(&session->translation, event, ticks);
}

struct fxt_kernel_session *fxt_kernel_session_create(const char *capture)
{
    struct fxt_kernel_session *session = calloc(1, sizeof *session);
    if (session == NULL)
        return NULL;
    session->capture = capture;
    session->sink = (struct fxt_kernel_sink){put, session};
    return session;
}

void fxt_kernel_session_destroy(struct fxt_kernel_session *session)
{
    assert(!session->on);
    free(session);
}

bool fxt_kernel_session_is_on(const struct fxt_kernel_session *session)
{
    return session->on;
}

int fxt_kernel_session_descriptor(const struct fxt_kernel_session *session)
{
    if (session->live != NULL)
        return fxt_kernel_live_descriptor(session->live);
    return session->replay != NULL ? fxt_kernel_replay_descriptor(session->replay) : -1;
}

/* Begin. */

static uint32_t enabled_groups(void)
{
    uint32_t groups = 0;
    for (uint32_t i = 0; i < FXT_KERNEL_GROUPS; i++)
        if (trace_is_category_enabled(fxt_kernel_category(i)))
            groups |= UINT32_C(1) << i;
    return groups;
}

/* Lists the enabled categories that have no source. */
static void say_missing(char message[FXT_KERNEL_SESSION_MESSAGE], uint32_t missing)
{
    int at = 0;
    message[0] = '\0';
    for (uint32_t i = 0; i < FXT_KERNEL_GROUPS; i++)
        if ((missing >> i & 1) != 0)
            at += snprintf(message + at, (size_t)(FXT_KERNEL_SESSION_MESSAGE - at), "%s%s",
                           at > 0 ? ", " : "", fxt_kernel_category(i));
    if (at > 0)
        snprintf(message + at, (size_t)(FXT_KERNEL_SESSION_MESSAGE - at),
                 ": not without tracefs: mount -t tracefs nodev /sys/kernel/tracing would help");
}

static bool begin_live(struct fxt_kernel_session *session, uint32_t groups,
                       char message[FXT_KERNEL_SESSION_MESSAGE])
{
    session->live = fxt_kernel_live_open(groups, message);
    if (session->live == NULL)
        return false;
    say_missing(message, fxt_kernel_live_missing(session->live));
    if ((groups & FXT_KERNEL_META) != 0)
        fxt_kernel_names_scan(&session->sink);
    return true;
}

bool fxt_kernel_session_begin(struct fxt_kernel_session *session,
                              char message[FXT_KERNEL_SESSION_MESSAGE])
{
    uint32_t groups = enabled_groups();

    assert(!session->on && session->live == NULL && session->replay == NULL);
    message[0] = '\0';
    session->on = true;
    fxt_kernel_translation_begin(&session->translation, groups);
    if (session->capture == NULL)
        return groups == 0 || begin_live(session, groups, message);
    fxt_kernel_pace_begin(&session->pace);
    session->replay = fxt_kernel_replay_open(session->capture, message);
    return session->replay != NULL;
}

/* Work. */

static void close_replay(struct fxt_kernel_session *session)
{
    fxt_kernel_replay_close(session->replay);
    session->replay = NULL;
}

static enum fxt_kernel_session_state work_replay(struct fxt_kernel_session *session,
                                                 char message[FXT_KERNEL_SESSION_MESSAGE])
{
    char why[FXT_KERNEL_REPLAY_MESSAGE];
    enum fxt_kernel_progress progress =
        fxt_kernel_replay_take(session->replay, &session->sink, why);
    if (progress == FXT_KERNEL_MORE)
        return FXT_KERNEL_SESSION_GOES_ON;
    close_replay(session);
    if (progress == FXT_KERNEL_DONE)
        return FXT_KERNEL_SESSION_AT_END;
    snprintf(message, FXT_KERNEL_SESSION_MESSAGE, "%.150s: %.200s", session->capture, why);
    return FXT_KERNEL_SESSION_BROKEN;
}

enum fxt_kernel_session_state fxt_kernel_session_work(struct fxt_kernel_session *session,
                                                      char message[FXT_KERNEL_SESSION_MESSAGE])
{
    if (session->replay != NULL)
        return work_replay(session, message);
    if (session->live != NULL)
        fxt_kernel_live_drain(session->live, &session->sink);
    return FXT_KERNEL_SESSION_GOES_ON;
}

uint64_t fxt_kernel_session_end(struct fxt_kernel_session *session)
{
    assert(session->on);
    session->on = false;
    if (session->replay != NULL)
        close_replay(session);
    if (session->live != NULL)
        fxt_kernel_live_close(session->live, &session->sink);
    session->live = NULL;
    if (!fxt_kernel_translation_end(&session->translation) && fxt_kernel_pace_turn())
        fxt_kernel_translation_end(&session->translation);
    return session->translation.lost;
}
