/* Makes this process a trace provider: while a manager records, what the process traces goes into
   the manager's archive. Without a manager it costs nothing; it registers when one appears.

   A child that a process forks is no provider; it may become one of its own with another loop. */
#ifndef TRACE_PROVIDER_PROVIDER_H
#define TRACE_PROVIDER_PROVIDER_H

#include <stdbool.h>

#include <lib/async/dispatcher.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TRACE_PROVIDER_API __attribute__((visibility("default")))

typedef struct trace_provider trace_provider_t;

/* One a process. All its work is done on the dispatcher, which has to be able to wait for
   descriptors. The name is that of the program; or `name`, UTF-8 of 1 to 100 bytes.
   Returns NULL when there is one already, the name is not allowed, or there is no memory; and in a
   program that has more rights than its caller (set-user-ID, set-group-ID, file capabilities: AT_SECURE
   of getauxval(3)), because the caller's manager would read what it traces. The functions below
   accept NULL. */
TRACE_PROVIDER_API trace_provider_t *trace_provider_create(async_dispatcher_t *dispatcher);
TRACE_PROVIDER_API trace_provider_t *trace_provider_create_with_name(async_dispatcher_t *dispatcher,
                                                                     const char *name);

/* The same under their old names. */
TRACE_PROVIDER_API trace_provider_t *
trace_provider_create_with_fdio(async_dispatcher_t *dispatcher);
TRACE_PROVIDER_API trace_provider_t *
trace_provider_create_with_name_fdio(async_dispatcher_t *dispatcher, const char *name);

/* Registers before it returns, when a manager is running and answers within a second.
   *out_already_started, unless NULL: whether a trace is on, so that who wants to have everything in
   it waits for its start. */
TRACE_PROVIDER_API trace_provider_t *
trace_provider_create_synchronously(async_dispatcher_t *dispatcher, const char *name,
                                    bool *out_already_started);
TRACE_PROVIDER_API trace_provider_t *
trace_provider_create_synchronously_with_fdio(async_dispatcher_t *dispatcher, const char *name,
                                              bool *out_already_started);

/* What the process says when it is asked which categories it has. Copied; replaces what was said
   before. ZX_ERR_INVALID_ARGS for a NULL provider, more than 100 categories, or a name or description
   that is not allowed. */
struct trace_known_category {
    const char *name;        /* 1 to 100 bytes */
    const char *description; /* 0 to 100 bytes, or NULL */
};
TRACE_PROVIDER_API zx_status_t trace_provider_set_known_categories(
    trace_provider_t *provider, const struct trace_known_category *categories, size_t count);

/* Begins to stop tracing and to unregister, on the dispatcher, and returns at once. Before the
   dispatcher is destroyed. */
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
