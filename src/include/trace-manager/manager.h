/* The trace manager: providers register with it, a client tells it what to record, and it writes
   the archive. The program trace-manager is a shell around it; a program that records others may
   have one of its own.

   All functions but trace_manager_quit are to be called from one thread at a time. */
#ifndef TRACE_MANAGER_MANAGER_H
#define TRACE_MANAGER_MANAGER_H

#ifdef __cplusplus
extern "C" {
#endif

#define TRACE_MANAGER_API __attribute__((visibility("default")))

typedef struct trace_manager trace_manager_t;

typedef void trace_manager_log_t(void *data, const char *line);

struct trace_manager_options {
    const char *directory;    /* of its sockets; NULL: the usual one */
    const char *config;       /* path of its configuration, or NULL */
    trace_manager_log_t *log; /* NULL, or takes messages: lines without ends, safe to print */
    void *log_data;
    int registry; /* sockets that listen already, as systemd gives them; -1: make them */
    int controller;
    unsigned stop_timeout_ms;  /* for providers to stop, unless the client says; 0: 5000 */
    unsigned stall_timeout_ms; /* for an output to take something; 0: 60000 */
};

#define TRACE_MANAGER_OPTIONS_INIT                                                                 \
    {                                                                                              \
        NULL, NULL, NULL, NULL, -1, -1, 0, 0                                                        \
    }

/* Makes its sockets, and begins to listen when it runs. Returns 0, or an errno value with a line in
   `message` (200 bytes) that says what is wrong: EADDRINUSE when another manager is running there,
   EACCES when the directory is another user's or open to others, ENAMETOOLONG, EINVAL for a
   configuration that is broken. */
TRACE_MANAGER_API int trace_manager_create(const struct trace_manager_options *options,
                                           trace_manager_t **out, char message[200]);

/* A client's connection, for trace_controller_adopt. Returns a descriptor or a negated errno
   value. */
TRACE_MANAGER_API int trace_manager_connect(trace_manager_t *manager);

/* Runs on this thread until trace_manager_quit; a session that is on is terminated then, with its
   results written. */
TRACE_MANAGER_API void trace_manager_run(trace_manager_t *manager);

/* From any thread, and from a signal handler. */
TRACE_MANAGER_API void trace_manager_quit(trace_manager_t *manager);

/* After it has run, or instead. Removes its sockets. */
TRACE_MANAGER_API void trace_manager_destroy(trace_manager_t *manager);

#ifdef __cplusplus
}
#endif

#endif
