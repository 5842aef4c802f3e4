/* The durations of one thread, in any order: which lies inside which, and so self times and stacks.

   A window holds the latest durations of its thread as a tree: each lies inside its parent, and
   siblings do not overlap. A duration that arrives adopts those of the tree that lie inside it, and
   becomes a child of the smallest that encloses it. Of two equal ones, the later is the parent if
   durations arrive at their end, and the child if they arrive at their begin; what nested last
   tells which. A duration without length is not inside one that begins or ends at the same time.

   When the window is full, old durations give up their place:
     - One that has a parent becomes part of the parent's call tree. What arrives later and overlaps
       with the times there is counted as late.
     - Neighbours without a parent become one forest. What arrives later and lies inside a forest,
       or overlaps with a part of it, has lost its place: its self time is its duration, and the
       self time of what encloses it in the forest stays too large. Such durations are counted as
       late. The neighbours are chosen so that this is rare: no open begin lies between them, and
       those of equal names come first, then those with the shortest gaps.

   Durations that overlap without one lying inside the other become a forest, too. */
#ifndef FXT_TOOLS_FXT_REPORT_WINDOW_H
#define FXT_TOOLS_FXT_REPORT_WINDOW_H

#include "src/tools/fxt/report/spans.h"

/* Counts a duration's self time in its group, and finds its place. begin <= end. `opens` are the
   open begins of the thread, `open` the last of them (0: none). */
void window_add(struct spans *spans, struct window *window, const struct span *duration,
                uint32_t name, const struct open *opens, uint32_t open);

/* Empties the window. The stacks of everything that it has seen: a node without a name. */
uint32_t window_end(struct spans *spans, struct window *window);

#endif
