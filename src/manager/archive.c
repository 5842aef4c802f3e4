/* An archive: a queue of blocks in front of an output, and the writes to that output. */
#include "src/manager/archive.h"

#include "src/socket/socket.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fxt/write.h>

#define PIECE (UINT64_C(1) << 20) /* bytes of a deferred archive, read at a time */
#define PIECES_AT_ONCE 4

/* EPERM: it cannot be polled. EBADF: it is for neither reading nor writing. */
static int try_epoll(int output)
{
    struct epoll_event event = {.events = 0};
    int error = 0;

    int set = epoll_create1(EPOLL_CLOEXEC);
    if (set < 0 || epoll_ctl(set, EPOLL_CTL_ADD, output, &event) != 0)
        error = errno;
    if (set >= 0)
        close(set);
    return error;
}

int fxt_i_archive_check_output(int output)
{
    struct stat it;

    if (fstat(output, &it) != 0)
        return TRACE_ERROR_NO_RESOURCES;
    if (S_ISSOCK(it.st_mode) || S_ISFIFO(it.st_mode))
        return TRACE_ERROR_NONE;
    switch (try_epoll(output)) {
    case EPERM:
        return TRACE_ERROR_NONE;
    case 0:
    case EBADF:
        return TRACE_ERROR_INVALID;
    default:
        return TRACE_ERROR_NO_RESOURCES;
    }
}

/* O_NONBLOCK belongs to the open file description, so the pipe is reopened: its other users keep
   a blocking pipe. */
static int reopen(int pipe)
{
    char path[40];

    snprintf(path, sizeof path, "/proc/self/fd/%d", pipe);
    int own = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (own < 0) {
        fcntl(pipe, F_SETFL, fcntl(pipe, F_GETFL) | O_NONBLOCK);
        return pipe;
    }
    close(pipe);
    return own;
}

/* False with errno if the kind of the output is unknown: a write might block. */
static bool set_output(struct fxt_i_archive *archive, int output)
{
    struct stat it;

    archive->output = output;
    if (fstat(output, &it) != 0)
        return false;
    archive->is_socket = S_ISSOCK(it.st_mode);
    archive->can_block = archive->is_socket || S_ISFIFO(it.st_mode);
    if (S_ISFIFO(it.st_mode))
        archive->output = reopen(output);
    return true;
}

static int make_deferred(void)
{
    const char *directory = secure_getenv("TMPDIR");
    if (directory == NULL || directory[0] == '\0')
        directory = "/var/tmp";
    return open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
}

static void put_head(struct fxt_i_archive *archive)
{
    struct fxt_i_block *block = fxt_i_archive_block(archive, 8);
    struct fxt_writer writer;

    if (block == NULL)
        return;
    fxt_writer_init(&writer, block->bytes, block->room);
    fxt_write_magic(&writer);
    block->size = writer.size;
    fxt_i_archive_put(archive, block);
}

static void on_output(void *self, int events);

struct fxt_i_archive *fxt_i_archive_create(async_loop_t *loop, uint64_t stall_ms, int output,
                                           bool defer, void (*changed)(void *self), void *self)
{
    struct fxt_i_archive *archive = calloc(1, sizeof *archive);

    if (archive == NULL) {
        fxt_i_socket_release(output);
        errno = ENOMEM;
        return NULL;
    }
    archive->loop = loop;
    archive->stall_ms = stall_ms;
    archive->last = &archive->first;
    archive->changed = changed;
    archive->self = self;
    archive->deferred = -1;
    bool made = set_output(archive, output);
    if (made && defer) {
        archive->deferred = make_deferred();
        made = archive->deferred >= 0;
    }
    if (made && archive->can_block) {
        archive->watch = fxt_i_watch_begin(loop, archive->output, POLLRDHUP, on_output, archive);
        made = archive->watch != NULL;
    }
    if (!made) {
        int error = errno;
        fxt_i_archive_free(archive);
        errno = error;
        return NULL;
    }
    put_head(archive);
    return archive;
}

static void drop_blocks(struct fxt_i_archive *archive)
{
    while (archive->first != NULL) {
        struct fxt_i_block *next = archive->first->next;
        free(archive->first);
        archive->first = next;
    }
    archive->last = &archive->first;
    archive->queued = 0;
}

static void close_output(struct fxt_i_archive *archive)
{
    fxt_i_watch_end(&archive->watch);
    fxt_i_timer_end(&archive->stall);
    if (archive->output >= 0)
        fxt_i_socket_release(archive->output);
    archive->output = -1;
}

void fxt_i_archive_free(struct fxt_i_archive *archive)
{
    if (archive == NULL)
        return;
    drop_blocks(archive);
    close_output(archive);
    if (archive->deferred >= 0)
        close(archive->deferred);
    free(archive->spare);
    free(archive);
}

/* Accepts no more blocks. The blocks that a deferred archive already holds may still be written. */
static void refuse_blocks(struct fxt_i_archive *archive, int error)
{
    if (archive->error == 0)
        archive->error = error;
    archive->changed(archive->self);
}

void fxt_i_archive_fail(struct fxt_i_archive *archive, int error)
{
    if (archive->output < 0)
        return;
    archive->writing = false;
    drop_blocks(archive);
    close_output(archive);
    refuse_blocks(archive, error);
}

bool fxt_i_archive_has_room(const struct fxt_i_archive *archive)
{
    return archive->queued < FXT_I_QUEUE_BYTES;
}

bool fxt_i_archive_is_empty(const struct fxt_i_archive *archive)
{
    return archive->first == NULL;
}

struct fxt_i_block *fxt_i_archive_block(struct fxt_i_archive *archive, uint64_t room)
{
    struct fxt_i_block *block = archive->spare;

    archive->spare = NULL;
    if (block == NULL || block->room < room) {
        free(block);
        block = malloc(sizeof *block + room);
        if (block == NULL) {
            fxt_i_archive_fail(archive, ENOMEM);
            return NULL;
        }
        block->room = room;
    }
    block->next = NULL;
    block->size = 0;
    block->written = 0;
    return block;
}

static void recycle(struct fxt_i_archive *archive, struct fxt_i_block *block)
{
    if (archive->spare == NULL || archive->spare->room < block->room) {
        free(archive->spare);
        archive->spare = block;
    } else {
        free(block);
    }
}

static ssize_t write_some(const struct fxt_i_archive *archive, const struct fxt_i_block *block)
{
    const uint8_t *bytes = block->bytes + block->written;
    uint64_t size = block->size - block->written;

    if (archive->is_socket)
        return send(archive->output, bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL);
    return write(archive->output, bytes, size);
}

static void on_stall(void *self)
{
    fxt_i_archive_fail(self, ETIMEDOUT);
}

static void restart_stall_timer(struct fxt_i_archive *archive)
{
    if (!fxt_i_timer_begin(&archive->stall, archive->loop, archive->stall_ms, on_stall, archive))
        fxt_i_archive_fail(archive, ENOMEM); /* nothing would end the wait */
}

void fxt_i_archive_hurry(struct fxt_i_archive *archive)
{
    if (archive->stall_ms <= FXT_I_HURRY_MS)
        return;
    archive->stall_ms = FXT_I_HURRY_MS;
    if (archive->stall != NULL)
        restart_stall_timer(archive);
}

static void watch_output(struct fxt_i_archive *archive, int events)
{
    fxt_i_watch_change(archive->watch, events | (archive->half_closed ? 0 : POLLRDHUP));
}

static void wait_for_output(struct fxt_i_archive *archive)
{
    watch_output(archive, POLLOUT);
    restart_stall_timer(archive);
}

/* Writes queued bytes until the output accepts no more. */
static void write_queue(struct fxt_i_archive *archive)
{
    while (archive->first != NULL && archive->output >= 0) {
        struct fxt_i_block *block = archive->first;
        ssize_t written = write_some(archive, block);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0 && archive->can_block && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            wait_for_output(archive);
            return;
        }
        if (written < 0) {
            fxt_i_archive_fail(archive, errno);
            return;
        }
        assert((uint64_t)written <= block->size - block->written);
        assert((uint64_t)written <= archive->queued);
        block->written += (uint64_t)written;
        archive->queued -= (uint64_t)written;
        if (block->written < block->size)
            continue;
        archive->first = block->next;
        if (archive->first == NULL)
            archive->last = &archive->first;
        recycle(archive, block);
    }
    fxt_i_timer_end(&archive->stall);
    if (archive->watch != NULL)
        watch_output(archive, 0);
}

static void enqueue(struct fxt_i_archive *archive, struct fxt_i_block *block)
{
    assert(*archive->last == NULL && block->next == NULL);
    assert(block->written == 0 && block->size <= block->room);
    *archive->last = block;
    archive->last = &block->next;
    archive->queued += block->size;
    if (archive->first == block) /* otherwise the queue already waits for the output */
        write_queue(archive);
}

/* The next piece of a deferred archive; NULL at its end. */
static struct fxt_i_block *read_piece(struct fxt_i_archive *archive)
{
    assert(archive->deferred >= 0 && archive->deferred_at <= archive->deferred_size);
    uint64_t left = archive->deferred_size - archive->deferred_at;
    struct fxt_i_block *block = left > 0 ? fxt_i_archive_block(archive, PIECE) : NULL;

    if (block == NULL)
        return NULL;
    ssize_t got = pread(archive->deferred, block->bytes, left < PIECE ? left : PIECE,
                        (off_t)archive->deferred_at);
    if (got <= 0) {
        free(block);
        fxt_i_archive_fail(archive, got < 0 ? errno : EIO);
        return NULL;
    }
    archive->deferred_at += (uint64_t)got;
    block->size = (uint64_t)got;
    return block;
}

/* A file takes all at once, so it gets a few pieces only, and more when this is called again. */
static void feed(struct fxt_i_archive *archive)
{
    for (int pieces = 0; archive->writing && fxt_i_archive_has_room(archive); pieces++) {
        if (!archive->can_block && pieces == PIECES_AT_ONCE) {
            archive->changed(archive->self);
            return;
        }
        struct fxt_i_block *block = read_piece(archive);
        if (block != NULL)
            enqueue(archive, block);
        else
            archive->writing = false;
    }
}

static bool has_no_reader(const struct fxt_i_archive *archive)
{
    struct pollfd it = {.fd = archive->output};
    return poll(&it, 1, 0) == 1 && (it.revents & (POLLERR | POLLHUP)) != 0;
}

static void on_output(void *self, int events)
{
    struct fxt_i_archive *archive = self;

    if ((events & POLLRDHUP) != 0) {
        if (has_no_reader(archive)) {
            fxt_i_archive_fail(archive, EPIPE);
            return;
        }
        archive->half_closed = true; /* the reader sends nothing more, but still reads */
    }
    write_queue(archive);
    feed(archive);
    if (archive->output >= 0)
        archive->changed(archive->self);
}

static void write_deferred(struct fxt_i_archive *archive, struct fxt_i_block *block)
{
    while (block->written < block->size) {
        ssize_t written =
            write(archive->deferred, block->bytes + block->written, block->size - block->written);
        if (written < 0 && errno != EINTR) {
            free(block);
            refuse_blocks(archive, errno);
            return;
        }
        block->written += written > 0 ? (uint64_t)written : 0;
    }
    assert(block->written == block->size);
    archive->deferred_size += block->size;
    recycle(archive, block);
}

void fxt_i_archive_put(struct fxt_i_archive *archive, struct fxt_i_block *block)
{
    if (archive->error != 0 || block->size == 0) {
        free(block);
        return;
    }
    archive->bytes_written += block->size;
    if (archive->deferred >= 0)
        write_deferred(archive, block);
    else
        enqueue(archive, block);
}

void fxt_i_archive_finish(struct fxt_i_archive *archive)
{
    if (archive->deferred < 0 || archive->output < 0)
        return;
    archive->writing = archive->writing || archive->deferred_at == 0;
    feed(archive);
}
