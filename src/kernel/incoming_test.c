/* The pipe of a replay, whoever writes to it. */
#include "src/kernel/incoming.h"

#include <string.h>

#include <criterion/criterion.h>

TestSuite(incoming, .timeout = 60);

static struct fxt_kernel_incoming incoming;
static struct fxt_kernel_event got[10];
static int count;

static void put(void *data, const struct fxt_kernel_event *event, uint64_t ticks)
{
    (void)data;
    (void)ticks;
    got[count++] = *event;
}

static void add(const void *bytes, size_t size)
{
    const struct fxt_kernel_sink sink = {put, NULL};
    size_t room;
    void *place = fxt_kernel_incoming_room(&incoming, &room);
    cr_assert_leq(size, room);
    memcpy(place, bytes, size);
    fxt_kernel_incoming_add(&incoming, size, &sink);
}

Test(incoming, event_in_pieces_is_passed_on_once)
{
    const struct fxt_kernel_event event = {.ns = 7, .kind = FXT_KERNEL_EXIT, .tid = 3};
    add(&event, 1);
    add((const char *)&event + 1, sizeof event - 2);
    cr_expect_eq(count, 0);
    add((const char *)&event + sizeof event - 1, 1);
    cr_assert_eq(count, 1);
    cr_expect_eq(memcmp(&got[0], &event, sizeof event), 0);
    cr_expect_eq(incoming.kept, 0);
}

Test(incoming, event_that_nobody_sends_in_good_faith_is_a_loss)
{
    const struct fxt_kernel_event bad[] = {
        {.ns = 7, .kind = 0},
        {.ns = 7, .kind = FXT_KERNEL_ARRIVAL},
        {.ns = 7, .kind = FXT_KERNEL_SWITCH, .cpu = 65536},
        {.ns = 7, .kind = FXT_KERNEL_SWITCH, .state = 1},
        {.ns = 7, .kind = FXT_KERNEL_SWITCH, .state = 6},
        {.ns = 7, .kind = FXT_KERNEL_LOST, .number = -1},
    };
    add(bad, sizeof bad);
    cr_assert_eq(count, 6);
    for (int i = 0; i < count; i++) {
        cr_expect_eq(got[i].kind, FXT_KERNEL_LOST);
        cr_expect_eq(got[i].number, 1);
        cr_expect_eq(got[i].ns, 7);
    }
}
