/* How a program becomes a provider. */
#include "src/tools/demo/providing.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <trace/event.h>
#include <unistd.h>

#define WAIT_MS 2000 /* wait for a trace that is already on */

void providing_begin(struct providing *self, const char *name)
{
    bool already_started = false;

    pthread_setname_np(pthread_self(), name);
    if (async_loop_create(&kAsyncLoopConfigNoAttachToThread, &self->loop) != ZX_OK ||
        async_loop_start_thread(self->loop, "trace", NULL) != ZX_OK) {
        fprintf(stderr, "pipeline: no loop\n");
        exit(1);
    }
    self->provider = trace_provider_create_synchronously(async_loop_get_dispatcher(self->loop),
                                                         name, &already_started);
    for (int ms = 0; already_started && !TRACE_ENABLED() && ms < WAIT_MS; ms++)
        usleep(1000);
}

void providing_end(struct providing *self)
{
    trace_provider_destroy(self->provider);
    async_loop_destroy(self->loop);
}
