/* A client of the trace manager: it starts and stops traces, and is sent the archive.

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

   Functions block until the manager has answered; what is written to the output meanwhile has to be
   read by another thread or process. One thread at a time uses a controller.

   They return 0, an error that the manager has told (TRACE_ERROR_…, positive), or a negated errno
   value when the connection failed: -EPIPE when the manager has gone, -EPROTO when it said what it
   may not. */
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
    TRACE_ERROR_ABORTED = 7,      /* the output takes no more: see trace_status.output_error */
    TRACE_ERROR_INVALID = 8,      /* an argument */
    TRACE_ERROR_NO_RESOURCES = 9, /* no memory, or no descriptor */
    TRACE_ERROR_NOT_SUPPORTED = 10,
};

/* In a few words, without a dot. Also of a negative value. */
TRACE_CONTROLLER_API const char *trace_controller_error_text(int error);

/* A buffering mode: 1 more than trace_buffering_mode_t. */
enum trace_mode { TRACE_MODE_ONESHOT = 1, TRACE_MODE_CIRCULAR = 2, TRACE_MODE_STREAMING = 3 };

/* One provider's own buffer size and categories. */
struct trace_provider_spec {
    const char *name;
    const char *const *categories; /* besides those of the configuration */
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

/* What happens to the buffers' contents at a start. */
enum trace_disposition {
    TRACE_DISPOSITION_CLEAR_ENTIRE = 1,
    TRACE_DISPOSITION_CLEAR_NONDURABLE = 2,
    TRACE_DISPOSITION_RETAIN = 3,
};

/* What became of one provider. */
struct trace_provider_statistics {
    char name[101];
    uint64_t process;
    enum trace_mode mode;
    uint32_t wrapped_count;
    uint64_t records_dropped; /* that found no room */
    uint32_t durable_percent; /* of the durable part that is used */
    uint64_t bytes_written;   /* of its records, into the archive */
    uint64_t records_refused; /* that broke the format, and were left out */
    bool died;                /* while the session was on */
    bool misbehaved;          /* broke the protocol, or timed out: taken out of the session */
    bool timed_out;           /* did not stop in time; what it had written is in the archive */
    bool
        definitions_inlined; /* its durable part was full: names were written inline, or left out */
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
    uint64_t records_dropped; /* as far as is known */
    uint64_t records_refused;
    uint64_t started_ns; /* how long ago; 0: not started */
    int output_error;    /* errno of what the output said; 0: none */
};

struct trace_provider_info {
    char name[101];
    uint32_t id;
    uint64_t process;
};

typedef struct trace_controller trace_controller_t;

#define TRACE_CONTROLLER_DIRECTORY_MAX 96 /* with its NUL */

/* Where managers usually are: $FXT_TRACE_DIR, else $XDG_RUNTIME_DIR/fxt-trace if $XDG_RUNTIME_DIR is
   this user's, else /tmp/fxt-trace-UID. Makes the directory unless it is there. Returns 0 or a
   negated errno value: -ENAMETOOLONG, -EACCES when it is another user's or open to others (its mode
   is not 0700), or why it cannot be made. `out` holds the path then, too, for a message; of one that
   is too long the start. */
TRACE_CONTROLLER_API int trace_controller_directory(char out[TRACE_CONTROLLER_DIRECTORY_MAX]);

/* Connects to the manager whose sockets are in that directory; NULL: where managers usually are, which
   trace_controller_directory tells. Returns 0 or a negated errno value: -ENOENT or -ECONNREFUSED when
   none is running, -EACCES when the directory or the manager is another user's, or the directory is
   open to others. */
TRACE_CONTROLLER_API int trace_controller_connect(const char *directory, trace_controller_t **out);

/* Over a connection that is there already, and is closed with the controller. */
TRACE_CONTROLLER_API int trace_controller_adopt(int descriptor, trace_controller_t **out);

/* Closes the connection: a session that it began is terminated, with its results written. */
TRACE_CONTROLLER_API void trace_controller_destroy(trace_controller_t *controller);

/* Begins a session. The manager writes the archive to `output`, a socket or a pipe, which the caller
   may close then; its other end sees the end of file when the session is over. Or to a file, where
   whatever the file's own system waits for the manager waits for, too. */
TRACE_CONTROLLER_API int trace_controller_initialize(trace_controller_t *controller,
                                                     const struct trace_config *config, int output);

/* Returns when all providers have started, or the start timeout is over. */
TRACE_CONTROLLER_API int trace_controller_start(trace_controller_t *controller,
                                                enum trace_disposition disposition,
                                                const char *const *additional_categories,
                                                size_t count);

typedef void trace_statistics_handler_t(void *data, const struct trace_provider_statistics *it);

/* Stops, and with write_results puts what the buffers hold into the archive. The handler, unless
   NULL, is called for each provider before this returns. */
TRACE_CONTROLLER_API int trace_controller_stop(trace_controller_t *controller, bool write_results,
                                               trace_statistics_handler_t *handler, void *data);

/* Stops if need be, and ends the session; all that is going to be in the archive has been written to
   the output then. */
TRACE_CONTROLLER_API int trace_controller_terminate(trace_controller_t *controller,
                                                    bool write_results,
                                                    trace_statistics_handler_t *handler,
                                                    void *data);

/* Ends the session as soon as it can be: providers that have not stopped are given 300 ms, and an
   output that takes nothing a second. For another thread, while trace_controller_terminate waits (it
   returns as usual then); or while any other function waits, which ends the session, too. Does not
   wait. */
TRACE_CONTROLLER_API void trace_controller_hurry(trace_controller_t *controller);

/* Puts what the buffers hold by now into an archive while recording goes on: a complete one of its
   own, written to `output`; or for -1, in streaming mode, that of the session. No provider stops for
   it, and the recording loses nothing. Also of another client's session. */
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

/* Asks for the next alert; to be called once before each trace_controller_next_alert. */
TRACE_CONTROLLER_API int trace_controller_watch_alert(trace_controller_t *controller);

/* Waits for the alert until timeout_ms are over (-1: for ever): its name, ended by NUL, or
   -ETIMEDOUT. */
TRACE_CONTROLLER_API int trace_controller_next_alert(trace_controller_t *controller, int timeout_ms,
                                                     char name[15]);

/* Readable when the manager has said something, or has gone; for poll. */
TRACE_CONTROLLER_API int trace_controller_descriptor(const trace_controller_t *controller);

#ifdef __cplusplus
}
#endif

#endif
