/* Many threads, forks, signals and kills: real ones. Whatever happens, the buffer holds whole
   records. */
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "src/engine/fixture_test.h"

TestSuite(threads, .timeout = 120);

enum { THREADS = 8, EVENTS = 20000 };

static void event(int thread, int number)
{
    static const char *const names[] = {"t", "i"};
    static struct trace_i_site site = {.names = names};
    const trace_arg_value_t values[] = {trace_make_int32_arg_value(thread),
                                        trace_make_int32_arg_value(number)};
    if (trace_i_on(&site, "+c"))
        trace_i_event(&site, "+c", "n", FXT_EVENT_INSTANT, 0, values, 2);
}

static void *write_events(void *self)
{
    for (int i = 0; i < EVENTS; i++)
        event((int)(intptr_t)self, i);
    return NULL;
}

static void run_threads(void)
{
    pthread_t threads[THREADS];
    for (intptr_t i = 0; i < THREADS; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, write_events, (void *)i), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

/* Of each thread, the events in the buffer rise; returns how many there are. */
static int last[THREADS];
static int kept[THREADS];
static bool gap[THREADS];

static int count_events(void)
{
    int count = 0;
    for (int t = 0; t < THREADS; t++)
        last[t] = -1;
    memset(kept, 0, sizeof kept);
    memset(gap, 0, sizeof gap);
    for (int l = 0; l < it.count; l++) {
        int t, i;
        if (sscanf(it.lines[l], "instant +c n t:int32=%d i:int32=%d", &t, &i) != 2)
            continue;
        cr_assert(t >= 0 && t < THREADS);
        cr_assert_gt(i, last[t], "thread %d: %d after %d", t, i, last[t]);
        gap[t] = gap[t] || (last[t] != -1 && i != last[t] + 1);
        last[t] = i;
        kept[t]++;
        count++;
    }
    return count;
}

static uint64_t dropped(void)
{
    trace_engine_sizes_t sizes;
    trace_engine_get_sizes(&sizes);
    return sizes.records_dropped;
}

Test(threads, oneshot_keeps_all_or_counts_them)
{
    static const size_t sizes[] = {4096, 65536, 1 << 20, 16 << 20};
    for (size_t s = 0; s < 4; s++) {
        memset(&it, 0, sizeof it);
        set_up(TRACE_BUFFERING_MODE_ONESHOT, sizes[s]);
        start();
        run_threads();
        stop();
        read_buffer();
        cr_expect_eq((uint64_t)count_events() + dropped(), THREADS * EVENTS);
        if (sizes[s] == 16 << 20)
            cr_expect_eq(dropped(), 0);
        cr_expect_eq(count_of("string 2 +c"), 1, "one string table for all threads");
        tear_down();
    }
}

Test(threads, circular_keeps_the_last_of_each_thread)
{
    /* The durable part of a smaller one does not hold the names of all threads. */
    static const size_t sizes[] = {16384, 65536, 1 << 20, 16 << 20};
    for (size_t s = 0; s < 4; s++) {
        memset(&it, 0, sizeof it);
        set_up(TRACE_BUFFERING_MODE_CIRCULAR, sizes[s]);
        start();
        run_threads();
        stop();
        read_buffer();
        cr_expect_gt(count_events(), (int)(sizes[s] / 4096 * 4));
        for (int t = 0; t < THREADS; t++)
            cr_expect(!gap[t] || dropped() > 0, "%zu: thread %d", sizes[s], t);
        tear_down();
    }
}

/* Streaming, with a loop on a thread of its own and a handler that reads each half when it is told
   and saves it a while later. */
static pthread_mutex_t saved_lock = PTHREAD_MUTEX_INITIALIZER;
static uint8_t *saved;
static size_t saved_bytes;

static void save(trace_handler_t *handler, uint32_t wrapped_count, uint64_t durable_data_end)
{
    struct fxt_buffer_header header;
    struct fxt_error error;
    (void)handler;
    pthread_mutex_lock(&saved_lock);
    cr_assert_eq(fxt_buffer_read_header(&header, it.buffer, it.bytes, it.bytes, &error), FXT_OK);
    uint64_t half = wrapped_count & 1;
    uint64_t size = header.rolling_data_end[half];
    memcpy(saved + saved_bytes, it.buffer + 128 + header.durable_size + half * header.rolling_size,
           size);
    saved_bytes += size;
    it.fulls++;
    pthread_mutex_unlock(&saved_lock);
    cr_assert_eq(trace_engine_mark_buffer_saved(wrapped_count, durable_data_end), ZX_OK);
}

Test(threads, streaming_saves_whole_halves_and_loses_only_what_it_counts)
{
    static const size_t sizes[] = {16384, 65536, 1 << 20};
    static trace_handler_ops_t ops;
    for (size_t s = 0; s < 3; s++) {
        struct fxt_buffer_header header;
        struct fxt_error error;
        memset(&it, 0, sizeof it);
        saved = malloc(64 << 20);
        saved_bytes = 0;
        set_up(TRACE_BUFFERING_MODE_STREAMING, sizes[s]);
        ops = handler_ops;
        ops.notify_buffer_full = save;
        it.handler.ops = &ops;
        cr_assert_eq(async_loop_start_thread(it.loop, "loop", NULL), ZX_OK);
        start();
        run_threads();
        trace_engine_stop(ZX_OK);
        while (*(volatile int *)&it.stopped == 0)
            usleep(1000);
        async_loop_quit(it.loop);
        async_loop_join_threads(it.loop);
        async_loop_reset_quit(it.loop);
        begin_reading();
        cr_assert_eq(fxt_buffer_read_header(&header, it.buffer, it.bytes, it.bytes, &error),
                     FXT_OK);
        read_part(it.buffer + 128, header.durable_data_end);
        read_part(saved, saved_bytes);
        uint64_t half = header.wrapped_count & 1;
        read_part(it.buffer + 128 + header.durable_size + half * header.rolling_size,
                  header.rolling_data_end[half]);
        cr_expect_eq((uint64_t)count_events() + dropped(), THREADS * EVENTS, "%d + %" PRIu64,
                     count_events(), dropped());
        cr_expect_geq(it.fulls, 1);
        free(saved);
        tear_down();
    }
}

Test(threads, thread_that_has_ended_leaves_its_records)
{
    set_up(TRACE_BUFFERING_MODE_CIRCULAR, 65536);
    start();
    for (int i = 0; i < 300; i++) {
        pthread_t thread;
        cr_assert_eq(pthread_create(&thread, NULL, write_events, (void *)0), 0);
        pthread_join(thread, NULL);
        i += 99;
    }
    stop();
    read_buffer();
    cr_expect_eq(dropped(), 0);
    cr_expect_eq(count_from("thread "), 3);
    tear_down();
}

static void one_of_many(void)
{
    INSTANT("+c", "one of many");
}

static void *trace_one(void *self)
{
    one_of_many();
    one_of_many();
    return self;
}

static void *trace_blob_first(void *self)
{
    trace_context_t *context = trace_acquire_context();
    trace_string_ref_t name;
    trace_context_register_string_literal(context, "blob", &name);
    trace_context_write_blob_record(context, TRACE_BLOB_TYPE_DATA, &name, "x", 1);
    trace_release_context(context);
    one_of_many();
    return self;
}

Test(threads, thread_whose_first_record_is_no_event_is_named_by_its_events)
{
    pthread_t thread;
    set_up(TRACE_BUFFERING_MODE_CIRCULAR, 65536);
    start();
    one_of_many(); /* resolves the site */
    cr_assert_eq(pthread_create(&thread, NULL, trace_blob_first, NULL), 0);
    pthread_join(thread, NULL);
    stop();
    read_buffer();
    cr_expect_eq(count_of("instant +c one of many scope=0"), 2);
    cr_expect_eq(count_from("thread "), 2);
    tear_down();
}

Test(threads, more_threads_than_the_table_holds_are_written_inline)
{
    set_up(TRACE_BUFFERING_MODE_ONESHOT, 65536);
    start();
    for (int i = 0; i < 300; i++) {
        pthread_t thread;
        cr_assert_eq(pthread_create(&thread, NULL, trace_one, NULL), 0);
        pthread_join(thread, NULL);
    }
    stop();
    read_buffer();
    cr_expect_eq(count_from("thread "), 255);
    cr_expect_eq(count_of("instant +c one of many scope=0"), 600);
    cr_expect_eq(count_from("object 2 "), 300, "%d", count_from("object 2 "));
    tear_down();
}

Test(threads, forked_child_does_not_trace_into_the_parents_buffer)
{
    set_up(TRACE_BUFFERING_MODE_CIRCULAR, 65536);
    start();
    INSTANT("+c", "parent");
    pid_t child = fork();
    if (child == 0) {
        int failures = trace_state() != TRACE_STOPPED;
        event(1, 1);
        INSTANT("+c", "child");
        failures += trace_acquire_context() != NULL;
        /* It may have an engine of its own. */
        static uint8_t own[4096] __attribute__((aligned(8)));
        async_loop_create(&kAsyncLoopConfigNoAttachToThread, &it.loop);
        failures += trace_engine_initialize(async_loop_get_dispatcher(it.loop), &it.handler,
                                            TRACE_BUFFERING_MODE_ONESHOT, own, 4096) != ZX_OK;
        failures += trace_engine_start(TRACE_START_CLEAR_ENTIRE_BUFFER) != ZX_OK;
        it.buffer = own;
        it.bytes = 4096;
        INSTANT("+c", "own");
        stop();
        read_buffer();
        failures += count_of("instant +c own scope=0") != 1;
        _exit(failures);
    }
    int status;
    waitpid(child, &status, 0);
    cr_expect_eq(status, 0);
    INSTANT("+c", "parent again");
    stop();
    read_buffer();
    HAS("instant +c parent scope=0");
    HAS("instant +c parent again scope=0");
    cr_expect_eq(count_from("instant +c"), 2);
    tear_down();
}

static volatile sig_atomic_t handled;

static void on_signal(int number)
{
    (void)number;
    for (int i = 0; i < 3; i++)
        event(1, 3 * handled + i);
    handled++;
}

Test(threads, signal_handler_that_interrupts_a_record_does_no_harm)
{
    set_up(TRACE_BUFFERING_MODE_CIRCULAR, 16 << 20); /* nothing is overwritten */
    start();
    event(0, 0); /* resolves the site */
    signal(SIGALRM, on_signal);
    struct itimerval often = {{0, 100}, {0, 100}};
    setitimer(ITIMER_REAL, &often, NULL);
    int written = 1;
    for (; handled < 500 && written < 150000; written++) {
        event(0, written);
        for (volatile int pause = 0; pause < 2000; pause++)
            ;
    }
    setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
    stop();
    read_buffer();
    count_events();
    cr_expect_eq(kept[0], written, "what is interrupted is not lost");
    cr_expect_eq((uint64_t)kept[1] + dropped(), 3 * (uint64_t)handled, "%d + %" PRIu64, kept[1],
                 dropped());
    cr_expect_gt(kept[1], 10, "the handler's own");
    tear_down();
}
