/* The walker: depth first, without following links; a duration for each directory, and for each file
   the begin of a flow and of an async operation that a compressor will end. */
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "src/tools/demo/work.h"

struct level {
    DIR *directory;
    size_t path_length; /* of the directory, in struct walk.path */
};

struct walk {
    struct work *work;
    struct tracer *tracer;
    struct level levels[WORK_DEPTH];
    unsigned depth;
    char path[PATH_MAX];
};

static void enter(struct walk *walk)
{
    char safe[TRACER_INLINE_MAX];
    DIR *directory = walk->depth < WORK_DEPTH ? opendir(walk->path) : NULL;
    if (directory == NULL) {
        tracer_log(walk->tracer, "a directory is left out: it is too deep, or cannot be read");
        return;
    }
    struct fxt_arg path =
        fxt_make_string(tracer_string(walk->tracer, "path"), tracer_inline(safe, walk->path));
    tracer_event(walk->tracer, FXT_EVENT_DURATION_BEGIN, "directory", 0, &path, 1);
    walk->levels[walk->depth].directory = directory;
    walk->levels[walk->depth].path_length = strlen(walk->path);
    walk->depth++;
    walk->work->directories++;
}

static void leave(struct walk *walk)
{
    closedir(walk->levels[--walk->depth].directory);
    tracer_event(walk->tracer, FXT_EVENT_DURATION_END, "directory", 0, NULL, 0);
}

static void count_queue(struct walk *walk, unsigned queued)
{
    struct fxt_arg arg = fxt_make_uint32(tracer_string(walk->tracer, "files"), queued);
    tracer_event(walk->tracer, FXT_EVENT_COUNTER, "queue", 0, &arg, 1);
}

/* Waits for room in the queue. */
static void offer(struct walk *walk)
{
    struct work *work = walk->work;
    uint64_t start = tracer_now();
    uint64_t id = work->files + 1;

    tracer_event(walk->tracer, FXT_EVENT_ASYNC_BEGIN, "file", id, NULL, 0);
    tracer_event(walk->tracer, FXT_EVENT_FLOW_BEGIN, "file", id, NULL, 0);
    pthread_mutex_lock(&work->lock);
    while (work->count == WORK_QUEUE)
        pthread_cond_wait(&work->changed, &work->lock);
    struct job *job = &work->queue[(work->first + work->count) % WORK_QUEUE];
    memcpy(job->path, walk->path, sizeof job->path);
    job->id = id;
    unsigned queued = ++work->count;
    work->files++;
    pthread_cond_broadcast(&work->changed);
    pthread_mutex_unlock(&work->lock);
    tracer_complete(walk->tracer, "offer", start, NULL, 0);
    count_queue(walk, queued);
}

static void visit(struct walk *walk, const char *name)
{
    size_t length = walk->levels[walk->depth - 1].path_length;
    struct stat status;

    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return;
    if (length + 1 + strlen(name) + 1 > sizeof walk->path)
        return;
    snprintf(walk->path + length, sizeof walk->path - length, "/%s", name);
    if (lstat(walk->path, &status) != 0)
        return;
    if (S_ISDIR(status.st_mode))
        enter(walk);
    else if (S_ISREG(status.st_mode))
        offer(walk);
}

static bool enough(const struct work *work)
{
    return work->files >= work->file_max || tracer_now() >= work->deadline;
}

void work_walk(struct work *work, struct tracer *tracer)
{
    static struct walk walk;

    memset(&walk, 0, sizeof walk);
    walk.work = work;
    walk.tracer = tracer;
    snprintf(walk.path, sizeof walk.path, "%s", work->directory);
    enter(&walk);
    while (walk.depth > 0) {
        struct level *level = &walk.levels[walk.depth - 1];
        const struct dirent *entry = enough(work) ? NULL : readdir(level->directory);
        walk.path[level->path_length] = '\0';
        if (entry == NULL)
            leave(&walk);
        else
            visit(&walk, entry->d_name);
    }
    pthread_mutex_lock(&work->lock);
    work->closed = true;
    pthread_cond_broadcast(&work->changed);
    pthread_mutex_unlock(&work->lock);
    tracer_event(tracer, FXT_EVENT_INSTANT, "walk done", 0, NULL, 0);
}
