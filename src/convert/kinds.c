/* The table of kinds and fields, which spec/generate.py makes from spec/records/records.tbl. It is
   constant; the order of its fields is the order in which all printers show them, and part of the
   canonical JSON form (conformance/schema/dump.md). */
#include "src/convert/kinds.h"

#include <assert.h>

#define AT(kind, member) offsetof(union fxt_convert_any, kind.member)
#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

#define DECODE(kind)                                                                               \
    static enum fxt_status decode_##kind(const struct fxt_record *record,                          \
                                         union fxt_convert_any *out, struct fxt_error *error)      \
    {                                                                                              \
        return fxt_read_##kind(record, &out->kind, error);                                         \
    }
#define ENCODE(kind)                                                                               \
    static enum fxt_status encode_##kind(struct fxt_writer *writer,                                \
                                         const union fxt_convert_any *in,                          \
                                         const struct fxt_arg *args, size_t arg_count)             \
    {                                                                                              \
        (void)args;                                                                                \
        (void)arg_count;                                                                           \
        return fxt_write_##kind(writer, &in->kind);                                                \
    }
#define ENCODE_ARGS(kind)                                                                          \
    static enum fxt_status encode_##kind(struct fxt_writer *writer,                                \
                                         const union fxt_convert_any *in,                          \
                                         const struct fxt_arg *args, size_t arg_count)             \
    {                                                                                              \
        return fxt_write_##kind(writer, &in->kind, args, arg_count);                               \
    }

static enum fxt_status encode_magic(struct fxt_writer *writer, const union fxt_convert_any *in,
                                    const struct fxt_arg *args, size_t arg_count)
{
    (void)in;
    (void)args;
    (void)arg_count;
    return fxt_write_magic(writer);
}

/* A trace info record that is written otherwise, and shown without its fields. */
#define MAGIC                                                                                      \
    {                                                                                              \
        .name = "magic", .selector = FXT_CONVERT_NOWHERE, .args = FXT_CONVERT_NOWHERE,             \
        .tail = AT(trace_info, tail), .timestamp = FXT_CONVERT_NOWHERE,                            \
        .args_only = FXT_CONVERT_ALWAYS, .decode = decode_trace_info, .encode = encode_magic,      \
    }

#include "src/convert/kinds.inc"

const char *fxt_kind_name(enum fxt_kind kind)
{
    return kind < FXT_KIND_UNKNOWN ? kinds[kind].name : "unknown";
}

enum fxt_status fxt_kind_decode(enum fxt_kind kind, const struct fxt_record *record,
                                union fxt_convert_any *out, struct fxt_error *error)
{
    return kind < FXT_KIND_UNKNOWN ? kinds[kind].decode(record, out, error) : FXT_OK;
}

bool fxt_kind_malformed(const struct fxt_record *record, struct fxt_error *error)
{
    union fxt_convert_any any;
    return fxt_kind_decode(fxt_kind_of(record), record, &any, error) != FXT_OK;
}

const struct fxt_convert_kind *fxt_convert_kind_of(const struct fxt_record *record)
{
    enum fxt_kind kind = fxt_kind_of(record);
    return kind < FXT_KIND_UNKNOWN ? &kinds[kind] : NULL;
}

const struct fxt_convert_kind *fxt_convert_kind_by_name(const char *name, size_t length)
{
    for (size_t i = 0; i < FXT_KIND_UNKNOWN; i++)
        if (fxt_convert_text_is(name, length, kinds[i].name))
            return &kinds[i];
    return NULL;
}

bool fxt_kind_timestamp(enum fxt_kind kind, const union fxt_convert_any *any, uint64_t *ticks)
{
    if (kind >= FXT_KIND_UNKNOWN || kinds[kind].timestamp == FXT_CONVERT_NOWHERE ||
        !fxt_convert_has(&kinds[kind], any, kinds[kind].timestamp_only))
        return false;
    *ticks = *(const uint64_t *)fxt_convert_field_at(any, kinds[kind].timestamp);
    return true;
}

bool fxt_convert_has(const struct fxt_convert_kind *kind, const union fxt_convert_any *any,
                     uint16_t only)
{
    uint16_t selector = 0;
    if (kind->selector != FXT_CONVERT_NOWHERE)
        selector = *(const uint16_t *)fxt_convert_field_at(any, kind->selector);
    return selector < 16 && (only >> selector) % 2 == 1;
}

uint64_t fxt_convert_number(const union fxt_convert_any *any, const struct fxt_convert_field *field)
{
    const void *at = fxt_convert_field_at(any, field->at);
    switch (field->shape) {
    case FXT_CONVERT_U32:
        return *(const uint32_t *)at;
    case FXT_CONVERT_U64:
    case FXT_CONVERT_ADDRESS:
        return *(const uint64_t *)at;
    default:
        return *(const uint16_t *)at;
    }
}

struct fxt_args fxt_convert_args(const struct fxt_convert_kind *kind,
                                 const union fxt_convert_any *any)
{
    struct fxt_args none = {NULL, 0, 0, 0};
    if (kind->args == FXT_CONVERT_NOWHERE || !fxt_convert_has(kind, any, kind->args_only))
        return none;
    return *(const struct fxt_args *)fxt_convert_field_at(any, kind->args);
}

struct fxt_tail fxt_convert_tail(const struct fxt_convert_kind *kind,
                                 const union fxt_convert_any *any)
{
    return *(const struct fxt_tail *)fxt_convert_field_at(any, kind->tail);
}

unsigned fxt_convert_threads(const struct fxt_convert_kind *kind, const union fxt_convert_any *any,
                             struct fxt_thread_ref refs[FXT_CONVERT_THREADS_MAX])
{
    unsigned count = 0;
    for (size_t i = 0; i < kind->field_count; i++) {
        const struct fxt_convert_field *field = &kind->fields[i];
        if (field->shape != FXT_CONVERT_THREAD || !fxt_convert_has(kind, any, field->only))
            continue;
        assert(count < FXT_CONVERT_THREADS_MAX);
        refs[count++] = *(const struct fxt_thread_ref *)fxt_convert_field_at(any, field->at);
    }
    return count;
}

bool fxt_convert_resolve(const struct fxt_tables *tables, struct fxt_bytes *text,
                         struct fxt_string_ref ref)
{
    if (ref.ref != 0 && ref.ref < FXT_STRING_INLINE)
        return tables != NULL && fxt_tables_string(tables, text, ref);
    text->bytes = ref.bytes;
    text->size = fxt_string_ref_length(ref);
    return true;
}

bool fxt_convert_resolve_thread(const struct fxt_tables *tables, struct fxt_thread_ref *koids,
                                struct fxt_thread_ref ref)
{
    if (ref.ref != 0)
        return tables != NULL && fxt_tables_thread(tables, koids, ref);
    *koids = ref;
    return true;
}
