/* Digests of records, by the table of kinds. No state. */
#include "src/tools/fxt/edit/meaning.h"

#include <string.h>

#include "src/convert/args.h"

static void put(struct meaning *it, uint64_t word)
{
    it->a = (it->a ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    it->a ^= it->a >> 32;
    it->b = (it->b + word) * UINT64_C(0xff51afd7ed558ccd);
    it->b ^= it->b >> 29;
}

static void put_bytes(struct meaning *it, struct fxt_bytes bytes)
{
    uint64_t at = 0;
    put(it, bytes.size);
    while (at < bytes.size) {
        uint64_t word = 0;
        uint64_t left = bytes.size - at;
        memcpy(&word, bytes.bytes + at, left < sizeof word ? (size_t)left : sizeof word);
        put(it, word);
        at += sizeof word;
    }
}

static void put_string(struct meaning *it, const struct fxt_tables *tables,
                       struct fxt_string_ref ref)
{
    struct fxt_bytes text;
    if (fxt_tables_string(tables, &text, ref)) {
        put_bytes(it, text);
        return;
    }
    put(it, UINT64_MAX);
    put(it, ref.ref);
}

static void put_thread(struct meaning *it, const struct fxt_tables *tables,
                       struct fxt_thread_ref ref, bool process_only)
{
    struct fxt_thread_ref koids;
    bool known = fxt_tables_thread(tables, &koids, ref);
    put(it, known);
    put(it, known ? koids.process : ref.ref);
    if (known && !process_only)
        put(it, koids.thread);
}

static void put_tail(struct meaning *it, struct fxt_tail tail)
{
    put_bytes(it, (struct fxt_bytes){tail.bytes, FXT_WORD_BYTES * (uint64_t)tail.words});
}

static void put_args(struct meaning *it, const struct fxt_tables *tables, struct fxt_args args)
{
    struct fxt_arg arg;
    struct fxt_error error;
    put(it, args.count);
    while (fxt_args_next(&args, &arg, &error) == FXT_OK) {
        put(it, arg.type);
        put_string(it, tables, arg.name);
        if (arg.type == FXT_ARG_STRING)
            put_string(it, tables, arg.text);
        else if (arg.type == FXT_ARG_BLOB)
            put_bytes(it, arg.blob);
        else
            put(it, arg.value);
        put_tail(it, arg.tail);
    }
}

static void put_number(struct meaning *it, const struct item *item,
                       const struct fxt_convert_field *field, unsigned without)
{
    bool is_id = item_is_event(item) && strcmp(field->name, "id") == 0 &&
                 item->any.event.event_type != FXT_EVENT_COUNTER;
    bool is_time = strcmp(field->name, "timestamp") == 0;
    bool is_end = strcmp(field->name, "end") == 0;
    if ((is_id && (without & MEANING_WITHOUT_IDS) != 0) ||
        ((is_time || is_end) && (without & MEANING_WITHOUT_TIMES) != 0))
        return;
    put(it, is_time ? item->time : is_end ? item->end : fxt_convert_number(&item->any, field));
}

static void put_field(struct meaning *it, const struct fxt_tables *tables, const struct item *item,
                      const struct fxt_convert_field *field, unsigned without)
{
    const void *at = fxt_convert_field_at(&item->any, field->at);
    switch (field->shape) {
    case FXT_CONVERT_TEXT:
    case FXT_CONVERT_PAYLOAD:
        put_bytes(it, *(const struct fxt_bytes *)at);
        return;
    case FXT_CONVERT_STRING:
        put_string(it, tables, *(const struct fxt_string_ref *)at);
        return;
    case FXT_CONVERT_THREAD:
    case FXT_CONVERT_PROCESS:
        put_thread(it, tables, *(const struct fxt_thread_ref *)at,
                   field->shape == FXT_CONVERT_PROCESS);
        return;
    case FXT_CONVERT_FRAMES:
        put(it, item->any.backtrace.frame_count);
        for (uint8_t i = 0; i < item->any.backtrace.frame_count; i++)
            put(it, fxt_backtrace_frame(&item->any.backtrace, i));
        return;
    default:
        put_number(it, item, field, without);
    }
}

static void put_fields(struct meaning *it, const struct walk *walk, const struct item *item,
                       unsigned without)
{
    const struct fxt_convert_kind *kind = fxt_convert_kind_of(item->record);
    for (size_t i = 0; i < kind->field_count; i++)
        if (fxt_convert_has(kind, &item->any, kind->fields[i].only))
            put_field(it, &walk->tables, item, &kind->fields[i], without);
    put_args(it, &walk->tables, fxt_convert_args(kind, &item->any));
    put_tail(it, fxt_convert_tail(kind, &item->any));
}

bool meaning_of(struct meaning *meaning, const struct walk *walk, const struct item *item,
                const struct meaning_rules *rules)
{
    const struct fxt_provider *provider = fxt_tables_provider(&walk->tables);
    if (item->kind <= FXT_KIND_THREAD)
        return false;
    *meaning = rules->seed;
    put(meaning, item->kind);
    if ((rules->without & MEANING_WITHOUT_PROVIDERS) == 0)
        put_bytes(meaning, (struct fxt_bytes){provider->name, provider->name_length});
    if (item->kind == FXT_KIND_UNKNOWN)
        put_bytes(meaning, (struct fxt_bytes){item->record->bytes,
                                              FXT_WORD_BYTES * (uint64_t)item->record->words});
    else
        put_fields(meaning, walk, item, rules->without);
    put(meaning, 0);
    return true;
}

static void put_counters(struct meaning *it, const struct fxt_tables *tables,
                         const struct fxt_event *event)
{
    struct fxt_args args = event->args;
    struct fxt_arg arg;
    struct fxt_error error;
    put_thread(it, tables, event->thread, true);
    put_string(it, tables, event->category);
    put_string(it, tables, event->name);
    put(it, event->value);
    while (fxt_args_next(&args, &arg, &error) == FXT_OK)
        put_string(it, tables, arg.name);
}

bool meaning_of_state(struct meaning *meaning, const struct walk *walk, const struct item *item,
                      const struct meaning_rules *rules)
{
    *meaning = rules->seed;
    put(meaning, walk->traces);
    if (item_is_event(item) && item->any.event.event_type == FXT_EVENT_COUNTER) {
        put(meaning, UINT64_C(1) << 32 | walk->tables.current); /* a processor has 16 bits */
        put_counters(meaning, &walk->tables, &item->any.event);
    } else if (item->kind == FXT_KIND_CONTEXT_SWITCH) {
        put(meaning, walk->tables.current);
        put(meaning, item->any.context_switch.cpu);
    } else if (item->kind == FXT_KIND_LEGACY_SWITCH) {
        put(meaning, walk->tables.current);
        put(meaning, item->any.legacy_switch.cpu);
    } else {
        return false;
    }
    put(meaning, 0);
    return true;
}
