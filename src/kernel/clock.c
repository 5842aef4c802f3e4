/* The two clocks are compared repeatedly: the kernel adjusts the rate of CLOCK_MONOTONIC, and the
   rate of the engine's clock is only known from a short measurement. */
#include "src/kernel/clock.h"

#include <time.h>

#include <lib/trace-engine/instrumentation.h>

#define LINE_NS 10000000 /* least distance of the two moments */
#define TRIES 8
#define BILLION UINT64_C(1000000000)
#define FAR 4e18 /* the largest number of ticks: fits an int64_t */
#define YEARS_NS (UINT64_C(10) * 366 * 86400 * BILLION)

static uint64_t monotonic_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * BILLION + (uint64_t)now.tv_nsec;
}

/* Reads both clocks several times, and keeps the pair with the least time in between. */
struct fxt_kernel_moment fxt_kernel_now(void)
{
    struct fxt_kernel_moment best = {0, 0};
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < TRIES; i++) {
        uint64_t before = trace_get_ticks();
        uint64_t ns = monotonic_ns();
        uint64_t after = trace_get_ticks();
        if (after >= before && after - before < least) {
            least = after - before;
            best = (struct fxt_kernel_moment){.ns = ns, .ticks = before + least / 2};
        }
    }
    return best;
}

void fxt_kernel_line_init(struct fxt_kernel_line *line)
{
    const struct timespec wait = {.tv_nsec = LINE_NS};
    line->first = fxt_kernel_now();
    do {
        nanosleep(&wait, NULL);
        line->last = fxt_kernel_now();
    } while (line->last.ns < line->first.ns + LINE_NS);
}

void fxt_kernel_line_extend(struct fxt_kernel_line *line, struct fxt_kernel_moment now)
{
    if (now.ns < line->last.ns + LINE_NS)
        return;
    line->first = line->last;
    line->last = now;
}

uint64_t fxt_kernel_line_ticks(const struct fxt_kernel_line *line, uint64_t ns)
{
    double ticks = (double)(line->last.ticks - line->first.ticks);
    double rate = ticks / (double)(line->last.ns - line->first.ns);
    double distance = (double)(int64_t)(ns - line->last.ns) * rate;
    if (distance < -(double)line->last.ticks || distance > FAR)
        return distance < 0 ? 0 : UINT64_MAX;
    return line->last.ticks + (uint64_t)(int64_t)distance;
}

uint64_t fxt_kernel_shifted_ticks(uint64_t start, uint64_t first, uint64_t ns, uint64_t rate)
{
    uint64_t past = ns > first ? ns - first : 0;
    if (past > YEARS_NS)
        past = YEARS_NS;
    return start + past / BILLION * rate + past % BILLION * rate / BILLION;
}
