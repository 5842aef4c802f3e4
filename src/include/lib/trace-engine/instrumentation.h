/* Asking for a context: what the macros of <trace/event.h> do, and programs that write records of
   their own. All functions may be called from any thread and, but for those of observers, in signal
   handlers.

   The child of a fork() has an engine that was never started. A child of the bare system call clone
   is not noticed: it must not trace. */
#ifndef LIB_TRACE_ENGINE_INSTRUMENTATION_H
#define LIB_TRACE_ENGINE_INSTRUMENTATION_H

#include <lib/trace-engine/context.h>
#include <lib/trace-engine/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A number that this process has not had before, never 0. */
TRACE_API uint64_t trace_generate_nonce(void);

/* Now. */
TRACE_API trace_ticks_t trace_get_ticks(void);
TRACE_API uint64_t trace_ticks_per_second(void);

TRACE_API trace_state_t trace_state(void);

static inline bool trace_is_enabled(void)
{
    return trace_state() == TRACE_STARTED;
}

TRACE_API bool trace_is_category_enabled(const char *category_literal);

/* NULL unless tracing is started (and the category on). While a thread holds a context, the buffer
   stays: hold it for a few records only. Contexts nest. */
TRACE_API trace_context_t *trace_acquire_context(void);
TRACE_API trace_context_t *trace_acquire_context_for_category(const char *category_literal,
                                                              trace_string_ref_t *out_ref);
TRACE_API trace_context_t *trace_acquire_context_for_category_cached(const char *category_literal,
                                                                     trace_site_t *site_ptr,
                                                                     trace_string_ref_t *out_ref);
TRACE_API void trace_release_context(trace_context_t *context);

/* Forgets what call sites know of their categories. ZX_ERR_BAD_STATE unless stopped. */
TRACE_API zx_status_t trace_engine_flush_category_cache(void);

/* Keeps the engine from reaching TRACE_STOPPED. At most 127 at a time; NULL beyond that, or unless
   started. May be released by another thread. */
TRACE_API trace_prolonged_context_t *trace_acquire_prolonged_context(void);
TRACE_API void trace_release_prolonged_context(trace_prolonged_context_t *context);

/* An eventfd that is written to at each change of state. At most 32.
     ZX_ERR_INVALID_ARGS  registered already
     ZX_ERR_NO_RESOURCES  one too many
     ZX_ERR_NOT_FOUND     not registered */
TRACE_API zx_status_t trace_register_observer(zx_handle_t event);
TRACE_API zx_status_t trace_unregister_observer(zx_handle_t event);
/* The observer has seen the change. The handler is told that tracing has started when all have. */
TRACE_API void trace_notify_observer_updated(zx_handle_t event);

/* For the macros. */

/* A call site: its category's state and the references of its literals. Static, zero at first but for
   the names of its arguments. */
struct trace_i_site {
    trace_site_t site;
    uint32_t generation; /* for which the references hold */
    uint16_t category;
    uint16_t name;
    uint32_t args[TRACE_MAX_ARGS]; /* names, as in an argument's header */
    const char *const *names;
};

/* One for each program and library: lets the engine forget its sites when it is unloaded. */
struct trace_i_module {
    struct trace_i_module *next;
    void *handle;
};

/* Looks the category up and keeps the answer in the site. */
TRACE_API bool trace_i_site_enabled(struct trace_i_site *site, struct trace_i_module *module,
                                    const char *category);

#ifndef NTRACE

extern void *__dso_handle __attribute__((visibility("hidden")));
__attribute__((weak, visibility("hidden"))) struct trace_i_module trace_i_this_module = {
    0, &__dso_handle};

/* One load and one branch when the category is off. */
static inline bool trace_i_on(struct trace_i_site *site, const char *category)
{
    uintptr_t flags = __atomic_load_n(&site->site.state, __ATOMIC_RELAXED) & TRACE_SITE_FLAGS_MASK;
    if (__builtin_expect(flags == TRACE_SITE_DISABLED, 1))
        return false;
    return flags == TRACE_SITE_ENABLED ||
           trace_i_site_enabled(site, &trace_i_this_module, category);
}

#endif

/* Writes an event of this thread, now. value: what stands behind the arguments (scope, id); of a
   complete duration, its start. */
TRACE_API void trace_i_event(struct trace_i_site *site, const char *category, const char *name,
                             uint32_t event_type, uint64_t value, const trace_arg_value_t *values,
                             size_t num_args);

/* The same for what is not on the hot path. */
TRACE_API void trace_i_vthread_event(const char *category, const char *name, uint32_t event_type,
                                     uint64_t value, const char *vthread_literal,
                                     trace_vthread_id_t vthread_id, trace_ticks_t timestamp,
                                     const trace_arg_t *args, size_t num_args);
TRACE_API void trace_i_blob(trace_blob_type_t type, const char *name, const void *blob,
                            size_t blob_size);
TRACE_API void trace_i_blob_event(const char *category, const char *name, const void *blob,
                                  size_t blob_size, const trace_arg_t *args, size_t num_args);
TRACE_API void trace_i_blob_attachment(const char *category, const char *name, const void *blob,
                                       size_t blob_size);
TRACE_API void trace_i_alert(const char *alert_name);
TRACE_API void trace_i_kernel_object(zx_handle_t handle, const trace_arg_t *args, size_t num_args);

/* A duration that ends with its scope, and its arguments as they were when it began. */
struct trace_i_duration {
    struct trace_i_site *site;
    const char *category;
    const char *name;
    const trace_arg_value_t *values;
    size_t num_args;
    trace_ticks_t start;
    bool is_pair; /* of a begin, which has been written, and an end */
};

#define TRACE_I_TEXT_BYTES 128 /* of all its strings together */

/* `given` becomes `values`, with the strings in `text`. When they do not fit there, the event is
   written as a begin and an end. Returns `duration`, or NULL when the begin found no room. */
TRACE_API struct trace_i_duration *
trace_i_duration_begin(struct trace_i_duration *duration, struct trace_i_site *site,
                       const char *category, const char *name, trace_arg_value_t *values,
                       char *text, const trace_arg_value_t *given, size_t num_args);
TRACE_API void trace_i_duration_end(struct trace_i_duration *duration);

/* Of a scope: NULL when there is nothing to end, because the category was off when it began. */
static inline void trace_i_scope_end(struct trace_i_duration **scope)
{
    if (*scope != NULL)
        trace_i_duration_end(*scope);
}

/* Registers the names of arguments. */
static inline void trace_i_complete_args(trace_context_t *context, trace_arg_t *args,
                                         size_t num_args)
{
    for (size_t i = 0; i < num_args; i++) {
        trace_string_ref_t ref;
        trace_context_register_string_literal(context, args[i].name_literal, &ref);
        args[i].name_ref = ref.encoded_value;
    }
}

#ifdef __cplusplus
}
#endif

#endif
