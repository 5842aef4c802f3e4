/* The window against a model that knows all durations at once, and the call trees. */
#include "src/tools/fxt/report/window.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "src/tools/fxt/report/names.h"

#define COUNT_MAX 4000
#define NAMES 8

static struct {
    struct spans spans;
    struct groups groups;
    struct calls calls;
    struct totals totals;
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
static uint64_t records;
static uint64_t seed;

static uint32_t draw(uint32_t limit)
{
    seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % limit;
}

static void set_up(uint32_t capacity)
{
    size_t size = sizeof *state;
    if (state != NULL) {
        map_clear(&state->calls.children);
        map_clear(&state->totals.lists_of);
        munmap(state, size);
    }
    state = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                 -1, 0);
    cr_assert(state != MAP_FAILED);
    groups_init(&state->groups);
    state->groups.count = NAMES + 1;
    state->spans.groups = &state->groups;
    state->spans.calls = &state->calls;
    state->spans.totals = &state->totals;
    state->spans.to = UINT64_MAX;
    state->spans.capacity = capacity;
    window = (struct window){0};
    records = 0;
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

/* A slice with the numbers of its records. */
static void add_records(const struct interval *it, uint64_t begin_number, uint64_t end_number)
{
    struct span span = {.begin = it->begin,
                        .end = it->end,
                        .begin_number = begin_number,
                        .end_number = end_number,
                        .group = it->name};
    window_add(&state->spans, &window, &span, it->name, NULL, 0);
}

/* A complete duration. */
static void add(const struct interval *it)
{
    records++;
    add_records(it, records, records);
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

/* [SUM-01] */
static bool is_outermost(int interval)
{
    for (int i = intervals[interval].parent; i >= 0; i = intervals[i].parent)
        if (intervals[i].name == intervals[interval].name)
            return false;
    return true;
}

static void expect_group_totals(void)
{
    uint64_t total[NAMES + 1] = {0};
    for (int i = 0; i < count; i++)
        total[intervals[i].name] += is_outermost(i) ? length_of(&intervals[i]) : 0;
    for (int name = 0; name <= NAMES; name++)
        cr_assert_eq(groups_total(&state->groups.it[name]), total[name], "name %d: %d, not %d",
                     name, (int)groups_total(&state->groups.it[name]), (int)total[name]);
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
    expect_group_totals();
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
    cr_assert_leq(state->groups.it[2].self, 215);
    add(&(struct interval){507, 508, 3, -1});
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
        struct span span = {
            .begin = f.begin, .end = f.end, .begin_number = i, .end_number = i, .group = 1};
        opens[1].begin = 1005; /* between the durations 125 and 126 */
        window_add(&state->spans, &window, &span, 1, opens, f.begin > 1005 ? 1 : 0);
    }
    struct span outer = {
        .begin = 1005, .end = 2400, .begin_number = 126, .end_number = 400, .group = 2};
    window_add(&state->spans, &window, &outer, 2, opens, 0);
    cr_assert_eq(state->spans.late, 0);
    cr_assert_eq(state->groups.it[2].self, 2400 - 1005 - 174 * 5);
}

Test(window, of_equal_complete_durations_the_later_one_encloses)
{
    set_up(100);
    add(&(struct interval){10, 20, 1, -1});
    add(&(struct interval){10, 30, 2, -1});
    add(&(struct interval){10, 30, 3, -1});
    cr_assert_eq(state->groups.it[2].self, 10);
    cr_assert_eq(state->groups.it[3].self, 0);
    add(&(struct interval){40, 50, 4, -1});
    add(&(struct interval){42, 45, 5, -1});
    add(&(struct interval){60, 70, 6, -1});
    add(&(struct interval){60, 70, 7, -1});
    cr_assert_eq(state->groups.it[6].self, 10);
    cr_assert_eq(state->groups.it[7].self, 0);
}

Test(window, what_lies_inside_of_two_belongs_to_the_one_that_began_later)
{
    const struct interval it[] = {{0, 100, 1, -1}, {50, 150, 2, -1}, {60, 70, 3, -1}};
    for (int order = 0; order < 6; order++) {
        set_up(100);
        int second = (order + 1 + order / 3) % 3;
        add(&it[order % 3]);
        add(&it[second]);
        add(&it[3 - order % 3 - second]);
        cr_assert_eq(state->groups.it[1].self, 100);
        cr_assert_eq(state->groups.it[2].self, 90);
        cr_assert_eq(state->spans.late, 0);
    }
}

/* ---- against the text of SLC-06 and SLC-07, by looking at all pairs */

struct slice {
    struct interval at;
    uint64_t begin_number;
    uint64_t end_number;
    uint64_t behind; /* of a complete duration that is not empty */
};

static struct slice slices[COUNT_MAX];

static bool is_whole(const struct slice *slice)
{
    return slice->begin_number == slice->end_number && slice->at.begin < slice->at.end;
}

static bool slice_ends_before(const struct slice *a, const struct slice *b)
{
    return a->at.end < b->at.end || (a->at.end == b->at.end && a->end_number < b->end_number);
}

static bool slice_begins_before(const struct slice *a, const struct slice *b)
{
    uint64_t a_number = is_whole(a) ? a->behind : a->begin_number;
    uint64_t b_number = is_whole(b) ? b->behind : b->begin_number;
    if (a->at.begin != b->at.begin)
        return a->at.begin < b->at.begin;
    if (a_number != b_number)
        return a_number < b_number;
    return is_whole(a) != is_whole(b) ? is_whole(b) : slice_ends_before(b, a);
}

static void find_parents(int number)
{
    for (int i = 0; i < number; i++)
        for (int j = 0; j < number; j++)
            if (is_whole(&slices[i]) && slices[j].begin_number != slices[j].end_number &&
                slices[j].at.begin == slices[i].at.begin &&
                slice_ends_before(&slices[i], &slices[j]) &&
                slices[j].begin_number > slices[i].behind)
                slices[i].behind = slices[j].begin_number;
    for (int i = 0; i < number; i++)
        for (int j = 0; j < number; j++) {
            int *parent = &slices[i].at.parent;
            bool is_empty = slices[i].at.begin == slices[i].at.end;
            if (slice_begins_before(&slices[j], &slices[i]) &&
                (is_empty ? slice_ends_before(&slices[i], &slices[j])
                          : slices[i].at.end <= slices[j].at.end) &&
                (*parent < 0 || slice_begins_before(&slices[*parent], &slices[j])))
                *parent = j;
        }
}

/* The time of a slice that its children do not cover, ns by ns. */
static uint64_t self_of(int number, int slice)
{
    uint64_t self = 0;
    for (uint64_t ns = slices[slice].at.begin; ns < slices[slice].at.end; ns++) {
        bool covered = false;
        for (int i = 0; i < number; i++)
            covered |=
                slices[i].at.parent == slice && slices[i].at.begin <= ns && ns < slices[i].at.end;
        self += !covered;
    }
    return self;
}

/* Few times, and so many ties; begins and ends of two providers, which may cross. */
static int draw_slices(void)
{
    int number = 2 + (int)draw(12);
    uint64_t last = 0;
    for (int i = 0; i < number; i++) {
        struct slice *slice = &slices[i];
        slice->at = (struct interval){draw(6), 0, 1 + draw(3), -1};
        slice->at.end = slice->at.begin + draw(5);
        slice->behind = 0;
        slice->end_number = ++last * 16;
        slice->begin_number = slice->end_number;
        if (draw(2) == 0)
            slice->begin_number -= 1 + (uint64_t)i + 16 * draw((uint32_t)last);
    }
    return number;
}

Test(window, slices_nest_by_the_places_of_their_records)
{
    for (uint64_t round = 0; round < 20000; round++) {
        uint64_t self[NAMES + 1] = {0};
        seed = round;
        set_up(100);
        int number = draw_slices();
        find_parents(number);
        for (int i = 0; i < number; i++) {
            self[slices[i].at.name] += self_of(number, i);
            add_records(&slices[i].at, slices[i].begin_number, slices[i].end_number);
        }
        for (int name = 1; name < NAMES; name++)
            cr_assert_eq(state->groups.it[name].self, self[name], "round %d, name %d: %d, not %d",
                         (int)round, name, (int)state->groups.it[name].self, (int)self[name]);
        cr_assert_eq(state->spans.late, 0);
        window_end(&state->spans, &window);
        count = number;
        for (int i = 0; i < number; i++)
            intervals[i] = slices[i].at;
        expect_group_totals();
    }
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
