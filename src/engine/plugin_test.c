/* A library that traces, to be loaded and unloaded by a test. */
#include <lib/trace-engine/instrumentation.h>
#include <trace/event.h>

__attribute__((visibility("default"))) void plugin_trace(void);
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
