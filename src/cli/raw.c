/* Files, pipes and stdin. A struct raw owns its descriptor and its piece of bytes. Only this file
   opens and reads traces. */
#include "src/cli/raw.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/cli/message.h"
#include "src/cli/progress.h"
#include "src/cli/temporary.h"

/* what: "" or the operation, such as "read error: ". */
static bool fail(struct raw *raw, const char *what)
{
    if (!raw->failed)
        message("%s: %s%s", raw->name, what, strerror(errno));
    raw->failed = raw->broken = true;
    return false;
}

/* Reads from the file once. 0: the end or an error. */
static size_t read_file(struct raw *raw, uint8_t *to, size_t size)
{
    for (;;) {
        ssize_t got = read(raw->fd, to, size);
        if (got >= 0) {
            raw->read += (uint64_t)got;
            progress_update(raw->read);
            return (size_t)got;
        }
        if (errno == EAGAIN || errno == EWOULDBLOCK) {
            struct pollfd wait = {.fd = raw->fd, .events = POLLIN};
            poll(&wait, 1, -1);
        } else if (errno != EINTR) {
            fail(raw, "read error: ");
            return 0;
        }
    }
}

bool raw_fill(struct raw *raw)
{
    if (raw->ended)
        return false;
    if (raw->begin > 0) {
        memmove(raw->bytes, raw->bytes + raw->begin, raw->end - raw->begin);
        raw->end -= raw->begin;
        raw->begin = 0;
    }
    size_t got = read_file(raw, raw->bytes + raw->end, RAW_BYTES - raw->end);
    if (got == 0)
        raw->ended = true;
    raw->end += got;
    return got > 0;
}

static bool open_file(struct raw *raw, const char *path)
{
    struct stat status;
    if (strcmp(path, "-") == 0) {
        raw->name = "<stdin>";
        raw->fd = STDIN_FILENO;
    } else {
        raw->name = path;
        do
            raw->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
        while (raw->fd < 0 && errno == EINTR);
        if (raw->fd < 0)
            return fail(raw, "");
    }
    if (fstat(raw->fd, &status) != 0)
        return fail(raw, "");
    if (S_ISDIR(status.st_mode)) {
        errno = EISDIR;
        return fail(raw, "");
    }
    if (S_ISREG(status.st_mode)) {
        raw->size = (uint64_t)status.st_size;
        posix_fadvise(raw->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    }
    return true;
}

bool raw_open(struct raw *raw, const char *path)
{
    *raw = (struct raw){.fd = -1, .start = -1};
    if (!open_file(raw, path)) {
        raw_close(raw);
        return false;
    }
    raw->bytes = malloc(RAW_BYTES);
    if (raw->bytes == NULL) {
        fail(raw, "");
        raw_close(raw);
        return false;
    }
    progress_begin(raw->name, raw->size);
    return true;
}

bool raw_replace(struct raw *raw, int fd)
{
    struct stat status;
    if (raw->fd > STDIN_FILENO)
        close(raw->fd);
    raw->fd = fd;
    raw->size = fstat(fd, &status) == 0 ? (uint64_t)status.st_size : 0;
    raw->start = 0;
    return raw_rewind(raw);
}

/* The rest of the file is in a temporary file, which takes its place. */
static bool spool(struct raw *raw)
{
    int fd = temporary_open(raw->name);
    bool good = fd >= 0;
    while (good && raw_fill(raw)) {
        good = temporary_write(fd, raw->name, raw->bytes, raw->end);
        raw->begin = raw->end = 0;
    }
    if (!good || raw->failed) {
        if (fd >= 0)
            close(fd);
        raw->failed = true;
        return false;
    }
    return raw_replace(raw, fd);
}

bool raw_keep(struct raw *raw)
{
    struct stat status;
    if (fstat(raw->fd, &status) == 0 && S_ISREG(status.st_mode))
        raw->start = lseek(raw->fd, 0, SEEK_CUR);
    return raw->start >= 0 || spool(raw);
}

bool raw_rewind(struct raw *raw)
{
    if (lseek(raw->fd, raw->start, SEEK_SET) < 0)
        return fail(raw, "");
    raw->begin = raw->end = 0;
    raw->read = 0;
    raw->ended = raw->broken = false;
    progress_begin(raw->name, raw->size);
    return true;
}

size_t raw_read(struct raw *raw, uint8_t *to, size_t size)
{
    size_t ready = raw->end - raw->begin;
    if (ready == 0)
        return raw->ended ? 0 : read_file(raw, to, size);
    if (ready > size)
        ready = size;
    memcpy(to, raw->bytes + raw->begin, ready);
    raw->begin += ready;
    return ready;
}

void raw_close(struct raw *raw)
{
    progress_end();
    free(raw->bytes);
    if (raw->fd > STDIN_FILENO)
        close(raw->fd);
    *raw = (struct raw){.fd = -1};
}
