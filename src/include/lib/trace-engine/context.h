/* Writing records through a context.

   A context belongs to the thread that acquired it, and is valid until that thread releases it
   (<lib/trace-engine/instrumentation.h>). None of these functions takes NULL for a context. Any
   thread may call them with its own context. They do not block for long, do not allocate and do not
   fail: a record that finds no room is dropped and counted. A signal handler that interrupts one of
   these functions may trace, too. If it would have to write into the middle of another record, its
   record is dropped and counted. Records that are written through a context while tracing stops are
   neither kept nor counted.

   A signal handler may leave one of these functions, or a macro of <trace/event.h>, by
   siglongjmp. A thread may be cancelled there asynchronously, or end by pthread_exit. The
   interrupted record counts as dropped, though it may be in the trace. After siglongjmp, the
   thread counts as one that holds a context, and its records are dropped and counted, until it
   calls a macro, trace_acquire_context or trace_engine_stop from at least as far up the stack.
   Contexts that the caller holds stay held. A handler must not leave a function of the trace
   handler or of the dispatcher. A handler on another stack, by swapcontext or with SS_AUTODISARM,
   must not trace. While the engine holds a lock, it blocks all signals but SIGILL, SIGTRAP,
   SIGBUS, SIGFPE, SIGSEGV and SIGSYS.

   Strings, arguments and payloads are only read during the call. The bytes of a literal must not
   change as long as the program or library that contains it is loaded. If the inline strings of a
   record do not fit into 32760 bytes together, the longest are cut to the same length, and end with
   an ellipsis (U+2026). A record with more than 15 arguments, or with a number that its field cannot
   hold (the table of limits in spec/format.md), is treated as a record that finds no room. Times are
   ticks, sizes are bytes. */
#ifndef LIB_TRACE_ENGINE_CONTEXT_H
#define LIB_TRACE_ENGINE_CONTEXT_H

#include <lib/trace-engine/types.h>

#ifdef __cplusplus
extern "C" {
#endif

TRACE_API bool trace_context_is_category_enabled(trace_context_t *context,
                                                 const char *category_literal);

/* Strings and threads. Equal strings get the same index on every thread, and their record is
   written once. A reference is valid until tracing stops. If the tables or the durable part of the
   buffer are full, the reference is inline; then the string must live until the last use of the
   reference. Empty and NULL strings give the empty ref. */
TRACE_API void trace_context_register_string_copy(trace_context_t *context, const char *string,
                                                  size_t length, trace_string_ref_t *out_ref);
TRACE_API void trace_context_register_string_literal(trace_context_t *context,
                                                     const char *string_literal,
                                                     trace_string_ref_t *out_ref);
/* Returns false and leaves *out_ref alone if the category is off. */
TRACE_API bool trace_context_register_category_literal(trace_context_t *context,
                                                       const char *category_literal,
                                                       trace_string_ref_t *out_ref);
/* Registers a string that may contain NUL. */
TRACE_API void trace_context_register_bytestring(trace_context_t *context, const void *bytes,
                                                 size_t length, trace_string_ref_t *out_ref);
/* Also writes the name of the thread, in a kernel object record. If the thread has another name when
   it ends, when tracing stops or when the program exits, a second record replaces the first. */
TRACE_API void trace_context_register_current_thread(trace_context_t *context,
                                                     trace_thread_ref_t *out_ref);
TRACE_API void trace_context_register_thread(trace_context_t *context, zx_koid_t process_koid,
                                             zx_koid_t thread_koid, trace_thread_ref_t *out_ref);
/* Registers a virtual thread: a track that the program defines. Its koid is vthread_id with bit 63
   set. process_koid 0 is this process. The name is written once, if at most 255 threads are
   registered by then; other virtual threads have no name. */
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

/* Blobs. A blob record holds at most 32000 bytes. One of a type that trace_blob_type_t does not
   have is dropped and counted. Blob events and attachments are large records, of any size that fits
   into a half of the buffer. Perfetto refuses a whole trace if it contains a large record of 32 KiB
   (4096 words) or more. */
TRACE_API void trace_context_write_blob_record(trace_context_t *context, trace_blob_type_t type,
                                               const trace_string_ref_t *name_ref, const void *blob,
                                               size_t blob_size);
/* Writes the record and returns the place of its payload, which the caller fills before it releases
   the context. NULL if there is no room. */
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

/* Kernel objects, scheduling and log records. */
TRACE_API void trace_context_write_process_info_record(trace_context_t *context,
                                                       zx_koid_t process_koid,
                                                       const trace_string_ref_t *process_name_ref);
TRACE_API void trace_context_write_thread_info_record(trace_context_t *context,
                                                      zx_koid_t process_koid, zx_koid_t thread_koid,
                                                      const trace_string_ref_t *thread_name_ref);
/* Describes the object behind a file descriptor, with its name. The koid of a pidfd is that of its
   process. Any other koid is made of the device and the inode, so it is the same in every process,
   but for timers and epolls, which have no inode of their own: such a koid names the descriptor, in
   this process alone. It has bit 62 set and bit 63 clear, so it is never that of a process, a
   thread or a virtual thread (spec/system.md, section 1.5). If the descriptor is not open, or its
   process has ended, the record is dropped and counted. */
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
/* A message of more than 32728 bytes is cut there, between two characters. */
TRACE_API void trace_context_write_log_record(trace_context_t *context, trace_ticks_t event_time,
                                              const trace_thread_ref_t *thread_ref,
                                              const char *log_message, size_t log_message_length);

/* Records that the engine normally writes itself, for programs that keep their own tables. */
TRACE_API void trace_context_write_initialization_record(trace_context_t *context,
                                                         zx_ticks_t ticks_per_second);
TRACE_API void trace_context_write_string_record(trace_context_t *context,
                                                 trace_string_index_t index, const char *string,
                                                 size_t length);
TRACE_API void trace_context_write_thread_record(trace_context_t *context,
                                                 trace_thread_index_t index, zx_koid_t process_koid,
                                                 zx_koid_t thread_koid);

/* Reserves room for a record of num_bytes, a multiple of 8 up to 32760. The caller writes the
   record there, in little-endian words, before it releases the context. NULL if there is no room,
   or the size is not allowed. For 0 bytes, the result must not be written to. */
TRACE_API void *trace_context_alloc_record(trace_context_t *context, size_t num_bytes);

/* Sends an alert to the client of the trace, which may then stop it. The name is cut to 14
   bytes. */
TRACE_API void trace_context_send_alert(trace_context_t *context, const char *alert_name);

#undef TRACE_I_EVENT
#undef TRACE_I_ARGS

#ifdef __cplusplus
}
#endif

#endif
