/* How fast is reading? Floors (copying the bytes, hopping from header to header), then framing,
   decoding, checking and converting, each over the same trace, in cache and out of cache. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/check.h>
#include <fxt/read.h>

#include "bench/decode.h"
#include "bench/harness.h"
#include "bench/shapes.h"
#include "src/convert/chrome.h"
#include "src/convert/convert.h"

enum { PROVIDERS = 8, OBJECTS = 1024, ARENA = 1 << 20, THREADS = 256, OPENS = 1024 };

struct subject {
    const uint8_t *bytes;
    uint8_t *copy; /* as large as bytes */
    uint64_t size;
    uint64_t written; /* text, in the last run */
    uint64_t records;
    struct fxt_check_memory memory;
    struct fxt_chrome_memory *chrome;
    bool large_records;
};

static uint64_t copy(void *context)
{
    struct subject *s = context;
    memcpy(s->copy, s->bytes, s->size);
    return s->copy[s->size / 2];
}

static inline uint64_t word_at(const uint8_t *p)
{
    uint64_t word;
    memcpy(&word, p, sizeof word);
    return word;
}

static uint64_t hop(void *context)
{
    struct subject *s = context;
    const uint8_t *end = s->bytes + s->size;
    uint64_t sum = 0;
    for (const uint8_t *p = s->bytes; p < end; sum++)
        p += (word_at(p) >> 4 & 0xfff) * 8;
    return sum;
}

/* For files that have large records. */
static uint64_t hop_large(void *context)
{
    struct subject *s = context;
    const uint8_t *end = s->bytes + s->size;
    uint64_t sum = 0;
    for (const uint8_t *p = s->bytes; p < end; sum++) {
        uint64_t word = word_at(p);
        p += (word >> 4 & (word % 16 == FXT_RECORD_LARGE ? 0xffffffff : 0xfff)) * 8;
    }
    return sum;
}

static uint64_t walk(void *context)
{
    struct subject *s = context;
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    uint64_t sum = 0;
    fxt_reader_init(&reader, s->bytes, s->size);
    while (fxt_reader_next(&reader, &record, &error) == FXT_OK)
        sum += record.words;
    return sum;
}

static uint64_t decode(void *context)
{
    struct subject *s = context;
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    uint64_t sum = 0;
    fxt_reader_init(&reader, s->bytes, s->size);
    while (fxt_reader_next(&reader, &record, &error) == FXT_OK)
        sum += bench_decode(&record);
    return sum;
}

static uint64_t check(void *context)
{
    struct subject *s = context;
    struct fxt_checker checker;
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    struct fxt_finding finding;
    uint64_t findings = 0;
    fxt_check_init(&checker, &s->memory, FXT_EDITION_CURRENT);
    fxt_reader_init(&reader, s->bytes, s->size);
    while (fxt_reader_next(&reader, &record, &error) == FXT_OK)
        findings += fxt_check_record(&checker, &record);
    while (fxt_check_end(&checker, &finding))
        findings++;
    return findings;
}

static bool discard(void *context, const char *bytes, size_t size)
{
    struct subject *s = context;
    s->written += size;
    return bytes != NULL;
}

static char out_buffer[1 << 16];

static uint64_t chrome(void *context)
{
    struct subject *s = context;
    struct fxt_out out = {out_buffer, sizeof out_buffer, 0, discard, s, false};
    struct fxt_tables tables;
    struct fxt_chrome converter;
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    s->written = 0;
    fxt_tables_init(&tables, &s->memory.tables);
    fxt_chrome_init(&converter, &out, &tables, s->chrome);
    fxt_reader_init(&reader, s->bytes, s->size);
    while (fxt_reader_next(&reader, &record, &error) == FXT_OK) {
        fxt_chrome_before_record(&converter, &record);
        fxt_tables_apply(&tables, &record, &error);
        fxt_chrome_record(&converter, &record);
    }
    fxt_chrome_end(&converter);
    fxt_out_flush(&out);
    return s->written;
}

static uint64_t print(struct subject *s,
                      void (*printer)(struct fxt_out *, const struct fxt_tables *,
                                      const struct fxt_record *))
{
    struct fxt_out out = {out_buffer, sizeof out_buffer, 0, discard, s, false};
    struct fxt_tables tables;
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    s->written = 0;
    fxt_tables_init(&tables, &s->memory.tables);
    fxt_reader_init(&reader, s->bytes, s->size);
    while (fxt_reader_next(&reader, &record, &error) == FXT_OK) {
        fxt_tables_apply(&tables, &record, &error);
        printer(&out, &tables, &record);
    }
    fxt_out_flush(&out);
    return s->written;
}

static uint64_t text(void *context)
{
    return print(context, fxt_convert_text_record);
}

static uint64_t jsonl(void *context)
{
    return print(context, fxt_convert_jsonl_record);
}

/* Bytes are those read, but for converters those written. */
static const struct {
    const char *name;
    bench_work *work;
    bool writes;
} rows[] = {
    {"memcpy", copy, false},   {"hop", hop, false},     {"walk", walk, false},
    {"decode", decode, false}, {"check", check, false}, {"chrome", chrome, true},
    {"text", text, true},      {"jsonl", jsonl, true},
};

static struct fxt_check_memory tables_memory(void)
{
    struct fxt_check_memory memory = {
        .tables = {.providers = bench_memory(PROVIDERS * sizeof(struct fxt_provider)),
                   .provider_ids = bench_memory(PROVIDERS * sizeof(uint32_t)),
                   .objects = bench_memory(OBJECTS * sizeof(struct fxt_object)),
                   .arena = bench_memory(ARENA),
                   .provider_max = PROVIDERS,
                   .object_max = OBJECTS,
                   .arena_size = ARENA},
        .threads = bench_memory(THREADS * sizeof(struct fxt_check_thread)),
        .opens = bench_memory(OPENS * sizeof(struct fxt_check_open)),
        .thread_max = THREADS,
        .open_max = OPENS};
    return memory;
}

/* The first records of the subject, `most` bytes of them: converters are slow, and need no more to
   be out of cache. */
static struct subject beginning(const struct subject *subject, uint64_t most)
{
    struct subject part = *subject;
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    part.records = 0;
    fxt_reader_init(&reader, subject->bytes, subject->size);
    while (reader.position < most && fxt_reader_next(&reader, &record, &error) == FXT_OK)
        part.records++;
    part.size = reader.position;
    return part;
}

static void run(struct bench_report *report, const struct bench_options *options,
                struct subject *whole, const char *shape, const char *memory)
{
    enum { COUNT = sizeof rows / sizeof rows[0] };
    struct subject part = beginning(whole, UINT64_C(32) << 20);
    struct bench_task tasks[COUNT];

    for (size_t i = 0; i < COUNT; i++) {
        bench_work *work = rows[i].work == hop && whole->large_records ? hop_large : rows[i].work;
        struct bench_task task = {bench_add(report, shape, memory, rows[i].name), work,
                                  rows[i].writes ? &part : whole};
        tasks[i] = task;
    }
    bench_measure(tasks, COUNT, options);
    for (size_t i = 0; i < COUNT; i++) {
        struct subject *subject = tasks[i].context;
        /* The floors of the part are taken to be its share of those of the whole. */
        double share = (double)subject->size / (double)whole->size;
        if (rows[i].writes) {
            subject->written = 0;
            tasks[i].work(subject);
        }
        tasks[i].row->bytes = rows[i].writes ? subject->written : subject->size;
        tasks[i].row->records = subject->records;
        tasks[i].row->floor_copy = tasks[0].row->best * share;
        tasks[i].row->floor_hop = tasks[1].row->best * share;
    }
}

static void run_shapes(struct bench_report *report, const struct bench_options *options,
                       struct subject *subject)
{
    for (int shape = 0; shape < SHAPE_COUNT; shape++) {
        for (int large = 0; large <= 1; large++) {
            uint64_t capacity = large ? options->large : BENCH_CACHED_BYTES;
            uint8_t *bytes = bench_memory(capacity);
            subject->size = shape_fill((enum shape)shape, bytes, capacity, &subject->records);
            if (subject->size == 0)
                bench_fail("the writer refused a record");
            subject->bytes = bytes;
            subject->copy = bench_memory(subject->size);
            if (check(subject) != 0)
                bench_fail("the checker has findings");
            run(report, options, subject, shape_name((enum shape)shape),
                large ? "memory" : "cache");
            bench_free(subject->copy);
            bench_free(bytes);
        }
    }
}

static uint8_t *load(const char *path, uint64_t *size)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0)
        bench_fail("cannot read the file");
    long end = ftell(file);
    if (end <= 0)
        bench_fail("the file is empty");
    *size = (uint64_t)end;
    uint8_t *bytes = bench_memory(*size);
    rewind(file);
    if (fread(bytes, 1, (size_t)*size, file) != *size)
        bench_fail("cannot read the file");
    fclose(file);
    return bytes;
}

/* Runs on the records up to the first that cannot be framed. */
static void run_file(struct bench_report *report, const struct bench_options *options,
                     struct subject *subject)
{
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    subject->bytes = load(options->file, &subject->size);
    fxt_reader_init(&reader, subject->bytes, subject->size);
    while (fxt_reader_next(&reader, &record, &error) == FXT_OK) {
        subject->records++;
        subject->large_records |= record.type == FXT_RECORD_LARGE;
        subject->size = reader.position;
    }
    if (subject->records == 0)
        bench_fail("the file does not begin with a record");
    subject->copy = bench_memory(subject->size);
    run(report, options, subject, "file", "memory");
}

int main(int argc, char **argv)
{
    static struct bench_report report;
    struct bench_options options = bench_options(argc, argv);
    struct subject subject = {.memory = tables_memory(),
                              .chrome = bench_memory(sizeof(struct fxt_chrome_memory))};
    if (options.file != NULL)
        run_file(&report, &options, &subject);
    else
        run_shapes(&report, &options, &subject);
    bench_print(&report, &options, "read");
    return 0;
}
