/* Signals by signalfd. The mask of the process is as it was again after signals_close. */
#include "src/tools/trace/signals.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "src/tools/message.h"

static void add_unless_ignored(sigset_t *set, int number)
{
    struct sigaction action;
    if (sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_IGN)
        sigaddset(set, number);
}

bool signals_open(struct signals *signals)
{
    sigemptyset(&signals->asked);
    add_unless_ignored(&signals->asked, SIGINT);
    add_unless_ignored(&signals->asked, SIGTERM);
    add_unless_ignored(&signals->asked, SIGHUP);
    sigset_t all = signals->asked;
    sigaddset(&all, SIGCHLD);
    pthread_sigmask(SIG_BLOCK, &all, &signals->before);
    signals->fd = signalfd(-1, &all, SFD_NONBLOCK | SFD_CLOEXEC);
    if (signals->fd >= 0)
        return true;
    message("%s", strerror(errno));
    pthread_sigmask(SIG_SETMASK, &signals->before, NULL);
    return false;
}

bool signals_take(struct signals *signals)
{
    struct signalfd_siginfo it;
    bool asked = false;
    while (read(signals->fd, &it, sizeof it) == (ssize_t)sizeof it)
        asked = asked || sigismember(&signals->asked, (int)it.ssi_signo) == 1;
    return asked;
}

static void let_pass(int number)
{
    (void)number;
}

void signals_release(const struct signals *signals, bool one_came)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    const struct sigaction once = {.sa_handler = let_pass, .sa_flags = (int)SA_RESETHAND};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!one_came && sigismember(&signals->asked, numbers[i]) == 1)
            sigaction(numbers[i], &once, NULL);
    pthread_sigmask(SIG_UNBLOCK, &signals->asked, NULL);
}

void signals_close(struct signals *signals)
{
    close(signals->fd);
    pthread_sigmask(SIG_SETMASK, &signals->before, NULL);
}
