/* The walker: depth first, without following links; a duration for each directory, and for each file
   the begin of a flow and of an async operation that a compressor will end. */
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <trace/event.h>

#include "src/tools/demo/work.h"

struct level {
    DIR *directory;
    size_t path_length; /* of the directory, in struct walk.path */
};

struct walk {
    struct work *work;
    struct level levels[WORK_DEPTH];
    unsigned depth;
    char path[PATH_MAX];
};

static void enter(struct walk *walk)
{
    char safe[SAFE_BYTES];
    DIR *directory = walk->depth < WORK_DEPTH ? opendir(walk->path) : NULL;

    if (directory == NULL) {
        say_log("a directory is left out: it is too deep, or cannot be read");
        return;
    }
    TRACE_DURATION_BEGIN("demo", "directory", "path", safe_text(safe, walk->path));
    walk->levels[walk->depth].directory = directory;
    walk->levels[walk->depth].path_length = strlen(walk->path);
    walk->depth++;
    walk->work->directories++;
}

static void leave(struct walk *walk)
{
    closedir(walk->levels[--walk->depth].directory);
    TRACE_DURATION_END("demo", "directory");
}

/* Waits for room in the queue. */
static unsigned enqueue(struct walk *walk, uint64_t id)
{
    TRACE_DURATION("demo", "offer");
    struct work *work = walk->work;

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
    return queued;
}

static void offer(struct walk *walk)
{
    uint64_t id = walk->work->files + 1;

    TRACE_ASYNC_BEGIN("demo", "file", id);
    TRACE_FLOW_BEGIN("demo", "file", id);
    unsigned queued = enqueue(walk, id);
    TRACE_COUNTER("demo", "queue", 0, "files", queued);
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
    return work->files >= work->file_max || now_ns() >= work->deadline;
}

void work_walk(struct work *work)
{
    static struct walk walk;

    memset(&walk, 0, sizeof walk);
    walk.work = work;
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
    TRACE_INSTANT("demo", "walk done", TRACE_SCOPE_THREAD);
}
