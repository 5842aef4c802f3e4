/* The manager that a command talks to: one that is running, or one of its own. */
#ifndef FXT_TOOLS_TRACE_HOST_H
#define FXT_TOOLS_TRACE_HOST_H

#include <pthread.h>

#include <trace-controller/controller.h>
#include <trace-manager/manager.h>

#include "src/tools/trace/record_options.h"

struct host {
    trace_controller_t *controller;
    trace_manager_t *manager; /* NULL: another process's */
    pthread_t thread;
};

/* Connects to the manager that is running. False after a message; then there is nothing to close. */
bool host_connect(struct host *host);

/* The same, and without any manager runs one on a thread. */
bool host_open(struct host *host, const struct trace_options *options);

void host_close(struct host *host);

/* A message: "WHAT: why". EXIT_FINDINGS; EXIT_CLEAN without an error. */
enum exit_code host_tell(const char *what, int error);

#endif
