/* What the two files of the window share. */
#ifndef FXT_TOOLS_FXT_REPORT_WINDOW_I_H
#define FXT_TOOLS_FXT_REPORT_WINDOW_I_H

#include "src/tools/fxt/report/window.h"

uint32_t *window_first(struct spans *spans, struct window *window, uint32_t parent);
uint32_t *window_last(struct spans *spans, struct window *window, uint32_t parent);

/* The time that a span takes from its parent's self time. */
uint64_t window_covered(const struct span *span);

/* Unlinks and frees a span without children. */
void window_remove(struct spans *spans, struct window *window, uint32_t index);

/* Merges a span and its next sibling into a forest, whatever lies inside them. Returns the index
   that is free now. */
uint32_t window_merge_next(struct spans *spans, struct window *window, uint32_t index);

/* Frees a quarter of the window. */
void window_make_room(struct spans *spans, struct window *window, const struct open *opens,
                      uint32_t open);

#endif
