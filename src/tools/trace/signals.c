/* A handler that writes the number of the signal to a pipe. Unless it is patient, a second Ctrl-C ends
   the program whatever it is waiting for. */
#include "src/tools/trace/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "src/cli/message.h"
#include "src/cli/repeated.h"

static const int numbers[SIGNALS_COUNT] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP};
static volatile sig_atomic_t out = -1; /* the write end of the pipe */
static volatile sig_atomic_t is_patient;
static volatile sig_atomic_t told[NSIG];

/* The signal arrives again when its handler returns. */
static void die(int number)
{
    static const char text[] =
        "trace: ends at once, by a second signal; what was not written yet is lost\n";
    ssize_t done = write(STDERR_FILENO, text, sizeof text - 1);
    (void)done;
    signal(number, SIG_DFL);
    raise(number);
}

static void tell(int number)
{
    int error = errno;
    unsigned char byte = (unsigned char)number;
    if (number != SIGCHLD && !is_patient) {
        bool is_repeated = signal_is_repeated(number);
        if (told[number] && !is_repeated)
            die(number);
        told[number] = true;
    }
    while (write(out, &byte, 1) < 0 && errno != EAGAIN) /* a full pipe has enough to tell */
        ;
    errno = error;
}

static void catch (int number, struct sigaction *before)
{
    struct sigaction action = {.sa_handler = tell, .sa_flags = SA_RESTART | SA_NOCLDSTOP};
    told[number] = false;
    sigaction(number, NULL, before);
    if (number == SIGCHLD || before->sa_handler != SIG_IGN)
        sigaction(number, &action, NULL);
}

bool signals_open(struct signals *signals, bool patient)
{
    if (pipe2(signals->ends, O_CLOEXEC | O_NONBLOCK) != 0) {
        message("cannot create a pipe for signals: %s", strerror(errno));
        return false;
    }
    sigset_t ours;
    out = signals->ends[1];
    is_patient = patient;
    sigemptyset(&ours);
    for (int i = 0; i < SIGNALS_COUNT; i++) {
        catch (numbers[i], &signals->before[i]);
        sigaddset(&ours, numbers[i]);
    }
    pthread_sigmask(SIG_UNBLOCK, &ours, &signals->mask);
    return true;
}

int signals_free_thread(pthread_t *out_thread, void *(*run)(void *), void *data)
{
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    int error = pthread_create(out_thread, NULL, run, data);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

bool signals_take(const struct signals *signals)
{
    unsigned char byte;
    bool asked = false;
    while (read(signals->ends[0], &byte, 1) == 1)
        asked = asked || byte != SIGCHLD;
    return asked;
}

void signals_close(struct signals *signals)
{
    pthread_sigmask(SIG_SETMASK, &signals->mask, NULL);
    for (int i = 0; i < SIGNALS_COUNT; i++)
        sigaction(numbers[i], &signals->before[i], NULL);
    close(signals->ends[0]);
    close(signals->ends[1]);
}
