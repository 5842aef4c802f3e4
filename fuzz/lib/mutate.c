/* A mutator that knows what a record is: libFuzzer calls it instead of its own for a part of the
   inputs. It moves whole records about, and repairs sizes that the mutator of libFuzzer broke, so
   that the rest of the trace stays reachable. Without libFuzzer it is not called. */
#include <string.h>

#include "fuzz/lib/frame.h"
#include "fuzz/lib/generate.h"

size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t max) __attribute__((weak));
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t max, unsigned seed);

#define RECORDS_MAX 512

struct layout {
    size_t at[RECORDS_MAX + 1]; /* at[count] is where they end */
    size_t count;
};

/* Records as far as they can be framed; zero words are skipped. */
static struct layout layout_of(const uint8_t *bytes, size_t size)
{
    struct layout layout = {.count = 0};
    size_t at = 0;
    while (layout.count < RECORDS_MAX) {
        layout.at[layout.count] = at;
        struct fuzz_frame frame = fuzz_frame(bytes, size, at);
        if (frame.status != FXT_OK && frame.status != FXT_ZERO_WORD)
            break;
        at += frame.status == FXT_OK ? (size_t)(8 * frame.words) : 8;
        layout.count++;
    }
    layout.at[layout.count] = at;
    return layout;
}

static void put_word(uint8_t *bytes, uint64_t word)
{
    for (unsigned i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(word >> (8 * i));
}

/* Makes room for `added` bytes at `at`; 0 when there is none. */
static size_t insert(uint8_t *bytes, size_t size, size_t max, size_t at, const uint8_t *add,
                     size_t added)
{
    if (added > max - size)
        return 0;
    memmove(bytes + at + added, bytes + at, size - at);
    memcpy(bytes + at, add, added);
    return size + added;
}

/* Turns something in the header of the first argument of an event without streams: its type and
   size, or a bit. */
static void turn_argument(uint8_t *bytes, const struct fuzz_record *record,
                          struct fuzz_source *source)
{
    if (record->kind != FUZZ_EVENT || !source->plain || record->arg_count == 0)
        return;
    uint64_t header = fuzz_word(bytes + 16);
    switch (fuzz_pick(source, 3)) {
    case 0:
        header = (header & ~UINT64_C(0xffff)) | fuzz_pick(source, 16) | fuzz_pick(source, 4) << 4;
        break;
    case 1:
        header ^= UINT64_C(1) << fuzz_pick(source, 64);
        break;
    default:
        break;
    }
    put_word(bytes + 16, header);
}

static size_t insert_generated(uint8_t *bytes, size_t size, size_t max, size_t at,
                               struct fuzz_source *source)
{
    static uint8_t emitted[FUZZ_EMIT_MAX];
    struct fuzz_record record;
    bool fits;
    fuzz_generate(&record, source);
    size_t added = fuzz_emit(emitted, &fits, &record);
    turn_argument(emitted, &record, source);
    return fits ? insert(bytes, size, max, at, emitted, added) : 0;
}

static size_t copy_record(uint8_t *bytes, size_t size, size_t max, const struct layout *layout,
                          struct fuzz_source *source)
{
    static uint8_t copied[FUZZ_INPUT_MAX];
    size_t from = fuzz_pick(source, layout->count);
    size_t to = fuzz_pick(source, layout->count + 1);
    size_t length = layout->at[from + 1] - layout->at[from];
    if (length > sizeof copied)
        return 0;
    memcpy(copied, bytes + layout->at[from], length);
    return insert(bytes, size, max, layout->at[to], copied, length);
}

/* Changes some bits of a header, where sizes, types, counts and references are, or of another word of
   the record. */
static void change_field(uint8_t *bytes, const struct layout *layout, struct fuzz_source *source)
{
    size_t record = fuzz_pick(source, layout->count);
    size_t words = (layout->at[record + 1] - layout->at[record]) / 8;
    size_t at = layout->at[record];
    if (fuzz_pick(source, 2) == 0)
        at += 8 * fuzz_pick(source, words);
    uint64_t header = fuzz_word(bytes + at);
    unsigned lo = (unsigned)fuzz_pick(source, 16) * 4;
    unsigned width = 4u << fuzz_pick(source, 3);
    uint64_t mask = ((UINT64_C(1) << width) - 1) << lo;
    uint64_t value = fuzz_pick(source, 2) == 0 ? header + (UINT64_C(1) << lo)
                                               : fuzz_pick(source, UINT64_C(1) << 32) << lo;
    put_word(bytes + at, (header & ~mask) | (value & mask));
}

/* The record takes one word of the next one, or gives one up. */
static void change_size(uint8_t *bytes, const struct layout *layout, struct fuzz_source *source)
{
    size_t at = layout->at[fuzz_pick(source, layout->count)];
    uint64_t header = fuzz_word(bytes + at);
    put_word(bytes + at, fuzz_pick(source, 2) == 0 ? header + 16 : header - 16);
}

/* The record at the end gets the size that is left. */
static size_t repair_end(uint8_t *bytes, size_t size, const struct layout *layout)
{
    size_t at = layout->at[layout->count];
    uint64_t words = (size - at) / 8;
    if (words == 0 || words > FXT_RECORD_WORDS_MAX)
        return 0;
    uint64_t header = fuzz_word(bytes + at);
    put_word(bytes + at, (header & ~UINT64_C(0xfff0)) | words << 4);
    return at + 8 * words;
}

static size_t mutate(uint8_t *bytes, size_t size, size_t max, struct fuzz_source *source)
{
    struct layout layout = layout_of(bytes, size);
    size_t record = layout.count > 0 ? fuzz_pick(source, layout.count) : 0;

    if (layout.count == 0)
        return insert_generated(bytes, size, max, 0, source);
    switch (fuzz_pick(source, 6)) {
    case 0:
        if (fuzz_pick(source, 32) == 0)
            return fuzz_generate_trace(bytes, max < 2048 ? max : 2048, source->random);
        return insert_generated(bytes, size, max, layout.at[record], source);
    case 1:
        return copy_record(bytes, size, max, &layout, source);
    case 2: /* leave one out */
        memmove(bytes + layout.at[record], bytes + layout.at[record + 1],
                size - layout.at[record + 1]);
        return size - (layout.at[record + 1] - layout.at[record]);
    case 3:
        change_field(bytes, &layout, source);
        return size;
    case 4:
        change_size(bytes, &layout, source);
        return size;
    default:
        return repair_end(bytes, size, &layout);
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t max, unsigned seed)
{
    struct fuzz_source source = {.random = seed * UINT64_C(0x9e3779b97f4a7c15) | 1};
    if (fuzz_pick(&source, 2) == 0) {
        size_t mutated = mutate(bytes, size, max, &source);
        if (mutated > 0)
            return mutated;
    }
    return LLVMFuzzerMutate != NULL ? LLVMFuzzerMutate(bytes, size, max) : size;
}
