#include "src/convert/decimal.h"

#include <stdio.h>
#include <stdlib.h>

#include "src/convert/number.h"
#include "src/convert/testing.h"
#include "src/convert/testing_random.h"

static uint64_t bits_of(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

Test(decimal, parsing_rounds_correctly_or_refuses)
{
    uint64_t bits;
    cr_expect(fxt_convert_decimal_bits(&bits, 25, -1, false) && bits == bits_of(2.5));
    cr_expect(fxt_convert_decimal_bits(&bits, 1, 22, true) && bits == bits_of(-1e22));
    cr_expect(fxt_convert_decimal_bits(&bits, 0, 0, true) && bits == UINT64_C(1) << 63);
    cr_expect(!fxt_convert_decimal_bits(&bits, 1, 23, false));
    cr_expect(!fxt_convert_decimal_bits(&bits, 1, -23, false));
    cr_expect(!fxt_convert_decimal_bits(&bits, (UINT64_C(1) << 53) + 1, 0, false));
}

Test(decimal, parsing_agrees_with_the_c_library)
{
    testing_seed = 6;
    for (int i = 0; i < 200000; i++) {
        char text[64];
        uint64_t bits;
        uint64_t digits = testing_random() >> (11 + testing_random() % 53);
        int exponent = (int)(testing_random() % 45) - 22;
        cr_assert(fxt_convert_decimal_bits(&bits, digits, exponent, i % 2 == 0));
        snprintf(text, sizeof text, "%s%llue%d", i % 2 == 0 ? "-" : "", (unsigned long long)digits,
                 exponent);
        cr_assert_eq(bits, bits_of(strtod(text, NULL)), "%s", text);
    }
}

Test(decimal, infinities_and_nans_are_not_finite)
{
    cr_expect(!fxt_convert_is_finite(0x7ff0000000000000));
    cr_expect(!fxt_convert_is_finite(0xfff0000000000000));
    cr_expect(!fxt_convert_is_finite(0x7ff8000000000001));
    cr_expect(fxt_convert_is_finite(0x7fefffffffffffff));
    cr_expect(fxt_convert_is_finite(0x8000000000000000));
}
