/* The manager: its loop, its sockets, its creation and its end. See state.h for its one thread. */
#include <poll.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "src/manager/manager.h"
#include "src/socket/signals.h"

#define STOP_MS 5000 /* for providers to stop */
#define QUIT_TRIES 8
#define PATIENCE_MS 2000 /* of who quits, before a log line tells of a second signal */
#define STALL_MS 60000   /* an output that accepts nothing for this long is given up */

static void on_registry(void *self, int events)
{
    struct trace_manager *manager = self;
    (void)events;
    if (fxt_i_provider_make_place(manager))
        fxt_i_manager_accept(manager, manager->registry, fxt_i_provider_accept);
    else
        fxt_i_watch_change(manager->registry_watch, 0);
}

static void on_controller(void *self, int events)
{
    struct trace_manager *manager = self;
    (void)events;
    if (fxt_i_client_make_place(manager))
        fxt_i_manager_accept(manager, manager->controller, fxt_i_client_accept);
    else
        fxt_i_manager_await_idle_client(manager);
}

/* Creation. */

static int fail(char message[200], int error, const char *what, const char *which)
{
    snprintf(message, 200, "%.110s: %.50s", which, what != NULL ? what : strerror(error));
    return error;
}

static int fail_loop(char message[200], int error)
{
    return fail(message, error,
                error == EMFILE ? "too many open files; 'ulimit -n' raises the limit" : NULL,
                "cannot create an event loop");
}

/* Why the directory cannot be used, in other words than strerror's; or NULL. */
static const char *about_directory(int error)
{
    switch (error) {
    case EADDRINUSE:
        return "another trace manager is running";
    case EINVAL:
        return "$FXT_TRACE_DIR must be an absolute path";
    case ENAMETOOLONG:
        return "the path of the sockets is too long";
    case EPERM:
        return "is not this user's alone (owner, mode 0700)";
    default:
        return NULL;
    }
}

static void remove_socket(const struct trace_manager *manager, const char *name)
{
    char path[FXT_I_DIRECTORY_MAX + 16];
    snprintf(path, sizeof path, "%s/%s", manager->directory, name);
    unlink(path);
}

/* All or nothing. */
static int make_sockets(struct trace_manager *manager, const char *directory, char message[200])
{
    int error = 0;

    if (directory == NULL)
        error = fxt_i_socket_directory(manager->directory);
    else if (snprintf(manager->directory, FXT_I_DIRECTORY_MAX, "%s", directory) >=
             FXT_I_DIRECTORY_MAX)
        error = ENAMETOOLONG;
    if (error == 0)
        error = fxt_i_socket_make_directory(manager->directory);
    if (error == 0)
        error = fxt_i_socket_listen(&manager->registry, manager->directory, FXT_I_REGISTRY);
    if (error == 0)
        error = fxt_i_socket_listen(&manager->controller, manager->directory, FXT_I_CONTROLLER);
    if (error != 0 && manager->registry >= 0)
        remove_socket(manager, FXT_I_REGISTRY);
    manager->sockets_are_ours = error == 0;
    return error == 0 ? 0 : fail(message, error, about_directory(error), manager->directory);
}

static void on_wake(void *self, int events);

static bool make_watches(struct trace_manager *manager)
{
    async_loop_t *loop = manager->loop;
    manager->wake_watch = fxt_i_watch_begin(loop, manager->wake, POLLIN, on_wake, manager);
    if (manager->wake_watch != NULL)
        manager->registry_watch =
            fxt_i_watch_begin(loop, manager->registry, POLLIN, on_registry, manager);
    if (manager->registry_watch != NULL)
        manager->controller_watch =
            fxt_i_watch_begin(loop, manager->controller, POLLIN, on_controller, manager);
    return manager->controller_watch != NULL;
}

/* Returns 0 or an errno value. */
static int make_loop(struct trace_manager *manager)
{
    zx_status_t status = async_loop_create(&kAsyncLoopConfigNoAttachToThread, &manager->loop);
    if (status != ZX_OK)
        return status == ZX_ERR_NO_MEMORY ? ENOMEM : errno;
    manager->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (manager->wake < 0 || !make_watches(manager))
        return errno;
    manager->spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
    return 0;
}

static int prepare(struct trace_manager *manager, const struct trace_manager_options *options,
                   char message[200])
{
    int error = 0;

    fxt_i_socket_open_standard();
    if ((manager->registry < 0) != (manager->controller < 0))
        return fail(message, EINVAL, NULL, "only one of the two sockets is given");
    if (options->config != NULL)
        error = fxt_i_config_read(&manager->config, options->config, message);
    if (error == 0 && manager->registry < 0)
        error = make_sockets(manager, options->directory, message);
    if (error != 0)
        return error;
    error = make_loop(manager);
    return error != 0 ? fail_loop(message, error) : 0;
}

int trace_manager_create(const struct trace_manager_options *options, trace_manager_t **out,
                         char message[200])
{
    struct trace_manager *manager = calloc(1, sizeof *manager);

    message[0] = '\0';
    if (manager == NULL)
        return fail(message, ENOMEM, NULL, "the manager");
    manager->registry = options->registry;
    manager->controller = options->controller;
    manager->spare = -1;
    manager->wake = -1;
    manager->log = options->log;
    manager->log_data = options->log_data;
    manager->fill = options->fill;
    manager->fill_data = options->fill_data;
    manager->stop_timeout_ms = options->stop_timeout_ms != 0 ? options->stop_timeout_ms : STOP_MS;
    manager->stall_timeout_ms =
        options->stall_timeout_ms != 0 ? options->stall_timeout_ms : STALL_MS;
    int error = prepare(manager, options, message);
    if (error != 0) {
        if (options->registry >= 0)
            manager->registry = -1; /* still the caller's */
        if (options->controller >= 0)
            manager->controller = -1;
        trace_manager_destroy(manager);
        return error;
    }
    if (manager->config.ignored != NULL)
        fxt_i_log_always(manager,
                         "%.100s: \"%s\" is ignored: it is neither \"categories\" nor \"groups\"",
                         options->config, manager->config.ignored);
    *out = manager;
    return 0;
}

int trace_manager_connect(trace_manager_t *manager)
{
    int ends[2];

    int error = fxt_i_socket_pair(ends);
    if (error != 0)
        return -error;
    fxt_i_client_accept(manager, ends[0]);
    return ends[1];
}

/* End. */

static void on_patience(void *self)
{
    struct trace_manager *manager = self;
    if (manager->session != NULL)
        fxt_i_log_always(manager, "waits for programs to stop and for the output to take the rest; "
                                  "a second SIGINT or SIGTERM ends it at once, and loses records");
}

static void on_wake(void *self, int events)
{
    static const struct fxt_i_client_request nobody;
    struct trace_manager *manager = self;
    eventfd_t times;

    (void)events;
    eventfd_read(manager->wake, &times);
    if (manager->session != NULL && manager->quitting)
        fxt_i_log_always(manager, "ends before the session; not all of it is in the output");
    if (manager->session == NULL || manager->quitting) {
        async_loop_quit(manager->loop);
        return;
    }
    manager->quitting = true;
    fxt_i_timer_begin(&manager->patience, manager->loop, PATIENCE_MS, on_patience, manager);
    if (manager->session->state != TRACE_SESSION_TERMINATING) /* that would be a hurry */
        fxt_i_session_terminate(manager->session, &nobody, true);
}

void trace_manager_run(trace_manager_t *manager)
{
    sigset_t before;

    manager->quitting = false;
    fxt_i_output_begin(&before);
    async_loop_reset_quit(manager->loop);
    async_loop_run(manager->loop, ZX_TIME_INFINITE, false);
    fxt_i_output_end(&before);
}

/* Any thread, and signal handlers. Not beside the manager's destruction: the caller sees to that. */
void trace_manager_quit(trace_manager_t *manager)
{
    int error = errno;
    for (int i = 0; i < QUIT_TRIES && eventfd_write(manager->wake, 1) != 0; i++)
        ;
    errno = error;
}

static void close_all(struct trace_manager *manager)
{
    if (manager->session != NULL)
        fxt_i_session_abandon(manager->session);
    while (manager->providers != NULL)
        fxt_i_provider_drop(manager->providers, NULL);
    while (manager->clients != NULL)
        fxt_i_client_drop(manager->clients, NULL);
    fxt_i_watch_end(&manager->wake_watch);
    fxt_i_watch_end(&manager->registry_watch);
    fxt_i_watch_end(&manager->controller_watch);
    fxt_i_timer_end(&manager->pause);
    fxt_i_timer_end(&manager->patience);
    fxt_i_log_end(manager);
    assert(manager->connections == 0 && manager->client_count == 0);
    async_loop_destroy(manager->loop);
}

void trace_manager_destroy(trace_manager_t *manager)
{
    if (manager->loop != NULL)
        close_all(manager);
    if (manager->sockets_are_ours) {
        remove_socket(manager, FXT_I_REGISTRY);
        remove_socket(manager, FXT_I_CONTROLLER);
    }
    if (manager->registry >= 0)
        close(manager->registry);
    if (manager->controller >= 0)
        close(manager->controller);
    if (manager->spare >= 0)
        close(manager->spare);
    if (manager->wake >= 0)
        close(manager->wake);
    fxt_i_config_free(&manager->config);
    free(manager);
}
