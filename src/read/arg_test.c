/* Arguments, one at a time by fxt_args_next and all at once by the decoder of an event: both must
   take the same ones and refuse the same ones, with the same rule at the same offset. */
#include "src/read/fixture_test.h"

#define ARG(type, size, name, data) ((type) | AT(size, 4) | AT(name, 16) | AT(data, 32))
#define OFFSET UINT64_C(4096)

/* The arguments of an event that has `count` of them in these words. */
static enum fxt_status event_args(const uint64_t *words, uint32_t length, uint8_t count,
                                  struct fxt_event *event, struct fxt_error *error)
{
    static uint64_t record_words[4095];
    cr_assert_leq(length, 4093);
    record_words[0] = 4 | AT(3, 16) | AT(count, 20) | AT(1, 24);
    record_words[1] = 7;
    memcpy(record_words + 2, words, 8 * length);
    struct fxt_record record = record_of(record_words, 2 + length);
    record.offset = OFFSET - 16;
    return fxt_read_event(&record, event, error);
}

/* The only argument in these words. */
static struct fxt_arg arg_of(const uint64_t *words, uint32_t length)
{
    struct fxt_event event;
    struct fxt_error error;
    struct fxt_arg arg;
    cr_assert_eq(event_args(words, length, 1, &event, &error), FXT_OK, "%s",
                 fxt_rule_id(error.rule));
    cr_assert_eq(event.tail.words, 0);
    memset(&arg, PATTERN, sizeof arg);
    cr_assert_eq(fxt_args_next(&event.args, &arg, &error), FXT_OK);
    cr_expect_eq(event.args.count, 0);
    cr_expect_eq(event.args.words, 0);
    cr_expect_eq(event.args.offset, OFFSET + 8 * length);
    struct fxt_arg none = arg;
    cr_expect_eq(fxt_args_next(&event.args, &none, &error), FXT_END);
    return arg;
}

#define ARG_OF(...)                                                                                \
    arg_of((const uint64_t[]){__VA_ARGS__},                                                        \
           sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

static void expect_plain(struct fxt_arg arg, uint8_t type, uint16_t name, uint64_t value)
{
    cr_expect_eq(arg.type, type);
    expect_indexed(arg.name, name);
    cr_expect_eq(arg.value, value);
    expect_indexed(arg.text, 0);
    expect_bytes(arg.blob, NULL, 0);
    cr_expect_eq(arg.tail.words, 0);
    cr_expect_null(arg.tail.bytes);
}

Test(arg, of_type_null_has_a_name_and_bits_that_mean_nothing)
{
    expect_plain(ARG_OF(ARG(0, 1, 5, 0)), FXT_ARG_NULL, 5, 0);
    expect_plain(ARG_OF(ARG(0, 1, 32767, UINT32_MAX)), FXT_ARG_NULL, 32767, UINT32_MAX);
}

Test(arg, of_type_int32_has_its_value_in_the_header)
{
    static const int32_t values[] = {0, 1, -1, 7, INT32_MAX, INT32_MIN};
    for (unsigned i = 0; i < LENGTH(values); i++) {
        struct fxt_arg arg = ARG_OF(ARG(1, 1, 5, (uint32_t)values[i]));
        expect_plain(arg, FXT_ARG_INT32, 5, (uint32_t)values[i]);
        cr_expect_eq(fxt_arg_int64(&arg), values[i]);
    }
}

Test(arg, of_type_uint32_has_its_value_in_the_header)
{
    expect_plain(ARG_OF(ARG(2, 1, 5, 0)), FXT_ARG_UINT32, 5, 0);
    expect_plain(ARG_OF(ARG(2, 1, 5, UINT32_MAX)), FXT_ARG_UINT32, 5, UINT32_MAX);
}

Test(arg, of_type_int64_has_its_value_in_a_word)
{
    static const int64_t values[] = {0, 1, -1, INT64_MAX, INT64_MIN, INT32_MIN, UINT32_MAX};
    for (unsigned i = 0; i < LENGTH(values); i++) {
        struct fxt_arg arg = ARG_OF(ARG(3, 2, 5, 0), (uint64_t)values[i]);
        expect_plain(arg, FXT_ARG_INT64, 5, (uint64_t)values[i]);
        cr_expect_eq(fxt_arg_int64(&arg), values[i]);
    }
}

Test(arg, of_type_uint64_pointer_and_koid_has_its_value_in_a_word)
{
    static const uint8_t types[] = {FXT_ARG_UINT64, FXT_ARG_POINTER, FXT_ARG_KOID};
    for (unsigned i = 0; i < LENGTH(types); i++) {
        expect_plain(ARG_OF(ARG(types[i], 2, 5, 0), 0), types[i], 5, 0);
        expect_plain(ARG_OF(ARG(types[i], 2, 5, UINT32_MAX), UINT64_MAX), types[i], 5, UINT64_MAX);
    }
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

Test(arg, of_type_double_keeps_every_bit)
{
    static const uint64_t bits[] = {0,
                                    AT(1, 63),
                                    UINT64_C(0x3ff8000000000000),
                                    UINT64_MAX,
                                    UINT64_C(0x7ff0000000000000),
                                    UINT64_C(0x7ff0000000000001),
                                    UINT64_C(0xfff8000000000123),
                                    1};
    for (unsigned i = 0; i < LENGTH(bits); i++) {
        struct fxt_arg arg = ARG_OF(ARG(5, 2, 5, 0), bits[i]);
        expect_plain(arg, FXT_ARG_DOUBLE, 5, bits[i]);
        double number = fxt_arg_double(&arg);
        uint64_t found;
        memcpy(&found, &number, 8);
        cr_expect(has_bits(found, bits[i]));
    }
}

Test(arg, of_type_string_has_an_indexed_or_an_inline_text)
{
    struct fxt_arg arg = ARG_OF(ARG(6, 1, 5, 32767));
    expect_indexed(arg.name, 5);
    expect_indexed(arg.text, 32767);
    arg = ARG_OF(ARG(6, 1, 5, 0) | AT(0xffff, 48));
    expect_indexed(arg.text, 0);
    arg = ARG_OF(ARG(6, 2, 5, INLINE(5)), text_word("hello"));
    expect_inline(arg.text, "hello");
    arg = ARG_OF(ARG(6, 1, 5, INLINE(0)));
    expect_inline(arg.text, "");
}

Test(arg, of_type_string_has_the_name_before_the_text)
{
    struct fxt_arg arg = ARG_OF(ARG(6, 4, INLINE(9), INLINE(3)), text_word("argument"),
                                text_word("s"), text_word("val"));
    expect_inline(arg.name, "arguments");
    expect_inline(arg.text, "val");
    cr_expect_eq(arg.tail.words, 0);
}

Test(arg, of_type_bool_has_one_bit)
{
    expect_plain(ARG_OF(ARG(9, 1, 5, 0)), FXT_ARG_BOOL, 5, 0);
    expect_plain(ARG_OF(ARG(9, 1, 5, 1)), FXT_ARG_BOOL, 5, 1);
    expect_plain(ARG_OF(ARG(9, 1, 5, 0xfffffffe)), FXT_ARG_BOOL, 5, 0);
    expect_plain(ARG_OF(ARG(9, 1, 5, 0xffffffff)), FXT_ARG_BOOL, 5, 1);
}

static void expect_blob(uint64_t size)
{
    static uint64_t words[4093];
    memset(words, 0x42, sizeof words);
    uint32_t length = 1 + (uint32_t)((size + 7) / 8);
    words[0] = ARG(10, length, 5, size);
    struct fxt_arg arg = arg_of(words, length);
    cr_expect_eq(arg.type, FXT_ARG_BLOB);
    cr_expect_eq(arg.tail.words, 0);
    expect_bytes(arg.blob, words + 1, size);
}

Test(arg, of_type_blob_has_exactly_its_bytes)
{
    static const uint64_t sizes[] = {0, 1, 5, 7, 8, 9, 16, 32000, 32735, 32736};
    for (unsigned i = 0; i < LENGTH(sizes); i++)
        expect_blob(sizes[i]);
}

Test(arg, of_unknown_type_is_delivered_with_its_name_and_words)
{
    for (uint8_t type = 11; type <= 15; type++) {
        expect_plain(ARG_OF(ARG(type, 1, 5, UINT32_MAX)), type, 5, UINT32_MAX);
        struct fxt_arg arg = ARG_OF(ARG(type, 4, INLINE(3), 9), text_word("abc"), 70, 71);
        cr_expect_eq(arg.type, type);
        expect_inline(arg.name, "abc");
        cr_expect_eq(arg.value, 9);
        cr_assert_eq(arg.tail.words, 2);
        cr_expect_eq(fxt_tail_word(&arg.tail, 0), 70);
        cr_expect_eq(fxt_tail_word(&arg.tail, 1), 71);
    }
}

/* The words of the value of each type. */
static const uint32_t value_words[16] = {[3] = 1, [4] = 1, [5] = 1, [7] = 1, [8] = 1};

Test(arg, of_any_type_has_an_inline_name_before_its_value_and_a_tail_behind_it)
{
    for (uint8_t type = 0; type <= 15; type++) {
        uint64_t words[8] = {ARG(type, 0, INLINE(8), 0), text_word("eight ch"), 11, 12, 13};
        for (uint32_t tail = 0; tail <= 2; tail++) {
            uint32_t length = 2 + value_words[type] + tail;
            words[0] = ARG(type, length, INLINE(8), 0);
            struct fxt_arg arg = arg_of(words, length);
            expect_inline(arg.name, "eight ch");
            cr_expect_eq(arg.value, value_words[type] ? 11 : 0, "type %u", type);
            cr_assert_eq(arg.tail.words, tail);
            if (tail > 0)
                cr_expect_eq(fxt_tail_word(&arg.tail, 0), value_words[type] ? 12 : 11);
        }
    }
}

Test(arg, of_any_type_with_an_indexed_name_has_a_tail_too)
{
    for (uint8_t type = 0; type <= 15; type++)
        for (uint32_t tail = 1; tail <= 2; tail++) {
            uint32_t length = 1 + value_words[type] + tail;
            const uint64_t words[] = {ARG(type, length, 5, 0), 11, 12, 13};
            struct fxt_arg arg = arg_of(words, length);
            expect_indexed(arg.name, 5);
            cr_expect_eq(arg.value, value_words[type] ? 11 : 0, "type %u", type);
            cr_assert_eq(arg.tail.words, tail);
            cr_expect_eq(fxt_tail_word(&arg.tail, 0), value_words[type] ? 12 : 11);
            cr_expect_eq(fxt_tail_word(&arg.tail, tail - 1), words[length - 1]);
        }
}

Test(arg, reads_0x8000_as_a_name_of_no_words)
{
    struct fxt_arg arg = ARG_OF(ARG(4, 2, INLINE(0), 0), 77);
    expect_inline(arg.name, "");
    cr_expect_eq(arg.value, 77);
}

Test(arg, may_be_as_long_as_the_record)
{
    static uint64_t words[4093];
    words[0] = ARG(0, 4093, INLINE(32736), 0);
    struct fxt_arg arg = arg_of(words, 4093);
    cr_expect_eq(fxt_string_ref_length(arg.name), 32736);
    cr_expect_eq(arg.tail.words, 0);
}

/* One argument in all of the words, that is refused at word `at`. */
static const struct {
    const char *name;
    uint64_t words[4];
    uint32_t length;
    enum fxt_rule rule;
    uint32_t at;
} refused[] = {
    {"no header", {0}, 0, FXT_RULE_ARG_01, 0},
    {"size 0", {ARG(0, 0, 0, 0)}, 1, FXT_RULE_ARG_02, 0},
    {"size 0, of unknown type", {ARG(15, 0, 5, 5)}, 1, FXT_RULE_ARG_02, 0},
    {"overrun", {ARG(1, 2, 0, 0)}, 1, FXT_RULE_ARG_03, 0},
    {"overrun by much", {ARG(15, 4095, 0, 0)}, 4, FXT_RULE_ARG_03, 0},
    {"overrun comes before the name", {ARG(0, 3, INLINE(32767), 0)}, 2, FXT_RULE_ARG_03, 0},
    {"name overrun", {ARG(0, 1, INLINE(1), 0), 0, 0}, 3, FXT_RULE_STR_03, 1},
    {"name overrun by one word", {ARG(0, 2, INLINE(9), 0), 0, 0}, 3, FXT_RULE_STR_03, 1},
    {"name overrun by much", {ARG(12, 3, INLINE(32767), 0), 0, 0}, 3, FXT_RULE_STR_03, 1},
    {"no int64", {ARG(3, 1, 5, 0), 0}, 2, FXT_RULE_ARG_05, 1},
    {"no uint64", {ARG(4, 1, 5, 0), 0}, 2, FXT_RULE_ARG_05, 1},
    {"no double", {ARG(5, 1, 5, 0), 0}, 2, FXT_RULE_ARG_05, 1},
    {"no pointer", {ARG(7, 1, 5, 0), 0}, 2, FXT_RULE_ARG_05, 1},
    {"no koid", {ARG(8, 1, 5, 0), 0}, 2, FXT_RULE_ARG_05, 1},
    {"no int64 behind a name", {ARG(3, 2, INLINE(8), 0), 0, 0}, 3, FXT_RULE_ARG_05, 2},
    {"text overrun", {ARG(6, 1, 5, INLINE(1)), 0}, 2, FXT_RULE_STR_03, 1},
    {"text overrun behind a name",
     {ARG(6, 3, INLINE(8), INLINE(9)), 0, 0, 0},
     4,
     FXT_RULE_STR_03,
     2},
    {"text overrun by much", {ARG(6, 2, 5, INLINE(32767)), 0}, 2, FXT_RULE_STR_03, 1},
    {"blob overrun", {ARG(10, 1, 5, 1), 0}, 2, FXT_RULE_ARG_08, 1},
    {"blob overrun by one word", {ARG(10, 3, 5, 17), 0, 0, 0}, 4, FXT_RULE_ARG_08, 1},
    {"blob overrun behind a name", {ARG(10, 3, INLINE(8), 9), 0, 0, 0}, 4, FXT_RULE_ARG_08, 2},
    {"blob of 2^32 - 1 bytes", {ARG(10, 4, 5, UINT32_MAX), 0, 0, 0}, 4, FXT_RULE_ARG_08, 1},
    {"blob of 2^32 - 7 bytes", {ARG(10, 4, 5, UINT32_MAX - 6), 0, 0, 0}, 4, FXT_RULE_ARG_08, 1},
};

Test(arg, that_cannot_be_taken_is_refused_by_the_decoder_of_its_record)
{
    for (unsigned i = 0; i < LENGTH(refused); i++) {
        struct fxt_event event;
        struct fxt_error error;
        memset(&event, PATTERN, sizeof event);
        cr_expect_eq(event_args(refused[i].words, refused[i].length, 1, &event, &error),
                     FXT_MALFORMED, "%s", refused[i].name);
        expect_error(&error, refused[i].rule, OFFSET + 8 * refused[i].at, refused[i].name);
        cr_expect(untouched(&event, sizeof event), "%s", refused[i].name);
    }
}

static bool same_args(const struct fxt_args *a, const struct fxt_args *b)
{
    return a->bytes == b->bytes && a->offset == b->offset && a->words == b->words &&
           a->count == b->count;
}

Test(arg, that_cannot_be_taken_is_refused_by_the_iterator_which_stays)
{
    for (unsigned i = 0; i < LENGTH(refused); i++) {
        struct fxt_args args = {guarded_words(refused[i].words, refused[i].length), OFFSET,
                                refused[i].length, 1};
        struct fxt_args before = args;
        struct fxt_error error;
        struct fxt_arg arg;
        memset(&arg, PATTERN, sizeof arg);
        cr_expect_eq(fxt_args_next(&args, &arg, &error), FXT_MALFORMED, "%s", refused[i].name);
        expect_error(&error, refused[i].rule, OFFSET + 8 * refused[i].at, refused[i].name);
        cr_expect(untouched(&arg, sizeof arg), "%s", refused[i].name);
        cr_expect(same_args(&args, &before), "%s", refused[i].name);
    }
}

Test(arg, refused_behind_others_is_refused_at_its_own_offset)
{
    for (unsigned i = 0; i < LENGTH(refused); i++) {
        uint64_t words[7] = {ARG(1, 1, 5, 9), ARG(4, 2, 5, 0), 7};
        struct fxt_event event;
        struct fxt_error error;
        memcpy(words + 3, refused[i].words, 8 * refused[i].length);
        cr_expect_eq(event_args(words, 3 + refused[i].length, 3, &event, &error), FXT_MALFORMED,
                     "%s", refused[i].name);
        expect_error(&error, refused[i].rule, OFFSET + 24 + 8 * refused[i].at, refused[i].name);
    }
}

Test(args, of_any_number_up_to_15_come_in_their_order)
{
    for (uint8_t count = 0; count <= 15; count++) {
        uint64_t words[17] = {0};
        for (unsigned i = 0; i < count; i++)
            words[i] = ARG(2, 1, i + 1, 100 + i);
        struct fxt_event event;
        struct fxt_error error;
        struct fxt_arg arg;
        cr_assert_eq(event_args(words, count + 2, count, &event, &error), FXT_OK);
        cr_expect_eq(event.tail.words, 2);
        for (unsigned i = 0; i < count; i++) {
            cr_assert_eq(fxt_args_next(&event.args, &arg, &error), FXT_OK);
            expect_plain(arg, FXT_ARG_UINT32, (uint16_t)(i + 1), 100 + i);
            cr_expect_eq(event.args.count, count - 1 - i);
        }
        memset(&arg, PATTERN, sizeof arg);
        cr_expect_eq(fxt_args_next(&event.args, &arg, &error), FXT_END);
        cr_expect_eq(fxt_args_next(&event.args, &arg, &error), FXT_END);
        cr_expect(untouched(&arg, sizeof arg));
    }
}

Test(args, copied_keep_their_position)
{
    const uint64_t words[] = {ARG(2, 1, 1, 100), ARG(2, 1, 2, 101)};
    struct fxt_args args = {guarded_words(words, 2), 0, 2, 2};
    struct fxt_error error;
    struct fxt_arg arg;
    cr_assert_eq(fxt_args_next(&args, &arg, &error), FXT_OK);
    struct fxt_args copy = args;
    cr_assert_eq(fxt_args_next(&args, &arg, &error), FXT_OK);
    cr_assert_eq(fxt_args_next(&args, &arg, &error), FXT_END);
    cr_assert_eq(fxt_args_next(&copy, &arg, &error), FXT_OK);
    cr_expect_eq(arg.value, 101);
}

/* Headers that are mostly good, so that several of them are taken before one is refused. */
static uint64_t random_header(uint64_t *state)
{
    uint64_t header = ARG(next_random(state) % 16, 1 + next_random(state) % 3, 0, 0);
    uint64_t names[] = {0, 5, INLINE(0), INLINE(3), INLINE(8), INLINE(9)};
    header |= AT(names[next_random(state) % LENGTH(names)], 16);
    if (next_random(state) % 2 == 0)
        header |= AT(next_random(state) % 2 == 0 ? INLINE(next_random(state) % 12)
                                                 : next_random(state) % 20,
                     32);
    if (next_random(state) % 20 == 0)
        header &= ~UINT64_C(0xfff0);
    return header;
}

/* The decoder's answer, found with the iterator alone. */
static enum fxt_status iterate(struct fxt_args *args, struct fxt_error *error)
{
    enum fxt_status status;
    struct fxt_arg arg;
    do {
        uint32_t words = args->words;
        status = fxt_args_next(args, &arg, error);
        if (status == FXT_OK)
            cr_assert_lt(args->words, words);
    } while (status == FXT_OK);
    return status == FXT_END ? FXT_OK : status;
}

Test(args, are_taken_by_the_decoder_exactly_when_the_iterator_takes_them)
{
    uint64_t state = 23;
    unsigned taken = 0;
    for (int round = 0; round < 200000; round++) {
        uint64_t words[24];
        uint32_t length = (uint32_t)(next_random(&state) % LENGTH(words));
        uint8_t count = next_random(&state) % 16;
        for (uint32_t i = 0; i < length; i++)
            words[i] = random_header(&state);
        struct fxt_event event;
        struct fxt_error error;
        struct fxt_error iterator_error;
        enum fxt_status status = event_args(words, length, count, &event, &error);
        struct fxt_args args = {guarded(8 * length), OFFSET, length, count};
        cr_assert_eq(iterate(&args, &iterator_error), status);
        if (status != FXT_OK) {
            cr_assert_eq(iterator_error.rule, error.rule);
            cr_assert_eq(iterator_error.offset, error.offset);
            continue;
        }
        taken += count > 2;
        cr_assert_eq(event.tail.words, args.words);
        cr_assert_eq(event.args.words + args.words, length);
        cr_assert_eq(iterate(&event.args, &error), FXT_OK);
        cr_assert_eq(event.args.words, 0);
    }
    cr_assert_gt(taken, 1000);
}

static bool same_string(struct fxt_string_ref a, struct fxt_string_ref b)
{
    return a.bytes == b.bytes && a.ref == b.ref;
}

static bool same_arg(const struct fxt_arg *a, const struct fxt_arg *b)
{
    return same_string(a->name, b->name) && same_string(a->text, b->text) &&
           a->blob.bytes == b->blob.bytes && a->blob.size == b->blob.size &&
           a->tail.bytes == b->tail.bytes && a->tail.words == b->tail.words &&
           a->value == b->value && a->type == b->type;
}

static bool same_event(const struct fxt_event *a, const struct fxt_event *b)
{
    return a->thread.ref == b->thread.ref && a->thread.process == b->thread.process &&
           a->thread.thread == b->thread.thread && same_string(a->category, b->category) &&
           same_string(a->name, b->name) && same_args(&a->args, &b->args) &&
           a->tail.bytes == b->tail.bytes && a->tail.words == b->tail.words &&
           a->timestamp == b->timestamp && a->value == b->value && a->event_type == b->event_type &&
           a->scope == b->scope && a->has_scope == b->has_scope;
}

static void expect_same_args(struct fxt_args args, const struct fxt_arg *list)
{
    struct fxt_error error;
    struct fxt_arg arg;
    for (; fxt_args_next(&args, &arg, &error) == FXT_OK; list++)
        cr_assert(same_arg(&arg, list), "argument of type %u", arg.type);
}

/* An event of any type, some of them with inline parts, some too short for what they announce. */
static struct fxt_record random_event(uint64_t *state)
{
    static const uint64_t refs[] = {0, 7, 32767, INLINE(0), INLINE(3), INLINE(8), INLINE(9)};
    uint64_t words[30];
    uint32_t count = 1 + (uint32_t)(next_random(state) % LENGTH(words));
    for (uint32_t i = 1; i < count; i++)
        words[i] = random_header(state);
    words[0] = 4 | AT(next_random(state) % 16, 16) | AT(next_random(state) % 6, 20) |
               AT(next_random(state) % 2, 24) | AT(refs[next_random(state) % LENGTH(refs)], 32) |
               AT(refs[next_random(state) % LENGTH(refs)], 48);
    return record_of(words, count);
}

Test(args, read_together_with_their_event_are_the_same_as_one_by_one)
{
    uint64_t state = 29;
    unsigned taken = 0;
    for (int round = 0; round < 300000; round++) {
        struct fxt_record record = random_event(&state);
        struct fxt_event one;
        struct fxt_event both;
        struct fxt_arg list[FXT_ARGS_MAX];
        struct fxt_error error;
        struct fxt_error both_error;
        enum fxt_status status = fxt_read_event(&record, &one, &error);
        memset(&both, PATTERN, sizeof both);
        cr_assert_eq(fxt_read_event_args(&record, &both, list, &both_error), status);
        if (status != FXT_OK) {
            cr_assert_eq(both_error.status, error.status);
            cr_assert_eq(both_error.rule, error.rule);
            cr_assert_eq(both_error.offset, error.offset);
            cr_assert(untouched(&both, sizeof both));
            continue;
        }
        taken += one.args.count > 2;
        cr_assert(same_event(&one, &both));
        expect_same_args(both.args, list);
    }
    cr_assert_gt(taken, 1000);
}

Test(args, of_a_record_that_is_no_event_are_not_read_with_it)
{
    struct fxt_record record = RECORD(9, 0, 0, 0);
    struct fxt_event event;
    struct fxt_arg list[FXT_ARGS_MAX];
    struct fxt_error error;
    memset(&event, PATTERN, sizeof event);
    cr_expect_eq(fxt_read_event_args(&record, &event, list, &error), FXT_WRONG_TYPE);
    cr_expect(untouched(&event, sizeof event));
    /* nor if the bits that count an event's arguments are set */
    record = RECORD(9 | AT(1, 20), 0, 0, 0);
    cr_expect_eq(fxt_read_event_args(&record, &event, list, &error), FXT_WRONG_TYPE);
    cr_expect(untouched(&event, sizeof event));
}
