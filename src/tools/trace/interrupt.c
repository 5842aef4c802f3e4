/* The steps after a signal. At once, the sink gives up sooner. A moment later, the manager is
   told to hurry. This ends the session, so a manager that only answers a question is not told:
   the real end would come too late and learn nothing about the providers. If the archive then
   makes no progress, the manager is considered hung and is abandoned. */
#include "src/tools/trace/recording.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "src/cli/message.h"

#define MOMENT_MS 200 /* time for the manager to answer by itself */
#define HANG_MS 2000  /* time without a byte of the archive */

static void close_end(int *descriptor)
{
    if (*descriptor >= 0)
        close(*descriptor);
    *descriptor = -1;
}

bool interrupt_open(struct interrupt *interrupt, const struct signals *signals, bool spares)
{
    *interrupt = (struct interrupt){.signals = signals, .spares = spares, .end = {-1, -1}};
    if (pipe2(interrupt->hurry, O_CLOEXEC) == 0)
        return true;
    message("cannot create a pipe for signals: %s", strerror(errno));
    return false;
}

/* True if the thread must end; false after that time. */
static bool ends_within(const struct interrupt *interrupt, int ms)
{
    struct pollfd end = {.fd = interrupt->end[0], .events = POLLIN};
    int ready;
    do
        ready = poll(&end, 1, ms);
    while (ready < 0 && errno == EINTR);
    return ready != 0;
}

static void hurry_manager(struct interrupt *interrupt)
{
    if (interrupt->spares || ends_within(interrupt, MOMENT_MS))
        return;
    if (!interrupt->asks)
        trace_controller_hurry(interrupt->controller);
    uint64_t taken = drain_taken(interrupt->drain);
    while (!ends_within(interrupt, HANG_MS)) {
        uint64_t now = drain_taken(interrupt->drain);
        if (now == taken) {
            shutdown(trace_controller_descriptor(interrupt->controller), SHUT_RDWR);
            drain_stop(interrupt->drain);
            return;
        }
        taken = now;
    }
}

/* Whether a signal came before the end. */
static bool await_signal(const struct interrupt *interrupt)
{
    for (;;) {
        struct pollfd places[] = {{.fd = interrupt->end[0], .events = POLLIN},
                                  {.fd = interrupt->signals->ends[0], .events = POLLIN}};
        if (poll(places, 2, -1) < 0 && errno != EINTR)
            return false;
        if (places[0].revents != 0)
            return false;
        if (places[1].revents != 0 && signals_take(interrupt->signals))
            return true;
    }
}

static void *run(void *data)
{
    struct interrupt *interrupt = data;
    interrupt->interrupted = interrupt->interrupted || await_signal(interrupt);
    if (!interrupt->interrupted)
        return NULL;
    close_end(&interrupt->hurry[1]);
    if (interrupt->controller != NULL)
        hurry_manager(interrupt);
    return NULL;
}

void interrupt_begin(struct interrupt *interrupt, trace_controller_t *controller,
                     struct drain *drain)
{
    interrupt->controller = controller;
    interrupt->drain = drain;
    int error = pipe2(interrupt->end, O_CLOEXEC) != 0 ? errno : 0;
    if (error == 0)
        error = signals_free_thread(&interrupt->thread, run, interrupt);
    interrupt->runs = error == 0;
    if (error != 0)
        message("cannot start the thread for signals, which may act late: %s", strerror(error));
}

void interrupt_end(struct interrupt *interrupt)
{
    close_end(&interrupt->end[1]);
    if (interrupt->runs)
        pthread_join(interrupt->thread, NULL);
    interrupt->runs = false;
    close_end(&interrupt->end[0]);
}

void interrupt_close(struct interrupt *interrupt)
{
    close_end(&interrupt->hurry[0]);
    close_end(&interrupt->hurry[1]);
}
