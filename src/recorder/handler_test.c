/* A thread's first event is in a signal handler, which may have interrupted malloc: nothing is allocated,
   although the program has many keys of thread-specific values. Without a test framework, because
   calloc is replaced. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <trace/event.h>
#include <trace/file.h>

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__

int main(void)
{
    puts("skipped: the sanitizer has its own calloc");
    return 0;
}

#else

enum { KEYS = 40, THREADS = 100 };

extern void *__libc_calloc(size_t count, size_t size);

static volatile sig_atomic_t in_handler, allocated;

void *calloc(size_t count, size_t size)
{
    allocated += in_handler;
    return __libc_calloc(count, size);
}

static void trace_a_tick(int number)
{
    (void)number;
    in_handler = 1;
    TRACE_INSTANT("cat", "tick", TRACE_SCOPE_THREAD);
    in_handler = 0;
}

static void *run(void *self)
{
    raise(SIGUSR1);
    return self;
}

int main(void)
{
    char path[] = "/tmp/fxt_handler_test_XXXXXX";
    pthread_key_t key;
    pthread_t thread;

    assert(close(mkstemp(path)) == 0);
    for (int i = 0; i < KEYS; i++)
        assert(pthread_key_create(&key, NULL) == 0);
    signal(SIGUSR1, trace_a_tick);
    raise(SIGUSR1); /* the first use of the macro in this program */
    assert(fxt_trace_start(path, NULL) == 0);
    allocated = 0;
    for (int i = 0; i < THREADS; i++) {
        assert(pthread_create(&thread, NULL, run, NULL) == 0);
        pthread_join(thread, NULL);
    }
    assert(fxt_trace_stop(NULL) == 0);
    unlink(path);
    if (allocated != 0)
        fprintf(stderr, "%d allocations in %d handlers\n", (int)allocated, THREADS);
    return allocated != 0;
}

#endif
