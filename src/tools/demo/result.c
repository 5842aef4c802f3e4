/* Reading the trace back, and checking it. No state. */
#include "src/tools/demo/result.h"

#include <fxt/check.h>
#include <fxt/read.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool result_load(struct archive *archive, const char *path)
{
    struct stat status;
    FILE *file = fopen(path, "rb");

    if (file != NULL && fstat(fileno(file), &status) == 0) {
        archive->size = (uint64_t)status.st_size;
        archive->bytes = malloc(archive->size + 1);
    }
    bool loaded =
        archive->bytes != NULL && fread(archive->bytes, 1, archive->size, file) == archive->size;
    if (!loaded)
        perror(path);
    if (file != NULL)
        fclose(file);
    return loaded;
}

static void count_record(struct contents *contents, const struct fxt_record *record)
{
    struct fxt_event event;
    struct fxt_initialization clock;
    struct fxt_error error;

    contents->records++;
    if (fxt_read_initialization(record, &clock, &error) == FXT_OK)
        contents->ticks_per_second = clock.ticks_per_second;
    contents->threads += record->type == FXT_RECORD_THREAD;
    if (fxt_read_event(record, &event, &error) != FXT_OK)
        return;
    contents->events++;
    contents->flows += event.event_type == FXT_EVENT_FLOW_END;
    if (event.timestamp < contents->first)
        contents->first = event.timestamp;
    if (event.timestamp > contents->last)
        contents->last = event.timestamp;
}

static void say(struct contents *contents, const struct fxt_finding *finding)
{
    contents->findings++;
    fprintf(stderr, "demo: at byte %llu: %s: %s\n", (unsigned long long)finding->offset,
            fxt_rule_id(finding->rule), fxt_rule_title(finding->rule));
}

static bool allocate(struct fxt_check_memory *memory, uint64_t open_max)
{
    enum { PROVIDERS = 16, OBJECTS = 256, THREADS = 256, ARENA = 1 << 20 };
    uint32_t opens = 1024;

    while (opens / 2 < open_max && opens < UINT32_C(1) << 30)
        opens *= 2;
    memset(memory, 0, sizeof *memory);
    memory->tables.providers = calloc(PROVIDERS, sizeof(struct fxt_provider));
    memory->tables.provider_ids = calloc(PROVIDERS, sizeof(uint32_t));
    memory->tables.objects = calloc(OBJECTS, sizeof(struct fxt_object));
    memory->tables.arena = malloc(ARENA);
    memory->tables.provider_max = PROVIDERS;
    memory->tables.object_max = OBJECTS;
    memory->tables.arena_size = ARENA;
    memory->threads = calloc(THREADS, sizeof(struct fxt_check_thread));
    memory->opens = calloc(opens, sizeof(struct fxt_check_open));
    memory->thread_max = THREADS;
    memory->open_max = opens;
    return memory->tables.providers != NULL && memory->tables.provider_ids != NULL &&
           memory->tables.objects != NULL && memory->tables.arena != NULL &&
           memory->threads != NULL && memory->opens != NULL;
}

static void release(struct fxt_check_memory *memory)
{
    free(memory->tables.providers);
    free(memory->tables.provider_ids);
    free(memory->tables.objects);
    free(memory->tables.arena);
    free(memory->threads);
    free(memory->opens);
}

static void check(struct contents *contents, const struct archive *archive,
                  const struct fxt_check_memory *memory)
{
    static struct fxt_checker checker;
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    struct fxt_finding finding;
    enum fxt_status status = FXT_OK;

    fxt_check_init(&checker, memory, FXT_EDITION_2020);
    fxt_reader_init(&reader, archive->bytes, archive->size);
    while (status == FXT_OK || status == FXT_ZERO_WORD) {
        uint32_t count = 0;
        status = fxt_reader_next(&reader, &record, &error);
        if (status == FXT_OK) {
            count_record(contents, &record);
            count = fxt_check_record(&checker, &record);
        } else if (status != FXT_END) {
            count = fxt_check_error(&checker, &error);
        }
        for (uint32_t i = 0; i < count && i < FXT_FINDINGS_MAX; i++)
            say(contents, &checker.findings[i]);
    }
    while (fxt_check_end(&checker, &finding))
        say(contents, &finding);
}

bool result_check(struct contents *contents, const struct archive *archive, uint64_t open_max)
{
    struct fxt_check_memory memory;
    bool allocated = allocate(&memory, open_max);

    memset(contents, 0, sizeof *contents);
    contents->first = UINT64_MAX;
    if (allocated)
        check(contents, archive, &memory);
    else
        fprintf(stderr, "demo: out of memory\n");
    release(&memory);
    return allocated && contents->findings == 0 && contents->events > 0;
}
