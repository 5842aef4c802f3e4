/* The command that is traced. */
#ifndef FXT_TOOLS_TRACE_CHILD_H
#define FXT_TOOLS_TRACE_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

#include "src/tools/trace/record_options.h"

struct child {
    pid_t process; /* 0: none is running */
    bool ended;    /* by itself */
    int status;    /* of waitpid, when it has ended */
};

/* Whether there is such a command, or none is to be started: 0; else, after a message, what shells
   return: 127 when it is not there, 126 when it cannot be executed. */
int child_find(const struct trace_options *options);

/* Starts the command, if there is one. As child_find. */
int child_begin(struct child *child, const struct trace_options *options);

/* After SIGCHLD: whether the command has ended just now. */
bool child_has_ended(struct child *child);

/* Ends it: by SIGTERM, and when that takes longer than a few seconds, by SIGKILL. */
void child_end(struct child *child);

/* The exit code of a command that ended by itself: 128 + signal for a death by a signal. */
int child_code(const struct child *child);

#endif
