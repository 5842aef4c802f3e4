/* Acquiring a context. The macros of <trace/event.h> do this, and so do programs that compose their
   own records. Any thread may call these functions. Signal handlers may call all of them, except
   those of observers.

   In a forked child, the engine was never started, whatever call made the child: fork, _Fork or the
   bare system call clone. Without fork handlers, the engine needs Linux 4.14 for that, and the thread
   that called _Fork is the one that initializes an engine of its own. Not noticed: a child that
   shares its memory with the parent (CLONE_VM), and a record that is being written when a signal
   handler makes the child, or that trace_context_alloc_record has returned. */
#ifndef LIB_TRACE_ENGINE_INSTRUMENTATION_H
#define LIB_TRACE_ENGINE_INSTRUMENTATION_H

#include <lib/trace-engine/context.h>
#include <lib/trace-engine/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns a number that it has not returned before in this process, never 0. */
TRACE_API uint64_t trace_generate_nonce(void);

/* Returns the current time, of the same clock for as long as the program runs. */
TRACE_API trace_ticks_t trace_get_ticks(void);
/* The first call may take 10 milliseconds. */
TRACE_API uint64_t trace_ticks_per_second(void);

TRACE_API trace_state_t trace_state(void);

static inline bool trace_is_enabled(void)
{
    return trace_state() == TRACE_STARTED;
}

TRACE_API bool trace_is_category_enabled(const char *category_literal);

/* Acquires a context. NULL unless tracing is started and, with a category, the category is on.
   While a thread holds a context, tracing cannot finish stopping, and a half of the buffer in which
   the thread wrote is neither used again nor saved: the other threads drop their records when they
   have filled the other half. So hold it only for a few records. Contexts nest. To release NULL
   does nothing. */
TRACE_API trace_context_t *trace_acquire_context(void);
TRACE_API trace_context_t *trace_acquire_context_for_category(const char *category_literal,
                                                              trace_string_ref_t *out_ref);
TRACE_API trace_context_t *trace_acquire_context_for_category_cached(const char *category_literal,
                                                                     trace_site_t *site_ptr,
                                                                     trace_string_ref_t *out_ref);
TRACE_API void trace_release_context(trace_context_t *context);

/* Makes call sites look up their categories again. ZX_ERR_BAD_STATE unless tracing is stopped. */
TRACE_API zx_status_t trace_engine_flush_category_cache(void);

/* Keeps the engine from reaching TRACE_STOPPED. NULL unless tracing is started, or if 127 are
   already held. Another thread may release it. */
TRACE_API trace_prolonged_context_t *trace_acquire_prolonged_context(void);
TRACE_API void trace_release_prolonged_context(trace_prolonged_context_t *context);

/* Register an eventfd that is signalled at each change of state, and unregister it. Return
     ZX_ERR_INVALID_ARGS  if it is already registered
     ZX_ERR_NO_RESOURCES  if 32 are registered
     ZX_ERR_NOT_FOUND     if it is not registered */
TRACE_API zx_status_t trace_register_observer(zx_handle_t event);
TRACE_API zx_status_t trace_unregister_observer(zx_handle_t event);
/* Acknowledges the change. When all observers have done so, the handler's trace_started is
   called. */
TRACE_API void trace_notify_observer_updated(zx_handle_t event);

/* For the macros. */

/* A call site: the state of its category and the references of its literals. It is static and
   begins as zero, except for the names of its arguments. */
struct trace_i_site {
    trace_site_t site;
    uint32_t generation; /* of the references */
    uint16_t category;
    uint16_t name;
    uint32_t args[TRACE_MAX_ARGS]; /* names, as in an argument's header */
    const char *const *names;
};

/* One for each program and library. The engine forgets its sites when the library is unloaded. */
struct trace_i_module {
    struct trace_i_module *next;
    void *handle;
};

/* Looks up the category, and stores its state in the site. */
TRACE_API bool trace_i_site_enabled(struct trace_i_site *site, struct trace_i_module *module,
                                    const char *category);

#ifndef NTRACE

extern void *__dso_handle __attribute__((visibility("hidden")));
__attribute__((weak, visibility("hidden"))) struct trace_i_module trace_i_this_module = {
    NULL, &__dso_handle};

/* Costs one load and one branch if the category is off. */
static inline bool trace_i_on(struct trace_i_site *site, const char *category)
{
    uintptr_t flags = __atomic_load_n(&site->site.state, __ATOMIC_RELAXED) & TRACE_SITE_FLAGS_MASK;
    if (__builtin_expect(flags == TRACE_SITE_DISABLED, 1))
        return false;
    return flags == TRACE_SITE_ENABLED ||
           trace_i_site_enabled(site, &trace_i_this_module, category);
}

#endif

/* Writes an event of this thread with the current time. value: the word after the arguments (scope,
   id); for a complete duration, its start. */
TRACE_API void trace_i_event(struct trace_i_site *site, const char *category, const char *name,
                             uint32_t event_type, uint64_t value, const trace_arg_value_t *values,
                             size_t num_args);

/* The same for events that are not on the hot path. */
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

/* A duration that ends with its scope. Keeps the values that its arguments had at the begin. */
struct trace_i_duration {
    struct trace_i_site *site;
    const char *category;
    const char *name;
    const trace_arg_value_t *values;
    size_t num_args;
    uint64_t start;  /* ticks; of a pair, the number of the clearing that came before it */
    bool is_pair;    /* the begin has been written; an end event follows */
    bool is_dynamic; /* the name is no literal */
};

#define TRACE_I_TEXT_BYTES 128 /* of all its strings together */

/* Copies `given` to `values`, and their strings to `text`. If these do not fit, writes a begin
   event now and an end event later. Returns `duration`, or NULL if the begin event found no
   room. */
TRACE_API struct trace_i_duration *
trace_i_duration_begin(struct trace_i_duration *duration, struct trace_i_site *site,
                       const char *category, const char *name, trace_arg_value_t *values,
                       char *text, const trace_arg_value_t *given, size_t num_args);
/* Writes a begin event now and an end event later. Returns `duration`, or NULL if the begin event
   found no room. */
TRACE_API struct trace_i_duration *
trace_i_duration_open(struct trace_i_duration *duration, struct trace_i_site *site,
                      const char *category, const char *name, const trace_arg_value_t *given,
                      size_t num_args);
TRACE_API void trace_i_duration_end(struct trace_i_duration *duration);

/* The same for an event whose name is any string, which is read in this call. */
TRACE_API void trace_i_dynamic_event(const char *category, const char *name, uint32_t event_type,
                                     uint64_t value, const trace_arg_t *args, size_t num_args);

/* Writes a begin event with such a name now, and an end event later. Copies the name to `text`, cut to
   TRACE_I_TEXT_BYTES - 1. Returns `duration`, or NULL if the begin event found no room. */
TRACE_API struct trace_i_duration *trace_i_dynamic_begin(struct trace_i_duration *duration,
                                                         char *text, struct trace_i_site *site,
                                                         const char *category, const char *name,
                                                         const trace_arg_t *args, size_t num_args);

/* Called at the end of a scope. The duration is NULL if the category was off at its begin. */
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
