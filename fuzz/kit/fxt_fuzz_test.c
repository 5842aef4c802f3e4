/* The mutator: it stays within its room, repeats itself for equal seeds, changes what it is given,
   and keeps enough of a trace whole that a reader gets past the first record. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz/kit/fxt_fuzz.h"

#define NEED(law) ((law) ? (void)0 : broken(__LINE__, #law))

static void broken(int line, const char *law)
{
    fprintf(stderr, "fxt_fuzz_test.c:%d: does not hold: %s\n", line, law);
    exit(1);
}

/* A valid trace in memory of its own size, to be freed. */
static uint8_t *trace(uint64_t seed, uint64_t records, size_t *size)
{
    static uint8_t record[FXT_FUZZ_RECORD_MAX];
    struct fxt_fuzz_options options = {.seed = seed, .records = records};
    fxt_fuzz_generator *generator = fxt_fuzz_generator_create(&options);
    uint8_t *bytes = NULL;
    size_t more;
    *size = 0;
    while ((more = fxt_fuzz_generator_next(generator, record)) > 0) {
        bytes = realloc(bytes, *size + more);
        memcpy(bytes + *size, record, more);
        *size += more;
    }
    fxt_fuzz_generator_free(generator);
    return bytes;
}

/* Bytes that can be framed as records from the start. */
static size_t framed(const uint8_t *bytes, size_t size)
{
    size_t at = 0;
    while (size - at >= 8) {
        size_t words = (bytes[at] >> 4) + 16u * bytes[at + 1];
        if (bytes[at] % 16 == 15)
            words |= (size_t)bytes[at + 2] << 12 | (size_t)bytes[at + 3] << 20;
        if (words == 0 || words > (size - at) / 8)
            break;
        at += 8 * words;
    }
    return at;
}

static void test_mutate(void)
{
    unsigned changed = 0, whole = 0, runs = 3000;
    for (uint64_t seed = 0; seed < runs; seed++) {
        size_t size, max;
        uint8_t *bytes = trace(seed % 50, 3 + seed % 40, &size);
        max = size + seed % 300;
        uint8_t *one = calloc(max, 1), *two = calloc(max, 1);
        memcpy(one, bytes, size);
        memcpy(two, bytes, size);
        size_t mutated = fxt_fuzz_mutate(one, size, max, seed);
        NEED(mutated <= max);
        NEED(fxt_fuzz_mutate(two, size, max, seed) == mutated);
        NEED(memcmp(one, two, mutated) == 0);
        changed += mutated != size || memcmp(one, bytes, size) != 0;
        whole += framed(one, mutated) == mutated;
        free(bytes);
        free(one);
        free(two);
    }
    printf("%u of %u changed, %u can be framed to the end\n", changed, runs, whole);
    NEED(changed > runs * 97 / 100);
    NEED(whole > runs / 2 && whole < runs * 95 / 100);
}

static uint64_t digest(const uint8_t *bytes, size_t size)
{
    uint64_t digest = size;
    for (size_t i = 0; i < size; i++)
        digest = (digest ^ bytes[i]) * UINT64_C(0x100000001b3);
    return digest;
}

/* Again and again on the same bytes, in memory without a byte to spare. Whatever becomes of them,
   the mutator goes on changing them. */
static void test_mutate_anything(void)
{
    for (size_t max = 0; max < 400; max += 7) {
        uint8_t *bytes = malloc(max > 0 ? max : 1);
        size_t size = max / 2;
        unsigned changed = 0;
        memset(bytes, 0xa5, max);
        for (uint64_t seed = 0; seed < 300; seed++) {
            uint64_t before = digest(bytes, size);
            size = fxt_fuzz_mutate(bytes, size, max, seed);
            NEED(size <= max);
            changed += digest(bytes, size) != before;
        }
        NEED(max < 8 || changed > 270);
        free(bytes);
    }
}

/* The mutator changes any part of it, and leaves nearly all of its records whole. */
static void test_mutate_long(void)
{
    size_t size = 1500 * 24, max = size + 4096;
    unsigned back = 0, lost = 0, runs = 4000;
    uint8_t *bytes = malloc(size), *out = malloc(max);
    for (size_t at = 0; at < size; at += 24) {
        const uint8_t instant[24] = {
            0x34, 0, 0, 1, [8] = (uint8_t)(at / 24), (uint8_t)(at / 24 / 256)};
        memcpy(bytes + at, instant, sizeof instant);
    }
    for (uint64_t seed = 0; seed < runs; seed++) {
        memcpy(out, bytes, size);
        size_t mutated = fxt_fuzz_mutate(out, size, max, seed);
        size_t same = 0, whole = mutated < size ? mutated : size;
        while (same < whole && out[same] == bytes[same])
            same++;
        back += same > size * 3 / 4;
        size_t at = same / 24 * 24; /* what was changed is no record of a thousand words */
        lost += at + 8 <= mutated && (out[at] >> 4 | (size_t)out[at + 1] << 4) > 1000 &&
                (out[at] >> 4 | (size_t)out[at + 1] << 4) < 4095;
    }
    printf("%u of %u changed the last quarter of a long trace first, %u swallowed it\n", back, runs,
           lost);
    NEED(back > runs / 16);
    NEED(lost < runs / 100);
    free(bytes);
    free(out);
}

static void test_splice(void)
{
    size_t a_size, b_size;
    unsigned same = 0;
    static uint8_t words[1 << 17];
    uint8_t *a = trace(1, 30, &a_size), *b = trace(2, 30, &b_size);
    for (uint64_t seed = 0; seed < 2000; seed++) {
        size_t max = 8 * (seed % 900);
        uint8_t *out = malloc(max > 0 ? max : 1);
        size_t spliced = fxt_fuzz_splice(out, max, a, a_size, b, b_size, seed);
        NEED(spliced <= max);
        same += (spliced == a_size && memcmp(out, a, a_size) == 0) ||
                (spliced == b_size && memcmp(out, b, b_size) == 0);
        free(out);
        spliced = fxt_fuzz_splice(words, sizeof words,
                                  (const uint8_t *)"\xff\xff\xff\xff\xff\xff\xff\xff", 8,
                                  (const uint8_t *)"\xff\xff\xff\xff\xff\xff\xff\xff", 8, seed);
        same += spliced == 8 && memcmp(words, "\xff\xff\xff\xff\xff\xff\xff\xff", 8) == 0;
    }
    static const uint8_t twice[32] = {0x10, 0, 4, 0x46, 0x78, 0x54, 0x16, 0, 0x34, [11] = 1};
    for (uint64_t seed = 0; seed < 1000; seed++) { /* a trace with itself, and no room for more */
        size_t spliced = fxt_fuzz_splice(words, 32, twice, 32, twice, 32, seed);
        same += spliced == 32 && memcmp(words, twice, 32) == 0;
    }
    printf("%u of 5000 splices are one of the two\n", same);
    NEED(same < 80);
    free(a);
    free(b);
}

static void test_remove(void)
{
    size_t size;
    uint8_t *bytes = trace(3, 25, &size);
    NEED(fxt_fuzz_remove(bytes, size, 25) == size);
    for (unsigned left = 25; left > 0; left--) {
        size_t less = fxt_fuzz_remove(bytes, size, left / 2);
        NEED(less < size && framed(bytes, less) == less);
        size = less;
    }
    NEED(size == 0 && fxt_fuzz_remove(bytes, size, 0) == 0);
    free(bytes);
}

/* Nothing may be NULL, as an empty vector's data is; the undefined behaviour sanitizer watches. */
static void test_nothing(void)
{
    size_t size;
    uint8_t *bytes = trace(4, 5, &size), *out = malloc(2 * size);
    NEED(fxt_fuzz_remove(NULL, 0, 0) == 0);
    NEED(fxt_fuzz_splice(NULL, 0, NULL, 0, NULL, 0, 1) == 0);
    NEED(fxt_fuzz_splice(NULL, 0, bytes, size, bytes, size, 1) == 0);
    for (uint64_t seed = 0; seed < 20; seed++) {
        NEED(fxt_fuzz_mutate(NULL, 0, 0, seed) == 0);
        NEED(fxt_fuzz_splice(out, 2 * size, bytes, size, NULL, 0, seed) <= 2 * size);
        NEED(fxt_fuzz_splice(out, 2 * size, NULL, 0, bytes, size, seed) <= 2 * size);
    }
    free(bytes);
    free(out);
}

static void test_kinds(void)
{
    const char *bad;
    NEED(fxt_fuzz_kinds("magic,string", &bad) == (1 | 1 << 6) && bad == NULL);
    NEED(fxt_fuzz_kinds("tables,-magic,-string", &bad) == (0xff & ~(1 | 1 << 6)));
    NEED(fxt_fuzz_kinds("all", &bad) == (UINT64_C(1) << 41) - 1);
    const char *list = "magic,strings";
    NEED(fxt_fuzz_kinds(list, &bad) == 0 && bad == list + 6);
    NEED(fxt_fuzz_kinds("", &bad) == 0 && bad == NULL);
    NEED(fxt_fuzz_kinds("-magic,-string,", &bad) ==
         (((UINT64_C(1) << 41) - 1) & ~(uint64_t)(1 | 1 << 6)));
    NEED(fxt_fuzz_kinds("-magic,string", &bad) == 1 << 6);
    NEED(fxt_fuzz_kinds("-all", &bad) == 0 && bad == NULL);
    NEED(strcmp(fxt_fuzz_kind(40), "large_blob") == 0 && fxt_fuzz_kind(41) == NULL);
}

static void print_size(fxt_fuzz_lines *out, const uint8_t *bytes, size_t size)
{
    (void)bytes;
    for (size_t i = 0; i < 100; i++)
        fxt_fuzz_line(out, "%zu bytes", size);
}

static void print_one_line(fxt_fuzz_lines *out, const uint8_t *bytes, size_t size)
{
    (void)bytes;
    (void)size;
    fxt_fuzz_line(out, "a\nb");
}

static void print_two_lines(fxt_fuzz_lines *out, const uint8_t *bytes, size_t size)
{
    (void)bytes;
    (void)size;
    fxt_fuzz_line(out, "a");
    fxt_fuzz_line(out, "b");
}

static void test_lines(void)
{
    int status = 0;
    fxt_fuzz_diff((const uint8_t *)"", 0, print_size, print_size);
    fxt_fuzz_diff((const uint8_t *)"", 0, print_one_line, print_one_line);
    pid_t child = fork();
    if (child == 0) {
        fxt_fuzz_diff((const uint8_t *)"", 0, print_one_line, print_two_lines);
        _exit(0);
    }
    NEED(waitpid(child, &status, 0) == child);
    NEED(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

static void print_texts(fxt_fuzz_lines *out, const uint8_t *bytes, size_t size)
{
    (void)bytes;
    (void)size;
    fxt_fuzz_text(out, "none", NULL, 0);
    fxt_fuzz_text(out, "empty", "", 0);
    fxt_fuzz_text(out, "zero", "a\0b", 3);
    fxt_fuzz_text(out, "quotes", "\"\\\n\x7f~", 5);
    fxt_fuzz_text(out, "letters", "\u00e9\u20ac\U0001f600", 9);
    fxt_fuzz_text(out, "overlong", "\xc0\x80\xe0\x80\x80", 5);
    fxt_fuzz_text(out, "surrogate", "\xed\xa0\x80", 3);
    fxt_fuzz_text(out, "too large", "\xf4\x90\x80\x80\xf5", 5);
    fxt_fuzz_text(out, "cut off",
                  "\xf0\x9f\x98"
                  "a\xe2\x82",
                  6);
    fxt_fuzz_bytes(out, "bytes", "\0\x9f\xff", 3);
    fxt_fuzz_bytes(out, "no bytes", NULL, 0);
}

#define LOST "\xef\xbf\xbd"

static void print_shown(fxt_fuzz_lines *out, const uint8_t *bytes, size_t size)
{
    (void)bytes;
    (void)size;
    fxt_fuzz_line(out, "none null");
    fxt_fuzz_line(out, "empty \"\"");
    fxt_fuzz_line(out, "zero \"a\\x00b\"");
    fxt_fuzz_line(out, "quotes \"\\x22\\x5c\\x0a\\x7f~\"");
    fxt_fuzz_line(out, "letters \"\u00e9\u20ac\U0001f600\"");
    fxt_fuzz_line(out, "overlong \"" LOST LOST LOST LOST LOST "\"");
    fxt_fuzz_line(out, "surrogate \"" LOST LOST LOST "\"");
    fxt_fuzz_line(out, "too large \"" LOST LOST LOST LOST LOST "\"");
    fxt_fuzz_line(out, "cut off \"" LOST "a" LOST "\"");
    fxt_fuzz_line(out, "bytes 009fff");
    fxt_fuzz_line(out, "no bytes ");
}

static void test_texts(void)
{
    fxt_fuzz_diff((const uint8_t *)"", 0, print_shown, print_texts);
}

int main(void)
{
    test_mutate();
    test_mutate_anything();
    test_mutate_long();
    test_splice();
    test_remove();
    test_nothing();
    test_kinds();
    test_lines();
    test_texts();
    return 0;
}
