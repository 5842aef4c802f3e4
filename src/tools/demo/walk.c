/* The walker: depth first, without following links. It traces a duration for each directory, and
   for each file the begin of a flow that ends in a compressor. */
#include <dirent.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <trace/event.h>

#include "src/tools/demo/work.h"

struct level {
    DIR *directory;
    size_t path_length; /* length of the directory's path in struct walk.path */
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

/* Waits while the compressors are busy. */
static bool send_job(struct walk *walk, uint64_t id)
{
    TRACE_DURATION("demo", "offer");
    struct job job = {.id = id};
    size_t length = strlen(walk->path) + 1;

    memcpy(job.path, walk->path, length);
    return send(walk->work->jobs, &job, offsetof(struct job, path) + length, MSG_NOSIGNAL) > 0;
}

static void offer(struct walk *walk)
{
    uint64_t id = walk->work->files + 1;

    TRACE_FLOW_BEGIN("demo", "file", id);
    if (!send_job(walk, id))
        walk->work->file_max = 0; /* the compressors have ended */
    walk->work->files++;
    TRACE_COUNTER("demo", "files", 0, "offered", walk->work->files);
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
    TRACE_INSTANT("demo", "walk done", TRACE_SCOPE_THREAD);
}
