/* Traces that the original engine and its writer wrote, and what the original reader said of each,
   beside what we say. Both texts must be the same, except where the original departs from the
   format or our rules say more: each such place is listed, file by file, with the reason.

   These traces lie in conformance/original. Traces that other people's programs wrote are no part of
   this repository: they are looked for in ../shared/samples beside the checkout, and their tests
   say so and pass where they are absent. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include <fxt/buffer.h>
#include <fxt/read.h>
#include <fxt/tables.h>

#define THIS_FILE "src/check/samples_test.c"
#define ORIGINAL "conformance/original"
#define SAMPLES "/../shared/samples/third-party"

/* Bazel gives this file to the test as a link to where it really lies. */
static const char *samples(void)
{
    static char path[PATH_MAX + sizeof SAMPLES];
    struct stat found;
    if (realpath(THIS_FILE, path) == NULL)
        return NULL;
    path[strlen(path) - strlen("/" THIS_FILE)] = '\0';
    strcat(path, SAMPLES);
    return stat(path, &found) == 0 ? path : NULL;
}

static bool skipped(void)
{
    if (samples() != NULL)
        return false;
    fprintf(stderr, "skipped: no samples of other writers\n");
    return true;
}

struct buffer {
    uint8_t *bytes;
    size_t size;
};

/* The whole file, unpacked when it is a .gz; `name` is tried with and without that ending. */
static struct buffer load(const char *directory, const char *name)
{
    char path[2 * PATH_MAX];
    struct buffer buffer = {NULL, 0};
    size_t capacity = 1 << 16;
    struct stat found;
    int got;

    snprintf(path, sizeof path, "%s/%s", directory, name);
    if (stat(path, &found) != 0)
        strcat(path, ".gz");
    gzFile file = gzopen(path, "rb");
    cr_assert_not_null(file, "%s", path);
    buffer.bytes = malloc(capacity);
    while ((got = gzread(file, buffer.bytes + buffer.size, (unsigned)(capacity - buffer.size))) >
           0) {
        buffer.size += (size_t)got;
        if (buffer.size == capacity)
            buffer.bytes = realloc(buffer.bytes, capacity *= 2);
    }
    cr_assert_eq(got, 0, "%s", path);
    gzclose(file);
    return buffer;
}

static struct fxt_tables *new_tables(void)
{
    static struct fxt_tables tables;
    static struct fxt_provider providers[4];
    static uint32_t ids[4];
    static uint8_t arena[1 << 20];
    struct fxt_tables_memory memory = {.providers = providers,
                                       .provider_ids = ids,
                                       .provider_max = 4,
                                       .arena = arena,
                                       .arena_size = sizeof arena};
    fxt_tables_init(&tables, &memory);
    return &tables;
}

/* The text of a record in the original's form. */
struct page {
    const struct fxt_tables *tables;
    FILE *out;
};

static void put_bytes(const struct page *page, struct fxt_bytes bytes)
{
    if (bytes.size > 0)
        fwrite(bytes.bytes, 1, bytes.size, page->out);
}

static void put_string(const struct page *page, struct fxt_string_ref ref)
{
    struct fxt_bytes text;
    if (fxt_tables_string(page->tables, &text, ref))
        put_bytes(page, text);
    else
        fprintf(page->out, "<unresolved %u>", ref.ref);
}

static void put_quoted(const struct page *page, const char *before, struct fxt_string_ref ref)
{
    fprintf(page->out, "%s\"", before);
    put_string(page, ref);
    fputc('"', page->out);
}

static void put_thread(const struct page *page, const char *before, struct fxt_thread_ref ref)
{
    struct fxt_thread_ref koids;
    if (fxt_tables_thread(page->tables, &koids, ref))
        fprintf(page->out, "%s%" PRIu64 "/%" PRIu64, before, koids.process, koids.thread);
    else
        fprintf(page->out, "%s<unresolved %u>", before, ref.ref);
}

static void put_value(const struct page *page, const struct fxt_arg *arg)
{
    FILE *out = page->out;
    switch (arg->type) {
    case FXT_ARG_NULL:
        fprintf(out, "null");
        break;
    case FXT_ARG_INT32:
        fprintf(out, "int32(%" PRId64 ")", fxt_arg_int64(arg));
        break;
    case FXT_ARG_UINT32:
        fprintf(out, "uint32(%" PRIu64 ")", arg->value);
        break;
    case FXT_ARG_INT64:
        fprintf(out, "int64(%" PRId64 ")", fxt_arg_int64(arg));
        break;
    case FXT_ARG_UINT64:
        fprintf(out, "uint64(%" PRIu64 ")", arg->value);
        break;
    case FXT_ARG_DOUBLE:
        fprintf(out, "double(%f)", fxt_arg_double(arg));
        break;
    case FXT_ARG_STRING:
        put_quoted(page, "string(", arg->text);
        fputc(')', out);
        break;
    case FXT_ARG_POINTER:
        fprintf(out, "pointer(%#" PRIx64 ")", arg->value);
        break;
    case FXT_ARG_KOID:
        fprintf(out, "koid(%" PRIu64 ")", arg->value);
        break;
    case FXT_ARG_BOOL:
        fprintf(out, "bool(%s)", arg->value != 0 ? "true" : "false");
        break;
    case FXT_ARG_BLOB:
        fprintf(out, "blob(length=%" PRIu64 ")", arg->blob.size);
        break;
    default:
        fprintf(out, "unknown(%u)", arg->type);
        break;
    }
}

static void put_args(const struct page *page, struct fxt_args args)
{
    struct fxt_error error;
    struct fxt_arg arg;
    const char *between = "";
    fprintf(page->out, ", {");
    while (fxt_args_next(&args, &arg, &error) == FXT_OK) {
        fprintf(page->out, "%s", between);
        put_string(page, arg.name);
        fprintf(page->out, ": ");
        put_value(page, &arg);
        between = ", ";
    }
    fprintf(page->out, "}");
}

static void put_hex(const struct page *page, const char *between, struct fxt_bytes bytes)
{
    for (uint64_t i = 0; i < bytes.size; i++)
        fprintf(page->out, "%s%02x", i > 0 ? between : "", bytes.bytes[i]);
}

/* At most eight bytes of each end. */
static void put_preview(const struct page *page, struct fxt_bytes bytes)
{
    fprintf(page->out, "size: %" PRIu64 ", preview: <", bytes.size);
    if (bytes.size <= 16) {
        put_hex(page, " ", bytes);
    } else {
        put_hex(page, " ", (struct fxt_bytes){bytes.bytes, 8});
        fprintf(page->out, " ... ");
        put_hex(page, " ", (struct fxt_bytes){bytes.bytes + bytes.size - 8, 8});
    }
    fputc('>', page->out);
}

static const char *state_name(uint16_t state)
{
    static const char *const names[] = {"new", "running", "suspended", "blocked", "dying", "dead"};
    return state < 6 ? names[state] : "???";
}

static const char *object_name(uint16_t type)
{
    static const char *const names[] = {[1] = "process", [2] = "thread", [5] = "event"};
    return type < 6 && names[type] != NULL ? names[type] : "???";
}

static const struct {
    const char *name;
    const char *value; /* NULL: none */
} event_names[] = {{"Instant", NULL},
                   {"Counter", "id"},
                   {"DurationBegin", NULL},
                   {"DurationEnd", NULL},
                   {"DurationComplete", "end_ts"},
                   {"AsyncBegin", "id"},
                   {"AsyncInstant", "id"},
                   {"AsyncEnd", "id"},
                   {"FlowBegin", "id"},
                   {"FlowStep", "id"},
                   {"FlowEnd", "id"}};

static void put_event_type(const struct page *page, const struct fxt_event *event)
{
    static const char *const scopes[] = {"thread", "process", "global"};
    if (event->event_type > FXT_EVENT_FLOW_END) {
        fprintf(page->out, "unknown(%u)", event->event_type);
        return;
    }
    fprintf(page->out, "%s", event_names[event->event_type].name);
    if (event->event_type == FXT_EVENT_INSTANT)
        fprintf(page->out, "(scope: %s)", scopes[event->scope]);
    if (event_names[event->event_type].value != NULL)
        fprintf(page->out, "(%s: %" PRIu64 ")", event_names[event->event_type].value, event->value);
}

static void put_event(const struct page *page, const struct fxt_event *event)
{
    fprintf(page->out, "Event(ts: %" PRIu64, event->timestamp);
    put_thread(page, ", pt: ", event->thread);
    put_quoted(page, ", category: ", event->category);
    put_quoted(page, ", name: ", event->name);
    fprintf(page->out, ", ");
    put_event_type(page, event);
    put_args(page, event->args);
}

static void put_provider_info(const struct page *page, const struct fxt_provider_info *info)
{
    fprintf(page->out, "Metadata(content: ProviderInfo(id: %u, name: \"", info->provider_id);
    put_bytes(page, info->name);
    fprintf(page->out, "\")");
}

static void put_provider_section(const struct page *page,
                                 const struct fxt_provider_section *section)
{
    fprintf(page->out, "Metadata(content: ProviderSection(id: %u)", section->provider_id);
}

static void put_provider_event(const struct page *page, const struct fxt_provider_event *event)
{
    fprintf(page->out, "Metadata(content: ProviderEvent(id: %u, ", event->provider_id);
    if (event->event_id == FXT_PROVIDER_EVENT_BUFFER_FULL)
        fprintf(page->out, "buffer overflow)");
    else
        fprintf(page->out, "unknown(%u))", event->event_id);
}

static void put_trace_info(const struct page *page, const struct fxt_trace_info *info)
{
    fprintf(page->out,
            "Metadata(content: TraceInfo(content: MagicNumberInfo(magic_value: 0x%" PRIx64 "))",
            info->data);
}

static void put_initialization(const struct page *page, const struct fxt_initialization *in)
{
    fprintf(page->out, "Initialization(ticks_per_second: %" PRIu64, in->ticks_per_second);
}

static void put_string_record(const struct page *page, const struct fxt_string *string)
{
    fprintf(page->out, "String(index: %u, \"", string->index);
    put_bytes(page, string->value);
    fputc('"', page->out);
}

static void put_thread_record(const struct page *page, const struct fxt_thread *thread)
{
    fprintf(page->out, "Thread(index: %u, %" PRIu64 "/%" PRIu64, thread->index, thread->process,
            thread->thread);
}

static void put_blob(const struct page *page, const struct fxt_blob *blob)
{
    fprintf(page->out, "Blob(name: ");
    put_string(page, blob->name);
    fprintf(page->out, ", ");
    put_preview(page, blob->payload);
}

static void put_userspace_object(const struct page *page, const struct fxt_userspace_object *object)
{
    fprintf(page->out, "UserspaceObject(pointer: 0x%" PRIx64, object->pointer);
    put_quoted(page, ", name: ", object->name);
    put_args(page, object->args);
}

static void put_kernel_object(const struct page *page, const struct fxt_kernel_object *object)
{
    fprintf(page->out, "KernelObject(koid: %" PRIu64 ", type: %s", object->koid,
            object_name(object->object_type));
    put_quoted(page, ", name: ", object->name);
    put_args(page, object->args);
}

static void put_legacy_switch(const struct page *page, const struct fxt_legacy_switch *in)
{
    fprintf(page->out, "ContextSwitch(ts: %" PRIu64 ", cpu: %u, os: %s", in->timestamp, in->cpu,
            state_name(in->outgoing_state));
    put_thread(page, ", opt: ", in->outgoing);
    put_thread(page, ", ipt: ", in->incoming);
    fprintf(page->out, ", oprio: %u, iprio: %u", in->outgoing_priority, in->incoming_priority);
}

static void put_context_switch(const struct page *page, const struct fxt_context_switch *in)
{
    fprintf(page->out,
            "ContextSwitch(ts: %" PRIu64 ", cpu: %u, os: %s, ot: %" PRIu64 ", it: %" PRIu64,
            in->timestamp, in->cpu, state_name(in->outgoing_state), in->outgoing_thread,
            in->incoming_thread);
    put_args(page, in->args);
}

static void put_thread_wakeup(const struct page *page, const struct fxt_thread_wakeup *in)
{
    fprintf(page->out, "ThreadWakeup(ts: %" PRIu64 ", cpu: %u, it: %" PRIu64, in->timestamp,
            in->cpu, in->waking_thread);
    put_args(page, in->args);
}

static void put_log(const struct page *page, const struct fxt_log *log)
{
    fprintf(page->out, "Log(ts: %" PRIu64, log->timestamp);
    put_thread(page, ", pt: ", log->thread);
    fprintf(page->out, ", \"");
    put_bytes(page, log->message);
    fputc('"', page->out);
}

static void put_module(const struct page *page, const struct fxt_module *module)
{
    fprintf(page->out, "ProfilerModule(ts: %" PRIu64, module->timestamp);
    put_thread(page, ", pt: ", module->thread);
    fprintf(page->out, ", module_id: %u, name: \"", module->module_id);
    put_bytes(page, module->name);
    fprintf(page->out, "\", build_id: \"");
    put_hex(page, "", module->build_id);
    fputc('"', page->out);
}

static void put_mmap(const struct page *page, const struct fxt_mmap *mapping)
{
    fprintf(page->out, "ProfilerMmap(ts: %" PRIu64, mapping->timestamp);
    put_thread(page, ", pt: ", mapping->thread);
    fprintf(page->out,
            ", module_id: %u, start_address: 0x%" PRIx64 ", address_range: 0x%" PRIx64
            ", vaddr: 0x%" PRIx64 ", flags: %u",
            mapping->module_id, mapping->start_address, mapping->address_range, mapping->vaddr,
            mapping->flags);
}

static void put_backtrace(const struct page *page, const struct fxt_backtrace *backtrace)
{
    fprintf(page->out, "ProfilerBacktrace(ts: %" PRIu64, backtrace->timestamp);
    put_thread(page, ", pt: ", backtrace->thread);
    fprintf(page->out, ", backtrace_count: %u", backtrace->frame_count);
    for (uint8_t i = 0; i < backtrace->frame_count; i++)
        fprintf(page->out, ", addr: 0x%" PRIx64, fxt_backtrace_frame(backtrace, i));
}

static void put_large_blob(const struct page *page, const struct fxt_large_blob *blob)
{
    bool metadata = blob->blob_format == FXT_LARGE_BLOB_METADATA;
    fprintf(page->out, "LargeRecord(Blob(format: %s", metadata ? "blob_event" : "blob_attachment");
    put_quoted(page, ", category: ", blob->category);
    put_quoted(page, ", name: ", blob->name);
    if (metadata) {
        fprintf(page->out, ", ts: %" PRIu64, blob->timestamp);
        put_thread(page, ", pt: ", blob->thread);
        put_args(page, blob->args);
    }
    fprintf(page->out, ", ");
    put_preview(page, blob->payload);
    fputc(')', page->out);
}

static void put_refusal(const struct page *page, const struct fxt_error *error)
{
    fprintf(page->out, "refused: %s at %" PRIu64 "\n", fxt_rule_id(error->rule), error->offset);
}

static void put_record(const struct page *page, const struct fxt_record *record)
{
    struct fxt_error error;
#define TRY(name, put)                                                                             \
    do {                                                                                           \
        struct fxt_##name in;                                                                      \
        enum fxt_status status = fxt_read_##name(record, &in, &error);                             \
        if (status == FXT_MALFORMED)                                                               \
            put_refusal(page, &error);                                                             \
        if (status == FXT_OK) {                                                                    \
            put(page, &in);                                                                        \
            fprintf(page->out, ")\n");                                                             \
        }                                                                                          \
        if (status != FXT_WRONG_TYPE)                                                              \
            return;                                                                                \
    } while (0)
    TRY(provider_info, put_provider_info);
    TRY(provider_section, put_provider_section);
    TRY(provider_event, put_provider_event);
    TRY(trace_info, put_trace_info);
    TRY(initialization, put_initialization);
    TRY(string, put_string_record);
    TRY(thread, put_thread_record);
    TRY(event, put_event);
    TRY(blob, put_blob);
    TRY(userspace_object, put_userspace_object);
    TRY(kernel_object, put_kernel_object);
    TRY(legacy_switch, put_legacy_switch);
    TRY(context_switch, put_context_switch);
    TRY(thread_wakeup, put_thread_wakeup);
    TRY(log, put_log);
    TRY(module, put_module);
    TRY(mmap, put_mmap);
    TRY(backtrace, put_backtrace);
    TRY(large_blob, put_large_blob);
    fprintf(page->out, "unknown: %016" PRIx64 "\n", record->header);
}

/* All that we say of a trace: a line for each record and each refusal. */
static struct buffer our_text(struct buffer trace)
{
    struct buffer text = {NULL, 0};
    struct fxt_tables *tables = new_tables();
    struct page page = {tables, open_memstream((char **)&text.bytes, &text.size)};
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    enum fxt_status status;

    fxt_reader_init(&reader, trace.bytes, trace.size);
    while ((status = fxt_reader_next(&reader, &record, &error)) == FXT_OK ||
           status == FXT_ZERO_WORD) {
        if (status == FXT_ZERO_WORD) {
            put_refusal(&page, &error);
            continue;
        }
        struct fxt_error ignored;
        fxt_tables_apply(tables, &record, &ignored);
        put_record(&page, &record);
    }
    if (status != FXT_END)
        put_refusal(&page, &error);
    fclose(page.out);
    return text;
}

/* Lines of a text. */
#define LINES_MAX 10000

struct line {
    const char *bytes;
    size_t size;
};

struct lines {
    struct line lines[LINES_MAX];
    size_t count;
};

static void add_line(struct lines *lines, size_t at, const char *bytes, size_t size)
{
    cr_assert_lt(lines->count, LINES_MAX);
    cr_assert_leq(at, lines->count);
    memmove(&lines->lines[at + 1], &lines->lines[at], (lines->count - at) * sizeof lines->lines[0]);
    lines->lines[at] = (struct line){bytes, size};
    lines->count++;
}

static void remove_line(struct lines *lines, size_t at)
{
    cr_assert_lt(at, lines->count);
    lines->count--;
    memmove(&lines->lines[at], &lines->lines[at + 1], (lines->count - at) * sizeof lines->lines[0]);
}

/* The original's diagnostics and sums are not records. */
static bool is_record(const char *bytes)
{
    static const char *const others[] = {"# ", "-- ", "ERROR: ", "    ", "}\n"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strncmp(bytes, others[i], strlen(others[i])) == 0)
            return false;
    return true;
}

static void split(struct lines *lines, struct buffer text, bool original)
{
    const char *at = (const char *)text.bytes;
    const char *end = at + text.size;
    lines->count = 0;
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        cr_assert_not_null(stop);
        if (!original || is_record(at))
            add_line(lines, lines->count, at, (size_t)(stop - at));
        at = stop + 1;
    }
}

/* Where our text differs: what we say at that line of it (from 1). A refusal stands where the
   original has an error in words of its own; all others have their reason in a comment. */
enum what { WE_ADD, WE_REPLACE };

struct departure {
    const char *file;
    enum what what;
    size_t line;
    const char *ours;
    size_t size;
};

/* An event whose category has 32001 bytes. */
#define BEFORE "Event(ts: 7, pt: 100/200, category: \""
#define BEHIND "\", name: \"name\", Instant(scope: thread), {})"
static char over_32000[sizeof BEFORE - 1 + 32001 + sizeof BEHIND];

static void fill_over_32000(void)
{
    memset(over_32000, 'q', sizeof over_32000);
    memcpy(over_32000, BEFORE, sizeof BEFORE - 1);
    memcpy(over_32000 + sizeof over_32000 - sizeof BEHIND, BEHIND, sizeof BEHIND);
}

#define MALFORMED "malformed/"
#define OURS(text) text, sizeof(text) - 1

static const struct departure departures[] = {
    /* ARG-08: the value of a blob argument is its bytes, without padding */
    {"blob-argument-handmade", WE_REPLACE, 4,
     OURS("Event(ts: 55, pt: 1/2, category: \"cat\", name: \"name\", "
          "Instant(scope: thread), {: blob(length=11)})")},
    /* 8.7: userspace objects are records; the original reader skips them */
    {"fxt-writer-all", WE_ADD, 53,
     OURS("UserspaceObject(pointer: 0x1000, name: \"name\", {argname: int32(4)})")},
    /* UOB-02: one koid; the original writer writes two, and 400 is read as the name */
    {"fxt-writer-all", WE_ADD, 54,
     OURS("UserspaceObject(pointer: 0xffffffffffffffff, name: \"\x90\x01\0\", {})")},
    {MALFORMED "arg-overrun", WE_ADD, 6, OURS("refused: ARG-03 at 96")},
    /* ARG-04: an argument of unknown type is delivered */
    {MALFORMED "arg-unknown-type-15", WE_REPLACE, 6,
     OURS("Event(ts: 7, pt: 100/200, category: \"cat\", name: \"name\", "
          "Instant(scope: thread), {name: unknown(15), name: int32(5)})")},
    {MALFORMED "context-switch-short", WE_ADD, 6, OURS("refused: SCH-04 at 96")},
    {MALFORMED "event-size-too-small-no-timestamp", WE_ADD, 6, OURS("refused: EVT-01 at 88")},
    /* INI-02: 0 ticks are delivered */
    {MALFORMED "init-zero-ticks", WE_ADD, 2, OURS("Initialization(ticks_per_second: 0)")},
    /* STR-02: a record with an unresolved ref is delivered */
    {MALFORMED "init-zero-ticks", WE_ADD, 4,
     OURS("Event(ts: 5, pt: 100/200, category: \"<unresolved 1>\", "
          "name: \"<unresolved 2>\", Instant(scope: thread), {})")},
    /* STR-04: a longer string is delivered whole */
    {MALFORMED "inline-string-over-32000", WE_ADD, 6, OURS(over_32000)},
    {MALFORMED "inline-thread-overrun", WE_ADD, 6, OURS("refused: THR-03 at 96")},
    /* LRG-04: the size is compared before it is rounded up */
    {MALFORMED "large-blob-size-max", WE_REPLACE, 6, OURS("refused: LRG-04 at 104")},
    {MALFORMED "large-no-format-header", WE_ADD, 6, OURS("refused: LRG-03 at 88")},
    /* LRG-02: delivered as unknown */
    {MALFORMED "large-unknown-format", WE_ADD, 6, OURS("unknown: 000007000000002f")},
    {MALFORMED "log-length-overrun", WE_ADD, 6, OURS("refused: LOG-01 at 96")},
    /* MET-01: delivered as unknown */
    {MALFORMED "metadata-unknown-type-9", WE_ADD, 6, OURS("unknown: 0000000000090010")},
    {MALFORMED "profiler-backtrace-overrun", WE_ADD, 6, OURS("refused: PRF-04 at 96")},
    /* MET-04: delivered with the number */
    {MALFORMED "provider-event-unknown", WE_ADD, 6,
     OURS("Metadata(content: ProviderEvent(id: 1, unknown(7)))")},
    /* STR-02, THR-02: a record with unresolved refs is delivered */
    {MALFORMED "provider-info-resets-tables", WE_ADD, 8,
     OURS("Event(ts: 5, pt: <unresolved 1>, category: \"<unresolved 1>\", "
          "name: \"<unresolved 2>\", Instant(scope: thread), {})")},
    /* 8.1.1: a provider info record for a known provider does not clear its tables */
    {MALFORMED "provider-info-resets-tables", WE_ADD, 10,
     OURS("Event(ts: 5, pt: 100/200, category: \"cat\", name: \"name\", "
          "Instant(scope: thread), {})")},
    /* SCH-02: delivered as unknown */
    {MALFORMED "scheduler-unknown-type-15", WE_ADD, 6, OURS("unknown: f000000000000028")},
    {MALFORMED "seven-bytes", WE_ADD, 1, OURS("refused: REC-01 at 0")},
    {MALFORMED "string-length-overrun", WE_ADD, 6, OURS("refused: STT-01 at 88")},
    /* STR-02: a record with an unresolved ref is delivered */
    {MALFORMED "string-ref-missing", WE_ADD, 6,
     OURS("Event(ts: 7, pt: 100/200, category: \"<unresolved 99>\", name: \"name\", "
          "Instant(scope: thread), {})")},
    /* THT-03: the last registration holds */
    {MALFORMED "thread-redefined", WE_REPLACE, 7,
     OURS("Event(ts: 5, pt: 111/222, category: \"cat\", name: \"name\", "
          "Instant(scope: thread), {})")},
    {MALFORMED "thread-short", WE_ADD, 6, OURS("refused: THT-01 at 96")},
    {MALFORMED "truncated-event", WE_ADD, 7, OURS("refused: REC-03 at 104")},
    /* EVT-02: what all events have is delivered */
    {MALFORMED "unknown-event-type-15", WE_ADD, 6,
     OURS("Event(ts: 7, pt: 100/200, category: \"cat\", name: \"name\", unknown(15), {})")},
    /* REC-06: delivered as unknown */
    {MALFORMED "unknown-record-type-12", WE_ADD, 6, OURS("unknown: 000000000000002c")},
    /* REC-06: delivered as unknown */
    {MALFORMED "unknown-record-type-14", WE_ADD, 6, OURS("unknown: 000000000000002e")},
    /* REC-09: each zero word is refused */
    {MALFORMED "zero-header-words-between", WE_ADD, 6, OURS("refused: REC-09 at 80")},
    /* REC-09: each zero word is refused */
    {MALFORMED "zero-header-words-between", WE_ADD, 7, OURS("refused: REC-09 at 88")},
    /* REC-09: each zero word is refused */
    {MALFORMED "zero-header-words-between", WE_ADD, 8, OURS("refused: REC-09 at 96")},
    /* REC-09: each zero word is refused */
    {MALFORMED "zero-header-words-between", WE_ADD, 10, OURS("refused: REC-09 at 128")},
};

static void depart(struct lines *lines, const char *file)
{
    for (const struct departure *d = departures; d < departures + sizeof departures / sizeof *d;
         d++) {
        if (strcmp(d->file, file) != 0)
            continue;
        if (d->what == WE_REPLACE)
            remove_line(lines, d->line - 1);
        add_line(lines, d->line - 1, d->ours, d->size);
    }
}

static struct lines ours;
static struct lines theirs;

static void expect_same_text_of(struct buffer trace, const char *file)
{
    char name[200];
    struct buffer text = our_text(trace);
    snprintf(name, sizeof name, "%s.read.txt", file);
    struct buffer original = load(ORIGINAL, name);

    split(&ours, text, false);
    split(&theirs, original, true);
    depart(&theirs, file);
    for (size_t i = 0; i < ours.count && i < theirs.count; i++) {
        struct line a = ours.lines[i];
        struct line b = theirs.lines[i];
        if (a.size != b.size || memcmp(a.bytes, b.bytes, a.size) != 0) {
            cr_expect_fail("%s, line %zu:\n  %.*s\ninstead of\n  %.*s", file, i + 1,
                           (int)(a.size < 300 ? a.size : 300), a.bytes,
                           (int)(b.size < 300 ? b.size : 300), b.bytes);
            break;
        }
    }
    cr_expect_eq(ours.count, theirs.count, "%s: %zu lines instead of %zu", file, ours.count,
                 theirs.count);
    free(trace.bytes);
    free(text.bytes);
    free(original.bytes);
}

static void expect_same_text(const char *file)
{
    char name[200];
    snprintf(name, sizeof name, "%s.fxt", file);
    expect_same_text_of(load(ORIGINAL, name), file);
}

/* The records of a raw buffer, part by part. */
static struct buffer records_of(struct buffer image, const char *name)
{
    struct fxt_buffer_header header;
    struct fxt_buffer_part parts[FXT_BUFFER_PARTS_MAX];
    struct fxt_error error;
    struct buffer trace = {malloc(image.size), 0};
    cr_assert_eq(fxt_buffer_read_header(&header, image.bytes, image.size, image.size, &error),
                 FXT_OK, "%s: %s", name, fxt_rule_id(error.rule));
    uint32_t count = fxt_buffer_parts(parts, &header);
    for (uint32_t i = 0; i < count; i++) {
        memcpy(trace.bytes + trace.size, image.bytes + parts[i].offset, parts[i].size);
        trace.size += parts[i].size;
    }
    free(image.bytes);
    return trace;
}

static const char *const images[] = {
    "engine-circular-empty.buffer",      "engine-circular-wrap-4k.buffer",
    "engine-oneshot-all.buffer",         "engine-oneshot-full-4k.buffer",
    "engine-streaming-64k-saved.buffer", "engine-streaming-live.buffer",
};

static const char *const files[] = {
    "blob-argument-handmade",
    "engine-circular-empty",
    "engine-circular-wrap-4k",
    "engine-oneshot-all",
    "engine-oneshot-full-4k",
    "engine-streaming-64k-saved",
    "engine-streaming-live",
    "fxt-writer-all",
    "two-providers",
    MALFORMED "arg-bool-reserved-bits",
    MALFORMED "arg-int32-extra-payload",
    MALFORMED "arg-name-empty",
    MALFORMED "arg-overrun",
    MALFORMED "arg-string-inline",
    MALFORMED "arg-unknown-type-15",
    MALFORMED "blob-type-0",
    MALFORMED "context-switch-short",
    MALFORMED "empty",
    MALFORMED "event-size-too-small-no-timestamp",
    MALFORMED "init-zero-ticks",
    MALFORMED "inline-string-over-32000",
    MALFORMED "inline-thread-overrun",
    MALFORMED "instant-without-scope",
    MALFORMED "kernel-object-ok",
    MALFORMED "large-blob-size-max",
    MALFORMED "large-no-format-header",
    MALFORMED "large-unknown-format",
    MALFORMED "legacy-switch-state-9",
    MALFORMED "log-length-overrun",
    MALFORMED "log-ok",
    MALFORMED "magic-wrong-value",
    MALFORMED "metadata-unknown-type-9",
    MALFORMED "profiler-backtrace-overrun",
    MALFORMED "provider-event-unknown",
    MALFORMED "provider-info-resets-tables",
    MALFORMED "provider-tables-separate",
    MALFORMED "scheduler-unknown-type-15",
    MALFORMED "seven-bytes",
    MALFORMED "string-bit15-of-index-set",
    MALFORMED "string-length-overrun",
    MALFORMED "string-nonzero-padding",
    MALFORMED "string-ref-missing",
    MALFORMED "thread-redefined",
    MALFORMED "thread-short",
    MALFORMED "truncated-event",
    MALFORMED "two-inits",
    MALFORMED "unknown-event-type-15",
    MALFORMED "unknown-record-type-12",
    MALFORMED "unknown-record-type-14",
    MALFORMED "zero-header-words-between",
};

Test(samples, traces_of_the_original_read_as_the_original_reads_them)
{
    fill_over_32000();
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        expect_same_text(files[i]);
}

Test(samples, buffers_of_the_original_read_as_the_original_reads_them)
{
    for (size_t i = 0; i < sizeof images / sizeof images[0]; i++)
        expect_same_text_of(records_of(load(ORIGINAL, images[i]), images[i]), images[i]);
}

/* Of 2018, and while it was being written. */
Test(samples, other_buffers_of_the_original_have_a_good_header)
{
    struct buffer old = records_of(load(ORIGINAL, "e2018-circular-wrap.buffer"), "2018");
    cr_expect_eq(old.size, 0xa8 + 0x730 + 0x660);
    struct buffer live =
        records_of(load(ORIGINAL, "engine-streaming-live.live.buffer"), "live");
    cr_expect_eq(live.size, 0);
    free(old.bytes);
    free(live.bytes);
}

/* The records of an image as if its provider had died and no data end were known: how many there
   are. The original has no chunks. A part's records go on at least to where its data ends. */
static uint64_t salvage(const char *name)
{
    struct buffer image = load(ORIGINAL, name);
    struct fxt_buffer_header header;
    struct fxt_buffer_part parts[FXT_BUFFER_PARTS_MAX];
    struct fxt_buffer_span span;
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    uint64_t records = 0;

    cr_assert_eq(fxt_buffer_read_header(&header, image.bytes, image.size, image.size, &error),
                 FXT_OK);
    uint32_t count = fxt_buffer_parts(parts, &header);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t at = 0;
        const uint8_t *part = image.bytes + parts[i].offset;
        bool found = fxt_buffer_salvage(&span, &at, part, parts[i].room, 0);
        cr_expect_eq(found ? span.offset : 0, 0, "%s", name);
        cr_expect_geq(found ? span.size : 0, parts[i].size, "%s, part %u", name, i);
        fxt_reader_init(&reader, part, found ? span.size : 0);
        while (fxt_reader_next(&reader, &record, &error) == FXT_OK)
            records++;
    }
    free(image.bytes);
    return records;
}

Test(samples, buffers_of_the_original_are_salvaged)
{
    for (size_t i = 0; i < sizeof images / sizeof images[0]; i++)
        salvage(images[i]);
    cr_expect_gt(salvage("e2018-circular-wrap.buffer"), 50);
    cr_expect_gt(salvage("engine-streaming-live.live.buffer"), 5, "its header knows of none");
}

/* Each departure belongs to a file that is compared, so that none is left over by a misspelling. */
Test(samples, departures_are_of_files_that_are_compared)
{
    for (size_t i = 0; i < sizeof departures / sizeof departures[0]; i++) {
        bool found = false;
        for (size_t j = 0; j < sizeof files / sizeof files[0]; j++)
            found = found || strcmp(departures[i].file, files[j]) == 0;
        cr_expect(found, "%s", departures[i].file);
    }
}

/* Traces of other people's programs: how many records of each type are delivered, how many are
   refused, and how the reading ends. */
struct census {
    uint64_t types[16];
    uint64_t events[16];
    uint64_t refused; /* by their decoders, and zero words */
    enum fxt_status end;
    enum fxt_rule rule;
};

static bool refuses(const struct fxt_record *record)
{
    struct page page = {new_tables(), NULL};
    char *text = NULL;
    size_t size = 0;
    page.out = open_memstream(&text, &size);
    put_record(&page, record);
    fclose(page.out);
    bool refused = strncmp(text, "refused", 7) == 0;
    free(text);
    return refused;
}

static struct census count_records(struct buffer trace, bool decode)
{
    struct census census = {.end = FXT_OK};
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_event event;
    struct fxt_error error = {0, FXT_OK, FXT_RULE_NONE};

    fxt_reader_init(&reader, trace.bytes, trace.size);
    while ((census.end = fxt_reader_next(&reader, &record, &error)) == FXT_OK ||
           census.end == FXT_ZERO_WORD) {
        if (census.end == FXT_ZERO_WORD || (decode && refuses(&record))) {
            census.refused++;
            continue;
        }
        census.types[record.type]++;
        if (fxt_read_event(&record, &event, &error) == FXT_OK)
            census.events[event.event_type]++;
    }
    census.rule = census.end == FXT_END ? FXT_RULE_NONE : error.rule;
    return census;
}

Test(samples, the_trace_of_magic_trace_has_all_its_records)
{
    if (skipped())
        return;
    struct buffer trace = load(samples(), "janestreet_perfetto__c-demo.fxt");
    struct census census = count_records(trace, false);
    cr_expect_eq(census.end, FXT_END);
    cr_expect_eq(census.refused, 0);
    cr_expect_eq(census.types[FXT_RECORD_STRING], 581);
    cr_expect_eq(census.types[FXT_RECORD_THREAD], 1);
    cr_expect_eq(census.events[FXT_EVENT_DURATION_BEGIN], 237058);
    cr_expect_eq(census.events[FXT_EVENT_DURATION_END], 237058);
    free(trace.bytes);
}

static const struct {
    const char *name;
    uint64_t records;
    uint64_t refused;
    enum fxt_status end;
    enum fxt_rule rule;
} others[] = {
    {"ftfrs-tracing__examples_test.ftf", 12, 0, FXT_END, FXT_RULE_NONE},
    {"ftr_generated.fxt", 105, 0, FXT_END, FXT_RULE_NONE},
    /* The value of each counter's argument stands before the header, which makes a size of 0. */
    {"ftr_generated__counter_MISORDERED.fxt", 4, 4, FXT_END, FXT_RULE_NONE},
    {"fuchsia_cpp_reader_tests__KernelObjectNonUtf8Name.fxt", 2, 0, FXT_END, FXT_RULE_NONE},
    {"fuchsia_cpp_reader_tests__ProfilerRecords.fxt", 4, 0, FXT_END, FXT_RULE_NONE},
    {"fuchsia_cpp_serializer_test__InitRecord.fxt", 2, 0, FXT_END, FXT_RULE_NONE},
    {"fxt-cpp_generated__all_records.fxt", 49, 0, FXT_END, FXT_RULE_NONE},
    {"ocaml-trace_golden__t2_first.fxt", 3, 0, FXT_END, FXT_RULE_NONE},
    {"ocaml-trace_golden__t2_second.fxt", 7, 0, FXT_END, FXT_RULE_NONE},
    {"perfetto_unittest__BooleanArguments.fxt", 2, 0, FXT_END, FXT_RULE_NONE},
    {"perfetto_unittest__CorruptedFxt.fxt", 1, 0, FXT_ZERO_SIZE, FXT_RULE_REC_02},
    {"perfetto_unittest__FlowEvents.fxt", 7, 0, FXT_END, FXT_RULE_NONE},
    {"perfetto_unittest__InlineInstantEvent.fxt", 2, 0, FXT_END, FXT_RULE_NONE},
    {"perfetto_unittest__SchedulerEvents.fxt", 4, 0, FXT_END, FXT_RULE_NONE},
};

Test(samples, traces_of_other_writers_are_read_to_their_end_or_to_their_defect)
{
    if (skipped())
        return;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        struct buffer trace = load(samples(), others[i].name);
        struct census census = count_records(trace, true);
        uint64_t records = 0;
        for (unsigned type = 0; type < 16; type++)
            records += census.types[type];
        cr_expect_eq(records, others[i].records, "%s: %lu records", others[i].name, records);
        cr_expect_eq(census.refused, others[i].refused, "%s: %lu refused", others[i].name,
                     census.refused);
        cr_expect_eq(census.end, others[i].end, "%s: %s", others[i].name,
                     fxt_status_name(census.end));
        cr_expect_eq(census.rule, others[i].rule, "%s: %s", others[i].name,
                     fxt_rule_id(census.rule));
        free(trace.bytes);
    }
}
