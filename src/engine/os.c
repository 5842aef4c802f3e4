/* The engine's system calls. Nothing here is on the path of a record. */
#include "src/engine/os.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "src/engine/atomic.h"

bool fxt_i_fences_are_light;
static fxt_i_atomic32 fences_others; /* not 0: membarrier(2) is registered and has never failed */

static pthread_key_t thread_key;
static fxt_i_atomic32 has_thread_key;
static void (*thread_leaves)(void *self); /* set before a thread sets its value of the key */

void fxt_i_os_after_fork(void)
{
    bool registered = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;

    fxt_i_store32(&fences_others, registered);
    fxt_i_fences_are_light = registered;
}

static void on_thread_end(void *self)
{
    thread_leaves(self);
}

/* Before the program can make keys: for one of the first 32, glibc allocates no memory when a
   thread sets its value, so that a signal handler may. */
__attribute__((constructor(101))) static void make_thread_key(void)
{
    if (pthread_key_create(&thread_key, on_thread_end) == 0)
        fxt_i_store32(&has_thread_key, 1);
}

void fxt_i_os_init(void (*leaving)(void *self))
{
    fxt_i_os_after_fork();
    thread_leaves = leaving;
}

/* If the library that contains the engine is unloaded, threads that have traced go on, and must not
   call it when they end. */
__attribute__((destructor)) static void forget_threads(void)
{
    if (fxt_i_exchange32(&has_thread_key, 0) != 0)
        pthread_key_delete(thread_key);
}

/* A system call filter that the program installs may forbid membarrier(2). From then on light
   fences are full ones. A thread that was in a light one before has its store on the way to the
   others, which takes far less than a sleep. `fences_others` changes after it, so every thread that
   finds it 0 finds those stores too. */
void fxt_i_heavy_fence(void)
{
    fxt_i_full_fence();
    if (fxt_i_load32(&fences_others) == 0 ||
        syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0)
        return;
    fxt_i_fences_become_full();
    fxt_i_sleep();
    fxt_i_store32(&fences_others, 0);
    fxt_i_full_fence();
}

bool fxt_i_wipe_in_child(void *from, void *to)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uint8_t *first = (uint8_t *)from - (uintptr_t)from % page;
    uint8_t *last = (uint8_t *)to - 1 - ((uintptr_t)to - 1) % page;

    return page <= FXT_I_PAGE_BYTES_MAX &&
           madvise(first, (size_t)(last - first) + page, MADV_WIPEONFORK) == 0;
}

/* The C library would leave its own signals out. Some of its functions, which a dispatcher may call,
   unblock the signal that cancels, and act on a cancellation that has come meanwhile. That signal looks
   at the type of cancellation only. */
struct fxt_i_interrupts fxt_i_interrupts_off(void)
{
    static const uint64_t all_but_faults =
        ~(UINT64_C(1) << (SIGILL - 1) | UINT64_C(1) << (SIGTRAP - 1) | UINT64_C(1) << (SIGBUS - 1) |
          UINT64_C(1) << (SIGFPE - 1) | UINT64_C(1) << (SIGSEGV - 1) | UINT64_C(1) << (SIGSYS - 1));
    struct fxt_i_interrupts before = {0, 0, 0};

    syscall(SYS_rt_sigprocmask, SIG_BLOCK, &all_but_faults, &before.blocked, sizeof before.blocked);
    before.cancel_state = fxt_i_cancel_off();
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &before.cancel_type);
    return before;
}

/* Cancellation first: a handler that leaves between the two would leave it off. */
void fxt_i_interrupts_restore(struct fxt_i_interrupts before)
{
    pthread_setcanceltype(before.cancel_type, NULL);
    fxt_i_cancel_restore(before.cancel_state);
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before.blocked, NULL, sizeof before.blocked);
}

/* A handler on the alternate stack may itself be in a call, and another one leave it. */
bool fxt_i_has_left(uintptr_t frame, uintptr_t here)
{
    stack_t alternate;

    if (sigaltstack(NULL, &alternate) != 0)
        return false;
    bool is_there = (alternate.ss_flags & SS_ONSTACK) != 0;
    bool was_there = frame - (uintptr_t)alternate.ss_sp < alternate.ss_size;
    return is_there == was_there ? here >= frame : was_there;
}

void fxt_i_yield(void)
{
    sched_yield();
}

/* Not by nanosleep, at which a thread may be cancelled. */
void fxt_i_sleep(void)
{
    const struct timespec moment = {.tv_nsec = 50000};
    syscall(SYS_nanosleep, &moment, NULL);
}

uint64_t fxt_i_process_id(void)
{
    return (uint64_t)getpid();
}

uint64_t fxt_i_thread_id(void)
{
    return (uint64_t)syscall(SYS_gettid);
}

/* Signal 0 only asks. Not tgkill(2): a child of vfork, which has the memory of its parent, would find all
   threads of the parent ended. The traced program keeps its errno. */
bool fxt_i_thread_has_ended(uint64_t thread_id)
{
    int before = errno;
    bool ended = syscall(SYS_tkill, (pid_t)thread_id, 0) != 0 && errno == ESRCH;

    errno = before;
    return ended;
}

int64_t fxt_i_monotonic_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* Reads the start of a kernel file; empty if there is none. Allocates nothing, because a traced
   thread or a signal handler may call it. */
static void read_text(char *out, size_t size, int directory, const char *path)
{
    int file = openat(directory, path, O_RDONLY | O_CLOEXEC);
    ssize_t length = file >= 0 ? read(file, out, size - 1) : 0;

    out[length > 0 ? length : 0] = '\0';
    if (file >= 0)
        close(file);
}

bool fxt_i_lists_tsc(const char *clocks)
{
    const char *at = clocks;
    while ((at = strstr(at, "tsc")) != NULL) {
        bool begins = at == clocks || at[-1] == ' ';
        at += strlen("tsc");
        if (begins && (*at == ' ' || *at == '\n' || *at == '\0'))
            return true;
    }
    return false;
}

/* The kernel removes an unreliable counter from its list. */
bool fxt_i_kernel_trusts_tsc(void)
{
    char clocks[256];
    read_text(clocks, sizeof clocks, AT_FDCWD,
              "/sys/devices/system/clocksource/clocksource0/available_clocksource");
    return fxt_i_lists_tsc(clocks);
}

void fxt_i_thread_name(char out[16])
{
    memset(out, 0, 16); /* the memory sanitizer does not know that prctl writes there */
    prctl(PR_GET_NAME, out, 0, 0, 0);
}

const char *fxt_i_program_name(void)
{
    return program_invocation_short_name;
}

/* A thread that is cancelled at one of these system calls would leave the descriptor open. */
int fxt_i_names_open(void)
{
    int before = fxt_i_cancel_off();
    int names = open("/proc/self/task", O_PATH | O_DIRECTORY | O_CLOEXEC);
    fxt_i_cancel_restore(before);
    return names;
}

/* The kernel ends the name in a newline. */
bool fxt_i_name_of_thread(int names, uint64_t thread_id, char out[16])
{
    char path[40];
    char text[17];
    int before = fxt_i_cancel_off();

    snprintf(path, sizeof path, "%llu/comm", (unsigned long long)thread_id);
    read_text(text, sizeof text, names, path);
    fxt_i_cancel_restore(before);
    size_t length = strlen(text);
    if (length == 0)
        return false;
    memset(out, 0, 16);
    memcpy(out, text, length - 1);
    return true;
}

void fxt_i_names_close(int names)
{
    int before = fxt_i_cancel_off();
    close(names);
    fxt_i_cancel_restore(before);
}

static const struct {
    const char *prefix; /* bytes of the name */
    uint16_t type;
} object_types[] = {
    {"anon_inode:[pidfd]", 1},
    {"pidfd:", 1}, /* where pidfds have a file system */
    {"anon_inode:[eventfd]", 5},
    {"anon_inode:[eventpoll]", 6},
    {"anon_inode:[timerfd]", 22},
    {"socket:", 14},
    {"pipe:", 19},
    {"/", 3 /* of virtual memory */},
};

/* Reads a number about a descriptor from the kernel; 0 if there is none. For an ended process,
   the kernel returns -1. */
static uint64_t info_of(int descriptor, const char *what)
{
    char path[40];
    char info[512];

    snprintf(path, sizeof path, "/proc/self/fdinfo/%d", descriptor);
    read_text(info, sizeof info, AT_FDCWD, path);
    const char *line = strstr(info, what);
    long number = line != NULL ? strtol(line + strlen(what), NULL, 10) : 0;
    return number > 0 ? (uint64_t)number : 0;
}

/* A bijection in which every bit of the result depends on all bits: the finalizer of splitmix64. */
static uint64_t mix(uint64_t word)
{
    word = (word ^ word >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    word = (word ^ word >> 27) * UINT64_C(0x94d049bb133111eb);
    return word ^ word >> 31;
}

/* Most objects without a name in a file system share one inode. Eventfds have a number of their
   own; the others are identified by the process that holds them. */
static uint64_t which_of_inode(int descriptor, const struct stat *about)
{
    if ((about->st_mode & S_IFMT) != 0)
        return 0;
    uint64_t number = info_of(descriptor, "\neventfd-id:");
    return number != 0 ? number : fxt_i_process_id() << 32 | (uint32_t)descriptor;
}

static uint64_t koid_of(int descriptor)
{
    struct stat about;

    if (fstat(descriptor, &about) != 0)
        return 0;
    uint64_t word = mix(about.st_dev + 1);
    word = mix(word ^ about.st_ino);
    word = mix(word ^ which_of_inode(descriptor, &about));
    return FXT_I_OBJECT_KOID | word >> 2;
}

void fxt_i_describe_handle(int descriptor, struct fxt_i_object *out)
{
    char path[40];

    memset(out, 0, sizeof *out);
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(path, out->name, sizeof out->name);
    out->name_length = (uint16_t)(length > 0 ? length : 0);
    for (size_t i = 0; i < sizeof object_types / sizeof object_types[0] && out->type == 0; i++)
        if (strncmp(out->name, object_types[i].prefix, strlen(object_types[i].prefix)) == 0)
            out->type = object_types[i].type;
    out->koid = out->type == 1 ? info_of(descriptor, "\nPid:") : koid_of(descriptor);
}

int fxt_i_cancel_off(void)
{
    int before;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    return before;
}

void fxt_i_cancel_restore(int before)
{
    pthread_setcancelstate(before, NULL);
}

void fxt_i_event_signal(int event)
{
    uint64_t one = 1;
    int before = fxt_i_cancel_off();
    ssize_t written = write(event, &one, sizeof one);
    (void)written; /* full: its reader will see the change anyway */
    fxt_i_cancel_restore(before);
}

void fxt_i_at_thread_end(void *self)
{
    if (fxt_i_load32(&has_thread_key) != 0)
        pthread_setspecific(thread_key, self);
}

void fxt_i_at_fork(void (*before)(void), void (*parent)(void), void (*child)(void))
{
    pthread_atfork(before, parent, child);
}

extern __attribute__((visibility("default"))) int __cxa_atexit(void (*)(void *), void *, void *);

void fxt_i_at_unload(void *handle, void *module, void (*unloading)(void *module))
{
    __cxa_atexit(unloading, module, handle);
}
