/* How fast is writing? Each shape is decoded once into a list of records as a program would hold
   them; the list is then encoded over and over into one buffer. Floors: filling and copying as many
   bytes. `built` is the tiny shape with each record filled in on the way, as instrumentation does. */
#include <stdlib.h>
#include <string.h>

#include <fxt/read.h>

#include "bench/harness.h"
#include "bench/shapes.h"

/* So many that they, and not the records, stay in cache. */
#define SOURCE_BYTES SHAPE_BYTES_MIN
#define ITEMS_MAX (SOURCE_BYTES / 8)

struct item {
    union {
        struct fxt_event event;
        struct fxt_log log;
        struct fxt_string string;
        struct fxt_thread thread;
        struct fxt_kernel_object object;
        struct fxt_legacy_switch legacy;
    } as;
    const struct fxt_arg *args;
    uint16_t arg_count;
    uint16_t type;
};

struct subject {
    struct item *items;
    struct fxt_arg *args;
    uint8_t *out;
    uint8_t *source;
    uint64_t capacity;
    size_t item_count;
    size_t arg_count;
    uint64_t written;
    uint64_t records;
};

static void keep_args(struct subject *s, struct item *item, struct fxt_args args)
{
    struct fxt_error error;
    item->args = &s->args[s->arg_count];
    item->arg_count = args.count;
    while (fxt_args_next(&args, &s->args[s->arg_count], &error) == FXT_OK)
        s->arg_count++;
}

/* False for records that are not part of the work: those of the manager. */
static bool keep(struct subject *s, const struct fxt_record *record)
{
    struct item *item = &s->items[s->item_count];
    struct fxt_error error;
    item->type = record->type;
    item->arg_count = 0;
    switch (record->type) {
    case FXT_RECORD_EVENT:
        if (fxt_read_event(record, &item->as.event, &error) != FXT_OK)
            return false;
        keep_args(s, item, item->as.event.args);
        return true;
    case FXT_RECORD_KERNEL_OBJECT:
        if (fxt_read_kernel_object(record, &item->as.object, &error) != FXT_OK)
            return false;
        keep_args(s, item, item->as.object.args);
        return true;
    case FXT_RECORD_LOG:
        return fxt_read_log(record, &item->as.log, &error) == FXT_OK;
    case FXT_RECORD_STRING:
        return fxt_read_string(record, &item->as.string, &error) == FXT_OK;
    case FXT_RECORD_THREAD:
        return fxt_read_thread(record, &item->as.thread, &error) == FXT_OK;
    case FXT_RECORD_SCHEDULING:
        return fxt_read_legacy_switch(record, &item->as.legacy, &error) == FXT_OK;
    default:
        return false;
    }
}

static void prepare(struct subject *s, enum shape shape)
{
    uint64_t records;
    uint64_t size = shape_fill(shape, s->source, SOURCE_BYTES, &records);
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;

    if (size == 0)
        bench_fail("the writer refused a record");
    s->item_count = 0;
    s->arg_count = 0;
    fxt_reader_init(&reader, s->source, size);
    while (fxt_reader_next(&reader, &record, &error) == FXT_OK)
        if (keep(s, &record))
            s->item_count++;
}

static inline enum fxt_status write_item(struct fxt_writer *writer, const struct item *item)
{
    switch (item->type) {
    case FXT_RECORD_EVENT:
        return fxt_write_event(writer, &item->as.event, item->args, item->arg_count);
    case FXT_RECORD_KERNEL_OBJECT:
        return fxt_write_kernel_object(writer, &item->as.object, item->args, item->arg_count);
    case FXT_RECORD_LOG:
        return fxt_write_log(writer, &item->as.log);
    case FXT_RECORD_STRING:
        return fxt_write_string(writer, &item->as.string);
    case FXT_RECORD_THREAD:
        return fxt_write_thread(writer, &item->as.thread);
    default:
        return fxt_write_legacy_switch(writer, &item->as.legacy);
    }
}

/* The list, again and again, until the buffer is full. */
static uint64_t encode(void *context)
{
    struct subject *s = context;
    struct fxt_writer writer;
    enum fxt_status status = FXT_OK;
    s->records = 0;
    fxt_writer_init(&writer, s->out, s->capacity);
    for (size_t i = 0; status == FXT_OK; i = i + 1 < s->item_count ? i + 1 : 0) {
        status = write_item(&writer, &s->items[i]);
        s->records += status == FXT_OK;
    }
    if (status != FXT_FULL)
        bench_fail("the writer refused a record");
    s->written = writer.size;
    return writer.bytes[writer.size / 2];
}

static uint64_t built(void *context)
{
    struct subject *s = context;
    struct fxt_writer writer;
    uint64_t records = 0;
    fxt_writer_init(&writer, s->out, s->capacity);
    for (;; records++) {
        struct fxt_event event = {.event_type = records % 2 == 0 ? FXT_EVENT_DURATION_BEGIN
                                                                 : FXT_EVENT_DURATION_END,
                                  .timestamp = records * 100,
                                  .thread = fxt_thread_index(1),
                                  .category = fxt_string_index(1),
                                  .name = fxt_string_index((uint16_t)(2 + records / 2 % 16))};
        if (fxt_write_event(&writer, &event, NULL, 0) != FXT_OK)
            break;
    }
    s->records = records;
    s->written = writer.size;
    return writer.bytes[writer.size / 2];
}

static uint64_t fill(void *context)
{
    struct subject *s = context;
    memset(s->out, (int)(s->written % 251), s->capacity);
    return s->out[s->capacity / 2];
}

/* From a source that is in cache, as it is for the writer. */
static uint64_t copy(void *context)
{
    struct subject *s = context;
    for (uint64_t i = 0; i + SOURCE_BYTES <= s->capacity; i += SOURCE_BYTES)
        memcpy(s->out + i, s->source, SOURCE_BYTES);
    return s->out[s->capacity / 2];
}

static const struct {
    const char *name;
    bench_work *work;
    bool floor;
} rows[] = {{"memcpy", copy, true},
            {"memset", fill, true},
            {"encode", encode, false},
            {"built", built, false}};

static void run(struct bench_report *report, const struct bench_options *options, struct subject *s,
                enum shape shape, const char *memory)
{
    enum { COUNT = sizeof rows / sizeof rows[0] };
    struct bench_task tasks[COUNT];
    size_t count = shape == SHAPE_TINY ? COUNT : COUNT - 1; /* `built` is tiny */

    for (size_t i = 0; i < count; i++) {
        struct bench_task task = {bench_add(report, shape_name(shape), memory, rows[i].name),
                                  rows[i].work, s};
        tasks[i] = task;
    }
    bench_measure(tasks, count, options);
    for (size_t i = 0; i < count; i++) {
        if (!rows[i].floor)
            tasks[i].work(s); /* says how much it writes */
        tasks[i].row->bytes = rows[i].floor ? s->capacity : s->written;
        tasks[i].row->records = rows[i].floor ? 0 : s->records;
        tasks[i].row->floor_copy =
            tasks[0].row->best * (double)tasks[i].row->bytes / (double)s->capacity;
    }
}

int main(int argc, char **argv)
{
    static struct bench_report report;
    struct bench_options options = bench_options(argc, argv);
    struct subject s = {.items = bench_memory(ITEMS_MAX * sizeof(struct item)),
                        .args = bench_memory(ITEMS_MAX * sizeof(struct fxt_arg)),
                        .source = bench_memory(SOURCE_BYTES)};
    if (options.file != NULL)
        bench_fail("--file is for read_bench");
    for (int shape = 0; shape < SHAPE_COUNT; shape++) {
        prepare(&s, (enum shape)shape);
        for (int large = 0; large <= 1; large++) {
            s.capacity = large ? options.large : BENCH_CACHED_BYTES;
            s.out = bench_memory(s.capacity);
            run(&report, &options, &s, (enum shape)shape, large ? "memory" : "cache");
            bench_free(s.out);
        }
    }
    bench_print(&report, &options, "write");
    return 0;
}
