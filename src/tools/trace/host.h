/* The manager of a command: a running one, or one that this process hosts. */
#ifndef FXT_TOOLS_TRACE_HOST_H
#define FXT_TOOLS_TRACE_HOST_H

#include <pthread.h>
#include <stdbool.h>
#include <sys/types.h>

#include <trace-controller/controller.h>
#include <trace-manager/manager.h>

#include "src/tools/trace/record_options.h"

/* A thread that reports a manager of another process that does not read what it is sent, while the
   command waits for it. */

struct watchdog {
    int socket; /* of the connection to the manager */
    int end[2]; /* a pipe: closed to end the thread */
    bool runs;
    pthread_t thread;
};

/* Starts the thread, which uses the socket until watchdog_end. Without a thread there is no message. */
void watchdog_begin(struct watchdog *watchdog, int socket);

void watchdog_end(struct watchdog *watchdog);

/* By a signal or a debugger. */
bool process_is_stopped(pid_t process);

struct host {
    trace_controller_t *controller;
    trace_manager_t *manager;                       /* NULL: in another process */
    char directory[TRACE_CONTROLLER_DIRECTORY_MAX]; /* of its own manager, or "" */
    pthread_t thread;
    struct watchdog watchdog; /* of a manager in another process */
    bool complained;          /* the hosted manager did; written by its thread until host_close */
    pthread_mutex_t lock;
    struct trace_manager_fill fill; /* of the hosted manager; protected by the lock */
};

/* Connects to the running manager, or to that of a process that records a command alone, unless it is 0.
   False after messages, which name such processes; then there is nothing to close. */
bool host_connect(struct host *host, pid_t process);

/* The same, but hosts a manager on a thread if none is running, or if the recording is to have one of its
   own. Then $FXT_TRACE_DIR is that one's. */
bool host_open(struct host *host, const struct trace_options *options);

void host_close(struct host *host);

/* Removes the directory of a manager of its own, after host_close. A provider that goes on makes it again. */
void host_remove(const struct host *host);

/* What the buffers held when the manager last answered trace_controller_get_status. False if the manager
   is in another process, which does not tell. */
bool host_fill(struct host *host, struct trace_manager_fill *fill);

/* Describes an error of the manager's directory. */
const char *host_about_directory(int error);

/* Prints "WHAT: why" and returns EXIT_FINDINGS; without an error, returns EXIT_CLEAN. */
enum exit_code host_tell(const char *what, int error);

#endif
