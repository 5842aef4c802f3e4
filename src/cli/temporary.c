/* Temporary files. No state. */
#include "src/cli/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/cli/message.h"

/* For file systems without O_TMPFILE. */
static int open_and_unlink(const char *directory)
{
    char path[PATH_MAX];
    int size = snprintf(path, sizeof path, "%s/fxt-XXXXXX", directory);
    if (size < 0 || (size_t)size >= sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    int fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0)
        unlink(path);
    return fd;
}

int temporary_open(const char *file)
{
    const char *directory = secure_getenv("TMPDIR");
    if (directory == NULL || *directory == '\0')
        directory = "/tmp";
    int fd = open(directory, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        fd = open_and_unlink(directory);
    if (fd < 0)
        message("%s: cannot make a temporary file in '%s': %s", file, directory, strerror(errno));
    return fd;
}

bool temporary_write(int fd, const char *file, const void *bytes, size_t size)
{
    const char *at = bytes;
    while (size > 0) {
        ssize_t done = write(fd, at, size);
        if (done < 0 && errno != EINTR) {
            message("%s: cannot write a temporary file: %s", file, strerror(errno));
            return false;
        }
        if (done > 0) {
            at += done;
            size -= (size_t)done;
        }
    }
    return true;
}
