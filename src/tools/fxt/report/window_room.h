/* Room in a window that is full. */
#ifndef FXT_TOOLS_FXT_REPORT_WINDOW_ROOM_H
#define FXT_TOOLS_FXT_REPORT_WINDOW_ROOM_H

#include "src/tools/fxt/report/spans.h"

/* Merges a span and its next sibling into a forest, whatever lies inside them. Returns the index
   that is free now. */
uint32_t window_merge_next(struct spans *spans, struct window *window, uint32_t index);

/* Frees a quarter of the window. */
void window_make_room(struct spans *spans, struct window *window, const struct open *opens,
                      uint32_t open);

#endif
