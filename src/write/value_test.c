/* Values of arguments: what is made of a number holds its bits, and gives the number back. */
#include <string.h>

#include <criterion/criterion.h>

#include <fxt/write.h>

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static const struct fxt_string_ref name = {NULL, 7};

static void expect_plain(struct fxt_arg arg, uint8_t type, uint64_t value)
{
    cr_expect_eq(arg.type, type);
    cr_expect_eq(arg.value, value);
    cr_expect_eq(arg.name.ref, 7);
    cr_expect_null(arg.name.bytes);
    cr_expect_null(arg.text.bytes);
    cr_expect_eq(arg.text.ref, 0);
    cr_expect_null(arg.blob.bytes);
    cr_expect_eq(arg.blob.size, 0);
    cr_expect_null(arg.tail.bytes);
    cr_expect_eq(arg.tail.words, 0);
}

/* Whether a double has these bits. The ABI of i386 may pass it through an x87 register, which makes a
   signalling NaN a quiet one. */
static bool has_bits(uint64_t found, uint64_t bits)
{
#ifdef __i386__
    bool is_nan = (bits & ~(UINT64_C(1) << 63)) > UINT64_C(0x7ff0000000000000);
    if (is_nan)
        return (found | UINT64_C(1) << 51) == (bits | UINT64_C(1) << 51);
#endif
    return found == bits;
}

/* The bits become a double by the bytes, not by the functions under test. */
static void expect_double(uint64_t bits)
{
    double number;
    memcpy(&number, &bits, sizeof number);
    struct fxt_arg arg = fxt_make_double(name, number);
    expect_plain(arg, FXT_ARG_DOUBLE, arg.value);
    double back = fxt_arg_double(&arg);
    uint64_t back_bits;
    memcpy(&back_bits, &back, sizeof back);
    cr_assert(has_bits(arg.value, bits), "%016llx", (unsigned long long)bits);
    cr_assert(has_bits(back_bits, bits), "%016llx", (unsigned long long)bits);
}

static void expect_double_of_either_sign(uint64_t bits)
{
    expect_double(bits);
    expect_double(bits | UINT64_C(1) << 63);
}

Test(value, a_double_keeps_every_bit_of_zeros_and_infinities)
{
    expect_double_of_either_sign(0);
    expect_double_of_either_sign(UINT64_C(0x7ff0000000000000));
    expect_plain(fxt_make_double(name, -0.0), FXT_ARG_DOUBLE, UINT64_C(1) << 63);
    expect_plain(fxt_make_double(name, 1.5), FXT_ARG_DOUBLE, UINT64_C(0x3ff8000000000000));
}

Test(value, a_double_keeps_every_bit_of_a_nan)
{
    for (unsigned bit = 0; bit < 52; bit++) {
        expect_double_of_either_sign(UINT64_C(0x7ff0000000000000) | UINT64_C(1) << bit);
        expect_double_of_either_sign(UINT64_C(0x7ff8000000000000) | UINT64_C(1) << bit);
    }
    expect_double_of_either_sign(UINT64_C(0x7fffffffffffffff));
    uint64_t state = 5;
    for (unsigned i = 0; i < 10000; i++)
        expect_double_of_either_sign(UINT64_C(0x7ff0000000000000) | next_random(&state) >> 12 | 1);
}

Test(value, a_double_keeps_every_bit_of_a_subnormal)
{
    for (unsigned bit = 0; bit < 52; bit++) {
        expect_double_of_either_sign(UINT64_C(1) << bit);
        expect_double_of_either_sign((UINT64_C(2) << bit) - 1);
    }
    uint64_t state = 6;
    for (unsigned i = 0; i < 10000; i++)
        expect_double_of_either_sign(next_random(&state) >> 12);
}

Test(value, a_double_keeps_every_bit_at_each_exponent_and_of_random_numbers)
{
    for (uint64_t exponent = 0; exponent < 2048; exponent++) {
        expect_double_of_either_sign(exponent << 52);
        expect_double_of_either_sign(exponent << 52 | UINT64_C(0x000fffffffffffff));
    }
    uint64_t state = 7;
    for (unsigned i = 0; i < 100000; i++)
        expect_double(next_random(&state));
}

static void expect_int32(int32_t value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    struct fxt_arg arg = fxt_make_int32(name, value);
    expect_plain(arg, FXT_ARG_INT32, bits);
    cr_expect_eq(fxt_arg_int64(&arg), value);
}

static void expect_int64(int64_t value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    struct fxt_arg arg = fxt_make_int64(name, value);
    expect_plain(arg, FXT_ARG_INT64, bits);
    cr_expect_eq(fxt_arg_int64(&arg), value);
}

Test(value, signed_numbers_are_kept_as_twos_complement)
{
    static const int64_t edges[] = {0, 1, -1, 2, -2, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN};
    for (unsigned i = 0; i < sizeof edges / sizeof edges[0]; i++) {
        if (edges[i] >= INT32_MIN && edges[i] <= INT32_MAX)
            expect_int32((int32_t)edges[i]);
        expect_int64(edges[i]);
    }
    uint64_t state = 8;
    for (unsigned i = 0; i < 10000; i++) {
        uint64_t bits = next_random(&state);
        int64_t value;
        int32_t half;
        memcpy(&value, &bits, sizeof value);
        memcpy(&half, &bits, sizeof half);
        expect_int64(value);
        expect_int32(half);
    }
}

Test(value, an_int32_is_the_low_half_whatever_is_above_it)
{
    struct fxt_arg arg = fxt_make_int32(name, -5);
    arg.value |= UINT64_C(0x1234567800000000);
    cr_expect_eq(fxt_arg_int64(&arg), -5);
    arg = fxt_make_int32(name, 5);
    arg.value |= UINT64_C(0xffffffff00000000);
    cr_expect_eq(fxt_arg_int64(&arg), 5);
}

Test(value, the_other_plain_arguments_hold_what_was_given)
{
    expect_plain(fxt_make_null(name), FXT_ARG_NULL, 0);
    expect_plain(fxt_make_uint32(name, UINT32_MAX), FXT_ARG_UINT32, UINT32_MAX);
    expect_plain(fxt_make_uint64(name, UINT64_MAX), FXT_ARG_UINT64, UINT64_MAX);
    expect_plain(fxt_make_pointer(name, UINT64_MAX - 1), FXT_ARG_POINTER, UINT64_MAX - 1);
    expect_plain(fxt_make_koid(name, UINT64_MAX - 2), FXT_ARG_KOID, UINT64_MAX - 2);
    expect_plain(fxt_make_bool(name, true), FXT_ARG_BOOL, 1);
    expect_plain(fxt_make_bool(name, false), FXT_ARG_BOOL, 0);
}

Test(value, text_and_blob_are_where_the_caller_has_them)
{
    static const char bytes[] = "text";
    struct fxt_arg arg = fxt_make_string(name, fxt_string_inline(bytes, 4));
    cr_expect_eq(arg.text.bytes, (const uint8_t *)bytes);
    cr_expect_eq(arg.text.ref, 32772);
    arg.text = (struct fxt_string_ref){NULL, 0};
    expect_plain(arg, FXT_ARG_STRING, 0);
    arg = fxt_make_blob(name, bytes, 3);
    cr_expect_eq(arg.blob.bytes, (const uint8_t *)bytes);
    cr_expect_eq(arg.blob.size, 3);
    arg.blob = (struct fxt_bytes){NULL, 0};
    expect_plain(arg, FXT_ARG_BLOB, 0);
}

Test(value, a_string_of_length_0_is_no_inline_string)
{
    struct fxt_string_ref ref = fxt_string_inline("text", 0);
    cr_expect_null(ref.bytes);
    cr_expect_eq(ref.ref, 0);
}
