/* The thread reads to the end of the archive. If the sink fails, it shuts the socket down at
   once, which tells the manager. At the end it closes its end of the pipe, which tells the other
   threads. */
#include "src/tools/trace/drain.h"

#include <errno.h>
#include <fcntl.h>
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

static void count(struct drain *drain, size_t size)
{
    pthread_mutex_lock(&drain->lock);
    drain->taken += size;
    pthread_mutex_unlock(&drain->lock);
}

uint64_t drain_taken(struct drain *drain)
{
    pthread_mutex_lock(&drain->lock);
    uint64_t taken = drain->taken;
    pthread_mutex_unlock(&drain->lock);
    return taken;
}

static void take_all(struct drain *drain, char *bytes)
{
    ssize_t got;
    do {
        got = read(drain->socket, bytes, PIECE_BYTES);
        if (got > 0)
            count(drain, (size_t)got);
        if (got > 0 && drain->content != NULL)
            content_take(drain->content, bytes, (size_t)got);
        if (got > 0 && !sink_write(drain->sink, bytes, (size_t)got))
            return;
    } while (got > 0 || (got < 0 && errno == EINTR));
    sink_finish(drain->sink);
}

static void *run(void *data)
{
    struct drain *drain = data;
    char *bytes = malloc(PIECE_BYTES);
    if (bytes != NULL)
        take_all(drain, bytes);
    else
        drain->sink->error = ENOMEM;
    free(bytes);
    drain_stop(drain);
    close(drain->ended[1]);
    return NULL;
}

static int make(struct drain *drain, int pair[2])
{
    if (pipe2(drain->ended, O_CLOEXEC) != 0)
        return errno;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0) {
        drain->socket = pair[0];
        int error = signals_free_thread(&drain->thread, run, drain);
        if (error == 0)
            return 0;
        close(pair[0]);
        close(pair[1]);
        errno = error;
    }
    int error = errno;
    close(drain->ended[0]);
    close(drain->ended[1]);
    return error;
}

bool drain_begin(struct drain *drain, struct sink *sink, struct content *content, int *out)
{
    int pair[2];
    drain->sink = sink;
    drain->content = content;
    drain->taken = 0;
    pthread_mutex_init(&drain->lock, NULL);
    int error = make(drain, pair);
    if (error != 0) {
        message("cannot create a socket for the trace: %s", strerror(error));
        return false;
    }
    *out = pair[1];
    return true;
}

int drain_ended(const struct drain *drain)
{
    return drain->ended[0];
}

void drain_join(struct drain *drain)
{
    pthread_join(drain->thread, NULL);
    close(drain->socket);
    close(drain->ended[0]);
}
