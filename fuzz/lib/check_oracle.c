/* Laws of the checker: it ends, keeps to its memory, says the same of a trace in pieces, calls a
   record malformed exactly when the decoder does, and with less memory reports no more than with
   more, but that its memory was used up (LIM-01). When it forgot asyncs and flows that were matched,
   it may report an id that is not at another event, and may miss in which order its events are. */
#include <stdlib.h>
#include <string.h>

#include <fxt/check.h>

#include "fuzz/lib/check_laws.h"
#include "fuzz/lib/chunk.h"
#include "fuzz/lib/frame.h"
#include "fuzz/lib/oracle.h"
#include "fuzz/lib/order.h"

struct findings {
    struct fxt_finding *all;
    size_t count;
    size_t capacity;
    size_t resets; /* magic number records: each begins a new trace */
    bool cut;      /* a record had more findings than the checker keeps */
    bool forgot;   /* asyncs or flows that were matched */
};

struct limits {
    uint32_t providers;
    uint32_t objects;
    uint32_t threads;
    uint32_t opens;
    uint64_t arena;
};

static void add(struct findings *findings, const struct fxt_finding *finding, uint64_t size)
{
    FUZZ_CHECK(finding->offset <= size && finding->offset % 8 == 0);
    FUZZ_CHECK(finding->rule > FXT_RULE_NONE && finding->rule < FXT_RULE_COUNT);
    FUZZ_CHECK(fxt_rule_class(finding->rule) != FXT_DEFINITION);
    if (findings->count == findings->capacity) {
        findings->capacity = 2 * findings->capacity + 64;
        findings->all = realloc(findings->all, findings->capacity * sizeof *findings->all);
        FUZZ_CHECK(findings->all != NULL);
    }
    findings->all[findings->count++] = *finding;
}

/* Providers are large: they are made once and used again, as the interface allows. Each array ends
   where its memory ends. */
static struct fxt_provider *providers(uint32_t count)
{
    static struct fxt_provider *kept[4];
    FUZZ_CHECK(count < 4);
    if (kept[count] == NULL)
        kept[count] = fuzz_need(count, sizeof **kept);
    return kept[count];
}

static struct fxt_check_memory memory_of(const struct limits *limits)
{
    struct fxt_check_memory memory = {
        .tables = {.providers = providers(limits->providers),
                   .provider_ids = fuzz_need(limits->providers, sizeof(uint32_t)),
                   .objects = fuzz_need(limits->objects, sizeof(struct fxt_object)),
                   .arena = malloc(limits->arena + 1),
                   .provider_max = limits->providers,
                   .object_max = limits->objects,
                   .arena_size = limits->arena},
        .threads = fuzz_need(limits->threads, sizeof(struct fxt_check_thread)),
        .opens = fuzz_need(limits->opens, sizeof(struct fxt_check_open)),
        .thread_max = limits->threads,
        .open_max = limits->opens};
    FUZZ_CHECK(memory.tables.arena != NULL);
    return memory;
}

static void release(struct fxt_check_memory *memory)
{
    free(memory->tables.provider_ids);
    free(memory->tables.objects);
    free(memory->tables.arena);
    free(memory->threads);
    free(memory->opens);
}

static void take(struct findings *findings, const struct fxt_checker *checker, uint32_t count,
                 uint64_t size)
{
    FUZZ_CHECK(count == checker->finding_count);
    findings->cut |= count > FXT_FINDINGS_MAX;
    for (uint32_t i = 0; i < count && i < FXT_FINDINGS_MAX; i++) {
        add(findings, &checker->findings[i], size);
        if (i > 0)
            FUZZ_CHECK(checker->findings[i - 1].offset <= checker->findings[i].offset);
    }
}

struct run {
    struct limits limits;
    enum fxt_edition edition;
    uint64_t chunks; /* 0: in one piece */
};

static struct findings check(const struct fuzz_copy *copy, const struct run *run)
{
    struct fxt_check_memory memory = memory_of(&run->limits);
    struct findings findings = {0};
    struct fxt_checker checker;
    struct fuzz_chunks chunks;
    struct fxt_record record;
    struct fxt_error error;
    struct fxt_finding finding;
    enum fxt_status status = FXT_OK;
    size_t ends = 0;

    fuzz_chunks_begin(&chunks, copy->bytes, copy->size, run->chunks);
    if (run->chunks == 0)
        fxt_reader_init(&chunks.reader, copy->bytes, copy->size);
    fxt_check_init(&checker, &memory, run->edition);
    while (status == FXT_OK || status == FXT_ZERO_WORD) {
        status = fuzz_chunks_next(&chunks, &record, &error, UINT64_MAX);
        if (status == FXT_OK) {
            findings.forgot |= checker.forgotten > 0;
            uint32_t count = fxt_check_record(&checker, &record);
            take(&findings, &checker, count, copy->size);
            fuzz_check_laws(&checker, &record, count);
            findings.resets += record.header == FXT_MAGIC;
        } else if (status != FXT_END) {
            take(&findings, &checker, fxt_check_error(&checker, &error), copy->size);
        }
    }
    findings.forgot |= checker.forgotten > 0;
    while (fxt_check_end(&checker, &finding)) {
        add(&findings, &finding, copy->size);
        FUZZ_CHECK(++ends <= 2 * (size_t)run->limits.threads + run->limits.opens);
    }
    FUZZ_CHECK(!fxt_check_end(&checker, &finding));
    fuzz_chunks_end(&chunks);
    release(&memory);
    return findings;
}

static bool same(const struct fxt_finding *a, const struct fxt_finding *b)
{
    return a->offset == b->offset && a->rule == b->rule && a->number == b->number;
}

static void check_equal(const struct findings *a, const struct findings *b)
{
    FUZZ_CHECK(a->count == b->count);
    for (size_t i = 0; i < a->count; i++)
        FUZZ_CHECK(same(&a->all[i], &b->all[i]));
}

static int order(const void *a, const void *b)
{
    const struct fxt_finding *x = a;
    const struct fxt_finding *y = b;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    return x->rule < y->rule ? -1 : x->rule > y->rule;
}

static bool is_of_id(enum fxt_rule rule)
{
    return rule == FXT_RULE_EVT_06 || rule == FXT_RULE_EVT_07 || rule == FXT_RULE_EVT_13;
}

/* Whether something is found of that id. */
static bool has_id(const struct findings *findings, uint64_t id)
{
    for (size_t i = 0; i < findings->count; i++)
        if (is_of_id(findings->all[i].rule) && findings->all[i].number == id)
            return true;
    return false;
}

/* Takes the findings of ids away. */
static void drop_ids(struct findings *findings)
{
    size_t kept = 0;
    for (size_t i = 0; i < findings->count; i++)
        if (!is_of_id(findings->all[i].rule))
            findings->all[kept++] = findings->all[i];
    findings->count = kept;
}

/* What was found with little memory is found with much, too; but LIM-01, once a trace. What is not
   found with little is not missing without LIM-01. */
static void check_less(struct findings *little, struct findings *much)
{
    size_t at = 0;
    size_t full = 0;

    if (little->cut || much->cut)
        return;
    if (little->forgot) {
        for (size_t i = 0; i < little->count; i++)
            FUZZ_CHECK(!is_of_id(little->all[i].rule) || has_id(much, little->all[i].number));
        drop_ids(little);
        drop_ids(much);
    }
    if (little->count > 0)
        qsort(little->all, little->count, sizeof *little->all, order);
    if (much->count > 0)
        qsort(much->all, much->count, sizeof *much->all, order);
    for (size_t i = 0; i < little->count; i++) {
        if (little->all[i].rule == FXT_RULE_LIM_01) {
            full++;
            continue;
        }
        while (at < much->count && order(&much->all[at], &little->all[i]) < 0)
            at++;
        FUZZ_CHECK(at < much->count && order(&much->all[at], &little->all[i]) == 0);
        at++;
    }
    FUZZ_CHECK(full <= 1 + little->resets);
    FUZZ_CHECK(full > 0 || little->count == much->count);
}

/* With memory for all, what is found of the order of records is what a second reading calls for. */
static void check_order(const struct findings *much, const struct fuzz_copy *copy)
{
    bool is_sure = !much->cut && !much->forgot;
    for (size_t i = 0; i < much->count; i++)
        is_sure &= much->all[i].rule != FXT_RULE_LIM_01;
    if (is_sure)
        fuzz_order_check(copy->bytes, copy->size, much->all, much->count);
}

static struct limits small(uint64_t *random)
{
    struct limits limits = {.providers = 1 + (uint32_t)(fuzz_random(random) % 3),
                            .objects = (1u << fuzz_random(random) % 5) & ~1u,
                            .threads = 1u << fuzz_random(random) % 5,
                            .opens = 1u << fuzz_random(random) % 5,
                            .arena = fuzz_random(random) % 256};
    return limits;
}

/* Room for whatever a trace of that size has, an event being two words: twice as many, since tables
   of threads fill half of their room. */
static struct limits large(size_t size)
{
    uint32_t count = 64;
    while (count < size / 8 && count < 4096)
        count *= 2;
    return (struct limits){3, count, count, count, 2 * size + 4096};
}

void fuzz_oracle_check(const uint8_t *bytes, size_t size)
{
    uint64_t random = fuzz_control(bytes, size);
    struct fuzz_copy copy = fuzz_copy(bytes, size, 0);
    struct run run = {small(&random), (enum fxt_edition)(fuzz_random(&random) % 2), 0};
    struct findings whole = check(&copy, &run);

    run.chunks = fuzz_random(&random) | 1;
    struct findings pieces = check(&copy, &run);
    run.chunks = 0;
    run.limits = large(size);
    struct findings much = check(&copy, &run);
    check_equal(&whole, &pieces);
    check_order(&much, &copy);
    check_less(&whole, &much);
    free(whole.all);
    free(pieces.all);
    free(much.all);
    fuzz_release(&copy);
}
