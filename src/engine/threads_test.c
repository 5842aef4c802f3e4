/* Many threads, forks, signals and kills: real ones. Whatever happens, the buffer holds whole
   records. */
#include <semaphore.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "src/engine/engine.h"
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

/* Destructors of thread-specific values: one key that was created before the engine's own, and one
   behind it. Each traces in every round. */
enum { ROUNDS = 4 }; /* of PTHREAD_DESTRUCTOR_ITERATIONS */
static pthread_key_t keys[2];
static struct value {
    pthread_key_t *key;
    int thread;
    int events;
    int rounds;
} values[THREADS][2];

static void trace_in_destructor(void *self)
{
    struct value *value = self;
    for (int i = 0; i < value->events; i++)
        event(value->thread, (int)(100 + value->rounds * value->events + i));
    if (++value->rounds < ROUNDS)
        pthread_setspecific(*value->key, value);
}

static int events_in_body;
static int keys_used; /* bit k: keys[k] */

static void *trace_and_leave_values(void *self)
{
    int thread = (int)(intptr_t)self;
    for (int i = 0; i < events_in_body; i++)
        event(thread, i);
    for (int k = 0; k < 2; k++)
        if ((keys_used & 1 << k) != 0)
            pthread_setspecific(keys[k], &values[thread][k]);
    return NULL;
}

static void run_threads_with_values(int in_body, int with_keys, int in_destructor)
{
    pthread_t threads[THREADS];
    events_in_body = in_body;
    keys_used = with_keys;
    for (int i = 0; i < THREADS; i++)
        for (int k = 0; k < 2; k++)
            values[i][k] = (struct value){&keys[k], i, in_destructor, 0};
    for (intptr_t i = 0; i < THREADS; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, trace_and_leave_values, (void *)i), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

static void destructors_trace(trace_buffering_mode_t mode, size_t bytes, bool all_kept)
{
    pthread_key_create(&keys[0], trace_in_destructor);
    set_up(mode, bytes); /* creates the engine's key */
    pthread_key_create(&keys[1], trace_in_destructor);
    for (int run = 0; run < 12; run++) {
        int in_body = run % 2 * 3;
        int with_keys = 1 + run / 2 % 3;
        int in_destructor = run < 6 ? 1 : 20;
        int written = THREADS * (in_body + (with_keys == 3 ? 2 : 1) * ROUNDS * in_destructor);
        start();
        run_threads_with_values(in_body, with_keys, in_destructor);
        stop();
        read_buffer();
        int found = count_from("instant +c n ");
        cr_expect_eq(found + (int)dropped(), written, "run %d: %d + %d of %d", run, found,
                     (int)dropped(), written);
        cr_expect(!all_kept || dropped() == 0);
    }
    tear_down();
}

Test(threads, destructors_of_thread_specific_values_trace)
{
    destructors_trace(TRACE_BUFFERING_MODE_ONESHOT, 16 << 20, true);
}

Test(threads, destructors_of_thread_specific_values_trace_into_a_circular_buffer)
{
    destructors_trace(TRACE_BUFFERING_MODE_CIRCULAR, 16 << 20, true);
}

/* The first event of the thread, when nothing of its end can reach the engine any more. */
static void trace_in_last_round(void *self)
{
    struct value *value = self;
    if (++value->rounds < ROUNDS)
        pthread_setspecific(keys[1], value);
    else
        event(value->thread, 0);
}

static void *leave_value(void *value)
{
    pthread_setspecific(keys[1], value);
    return NULL;
}

/* One after the other, so that each may get the memory of the last one. */
static void run_threads_that_trace_last(int count)
{
    for (int i = 0; i < count; i++) {
        struct value value = {&keys[1], 0, 1, 0};
        pthread_t thread;
        cr_assert_eq(pthread_create(&thread, NULL, leave_value, &value), 0);
        pthread_join(thread, NULL);
    }
}

Test(threads, first_event_in_the_last_round_of_destructors_leaves_no_thread_behind)
{
    enum { LAST = 3 };
    set_up(TRACE_BUFFERING_MODE_CIRCULAR, 1 << 20);
    pthread_key_create(&keys[1], trace_in_last_round); /* behind the engine's */
    for (int run = 0; run < 2; run++) {
        start();
        run_threads_that_trace_last(LAST);
        run_threads_with_values(1, 0, 0);
        run_threads_that_trace_last(LAST);
        stop();
        read_buffer();
        int found = count_from("instant +c n ");
        cr_expect_eq((uint64_t)found + dropped(), 2 * LAST + THREADS, "%d + %" PRIu64, found,
                     dropped());
    }
    tear_down();
}

Test(threads, more_threads_than_the_engine_can_know_trace_one_after_the_other_in_their_last_round)
{
    enum { MORE = 100 };
    set_up(TRACE_BUFFERING_MODE_CIRCULAR, 1 << 20);
    pthread_key_create(&keys[1], trace_in_last_round);
    start();
    run_threads_that_trace_last(FXT_I_THREADS + MORE);
    stop();
    cr_expect_eq(dropped(), 0, "%" PRIu64, dropped());
    tear_down();
}

static void *trace_and_tell_cache(void *has_cache)
{
    event(0, 0);
    *(bool *)has_cache = fxt_i_this_thread.cache != NULL;
    return NULL;
}

Test(threads, one_caches_literals_after_many_that_first_traced_in_their_last_round)
{
    bool has_cache = false;
    pthread_t thread;

    set_up(TRACE_BUFFERING_MODE_CIRCULAR, 1 << 20);
    pthread_key_create(&keys[1], trace_in_last_round);
    start();
    run_threads_that_trace_last(2 * FXT_I_CACHES);
    cr_assert_eq(pthread_create(&thread, NULL, trace_and_tell_cache, &has_cache), 0);
    pthread_join(thread, NULL);
    cr_expect(has_cache);
    tear_down();
}

/* Those that live, here all in one thread's name. */
Test(threads, events_of_more_threads_than_the_engine_can_know_are_counted)
{
    enum { MORE = 2 };
    set_up(TRACE_BUFFERING_MODE_CIRCULAR, 1 << 20);
    pthread_key_create(&keys[1], trace_in_last_round);
    start();
    fxt_i_lock(&fxt_i_engine.thread_lock);
    while (fxt_i_presence_take(fxt_i_thread_id()) != NULL)
        ;
    fxt_i_unlock(&fxt_i_engine.thread_lock);
    run_threads_that_trace_last(MORE);
    stop();
    cr_expect_eq(dropped(), MORE, "%" PRIu64, dropped());
    tear_down();
}

static void count_values(void *value)
{
    *(int *)value += 1;
}

static void *trace_with_value(void *value)
{
    pthread_setspecific(keys[0], value);
    event(0, 1);
    return NULL;
}

Test(threads, values_of_the_program_stay_its_own_when_no_key_is_left_for_the_engine)
{
    pthread_key_t key;
    pthread_t thread;
    int count = 0;

    pthread_key_create(&keys[0], count_values);
    for (int i = 0; i < 10000 && pthread_key_create(&key, NULL) == 0; i++)
        ;
    set_up(TRACE_BUFFERING_MODE_CIRCULAR, 65536);
    start();
    cr_assert_eq(pthread_create(&thread, NULL, trace_with_value, &count), 0);
    pthread_join(thread, NULL);
    stop();
    read_buffer();
    cr_expect_eq(count, 1);
    cr_expect_eq(count_from("instant +c n "), 1);
    tear_down();
}

static size_t large_bytes;

static void write_blob(char first, size_t size)
{
    static char bytes[8192];
    trace_context_t *context = trace_acquire_context();
    const trace_string_ref_t name = trace_make_inline_c_string_ref("b");

    memset(bytes, first, size);
    trace_context_write_blob_record(context, TRACE_BLOB_TYPE_DATA, &name, bytes, size);
    trace_release_context(context);
}

static void write_large_one_between_small_ones(void *unused)
{
    (void)unused;
    write_blob('2', 8);
    write_blob('3', large_bytes);
    write_blob('4', 8);
    write_blob('5', 8);
}

static void *write_one_before_the_end(void *unused)
{
    write_blob('1', 8);
    pthread_setspecific(keys[1], &large_bytes);
    return unused;
}

/* The large one may leave no room behind it, much or little, and does not fit where the first is. */
Test(threads, records_of_an_ending_thread_stay_in_order)
{
    set_up(TRACE_BUFFERING_MODE_CIRCULAR, 65536);
    pthread_key_create(&keys[1], write_large_one_between_small_ones); /* behind the engine's */
    for (large_bytes = 1024; large_bytes < 6144; large_bytes += 8) {
        char order[16] = "";
        pthread_t thread;
        start();
        cr_assert_eq(pthread_create(&thread, NULL, write_one_before_the_end, NULL), 0);
        pthread_join(thread, NULL);
        stop();
        read_buffer();
        for (int l = 0; l < it.count && strlen(order) < 15; l++)
            if (strncmp(it.lines[l], "blob b ", 7) == 0)
                strncat(order, it.lines[l] + 7, 1);
        cr_expect_str_eq(order, "12345", "%zu bytes: %s", large_bytes, order);
        cr_expect_eq(dropped(), 0);
    }
    tear_down();
}

static trace_context_t *held;

static void release_held(void *self)
{
    trace_string_ref_t name;
    (void)self;
    trace_context_register_string_literal(held, "late", &name);
    trace_context_write_blob_record(held, TRACE_BLOB_TYPE_DATA, &name, "x", 1);
    trace_release_context(held);
    event(0, 2);
}

static void *hold_to_the_end(void *self)
{
    event(0, 1);
    held = trace_acquire_context();
    pthread_setspecific(keys[0], self);
    return NULL;
}

Test(threads, context_that_is_held_beyond_the_engines_destructor_finds_no_room)
{
    pthread_t thread;
    set_up(TRACE_BUFFERING_MODE_CIRCULAR, 65536);
    pthread_key_create(&keys[0], release_held);
    start();
    cr_assert_eq(pthread_create(&thread, NULL, hold_to_the_end, &keys[0]), 0);
    pthread_join(thread, NULL);
    run_threads_with_values(1, 0, 0);
    stop();
    read_buffer();
    cr_expect_eq(count_from("instant +c n "), 1 + THREADS);
    cr_expect_eq(count_from("blob "), 0);
    cr_expect_eq(dropped(), 2, "the blob and the event behind it");
    tear_down();
}

static void start_anew(void *self)
{
    (void)self;
    trace_release_context(held);
    stop();
    start();
}

Test(threads, trace_that_an_ending_thread_starts_has_its_tick_rate)
{
    pthread_t thread;
    set_up(TRACE_BUFFERING_MODE_CIRCULAR, 65536);
    pthread_key_create(&keys[0], start_anew);
    start();
    cr_assert_eq(pthread_create(&thread, NULL, hold_to_the_end, &keys[0]), 0);
    pthread_join(thread, NULL);
    stop();
    read_buffer();
    cr_expect_eq(it.count, 1, "the initialization record");
    cr_expect_eq(dropped(), 0);
    tear_down();
}

Test(threads, what_destructors_trace_is_counted_when_it_finds_no_room)
{
    destructors_trace(TRACE_BUFFERING_MODE_ONESHOT, 4096, false);
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

static sem_t is_inside, is_over;

static void *hold_context(void *unused)
{
    trace_context_t *context = trace_acquire_context();
    (void)unused;
    sem_post(&is_inside);
    sem_wait(&is_over);
    trace_release_context(context);
    return NULL;
}

Test(threads, forked_child_traces_though_a_thread_of_the_parent_was_inside)
{
    pthread_t thread;

    sem_init(&is_inside, 0, 0);
    sem_init(&is_over, 0, 0);
    set_up(TRACE_BUFFERING_MODE_CIRCULAR, 65536);
    start();
    pthread_create(&thread, NULL, hold_context, NULL);
    sem_wait(&is_inside);
    pid_t child = fork();
    if (child == 0) {
        set_up(TRACE_BUFFERING_MODE_CIRCULAR, 65536);
        start();
        INSTANT("+c", "child");
        stop();
        read_buffer();
        _exit(count_of("instant +c child scope=0") != 1 || dropped() != 0);
    }
    int status;
    waitpid(child, &status, 0);
    cr_expect_eq(status, 0);
    sem_post(&is_over);
    pthread_join(thread, NULL);
    stop();
    tear_down();
}

Test(threads, forked_child_may_release_a_prolonged_context_of_its_parent)
{
    set_up(TRACE_BUFFERING_MODE_CIRCULAR, 65536);
    start();
    trace_prolonged_context_t *prolonged = trace_acquire_prolonged_context();
    cr_assert_not_null(prolonged);
    pid_t child = fork();
    if (child == 0) {
        trace_release_prolonged_context(prolonged);
        set_up(TRACE_BUFFERING_MODE_CIRCULAR, 65536);
        start();
        prolonged = trace_acquire_prolonged_context();
        if (prolonged == NULL)
            _exit(1);
        trace_release_prolonged_context(prolonged);
        stop();
        _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    cr_expect_eq(status, 0);
    trace_release_prolonged_context(prolonged);
    stop();
    tear_down();
}

static void trace_in_child(void)
{
    INSTANT("+c", "in the child");
}

/* The engine's fork handlers are the first ones in the child, though it was not used before. */
Test(threads, fork_handler_of_the_program_does_not_trace_into_the_parents_buffer)
{
    pthread_atfork(NULL, NULL, trace_in_child);
    set_up(TRACE_BUFFERING_MODE_CIRCULAR, 65536);
    start();
    trace_in_child(); /* the site asks */
    for (int i = 0; i < 10; i++) {
        INSTANT("+c", "parent");
        pid_t child = fork();
        if (child == 0)
            _exit(0);
        waitpid(child, NULL, 0);
    }
    stop();
    read_buffer();
    cr_expect_eq(count_of("instant +c parent scope=0"), 10);
    cr_expect_eq(count_of("instant +c in the child scope=0"), 1, "the parent's");
    tear_down();
}

static trace_site_t cached;

/* Whether an event of a category that is on is written. */
static bool is_written(const char *category)
{
    trace_string_ref_t ref;
    trace_context_t *context = trace_acquire_context_for_category_cached(category, &cached, &ref);
    if (context != NULL)
        trace_release_context(context);
    return context != NULL;
}

static bool nothing_is_on(trace_handler_t *handler, const char *category)
{
    (void)handler;
    (void)category;
    return false;
}

Test(threads, forked_child_asks_anew_for_the_categories_of_its_parent)
{
    static trace_handler_ops_t ops;
    ops = handler_ops;
    set_up(TRACE_BUFFERING_MODE_CIRCULAR, 65536);
    cr_assert_eq(trace_engine_flush_category_cache(), ZX_OK);
    ops.is_category_enabled = nothing_is_on;
    it.handler.ops = &ops;
    start();
    cr_expect(!is_written("+c"));
    for (int resets = 0; resets < 8; resets++) {
        pid_t child = fork();
        if (child == 0) {
            set_up(TRACE_BUFFERING_MODE_CIRCULAR, 65536);
            for (int i = 0; i < resets; i++)
                trace_engine_flush_category_cache();
            start();
            _exit(!is_written("+c"));
        }
        int status = 1;
        waitpid(child, &status, 0);
        cr_expect_eq(status, 0, "%d", resets);
    }
    stop();
    tear_down();
}

static pthread_mutex_t of_handler = PTHREAD_MUTEX_INITIALIZER;
static int locked_meanwhile;

static void ask_in_signal(int number)
{
    (void)number;
    trace_is_category_enabled("+other");
    INSTANT("+signal", "a site that has not asked");
}

static bool ask_under_mutex(trace_handler_t *handler, const char *category)
{
    if (pthread_mutex_trylock(&of_handler) != 0) {
        locked_meanwhile++;
        return false;
    }
    raise(SIGTRAP); /* like a fault: others are held back where a lock is held */
    pthread_mutex_unlock(&of_handler);
    return on_category(handler, category);
}

Test(threads, signal_handler_does_not_ask_a_handler_that_is_being_asked)
{
    static trace_handler_ops_t ops;
    ops = handler_ops;
    ops.is_category_enabled = ask_under_mutex;
    set_up(TRACE_BUFFERING_MODE_CIRCULAR, 65536);
    it.handler.ops = &ops;
    start();
    signal(SIGTRAP, ask_in_signal);
    cr_expect(trace_is_category_enabled("+c"));
    INSTANT("+c", "event");
    cr_expect_eq(locked_meanwhile, 0);
    stop();
    tear_down();
}

static volatile bool has_forked;
static bool forked_meanwhile;

/* Under the lock of sites. The wait is for a fork that does not respect it. */
static bool wait_for_fork(trace_handler_t *handler, const char *category)
{
    if (strcmp(category, "+wait") == 0) {
        sem_post(&is_inside);
        for (int i = 0; i < 100 && !has_forked; i++)
            usleep(1000);
        forked_meanwhile = has_forked;
    }
    return on_category(handler, category);
}

static void *trace_new_category(void *unused)
{
    INSTANT("+wait", "asks");
    return unused;
}

Test(threads, fork_waits_for_a_thread_that_asks_for_a_category)
{
    static trace_handler_ops_t ops;
    pthread_t thread;

    sem_init(&is_inside, 0, 0);
    set_up(TRACE_BUFFERING_MODE_CIRCULAR, 65536);
    ops = handler_ops;
    ops.is_category_enabled = wait_for_fork;
    it.handler.ops = &ops;
    start();
    pthread_create(&thread, NULL, trace_new_category, NULL);
    sem_wait(&is_inside);
    pid_t child = fork();
    has_forked = true;
    if (child == 0)
        _exit(0);
    waitpid(child, NULL, 0);
    pthread_join(thread, NULL);
    cr_expect(!forked_meanwhile, "the child has half of a list of sites");
    stop();
    read_buffer();
    HAS("instant +wait asks scope=0");
    tear_down();
}

static bool is_telling;

static void start_slowly(trace_handler_t *handler)
{
    is_telling = true;
    sem_post(&is_inside);
    usleep(50000);
    on_started(handler);
    is_telling = false;
}

static void stop_after_start(trace_handler_t *handler, zx_status_t disposition, size_t bytes)
{
    cr_expect(!is_telling && it.started == 1);
    on_stopped(handler, disposition, bytes);
}

static void *start_engine(void *unused)
{
    start();
    return unused;
}

Test(threads, handler_learns_of_a_start_before_it_learns_of_the_stop)
{
    static trace_handler_ops_t ops;
    pthread_t thread;

    sem_init(&is_inside, 0, 0);
    set_up(TRACE_BUFFERING_MODE_CIRCULAR, 65536);
    ops = handler_ops;
    ops.trace_started = start_slowly;
    ops.trace_stopped = stop_after_start;
    it.handler.ops = &ops;
    cr_assert_eq(pthread_create(&thread, NULL, start_engine, NULL), 0);
    sem_wait(&is_inside);
    stop();
    pthread_join(thread, NULL);
    tear_down();
}

static volatile bool is_marking;

/* As a thread does that has just begun to report a half as saved. */
static void *mark_slowly(void *unused)
{
    fxt_i_lock(&fxt_i_engine.turn_lock);
    is_marking = true;
    sem_post(&is_inside);
    usleep(50000);
    is_marking = false;
    fxt_i_unlock(&fxt_i_engine.turn_lock);
    return unused;
}

static pthread_t marking;

static void begin_to_mark(trace_handler_t *handler, uint32_t wrapped_count, uint64_t durable_end)
{
    (void)handler;
    (void)wrapped_count;
    (void)durable_end;
    cr_assert_eq(pthread_create(&marking, NULL, mark_slowly, NULL), 0);
    sem_wait(&is_inside);
}

static void stop_after_mark(trace_handler_t *handler, zx_status_t disposition, size_t bytes)
{
    cr_expect(!is_marking);
    on_stopped(handler, disposition, bytes);
}

Test(threads, stop_waits_for_a_thread_that_reports_a_half_as_saved)
{
    static trace_handler_ops_t ops;

    sem_init(&is_inside, 0, 0);
    set_up(TRACE_BUFFERING_MODE_STREAMING, 65536);
    ops = handler_ops;
    ops.notify_buffer_full = begin_to_mark;
    ops.trace_stopped = stop_after_mark;
    it.handler.ops = &ops;
    start();
    cr_assert_eq(trace_engine_flush_buffer(), ZX_OK);
    stop();
    pthread_join(marking, NULL);
    tear_down();
}

static void expect_started(int times)
{
    for (int i = 0; i < 50000 && *(volatile int *)&it.started != times; i++)
        usleep(100);
    cr_assert_eq(it.started, times, "%d, not %d", it.started, times);
}

/* The thread that starts does not wait until the dispatcher has told the handler of the stop. */
Test(threads, start_right_after_a_stop_is_told_when_its_observer_has_seen_it)
{
    enum { STARTS = 200, EVENT = 1000 }; /* no descriptor */

    set_up(TRACE_BUFFERING_MODE_CIRCULAR, 4096);
    cr_assert_eq(async_loop_start_thread(it.loop, "loop", NULL), ZX_OK);
    cr_assert_eq(trace_register_observer(EVENT), ZX_OK);
    for (int i = 1; i <= STARTS; i++) {
        cr_assert_eq(trace_engine_start(TRACE_START_RETAIN_BUFFER), ZX_OK);
        usleep((useconds_t)(i % 8 * 100));
        trace_notify_observer_updated(EVENT);
        expect_started(i);
        trace_engine_stop(ZX_OK);
        while (trace_state() != TRACE_STOPPED)
            sched_yield();
    }
    async_loop_quit(it.loop);
    async_loop_join_threads(it.loop);
    async_loop_reset_quit(it.loop);
    tear_down();
}

Test(threads, room_to_be_filled_is_not_used_again_before_its_context_is_released)
{
    static uint8_t large[8000];
    const trace_string_ref_t name = trace_make_inline_c_string_ref("large");

    set_up(TRACE_BUFFERING_MODE_CIRCULAR, 65536);
    start();
    trace_context_t *context = trace_acquire_context();
    uint8_t *place =
        trace_context_begin_write_blob_record(context, TRACE_BLOB_TYPE_DATA, &name, 4000);
    cr_assert_not_null(place);
    memset(place, 'p', 4000);
    memset(large, 'l', sizeof large);
    for (int i = 0; i < 20; i++)
        trace_context_write_blob_record(context, TRACE_BLOB_TYPE_DATA, &name, large, sizeof large);
    for (int i = 0; i < 4000; i++)
        cr_assert_eq(place[i], 'p', "%d", i);
    cr_expect_gt(dropped(), 0);
    trace_release_context(context);
    trace_context_t *again = trace_acquire_context();
    uint64_t before = dropped();
    for (int i = 0; i < 20; i++)
        trace_context_write_blob_record(again, TRACE_BLOB_TYPE_DATA, &name, large, sizeof large);
    cr_expect_eq(dropped(), before, "nothing is in the way any more");
    trace_release_context(again);
    stop();
    read_buffer();
    tear_down();
}

static void trace_new_site(int number)
{
    (void)number;
    INSTANT("+c", "in a handler");
}

static bool raise_signal(trace_handler_t *handler, const char *category)
{
    if (strcmp(category, "+raise") == 0)
        raise(SIGTRAP); /* as a fault would; others are held back */
    return on_category(handler, category);
}

Test(threads, event_of_a_signal_handler_that_cannot_ask_for_its_category_is_counted)
{
    static trace_handler_ops_t ops;
    set_up(TRACE_BUFFERING_MODE_CIRCULAR, 65536);
    ops = handler_ops;
    ops.is_category_enabled = raise_signal;
    it.handler.ops = &ops;
    signal(SIGTRAP, trace_new_site);
    start();
    INSTANT("+raise", "interrupted");
    cr_expect_eq(dropped(), 1);
    trace_new_site(0);
    stop();
    read_buffer();
    HAS("instant +c in a handler scope=0");
    HAS("instant +raise interrupted scope=0");
    cr_expect_eq(dropped(), 1);
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

/* Threads that come and go. */
enum { SHORT = 10000, SHORT_EVENTS = 5 };

static void *write_some(void *self)
{
    for (int i = 0; i < SHORT_EVENTS; i++)
        event((int)(intptr_t)self, i);
    return NULL;
}

static pthread_barrier_t all_wrote;

static void *write_some_together(void *self)
{
    write_some(self);
    pthread_barrier_wait(&all_wrote); /* then all of them end at once */
    return NULL;
}

static void run_short_threads(int at_once)
{
    pthread_t threads[100];
    cr_assert_eq(pthread_barrier_init(&all_wrote, NULL, (unsigned)at_once), 0);
    for (intptr_t first = 0; first < SHORT; first += at_once) {
        for (intptr_t t = 0; t < at_once; t++)
            cr_assert_eq(
                pthread_create(&threads[t], NULL, write_some_together, (void *)(first + t)), 0);
        for (int t = 0; t < at_once; t++)
            pthread_join(threads[t], NULL);
    }
    pthread_barrier_destroy(&all_wrote);
}

/* How much of what was taken of the halves is records of the trace, in percent. */
static int percent_used(void)
{
    struct fxt_buffer_header header;
    struct fxt_buffer_part parts[FXT_BUFFER_PARTS_MAX];
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    uint64_t used = 0;
    uint64_t taken = 0;

    cr_assert_eq(fxt_buffer_read_header(&header, it.buffer, it.bytes, it.bytes, &error), FXT_OK);
    uint32_t count = fxt_buffer_parts(parts, &header);
    for (uint32_t i = 1; i < count; i++) {
        taken += parts[i].size;
        fxt_reader_init(&reader, it.buffer + parts[i].offset, parts[i].size);
        while (fxt_reader_next(&reader, &record, &error) == FXT_OK)
            used += is_filler(&record) ? 0 : 8 * (uint64_t)record.words;
    }
    return (int)(100 * used / taken);
}

/* Every event of every thread is there, each thread's in their order. */
static void expect_all_of_short_threads(void)
{
    static int next[SHORT];
    int count = 0;
    memset(next, 0, sizeof next);
    for (int l = 0; l < it.count; l++) {
        int t, i;
        if (sscanf(it.lines[l], "instant +c n t:int32=%d i:int32=%d", &t, &i) != 2)
            continue;
        cr_assert(t >= 0 && t < SHORT);
        cr_assert_eq(i, next[t], "thread %d: %d, not %d", t, i, next[t]);
        next[t]++;
        count++;
    }
    cr_expect_eq(count, SHORT * SHORT_EVENTS);
}

Test(threads, short_lived_ones_fill_the_chunks_that_others_left)
{
    static const int at_once[] = {1, 8, 100};
    for (size_t a = 0; a < sizeof at_once / sizeof at_once[0]; a++) {
        memset(&it, 0, sizeof it);
        set_up(TRACE_BUFFERING_MODE_CIRCULAR, 16 << 20);
        start();
        run_short_threads(at_once[a]);
        stop();
        read_buffer();
        int percent = percent_used();
        cr_expect_gt(percent, 80, "%d at once: %d %%", at_once[a], percent);
        expect_all_of_short_threads();
        cr_expect_eq(dropped(), 0);
        tear_down();
    }
}

Test(threads, short_lived_ones_fill_a_buffer_that_wraps)
{
    static const size_t sizes[] = {1 << 20, 4 << 20};
    for (size_t s = 0; s < 2; s++) {
        memset(&it, 0, sizeof it);
        set_up(TRACE_BUFFERING_MODE_CIRCULAR, sizes[s]);
        start();
        run_short_threads(10);
        stop();
        read_buffer();
        int percent = percent_used();
        cr_expect_gt(percent, 75, "%zu: %d %%", sizes[s], percent);
        /* While a thread is suspended in the middle of a turn, the others drop. */
        cr_expect_leq(dropped(), SHORT * SHORT_EVENTS / 100, "%zu: %" PRIu64, sizes[s], dropped());
        tear_down();
    }
}

/* Names of threads that change after their first event. */

static sem_t go_on, renamed;

static void *called_late(void *name)
{
    event(0, 0);
    pthread_setname_np(pthread_self(), name);
    return NULL;
}

static void *called_late_and_alive(void *name)
{
    called_late(name);
    sem_post(&renamed);
    sem_wait(&go_on);
    return NULL;
}

/* The names of threads, in their order. */
static int names_of_threads(const char *out[], int most)
{
    int found = 0;
    for (int i = 0; i < it.count; i++)
        if (strncmp(it.lines[i], "object 2 ", 9) == 0 && found < most)
            out[found++] = it.lines[i] + 9;
    return found;
}

Test(threads, name_that_a_thread_has_at_its_end_or_at_the_stop_is_in_the_trace)
{
    for (int mode = 0; mode <= 2; mode++) {
        pthread_t ended;
        pthread_t alive;
        memset(&it, 0, sizeof it);
        sem_init(&go_on, 0, 0);
        sem_init(&renamed, 0, 0);
        set_up((trace_buffering_mode_t)mode, 1 << 16);
        start();
        cr_assert_eq(pthread_create(&ended, NULL, called_late, "late"), 0);
        pthread_join(ended, NULL);
        cr_assert_eq(pthread_create(&alive, NULL, called_late_and_alive, "alive"), 0);
        sem_wait(&renamed);
        stop();
        sem_post(&go_on);
        pthread_join(alive, NULL);
        read_buffer();
        const char *names[5];
        cr_assert_eq(names_of_threads(names, 5), 4, "mode %d", mode);
        cr_expect_str_eq(names[1], "late");
        cr_expect_str_eq(names[3], "alive");
        tear_down();
    }
}

Test(threads, name_that_does_not_change_is_written_once)
{
    set_up(TRACE_BUFFERING_MODE_CIRCULAR, 1 << 16);
    start();
    run_threads();
    event(0, 0);
    stop();
    read_buffer();
    cr_expect_eq(count_from("object 2 "), THREADS + 1);
    tear_down();
}
