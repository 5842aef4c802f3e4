/* A library that traces, to be loaded and unloaded by a test. */
#include <lib/trace-engine/instrumentation.h>
#include <trace/event.h>

__attribute__((visibility("default"))) void plugin_trace(void);
__attribute__((visibility("default"))) bool plugin_asks(struct trace_i_site *site,
                                                        const char *category);

/* The site is in another module, as one of an inline function of C++ may be. */
bool plugin_asks(struct trace_i_site *site, const char *category)
{
    return trace_i_site_enabled(site, &trace_i_this_module, category);
}

void plugin_trace(void)
{
    static trace_site_t site;
    trace_string_ref_t category;
    trace_context_t *context;

    TRACE_INSTANT("+plugin", "loaded", TRACE_SCOPE_THREAD, "n", 1);
    context = trace_acquire_context_for_category_cached("+plugin", &site, &category);
    if (context == NULL)
        return;
    trace_context_write_blob_record(context, TRACE_BLOB_TYPE_DATA, &category, "x", 1);
    trace_release_context(context);
}
