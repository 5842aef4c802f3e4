/* The pool. Node 0 is none; free nodes are a list by `next`. */
#include "src/tools/fxt/report/opens.h"

uint32_t opens_new(struct opens *opens, const struct open *open)
{
    uint32_t node = opens->free;
    if (node != 0) {
        opens->free = opens->it[node].next;
    } else if (opens->used < OPENS_MAX - 1) {
        node = ++opens->used;
    } else {
        opens->full = true;
        return 0;
    }
    opens->it[node] = *open;
    return node;
}

uint32_t opens_new_stray(struct opens *opens, const struct open *end)
{
    uint32_t node = 0;
    if (opens->strays < STRAYS_MAX)
        node = opens_new(opens, end);
    opens->strays += node != 0;
    opens->lacks_strays |= node == 0;
    return node;
}

struct open opens_free(struct opens *opens, uint32_t node)
{
    struct open open = opens->it[node];
    opens->it[node].next = opens->free;
    opens->free = node;
    return open;
}

struct pairing_rows opens_rows(struct opens *opens)
{
    return (struct pairing_rows){.it = opens->it,
                                 .size = sizeof(struct open),
                                 .time = offsetof(struct open, begin),
                                 .place = offsetof(struct open, number),
                                 .next = offsetof(struct open, next)};
}
