/* Holds the shapes to what they promise: canonical records, no findings, the size asked for. */
#include <stdio.h>
#include <stdlib.h>

#include <fxt/check.h>
#include <fxt/read.h>

#include "bench/shapes.h"

enum { THREADS = 256, OPENS = 1024, OBJECTS = 1024, PROVIDERS = 4, ARENA = 1 << 20 };

static void *need(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (memory == NULL)
        abort();
    return memory;
}

static struct fxt_check_memory allocate(void)
{
    struct fxt_check_memory memory = {
        .tables = {.providers = need(PROVIDERS, sizeof(struct fxt_provider)),
                   .provider_ids = need(PROVIDERS, sizeof(uint32_t)),
                   .objects = need(OBJECTS, sizeof(struct fxt_object)),
                   .arena = need(ARENA, 1),
                   .provider_max = PROVIDERS,
                   .object_max = OBJECTS,
                   .arena_size = ARENA},
        .threads = need(THREADS, sizeof(struct fxt_check_thread)),
        .opens = need(OPENS, sizeof(struct fxt_check_open)),
        .thread_max = THREADS,
        .open_max = OPENS};
    return memory;
}

static void release(const struct fxt_check_memory *memory)
{
    free(memory->tables.providers);
    free(memory->tables.provider_ids);
    free(memory->tables.objects);
    free(memory->tables.arena);
    free(memory->threads);
    free(memory->opens);
}

static int say(const char *shape, const char *what, enum fxt_rule rule, uint64_t offset)
{
    fprintf(stderr, "%s: %s %s at offset %llu\n", shape, what, fxt_rule_id(rule),
            (unsigned long long)offset);
    return 1;
}

static int check_shape(enum shape shape, uint64_t capacity, enum fxt_edition edition)
{
    uint8_t *bytes = need(capacity, 1);
    uint64_t promised = 0;
    uint64_t records = 0;
    uint64_t size = shape_fill(shape, bytes, capacity, &promised);
    struct fxt_check_memory memory = allocate();
    struct fxt_checker checker;
    struct fxt_finding finding;
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    enum fxt_status status;
    int bad = 0;

    fxt_check_init(&checker, &memory, edition);
    fxt_reader_init(&reader, bytes, size);
    while ((status = fxt_reader_next(&reader, &record, &error)) == FXT_OK) {
        records++;
        if (fxt_check_canonical(&record, &error) != FXT_OK)
            bad |= say(shape_name(shape), "not canonical:", error.rule, error.offset);
        if (fxt_check_record(&checker, &record) > 0)
            bad |= say(shape_name(shape), "finding", checker.findings[0].rule,
                       checker.findings[0].offset);
    }
    while (fxt_check_end(&checker, &finding))
        bad |= say(shape_name(shape), "finding", finding.rule, finding.offset);
    if (status != FXT_END || size + 65536 < capacity || records != promised)
        bad |= say(shape_name(shape), "size or number of records is wrong", FXT_RULE_NONE, size);
    release(&memory);
    free(bytes);
    return bad;
}

int main(void)
{
    static const uint64_t sizes[] = {SHAPE_BYTES_MIN, 256u << 10, 9u << 20};
    int bad = 0;
    for (int shape = 0; shape < SHAPE_COUNT; shape++)
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
            for (int edition = 0; edition <= FXT_EDITION_CURRENT; edition++)
                bad |= check_shape((enum shape)shape, sizes[i], (enum fxt_edition)edition);
    return bad;
}
