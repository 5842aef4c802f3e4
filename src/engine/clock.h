/* Ticks: the processor's time stamp counter, if it runs at a constant rate and the kernel trusts
   it to be the same on all processors. Otherwise nanoseconds of CLOCK_MONOTONIC. */
#ifndef FXT_ENGINE_CLOCK_H
#define FXT_ENGINE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "src/engine/os.h"

#ifdef __x86_64__
#include <x86intrin.h>
#endif

/* Set before the program begins, by a constructor. */
extern bool fxt_i_clock_is_tsc;

/* Any thread, and signal handlers. The first call measures the rate, which takes 10 milliseconds. */
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
