/* The traced command. */
#ifndef FXT_TOOLS_TRACE_CHILD_H
#define FXT_TOOLS_TRACE_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "src/tools/trace/record_options.h"

struct child {
    pid_t process; /* 0: not running */
    bool ended;    /* it ended by itself */
    int status;    /* from waitpid, if it has ended */
};

/* Checks that the command exists. Returns 0 if it does, or if there is no command. Otherwise
   prints a message and returns the exit code of shells: 127 if it does not exist, 126 if it
   cannot be executed. */
int child_find(const struct trace_options *options);

/* Whether an output is the pipe or the socket that is standard output, under any name, such as
   /dev/stdout. A file that two write to is told at the end. */
bool child_shares_stdout(const char *output);

/* Starts the command, if there is one, with that mask of signals. Returns values like child_find. */
int child_begin(struct child *child, const struct trace_options *options, const sigset_t *mask);

/* Call after SIGCHLD: whether the command has just ended. */
bool child_has_ended(struct child *child);

/* Ends the command with SIGTERM, and after a few seconds with SIGKILL. */
void child_end(struct child *child);

/* Reports a signal that killed the command, as a shell does: SIGINT and SIGPIPE are not reported. */
void child_tell(const struct child *child, const struct trace_options *options);

/* The exit code of a command that ended by itself: 128 + signal if a signal killed it. */
int child_code(const struct child *child);

#endif
