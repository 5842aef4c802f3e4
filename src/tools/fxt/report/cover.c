/* The times that a thread has events. Events mostly come in the order of time, so they are looked
   for from the end; one that follows the last piece within less than the shortest gap extends it.
   */
#include "src/tools/fxt/report/report.h"

#include <string.h>

static void remove_pieces(struct cover *cover, uint32_t from, uint32_t to)
{
    memmove(&cover->it[from], &cover->it[to], (cover->count - to) * sizeof *cover->it);
    cover->count -= to - from;
}

static uint64_t gap_before(const struct cover *cover, uint32_t piece)
{
    return cover->it[piece].begin - cover->it[piece - 1].end;
}

/* The piece after the shortest gap; count > 1. */
static uint32_t find_shortest(const struct cover *cover)
{
    uint32_t found = 1;
    for (uint32_t i = 2; i < cover->count; i++)
        if (gap_before(cover, i) < gap_before(cover, found))
            found = i;
    return found;
}

static void give_up_shortest(struct cover *cover)
{
    if (cover->count > COVER_GAPS + 1) {
        uint32_t piece = find_shortest(cover);
        cover->it[piece - 1].end = cover->it[piece].end;
        remove_pieces(cover, piece, piece + 1);
    }
    cover->shortest = cover->count == COVER_GAPS + 1 ? gap_before(cover, find_shortest(cover)) : 0;
}

void cover_add(struct cover *cover, uint64_t begin, uint64_t end)
{
    uint32_t last = cover->count;
    if (last > 0 && begin >= cover->it[last - 1].begin &&
        (begin <= cover->it[last - 1].end || begin - cover->it[last - 1].end < cover->shortest)) {
        if (end > cover->it[last - 1].end)
            cover->it[last - 1].end = end;
        return;
    }
    while (last > 0 && cover->it[last - 1].begin > end)
        last--;
    uint32_t first = last;
    while (first > 0 && cover->it[first - 1].end >= begin)
        first--;
    /* The pieces first … last - 1 touch the event. */
    if (first < last) {
        begin = begin < cover->it[first].begin ? begin : cover->it[first].begin;
        end = end > cover->it[last - 1].end ? end : cover->it[last - 1].end;
        remove_pieces(cover, first + 1, last);
    } else {
        memmove(&cover->it[first + 1], &cover->it[first],
                (cover->count - first) * sizeof *cover->it);
        cover->count++;
    }
    cover->it[first].begin = begin;
    cover->it[first].end = end;
    give_up_shortest(cover);
}
