#include "src/tools/fxt/report/groups.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <sys/mman.h>

static struct groups *fresh(void)
{
    struct groups *groups = mmap(NULL, sizeof *groups, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    cr_assert(groups != MAP_FAILED);
    groups_init(groups);
    return groups;
}

static int compare(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a;
    uint64_t right = *(const uint64_t *)b;
    return left < right ? -1 : left > right;
}

Test(groups, percentiles_are_at_most_3_2_percent_off)
{
    static uint64_t numbers[5000];
    uint64_t seed = 1;
    for (unsigned shift = 0; shift < 63; shift++) {
        struct groups *groups = fresh();
        uint32_t group = groups_find(groups, 7, false);
        for (size_t i = 0; i < 5000; i++) {
            seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
            numbers[i] = seed >> shift;
            groups_count(groups, group, numbers[i]);
        }
        qsort(numbers, 5000, sizeof *numbers, compare);
        for (unsigned percent = 1; percent <= 100; percent++) {
            double exact = (double)numbers[(percent * 5000 + 99) / 100 - 1];
            double got = (double)groups_percentile(groups, &groups->it[group], percent);
            cr_assert_leq(got, exact * 1.032);
            cr_assert_geq(got, exact * 0.968);
        }
        munmap(groups, sizeof *groups);
    }
}

Test(groups, small_durations_are_exact)
{
    struct groups *groups = fresh();
    uint32_t group = groups_find(groups, 7, false);
    for (uint64_t ns = 1; ns <= 31; ns++)
        groups_count(groups, group, ns);
    for (unsigned percent = 1; percent <= 100; percent++)
        cr_assert_eq(groups_percentile(groups, &groups->it[group], percent),
                     (31 * percent + 99) / 100);
}

Test(groups, sums_do_not_overflow)
{
    struct groups *groups = fresh();
    uint32_t group = groups_find(groups, 7, false);
    groups_count(groups, group, UINT64_MAX);
    groups_count(groups, group, UINT64_MAX);
    cr_assert_eq(groups->it[group].total, UINT64_MAX);
    cr_assert_eq(groups->it[group].max, UINT64_MAX);
    cr_assert_eq(groups_percentile(groups, &groups->it[group], 50), UINT64_MAX);
}

Test(groups, a_key_has_one_group_for_async_durations_and_one_for_others)
{
    struct groups *groups = fresh();
    uint32_t group = groups_find(groups, 7, false);
    cr_assert_neq(group, GROUP_OTHERS);
    cr_assert_eq(groups_find(groups, 7, false), group);
    cr_assert_neq(groups_find(groups, 7, true), group);
    cr_assert_neq(groups_find(groups, 8, false), group);
}

Test(groups, what_finds_no_room_goes_to_the_others)
{
    struct groups *groups = fresh();
    for (uint32_t key = 0; key < GROUPS_MAX - 1; key++)
        cr_assert_neq(groups_find(groups, key, false), GROUP_OTHERS);
    cr_assert_not(groups->full);
    cr_assert_eq(groups_find(groups, GROUPS_MAX, false), GROUP_OTHERS);
    cr_assert(groups->full);
    groups_count(groups, GROUP_OTHERS, 5);
    cr_assert_eq(groups_percentile(groups, &groups->it[GROUP_OTHERS], 50), 5);
}
