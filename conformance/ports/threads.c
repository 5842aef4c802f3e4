/* Threads that trace into the file argv[1], in the buffering mode argv[2]: THREADS times EVENTS
   durations, and as many instants. The buffer holds all of them. */
#include <stdint.h>
#include <stdlib.h>
#include <pthread.h>
#include <trace/event.h>
#include <trace/file.h>

enum { THREADS = 4, EVENTS = 500 };

static void *serve(void *self)
{
    uint64_t number = *(const uint64_t *)self;
    for (uint64_t i = 0; i < EVENTS; i++) {
        TRACE_DURATION("ports", "serve", "thread", TA_UINT64(number), "i", TA_UINT64(i));
        TRACE_INSTANT("ports", "now", TRACE_SCOPE_THREAD, "half", TA_DOUBLE((double)i / 2));
    }
    return NULL;
}

int main(int argc, char **argv)
{
    static uint64_t numbers[THREADS];
    pthread_t threads[THREADS];

    if (argc != 3)
        return 1;
    const struct fxt_trace_options options = {.mode = (trace_buffering_mode_t)atoi(argv[2])};
    if (fxt_trace_start(argv[1], &options) != 0)
        return 1;
    for (uint64_t i = 0; i < THREADS; i++) {
        numbers[i] = i;
        if (pthread_create(&threads[i], NULL, serve, &numbers[i]) != 0)
            return 1;
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return fxt_trace_stop(NULL);
}
