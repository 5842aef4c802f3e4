/* The engine's other side: whoever owns the buffer starts and stops it, and is told what happens.

   One engine a process. All functions may be called from any thread, but not by a handler unless it
   says so. Handlers are called on the dispatcher's thread, but for is_category_enabled and
   send_alert, which a traced thread calls. */
#ifndef LIB_TRACE_ENGINE_HANDLER_H
#define LIB_TRACE_ENGINE_HANDLER_H

#include <lib/async/dispatcher.h>
#include <lib/trace-engine/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct trace_handler trace_handler_t;

typedef struct trace_handler_ops {
    /* From any thread, with a lock of the engine held: must not call it. */
    bool (*is_category_enabled)(trace_handler_t *handler, const char *category);
    /* When all observers have seen it; without any, called by trace_engine_start itself. */
    void (*trace_started)(trace_handler_t *handler);
    /* disposition: why it stopped. buffer_bytes_written: durable and rolling together. */
    void (*trace_stopped)(trace_handler_t *handler, zx_status_t disposition,
                          size_t buffer_bytes_written);
    void (*trace_terminated)(trace_handler_t *handler);
    /* Streaming: half `wrapped_count & 1` and durable_data_end bytes of the durable part may be
       read now; nobody writes there. To be answered by trace_engine_mark_buffer_saved, now or
       later. */
    void (*notify_buffer_full)(trace_handler_t *handler, uint32_t wrapped_count,
                               uint64_t durable_data_end);
    void (*send_alert)(trace_handler_t *handler, const char *alert_name);
} trace_handler_ops_t;

struct trace_handler {
    const trace_handler_ops_t *ops;
};

/* Prepares the engine to write into the buffer, which the caller keeps until trace_terminated.
     ZX_ERR_INVALID_ARGS  a NULL, a mode that does not exist
     ZX_ERR_OUT_OF_RANGE  not 4 KiB to 4 GiB, or no multiple of 4096
     ZX_ERR_BAD_STATE     the engine has a buffer already
   The buffer is not written to before trace_engine_start. When its first 128 bytes are 0, all of it
   must be 0: then only what records need is ever touched. Else it is cleared. */
TRACE_API zx_status_t trace_engine_initialize(async_dispatcher_t *dispatcher,
                                              trace_handler_t *handler,
                                              trace_buffering_mode_t buffering_mode, void *buffer,
                                              size_t buffer_num_bytes);

/* ZX_ERR_BAD_STATE unless initialized and stopped; ZX_ERR_INVALID_ARGS for a mode that does not
   exist. */
TRACE_API zx_status_t trace_engine_start(trace_start_mode_t mode);

/* Begins to stop; trace_stopped is called when no context is held any more. The first disposition
   that is not ZX_OK counts. Does nothing unless started. */
TRACE_API void trace_engine_stop(zx_status_t disposition);

/* Gives the buffer back: stops first where that is needed, then calls trace_terminated. */
TRACE_API void trace_engine_terminate(void);

/* The half that notify_buffer_full told of has been saved and may be used again.
     ZX_ERR_BAD_STATE     not streaming, or nothing is being saved: also when the same is told twice
     ZX_ERR_INVALID_ARGS  another wrapped count or durable end than was told */
TRACE_API zx_status_t trace_engine_mark_buffer_saved(uint32_t wrapped_count,
                                                     uint64_t durable_data_end);

/* Streaming: the current half counts as full; notify_buffer_full will tell of it, even when it is
   empty.
     ZX_ERR_BAD_STATE     not streaming, or not started
     ZX_ERR_SHOULD_WAIT   the other half is not saved yet */
TRACE_API zx_status_t trace_engine_flush_buffer(void);

/* What the buffer holds by now. All 0 unless the engine is initialized. */
typedef struct trace_engine_sizes {
    uint64_t durable_bytes; /* of records, and room for them */
    uint64_t durable_size;
    uint64_t rolling_bytes; /* of both halves */
    uint64_t rolling_size;
    uint64_t records_dropped;
    uint32_t wrapped_count;
} trace_engine_sizes_t;

TRACE_API void trace_engine_get_sizes(trace_engine_sizes_t *out);

#ifdef __cplusplus
}
#endif

#endif
