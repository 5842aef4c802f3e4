/* A durable part that is full: recording goes on, and what is read has the right names. */
#include <sys/syscall.h>

#include "src/engine/fixture_test.h"

TestSuite(durable, .timeout = 120);

enum { STRINGS = 20000, THREADS = 1000, THREAD_INDICES = 255 };

static struct fxt_buffer_header header_now(void)
{
    struct fxt_buffer_header header;
    struct fxt_error error;
    cr_assert_eq(fxt_buffer_read_header(&header, it.buffer, it.bytes, it.bytes, &error), FXT_OK);
    return header;
}

/* Streaming: each half is read when it is handed over. */
static uint64_t durable_read;
static uint32_t halves_read;

static void read_half(uint64_t durable_end, uint32_t wrapped)
{
    struct fxt_buffer_header header = header_now();
    read_part(it.buffer + FXT_BUFFER_HEADER_BYTES + durable_read, durable_end - durable_read);
    durable_read = durable_end;
    read_part(it.buffer + FXT_BUFFER_HEADER_BYTES + header.durable_size +
                  (wrapped & 1) * header.rolling_size,
              header.rolling_data_end[wrapped & 1]);
    halves_read = wrapped + 1;
}

static void read_full_half(void)
{
    read_half(it.full_durable_end, it.full_wrapped);
}

/* Strings of many events: they are in the table before it is full. */
static void register_literals(void)
{
    static const char *const literals[] = {"c", "i", "+c", "of a thread", "t"};
    trace_string_ref_t ref;
    trace_context_t *context = trace_acquire_context();
    for (size_t i = 0; i < sizeof literals / sizeof literals[0]; i++)
        trace_context_register_string_literal(context, literals[i], &ref);
    trace_release_context(context);
}

static void begin(trace_buffering_mode_t mode, size_t bytes)
{
    memset(&it, 0, sizeof it);
    set_up(mode, bytes);
    it.save_at_once = true;
    it.look = mode == TRACE_BUFFERING_MODE_STREAMING ? read_full_half : NULL;
    durable_read = 0;
    halves_read = 0;
    begin_reading();
    start();
    register_literals();
}

/* Stops, and reads what was not read. */
static struct fxt_buffer_header end(trace_buffering_mode_t mode)
{
    stop();
    struct fxt_buffer_header header = header_now();
    if (mode != TRACE_BUFFERING_MODE_STREAMING)
        read_buffer();
    else if (halves_read <= header.wrapped_count)
        read_half(header.durable_data_end, header.wrapped_count);
    cr_expect_eq(header.records_dropped, 0);
    cr_expect_eq(it.disposition, ZX_OK);
    return header;
}

static void write_named(int number)
{
    char name[40];
    trace_string_ref_t refs[3];
    trace_thread_ref_t thread;
    trace_context_t *context = trace_acquire_context();
    int length = snprintf(name, sizeof name, "name number %d", number);

    cr_assert_neq(context, NULL);
    trace_context_register_string_literal(context, "c", &refs[0]);
    trace_context_register_string_literal(context, "i", &refs[1]);
    trace_context_register_string_copy(context, name, (size_t)length, &refs[2]);
    trace_context_register_current_thread(context, &thread);
    const trace_arg_t arg = trace_make_arg(refs[1], trace_make_int32_arg_value(number));
    trace_context_write_instant_event_record(context, trace_get_ticks(), &thread, &refs[0],
                                             &refs[2], TRACE_SCOPE_THREAD, &arg, 1);
    trace_release_context(context);
    run_loop();
}

static uint64_t koids[THREADS];

/* Linux gives the numbers of ended threads to new ones. Such a thread writes nothing, since its
   definitions are there already. */
static bool is_koid_taken(uint64_t koid, int count)
{
    for (int i = 0; i < count; i++)
        if (koids[i] == koid)
            return true;
    return false;
}

/* Returns NULL if the thread writes nothing. */
static void *write_of_thread(void *self)
{
    static const char *const names[] = {"t"};
    static struct trace_i_site site = {.names = names};
    int thread = (int)(intptr_t)self;
    const trace_arg_value_t value = trace_make_int32_arg_value(thread);

    koids[thread] = (uint64_t)syscall(SYS_gettid);
    if (is_koid_taken(koids[thread], thread))
        return NULL;
    for (int i = 0; i < 3; i++)
        if (trace_i_on(&site, "+c"))
            trace_i_event(&site, "+c", "of a thread", FXT_EVENT_INSTANT, 0, &value, 1);
    return &koids[thread];
}

static void write_strings(void)
{
    for (int i = 0; i < STRINGS; i++)
        write_named(i);
}

static void write_threads(void)
{
    for (intptr_t t = 0; t < THREADS;) {
        pthread_t thread;
        void *written;
        cr_assert_eq(pthread_create(&thread, NULL, write_of_thread, (void *)t), 0);
        cr_assert_eq(pthread_join(thread, &written), 0);
        t += written != NULL;
        run_loop();
    }
}

/* Each event says what it is: how many there are of each kind, in their order, without a gap. */
static int strings_found;
static int threads_found;

static void expect_right_events(void)
{
    int last = -1;
    int last_thread = -1;
    strings_found = 0;
    threads_found = 0;
    for (int l = 0; l < it.count; l++) {
        int name, number, thread;
        if (sscanf(it.lines[l], "instant c name number %d i:int32=%d", &name, &number) == 2) {
            cr_assert_eq(name, number, "%s", it.lines[l]);
            cr_assert(last == -1 || number == last + 1, "%d after %d", number, last);
            cr_assert_eq(it.koids[l], (uint64_t)getpid());
            last = number;
            strings_found++;
        } else if (sscanf(it.lines[l], "instant +c of a thread t:int32=%d", &thread) == 1) {
            cr_assert(last_thread == -1 || thread == last_thread || thread == last_thread + 1);
            cr_assert_eq(it.koids[l], koids[thread]);
            last_thread = thread;
            threads_found++;
        } else {
            cr_assert_neq(strncmp(it.lines[l], "instant", 7), 0, "%s", it.lines[l]);
        }
    }
    cr_assert(last == -1 || last == STRINGS - 1);
    cr_assert(last_thread == -1 || last_thread == THREADS - 1);
}

static int strings_defined(void)
{
    int count = 0;
    for (int l = 0; l < it.count; l++)
        count += strncmp(it.lines[l], "string", 6) == 0 && strstr(it.lines[l], "name number");
    return count;
}

/* What has no record although it was asked for. A thread without an index because there are no more
   indices is no matter of room. */
static uint64_t expected_inlined(void)
{
    int defined = count_from("thread ");
    int threads = defined < THREAD_INDICES ? THREADS + 1 - defined : 0;
    int named = count_from("object 2");
    return (uint64_t)(STRINGS - strings_defined() + threads + THREADS + 1 - named);
}

static void record_and_read(trace_buffering_mode_t mode, size_t bytes, bool strings_first)
{
    begin(mode, bytes);
    if (strings_first)
        write_strings();
    write_threads();
    if (!strings_first)
        write_strings();
    struct fxt_buffer_header header = end(mode);
    expect_right_events();
    cr_expect_eq(header.definitions_inlined, expected_inlined(), "mode %d, %zu bytes: %lu not %lu",
                 mode, bytes, (unsigned long)header.definitions_inlined,
                 (unsigned long)expected_inlined());
    cr_expect_gt(header.definitions_inlined, 0);
    if (mode == TRACE_BUFFERING_MODE_STREAMING) {
        cr_expect_eq(strings_found, STRINGS);
        cr_expect_eq(threads_found, 3 * THREADS);
    }
    if (mode == TRACE_BUFFERING_MODE_CIRCULAR && header.wrapped_count > 0)
        cr_expect_gt(strings_found + threads_found, (int)(header.rolling_size / 64));
    tear_down();
}

Test(durable, full_of_strings_goes_on_inline)
{
    for (size_t bytes = 65536; bytes <= 4 << 20; bytes *= 64) {
        record_and_read(TRACE_BUFFERING_MODE_CIRCULAR, bytes, true);
        record_and_read(TRACE_BUFFERING_MODE_STREAMING, bytes, true);
    }
}

Test(durable, full_of_threads_goes_on_inline)
{
    for (size_t bytes = 65536; bytes <= 4 << 20; bytes *= 64) {
        record_and_read(TRACE_BUFFERING_MODE_CIRCULAR, bytes, false);
        record_and_read(TRACE_BUFFERING_MODE_STREAMING, bytes, false);
    }
}

Test(durable, threads_of_a_small_buffer_have_indices_before_they_have_names)
{
    begin(TRACE_BUFFERING_MODE_CIRCULAR, 65536);
    write_threads();
    end(TRACE_BUFFERING_MODE_CIRCULAR);
    cr_expect_geq(count_from("thread "), 160);
    cr_expect_geq(count_from("object 2"), 40);
    tear_down();
}

static void fill_with_strings(void)
{
    uint64_t before;
    for (int i = 0;; i++) {
        before = header_now().definitions_inlined;
        write_named(i);
        if (header_now().definitions_inlined > before && i > 1000)
            break;
    }
}

static void *write_by_site(void *again)
{
    static const char *const names[] = {"a new argument", "i"};
    const trace_arg_value_t values[] = {
        trace_make_string_arg_value(trace_make_inline_c_string_ref("some text")),
        trace_make_int32_arg_value(1)};
    for (int i = 0; i < 3; i++)
        EVENT_WITH(FXT_EVENT_DURATION_BEGIN, "+new category", "a new name", 0, names, values, 2);
    if (again != NULL)
        EVENT_WITH(FXT_EVENT_DURATION_END, "+c", "i", 0, NULL, NULL, 0);
    return NULL;
}

Test(durable, full_then_new_sites_and_new_threads_write_inline)
{
    static const trace_buffering_mode_t modes[] = {TRACE_BUFFERING_MODE_CIRCULAR,
                                                   TRACE_BUFFERING_MODE_STREAMING};
    for (size_t m = 0; m < 2; m++) {
        pthread_t thread;
        begin(modes[m], 65536);
        EVENT_WITH(FXT_EVENT_DURATION_BEGIN, "+c", "i", 0, NULL, NULL, 0);
        fill_with_strings();
        uint64_t before = header_now().definitions_inlined;
        write_by_site(NULL);
        cr_expect_eq(header_now().definitions_inlined, before + 3 * 3);
        cr_assert_eq(pthread_create(&thread, NULL, write_by_site, it.buffer), 0);
        cr_assert_eq(pthread_join(thread, NULL), 0);
        cr_expect_eq(header_now().definitions_inlined, before + 2 * 3 * 3 + 2,
                     "the thread and its name, once");
        end(modes[m]);
        cr_expect_eq(count_of("begin +new category a new name a new argument:string=some text "
                              "i:int32=1"),
                     6);
        HAS("end +c i");
        tear_down();
    }
}

Test(durable, full_then_all_records_can_be_written)
{
    static const char bytes[] = "payload";
    trace_string_ref_t name;
    trace_thread_ref_t thread;
    begin(TRACE_BUFFERING_MODE_CIRCULAR, 65536);
    fill_with_strings();
    trace_context_t *context = trace_acquire_context();
    trace_context_register_string_literal(context, "unknown name", &name);
    cr_expect(trace_is_inline_string_ref(&name));
    trace_context_register_vthread(context, 1, "virtual", 7, &thread);
    cr_expect(trace_is_inline_thread_ref(&thread));
    trace_context_write_blob_record(context, 1, &name, bytes, 7);
    memcpy(trace_context_begin_write_blob_record(context, 1, &name, 7), bytes, 7);
    trace_context_write_blob_event_record(context, 1, &thread, &name, &name, bytes, 7, NULL, 0);
    trace_context_write_log_record(context, 1, &thread, "said", 4);
    trace_context_write_context_switch_record(context, 1, 0, 0, &thread, &thread, 1, 1);
    trace_context_write_counter_event_record(context, 1, &thread, &name, &name, 9, NULL, 0);
    trace_release_context(context);
    uint64_t before = header_now().definitions_inlined;
    context = trace_acquire_context();
    trace_context_write_process_info_record(context, 1, &name);
    trace_context_write_thread_info_record(context, 1, 2, &name);
    trace_release_context(context);
    cr_expect_geq(header_now().definitions_inlined, before + 2, "names are left out");
    end(TRACE_BUFFERING_MODE_CIRCULAR);
    cr_expect_eq(count_of("blob unknown name payload"), 2);
    HAS("large unknown name unknown name 7");
    HAS("log said");
    HAS("counter unknown name unknown name id=9 vthread=7");
    cr_expect_eq(count_from("record type 8"), 1);
    tear_down();
}

/* Who defines by a number of his own is told that it did not work. */
Test(durable, full_then_definitions_by_number_are_dropped_and_counted)
{
    begin(TRACE_BUFFERING_MODE_CIRCULAR, 65536);
    fill_with_strings();
    trace_context_t *context = trace_acquire_context();
    trace_context_write_string_record(context, 30000, "a string of some length", 23);
    trace_context_write_thread_record(context, 200, 1, 2);
    trace_release_context(context);
    cr_expect_eq(header_now().records_dropped, 2);
    stop();
    cr_expect_eq(it.disposition, ZX_ERR_NO_MEMORY);
    tear_down();
}

Test(durable, room_is_counted_anew_by_each_start)
{
    begin(TRACE_BUFFERING_MODE_CIRCULAR, 65536);
    fill_with_strings();
    end(TRACE_BUFFERING_MODE_CIRCULAR);
    start();
    INSTANT("+c", "fresh");
    cr_expect_eq(header_now().definitions_inlined, 0);
    stop();
    read_buffer();
    HAS("instant +c fresh scope=0");
    cr_expect_eq(count_of("string 1 +c") + count_of("string 2 +c") + count_of("string 3 +c"), 1);
    tear_down();
}
