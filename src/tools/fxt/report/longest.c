/* The longest of many times, kept in order. */
#include "src/tools/fxt/report/longest.h"

#include <string.h>

void longest_add(struct longest *longest, const struct long_one *one)
{
    uint32_t from = 0;
    uint32_t to = longest->count;
    while (from < to) {
        uint32_t middle = (from + to) / 2;
        if (longest->it[middle].ns >= one->ns)
            from = middle + 1;
        else
            to = middle;
    }
    memmove(&longest->it[from + 1], &longest->it[from],
            (longest->count - from) * sizeof *longest->it);
    longest->it[from] = *one;
    if (longest->count < longest->wanted)
        longest->count++;
}
