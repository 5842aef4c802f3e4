/* Selects the clock and calibrates it. */
#include "src/engine/clock.h"

#ifdef __x86_64__
#include <cpuid.h>
#endif

bool fxt_i_clock_is_tsc;

static uint64_t rate = 1000000000;

#ifdef __x86_64__

#define SAMPLE_NS 10000000 /* time between the two readings of the calibration */

/* Whether the counter runs at a constant rate, whatever the processor does. */
static bool tsc_is_invariant(void)
{
    unsigned a, b, c, d;
    return __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d & (1u << 8)) != 0;
}

struct reading {
    uint64_t ticks;
    int64_t ns;
};

/* Reads both clocks several times, and keeps the pair with the least time in between. */
static struct reading read_both(void)
{
    struct reading best = {0, 0};
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < 16; i++) {
        uint64_t before = __rdtsc();
        int64_t ns = fxt_i_monotonic_ns();
        uint64_t after = __rdtsc();
        if (after >= before && after - before < least) {
            least = after - before;
            best.ticks = before + least / 2;
            best.ns = ns;
        }
    }
    return best;
}

static void calibrate(void)
{
    struct reading first = read_both();
    if (first.ns == 0)
        return;
    while (fxt_i_monotonic_ns() - first.ns < SAMPLE_NS)
        fxt_i_yield();
    struct reading last = read_both();
    if (last.ns <= first.ns || last.ticks <= first.ticks)
        return;
    double ticks = (double)(last.ticks - first.ticks);
    double seconds = (double)(last.ns - first.ns) / 1e9;
    rate = (uint64_t)(ticks / seconds + 0.5);
    fxt_i_clock_is_tsc = true;
}

void fxt_i_clock_init(void)
{
    if (tsc_is_invariant() && fxt_i_kernel_trusts_tsc())
        calibrate();
}

#else

void fxt_i_clock_init(void)
{
}

#endif

uint64_t fxt_i_ticks_per_second(void)
{
    return rate;
}
