/* How a program becomes a provider, and ceases to be one. */
#ifndef FXT_TOOLS_DEMO_PROVIDING_H
#define FXT_TOOLS_DEMO_PROVIDING_H

#include <lib/async-loop/loop.h>
#include <trace-provider/provider.h>

struct providing {
    async_loop_t *loop;
    trace_provider_t *provider;
};

/* Registers with a manager, if there is one. If a trace is on, returns after it has started here.
   */
void providing_begin(struct providing *self, const char *name);
void providing_end(struct providing *self);

#endif
