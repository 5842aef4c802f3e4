/* Call trees in which equal paths are one node: a loop of a million calls is one node. */
#ifndef FXT_TOOLS_FXT_REPORT_CALLS_H
#define FXT_TOOLS_FXT_REPORT_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "src/cli/size.h"
#include "src/timeline/map.h"

#define CALLS_MAX TOOL_SIZE(1u << 21)
#define CALLS_OF_SPANS (CALLS_MAX / 8 * 7) /* the others join these to trees */

#define CALL_NONE 0u /* no node; every operation on it does nothing */

struct call {
    uint32_t name;
    uint32_t parent;
    uint32_t first; /* child */
    uint32_t next;  /* sibling; of a free node the next free one */
    uint32_t kids;
    uint64_t count;
    uint64_t self;  /* ns */
    uint64_t total; /* made by calls_add_up: with the children's */
};

struct calls {
    uint32_t count;      /* nodes in use */
    uint32_t used;       /* nodes that have been used at all, beside node 0 */
    uint32_t free;       /* the first free one of them */
    bool full;           /* a node found no room */
    struct map children; /* nodes by parent and name */
    struct call it[CALLS_MAX];
};

/* A node without parent and children, or CALL_NONE. calls: zeroed. */
uint32_t calls_new(struct calls *calls, uint32_t name);
/* The same for a span: CALL_NONE with CALLS_OF_SPANS nodes in use, so that these are not lost. */
uint32_t calls_new_of_span(struct calls *calls, uint32_t name);

/* Makes `child`, which has no parent, a child of `parent`; if that has a child of the name already,
   the two become one. */
void calls_adopt(struct calls *calls, uint32_t parent, uint32_t child);

/* The children of `from`, which has no parent, become children of `into`, and `from` ends. */
void calls_merge(struct calls *calls, uint32_t into, uint32_t from);

/* Ends a node that has neither parent nor children. */
void calls_end(struct calls *calls, uint32_t call);

/* Below `top`: totals, and children in the order of their totals, the largest first. False if there
   is no memory. */
bool calls_add_up(struct calls *calls, uint32_t top);

/* The node after `call` in the tree below `top`, parents first; CALL_NONE at the end. Changes
   *depth from that of `call` to that of the result. */
uint32_t calls_next(const struct calls *calls, uint32_t top, uint32_t call, uint32_t *depth);

#endif
