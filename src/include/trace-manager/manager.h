/* The trace manager: providers register with it, a client tells it what to record, and it writes
   the archive. The program trace-manager consists of little else. A program that records others can
   host a manager of its own.

   Only one thread at a time may call the functions of a manager, except trace_manager_quit. */
#ifndef TRACE_MANAGER_MANAGER_H
#define TRACE_MANAGER_MANAGER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TRACE_MANAGER_API __attribute__((visibility("default")))

typedef struct trace_manager trace_manager_t;

typedef void trace_manager_log_t(void *data, const char *line);

/* What the buffers of a session hold, in bytes. */
struct trace_manager_fill {
    uint64_t recorded; /* since the start, by all providers: also what is written or overwritten */
    uint64_t used;     /* in the buffers, and not written yet */
    uint64_t room;     /* of the buffers, for records */
};

typedef void trace_manager_fill_t(void *data, const struct trace_manager_fill *fill);

struct trace_manager_options {
    const char *directory;    /* of its sockets; NULL: that of trace_controller_directory */
    const char *config;       /* path of its configuration, or NULL */
    trace_manager_log_t *log; /* receives messages, without line ends, safe to print; or NULL */
    void *log_data;
    int registry; /* sockets that already listen, for instance from systemd; both -1: make them */
    int controller;
    unsigned stop_timeout_ms;   /* for providers to stop, unless the client sets it; 0: 5000 */
    unsigned stall_timeout_ms;  /* how long an output may accept nothing; 0: 60000 */
    trace_manager_fill_t *fill; /* called before each answer to trace_controller_get_status, on the
                                   manager's thread; or NULL */
    void *fill_data;
};

#define TRACE_MANAGER_OPTIONS_INIT                                                                 \
    {                                                                                              \
        NULL, NULL, NULL, NULL, -1, -1, 0, 0, NULL, NULL                                           \
    }

/* Creates a manager and its sockets. It accepts connections once it runs. Returns 0 or an errno
   value, with one line in `message` that explains the error: EADDRINUSE if another manager is
   running in the directory, EPERM if the directory belongs to another user or is open to others,
   ENAMETOOLONG, or EINVAL if the configuration is invalid, $FXT_TRACE_DIR is relative or only one
   socket is given. Given sockets become the manager's, which closes them in the end; after an error
   they are still the caller's. */
TRACE_MANAGER_API int trace_manager_create(const struct trace_manager_options *options,
                                           trace_manager_t **out, char message[200]);

/* Connects a client in this process. Returns a descriptor for trace_controller_adopt, or a negated
   errno value. */
TRACE_MANAGER_API int trace_manager_connect(trace_manager_t *manager);

/* Runs the manager on this thread until trace_manager_quit. A session that is on is then
   terminated, and its results are written; a second trace_manager_quit does not wait for that. */
TRACE_MANAGER_API void trace_manager_run(trace_manager_t *manager);

/* Makes trace_manager_run return. Any thread and any signal handler may call this, before
   trace_manager_destroy. */
TRACE_MANAGER_API void trace_manager_quit(trace_manager_t *manager);

/* Removes the sockets and frees the manager. Call it when the manager does not run. */
TRACE_MANAGER_API void trace_manager_destroy(trace_manager_t *manager);

#ifdef __cplusplus
}
#endif

#endif
