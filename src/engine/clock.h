/* Ticks: the processor's time stamp counter where it runs at one rate and the kernel trusts it to be
   the same on all processors, else nanoseconds of CLOCK_MONOTONIC. */
#ifndef FXT_ENGINE_CLOCK_H
#define FXT_ENGINE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "src/engine/os.h"

#ifdef __x86_64__
#include <x86intrin.h>
#endif

extern bool fxt_i_clock_is_tsc;

/* Chooses the clock and measures it; once, takes some milliseconds. */
void fxt_i_clock_init(void);

uint64_t fxt_i_ticks_per_second(void);

static inline uint64_t fxt_i_ticks(void)
{
#ifdef __x86_64__
    if (__builtin_expect(fxt_i_clock_is_tsc, 1))
        return __rdtsc();
#endif
    return (uint64_t)fxt_i_monotonic_ns();
}

#endif
