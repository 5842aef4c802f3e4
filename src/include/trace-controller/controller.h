/* A client of the trace manager: starts and stops sessions, and receives their archives.

     #include <fcntl.h>
     #include <trace-controller/controller.h>
     #include <unistd.h>

     int record_one_second(const char *path)
     {
         const struct trace_config config = {.mode = TRACE_MODE_ONESHOT};
         trace_controller_t *controller;
         int error = trace_controller_connect(NULL, &controller);

         if (error != 0)
             return error;
         int output = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
         error = trace_controller_initialize(controller, &config, output);
         if (error == 0)
             error = trace_controller_start(controller, TRACE_DISPOSITION_CLEAR_ENTIRE, NULL, 0);
         if (error == 0) {
             sleep(1);
             error = trace_controller_terminate(controller, true, NULL, NULL);
         }
         close(output);
         trace_controller_destroy(controller);
         return error;
     }

   Functions block until the manager has answered. If the output is a pipe or a socket, another
   thread or process must read it meanwhile. Only one thread at a time may use a controller, except
   for trace_controller_hurry.

   Functions return 0, an error of the manager (TRACE_ERROR_…, positive), or a negated errno value if
   the connection failed: -EPIPE if the manager has exited, -EPROTO if its answer was invalid. */
#ifndef TRACE_CONTROLLER_CONTROLLER_H
#define TRACE_CONTROLLER_CONTROLLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TRACE_CONTROLLER_API __attribute__((visibility("default")))

enum trace_controller_error {
    TRACE_ERROR_NONE = 0,
    TRACE_ERROR_NOT_INITIALIZED = 1,
    TRACE_ERROR_ALREADY_INITIALIZED = 2, /* by this client or another one */
    TRACE_ERROR_ALREADY_STARTED = 3,
    TRACE_ERROR_NOT_STARTED = 4,
    TRACE_ERROR_STOPPING = 5,
    TRACE_ERROR_TERMINATING = 6,
    TRACE_ERROR_ABORTED = 7,      /* writing failed: see trace_status.output_error */
    TRACE_ERROR_INVALID = 8,      /* an argument */
    TRACE_ERROR_NO_RESOURCES = 9, /* no memory, or no descriptor */
    TRACE_ERROR_NOT_SUPPORTED = 10,
};

/* Describes an error, positive or negative, in a few words. The text is static. */
TRACE_CONTROLLER_API const char *trace_controller_error_text(int error);

/* A buffering mode. Each value is one more than that of trace_buffering_mode_t. */
enum trace_mode { TRACE_MODE_ONESHOT = 1, TRACE_MODE_CIRCULAR = 2, TRACE_MODE_STREAMING = 3 };

/* One provider's own buffer size and categories. */
struct trace_provider_spec {
    const char *name;
    const char *const *categories; /* besides those of the configuration, which may name none */
    size_t category_count;         /* at most 100 */
    uint32_t buffer_megabytes;     /* 1 to 4096; 0: as the configuration says */
};

struct trace_config {
    const char *const *categories; /* "net", "kernel:*", "*"; of at most 100 bytes each */
    size_t category_count;         /* at most 100; 0: all categories */
    const struct trace_provider_spec *specs;
    size_t spec_count; /* at most 100 */
    enum trace_mode mode;
    uint32_t buffer_megabytes; /* of each provider: 1 to 4096; 0: 4 */
    uint32_t start_timeout_ms; /* 0: 5000 */
    bool defer_transfer;       /* streaming: into a file first, to the output at the end */
    uint32_t stop_timeout_ms;  /* for providers to stop; 0: as the manager says, usually 5000 */
};

/* What a start does to the contents of the buffers. */
enum trace_disposition {
    TRACE_DISPOSITION_CLEAR_ENTIRE = 1,
    TRACE_DISPOSITION_CLEAR_NONDURABLE = 2, /* keeps strings and threads */
    TRACE_DISPOSITION_RETAIN = 3,
};

/* How a provider took the start. */
enum trace_provider_start {
    TRACE_PROVIDER_STARTED = 0,
    TRACE_PROVIDER_ENDED = 1,    /* its connection ended within a second, before it had started */
    TRACE_PROVIDER_SILENT = 2,   /* it did not answer: its dispatcher does not run */
    TRACE_PROVIDER_DECLINED = 3, /* it left: no memory for its buffer, or it traces into a file */
};

/* The outcome of one provider. */
struct trace_provider_statistics {
    char name[101];
    uint64_t process;
    enum trace_mode mode;
    uint32_t wrapped_count;
    uint64_t records_dropped; /* for lack of room */
    uint32_t durable_percent; /* how much of the durable part is used */
    uint64_t bytes_written;   /* of its records, into the archive */
    uint64_t records_refused; /* invalid, and therefore not in the archive */
    bool died;                /* during the session */
    bool misbehaved;          /* broke the protocol or timed out, and left the session */
    bool timed_out;           /* did not stop in time; its records so far are in the archive */
    bool definitions_inlined; /* definitions found no room: they are inline, or left out */
    enum trace_provider_start start;
};

enum trace_session_state {
    TRACE_SESSION_NONE = 0,
    TRACE_SESSION_READY = 1,
    TRACE_SESSION_INITIALIZED = 2,
    TRACE_SESSION_STARTING = 3,
    TRACE_SESSION_STARTED = 4,
    TRACE_SESSION_STOPPING = 5,
    TRACE_SESSION_STOPPED = 6,
    TRACE_SESSION_TERMINATING = 7,
};

struct trace_status {
    enum trace_session_state state;
    enum trace_mode mode;     /* 0 without a session */
    uint32_t providers;       /* in the session */
    uint64_t bytes_written;   /* into the archive so far */
    uint64_t records_dropped; /* known so far */
    uint64_t records_refused;
    uint64_t started_ns; /* time since the start; 0: not started */
    int output_error;    /* errno of the failed write; 0: none */
};

struct trace_provider_info {
    char name[101];
    uint32_t id;
    uint64_t process;
};

typedef struct trace_controller trace_controller_t;

#define TRACE_CONTROLLER_DIRECTORY_MAX 96 /* with its NUL */

/* Finds the directory of the manager's sockets: $FXT_TRACE_DIR, else $XDG_RUNTIME_DIR/fxt-trace if
   that is an absolute path and this user owns $XDG_RUNTIME_DIR, else /tmp/fxt-trace-UID. Creates it
   if it does not exist. Returns 0 or a negated errno value: -ENAMETOOLONG, -EINVAL if
   $FXT_TRACE_DIR is relative, -EPERM if another user owns the directory or it is open to others, or
   the error of creating it. `out` always receives the path, for messages; a path that is too long
   is cut. */
TRACE_CONTROLLER_API int trace_controller_directory(char out[TRACE_CONTROLLER_DIRECTORY_MAX]);

/* Connects to the manager whose sockets are in that directory; NULL: in the directory of
   trace_controller_directory. The caller destroys the controller. Returns 0 or a negated errno value:
   -ENOENT or -ECONNREFUSED if no manager is running, -EPERM if the directory belongs to another user
   or is open to others, -EACCES if the manager belongs to another user, or an error of
   trace_controller_directory. */
TRACE_CONTROLLER_API int trace_controller_connect(const char *directory, trace_controller_t **out);

/* Makes a controller of an existing connection, which the controller then owns. */
TRACE_CONTROLLER_API int trace_controller_adopt(int descriptor, trace_controller_t **out);

/* Closes the connection. The manager terminates a session that this controller began, and writes its
   results. */
TRACE_CONTROLLER_API void trace_controller_destroy(trace_controller_t *controller);

/* Begins a session. The manager writes the archive to `output`, a pipe, a socket or a file; the
   caller may close it afterwards. The other end of a pipe or socket reads end of file when the
   session is over. A slow file system makes the manager wait. */
TRACE_CONTROLLER_API int trace_controller_initialize(trace_controller_t *controller,
                                                     const struct trace_config *config, int output);

/* Starts recording. Returns when all providers have started, or at the start timeout. The
   additional categories are recorded until the next start. */
TRACE_CONTROLLER_API int trace_controller_start(trace_controller_t *controller,
                                                enum trace_disposition disposition,
                                                const char *const *additional_categories,
                                                size_t count);

typedef void trace_statistics_handler_t(void *data, const struct trace_provider_statistics *it);

/* Sets a handler that the other functions call, while they wait, of each provider of this controller's
   session that has dropped its first record: in oneshot mode, its buffer is full. It is called once for
   a provider, at most about 250 ms later, and must not use the controller. NULL: none. */
TRACE_CONTROLLER_API void trace_controller_set_drop_handler(trace_controller_t *controller,
                                                            trace_statistics_handler_t *handler,
                                                            void *data);

/* Stops recording. With write_results, the manager writes the contents of the buffers into the
   archive. The handler, unless NULL, is called for each provider before this returns. */
TRACE_CONTROLLER_API int trace_controller_stop(trace_controller_t *controller, bool write_results,
                                               trace_statistics_handler_t *handler, void *data);

/* Stops recording if it is on, and ends the session. When this returns, the archive is complete. */
TRACE_CONTROLLER_API int trace_controller_terminate(trace_controller_t *controller,
                                                    bool write_results,
                                                    trace_statistics_handler_t *handler,
                                                    void *data);

/* After trace_controller_stop or trace_controller_terminate has returned 0: whether the session had more
   providers than the manager holds at a time, which is 100. Some waited then until others had left, and
   were not recorded meanwhile. */
TRACE_CONTROLLER_API bool trace_controller_providers_waited(const trace_controller_t *controller);

/* Ends the session soon: providers that have not stopped have 300 ms left, and an output that
   accepts nothing has 1 s. Does not block. Another thread may call this while a function of the
   controller waits; trace_controller_terminate then returns as usual. */
TRACE_CONTROLLER_API void trace_controller_hurry(trace_controller_t *controller);

/* Writes the contents of the buffers while recording goes on: to `output`, as an archive of its own;
   or, in streaming mode and with output -1, into the session's archive. No provider stops, and the
   recording loses nothing. The session may be another client's. */
TRACE_CONTROLLER_API int trace_controller_flush(trace_controller_t *controller, int output);

TRACE_CONTROLLER_API int trace_controller_get_status(trace_controller_t *controller,
                                                     struct trace_status *out);

typedef void trace_provider_handler_t(void *data, const struct trace_provider_info *it);
TRACE_CONTROLLER_API int trace_controller_get_providers(trace_controller_t *controller,
                                                        trace_provider_handler_t *handler,
                                                        void *data);

typedef void trace_category_handler_t(void *data, const char *name, const char *description);
TRACE_CONTROLLER_API int trace_controller_get_known_categories(trace_controller_t *controller,
                                                               trace_category_handler_t *handler,
                                                               void *data);

/* Asks for the next alert of this controller's session. Call this once before each
   trace_controller_next_alert. Without a session, no alert comes. */
TRACE_CONTROLLER_API int trace_controller_watch_alert(trace_controller_t *controller);

/* Waits for the alert for timeout_ms milliseconds, or without limit if -1. Stores its name, ended by
   NUL. Returns -ETIMEDOUT if there was none, and TRACE_ERROR_ABORTED as soon as the session's output has
   failed: then none will come. */
TRACE_CONTROLLER_API int trace_controller_next_alert(trace_controller_t *controller, int timeout_ms,
                                                     char name[15]);

/* Returns a descriptor for poll. It is readable if the manager has sent something or has exited. The
   controller owns it. It does not show an alert that has arrived while another function waited for
   its answer: before poll, call trace_controller_next_alert with a timeout of 0. */
TRACE_CONTROLLER_API int trace_controller_descriptor(const trace_controller_t *controller);

#ifdef __cplusplus
}
#endif

#endif
