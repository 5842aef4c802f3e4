/* The window against a model that knows all durations at once, and the call trees. */
#include "src/tools/fxt/report/window.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "src/tools/fxt/refs/names.h"

#define COUNT_MAX 4000
#define NAMES 8

static struct {
    struct spans spans;
    struct groups groups;
    struct calls calls;
} * state;

static struct window window;

struct interval {
    uint64_t begin;
    uint64_t end;
    uint32_t name; /* also its group */
    int parent;
};

static struct interval intervals[COUNT_MAX];
static int count;
static uint64_t seed;

static uint32_t draw(uint32_t limit)
{
    seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % limit;
}

static void set_up(uint32_t capacity)
{
    size_t size = sizeof *state;
    if (state != NULL)
        munmap(state, size);
    state = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                 -1, 0);
    cr_assert(state != MAP_FAILED);
    groups_init(&state->groups);
    state->groups.count = NAMES + 1;
    state->spans.groups = &state->groups;
    state->spans.calls = &state->calls;
    state->spans.capacity = capacity;
    window = (struct window){0};
}

static int place(uint64_t begin, uint64_t end, uint32_t name, int parent)
{
    cr_assert(count < COUNT_MAX);
    intervals[count] = (struct interval){begin, end, name, parent};
    return count++;
}

/* A random laminar family inside begin … end, in the order of begin times, no two of them equal. */
static void grow(uint64_t begin, uint64_t end, int wanted)
{
    place(begin, end, 1 + draw(NAMES - 1), -1);
    for (int i = 0; i < count && count < wanted; i++) {
        struct interval outer = intervals[i];
        uint64_t at = outer.begin + draw(3);
        while (count < wanted) {
            uint64_t length = 1 + draw((uint32_t)((outer.end - outer.begin) / 3 + 1));
            if (at + length >= outer.end)
                break;
            place(at, at + length, 1 + draw(NAMES - 1), i);
            at += length + draw(4);
        }
    }
}

static void add(const struct interval *it)
{
    struct span span = {.begin = it->begin, .end = it->end, .group = it->name};
    window_add(&state->spans, &window, &span, it->name, NULL, 0);
}

static int by_begin(const void *a, const void *b)
{
    const struct interval *left = a;
    const struct interval *right = b;
    if (left->begin != right->begin)
        return left->begin < right->begin ? -1 : 1;
    return left->end > right->end ? -1 : left->end < right->end;
}

static int by_end(const void *a, const void *b)
{
    const struct interval *left = a;
    const struct interval *right = b;
    if (left->end != right->end)
        return left->end < right->end ? -1 : 1;
    return left->begin > right->begin ? -1 : left->begin < right->begin;
}

static void add_in_order(int (*order)(const void *, const void *))
{
    static struct interval sorted[COUNT_MAX];
    memcpy(sorted, intervals, sizeof sorted);
    if (order != NULL)
        qsort(sorted, (size_t)count, sizeof *sorted, order);
    for (int i = count - 1; order == NULL && i > 0; i--) {
        int other = (int)draw((uint32_t)i + 1);
        struct interval held = sorted[i];
        sorted[i] = sorted[other];
        sorted[other] = held;
    }
    for (int i = 0; i < count; i++)
        add(&sorted[i]);
}

static uint64_t length_of(const struct interval *it)
{
    return it->end - it->begin;
}

static void expect_self_times(void)
{
    uint64_t self[NAMES + 1] = {0};
    for (int i = 0; i < count; i++) {
        self[intervals[i].name] += length_of(&intervals[i]);
        if (intervals[i].parent >= 0)
            self[intervals[intervals[i].parent].name] -= length_of(&intervals[i]);
    }
    for (int name = 0; name <= NAMES; name++)
        cr_assert_eq(state->groups.it[name].self, self[name], "name %d: %llu, not %llu", name,
                     (unsigned long long)state->groups.it[name].self,
                     (unsigned long long)self[name]);
}

/* The node at the path of an interval. */
static uint32_t node_of(uint32_t top, int interval)
{
    int path[COUNT_MAX];
    int depth = 0;
    for (int i = interval; i >= 0; i = intervals[i].parent)
        path[depth++] = i;
    uint32_t call = top;
    while (depth-- > 0) {
        call = state->calls.it[call].first;
        while (call != CALL_NONE && state->calls.it[call].name != intervals[path[depth]].name)
            call = state->calls.it[call].next;
        cr_assert_neq(call, CALL_NONE, "a stack is missing");
    }
    return call;
}

/* Totals add up, and siblings are sorted by them. */
static void expect_totals(uint32_t top)
{
    uint32_t depth = 0;
    cr_assert(calls_add_up(&state->calls, top));
    for (uint32_t call = top; call != CALL_NONE;
         call = calls_next(&state->calls, top, call, &depth)) {
        const struct call *it = &state->calls.it[call];
        uint64_t total = it->self;
        for (uint32_t i = it->first; i != CALL_NONE; i = state->calls.it[i].next) {
            uint32_t next = state->calls.it[i].next;
            total += state->calls.it[i].total;
            if (next != CALL_NONE)
                cr_assert_leq(state->calls.it[next].total, state->calls.it[i].total);
        }
        cr_assert_eq(it->total, total);
    }
}

static void expect_stacks(uint32_t top)
{
    static uint64_t counts[CALLS_MAX];
    static uint64_t selfs[CALLS_MAX];
    memset(counts, 0, (state->calls.used + 1) * sizeof *counts);
    memset(selfs, 0, (state->calls.used + 1) * sizeof *selfs);
    for (int i = 0; i < count; i++) {
        uint32_t node = node_of(top, i);
        counts[node]++;
        selfs[node] += length_of(&intervals[i]);
        if (intervals[i].parent >= 0)
            selfs[node_of(top, intervals[i].parent)] -= length_of(&intervals[i]);
    }
    uint32_t depth = 0;
    for (uint32_t call = calls_next(&state->calls, top, top, &depth); call != CALL_NONE;
         call = calls_next(&state->calls, top, call, &depth)) {
        cr_assert_eq(state->calls.it[call].count, counts[call]);
        cr_assert_eq(state->calls.it[call].self, selfs[call]);
        cr_assert_gt(depth, 0);
    }
    cr_assert_eq(depth, 0);
    expect_totals(top);
}

static void expect_exact(void)
{
    uint32_t top = window_end(&state->spans, &window);
    cr_assert_eq(state->spans.late, 0);
    cr_assert_eq(state->spans.overlap, 0);
    cr_assert_eq(window.count, 0);
    expect_self_times();
    expect_stacks(top);
}

static void fresh_family(uint64_t number, int wanted)
{
    seed = number;
    count = 0;
    grow(1000, 1000 + 400 * (uint64_t)wanted, wanted);
}

Test(window, any_order_is_exact_if_the_window_is_large_enough)
{
    for (uint64_t round = 0; round < 60; round++) {
        fresh_family(round, 20 + (int)(round % 5) * 60);
        set_up(COUNT_MAX);
        add_in_order(round % 3 == 0 ? by_begin : round % 3 == 1 ? by_end : NULL);
        expect_exact();
    }
}

Test(window, parents_first_is_exact_in_a_small_window)
{
    for (uint64_t round = 0; round < 8; round++) {
        fresh_family(round, COUNT_MAX);
        set_up(128);
        add_in_order(by_begin);
        expect_exact();
    }
}

/* Like a program of frames: many calls in each, and many frames in one run. */
static void grow_loops(int frames, int calls)
{
    count = 0;
    uint64_t at = 10;
    int run = place(1, 0, 1, -1);
    for (int i = 0; i < frames; i++) {
        int frame = place(at, 0, 2, run);
        at += 50;
        for (int j = 0; j < calls; j++) {
            place(at, at + 20, 3 + (uint32_t)j % 2, frame);
            at += 25;
        }
        intervals[frame].end = at + 50;
        at += 100;
    }
    intervals[run].end = at;
}

Test(window, loops_that_exceed_the_window_are_exact_children_first)
{
    grow_loops(5, 700);
    set_up(64);
    add_in_order(by_end);
    expect_exact();
    uint32_t nodes = state->calls.used;
    cr_assert_lt(nodes, 200, "a loop is one node, not %u", nodes);
}

/* Frames of two kinds of calls, which lie further apart than the frames do. */
Test(window, neighbours_of_equal_names_are_merged_first)
{
    uint64_t at = 10;
    count = 0;
    int run = place(1, 0, 1, -1);
    for (int i = 0; i < 5; i++) {
        int frame = place(at, 0, 2, run);
        at += 2;
        for (uint32_t j = 0; j < 300; j++) {
            place(at, at + 20, 3 + j % 2, frame);
            at += 20 + 200 * (j % 2);
        }
        intervals[frame].end = at;
        at += 2;
    }
    intervals[run].end = at;
    set_up(64);
    add_in_order(by_end);
    expect_exact();
}

Test(window, what_lost_its_place_is_counted)
{
    set_up(16);
    count = 0;
    /* In the gaps of a forest, and across its end. */
    for (uint64_t i = 0; i < 200; i++)
        add(&(struct interval){100 + 10 * i, 105 + 10 * i, 1, -1});
    add(&(struct interval){95, 310, 2, -1});
    cr_assert_eq(state->spans.late, 1);
    cr_assert_eq(state->groups.it[2].self, 215);
    add(&(struct interval){107, 108, 3, -1});
    cr_assert_eq(state->spans.late, 2);
    cr_assert_eq(state->spans.overlap, 0);
    add(&(struct interval){0, 10000, 4, -1});
    cr_assert_lt(state->groups.it[4].self, 10000);
}

Test(window, the_open_begins_keep_loops_apart)
{
    /* Equal names inside and outside of the begin, with equal gaps. */
    static struct open opens[2];
    struct interval f = {0, 5, 1, -1};
    opens[1] = (struct open){.begin = 1003};
    set_up(32);
    for (uint64_t i = 0; i < 300; i++) {
        f.begin = 8 * i;
        f.end = f.begin + 5;
        struct span span = {.begin = f.begin, .end = f.end, .group = 1};
        opens[1].begin = 1005; /* between the durations 125 and 126 */
        window_add(&state->spans, &window, &span, 1, opens, f.begin > 1005 ? 1 : 0);
    }
    struct span outer = {.begin = 1005, .end = 2400, .group = 2};
    window_add(&state->spans, &window, &outer, 2, opens, 0);
    cr_assert_eq(state->spans.late, 0);
    cr_assert_eq(state->groups.it[2].self, 2400 - 1005 - 174 * 5);
}

Test(window, equal_durations_nest_by_the_order_of_the_trace)
{
    set_up(100);
    add(&(struct interval){10, 20, 1, -1}); /* a child that ends before its parent */
    add(&(struct interval){10, 30, 2, -1});
    add(&(struct interval){10, 30, 3, -1});
    cr_assert_eq(state->groups.it[2].self, 10);
    cr_assert_eq(state->groups.it[3].self, 0);
    add(&(struct interval){40, 50, 4, -1}); /* a parent that begins before its child */
    add(&(struct interval){42, 45, 5, -1});
    add(&(struct interval){60, 70, 6, -1});
    add(&(struct interval){60, 70, 7, -1});
    cr_assert_eq(state->groups.it[6].self, 0);
    cr_assert_eq(state->groups.it[7].self, 10);
    add(&(struct interval){82, 85, 1, -1}); /* children first again */
    add(&(struct interval){80, 90, 1, -1});
    add(&(struct interval){60, 70, 8, -1});
    cr_assert_eq(state->groups.it[8].self, 0);
    cr_assert_eq(state->groups.it[6].self, 0);
}

Test(window, overlapping_durations_are_counted_and_take_no_more_than_their_time)
{
    set_up(100);
    add(&(struct interval){10, 20, 1, -1});
    add(&(struct interval){15, 25, 2, -1});
    cr_assert_eq(state->spans.overlap, 1);
    cr_assert_eq(state->groups.it[1].self, 10);
    cr_assert_eq(state->groups.it[2].self, 10);
    add(&(struct interval){0, 100, 3, -1});
    cr_assert_eq(state->groups.it[3].self, 85);
    add(&(struct interval){50, 60, 4, -1}); /* and below a parent that came before */
    add(&(struct interval){55, 65, 5, -1});
    cr_assert_eq(state->spans.overlap, 2);
    cr_assert_eq(state->groups.it[3].self, 70);
}

Test(window, any_durations_leave_a_self_time_between_zero_and_the_total)
{
    for (uint64_t round = 0; round < 40; round++) {
        uint64_t total[NAMES + 1] = {0};
        seed = round;
        set_up(8 + draw(60));
        for (int i = 0; i < 2000; i++) {
            struct interval it = {draw(1000), 0, 1 + draw(NAMES - 1), -1};
            it.end = it.begin + draw(1 + draw(300));
            total[it.name] += length_of(&it);
            add(&it);
        }
        for (int name = 1; name < NAMES; name++)
            cr_assert_leq(state->groups.it[name].self, total[name]);
        uint32_t top = window_end(&state->spans, &window);
        uint64_t counted = 0;
        uint32_t depth = 0;
        for (uint32_t call = calls_next(&state->calls, top, top, &depth); call != CALL_NONE;
             call = calls_next(&state->calls, top, call, &depth)) {
            counted += state->calls.it[call].count;
            cr_assert_lt(state->calls.it[call].self, 1000000);
        }
        cr_assert_eq(counted, 2000);
    }
}

Test(window, a_depth_beyond_the_window_ends)
{
    set_up(64);
    for (uint64_t i = 0; i < 10000; i++)
        add(&(struct interval){i, 1000000 - i, 1 + (uint32_t)(i > 0), -1});
    cr_assert_gt(state->spans.late, 0);
    cr_assert_eq(state->groups.it[1].self, 2);
    cr_assert_lt(state->groups.it[2].self, UINT64_C(1) << 40);
    for (uint64_t i = 0; i < 10000; i++)
        add(&(struct interval){2000000 - i, 2000000 + i, 2, -1});
    window_end(&state->spans, &window);
    cr_assert_eq(window.count, 0);
}
