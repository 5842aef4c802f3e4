/* The thread keeps what comes until the release, and then reads to the end of the archive. If the
   sink fails, it shuts the socket down at once, which tells the manager. At the end it closes its
   end of the second pair, which tells the other threads. */
#include "src/tools/trace/sink.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "src/cli/message.h"
#include "src/tools/trace/signals.h"

#define PIECE_BYTES ((size_t)256 << 10)

void drain_stop(struct drain *drain)
{
    shutdown(drain->socket, SHUT_RDWR);
}

uint64_t drain_taken(struct drain *drain)
{
    pthread_mutex_lock(&drain->lock);
    uint64_t taken = drain->taken;
    pthread_mutex_unlock(&drain->lock);
    return taken;
}

/* Reads a piece. 0: the archive has ended, or cannot be read. */
static size_t take(struct drain *drain, char *bytes)
{
    ssize_t got;
    do
        got = read(drain->socket, bytes, PIECE_BYTES);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        drain->error = errno;
    if (got <= 0)
        return 0;
    pthread_mutex_lock(&drain->lock);
    drain->taken += (uint64_t)got;
    pthread_mutex_unlock(&drain->lock);
    if (drain->content != NULL)
        content_take(drain->content, bytes, (size_t)got);
    if (drain->top != NULL)
        top_take(drain->top, bytes, (size_t)got);
    return (size_t)got;
}

static bool is_released(struct drain *drain)
{
    pthread_mutex_lock(&drain->lock);
    bool released = drain->released;
    pthread_mutex_unlock(&drain->lock);
    return released;
}

/* Waits for bytes of the archive, unless it has ended, and for the release. False: there will be no
   release, or it cannot be waited for. */
static bool await(struct drain *drain, struct pollfd places[2])
{
    int ready;
    do
        ready = poll(places, 2, -1);
    while (ready < 0 && errno == EINTR);
    if (ready < 0)
        drain->error = errno;
    return ready > 0 && (places[0].revents == 0 || is_released(drain));
}

/* Returns what has come until the release, with room for a piece. NULL: nothing is to be written. The
   manager must not wait meanwhile, for providers would then drop records: all is kept. */
static char *hold(struct drain *drain, size_t *size)
{
    struct pollfd places[] = {{.fd = drain->ends[1], .events = POLLIN},
                              {.fd = drain->socket, .events = POLLIN}};
    char *bytes = NULL;
    char *more;
    while ((more = realloc(bytes, *size + PIECE_BYTES)) != NULL) {
        bytes = more;
        if (!await(drain, places))
            break;
        if (places[0].revents != 0)
            return bytes;
        size_t got = take(drain, bytes + *size);
        *size += got;
        if (got == 0)
            places[1].fd = -1;
    }
    if (more == NULL)
        drain->sink->error = ENOMEM;
    free(bytes);
    return NULL;
}

/* An empty archive is not written: the manager had no session for it. */
static void copy(struct drain *drain)
{
    size_t size = 0;
    char *bytes = hold(drain, &size);
    if (bytes != NULL && (size > 0 || (size = take(drain, bytes)) > 0)) {
        while (sink_write(drain->sink, bytes, size) && (size = take(drain, bytes)) > 0)
            ;
        sink_finish(drain->sink);
    }
    free(bytes);
}

static void *run(void *data)
{
    struct drain *drain = data;
    copy(drain);
    drain_stop(drain);
    close(drain->ends[1]);
    return NULL;
}

static void close_pair(const int pair[2])
{
    close(pair[0]);
    close(pair[1]);
}

static int make(struct drain *drain, int pair[2])
{
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, drain->ends) != 0)
        return errno;
    int error = 0;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
        error = errno;
    } else {
        drain->socket = pair[0];
        error = signals_free_thread(&drain->thread, run, drain);
        if (error != 0)
            close_pair(pair);
    }
    if (error != 0)
        close_pair(drain->ends);
    return error;
}

bool drain_begin(struct drain *drain, struct sink *sink, struct content *content, struct top *top,
                 int *out)
{
    int pair[2];
    *drain = (struct drain){.sink = sink, .content = content, .top = top};
    pthread_mutex_init(&drain->lock, NULL);
    int error = make(drain, pair);
    if (error != 0) {
        message("cannot create a socket for the trace: %s", strerror(error));
        return false;
    }
    *out = pair[1];
    return true;
}

/* If it cannot wake the thread, drain_join does. */
void drain_release(struct drain *drain)
{
    pthread_mutex_lock(&drain->lock);
    drain->released = true;
    pthread_mutex_unlock(&drain->lock);
    shutdown(drain->ends[0], SHUT_WR);
}

int drain_ended(const struct drain *drain)
{
    return drain->ends[0];
}

bool drain_join(struct drain *drain)
{
    close(drain->ends[0]);
    pthread_join(drain->thread, NULL);
    close(drain->socket);
    if (drain->error != 0)
        message("cannot read the trace from the manager: %s", strerror(drain->error));
    return drain->error == 0;
}
