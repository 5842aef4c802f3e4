/* Conversion of a source's times to ticks of the engine. */
#ifndef FXT_KERNEL_CLOCK_H
#define FXT_KERNEL_CLOCK_H

#include <stdint.h>

/* A moment: CLOCK_MONOTONIC and the engine's clock. */
struct fxt_kernel_moment {
    uint64_t ns;
    uint64_t ticks;
};

struct fxt_kernel_moment fxt_kernel_now(void);

/* The line through two moments, which converts times near them. */
struct fxt_kernel_line {
    struct fxt_kernel_moment first;
    struct fxt_kernel_moment last;
};

/* Begins a line that starts some 10 ms ago. Takes 10 ms. */
void fxt_kernel_line_init(struct fxt_kernel_line *line);

/* Moves the line so that it goes through a newer moment. */
void fxt_kernel_line_extend(struct fxt_kernel_line *line, struct fxt_kernel_moment now);

uint64_t fxt_kernel_line_ticks(const struct fxt_kernel_line *line, uint64_t ns);

/* Maps a time of a capture: `first` becomes `start`, and intervals are kept. Earlier times become
   `start`; the most is ten years after it. */
uint64_t fxt_kernel_shifted_ticks(uint64_t start, uint64_t first, uint64_t ns, uint64_t rate);

#endif
