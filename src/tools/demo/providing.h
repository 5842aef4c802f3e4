/* A program that takes part in traces, from its first line to its last. */
#ifndef FXT_TOOLS_DEMO_PROVIDING_H
#define FXT_TOOLS_DEMO_PROVIDING_H

#include <lib/async-loop/loop.h>
#include <trace-provider/provider.h>

struct providing {
    async_loop_t *loop;
    trace_provider_t *provider;
};

/* Registers with a manager when there is one; when a trace is on, returns after it has begun here. */
void providing_begin(struct providing *self, const char *name);
void providing_end(struct providing *self);

#endif
