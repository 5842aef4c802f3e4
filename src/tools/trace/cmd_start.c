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

#include "src/tools/trace/background.h"
#include "src/tools/trace/child.h"
#include "src/tools/trace/commands.h"
#include "src/tools/trace/recording.h"

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
static bool tell_parent(const char *output)
{
    if (!background_detach(output))
        return false;
    close_inherited();
    prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0);
    bool told = write(parent, "", 1) == 1;
    if (!told)
        message("the process that started the recording has exited");
    close(parent);
    return told;
}

/* The background process, which SIGTERM ends in any case. Until it records, it ends with its parent:
   an output that is opened may take for ever. */
static _Noreturn void record(const struct options *options, pid_t starter)
{
    setsid();
    signal(SIGTERM, SIG_DFL);
    enum exit_code code = EXIT_FINDINGS;
    prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0);
    if (getppid() == starter && background_claim()) {
        code = recording_run(trace_options_of(options), tell_parent);
        background_leave(code);
    }
    fflush(stderr);
    _exit((int)code);
}

/* A recording whose process id nobody gets is ended. */
static enum exit_code print(pid_t process)
{
    printf("%ld\n", (long)process);
    if (fflush(stdout) == 0)
        return EXIT_CLEAN;
    message("write error: %s; the recording is ended, for its process id cannot be printed",
            strerror(errno));
    kill(process, SIGTERM);
    while (waitpid(process, NULL, 0) < 0 && errno == EINTR)
        continue;
    return EXIT_IO;
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
    bool is_known = waitpid(process, &status, 0) == process;
    if (is_known && WIFEXITED(status) && WEXITSTATUS(status) != 0)
        return (enum exit_code)WEXITSTATUS(status);
    if (is_known && WIFSIGNALED(status))
        message("the recording was ended before it began: %s", strsignal(WTERMSIG(status)));
    return EXIT_FINDINGS;
}

static enum exit_code start(const struct options *options)
{
    int ends[2];
    if (child_shares_stdout(options->output)) { /* it tells the process id */
        message("start: --output-file=%s is not possible in the background", options->output);
        return EXIT_USAGE;
    }
    note_inherited();
    if (pipe(ends) != 0) {
        message("%s", strerror(errno));
        return EXIT_IO;
    }
    pid_t starter = getpid();
    pid_t process = fork();
    if (process < 0) {
        message("%s", strerror(errno));
        return EXIT_IO;
    }
    close(ends[process == 0 ? 0 : 1]);
    parent = ends[1];
    if (process == 0)
        record(options, starter);
    return await_start(ends[0], process);
}

static enum exit_code stop(const struct options *options)
{
    (void)options;
    return background_stop();
}

static const struct option_spec options_of_stop[] = {
    OPTION_END,
};

const struct command command_start = {
    .name = "start",
    .title = "Starts a recording in the background and prints its process id.",
    .usage = "",
    .options = start_options,
    .operands = OPERANDS_NONE,
    .run = start,
};

const struct command command_stop = {
    .name = "stop",
    .title = "Ends the recording of `trace start` and waits until the trace is complete.",
    .usage = "",
    .options = options_of_stop,
    .operands = OPERANDS_NONE,
    .run = stop,
};
