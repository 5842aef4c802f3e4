#include "src/convert/wide.h"

#include <criterion/criterion.h>

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

// Long multiplication, a bit at a time.
static void expect_product(uint64_t a, uint64_t b)
{
    uint64_t high = 0;
    uint64_t low = 0;
    for (int bit = 63; bit >= 0; bit--) {
        high = high << 1 | low >> 63;
        low <<= 1;
        if ((b >> bit & 1) != 0) {
            low += a;
            high += low < a;
        }
    }
    uint64_t found;
    cr_assert_eq(fxt_i_multiply(&found, a, b), high);
    cr_assert_eq(found, low);
    cr_assert_eq(fxt_i_multiply_halves(&found, a, b), high);
    cr_assert_eq(found, low);
}

Test(wide, products_are_those_of_long_multiplication)
{
    static const uint64_t ends[] = {0, 1, UINT32_MAX, UINT64_C(1) << 32, UINT64_C(1) << 63,
                                    UINT64_MAX};
    uint64_t state = 3;
    for (unsigned i = 0; i < 36; i++)
        expect_product(ends[i / 6], ends[i % 6]);
    for (unsigned i = 0; i < 100000; i++)
        expect_product(next_random(&state), next_random(&state) >> (i % 64));
}
