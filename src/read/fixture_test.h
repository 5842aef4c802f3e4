/* For the tests of the reader: traces and records that are given word by word, and laid at the very
   end of readable memory, so that reading one byte too many crashes. */
#ifndef FXT_READ_FIXTURE_TEST_H
#define FXT_READ_FIXTURE_TEST_H

#include <criterion/criterion.h>
#include <endian.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fxt/read.h>

#define GUARDED_BYTES UINT64_C(4194304)
#define PATTERN 0xa5

/* `lo` is the bit where the field begins. */
#define AT(value, lo) ((uint64_t)(value) << (lo))
#define INLINE(length) (0x8000u + (length))
#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

/* `size` writable bytes, behind which nothing can be read. There is one such place. */
static inline uint8_t *guarded(uint64_t size)
{
    static uint8_t *end;
    if (end == NULL) {
        uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
        uint8_t *place = mmap(NULL, GUARDED_BYTES + page, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        cr_assert_neq(place, MAP_FAILED);
        end = place + GUARDED_BYTES;
        cr_assert_eq(mprotect(end, page, PROT_NONE), 0);
    }
    cr_assert_leq(size, GUARDED_BYTES);
    return end - size;
}

static inline void put_word(uint8_t *place, uint64_t word)
{
    word = htole64(word);
    memcpy(place, &word, 8);
}

static inline uint8_t *guarded_words(const uint64_t *words, uint64_t count)
{
    uint8_t *place = guarded(8 * count);
    for (uint64_t i = 0; i < count; i++)
        put_word(place + 8 * i, words[i]);
    return place;
}

/* A size field with that many words, for all types but the large one. */
static inline uint64_t sized(uint64_t header, uint64_t words)
{
    if (header % 16 == FXT_RECORD_LARGE)
        return header | AT(words, 4);
    cr_assert_leq(words, FXT_RECORD_WORDS_MAX);
    return header | AT(words, 4);
}

/* The first record of the trace that begins with these words, the first of them with its size
   filled in; it ends where readable memory ends. */
static inline struct fxt_record record_of(const uint64_t *words, uint64_t count)
{
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    uint8_t *place = guarded_words(words, count);

    put_word(place, sized(words[0], count));
    fxt_reader_init(&reader, place, 8 * count);
    cr_assert_eq(fxt_reader_next(&reader, &record, &error), FXT_OK);
    cr_assert_eq(record.words, count);
    record.offset = 4096; /* as if other records stood before it */
    return record;
}

/* For records written as lists of words. */
#define RECORD(...)                                                                                \
    record_of((const uint64_t[]){__VA_ARGS__},                                                     \
              sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

static inline void expect_error(const struct fxt_error *error, enum fxt_rule rule, uint64_t offset,
                                const char *what)
{
    cr_expect_eq(error->status, FXT_MALFORMED, "%s", what);
    cr_expect_eq(error->rule, rule, "%s: %s instead of %s", what, fxt_rule_id(error->rule),
                 fxt_rule_id(rule));
    cr_expect_eq(error->offset, offset, "%s: offset %lu instead of %lu", what, error->offset,
                 offset);
}

static inline bool untouched(const void *object, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (((const uint8_t *)object)[i] != PATTERN)
            return false;
    return true;
}

/* Up to 8 characters as a word of a stream. */
static inline uint64_t text_word(const char *text)
{
    uint64_t word = 0;
    size_t length = strlen(text);
    memcpy(&word, text, length < 8 ? length : 8);
    return le64toh(word);
}

static inline void expect_bytes(struct fxt_bytes bytes, const void *expected, uint64_t size)
{
    cr_assert_eq(bytes.size, size);
    if (size == 0)
        cr_expect_null(bytes.bytes);
    else
        cr_expect_arr_eq(bytes.bytes, expected, size);
}

static inline void expect_inline(struct fxt_string_ref ref, const char *expected)
{
    size_t length = strlen(expected);
    cr_assert_eq(ref.ref, INLINE(length));
    cr_assert_eq(fxt_string_ref_length(ref), length);
    if (length == 0)
        cr_expect_null(ref.bytes);
    else
        cr_expect_arr_eq(ref.bytes, expected, length);
}

static inline void expect_indexed(struct fxt_string_ref ref, uint16_t index)
{
    cr_expect_eq(ref.ref, index);
    cr_expect_null(ref.bytes);
    cr_expect_eq(fxt_string_ref_length(ref), 0);
}

static inline void expect_thread(struct fxt_thread_ref ref, uint8_t index, uint64_t process,
                                 uint64_t thread)
{
    cr_expect_eq(ref.ref, index);
    cr_expect_eq(ref.process, process);
    cr_expect_eq(ref.thread, thread);
}

static inline uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

#endif
