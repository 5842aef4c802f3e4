/* The file of a recording that survives the program. The lock of flock(2) belongs to the open file,
   which the mapping keeps open: so another process cannot record into it even if the program closes
   all its descriptors, and the kernel gives it back when the program is gone. */
#include "src/recorder/mapped.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <trace/internal/recording.h>

#include "src/base/word.h"
#include "src/engine/atomic.h"
#include "src/socket/signals.h"
#include "src/socket/socket.h"

#define TRIES 100 /* a recording that ends replaces its file */
#define PIECE_BYTES 65536

static size_t mapped_bytes(const struct fxt_i_mapped *it)
{
    return it->buffer_bytes + TRACE_I_RECORDING_BYTES;
}

/* Whether the path still names the open file. */
static bool is_at(const char *path, int file)
{
    struct stat named;
    struct stat opened;

    return stat(path, &named) == 0 && fstat(file, &opened) == 0 && named.st_dev == opened.st_dev &&
           named.st_ino == opened.st_ino;
}

/* Returns 0, an error, or -1: again. */
static int take_once(struct fxt_i_mapped *out, const char *path)
{
    struct stat info;

    out->file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666);
    if (out->file < 0)
        return errno;
    out->file = fxt_i_descriptor_aside(out->file);
    if (fstat(out->file, &info) != 0)
        return errno;
    if (!S_ISREG(info.st_mode))
        return EINVAL;
    if (flock(out->file, LOCK_EX | LOCK_NB) != 0)
        return errno == EWOULDBLOCK ? EBUSY : errno;
    return is_at(path, out->file) ? 0 : -1;
}

static int take(struct fxt_i_mapped *out, const char *path)
{
    int error = -1;

    for (int i = 0; i < TRIES && error == -1; i++) {
        error = take_once(out, path);
        if (error != 0 && out->file >= 0) {
            close(out->file);
            out->file = -1;
        }
    }
    return error == -1 ? EBUSY : error;
}

/* All of it is allocated: a disk that is full later costs no SIGBUS. */
static int allocate(const struct fxt_i_mapped *it)
{
    sigset_t before;
    int error;

    fxt_i_output_begin(&before);
    error = ftruncate(it->file, 0) != 0 ? errno : 0;
    do
        error = error == 0 || error == EINTR ? posix_fallocate(it->file, 0, (off_t)mapped_bytes(it))
                                             : error;
    while (error == EINTR);
    if (error != 0 && ftruncate(it->file, 0) != 0)
        error = errno;
    fxt_i_output_end(&before);
    return error;
}

static int map(struct fxt_i_mapped *it)
{
    if (lseek(it->file, 0, SEEK_END) < 0)
        return errno;
    void *bytes = mmap(NULL, mapped_bytes(it), PROT_READ | PROT_WRITE, MAP_SHARED, it->file, 0);
    if (bytes == MAP_FAILED)
        return errno;
    it->bytes = bytes;
    fxt_store_word(it->bytes + it->buffer_bytes, TRACE_I_RECORDING_MAGIC);
    return 0;
}

int fxt_i_mapped_open(struct fxt_i_mapped *out, const char *path, size_t buffer_bytes)
{
    *out = (struct fxt_i_mapped){.buffer_bytes = buffer_bytes, .file = -1};
    int error = take(out, path);

    if (error != 0)
        return error;
    out->path = realpath(path, NULL);
    error = out->path == NULL ? errno : 0;
    if (error == 0)
        error = allocate(out);
    if (error == 0)
        error = map(out);
    if (error != 0) {
        fxt_i_mapped_leave(out);
        close(out->file);
        out->file = -1;
    }
    return error;
}

void fxt_i_mapped_commit(struct fxt_i_mapped *it, uint64_t archive_bytes, uint64_t durable_bytes,
                         uint32_t next_lap)
{
    uint8_t *page = it->bytes + it->buffer_bytes;
    uint64_t next = fxt_load_word(page + TRACE_I_RECORDING_CURRENT) == 0 ? 1 : 0;
    uint8_t *slot = page + TRACE_I_RECORDING_SLOT(next);

    fxt_store_word(slot + TRACE_I_RECORDING_ARCHIVE, archive_bytes);
    fxt_store_word(slot + TRACE_I_RECORDING_DURABLE, durable_bytes);
    fxt_store_word(slot + TRACE_I_RECORDING_LAP, next_lap);
    fxt_i_publish(page + TRACE_I_RECORDING_CURRENT, next);
}

static int write_all(int file, const uint8_t *bytes, size_t size)
{
    while (size > 0) {
        ssize_t done = write(file, bytes, size);
        if (done < 0 && errno != EINTR)
            return errno;
        if (done > 0) {
            bytes += done;
            size -= (size_t)done;
        }
    }
    return 0;
}

static int copy_archive(const struct fxt_i_mapped *it, int to, uint64_t bytes)
{
    static uint8_t piece[PIECE_BYTES];
    uint64_t at = 0;

    while (at < bytes) {
        size_t want = bytes - at < sizeof piece ? (size_t)(bytes - at) : sizeof piece;
        ssize_t got = pread(it->file, piece, want, (off_t)(mapped_bytes(it) + at));
        if (got == 0)
            return EIO;
        if (got < 0 && errno != EINTR)
            return errno;
        int error = got > 0 ? write_all(to, piece, (size_t)got) : 0;
        if (error != 0)
            return error;
        at += got > 0 ? (uint64_t)got : 0;
    }
    return 0;
}

/* For file systems that cannot remove the beginning of a file: another file takes its name. */
static int replace(const struct fxt_i_mapped *it, uint64_t bytes)
{
    char name[PATH_MAX];
    struct stat info;
    int size = snprintf(name, sizeof name, "%s.XXXXXX", it->path);

    if (size < 0 || (size_t)size >= sizeof name)
        return ENAMETOOLONG;
    if (!is_at(it->path, it->file) || fstat(it->file, &info) != 0)
        return ENOENT; /* the program has moved it */
    int file = mkostemp(name, O_CLOEXEC);
    if (file < 0)
        return errno;
    int error = copy_archive(it, file, bytes);
    if (error == 0 && fchmod(file, info.st_mode & 07777) != 0)
        error = errno;
    if (close(file) != 0 && error == 0)
        error = errno;
    if (error == 0 && rename(name, it->path) != 0)
        error = errno;
    if (error != 0)
        unlink(name);
    return error;
}

/* What lies behind the archive is cut first: it is in no slot, and still in the buffer. */
int fxt_i_mapped_finish(struct fxt_i_mapped *it, uint64_t archive_bytes)
{
    sigset_t before;
    int error = 0;

    fxt_i_output_begin(&before);
    if (ftruncate(it->file, (off_t)(mapped_bytes(it) + archive_bytes)) != 0)
        error = errno;
    else if (fallocate(it->file, FALLOC_FL_COLLAPSE_RANGE, 0, (off_t)mapped_bytes(it)) != 0)
        error = replace(it, archive_bytes);
    fxt_i_output_end(&before);
    return error;
}

void fxt_i_mapped_leave(struct fxt_i_mapped *it)
{
    if (it->bytes != NULL)
        munmap(it->bytes, mapped_bytes(it));
    free(it->path);
    it->bytes = NULL;
    it->path = NULL;
}

void fxt_i_mapped_in_child(struct fxt_i_mapped *it)
{
    if (it->bytes != NULL)
        mmap(it->bytes, mapped_bytes(it), PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    it->bytes = NULL;
    it->path = NULL; /* the parent may have been about to free it */
}
