/* The connection to a manager. A manager that this process hosts listens at the usual sockets, so
   that traced programs find it, or in a directory of its own. Its thread ends in host_close. */
#include "src/tools/trace/host.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "src/tools/trace/private.h"
#include "src/tools/trace/signals.h"

#define AWAITED 100 /* connections, one in 10 ms */

enum exit_code host_tell(const char *what, int error)
{
    if (error == 0)
        return EXIT_CLEAN;
    message("%s: %s", what, trace_controller_error_text(error));
    return EXIT_FINDINGS;
}

const char *host_about_directory(int error)
{
    if (error == -EPERM)
        return "it is not this user's alone (owner, mode 0700)";
    if (error == -EINVAL)
        return "$FXT_TRACE_DIR must be an absolute path";
    return trace_controller_error_text(error);
}

/* The path is set even if something is wrong with the directory. */
static void report_connection(int error)
{
    char directory[TRACE_CONTROLLER_DIRECTORY_MAX] = "its directory";
    trace_controller_directory(directory);
    message("cannot connect to the trace manager at %s: %s", directory,
            host_about_directory(error));
}

/* As often as that, if there is no manager. */
static bool connect_patiently(struct host *host, int times)
{
    const struct timespec moment = {.tv_nsec = 10000000};
    *host = (struct host){.manager = NULL, .lock = PTHREAD_MUTEX_INITIALIZER};
    int error = trace_controller_connect(NULL, &host->controller);
    for (int i = 1; (error == -ENOENT || error == -ECONNREFUSED) && i < times; i++) {
        nanosleep(&moment, NULL);
        error = trace_controller_connect(NULL, &host->controller);
    }
    if (error == -ENOENT || error == -ECONNREFUSED)
        message("no trace manager is running; 'trace start' hosts one until 'trace stop'");
    else if (error != 0)
        report_connection(error);
    else
        watchdog_begin(&host->watchdog, trace_controller_descriptor(host->controller));
    return error == 0;
}

bool host_connect(struct host *host, pid_t process)
{
    if (process == 0 && connect_patiently(host, 1))
        return true;
    if (process == 0) {
        private_tell();
        return false;
    }
    *host = (struct host){.manager = NULL, .lock = PTHREAD_MUTEX_INITIALIZER};
    if (!private_connect(process, &host->controller)) {
        message("no `trace record -- COMMAND` of this user has the process id %ld", (long)process);
        return false;
    }
    watchdog_begin(&host->watchdog, trace_controller_descriptor(host->controller));
    return true;
}

/* Called on the manager's thread. Erases the progress line, which is drawn again later. */
static void print_log(void *data, const char *line)
{
    struct host *host = data;
    host->complained = true;
    fprintf(stderr, "%strace manager: %s\n", isatty(STDERR_FILENO) == 1 ? "\r\033[K" : "", line);
}

/* Called on the manager's thread. */
static void take_fill(void *data, const struct trace_manager_fill *fill)
{
    struct host *host = data;
    pthread_mutex_lock(&host->lock);
    host->fill = *fill;
    pthread_mutex_unlock(&host->lock);
}

bool host_fill(struct host *host, struct trace_manager_fill *fill)
{
    pthread_mutex_lock(&host->lock);
    *fill = host->fill;
    pthread_mutex_unlock(&host->lock);
    return host->manager != NULL;
}

static void *run(void *data)
{
    trace_manager_run(data);
    return NULL;
}

/* Connects first: the connection waits in the manager until it runs. */
static int run_manager(struct host *host)
{
    int descriptor = trace_manager_connect(host->manager);
    int error = descriptor < 0 ? descriptor : 0;
    if (error == 0) {
        error = trace_controller_adopt(descriptor, &host->controller);
        if (error != 0)
            close(descriptor);
    }
    if (error != 0)
        return error;
    error = signals_free_thread(&host->thread, run, host->manager);
    if (error != 0)
        trace_controller_destroy(host->controller);
    return -error;
}

static bool host_own(struct host *host, const struct trace_options *options, int *error)
{
    struct trace_manager_options manager = TRACE_MANAGER_OPTIONS_INIT;
    char why[200] = "";

    manager.directory = host->directory[0] != '\0' ? host->directory : NULL;
    manager.config = options->config;
    manager.log = print_log;
    manager.log_data = host;
    manager.fill = take_fill;
    manager.fill_data = host;
    *error = trace_manager_create(&manager, &host->manager, why);
    if (*error == EADDRINUSE)
        return false;
    if (*error != 0) {
        message("%s", why);
        return false;
    }
    *error = run_manager(host);
    if (*error == 0)
        return true;
    host_tell("cannot host a trace manager", *error);
    trace_manager_destroy(host->manager);
    return false;
}

static bool asks_for_the_kernel(const struct name_list *categories)
{
    for (size_t i = 0; i < categories->count; i++)
        if (strncmp(categories->it[i], "kernel:", strlen("kernel:")) == 0)
            return true;
    return false;
}

/* A manager in a directory of its own, which only the command and its children find: by $FXT_TRACE_DIR.
   No thread runs yet, so the environment may change. */
static bool host_private(struct host *host, const struct trace_options *options)
{
    char usual[TRACE_CONTROLLER_DIRECTORY_MAX] = "";
    int error = trace_controller_directory(usual);
    if (error != 0) {
        report_connection(error);
        return false;
    }
    if (!private_make(host->directory, usual, getpid()) ||
        setenv("FXT_TRACE_DIR", host->directory, 1) != 0) {
        message("%s: cannot make a directory for the trace manager: %s", host->directory,
                strerror(errno));
        return false;
    }
    if (asks_for_the_kernel(&options->categories))
        message("the kernel's provider takes no part where only a command is recorded; give --all");
    if (host_own(host, options, &error))
        return true;
    rmdir(host->directory);
    return false;
}

bool host_open(struct host *host, const struct trace_options *options)
{
    *host = (struct host){.manager = NULL, .lock = PTHREAD_MUTEX_INITIALIZER};
    if (record_options_only_children(options))
        return host_private(host, options);
    int error = trace_controller_connect(NULL, &host->controller);
    if (error == 0) {
        if (options->config != NULL)
            message(
                "--config has no effect: a trace manager with its own configuration is running");
        watchdog_begin(&host->watchdog, trace_controller_descriptor(host->controller));
        return true;
    }
    if (error != -ENOENT && error != -ECONNREFUSED) {
        report_connection(error);
        return false;
    }
    if (host_own(host, options, &error))
        return true;
    host->manager = NULL;
    /* Another manager was faster, and makes its second socket now. */
    return error == EADDRINUSE && connect_patiently(host, AWAITED);
}

void host_close(struct host *host)
{
    watchdog_end(&host->watchdog);
    trace_controller_destroy(host->controller);
    if (host->manager == NULL)
        return;
    trace_manager_quit(host->manager);
    pthread_join(host->thread, NULL);
    trace_manager_destroy(host->manager);
}

void host_remove(const struct host *host)
{
    if (host->directory[0] != '\0')
        rmdir(host->directory);
}
