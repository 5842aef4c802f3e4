/* A process that is killed at any moment leaves all that it wrote: of each thread every event whose
   call had returned and that was not dropped, in a half that was not used again, once and whole; and how many were
   dropped.

   FXT_KILLS in the environment is how often a process is killed in each test; 60 without it. */
#include <lib/async-loop/loop.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include "src/engine/engine.h"
#include "src/engine/events_test.h"

TestSuite(kill, .timeout = 280);

enum {
    THREADS_MAX = 4,
    EVENTS_MAX = 1 << 20, /* of a thread */
    LAPS_MAX = 1 << 14,
    SAVED_BYTES = 64 << 20,
};

/* What the process tells as it goes on: memory that outlives it. */
struct told {
    fxt_i_atomic returned[THREADS_MAX]; /* events whose call has returned */
    bool dropped[THREADS_MAX][EVENTS_MAX];
    fxt_i_atomic32 saved_end[LAPS_MAX]; /* in saved; 0: not saved yet */
    uint8_t saved[SAVED_BYTES];
};

static struct told *told;
static uint8_t *buffer;
static size_t bytes;
static int threads;

/* The process. */

/* Saves the half; told in one store. */
static void on_full(trace_handler_t *handler, uint32_t wrapped, uint64_t durable_end)
{
    struct fxt_buffer_part half = full_half(buffer, bytes, wrapped);
    uint32_t first = wrapped > 0 ? fxt_i_load32(&told->saved_end[wrapped - 1]) : 0;

    (void)handler;
    if (wrapped >= LAPS_MAX || first + half.size > SAVED_BYTES)
        return; /* enough: what comes now is dropped */
    memcpy(told->saved + first, buffer + half.offset, half.size);
    fxt_i_store32(&told->saved_end[wrapped], first + (uint32_t)half.size);
    if (trace_engine_mark_buffer_saved(wrapped, durable_end) != ZX_OK)
        _exit(3);
}

static const trace_handler_ops_t ops = {every_category, ignore_start, ignore_stop,
                                        ignore_end,     on_full,      ignore_alert};
static trace_handler_t handler = {&ops};

static void *write_events(void *self)
{
    int thread = (int)(intptr_t)self;

    for (int i = 0; i < EVENTS_MAX; i++) {
        uint64_t drops = fxt_i_this_thread.drops;
        write_numbered(thread, i);
        if (fxt_i_this_thread.drops != drops)
            told->dropped[thread][i] = true;
        fxt_i_store(&told->returned[thread], (uint64_t)i + 1);
    }
    pause();
    return NULL;
}

static void be_traced(trace_buffering_mode_t mode)
{
    async_loop_t *loop;
    pthread_t thread;

    if (async_loop_create(&kAsyncLoopConfigNoAttachToThread, &loop) != ZX_OK ||
        async_loop_start_thread(loop, "loop", NULL) != ZX_OK ||
        trace_engine_initialize(async_loop_get_dispatcher(loop), &handler, mode, buffer, bytes) !=
            ZX_OK ||
        trace_engine_start(TRACE_START_CLEAR_ENTIRE_BUFFER) != ZX_OK)
        _exit(1);
    for (intptr_t i = 1; i < threads; i++)
        if (pthread_create(&thread, NULL, write_events, (void *)i) != 0)
            _exit(4);
    write_events(NULL);
}

/* What it left. */

static bool found[THREADS_MAX][EVENTS_MAX];
static uint64_t counted; /* records dropped, by the header */

static void find(uint64_t thread, uint64_t number)
{
    cr_assert_lt(thread, THREADS_MAX);
    cr_assert_lt(number, EVENTS_MAX);
    cr_assert(!found[thread][number], "twice: %d %d", (int)thread, (int)number);
    found[thread][number] = true;
}

static void salvage(const struct fxt_buffer_part *part)
{
    struct fxt_buffer_span span;
    uint64_t at = 0;
    while (fxt_buffer_salvage(&span, &at, buffer + part->offset, part->size,
                              fxt_buffer_chunk_bytes(part->room)))
        read_numbered(buffer + part->offset + span.offset, span.size, find);
}

/* Whether a half may have been used again: it is cleared before the header tells. */
static bool read_all(void)
{
    struct fxt_buffer_header header;
    struct fxt_buffer_part parts[FXT_BUFFER_PARTS_MAX];
    struct fxt_error error;
    uint32_t laps = 0;

    memset(found, 0, sizeof found);
    while (laps < LAPS_MAX && fxt_i_load32(&told->saved_end[laps]) != 0)
        laps++;
    if (laps > 0)
        read_numbered(told->saved, fxt_i_load32(&told->saved_end[laps - 1]), find);
    cr_assert_eq(fxt_buffer_read_header(&header, buffer, bytes, bytes, &error), FXT_OK);
    cr_assert_eq(header.flags, FXT_BUFFER_ENDS_KEPT);
    uint32_t count = fxt_buffer_parts(parts, &header);
    for (uint32_t i = header.durable_size > 0 ? 1 : 0; i < count; i++)
        if ((int64_t)header.wrapped_count - (count - 1 - i) >= (int64_t)laps)
            salvage(&parts[i]);
    counted = header.records_dropped;
    return header.wrapped_count > 0;
}

/* Of each thread one event may have been dropped whose call had not returned. */
static void expect_counted(int kill)
{
    uint64_t dropped = 0;
    for (int t = 0; t < threads; t++)
        for (int i = 0; i < (int)fxt_i_load(&told->returned[t]); i++)
            dropped += told->dropped[t][i];
    cr_assert(counted >= dropped && counted <= dropped + (uint64_t)threads,
              "%d: %lu dropped, %lu counted", kill, (unsigned long)dropped, (unsigned long)counted);
}

/* All that was not dropped; where halves were used again, all from some event on. */
static void expect_all(int kill, bool overwritten)
{
    for (int t = 0; t < threads; t++) {
        bool began = !overwritten;
        for (int i = 0; i < (int)fxt_i_load(&told->returned[t]); i++) {
            bool there = found[t][i] || told->dropped[t][i];
            began = began || found[t][i];
            cr_assert(!(found[t][i] && told->dropped[t][i]), "%d: %d of %d both", kill, i, t);
            cr_assert(there || !began, "%d: event %d of %d is lost", kill, i, t);
        }
        /* One thread alone is always in the last half. */
        cr_assert(began || threads > 1, "%d: nothing of %d", kill, t);
    }
}

static void *shared(size_t size)
{
    void *memory =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    cr_assert_neq(memory, MAP_FAILED);
    return memory;
}

static void kill_and_read(trace_buffering_mode_t mode, size_t size, int count)
{
    const char *often = getenv("FXT_KILLS");
    int kills = often != NULL ? atoi(often) : 60;
    unsigned seed = (unsigned)getpid();

    bytes = size;
    threads = count;
    for (int k = 0; k < kills; k++) {
        told = shared(sizeof *told);
        buffer = shared(bytes);
        pid_t child = fork();
        if (child == 0)
            be_traced(mode);
        while (fxt_i_load(&told->returned[0]) == 0)
            usleep(10);
        usleep((useconds_t)(rand_r(&seed) % 2000));
        for (int spin = rand_r(&seed) % 10000; spin > 0; spin--)
            __asm__ volatile("");
        kill(child, SIGKILL);
        int status;
        waitpid(child, &status, 0);
        cr_assert(WIFSIGNALED(status), "the process ended by itself: %d", status);
        bool wrapped = read_all();
        expect_all(k, mode == TRACE_BUFFERING_MODE_CIRCULAR && wrapped);
        expect_counted(k);
        munmap(told, sizeof *told);
        munmap(buffer, bytes);
    }
}

Test(kill, oneshot)
{
    kill_and_read(TRACE_BUFFERING_MODE_ONESHOT, 65536, 1);
}

Test(kill, oneshot_with_four_threads)
{
    kill_and_read(TRACE_BUFFERING_MODE_ONESHOT, 16 << 20, 4);
}

Test(kill, circular)
{
    kill_and_read(TRACE_BUFFERING_MODE_CIRCULAR, 65536, 1);
}

Test(kill, circular_with_four_threads)
{
    kill_and_read(TRACE_BUFFERING_MODE_CIRCULAR, 32 << 20, 4);
}

Test(kill, streaming)
{
    kill_and_read(TRACE_BUFFERING_MODE_STREAMING, 65536, 1);
}

Test(kill, streaming_with_four_threads)
{
    kill_and_read(TRACE_BUFFERING_MODE_STREAMING, 65536, 4);
}
