/* A program that becomes a provider and traces. privileged_test.py runs it with the rights of
   other users. It prints whether it is a provider. */
#include <stdio.h>
#include <unistd.h>

#include <lib/async-loop/loop.h>
#include <trace-provider/provider.h>
#include <trace/event.h>

#define WAIT_MS 5000 /* wait for a trace that is already on */

/* Of the address sanitizer, whose look for leaks traces the process: the kernel permits that to nobody
   if the process has more rights than its caller. */
const char *__lsan_default_options(void);
const char *__lsan_default_options(void)
{
    return "detect_leaks=0";
}

int main(void)
{
    async_loop_t *loop;
    bool already_started = false;

    if (async_loop_create(&kAsyncLoopConfigNoAttachToThread, &loop) != ZX_OK ||
        async_loop_start_thread(loop, "trace", NULL) != ZX_OK)
        return 1;
    trace_provider_t *provider = trace_provider_create_synchronously(
        async_loop_get_dispatcher(loop), "secret", &already_started);
    trace_provider_set_known_categories(provider, NULL, 0);
    for (int ms = 0; already_started && !TRACE_ENABLED() && ms < WAIT_MS; ms++)
        usleep(1000);
    TRACE_INSTANT("secret", "the secret", TRACE_SCOPE_THREAD);
    usleep(200000); /* wait for a provider without a manager to make the directory */
    puts(provider != NULL ? "a provider" : "no provider");
    trace_provider_destroy(provider);
    async_loop_destroy(loop);
    return 0;
}
