/* The durations of one thread, in any order: which lies inside which, and so self times and stacks.

   A window holds the latest durations of its thread as a tree. The parent of a duration is the one
   that begins last of those that enclose it [SLC-07]. So siblings may overlap, and what lies inside
   of two of them belongs to the later one. A duration that arrives adopts what it encloses and what
   belonged to durations that begin before it.

   When the window is full, old durations give up their place:
     - One that has a parent becomes part of the parent's call tree. What arrives later and overlaps
       with the times there is counted as late.
     - Neighbours without a parent become one forest. What arrives later and lies inside a forest,
       or overlaps with a part of it, has lost its place: its self time is its duration, and the
       self time of what encloses it in the forest stays too large. Such durations are counted as
       late. The neighbours are chosen so that this is rare: no open begin lies between them, and
       those of equal names come first, then those with the shortest gaps. */
#ifndef FXT_TOOLS_FXT_REPORT_WINDOW_H
#define FXT_TOOLS_FXT_REPORT_WINDOW_H

#include "src/tools/fxt/report/spans.h"

/* Counts a duration's self time in its group, and finds its place. begin <= end; the numbers are those
   of its records, the same one if it is complete. One that is unfinished ends at `end` if no other
   encloses it; it is to be added after all that are not, and those in the order of their begins.
   `opens` are the open begins of the thread, `open` the last of them (0: none). Returns the end. */
uint64_t window_add(struct spans *spans, struct window *window, const struct span *duration,
                    uint32_t name, const struct open *opens, uint32_t open);

/* Empties the window, and counts the totals. The stacks of everything that it has seen: a node without a name. */
uint32_t window_end(struct spans *spans, struct window *window);

/* Room in a window that is full. */

/* Frees half of the window. */
void window_make_room(struct spans *spans, struct window *window, const struct open *opens,
                      uint32_t open);

#endif
