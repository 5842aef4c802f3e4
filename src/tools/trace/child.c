/* Starting and ending the command. A struct child owns the process until it has been waited for. */
#include "src/tools/trace/recording.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "src/cli/program.h"

#define PATIENCE_MS 5000
#define STEP_MS 10

/* Returns 0 or an errno value. An error of an existing file takes precedence over a missing file.
   */
static int find_in_path(const char *name)
{
    const char *path = secure_getenv("PATH");
    int error = ENOENT;
    char *copy = strdup(path != NULL ? path : "/bin:/usr/bin");
    char *rest = copy;
    while (rest != NULL) {
        char file[PATH_MAX];
        const char *directory = strsep(&rest, ":");
        snprintf(file, sizeof file, "%s/%s", *directory != '\0' ? directory : ".", name);
        if (access(file, X_OK) == 0) {
            error = 0;
            break;
        }
        error = errno == EACCES ? EACCES : error;
    }
    free(copy);
    return error;
}

static int tell(const char *name, int error)
{
    if (error == 0)
        return 0;
    message("%s: %s", name, strerror(error));
    return error == ENOENT ? 127 : 126;
}

int child_find(const struct trace_options *options)
{
    if (options->result.operands.count == 0)
        return 0;
    const char *name = options->result.operands.it[0];
    if (*name == '\0') {
        message("the command has no name");
        return 127;
    }
    if (strchr(name, '/') == NULL)
        return tell(name, find_in_path(name));
    return tell(name, access(name, X_OK) == 0 ? 0 : errno);
}

/* The command and all its arguments; NULL if there is no memory. */
static char **arguments(const struct trace_options *options)
{
    size_t given = (size_t)options->result.operands.count;
    char **list = calloc(given + options->appended.count + 1, sizeof *list);
    if (list == NULL)
        return NULL;
    for (size_t i = 0; i < given; i++)
        list[i] = options->result.operands.it[i];
    for (size_t i = 0; i < options->appended.count; i++)
        list[given + i] = (char *)(uintptr_t)options->appended.it[i];
    return list;
}

/* Resets the signals that this program ignores. */
static int spawn_with(pid_t *out, char **list, const posix_spawn_file_actions_t *actions,
                      const sigset_t *mask)
{
    posix_spawnattr_t attributes;
    sigset_t reset;
    int error = posix_spawnattr_init(&attributes);

    if (error != 0)
        return error;
    program_default_signals(&reset);
    posix_spawnattr_setsigdefault(&attributes, &reset);
    posix_spawnattr_setsigmask(&attributes, mask);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    error = posix_spawnp(out, list[0], actions, &attributes, list, environ);
    posix_spawnattr_destroy(&attributes);
    return error;
}

bool child_shares_stdout(const char *output)
{
    struct stat it, own;
    if (output == NULL || strcmp(output, "-") == 0)
        return output != NULL;
    return stat(output, &it) == 0 && fstat(STDOUT_FILENO, &own) == 0 && it.st_dev == own.st_dev &&
           it.st_ino == own.st_ino && (S_ISFIFO(it.st_mode) || S_ISSOCK(it.st_mode));
}

/* If the trace goes to standard output, the command's output goes to standard error. Returns 0 or
   an errno value. */
static int spawn(pid_t *out, char **list, const struct trace_options *options, const sigset_t *mask)
{
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);

    if (error != 0)
        return error;
    if (child_shares_stdout(options->result.output))
        error = posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
    if (error == 0)
        error = spawn_with(out, list, &actions, mask);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* child_find has seen the file, so what is missing is something that it names. */
static int report_spawn(const char *name, int error)
{
    if (error == ENOENT)
        message(
            "%s: the interpreter or loader that it names does not exist; a script's lines may not "
            "end with CR LF",
            name);
    else if (error == ENOEXEC)
        message("%s: %s; a script begins with #! and its interpreter", name, strerror(error));
    else
        return tell(name, error);
    return 126;
}

int child_begin(struct child *child, const struct trace_options *options, const sigset_t *mask)
{
    *child = (struct child){.process = 0};
    if (options->result.operands.count == 0)
        return 0;
    char **list = arguments(options);
    int error = list != NULL ? spawn(&child->process, list, options, mask) : ENOMEM;
    free(list);
    if (error == 0)
        return 0;
    child->process = 0;
    return report_spawn(options->result.operands.it[0], error);
}

bool child_has_ended(struct child *child)
{
    if (child->process == 0 || waitpid(child->process, &child->status, WNOHANG) <= 0)
        return false;
    child->process = 0;
    child->ended = true;
    return true;
}

static bool wait_for(struct child *child, int ms)
{
    const struct timespec step = {.tv_nsec = STEP_MS * 1000000};
    int status;
    for (; ms > 0; ms -= STEP_MS) {
        if (waitpid(child->process, &status, WNOHANG) != 0)
            return true;
        nanosleep(&step, NULL);
    }
    return false;
}

void child_end(struct child *child)
{
    if (child->process == 0)
        return;
    kill(child->process, SIGTERM);
    kill(child->process, SIGCONT);
    if (!wait_for(child, PATIENCE_MS)) {
        kill(child->process, SIGKILL);
        waitpid(child->process, &child->status, 0);
    }
    child->process = 0;
}

void child_tell(const struct child *child, const struct trace_options *options)
{
    int number = child->ended && WIFSIGNALED(child->status) ? WTERMSIG(child->status) : 0;
    if (number == 0 || number == SIGINT || number == SIGPIPE)
        return;
    message("%s: killed by signal %d (%s)", options->result.operands.it[0], number,
            strsignal(number));
}

int child_code(const struct child *child)
{
    if (!child->ended)
        return 0;
    return WIFSIGNALED(child->status) ? 128 + WTERMSIG(child->status) : WEXITSTATUS(child->status);
}
