#include "src/read/fixture_test.h"

#define SWAPPED_MAGIC UINT64_C(0x1000044678541600)

/* One call, after which what the call must not write is found untouched. */
static enum fxt_status next(struct fxt_reader *reader, struct fxt_record *record,
                            struct fxt_error *error)
{
    memset(record, PATTERN, sizeof *record);
    memset(error, PATTERN, sizeof *error);
    enum fxt_status status = fxt_reader_next(reader, record, error);
    if (status != FXT_OK && status != FXT_MORE)
        cr_expect(untouched(record, sizeof *record), "%s", fxt_status_name(status));
    if (status == FXT_OK || status == FXT_MORE || status == FXT_END)
        cr_expect(untouched(error, sizeof *error), "%s", fxt_status_name(status));
    else
        cr_expect_eq(error->status, status);
    return status;
}

static void expect_record(struct fxt_reader *reader, uint64_t offset, uint64_t header,
                          uint32_t words)
{
    const uint8_t *bytes = reader->bytes + reader->position;
    uint64_t before = fxt_reader_rest(reader);
    struct fxt_record record;
    struct fxt_error error;

    cr_assert_eq(next(reader, &record, &error), FXT_OK);
    cr_expect_eq(record.offset, offset);
    cr_expect_eq(record.header, header);
    cr_expect_eq(record.words, words);
    cr_expect_eq(record.type, header & 15);
    cr_expect_eq(record.bytes, bytes);
    cr_expect_eq(fxt_reader_rest(reader), before - 8 * words);
}

static void expect_zero_word(struct fxt_reader *reader, uint64_t offset)
{
    uint64_t before = fxt_reader_rest(reader);
    struct fxt_record record;
    struct fxt_error error;

    cr_assert_eq(next(reader, &record, &error), FXT_ZERO_WORD);
    cr_expect_eq(error.rule, FXT_RULE_REC_09);
    cr_expect_eq(error.offset, offset);
    cr_expect_eq(fxt_reader_rest(reader), before - 8);
}

/* The answer after which nothing comes: it stays, and so does the cursor. */
static void expect_stop(struct fxt_reader *reader, enum fxt_status status, enum fxt_rule rule,
                        uint64_t offset)
{
    uint64_t before = fxt_reader_rest(reader);
    struct fxt_record record;
    struct fxt_error error;

    for (int i = 0; i < 3; i++) {
        cr_assert_eq(next(reader, &record, &error), status);
        cr_expect_eq(fxt_reader_rest(reader), before);
        if (status == FXT_END)
            continue;
        cr_expect_eq(error.rule, rule);
        cr_expect_eq(error.offset, offset);
    }
}

static struct fxt_reader reader_of(const uint64_t *words, uint64_t count)
{
    struct fxt_reader reader;
    fxt_reader_init(&reader, guarded_words(words, count), 8 * count);
    return reader;
}

#define READER(...)                                                                                \
    reader_of((const uint64_t[]){__VA_ARGS__},                                                     \
              sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

Test(reader, a_trace_of_no_bytes_ends_at_once)
{
    struct fxt_reader reader;
    fxt_reader_init(&reader, NULL, 0);
    expect_stop(&reader, FXT_END, FXT_RULE_NONE, 0);
    fxt_reader_init(&reader, guarded(0), 0);
    expect_stop(&reader, FXT_END, FXT_RULE_NONE, 0);
}

Test(reader, records_of_each_type_follow_one_another)
{
    uint64_t words[64] = {0};
    uint64_t at = 0;
    for (uint64_t type = 0; type <= 15; type++) {
        words[at] = sized(type, 1 + type % 4);
        at += 1 + type % 4;
    }
    struct fxt_reader reader = reader_of(words, at);
    at = 0;
    for (uint64_t type = 0; type <= 15; type++) {
        expect_record(&reader, 8 * at, words[at], 1 + type % 4);
        at += 1 + type % 4;
    }
    expect_stop(&reader, FXT_END, FXT_RULE_NONE, 0);
}

static const uint64_t small_trace[] = {FXT_MAGIC,
                                       1 | AT(2, 4),
                                       1000,
                                       14 | AT(3, 4),
                                       0,
                                       0,
                                       15 | AT(4, 4),
                                       0,
                                       0,
                                       0,
                                       2 | AT(1, 4) | AT(1, 16)};
static const uint64_t small_sizes[] = {1, 2, 3, 4, 1};

Test(reader, a_trace_cut_at_any_byte_gives_its_whole_records_and_refuses_the_rest)
{
    for (uint64_t size = 0; size <= sizeof small_trace; size++) {
        uint8_t *bytes = guarded(size);
        struct fxt_reader reader;
        uint64_t at = 0;
        memcpy(bytes, small_trace, size);
        fxt_reader_init(&reader, bytes, size);
        for (unsigned i = 0; i < LENGTH(small_sizes) && at + 8 * small_sizes[i] <= size; i++) {
            expect_record(&reader, at, small_trace[at / 8], (uint32_t)small_sizes[i]);
            at += 8 * small_sizes[i];
        }
        if (at == size)
            expect_stop(&reader, FXT_END, FXT_RULE_NONE, 0);
        else
            expect_stop(&reader, FXT_TRUNCATED, size - at < 8 ? FXT_RULE_REC_01 : FXT_RULE_REC_03,
                        at);
    }
}

Test(reader, each_zero_word_is_refused_alone)
{
    struct fxt_reader reader = READER(0, FXT_MAGIC, 0, 0, 0, 14 | AT(2, 4), 0, 0);
    expect_zero_word(&reader, 0);
    expect_record(&reader, 8, FXT_MAGIC, 1);
    expect_zero_word(&reader, 16);
    expect_zero_word(&reader, 24);
    expect_zero_word(&reader, 32);
    expect_record(&reader, 40, 14 | AT(2, 4), 2);
    expect_zero_word(&reader, 56);
    expect_stop(&reader, FXT_END, FXT_RULE_NONE, 0);
}

Test(reader, zero_bytes_that_are_no_word_are_a_rest)
{
    for (uint64_t size = 1; size < 8; size++) {
        uint8_t *bytes = guarded(size);
        struct fxt_reader reader;
        memset(bytes, 0, size);
        fxt_reader_init(&reader, bytes, size);
        expect_stop(&reader, FXT_TRUNCATED, FXT_RULE_REC_01, 0);
    }
}

Test(reader, a_header_of_size_0_stops_the_reading)
{
    for (uint64_t type = 1; type <= 14; type++) {
        struct fxt_reader reader = READER(FXT_MAGIC, type | AT(UINT64_C(0xabcdef), 16), FXT_MAGIC);
        expect_record(&reader, 0, FXT_MAGIC, 1);
        expect_stop(&reader, FXT_ZERO_SIZE, FXT_RULE_REC_02, 8);
    }
    struct fxt_reader reader = READER(AT(1, 16), FXT_MAGIC);
    expect_stop(&reader, FXT_ZERO_SIZE, FXT_RULE_REC_02, 0);
    for (uint64_t type = 1; type <= 15; type++) {
        reader = READER(type, FXT_MAGIC);
        expect_stop(&reader, FXT_ZERO_SIZE, FXT_RULE_REC_02, 0);
    }
    reader = READER(AT(1, 63));
    expect_stop(&reader, FXT_ZERO_SIZE, FXT_RULE_REC_02, 0);
}

Test(reader, a_large_record_has_size_0_only_when_all_32_bits_are_0)
{
    struct fxt_reader reader = READER(15 | AT(UINT64_C(0xfffffff), 36), FXT_MAGIC);
    expect_stop(&reader, FXT_ZERO_SIZE, FXT_RULE_REC_02, 0);
    reader = READER(15 | AT(1, 16), FXT_MAGIC);
    expect_stop(&reader, FXT_TRUNCATED, FXT_RULE_REC_03, 0);
    reader = READER(15 | AT(1, 35), FXT_MAGIC);
    expect_stop(&reader, FXT_TRUNCATED, FXT_RULE_REC_03, 0);
}

Test(reader, the_other_byte_order_is_refused_at_offset_0)
{
    uint64_t words[352] = {SWAPPED_MAGIC};
    for (uint64_t count = 1; count <= 352; count += 39) {
        struct fxt_reader reader = reader_of(words, count);
        expect_stop(&reader, FXT_BYTE_ORDER, FXT_RULE_REC_10, 0);
    }
    struct fxt_reader chunk;
    fxt_reader_init_chunk(&chunk, guarded_words(words, 1), 8);
    expect_stop(&chunk, FXT_BYTE_ORDER, FXT_RULE_REC_10, 0);
    fxt_reader_continue(&chunk, guarded_words(words, 352), 8 * 352, true);
    expect_stop(&chunk, FXT_BYTE_ORDER, FXT_RULE_REC_10, 0);
}

Test(reader, the_other_byte_order_has_no_sign_but_the_first_word)
{
    uint64_t words[354] = {FXT_MAGIC, SWAPPED_MAGIC};
    struct fxt_reader reader = reader_of(words, 353);
    expect_record(&reader, 0, FXT_MAGIC, 1);
    expect_record(&reader, 8, SWAPPED_MAGIC, 352);
    expect_stop(&reader, FXT_END, FXT_RULE_NONE, 0);
    reader = READER(0, SWAPPED_MAGIC);
    expect_zero_word(&reader, 0);
    expect_stop(&reader, FXT_TRUNCATED, FXT_RULE_REC_03, 8);
    reader = READER(SWAPPED_MAGIC + 1);
    expect_stop(&reader, FXT_TRUNCATED, FXT_RULE_REC_03, 0);
}

Test(reader, the_other_byte_order_needs_all_eight_bytes)
{
    uint64_t word = SWAPPED_MAGIC;
    uint8_t *bytes = guarded(7);
    struct fxt_reader reader;
    memcpy(bytes, &word, 7);
    fxt_reader_init(&reader, bytes, 7);
    expect_stop(&reader, FXT_TRUNCATED, FXT_RULE_REC_01, 0);
}

Test(reader, a_size_has_12_bits_in_all_types_but_the_large_one)
{
    static uint64_t words[4096];
    for (uint64_t type = 0; type <= 14; type++) {
        words[0] = type | AT(4095, 4) | UINT64_C(0xffffffffffff0000);
        struct fxt_reader reader = reader_of(words, 4096);
        expect_record(&reader, 0, words[0], 4095);
        expect_zero_word(&reader, 8 * 4095);
        reader = reader_of(words, 4094);
        expect_stop(&reader, FXT_TRUNCATED, FXT_RULE_REC_03, 0);
    }
}

Test(reader, a_large_record_may_be_longer_than_4095_words)
{
    static uint64_t words[70001];
    static const uint32_t sizes[] = {4095, 4096, 4097, 65535, 65536, 70000};
    for (unsigned i = 0; i < LENGTH(sizes); i++) {
        memset(words, 0, sizeof words);
        words[0] = 15 | AT(sizes[i], 4) | AT(UINT64_C(0xfffffff), 36);
        words[sizes[i]] = FXT_MAGIC;
        struct fxt_reader reader = reader_of(words, sizes[i] + UINT64_C(1));
        expect_record(&reader, 0, words[0], sizes[i]);
        expect_record(&reader, UINT64_C(8) * sizes[i], FXT_MAGIC, 1);
        expect_stop(&reader, FXT_END, FXT_RULE_NONE, 0);
        reader = reader_of(words, sizes[i] - UINT64_C(1));
        expect_stop(&reader, FXT_TRUNCATED, FXT_RULE_REC_03, 0);
    }
}

Test(reader, the_largest_size_does_not_overflow)
{
    struct fxt_reader reader = READER(FXT_MAGIC, 15 | AT(UINT32_MAX, 4), FXT_MAGIC);
    expect_record(&reader, 0, FXT_MAGIC, 1);
    expect_stop(&reader, FXT_TRUNCATED, FXT_RULE_REC_03, 8);
}

Test(reader, any_bytes_are_read_to_their_end_or_to_a_stop)
{
    uint64_t state = 5;
    for (int round = 0; round < 20000; round++) {
        uint64_t size = next_random(&state) % 400;
        uint8_t *bytes = guarded(size);
        struct fxt_reader reader;
        struct fxt_record record;
        struct fxt_error error;
        enum fxt_status status;
        uint64_t at = 0;
        for (uint64_t i = 0; i < size; i++)
            bytes[i] = (uint8_t)(next_random(&state) & next_random(&state) & 0x1f);
        fxt_reader_init(&reader, bytes, size);
        while ((status = next(&reader, &record, &error)) == FXT_OK || status == FXT_ZERO_WORD) {
            cr_assert_eq(status == FXT_OK ? record.offset : error.offset, at);
            at += status == FXT_OK ? 8 * record.words : 8;
            cr_assert_eq(at, size - fxt_reader_rest(&reader));
        }
        cr_assert(status == FXT_END ? at == size : error.offset == at);
    }
}

Test(record, the_kind_inside_a_type_is_read_from_its_bits)
{
    for (unsigned value = 0; value <= 15; value++) {
        struct fxt_record record = {NULL, 0, AT(value, 16), 1, 0};
        cr_expect_eq(fxt_record_metadata_type(&record), value);
        cr_expect_eq(fxt_record_profiler_type(&record), value);
        cr_expect_eq(fxt_record_scheduling_type(&record), 0);
        record.header = AT(value, 60);
        cr_expect_eq(fxt_record_scheduling_type(&record), value);
        cr_expect_eq(fxt_record_metadata_type(&record), 0);
        record.header = AT(value, 36);
        cr_expect_eq(fxt_record_large_type(&record), value);
        cr_expect_eq(fxt_record_blob_format(&record), 0);
        record.header = AT(value, 40);
        cr_expect_eq(fxt_record_blob_format(&record), value);
        cr_expect_eq(fxt_record_large_type(&record), 0);
    }
}

Test(record, a_word_of_a_tail_is_read_at_its_index)
{
    const uint64_t words[] = {1, UINT64_MAX, FXT_MAGIC};
    struct fxt_tail tail = {guarded_words(words, 3), 3};
    for (uint32_t i = 0; i < 3; i++)
        cr_expect_eq(fxt_tail_word(&tail, i), words[i]);
}
