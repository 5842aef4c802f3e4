/* The engine's system calls. Nothing here is on the path of a record. */
#include "src/engine/os.h"

#include <errno.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
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

/* The kernel takes a counter that it has seen go wrong off this list. */
bool fxt_i_kernel_trusts_tsc(void)
{
    char list[256] = "";
    char *rest;
    FILE *file = fopen("/sys/devices/system/clocksource/clocksource0/available_clocksource", "re");

    if (file == NULL)
        return false;
    bool found = false;
    if (fgets(list, sizeof list, file) != NULL)
        for (char *it = strtok_r(list, " \n", &rest); it != NULL; it = strtok_r(NULL, " \n", &rest))
            found = found || strcmp(it, "tsc") == 0;
    fclose(file);
    return found;
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

static const struct {
    const char *prefix; /* of the name */
    uint16_t type;
} object_types[] = {
    {"anon_inode:[pidfd]", 1},
    {"anon_inode:[eventfd]", 5},
    {"anon_inode:[eventpoll]", 6},
    {"anon_inode:[timerfd]", 22},
    {"socket:", 14},
    {"pipe:", 19},
    {"/", 3 /* of virtual memory */},
};

/* The process of a pidfd; 0 for anything else. */
static uint64_t process_of(int descriptor)
{
    char path[40];
    char line[80];
    unsigned long process = 0;

    snprintf(path, sizeof path, "/proc/self/fdinfo/%d", descriptor);
    FILE *info = fopen(path, "re");
    if (info == NULL)
        return 0;
    while (process == 0 && fgets(line, sizeof line, info) != NULL)
        if (sscanf(line, "Pid: %lu", &process) != 1)
            process = 0;
    fclose(info);
    return process;
}

void fxt_i_describe_handle(int descriptor, struct fxt_i_object *out)
{
    char path[40];
    struct stat about;

    memset(out, 0, sizeof *out);
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(path, out->name, sizeof out->name);
    out->name_length = (uint16_t)(length > 0 ? length : 0);
    for (size_t i = 0; i < sizeof object_types / sizeof object_types[0] && out->type == 0; i++)
        if (strncmp(out->name, object_types[i].prefix, strlen(object_types[i].prefix)) == 0)
            out->type = object_types[i].type;
    if (out->type == 1)
        out->koid = process_of(descriptor);
    else if (fstat(descriptor, &about) == 0)
        out->koid = about.st_ino;
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
