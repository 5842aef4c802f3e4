/* Everything runs on this thread, the program's main thread. The provider and the engine have a
   thread of their own, that of the loop, which shares only the engine with this room: this thread
   asks the engine for its state, traces, and learns of changes through an eventfd. So no function
   of src/kernel is called by two threads at a time, and nothing is locked. A replay's child is a
   process of its own. */
#include "src/kernel/session.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <lib/trace-engine/instrumentation.h>

#include "src/cli/message.h"

#define DRAIN_MS 10
#define BILLION UINT64_C(1000000000)

enum { ON_SIGNAL, ON_TIME, ON_CHANGE, ON_WORK, KINDS };

enum verdict { GO_ON, END_WELL, END_BADLY };

static int make_timer(uint64_t ns)
{
    const struct itimerspec when = {
        .it_value = {.tv_sec = (time_t)(ns / BILLION), .tv_nsec = (long)(ns % BILLION)}};
    int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
    if (timer >= 0 && timerfd_settime(timer, 0, &when, NULL) != 0) {
        int error = errno;
        close(timer);
        errno = error;
        return -1;
    }
    return timer;
}

static void end_session(const struct fxt_kernel_serve *serve)
{
    uint64_t lost = fxt_kernel_session_end(serve->session);
    if (lost > 0)
        message("%llu events of the kernel were lost", (unsigned long long)lost);
}

static enum verdict begin_session(const struct fxt_kernel_serve *serve)
{
    char why[FXT_KERNEL_SESSION_MESSAGE];

    assert(!fxt_kernel_session_is_on(serve->session));
    bool good = fxt_kernel_session_begin(serve->session, why);
    if (why[0] != '\0')
        message("%s", why);
    return good || !serve->only_one ? GO_ON : END_BADLY;
}

/* The state has changed at least once. A running session is over, even if tracing has started
   again since. */
static enum verdict look(const struct fxt_kernel_serve *serve)
{
    uint64_t changes;
    enum verdict verdict = GO_ON;
    if (read(serve->observer, &changes, sizeof changes) != sizeof changes)
        return GO_ON;
    if (fxt_kernel_session_is_on(serve->session))
        end_session(serve);
    if (trace_state() == TRACE_STARTED)
        verdict = begin_session(serve);
    trace_notify_observer_updated((zx_handle_t)serve->observer);
    return verdict;
}

static enum verdict work(const struct fxt_kernel_serve *serve)
{
    char why[FXT_KERNEL_SESSION_MESSAGE];
    enum fxt_kernel_session_state state = fxt_kernel_session_work(serve->session, why);
    if (state == FXT_KERNEL_SESSION_BROKEN)
        message("%s", why);
    if (state == FXT_KERNEL_SESSION_GOES_ON || !serve->only_one)
        return GO_ON;
    return state == FXT_KERNEL_SESSION_AT_END ? END_WELL : END_BADLY;
}

/* What comes later is another signal. */
static void take_signals(int file)
{
    struct signalfd_siginfo signal;
    while (read(file, &signal, sizeof signal) == (ssize_t)sizeof signal)
        continue;
}

static enum verdict turn(const struct fxt_kernel_serve *serve, struct pollfd *waits)
{
    bool on = fxt_kernel_session_is_on(serve->session);
    waits[ON_WORK].fd = fxt_kernel_session_descriptor(serve->session);
    bool drains = on && waits[ON_WORK].fd >= 0;
    int ready = poll(waits, KINDS, drains ? DRAIN_MS : -1);
    if (ready < 0 && errno == EINTR)
        return GO_ON;
    if (ready < 0) {
        message("cannot wait for events: %s", strerror(errno));
        return END_BADLY;
    }
    if (waits[ON_SIGNAL].revents != 0 || waits[ON_TIME].revents != 0)
        return END_WELL;
    if (waits[ON_CHANGE].revents != 0)
        return look(serve);
    return drains ? work(serve) : GO_ON;
}

/* Without one of them a signal or the end of the time would not end the program. */
static bool open_ends(const struct fxt_kernel_serve *serve, struct pollfd *waits)
{
    waits[ON_SIGNAL].fd = signalfd(-1, &serve->ends, SFD_CLOEXEC | SFD_NONBLOCK);
    if (waits[ON_SIGNAL].fd < 0) {
        message("cannot wait for signals: %s", strerror(errno));
        return false;
    }
    if (serve->duration_ns == 0)
        return true;
    waits[ON_TIME].fd = make_timer(serve->duration_ns);
    if (waits[ON_TIME].fd < 0)
        message("cannot set a timer: %s", strerror(errno));
    return waits[ON_TIME].fd >= 0;
}

int fxt_kernel_serve(const struct fxt_kernel_serve *serve)
{
    struct pollfd waits[KINDS] = {
        [ON_SIGNAL] = {.fd = -1, .events = POLLIN},
        [ON_TIME] = {.fd = -1, .events = POLLIN},
        [ON_CHANGE] = {.fd = serve->observer, .events = POLLIN},
        [ON_WORK] = {.fd = -1, .events = POLLIN},
    };
    enum verdict verdict = open_ends(serve, waits) ? GO_ON : END_BADLY;
    while (verdict == GO_ON)
        verdict = turn(serve, waits);
    if (waits[ON_SIGNAL].fd >= 0) {
        take_signals(waits[ON_SIGNAL].fd);
        close(waits[ON_SIGNAL].fd);
    }
    if (fxt_kernel_session_is_on(serve->session))
        end_session(serve);
    if (waits[ON_TIME].fd >= 0)
        close(waits[ON_TIME].fd);
    return verdict == END_WELL ? EXIT_SUCCESS : EXIT_FAILURE;
}
