/* Signal masks of the calling thread. */
#include "src/socket/signals.h"

#include <errno.h>
#include <stddef.h>
#include <time.h>

static sigset_t of_output(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    sigaddset(&set, SIGXFSZ);
    return set;
}

void fxt_i_output_begin(sigset_t *before)
{
    const sigset_t set = of_output();
    pthread_sigmask(SIG_BLOCK, &set, before);
}

/* Discards those that were received meanwhile. Those that the program itself blocks stay pending. */
void fxt_i_output_end(const sigset_t *before)
{
    static const struct timespec at_once;
    sigset_t set = of_output();
    int error = errno;

    if (sigismember(before, SIGPIPE) == 1)
        sigdelset(&set, SIGPIPE);
    if (sigismember(before, SIGXFSZ) == 1)
        sigdelset(&set, SIGXFSZ);
    while (sigtimedwait(&set, NULL, &at_once) > 0)
        ;
    pthread_sigmask(SIG_SETMASK, before, NULL);
    errno = error;
}

void fxt_i_signals_block(sigset_t *before)
{
    static const int of_faults[] = {SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP};
    sigset_t set;

    sigfillset(&set);
    for (size_t i = 0; i < sizeof of_faults / sizeof *of_faults; i++)
        sigdelset(&set, of_faults[i]);
    pthread_sigmask(SIG_SETMASK, &set, before);
}

void fxt_i_signals_restore(const sigset_t *before)
{
    pthread_sigmask(SIG_SETMASK, before, NULL);
}
