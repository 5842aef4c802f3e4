#include "src/tools/fxt/edit/balance.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <sys/mman.h>

static struct balance *fresh(void)
{
    struct balance *balance = mmap(NULL, sizeof *balance, PROT_READ | PROT_WRITE,
                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    cr_assert(balance != MAP_FAILED);
    return balance;
}

/* Many of them have one home. */
static struct meaning number(uint32_t i)
{
    return (struct meaning){i % 16 * UINT64_C(0x9e3779b97f4a7c15), (uint64_t)i + 1};
}

Test(balance, what_both_have_cancels_out_in_any_order)
{
    struct balance *balance = fresh();
    enum { COUNT = 4000 };
    for (uint32_t i = 0; i < COUNT; i++)
        balance_add(balance, &(struct meaning){number(i).a, number(i).b}, FXT_KIND_EVENT, 1);
    cr_assert_eq(balance->counts.count, COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        struct meaning meaning = number((uint32_t)((uint64_t)i * 1237 % COUNT));
        balance_add(balance, &meaning, FXT_KIND_EVENT, -1);
        cr_assert_eq(balance->counts.count, COUNT - 1 - i);
        cr_assert_eq(balance_of(balance, &meaning, FXT_KIND_EVENT), 0);
    }
    cr_assert(balance_is_even(balance));
}

Test(balance, how_often_counts)
{
    struct balance *balance = fresh();
    struct meaning meaning = number(1);
    balance_add(balance, &meaning, FXT_KIND_LOG, 1);
    balance_add(balance, &meaning, FXT_KIND_LOG, 1);
    balance_add(balance, &meaning, FXT_KIND_LOG, -1);
    cr_assert_not(balance_is_even(balance));
    cr_assert_eq(balance_of(balance, &meaning, FXT_KIND_LOG), 1);
}

Test(balance, a_full_table_still_tells_whether_all_cancels_out)
{
    struct balance *balance = fresh();
    uint64_t seed = 1;
    uint32_t count = BALANCE_MAX + 1;
    for (int step = 1; step >= -1; step -= 2) {
        seed = 1;
        for (uint32_t i = 0; i < count; i++) {
            seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            balance_add(balance, &(struct meaning){seed, i}, FXT_KIND_EVENT, step);
        }
        cr_assert(balance->full);
        cr_assert_eq(balance_is_even(balance), step < 0);
    }
}
