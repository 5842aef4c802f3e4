#include "src/tools/fxt/report/report.h"

#include <criterion/criterion.h>

/* The longest gaps of a model: a time line of bits. */
#define LINE 4000

static void expect_gaps(const struct cover *cover, const char *line)
{
    static unsigned lengths[LINE + 1];
    unsigned gap = 0;
    bool seen = false;
    memset(lengths, 0, sizeof lengths);
    for (int i = 0; i < LINE; i++) {
        if (line[i] != 0 && seen && gap > 0)
            lengths[gap]++;
        seen = seen || line[i] != 0;
        gap = line[i] != 0 ? 0 : gap + 1;
    }
    for (uint32_t i = 1; i < cover->count; i++)
        lengths[cover->it[i].begin - cover->it[i - 1].end]--;
    /* None that is left is longer than one that was kept. */
    unsigned longest = LINE;
    while (longest > 0 && lengths[longest] == 0)
        longest--;
    for (uint32_t i = 1; i < cover->count; i++)
        cr_assert_geq(cover->it[i].begin - cover->it[i - 1].end, longest);
}

Test(cover, keeps_the_longest_gaps_of_events_in_the_order_of_time)
{
    uint64_t seed = 1;
    for (int round = 0; round < 200; round++) {
        static char line[LINE];
        struct cover cover = {0};
        uint64_t at = 0;
        memset(line, 0, sizeof line);
        for (;;) {
            seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
            uint64_t begin = at + (seed >> 40) % (2 + (seed >> 33) % 50);
            uint64_t end = begin + 1 + (seed >> 50) % 9;
            if (end >= LINE)
                break;
            cover_add(&cover, begin, end);
            memset(line + begin, 1, end - begin);
            at = begin;
        }
        expect_gaps(&cover, line);
    }
}

Test(cover, the_order_does_not_matter_while_there_is_room)
{
    struct cover cover = {0};
    cover_add(&cover, 50, 60);
    cover_add(&cover, 10, 20);
    cover_add(&cover, 30, 40);
    cover_add(&cover, 70, 70);
    cr_assert_eq(cover.count, 4);
    cr_assert_eq(cover.it[1].begin, 30);
    cr_assert_eq(cover.it[3].begin, 70);
    cover_add(&cover, 15, 55);
    cr_assert_eq(cover.count, 2);
    cr_assert_eq(cover.it[0].begin, 10);
    cr_assert_eq(cover.it[0].end, 60);
    cover_add(&cover, 0, 100);
    cr_assert_eq(cover.count, 1);
}
