#include "src/tools/trace/top.h"

#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>
#include <fxt/write.h>

#define ROWS 8u

static uint8_t trace[65536];
static struct fxt_writer writer;
static struct top_row rows[ROWS];
static struct top_sum sum;

static void begin(void)
{
    fxt_writer_init(&writer, trace, sizeof trace);
    fxt_write_magic(&writer);
    fxt_write_initialization(&writer, &(struct fxt_initialization){.ticks_per_second = 1000000});
}

static void put(uint16_t type, uint64_t from, uint64_t to, const char *name)
{
    const struct fxt_event event = {.event_type = type,
                                    .timestamp = from,
                                    .value = to,
                                    .thread = fxt_thread_inline(1, 2),
                                    .name = fxt_string_inline(name, strlen(name))};
    cr_assert_eq(fxt_write_event(&writer, &event, NULL, 0), FXT_OK);
}

/* In pieces of `size` bytes; returns the number of rows. */
static size_t take(size_t size)
{
    struct top *top = top_new();
    for (size_t at = 0; at < writer.size; at += size)
        top_take(top, (const char *)trace + at,
                 writer.size - at < size ? (size_t)writer.size - at : size);
    size_t count = top_rows(top, rows, ROWS, &sum);
    top_free(top);
    return count;
}

static void expect(size_t row, const char *name, uint64_t count, uint64_t self_ns)
{
    cr_expect_str_eq(rows[row].name, name);
    cr_expect_eq(rows[row].count, count);
    cr_expect_eq(rows[row].self_ns, self_ns);
}

Test(top, self_time_is_without_what_is_nested)
{
    for (size_t size = 1; size < 100; size += 7) {
        begin();
        put(FXT_EVENT_DURATION_COMPLETE, 10, 12, "inner"); /* comes before what encloses it */
        put(FXT_EVENT_DURATION_COMPLETE, 13, 16, "inner");
        put(FXT_EVENT_DURATION_COMPLETE, 10, 20, "outer");
        put(FXT_EVENT_DURATION_BEGIN, 30, 0, "outer");
        put(FXT_EVENT_DURATION_BEGIN, 31, 0, "inner");
        put(FXT_EVENT_DURATION_END, 33, 0, "");
        put(FXT_EVENT_DURATION_COMPLETE, 34, 35, "inner");
        put(FXT_EVENT_DURATION_END, 40, 0, "");
        put(FXT_EVENT_INSTANT, 50, 0, "instant");
        cr_assert_eq(take(size), 3);
        expect(0, "outer", 2, 12000);
        expect(1, "inner", 4, 8000);
        expect(2, "instant", 1, 0);
        cr_expect_eq(sum.events, 9);
    }
}

Test(top, odd_events_do_no_harm)
{
    begin();
    put(FXT_EVENT_DURATION_END, 1, 0, "");
    put(FXT_EVENT_DURATION_COMPLETE, 5, 2, "backwards");
    for (uint64_t i = 0; i < 200; i++)
        put(FXT_EVENT_DURATION_BEGIN, i, 0, "deep");
    for (uint64_t i = 0; i < 300; i++)
        put(FXT_EVENT_DURATION_END, 200 + i, 0, "");
    cr_assert_eq(take(1000), 2);
    cr_expect_str_eq(rows[0].name, "deep");
    cr_expect_eq(rows[0].count, 200);
    trace[16] = 0; /* a size of 0 words: nothing more can be read */
    trace[17] = 0;
    take(1000);
}

Test(top, names_without_room_are_counted_together)
{
    char name[16];
    begin();
    struct top *top = top_new();
    for (unsigned i = 0; i < 5000; i++) {
        if (i > 0)
            writer.size = 0;
        snprintf(name, sizeof name, "%u", i);
        put(FXT_EVENT_INSTANT, i, 0, name);
        top_take(top, (const char *)trace, (size_t)writer.size);
    }
    cr_expect_eq(top_rows(top, rows, ROWS, &sum), ROWS);
    cr_expect_eq(sum.others, 5000 - 3072);
    top_free(top);
}
