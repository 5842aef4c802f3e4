/* The fuzzers' own encoder: bits from the tables of spec/format.md, section 8 and 9, as numbers. */
#include <string.h>

#include "fuzz/lib/generate.h"

struct emit {
    uint8_t *start;
    uint8_t *at;
    bool too_long; /* an argument */
};

static void word(struct emit *e, uint64_t value)
{
    for (unsigned i = 0; i < 8; i++)
        *e->at++ = (uint8_t)(value >> (8 * i));
}

static void stream(struct emit *e, const uint8_t *bytes, uint64_t size)
{
    for (uint64_t i = 0; i < (size + 7) / 8 * 8; i++)
        *e->at++ = i < size ? bytes[i] : 0;
}

static void string(struct emit *e, struct fxt_string_ref ref)
{
    if (ref.ref > 32768)
        stream(e, ref.bytes, ref.ref - 32768u);
}

static void thread(struct emit *e, struct fxt_thread_ref ref)
{
    if (ref.ref == 0) {
        word(e, ref.process);
        word(e, ref.thread);
    }
}

static uint64_t bits(uint64_t value, unsigned lo)
{
    return value << lo;
}

static void arg(struct emit *e, const struct fxt_arg *in)
{
    struct emit a = {e->at, e->at + 8, false};
    uint64_t data = 0;

    string(&a, in->name);
    switch (fuzz_value_of(in->type)) {
    case FUZZ_VALUE_NOTHING:
    case FUZZ_VALUE_UNKNOWN:
        break;
    case FUZZ_VALUE_SIGNED32:
    case FUZZ_VALUE_UNSIGNED32:
    case FUZZ_VALUE_TRUTH:
        data = in->value;
        break;
    case FUZZ_VALUE_TEXT:
        data = in->text.ref;
        string(&a, in->text);
        break;
    case FUZZ_VALUE_BYTES:
        data = in->blob.size;
        stream(&a, in->blob.bytes, in->blob.size);
        break;
    case FUZZ_VALUE_SIGNED64:
    case FUZZ_VALUE_UNSIGNED64:
    case FUZZ_VALUE_BITS:
        word(&a, in->value);
        break;
    }
    uint64_t words = (uint64_t)(a.at - a.start) / 8;
    word(e, in->type | bits(words, 4) | bits(in->name.ref, 16) | bits(data, 32));
    e->at = a.at;
    e->too_long |= words > 4095;
}

static void args(struct emit *e, const struct fuzz_record *in)
{
    for (uint8_t i = 0; i < in->arg_count; i++)
        arg(e, &in->args[i]);
}

/* Each returns the header without its size, and emits what follows the header. */

static uint64_t metadata(struct emit *e, const struct fuzz_record *in)
{
    const struct fxt_provider_info *info = &in->any.provider_info;
    switch (in->kind) {
    case FUZZ_PROVIDER_INFO:
        stream(e, info->name.bytes, info->name.size);
        return bits(1, 16) | bits(info->provider_id, 20) | bits(info->name.size, 52);
    case FUZZ_PROVIDER_SECTION:
        return bits(2, 16) | bits(in->any.provider_section.provider_id, 20);
    case FUZZ_PROVIDER_EVENT:
        return bits(3, 16) | bits(in->any.provider_event.provider_id, 20) |
               bits(in->any.provider_event.event_id, 52);
    default:
        return bits(4, 16) | bits(0x16547846, 24);
    }
}

static uint64_t table(struct emit *e, const struct fuzz_record *in)
{
    if (in->kind == FUZZ_INITIALIZATION) {
        word(e, in->any.initialization.ticks_per_second);
        return 1;
    }
    if (in->kind == FUZZ_STRING) {
        stream(e, in->any.string.value.bytes, in->any.string.value.size);
        return 2 | bits(in->any.string.index, 16) | bits(in->any.string.value.size, 32);
    }
    word(e, in->any.thread.process);
    word(e, in->any.thread.thread);
    return 3 | bits(in->any.thread.index, 16);
}

static uint64_t event(struct emit *e, const struct fuzz_record *in)
{
    const struct fxt_event *x = &in->any.event;
    word(e, x->timestamp);
    thread(e, x->thread);
    string(e, x->category);
    string(e, x->name);
    args(e, in);
    if (x->event_type == 0 && x->has_scope)
        word(e, x->scope);
    if (x->event_type == 1 || x->event_type >= 4)
        word(e, x->value);
    return 4 | bits(x->event_type, 16) | bits(in->arg_count, 20) | bits(x->thread.ref, 24) |
           bits(x->category.ref, 32) | bits(x->name.ref, 48);
}

static uint64_t object(struct emit *e, const struct fuzz_record *in)
{
    const struct fxt_userspace_object *user = &in->any.userspace_object;
    const struct fxt_kernel_object *kernel = &in->any.kernel_object;
    if (in->kind == FUZZ_KERNEL_OBJECT) {
        word(e, kernel->koid);
        string(e, kernel->name);
        args(e, in);
        return 7 | bits(kernel->object_type, 16) | bits(kernel->name.ref, 24) |
               bits(in->arg_count, 40);
    }
    word(e, user->pointer);
    if (user->process.ref == 0)
        word(e, user->process.process);
    string(e, user->name);
    args(e, in);
    return 6 | bits(user->process.ref, 16) | bits(user->name.ref, 24) | bits(in->arg_count, 40);
}

static uint64_t scheduling(struct emit *e, const struct fuzz_record *in)
{
    const struct fxt_legacy_switch *legacy = &in->any.legacy_switch;
    const struct fxt_context_switch *context = &in->any.context_switch;
    const struct fxt_thread_wakeup *wakeup = &in->any.thread_wakeup;
    if (in->kind == FUZZ_LEGACY_SWITCH) {
        word(e, legacy->timestamp);
        thread(e, legacy->outgoing);
        thread(e, legacy->incoming);
        return 8 | bits(legacy->cpu, 16) | bits(legacy->outgoing_state, 24) |
               bits(legacy->outgoing.ref, 28) | bits(legacy->incoming.ref, 36) |
               bits(legacy->outgoing_priority, 44) | bits(legacy->incoming_priority, 52);
    }
    if (in->kind == FUZZ_CONTEXT_SWITCH) {
        word(e, context->timestamp);
        word(e, context->outgoing_thread);
        word(e, context->incoming_thread);
        args(e, in);
        return 8 | bits(in->arg_count, 16) | bits(context->cpu, 20) |
               bits(context->outgoing_state, 36) | bits(1, 60);
    }
    word(e, wakeup->timestamp);
    word(e, wakeup->waking_thread);
    args(e, in);
    return 8 | bits(in->arg_count, 16) | bits(wakeup->cpu, 20) | bits(2, 60);
}

static uint64_t profiler(struct emit *e, const struct fuzz_record *in)
{
    const struct fxt_module *module = &in->any.module;
    const struct fxt_mmap *mmap = &in->any.mmap;
    const struct fxt_backtrace *trace = &in->any.backtrace;
    if (in->kind == FUZZ_MODULE) {
        word(e, module->timestamp);
        thread(e, module->thread);
        stream(e, module->name.bytes, module->name.size);
        stream(e, module->build_id.bytes, module->build_id.size);
        return 10 | bits(module->thread.ref, 20) | bits(module->module_id, 28) |
               bits(module->name.size, 44) | bits(module->build_id.size, 52);
    }
    if (in->kind == FUZZ_MMAP) {
        word(e, mmap->timestamp);
        thread(e, mmap->thread);
        word(e, mmap->start_address);
        word(e, mmap->address_range);
        word(e, mmap->vaddr);
        return 10 | bits(1, 16) | bits(mmap->thread.ref, 20) | bits(mmap->module_id, 28) |
               bits(mmap->flags, 44);
    }
    word(e, trace->timestamp);
    thread(e, trace->thread);
    stream(e, trace->frames.bytes, trace->frames.size);
    return 10 | bits(2, 16) | bits(trace->thread.ref, 20) | bits(trace->frames.size / 8, 28);
}

static uint64_t bytes(struct emit *e, const struct fuzz_record *in)
{
    const struct fxt_blob *blob = &in->any.blob;
    const struct fxt_log *log = &in->any.log;
    if (in->kind == FUZZ_BLOB) {
        string(e, blob->name);
        stream(e, blob->payload.bytes, blob->payload.size);
        return 5 | bits(blob->name.ref, 16) | bits(blob->payload.size, 32) |
               bits(blob->blob_type, 48);
    }
    word(e, log->timestamp);
    thread(e, log->thread);
    stream(e, log->message.bytes, log->message.size);
    return 9 | bits(log->message.size, 16) | bits(log->thread.ref, 32);
}

static uint64_t large_blob(struct emit *e, const struct fuzz_record *in)
{
    const struct fxt_large_blob *x = &in->any.large_blob;
    uint64_t refs = x->category.ref | bits(x->name.ref, 16);
    if (x->blob_format == 0)
        refs |= bits(in->arg_count, 32) | bits(x->thread.ref, 36);
    word(e, refs);
    string(e, x->category);
    string(e, x->name);
    if (x->blob_format == 0) {
        word(e, x->timestamp);
        thread(e, x->thread);
        args(e, in);
    }
    word(e, x->payload.size);
    stream(e, x->payload.bytes, x->payload.size);
    return 15 | bits(x->blob_format, 40);
}

size_t fuzz_emit(uint8_t *out, bool *fits, const struct fuzz_record *in)
{
    struct emit header = {out, out, false};
    struct emit e = {out, out + 8, false};
    uint64_t first = 0;

    if (in->kind <= FUZZ_TRACE_INFO)
        first = metadata(&e, in);
    else if (in->kind <= FUZZ_THREAD)
        first = table(&e, in);
    else if (in->kind == FUZZ_EVENT)
        first = event(&e, in);
    else if (in->kind == FUZZ_USERSPACE_OBJECT || in->kind == FUZZ_KERNEL_OBJECT)
        first = object(&e, in);
    else if (in->kind >= FUZZ_LEGACY_SWITCH && in->kind <= FUZZ_THREAD_WAKEUP)
        first = scheduling(&e, in);
    else if (in->kind >= FUZZ_MODULE && in->kind <= FUZZ_BACKTRACE)
        first = profiler(&e, in);
    else if (in->kind == FUZZ_LARGE_BLOB)
        first = large_blob(&e, in);
    else
        first = bytes(&e, in);
    size_t size = (size_t)(e.at - out);
    *fits = !e.too_long && (size / 8 <= 4095 || in->kind == FUZZ_LARGE_BLOB);
    word(&header, first | bits(size / 8, 4));
    return size;
}

/* Record `i` of those that each trace begins with; false when they are over. */
static bool prologue(struct fuzz_record *out, unsigned i)
{
    static const uint8_t letters[] = "abcdefg";
    memset(out, 0, sizeof *out);
    if (i == 0) {
        out->kind = FUZZ_TRACE_INFO;
        out->any.trace_info.data = 0x16547846;
    } else if (i <= 7) {
        out->kind = FUZZ_STRING;
        out->any.string.index = (uint16_t)i;
        out->any.string.value.bytes = letters + i - 1;
        out->any.string.value.size = 1;
    } else if (i <= 10) {
        out->kind = FUZZ_THREAD;
        out->any.thread.index = (uint8_t)(i - 7);
        out->any.thread.process = 1;
        out->any.thread.thread = i;
    }
    return i <= 10;
}

size_t fuzz_generate_trace(uint8_t *out, size_t capacity, uint64_t random)
{
    static uint8_t record_bytes[FUZZ_EMIT_MAX];
    struct fuzz_source source = {.random = random | 1};
    struct fuzz_record record;
    size_t size = 0;

    for (unsigned i = 0; i < 4096; i++) {
        bool fits;
        if (!prologue(&record, i))
            fuzz_generate(&record, &source);
        size_t added = fuzz_emit(record_bytes, &fits, &record);
        if (fits && added > capacity - size)
            break;
        if (fits) {
            memcpy(out + size, record_bytes, added);
            size += added;
        }
    }
    return size;
}
