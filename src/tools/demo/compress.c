/* A compressor. It traces a duration for each file, with a read and a deflate inside, and ends
   the flow that the walker began. */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <trace/event.h>
#include <zlib.h>

#include "src/tools/demo/work.h"

static bool take(int jobs, struct job *job)
{
    ssize_t got = recv(jobs, job, sizeof *job, 0);
    return got > (ssize_t)offsetof(struct job, path) && got <= (ssize_t)sizeof *job;
}

/* Reads the first WORK_FILE_BYTES bytes of the file. */
static size_t read_file(uint8_t *bytes, const char *path)
{
    TRACE_DURATION("demo", "read");
    FILE *file = fopen(path, "rb");
    size_t size = 0;

    if (file == NULL) {
        say_log(strerror(errno));
    } else {
        size = fread(bytes, 1, WORK_FILE_BYTES, file);
        fclose(file);
    }
    return size;
}

static size_t deflate_file(uint8_t *out, const uint8_t *bytes, size_t size)
{
    TRACE_DURATION("demo", "deflate", "bytes", size);
    uLongf length = compressBound(WORK_FILE_BYTES);

    if (compress2(out, &length, bytes, size, 6) != Z_OK) {
        say_log("zlib failed");
        return 0;
    }
    if (length >= size)
        TRACE_INSTANT("demo", "no gain", TRACE_SCOPE_THREAD, "bytes", length, "ratio",
                      size > 0 ? (double)length / (double)size : 1.0);
    return length;
}

static void handle(const struct job *job, struct done *done, uint8_t *in, uint8_t *out)
{
    char safe[SAFE_BYTES];

    TRACE_DURATION_BEGIN("demo", "compress", "path", safe_text(safe, job->path));
    TRACE_FLOW_END("demo", "file", job->id);
    done->bytes_in = read_file(in, job->path);
    TRACE_INSTANT("demo", "size", TRACE_SCOPE_PROCESS, "bytes", done->bytes_in);
    done->bytes_out = deflate_file(out, in, done->bytes_in);
    TRACE_DURATION_END("demo", "compress");
}

void work_compress(int jobs, int results)
{
    struct done all = {0, 0};
    struct job *job = malloc(sizeof *job);
    uint8_t *in = malloc(WORK_FILE_BYTES);
    uint8_t *out = malloc(compressBound(WORK_FILE_BYTES));

    if (job == NULL || in == NULL || out == NULL)
        abort();
    while (take(jobs, job)) {
        struct done done;
        TRACE_ASYNC_BEGIN("demo", "file", job->id);
        handle(job, &done, in, out);
        all.bytes_in += done.bytes_in;
        all.bytes_out += done.bytes_out;
        TRACE_COUNTER("demo", "bytes", 0, "in", all.bytes_in, "out", all.bytes_out);
        TRACE_ASYNC_END("demo", "file", job->id);
    }
    send(results, &all, sizeof all, MSG_NOSIGNAL);
    free(out);
    free(in);
    free(job);
}
