/* A manager, a provider and a client in one process, each on threads of its own, with threads that
   trace, and sessions in every mode one after the other: for the thread sanitizer, so without a
   test framework.

     threads_test [SESSIONS [PROVIDERS]] */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fxt/read.h>
#include <lib/async-loop/loop.h>
#include <trace-controller/controller.h>
#include <trace-manager/manager.h>
#include <trace-provider/provider.h>
#include <trace/event.h>

#define THREADS 3

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool end;

static bool is_over(void)
{
    pthread_mutex_lock(&lock);
    bool over = end;
    pthread_mutex_unlock(&lock);
    return over;
}

static void *run_manager(void *manager)
{
    trace_manager_run(manager);
    return NULL;
}

static void *trace(void *self)
{
    (void)self;
    for (uint64_t i = 0; !is_over(); i++) {
        TRACE_DURATION("threads", "duration", "i", TA_UINT64(i));
        TRACE_INSTANT("other", "instant", TRACE_SCOPE_THREAD);
        if (i % 100 == 0) {
            TRACE_ALERT("threads", "alert");
            usleep(100);
        }
    }
    return NULL;
}

/* Counts the records, which have to be whole ones to the end. */
static void *read_archive(void *ends)
{
    static uint8_t bytes[1 << 25];
    size_t size = 0;
    ssize_t got;
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    enum fxt_status status;
    uint64_t count = 0;

    do {
        got = read(*(int *)ends, bytes + size, sizeof bytes - size);
        size += got > 0 ? (size_t)got : 0;
    } while (got > 0);
    fxt_reader_init(&reader, bytes, size);
    while ((status = fxt_reader_next(&reader, &record, &error)) == FXT_OK)
        count++;
    assert(status == FXT_END);
    printf("%lu records\n", (unsigned long)count);
    return NULL;
}

static void be_well(int error)
{
    if (error != 0)
        fprintf(stderr, "%s\n", trace_controller_error_text(error));
    assert(error == 0);
}

static void record(trace_controller_t *controller, enum trace_mode mode)
{
    static const char *const categories[] = {"threads"};
    const struct trace_config config = {.mode = mode,
                                        .buffer_megabytes = 1,
                                        .categories = categories,
                                        .category_count = mode == TRACE_MODE_CIRCULAR};
    struct trace_status status;
    pthread_t reader;
    char alert[15];
    int ends[2];

    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    assert(pthread_create(&reader, NULL, read_archive, &ends[0]) == 0);
    be_well(trace_controller_initialize(controller, &config, ends[1]));
    close(ends[1]);
    be_well(trace_controller_start(controller, TRACE_DISPOSITION_CLEAR_ENTIRE, NULL, 0));
    be_well(trace_controller_watch_alert(controller));
    usleep(20000);
    if (mode == TRACE_MODE_STREAMING)
        be_well(trace_controller_flush(controller, -1));
    be_well(trace_controller_next_alert(controller, 10000, alert));
    be_well(trace_controller_stop(controller, false, NULL, NULL));
    be_well(trace_controller_start(controller, TRACE_DISPOSITION_RETAIN, categories, 1));
    usleep(5000);
    be_well(trace_controller_get_status(controller, &status));
    be_well(trace_controller_terminate(controller, true, NULL, NULL));
    pthread_join(reader, NULL);
    close(ends[0]);
}

/* A provider that comes, is recorded, and goes, its loop first or last. */
static void be_provider(trace_controller_t *controller, int sessions, bool synchronously)
{
    static const struct trace_known_category known = {"threads", NULL};
    async_loop_t *loop;
    trace_provider_t *provider;

    assert(async_loop_create(&kAsyncLoopConfigNoAttachToThread, &loop) == ZX_OK);
    assert(async_loop_start_thread(loop, "loop", NULL) == ZX_OK);
    async_dispatcher_t *dispatcher = async_loop_get_dispatcher(loop);
    provider = synchronously ? trace_provider_create_synchronously(dispatcher, "threads", NULL)
                             : trace_provider_create_with_name(dispatcher, "threads");
    assert(provider != NULL);
    trace_provider_set_known_categories(provider, &known, 1);
    for (int i = 0; i < sessions; i++)
        record(controller, (enum trace_mode)(1 + i % 3));
    if (synchronously)
        async_loop_shutdown(loop);
    trace_provider_destroy(provider);
    async_loop_destroy(loop);
}

/* Runs the manager, and ends it while a session is on, or behind a session. */
static void run_and_quit(trace_manager_t *manager, bool is_on)
{
    const struct trace_config config = {.mode = TRACE_MODE_ONESHOT, .buffer_megabytes = 1};
    trace_controller_t *controller;
    struct trace_status status;
    pthread_t thread;
    int output = open("/dev/null", O_WRONLY);

    be_well(trace_controller_adopt(trace_manager_connect(manager), &controller));
    assert(pthread_create(&thread, NULL, run_manager, manager) == 0);
    be_well(trace_controller_initialize(controller, &config, output));
    if (!is_on)
        be_well(trace_controller_terminate(controller, true, NULL, NULL));
    be_well(trace_controller_get_status(controller, &status)); /* it runs */
    trace_manager_quit(manager);
    pthread_join(thread, NULL);
    trace_controller_destroy(controller);
    close(output);
}

int main(int argc, char **argv)
{
    int sessions = argc > 1 ? atoi(argv[1]) : 6;
    int providers = argc > 2 ? atoi(argv[2]) : 4;
    struct trace_manager_options options = TRACE_MANAGER_OPTIONS_INIT;
    char directory[] = "/tmp/fxt_threads_XXXXXX";
    char message[200];
    trace_manager_t *manager;
    trace_controller_t *controller;
    pthread_t threads[THREADS + 1];

    assert(mkdtemp(directory) != NULL);
    setenv("FXT_TRACE_DIR", directory, 1);
    assert(trace_manager_create(&options, &manager, message) == 0);
    be_well(trace_controller_adopt(trace_manager_connect(manager), &controller));
    assert(pthread_create(&threads[0], NULL, run_manager, manager) == 0);
    for (int i = 1; i <= THREADS; i++)
        assert(pthread_create(&threads[i], NULL, trace, NULL) == 0);
    for (int i = 0; i < providers; i++)
        be_provider(controller, sessions, i % 2 == 0);
    pthread_mutex_lock(&lock);
    end = true;
    pthread_mutex_unlock(&lock);
    trace_manager_quit(manager);
    for (int i = 0; i <= THREADS; i++)
        pthread_join(threads[i], NULL);
    trace_controller_destroy(controller);
    run_and_quit(manager, true);
    run_and_quit(manager, false);
    trace_manager_destroy(manager);
    rmdir(directory);
    return 0;
}
