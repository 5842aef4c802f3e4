/* One recording from its beginning to its end. */
#ifndef FXT_TOOLS_TRACE_RECORDING_H
#define FXT_TOOLS_TRACE_RECORDING_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include <trace-controller/controller.h>

#include "src/cli/message.h"
#include "src/tools/trace/record_options.h"
#include "src/tools/trace/signals.h"
#include "src/tools/trace/sink.h"

/* Records as the options say, with the command that they name, and returns the exit code. Calls
   `started`, unless it is NULL, when recording has started, with the name of the output and whether
   it keeps the records of a process that dies; if that returns false, after a message, nothing is
   recorded. */
enum exit_code recording_run(const struct trace_options *options,
                             bool (*started)(const char *output, bool is_kept));

/* The traced command. */

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

/* A thread that receives signals while the main thread waits for the manager or for the output.
   After a signal, both have only a moment. */

struct interrupt {
    trace_controller_t *controller;
    struct drain *drain;
    const struct signals *signals;
    bool interrupted; /* a signal has arrived; owned by the thread until interrupt_end */
    bool asks;        /* the manager only answers a question: it must not end the session yet */
    bool spares;      /* the manager has all the time it needs: only outputs are hurried */
    int hurry[2];     /* a pipe for sinks: readable after a signal */
    int end[2];       /* a pipe: closed to end the thread */
    bool runs;
    pthread_t thread;
};

/* Makes the pipe for sinks. False after a message. */
bool interrupt_open(struct interrupt *interrupt, const struct signals *signals, bool spares);

/* Starts the thread. If interrupted is already set, it acts as if a signal had just arrived. Nothing
   else may take signals until the end. */
void interrupt_begin(struct interrupt *interrupt, trace_controller_t *controller,
                     struct drain *drain);

/* The controller has answered: from now on, the thread hurries outputs only. */
void interrupt_end(struct interrupt *interrupt);

void interrupt_close(struct interrupt *interrupt);

/* Waiting for the end of a recording. */

enum end {
    END_COMMAND, /* it has exited */
    END_DURATION,
    END_SIGNAL,
    END_ALERT,
    END_OUTPUT,  /* the archive has ended, or the output fails */
    END_MANAGER, /* an error of the connection */
};

struct watch {
    const struct trace_options *options;
    struct host *host;
    trace_controller_t *controller;
    struct child *child;
    const struct signals *signals;
    struct interrupt *interrupt; /* while the manager is asked */
    struct drain *drain;
    int output; /* readable if the output has ended */
    int error;  /* error of END_MANAGER */
};

/* Waits until something ends the recording. Meanwhile, a line on the terminal shows the progress.
   With a command, which prints there too, it is a whole line every few seconds. */
enum end watch_run(struct watch *watch);

/* The file through which `trace stop` finds the process that `trace start` has left in the
   background. */

/* Makes this process the background process. False after a message if there already is one. */
bool background_claim(void);

/* From now on, stderr goes to the file that background_stop prints. The other standard
   descriptors are closed. If the process dies, background_stop says so of this output, and whether it
   has the records until then. False after a message. */
bool background_detach(const char *output, bool is_kept);

/* Records the exit code with which this process is about to exit. */
void background_leave(enum exit_code code);

/* Ends the background process, unless it has ended, and prints its report as it grows. Returns its
   exit code. */
enum exit_code background_stop(void);

#endif
