/* Whether the explorer finds what is known of small programs: each is right or wrong, and a program
   of some steps has so many orders. */
#include <stdio.h>
#include <string.h>

#include "proofs/interleave/atomic.h"

bool fxt_i_fences_are_light = true;

static fxt_i_atomic x, y;
static uint64_t seen[X_THREADS_MAX][2];

static void begin(void)
{
    x.value = 0;
    y.value = 0;
    memset(seen, 0, sizeof seen);
}

/* Two threads of two steps. */
static void two_steps(int thread)
{
    fxt_i_store(thread == 0 ? &x : &y, 1);
    fxt_i_store(thread == 0 ? &x : &y, 2);
}

/* Store buffering: one of the two must see the other. */
static void buffering(int thread, void (*fence)(int thread))
{
    fxt_i_store(thread == 0 ? &x : &y, 1);
    fence(thread);
    seen[thread][0] = fxt_i_load(thread == 0 ? &y : &x);
}

static void no_fence(int thread)
{
    (void)thread;
}

static void both_fence(int thread)
{
    (void)thread;
    fxt_i_full_fence();
}

static void first_fences(int thread)
{
    if (thread == 0)
        fxt_i_full_fence();
}

static void heavy_and_light(int thread)
{
    thread == 0 ? x_fence_heavy() : x_fence_light();
}

static void heavy_alone(int thread)
{
    if (thread == 0)
        x_fence_heavy();
}

static void both_light(int thread)
{
    (void)thread;
    x_fence_light();
}

static void buffering_bare(int thread)
{
    buffering(thread, no_fence);
}

static void buffering_both(int thread)
{
    buffering(thread, both_fence);
}

static void buffering_one(int thread)
{
    buffering(thread, first_fences);
}

static void buffering_heavy(int thread)
{
    buffering(thread, heavy_and_light);
}

static void buffering_heavy_alone(int thread)
{
    buffering(thread, heavy_alone);
}

static void buffering_light(int thread)
{
    buffering(thread, both_light);
}

static void one_saw(void)
{
    if (seen[0][0] == 0 && seen[1][0] == 0)
        x_fail("neither saw the other");
}

/* Passing a message: who sees the flag sees the message. */
static void message_released(int thread)
{
    if (thread == 0) {
        fxt_i_store_relaxed(&x, 1);
        fxt_i_store(&y, 1);
    } else {
        seen[1][0] = fxt_i_load(&y);
        seen[1][1] = fxt_i_load_relaxed(&x);
    }
}

static void message_relaxed(int thread)
{
    if (thread == 0) {
        fxt_i_store_relaxed(&x, 1);
        fxt_i_store_relaxed(&y, 1);
    } else {
        seen[1][0] = fxt_i_load(&y);
        seen[1][1] = fxt_i_load_relaxed(&x);
    }
}

static void message_not_acquired(int thread)
{
    if (thread == 0) {
        fxt_i_store_relaxed(&x, 1);
        fxt_i_store(&y, 1);
    } else {
        seen[1][0] = fxt_i_load_relaxed(&y);
        seen[1][1] = fxt_i_load_relaxed(&x);
    }
}

static void message_fenced(int thread)
{
    if (thread == 0) {
        fxt_i_store_relaxed(&x, 1);
        fxt_i_full_fence();
        fxt_i_store_relaxed(&y, 1);
    } else {
        seen[1][0] = fxt_i_load_relaxed(&y);
        fxt_i_full_fence();
        seen[1][1] = fxt_i_load_relaxed(&x);
    }
}

static void message_came(void)
{
    if (seen[1][0] == 1 && seen[1][1] == 0)
        x_fail("the flag without the message");
}

/* The message is no atomic: who reads it without the order races. */
static uint64_t plain;

static void plain_released(int thread)
{
    if (thread == 0) {
        plain = 1;
        fxt_i_store(&y, 1);
    } else if (fxt_i_load(&y) == 1) {
        seen[1][0] = plain;
    }
}

static void plain_relaxed(int thread)
{
    if (thread == 0) {
        plain = 1;
        fxt_i_store_relaxed(&y, 1);
    } else if (fxt_i_load(&y) == 1) {
        seen[1][0] = plain;
    }
}

static void plain_not_acquired(int thread)
{
    if (thread == 0) {
        plain = 1;
        fxt_i_store(&y, 1);
    } else if (fxt_i_load_relaxed(&y) == 1) {
        seen[1][0] = plain;
    }
}

/* A fence orders the threads, but by itself no plain access: something has to be seen. */
static void plain_fenced(int thread)
{
    if (thread == 0)
        plain = 1;
    fxt_i_full_fence();
    if (thread == 1)
        seen[1][0] = plain;
}

/* C11's release sequence: a relaxed store of the same thread goes on with it. */
static void plain_stored_again(int thread)
{
    if (thread == 0) {
        plain = 1;
        fxt_i_store(&y, 1);
        fxt_i_store_relaxed(&y, 2);
    } else if (fxt_i_load(&y) == 2) {
        seen[1][0] = plain;
    }
}

/* So does a read-modify-write of any thread, and no store of another one. */
static void plain_added(int thread)
{
    if (thread == 0) {
        plain = 1;
        fxt_i_store(&y, 1);
    } else if (thread == 1) {
        x_add(&y.value, 8, 2, X_RELAXED);
    } else if (fxt_i_load(&y) == 3) {
        seen[2][0] = plain;
    }
}

static void plain_stored_by_other(int thread)
{
    if (thread == 0) {
        plain = 1;
        fxt_i_store(&y, 1);
    } else if (thread == 1) {
        if (fxt_i_load_relaxed(&y) == 1)
            fxt_i_store(&y, 3);
    } else if (fxt_i_load(&y) == 3) {
        seen[2][0] = plain;
    }
}

/* What another process may see: the flag, and not what is in front of it. */
static uint64_t shared[2];

static void show(void)
{
    if (shared[1] == 1 && shared[0] == 0)
        x_fail("the flag without the message, in another process");
}

static void clear_shared(void)
{
    begin();
    memset(shared, 0, sizeof shared);
}

static void publish_released(int thread)
{
    if (thread == 0) {
        shared[0] = 1;
        x_publish(&shared[1], 1, X_RELEASE);
    }
}

static void publish_relaxed(int thread)
{
    if (thread == 0) {
        x_publish(&shared[0], 1, X_RELEASE);
        x_publish(&shared[1], 1, X_RELAXED);
    }
}

/* One place is seen in its order, even relaxed. */
static void rising(int thread)
{
    if (thread == 0) {
        fxt_i_store_relaxed(&x, 1);
        fxt_i_store_relaxed(&x, 2);
    } else {
        seen[1][0] = fxt_i_load_relaxed(&x);
        seen[1][1] = fxt_i_load_relaxed(&x);
    }
}

static void it_rose(void)
{
    if (seen[1][1] < seen[1][0])
        x_fail("an older value behind a newer one");
}

/* A sum. */
static void add_by_hand(int thread)
{
    (void)thread;
    fxt_i_store(&x, fxt_i_load(&x) + 1);
}

static void add(int thread)
{
    (void)thread;
    fxt_i_add(&x, 1);
}

static void add_by_swap(int thread)
{
    (void)thread;
    uint64_t at = fxt_i_load(&x);
    while (!fxt_i_swap(&x, &at, at + 1))
        ;
}

static void sum_is_two(void)
{
    if (x.value != 2)
        x_fail("the sum is %d", (int)x.value);
}

/* Locks. */
static void take(fxt_i_atomic *lock)
{
    uint64_t none = 0;
    while (!fxt_i_swap(lock, &none, 1)) {
        none = 0;
        x_yield();
    }
}

static void crossed_locks(int thread)
{
    fxt_i_atomic *first = thread == 0 ? &x : &y;
    fxt_i_atomic *second = thread == 0 ? &y : &x;
    take(first);
    take(second);
    fxt_i_store(second, 0);
    fxt_i_store(first, 0);
}

static void same_locks(int thread)
{
    (void)thread;
    take(&x);
    take(&y);
    seen[0][0]++;
    fxt_i_store(&y, 0);
    fxt_i_store(&x, 0);
}

static void both_had_it(void)
{
    if (seen[0][0] != 2)
        x_fail("somebody did not have the locks");
}

/* Waits for what nobody does. */
static void waits_in_vain(int thread)
{
    if (thread == 0)
        fxt_i_store(&y, 1);
    while (thread == 1 && fxt_i_load(&x) == 0)
        x_yield();
}

/* A handler waits, too: what has come meanwhile, the interrupted loop has not seen yet. */
static void waits_interrupted(int thread)
{
    if (thread == 0) {
        fxt_i_store(&x, 1);
        fxt_i_store(&y, 1);
    }
    while (thread == 1 && fxt_i_load(&x) == 0) {
        fxt_i_load(&y);
        x_yield();
    }
}

static void wait_in_handler(int thread)
{
    while (thread == 1 && fxt_i_load(&y) == 0)
        x_yield();
}

/* A signal handler between the two halves of an addition. */
static void add_twice(int thread)
{
    if (thread == 1) {
        fxt_i_store(&x, fxt_i_load(&x) + 1);
        fxt_i_add(&y, 1);
    }
}

static void add_in_handler(int thread)
{
    (void)thread;
    fxt_i_store(&x, fxt_i_load(&x) + 1);
    fxt_i_add(&y, 1);
}

static void as_many(void)
{
    if (x.value != y.value)
        x_fail("%d and %d", (int)x.value, (int)y.value);
}

static int failures;

static void expect(bool right, const struct x_program *it)
{
    bool good = x_explore(it, UINT64_MAX) == right;
    failures += !good;
    printf("%s: %s\n", it->name, good ? "as expected" : right ? "NOT RIGHT" : "NOT FOUND");
}

static uint64_t expected_runs;
static uint64_t runs;

/* In the explorer's process: the last run's number is right when it fails there and not before. */
static void count_runs(void)
{
    if (++runs > expected_runs)
        x_fail("more than %d orders", (int)expected_runs);
}

static void expect_runs(int preemptions, uint64_t count)
{
    const struct x_program it = {.name = "two threads of two steps",
                                 .threads = 2,
                                 .preemptions = preemptions,
                                 .begin = begin,
                                 .end = count_runs,
                                 .run = two_steps};
    expected_runs = count;
    expect(true, &it);
    expected_runs = count - 1;
    expect(false, &it);
}

#define PROGRAM(steps, check) OF(2, steps, check)
#define OF(count, steps, check)                                                                    \
    &(const struct x_program)                                                                      \
    {                                                                                              \
        .name = #steps, .threads = count, .preemptions = 9, .stales = 9, .begin = begin,           \
        .end = check, .run = steps                                                                 \
    }

int main(void)
{
    expect_runs(0, 2);
    expect_runs(1, 4);
    expect_runs(9, 6);
    expect(false, PROGRAM(buffering_bare, one_saw));
    expect(false, PROGRAM(buffering_one, one_saw));
    expect(true, PROGRAM(buffering_both, one_saw));
    expect(true, PROGRAM(buffering_heavy, one_saw));
    expect(false, PROGRAM(buffering_heavy_alone, one_saw));
    expect(false, PROGRAM(buffering_light, one_saw));
    expect(true, PROGRAM(message_released, message_came));
    expect(false, PROGRAM(message_relaxed, message_came));
    expect(false, PROGRAM(message_not_acquired, message_came));
    expect(true, PROGRAM(message_fenced, message_came));
    expect(true, PROGRAM(plain_released, NULL));
    expect(false, PROGRAM(plain_relaxed, NULL));
    expect(false, PROGRAM(plain_not_acquired, NULL));
    expect(false, PROGRAM(plain_fenced, NULL));
    expect(true, PROGRAM(plain_stored_again, NULL));
    expect(true, OF(3, plain_added, NULL));
    expect(false, OF(3, plain_stored_by_other, NULL));
    struct x_program publishing = {.name = "publish_released",
                                   .threads = 2,
                                   .begin = clear_shared,
                                   .run = publish_released,
                                   .shown = show};
    expect(true, &publishing);
    publishing.name = "publish_relaxed";
    publishing.run = publish_relaxed;
    expect(false, &publishing);
    expect(true, PROGRAM(rising, it_rose));
    expect(false, PROGRAM(add_by_hand, sum_is_two));
    expect(true, PROGRAM(add, sum_is_two));
    expect(true, PROGRAM(add_by_swap, sum_is_two));
    expect(false, PROGRAM(crossed_locks, NULL));
    expect(true, PROGRAM(same_locks, both_had_it));
    expect(false, PROGRAM(waits_in_vain, NULL));
    expect(true, &(struct x_program){.name = "waits_interrupted",
                                     .threads = 2,
                                     .begin = begin,
                                     .run = waits_interrupted,
                                     .signal = wait_in_handler,
                                     .signals = 1});
    struct x_program handler = {.name = "handler",
                                .threads = 2,
                                .begin = begin,
                                .end = as_many,
                                .run = add_twice,
                                .signal = add_in_handler};
    expect(true, &handler);
    handler.signals = 1;
    expect(false, &handler);
    printf("%d failures\n", failures);
    return failures != 0;
}
