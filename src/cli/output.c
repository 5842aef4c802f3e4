/* Output of all commands. A struct output owns its buffer, its descriptor and, until it is
   renamed or removed, a temporary file, which a signal that ends the program removes. Errors are
   reported once, when they happen; a closed pipe is not reported. */
#include "src/cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/cli/progress.h"
#include "src/convert/printable.h"
#include "src/cli/cleanup.h"
#include "src/cli/size.h"

#define LINKS_MAX 40 /* as in Linux */
#define BUFFER_BYTES TOOL_SIZE((size_t)256 << 10)

/* Blocks signals between the creation of the file and cleanup_set. */
static int create_with_cleanup(char *path)
{
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    int fd = mkostemp(path, O_CLOEXEC);
    int why = errno;
    if (fd >= 0)
        cleanup_set(path);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = why;
    return fd;
}

static void report(const struct output *output)
{
    if (errno == EPIPE)
        return;
    if (output->path == NULL)
        message("write error: %s", strerror(errno));
    else
        message("%s: write error: %s", output->name, strerror(errno));
}

/* Escapes all but ends of lines and tabs. A character that is cut at the end counts as bytes. */
static size_t show(char *shown, const char *bytes, size_t size)
{
    char *to = shown;
    for (size_t at = 0; at < size; at++) {
        size_t line = at;
        while (at < size && bytes[at] != '\n' && bytes[at] != '\t')
            at++;
        to +=
            fxt_i_printable(to, FXT_I_PRINTABLE_GROWTH * (at - line) + 1, bytes + line, at - line);
        if (at < size)
            *to++ = bytes[at];
    }
    return (size_t)(to - shown);
}

static bool write_all(void *context, const char *bytes, size_t size)
{
    struct output *output = context;
    if (output->path == NULL)
        progress_hide();
    if (output->shown != NULL && !output->styled) {
        size = show(output->shown, bytes, size);
        bytes = output->shown;
    }
    if (output->fitted != NULL) {
        size = terminal_fit(&output->fit, output->fitted, bytes, size);
        bytes = output->fitted;
    }
    while (size > 0) {
        ssize_t done = write(output->fd, bytes, size);
        if (done >= 0) {
            bytes += done;
            size -= (size_t)done;
            output->begun = true;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            struct pollfd wait = {.fd = output->fd, .events = POLLOUT};
            poll(&wait, 1, -1);
        } else if (errno != EINTR) {
            report(output);
            return false;
        }
    }
    return true;
}

/* The path of what a link points to, from its directory. */
static char *target_of(const char *path)
{
    char target[PATH_MAX];
    const char *slash = strrchr(path, '/');
    ssize_t size = readlink(path, target, sizeof target);
    int folder = size > 0 && target[0] != '/' && slash != NULL ? (int)(slash + 1 - path) : 0;
    char *out = NULL;
    if (size > 0 && asprintf(&out, "%.*s%.*s", folder, path, (int)size, target) < 0)
        out = NULL;
    return out;
}

/* What a symbolic link points to is written or made, and the link stays. */
static char *follow(const char *path)
{
    char *real = realpath(path, NULL);
    if (real != NULL || (real = strdup(path)) == NULL)
        return real;
    for (int links = 0; links < LINKS_MAX; links++) {
        char *target = target_of(real);
        if (target == NULL)
            break;
        free(real);
        real = target;
    }
    return real;
}

/* Creates a file beside `path`, with the permissions of `old`, or the default ones if that is
   NULL. */
static int create_beside(struct output *output, const struct stat *old)
{
    static const char end[] = ".fxt-XXXXXX";
    const char *slash = strrchr(output->path, '/');
    size_t folder = slash != NULL ? (size_t)(slash + 1 - output->path) : 0;
    size_t name = strnlen(output->path + folder, NAME_MAX + 1 - sizeof end);
    size_t size = folder + name + sizeof end;
    output->temporary = malloc(size);
    if (output->temporary == NULL)
        return -1;
    snprintf(output->temporary, size, "%.*s%s", (int)(folder + name), output->path, end);
    int fd = create_with_cleanup(output->temporary);
    if (fd < 0)
        return -1;
    mode_t mask = umask(0);
    umask(mask);
    if (fchmod(fd, old != NULL ? old->st_mode & 0777u : 0666u & ~mask) != 0)
        message("%s: %s", output->temporary,
                strerror(errno)); /* permissions are only too narrow: go on */
    return fd;
}

static int open_path(struct output *output, const char *path)
{
    struct stat status;
    bool exists = stat(path, &status) == 0;
    if (!exists && errno != ENOENT)
        return -1;
    output->name = path;
    output->path = follow(path);
    if (output->path == NULL)
        return -1;
    if (exists && S_ISDIR(status.st_mode)) {
        errno = EISDIR;
        return -1;
    }
    if (exists && !S_ISREG(status.st_mode))
        return open(output->path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    return create_beside(output, exists ? &status : NULL);
}

static bool is_one_of(const char *path, const struct operand_list *inputs)
{
    struct stat output, input;
    if (path == NULL || inputs == NULL || stat(path, &output) != 0 || !S_ISREG(output.st_mode))
        return false;
    for (int i = 0; i < inputs->count; i++)
        if (stat(inputs->it[i], &input) == 0 && input.st_dev == output.st_dev &&
            input.st_ino == output.st_ino)
            return true;
    return false;
}

bool output_open(struct output *output, const char *path, const struct operand_list *inputs)
{
    *output = (struct output){.fd = STDOUT_FILENO};
    if (is_one_of(path, inputs)) {
        message("%s: the output would replace the input; name another file", path);
        return false;
    }
    if (path != NULL && strcmp(path, "-") != 0)
        output->fd = open_path(output, path);
    int why = errno;
    bool is_terminal = output->fd >= 0 && isatty(output->fd) == 1;
    output->out.bytes = malloc(BUFFER_BYTES);
    output->shown = is_terminal ? malloc(FXT_I_PRINTABLE_GROWTH * BUFFER_BYTES + 1) : NULL;
    if (output->fd < 0 || output->out.bytes == NULL || (is_terminal && output->shown == NULL)) {
        message("%s: %s", path != NULL ? path : "stdout", strerror(output->fd < 0 ? why : ENOMEM));
        output_discard(output);
        return false;
    }
    output->out.capacity = BUFFER_BYTES;
    output->out.flush = write_all;
    output->out.context = output;
    return true;
}

/* Without memory, lines wrap. */
void output_tables(struct output *output, enum terminal_colour wanted)
{
    output->styled = terminal_has_colours(output->fd, wanted);
    output->fit.columns = terminal_columns(output->fd);
    if (output->fit.columns != 0)
        output->fitted = malloc(TERMINAL_FIT_BYTES(FXT_I_PRINTABLE_GROWTH * BUFFER_BYTES + 1));
}

bool output_replaces(const struct output *output, const struct operand_list *inputs)
{
    return is_one_of(output->path, inputs);
}

/* After a message, if the output is a terminal. */
static bool is_refused(const char *path, const char *what)
{
    bool is_stdout = path == NULL || strcmp(path, "-") == 0;
    if (!is_stdout || isatty(STDOUT_FILENO) != 1)
        return false;
    message("stdout is a terminal: %s", what);
    return true;
}

bool output_open_trace(struct output *output, const char *path)
{
    return !is_refused(path, "write the trace to a file with -o, or to a pipe") &&
           output_open(output, path, NULL);
}

bool output_open_page(struct output *output, const char *path, const struct operand_list *inputs)
{
    return !is_refused(path, "write the page to a file with -o, or to a pipe") &&
           output_open(output, path, inputs);
}

static void release(struct output *output)
{
    if (output->temporary != NULL)
        cleanup_set(NULL);
    free(output->temporary);
    free(output->path);
    free(output->out.bytes);
    free(output->shown);
    free(output->fitted);
    *output = (struct output){.fd = -1};
}

/* The file system may report delayed errors at close, so stdout is closed, too. */
static bool close_checked(struct output *output)
{
    int fd = output->fd;
    output->fd = -1;
    if (close(fd) == 0 || errno == EINTR || (output->path == NULL && errno == EBADF))
        return true;
    report(output);
    return false;
}

enum exit_code output_commit(struct output *output)
{
    fxt_out_flush(&output->out);
    bool good = close_checked(output) && !output->out.failed;
    if (good && output->temporary != NULL && rename(output->temporary, output->path) != 0) {
        message("%s: %s", output->name, strerror(errno));
        good = false;
    }
    if (!good && output->temporary != NULL)
        unlink(output->temporary);
    release(output);
    return good ? EXIT_CLEAN : EXIT_IO;
}

void output_discard(struct output *output)
{
    if (output->path != NULL && output->fd >= 0) {
        close(output->fd);
        if (output->temporary != NULL)
            unlink(output->temporary);
    }
    release(output);
}

enum exit_code output_end(struct output *output, enum exit_code code, bool is_read)
{
    if (code == EXIT_IO && output->temporary == NULL) {
        if (is_read && !output->out.failed)
            fxt_out_flush(&output->out);
        if (output->begun && !output->out.failed)
            message("%s: the output is incomplete",
                    output->name != NULL ? output->name : "<stdout>");
    } else if (is_read && code != EXIT_IO) {
        return exit_worse(code, output_commit(output));
    } else if (is_read && !output->out.failed) {
        output_report_unwritten(output->name);
    }
    output_discard(output);
    return code;
}

void output_report_unwritten(const char *path)
{
    message("%s: not written: it would be incomplete", path);
}
