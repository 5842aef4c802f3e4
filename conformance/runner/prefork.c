/* Stops a program at main() and forks it there for each trace, so that it is loaded and linked once.
   prefork.py preloads this and holds the other end of the socket `line`. For each trace it sends two
   descriptors, gets the process, then the exit code (or the signal, negative), and sends a byte when
   the process may be reaped. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

typedef int main_fn(int, char **, char **);
typedef int start_fn(main_fn *, int, char **, void (*)(void), void (*)(void), void (*)(void),
                     void *);

static main_fn *program;
static int line;

static void tell(int number)
{
    if (write(line, &number, sizeof number) != sizeof number)
        _exit(1);
}

/* Waits for the descriptors of the next trace. Without `run` at the other end there is none. */
static void receive(int fds[2])
{
    char byte;
    struct iovec data = {&byte, 1};
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(2 * sizeof(int))];
    } control;
    struct msghdr message = {.msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    if (recvmsg(line, &message, 0) != 1 || !CMSG_FIRSTHDR(&message))
        _exit(0);
    memcpy(fds, CMSG_DATA(CMSG_FIRSTHDR(&message)), 2 * sizeof(int));
}

static int end_of(pid_t child)
{
    siginfo_t info;
    while (waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT) != 0)
        if (errno != EINTR)
            _exit(1);
    return info.si_code == CLD_EXITED ? info.si_status : -info.si_status;
}

/* Returns in the process of a trace only, which has a process group of its own. */
static void serve(void)
{
    for (char byte;;) {
        int fds[2];
        receive(fds);
        pid_t child = fork();
        setpgid(child, child);
        if (child == 0) {
            dup2(fds[0], 1);
            dup2(fds[1], 2);
        }
        close(fds[0]);
        close(fds[1]);
        if (child == 0)
            break;
        tell(child);
        if (child > 0)
            tell(end_of(child));
        if (read(line, &byte, 1) != 1)
            _exit(0);
        waitpid(child, NULL, 0);
    }
    close(line);
}

static int main_of_each(int argc, char **argv, char **envp)
{
    /* Programs that this one starts get those of the user. */
    char *others = strchr(getenv("LD_PRELOAD"), ':');
    if (others)
        setenv("LD_PRELOAD", others + 1, 1);
    else
        unsetenv("LD_PRELOAD");
    line = atoi(getenv("FXT_PREFORK"));
    unsetenv("FXT_PREFORK");
    tell(0);
    serve();
    (void)envp;
    return program(argc, argv, environ);
}

int __libc_start_main(main_fn *main, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void *stack)
{
    program = main;
    start_fn *start;
    *(void **)&start = dlsym(RTLD_NEXT, "__libc_start_main");
    (void)rtld_fini; /* visits each library once more, which costs a third of the time */
    return start(main_of_each, argc, argv, init, fini, NULL, stack);
}
