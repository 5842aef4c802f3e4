/* trace-manager: the manager as a daemon. It accepts open sockets from systemd, and notifies
   systemd when it is ready. */
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <trace-manager/manager.h>

#include "src/cli/options.h"
#include "src/cli/repeated.h"

#define FIRST_GIVEN 3          /* the first descriptor that systemd passes */
#define STOP_TIMEOUT_MAX 86400 /* seconds: a day */

static trace_manager_t *manager;

const struct program program = {
    .name = "trace-manager",
    .help_end = "The configuration is JSON: {\"categories\": {name: description},\n"
                "\"groups\": {name: [category, ...]}}. The sockets are in $FXT_TRACE_DIR,\n"
                "$XDG_RUNTIME_DIR/fxt-trace or /tmp/fxt-trace-UID.\n"
                "Exit status: 0 success, 1 failure, 2 usage. Manual page: man trace-manager\n",
};

static void on_signal(int number)
{
    if (!signal_is_repeated(number))
        trace_manager_quit(manager);
}

static void log_line(void *data, const char *line)
{
    (void)data;
    message("%s", line);
}

/* Finds the sockets that systemd passed, by their names: FileDescriptorName of the socket units. */
static void take_given(struct trace_manager_options *options)
{
    const char *process = secure_getenv("LISTEN_PID");
    const char *count = secure_getenv("LISTEN_FDS");
    const char *names = secure_getenv("LISTEN_FDNAMES");

    if (process == NULL || count == NULL || names == NULL || atol(process) != (long)getpid())
        return;
    for (int i = 0; i < atoi(count) && names != NULL; i++) {
        size_t length = strcspn(names, ":");
        if (length == 8 && memcmp(names, "registry", 8) == 0)
            options->registry = FIRST_GIVEN + i;
        if (length == 10 && memcmp(names, "controller", 10) == 0)
            options->controller = FIRST_GIVEN + i;
        names = names[length] == ':' ? names + length + 1 : NULL;
    }
    unsetenv("LISTEN_PID");
    unsetenv("LISTEN_FDS");
    unsetenv("LISTEN_FDNAMES");
}

/* Like sd_notify. */
static void notify_systemd(const char *state)
{
    const char *path = secure_getenv("NOTIFY_SOCKET");
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    if (path == NULL || (path[0] != '/' && path[0] != '@') ||
        strlen(path) >= sizeof address.sun_path)
        return;
    strcpy(address.sun_path, path);
    if (path[0] == '@')
        address.sun_path[0] = '\0';
    int socket_to = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (socket_to < 0)
        return;
    sendto(socket_to, state, strlen(state), MSG_NOSIGNAL, (const struct sockaddr *)&address,
           (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(path)));
    close(socket_to);
}

/* The options. */

static bool set_text(void *member, const struct option_spec *spec, const char *value)
{
    (void)spec;
    *(const char **)member = value;
    return true;
}

static bool set_stop_timeout(void *member, const struct option_spec *spec, const char *value)
{
    (void)spec;
    char *end;
    double seconds = strtod(value, &end);
    bool good = end != value && *end == '\0' && seconds > 0 && seconds <= STOP_TIMEOUT_MAX;
    if (good)
        *(unsigned *)member = (unsigned)(seconds * 1000) + 1;
    return good;
}

static const struct option_spec table[] = {
    {"config", 0, "FILE", "configuration: descriptions of categories, and groups", set_text,
     offsetof(struct trace_manager_options, config)},
    {"directory", 0, "DIR", "directory of the sockets, instead of the usual one", set_text,
     offsetof(struct trace_manager_options, directory)},
    {"stop-timeout", 0, "SECONDS", "how long to wait for providers to stop, up to 86400 (5)",
     set_stop_timeout, offsetof(struct trace_manager_options, stop_timeout_ms)},
    OPTION_END,
};

static const struct command command = {
    .name = "",
    .title = "Records the trace providers of this user, as clients such as `trace` request.",
    .usage = "",
    .options = table,
    .operands = OPERANDS_NONE,
};

static const int ends[] = {SIGINT, SIGTERM, SIGHUP};

/* SIGHUP stays ignored if nohup(1) ignores it. */
static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal};
    struct sigaction hangup;

    sigaction(SIGHUP, NULL, &hangup);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (ends[i] != SIGHUP || hangup.sa_handler != SIG_IGN)
            sigaction(ends[i], &action, NULL);
    signal(SIGPIPE, SIG_IGN);
}

/* There is no manager to quit any more. */
static void release_signals(void)
{
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        signal(ends[i], ends[i] == SIGHUP ? SIG_IGN : SIG_DFL);
}

int main(int argc, char **argv)
{
    struct trace_manager_options options = TRACE_MANAGER_OPTIONS_INIT;
    struct operand_list none;
    char why[200];

    switch (options_parse(&options, &none, &command, argc, argv)) {
    case OPTIONS_DONE:
        return was_printed() ? EXIT_SUCCESS : EXIT_FAILURE;
    case OPTIONS_USAGE:
        return EXIT_USAGE;
    case OPTIONS_RUN:
        break;
    }
    options.log = log_line;
    take_given(&options);
    if ((options.registry < 0) != (options.controller < 0)) {
        message("systemd passed only one of the sockets registry and controller; see --help");
        return EXIT_USAGE;
    }
    if (trace_manager_create(&options, &manager, why) != 0) {
        message("%s", why);
        return EXIT_FAILURE;
    }
    catch_signals();
    notify_systemd("READY=1");
    trace_manager_run(manager);
    release_signals();
    notify_systemd("STOPPING=1");
    trace_manager_destroy(manager);
    return EXIT_SUCCESS;
}
