/* The memory of a checker may hold anything: it is given random bytes, entries that look live, and
   chains without an end, and the checker must stay inside of it and come to an end. Behind each
   part lies a page that cannot be touched. */
#include <sys/mman.h>
#include <unistd.h>

#include "src/check/fixture_test.h"

#define SLOTS 16u

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* So many bytes, and behind them a page without access. */
static void *guarded(size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t whole = (size + page - 1) / page * page;
    uint8_t *start =
        mmap(NULL, whole + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    cr_assert_neq(start, MAP_FAILED);
    cr_assert_eq(mprotect(start + whole, page, PROT_NONE), 0);
    return start + whole - size;
}

static struct bench *guarded_bench(void)
{
    struct bench *b = calloc(1, sizeof *b);
    b->memory.tables.providers = guarded(sizeof(struct fxt_provider));
    b->memory.tables.provider_ids = guarded(sizeof(uint32_t));
    b->memory.tables.provider_max = 1;
    b->memory.tables.arena = guarded(1024);
    b->memory.tables.arena_size = 1024;
    b->memory.threads = guarded(SLOTS * sizeof(struct fxt_check_thread));
    b->memory.thread_max = SLOTS;
    b->memory.opens = guarded(SLOTS * sizeof(struct fxt_check_open));
    b->memory.open_max = SLOTS;
    fxt_writer_init(&b->writer, b->bytes, sizeof b->bytes);
    return b;
}

static void fill(void *memory, size_t size, uint64_t *state)
{
    for (size_t i = 0; i < size; i++)
        ((uint8_t *)memory)[i] = (uint8_t)next_random(state);
}

/* Random entries, half of them live. */
static void spoil(struct bench *b, uint64_t *state)
{
    struct fxt_provider *provider = b->memory.tables.providers;
    fill(b->memory.threads, SLOTS * sizeof(struct fxt_check_thread), state);
    fill(b->memory.opens, SLOTS * sizeof(struct fxt_check_open), state);
    for (uint32_t i = 0; i < SLOTS; i++) {
        if (next_random(state) % 2 == 0)
            b->memory.threads[i].generation = b->checker.generation;
        if (next_random(state) % 2 == 0)
            b->memory.opens[i].generation = b->checker.generation;
        if (next_random(state) % 2 == 0)
            b->memory.threads[i].previous %= SLOTS + 1;
    }
    for (uint32_t i = 0; i <= FXT_THREAD_INDEX_MAX; i++)
        provider->threads[i] = (struct fxt_thread_slot){.generation = provider->generation,
                                                        .cookie = (uint32_t)next_random(state)};
    provider->ticks_per_second = next_random(state) % 2;
}

/* One event of each type, of a registered and of an inline thread. */
static uint32_t write_events(struct bench *b)
{
    for (uint8_t type = 0; type <= FXT_EVENT_FLOW_END; type++) {
        struct fxt_event in = {.event_type = type,
                               .timestamp = type,
                               .value = 7,
                               .category = fxt_string_index(0),
                               .name = fxt_string_index(0)};
        in.thread = fxt_thread_index(9);
        fxt_write_event(&b->writer, &in, NULL, 0);
        in.thread = fxt_thread_inline(5, type);
        fxt_write_event(&b->writer, &in, NULL, 0);
    }
    return (uint32_t)b->writer.size;
}

Test(check_memory, nothing_in_it_leads_outside_and_every_chain_ends)
{
    struct bench *b = guarded_bench();
    uint64_t state = 0x9e3779b97f4a7c15u;
    struct fxt_finding finding;
    struct fxt_record record;
    struct fxt_error error;
    magic(b);
    write_events(b);
    for (unsigned round = 0; round < 500; round++) {
        struct fxt_reader reader;
        uint32_t ended = 0;
        b->memory.tables.zeroed = round % 2; /* which is not true */
        fxt_check_init(&b->checker, &b->memory, FXT_EDITION_CURRENT);
        fxt_reader_init(&reader, b->bytes, b->writer.size);
        while (fxt_reader_next(&reader, &record, &error) == FXT_OK) {
            fxt_check_record(&b->checker, &record);
            spoil(b, &state);
        }
        while (fxt_check_end(&b->checker, &finding))
            ended++;
        cr_assert_leq(ended, 2 * SLOTS);
    }
}

Test(check_memory, a_chain_that_bites_its_tail_ends)
{
    struct bench *b = guarded_bench();
    struct fxt_finding finding;
    uint32_t ended = 0;
    prologue(b);
    event(b, FXT_EVENT_DURATION_BEGIN, 1, 0);
    event(b, FXT_EVENT_FLOW_BEGIN, 1, 5);
    b->kept.count = 0;
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    fxt_check_init(&b->checker, &b->memory, FXT_EDITION_CURRENT);
    fxt_reader_init(&reader, b->bytes, b->writer.size);
    while (fxt_reader_next(&reader, &record, &error) == FXT_OK)
        fxt_check_record(&b->checker, &record);
    for (uint32_t i = 0; i < SLOTS; i++) {
        b->memory.threads[i].previous = i + 1;
        b->memory.opens[i].previous = i + 1;
    }
    while (fxt_check_end(&b->checker, &finding) && ended < 1000)
        ended++;
    cr_assert_eq(ended, 2);
}

/* Checks what was written since `from`. */
static uint32_t check_from(struct bench *b, size_t from)
{
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    uint32_t found = 0;
    fxt_reader_init(&reader, b->bytes + from, b->writer.size - from);
    while (fxt_reader_next(&reader, &record, &error) == FXT_OK)
        found += fxt_check_record(&b->checker, &record);
    return found;
}

/* No test writes 2^32 events, so the counters begin at their end. */
Test(check_memory, counters_stay_at_their_end)
{
    struct bench *b = guarded_bench();
    prologue(b);
    event(b, FXT_EVENT_DURATION_BEGIN, 1, 0);
    event(b, FXT_EVENT_FLOW_BEGIN, 1, 5);
    fxt_check_init(&b->checker, &b->memory, FXT_EDITION_CURRENT);
    cr_assert_eq(check_from(b, 0), 0);
    struct fxt_check_thread *thread = &b->memory.threads[b->checker.last_thread - 1];
    struct fxt_check_open *flow = &b->memory.opens[b->checker.last_open - 1];
    size_t from = b->writer.size;
    thread->depth = UINT32_MAX;
    flow->begins = UINT32_MAX;
    event(b, FXT_EVENT_DURATION_BEGIN, 2, 0);
    event(b, FXT_EVENT_FLOW_END, 2, 5);
    check_from(b, from);
    cr_expect_eq(thread->depth, UINT32_MAX);
    cr_expect_eq(flow->begins, UINT32_MAX);
    cr_expect_eq(flow->ends, 0);
    from = b->writer.size;
    flow->begins = 0;
    flow->ends = UINT32_MAX;
    event(b, FXT_EVENT_FLOW_BEGIN, 3, 5);
    check_from(b, from);
    cr_expect_eq(flow->begins, 0);
    cr_expect_eq(flow->ends, UINT32_MAX);
}

Test(check_memory, generations_begin_again_behind_the_largest)
{
    struct bench *b = guarded_bench();
    b->memory.threads[3].generation = UINT64_MAX;
    prologue(b);
    event(b, FXT_EVENT_DURATION_END, 1, 0);
    run_check(b, FXT_EDITION_CURRENT);
    cr_expect_eq(b->checker.generation, 1);
    expect_findings(b, "EVT-04@64");
}

static void *untouchable(size_t size)
{
    void *bytes = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    cr_assert_neq(bytes, MAP_FAILED);
    return bytes;
}

Test(check_memory, that_holds_zeros_is_not_looked_through)
{
    struct bench *b = guarded_bench();
    b->memory.tables.zeroed = 1;
    b->memory.tables.object_max = SLOTS;
    b->memory.tables.objects = untouchable(SLOTS * sizeof(struct fxt_object));
    b->memory.threads = untouchable(SLOTS * sizeof(struct fxt_check_thread));
    b->memory.opens = untouchable(SLOTS * sizeof(struct fxt_check_open));
    fxt_check_init(&b->checker, &b->memory, FXT_EDITION_CURRENT);
    cr_expect_eq(b->checker.generation, 1);
    cr_expect_eq(b->checker.tables.generation, 2, "of the reset, and of provider 0");
}

Test(check_memory, none_for_threads_and_none_for_asyncs_is_little_but_enough)
{
    struct bench *b = guarded_bench();
    b->memory.thread_max = 0;
    b->memory.open_max = 0;
    b->memory.threads = NULL;
    b->memory.opens = NULL;
    prologue(b);
    event(b, FXT_EVENT_DURATION_BEGIN, 1, 0);
    event(b, FXT_EVENT_FLOW_BEGIN, 1, 5);
    run_check(b, FXT_EDITION_CURRENT);
    expect_findings(b, "LIM-01@64");
}

Test(check_memory, an_offset_at_the_end_of_the_numbers_is_an_offset)
{
    struct bench *b = guarded_bench();
    struct fxt_error zero = {
        .offset = UINT64_MAX - 3, .status = FXT_ZERO_WORD, .rule = FXT_RULE_REC_09};
    fxt_check_init(&b->checker, &b->memory, FXT_EDITION_CURRENT);
    cr_expect_eq(fxt_check_error(&b->checker, &zero), 1);
    cr_expect_eq(b->checker.findings[0].offset, zero.offset);
    zero.offset = 0;
    cr_expect_eq(fxt_check_error(&b->checker, &zero), 1);
}
