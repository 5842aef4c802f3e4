/* Decimal text to numbers, exactly. The text is a number of JSON, or digits. */
#ifndef FXT_TOOLS_FXT_IMPORT_NUMBER_H
#define FXT_TOOLS_FXT_IMPORT_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#include <fxt/record.h>

/* The number times 10^shift, rounded to the nearest integer. False if it is negative, over UINT64_MAX,
   or no number. */
bool number_scaled(uint64_t *result, const char *at, const char *end, int shift);

/* Digits alone. False for anything else, and over UINT64_MAX. */
bool number_digits(uint64_t *result, const char *at, const char *end);

/* 0x and up to 16 hexadecimal digits. */
bool number_hex(uint64_t *result, const char *at, const char *end);

/* The argument that says just this number: its type is the smallest of int32, uint32, int64, uint64 that
   holds it, or double if it has a point or an exponent. An integer of 18 digits or more that has both, as
   `fxt json` writes the large values of counters, is a uint64. False if a double cannot hold it. A NUL or
   another byte that is no part of a number has to be at `end`. */
bool number_arg(struct fxt_arg *arg, const char *at, const char *end);

#endif
