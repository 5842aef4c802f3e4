/* Where the times and the koids of each kind of record lie, and how a record is written with other words. No
   state. */
#include "src/tools/fxt/edit/item.h"

#define NS UINT64_C(1000000000)

static uint64_t padded(struct fxt_string_ref ref)
{
    return ((uint64_t)fxt_string_ref_length(ref) + 7) / 8 * 8;
}

/* Where the timestamp is in the record. */
static uint64_t time_offset(const struct item *item)
{
    const struct fxt_large_blob *blob = &item->any.large_blob;
    if (item->kind != FXT_KIND_LARGE_BLOB)
        return FXT_WORD_BYTES;
    return 2 * FXT_WORD_BYTES + padded(blob->category) + padded(blob->name);
}

static uint64_t to_ns(uint64_t ticks, uint64_t rate)
{
    return rate == FXT_TICKS_PER_SECOND_DEFAULT ? ticks : fxt_ticks_to_ns(ticks, rate);
}

enum fxt_status item_read(struct item *item, const struct fxt_tables *tables,
                          const struct fxt_record *record, struct fxt_error *error)
{
    uint64_t ticks = 0;
    uint64_t rate = fxt_tables_provider(tables)->ticks_per_second;
    item->record = record;
    item->kind = fxt_kind_of(record);
    enum fxt_status status = fxt_kind_decode(item->kind, record, &item->any, error);
    if (status != FXT_OK)
        return status;
    item->timed = fxt_kind_timestamp(item->kind, &item->any, &ticks);
    item->time_offset = time_offset(item);
    item->ticks = item->end_ticks = ticks;
    item->time = item->end = to_ns(ticks, rate);
    item->complete = false;
    if (!item_is_event(item))
        return FXT_OK;
    const struct fxt_event *event = &item->any.event;
    item->end_offset =
        event->args.offset - record->offset + FXT_WORD_BYTES * (uint64_t)event->args.words;
    item->complete = event->event_type == FXT_EVENT_DURATION_COMPLETE;
    if (item->complete) {
        item->end_ticks = event->value;
        item->end = to_ns(event->value, rate);
    }
    return FXT_OK;
}

bool item_is_definition(const struct item *item)
{
    return item->kind <= FXT_KIND_THREAD || item->kind == FXT_KIND_USERSPACE_OBJECT ||
           item->kind == FXT_KIND_KERNEL_OBJECT;
}

/* ---- koids */

struct koid_places {
    uint64_t *offsets;
    unsigned count;
};

static void add_koids(struct koid_places *places, uint64_t offset, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        places->offsets[places->count++] = offset + i * FXT_WORD_BYTES;
}

static void add_thread(struct koid_places *places, uint64_t offset, struct fxt_thread_ref thread)
{
    add_koids(places, offset, thread.ref == 0 ? 2 : 0);
}

static void add_args(struct koid_places *places, const struct fxt_record *record,
                     struct fxt_args args)
{
    struct fxt_arg arg;
    struct fxt_error error;
    for (uint64_t at = args.offset; fxt_args_next(&args, &arg, &error) == FXT_OK; at = args.offset)
        if (arg.type == FXT_ARG_KOID)
            add_koids(places, at - record->offset + FXT_WORD_BYTES + padded(arg.name), 1);
}

static void add_legacy(struct koid_places *places, const struct fxt_legacy_switch *in)
{
    uint64_t at = 2 * FXT_WORD_BYTES;
    add_thread(places, at, in->outgoing);
    add_thread(places, at + (in->outgoing.ref == 0 ? 2 * FXT_WORD_BYTES : 0), in->incoming);
}

unsigned item_koids(const struct item *item, uint64_t offsets[ITEM_KOIDS_MAX])
{
    const union fxt_convert_any *any = &item->any;
    const uint64_t second = FXT_WORD_BYTES; /* word of the record */
    const uint64_t third = 2 * FXT_WORD_BYTES;
    struct koid_places places = {offsets, 0};
    switch (item->kind) {
    case FXT_KIND_THREAD:
        add_koids(&places, second, 2);
        break;
    case FXT_KIND_EVENT:
        add_thread(&places, third, any->event.thread);
        add_args(&places, item->record, any->event.args);
        break;
    case FXT_KIND_USERSPACE_OBJECT: /* the process only */
        add_koids(&places, third, any->userspace_object.process.ref == 0 ? 1 : 0);
        add_args(&places, item->record, any->userspace_object.args);
        break;
    case FXT_KIND_KERNEL_OBJECT:
        add_koids(&places, second, 1);
        add_args(&places, item->record, any->kernel_object.args);
        break;
    case FXT_KIND_LEGACY_SWITCH:
        add_legacy(&places, &any->legacy_switch);
        break;
    case FXT_KIND_CONTEXT_SWITCH:
        add_koids(&places, third, 2);
        add_args(&places, item->record, any->context_switch.args);
        break;
    case FXT_KIND_THREAD_WAKEUP:
        add_koids(&places, third, 1);
        add_args(&places, item->record, any->thread_wakeup.args);
        break;
    case FXT_KIND_LOG:
        add_thread(&places, third, any->log.thread);
        break;
    case FXT_KIND_MODULE:
        add_thread(&places, third, any->module.thread);
        break;
    case FXT_KIND_MMAP:
        add_thread(&places, third, any->mmap.thread);
        break;
    case FXT_KIND_BACKTRACE:
        add_thread(&places, third, any->backtrace.thread);
        break;
    case FXT_KIND_LARGE_BLOB:
        if (any->large_blob.blob_format != FXT_LARGE_BLOB_METADATA)
            break;
        add_thread(&places, item->time_offset + FXT_WORD_BYTES, any->large_blob.thread);
        add_args(&places, item->record, any->large_blob.args);
        break;
    default:
        break;
    }
    return places.count;
}

uint64_t item_word(const struct fxt_record *record, uint64_t offset)
{
    uint64_t word = 0;
    for (unsigned byte = 0; byte < FXT_WORD_BYTES; byte++)
        word |= (uint64_t)record->bytes[offset + byte] << 8 * byte;
    return word;
}

static void put_word(uint8_t *to, uint64_t word)
{
    for (unsigned byte = 0; byte < FXT_WORD_BYTES; byte++)
        to[byte] = (uint8_t)(word >> 8 * byte);
}

void item_write(struct fxt_out *out, const struct fxt_record *record,
                const struct item_patch *patches, unsigned count)
{
    const char *bytes = (const char *)record->bytes;
    uint64_t at = 0;
    for (unsigned i = 0; i < count; i++) {
        uint8_t word[FXT_WORD_BYTES];
        put_word(word, patches[i].value);
        fxt_out_bytes(out, bytes + at, (size_t)(patches[i].offset - at));
        fxt_out_bytes(out, (const char *)word, sizeof word);
        at = patches[i].offset + sizeof word;
    }
    fxt_out_bytes(out, bytes + at, (size_t)(FXT_WORD_BYTES * (uint64_t)record->words - at));
}

void item_patch(struct stream *stream, const struct fxt_record *record,
                const struct item_patch *patches, unsigned count)
{
    uint8_t *bytes = stream->buffer + (record->bytes - stream->buffer);
    for (unsigned i = 0; i < count; i++)
        put_word(bytes + patches[i].offset, patches[i].value);
}

/* The quotient of two numbers of ns and ticks per second, rounded up: by halving the range. */
uint64_t item_ticks_at(uint64_t ns, uint64_t ticks_per_second)
{
    uint64_t low = 0;
    uint64_t high = UINT64_MAX;
    if (ticks_per_second == NS)
        return ns;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (fxt_ticks_to_ns(middle, ticks_per_second) >= ns)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}
