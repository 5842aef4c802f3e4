/* See number.h. No state. */
#include "src/tools/fxt/import/number.h"

#include <stdlib.h>
#include <string.h>

#include <fxt/write.h>

#include "src/convert/decimal.h"

#define EXPONENT_MAX 100000

static bool add_digit(uint64_t *number, unsigned digit)
{
    if (*number > (UINT64_MAX - digit) / 10)
        return false;
    *number = *number * 10 + digit;
    return true;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The exponent at *at, or 0; a large one is EXPONENT_MAX. */
static int exponent_of(const char *at, const char *end)
{
    int exponent = 0;
    if (at == end || (*at | 0x20) != 'e')
        return 0;
    at++;
    bool negative = at < end && *at == '-';
    for (at += at < end && (*at == '-' || *at == '+'); at < end && is_digit(*at); at++)
        if (exponent < EXPONENT_MAX)
            exponent = exponent * 10 + (*at - '0');
    return negative ? -exponent : exponent;
}

/* A decimal number in parts. */
struct decimal {
    const char *at;  /* digits, and maybe a point among them */
    const char *end; /* of them */
    int64_t point;   /* how many digits stand before it, after scaling */
    bool negative;
};

static bool take_apart(struct decimal *decimal, const char *at, const char *end, int shift)
{
    decimal->negative = at < end && *at == '-';
    decimal->at = at += decimal->negative;
    while (at < end && is_digit(*at))
        at++;
    decimal->point = at - decimal->at;
    if (decimal->point == 0)
        return false;
    if (at < end && *at == '.')
        at++;
    while (at < end && is_digit(*at))
        at++;
    decimal->end = at;
    decimal->point += exponent_of(at, end) + shift;
    return at == end || (*at | 0x20) == 'e';
}

bool number_scaled(uint64_t *result, const char *at, const char *end, int shift)
{
    struct decimal decimal;
    uint64_t number = 0;
    if (!take_apart(&decimal, at, end, shift))
        return false;
    int64_t digits = 0;
    bool rounds_up = false, is_zero = true;
    for (const char *p = decimal.at; p < decimal.end; p++) {
        if (*p == '.')
            continue;
        is_zero = is_zero && *p == '0';
        if (digits < decimal.point && !add_digit(&number, (unsigned)(*p - '0')))
            return false;
        if (digits == decimal.point)
            rounds_up = *p >= '5';
        digits++;
    }
    for (; digits < decimal.point && number > 0; digits++)
        if (!add_digit(&number, 0))
            return false;
    if ((decimal.negative && !is_zero) || (rounds_up && number == UINT64_MAX))
        return false;
    *result = number + rounds_up;
    return true;
}

bool number_digits(uint64_t *result, const char *at, const char *end)
{
    *result = 0;
    if (at == end)
        return false;
    for (; at < end; at++)
        if (!is_digit(*at) || !add_digit(result, (unsigned)(*at - '0')))
            return false;
    return true;
}

bool number_hex(uint64_t *result, const char *at, const char *end)
{
    uint64_t number = 0;
    if (end - at < 3 || end - at > 18 || at[0] != '0' || (at[1] | 0x20) != 'x')
        return false;
    for (at += 2; at < end; at++) {
        char c = is_digit(*at) ? *at : (char)(*at | 0x20);
        if (!is_digit(c) && (c < 'a' || c > 'f'))
            return false;
        number = number << 4 | (unsigned)(is_digit(c) ? c - '0' : c - 'a' + 10);
    }
    *result = number;
    return true;
}

static void arg_of_integer(struct fxt_arg *arg, uint64_t size, bool negative)
{
    arg->value = negative ? 0 - size : size;
    if (negative || size <= INT32_MAX)
        arg->type = size <= (uint64_t)INT32_MAX + negative ? FXT_ARG_INT32 : FXT_ARG_INT64;
    else if (size <= UINT32_MAX)
        arg->type = FXT_ARG_UINT32;
    else
        arg->type = size <= INT64_MAX ? FXT_ARG_INT64 : FXT_ARG_UINT64;
    if (arg->type == FXT_ARG_INT32)
        arg->value = (uint32_t)arg->value;
}

/* How `fxt json` writes a large value of a counter. */
static bool is_large_sample(uint64_t *number, const char *at, const char *end)
{
    const char *exponent = memchr(at, 'e', (size_t)(end - at));
    return exponent != NULL && exponent - at >= 20 && at[1] == '.' &&
           exponent - at - 2 <= exponent_of(exponent, end) && number_scaled(number, at, end, 0) &&
           *number > INT64_MAX;
}

static bool arg_of_double(struct fxt_arg *arg, const char *at)
{
    double number = strtod(at, NULL); /* always of the locale "C" */
    arg->type = FXT_ARG_DOUBLE;
    memcpy(&arg->value, &number, sizeof number);
    return fxt_convert_is_finite(arg->value);
}

bool number_arg(struct fxt_arg *arg, const char *at, const char *end)
{
    bool negative = *at == '-';
    uint64_t number;
    bool is_zero_below = negative && end - at == 2 && at[1] == '0'; /* only a double has -0 */
    if (number_digits(&number, at + negative, end) && !is_zero_below &&
        (!negative || number <= (uint64_t)INT64_MAX + 1)) {
        arg_of_integer(arg, number, negative);
        return true;
    }
    if (is_large_sample(&number, at, end)) {
        arg_of_integer(arg, number, false);
        return true;
    }
    return arg_of_double(arg, at);
}
