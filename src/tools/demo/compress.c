/* The compressors: a duration for each file, in it a read and a deflate; the flow and the async
   operation that the walker began end here. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <trace/event.h>
#include <zlib.h>

#include "src/tools/demo/work.h"

static bool take(struct work *work, struct job *job)
{
    pthread_mutex_lock(&work->lock);
    while (work->count == 0 && !work->closed)
        pthread_cond_wait(&work->changed, &work->lock);
    bool taken = work->count > 0;
    if (taken) {
        *job = work->queue[work->first];
        work->first = (work->first + 1) % WORK_QUEUE;
        work->count--;
        pthread_cond_broadcast(&work->changed);
    }
    pthread_mutex_unlock(&work->lock);
    return taken;
}

/* Its first WORK_FILE_BYTES bytes. */
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

static void count(struct compressor *self, size_t in, size_t out)
{
    struct work *work = self->work;

    pthread_mutex_lock(&work->lock);
    work->bytes_in += in;
    work->bytes_out += out;
    uint64_t bytes_in = work->bytes_in;
    uint64_t bytes_out = work->bytes_out;
    pthread_mutex_unlock(&work->lock);
    TRACE_COUNTER("demo", "bytes", 0, "in", bytes_in, "out", bytes_out);
}

static void handle(struct compressor *self, const struct job *job, uint8_t *in, uint8_t *out)
{
    char safe[SAFE_BYTES];

    TRACE_DURATION_BEGIN("demo", "compress", "path", safe_text(safe, job->path));
    TRACE_FLOW_END("demo", "file", job->id);
    size_t size = read_file(in, job->path);
    TRACE_ASYNC_INSTANT("demo", "file", job->id, "bytes", size);
    size_t length = deflate_file(out, in, size);
    count(self, size, length);
    TRACE_ASYNC_END("demo", "file", job->id);
    TRACE_DURATION_END("demo", "compress");
}

void *work_compress(void *argument)
{
    static const char *const names[WORK_COMPRESSORS] = {"compressor 1", "compressor 2",
                                                        "compressor 3"};
    struct compressor *self = argument;
    struct job *job = malloc(sizeof *job);
    uint8_t *in = malloc(WORK_FILE_BYTES);
    uint8_t *out = malloc(compressBound(WORK_FILE_BYTES));

    name_thread(names[self->number]);
    if (job == NULL || in == NULL || out == NULL)
        abort();
    while (take(self->work, job))
        handle(self, job, in, out);
    free(out);
    free(in);
    free(job);
    return NULL;
}
