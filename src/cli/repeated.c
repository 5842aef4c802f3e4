#include "src/cli/repeated.h"

#include <signal.h>
#include <stdint.h>
#include <time.h>

#define MOMENT INT64_C(200000000) /* ns: nobody is that impatient */

/* A signal is blocked while its handler runs, so one place of this is not used twice at a time. */
bool signal_is_repeated(int number)
{
    static volatile int64_t came[NSIG]; /* the last that repeated none, as monotonic ns; 0: none */
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    int64_t now = time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
    bool repeats = came[number] != 0 && (number == SIGHUP || now - came[number] < MOMENT);
    if (!repeats)
        came[number] = now;
    return repeats;
}
