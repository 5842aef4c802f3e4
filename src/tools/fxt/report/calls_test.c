/* Call trees of names and parents that collide in a hash that everybody knows. */
#include "src/tools/fxt/report/calls.h"

#include <criterion/criterion.h>
#include <sys/mman.h>
#include <time.h>

#define MULTIPLIER UINT64_C(0x9e3779b97f4a7c15)
#define FINAL UINT64_C(0xff51afd7ed558ccd)
#define PARENTS (1u << 18)
#define PAIRS (40000u >> TOOL_SIZE_SHIFT)

static struct calls *new_calls(void)
{
    struct calls *calls = mmap(NULL, sizeof *calls, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    cr_assert(calls != MAP_FAILED);
    return calls;
}

static void free_calls(struct calls *calls)
{
    map_clear(&calls->children);
    munmap(calls, sizeof *calls);
}

struct pair {
    uint32_t parent;
    uint32_t name;
};

static uint64_t sum_of(struct pair pair)
{
    return pair.parent * MULTIPLIER + pair.name;
}

/* As names_hash of names.h. */
static uint64_t hash_of(struct pair pair)
{
    uint64_t hash = sum_of(pair);
    hash = (hash ^ hash >> 32) * FINAL;
    return hash ^ hash >> 29;
}

static uint64_t inverse(uint64_t odd)
{
    uint64_t x = odd;
    for (int i = 0; i < 6; i++)
        x *= 2 - odd * x;
    return x;
}

/* Pairs of which hash_of has zeros in its 21 low bits. The high half of the sum is that of its
   parent, and the low half is free by the name. */
static void find_pairs(struct pair *pairs)
{
    static uint32_t parent_of[PARENTS];
    uint64_t back = inverse(FINAL);
    uint32_t count = 0;
    for (uint32_t parent = 1; parent < PARENTS; parent++)
        parent_of[parent * MULTIPLIER >> 32 & (PARENTS - 1)] = parent;
    for (uint64_t i = 1; count < PAIRS; i++) {
        uint64_t product = (i * MULTIPLIER >> 35 << 21) & ((UINT64_C(1) << 50) - 1);
        product |= product >> 29; /* what the last shift takes away again */
        uint64_t mixed = product * back;
        uint32_t parent = parent_of[mixed >> 32 & (PARENTS - 1)];
        uint32_t low = (uint32_t)mixed ^ (uint32_t)(parent * MULTIPLIER >> 32);
        struct pair pair = {parent, low - (uint32_t)(parent * MULTIPLIER)};
        if (parent != 0 && hash_of(pair) << 43 == 0)
            pairs[count++] = pair;
    }
}

/* The time that it takes to give each parent its child, twice. */
static clock_t time_of(const struct pair *pairs)
{
    struct calls *calls = new_calls();
    for (uint32_t i = 0; i < PARENTS; i++)
        cr_assert_neq(calls_new(calls, 0), CALL_NONE);
    clock_t begin = clock();
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < PAIRS; i++)
            calls_adopt(calls, pairs[i].parent, calls_new(calls, pairs[i].name));
    clock_t end = clock();
    cr_assert_eq(calls->count, PARENTS + PAIRS);
    free_calls(calls);
    return end - begin;
}

Test(calls, chosen_names_are_as_fast_as_others)
{
    static struct pair pairs[PAIRS];
    find_pairs(pairs);
    clock_t chosen = time_of(pairs);
    for (uint32_t i = 0; i < PAIRS; i++)
        pairs[i].name = i;
    clock_t others = time_of(pairs);
    cr_assert_lt(chosen, 10 * others + CLOCKS_PER_SEC / 10, "%ld, others %ld us", (long)chosen,
                 (long)others);
}
