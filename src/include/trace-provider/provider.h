/* Makes this process a trace provider: while a manager records, the events of the process go into
   the manager's archive. If no manager is running, the provider registers as soon as one appears.

   A forked child is not a provider, but can become one with its own loop. So a daemon creates its loop
   and its provider after daemon() or its last fork: an earlier provider is the parent's, and ends
   with it.

   A program that closes descriptors which are not its own closes the provider's, too. The provider
   looks before each use, and writes to no descriptor that is not its own. It ends its part of the
   recording with a line on stderr, and registers again.

   The thread of the loop counts as one of the program: after pthread_exit of all others, the process
   goes on.

   The dispatcher's loop must run, best on a thread of its own: the provider answers the manager there.

   A process must have one engine: a library that is linked with another copy of it traces nothing by
   this provider. The provider writes one line to stderr about such a copy when it is recorded.

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
   `name`, 1 to 100 bytes of UTF-8. While an earlier provider is being destroyed, its successor can be
   created, and begins when the earlier one has gone. Return NULL if there is no provider;
   trace_provider_create_with_status tells why. The functions below accept NULL. */
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

/* The same, with the reason. Without a `name` (NULL), the name is the program's. Registers before it
   returns if out_already_started is not NULL. Stores the provider, or NULL and returns:
   ZX_ERR_INVALID_ARGS    the dispatcher is NULL, or the name is not 1 to 100 bytes of UTF-8
   ZX_ERR_ALREADY_EXISTS  the process has a provider that is not being destroyed, or has a successor
   ZX_ERR_ACCESS_DENIED   the program has more rights than its caller (set-user-ID, set-group-ID, file
                          capabilities: AT_SECURE of getauxval(3)), whose manager would read its trace
   ZX_ERR_BAD_STATE       the dispatcher is shut down
   ZX_ERR_NO_MEMORY */
TRACE_PROVIDER_API zx_status_t trace_provider_create_with_status(async_dispatcher_t *dispatcher,
                                                                 const char *name,
                                                                 bool *out_already_started,
                                                                 trace_provider_t **out_provider);

/* Sets the categories that this process reports to clients, which `trace list-categories` prints.
   Copies them, and replaces the earlier ones. Returns ZX_ERR_INVALID_ARGS for a NULL provider, more
   than 100 categories, or an invalid name or description. */
struct trace_known_category {
    const char *name;        /* 1 to 100 bytes */
    const char *description; /* 0 to 100 bytes, or NULL */
};
TRACE_PROVIDER_API zx_status_t trace_provider_set_known_categories(
    trace_provider_t *provider, const struct trace_known_category *categories, size_t count);

/* Begins to stop tracing and to unregister, on the dispatcher, and returns at once. Call it before the
   dispatcher is destroyed. A second call is a no-op until another provider is created, which may
   have the same address. */
TRACE_PROVIDER_API void trace_provider_destroy(trace_provider_t *provider);

#ifdef __cplusplus
}

namespace trace
{

class TraceProvider
{
  public:
    explicit TraceProvider(async_dispatcher_t *dispatcher) : TraceProvider(dispatcher, nullptr)
    {
    }
    /* Of the program's name if `name` is nullptr. */
    TraceProvider(async_dispatcher_t *dispatcher, const char *name)
        : status_(trace_provider_create_with_status(dispatcher, name, nullptr, &provider_))
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
    /* Why there is none. */
    zx_status_t status() const
    {
        return status_;
    }

  private:
    trace_provider_t *provider_; /* first: the next one's constructor sets it */
    zx_status_t status_;
};

} // namespace trace

#endif

#endif
