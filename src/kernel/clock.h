/* Times of a source become ticks of the engine. */
#ifndef FXT_KERNEL_CLOCK_H
#define FXT_KERNEL_CLOCK_H

#include <stdint.h>

/* CLOCK_MONOTONIC and the engine's clock at the same moment. */
struct fxt_kernel_moment {
    uint64_t ns;
    uint64_t ticks;
};

struct fxt_kernel_moment fxt_kernel_now(void);

/* The line through two moments, for what happens around them. */
struct fxt_kernel_line {
    struct fxt_kernel_moment first;
    struct fxt_kernel_moment last;
};

/* Lets the line begin some 10 ms ago and takes as long. */
void fxt_kernel_line_init(struct fxt_kernel_line *line);

/* Lets the line go through a newer moment. */
void fxt_kernel_line_extend(struct fxt_kernel_line *line, struct fxt_kernel_moment now);

uint64_t fxt_kernel_line_ticks(const struct fxt_kernel_line *line, uint64_t ns);

/* A time of another day: `start`, and as long after it as `ns` is after `first`. What is earlier
   than `first` becomes `start`; ten years are the most. */
uint64_t fxt_kernel_shifted_ticks(uint64_t start, uint64_t first, uint64_t ns, uint64_t rate);

#endif
