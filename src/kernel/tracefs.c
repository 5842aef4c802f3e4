/* Reads tracefs; never writes to it. */
#include "src/kernel/tracefs.h"

#include <fcntl.h>
#include <limits.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FORMAT_BYTES 65536

static bool has_events(const char *directory)
{
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%s/events/sched/sched_switch/id", directory);
    if (length <= 0 || (size_t)length >= sizeof path)
        return false;
    int file = open(path, O_RDONLY | O_CLOEXEC); /* access() would ignore capabilities */
    if (file >= 0)
        close(file);
    return file >= 0;
}

static bool take(char *out, size_t size, const char *directory)
{
    return strlen(directory) < size && has_events(directory) &&
           snprintf(out, size, "%s", directory) > 0;
}

bool fxt_kernel_tracefs_find(char *out, size_t size)
{
    struct mntent *mount;
    bool found = take(out, size, "/sys/kernel/tracing");
    FILE *mounts = found ? NULL : setmntent("/proc/self/mounts", "re");

    while (!found && mounts != NULL && (mount = getmntent(mounts)) != NULL)
        found = strcmp(mount->mnt_type, "tracefs") == 0 && take(out, size, mount->mnt_dir);
    if (mounts != NULL)
        endmntent(mounts);
    return found || take(out, size, "/sys/kernel/debug/tracing");
}

/* Reads a whole file of at most `size` bytes; returns 0 on failure. */
static size_t read_file(char *out, size_t size, const char *tracefs,
                        const struct fxt_kernel_tracepoint *tracepoint, const char *name)
{
    char path[PATH_MAX];
    ssize_t got;
    size_t length = 0;

    snprintf(path, sizeof path, "%s/events/%s/%s/%s", tracefs, tracepoint->system, tracepoint->name,
             name);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return 0;
    while (length < size && (got = read(file, out + length, size - length)) > 0)
        length += (size_t)got;
    close(file);
    return length < size ? length : 0;
}

/* With room of FORMAT_BYTES for a file's text. */
static int load(struct tep_handle *tep, const char *tracefs,
                const struct fxt_kernel_tracepoint *tracepoint, char *text)
{
    size_t length = read_file(text, FORMAT_BYTES, tracefs, tracepoint, "format");
    if (length == 0 || tep_parse_event(tep, text, (unsigned long)length, tracepoint->system) != 0)
        return -1;
    length = read_file(text, FORMAT_BYTES, tracefs, tracepoint, "id");
    text[length] = '\0';
    return length > 0 ? atoi(text) : -1;
}

int fxt_kernel_tracefs_load(struct tep_handle *tep, const char *tracefs,
                            const struct fxt_kernel_tracepoint *tracepoint)
{
    char *text = malloc(FORMAT_BYTES);
    int number = text != NULL ? load(tep, tracefs, tracepoint, text) : -1;
    free(text);
    return number;
}
