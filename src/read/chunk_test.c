/* Reading in chunks: wherever a trace is cut, the same records, errors and offsets come out as from
   one span; also when records are passed over that the chunks cannot hold. */
#include <stdlib.h>

#include "src/read/fixture_test.h"

/* What one call of fxt_reader_next gave. A record that was passed over has status FXT_FULL. */
struct step {
    uint64_t offset;
    uint64_t header;
    uint64_t sum; /* of the words of the record */
    enum fxt_status status;
    enum fxt_rule rule;
    uint32_t words;
};

#define STEPS_MAX 200000

struct story {
    struct step steps[STEPS_MAX];
    uint32_t count;
};

static struct story expected;
static struct story actual;

static struct step *add_step(struct story *story)
{
    cr_assert_lt(story->count, STEPS_MAX);
    struct step *step = &story->steps[story->count++];
    memset(step, 0, sizeof *step);
    return step;
}

static void tell(struct story *story, enum fxt_status status, const struct fxt_record *record,
                 const struct fxt_error *error)
{
    struct step *step = add_step(story);
    step->status = status;
    if (status != FXT_OK && status != FXT_END) {
        step->offset = error->offset;
        step->rule = error->rule;
    }
    if (status != FXT_OK)
        return;
    step->offset = record->offset;
    step->header = record->header;
    step->words = record->words;
    for (uint32_t i = 0; i < 8 * record->words; i++)
        step->sum = step->sum * 31 + record->bytes[i];
}

static void add_passed(struct story *story, const struct fxt_record *record)
{
    struct step *step = add_step(story);
    step->status = FXT_FULL;
    step->offset = record->offset;
    step->header = record->header;
    step->words = record->words;
}

static bool goes_on(enum fxt_status status)
{
    return status == FXT_OK || status == FXT_ZERO_WORD;
}

static void read_one_span(const uint8_t *trace, uint64_t size)
{
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    enum fxt_status status;

    expected.count = 0;
    fxt_reader_init(&reader, trace, size);
    do {
        status = fxt_reader_next(&reader, &record, &error);
        tell(&expected, status, &record, &error);
    } while (goes_on(status));
}

/* Where the next chunk ends, given where the last one did. */
struct cuts {
    const uint64_t *at; /* count of them, then the end; or: */
    unsigned count;
    uint64_t step_max; /* not 0: pieces of 1 .. step_max bytes at random, or of step_max exactly */
    uint64_t state;    /* 0: exactly */
};

static uint64_t next_cut(struct cuts *cuts, uint64_t fed, uint64_t size)
{
    uint64_t piece;
    if (cuts->step_max == 0) {
        for (unsigned i = 0; i < cuts->count; i++)
            if (cuts->at[i] > fed)
                return cuts->at[i];
        return size;
    }
    piece = cuts->state == 0 ? cuts->step_max : 1 + next_random(&cuts->state) % cuts->step_max;
    return piece < size - fed ? fed + piece : size;
}

static void expect_more(const struct fxt_reader *reader, const struct fxt_record *record,
                        uint64_t fed)
{
    uint64_t rest = fxt_reader_rest(reader);
    cr_assert_eq(record->offset, fed - rest);
    if (rest < 8)
        cr_assert_eq(record->words, 0);
    else
        cr_assert(record->words > rest / 8);
}

/* Reads the trace in pieces. `late`: that no more comes is said with an empty last piece. A record
   of more than `limit` bytes is passed over. */
static void read_chunks(const uint8_t *trace, uint64_t size, struct cuts cuts, bool late,
                        uint64_t limit)
{
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    enum fxt_status status;
    uint64_t fed = next_cut(&cuts, 0, size);

    actual.count = 0;
    fxt_reader_init_chunk(&reader, memcpy(guarded(fed), trace, fed), fed);
    do {
        status = fxt_reader_next(&reader, &record, &error);
        if (status != FXT_MORE) {
            tell(&actual, status, &record, &error);
            continue;
        }
        expect_more(&reader, &record, fed);
        if (record.words > 0 && UINT64_C(8) * record.words > limit) {
            add_passed(&actual, &record);
            fxt_reader_pass(&reader, &record);
            continue;
        }
        uint64_t rest = fxt_reader_rest(&reader);
        uint64_t end = next_cut(&cuts, fed, size);
        bool final = fed == size || (end == size && !late);
        uint8_t *chunk = guarded(rest + end - fed);
        memcpy(chunk, trace + fed - rest, rest + end - fed);
        fxt_reader_continue(&reader, chunk, rest + end - fed, final);
        fed = end;
    } while (goes_on(status) || status == FXT_MORE);
    cr_assert_eq(fxt_reader_next(&reader, &record, &error), status);
}

static void expect_same_story(void)
{
    for (uint32_t i = 0; i < expected.count && i < actual.count; i++) {
        const struct step *a = &expected.steps[i];
        const struct step *b = &actual.steps[i];
        cr_assert_eq(b->status, a->status, "step %u: %s instead of %s", i,
                     fxt_status_name(b->status), fxt_status_name(a->status));
        cr_assert_eq(b->offset, a->offset, "step %u: at %lu instead of %lu", i, b->offset,
                     a->offset);
        cr_assert_eq(b->rule, a->rule);
        cr_assert_eq(b->header, a->header);
        cr_assert_eq(b->words, a->words);
        cr_assert_eq(b->sum, a->sum);
    }
    cr_assert_eq(actual.count, expected.count);
}

static void expect_same(const uint8_t *trace, uint64_t size, struct cuts cuts)
{
    read_chunks(trace, size, cuts, false, UINT64_MAX);
    expect_same_story();
    read_chunks(trace, size, cuts, true, UINT64_MAX);
    expect_same_story();
}

#define TRACE_HEAD                                                                                 \
    FXT_MAGIC, 1 | AT(2, 4), 1000, 0, 2 | AT(2, 4) | AT(1, 16) | AT(3, 32), 0x636261,              \
        15 | AT(4, 4), 1, 2, 3, 4 | AT(2, 4), 5

static const uint64_t ends_well[] = {TRACE_HEAD, 14 | AT(1, 4)};
static const uint64_t ends_in_record[] = {TRACE_HEAD, 14 | AT(3, 4), 0};
static const uint64_t ends_in_large[] = {TRACE_HEAD, 15 | AT(UINT32_MAX, 4), 0};
static const uint64_t ends_at_size_0[] = {TRACE_HEAD, 14 | AT(1, 16), FXT_MAGIC};
static const uint64_t swapped[] = {UINT64_C(0x1000044678541600), 0, 0};
static const uint64_t swapped_later[] = {0, UINT64_C(0x1000044678541600), 0};

static const struct {
    const uint64_t *words;
    uint64_t size; /* the last word may be incomplete */
} traces[] = {
    {ends_well, sizeof ends_well},
    {ends_well, sizeof ends_well - 3},
    {ends_in_record, sizeof ends_in_record},
    {ends_in_record, sizeof ends_in_record - 1},
    {ends_in_large, sizeof ends_in_large},
    {ends_at_size_0, sizeof ends_at_size_0},
    {swapped, sizeof swapped},
    {swapped_later, sizeof swapped_later},
    {swapped, 5},
    {swapped, 0},
};

Test(chunk, one_cut_anywhere_changes_nothing)
{
    for (unsigned i = 0; i < LENGTH(traces); i++) {
        const uint8_t *trace = (const uint8_t *)traces[i].words;
        read_one_span(trace, traces[i].size);
        for (uint64_t cut = 0; cut <= traces[i].size; cut++)
            expect_same(trace, traces[i].size, (struct cuts){.at = &cut, .count = 1});
    }
}

Test(chunk, two_cuts_anywhere_change_nothing)
{
    for (unsigned i = 0; i < LENGTH(traces); i++) {
        const uint8_t *trace = (const uint8_t *)traces[i].words;
        read_one_span(trace, traces[i].size);
        for (uint64_t first = 0; first <= traces[i].size; first++)
            for (uint64_t second = first + 1; second < traces[i].size; second++) {
                uint64_t at[] = {first, second};
                expect_same(trace, traces[i].size, (struct cuts){.at = at, .count = 2});
            }
    }
}

Test(chunk, pieces_of_any_one_size_change_nothing)
{
    for (unsigned i = 0; i < LENGTH(traces); i++) {
        const uint8_t *trace = (const uint8_t *)traces[i].words;
        read_one_span(trace, traces[i].size);
        for (uint64_t step = 1; step <= traces[i].size; step++)
            expect_same(trace, traces[i].size, (struct cuts){.step_max = step});
    }
}

/* Records of all types and sizes, zero words between them, large ones now and then. */
static uint64_t make_trace(uint64_t *words, uint64_t count, uint64_t *state)
{
    uint64_t at = 0;
    while (at < count) {
        uint64_t type = next_random(state) % 16;
        uint64_t size = 1 + next_random(state) % 30;
        if (next_random(state) % 50 == 0)
            size = type == 15 ? 5000 + next_random(state) % 5000 : 4095;
        if (size > count - at)
            size = count - at;
        if (type < 15 && size > 4095)
            size = 4095;
        for (uint64_t i = 0; i < size; i++)
            words[at + i] = next_random(state);
        words[at] = type | AT(size, 4) | AT(next_random(state), 36);
        if (next_random(state) % 20 == 0) {
            words[at] = 0;
            size = 1;
        }
        at += size;
    }
    return 8 * at;
}

#define BIG_WORDS 200000
static uint64_t big[BIG_WORDS];

Test(chunk, pieces_of_random_size_change_nothing_in_a_big_trace)
{
    uint64_t state = 7;
    uint64_t size = make_trace(big, BIG_WORDS, &state);
    read_one_span((const uint8_t *)big, size);
    cr_assert_eq(expected.steps[expected.count - 1].status, FXT_END);
    cr_assert_gt(expected.count, 1000);
    for (uint64_t step_max = 5000; step_max <= 1000000; step_max *= 3)
        expect_same((const uint8_t *)big, size, (struct cuts){.step_max = step_max, .state = 9});
}

/* The story of one span, but with the records above the limit given up. */
static void give_up(uint64_t limit)
{
    for (uint32_t i = 0; i < expected.count; i++) {
        struct step *step = &expected.steps[i];
        if (step->status != FXT_OK || UINT64_C(8) * step->words <= limit)
            continue;
        step->status = FXT_FULL;
        step->sum = 0;
    }
}

Test(chunk, when_all_that_is_not_complete_at_once_is_passed_over_the_rest_is_the_same)
{
    uint64_t state = 13;
    uint64_t size = make_trace(big, BIG_WORDS, &state);
    for (uint64_t piece = 8; piece <= 4096; piece *= 2) {
        read_one_span((const uint8_t *)big, size);
        read_chunks((const uint8_t *)big, size, (struct cuts){.step_max = piece}, false, 0);
        for (uint32_t i = 0; i < expected.count && i < actual.count; i++)
            if (actual.steps[i].status == FXT_FULL) {
                cr_assert_eq(expected.steps[i].status, FXT_OK);
                expected.steps[i].status = FXT_FULL;
                expected.steps[i].sum = 0;
            }
        expect_same_story();
    }
}

Test(chunk, a_limit_passes_over_what_is_above_it)
{
    uint64_t state = 17;
    uint64_t size = make_trace(big, BIG_WORDS, &state);
    for (uint64_t limit = 64; limit <= 65536; limit *= 4) {
        read_one_span((const uint8_t *)big, size);
        give_up(limit);
        for (uint64_t step = 1; step <= 8; step++) {
            read_chunks((const uint8_t *)big, size, (struct cuts){.step_max = step}, step % 2 == 0,
                        limit);
            expect_same_story();
        }
    }
}

Test(chunk, a_record_that_is_cut_off_while_it_is_passed_over_is_refused_at_its_offset)
{
    const uint64_t words[] = {FXT_MAGIC, 15 | AT(100, 4), 1, 2, 3};
    for (uint64_t size = 16; size <= sizeof words; size++)
        for (uint64_t step = 1; step <= size; step++) {
            read_chunks((const uint8_t *)words, size, (struct cuts){.step_max = step}, true, 8);
            cr_assert_eq(actual.count, 3);
            cr_expect_eq(actual.steps[0].status, FXT_OK);
            cr_expect_eq(actual.steps[1].status, FXT_FULL);
            cr_expect_eq(actual.steps[1].offset, 8);
            cr_expect_eq(actual.steps[2].status, FXT_TRUNCATED);
            cr_expect_eq(actual.steps[2].rule, FXT_RULE_REC_03);
            cr_expect_eq(actual.steps[2].offset, 8);
        }
}

/* 8 GiB are passed over, of which only the address space of one chunk exists. */
Test(chunk, offsets_go_beyond_4_gib)
{
    uint64_t words = UINT64_C(1) << 30;
    uint64_t left = 8 * words - 8;
    uint64_t header = 15 | AT(words, 4);
    const uint64_t behind[] = {0, 2 | AT(3, 4), 1, 2, 14 | AT(2, 4)};
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;

    fxt_reader_init_chunk(&reader, guarded_words(&header, 1), 8);
    cr_assert_eq(fxt_reader_next(&reader, &record, &error), FXT_MORE);
    cr_assert_eq(record.words, words);
    fxt_reader_pass(&reader, &record);
    while (left > 0) {
        uint64_t piece = left < GUARDED_BYTES ? left : GUARDED_BYTES;
        cr_assert_eq(fxt_reader_next(&reader, &record, &error), FXT_MORE);
        cr_assert_eq(record.words, 0);
        cr_assert_eq(fxt_reader_rest(&reader), 0);
        fxt_reader_continue(&reader, guarded(piece), piece, false);
        left -= piece;
    }
    cr_assert_eq(fxt_reader_next(&reader, &record, &error), FXT_MORE);
    fxt_reader_continue(&reader, guarded_words(behind, 5), 40, true);
    cr_assert_eq(fxt_reader_next(&reader, &record, &error), FXT_ZERO_WORD);
    cr_expect_eq(error.offset, 8 * words);
    cr_assert_eq(fxt_reader_next(&reader, &record, &error), FXT_OK);
    cr_expect_eq(record.offset, 8 * words + 8);
    struct fxt_string string;
    cr_expect_eq(fxt_read_string(&record, &string, &error), FXT_OK);
    cr_assert_eq(fxt_reader_next(&reader, &record, &error), FXT_TRUNCATED);
    cr_expect_eq(error.offset, 8 * words + 32);
}

Test(chunk, the_other_byte_order_is_not_looked_for_behind_a_chunk)
{
    uint64_t words[353] = {FXT_MAGIC, UINT64_C(0x1000044678541600)};
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    fxt_reader_init_chunk(&reader, guarded_words(words, 1), 8);
    cr_assert_eq(fxt_reader_next(&reader, &record, &error), FXT_OK);
    cr_assert_eq(fxt_reader_next(&reader, &record, &error), FXT_MORE);
    fxt_reader_continue(&reader, guarded_words(words + 1, 352), 8 * 352, true);
    cr_expect_eq(fxt_reader_next(&reader, &record, &error), FXT_OK);
    cr_expect_eq(record.words, 352);
}
