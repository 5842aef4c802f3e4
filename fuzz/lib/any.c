/* The table of kinds, and what follows from it. No state. */
#include "fuzz/lib/any.h"

#include <stdlib.h>
#include <string.h>

enum shape { U8, U16, U32, U64, BYTES, STRING, THREAD, PROCESS, ARGS, TAIL };

struct field {
    size_t at;
    enum shape shape;
};

#define FIELD(kind, name, shape)                                                                   \
    {                                                                                              \
        offsetof(struct fxt_##kind, name), shape                                                   \
    }

/* Each list ends with its tail; that of a list is found by the kind's `tail`. */
static const struct field provider_info_fields[] = {FIELD(provider_info, name, BYTES),
                                                    FIELD(provider_info, provider_id, U32),
                                                    FIELD(provider_info, tail, TAIL)};
static const struct field provider_section_fields[] = {FIELD(provider_section, provider_id, U32),
                                                       FIELD(provider_section, tail, TAIL)};
static const struct field provider_event_fields[] = {FIELD(provider_event, provider_id, U32),
                                                     FIELD(provider_event, event_id, U8),
                                                     FIELD(provider_event, tail, TAIL)};
static const struct field trace_info_fields[] = {FIELD(trace_info, trace_info_type, U8),
                                                 FIELD(trace_info, data, U64),
                                                 FIELD(trace_info, tail, TAIL)};
static const struct field initialization_fields[] = {FIELD(initialization, ticks_per_second, U64),
                                                     FIELD(initialization, tail, TAIL)};
static const struct field string_fields[] = {FIELD(string, value, BYTES), FIELD(string, index, U16),
                                             FIELD(string, tail, TAIL)};
static const struct field thread_fields[] = {FIELD(thread, process, U64),
                                             FIELD(thread, thread, U64), FIELD(thread, index, U8),
                                             FIELD(thread, tail, TAIL)};
static const struct field event_fields[] = {
    FIELD(event, thread, THREAD), FIELD(event, category, STRING), FIELD(event, name, STRING),
    FIELD(event, args, ARGS),     FIELD(event, timestamp, U64),   FIELD(event, value, U64),
    FIELD(event, event_type, U8), FIELD(event, scope, U8),        FIELD(event, has_scope, U8),
    FIELD(event, tail, TAIL)};
static const struct field blob_fields[] = {FIELD(blob, name, STRING), FIELD(blob, payload, BYTES),
                                           FIELD(blob, blob_type, U8), FIELD(blob, tail, TAIL)};
static const struct field userspace_object_fields[] = {
    FIELD(userspace_object, process, PROCESS), FIELD(userspace_object, name, STRING),
    FIELD(userspace_object, args, ARGS), FIELD(userspace_object, pointer, U64),
    FIELD(userspace_object, tail, TAIL)};
static const struct field kernel_object_fields[] = {
    FIELD(kernel_object, name, STRING), FIELD(kernel_object, args, ARGS),
    FIELD(kernel_object, koid, U64), FIELD(kernel_object, object_type, U8),
    FIELD(kernel_object, tail, TAIL)};
static const struct field legacy_switch_fields[] = {
    FIELD(legacy_switch, outgoing, THREAD),      FIELD(legacy_switch, incoming, THREAD),
    FIELD(legacy_switch, timestamp, U64),        FIELD(legacy_switch, cpu, U8),
    FIELD(legacy_switch, outgoing_state, U8),    FIELD(legacy_switch, outgoing_priority, U8),
    FIELD(legacy_switch, incoming_priority, U8), FIELD(legacy_switch, tail, TAIL)};
static const struct field context_switch_fields[] = {FIELD(context_switch, args, ARGS),
                                                     FIELD(context_switch, timestamp, U64),
                                                     FIELD(context_switch, outgoing_thread, U64),
                                                     FIELD(context_switch, incoming_thread, U64),
                                                     FIELD(context_switch, cpu, U16),
                                                     FIELD(context_switch, outgoing_state, U8),
                                                     FIELD(context_switch, tail, TAIL)};
static const struct field thread_wakeup_fields[] = {
    FIELD(thread_wakeup, args, ARGS), FIELD(thread_wakeup, timestamp, U64),
    FIELD(thread_wakeup, waking_thread, U64), FIELD(thread_wakeup, cpu, U16),
    FIELD(thread_wakeup, tail, TAIL)};
static const struct field log_fields[] = {FIELD(log, thread, THREAD), FIELD(log, message, BYTES),
                                          FIELD(log, timestamp, U64), FIELD(log, tail, TAIL)};
static const struct field module_fields[] = {
    FIELD(module, thread, THREAD), FIELD(module, name, BYTES),    FIELD(module, build_id, BYTES),
    FIELD(module, timestamp, U64), FIELD(module, module_id, U16), FIELD(module, tail, TAIL)};
static const struct field mmap_fields[] = {
    FIELD(mmap, thread, THREAD),     FIELD(mmap, timestamp, U64), FIELD(mmap, start_address, U64),
    FIELD(mmap, address_range, U64), FIELD(mmap, vaddr, U64),     FIELD(mmap, module_id, U16),
    FIELD(mmap, flags, U8),          FIELD(mmap, tail, TAIL)};
static const struct field backtrace_fields[] = {
    FIELD(backtrace, thread, THREAD), FIELD(backtrace, frames, BYTES),
    FIELD(backtrace, timestamp, U64), FIELD(backtrace, frame_count, U8),
    FIELD(backtrace, tail, TAIL)};
static const struct field large_blob_fields[] = {
    FIELD(large_blob, thread, THREAD),  FIELD(large_blob, category, STRING),
    FIELD(large_blob, name, STRING),    FIELD(large_blob, args, ARGS),
    FIELD(large_blob, payload, BYTES),  FIELD(large_blob, timestamp, U64),
    FIELD(large_blob, blob_format, U8), FIELD(large_blob, tail, TAIL)};

static const struct {
    const struct field *fields;
    size_t count;
} kinds[FUZZ_KIND_COUNT] = {
#define KIND(id, name, ...)                                                                        \
    [FUZZ_##id] = {name##_fields, sizeof name##_fields / sizeof name##_fields[0]},
    FUZZ_KINDS(KIND)};

static const struct fxt_args *args_of(const struct fuzz_record *in)
{
    for (size_t i = 0; i < kinds[in->kind].count; i++)
        if (kinds[in->kind].fields[i].shape == ARGS)
            return (const struct fxt_args *)((const uint8_t *)&in->any +
                                             kinds[in->kind].fields[i].at);
    return NULL;
}

enum fxt_status fuzz_decode_all(struct fuzz_record *out, const struct fxt_record *record,
                                struct fxt_error *error)
{
    out->kind = fuzz_kind_of(record);
    out->arg_count = 0;
    if (out->kind == FUZZ_KIND_COUNT)
        return FXT_WRONG_TYPE;
    enum fxt_status status = fuzz_decode(out->kind, &out->any, record, error);
    const struct fxt_args *encoded = args_of(out);
    if (status != FXT_OK || encoded == NULL)
        return status;
    struct fxt_args args = *encoded;
    FUZZ_CHECK(args.count <= FXT_ARGS_MAX);
    while (args.count > 0) {
        struct fxt_args before = args;
        FUZZ_CHECK(fxt_args_next(&args, &out->args[out->arg_count++], error) == FXT_OK);
        FUZZ_CHECK(args.count + 1 == before.count && args.words < before.words);
        FUZZ_CHECK(args.bytes - before.bytes == (ptrdiff_t)(8 * (before.words - args.words)));
        FUZZ_CHECK(args.offset - before.offset == 8 * (uint64_t)(before.words - args.words));
    }
    struct fxt_arg arg;
    FUZZ_CHECK(fxt_args_next(&args, &arg, error) == FXT_END);
    FUZZ_CHECK(args.words == 0);
    return FXT_OK;
}

static void check_span(const struct fxt_record *record, const uint8_t *bytes, uint64_t size)
{
    if (size == 0) {
        FUZZ_CHECK(bytes == NULL);
        return;
    }
    FUZZ_CHECK(bytes != NULL && bytes >= record->bytes + 8);
    uint64_t at = (uint64_t)(bytes - record->bytes);
    FUZZ_CHECK(at % 8 == 0 && at <= 8 * (uint64_t)record->words);
    FUZZ_CHECK(size <= 8 * (uint64_t)record->words - at);
}

static void check_ref(const struct fxt_record *record, struct fxt_string_ref ref)
{
    check_span(record, ref.bytes, fxt_string_ref_length(ref));
}

static void check_field(const struct fxt_record *record, const void *at, enum shape shape)
{
    const struct fxt_bytes *bytes = at;
    const struct fxt_tail *tail = at;
    const struct fxt_args *args = at;
    const struct fxt_thread_ref *thread_ref = at;

    switch (shape) {
    case BYTES:
        check_span(record, bytes->bytes, bytes->size);
        break;
    case STRING:
        check_ref(record, *(const struct fxt_string_ref *)at);
        break;
    case TAIL:
        check_span(record, tail->bytes, 8 * (uint64_t)tail->words);
        FUZZ_CHECK(tail->words == 0 || tail->bytes + 8 * (uint64_t)tail->words ==
                                           record->bytes + 8 * (uint64_t)record->words);
        break;
    case ARGS:
        if (args->words > 0)
            check_span(record, args->bytes, 8 * (uint64_t)args->words);
        FUZZ_CHECK(args->count <= args->words);
        if (args->words > 0)
            FUZZ_CHECK(args->offset - record->offset == (uint64_t)(args->bytes - record->bytes));
        break;
    case THREAD:
    case PROCESS:
        FUZZ_CHECK(thread_ref->ref == 0 || (thread_ref->process == 0 && thread_ref->thread == 0));
        FUZZ_CHECK(shape == THREAD || thread_ref->thread == 0);
        break;
    default:
        break;
    }
}

void fuzz_check_inside(const struct fuzz_record *in, const struct fxt_record *record)
{
    for (size_t i = 0; i < kinds[in->kind].count; i++) {
        const struct field *field = &kinds[in->kind].fields[i];
        check_field(record, (const uint8_t *)&in->any + field->at, field->shape);
    }
    for (uint8_t i = 0; i < in->arg_count; i++) {
        const struct fxt_arg *arg = &in->args[i];
        check_ref(record, arg->name);
        check_ref(record, arg->text);
        check_span(record, arg->blob.bytes, arg->blob.size);
        check_span(record, arg->tail.bytes, 8 * (uint64_t)arg->tail.words);
        FUZZ_CHECK(arg->type <= 15);
    }
}

static uint64_t digest_bytes(uint64_t digest, const uint8_t *bytes, uint64_t size)
{
    digest = fuzz_mix(digest, size);
    for (uint64_t i = 0; i < size; i++)
        digest = fuzz_mix(digest, bytes[i]);
    return digest;
}

static uint64_t digest_ref(uint64_t digest, struct fxt_string_ref ref)
{
    return digest_bytes(fuzz_mix(digest, ref.ref), ref.bytes, fxt_string_ref_length(ref));
}

static uint64_t digest_field(uint64_t digest, const void *at, enum shape shape, bool tails)
{
    const struct fxt_bytes *bytes = at;
    const struct fxt_tail *tail = at;
    const struct fxt_thread_ref *ref = at;

    switch (shape) {
    case U8:
        return fuzz_mix(digest, *(const uint8_t *)at);
    case U16:
        return fuzz_mix(digest, *(const uint16_t *)at);
    case U32:
        return fuzz_mix(digest, *(const uint32_t *)at);
    case U64:
        return fuzz_mix(digest, *(const uint64_t *)at);
    case BYTES:
        return digest_bytes(digest, bytes->bytes, bytes->size);
    case STRING:
        return digest_ref(digest, *(const struct fxt_string_ref *)at);
    case THREAD:
    case PROCESS:
        return fuzz_mix(fuzz_mix(fuzz_mix(digest, ref->ref), ref->process), ref->thread);
    case TAIL:
        return tails ? digest_bytes(digest, tail->bytes, 8 * (uint64_t)tail->words) : digest;
    case ARGS:
    default:
        return digest; /* taken off, see below */
    }
}

uint64_t fuzz_digest(const struct fuzz_record *in, bool tails)
{
    uint64_t digest = fuzz_mix(1, in->kind);
    for (size_t i = 0; i < kinds[in->kind].count; i++) {
        const struct field *field = &kinds[in->kind].fields[i];
        digest = digest_field(digest, (const uint8_t *)&in->any + field->at, field->shape, tails);
    }
    digest = fuzz_mix(digest, in->arg_count);
    for (uint8_t i = 0; i < in->arg_count; i++) {
        const struct fxt_arg *arg = &in->args[i];
        digest = fuzz_mix(fuzz_mix(digest, arg->type), arg->value);
        digest = digest_ref(digest_ref(digest, arg->name), arg->text);
        digest = digest_bytes(digest, arg->blob.bytes, arg->blob.size);
        digest = digest_field(digest, &arg->tail, TAIL, tails);
    }
    return digest;
}

static void canonical_ref(struct fxt_string_ref *ref)
{
    if (ref->ref == FXT_STRING_INLINE)
        ref->ref = 0;
}

static void canonical_arg(struct fxt_arg *arg)
{
    canonical_ref(&arg->name);
    canonical_ref(&arg->text);
    if (arg->type == FXT_ARG_NULL)
        arg->value = 0;
    if (arg->type == FXT_ARG_STRING)
        arg->value = arg->text.ref;
    arg->tail.words = 0;
}

void fuzz_canonicalize(struct fuzz_record *record)
{
    for (size_t i = 0; i < kinds[record->kind].count; i++)
        if (kinds[record->kind].fields[i].shape == STRING)
            canonical_ref((struct fxt_string_ref *)(void *)((uint8_t *)&record->any +
                                                            kinds[record->kind].fields[i].at));
    for (uint8_t i = 0; i < record->arg_count; i++)
        canonical_arg(&record->args[i]);
    struct fxt_event *in = &record->any.event;
    if (record->kind == FUZZ_EVENT && in->event_type == FXT_EVENT_INSTANT)
        in->value = in->scope;
}
