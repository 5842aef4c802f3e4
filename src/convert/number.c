/* Numbers to text; see number.h. No state; called by all converters.

   Doubles use Schubfach (Raffaele Giulietti, "The Schubfach way to render doubles", 2020): scale
   the double and its rounding interval by a 128-bit power of ten, rounding to odd so that later
   comparisons are exact; at most two candidates of each length remain. number_test.c recomputes
   the table of powers and compares results with those of the C library. */
#include "src/convert/number.h"

#include <stdbool.h>

#include "src/convert/wide.h"

char *fxt_number_u64(char *to, uint64_t number)
{
    if (number < 100000000)
        return fxt_number_short(to, (uint32_t)number);
    uint64_t high = number / 100000000;
    uint32_t low = (uint32_t)(number % 100000000);
    if (high < 100000000) {
        to = fxt_number_short(to, (uint32_t)high);
    } else {
        to = fxt_number_short(to, (uint32_t)(high / 100000000));
        to = fxt_number_put8(to, (uint32_t)(high % 100000000));
    }
    return fxt_number_put8(to, low);
}

char *fxt_number_i64(char *to, int64_t number)
{
    uint64_t size = (uint64_t)number;
    if (number < 0) {
        *to++ = '-';
        size = 0 - size;
    }
    return fxt_number_u64(to, size);
}

char *fxt_number_hex(char *to, uint64_t number)
{
    unsigned digits = (67 - (unsigned)__builtin_clzll(number | 1)) / 4;
    *to++ = '0';
    *to++ = 'x';
    for (unsigned i = digits; i > 0; i--) {
        to[i - 1] = "0123456789abcdef"[number % 16];
        number /= 16;
    }
    return to + digits;
}

/* 10^k = g * 2^r with 2^127 <= g < 2^128: g rounded up, for k from -292 to 324. */
struct power {
    uint64_t high;
    uint64_t low;
};

#define POWER_MIN (-292)

static const struct power powers[] = {
#include "src/convert/number_powers.inc"
};

/* digits * 10^exponent */
struct decimal {
    uint64_t digits;
    int exponent;
};

/* floor(log2(10^k)), floor(log10(2^k)), floor(log10(3/4 * 2^k)): exact in the range needed. */
static int log2_power10(int k)
{
    return (k * 1741647) >> 19;
}

static int log10_power2(int k)
{
    return (k * 1262611) >> 22;
}

static int log10_three_quarters_power2(int k)
{
    return (k * 1262611 - 524031) >> 22;
}

/* floor(g * number / 2^128), its lowest bit set too when anything was cut off. */
static uint64_t scale(struct power g, uint64_t number)
{
    uint64_t unused;
    uint64_t middle;
    uint64_t cut = fxt_i_multiply(&unused, g.low, number);
    uint64_t high = fxt_i_multiply(&middle, g.high, number);
    middle += cut;
    high += middle < cut;
    return high | (middle > 1);
}

/* number is significand * 2^exponent, not 0 and no integer that the caller can print at once. */
static struct decimal shortest(uint64_t significand, int exponent, bool lower_is_closer)
{
    bool odd = significand % 2 != 0;
    int k = lower_is_closer ? log10_three_quarters_power2(exponent) : log10_power2(exponent);
    int shift = exponent + log2_power10(-k) + 1;
    struct power g = powers[-k - POWER_MIN];
    uint64_t lower = scale(g, (4 * significand - 2 + lower_is_closer) << shift) + odd;
    uint64_t value = scale(g, (4 * significand) << shift);
    uint64_t upper = scale(g, (4 * significand + 2) << shift) - odd;
    uint64_t whole = value / 4;

    if (whole >= 10) {
        uint64_t tenth = whole / 10;
        bool down_inside = lower <= 40 * tenth;
        bool up_inside = 40 * tenth + 40 <= upper;
        if (down_inside != up_inside)
            return (struct decimal){tenth + up_inside, k + 1};
    }
    bool down_inside = lower <= 4 * whole;
    bool up_inside = 4 * whole + 4 <= upper;
    if (down_inside != up_inside)
        return (struct decimal){whole + up_inside, k};
    uint64_t middle = 4 * whole + 2;
    bool up = value > middle || (value == middle && whole % 2 != 0);
    return (struct decimal){whole + up, k};
}

/* Digits as text, from digits.text + 8 on; before them there is no '0'. */
struct digits {
    char text[FXT_NUMBER_BYTES];
    unsigned count; /* at most 17 */
};

#define NINES UINT64_C(0x3939393939393939)

/* The digits without trailing zeros; decimal->exponent then belongs to the last of them. */
static void put_digits(struct digits *digits, struct decimal *decimal)
{
    const uint64_t nines = NINES;
    while (decimal->digits % 100000000 == 0) {
        decimal->digits /= 100000000;
        decimal->exponent += 8;
    }
    memcpy(digits->text, &nines, sizeof nines);
    char *end = fxt_number_u64(digits->text + 8, decimal->digits);
    uint64_t last = fxt_load_word((const uint8_t *)end - 8);
    unsigned zeros = (unsigned)__builtin_clzll(last ^ FXT_NUMBER_ZEROS) / 8; /* at most 7 */
    digits->count = (unsigned)(end - digits->text) - 8 - zeros;
    decimal->exponent += (int)zeros;
}

/* 1.5e-7 */
static char *put_scientific(char *to, const struct digits *digits, int exponent)
{
    const char *text = digits->text + 8;
    to[0] = text[0];
    to[1] = '.';
    to[2] = '0';
    if (digits->count > 1)
        memcpy(to + 2, text + 1, 16);
    to += digits->count == 1 ? 3 : digits->count + 1;
    *to++ = 'e';
    *to++ = exponent < 0 ? '-' : '+';
    return fxt_number_short(to, (uint32_t)(exponent < 0 ? -exponent : exponent));
}

/* Copies of 16 and 24 bytes, whatever the number of digits, are faster than exact ones. */
static char *put_decimal(char *to, struct decimal decimal)
{
    struct digits digits;
    put_digits(&digits, &decimal);
    const char *text = digits.text + 8;
    int point = (int)digits.count + decimal.exponent; /* digits before the point */
    if (point > 21 || point < -5)
        return put_scientific(to, &digits, point - 1);
    if (point <= 0) {
        unsigned zeros = 2 + (unsigned)-point;
        memcpy(to, "0.000000", 8);
        memcpy(to + zeros, text, 24);
        return to + zeros + digits.count;
    }
    memcpy(to, text, 24);
    if (decimal.exponent < 0) {
        to[point] = '.';
        memcpy(to + point + 1, text + point, 16);
        return to + digits.count + 1;
    }
    memset(to + digits.count, '0', (size_t)decimal.exponent);
    memcpy(to + point, ".0", 2);
    return to + point + 2;
}

char *fxt_number_double(char *to, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    uint64_t fraction = bits & UINT64_C(0x000fffffffffffff);
    int biased = (int)(bits >> 52 & 2047);

    *to = '-';
    to += bits >> 63;
    if (biased == 0 && fraction == 0) {
        memcpy(to, "0.0", 3);
        return to + 3;
    }
    if (biased == 0)
        return put_decimal(to, shortest(fraction, -1074, false));
    uint64_t significand = fraction | UINT64_C(1) << 52;
    int exponent = biased - 1075;
    if (exponent <= 0 && exponent > -53 && significand % (UINT64_C(1) << -exponent) == 0) {
        to = fxt_number_u64(to, significand >> -exponent);
        memcpy(to, ".0", 2);
        return to + 2;
    }
    return put_decimal(to, shortest(significand, exponent, fraction == 0 && biased > 1));
}
