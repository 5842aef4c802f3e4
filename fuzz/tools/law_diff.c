/* See laws.h. The state is the other trace. */
#include <string.h>

#include "fuzz/lib/any.h"
#include "fuzz/tools/laws.h"

enum { BLOB_MAX = 4096 };

static struct fxt_string_ref inlined(struct fxt_bytes text)
{
    return fxt_string_inline(text.bytes, text.size);
}

static struct fxt_string_ref other_text(struct fxt_bytes than)
{
    static const uint8_t text[] = "otherwise";
    return fxt_string_inline(text, than.size == 1 ? 2 : 1);
}

/* The same event, in other words: its strings and its thread are in the record. */
static void rewrite(struct fuzz_record *record, const struct model_event *event)
{
    const struct fxt_thread_ref *koids = &event->event.thread;
    struct fxt_event *to = &record->any.event;
    to->category = inlined(event->category);
    to->name = inlined(event->name);
    to->thread = fxt_thread_inline(koids->process, koids->thread);
    for (uint8_t i = 0; i < record->arg_count; i++) {
        record->args[i].name = inlined(event->args[i].name);
        if (record->args[i].type == FXT_ARG_STRING)
            record->args[i].text = inlined(event->args[i].text);
    }
}

/* Events of another type that have the same fields. */
static uint16_t other_type(uint16_t type)
{
    static const uint16_t types[] = {
        [FXT_EVENT_INSTANT] = FXT_EVENT_DURATION_BEGIN,
        [FXT_EVENT_COUNTER] = FXT_EVENT_ASYNC_BEGIN,
        [FXT_EVENT_DURATION_BEGIN] = FXT_EVENT_DURATION_END,
        [FXT_EVENT_DURATION_END] = FXT_EVENT_DURATION_BEGIN,
        [FXT_EVENT_DURATION_COMPLETE] = FXT_EVENT_FLOW_END,
        [FXT_EVENT_ASYNC_BEGIN] = FXT_EVENT_ASYNC_END,
        [FXT_EVENT_ASYNC_INSTANT] = FXT_EVENT_FLOW_STEP,
        [FXT_EVENT_ASYNC_END] = FXT_EVENT_ASYNC_INSTANT,
        [FXT_EVENT_FLOW_BEGIN] = FXT_EVENT_FLOW_STEP,
        [FXT_EVENT_FLOW_STEP] = FXT_EVENT_FLOW_END,
        [FXT_EVENT_FLOW_END] = FXT_EVENT_COUNTER,
    };
    return types[type];
}

/* False: there is nothing to change. */
static bool change_arg(struct fxt_arg *arg, const struct model_arg *from, unsigned how)
{
    static uint8_t blob[BLOB_MAX];
    if (how == 0) {
        arg->name = other_text(from->name);
        return true;
    }
    if (arg->type == FXT_ARG_STRING)
        arg->text = other_text(from->text);
    else if (arg->type == FXT_ARG_BLOB && arg->blob.size > 0 && arg->blob.size <= BLOB_MAX) {
        memcpy(blob, arg->blob.bytes, arg->blob.size);
        blob[arg->blob.size - 1] ^= 1;
        arg->blob.bytes = blob;
    } else if (arg->type != FXT_ARG_NULL && arg->type < FXT_ARG_BLOB)
        arg->value ^= 1;
    else
        return false;
    return true;
}

static bool change_args(struct fuzz_record *record, const struct model_event *event,
                        uint64_t *random)
{
    if (record->arg_count == 0)
        return false;
    uint64_t at = fuzz_random(random) % record->arg_count;
    unsigned how = (unsigned)(fuzz_random(random) % 4);
    if (how == 3)
        record->arg_count--;
    return how == 3 || change_arg(&record->args[at], &event->args[at], how);
}

/* Another time, at any rate. */
static uint64_t later(uint64_t ticks, const struct model *model, uint64_t *random)
{
    return ticks + (model->has_rate ? UINT64_C(1) << 62 : 1 + fuzz_random(random) % 3);
}

static bool change_value(struct fxt_event *event, const struct model *model, uint64_t *random)
{
    if (event->event_type == FXT_EVENT_DURATION_COMPLETE)
        event->value = later(event->value, model, random);
    else if (event->event_type == FXT_EVENT_INSTANT) {
        event->scope = (uint16_t)((event->scope + 1) % 3);
        event->has_scope = 1;
    } else if (event->event_type == FXT_EVENT_COUNTER || event->event_type >= FXT_EVENT_ASYNC_BEGIN)
        event->value ^= UINT64_C(1) << fuzz_random(random) % 64;
    else
        return false;
    return true;
}

/* False: there is nothing to change. */
static bool change(struct fuzz_record *record, const struct model *model,
                   const struct model_event *event, uint64_t *random)
{
    struct fxt_event *to = &record->any.event;
    const struct fxt_thread_ref *koids = &event->event.thread;
    switch (fuzz_random(random) % 8) {
    case 0:
        to->timestamp = later(to->timestamp, model, random);
        return true;
    case 1:
        return change_value(to, model, random);
    case 2:
        to->category = other_text(event->category);
        return true;
    case 3:
        to->name = other_text(event->name);
        return true;
    case 4:
        to->thread = fxt_thread_inline(koids->process, koids->thread ^ 1);
        return true;
    case 5:
        to->thread = fxt_thread_inline(koids->process ^ 1, koids->thread);
        return true;
    case 6:
        to->event_type = other_type(to->event_type);
        to->has_scope = 0;
        return true;
    default:
        return change_args(record, event, random);
    }
}

static bool decode(struct fuzz_record *decoded, struct fxt_record *record, const uint8_t *bytes,
                   size_t size, uint64_t offset)
{
    struct fxt_reader reader;
    struct fxt_error error;
    fxt_reader_init(&reader, bytes + offset, size - offset);
    return fxt_reader_next(&reader, record, &error) == FXT_OK &&
           fuzz_decode_all(decoded, record, &error) == FXT_OK;
}

/* The trace with another record at the offset. False: the record cannot be written. */
static bool replace(uint8_t *copy, size_t *copied, const struct tool_trace *whole,
                    const struct fuzz_record *with, uint64_t offset, uint64_t words)
{
    struct fxt_writer writer;
    size_t behind = (size_t)(offset + 8 * words);
    memcpy(copy, whole->bytes, (size_t)offset);
    fxt_writer_init(&writer, copy + offset, FUZZ_INPUT_MAX);
    if (fuzz_encode(&writer, with) != FXT_OK)
        return false;
    memcpy(copy + offset + writer.size, whole->bytes + behind, whole->size - behind);
    *copied = (size_t)(offset + writer.size) + whole->size - behind;
    return true;
}

static void check_diff(const struct tool_trace *whole, const uint8_t *copy, size_t size, int code)
{
    struct tool_file file = tool_file(copy, size);
    struct tool_result one = TOOL("diff", "-q", whole->file.path, file.path);
    FUZZ_CHECK(one.code == code);
    tool_release(&one);
    tool_close(&file);
}

void law_diff(const struct model *model, const struct tool_trace *whole, uint64_t *random)
{
    static uint8_t copy[3 * FUZZ_INPUT_MAX];
    struct fuzz_record decoded;
    struct fxt_record record;
    size_t size;
    if (!model->is_good || model->event_count == 0)
        return;
    const struct model_event *event = &model->events[fuzz_random(random) % model->event_count];
    bool is_same = fuzz_random(random) % 4 == 0;
    if (!decode(&decoded, &record, whole->bytes, whole->size, event->offset))
        return;
    uint64_t before = fuzz_digest(&decoded, true);
    fuzz_canonicalize(&decoded); /* what the writer leaves out would be a change */
    if (is_same && (fuzz_digest(&decoded, true) != before || decoded.any.event.tail.words > 0))
        return;
    if (is_same)
        rewrite(&decoded, event);
    else if (!change(&decoded, model, event, random))
        return;
    if (replace(copy, &size, whole, &decoded, event->offset, record.words))
        check_diff(whole, copy, size, is_same ? 0 : 1);
}
