/* The steps after a signal. At once, the sink gives up sooner. A moment later, the manager is
   told to hurry. This ends the session, so a manager that only answers a question is not told:
   the real end would come too late and learn nothing about the providers. If the archive then
   makes no progress, the manager is considered hung and is abandoned. */
#include "src/tools/trace/impatience.h"

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

bool impatience_open(struct impatience *impatience, const struct signals *signals, bool spares)
{
    *impatience = (struct impatience){.signals = signals, .spares = spares, .end = {-1, -1}};
    if (pipe2(impatience->hurry, O_CLOEXEC) == 0)
        return true;
    message("cannot create a pipe for signals: %s", strerror(errno));
    return false;
}

/* True if the thread must end; false after that time. */
static bool ends_within(const struct impatience *impatience, int ms)
{
    struct pollfd end = {.fd = impatience->end[0], .events = POLLIN};
    int ready;
    do
        ready = poll(&end, 1, ms);
    while (ready < 0 && errno == EINTR);
    return ready != 0;
}

static void hurry_manager(struct impatience *impatience)
{
    if (impatience->spares || ends_within(impatience, MOMENT_MS))
        return;
    if (!impatience->asks)
        trace_controller_hurry(impatience->controller);
    uint64_t taken = drain_taken(impatience->drain);
    while (!ends_within(impatience, HANG_MS)) {
        uint64_t now = drain_taken(impatience->drain);
        if (now == taken) {
            shutdown(trace_controller_descriptor(impatience->controller), SHUT_RDWR);
            drain_stop(impatience->drain);
            return;
        }
        taken = now;
    }
}

/* Whether a signal came before the end. */
static bool await_signal(const struct impatience *impatience)
{
    for (;;) {
        struct pollfd places[] = {{.fd = impatience->end[0], .events = POLLIN},
                                  {.fd = impatience->signals->ends[0], .events = POLLIN}};
        if (poll(places, 2, -1) < 0 && errno != EINTR)
            return false;
        if (places[0].revents != 0)
            return false;
        if (places[1].revents != 0 && signals_take(impatience->signals))
            return true;
    }
}

static void *run(void *data)
{
    struct impatience *impatience = data;
    impatience->is_late = impatience->is_late || await_signal(impatience);
    if (!impatience->is_late)
        return NULL;
    close_end(&impatience->hurry[1]);
    if (impatience->controller != NULL)
        hurry_manager(impatience);
    return NULL;
}

void impatience_begin(struct impatience *impatience, trace_controller_t *controller,
                      struct drain *drain)
{
    impatience->controller = controller;
    impatience->drain = drain;
    int error = pipe2(impatience->end, O_CLOEXEC) != 0 ? errno : 0;
    if (error == 0)
        error = signals_free_thread(&impatience->thread, run, impatience);
    impatience->runs = error == 0;
    if (error != 0)
        message("cannot start the thread for signals, which may act late: %s", strerror(error));
}

void impatience_end(struct impatience *impatience)
{
    close_end(&impatience->end[1]);
    if (impatience->runs)
        pthread_join(impatience->thread, NULL);
    impatience->runs = false;
    close_end(&impatience->end[0]);
}

void impatience_close(struct impatience *impatience)
{
    close_end(&impatience->hurry[0]);
    close_end(&impatience->hurry[1]);
}
