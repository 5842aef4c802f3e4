/* The managers of `trace record -- COMMAND`, which record the command alone. */
#ifndef FXT_TOOLS_TRACE_PRIVATE_H
#define FXT_TOOLS_TRACE_PRIVATE_H

#include <stdbool.h>
#include <sys/types.h>

#include <trace-controller/controller.h>

#include "src/cli/options.h"

/* The row of a command, in whose struct `member` is a pid_t; 0: the usual manager. */
#define OPTION_PID(type, member)                                                                   \
    {                                                                                              \
        "pid", 0, "PID", "of the `trace record -- COMMAND` with this process id", private_option,  \
            offsetof(type, member)                                                                 \
    }

bool private_option(void *member, const struct option_spec *spec, const char *value);

/* Makes the directory of such a manager of this process. usual: of the usual manager. False: errno. */
bool private_make(char out[TRACE_CONTROLLER_DIRECTORY_MAX], const char *usual, pid_t process);

/* Connects to that of a process. */
bool private_connect(pid_t process, trace_controller_t **controller);

/* A message for each that runs. */
void private_tell(void);

#endif
