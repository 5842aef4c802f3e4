/* killed FILE MODE COUNT: traces into a buffer that is the file, then dies by SIGKILL. Argument n of
   event n is n. Nobody saves the halves of a streaming buffer. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <lib/async-loop/loop.h>
#include <lib/trace-engine/handler.h>
#include <trace/event.h>

#define BUFFER_BYTES ((size_t)64 << 10)

static bool is_category_enabled(trace_handler_t *handler, const char *category)
{
    (void)handler;
    (void)category;
    return true;
}

static void trace_started(trace_handler_t *handler)
{
    (void)handler;
}

static void trace_stopped(trace_handler_t *handler, zx_status_t disposition, size_t bytes_written)
{
    (void)handler;
    (void)disposition;
    (void)bytes_written;
}

static void trace_terminated(trace_handler_t *handler)
{
    (void)handler;
}

static void notify_buffer_full(trace_handler_t *handler, uint32_t wrapped_count,
                               uint64_t durable_data_end)
{
    (void)handler;
    (void)wrapped_count;
    (void)durable_data_end;
}

static void send_alert(trace_handler_t *handler, const char *alert_name)
{
    (void)handler;
    (void)alert_name;
}

static void *map(const char *path)
{
    int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0 || ftruncate(file, BUFFER_BYTES) != 0)
        return NULL;
    void *buffer = mmap(NULL, BUFFER_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    return buffer == MAP_FAILED ? NULL : buffer;
}

int main(int argc, char **argv)
{
    static const trace_handler_ops_t ops = {is_category_enabled, trace_started,      trace_stopped,
                                            trace_terminated,    notify_buffer_full, send_alert};
    static trace_handler_t handler = {&ops};
    async_loop_t *loop;
    if (argc != 4) {
        fprintf(stderr,
                "usage: killed FILE MODE COUNT; MODE is 0 oneshot, 1 circular, 2 streaming\n");
        return 2;
    }
    void *buffer = map(argv[1]);
    if (buffer == NULL) {
        fprintf(stderr, "killed: %s: %s\n", argv[1], strerror(errno));
        return 1;
    }
    trace_buffering_mode_t mode = (trace_buffering_mode_t)atoi(argv[2]);
    if (async_loop_create(&kAsyncLoopConfigNoAttachToThread, &loop) != ZX_OK ||
        async_loop_start_thread(loop, "loop", NULL) != ZX_OK ||
        trace_engine_initialize(async_loop_get_dispatcher(loop), &handler, mode, buffer,
                                BUFFER_BYTES) != ZX_OK ||
        trace_engine_start(TRACE_START_CLEAR_ENTIRE_BUFFER) != ZX_OK) {
        fprintf(stderr, "killed: the engine did not start in mode %s\n", argv[2]);
        return 1;
    }
    int count = atoi(argv[3]);
    for (int n = 0; n < count; n++)
        TRACE_INSTANT("killed", "event", TRACE_SCOPE_THREAD, "n", n);
    raise(SIGKILL);
    return 1;
}
