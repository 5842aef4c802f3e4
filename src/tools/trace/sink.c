/* The destination of a trace. A struct sink owns its descriptors and its encoder. After the first
   error, everything is dropped. The code that waits for the end of writing reports the error,
   since a separate thread does most of the writing. A file with contents is replaced by a whole one
   or stays: the sink holds its lock, and writes another file beside it. */
#include "src/tools/trace/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <zstd.h>

#include "src/cli/message.h"

/* A file that others remove, or write, is opened again: a process that was killed ends a moment
   later. */
#define OPENS_MAX 10
#define MOMENT_NS 20000000
#define DELIVERY_MS 10
#define PARTIAL_MAX 99 /* files of recordings that did not become whole */

static bool is_connection(const struct sink *sink)
{
    return sink->path == NULL && strncmp(sink->name, "tcp:", 4) == 0;
}

static bool is_unnamed(const struct sink *sink)
{
    return sink->path == sink->own && !sink->created;
}

bool sink_has_contents(const struct sink *sink)
{
    return sink->old >= 0;
}

const char *sink_shown(const struct sink *sink)
{
    return sink->path == NULL || is_unnamed(sink) ? sink->name : sink->path;
}

/* Files accept everything at once, or fail. */
static bool may_block(const struct sink *sink)
{
    return sink->path == NULL;
}

/* Whether something can be written now. If time is short, waits only briefly. */
static bool await_room(struct sink *sink)
{
    while (sink->error == 0) {
        struct pollfd places[] = {{.fd = sink->fd, .events = POLLOUT},
                                  {.fd = sink->hurries ? -1 : sink->hurry, .events = POLLIN}};
        int ready = poll(places, 2, sink->hurries ? SINK_PATIENCE_MS : -1);
        if (places[0].revents != 0 && ready > 0)
            return true;
        if (ready == 0)
            sink->error = ETIMEDOUT;
        else if (ready > 0)
            sink->hurries = true;
        else if (errno != EINTR)
            sink->error = errno;
    }
    return false;
}

/* A pipe with room accepts PIPE_BUF bytes without blocking. A socket is told not to block. */
static ssize_t write_some(const struct sink *sink, const char *bytes, size_t size)
{
    if (!may_block(sink))
        return write(sink->fd, bytes, size);
    ssize_t done = send(sink->fd, bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (done < 0 && errno == ENOTSOCK)
        done = write(sink->fd, bytes, size < PIPE_BUF ? size : PIPE_BUF);
    return done;
}

static struct timespec modified(const struct sink *sink)
{
    struct stat status;
    return fstat(sink->old >= 0 ? sink->old : sink->fd, &status) == 0 ? status.st_mtim
                                                                      : (struct timespec){0};
}

static void look_for_others(struct sink *sink)
{
    struct timespec now = modified(sink);
    sink->foreign = sink->foreign || now.tv_sec != sink->modified.tv_sec ||
                    now.tv_nsec != sink->modified.tv_nsec;
}

static bool put(struct sink *sink, const char *bytes, size_t size)
{
    look_for_others(sink);
    if (sink->path != NULL && sink->written == 0 && ftruncate(sink->fd, 0) != 0)
        sink->error = errno; /* another program may have written it */
    while (size > 0 && sink->error == 0) {
        if (may_block(sink) && !await_room(sink))
            break;
        ssize_t done = write_some(sink, bytes, size);
        if (done >= 0) {
            bytes += done;
            size -= (size_t)done;
            sink->written += (uint64_t)done;
        } else if (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK) {
            sink->error = errno;
        }
    }
    sink->modified = modified(sink);
    return sink->error == 0;
}

static bool encode(struct sink *sink, const char *bytes, size_t size, ZSTD_EndDirective directive)
{
    ZSTD_inBuffer in = {bytes, size, 0};
    size_t left;
    do {
        ZSTD_outBuffer out = {sink->buffer, ZSTD_CStreamOutSize(), 0};
        left = ZSTD_compressStream2(sink->encoder, &out, &in, directive);
        if (ZSTD_isError(left))
            sink->error = ENOMEM; /* no other error is possible here */
        else
            put(sink, sink->buffer, out.pos);
    } while (sink->error == 0 && (in.pos < in.size || (directive == ZSTD_e_end && left > 0)));
    return sink->error == 0;
}

bool sink_write(void *context, const char *bytes, size_t size)
{
    struct sink *sink = context;
    if (sink->encoder == NULL)
        return put(sink, bytes, size);
    return encode(sink, bytes, size, ZSTD_e_continue);
}

bool sink_finish(struct sink *sink)
{
    if (sink->encoder == NULL || sink->error != 0)
        return sink->error == 0;
    return encode(sink, NULL, 0, ZSTD_e_end);
}

static bool open_encoder(struct sink *sink)
{
    sink->encoder = ZSTD_createCStream();
    sink->buffer = malloc(ZSTD_CStreamOutSize());
    if (sink->encoder == NULL || sink->buffer == NULL)
        return false;
    return !ZSTD_isError(ZSTD_CCtx_setParameter(sink->encoder, ZSTD_c_checksumFlag, 1));
}

/* The sink itself closes the file last. Who closes it may not have written, and on a network the
   time of a file may change by itself: only both are a sign. */
static void watch_others(struct sink *sink)
{
    if (sink->path == NULL)
        return;
    sink->modified = modified(sink);
    sink->others = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (sink->others >= 0)
        inotify_add_watch(sink->others, sink->name, IN_CLOSE_WRITE);
}

bool sink_is_shared(struct sink *sink)
{
    struct inotify_event event;
    look_for_others(sink);
    return sink->foreign && sink->others >= 0 && read(sink->others, &event, sizeof event) > 0;
}

static bool is_ours(const struct sink *sink, const struct stat *there)
{
    struct stat ours;
    return fstat(sink->fd, &ours) == 0 && ours.st_dev == there->st_dev &&
           ours.st_ino == there->st_ino;
}

bool sink_is_gone(const struct sink *sink)
{
    struct stat status;
    return sink->path != NULL && !is_unnamed(sink) && fstat(sink->fd, &status) == 0 &&
           status.st_nlink == 0;
}

/* One trace of this program at a time is written to a file. Some file systems have no locks. An
   errno value; ESTALE if the file seems to have been removed meanwhile. */
static int lock(const struct sink *sink)
{
    struct stat there;
    if (flock(sink->fd, LOCK_EX | LOCK_NB) != 0)
        return errno == EWOULDBLOCK ? EWOULDBLOCK : 0;
    return stat(sink->name, &there) == 0 && is_ours(sink, &there) ? 0 : ESTALE;
}

/* Creates the file that is to replace the opened one. An errno value. */
static int open_beside(struct sink *sink, mode_t mode)
{
    int fd = -1;
    if (realpath(sink->name, sink->target) == NULL)
        return errno;
    for (int i = 1; fd < 0 && i <= PARTIAL_MAX; i++) {
        char number[8] = "";
        if (i > 1)
            snprintf(number, sizeof number, ".%d", i);
        if (snprintf(sink->own, PATH_MAX, "%s.partial%s", sink->target, number) >= PATH_MAX)
            return ENAMETOOLONG;
        fd = open(sink->own, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode & 0777u);
        if (fd < 0 && errno != EEXIST)
            return errno;
    }
    if (fd < 0)
        return EEXIST;
    sink->old = sink->fd;
    sink->fd = fd;
    sink->path = sink->own;
    sink->created = true;
    if (fchmod(fd, mode & 0777u) != 0) /* the umask has made it narrower, at worst */
        message("%s: %s", sink->own, strerror(errno));
    return 0;
}

/* An errno value. ESTALE is ignored at last: some file systems change the numbers of files. */
static int open_once(struct sink *sink, bool is_last)
{
    struct stat status;
    bool exists = stat(sink->name, &status) == 0;
    int flags = O_CLOEXEC | O_NOCTTY | (exists && !S_ISREG(status.st_mode) ? O_WRONLY : O_RDWR);

    sink->fd = open(sink->name, flags | O_CREAT, 0666);
    if (sink->fd < 0 || fstat(sink->fd, &status) != 0)
        return errno;
    if (!S_ISREG(status.st_mode))
        return isatty(sink->fd) == 1 ? ENOTSUP : 0;
    int error = lock(sink);
    if (error != 0 && !(error == ESTALE && is_last)) {
        close(sink->fd);
        sink->fd = -1;
        return error;
    }
    sink->path = sink->name;
    sink->created = !exists;
    return status.st_size > 0 ? open_beside(sink, status.st_mode) : 0;
}

static bool open_path(struct sink *sink)
{
    const struct timespec moment = {.tv_nsec = MOMENT_NS};
    int error = open_once(sink, false);
    for (int i = 1; (error == ESTALE || error == EWOULDBLOCK) && i <= OPENS_MAX; i++) {
        nanosleep(&moment, NULL);
        error = open_once(sink, i == OPENS_MAX);
    }
    if (error == EWOULDBLOCK)
        message("%s: another trace is being written to this file; name another one with "
                "--output-file",
                sink->name);
    else if (error == ENOTSUP)
        message("%s is a terminal: write the trace to a file or a pipe", sink->name);
    else if (error != 0 && sink->own[0] != '\0')
        message("%s: %s; this file replaces %s when it is whole", sink->own, strerror(error),
                sink->name);
    else if (error != 0)
        message("%s: %s", sink->name, strerror(error));
    else
        watch_others(sink);
    return error == 0;
}

static bool open_stdout(struct sink *sink)
{
    sink->name = "stdout";
    sink->fd = STDOUT_FILENO;
    if (isatty(sink->fd) != 1)
        return true;
    message("stdout is a terminal: write the trace to a file or a pipe");
    return false;
}

static bool open_named(struct sink *sink)
{
    if (strcmp(sink->name, "-") == 0)
        return open_stdout(sink);
    if (is_connection(sink))
        return tcp_connect(&sink->fd, sink->name);
    return open_path(sink);
}

bool sink_open(struct sink *sink, const char *name, bool compress)
{
    *sink = (struct sink){.name = name, .fd = -1, .old = -1, .hurry = -1, .others = -1};
    bool good = open_named(sink);
    if (good && compress && !open_encoder(sink)) {
        message("%s: %s", sink->name, strerror(ENOMEM));
        good = false;
    }
    if (!good)
        sink_discard(sink);
    return good;
}

/* The directory of the trace is the most likely to have room for it. */
static int open_unnamed(const char *name)
{
    char directory[PATH_MAX];
    char other[] = "/tmp/trace-XXXXXX";
    const char *slash = strrchr(name, '/');
    int length = slash == NULL ? 0 : slash == name ? 1 : (int)(slash - name);
    snprintf(directory, sizeof directory, "%.*s", length, name);
    int fd = open(length > 0 ? directory : ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
    if (fd >= 0)
        return fd;
    fd = mkostemp(other, O_CLOEXEC);
    if (fd >= 0)
        unlink(other);
    return fd;
}

bool sink_open_unnamed(struct sink *sink, const char *name)
{
    *sink =
        (struct sink){.name = name, .fd = open_unnamed(name), .old = -1, .hurry = -1, .others = -1};
    snprintf(sink->own, sizeof sink->own, "/proc/self/fd/%d", sink->fd);
    sink->path = sink->own;
    if (sink->fd < 0)
        message("%s: %s", name, strerror(errno));
    return sink->fd >= 0;
}

static int copy_to(const struct sink *sink, int fd)
{
    static char bytes[1 << 16];
    ssize_t got;
    off_t at = 0;
    while ((got = pread(sink->fd, bytes, sizeof bytes, at)) > 0) {
        at += got;
        for (ssize_t put = 0, n; put < got; put += n) {
            n = write(fd, bytes + put, (size_t)(got - put));
            if (n < 0 && errno != EINTR)
                return errno;
            n = n < 0 ? 0 : n;
        }
    }
    return got < 0 ? errno : 0;
}

static int copy_to_name(const struct sink *sink, const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return errno;
    int error = copy_to(sink, fd);
    if (close(fd) != 0 && error == 0)
        error = errno;
    if (error != 0)
        unlink(path);
    return error;
}

int sink_name(const struct sink *sink, const char *path)
{
    if (linkat(AT_FDCWD, sink->path, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0)
        return 0;
    bool has_no_link = errno == EXDEV || errno == ENOENT; /* not made by O_TMPFILE */
    return has_no_link ? copy_to_name(sink, path) : errno;
}

void sink_report(const struct sink *sink)
{
    if (sink->error == ETIMEDOUT && sink->hurries) {
        message("%s: the receiver does not read; the rest of the trace is lost", sink->name);
        return;
    }
    if (sink->unplaced)
        message("%s: cannot be replaced: %s", sink->name, strerror(sink->error));
    else if (sink->error == EPIPE && !is_connection(sink))
        message("%s: closed by its reader; the rest of the trace is lost", sink->name);
    else if (sink->error != 0)
        message("%s: write error: %s", sink->name, strerror(sink->error));
}

void sink_cut(struct sink *sink, uint64_t size)
{
    if (sink->path != NULL && size < sink->written && ftruncate(sink->fd, (off_t)size) == 0)
        sink->written = size;
}

static void free_rest(struct sink *sink)
{
    if (sink->others >= 0)
        close(sink->others);
    if (sink->old >= 0)
        close(sink->old);
    ZSTD_freeCStream(sink->encoder);
    free(sink->buffer);
    sink->others = -1;
    sink->old = -1;
    sink->encoder = NULL;
    sink->buffer = NULL;
}

/* Removes the file that was created for the trace; not another one that has its name now. */
static void remove_created(struct sink *sink)
{
    struct stat there;
    if (sink->created && lstat(sink->path, &there) == 0 && is_ours(sink, &there) &&
        unlink(sink->path) == 0)
        sink->path = NULL;
}

static void deliver(struct sink *sink)
{
    int patience = SINK_PATIENCE_MS;
    shutdown(sink->fd, SHUT_WR);
    while (!tcp_is_delivered(sink->fd, &sink->error)) {
        struct pollfd hurry = {.fd = sink->hurries ? -1 : sink->hurry, .events = POLLIN};
        sink->hurries = poll(&hurry, 1, DELIVERY_MS) > 0 || sink->hurries;
        patience -= sink->hurries ? DELIVERY_MS : 0;
        if (patience <= 0) {
            sink->error = ETIMEDOUT;
            return;
        }
    }
}

/* Without an error, the name is then that of the new file. */
static void replace_old(struct sink *sink)
{
    sink->unplaced = rename(sink->own, sink->target) != 0;
    if (sink->unplaced)
        sink->error = errno;
    else
        sink->path = sink->name;
}

void sink_close(struct sink *sink, bool is_whole)
{
    if (is_connection(sink) && sink->error == 0)
        deliver(sink);
    bool is_wanted = sink->error == 0 && (is_whole || sink->old < 0);
    if (!is_wanted && sink->written == 0)
        remove_created(sink);
    if (sink->fd >= 0 && close(sink->fd) != 0 && errno != EINTR && sink->error == 0)
        sink->error = errno;
    if (sink->old >= 0 && is_whole && sink->error == 0)
        replace_old(sink);
    free_rest(sink);
    sink->fd = -1;
}

void sink_discard(struct sink *sink)
{
    remove_created(sink);
    if (sink->fd > STDERR_FILENO)
        close(sink->fd);
    free_rest(sink);
    sink->fd = -1;
}
