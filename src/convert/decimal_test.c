#include "src/convert/decimal.h"

#include <math.h>
#include <stdlib.h>

#include "src/convert/testing.h"

static uint64_t bits_of(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static void expect(double number, const char *decimal)
{
    struct fxt_out out = testing_out();
    bool short_enough = fxt_convert_decimal(&out, bits_of(number));
    fxt_out_flush(&out);
    cr_expect_eq(short_enough, decimal[0] != '\0');
    cr_expect_str_eq(testing_text, decimal);
}

static void expect_for_people(uint64_t bits, const char *text)
{
    struct fxt_out out = testing_out();
    fxt_convert_double(&out, bits);
    fxt_out_flush(&out);
    cr_expect_str_eq(testing_text, text);
}

Test(decimal, what_people_write_is_shown_as_they_write_it)
{
    expect(0.0, "0.0");
    expect(1.0, "1.0");
    expect(-2.5, "-2.5");
    expect(0.1, "0.1");
    expect(3.141592653589793, "3.141592653589793");
    expect(9007199254740991.0, "9007199254740991.0");
    expect(1e-5, "0.00001");
    expect(1.0 / 3.0, "0.3333333333333333");
}

Test(decimal, numbers_without_a_short_form_are_refused)
{
    expect(-0.0, "");
    expect(0.1 + 0.2, "");
    expect(1e300, "");
    expect(5e-324, "");
    expect(1e17, "");
    expect((double)INFINITY, "");
    expect((double)NAN, "");
}

Test(decimal, people_see_the_others_as_hexadecimal_fractions)
{
    expect_for_people(0x7ff0000000000000, "inf");
    expect_for_people(0xfff0000000000000, "-inf");
    expect_for_people(0x7ff8000000000000, "nan");
    expect_for_people(0x8000000000000000, "-0x0p+0");
    expect_for_people(0x0000000000000001, "0x0.0000000000001p-1022");
    expect_for_people(0x7fe0000000000000, "0x1p+1023");
    expect_for_people(0x3fd3333333333334, "0x1.3333333333334p-2");
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

Test(decimal, what_is_shown_reads_back_as_the_same_bits)
{
    uint64_t number = 88172645463325252;
    int shown = 0;
    for (int i = 0; i < 200000; i++) {
        number ^= number << 13;
        number ^= number >> 7;
        number ^= number << 17;
        /* a few decimal digits, a random place of the point; every other one any bits at all */
        uint64_t bits = bits_of((double)(number % 1000000000) / (double)(1 + number / 7 % 1000));
        if (i % 2 == 0)
            bits = number;
        struct fxt_out out = testing_out();
        if (!fxt_convert_decimal(&out, bits))
            continue;
        fxt_out_flush(&out);
        shown++;
        cr_assert_eq(bits_of(strtod(testing_text, NULL)), bits, "%s", testing_text);
    }
    cr_expect_gt(shown, 10000);
}
