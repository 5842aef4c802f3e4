/* The environment of libfxtref-auto, which the constructor reads once. */
#include "src/auto/auto.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

#include <lib/async-loop/loop.h>
#include <trace-provider/provider.h>
#include <trace/event.h>

struct auto_config fxt_auto;
pthread_mutex_t fxt_auto_lock = PTHREAD_MUTEX_INITIALIZER;

static void lock(void)
{
    pthread_mutex_lock(&fxt_auto_lock);
}

static void unlock(void)
{
    pthread_mutex_unlock(&fxt_auto_lock);
}

static void tell(const char *what)
{
    fprintf(stderr, "%s: libfxtref-auto: %s\n", program_invocation_short_name, what);
}

/* functions, locks, or both with a comma. */
static bool read_kinds(const char *text)
{
    while (*text != '\0') {
        size_t size = strcspn(text, ",");
        if (size == 9 && memcmp(text, "functions", 9) == 0)
            fxt_auto.functions = true;
        else if (size == 5 && memcmp(text, "locks", 5) == 0)
            fxt_auto.locks = true;
        else
            return false;
        text += size + (text[size] == ',');
    }
    return true;
}

static bool read_least(const char *text)
{
    char *end;

    if (*text < '0' || *text > '9')
        return false;
    double us = strtod(text, &end);
    fxt_auto.least = (trace_ticks_t)(us * ((double)trace_ticks_per_second() / 1e6));
    return *end == '\0' && us < 1e12;
}

/* The first functions may run before a recording begins: it is waited for, for a second. */
static void provide(const char *name)
{
    const struct timespec millisecond = {.tv_nsec = 1000000};
    async_loop_t *loop = NULL;
    trace_provider_t *provider = NULL;
    bool started = false;
    zx_status_t status = async_loop_create(&kAsyncLoopConfigNoAttachToThread, &loop);

    if (status == ZX_OK)
        status = async_loop_start_thread(loop, "trace", NULL);
    if (status == ZX_OK)
        status = trace_provider_create_with_status(async_loop_get_dispatcher(loop), name, &started,
                                                   &provider);
    if (status != ZX_OK)
        tell("cannot become a provider (FXT_AUTO_PROVIDER)");
    for (int ms = 0; started && !TRACE_ENABLED() && ms < 1000; ms++)
        thrd_sleep(&millisecond, NULL);
}

__attribute__((constructor)) static void begin(void)
{
    const char *kinds = secure_getenv("FXT_AUTO");
    const char *least = secure_getenv("FXT_AUTO_MIN_US");
    const char *open = secure_getenv("FXT_AUTO_OPEN");
    const char *filter = secure_getenv("FXT_AUTO_FILTER");
    const char *provider = secure_getenv("FXT_AUTO_PROVIDER");

    pthread_atfork(lock, unlock, unlock);
    if (!read_kinds(kinds != NULL && *kinds != '\0' ? kinds : "functions"))
        tell("FXT_AUTO is not functions, locks or functions,locks");
    if (least != NULL && *least != '\0' && !read_least(least))
        tell("FXT_AUTO_MIN_US is no number of microseconds");
    fxt_auto.open = open != NULL && strcmp(open, "1") == 0;
    fxt_auto.filter = filter != NULL && *filter != '\0' ? filter : NULL;
    if (fxt_auto.locks)
        fxt_auto_watch_locks();
    if (provider != NULL && *provider != '\0')
        provide(provider);
}

__attribute__((destructor)) static void finish(void)
{
    fxt_auto_end();
}
