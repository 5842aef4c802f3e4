/* The three modes on one thread: what is kept, what is dropped, and how a half is saved. */
#include "src/engine/fixture_test.h"

TestSuite(modes, .timeout = 60);

static uint64_t dropped(void)
{
    trace_engine_sizes_t sizes;
    trace_engine_get_sizes(&sizes);
    return sizes.records_dropped;
}

static void count_up(const char *name, int from, int to)
{
    static const char *const names[] = {"i"};
    static struct trace_i_site site = {.names = names};
    for (int i = from; i < to; i++) {
        trace_arg_value_t value = trace_make_int32_arg_value(i);
        if (trace_i_on(&site, "+c"))
            trace_i_event(&site, "+c", name, FXT_EVENT_INSTANT, 0, &value, 1);
    }
}

/* The numbers of the events in the buffer, which must be one run; -1 when there are none. */
static int first_event;
static int last_event;

static void expect_one_run(void)
{
    first_event = -1;
    for (int i = 0; i < it.count; i++) {
        const char *number = strstr(it.lines[i], "i:int32=");
        if (number == NULL || strncmp(it.lines[i], "instant", 7) != 0)
            continue;
        int n = atoi(number + strlen("i:int32="));
        if (first_event == -1)
            first_event = n;
        else
            cr_assert_eq(n, last_event + 1);
        last_event = n;
    }
    cr_assert_neq(first_event, -1);
}

Test(modes, oneshot_keeps_the_first)
{
    for (size_t bytes = 4096; bytes <= 1 << 20; bytes *= 16) {
        memset(&it, 0, sizeof it);
        set_up(TRACE_BUFFERING_MODE_ONESHOT, bytes);
        start();
        count_up("n", 0, 40000);
        stop();
        read_buffer();
        expect_one_run();
        cr_expect_eq(first_event, 0);
        cr_expect_eq((uint64_t)last_event + 1 + dropped(), 40000);
        cr_expect_geq(last_event * 32, (int)bytes * 8 / 10 - 300, "%zu: %d", bytes, last_event);
        cr_expect_eq(it.disposition, ZX_ERR_NO_MEMORY);
        tear_down();
    }
}

Test(modes, circular_keeps_the_last)
{
    for (size_t bytes = 4096; bytes <= 1 << 20; bytes *= 16) {
        memset(&it, 0, sizeof it);
        set_up(TRACE_BUFFERING_MODE_CIRCULAR, bytes);
        start();
        for (int end = 1; end < 100000; end = end * 3 / 2 + 1) {
            cr_assert_eq(trace_engine_start(TRACE_START_CLEAR_ENTIRE_BUFFER),
                         end == 1 ? ZX_ERR_BAD_STATE : ZX_OK);
            count_up("n", 0, end);
            stop();
            cr_expect_eq(dropped(), 0);
            read_buffer();
            expect_one_run();
            cr_expect_eq(last_event, end - 1);
            cr_expect_eq(it.fulls, 0);
        }
        tear_down();
    }
}

Test(modes, circular_keeps_strings_and_only_the_last_kind_of_events)
{
    set_up(TRACE_BUFFERING_MODE_CIRCULAR, 4096);
    start();
    for (int i = 0; i < 512; i++)
        INSTANT("+c", "first");
    for (int i = 0; i < 512; i++)
        INSTANT("+c", "second");
    stop();
    cr_expect_eq(it.fulls, 0);
    cr_expect_eq(it.disposition, ZX_OK);
    read_buffer();
    cr_expect_eq(count_from("string 2 +c"), 1);
    cr_expect_eq(count_of("instant +c first scope=0"), 0);
    cr_expect_gt(count_of("instant +c second scope=0"), 50);
    tear_down();
}

Test(modes, streaming_drops_until_the_full_half_is_saved)
{
    struct fxt_buffer_header header;
    struct fxt_error error;
    set_up(TRACE_BUFFERING_MODE_STREAMING, 4096);
    start();
    while (dropped() == 0)
        INSTANT("+c", "first");
    cr_expect_eq(it.fulls, 0);
    run_loop();
    cr_expect_eq(it.fulls, 1);
    cr_expect_eq(it.full_wrapped, 0);
    cr_assert_eq(fxt_buffer_read_header(&header, it.buffer, 4096, 4096, &error), FXT_OK);
    cr_expect_eq(header.wrapped_count, 1);
    cr_expect_eq(header.buffering_mode, 2);
    cr_expect_eq(header.durable_data_end, it.full_durable_end);
    cr_expect_eq(header.rolling_data_end[0], header.rolling_size);
    begin_reading();
    read_part(it.buffer + 128, header.durable_data_end);
    read_part(it.buffer + 128 + 256, header.rolling_data_end[0]);
    cr_expect_gt(it.count, 50);

    uint64_t before = dropped();
    for (int i = 0; i < 10; i++)
        INSTANT("+c", "dropped");
    run_loop();
    cr_expect_eq(dropped(), before + 10);
    cr_expect_eq(it.fulls, 1, "one at a time");

    cr_expect_eq(trace_engine_mark_buffer_saved(1, it.full_durable_end), ZX_ERR_INVALID_ARGS);
    cr_expect_eq(trace_engine_mark_buffer_saved(0, it.full_durable_end + 8), ZX_ERR_INVALID_ARGS);
    cr_expect_eq(trace_engine_mark_buffer_saved(0, it.full_durable_end), ZX_OK);
    cr_expect_eq(trace_engine_mark_buffer_saved(0, it.full_durable_end), ZX_ERR_BAD_STATE);
    INSTANT("+c", "last");
    run_loop();
    cr_expect_eq(it.fulls, 2);
    cr_expect_eq(it.full_wrapped, 1);
    stop();
    cr_expect_eq(trace_engine_mark_buffer_saved(1, it.full_durable_end), ZX_ERR_BAD_STATE);
    read_buffer();
    cr_expect_eq(count_of("instant +c dropped scope=0"), 0);
    HAS("instant +c last scope=0");
    tear_down();
}

Test(modes, streaming_that_is_saved_at_once_loses_nothing)
{
    enum { EVENTS = 100000 };
    set_up(TRACE_BUFFERING_MODE_STREAMING, 65536);
    it.save_at_once = true;
    start();
    int saved = 0;
    for (int i = 0; i < EVENTS; i++) {
        count_up("n", i, i + 1);
        int before = it.fulls;
        run_loop();
        saved += it.fulls - before;
    }
    stop();
    cr_expect_eq(dropped(), 0);
    cr_expect_eq(saved, it.fulls);
    cr_expect_gt(saved, 100);
    cr_expect_eq(it.disposition, ZX_OK);
    tear_down();
}

Test(modes, flush_hands_over_a_half_that_is_not_full)
{
    set_up(TRACE_BUFFERING_MODE_STREAMING, 65536);
    cr_expect_eq(trace_engine_flush_buffer(), ZX_ERR_BAD_STATE);
    start();
    count_up("n", 0, 10);
    cr_expect_eq(trace_engine_flush_buffer(), ZX_OK);
    count_up("n", 10, 20);
    run_until(&it.fulls, 1);
    cr_expect_eq(it.full_wrapped, 0);
    read_buffer();
    expect_one_run();
    cr_expect_eq(last_event, 9);
    cr_expect_eq(trace_engine_flush_buffer(), ZX_ERR_SHOULD_WAIT);
    cr_expect_eq(trace_engine_mark_buffer_saved(0, it.full_durable_end), ZX_OK);
    cr_expect_eq(trace_engine_flush_buffer(), ZX_OK);
    run_until(&it.fulls, 2);
    cr_expect_eq(it.full_wrapped, 1);
    read_buffer();
    expect_one_run();
    cr_expect_eq(first_event, 10, "what was saved is gone");
    cr_expect_eq(last_event, 19);
    cr_expect_eq(trace_engine_mark_buffer_saved(1, it.full_durable_end), ZX_OK);
    cr_expect_eq(trace_engine_flush_buffer(), ZX_OK, "an empty half");
    run_until(&it.fulls, 3);
    cr_expect_eq(dropped(), 0);
    stop();
    cr_expect_eq(trace_engine_flush_buffer(), ZX_ERR_BAD_STATE);
    tear_down();
}

Test(modes, only_streaming_is_flushed)
{
    for (int mode = 0; mode <= 1; mode++) {
        memset(&it, 0, sizeof it);
        set_up((trace_buffering_mode_t)mode, 65536);
        start();
        cr_expect_eq(trace_engine_flush_buffer(), ZX_ERR_BAD_STATE);
        stop();
        tear_down();
    }
}

Test(modes, full_durable_part_stops_the_trace_and_leaves_no_garbage)
{
    char name[40];
    static const trace_buffering_mode_t modes[] = {TRACE_BUFFERING_MODE_CIRCULAR,
                                                   TRACE_BUFFERING_MODE_STREAMING};
    for (size_t m = 0; m < 2; m++) {
        memset(&it, 0, sizeof it);
        set_up(modes[m], 4096);
        start();
        trace_context_t *context = trace_acquire_context();
        trace_string_ref_t category = trace_make_inline_c_string_ref("c");
        trace_thread_ref_t thread = trace_make_inline_thread_ref(1, 1);
        for (int i = 0; i < 100; i++) {
            trace_string_ref_t ref;
            int n = snprintf(name, sizeof name, "name number %d", i);
            trace_context_register_string_copy(context, name, (size_t)n, &ref);
            trace_context_write_instant_event_record(context, 1, &thread, &category, &ref, 0, NULL,
                                                     0);
        }
        trace_release_context(context);
        INSTANT("+c", "not written");
        stop();
        cr_expect_eq(it.disposition, ZX_ERR_NO_MEMORY);
        cr_expect_gt(dropped(), 80);
        read_buffer();
        cr_expect_eq(count_from("instant +c not written"), 0);
        cr_expect_gt(count_from("instant c name number"), 3);
        cr_expect_eq(count_from("instant c UNKNOWN"), 0);
        tear_down();
    }
}

Test(modes, record_that_no_half_holds_is_dropped)
{
    static uint8_t payload[31000];
    set_up(TRACE_BUFFERING_MODE_CIRCULAR, 65536);
    start();
    trace_context_t *context = trace_acquire_context();
    trace_string_ref_t name = trace_make_inline_c_string_ref("n");
    trace_context_write_blob_record(context, 1, &name, payload, 30608);
    cr_expect_eq(dropped(), 0);
    trace_context_write_blob_record(context, 1, &name, payload, 30640);
    cr_expect_eq(dropped(), 1);
    trace_release_context(context);
    stop();
    read_buffer();
    cr_expect_eq(count_from("blob n"), 1);
    tear_down();
}

Test(modes, retain_goes_on_behind_the_last_run)
{
    for (int mode = 0; mode <= 2; mode++) {
        memset(&it, 0, sizeof it);
        set_up((trace_buffering_mode_t)mode, 65536);
        start();
        INSTANT("+c", "one");
        stop();
        cr_assert_eq(trace_engine_start(TRACE_START_RETAIN_BUFFER), ZX_OK);
        INSTANT("+c", "two");
        stop();
        read_buffer();
        HAS("instant +c one scope=0");
        HAS("instant +c two scope=0");
        HAS("record type 1");
        cr_assert_eq(trace_engine_start(TRACE_START_CLEAR_NONDURABLE_BUFFER), ZX_OK);
        INSTANT("+c", "three");
        stop();
        read_buffer();
        cr_expect_eq(count_of("instant +c one scope=0"), 0);
        HAS("instant +c three scope=0");
        HAS("record type 1");
        cr_assert_eq(trace_engine_start(TRACE_START_CLEAR_ENTIRE_BUFFER), ZX_OK);
        stop();
        read_buffer();
        cr_expect_eq(it.count, 1);
        tear_down();
    }
}

Test(modes, sizes_are_told)
{
    trace_engine_sizes_t sizes;
    trace_engine_get_sizes(&sizes);
    cr_expect_eq(sizes.rolling_size, 0);
    set_up(TRACE_BUFFERING_MODE_CIRCULAR, 65536);
    start();
    trace_engine_get_sizes(&sizes);
    cr_expect_eq(sizes.durable_size, 4096);
    cr_expect_eq(sizes.durable_bytes, 16);
    cr_expect_eq(sizes.rolling_size, 2 * 30656);
    cr_expect_eq(sizes.rolling_bytes, 0);
    count_up("n", 0, 1500);
    trace_engine_get_sizes(&sizes);
    cr_expect_eq(sizes.wrapped_count, 1);
    cr_expect_geq(sizes.rolling_bytes, 1500 * 32);
    tear_down();
}
