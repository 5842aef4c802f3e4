/* The kernel of this machine is asked, with tracefs and without: two processes take turns on one
   processor, and every turn must be seen, in order, at the right time. Says why where the kernel
   refuses. Own name spaces of mounts leave the machine as it is. */
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <lib/trace-engine/instrumentation.h>

#include "src/kernel/live.h"

enum { TURNS = 300, CALLS = 300, PROCESSORS = 1024 };

static int failures;

static void expect(bool good, const char *what, long a, long b)
{
    if (good)
        return;
    failures++;
    fprintf(stderr, "FAILED: %s: %ld, %ld\n", what, a, b);
}

/* What was seen. */
static struct {
    uint32_t ping;
    uint32_t pong;
    uint32_t caller;
    uint64_t latest;
    uint32_t running[PROCESSORS]; /* + 1; 0: not known */
    long turns;
    long blocked;
    long wakes;
    long breaks; /* a thread goes that was not there */
    long switches;
    long backwards;
    long renamed;
    long ended;
    long calls;
    long wrong_calls;
    long lost;
    uint64_t call_began;
} seen;

/* When the caller's calls began and ended, by its own clock. */
static struct shared {
    uint64_t before[CALLS];
    uint64_t after[CALLS];
} * shared;

static void take_switch(const struct fxt_kernel_event *event)
{
    uint32_t *running = &seen.running[event->cpu % PROCESSORS];
    bool there = event->tid == seen.ping && event->other == seen.pong;
    bool back = event->tid == seen.pong && event->other == seen.ping;
    seen.switches++;
    seen.breaks += *running != 0 && *running != event->tid + 1;
    *running = event->other + 1;
    seen.turns += there || back;
    seen.blocked += (there || back) && event->state == TRACE_THREAD_STATE_BLOCKED;
}

static void take_call(const struct fxt_kernel_event *event, uint64_t ticks)
{
    if (event->tid != seen.caller || event->number != SYS_getppid)
        return;
    if (event->kind == FXT_KERNEL_CALL) {
        seen.call_began = ticks;
        return;
    }
    uint64_t late = trace_ticks_per_second() / 100000; /* 10 us */
    if (seen.calls < CALLS)
        seen.wrong_calls += seen.call_began + late < shared->before[seen.calls] ||
                            ticks > shared->after[seen.calls] + late ||
                            event->result != (int64_t)getpid();
    seen.calls++;
}

static void see(void *data, const struct fxt_kernel_event *event, uint64_t ticks)
{
    bool ours = event->tid == seen.ping || event->tid == seen.pong;
    (void)data;
    /* the line of time may bend by less than a microsecond */
    seen.backwards += ticks + trace_ticks_per_second() / 1000000 < seen.latest;
    seen.latest = ticks;
    if (event->kind == FXT_KERNEL_SWITCH)
        take_switch(event);
    seen.wakes += event->kind == FXT_KERNEL_WAKING && ours &&
                  (event->other == seen.ping || event->other == seen.pong);
    seen.renamed += event->kind == FXT_KERNEL_NAME && ours && event->process == event->tid &&
                    strcmp(event->name, "fxt-taking-turn") == 0;
    seen.ended += event->kind == FXT_KERNEL_EXIT && ours;
    seen.lost += event->kind == FXT_KERNEL_LOST;
    if (event->kind == FXT_KERNEL_CALL || event->kind == FXT_KERNEL_RETURN)
        take_call(event, ticks);
}

static const struct fxt_kernel_sink sink = {see, NULL};

/* The processes that are watched: each waits for a byte before it begins. */

static void pin(void)
{
    cpu_set_t set;
    sched_getaffinity(0, sizeof set, &set);
    size_t first = 0;
    while (first < CPU_SETSIZE - 1 && !CPU_ISSET(first, &set))
        first++;
    CPU_ZERO(&set);
    CPU_SET(first, &set);
    sched_setaffinity(0, sizeof set, &set);
}

static void take_turns(int from, int to)
{
    char byte;
    pin();
    for (int i = 0; i < TURNS; i++) {
        if (read(from, &byte, 1) != 1)
            _exit(1);
        if (i == 0)
            prctl(PR_SET_NAME, "fxt-taking-turns-again");
        if (write(to, &byte, 1) != 1)
            _exit(1);
    }
    _exit(0);
}

static void call(int from)
{
    char byte;
    if (read(from, &byte, 1) != 1)
        _exit(1);
    for (int i = 0; i < CALLS; i++) {
        shared->before[i] = trace_get_ticks();
        syscall(SYS_getppid);
        shared->after[i] = trace_get_ticks();
    }
    _exit(0);
}

static void make_pipe(int ends[2])
{
    if (pipe(ends) != 0)
        abort();
}

static bool all_ended(int *left)
{
    while (*left > 0 && waitpid(-1, NULL, WNOHANG) > 0)
        --*left;
    return *left == 0;
}

/* The system calls of all programs fill a ring of 1 MiB within some 20 ms on a busy machine. So
   this process goes first when it wants to empty the rings; the watched ones do not. */
static void go_first(void)
{
    const struct sched_param least = {.sched_priority = 1};
    if (sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &least) != 0)
        puts("this process cannot go first: on a busy machine the kernel may lose events");
}

static void watch(struct fxt_kernel_live *live, int left)
{
    const struct timespec wait = {.tv_nsec = 1000000};
    for (int i = 0; i < 30000 && !all_ended(&left); i++) {
        fxt_kernel_live_drain(live, &sink);
        nanosleep(&wait, NULL);
    }
    expect(left == 0, "processes that do not end", left, 0);
    fxt_kernel_live_close(live, &sink);
}

static void judge(bool tracefs, uint64_t before)
{
    uint64_t after = trace_get_ticks();
    expect(seen.lost == 0, "lost", seen.lost, 0);
    /* some kernels leave switches out, and then there may be no word of two in a row */
    expect(seen.breaks <= seen.switches / 50, "switches from a thread that did not run",
           seen.breaks, seen.switches);
    /* others may come between */
    expect(seen.turns >= TURNS / 4, "turns", seen.turns, TURNS);
    expect(seen.blocked >= seen.turns / 4, "turns after blocking", seen.blocked, seen.turns);
    expect(seen.backwards == 0, "times that run backwards", seen.backwards, 0);
    expect(before < seen.latest && seen.latest < after, "time of the last", 0, 0);
    expect(seen.renamed >= 2, "new names", seen.renamed, 2);
    expect(seen.ended == 2, "ends", seen.ended, 2);
    if (!tracefs)
        return;
    expect(seen.wakes >= TURNS / 4, "wakeups by each other", seen.wakes, TURNS);
    expect(seen.calls == CALLS, "calls", seen.calls, CALLS);
    expect(seen.wrong_calls <= CALLS / 100, "calls at other times", seen.wrong_calls, CALLS);
}

static void test(bool tracefs)
{
    char message[FXT_KERNEL_MESSAGE];
    int there[2];
    int back[2];
    int start[2];
    uint64_t before = trace_get_ticks();

    memset(&seen, 0, sizeof seen);
    make_pipe(there);
    make_pipe(back);
    make_pipe(start);
    pid_t ping = fork();
    if (ping == 0)
        take_turns(there[0], back[1]);
    pid_t pong = fork();
    if (pong == 0)
        take_turns(back[0], there[1]);
    pid_t caller = fork();
    if (caller == 0)
        call(start[0]);
    go_first();
    seen.ping = (uint32_t)ping;
    seen.pong = (uint32_t)pong;
    seen.caller = (uint32_t)caller;
    struct fxt_kernel_live *live = fxt_kernel_live_open(31, message);
    expect(live != NULL, message, 0, 0);
    if (live == NULL)
        exit(1);
    expect((fxt_kernel_live_missing(live) == 0) == tracefs, "what is missing",
           (long)fxt_kernel_live_missing(live), tracefs);
    expect(write(there[1], "x", 1) == 1 && write(start[1], "x", 1) == 1, "write", 0, 0);
    watch(live, 3);
    judge(tracefs, before);
    printf("%s tracefs: %ld switches, %ld of them turns, %ld wakeups, %ld calls\n",
           tracefs ? "with" : "without", seen.switches, seen.turns, seen.wakes, seen.calls);
}

/* Some virtual machines now and then record nothing of a thread. */
static void test_patiently(bool tracefs)
{
    int before = failures;
    test(tracefs);
    for (int i = 0; i < 2 && failures > before; i++) {
        failures = before;
        test(tracefs);
    }
}

static bool refused(void)
{
    char message[FXT_KERNEL_MESSAGE];
    struct fxt_kernel_live *live = fxt_kernel_live_open(FXT_KERNEL_SCHED, message);
    if (live == NULL) {
        printf("skipped: %s\n", message);
        return true;
    }
    fxt_kernel_live_close(live, NULL);
    return false;
}

int main(void)
{
    if (refused())
        return 0;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED || unshare(CLONE_NEWNS) != 0 ||
        mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("none", "/sys/kernel/debug", "tmpfs", 0, NULL) != 0) {
        puts("skipped: no mounts of its own");
        return 0;
    }
    if (mount("none", "/sys/kernel/tracing", "tracefs", 0, NULL) == 0)
        test_patiently(true);
    else
        puts("skipped: the half with tracefs");
    if (mount("none", "/sys/kernel/tracing", "tmpfs", 0, NULL) == 0)
        test_patiently(false);
    else
        puts("skipped: the half without tracefs");
    return failures == 0 ? 0 : 1;
}
