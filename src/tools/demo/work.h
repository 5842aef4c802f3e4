/* The work that the demo traces: one thread walks a directory tree, others compress its files. */
#ifndef FXT_TOOLS_DEMO_WORK_H
#define FXT_TOOLS_DEMO_WORK_H

#include <limits.h>
#include <pthread.h>

#include "src/tools/demo/say.h"

enum { WORK_COMPRESSORS = 3, WORK_QUEUE = 32, WORK_DEPTH = 64 };

#define WORK_FILE_BYTES (1u << 20) /* read of each file */

struct job {
    char path[PATH_MAX];
    uint64_t id; /* of its flow and its async operation; from 1 */
};

struct work {
    const char *directory;
    uint64_t deadline; /* of now_ns */
    uint64_t file_max;
    pthread_mutex_t lock; /* of all below */
    pthread_cond_t changed;
    struct job queue[WORK_QUEUE];
    unsigned first;
    unsigned count;
    bool closed; /* the walker is done */
    uint64_t files;
    uint64_t directories;
    uint64_t bytes_in;
    uint64_t bytes_out;
};

struct compressor {
    struct work *work;
    pthread_t thread;
    unsigned number;
    bool started;
};

/* The walk, on the calling thread; closes the queue. */
void work_walk(struct work *work);

/* A thread: takes jobs until the queue is closed and empty. The argument is a struct compressor. */
void *work_compress(void *argument);

#endif
