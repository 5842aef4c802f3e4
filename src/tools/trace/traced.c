/* A program to be traced, for the tests: registers, waits until it is being traced if a trace is on,
   and does what its arguments say, one after the other:

     name=NAME       its name as a provider (comes first)
     file=PATH       traces into a file instead of registering (comes first)
     hasty           does not wait for a trace that is on
     deaf            its loop does not run, so it does not wait, either
     known=NAME      the name and the description of a known category
     events=N        N instants "step" of the category "test", with the argument n, counted
     other=N         the same in the category "other"
     spans=N         N durations "span" of the category "test"
     blob=N          a large blob "large" of N bytes, of the category "test"
     attachment=N    the same without time, thread and arguments
     names=N         registers N strings
     alert=NAME      alerts
     wait=SECONDS    sleeps
     await           waits until it is traced, whether a trace was on or not, for at most
                     $TRACED_PATIENCE seconds (30) in all
     print=TEXT      a line on stdout
     daemon          goes on in a forked child
     signal=N        kills itself
     exit=CODE       exits */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <lib/async-loop/loop.h>
#include <lib/trace-engine/context.h>
#include <trace-provider/provider.h>
#include <trace/event.h>
#include <trace/file.h>

#define PATIENCE_S 30
#define NAME_BYTES 32

static uint64_t count;
static trace_provider_t *provider;

static void pause_for(double seconds)
{
    struct timespec time = {.tv_sec = (time_t)seconds,
                            .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&time, NULL);
}

static void await_trace(void)
{
    const char *patience = secure_getenv("TRACED_PATIENCE");
    int seconds = patience != NULL ? atoi(patience) : PATIENCE_S;
    static int waits;
    for (; waits < seconds * 100 && !TRACE_ENABLED(); waits++)
        pause_for(0.01);
}

static void register_names(long names)
{
    char name[NAME_BYTES];
    trace_string_ref_t ref;
    trace_context_t *context = trace_acquire_context();
    for (long i = 0; context != NULL && i < names; i++) {
        int length = snprintf(name, sizeof name, "name number %ld", i);
        trace_context_register_string_copy(context, name, (size_t)length, &ref);
    }
    if (context != NULL)
        trace_release_context(context);
}

static const char *value_of(const char *argument, const char *name)
{
    size_t length = strlen(name);
    if (strncmp(argument, name, length) != 0 || argument[length] != '=')
        return NULL;
    return argument + length + 1;
}

static void trace_steps(long steps)
{
    for (long i = 0; i < steps; i++)
        TRACE_INSTANT("test", "step", TRACE_SCOPE_THREAD, "n", TA_UINT64(count++));
}

static void trace_others(long steps)
{
    for (long i = 0; i < steps; i++)
        TRACE_INSTANT("other", "step", TRACE_SCOPE_THREAD);
}

static void write_blob(size_t size, bool attached)
{
    uint8_t *bytes = calloc(size, 1);
    if (bytes != NULL && attached)
        TRACE_BLOB_ATTACHMENT("test", "large", bytes, size);
    else if (bytes != NULL)
        TRACE_BLOB_EVENT("test", "large", bytes, size);
    free(bytes);
}

static void know(const char *name)
{
    const struct trace_known_category known[] = {{name, name}};
    trace_provider_set_known_categories(provider, known, 1);
}

static void trace_spans(long spans)
{
    for (long i = 0; i < spans; i++) {
        TRACE_DURATION("test", "span");
    }
}

static void act(const char *argument)
{
    const char *value;
    if ((value = value_of(argument, "events")) != NULL)
        trace_steps(atol(value));
    else if ((value = value_of(argument, "other")) != NULL)
        trace_others(atol(value));
    else if ((value = value_of(argument, "spans")) != NULL)
        trace_spans(atol(value));
    else if ((value = value_of(argument, "blob")) != NULL)
        write_blob((size_t)atol(value), false);
    else if ((value = value_of(argument, "attachment")) != NULL)
        write_blob((size_t)atol(value), true);
    else if ((value = value_of(argument, "names")) != NULL)
        register_names(atol(value));
    else if ((value = value_of(argument, "known")) != NULL)
        know(value);
    else if ((value = value_of(argument, "alert")) != NULL)
        TRACE_ALERT("test", value);
    else if ((value = value_of(argument, "wait")) != NULL)
        pause_for(atof(value));
    else if ((value = value_of(argument, "print")) != NULL)
        puts(value);
    else if ((value = value_of(argument, "signal")) != NULL)
        raise(atoi(value));
    else if ((value = value_of(argument, "exit")) != NULL)
        _exit(atoi(value));
    else if (strcmp(argument, "daemon") == 0 && daemon(1, 1) != 0)
        _exit(102);
    else if (strcmp(argument, "await") == 0)
        await_trace();
    fflush(stdout);
}

static int trace_into_file(const char *path, char **actions)
{
    int error = fxt_trace_start(path, NULL);
    for (; *actions != NULL; actions++)
        act(*actions);
    if (error == 0)
        error = fxt_trace_stop(NULL);
    if (error == 0)
        return 0;
    fprintf(stderr, "traced: %s: %s\n", path, strerror(error));
    return 1;
}

static bool has(int argc, char **argv, const char *argument)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], argument) == 0)
            return true;
    return false;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? value_of(argv[1], "file") : NULL;
    const char *name = argc > 1 ? value_of(argv[1], "name") : NULL;
    bool is_deaf = has(argc, argv, "deaf");
    async_loop_t *loop = NULL;
    bool started = false;
    static const struct trace_known_category known[] = {{"test", "what the tests trace"},
                                                        {"other", NULL}};
    if (path != NULL)
        return trace_into_file(path, argv + 2);
    zx_status_t status = async_loop_create(&kAsyncLoopConfigNoAttachToThread, &loop);
    if (status == ZX_OK && !is_deaf)
        status = async_loop_start_thread(loop, "loop", NULL);
    if (status == ZX_OK)
        status = trace_provider_create_with_status(
            async_loop_get_dispatcher(loop), name != NULL ? name : "traced", &started, &provider);
    if (status != ZX_OK)
        fprintf(stderr, "traced: no trace provider: status %d\n", status);
    trace_provider_set_known_categories(provider, known, 2);
    if (started && !is_deaf && !has(argc, argv, "hasty"))
        await_trace();
    for (int i = 1; i < argc; i++)
        act(argv[i]);
    trace_provider_destroy(provider);
    async_loop_destroy(loop);
    return 0;
}
