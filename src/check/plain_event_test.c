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

static uint32_t random_arg(uint64_t *state, uint64_t *words)
{
    static const uint64_t sizes[] = {1, 1, 1, 2, 2, 2, 1, 2, 2, 1, 2};
    uint64_t type = next_random(state) % 11;
    uint64_t size = around(state, sizes[type], 4);
    uint64_t name = around(state, 1 + next_random(state) % 6, 65536);
    uint64_t data = type == 1 || type == 2 ? next_random(state) % 4294967296
                    : type == 6            ? around(state, next_random(state) % 6, 65536)
                    : type == 9            ? next_random(state) % 2
                    : type == 10           ? next_random(state) % 9
                                           : 0;
    if (next_random(state) % 32 == 0)
        data ^= UINT64_C(1) << next_random(state) % 32;
    words[0] = type + 16 * size + 65536 * name + UINT64_C(4294967296) * data;
    for (uint64_t i = 1; i < size; i++)
        words[i] = next_random(state) % 3;
    return (uint32_t)size;
}

static uint32_t random_event(uint64_t *state, uint64_t *words)
{
    uint64_t type = around(state, next_random(state) % 5, 16);
    uint64_t count = next_random(state) % 4;
    uint32_t size = 2;
    words[1] = next_random(state) % 64;
    for (uint64_t i = 0; i < count; i++)
        size += random_arg(state, words + size);
    uint64_t tail = around(state, type == 1 || type == 4 || next_random(state) % 2, 3);
    for (uint64_t i = 0; i < tail; i++)
        words[size++] = next_random(state) % (type == 0 ? 4 : 80);
    uint64_t claimed = around(state, size, 8);
    words[0] = 4 + 16 * claimed + 65536 * type + 1048576 * count +
               16777216 * around(state, 1 + next_random(state) % 2, 256) +
               UINT64_C(4294967296) * around(state, next_random(state) % 3, 65536) +
               UINT64_C(281474976710656) * around(state, 1 + next_random(state) % 3, 65536);
    return (uint32_t)claimed;
}

static void prepare(struct bench *b)
{
    prologue(b);
    for (uint16_t i = 3; i <= 6; i++)
        name(b, i, i == 5 ? "same" : i == 6 ? "same" : "k");
    name(b, 4, "l");
    thread(b, 2, 100, 201);
    event(b, FXT_EVENT_INSTANT, 0, 0);
    run_check(b, FXT_EDITION_2020);
    expect_findings(b, "");
}

static bool same_state(const struct bench *a, const struct bench *b)
{
    return a->checker.thread_count == b->checker.thread_count &&
           memcmp(a->memory.threads, b->memory.threads,
                  a->memory.thread_max * sizeof(struct fxt_check_thread)) == 0 &&
           a->checker.full == b->checker.full;
}

Test(plain_event, accepts_only_what_the_walk_passes_and_leaves_the_same_state)
{
    struct bench *fast = new_bench();
    struct bench *slow = new_bench();
    uint64_t state = 0x9e3779b97f4a7c15u;
    unsigned accepted = 0;
    prepare(fast);
    prepare(slow);
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
