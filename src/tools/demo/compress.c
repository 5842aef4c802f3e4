/* The compressors: a duration for each file, in it a read and a deflate; the flow and the async
   operation that the walker began end here. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
static size_t read_file(struct tracer *tracer, uint8_t *bytes, const char *path)
{
    uint64_t start = tracer_now();
    FILE *file = fopen(path, "rb");
    size_t size = 0;

    if (file == NULL) {
        tracer_log(tracer, strerror(errno));
    } else {
        size = fread(bytes, 1, WORK_FILE_BYTES, file);
        fclose(file);
    }
    struct fxt_arg arg = fxt_make_uint64(tracer_string(tracer, "bytes"), size);
    tracer_complete(tracer, "read", start, &arg, 1);
    return size;
}

static size_t deflate_file(struct tracer *tracer, uint8_t *out, const uint8_t *bytes, size_t size)
{
    uint64_t start = tracer_now();
    uLongf length = compressBound(WORK_FILE_BYTES);

    if (compress2(out, &length, bytes, size, 6) != Z_OK) {
        tracer_log(tracer, "zlib failed");
        return 0;
    }
    double ratio = size > 0 ? (double)length / (double)size : 1.0;
    struct fxt_arg args[] = {fxt_make_uint64(tracer_string(tracer, "bytes"), length),
                             fxt_make_double(tracer_string(tracer, "ratio"), ratio)};
    tracer_complete(tracer, "deflate", start, args, 2);
    if (length >= size)
        tracer_event(tracer, FXT_EVENT_INSTANT, "no gain", 0, args, 1);
    return length;
}

static void count(struct compressor *self, size_t in, size_t out)
{
    struct work *work = self->work;
    struct tracer *tracer = &self->tracer;

    pthread_mutex_lock(&work->lock);
    work->bytes_in += in;
    work->bytes_out += out;
    uint64_t bytes_in = work->bytes_in;
    uint64_t bytes_out = work->bytes_out;
    pthread_mutex_unlock(&work->lock);
    struct fxt_arg args[] = {fxt_make_uint64(tracer_string(tracer, "in"), bytes_in),
                             fxt_make_uint64(tracer_string(tracer, "out"), bytes_out)};
    tracer_event(tracer, FXT_EVENT_COUNTER, "bytes", 0, args, 2);
}

static void handle(struct compressor *self, const struct job *job, uint8_t *in, uint8_t *out)
{
    struct tracer *tracer = &self->tracer;
    char safe[TRACER_INLINE_MAX];
    struct fxt_arg path =
        fxt_make_string(tracer_string(tracer, "path"), tracer_inline(safe, job->path));

    tracer_event(tracer, FXT_EVENT_DURATION_BEGIN, "compress", 0, &path, 1);
    tracer_event(tracer, FXT_EVENT_FLOW_END, "file", job->id, NULL, 0);
    size_t size = read_file(tracer, in, job->path);
    tracer_event(tracer, FXT_EVENT_ASYNC_INSTANT, "file", job->id, NULL, 0);
    size_t length = deflate_file(tracer, out, in, size);
    count(self, size, length);
    tracer_event(tracer, FXT_EVENT_ASYNC_END, "file", job->id, NULL, 0);
    tracer_event(tracer, FXT_EVENT_DURATION_END, "compress", 0, NULL, 0);
}

void *work_compress(void *argument)
{
    static const char *const names[WORK_COMPRESSORS] = {"compressor 1", "compressor 2",
                                                        "compressor 3"};
    struct compressor *self = argument;
    struct job *job = malloc(sizeof *job);
    uint8_t *in = malloc(WORK_FILE_BYTES);
    uint8_t *out = malloc(compressBound(WORK_FILE_BYTES));

    tracer_begin(&self->tracer, "fxt demo", names[self->number]);
    if (job == NULL || in == NULL || out == NULL)
        abort();
    while (take(self->work, job))
        handle(self, job, in, out);
    free(out);
    free(in);
    free(job);
    return NULL;
}
