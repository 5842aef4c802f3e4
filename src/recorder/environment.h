/* What the environment says of recording: FXT_TRACE_FILE and the variables beside it. */
#ifndef FXT_RECORDER_ENVIRONMENT_H
#define FXT_RECORDER_ENVIRONMENT_H

#include <limits.h>
#include <stddef.h>

#include <trace/file.h>

/* A variable, or NULL: secure_getenv, or a test's own. */
typedef char *fxt_i_getenv(const char *name);

struct fxt_i_environment {
    const char *file; /* NULL: nothing is recorded */
    struct fxt_trace_options options;
    const char *wrong; /* the variable that has no valid value, or NULL */
};

void fxt_i_environment_read(struct fxt_i_environment *out, fxt_i_getenv *get);

/* Writes the name of the file of the process `pid`: %p is its number, %% is one %. An image later than
   the first of the process, by exec, has its number at the end. 0, EINVAL for another %, or
   ENAMETOOLONG. */
int fxt_i_environment_path(char out[PATH_MAX], const char *file, long pid, unsigned image);

#endif
