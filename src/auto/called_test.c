/* A program without macros, for auto_test.py. The first argument says what it does. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void pause_for(long ms)
{
    const struct timespec time = {.tv_nsec = ms * 1000000};
    nanosleep(&time, NULL);
}

static int quick(int n)
{
    return n + 1;
}

static void slow(void)
{
    pause_for(20);
}

static int recursive(int n)
{
    return n == 0 ? 0 : 1 + recursive(n - 1);
}

static jmp_buf place;

static void jumper(void)
{
    longjmp(place, 1);
}

static void jumps(void)
{
    if (setjmp(place) == 0)
        jumper();
    quick(1);
}

static void handler(int number)
{
    (void)number;
    quick(2);
}

static void signalled(void)
{
    signal(SIGUSR1, handler);
    raise(SIGUSR1);
}

static void *threaded(void *context)
{
    (void)context;
    for (int i = 0; i < 100; i++)
        quick(i);
    return NULL;
}

static void threads(void)
{
    pthread_t all[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&all[i], NULL, threaded, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(all[i], NULL);
}

static void child(void)
{
    quick(3);
}

static void forks(void)
{
    pid_t pid = fork();
    if (pid == 0) {
        child();
        exit(0);
    }
    waitpid(pid, NULL, 0);
}

static void leaves(void)
{
    quick(4);
    _exit(0);
}

static void killed(void)
{
    quick(5);
    raise(SIGKILL);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *waits(void *context)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return context;
}

static void locks(void)
{
    pthread_t thread;
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, waits, NULL);
    pause_for(30);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
}

static void many(void)
{
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (int i = 0; i < 1000000; i++)
        quick(i);
    clock_gettime(CLOCK_MONOTONIC, &end);
    printf("%.1f ns a call\n",
           (double)(end.tv_sec - begin.tv_sec) * 1e3 + (double)(end.tv_nsec - begin.tv_nsec) / 1e6);
}

static void recurses(void)
{
    recursive(100);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } parts[] = {{"slow", slow},   {"recurses", recurses}, {"jumps", jumps},  {"signal", signalled},
                 {"fork", forks},  {"threads", threads},   {"_exit", leaves}, {"kill", killed},
                 {"locks", locks}, {"many", many}};
    for (int arg = 1; arg < argc; arg++)
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
            if (strcmp(argv[arg], parts[i].name) == 0)
                parts[i].run();
    return 0;
}
