/* Decimal numbers by the observation that a quotient or product of two integers that a double holds
   exactly is correctly rounded: no tables, no long arithmetic, and it covers what people write.
   Numbers outside are shown and written by their bits. */
#include "src/convert/decimal.h"

#define EXACT_MAX UINT64_C(9007199254740992) /* 2^53 */
#define POWER_MAX 22                         /* 10^22 is the last exact one */
#define PLACES_MAX 17
#define SIGN UINT64_C(0x8000000000000000)

static const double powers[POWER_MAX + 1] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static uint64_t bits_of(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

bool fxt_convert_decimal_bits(uint64_t *bits, uint64_t digits, int exponent, bool negative)
{
    double number = (double)digits;
    if (digits > EXACT_MAX || exponent < -POWER_MAX || exponent > POWER_MAX)
        return false;
    number = exponent < 0 ? number / powers[-exponent] : number * powers[exponent];
    *bits = bits_of(number) | (negative ? SIGN : 0);
    return true;
}

/* The digits and places of a positive double. */
static bool find(uint64_t *digits, int *places, uint64_t bits)
{
    double number;
    memcpy(&number, &bits, sizeof number);
    for (int i = 0; i <= PLACES_MAX; i++) {
        double scaled = number * powers[i];
        uint64_t again;
        if (!(scaled < (double)EXACT_MAX))
            return false;
        if (scaled < (double)(EXACT_MAX / 2)) /* above, doubles are whole numbers */
            scaled += 0.5;
        if (fxt_convert_decimal_bits(&again, (uint64_t)scaled, -i, false) && again == bits) {
            *digits = (uint64_t)scaled;
            *places = i;
            return true;
        }
    }
    return false;
}

static void print(struct fxt_out *out, uint64_t digits, int places)
{
    char text[PLACES_MAX + 1];
    size_t at = sizeof text;
    for (int i = 0; i < places; i++) {
        text[--at] = (char)('0' + digits % 10);
        digits /= 10;
    }
    if (places == 0)
        text[--at] = '0';
    fxt_out_u64(out, digits);
    fxt_out_char(out, '.');
    fxt_out_bytes(out, text + at, sizeof text - at);
}

bool fxt_convert_decimal(struct fxt_out *out, uint64_t bits)
{
    uint64_t digits;
    int places;
    if (bits == SIGN || !find(&digits, &places, bits & ~SIGN))
        return false;
    if (bits >= SIGN)
        fxt_out_char(out, '-');
    print(out, digits, places);
    return true;
}

void fxt_convert_double(struct fxt_out *out, uint64_t bits)
{
    uint64_t fraction = bits % (UINT64_C(1) << 52);
    int exponent = (int)(bits >> 52) % 2048;
    if (fxt_convert_decimal(out, bits))
        return;
    if (bits >= SIGN)
        fxt_out_char(out, '-');
    if (exponent == 2047) {
        fxt_out_text(out, fraction == 0 ? "inf" : "nan");
        return;
    }
    fxt_out_text(out, exponent == 0 ? "0x0" : "0x1");
    for (uint64_t rest = fraction, first = 1; rest > 0; first = 0) {
        if (first)
            fxt_out_char(out, '.');
        fxt_out_char(out, "0123456789abcdef"[rest >> 48]);
        rest = (rest << 4) % (UINT64_C(1) << 52);
    }
    exponent = exponent == 0 ? (fraction == 0 ? 0 : -1022) : exponent - 1023;
    fxt_out_text(out, exponent < 0 ? "p" : "p+");
    fxt_out_i64(out, exponent);
}
