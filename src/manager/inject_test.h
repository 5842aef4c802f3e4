/* Makes the n-th call of a function fail. The linker leads the calls that this project's own objects
   make through the wrappers below (INJECTED in BUILD.bazel names the functions). The calls of other
   libraries do not pass here. Only a process that says so is under test; all others call the
   functions themselves. */
#ifndef FXT_MANAGER_INJECT_TEST_H
#define FXT_MANAGER_INJECT_TEST_H

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <unistd.h>

/* Functions of one kind are counted together. How often poll is called depends on time. */
enum kind { NOTHING, MEMORY, DESCRIPTOR, ACCEPT, WRITE, READ, SEND, RECEIVE, POLL, OTHER };

/* In shared memory. */
struct plan {
    enum kind kind;
    int error;     /* errno */
    unsigned nth;  /* the call that fails, from 1 */
    bool for_good; /* and all behind it */
    atomic_uint calls;
    const char *_Atomic failed; /* the first function that failed, or NULL */
};

static struct plan *plan;
static bool under_test; /* this process */

static bool fails(enum kind kind, const char *function)
{
    if (!under_test || kind != plan->kind)
        return false;
    unsigned call = atomic_fetch_add(&plan->calls, 1) + 1;
    if (call != plan->nth && (!plan->for_good || call < plan->nth))
        return false;
    if (call == plan->nth)
        atomic_store(&plan->failed, function);
    errno = plan->error;
    return true;
}

/* What the process under test has allocated and not freed. */

#define LIVE_MAX 4096

static pthread_mutex_t live_lock = PTHREAD_MUTEX_INITIALIZER;
static void *live[LIVE_MAX];
static unsigned live_count;

static void forget_block(void *block)
{
    pthread_mutex_lock(&live_lock);
    for (unsigned i = live_count; i-- > 0;)
        if (live[i] == block) {
            live[i] = live[--live_count];
            break;
        }
    pthread_mutex_unlock(&live_lock);
}

static void *note_block(void *block)
{
    if (!under_test || block == NULL)
        return block;
    pthread_mutex_lock(&live_lock);
    if (live_count == LIVE_MAX)
        abort();
    live[live_count++] = block;
    pthread_mutex_unlock(&live_lock);
    return block;
}

/* The wrappers. */

#define WRAP(kind, type, name, parameters, arguments, failure)                                     \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters                                                                  \
    {                                                                                              \
        return fails(kind, #name) ? (failure) : __real_##name arguments;                           \
    }

#define WRAP_BLOCK(name, parameters, arguments)                                                    \
    void *__real_##name parameters;                                                                \
    void *__wrap_##name parameters;                                                                \
    void *__wrap_##name parameters                                                                 \
    {                                                                                              \
        return fails(MEMORY, #name) ? NULL : note_block(__real_##name arguments);                  \
    }

WRAP_BLOCK(malloc, (size_t size), (size))
WRAP_BLOCK(calloc, (size_t count, size_t size), (count, size))
WRAP_BLOCK(strdup, (const char *text), (text))
WRAP_BLOCK(strndup, (const char *text, size_t size), (text, size))

void *__real_realloc(void *block, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__wrap_realloc(void *block, size_t size)
{
    if (fails(MEMORY, "realloc"))
        return NULL;
    forget_block(block);
    return note_block(__real_realloc(block, size));
}

void __real_free(void *block);
void __wrap_free(void *block);
void __wrap_free(void *block)
{
    if (under_test && block != NULL)
        forget_block(block);
    __real_free(block);
}

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    mode_t mode = va_arg(more, mode_t); /* unused without O_CREAT and O_TMPFILE */
    va_end(more);
    return fails(DESCRIPTOR, "open") ? -1 : __real_open(path, flags, mode);
}

int __real_fcntl(int file, int command, ...);
int __wrap_fcntl(int file, int command, ...);
int __wrap_fcntl(int file, int command, ...)
{
    va_list more;
    va_start(more, command);
    long argument = va_arg(more, long);
    va_end(more);
    return fails(OTHER, "fcntl") ? -1 : __real_fcntl(file, command, argument);
}

/* pidfd_open */
long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);
long __wrap_syscall(long number, ...)
{
    va_list more;
    va_start(more, number);
    long first = va_arg(more, long);
    long second = va_arg(more, long);
    va_end(more);
    return fails(DESCRIPTOR, "syscall") ? -1 : __real_syscall(number, first, second);
}

WRAP(MEMORY, void *, mmap, (void *at, size_t size, int may, int flags, int file, off_t from),
     (at, size, may, flags, file, from), MAP_FAILED)
WRAP(DESCRIPTOR, int, socket, (int family, int type, int protocol), (family, type, protocol), -1)
WRAP(DESCRIPTOR, int, socketpair, (int family, int type, int protocol, int ends[2]),
     (family, type, protocol, ends), -1)
WRAP(DESCRIPTOR, int, memfd_create, (const char *name, unsigned flags), (name, flags), -1)
WRAP(DESCRIPTOR, int, epoll_create1, (int flags), (flags), -1)
WRAP(DESCRIPTOR, int, eventfd, (unsigned count, int flags), (count, flags), -1)
WRAP(DESCRIPTOR, int, timerfd_create, (int clock, int flags), (clock, flags), -1)
WRAP(ACCEPT, int, accept4, (int socket, struct sockaddr *from, socklen_t *size, int flags),
     (socket, from, size, flags), -1)
WRAP(WRITE, ssize_t, write, (int file, const void *bytes, size_t size), (file, bytes, size), -1)
WRAP(WRITE, ssize_t, send, (int socket, const void *bytes, size_t size, int flags),
     (socket, bytes, size, flags), -1)
WRAP(READ, ssize_t, pread, (int file, void *bytes, size_t size, off_t at), (file, bytes, size, at),
     -1)
WRAP(SEND, ssize_t, sendmsg, (int socket, const struct msghdr *message, int flags),
     (socket, message, flags), -1)
WRAP(RECEIVE, ssize_t, recvmsg, (int socket, struct msghdr *message, int flags),
     (socket, message, flags), -1)
WRAP(OTHER, int, fstat, (int file, struct stat *out), (file, out), -1)
WRAP(OTHER, int, lstat, (const char *path, struct stat *out), (path, out), -1)
WRAP(OTHER, int, mkdir, (const char *path, mode_t mode), (path, mode), -1)
WRAP(OTHER, int, flock, (int file, int operation), (file, operation), -1)
WRAP(OTHER, int, bind, (int socket, const struct sockaddr *to, socklen_t size), (socket, to, size),
     -1)
WRAP(OTHER, int, chmod, (const char *path, mode_t mode), (path, mode), -1)
WRAP(OTHER, int, listen, (int socket, int backlog), (socket, backlog), -1)
WRAP(OTHER, int, rename, (const char *from, const char *to), (from, to), -1)
WRAP(OTHER, int, connect, (int socket, const struct sockaddr *to, socklen_t size),
     (socket, to, size), -1)
WRAP(OTHER, int, getsockopt, (int socket, int level, int name, void *value, socklen_t *size),
     (socket, level, name, value, size), -1)
WRAP(OTHER, int, ftruncate, (int file, off_t size), (file, size), -1)
WRAP(POLL, int, poll, (struct pollfd * files, nfds_t count, int ms), (files, count, ms), -1)
WRAP(POLL, int, ppoll,
     (struct pollfd * files, nfds_t count, const struct timespec *time, const sigset_t *mask),
     (files, count, time, mask), -1)
WRAP(WRITE, int, eventfd_write, (int file, eventfd_t value), (file, value), -1)
WRAP(READ, int, eventfd_read, (int file, eventfd_t *value), (file, value), -1)
WRAP(OTHER, int, epoll_ctl, (int set, int operation, int file, struct epoll_event *event),
     (set, operation, file, event), -1)

#endif
