/* Makes this process a trace provider: while a manager records, the events of the process go into
   the manager's archive. If no manager is running, the provider registers as soon as one appears.

   A forked child is not a provider, but can become one with its own loop.

   Any thread may call these functions; trace_provider_destroy comes last. */
#ifndef TRACE_PROVIDER_PROVIDER_H
#define TRACE_PROVIDER_PROVIDER_H

#include <stdbool.h>

#include <lib/async/dispatcher.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TRACE_PROVIDER_API ZX_I_EXPORTED

typedef struct trace_provider trace_provider_t;

/* Create the provider of this process; there can be only one. It does all its work on the
   dispatcher, which must be able to wait for descriptors. Its name is that of the program, or
   `name`, 1 to 100 bytes of UTF-8. Return NULL if the process already has a provider, the name is
   invalid, the dispatcher is NULL, or there is no memory. They also return NULL in a program with more rights than its
   caller (set-user-ID, set-group-ID, file capabilities: AT_SECURE of getauxval(3)), because the
   caller's manager would read its trace. The functions below accept NULL. */
TRACE_PROVIDER_API trace_provider_t *trace_provider_create(async_dispatcher_t *dispatcher);
TRACE_PROVIDER_API trace_provider_t *trace_provider_create_with_name(async_dispatcher_t *dispatcher,
                                                                     const char *name);

/* The same functions under their old names. */
TRACE_PROVIDER_API trace_provider_t *
trace_provider_create_with_fdio(async_dispatcher_t *dispatcher);
TRACE_PROVIDER_API trace_provider_t *
trace_provider_create_with_name_fdio(async_dispatcher_t *dispatcher, const char *name);

/* Also registers before it returns, if a manager is running and answers within a second. Stores in
   *out_already_started, unless NULL, whether the manager is already recording. Then the caller can
   wait until tracing has started, so that the trace misses nothing. */
TRACE_PROVIDER_API trace_provider_t *
trace_provider_create_synchronously(async_dispatcher_t *dispatcher, const char *name,
                                    bool *out_already_started);
TRACE_PROVIDER_API trace_provider_t *
trace_provider_create_synchronously_with_fdio(async_dispatcher_t *dispatcher, const char *name,
                                              bool *out_already_started);

/* Sets the categories that this process reports to clients, which `trace list-categories` prints.
   Copies them, and replaces the earlier ones. Returns ZX_ERR_INVALID_ARGS for a NULL provider, more
   than 100 categories, or an invalid name or description. */
struct trace_known_category {
    const char *name;        /* 1 to 100 bytes */
    const char *description; /* 0 to 100 bytes, or NULL */
};
TRACE_PROVIDER_API zx_status_t trace_provider_set_known_categories(
    trace_provider_t *provider, const struct trace_known_category *categories, size_t count);

/* Begins to stop tracing and to unregister, on the dispatcher, and returns at once. Call it once,
   before the dispatcher is destroyed. */
TRACE_PROVIDER_API void trace_provider_destroy(trace_provider_t *provider);

#ifdef __cplusplus
}

namespace trace
{

class TraceProvider
{
  public:
    explicit TraceProvider(async_dispatcher_t *dispatcher)
        : provider_(trace_provider_create(dispatcher))
    {
    }
    TraceProvider(async_dispatcher_t *dispatcher, const char *name)
        : provider_(trace_provider_create_with_name(dispatcher, name))
    {
    }
    ~TraceProvider()
    {
        if (provider_ != nullptr)
            trace_provider_destroy(provider_);
    }
    TraceProvider(const TraceProvider &) = delete;
    TraceProvider &operator=(const TraceProvider &) = delete;

    bool is_valid() const
    {
        return provider_ != nullptr;
    }

  private:
    trace_provider_t *const provider_;
};

} // namespace trace

#endif

#endif
