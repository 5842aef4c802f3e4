/* The engine from the outside, on one thread: states, categories, references, and what stands in
   the buffer when it is stopped. */
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fxt/record.h>

#include "src/base/word.h"
#include "src/engine/fixture_test.h"
#include "src/engine/os.h"
#include "src/wire/layout.h"

TestSuite(engine, .timeout = 60);

Test(engine, normal_shutdown_is_ok)
{
    set_up(TRACE_BUFFERING_MODE_ONESHOT, 65536);
    start();
    cr_expect_eq(it.started, 1);
    stop();
    cr_expect_eq(it.disposition, ZX_OK);
    cr_expect_eq(it.bytes_written, 4096, "a chunk for the initialization record");
    tear_down();
}

Test(engine, hard_shutdown_of_the_loop_stops_the_engine)
{
    set_up(TRACE_BUFFERING_MODE_ONESHOT, 65536);
    start();
    INSTANT("+c", "before");
    async_loop_shutdown(it.loop);
    cr_expect_eq(it.stopped, 1);
    cr_expect_eq(it.terminated, 1);
    cr_expect_eq(it.disposition, ZX_ERR_CANCELED);
    cr_expect_eq(trace_state(), TRACE_STOPPED);
    read_buffer();
    HAS("instant +c before scope=0");
}

Test(engine, state_goes_from_stopped_to_started_and_back_twice)
{
    set_up(TRACE_BUFFERING_MODE_CIRCULAR, 65536);
    for (int i = 0; i < 2; i++) {
        cr_expect_eq(trace_state(), TRACE_STOPPED);
        cr_expect_not(trace_is_enabled());
        start();
        cr_expect_eq(trace_state(), TRACE_STARTED);
        cr_expect(trace_is_enabled());
        trace_engine_stop(ZX_OK);
        cr_expect_eq(trace_state(), TRACE_STOPPING);
        run_loop();
    }
    cr_expect_eq(it.stopped, 2);
    tear_down();
}

Test(engine, calls_in_the_wrong_state_are_refused)
{
    trace_handler_t handler = {&handler_ops};
    static uint8_t other[4096];
    set_up(TRACE_BUFFERING_MODE_ONESHOT, 65536);
    async_dispatcher_t *dispatcher = async_loop_get_dispatcher(it.loop);
    cr_expect_eq(trace_engine_initialize(dispatcher, &handler, 0, other, 4096), ZX_ERR_BAD_STATE);
    cr_expect_eq(trace_engine_start(0), ZX_ERR_INVALID_ARGS);
    cr_expect_eq(trace_engine_start(4), ZX_ERR_INVALID_ARGS);
    start();
    cr_expect_eq(trace_engine_start(TRACE_START_RETAIN_BUFFER), ZX_ERR_BAD_STATE);
    cr_expect_eq(trace_engine_mark_buffer_saved(0, 0), ZX_ERR_BAD_STATE);
    tear_down();
    cr_expect_eq(trace_engine_start(TRACE_START_CLEAR_ENTIRE_BUFFER), ZX_ERR_BAD_STATE);
}

Test(engine, sizes_out_of_the_limits_are_refused)
{
    trace_handler_t handler = {&handler_ops};
    async_loop_t *loop;
    static uint8_t buffer[8192];
    async_loop_create(&kAsyncLoopConfigNoAttachToThread, &loop);
    async_dispatcher_t *dispatcher = async_loop_get_dispatcher(loop);
    cr_expect_eq(trace_engine_initialize(dispatcher, &handler, 0, buffer, 0), ZX_ERR_OUT_OF_RANGE);
    cr_expect_eq(trace_engine_initialize(dispatcher, &handler, 0, buffer, 4095),
                 ZX_ERR_OUT_OF_RANGE);
    cr_expect_eq(trace_engine_initialize(dispatcher, &handler, 0, buffer, 4104),
                 ZX_ERR_OUT_OF_RANGE);
    cr_expect_eq(trace_engine_initialize(dispatcher, &handler, 3, buffer, 4096),
                 ZX_ERR_INVALID_ARGS);
    cr_expect_eq(trace_engine_initialize(NULL, &handler, 0, buffer, 4096), ZX_ERR_INVALID_ARGS);
    cr_expect_eq(trace_engine_initialize(dispatcher, NULL, 0, buffer, 4096), ZX_ERR_INVALID_ARGS);
    cr_expect_eq(trace_engine_initialize(dispatcher, &handler, 0, NULL, 4096), ZX_ERR_INVALID_ARGS);
    async_loop_destroy(loop);
}

Test(engine, category_is_enabled_while_started_only)
{
    set_up(TRACE_BUFFERING_MODE_ONESHOT, 65536);
    cr_expect_not(trace_is_category_enabled("+enabled"));
    start();
    cr_expect(trace_is_category_enabled("+enabled"));
    cr_expect_not(trace_is_category_enabled("-disabled"));
    cr_expect_not(trace_is_category_enabled(""));
    stop();
    cr_expect_not(trace_is_category_enabled("+enabled"));
    tear_down();
}

Test(engine, context_for_category_needs_the_category)
{
    trace_string_ref_t ref;
    set_up(TRACE_BUFFERING_MODE_ONESHOT, 65536);
    cr_expect_null(trace_acquire_context_for_category("+enabled", &ref));
    start();
    cr_expect_null(trace_acquire_context_for_category("-disabled", &ref));
    trace_context_t *context = trace_acquire_context_for_category("+enabled", &ref);
    cr_assert_not_null(context);
    cr_expect(trace_is_indexed_string_ref(&ref));
    trace_release_context(context);
    stop();
    cr_expect_null(trace_acquire_context_for_category("+enabled", &ref));
    tear_down();
}

Test(engine, definition_with_an_index_that_cannot_be_is_counted)
{
    trace_engine_sizes_t sizes;
    set_up(TRACE_BUFFERING_MODE_CIRCULAR, 65536);
    start();
    trace_context_t *context = trace_acquire_context();
    trace_context_write_string_record(context, 0x8000, "s", 1);
    trace_context_write_string_record(context, 0, "s", 1);
    trace_context_write_thread_record(context, 256, 1, 2);
    trace_context_write_thread_record(context, 0, 1, 2);
    trace_context_write_string_record(context, 1, "s", 1);
    trace_release_context(context);
    trace_engine_get_sizes(&sizes);
    cr_expect_eq(sizes.records_dropped, 4, "%" PRIu64, sizes.records_dropped);
    stop();
    read_buffer();
    cr_expect_eq(count_from("string "), 1);
    tear_down();
}

Test(engine, sizes_are_0_once_it_is_terminated)
{
    trace_engine_sizes_t sizes;
    set_up(TRACE_BUFFERING_MODE_CIRCULAR, 65536);
    start();
    trace_engine_get_sizes(&sizes);
    cr_expect_gt(sizes.rolling_size, 0);
    tear_down();
    trace_engine_get_sizes(&sizes);
    cr_expect_eq(sizes.rolling_size, 0);
    cr_expect_eq(sizes.durable_bytes, 0);
}

/* What a library finds that is loaded where another one was. */
Test(engine, literal_at_the_address_of_another_one_has_its_own_text)
{
    static char place[] = "first";
    trace_string_ref_t first;
    trace_string_ref_t again;
    trace_string_ref_t second;
    trace_string_ref_t shorter;
    set_up(TRACE_BUFFERING_MODE_CIRCULAR, 65536);
    start();
    trace_context_t *context = trace_acquire_context();
    trace_context_register_string_literal(context, place, &first);
    trace_context_register_string_literal(context, place, &again);
    memcpy(place, "other", 5);
    trace_context_register_string_literal(context, place, &second);
    place[2] = '\0';
    trace_context_register_string_literal(context, place, &shorter);
    trace_release_context(context);
    cr_expect_eq(again.encoded_value, first.encoded_value);
    cr_expect_neq(second.encoded_value, first.encoded_value);
    cr_expect_neq(shorter.encoded_value, second.encoded_value);
    stop();
    read_buffer();
    cr_expect_eq(count_from("string "), 3);
    tear_down();
}

static int asked;

static bool count_asked(trace_handler_t *handler, const char *category)
{
    asked++;
    return on_category(handler, category);
}

static void expect_cached(trace_site_t *site, const char *category, bool is_on)
{
    trace_string_ref_t ref;
    trace_context_t *context = trace_acquire_context_for_category_cached(category, site, &ref);
    cr_expect_eq(context != NULL, is_on, "%s", category);
    if (context != NULL)
        trace_release_context(context);
}

Test(engine, site_without_a_module_remembers_its_category_until_the_state_changes)
{
    static trace_handler_ops_t ops;
    static trace_site_t on;
    static trace_site_t off;
    set_up(TRACE_BUFFERING_MODE_ONESHOT, 65536);
    ops = handler_ops;
    ops.is_category_enabled = count_asked;
    it.handler.ops = &ops;
    for (int run = 0; run < 3; run++) {
        expect_cached(&on, "+enabled", false);
        expect_cached(&off, "-disabled", false);
        cr_expect_eq(asked, 2 * run);
        start();
        for (int i = 0; i < 3; i++) {
            expect_cached(&on, "+enabled", true);
            expect_cached(&off, "-disabled", false);
        }
        cr_expect_eq(asked, 2 * run + 2);
        stop();
    }
    tear_down();
}

#define FLAGS(it) ((it).site.state & TRACE_SITE_FLAGS_MASK)

Test(engine, site_remembers_its_category_until_the_state_changes)
{
    static struct trace_i_site on;
    static struct trace_i_site off;
    set_up(TRACE_BUFFERING_MODE_ONESHOT, 65536);
    cr_expect(!trace_i_on(&on, "+enabled"));
    cr_expect_eq(FLAGS(on), TRACE_SITE_DISABLED);
    start();
    cr_expect_eq(FLAGS(on), TRACE_SITE_UNKNOWN);
    cr_expect(trace_i_on(&on, "+enabled"));
    cr_expect_eq(FLAGS(on), TRACE_SITE_ENABLED);
    cr_expect_neq(on.site.state & ~(uintptr_t)TRACE_SITE_FLAGS_MASK, 0);
    cr_expect(!trace_i_on(&off, "-disabled"));
    cr_expect_eq(FLAGS(off), TRACE_SITE_DISABLED);
    stop();
    cr_expect_eq(FLAGS(on), TRACE_SITE_UNKNOWN);
    cr_expect_eq(FLAGS(off), TRACE_SITE_UNKNOWN);
    tear_down();
}

Test(engine, flush_of_the_category_cache_needs_a_stopped_engine)
{
    static struct trace_i_site site;
    set_up(TRACE_BUFFERING_MODE_ONESHOT, 65536);
    cr_expect(!trace_i_on(&site, "+c"));
    cr_expect_eq(FLAGS(site), TRACE_SITE_DISABLED);
    cr_expect_eq(trace_engine_flush_category_cache(), ZX_OK);
    cr_expect_eq(FLAGS(site), TRACE_SITE_UNKNOWN);
    start();
    cr_expect_eq(trace_engine_flush_category_cache(), ZX_ERR_BAD_STATE);
    tear_down();
}

Test(engine, nonces_differ_and_are_not_0)
{
    uint64_t last = trace_generate_nonce();
    cr_expect_neq(last, 0);
    for (int i = 0; i < 100; i++) {
        uint64_t next = trace_generate_nonce();
        cr_expect_neq(next, 0);
        cr_expect_neq(next, last);
        last = next;
    }
}

static uint64_t taken_from(int event)
{
    uint64_t value = 0;
    return read(event, &value, sizeof value) == sizeof value ? value : 0;
}

Test(engine, observer_sees_each_change_of_state_once)
{
    int event = eventfd(0, EFD_NONBLOCK);
    set_up(TRACE_BUFFERING_MODE_ONESHOT, 65536);
    cr_assert_eq(trace_register_observer((zx_handle_t)event), ZX_OK);
    cr_expect_eq(trace_register_observer((zx_handle_t)event), ZX_ERR_INVALID_ARGS);
    cr_expect_eq(taken_from(event), 0);
    start();
    cr_expect_eq(taken_from(event), 1);
    INSTANT("+c", "n");
    cr_expect_eq(taken_from(event), 0);
    trace_engine_stop(ZX_OK);
    cr_expect_eq(taken_from(event), 1);
    run_loop();
    cr_expect_eq(taken_from(event), 1);
    cr_expect_eq(trace_unregister_observer((zx_handle_t)event), ZX_OK);
    cr_expect_eq(trace_unregister_observer((zx_handle_t)event), ZX_ERR_NOT_FOUND);
    tear_down();
}

Test(engine, handler_is_told_of_a_start_when_all_observers_have_seen_it)
{
    zx_handle_t first = (zx_handle_t)eventfd(0, EFD_NONBLOCK);
    zx_handle_t second = (zx_handle_t)eventfd(0, EFD_NONBLOCK);
    set_up(TRACE_BUFFERING_MODE_ONESHOT, 65536);
    cr_assert_eq(trace_register_observer(first), ZX_OK);
    cr_assert_eq(trace_register_observer(second), ZX_OK);
    start();
    INSTANT("+c", "meanwhile");
    trace_notify_observer_updated(first);
    trace_notify_observer_updated(first);
    run_loop();
    cr_expect_eq(it.started, 0);
    trace_notify_observer_updated(second);
    run_until(&it.started, 1);
    trace_notify_observer_updated(second);
    run_loop();
    cr_expect_eq(it.started, 1);
    stop();
    start();
    trace_notify_observer_updated(first);
    cr_assert_eq(trace_unregister_observer(second), ZX_OK, "one that leaves is not waited for");
    run_until(&it.started, 2);
    stop();
    start();
    stop();
    cr_expect_eq(it.started, 2, "it stopped before the first had seen the start");
    start();
    trace_notify_observer_updated(first);
    run_until(&it.started, 3);
    tear_down();
}

Test(engine, current_thread_is_registered_once)
{
    trace_thread_ref_t first;
    trace_thread_ref_t second;
    set_up(TRACE_BUFFERING_MODE_ONESHOT, 65536);
    start();
    trace_context_t *context = trace_acquire_context();
    trace_context_register_current_thread(context, &first);
    trace_context_register_current_thread(context, &second);
    trace_release_context(context);
    cr_expect(trace_is_indexed_thread_ref(&first));
    cr_expect_eq(first.encoded_value, second.encoded_value);
    stop();
    read_buffer();
    HAS("thread 1");
    HAS("string 1 process");
    cr_expect_eq(count_from("object 2 "), 1);
    cr_expect_eq(it.count, 4);
    tear_down();
}

Test(engine, equal_strings_have_one_index)
{
    trace_string_ref_t a, b, c, d, empty, null, bytes;
    char copy[] = "string2";
    set_up(TRACE_BUFFERING_MODE_CIRCULAR, 65536);
    start();
    trace_context_t *context = trace_acquire_context();
    trace_context_register_string_literal(context, "string1", &a);
    trace_context_register_string_literal(context, "string1", &b);
    trace_context_register_string_literal(context, "string2", &c);
    trace_context_register_string_copy(context, copy, 7, &d);
    trace_context_register_string_literal(context, "", &empty);
    trace_context_register_string_literal(context, NULL, &null);
    trace_context_register_bytestring(context, "a\0b", 3, &bytes);
    trace_release_context(context);
    cr_expect_eq(a.encoded_value, b.encoded_value);
    cr_expect_neq(a.encoded_value, c.encoded_value);
    cr_expect_eq(c.encoded_value, d.encoded_value);
    cr_expect(trace_is_empty_string_ref(&empty));
    cr_expect(trace_is_empty_string_ref(&null));
    cr_expect(trace_is_indexed_string_ref(&bytes));
    stop();
    read_buffer();
    cr_expect_eq(count_from("string "), 3);
    HAS("string 1 string1");
    HAS("string 2 string2");
    tear_down();
}

/* The cache of copied strings has one place for those of one length, beginning and end. */
Test(engine, copied_strings_that_share_a_place_in_the_cache_have_their_own_index)
{
    static const char *const copies[] = {"beginnin_a_the_end_", "beginnin_b_the_end_", "a", "b",
                                         "beginnin"};
    enum { COUNT = sizeof copies / sizeof *copies };
    uint32_t first[COUNT];
    set_up(TRACE_BUFFERING_MODE_CIRCULAR, 65536);
    for (int start_again = 0; start_again < 2; start_again++) {
        start();
        trace_context_t *context = trace_acquire_context();
        for (int round = 0; round < 3; round++)
            for (int i = 0; i < COUNT; i++) {
                trace_string_ref_t ref;
                char copy[32];
                strcpy(copy, copies[(i + start_again) % COUNT]);
                trace_context_register_string_copy(context, copy, strlen(copy), &ref);
                first[i] = round == 0 ? ref.encoded_value : first[i];
                cr_expect_eq(first[i], (uint32_t)i + 1);
                cr_expect_eq(ref.encoded_value, first[i], "%s", copy);
            }
        trace_release_context(context);
        stop();
    }
    read_buffer();
    cr_expect_eq(count_from("string "), COUNT);
    tear_down();
}

Test(engine, full_string_table_gives_inline_strings)
{
    trace_string_ref_t ref;
    char name[16];
    set_up(TRACE_BUFFERING_MODE_CIRCULAR, 64 << 20);
    start();
    trace_context_t *context = trace_acquire_context();
    for (uint32_t i = 1; i <= 32767; i++) {
        int n = snprintf(name, sizeof name, "%u", i);
        trace_context_register_string_copy(context, name, (size_t)n, &ref);
        cr_assert_eq(ref.encoded_value, i);
    }
    trace_context_register_string_copy(context, "one more", 8, &ref);
    cr_expect(trace_is_inline_string_ref(&ref));
    trace_release_context(context);
    EVENT(FXT_EVENT_INSTANT, "+late", "inline", 1);
    stop();
    cr_expect_eq(it.disposition, ZX_OK);
    read_buffer();
    HAS("instant +late inline scope=1");
    tear_down();
}

Test(engine, records_up_to_the_maximum_can_be_allocated)
{
    static const size_t sizes[] = {0, 8, 16, TRACE_ENCODED_RECORD_MAX_LENGTH};
    set_up(TRACE_BUFFERING_MODE_ONESHOT, 1 << 20);
    start();
    trace_context_t *context = trace_acquire_context();
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        uint8_t *record = trace_context_alloc_record(context, sizes[i]);
        cr_assert_not_null(record, "%zu", sizes[i]);
        if (sizes[i] > 0)
            fxt_store_word(record, sizes[i] / 8 << 4 | UINT64_C(15) << 16);
    }
    cr_expect_null(trace_context_alloc_record(context, TRACE_ENCODED_RECORD_MAX_LENGTH + 8));
    cr_expect_null(trace_context_alloc_record(context, TRACE_ENCODED_RECORD_MAX_LENGTH + 16));
    cr_expect_null(trace_context_alloc_record(context, 12));
    trace_release_context(context);
    stop();
    read_buffer();
    tear_down();
}

Test(engine, event_with_everything_inline_is_read_back)
{
    set_up(TRACE_BUFFERING_MODE_ONESHOT, 65536);
    start();
    trace_context_t *context = trace_acquire_context();
    trace_thread_ref_t thread = trace_make_inline_thread_ref(1, 2);
    trace_string_ref_t category = trace_make_inline_c_string_ref("cat");
    trace_string_ref_t name = trace_make_inline_c_string_ref("a longer name");
    trace_arg_t arg =
        trace_make_arg(trace_make_inline_c_string_ref("argname"),
                       trace_make_string_arg_value(trace_make_inline_c_string_ref("argvalue")));
    trace_context_write_instant_event_record(context, 7, &thread, &category, &name,
                                             TRACE_SCOPE_PROCESS, &arg, 1);
    trace_release_context(context);
    stop();
    read_buffer();
    HAS("instant cat a longer name argname:string=argvalue scope=1");
    tear_down();
}

Test(engine, arguments_of_every_type_and_events_of_every_kind)
{
    set_up(TRACE_BUFFERING_MODE_STREAMING, 65536);
    start();
    static const char *const names[] = {"n", "b", "i32", "u32", "i64", "u64", "d", "s", "p", "k"};
    const trace_arg_value_t values[] = {
        trace_make_null_arg_value(),
        trace_make_bool_arg_value(true),
        trace_make_int32_arg_value(INT32_MIN),
        trace_make_uint32_arg_value(UINT32_MAX),
        trace_make_int64_arg_value(-5),
        trace_make_uint64_arg_value(UINT64_MAX),
        trace_make_double_arg_value(0.5),
        trace_make_string_arg_value(trace_make_inline_c_string_ref("twelve bytes")),
        trace_make_pointer_arg_value(4096),
        trace_make_koid_arg_value(9),
    };
    EVENT_WITH(FXT_EVENT_INSTANT, "+c", "all", 2, names, values, 10);
    EVENT_WITH(FXT_EVENT_COUNTER, "+c", "count", 5, names + 2, values + 2, 1);
    EVENT(FXT_EVENT_DURATION_BEGIN, "+c", "d", 0);
    EVENT_WITH(FXT_EVENT_DURATION_END, "+c", "d", 0, names + 3, values + 3, 1);
    EVENT(FXT_EVENT_DURATION_COMPLETE, "+c", "whole", trace_get_ticks());
    EVENT(FXT_EVENT_ASYNC_BEGIN, "+c", "a", 6);
    EVENT(FXT_EVENT_ASYNC_INSTANT, "+c", "a", 6);
    EVENT(FXT_EVENT_ASYNC_END, "+c", "a", 6);
    EVENT(FXT_EVENT_FLOW_BEGIN, "+c", "f", 7);
    EVENT(FXT_EVENT_FLOW_STEP, "+c", "f", 7);
    EVENT(FXT_EVENT_FLOW_END, "+c", "f", 7);
    EVENT(FXT_EVENT_INSTANT, "-off", "never", 0);
    stop();
    read_buffer();
    HAS("instant +c all n:null b:bool=1 i32:int32=-2147483648 u32:uint32=4294967295 i64:int64=-5 "
        "u64:uint64=18446744073709551615 d:double=0.5 s:string=twelve bytes p:pointer=4096 "
        "k:koid=9 scope=2");
    HAS("counter +c count i32:int32=-2147483648 id=5");
    HAS("begin +c d");
    HAS("end +c d u32:uint32=4294967295");
    HAS("complete +c whole");
    HAS("async-begin +c a id=6");
    HAS("async-instant +c a id=6");
    HAS("async-end +c a id=6");
    HAS("flow-begin +c f id=7");
    HAS("flow-step +c f id=7");
    HAS("flow-end +c f id=7");
    cr_expect_eq(count_from("instant -off"), 0);
    tear_down();
}

Test(engine, pidfd_stands_for_its_process)
{
    struct fxt_i_object object;
    fxt_i_describe_handle((int)syscall(SYS_pidfd_open, getpid(), 0), &object);
    cr_expect_eq(object.type, FXT_OBJECT_PROCESS);
    cr_expect_eq(object.koid, (uint64_t)getpid());
}

static uint64_t koid_of(int descriptor)
{
    struct fxt_i_object object;
    fxt_i_describe_handle(descriptor, &object);
    return object.koid;
}

Test(engine, pidfd_of_a_process_that_has_gone_stands_for_nothing)
{
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    int descriptor = (int)syscall(SYS_pidfd_open, child, 0);
    waitpid(child, NULL, 0);
    cr_expect_eq(koid_of(descriptor), 0);
    cr_expect_eq(koid_of(9999), 0);
}

Test(engine, koids_of_objects_are_neither_threads_nor_virtual_threads_nor_each_other)
{
    enum { EACH = 100, KINDS = 6 };
    static uint64_t koids[KINDS * EACH];
    int count = 0;
    for (int i = 0; i < EACH; i++) {
        int ends[2];
        cr_assert_eq(pipe(ends), 0);
        int descriptors[KINDS] = {memfd_create("x", 0),
                                  eventfd(0, 0),
                                  timerfd_create(CLOCK_MONOTONIC, 0),
                                  epoll_create1(0),
                                  socket(AF_UNIX, SOCK_STREAM, 0),
                                  ends[0]};
        for (int k = 0; k < KINDS; k++)
            koids[count++] = koid_of(descriptors[k]);
        cr_expect_eq(koid_of(ends[0]), koid_of(ends[1]), "a pipe is one object");
    }
    for (int i = 0; i < count; i++) {
        cr_expect_eq(koids[i] >> 62, 1);
        for (int j = 0; j < i; j++)
            cr_assert_neq(koids[i], koids[j], "%d and %d", i % KINDS, j % KINDS);
    }
}

Test(engine, koid_of_an_object_is_the_same_in_every_process)
{
    int ends[2];
    cr_assert_eq(pipe(ends), 0);
    int event = eventfd(0, 0);
    uint64_t mine[] = {koid_of(open("/dev/null", O_RDONLY)), koid_of(ends[0]), koid_of(event)};
    pid_t child = fork();
    if (child == 0) {
        uint64_t its[] = {koid_of(open("/dev/null", O_WRONLY)), koid_of(dup(ends[1])),
                          koid_of(dup(event))};
        _exit(memcmp(mine, its, sizeof mine) != 0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    cr_expect_eq(status, 0);
}

Test(engine, kind_of_a_value_is_that_part_of_its_header)
{
    for (uint8_t type = 0; type < 16; type++)
        for (uint16_t words = 0; words < 16; words++)
            cr_expect_eq(TRACE_I_ARG_KIND(type, words), fxt_pack_arg_plain_header(type, words, 0));
}

Test(engine, value_of_a_kind_that_does_not_exist_is_null)
{
    static const char *const names[] = {"a", "b"};
    int events = 0;
    set_up(TRACE_BUFFERING_MODE_ONESHOT, 1 << 20);
    start();
    for (uint32_t kind = 0; kind < 600; kind++) {
        trace_arg_value_t values[2] = {trace_make_uint64_arg_value(7), {kind, 0, {7}}};
        trace_arg_type_t type = trace_i_arg_type(&values[1]);
        uint32_t words = kind / 16;
        bool one = words == 1 && (type <= 2 || type == 9);
        bool two = words == 2 && type >= 3 && type <= 8 && type != TRACE_ARG_STRING;
        if (one || two || kind == TRACE_I_ARG_KIND_STRING)
            continue;
        EVENT_WITH(FXT_EVENT_INSTANT, "+c", "n", 0, names, values, 2);
        events++;
    }
    stop();
    read_buffer();
    cr_expect_eq(count_of("instant +c n a:uint64=7 b:null scope=0"), events, "%d", events);
    tear_down();
}

Test(engine, every_number_of_arguments_up_to_15)
{
    trace_arg_value_t values[16];
    const char *names[16];
    char line[400];
    set_up(TRACE_BUFFERING_MODE_ONESHOT, 65536);
    start();
    for (size_t i = 0; i < 16; i++) {
        names[i] = "a";
        values[i] = trace_make_int32_arg_value((int32_t)i);
    }
    static struct trace_i_site sites[17];
    for (size_t n = 0; n <= 16; n++) {
        sites[n].names = names;
        if (trace_i_on(&sites[n], "+c"))
            trace_i_event(&sites[n], "+c", "n", FXT_EVENT_INSTANT, 0, values, n);
    }
    stop();
    read_buffer();
    for (size_t n = 0; n <= 15; n++) {
        strcpy(line, "instant +c n");
        for (size_t i = 0; i < n; i++)
            sprintf(line + strlen(line), " a:int32=%zu", i);
        strcat(line, " scope=0");
        line[LINE - 1] = '\0';
        HAS(line);
    }
    cr_expect_eq(count_from("instant"), 16);
    cr_expect_eq(it.disposition, ZX_ERR_NO_MEMORY, "16 arguments are a record that was dropped");
    tear_down();
}

Test(engine, blobs_logs_switches_and_names)
{
    static uint8_t large[100000];
    set_up(TRACE_BUFFERING_MODE_CIRCULAR, 1 << 20);
    start();
    trace_context_t *context = trace_acquire_context();
    trace_string_ref_t name = trace_make_inline_c_string_ref("name");
    trace_string_ref_t category = trace_make_inline_c_string_ref("cat");
    trace_thread_ref_t thread = trace_make_inline_thread_ref(1, 2);
    trace_thread_ref_t vthread;
    trace_arg_t arg = trace_make_arg(name, trace_make_int32_arg_value(1));
    trace_context_write_blob_record(context, TRACE_BLOB_TYPE_DATA, &name, "payload", 7);
    char *place =
        trace_context_begin_write_blob_record(context, TRACE_BLOB_TYPE_DATA, &category, 9);
    cr_assert_not_null(place);
    memcpy(place, "in place!", 9);
    cr_expect_null(
        trace_context_begin_write_blob_record(context, TRACE_BLOB_TYPE_DATA, &name, 32001));
    trace_context_write_blob_record(context, (trace_blob_type_t)99, &name, "no such type", 12);
    cr_expect_null(trace_context_begin_write_blob_record(context, (trace_blob_type_t)0, &name, 9));
    trace_context_write_blob_event_record(context, 1, &thread, &category, &name, large,
                                          sizeof large, &arg, 1);
    trace_context_write_blob_attachment_record(context, &category, &name, large, 5);
    trace_context_write_log_record(context, 2, &thread, "a message", 9);
    trace_context_write_context_switch_record(context, 3, 1, TRACE_THREAD_STATE_BLOCKED, &thread,
                                              &thread, 1, 2);
    trace_context_write_thread_wakeup_record(context, 4, 1, 77, NULL, 0);
    trace_context_write_process_info_record(context, 55, &name);
    trace_context_write_thread_info_record(context, 55, 56, &category);
    trace_context_register_vthread(context, 0, "virtual", 12, &vthread);
    trace_context_write_duration_begin_event_record(context, 5, &vthread, &category, &name, NULL,
                                                    0);
    trace_context_write_kernel_object_record_for_handle(
        context, (zx_handle_t)memfd_create("memory", 0), &arg, 1);
    trace_context_write_kernel_object_record_for_handle(context, 9999, NULL, 0);
    trace_context_write_kernel_object_record_for_handle(
        context, (zx_handle_t)syscall(SYS_pidfd_open, getpid(), 0), NULL, 0);
    trace_context_send_alert(context, "help");
    trace_release_context(context);
    trace_release_context(NULL);
    stop();
    read_buffer();
    HAS("blob name payload");
    HAS("blob cat in place!");
    cr_expect_eq(count_from("blob"), 2, "one of an unknown type is dropped, and counted");
    HAS("large cat name 100000");
    HAS("large cat name 5");
    HAS("log a message");
    HAS("object 1 name");
    HAS("object 2 cat");
    HAS("object 2 virtual");
    HAS("object 3 /memfd:memory (deleted) name:int32=1");
    cr_expect_eq(count_from("object 0 "), 0, "what is not open is dropped, and counted");
    HAS("object 1 anon_inode:[pidfd]");
    HAS("begin cat name vthread=12");
    cr_expect_eq(count_of("record type 8"), 2);
    cr_expect_str_eq(it.alert, "help");
    tear_down();
}

static struct fxt_buffer_header read_header(void)
{
    struct fxt_buffer_header header;
    struct fxt_error error;
    cr_assert_eq(fxt_buffer_read_header(&header, it.buffer, it.bytes, it.bytes, &error), FXT_OK);
    return header;
}

Test(engine, number_that_its_field_cannot_hold_is_dropped_and_counted)
{
    static const uint32_t large[] = {256, 65535, 65536, 65537, 70000, UINT32_MAX};
    set_up(TRACE_BUFFERING_MODE_ONESHOT, 65536);
    start();
    trace_context_t *context = trace_acquire_context();
    trace_string_ref_t name = trace_make_inline_c_string_ref("name");
    trace_thread_ref_t good = trace_make_indexed_thread_ref(255);
    for (int i = 0; i < 6; i++) {
        trace_thread_ref_t bad = trace_make_indexed_thread_ref(large[i]);
        trace_context_write_context_switch_record(context, 3, large[i], 0, &good, &good, 1, 2);
        trace_context_write_context_switch_record(context, 3, 1, 0, &good, &good, large[i], 2);
        trace_context_write_context_switch_record(context, 3, 1, 0, &good, &good, 1, large[i]);
        trace_context_write_context_switch_record(context, 3, 1, 0, &bad, &good, 1, 2);
        trace_context_write_context_switch_record(context, 3, 1, 0, &good, &bad, 1, 2);
        trace_context_write_duration_begin_event_record(context, 5, &bad, &name, &name, NULL, 0);
        trace_context_write_log_record(context, 2, &bad, "a message", 9);
        trace_context_write_thread_wakeup_record(context, 4, large[i], 77, NULL, 0);
    }
    trace_context_write_context_switch_record(context, 3, 255, 0, &good, &good, 255, 255);
    trace_release_context(context);
    stop();
    read_buffer();
    cr_expect_eq(count_of("record type 8"), 1 + 2, "wakeups on processors 256 and 65535");
    cr_expect_eq(count_from("begin") + count_from("log"), 0);
    cr_expect_eq(read_header().records_dropped, 6 * 8 - 2);
    tear_down();
}

/* The sizes of the messages in the buffer, in order. */
static void expect_log_sizes(const uint64_t *sizes, int count)
{
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    struct fxt_log log;
    int found = 0;
    fxt_reader_init(&reader, it.buffer + FXT_BUFFER_HEADER_BYTES,
                    read_header().rolling_data_end[0]);
    while (fxt_reader_next(&reader, &record, &error) == FXT_OK) {
        if (fxt_read_log(&record, &log, &error) != FXT_OK)
            continue;
        cr_assert_lt(found, count);
        cr_expect_eq(log.message.size, sizes[found], "%d: %u", found, (unsigned)log.message.size);
        found++;
    }
    cr_expect_eq(found, count);
}

Test(engine, long_log_message_is_cut_between_two_characters)
{
    static const uint64_t given[] = {32000, 32728, 32729, 32745, 32760, 32761, 100000};
    static const uint64_t kept[] = {32000, 32728, 32728, 32728, 32728, 32728, 32728, 32726};
    static char text[100000];
    set_up(TRACE_BUFFERING_MODE_ONESHOT, 1 << 20);
    start();
    trace_context_t *context = trace_acquire_context();
    trace_thread_ref_t thread = trace_make_inline_thread_ref(1, 2);
    memset(text, 'x', sizeof text);
    for (int i = 0; i < 7; i++)
        trace_context_write_log_record(context, 1, &thread, text, given[i]);
    memcpy(text + 32726, "\xe2\x82\xac", 3);
    trace_context_write_log_record(context, 1, &thread, text, 40000);
    trace_release_context(context);
    stop();
    expect_log_sizes(kept, 8);
    cr_expect_eq(read_header().records_dropped, 0);
    tear_down();
}

Test(engine, prolonged_context_holds_the_stop)
{
    trace_prolonged_context_t *held[128];
    set_up(TRACE_BUFFERING_MODE_ONESHOT, 65536);
    cr_expect_null(trace_acquire_prolonged_context());
    start();
    for (int i = 0; i < 127; i++)
        cr_assert_not_null(held[i] = trace_acquire_prolonged_context());
    cr_expect_null(trace_acquire_prolonged_context());
    trace_engine_stop(ZX_OK);
    run_loop();
    for (int i = 0; i < 127; i++) {
        cr_expect_eq(it.stopped, 0);
        trace_release_prolonged_context(held[i]);
    }
    run_until(&it.stopped, 1);
    tear_down();
}

Test(engine, context_holds_the_stop)
{
    set_up(TRACE_BUFFERING_MODE_ONESHOT, 65536);
    start();
    trace_context_t *outer = trace_acquire_context();
    trace_context_t *inner = trace_acquire_context();
    cr_assert_not_null(inner);
    trace_release_context(inner);
    trace_engine_stop(ZX_OK);
    run_loop();
    usleep(2000);
    run_loop();
    cr_expect_eq(it.stopped, 0);
    trace_string_ref_t name = trace_make_inline_c_string_ref("late");
    trace_context_write_blob_record(outer, TRACE_BLOB_TYPE_DATA, &name, "x", 1);
    trace_release_context(outer);
    run_until(&it.stopped, 1);
    cr_expect_eq(it.disposition, ZX_OK, "what comes after the stop is not dropped");
    read_buffer();
    cr_expect_eq(count_from("blob"), 0);
    tear_down();
}
