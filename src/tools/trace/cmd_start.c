/* trace start and trace stop: a recording in the background. The recording process tells its
   parent through a pipe that recording has started. Until then, it prints errors to the terminal.
   */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/tools/trace/recording.h"
#include "src/tools/trace/commands.h"

#define INHERITED_MAX 1024

static int parent; /* the write end of the pipe to the parent */
static bool inherited[INHERITED_MAX];

/* A lock or a pipe of the caller's would last as long as the recording. */
static void note_inherited(void)
{
    for (int fd = STDERR_FILENO + 1; fd < INHERITED_MAX; fd++)
        inherited[fd] = fcntl(fd, F_GETFD) >= 0;
}

/* Not before the output is open, which may be one of them, as in /dev/fd. */
static void close_inherited(void)
{
    for (int fd = STDERR_FILENO + 1; fd < INHERITED_MAX; fd++)
        if (inherited[fd])
            close(fd);
}

/* If it was interrupted meanwhile, nothing begins. */
static bool notify_parent(const char *output, bool is_kept)
{
    if (!background_detach(output, is_kept))
        return false;
    close_inherited();
    prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0);
    ssize_t told;
    do
        told = write(parent, "", 1);
    while (told < 0 && errno == EINTR);
    if (told < 0)
        message("cannot tell the process that started the recording: %s", strerror(errno));
    close(parent);
    return told == 1;
}

/* The background process, which SIGTERM ends in any case. Until it records, it ends with its parent:
   an output that is opened may take for ever. */
static _Noreturn void record(const struct trace_options *options, pid_t starter)
{
    setsid();
    signal(SIGTERM, SIG_DFL);
    enum exit_code code = EXIT_FINDINGS;
    prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0);
    if (getppid() == starter && background_claim()) {
        code = recording_run(options, notify_parent);
        background_leave(code);
    }
    fflush(stderr);
    _exit((int)code);
}

/* Ends a recording whose process id nobody gets. */
static enum exit_code give_up(pid_t process, const char *why)
{
    message("%s: %s; the recording is ended", why, strerror(errno));
    kill(process, SIGTERM);
    while (waitpid(process, NULL, 0) < 0 && errno == EINTR)
        continue;
    return EXIT_IO;
}

static enum exit_code print(pid_t process)
{
    printf("%ld\n", (long)process);
    return fflush(stdout) == 0 ? EXIT_CLEAN : give_up(process, "cannot print the process id");
}

static enum exit_code await_start(int pipe_end, pid_t process)
{
    char byte;
    int status;
    ssize_t got;
    do
        got = read(pipe_end, &byte, 1);
    while (got < 0 && errno == EINTR);
    if (got == 1)
        return print(process);
    if (got < 0)
        return give_up(process, "cannot learn whether the recording began");
    pid_t ended;
    do
        ended = waitpid(process, &status, 0);
    while (ended < 0 && errno == EINTR);
    if (ended == process && WIFEXITED(status) && WEXITSTATUS(status) != 0)
        return (enum exit_code)WEXITSTATUS(status);
    if (ended == process && WIFSIGNALED(status))
        message("the recording was ended before it began: %s", strsignal(WTERMSIG(status)));
    return EXIT_FINDINGS;
}

static enum exit_code start(const void *given)
{
    const struct trace_options *options = given;
    const char *output = options->result.output;
    int ends[2];
    if (child_shares_stdout(output)) { /* it tells the process id */
        message("start: --output-file=%s is not possible in the background", output);
        return EXIT_USAGE;
    }
    note_inherited();
    pid_t starter = getpid();
    pid_t process = pipe(ends) == 0 ? fork() : -1;
    if (process < 0) {
        message("cannot start a process in the background: %s", strerror(errno));
        return EXIT_IO;
    }
    close(ends[process == 0 ? 0 : 1]);
    parent = ends[1];
    if (process == 0)
        record(options, starter);
    return await_start(ends[0], process);
}

static enum exit_code stop(const void *options)
{
    (void)options;
    return background_stop();
}

static const struct operand_list none;

static const struct option_spec options_of_stop[] = {
    OPTION_END,
};

const struct command command_start = {
    .name = "start",
    .title = "Starts a recording in the background and prints its process id.",
    .usage = "",
    .options = start_options,
    .operands = OPERANDS_NONE,
    .defaults = &trace_default,
    .size = sizeof trace_default,
    .run = start,
};

const struct command command_stop = {
    .name = "stop",
    .title = "Ends the recording of `trace start` and waits until the trace is complete.",
    .usage = "",
    .options = options_of_stop,
    .operands = OPERANDS_NONE,
    .defaults = &none,
    .size = sizeof none,
    .run = stop,
};
