/* Stress: threads that trace as fast as they can while tracing is started, stopped, saved and read
   at random, in every mode. After each run the buffer holds whole records; of each thread they
   rise; and in streaming mode those that were saved, those that are left and those that were
   dropped are all that were written.

     stress_test [RECORDS A THREAD AND RUN [RUNS A MODE [THREADS]]]

   Made for the thread sanitizer, too: no test framework. */
#include <inttypes.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include <lib/async-loop/loop.h>

#include "src/engine/events_test.h"

enum { THREADS_MAX = 64, AT_END = 5 };

static int records = 20000;
static int runs = 6;
static int threads = 8;

static uint8_t *buffer;
static size_t bytes;
static int stopped;
static int terminated;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t told = PTHREAD_COND_INITIALIZER;

static void tell(int *flag)
{
    pthread_mutex_lock(&lock);
    *flag = 1;
    pthread_cond_broadcast(&told);
    pthread_mutex_unlock(&lock);
}

static void wait_for(int *flag)
{
    pthread_mutex_lock(&lock);
    while (*flag == 0)
        pthread_cond_wait(&told, &lock);
    *flag = 0;
    pthread_mutex_unlock(&lock);
}

static void on_stopped(trace_handler_t *handler, zx_status_t disposition, size_t size)
{
    (void)handler;
    (void)disposition;
    (void)size;
    tell(&stopped);
}

static void on_terminated(trace_handler_t *handler)
{
    (void)handler;
    tell(&terminated);
}

static int last[THREADS_MAX];
static long events;

static void count_event(uint64_t thread, uint64_t number)
{
    if (thread >= (uint64_t)threads)
        fail("thread", (long)thread, 0);
    if ((int)number <= last[thread])
        fail("order", (long)number, last[thread]);
    last[thread] = (int)number;
    events++;
}

/* Reads the half before it gives it back. */
static void on_full(trace_handler_t *handler, uint32_t wrapped_count, uint64_t durable_data_end)
{
    struct fxt_buffer_part half = full_half(buffer, bytes, wrapped_count);

    (void)handler;
    read_numbered(buffer + half.offset, half.size, count_event);
    if (trace_engine_mark_buffer_saved(wrapped_count, durable_data_end) != ZX_OK)
        fail("mark saved", wrapped_count, (long)durable_data_end);
}

static const trace_handler_ops_t ops = {every_category, ignore_start, on_stopped,
                                        on_terminated,  on_full,      ignore_alert};
static trace_handler_t handler = {&ops};

static int written[THREADS_MAX];

/* Thread-specific values whose destructors write, before the engine's destructor and behind it. */
static pthread_key_t keys[2];

static void trace_last_records(void *slot)
{
    int *at = slot;
    int thread = (int)(at - written);
    for (int i = 0; i < AT_END; i++)
        write_numbered(thread, (*at)++);
}

/* Events, and now and then something that is not on the hot path. */
static void *trace_records(void *self)
{
    int thread = (int)(intptr_t)self;
    unsigned seed = (unsigned)thread;
    int i;

    for (i = 0; i < records - 2 * AT_END; i++) {
        write_numbered(thread, i);
        if (rand_r(&seed) % 1000 == 0) {
            trace_context_t *context = trace_acquire_context();
            if (context != NULL) {
                trace_string_ref_t name;
                char text[16];
                int n = snprintf(text, sizeof text, "s%d", rand_r(&seed) % 5);
                trace_context_register_string_copy(context, text, (size_t)n, &name);
                trace_context_write_blob_record(context, TRACE_BLOB_TYPE_DATA, &name, text, 2);
                trace_release_context(context);
            }
        }
    }
    written[thread] = i;
    for (int k = 0; k < 2; k++)
        pthread_setspecific(keys[k], &written[thread]);
    return NULL;
}

static void read_all(void)
{
    struct fxt_buffer_header header;
    struct fxt_buffer_part parts[FXT_BUFFER_PARTS_MAX];
    struct fxt_error error;

    if (fxt_buffer_read_header(&header, buffer, bytes, bytes, &error) != FXT_OK)
        fail("header", (long)error.offset, (long)error.rule);
    uint32_t count = fxt_buffer_parts(parts, &header);
    for (uint32_t i = 0; i < count; i++)
        read_numbered(buffer + parts[i].offset, parts[i].size, count_event);
}

/* Threads of which each writes all its records while tracing is on. */
static void one_run(async_loop_t *loop, trace_buffering_mode_t mode, unsigned *seed)
{
    pthread_t thread[THREADS_MAX];
    bool cut = rand_r(seed) % 2 == 0;
    trace_engine_sizes_t sizes;

    bytes = (size_t)4096 << (rand_r(seed) % 10);
    events = 0;
    memset(last, -1, sizeof last);
    if (trace_engine_initialize(async_loop_get_dispatcher(loop), &handler, mode, buffer, bytes) !=
            ZX_OK ||
        trace_engine_start(TRACE_START_CLEAR_ENTIRE_BUFFER) != ZX_OK)
        fail("start", mode, (long)bytes);
    if (keys[1] == 0) /* behind the engine's, which is there now */
        pthread_key_create(&keys[1], trace_last_records);
    for (intptr_t i = 0; i < threads; i++)
        if (pthread_create(&thread[i], NULL, trace_records, (void *)i) != 0)
            fail("thread", i, 0);
    if (cut) {
        usleep((useconds_t)(rand_r(seed) % 3000));
        trace_engine_stop(ZX_OK);
        wait_for(&stopped);
        read_all();
    }
    for (int i = 0; i < threads; i++)
        pthread_join(thread[i], NULL);
    if (!cut) {
        trace_engine_stop(ZX_OK);
        wait_for(&stopped);
        read_all();
    }
    trace_engine_get_sizes(&sizes);
    if (!cut && mode != TRACE_BUFFERING_MODE_CIRCULAR) {
        /* Blobs may be dropped, too: at least the events that are missing were counted. */
        long missing = (long)threads * records - events;
        if ((uint64_t)missing > sizes.records_dropped)
            fail("lost", missing, (long)sizes.records_dropped);
        if (sizes.records_dropped == 0 && missing != 0)
            fail("lost", missing, 0);
    }
    trace_engine_terminate();
    wait_for(&terminated);
    printf("mode %d, %zu bytes%s: %ld events, %" PRIu64 " dropped, wrapped %" PRIu32 "\n", mode,
           bytes, cut ? ", cut short" : "", events, sizes.records_dropped, sizes.wrapped_count);
}

int main(int argc, char **argv)
{
    async_loop_t *loop;
    unsigned seed = 1;

    if (argc > 1)
        records = atoi(argv[1]);
    if (argc > 2)
        runs = atoi(argv[2]);
    if (argc > 3)
        threads = atoi(argv[3]);
    if (records < 2 * AT_END || runs < 1 || threads < 1 || threads > THREADS_MAX)
        fail("usage: stress_test [RECORDS [RUNS [THREADS]]]", records, threads);
    pthread_key_create(&keys[0], trace_last_records);
    buffer = calloc(1, 4096 << 9);
    if (buffer == NULL || async_loop_create(&kAsyncLoopConfigNoAttachToThread, &loop) != ZX_OK ||
        async_loop_start_thread(loop, "loop", NULL) != ZX_OK)
        fail("no memory", 0, 0);
    for (int run = 0; run < runs; run++)
        for (int mode = 0; mode <= 2; mode++)
            one_run(loop, (trace_buffering_mode_t)mode, &seed);
    async_loop_destroy(loop);
    free(buffer);
    return 0;
}
