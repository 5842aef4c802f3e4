/* A provider that loads a plug-in, for copies_test.py: [before|during PLUGIN [FILE]]. FILE takes the place of
   standard error before "during". */
#include <dlfcn.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <lib/async-loop/loop.h>
#include <trace-provider/provider.h>
#include <trace/event.h>

/* Whether the plug-in is there now, if it is to be. */
static int load(const char *path)
{
    void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *found = plugin != NULL ? dlsym(plugin, "plugin_trace") : NULL;
    void (*work)(void);
    if (found == NULL)
        return 1;
    memcpy(&work, &found, sizeof work);
    work();
    return 0;
}

int main(int argc, char **argv)
{
    async_loop_t *loop;
    trace_provider_t *provider;
    bool started = false;
    int code = argc > 2 && strcmp(argv[1], "before") == 0 ? load(argv[2]) : 0;

    if (async_loop_create(&kAsyncLoopConfigNoAttachToThread, &loop) != ZX_OK ||
        async_loop_start_thread(loop, "loop", NULL) != ZX_OK)
        return 1;
    provider =
        trace_provider_create_synchronously(async_loop_get_dispatcher(loop), "host", &started);
    for (int i = 0; i < 1000 && started && !TRACE_ENABLED(); i++)
        usleep(10000);
    TRACE_INSTANT("host", "works", TRACE_SCOPE_THREAD);
    if (argc > 3 && (close(2) != 0 || open(argv[3], O_WRONLY | O_CREAT, 0600) != 2))
        return 1;
    if (argc > 2 && strcmp(argv[1], "during") == 0)
        code = load(argv[2]);
    usleep(started ? 20000 : 0);
    trace_provider_destroy(provider);
    async_loop_destroy(loop);
    return code;
}
