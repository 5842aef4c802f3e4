#include "src/convert/number.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static double from_bits(uint64_t bits)
{
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

// Natural numbers of up to 1440 bits, lowest part first.
#define LIMBS 45

struct natural {
    uint32_t limbs[LIMBS];
};

static void multiply(struct natural *n, uint32_t factor)
{
    uint64_t carry = 0;
    for (int i = 0; i < LIMBS; i++) {
        carry += (uint64_t)n->limbs[i] * factor;
        n->limbs[i] = (uint32_t)carry;
        carry >>= 32;
    }
    cr_assert_eq(carry, 0);
}

static void multiply_power10(struct natural *n, int exponent)
{
    for (int i = 0; i < exponent; i++)
        multiply(n, 10);
}

static void multiply_power2(struct natural *n, int exponent)
{
    for (int i = 0; i < exponent; i++)
        multiply(n, 2);
}

static int compare(const struct natural *a, const struct natural *b)
{
    for (int i = LIMBS - 1; i >= 0; i--)
        if (a->limbs[i] != b->limbs[i])
            return a->limbs[i] < b->limbs[i] ? -1 : 1;
    return 0;
}

static struct natural from_128(uint64_t high, uint64_t low)
{
    struct natural n = {{(uint32_t)low, (uint32_t)(low >> 32), (uint32_t)high,
                         (uint32_t)(high >> 32)}};
    return n;
}

static const struct {
    uint64_t high;
    uint64_t low;
} powers[] = {
#include "src/convert/number_powers.inc"
};

// g is 10^k / 2^r rounded up, with its highest bit set: (g - 1) * 2^r < 10^k <= g * 2^r.
Test(number, each_power_of_ten_is_rounded_up_to_128_bits)
{
    cr_assert_eq(sizeof powers / sizeof *powers, 617);
    for (int k = -292; k <= 324; k++) {
        uint64_t high = powers[k + 292].high;
        uint64_t low = powers[k + 292].low;
        int r = (int)floor(k * 3.321928094887362347870319) - 127;
        struct natural above = from_128(high, low);
        struct natural below = from_128(low == 0 ? high - 1 : high, low - 1);
        struct natural power = from_128(0, 1);
        cr_assert(high >> 63);
        multiply_power10(&power, k > 0 ? k : 0);
        multiply_power10(&above, k < 0 ? -k : 0);
        multiply_power10(&below, k < 0 ? -k : 0);
        multiply_power2(&power, r < 0 ? -r : 0);
        multiply_power2(&above, r > 0 ? r : 0);
        multiply_power2(&below, r > 0 ? r : 0);
        cr_assert_leq(compare(&power, &above), 0, "10^%d", k);
        cr_assert_lt(compare(&below, &power), 0, "10^%d", k);
    }
}

static void expect_double(double number, const char *text)
{
    char to[FXT_NUMBER_BYTES];
    size_t length = (size_t)(fxt_number_double(to, number) - to);
    cr_assert_eq(length, strlen(text), "%a: %.*s", number, (int)length, to);
    cr_assert_eq(memcmp(to, text, length), 0, "%a: %.*s", number, (int)length, to);
}

Test(number, doubles_are_written_as_documented)
{
    expect_double(0.0, "0.0");
    expect_double(-0.0, "-0.0");
    expect_double(1.0, "1.0");
    expect_double(-3.0, "-3.0");
    expect_double(0.1, "0.1");
    expect_double(0.30000000000000004, "0.30000000000000004");
    expect_double(123.456, "123.456");
    expect_double(0.001, "0.001");
    expect_double(0.000001, "0.000001");
    expect_double(0.0000015, "0.0000015");
    expect_double(1.5e-7, "1.5e-7");
    expect_double(1e-7, "1.0e-7");
    expect_double(9007199254740991.0, "9007199254740991.0");
    expect_double(9007199254740992.0, "9007199254740992.0");
    expect_double(1e15, "1000000000000000.0");
    expect_double(1e20, "100000000000000000000.0");
    expect_double(123456789012345680000.0, "123456789012345680000.0");
    expect_double(1e21, "1.0e+21");
    expect_double(1e22, "1.0e+22");
    expect_double(1.7976931348623157e308, "1.7976931348623157e+308");
    expect_double(5e-324, "5.0e-324");
    expect_double(2.2250738585072014e-308, "2.2250738585072014e-308");
    expect_double(9.5367431640625e-7, "9.5367431640625e-7");
    expect_double(2e-323, "2.0e-323");
}

// The significant digits of a text, without sign, point, exponent and outer zeros.
static size_t significant(char *digits, const char *text)
{
    size_t count = 0;
    for (; *text != 0 && *text != 'e'; text++)
        if (*text >= '0' && *text <= '9' && (count > 0 || *text != '0'))
            digits[count++] = *text;
    while (count > 0 && digits[count - 1] == '0')
        count--;
    return count;
}

static void expect_shortest(double number)
{
    char text[FXT_NUMBER_BYTES + 1];
    char digits[64];
    char other[64];
    char other_digits[64];
    *fxt_number_double(text, number) = 0;
    cr_assert_eq(strtod(text, NULL), number, "%a %s", number, text);
    size_t count = significant(digits, text);
    cr_assert_leq(count, 17);
    if (count > 1) {
        snprintf(other, sizeof other, "%.*e", (int)count - 2, number);
        cr_assert_neq(strtod(other, NULL), number, "%a %s %s", number, text, other);
    }
    if (count > 0) {
        snprintf(other, sizeof other, "%.*e", (int)count - 1, number);
        if (strtod(other, NULL) == number) {
            cr_assert_eq(significant(other_digits, other), count, "%s %s", text, other);
            cr_assert_eq(memcmp(digits, other_digits, count), 0, "%s %s", text, other);
        }
    }
}

Test(number, doubles_of_all_sizes_are_shortest_and_read_back_the_same)
{
    uint64_t state = 1;
    for (int i = 0; i < 200000; i++) {
        double number = from_bits(next_random(&state));
        if (isfinite(number))
            expect_shortest(number);
    }
}

Test(number, doubles_beside_powers_of_two_and_ten_read_back_the_same)
{
    for (uint64_t exponent = 0; exponent < 2047; exponent++)
        for (uint64_t step = 0; step < 5; step++) {
            char text[FXT_NUMBER_BYTES + 1];
            double number = from_bits((exponent << 52) + step - (exponent > 0 ? 2 : 0));
            *fxt_number_double(text, number) = 0;
            cr_assert_eq(strtod(text, NULL), number, "%a %s", number, text);
        }
    for (int exponent = -323; exponent <= 308; exponent++) {
        char text[16];
        snprintf(text, sizeof text, "1e%d", exponent);
        expect_shortest(strtod(text, NULL));
    }
}

Test(number, decimals_of_few_digits_come_out_as_they_went_in)
{
    uint64_t state = 2;
    for (int i = 0; i < 100000; i++) {
        char in[64];
        char digits[64];
        char out[FXT_NUMBER_BYTES + 1];
        char out_digits[64];
        snprintf(in, sizeof in, "%" PRIu64 "e%d", next_random(&state) >> (15 + i % 45),
                 (int)(next_random(&state) % 40) - 25);
        *fxt_number_double(out, strtod(in, NULL)) = 0;
        size_t count = significant(digits, in);
        if (count > 15)
            continue;
        cr_assert_eq(significant(out_digits, out), count, "%s %s", in, out);
        cr_assert_eq(memcmp(digits, out_digits, count), 0, "%s %s", in, out);
    }
}

static void expect_integer(uint64_t number)
{
    char expected[32];
    char text[FXT_NUMBER_BYTES + 1];
    *fxt_number_u64(text, number) = 0;
    snprintf(expected, sizeof expected, "%" PRIu64, number);
    cr_assert_str_eq(text, expected);
    *fxt_number_i64(text, (int64_t)number) = 0;
    snprintf(expected, sizeof expected, "%" PRId64, (int64_t)number);
    cr_assert_str_eq(text, expected);
    *fxt_number_hex(text, number) = 0;
    snprintf(expected, sizeof expected, "0x%" PRIx64, number);
    cr_assert_str_eq(text, expected);
}

Test(number, integers_are_those_of_the_c_library)
{
    uint64_t state = 3;
    for (uint64_t power = 1;; power *= 10) {
        for (uint64_t step = 0; step < 3; step++)
            expect_integer(power - 1 + step);
        if (power > UINT64_MAX / 10)
            break;
    }
    expect_integer(UINT64_MAX);
    expect_integer(UINT64_C(1) << 63);
    for (int i = 0; i < 200000; i++)
        expect_integer(next_random(&state) >> (i % 64));
}

Test(number, all_numbers_of_eight_digits_have_their_digits)
{
    for (uint32_t number = 0; number < 100000000; number += number < 100000 ? 1 : 97) {
        char text[9] = {0};
        char expected[16];
        fxt_number_put8(text, number);
        snprintf(expected, sizeof expected, "%08" PRIu32, number);
        cr_assert_str_eq(text, expected);
    }
}
