/* The clock of loops. */
#include "src/loop/now.h"

#include <time.h>

uint64_t fxt_i_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}
