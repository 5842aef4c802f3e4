/* The manager of a command: a running one, or one that this process hosts. */
#ifndef FXT_TOOLS_TRACE_HOST_H
#define FXT_TOOLS_TRACE_HOST_H

#include <pthread.h>

#include <trace-controller/controller.h>
#include <trace-manager/manager.h>

#include "src/tools/trace/record_options.h"
#include "src/tools/trace/silence.h"

struct host {
    trace_controller_t *controller;
    trace_manager_t *manager; /* NULL: in another process */
    pthread_t thread;
    struct silence silence; /* of a manager in another process */
    bool complained;        /* the hosted manager did; written by its thread until host_close */
};

/* Connects to the running manager. False after a message; then there is nothing to close. */
bool host_connect(struct host *host);

/* The same, but hosts a manager on a thread if none is running. */
bool host_open(struct host *host, const struct trace_options *options);

void host_close(struct host *host);

/* Describes an error of the manager's directory. */
const char *host_about_directory(int error);

/* Prints "WHAT: why" and returns EXIT_FINDINGS; without an error, returns EXIT_CLEAN. */
enum exit_code host_tell(const char *what, int error);

#endif
