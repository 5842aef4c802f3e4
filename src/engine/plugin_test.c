/* A library that traces, to be loaded and unloaded by a test. */
#include <trace/event.h>

__attribute__((visibility("default"))) void plugin_trace(void);
void plugin_trace(void)
{
    TRACE_INSTANT("+plugin", "loaded", TRACE_SCOPE_THREAD, "n", 1);
}
