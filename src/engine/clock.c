/* Selects the clock before the program begins, and measures its rate when that is first asked for. */
#include "src/engine/clock.h"

#include "src/engine/atomic.h"

#ifdef __x86_64__
#include <cpuid.h>
#endif

#define NS_PER_SECOND UINT64_C(1000000000)

bool fxt_i_clock_is_tsc;

#ifdef __x86_64__

#define SAMPLE_NS 10000000 /* time between the two readings of the calibration */

static fxt_i_atomic rate; /* of the counter; 0: not measured yet */

/* Whether the counter runs at a constant rate, whatever the processor does. */
static bool tsc_is_invariant(void)
{
    unsigned a, b, c, d;
    return __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d & (1u << 8)) != 0;
}

/* Times of two clocks do not compare, and a program may ask for one long before it is traced. */
__attribute__((constructor(101))) static void select_clock(void)
{
    fxt_i_clock_is_tsc = tsc_is_invariant() && fxt_i_kernel_trusts_tsc();
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

/* The counter may be the kernel's own clock, so it runs. */
static uint64_t measure(void)
{
    struct reading first;
    struct reading last;
    do {
        first = read_both();
        while (fxt_i_monotonic_ns() - first.ns < SAMPLE_NS)
            fxt_i_yield();
        last = read_both();
    } while (first.ns == 0 || last.ns <= first.ns || last.ticks <= first.ticks);
    double ticks = (double)(last.ticks - first.ticks);
    double seconds = (double)(last.ns - first.ns) / 1e9;
    return (uint64_t)(ticks / seconds + 0.5);
}

/* Of several threads that measure at the same time, the first one counts. The rate guards nothing. */
uint64_t fxt_i_ticks_per_second(void)
{
    uint64_t known = fxt_i_load_relaxed(&rate);
    if (!fxt_i_clock_is_tsc)
        return NS_PER_SECOND;
    if (known == 0) {
        uint64_t measured = measure();
        if (fxt_i_swap(&rate, &known, measured))
            return measured;
    }
    return known;
}

#else

uint64_t fxt_i_ticks_per_second(void)
{
    return NS_PER_SECOND;
}

#endif
