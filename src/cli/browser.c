/* The command that opens a browser. No state. It runs in a session of its own, without the terminal,
   where Ctrl-C does not reach it. One that goes on for PATIENCE_MS is the browser itself. */
#include "src/cli/browser.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "src/cli/message.h"
#include "src/cli/program.h"

#define WORDS_MAX 16u
#define COMMAND_BYTES 1024u
#define PATIENCE_MS 2000
#define STEP_MS 20

/* An errno value. */
static int start(pid_t *process, char *const *words)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    sigset_t signals;
    int error = posix_spawn_file_actions_init(&files);
    if (error != 0)
        return error;
    for (int fd = 0; fd <= STDERR_FILENO && error == 0; fd++)
        error = posix_spawn_file_actions_addopen(&files, fd, "/dev/null", O_RDWR, 0);
    if (error == 0)
        error = posix_spawnattr_init(&how);
    if (error == 0) {
        posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK |
                                           POSIX_SPAWN_SETSIGDEF);
        sigemptyset(&signals);
        posix_spawnattr_setsigmask(&how, &signals);
        program_default_signals(&signals);
        posix_spawnattr_setsigdefault(&how, &signals);
        error = posix_spawnp(process, words[0], &files, &how, words, environ);
        posix_spawnattr_destroy(&how);
    }
    posix_spawn_file_actions_destroy(&files);
    return error;
}

/* Whether it ended well, or goes on. */
static bool works(pid_t process)
{
    static const struct timespec step = {.tv_nsec = STEP_MS * 1000000L};
    int status = 0;
    pid_t ended = 0;
    for (int ms = 0; ms < PATIENCE_MS && ended == 0; ms += STEP_MS) {
        nanosleep(&step, NULL);
        ended = waitpid(process, &status, WNOHANG);
    }
    return ended <= 0 || status == 0;
}

/* A command of $BROWSER: words, of which %s stands for the page, or else the page comes last. Returns
   whether it showed the page. */
static bool run(const char *command, size_t size, const char *path)
{
    char text[COMMAND_BYTES];
    char *words[WORDS_MAX + 2];
    char *rest = NULL;
    size_t count = 0;
    bool has_page = false;
    pid_t process;
    char *page = strdup(path);
    snprintf(text, sizeof text, "%.*s", (int)size, command);
    for (char *word = strtok_r(text, " ", &rest); word != NULL && count < WORDS_MAX;
         word = strtok_r(NULL, " ", &rest)) {
        bool is_page = strcmp(word, "%s") == 0;
        has_page |= is_page;
        words[count++] = is_page ? page : word;
    }
    bool is_command = page != NULL && count > 0 && size < sizeof text;
    if (!has_page)
        words[count++] = page;
    words[count] = NULL;
    bool good = is_command && start(&process, words) == 0 && works(process);
    free(page);
    return good;
}

static bool has_display(void)
{
    const char *x = secure_getenv("DISPLAY");
    const char *wayland = secure_getenv("WAYLAND_DISPLAY");
    return (x != NULL && *x != '\0') || (wayland != NULL && *wayland != '\0');
}

bool browser_open(const char *path)
{
    static const char fallback[] = "xdg-open";
    const char *wanted = secure_getenv("BROWSER");
    bool is_wanted = wanted != NULL && *wanted != '\0';
    if (!is_wanted && !has_display()) {
        message("there is no display; open %s in a browser, or set BROWSER to its command", path);
        return false;
    }
    const char *commands = is_wanted ? wanted : fallback;
    for (const char *at = commands; *at != '\0'; at += *at == ':') {
        size_t size = strcspn(at, ":");
        if (run(at, size, path))
            return true;
        at += size;
    }
    message("'%s' does not open a browser; open %s in one, or set BROWSER to its command", commands,
            path);
    return false;
}
