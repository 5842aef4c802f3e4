/* Writing records through a context.

   A context belongs to the thread that acquired it and is valid until that thread releases it
   (<lib/trace-engine/instrumentation.h>). Every function here may be called on any thread that
   holds one; none blocks for long, allocates or fails: a record that finds no room is dropped and
   counted. A signal handler that interrupts one of them may trace too: its record is dropped and
   counted when it would have to write into the middle of another. What is written through a context
   that is still held when tracing is being stopped is neither kept nor counted.

   Strings, arguments and payloads are read during the call and not kept. Where a literal is asked
   for, its bytes must stay as they are for as long as the program, or the library that holds it,
   is loaded. At most 15 arguments; more, or a record of over 32760 bytes, is a record that finds
   no room. Times are ticks, sizes are bytes. */
#ifndef LIB_TRACE_ENGINE_CONTEXT_H
#define LIB_TRACE_ENGINE_CONTEXT_H

#include <lib/trace-engine/types.h>

#ifdef __cplusplus
extern "C" {
#endif

TRACE_API bool trace_context_is_category_enabled(trace_context_t *context,
                                                 const char *category_literal);

/* Strings and threads. Equal strings get the same index on every thread, and their record is
   written once. A reference is valid until tracing stops; when the tables or the buffer's durable
   part are full it is inline, and then the string must live until its last use. Empty and NULL
   strings are the empty ref. */
TRACE_API void trace_context_register_string_copy(trace_context_t *context, const char *string,
                                                  size_t length, trace_string_ref_t *out_ref);
TRACE_API void trace_context_register_string_literal(trace_context_t *context,
                                                     const char *string_literal,
                                                     trace_string_ref_t *out_ref);
/* False, with *out_ref as it was, when the category is off. */
TRACE_API bool trace_context_register_category_literal(trace_context_t *context,
                                                       const char *category_literal,
                                                       trace_string_ref_t *out_ref);
/* Bytes of any kind, NUL among them. */
TRACE_API void trace_context_register_bytestring(trace_context_t *context, const void *bytes,
                                                 size_t length, trace_string_ref_t *out_ref);
/* Names the thread by a kernel object record, once. */
TRACE_API void trace_context_register_current_thread(trace_context_t *context,
                                                     trace_thread_ref_t *out_ref);
TRACE_API void trace_context_register_thread(trace_context_t *context, zx_koid_t process_koid,
                                             zx_koid_t thread_koid, trace_thread_ref_t *out_ref);
/* A thread that the program makes up: its koid is vthread_id with bit 63 set. Koid 0 is this
   process. Its name is written once. */
TRACE_API void trace_context_register_vthread(trace_context_t *context, zx_koid_t process_koid,
                                              const char *vthread_literal,
                                              trace_vthread_id_t vthread_id,
                                              trace_thread_ref_t *out_ref);

/* Events. */
#define TRACE_I_EVENT                                                                              \
    const trace_thread_ref_t *thread_ref, const trace_string_ref_t *category_ref,                  \
        const trace_string_ref_t *name_ref
#define TRACE_I_ARGS const trace_arg_t *args, size_t num_args
TRACE_API void trace_context_write_instant_event_record(trace_context_t *context,
                                                        trace_ticks_t event_time, TRACE_I_EVENT,
                                                        trace_scope_t scope, TRACE_I_ARGS);
TRACE_API void trace_context_write_counter_event_record(trace_context_t *context,
                                                        trace_ticks_t event_time, TRACE_I_EVENT,
                                                        trace_counter_id_t counter_id,
                                                        TRACE_I_ARGS);
TRACE_API void trace_context_write_duration_event_record(trace_context_t *context,
                                                         trace_ticks_t start_time,
                                                         trace_ticks_t end_time, TRACE_I_EVENT,
                                                         TRACE_I_ARGS);
TRACE_API void trace_context_write_duration_begin_event_record(trace_context_t *context,
                                                               trace_ticks_t event_time,
                                                               TRACE_I_EVENT, TRACE_I_ARGS);
TRACE_API void trace_context_write_duration_end_event_record(trace_context_t *context,
                                                             trace_ticks_t event_time,
                                                             TRACE_I_EVENT, TRACE_I_ARGS);
TRACE_API void trace_context_write_async_begin_event_record(trace_context_t *context,
                                                            trace_ticks_t event_time, TRACE_I_EVENT,
                                                            trace_async_id_t async_id,
                                                            TRACE_I_ARGS);
TRACE_API void trace_context_write_async_instant_event_record(trace_context_t *context,
                                                              trace_ticks_t event_time,
                                                              TRACE_I_EVENT,
                                                              trace_async_id_t async_id,
                                                              TRACE_I_ARGS);
TRACE_API void trace_context_write_async_end_event_record(trace_context_t *context,
                                                          trace_ticks_t event_time, TRACE_I_EVENT,
                                                          trace_async_id_t async_id, TRACE_I_ARGS);
TRACE_API void trace_context_write_flow_begin_event_record(trace_context_t *context,
                                                           trace_ticks_t event_time, TRACE_I_EVENT,
                                                           trace_flow_id_t flow_id, TRACE_I_ARGS);
TRACE_API void trace_context_write_flow_step_event_record(trace_context_t *context,
                                                          trace_ticks_t event_time, TRACE_I_EVENT,
                                                          trace_flow_id_t flow_id, TRACE_I_ARGS);
TRACE_API void trace_context_write_flow_end_event_record(trace_context_t *context,
                                                         trace_ticks_t event_time, TRACE_I_EVENT,
                                                         trace_flow_id_t flow_id, TRACE_I_ARGS);

/* Blobs. A blob record takes at most 32000 bytes; blob events and attachments are large records,
   of any size that a half of the buffer holds. Perfetto refuses a whole trace that holds a large
   record of 32 KiB (4096 words) or more. */
TRACE_API void trace_context_write_blob_record(trace_context_t *context, trace_blob_type_t type,
                                               const trace_string_ref_t *name_ref, const void *blob,
                                               size_t blob_size);
/* The record, with room for the payload, which the caller fills before it releases the context.
   NULL when there is no room. */
TRACE_API void *trace_context_begin_write_blob_record(trace_context_t *context,
                                                      trace_blob_type_t type,
                                                      const trace_string_ref_t *name_ref,
                                                      size_t blob_size);
TRACE_API void trace_context_write_blob_event_record(trace_context_t *context,
                                                     trace_ticks_t event_time, TRACE_I_EVENT,
                                                     const void *blob, size_t blob_size,
                                                     TRACE_I_ARGS);
TRACE_API void trace_context_write_blob_attachment_record(trace_context_t *context,
                                                          const trace_string_ref_t *category_ref,
                                                          const trace_string_ref_t *name_ref,
                                                          const void *blob, size_t blob_size);

/* What the kernel knows: names, switches; and what the program says. */
TRACE_API void trace_context_write_process_info_record(trace_context_t *context,
                                                       zx_koid_t process_koid,
                                                       const trace_string_ref_t *process_name_ref);
TRACE_API void trace_context_write_thread_info_record(trace_context_t *context,
                                                      zx_koid_t process_koid, zx_koid_t thread_koid,
                                                      const trace_string_ref_t *thread_name_ref);
/* What a file descriptor stands for, with its name. Its koid is for a pidfd the process; else a number
   with bit 62 set and bit 63 clear, so that it is neither a process nor a thread nor a virtual
   thread, made of the device and the inode: the same in every process (spec/system.md, section 1.5).
   Dropped and counted when the descriptor is not open, or its process has gone. */
TRACE_API void trace_context_write_kernel_object_record_for_handle(trace_context_t *context,
                                                                   zx_handle_t handle,
                                                                   TRACE_I_ARGS);
TRACE_API void trace_context_write_context_switch_record(
    trace_context_t *context, trace_ticks_t event_time, trace_cpu_number_t cpu_number,
    trace_thread_state_t outgoing_thread_state, const trace_thread_ref_t *outgoing_thread_ref,
    const trace_thread_ref_t *incoming_thread_ref, trace_thread_priority_t outgoing_thread_priority,
    trace_thread_priority_t incoming_thread_priority);
TRACE_API void trace_context_write_thread_wakeup_record(trace_context_t *context,
                                                        trace_ticks_t event_time,
                                                        trace_cpu_number_t cpu_number,
                                                        zx_koid_t waking_thread_koid, TRACE_I_ARGS);
TRACE_API void trace_context_write_log_record(trace_context_t *context, trace_ticks_t event_time,
                                              const trace_thread_ref_t *thread_ref,
                                              const char *log_message, size_t log_message_length);

/* Records that the engine writes by itself, for programs that keep their own tables. */
TRACE_API void trace_context_write_initialization_record(trace_context_t *context,
                                                         zx_ticks_t ticks_per_second);
TRACE_API void trace_context_write_string_record(trace_context_t *context,
                                                 trace_string_index_t index, const char *string,
                                                 size_t length);
TRACE_API void trace_context_write_thread_record(trace_context_t *context,
                                                 trace_thread_index_t index, zx_koid_t process_koid,
                                                 zx_koid_t thread_koid);

/* Room for a record of num_bytes, a multiple of 8 up to 32760, which the caller writes before it
   releases the context, in little-endian words. NULL when there is none, or the size is not
   allowed. For 0 bytes, a pointer at which nothing may be written. */
TRACE_API void *trace_context_alloc_record(trace_context_t *context, size_t num_bytes);

/* Asks whoever listens to the trace to act, say to stop it. At most 14 bytes of the name arrive. */
TRACE_API void trace_context_send_alert(trace_context_t *context, const char *alert_name);

#undef TRACE_I_EVENT
#undef TRACE_I_ARGS

#ifdef __cplusplus
}
#endif

#endif
