/* The parent's side of a replay. */
#include "src/kernel/replay.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "src/kernel/incoming.h"

#define SILENCE_S 30 /* a child that sends nothing for this long is stuck */

struct fxt_kernel_replay {
    pid_t child; /* 0: already waited for */
    int pipe;
    time_t last_received; /* when the child last sent something */
    struct fxt_kernel_incoming incoming;
};

static time_t now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

/* The child. */

static void be_child(int capture, int out)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    _exit(fxt_kernel_capture_send(capture, out));
}

static int start_child(struct fxt_kernel_replay *replay, int capture)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return errno;
    replay->child = fork();
    if (replay->child == 0)
        be_child(capture, ends[1]);
    int error = replay->child < 0 ? errno : 0;
    close(ends[1]);
    replay->pipe = ends[0];
    fcntl(replay->pipe, F_SETFL, O_NONBLOCK);
    if (error != 0)
        close(replay->pipe);
    return error;
}

struct fxt_kernel_replay *fxt_kernel_replay_open(const char *path,
                                                 char message[FXT_KERNEL_REPLAY_MESSAGE])
{
    struct fxt_kernel_replay *replay = calloc(1, sizeof *replay);
    int capture = open(path, O_RDONLY | O_CLOEXEC);
    int error = replay == NULL ? ENOMEM : capture < 0 ? errno : start_child(replay, capture);
    if (capture >= 0)
        close(capture);
    if (error != 0) {
        snprintf(message, FXT_KERNEL_REPLAY_MESSAGE, "%s: %s", path, strerror(error));
        free(replay);
        return NULL;
    }
    replay->last_received = now_s();
    return replay;
}

int fxt_kernel_replay_descriptor(const struct fxt_kernel_replay *replay)
{
    return replay->pipe;
}

void fxt_kernel_replay_close(struct fxt_kernel_replay *replay)
{
    if (replay->child > 0) {
        kill(replay->child, SIGKILL);
        waitpid(replay->child, NULL, 0);
    }
    close(replay->pipe);
    free(replay);
}

/* What it sends. */

static enum fxt_kernel_progress damaged(const struct fxt_kernel_replay *replay, const char *how,
                                        char message[FXT_KERNEL_REPLAY_MESSAGE])
{
    if (replay->incoming.count == 0)
        snprintf(message, FXT_KERNEL_REPLAY_MESSAGE, "%s", how);
    else
        snprintf(message, FXT_KERNEL_REPLAY_MESSAGE, "%s, after %llu events", how,
                 (unsigned long long)replay->incoming.count);
    return FXT_KERNEL_DAMAGED;
}

static enum fxt_kernel_progress judge(const struct fxt_kernel_replay *replay, int status,
                                      char message[FXT_KERNEL_REPLAY_MESSAGE])
{
    if (!WIFEXITED(status))
        return damaged(replay, "damaged: its reader crashed", message);
    if (WEXITSTATUS(status) == FXT_KERNEL_CAPTURE_TOO_MANY)
        return damaged(replay, "damaged: more events than can be in it", message);
    if (WEXITSTATUS(status) == FXT_KERNEL_CAPTURE_NONE)
        return damaged(replay, "no capture of trace-cmd, or damaged", message);
    if (WEXITSTATUS(status) != FXT_KERNEL_CAPTURE_WHOLE || replay->incoming.kept > 0)
        return damaged(replay, "damaged", message);
    return FXT_KERNEL_DONE;
}

static enum fxt_kernel_progress at_end(struct fxt_kernel_replay *replay,
                                       char message[FXT_KERNEL_REPLAY_MESSAGE])
{
    const struct timespec wait = {.tv_nsec = 10000000};
    int status = 0;
    pid_t ended = 0;
    for (int i = 0; i < 200 && (ended = waitpid(replay->child, &status, WNOHANG)) == 0; i++)
        nanosleep(&wait, NULL);
    if (ended != replay->child)
        return damaged(replay, "damaged: its reader is stuck", message);
    replay->child = 0;
    return judge(replay, status, message);
}

enum fxt_kernel_progress fxt_kernel_replay_take(struct fxt_kernel_replay *replay,
                                                const struct fxt_kernel_sink *sink,
                                                char message[FXT_KERNEL_REPLAY_MESSAGE])
{
    size_t size;
    void *room = fxt_kernel_incoming_room(&replay->incoming, &size);
    ssize_t got = read(replay->pipe, room, size);
    if (got == 0)
        return at_end(replay, message);
    if (got > 0) {
        replay->last_received = now_s();
        fxt_kernel_incoming_add(&replay->incoming, (size_t)got, sink);
    } else if (now_s() - replay->last_received > SILENCE_S) {
        return damaged(replay, "damaged: its reader is stuck", message);
    }
    return FXT_KERNEL_MORE;
}
