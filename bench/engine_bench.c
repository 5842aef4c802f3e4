/* What tracing costs: each kind of record in each mode, by buffer size and number of threads, beside
   two floors of the same run: reading the time alone, and reading it and storing as many bytes into
   memory of the thread's own.

     engine_bench [--quick] [--json]

   ns is what one operation takes on one of the threads, the best of some measurements; dropped is
   how many records found no room in that one. Rows of one run are compared with each other only. */
#include <getopt.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include <fxt/buffer.h>
#include <lib/async-loop/loop.h>
#include <lib/trace-engine/handler.h>
#include <trace/event.h>

enum { THREADS_MAX = 8, LITERALS = 4 };

static bool quick;
static bool json;
static bool any_row;

/* The engine, and a saver that copies each half to memory of its own. */
static async_loop_t *loop;
static uint8_t *buffer;
static uint8_t *copy;
static size_t buffer_bytes;
static trace_buffering_mode_t mode;
static bool terminated;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t told = PTHREAD_COND_INITIALIZER;

_Noreturn static void fail(const char *what)
{
    fprintf(stderr, "engine_bench: %s\n", what);
    exit(1);
}

static bool is_category_enabled(trace_handler_t *handler, const char *category)
{
    (void)handler;
    return strcmp(category, "on") == 0;
}

static void trace_started(trace_handler_t *handler)
{
    (void)handler;
}

static void trace_stopped(trace_handler_t *handler, zx_status_t disposition, size_t bytes)
{
    (void)handler;
    (void)disposition;
    (void)bytes;
}

static void trace_terminated(trace_handler_t *handler)
{
    (void)handler;
    pthread_mutex_lock(&lock);
    terminated = true;
    pthread_cond_broadcast(&told);
    pthread_mutex_unlock(&lock);
}

static void notify_buffer_full(trace_handler_t *handler, uint32_t wrapped_count,
                               uint64_t durable_data_end)
{
    struct fxt_buffer_header sizes;
    (void)handler;
    if (fxt_buffer_sizes(&sizes, buffer_bytes, FXT_BUFFERING_STREAMING) != FXT_OK)
        abort();
    size_t half = sizes.rolling_size;
    memcpy(copy, buffer + buffer_bytes - (2 - (wrapped_count & 1)) * half, half);
    trace_engine_mark_buffer_saved(wrapped_count, durable_data_end);
}

static void send_alert(trace_handler_t *handler, const char *name)
{
    (void)handler;
    (void)name;
}

static const trace_handler_ops_t ops = {is_category_enabled, trace_started,      trace_stopped,
                                        trace_terminated,    notify_buffer_full, send_alert};
static trace_handler_t handler = {&ops};

static void start_engine(void)
{
    terminated = false;
    if (trace_engine_initialize(async_loop_get_dispatcher(loop), &handler, mode, buffer,
                                buffer_bytes) != ZX_OK ||
        trace_engine_start(TRACE_START_CLEAR_ENTIRE_BUFFER) != ZX_OK)
        fail("the engine does not start");
}

static void end_engine(void)
{
    trace_engine_terminate();
    pthread_mutex_lock(&lock);
    while (!terminated)
        pthread_cond_wait(&told, &lock);
    pthread_mutex_unlock(&lock);
}

/* The cases: `times` operations. */

static uint64_t *ring_of_this_thread(void)
{
    static __thread uint64_t ring[512];
    return ring;
}

static void case_ticks(uint64_t times)
{
    for (uint64_t i = 0; i < times; i++)
        __asm__ volatile("" : : "r"(trace_get_ticks()));
}

static void case_store_24(uint64_t times)
{
    uint64_t *ring = ring_of_this_thread();
    for (uint64_t i = 0, at = 0; i < times; i++, at = (at + 3) % 510) {
        ring[at + 1] = trace_get_ticks();
        ring[at + 2] = i;
        ring[at] = 0x30004 | i << 32;
        __asm__ volatile("" : : : "memory");
    }
}

static void reserve(uint64_t times, size_t bytes)
{
    trace_context_t *context = trace_acquire_context();
    if (context == NULL)
        return;
    for (uint64_t i = 0; i < times; i++)
        trace_context_alloc_record(context, bytes);
    trace_release_context(context);
}

#define RESERVE(bytes)                                                                             \
    static void case_reserve_##bytes(uint64_t times)                                               \
    {                                                                                              \
        /* As a record does it: a context each, so that halves can be closed. */                   \
        for (uint64_t i = 0; i < times; i += 100)                                                  \
            reserve(100, bytes);                                                                   \
    }
RESERVE(16)
RESERVE(24)
RESERVE(32)
RESERVE(64)
RESERVE(256)

static void case_enter_leave(uint64_t times)
{
    for (uint64_t i = 0; i < times; i++) {
        trace_context_t *context = trace_acquire_context();
        if (context != NULL)
            trace_release_context(context);
    }
}

#define CASE(name, statement)                                                                      \
    static void case_##name(uint64_t times)                                                        \
    {                                                                                              \
        for (uint64_t i = 0; i < times; i++)                                                       \
            statement;                                                                             \
    }

#define I(n) #n, (int32_t)i
#define D(n) #n, 0.5
#define S(n) #n, "a string"
CASE(off, TRACE_INSTANT("off", "name", TRACE_SCOPE_THREAD))
CASE(instant_0, TRACE_INSTANT("on", "name", TRACE_SCOPE_THREAD))
CASE(instant_1, TRACE_INSTANT("on", "name", TRACE_SCOPE_THREAD, I(a)))
CASE(instant_2, TRACE_INSTANT("on", "name", TRACE_SCOPE_THREAD, I(a), I(b)))
CASE(instant_8, TRACE_INSTANT("on", "name", TRACE_SCOPE_THREAD, I(a), I(b), I(c), I(d), I(e), I(f),
                              I(g), I(h)))
CASE(doubles_8, TRACE_INSTANT("on", "name", TRACE_SCOPE_THREAD, D(a), D(b), D(c), D(d), D(e), D(f),
                              D(g), D(h)))
CASE(strings_8, TRACE_INSTANT("on", "name", TRACE_SCOPE_THREAD, S(a), S(b), S(c), S(d), S(e), S(f),
                              S(g), S(h)))
CASE(pair, {
    TRACE_DURATION_BEGIN("on", "name");
    TRACE_DURATION_END("on", "name");
})
CASE(scoped, { TRACE_DURATION("on", "name"); })
CASE(scoped_open, { TRACE_DURATION_OPEN("on", "name"); })
CASE(counter, TRACE_COUNTER("on", "name", 1, I(a)))
CASE(async, TRACE_ASYNC_BEGIN("on", "name", i))
CASE(flow, TRACE_FLOW_BEGIN("on", "name", i))
CASE(blob, TRACE_BLOB(TRACE_BLOB_TYPE_DATA, "name", "a payload of 32 bytes, all of it", 32))

static void with_name(uint64_t times, trace_string_ref_t (*make)(trace_context_t *context))
{
    for (uint64_t i = 0; i < times; i++) {
        trace_string_ref_t category;
        trace_thread_ref_t thread;
        trace_context_t *context = trace_acquire_context_for_category("on", &category);
        if (context == NULL)
            continue;
        trace_string_ref_t name = make(context);
        trace_context_register_current_thread(context, &thread);
        trace_context_write_instant_event_record(context, trace_get_ticks(), &thread, &category,
                                                 &name, TRACE_SCOPE_THREAD, NULL, 0);
        trace_release_context(context);
    }
}

static trace_string_ref_t literal_name(trace_context_t *context)
{
    trace_string_ref_t ref;
    trace_context_register_string_literal(context, "name", &ref);
    return ref;
}

static trace_string_ref_t copied_name(trace_context_t *context)
{
    trace_string_ref_t ref;
    trace_context_register_string_copy(context, "name", 4, &ref);
    return ref;
}

static trace_string_ref_t inline_name(trace_context_t *context)
{
    (void)context;
    return trace_make_inline_string_ref("name", 4);
}

static void case_literal(uint64_t times)
{
    with_name(times, literal_name);
}

static void case_copied(uint64_t times)
{
    with_name(times, copied_name);
}

static void case_inline(uint64_t times)
{
    with_name(times, inline_name);
}

static const struct bench_case {
    const char *name;
    void (*run)(uint64_t times);
    size_t bytes; /* of an operation's records, about; 0: writes none */
} cases[] = {
    {"enter_leave", case_enter_leave, 0},
    {"reserve_16", case_reserve_16, 16},
    {"reserve_24", case_reserve_24, 24},
    {"reserve_32", case_reserve_32, 32},
    {"reserve_64", case_reserve_64, 64},
    {"reserve_256", case_reserve_256, 256},
    {"instant_0", case_instant_0, 24},
    {"instant_1", case_instant_1, 32},
    {"instant_2", case_instant_2, 40},
    {"instant_8", case_instant_8, 88},
    {"doubles_8", case_doubles_8, 152},
    {"strings_8", case_strings_8, 152},
    {"pair", case_pair, 32},
    {"scoped", case_scoped, 24},
    {"scoped_open", case_scoped_open, 32},
    {"counter", case_counter, 32},
    {"async", case_async, 24},
    {"flow", case_flow, 24},
    {"literal", case_literal, 32},
    {"copied", case_copied, 32},
    {"inline", case_inline, 40},
    {"blob", case_blob, 48},
};

/* One measurement: all threads begin together, and each does its operations once for warming up. */
struct run {
    void (*run)(uint64_t times);
    uint64_t times;
    pthread_barrier_t ready;
    double ns[THREADS_MAX];
};

struct runner {
    struct run *run;
    int number;
};

static double now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void *run_thread(void *argument)
{
    struct runner *runner = argument;
    struct run *run = runner->run;

    run->run(1);
    pthread_barrier_wait(&run->ready);
    double start = now_ns();
    run->run(run->times);
    run->ns[runner->number] = (now_ns() - start) / (double)run->times;
    return NULL;
}

/* ns an operation, the mean of the threads. */
static double measure_once(void (*work)(uint64_t), uint64_t times, int threads)
{
    struct run run = {.run = work, .times = times};
    struct runner runners[THREADS_MAX];
    pthread_t ids[THREADS_MAX];
    double sum = 0;

    pthread_barrier_init(&run.ready, NULL, (unsigned)threads);
    for (int i = 0; i < threads; i++) {
        runners[i] = (struct runner){&run, i};
        if (pthread_create(&ids[i], NULL, run_thread, &runners[i]) != 0)
            fail("no thread");
    }
    for (int i = 0; i < threads; i++) {
        pthread_join(ids[i], NULL);
        sum += run.ns[i];
    }
    pthread_barrier_destroy(&run.ready);
    return sum / threads;
}

struct result {
    double ns;
    uint64_t dropped;
};

/* In oneshot mode so many operations that they find room. */
static uint64_t times_of(const struct bench_case *it, int threads)
{
    uint64_t times = quick ? 5000 : 100000;
    if (mode == TRACE_BUFFERING_MODE_ONESHOT && it->bytes > 0) {
        uint64_t room = (buffer_bytes * 3 / 4 - 1024) / it->bytes / (uint64_t)threads;
        times = room < times ? room : times;
    }
    return times > 0 ? times : 1;
}

static struct result measure(const struct bench_case *it, int threads)
{
    struct result best = {1e9, 0};
    int repeats = quick ? 1 : 5;

    for (int i = 0; i < repeats; i++) {
        trace_engine_sizes_t sizes;
        start_engine();
        double ns = measure_once(it->run, times_of(it, threads), threads);
        trace_engine_get_sizes(&sizes);
        end_engine();
        if (ns < best.ns)
            best = (struct result){ns, sizes.records_dropped};
    }
    return best;
}

static double floor_of(void (*work)(uint64_t))
{
    double best = 1e9;
    for (int i = 0; i < 9; i++) {
        double ns = measure_once(work, 200000, 1);
        best = ns < best ? ns : best;
    }
    return best;
}

static const char *const mode_names[] = {"oneshot", "circular", "streaming"};

static const int counts[] = {1, 2, 4, 8}; /* of threads */
enum { COUNTS = sizeof counts / sizeof counts[0] };

static void print_list(const char *name, const struct result *results, int n, bool dropped)
{
    printf(", \"%s\": [", name);
    for (int i = 0; i < n; i++) {
        if (i > 0)
            printf(", ");
        if (dropped)
            printf("%" PRIu64, results[i].dropped);
        else
            printf("%.3f", results[i].ns);
    }
    printf("]");
}

/* The results of the first n counts of threads. */
static void print_row(const char *name, const char *mode_name, size_t bytes,
                      const struct result *results, int n)
{
    if (json) {
        printf("%s\n    {\"case\": \"%s\", \"mode\": \"%s\", \"buffer_bytes\": %zu",
               any_row ? "," : "", name, mode_name, bytes);
        print_list("ns", results, n, false);
        print_list("dropped", results, n, true);
        printf("}");
    }
    for (int i = 0; i < n && !json; i++)
        printf("%-12s %-9s %9zu %7d %9.2f %9" PRIu64 "\n", name, mode_name, bytes, counts[i],
               results[i].ns, results[i].dropped);
    any_row = true;
}

static void bench_engine(void)
{
    static const size_t sizes[] = {4096, 65536, 1 << 20, 16 << 20};

    for (int m = 0; m <= 2; m++)
        for (size_t s = 0; s < 4; s++)
            for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
                struct result results[COUNTS];
                mode = (trace_buffering_mode_t)m;
                buffer_bytes = sizes[s];
                for (int t = 0; t < COUNTS; t++)
                    results[t] = measure(&cases[c], counts[t]);
                print_row(cases[c].name, mode_names[m], sizes[s], results, COUNTS);
            }
}

/* Streaming, halves of 32 MiB, one thread flat out: what does the saver not save in time? */
static void bench_stream(void)
{
    static const struct bench_case flat_out = {"flat_out", case_instant_0, 24};
    struct result result;
    trace_engine_sizes_t sizes;

    mode = TRACE_BUFFERING_MODE_STREAMING;
    buffer_bytes = 68 << 20;
    start_engine();
    result.ns = measure_once(flat_out.run, quick ? 5000000 : 200000000, 1);
    trace_engine_get_sizes(&sizes);
    end_engine();
    result.dropped = sizes.records_dropped;
    print_row(flat_out.name, mode_names[mode], buffer_bytes, &result, 1);
}

static void parse(int argc, char **argv)
{
    static const struct option longs[] = {
        {"quick", no_argument, NULL, 'q'}, {"json", no_argument, NULL, 'j'}, {0}};
    int option;
    while ((option = getopt_long(argc, argv, "", longs, NULL)) != -1) {
        if (option == 'q')
            quick = true;
        else if (option == 'j')
            json = true;
        else
            exit(2);
    }
}

int main(int argc, char **argv)
{
    size_t most = (size_t)68 << 20;

    parse(argc, argv);
    buffer =
        mmap(NULL, most, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    copy = malloc(most);
    if (buffer == MAP_FAILED || copy == NULL ||
        async_loop_create(&kAsyncLoopConfigNoAttachToThread, &loop) != ZX_OK ||
        async_loop_start_thread(loop, "saver", NULL) != ZX_OK)
        fail("no memory");
    memset(copy, 0, most);
    struct result off = {floor_of(case_off), 0};
    buffer_bytes = 4096;
    start_engine(); /* chooses the clock */
    double ticks = floor_of(case_ticks);
    struct result store = {floor_of(case_store_24), 0};
    struct result category_off = {floor_of(case_off), 0};
    end_engine();
    if (json)
        printf("{\"timestamp_ns\": %.3f, \"threads\": [1, 2, 4, 8], \"rows\": [", ticks);
    else
        printf("reading the time: %.2f ns\n%-12s %-9s %9s %7s %9s %9s\n", ticks, "case", "mode",
               "buffer", "threads", "ns", "dropped");
    print_row("store_24", "none", 0, &store, 1);
    print_row("off", "none", 0, &off, 1);
    print_row("category_off", "none", 0, &category_off, 1);
    bench_engine();
    bench_stream();
    if (json)
        printf("\n]}\n");
    async_loop_destroy(loop);
    return 0;
}
