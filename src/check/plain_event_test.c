/* The fast path of the checker against the walk that it stands in for: on events made at random
   around what it accepts, either it refuses and changes nothing, or the walk has nothing to report
   and leaves the very same state. */
#include "src/check/fixture_test.h"
#include "src/check/walk.h"

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Mostly `usual`, sometimes anything below `limit`. */
static uint64_t around(uint64_t *state, uint64_t usual, uint64_t limit)
{
    return next_random(state) % 16 == 0 ? next_random(state) % limit : usual;
}

/* An inline text of 1 to 20 bytes, sometimes spoiled. */
static uint32_t random_text(uint64_t *state, uint64_t *words, uint64_t *ref)
{
    uint64_t length = 1 + next_random(state) % 20;
    uint32_t size = (uint32_t)((length + 7) / 8);
    memset(words, 0, 8 * size);
    memset(words, 'a' + (int)(next_random(state) % 26), length);
    if (next_random(state) % 16 == 0)
        words[next_random(state) % size] ^= UINT64_C(1) << next_random(state) % 64;
    *ref = FXT_STRING_INLINE + length;
    return size;
}

static uint32_t random_arg(uint64_t *state, uint64_t *words)
{
    static const uint32_t sizes[] = {1, 1, 1, 2, 2, 2, 1, 2, 2, 1, 2};
    uint64_t type = next_random(state) % 11;
    uint32_t size = sizes[type];
    uint64_t name = around(state, 1 + next_random(state) % 16, 65536);
    uint64_t data = type == 1 || type == 2 ? next_random(state) % 4294967296
                    : type == 6            ? around(state, next_random(state) % 6, 65536)
                    : type == 9            ? next_random(state) % 2
                    : type == 10           ? next_random(state) % 9
                                           : 0;
    for (uint64_t i = 1; i < 4; i++)
        words[i] = next_random(state) % 3;
    if (type == 6 && next_random(state) % 2 == 0)
        size = 1 + random_text(state, words + 1, &data);
    if (next_random(state) % 32 == 0)
        data ^= UINT64_C(1) << next_random(state) % 32;
    size = (uint32_t)around(state, size, 5);
    words[0] = type + 16 * size + 65536 * name + UINT64_C(4294967296) * data;
    return size;
}

static uint32_t random_event(uint64_t *state, uint64_t *words)
{
    uint64_t type = around(state, next_random(state) % 11, 16);
    uint64_t count = next_random(state) % 6;
    uint32_t size = 2;
    words[1] = next_random(state) % 64;
    for (uint64_t i = 0; i < count; i++)
        size += random_arg(state, words + size);
    uint64_t tail =
        around(state, type == 1 || type >= 4 || (type == 0 && next_random(state) % 2 == 0), 3);
    for (uint64_t i = 0; i < tail; i++)
        words[size++] = next_random(state) % (type == 0 ? 4 : 80);
    uint64_t claimed = around(state, size, 8);
    words[0] = 4 + 16 * claimed + 65536 * type + 1048576 * count +
               16777216 * around(state, 1 + next_random(state) % 2, 256) +
               UINT64_C(4294967296) * around(state, next_random(state) % 3, 65536) +
               UINT64_C(281474976710656) * around(state, 1 + next_random(state) % 3, 65536);
    return (uint32_t)claimed;
}

static void prepare(struct bench *b, enum fxt_edition edition)
{
    free(b->memory.opens);
    b->memory.open_max = 1024;
    b->memory.opens = calloc(b->memory.open_max, sizeof(struct fxt_check_open));
    prologue(b);
    for (uint16_t i = 3; i <= 16; i++) {
        char text[2] = {(char)('a' + i), '\0'};
        name(b, i, i == 5 || i == 6 ? "same" : i == 7 ? "" : text);
    }
    thread(b, 2, 100, 201);
    event(b, FXT_EVENT_INSTANT, 0, 0);
    run_check(b, edition);
    cr_assert_eq(b->kept.count, 1);
    cr_assert_eq(b->kept.findings[0].rule, FXT_RULE_STT_04);
}

static bool same_state(const struct bench *a, const struct bench *b)
{
    return a->checker.thread_count == b->checker.thread_count &&
           memcmp(a->memory.threads, b->memory.threads,
                  a->memory.thread_max * sizeof(struct fxt_check_thread)) == 0 &&
           a->checker.open_count == b->checker.open_count &&
           memcmp(a->memory.opens, b->memory.opens,
                  a->memory.open_max * sizeof(struct fxt_check_open)) == 0 &&
           a->checker.full == b->checker.full;
}

static void compare(enum fxt_edition edition)
{
    struct bench *fast = new_bench();
    struct bench *slow = new_bench();
    uint64_t state = 0x9e3779b97f4a7c15u;
    unsigned accepted = 0;
    prepare(fast, edition);
    prepare(slow, edition);
    for (unsigned i = 0; i < 1000000; i++) {
        uint64_t words[64] = {0};
        uint32_t size = random_event(&state, words);
        struct fxt_record record = {.bytes = (const uint8_t *)words,
                                    .offset = 8 * (uint64_t)(i + 100),
                                    .header = words[0],
                                    .words = size > 0 ? size : 1,
                                    .type = FXT_RECORD_EVENT};
        bool plain = fxt_i_plain_event(&fast->checker, &record);
        if (!plain)
            cr_assert(same_state(fast, slow), "refused, but changed the state");
        struct fxt_i_walk walk = {.checker = &slow->checker, .record = &record};
        slow->checker.finding_count = 0;
        fxt_i_walk_event(&walk);
        if (plain) {
            accepted++;
            cr_assert_eq(slow->checker.finding_count, 0, "accepted in spite of %s",
                         fxt_rule_id(slow->checker.findings[0].rule));
        } else {
            walk.checker = &fast->checker;
            fxt_i_walk_event(&walk);
        }
        cr_assert(same_state(fast, slow), "the states went apart");
        if (i % 64 == 0)
            for (uint32_t t = 0; t < fast->memory.thread_max; t++)
                fast->memory.threads[t].last_timestamp = slow->memory.threads[t].last_timestamp = 0;
    }
    cr_assert_gt(accepted, 20000, "only %u were plain", accepted);
    free_bench(fast);
    free_bench(slow);
}

Test(plain_event, accepts_only_what_the_walk_passes_and_leaves_the_same_state)
{
    compare(FXT_EDITION_CURRENT);
}

Test(plain_event, knows_what_edition_2020_does_not_have)
{
    compare(FXT_EDITION_2020);
}
