/* Calls every public function that has a contract, in every way that its contract allows, and asks
   nothing of the answers: that is for the contracts, which the linker puts in the place of the
   functions (contracts/). */
#include <stdlib.h>
#include <string.h>

#include <fxt/buffer.h>
#include <fxt/check.h>
#include <fxt/events.h>
#include <fxt/intern.h>

#include "fuzz/contracts/contracts.h"
#include "fuzz/lib/any.h"
#include "fuzz/lib/chunk.h"

#define SPANS_MAX 64
#define PATTERN 0x5a

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static struct {
    struct fxt_checker checker;
    struct fxt_tables tables;
    struct fxt_interner interner;
    struct fxt_intern_slot slots[8];
    uint8_t text[64];
    uint8_t memory[1 << 16]; /* of the writer */
    struct fxt_writer writer;
} it;

static struct fxt_provider providers[2][2];
static uint32_t provider_ids[2][2];
static struct fxt_object objects[2][4];
static uint8_t arenas[2][256];
static struct fxt_check_thread threads[4];
static struct fxt_check_open opens[4];

static struct fxt_tables_memory tables_memory(int i)
{
    return (struct fxt_tables_memory){.providers = providers[i],
                                      .provider_ids = provider_ids[i],
                                      .objects = objects[i],
                                      .arena = arenas[i],
                                      .provider_max = 2,
                                      .object_max = 4,
                                      .arena_size = sizeof arenas[i]};
}

static void begin(uint64_t control)
{
    struct fxt_check_memory memory = {tables_memory(0), threads, opens, 4, 4};
    struct fxt_tables_memory second = tables_memory(1);

    fxt_check_init(&it.checker, &memory, control % 2 == 0 ? FXT_EDITION_2020 : FXT_EDITION_CURRENT);
    fxt_tables_init(&it.tables, &second);
    fxt_intern_init(&it.interner, it.slots, control % 7 + 2, it.text, sizeof it.text,
                    control % 3 == 0 ? FXT_INTERN_EVICT : FXT_INTERN_INLINE);
    fxt_intern_init(&it.interner, it.slots, 8, it.text, sizeof it.text,
                    control % 3 == 0 ? FXT_INTERN_EVICT : FXT_INTERN_INLINE);
    fxt_writer_init(&it.writer, it.memory, control % sizeof it.memory);
    fxt_write_magic(&it.writer);
}

/* Strings and threads as they are, and by the tables of the trace. */
static void use_string(struct fxt_string_ref ref)
{
    struct fxt_bytes text;
    struct fxt_string_ref interned;

    fxt_string_ref_length(ref);
    contract_fxt_string_ref_length(ref);
    if (fxt_tables_string(&it.tables, &text, ref) && text.size > 0) {
        fxt_utf8_valid(text.bytes, text.size);
        fxt_intern_begin_record(&it.interner);
        fxt_intern_string(&it.interner, &it.writer, &interned, text.bytes, text.size);
    }
}

static void use_thread(struct fxt_thread_ref ref)
{
    struct fxt_thread_ref koids;
    struct fxt_thread_ref interned;

    if (fxt_tables_thread(&it.tables, &koids, ref))
        fxt_intern_thread(&it.interner, &it.writer, &interned, koids.process, koids.thread);
}

static void use_tail(const struct fxt_tail *tail)
{
    for (uint32_t i = 0; i < tail->words && i < 4; i++)
        fxt_tail_word(tail, i);
}

static void use_arg(const struct fxt_arg *arg)
{
    contract_fxt_arg_int64(arg);
    contract_fxt_make_arg((uint8_t)arg->type, arg->name, arg->value);
    contract_fxt_make_null(arg->name);
    contract_fxt_make_int32(arg->name, (int32_t)fxt_arg_int64(arg));
    contract_fxt_make_uint32(arg->name, (uint32_t)arg->value);
    contract_fxt_make_int64(arg->name, fxt_arg_int64(arg));
    contract_fxt_make_uint64(arg->name, arg->value);
    contract_fxt_make_pointer(arg->name, arg->value);
    contract_fxt_make_koid(arg->name, arg->value);
    contract_fxt_make_bool(arg->name, arg->value != 0);
    contract_fxt_make_string(arg->name, arg->text);
    contract_fxt_make_blob(arg->name, arg->blob.bytes, arg->blob.size);
    contract_fxt_string_index((uint32_t)arg->value);
    contract_fxt_string_inline(arg->blob.bytes, (size_t)arg->blob.size);
    contract_fxt_thread_index((uint32_t)arg->value);
    contract_fxt_thread_inline(arg->value, arg->blob.size);
    fxt_ticks_to_ns(arg->value, arg->blob.size);
    use_string(arg->name);
    use_tail(&arg->tail);
    if (arg->type == FXT_ARG_STRING)
        use_string(arg->text);
}

static void use_event(const struct fxt_record *record)
{
    struct fxt_event event;
    struct fxt_arg args[FXT_ARGS_MAX];
    struct fxt_error error;

    memset(&event, PATTERN, sizeof event);
    fxt_read_event_args(record, &event, args, &error);
    if (fxt_read_event(record, &event, &error) != FXT_OK)
        return;
    use_string(event.category);
    use_string(event.name);
    use_thread(event.thread);
    fxt_ticks_to_ns(event.timestamp, event.value);
    fxt_tables_set_ticks(&it.tables, event.value);
    fxt_tables_userspace_object(&it.tables, event.thread.process, event.value);
}

/* What one kind of record has beside strings and arguments. */
static void use_fields(const struct fuzz_record *in)
{
    const struct fxt_object *object = NULL;

    switch (in->kind) {
    case FUZZ_PROVIDER_INFO:
        fxt_tables_select(&it.tables, in->any.provider_info.provider_id);
        fxt_tables_introduce(&it.tables, &in->any.provider_info);
        break;
    case FUZZ_STRING:
        fxt_tables_set_string(&it.tables, &in->any.string);
        break;
    case FUZZ_THREAD:
        fxt_tables_set_thread(&it.tables, &in->any.thread);
        break;
    case FUZZ_KERNEL_OBJECT:
        fxt_tables_set_kernel_object(&it.tables, &in->any.kernel_object);
        object = fxt_tables_kernel_object(&it.tables, in->any.kernel_object.object_type,
                                          in->any.kernel_object.koid);
        break;
    case FUZZ_USERSPACE_OBJECT:
        fxt_tables_set_userspace_object(&it.tables, &in->any.userspace_object);
        object = fxt_tables_userspace_object(&it.tables, in->any.userspace_object.process.process,
                                             in->any.userspace_object.pointer);
        break;
    case FUZZ_BACKTRACE:
        for (unsigned i = 0; i < in->any.backtrace.frame_count; i++)
            fxt_backtrace_frame(&in->any.backtrace, (uint8_t)i);
        break;
    default:
        break;
    }
    if (object != NULL)
        fxt_tables_object_name(&it.tables, object);
    fxt_tables_provider(&it.tables);
}

/* With room, without, and in memory that holds other things. */
static void write_back(const struct fuzz_record *in, uint64_t words)
{
    struct fxt_writer small;

    for (uint64_t room = words > 2 ? words - 2 : 0; room <= words; room++) {
        uint8_t *memory = malloc(8 * room + 1);
        FUZZ_CHECK(memory != NULL);
        memset(memory, PATTERN, 8 * room + 1);
        fxt_writer_init(&small, memory, 8 * room);
        fuzz_encode(&small, in);
        free(memory);
    }
    fuzz_encode(&it.writer, in);
}

static void use_record(const struct fxt_record *record)
{
    union fuzz_any any;
    struct fuzz_record all;
    struct fxt_error error;

    for (int kind = 0; kind < FUZZ_KIND_COUNT; kind++) {
        memset(&any, PATTERN, sizeof any);
        fuzz_decode((enum fuzz_kind_id)kind, &any, record, &error);
    }
    fxt_record_metadata_type(record);
    fxt_record_scheduling_type(record);
    fxt_record_profiler_type(record);
    fxt_record_large_type(record);
    fxt_record_blob_format(record);
    fxt_tables_apply(&it.tables, record, &error);
    fxt_check_record(&it.checker, record);
    fxt_check_canonical(record, &error);
    use_event(record);
    if (fuzz_decode_all(&all, record, &error) == FXT_OK) {
        use_fields(&all);
        for (unsigned i = 0; i < all.arg_count; i++)
            use_arg(&all.args[i]);
        write_back(&all, record->words);
    }
    fxt_write_raw(&it.writer, record->bytes, 8 * (uint64_t)record->words);
    fxt_write_raw(&it.writer, record->bytes, record->words);
}

static void use_error(const struct fxt_error *error)
{
    fxt_status_name(error->status);
    fxt_rule_title(error->rule);
    fxt_rule_class(error->rule);
    fxt_rule_edition(error->rule);
    fxt_class_name(fxt_rule_class(error->rule));
    fxt_rule_by_id(fxt_rule_id(error->rule));
}

static void use_trace(const uint8_t *bytes, size_t size, uint64_t control)
{
    struct fuzz_chunks chunks;
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_finding finding;
    struct fxt_error error = {0};
    enum fxt_status status;

    fxt_reader_init(&reader, bytes, size);
    do {
        status = fxt_reader_next(&reader, &record, &error);
        fxt_reader_rest(&reader);
        if (status == FXT_OK)
            use_record(&record);
        else
            use_error(&error);
        if (status != FXT_OK && status != FXT_END)
            fxt_check_error(&it.checker, &error);
    } while (status == FXT_OK || status == FXT_ZERO_WORD);
    while (fxt_check_end(&it.checker, &finding))
        ;
    fxt_tables_reset(&it.tables);

    fuzz_chunks_begin(&chunks, bytes, size, control);
    do
        status = fuzz_chunks_next(&chunks, &record, &error, control % 64);
    while (status == FXT_OK || status == FXT_ZERO_WORD || status == FXT_FULL);
    fuzz_chunks_end(&chunks);
}

/* The loop over events, with tables and without. */
static void use_events(const uint8_t *bytes, size_t size, struct fxt_tables *tables)
{
    struct fxt_events events;
    struct fxt_event event, first = {0};
    struct fxt_arg args[FXT_ARGS_MAX];
    struct fxt_bytes text;
    struct fxt_thread_ref koids;
    uint64_t ns;

    fxt_events_init(&events, bytes, size, tables);
    while (fxt_events_next(&events, &event, args)) {
        fxt_events_string(&events, &text, &event, event.name);
        fxt_events_thread(&events, &koids, &event);
        fxt_events_ns(&events, &ns, &event);
        fxt_events_string(&events, &text, &first, first.name);
        first = first.args.bytes == NULL ? event : first;
    }
    fxt_events_thread(&events, &koids, &first);
    fxt_events_ns(&events, &ns, &first);
}

/* The input as the header of a buffer, and as a part of one. */
static void use_buffer(const uint8_t *bytes, size_t size, uint64_t control)
{
    struct fxt_buffer_header header;
    struct fxt_buffer_part parts[FXT_BUFFER_PARTS_MAX];
    struct fxt_buffer_span span;
    struct fxt_error error;
    uint8_t written[FXT_BUFFER_HEADER_BYTES];
    uint64_t at = 0;

    memset(&header, PATTERN, sizeof header);
    fxt_buffer_sizes(&header, control, (uint16_t)(control % 5));
    if (fxt_buffer_sizes(&header, 4096 * (control % 65536), (uint16_t)(control % 3)) == FXT_OK) {
        fxt_buffer_parts(parts, &header);
        header.wrapped_count = (uint32_t)control;
        fxt_buffer_parts(parts, &header);
        fxt_buffer_write_header(written, &header);
        written[control % sizeof written] ^= (uint8_t)(control >> 8 & control >> 16);
        fxt_buffer_read_header(&header, written, sizeof written, header.total_size, &error);
    }
    if (size > 0)
        fxt_buffer_read_header(&header, bytes, size, size, &error);
    uint32_t chunk = fxt_buffer_chunk_bytes(control % 2 == 0 ? control : size);
    for (int i = 0; i < SPANS_MAX; i++)
        if (!fxt_buffer_salvage(&span, &at, bytes, size, control % 3 == 0 ? 0 : chunk))
            break;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size > FUZZ_INPUT_MAX)
        return 0;
    uint64_t control = fuzz_control(bytes, size);
    struct fuzz_copy copy = fuzz_copy(bytes, size, (unsigned)control);
    begin(control);
    use_trace(copy.bytes, size, control);
    use_events(copy.bytes, size, control % 2 == 0 ? NULL : &it.tables);
    use_buffer(copy.bytes, size, control);
    fuzz_release(&copy);
    return 0;
}
