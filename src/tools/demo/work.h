/* The work that the demo traces: one process walks a directory tree, others compress its files.
   All compressors read jobs from one socket, and send their results through another at the end.
   Both sockets keep messages whole. */
#ifndef FXT_TOOLS_DEMO_WORK_H
#define FXT_TOOLS_DEMO_WORK_H

#include <limits.h>

#include "src/tools/demo/say.h"

enum { WORK_COMPRESSORS = 3, WORK_DEPTH = 64 };

#define WORK_FILE_BYTES (1u << 20) /* bytes read of each file */

/* A job; only the used bytes of its path are sent. */
struct job {
    uint64_t id; /* id of its flow and its async operation; from 1 */
    char path[PATH_MAX];
};

struct done {
    uint64_t bytes_in;
    uint64_t bytes_out;
};

struct work {
    const char *directory;
    uint64_t deadline; /* of now_ns */
    uint64_t file_max;
    int jobs; /* to the compressors */
    uint64_t files;
    uint64_t directories;
};

/* The walk. */
void work_walk(struct work *work);

/* A compressor: processes jobs until the other end is closed. */
void work_compress(int jobs, int results);

#endif
