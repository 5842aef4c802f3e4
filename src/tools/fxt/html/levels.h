/* The levels of detail of the page: of every LEVEL_GROUP neighbours the one that stands for all
   when they share a pixel. */
#ifndef FXT_TOOLS_FXT_HTML_LEVELS_H
#define FXT_TOOLS_FXT_HTML_LEVELS_H

#include "src/tools/fxt/html/pack.h"
#include "src/tools/fxt/html/timeline.h"

#define LEVEL_GROUP 16u

/* Whether b stands for a and b. */
typedef bool level_wins(const struct item *a, const struct item *b);

level_wins level_longest;
level_wins level_greatest; /* of samples */
level_wins level_least;

/* For each group of the items in `order`, then for each group of these groups, and so on up to one
   group: the number in its group of the one that wins. numbers: room for items->count. */
void levels_pack(struct pack *pack, const struct items *items, uint32_t *numbers, level_wins *wins);

#endif
