/* The three modes on one thread: what is kept, what is dropped, and how a half is saved. */
#include "src/engine/engine.h"
#include "src/engine/fixture_test.h"
#include <sys/stat.h>

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
    read_part(it.buffer + 128 + header.durable_size, header.rolling_data_end[0]);
    cr_expect_gt(it.count, 50);

    uint64_t before = dropped();
    for (int i = 0; i < 10; i++)
        INSTANT("+c", "dropped");
    run_loop();
    cr_expect_eq(dropped(), before + 10);
    cr_assert_eq(fxt_buffer_read_header(&header, it.buffer, 4096, 4096, &error), FXT_OK);
    cr_expect_eq(header.records_dropped, before + 10, "for whoever finds the buffer of a dead one");
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

/* Fills the first half, about which the handler is told. */
static void fill_half(int told, bool durable_too)
{
    static char name[] = "s0000";

    for (int i = 0; durable_too && i < 1000; i++) {
        trace_string_ref_t ref;
        trace_context_t *context = trace_acquire_context();
        name[1] = (char)('0' + i / 100);
        name[2] = (char)('0' + i / 10 % 10);
        name[3] = (char)('0' + i % 10);
        trace_context_register_string_copy(context, name, 5, &ref);
        trace_release_context(context);
    }
    while (dropped() == 0)
        INSTANT("+c", "first");
    run_until(&it.fulls, told);
    cr_assert_eq(it.full_wrapped, 0);
}

static void expect_late_answer_refused(trace_start_mode_t mode, bool durable_too)
{
    memset(&it, 0, sizeof it);
    set_up(TRACE_BUFFERING_MODE_STREAMING, 4096);
    start();
    fill_half(1, durable_too);
    uint64_t of_earlier = it.full_durable_end;
    stop();
    cr_assert_eq(trace_engine_start(mode), ZX_OK);
    cr_expect_eq(trace_engine_mark_buffer_saved(0, of_earlier), ZX_ERR_BAD_STATE);
    trace_engine_sizes_t sizes;
    trace_engine_get_sizes(&sizes);
    uint64_t before = sizes.records_dropped;
    while (dropped() == before)
        INSTANT("+c", "first");
    run_until(&it.fulls, 2);
    cr_assert_eq(it.full_wrapped, 0);
    cr_expect_eq(trace_engine_mark_buffer_saved(0, of_earlier), ZX_ERR_INVALID_ARGS);
    begin_reading();
    read_part(it.buffer + 128, it.full_durable_end);
    cr_expect_gt(it.count, 0);
    cr_expect_eq(trace_engine_mark_buffer_saved(0, it.full_durable_end), ZX_OK);
    stop();
    read_buffer();
    tear_down();
}

Test(modes, late_answer_of_an_earlier_trace_saves_no_half_of_this_one)
{
    expect_late_answer_refused(TRACE_START_CLEAR_ENTIRE_BUFFER, false);
    expect_late_answer_refused(TRACE_START_CLEAR_NONDURABLE_BUFFER, false);
    expect_late_answer_refused(TRACE_START_CLEAR_NONDURABLE_BUFFER, true);
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
    cr_expect_eq(first_event, 0);
    cr_expect_eq(last_event, 19, "also those of the half that is being written");
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

Test(modes, record_that_no_half_holds_is_dropped)
{
    static uint8_t payload[31000];
    set_up(TRACE_BUFFERING_MODE_CIRCULAR, 65536);
    start();
    trace_context_t *context = trace_acquire_context();
    trace_string_ref_t name = trace_make_inline_c_string_ref("n");
    trace_context_write_blob_record(context, 1, &name, payload, 28560);
    cr_expect_eq(dropped(), 0);
    trace_context_write_blob_record(context, 1, &name, payload, 28592);
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
    cr_expect_eq(sizes.durable_size, 8192);
    cr_expect_eq(sizes.durable_bytes, 16);
    cr_expect_eq(sizes.rolling_size, 2 * 28608);
    cr_expect_eq(sizes.rolling_bytes, 0);
    count_up("n", 0, 1500);
    trace_engine_get_sizes(&sizes);
    cr_expect_eq(sizes.wrapped_count, 1);
    cr_expect_geq(sizes.rolling_bytes, 1500 * 32);
    tear_down();
}

/* Room that a buffer of shared memory takes on the machine. */
static uint64_t resident(int memory)
{
    struct stat it_is;
    cr_assert_eq(fstat(memory, &it_is), 0);
    return (uint64_t)it_is.st_blocks * 512;
}

Test(modes, large_buffer_takes_room_as_it_is_written)
{
    enum { BYTES = 1 << 30 };
    for (int mode = 0; mode <= 2; mode++) {
        memset(&it, 0, sizeof it);
        int memory = memfd_create("large", 0);
        cr_assert_eq(ftruncate(memory, BYTES), 0);
        it.bytes = BYTES;
        it.buffer = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
        cr_assert_neq(it.buffer, MAP_FAILED);
        set_up_engine((trace_buffering_mode_t)mode);
        start();
        count_up("n", 0, 1000);
        cr_expect_lt(resident(memory), 1 << 20);
        stop();
        cr_assert_eq(trace_engine_start(TRACE_START_CLEAR_ENTIRE_BUFFER), ZX_OK);
        stop();
        cr_expect_lt(resident(memory), 1 << 20);
        tear_down();
        close(memory);
    }
}

static struct fxt_buffer_header header_now(void)
{
    struct fxt_buffer_header header;
    struct fxt_error error;
    cr_assert_eq(fxt_buffer_read_header(&header, it.buffer, it.bytes, it.bytes, &error), FXT_OK);
    cr_assert_eq(header.flags, FXT_BUFFER_ENDS_KEPT);
    return header;
}

Test(modes, data_ends_are_kept_while_tracing_runs)
{
    set_up(TRACE_BUFFERING_MODE_STREAMING, 65536);
    start();
    struct fxt_buffer_header header = header_now();
    cr_expect_eq(header.durable_data_end, 16, "the initialization");
    cr_expect_eq(header.rolling_data_end[0], 0, "empty");
    cr_expect_eq(header.rolling_data_end[1], 0, "empty");
    count_up("n", 0, 500); /* of 32 bytes */
    header = header_now();
    cr_expect_gt(header.durable_data_end, 16);
    cr_expect_geq(header.rolling_data_end[0], 500 * 32);
    cr_expect_leq(header.rolling_data_end[0], 500 * 33 + 2048);
    cr_expect_eq(header.rolling_data_end[1], 0);
    read_buffer(); /* up to the ends: whole records, and all of them */
    expect_one_run();
    cr_expect_eq(last_event, 499);
    count_up("n", 500, 1000);
    header = header_now();
    cr_expect_eq(header.wrapped_count, 1);
    cr_expect_eq(header.rolling_data_end[0], 28608, "handed over");
    cr_expect_gt(header.rolling_data_end[1], 0);
    run_until(&it.fulls, 1);
    cr_expect_eq(trace_engine_mark_buffer_saved(0, it.full_durable_end), ZX_OK);
    cr_expect_eq(header_now().rolling_data_end[0], 0, "saved");
    stop();
    cr_assert_eq(trace_engine_start(TRACE_START_CLEAR_NONDURABLE_BUFFER), ZX_OK);
    header = header_now();
    cr_expect_eq(header.wrapped_count, 0);
    cr_expect_eq(header.rolling_data_end[0], 0);
    cr_expect_eq(header.rolling_data_end[1], 0);
    cr_expect_gt(header.durable_data_end, 16);
    stop();
    tear_down();
}

Test(modes, circular_records_again_after_a_clear_when_all_wrapped_counts_were_used_up)
{
    set_up(TRACE_BUFFERING_MODE_CIRCULAR, 65536);
    start();
    fxt_i_mark_full(); /* as the turn behind the last wrapped count */
    INSTANT("+c", "lost");
    stop();
    cr_assert_eq(trace_engine_start(TRACE_START_CLEAR_NONDURABLE_BUFFER), ZX_OK);
    INSTANT("+c", "kept");
    stop();
    read_buffer();
    HAS("instant +c kept scope=0");
    tear_down();
}
