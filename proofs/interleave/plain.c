/* Plain accesses, for the explorer: data races, and stores that another process sees too early.

   The compiler's thread sanitizer puts a call in front of each access that is not atomic; these are
   the functions that it calls, in place of its own library. Two accesses of one place race if one of
   them is a plain store, and neither happened before the other: the explorer knows which orders the
   atomics make (its views). Memory that belongs to one thread is left out.

   Published memory is read by another process. A store that does not release may be seen there
   before the stores in front of it, those that release included: `shown` looks at the memory without
   them, back to this thread's last store to what threads load, or fence. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proofs/interleave/explore.h"

enum {
    GRANULE = 4, /* bytes: the least member that two threads may use at a time */
    TABLE = 1 << 14,
    LOG_MAX = 4096,
};

/* Who has accessed a granule last, and at which time of its own; 0: not in this run. */
struct granule {
    uintptr_t at;
    uint32_t run;
    int16_t only;                    /* the thread that alone has accessed it; -1: there are more */
    uint16_t done[3][X_THREADS_MAX]; /* by enum x_access */
};

static struct granule table[TABLE];

static struct granule *granule_of(uintptr_t at)
{
    size_t i = (size_t)(at * UINT64_C(0x9e3779b97f4a7c15) >> 50);

    for (size_t tries = 0; tries < TABLE; tries++, i = (i + 1) % TABLE) {
        struct granule *it = &table[i];
        if (it->run == (uint32_t)x_run_number() && it->at == at)
            return it;
        if (it->run != (uint32_t)x_run_number()) {
            *it = (struct granule){
                .at = at, .run = (uint32_t)x_run_number(), .only = (int16_t)x_this_thread()};
            return it;
        }
    }
    x_fail("too many granules");
}

static const char *const verbs[] = {"reads", "writes", "publishes", "changes"};

static void must_come_behind(const struct granule *it, enum x_access earlier, enum x_access now)
{
    for (int thread = 0; thread < X_THREADS_MAX; thread++)
        if (thread != x_this_thread() && it->done[earlier][thread] > x_clock()[thread])
            x_fail("a race: thread %d %s %p and thread %d %s it", thread, verbs[earlier],
                   (void *)(it->at * GRANULE), x_this_thread(), verbs[now]);
}

static void must_not_race(const struct granule *it, enum x_access access)
{
    must_come_behind(it, X_WRITES, access);
    if (access == X_READS || access == X_WRITES)
        must_come_behind(it, X_PUBLISHES, access);
    if (access != X_READS)
        must_come_behind(it, X_READS, access);
}

/* A thread's stores to what no thread loads, in this stretch. */
static struct log {
    uint64_t run;
    uint64_t stretch;
    int count;
    struct store {
        uint64_t *word;
        uint64_t before;
    } stores[LOG_MAX];
} logs[X_THREADS_MAX];

static struct log *log_of_this(void)
{
    struct log *log = &logs[x_this_thread()];

    if (log->run != x_run_number() || log->stretch != x_stretch())
        log->count = 0;
    log->run = x_run_number();
    log->stretch = x_stretch();
    return log;
}

static void log_store(const void *at, size_t bytes)
{
    struct log *log = log_of_this();

    for (uintptr_t word = (uintptr_t)at / 8; word <= ((uintptr_t)at + bytes - 1) / 8; word++) {
        if (log->count == LOG_MAX)
            x_fail("too many stores in a stretch");
        struct store *it = &log->stores[log->count++];
        it->word = (uint64_t *)(word * 8);
        memcpy(&it->before, it->word, 8);
    }
}

static void touch(const void *at, size_t bytes, enum x_access access)
{
    if (!x_exploring || bytes == 0 || x_is_of_a_thread(at))
        return;
    uintptr_t first = (uintptr_t)at / GRANULE;
    int self = x_this_thread();
    uint16_t now = (uint16_t)x_clock()[self];
    for (uintptr_t i = first; i <= ((uintptr_t)at + bytes - 1) / GRANULE; i++) {
        struct granule *it = granule_of(i);
        if (it->only != self) {
            must_not_race(it, access);
            it->only = -1;
        }
        it->done[access == X_CHANGES ? X_PUBLISHES : access][self] = now;
    }
    if (access == X_WRITES || access == X_PUBLISHES)
        log_store(at, bytes);
}

static void swap_store(struct store *it)
{
    uint64_t now;

    memcpy(&now, it->word, 8);
    memcpy(it->word, &it->before, 8);
    it->before = now;
}

static void publishes_early(const void *word, void (*shown)(void))
{
    struct log *log = log_of_this();

    for (int i = log->count - 1; i >= 0; i--)
        if (log->stores[i].word != word)
            swap_store(&log->stores[i]);
    shown();
    for (int i = 0; i < log->count; i++)
        if (log->stores[i].word != word)
            swap_store(&log->stores[i]);
}

__attribute__((constructor)) static void be_called(void)
{
    x_touch = touch;
    x_publishes_early = publishes_early;
}

/* In place of the C library's, in the files that are watched. */
void *x_memcpy(void *to, const void *from, size_t bytes);
void *x_memset(void *to, int byte, size_t bytes);

void *x_memcpy(void *to, const void *from, size_t bytes)
{
    touch(from, bytes, X_READS);
    touch(to, bytes, X_WRITES);
    return memcpy(to, from, bytes);
}

void *x_memset(void *to, int byte, size_t bytes)
{
    touch(to, bytes, X_WRITES);
    return memset(to, byte, bytes);
}

/* What the compiler calls. */

#define ACCESS(name, bytes, access)                                                                \
    void __tsan_##name(void *at);                                                                  \
    void __tsan_##name(void *at)                                                                   \
    {                                                                                              \
        touch(at, bytes, access);                                                                  \
    }

#define ACCESSES(bytes)                                                                            \
    ACCESS(read##bytes, bytes, X_READS)                                                            \
    ACCESS(write##bytes, bytes, X_WRITES)                                                          \
    ACCESS(unaligned_read##bytes, bytes, X_READS)                                                  \
    ACCESS(unaligned_write##bytes, bytes, X_WRITES)

ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

void __tsan_read_range(void *at, size_t bytes);
void __tsan_read_range(void *at, size_t bytes)
{
    touch(at, bytes, X_READS);
}

void __tsan_write_range(void *at, size_t bytes);
void __tsan_write_range(void *at, size_t bytes)
{
    touch(at, bytes, X_WRITES);
}

void __tsan_init(void);
void __tsan_init(void)
{
}

void __tsan_func_entry(void *at);
void __tsan_func_entry(void *at)
{
    (void)at;
}

void __tsan_func_exit(void);
void __tsan_func_exit(void)
{
}
