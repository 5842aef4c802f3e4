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

/* SUM-02 */
static double exact_percentile(const uint64_t *sorted, unsigned count, unsigned percent)
{
    unsigned place = (count - 1) * percent / 100;
    double part = (count - 1) * percent % 100 / 100.0;
    double before = (double)sorted[place];
    return place + 1 < count ? before + part * ((double)sorted[place + 1] - before) : before;
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
            double exact = exact_percentile(numbers, 5000, percent);
            double got = (double)groups_percentile(groups, &groups->it[group], percent);
            cr_assert_leq(got, exact * 1.032);
            cr_assert_geq(got, exact * 0.968);
        }
        munmap(groups, sizeof *groups);
    }
}

Test(groups, percentiles_of_a_few_durations_are_exact)
{
    static const uint64_t numbers[GROUP_FEW] = {
        10, 40, 77, 1000, 1001, 5555, 99999, 100000, 123457, 200000, 200001, 1u << 20, 1u << 21};
    for (unsigned count = 1; count <= 13; count++) {
        struct groups *groups = fresh();
        uint32_t group = groups_find(groups, 7, false);
        for (unsigned i = 0; i < count; i++) /* in another order */
            groups_count(groups, group, numbers[(i + count / 2) % count]);
        for (unsigned percent = 0; percent <= 100; percent++)
            cr_assert_eq(groups_percentile(groups, &groups->it[group], percent),
                         (uint64_t)(exact_percentile(numbers, count, percent) + 0.5));
        munmap(groups, sizeof *groups);
    }
}

Test(groups, a_merged_group_has_the_percentiles_of_all)
{
    for (unsigned count = 2; count <= 3 * GROUP_FEW; count++) {
        struct groups *groups = fresh();
        uint32_t one = groups_find(groups, 7, false);
        uint32_t other = groups_find(groups, 8, false);
        for (unsigned i = 0; i < count; i++)
            groups_count(groups, i % 3 == 0 ? one : other, i / 2);
        groups_merge(groups, one, other);
        cr_assert_eq(groups->it[one].count, count);
        for (unsigned percent = 0; percent <= 100; percent += 10)
            cr_assert_leq(groups_percentile(groups, &groups->it[one], percent),
                          (count - 1) * percent / 200 + 1);
        munmap(groups, sizeof *groups);
    }
}

Test(groups, sums_do_not_overflow)
{
    struct groups *groups = fresh();
    uint32_t group = groups_find(groups, 7, false);
    for (int i = 0; i < 2; i++) {
        groups_count(groups, group, UINT64_MAX);
        groups_add_total(groups, group, UINT64_MAX);
    }
    cr_assert_eq(groups_total(&groups->it[group]), UINT64_MAX);
    groups_take_total(groups, group, UINT64_MAX - 5);
    groups_take_total(groups, group, UINT64_MAX);
    cr_assert_eq(groups_total(&groups->it[group]), 5);
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
