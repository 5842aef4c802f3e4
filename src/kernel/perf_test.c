/* Records of perf events, and the ring that they come from. */
#include "src/kernel/perf.h"

#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>
#include <lib/trace-engine/types.h>

TestSuite(perf, .timeout = 60);

/* A record in the making. */
static uint8_t bytes[256];
static uint16_t size;

static void add(const void *more, size_t count)
{
    memcpy(bytes + size, more, count);
    size = (uint16_t)(size + count);
}

static void add32(uint32_t value)
{
    add(&value, sizeof value);
}

static void add64(uint64_t value)
{
    add(&value, sizeof value);
}

static void begin(void)
{
    size = sizeof(struct perf_event_header);
    memset(bytes, 0, sizeof bytes);
}

static void add_origin(uint32_t process, uint32_t tid)
{
    add32(process);
    add32(tid);
    add64(1000);
    add32(3);
    add32(0);
}

static void set_header(uint32_t type, uint16_t misc)
{
    const struct perf_event_header header = {.type = type, .misc = misc, .size = size};
    memcpy(bytes, &header, sizeof header);
}

static bool decode(struct fxt_kernel_event *out)
{
    return fxt_kernel_perf_decode(out, NULL, (const struct perf_event_header *)(const void *)bytes);
}

/* No length but the whole one is believed, and nothing behind the record is read. */
static void expect_whole(uint32_t type, uint16_t misc)
{
    const uint16_t whole = size;
    for (size = sizeof(struct perf_event_header); size < whole; size++) {
        set_header(type, misc);
        uint8_t *exact = malloc(size);
        struct fxt_kernel_event out;
        memcpy(exact, bytes, size);
        fxt_kernel_perf_decode(&out, NULL, (const struct perf_event_header *)(void *)exact);
        free(exact);
    }
    set_header(type, misc);
}

static void make_switch_with(uint32_t other, uint32_t tid, uint16_t misc)
{
    begin();
    add32(other + 1);
    add32(other);
    add_origin(9, tid);
    set_header(PERF_RECORD_SWITCH_CPU_WIDE, misc);
}

static void make_switch(uint32_t tid, uint16_t misc)
{
    make_switch_with(20, tid, misc);
}

Test(perf, switch_tells_both_threads)
{
    struct fxt_kernel_event out;
    make_switch(10, PERF_RECORD_MISC_SWITCH_OUT);
    expect_whole(PERF_RECORD_SWITCH_CPU_WIDE, PERF_RECORD_MISC_SWITCH_OUT);
    cr_assert(decode(&out));
    cr_expect_eq(out.kind, FXT_KERNEL_SWITCH);
    cr_expect_eq(out.ns, 1000);
    cr_expect_eq(out.cpu, 3);
    cr_expect_eq(out.tid, 10);
    cr_expect_eq(out.process, 9);
    cr_expect_eq(out.other, 20);
    cr_expect_eq(out.prio, FXT_KERNEL_NO_PRIO);
    cr_expect_eq(out.state, TRACE_THREAD_STATE_BLOCKED);
}

Test(perf, switch_tells_why)
{
    struct fxt_kernel_event out;
    make_switch(10, PERF_RECORD_MISC_SWITCH_OUT | PERF_RECORD_MISC_SWITCH_OUT_PREEMPT);
    cr_assert(decode(&out));
    cr_expect_eq(out.state, TRACE_THREAD_STATE_SUSPENDED);
    make_switch(UINT32_MAX, PERF_RECORD_MISC_SWITCH_OUT);
    cr_assert(decode(&out));
    cr_expect_eq(out.state, TRACE_THREAD_STATE_DEAD);
    cr_expect_eq(out.tid, 0);
    make_switch(10, 0);
    cr_assert(decode(&out));
    cr_expect_eq(out.kind, FXT_KERNEL_ARRIVAL);
    cr_expect_eq(out.tid, 10);
    cr_expect_eq(out.other, 20);
}

/* The kernel has no number for it any more. */
Test(perf, switch_to_a_dead_thread_that_runs_on_is_one_to_nobody)
{
    struct fxt_kernel_event out;
    make_switch_with(UINT32_MAX, 10, PERF_RECORD_MISC_SWITCH_OUT);
    cr_assert(decode(&out));
    cr_expect_eq(out.tid, 10);
    cr_expect_eq(out.other, 0);
    make_switch_with(10, UINT32_MAX, 0);
    cr_expect_not(decode(&out));
}

static void make_task(uint32_t type)
{
    begin();
    add32(9);
    add32(8);
    add32(11);
    add32(10);
    add64(999);
    add_origin(8, 10);
    set_header(type, 0);
}

Test(perf, fork_and_exit_tell_the_thread)
{
    struct fxt_kernel_event out;
    make_task(PERF_RECORD_FORK);
    expect_whole(PERF_RECORD_FORK, 0);
    cr_assert(decode(&out));
    cr_expect_eq(out.kind, FXT_KERNEL_NAME);
    cr_expect_eq(out.process, 9);
    cr_expect_eq(out.tid, 11);
    cr_expect_eq(out.other, 10);
    cr_expect_str_eq(out.name, "");
    make_task(PERF_RECORD_EXIT);
    cr_assert(decode(&out));
    cr_expect_eq(out.kind, FXT_KERNEL_EXIT);
    cr_expect_eq(out.tid, 11);
}

static void make_comm(const char *text, size_t count)
{
    begin();
    add32(9);
    add32(11);
    add(text, count);
    add_origin(9, 11);
    set_header(PERF_RECORD_COMM, 0);
}

Test(perf, comm_tells_the_name)
{
    struct fxt_kernel_event out;
    make_comm("name\0\0\0", 8);
    expect_whole(PERF_RECORD_COMM, 0);
    cr_assert(decode(&out));
    cr_expect_eq(out.kind, FXT_KERNEL_NAME);
    cr_expect_eq(out.tid, 11);
    cr_expect_str_eq(out.name, "name");
    make_comm("sixteen letters!and more", 24);
    cr_assert(decode(&out));
    cr_expect_str_eq(out.name, "sixteen letters");
    make_comm("", 0);
    cr_assert(decode(&out));
    cr_expect_str_eq(out.name, "");
}

Test(perf, loss_tells_how_many)
{
    struct fxt_kernel_event out;
    begin();
    add64(1);
    add64(77);
    add_origin(9, 11);
    expect_whole(PERF_RECORD_LOST, 0);
    cr_assert(decode(&out));
    cr_expect_eq(out.kind, FXT_KERNEL_LOST);
    cr_expect_eq(out.number, 77);
    cr_expect_eq(out.cpu, 3);
}

Test(perf, other_records_say_nothing)
{
    struct fxt_kernel_event out;
    for (uint32_t type = 0; type < 100; type++) {
        begin();
        size = 200;
        set_header(type, 0);
        bool known = type == PERF_RECORD_LOST || type == PERF_RECORD_COMM ||
                     type == PERF_RECORD_FORK || type == PERF_RECORD_EXIT ||
                     type == PERF_RECORD_SWITCH_CPU_WIDE;
        cr_expect_eq(decode(&out), known, "%u", type);
    }
}

Test(perf, sample_of_an_unknown_tracepoint_is_passed_over)
{
    struct fxt_kernel_event out;
    const struct perf_event_header *record = (const struct perf_event_header *)(void *)bytes;
    struct tep_handle *tep = tep_alloc();
    begin();
    add_origin(9, 11);
    add32(12);
    add32(300);
    add64(0);
    set_header(PERF_RECORD_SAMPLE, 0);
    cr_expect(!fxt_kernel_perf_decode(&out, tep, record));
    cr_expect(!fxt_kernel_perf_decode(&out, NULL, record));
    memset(bytes + 32, 0xff, 4);
    cr_expect(!fxt_kernel_perf_decode(&out, tep, record), "more data than there is");
    tep_free(tep);
}

/* The ring. */

enum { RING = 256 };

static struct perf_event_mmap_page page;
static _Alignas(8) uint8_t data[RING];
static uint8_t whole[65536];
static struct fxt_kernel_ring ring = {.page = &page, .data = data, .size = RING, .whole = whole};

/* The kernel writes a record of that many bytes, all of that value but for the header. */
static void produce(uint16_t count, uint8_t value)
{
    const struct perf_event_header header = {.type = value, .size = count};
    for (uint16_t i = 0; i < count; i++) {
        uint8_t byte = value;
        if (i < sizeof header)
            memcpy(&byte, (const uint8_t *)&header + i, 1);
        data[(page.data_head + i) % RING] = byte;
    }
    page.data_head += count;
}

Test(perf, ring_hands_out_what_was_written_wherever_it_lies)
{
    uint8_t value = 0;
    for (uint16_t count = 8; count <= 120; count = (uint16_t)(count + 8))
        for (int i = 0; i < 50; i++) {
            produce(count, ++value);
            produce(8, 0);
            fxt_kernel_ring_look(&ring);
            const struct perf_event_header *record = fxt_kernel_ring_next(&ring);
            cr_assert_not_null(record);
            cr_assert_eq(record->size, count);
            cr_assert_eq(record->type, value);
            for (uint16_t at = sizeof *record; at < count; at++)
                cr_assert_eq(((const uint8_t *)record)[at], value);
            cr_assert_eq(fxt_kernel_ring_next(&ring)->size, 8);
            cr_assert_null(fxt_kernel_ring_next(&ring));
            fxt_kernel_ring_give_back(&ring, ring.tail);
            cr_assert_eq(page.data_tail, page.data_head);
        }
}

Test(perf, ring_shows_nothing_that_was_not_looked_for)
{
    produce(16, 1);
    cr_expect_null(fxt_kernel_ring_next(&ring));
    fxt_kernel_ring_look(&ring);
    cr_expect_not_null(fxt_kernel_ring_next(&ring));
}

Test(perf, ring_that_makes_no_sense_is_passed_over)
{
    produce(16, 1);
    data[6] = 4; /* its size */
    fxt_kernel_ring_look(&ring);
    cr_expect_null(fxt_kernel_ring_next(&ring));
    cr_expect_eq(ring.tail, ring.head);
    produce(16, 1);
    data[22] = 24;
    fxt_kernel_ring_look(&ring);
    cr_expect_null(fxt_kernel_ring_next(&ring));
}
