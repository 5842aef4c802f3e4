/* Recording from the first event of a program to its end, without its doing: FXT_TRACE_FILE.

   The state is `config`, which the constructor fills before the program has threads, and a forked child
   inherits. A recording that cannot start is told on standard error, and the program goes on.

   By the variable FXT_TRACE_PROCESS, an image that the process executes later knows that an earlier one
   has used the name. A child rewrites it in place, because it may not take the lock of setenv(3). */
#include "src/recorder/environment.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <fxt/buffer.h>

#include "src/engine/begin.h"
#include "src/recorder/recorder.h"

#define FILE_VARIABLE "FXT_TRACE_FILE"
#define PROCESS_VARIABLE "FXT_TRACE_PROCESS"
#define MARK_BYTES 64

static struct {
    char *file; /* NULL: nothing is recorded */
    char *categories;
    struct fxt_trace_options options;
    unsigned image; /* of this process, from 1 */
    char *mark;     /* FXT_TRACE_PROCESS=PID:IMAGE, in the environment */
    bool told;      /* that a child is not recorded */
} config;

/* 64K, 16M, 1G or bytes. 0 if it is no size of a buffer. */
static size_t read_size(const char *text)
{
    static const char units[] = "KMG";
    struct fxt_buffer_header header;
    char *end;

    if (*text < '0' || *text > '9')
        return 0;
    errno = 0;
    unsigned long long size = strtoull(text, &end, 10);
    const char *unit = *end != '\0' ? strchr(units, *end) : NULL;
    if (unit != NULL) {
        unsigned shift = 10 * (unsigned)(unit - units + 1);
        size = size <= FXT_BUFFER_BYTES_MAX ? size << shift : FXT_BUFFER_BYTES_MAX + 1;
        end++;
    }
    if (errno != 0 || *end != '\0' || size > SIZE_MAX ||
        fxt_buffer_sizes(&header, size, FXT_BUFFERING_STREAMING) != FXT_OK)
        return 0;
    return (size_t)size;
}

static bool read_mode(trace_buffering_mode_t *out, const char *text)
{
    static const char *const names[] = {"oneshot", "circular", "streaming"};

    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(text, names[i]) == 0) {
            *out = (trace_buffering_mode_t)i;
            return true;
        }
    return false;
}

void fxt_i_environment_read(struct fxt_i_environment *out, fxt_i_getenv *get)
{
    *out = (struct fxt_i_environment){.options.mode = TRACE_BUFFERING_MODE_STREAMING};
    const char *file = get(FILE_VARIABLE);
    const char *size = get("FXT_TRACE_BUFFER");
    const char *mode = get("FXT_TRACE_MODE");

    if (file == NULL || *file == '\0')
        return;
    out->file = file;
    out->options.categories = get("FXT_TRACE");
    if (size != NULL && *size != '\0') {
        out->options.buffer_bytes = read_size(size);
        if (out->options.buffer_bytes == 0)
            out->wrong = "FXT_TRACE_BUFFER is no size, such as 64K or 16M, that is a multiple of "
                         "4096 from 4K to 4G";
    }
    if (mode != NULL && *mode != '\0' && !read_mode(&out->options.mode, mode))
        out->wrong = "FXT_TRACE_MODE is not oneshot, circular or streaming";
}

static bool has_pid(const char *file)
{
    for (const char *at = file; (at = strchr(at, '%')) != NULL; at += 2) {
        if (at[1] == 'p')
            return true;
        if (at[1] == '\0')
            break;
    }
    return false;
}

int fxt_i_environment_path(char out[PATH_MAX], const char *file, long pid, unsigned image)
{
    size_t size = 0;

    for (const char *at = file; *at != '\0'; at++) {
        char text[24] = {*at};
        if (*at == '%') {
            at++;
            if (*at == 'p')
                snprintf(text, sizeof text, "%ld", pid);
            else if (*at != '%')
                return EINVAL;
        }
        size_t length = strlen(text);
        if (length >= PATH_MAX - size)
            return ENAMETOOLONG;
        memcpy(out + size, text, length + 1);
        size += length;
    }
    if (image > 1 && snprintf(out + size, PATH_MAX - size, ".%u", image) >= (int)(PATH_MAX - size))
        return ENAMETOOLONG;
    return 0;
}

/* One line, of printable characters. */
static void tell(const char *what, const char *path, const char *why)
{
    char line[PATH_MAX + 512];
    int size = snprintf(line, sizeof line, "%s: " FILE_VARIABLE ": %s '%s': %s",
                        program_invocation_short_name, what, path, why);

    if (size >= (int)sizeof line)
        size = (int)sizeof line - 1;
    for (int i = 0; i < size; i++)
        if ((unsigned char)line[i] < ' ' || line[i] == 127)
            line[i] = '?';
    line[size] = '\n';
    if (write(STDERR_FILENO, line, (size_t)size + 1) < 0)
        return; /* there is nobody to be told */
}

static const char *reason(int error, char *room, size_t size)
{
    switch (error) {
    case EBUSY:
        return "another recording writes it (%p in the name is the number of the process)";
    case EINVAL:
        return "it is no regular file, its name has a % that is not %p or %%, or FXT_TRACE has a "
               "space or a *";
    default:
        return strerror_r(error, room, size);
    }
}

/* A write has failed. The file has what the buffer holds. */
static void lost(const char *path, int error)
{
    char room[128];
    tell("records are lost of", path, strerror_r(error, room, sizeof room));
}

static void record(void)
{
    char path[PATH_MAX];
    char room[128];
    int error = fxt_i_environment_path(path, config.file, (long)getpid(), config.image);

    if (error != 0)
        snprintf(path, sizeof path, "%s", config.file);
    else
        error = fxt_i_trace_start_mapped(path, &config.options, lost);
    if (error != 0)
        tell("not recorded into", path, reason(error, room, sizeof room));
}

static void put_mark(void)
{
    snprintf(config.mark, MARK_BYTES, PROCESS_VARIABLE "=%ld:%u", (long)getpid(), config.image);
}

/* Which image of the process this is. */
static unsigned count_image(void)
{
    const char *mark = secure_getenv(PROCESS_VARIABLE);
    long pid = 0;
    unsigned image = 0;

    if (mark == NULL || sscanf(mark, "%ld:%u", &pid, &image) != 2 || pid != (long)getpid() ||
        image >= UINT_MAX / 2)
        return 1;
    return image + 1;
}

static void in_parent(void)
{
    config.told = true; /* by this child */
}

/* A child's file has its own number in the name. */
static void in_child(void)
{
    if (config.file == NULL || !fxt_i_trace_in_child())
        return;
    config.image = 1;
    if (has_pid(config.file)) {
        put_mark();
        record();
    } else if (!config.told) {
        tell("not recorded into", config.file,
             "a forked child has no file of its own without %p in the name");
    }
}

/* Copies what the program may change. False if there is no memory. */
static bool keep(const struct fxt_i_environment *from)
{
    const char *categories = from->options.categories != NULL ? from->options.categories : "";

    config.options = from->options;
    config.file = strdup(from->file);
    config.categories = strdup(categories);
    config.mark = malloc(MARK_BYTES);
    config.options.categories = config.categories;
    return config.file != NULL && config.categories != NULL && config.mark != NULL;
}

void fxt_i_record_from_start(void)
{
    struct fxt_i_environment environment;

    fxt_i_environment_read(&environment, secure_getenv);
    if (environment.file == NULL)
        return;
    if (environment.wrong != NULL || !keep(&environment)) {
        config.file = NULL;
        tell("not recorded into", environment.file,
             environment.wrong != NULL ? environment.wrong : strerror(ENOMEM));
        return;
    }
    config.image = count_image();
    put_mark();
    putenv(config.mark);
    record();
    pthread_atfork(NULL, in_parent, in_child);
}
