/* trace-manager: the manager as a daemon. Sockets that systemd has opened are taken over; systemd is
   told when it is ready. */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <trace-manager/manager.h>

#include "src/terminal/printable.h"

#define FIRST_GIVEN 3 /* descriptor, of those that systemd gives */

static trace_manager_t *manager;

static const char help[] =
    "usage: trace-manager [options]\n"
    "\n"
    "Records the programs of this user that are trace providers, as `trace` asks for.\n"
    "\n"
    "  --config FILE           JSON: {\"categories\": {name: description},\n"
    "                          \"groups\": {name: [category, ...]}}\n"
    "  --directory DIR         of its sockets; default: $FXT_TRACE_DIR,\n"
    "                          $XDG_RUNTIME_DIR/fxt-trace or /tmp/fxt-trace-UID\n"
    "  --stop-timeout SECONDS  that providers have to stop; default 5\n"
    "  --help, --version\n";

static void on_signal(int number)
{
    (void)number;
    trace_manager_quit(manager);
}

static void print_line(void *data, const char *line)
{
    char shown[2048];
    (void)data;
    fxt_i_printable(shown, sizeof shown, line, strlen(line));
    fprintf(stderr, "trace-manager: %s\n", shown);
}

/* Which of the sockets that systemd gives is which: by their names, FDNAME of the socket units. */
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

/* What sd_notify does. */
static void tell_systemd(const char *state)
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

static int usage(const char *wrong)
{
    print_line(NULL, wrong);
    print_line(NULL, "see --help");
    return 2;
}

static int usage_of(const char *option)
{
    char wrong[1024];
    snprintf(wrong, sizeof wrong, "unknown option, or its value is missing: '%s'", option);
    return usage(wrong);
}

/* -1: go on; else the exit code. */
static int parse(struct trace_manager_options *options, int argc, char **argv)
{
    static const struct option known[] = {{"config", required_argument, NULL, 'c'},
                                          {"directory", required_argument, NULL, 'd'},
                                          {"stop-timeout", required_argument, NULL, 's'},
                                          {"help", no_argument, NULL, 'h'},
                                          {"version", no_argument, NULL, 'v'},
                                          {NULL, 0, NULL, 0}};
    int option;
    char *end;

    opterr = 0;
    while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
        switch (option) {
        case 'c':
            options->config = optarg;
            break;
        case 'd':
            options->directory = optarg;
            break;
        case 's':
            errno = 0;
            double seconds = strtod(optarg, &end);
            if (end == optarg || *end != '\0' || !(seconds > 0 && seconds <= 86400))
                return usage("--stop-timeout takes seconds, more than 0, at most 86400");
            options->stop_timeout_ms = (unsigned)(seconds * 1000) + 1;
            break;
        case 'h':
            fputs(help, stdout);
            return 0;
        case 'v':
            puts("trace-manager " TRACE_MANAGER_VERSION);
            return 0;
        default:
            return usage_of(argv[optind - 1]);
        }
    }
    return optind == argc ? -1 : usage("takes options only");
}

static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal};

    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
}

int main(int argc, char **argv)
{
    struct trace_manager_options options = TRACE_MANAGER_OPTIONS_INIT;
    char message[200];
    int code = parse(&options, argc, argv);

    if (code >= 0)
        return code;
    options.log = print_line;
    take_given(&options);
    if ((options.registry < 0) != (options.controller < 0))
        return usage("systemd gave one of the sockets registry and controller, not both");
    if (trace_manager_create(&options, &manager, message) != 0) {
        print_line(NULL, message);
        return 1;
    }
    catch_signals();
    tell_systemd("READY=1");
    trace_manager_run(manager);
    tell_systemd("STOPPING=1");
    trace_manager_destroy(manager);
    return 0;
}
