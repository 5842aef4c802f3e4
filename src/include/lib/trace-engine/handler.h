/* The interface for the owner of the buffer, who starts and stops the engine and receives its
   notifications. A process has one engine. Any thread may call these functions, but a handler may
   call them only where this header says so. The dispatcher's thread calls the handler, except for
   is_category_enabled and send_alert, which traced threads call. */
#ifndef LIB_TRACE_ENGINE_HANDLER_H
#define LIB_TRACE_ENGINE_HANDLER_H

#include <lib/async/dispatcher.h>
#include <lib/trace-engine/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct trace_handler trace_handler_t;

typedef struct trace_handler_ops {
    /* Called by any thread, which holds a lock of the engine: must not call the engine. */
    bool (*is_category_enabled)(trace_handler_t *handler, const char *category);
    /* Called when all observers have acknowledged the start. If there are none,
       trace_engine_start calls it. */
    void (*trace_started)(trace_handler_t *handler);
    /* disposition: the reason of the stop. buffer_bytes_written: in the durable and the rolling
       parts together. */
    void (*trace_stopped)(trace_handler_t *handler, zx_status_t disposition,
                          size_t buffer_bytes_written);
    void (*trace_terminated)(trace_handler_t *handler);
    /* Streaming mode: half `wrapped_count & 1` is full. Nobody writes to it, nor to the first
       durable_data_end bytes of the durable part, so both may be read. Answer with
       trace_engine_mark_buffer_saved, in this call or later. */
    void (*notify_buffer_full)(trace_handler_t *handler, uint32_t wrapped_count,
                               uint64_t durable_data_end);
    void (*send_alert)(trace_handler_t *handler, const char *alert_name);
} trace_handler_ops_t;

struct trace_handler {
    const trace_handler_ops_t *ops;
};

/* Prepares the engine to write into the buffer, which must exist until trace_terminated. Returns
     ZX_ERR_INVALID_ARGS  for a NULL or an unknown mode
     ZX_ERR_OUT_OF_RANGE  if the size is not a multiple of 4096 from 4 KiB to 4 GiB
     ZX_ERR_BAD_STATE     if the engine already has a buffer
   The engine does not write to the buffer before trace_engine_start. If the first 128 bytes are 0,
   the whole buffer must be 0; then the engine touches only the memory that records need. Otherwise
   it clears the buffer. */
TRACE_API zx_status_t trace_engine_initialize(async_dispatcher_t *dispatcher,
                                              trace_handler_t *handler,
                                              trace_buffering_mode_t buffering_mode, void *buffer,
                                              size_t buffer_num_bytes);

/* Starts tracing. Returns ZX_ERR_BAD_STATE unless the engine is initialized and stopped,
   ZX_ERR_INVALID_ARGS for an unknown mode. The engine is stopped before trace_stopped is called:
   if the handler reads the buffer there, no other thread may start meanwhile. */
TRACE_API zx_status_t trace_engine_start(trace_start_mode_t mode);

/* Begins to stop. trace_stopped is called once no context is held. It receives the first
   disposition that is not ZX_OK. A no-op unless tracing is started. */
TRACE_API void trace_engine_stop(zx_status_t disposition);

/* Gives the buffer back: stops if necessary, then calls trace_terminated. */
TRACE_API void trace_engine_terminate(void);

/* Reports that the half of notify_buffer_full has been saved and may be used again. A handler may
   call this in notify_buffer_full. Returns
     ZX_ERR_BAD_STATE     if the mode is not streaming, or nothing is being saved, for instance
                          because this half was already reported; or if tracing is stopped:
                          report it again after a start that retains the buffer
     ZX_ERR_INVALID_ARGS  if the numbers are not those of the last notify_buffer_full, as those of a
                          half that a start has cleared */
TRACE_API zx_status_t trace_engine_mark_buffer_saved(uint32_t wrapped_count,
                                                     uint64_t durable_data_end);

/* Streaming mode: treats the current half as full, even if it is empty. notify_buffer_full is then
   called for it. Returns
     ZX_ERR_BAD_STATE     if the mode is not streaming, or tracing is not started
     ZX_ERR_SHOULD_WAIT   if the other half is not saved yet */
TRACE_API zx_status_t trace_engine_flush_buffer(void);

/* The current contents of the buffer. All 0 unless the engine is initialized. */
typedef struct trace_engine_sizes {
    uint64_t durable_bytes; /* bytes of records, and the size of the part */
    uint64_t durable_size;
    uint64_t rolling_bytes; /* the same of both halves together */
    uint64_t rolling_size;
    uint64_t records_dropped;
    uint32_t wrapped_count;
} trace_engine_sizes_t;

TRACE_API void trace_engine_get_sizes(trace_engine_sizes_t *out);

#ifdef __cplusplus
}
#endif

#endif
