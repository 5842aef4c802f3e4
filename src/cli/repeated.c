#include "src/cli/repeated.h"

#include <signal.h>
#include <stdint.h>
#include <time.h>

#define MOMENT INT64_C(200000000) /* ns: nobody is that impatient */

/* A signal is blocked while its handler runs, so one place of this is not used twice at a time. */
bool signal_is_repeated(int number)
{
    static volatile int64_t came[NSIG]; /* the last of each kind, as monotonic ns; 0: none */
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t before = came[number];
    came[number] = now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
    return before != 0 && (number == SIGHUP || came[number] - before < MOMENT);
}
