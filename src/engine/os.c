/* The engine's system calls. Nothing here is on the path of a record. */
#include "src/engine/os.h"

#include <errno.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "src/engine/atomic.h"

bool fxt_i_fences_are_light;

static pthread_key_t thread_key;

void fxt_i_os_after_fork(void)
{
    fxt_i_fences_are_light =
        syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

void fxt_i_os_init(void (*leaving)(void *self))
{
    fxt_i_os_after_fork();
    pthread_key_create(&thread_key, leaving);
}

void fxt_i_heavy_fence(void)
{
    fxt_i_full_fence();
    if (fxt_i_fences_are_light)
        syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
}

void fxt_i_yield(void)
{
    sched_yield();
}

uint64_t fxt_i_process_id(void)
{
    return (uint64_t)getpid();
}

uint64_t fxt_i_thread_id(void)
{
    return (uint64_t)syscall(SYS_gettid);
}

int64_t fxt_i_monotonic_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

void fxt_i_thread_name(char out[16])
{
    if (prctl(PR_GET_NAME, out, 0, 0, 0) != 0)
        out[0] = '\0';
}

const char *fxt_i_program_name(void)
{
    return program_invocation_short_name;
}

void fxt_i_event_signal(int event)
{
    uint64_t one = 1;
    if (write(event, &one, sizeof one) != (ssize_t)sizeof one)
        return; /* full: whoever reads it will see that it has changed */
}

void fxt_i_at_thread_end(void *self)
{
    pthread_setspecific(thread_key, self);
}

void fxt_i_at_fork(void (*before)(void), void (*parent)(void), void (*child)(void))
{
    pthread_atfork(before, parent, child);
}

extern int __cxa_atexit(void (*)(void *), void *, void *);

void fxt_i_at_unload(void *handle, void *module, void (*unloading)(void *module))
{
    __cxa_atexit(unloading, module, handle);
}
