/* Numbers as text against the C library: each word of the input as a double and as an integer. No
   state. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/lib/frame.h"
#include "fuzz/lib/oracle.h"
#include "src/convert/number.h"

enum { WORDS = 64, DIGITS = 17 };

/* The digits of a number without the zeros around them, and how many. */
static unsigned digits_of(char *digits, const char *text)
{
    unsigned count = 0;
    for (; *text != '\0' && *text != 'e'; text++)
        if (*text >= '0' && *text <= '9' && (count > 0 || *text != '0'))
            digits[count++] = *text;
    while (count > 0 && digits[count - 1] == '0')
        count--;
    return count;
}

static bool reads_back(const char *text, double number)
{
    double again = strtod(text, NULL);
    return memcmp(&again, &number, sizeof again) == 0;
}

/* Reads back as the same bits; no shorter number does; and of those of its length it is the nearest,
   which is what the C library rounds to. */
static void check_double(double number)
{
    char text[FXT_NUMBER_BYTES + 1], other[FXT_NUMBER_BYTES], digits[FXT_NUMBER_BYTES],
        others[FXT_NUMBER_BYTES];
    *fxt_number_double(text, number) = '\0';
    unsigned count = digits_of(digits, text);
    FUZZ_CHECK(count <= DIGITS);
    FUZZ_CHECK(reads_back(text, number));
    FUZZ_CHECK(strpbrk(text, ".e") != NULL);
    if (count == 0)
        return;
    snprintf(other, sizeof other, "%.*e", (int)count - 1, number);
    FUZZ_CHECK(!reads_back(other, number) ||
               (digits_of(others, other) == count && memcmp(digits, others, count) == 0));
    if (count > 1)
        snprintf(other, sizeof other, "%.*e", (int)count - 2, number);
    FUZZ_CHECK(count == 1 || !reads_back(other, number));
}

static void check_integer(uint64_t number)
{
    char text[FXT_NUMBER_BYTES + 1], other[FXT_NUMBER_BYTES];
    *fxt_number_u64(text, number) = '\0';
    snprintf(other, sizeof other, "%lu", number);
    FUZZ_CHECK(strcmp(text, other) == 0);
    *fxt_number_i64(text, (int64_t)number) = '\0';
    snprintf(other, sizeof other, "%ld", (int64_t)number);
    FUZZ_CHECK(strcmp(text, other) == 0);
    *fxt_number_hex(text, number) = '\0';
    snprintf(other, sizeof other, "%#lx", number);
    FUZZ_CHECK(strcmp(text, number == 0 ? "0x0" : other) == 0);
}

void fuzz_oracle_numbers(const uint8_t *bytes, size_t size)
{
    uint64_t random = fuzz_control(bytes, size);
    for (size_t i = 0; i < WORDS && size >= 8; i++) {
        uint64_t word = fuzz_word(bytes + fuzz_random(&random) % (size / 8) * 8);
        double number;
        if (i % 2 == 1) /* seldom in traces: as many digits as there are */
            word ^= fuzz_random(&random);
        memcpy(&number, &word, sizeof number);
        if (isfinite(number))
            check_double(number);
        check_integer(word >> fuzz_random(&random) % 64);
    }
}
