/* Where the times of each kind of record lie, and how a record is written with other words. No
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

void item_write(struct fxt_out *out, const struct fxt_record *record,
                const struct item_patch *patches, unsigned count)
{
    const char *bytes = (const char *)record->bytes;
    uint64_t at = 0;
    for (unsigned i = 0; i < count; i++) {
        char word[FXT_WORD_BYTES];
        for (unsigned byte = 0; byte < sizeof word; byte++)
            word[byte] = (char)(patches[i].value >> 8 * byte & 0xff);
        fxt_out_bytes(out, bytes + at, (size_t)(patches[i].offset - at));
        fxt_out_bytes(out, word, sizeof word);
        at = patches[i].offset + sizeof word;
    }
    fxt_out_bytes(out, bytes + at, (size_t)(FXT_WORD_BYTES * (uint64_t)record->words - at));
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
