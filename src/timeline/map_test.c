#include "src/timeline/map.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <time.h>

#define COUNT 100000u

Test(map, every_key_keeps_its_value_while_others_come_and_go)
{
    struct map map = {.it = NULL};
    cr_assert_null(map_find(&map, 1, 2, 3));
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t *value = map_add(&map, MAP_UNLIMITED, i / 100, i % 100, i % 7);
        cr_assert_eq(*value, MAP_NEW);
        *value = i;
    }
    cr_assert_eq(map.count, COUNT);
    for (uint32_t i = 0; i < COUNT; i += 3)
        map_remove(&map, map_find(&map, i / 100, i % 100, i % 7));
    for (uint32_t i = 0; i < COUNT; i++) {
        const uint32_t *value = map_find(&map, i / 100, i % 100, i % 7);
        cr_assert_eq(value == NULL, i % 3 == 0);
        cr_assert(value == NULL || *value == i);
        cr_assert_null(map_find(&map, i / 100, i % 100, 7));
    }
    cr_assert_eq(map.count, COUNT - (COUNT + 2) / 3);
    map_clear(&map);
    cr_assert_null(map_find(&map, 0, 1, 1));
}

Test(map, a_full_map_finds_but_takes_nothing)
{
    struct map map = {.it = NULL};
    for (uint32_t i = 0; i < 10; i++)
        *map_add(&map, 10, i, 0, 0) = i;
    cr_assert_null(map_add(&map, 10, 10, 0, 0));
    cr_assert_eq(*map_add(&map, 10, 9, 0, 0), 9);
    map_remove(&map, map_find(&map, 4, 0, 0));
    cr_assert_eq(*map_add(&map, 10, 10, 0, 0), MAP_NEW);
    map_clear(&map);
}

static struct fxt_bytes text_at(const void *texts, uint32_t value)
{
    const struct fxt_bytes *it = texts;
    return it[value];
}

/* Texts of all lengths that end in zeros, which differ in one byte or in their length only. */
Test(map, different_texts_have_different_values)
{
    enum { LENGTHS = 40 };
    static uint8_t bytes[LENGTHS][LENGTHS];
    static struct fxt_bytes texts[LENGTHS * LENGTHS];
    struct map map = {.it = NULL};
    uint32_t count = 0;
    for (uint32_t at = 0; at < LENGTHS; at++) {
        bytes[at][at] = 1;
        for (uint32_t size = at == 0 ? 0 : at + 1; size <= LENGTHS; size++) {
            texts[count] = (struct fxt_bytes){bytes[at], size};
            cr_assert_null(map_find_text(&map, texts[count], text_at, texts));
            uint32_t *value = map_add_text(&map, MAP_UNLIMITED, texts[count], text_at, texts);
            cr_assert_eq(*value, MAP_NEW);
            *value = count++;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        cr_assert_eq(*map_find_text(&map, texts[i], text_at, texts), i);
        cr_assert_eq(*map_add_text(&map, MAP_UNLIMITED, texts[i], text_at, texts), i);
    }
    map_clear(&map);
}

/* Keys of which a multiplication by an odd number keeps the low bits, of one sum, and of one
   exclusive or. Two of equal hash under one seed have different ones under another. */
Test(map, no_pattern_of_keys_is_slow)
{
    struct map map = {.it = NULL};
    clock_t begin = clock();
    for (uint64_t i = 0; i < COUNT; i++) {
        cr_assert_not_null(map_add(&map, MAP_UNLIMITED, i << 32, 0, 0));
        cr_assert_not_null(map_add(&map, MAP_UNLIMITED, i, ~i, 1));
        cr_assert_not_null(map_add(&map, MAP_UNLIMITED, i << 44, i << 44, 2));
        cr_assert_not_null(
            map_add(&map, MAP_UNLIMITED, i * UINT64_C(0x4f74430c22a54005), 0, i << 40 | 3));
    }
    cr_assert_lt(clock() - begin, 20 * CLOCKS_PER_SEC);
    cr_assert_eq(map.count, 4 * COUNT);
    uint32_t longest = 0, run = 0;
    for (uint32_t i = 0; i <= map.mask; i++) {
        run = map.it[i].used ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    cr_assert_lt(longest, 1000, "%u used entries in a row", longest);
    map_clear(&map);
}
