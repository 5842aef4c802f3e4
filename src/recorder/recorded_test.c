/* recorded HOW [COUNT]: a program that traces and knows nothing of recording. Argument i of event i is i.
   environment_test.py says what the ways to end are. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <trace/event.h>

static void trace(int first, int last)
{
    for (int i = first; i <= last; i++)
        TRACE_INSTANT("cat", "event", TRACE_SCOPE_THREAD, "i", i);
}

/* Says what it has traced. */
static int trace_for_ever(void)
{
    for (int i = 1;; i++) {
        trace(i, i);
        if (write(STDOUT_FILENO, &i, sizeof i) != sizeof i)
            return 3;
    }
}

static int trace_in_child(int count)
{
    int status = 0;
    pid_t child = fork();

    if (child == 0) {
        trace(count + 1, 2 * count);
        exit(0);
    }
    waitpid(child, &status, 0);
    printf("%d %d\n", (int)getpid(), (int)child);
    trace(2 * count + 1, 3 * count);
    return status;
}

/* Goes on tracing when the file cannot grow any more. */
static void trace_slowly(int count)
{
    for (int i = 1; i <= count; i += 100) {
        trace(i, i + 99);
        usleep(2000);
    }
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "exit";
    int count = argc > 2 ? atoi(argv[2]) : 100;

    if (strcmp(how, "loop") == 0)
        return trace_for_ever();
    if (strcmp(how, "slow") == 0) {
        trace_slowly(count);
        return 0;
    }
    trace(1, count);
    if (strcmp(how, "fork") == 0)
        return trace_in_child(count);
    if (strcmp(how, "_exit") == 0)
        _exit(0);
    if (strcmp(how, "quick_exit") == 0)
        quick_exit(0);
    if (strcmp(how, "abort") == 0)
        abort();
    if (strcmp(how, "kill") == 0)
        raise(SIGKILL);
    if (strcmp(how, "exec") == 0)
        execl("/proc/self/exe", "recorded", "exit", "7", (char *)NULL);
    if (strcmp(how, "wait") == 0) {
        printf("ready\n");
        fflush(stdout);
        return getchar() == EOF ? 0 : 1;
    }
    return strcmp(how, "exit") == 0 ? 0 : 2;
}
