/* Canonical JSON Lines. Every byte is fixed by conformance/schema/dump.md: change both together,
   and with them every expected output of the corpus. No state; called by the tools and the
   conformance runner, once a record. */
#include <fxt/check.h>

#include "src/convert/args.h"
#include "src/convert/convert.h"
#include "src/convert/json_value.h"
#include "src/convert/kinds.h"
#include "src/convert/quote.h"

/* 64-bit numbers are strings, because JSON readers tend to take numbers for doubles. */
static void wide(struct fxt_out *out, uint64_t number)
{
    fxt_out_char(out, '"');
    fxt_out_u64(out, number);
    fxt_out_char(out, '"');
}

static void wide_signed(struct fxt_out *out, int64_t number)
{
    fxt_out_char(out, '"');
    fxt_out_i64(out, number);
    fxt_out_char(out, '"');
}

static void string_ref(struct fxt_out *out, const struct fxt_tables *tables,
                       struct fxt_string_ref ref)
{
    struct fxt_bytes value;
    fxt_out_text(out, "{\"ref\":");
    fxt_out_u64(out, ref.ref);
    fxt_json_key(out, "value");
    if (fxt_convert_resolve(tables, &value, ref))
        fxt_json_text(out, value);
    else
        fxt_out_text(out, "null");
    fxt_out_char(out, '}');
}

static void thread_ref(struct fxt_out *out, const struct fxt_tables *tables,
                       struct fxt_thread_ref ref, bool process_only)
{
    struct fxt_thread_ref koids;
    bool known = fxt_convert_resolve_thread(tables, &koids, ref);
    fxt_out_text(out, "{\"ref\":");
    fxt_out_u64(out, ref.ref);
    fxt_json_key(out, "process");
    if (known)
        wide(out, koids.process);
    else
        fxt_out_text(out, "null");
    if (!process_only) {
        fxt_json_key(out, "thread");
        if (known)
            wide(out, koids.thread);
        else
            fxt_out_text(out, "null");
    }
    fxt_out_char(out, '}');
}

static void words(struct fxt_out *out, const char *name, struct fxt_tail tail)
{
    fxt_json_key(out, name);
    fxt_out_char(out, '[');
    for (uint32_t i = 0; i < tail.words; i++) {
        fxt_out_text(out, i == 0 ? "\"" : ",\"");
        fxt_convert_hex_padded(out, fxt_tail_word(&tail, i), 16);
        fxt_out_char(out, '"');
    }
    fxt_out_char(out, ']');
}

static void frames(struct fxt_out *out, const struct fxt_backtrace *backtrace)
{
    fxt_out_char(out, '[');
    for (uint8_t i = 0; i < backtrace->frame_count; i++) {
        if (i > 0)
            fxt_out_char(out, ',');
        wide(out, fxt_backtrace_frame(backtrace, i));
    }
    fxt_out_char(out, ']');
}

static void arg_value(struct fxt_out *out, const struct fxt_tables *tables,
                      const struct fxt_arg *arg)
{
    enum fxt_convert_arg_shape shape = fxt_convert_arg_shape(arg);
    fxt_json_key(out, shape != FXT_CONVERT_ARG_UNKNOWN ? "value" : "data");
    switch (shape) {
    case FXT_CONVERT_ARG_NOTHING:
        fxt_out_text(out, "null");
        return;
    case FXT_CONVERT_ARG_INT32:
        fxt_out_i64(out, fxt_arg_int64(arg));
        return;
    case FXT_CONVERT_ARG_INT64:
        wide_signed(out, fxt_arg_int64(arg));
        return;
    case FXT_CONVERT_ARG_UINT64:
    case FXT_CONVERT_ARG_ADDRESS:
        wide(out, arg->value);
        return;
    case FXT_CONVERT_ARG_DOUBLE:
        fxt_out_char(out, '"');
        fxt_convert_hex_padded(out, arg->value, 16);
        fxt_out_char(out, '"');
        return;
    case FXT_CONVERT_ARG_STRING:
        string_ref(out, tables, arg->text);
        return;
    case FXT_CONVERT_ARG_BOOL:
        fxt_out_text(out, arg->value != 0 ? "true" : "false");
        return;
    case FXT_CONVERT_ARG_BLOB:
        fxt_json_hex(out, arg->blob);
        return;
    default: /* uint32 and unknown types: 32 bits */
        fxt_out_u64(out, arg->value);
    }
}

static void all_args(struct fxt_out *out, const struct fxt_tables *tables, struct fxt_args args)
{
    struct fxt_arg arg;
    struct fxt_error error;
    const char *before = "{\"name\":";
    fxt_json_key(out, "args");
    fxt_out_char(out, '[');
    while (fxt_args_next(&args, &arg, &error) == FXT_OK) {
        fxt_out_text(out, before);
        string_ref(out, tables, arg.name);
        fxt_json_key(out, "type");
        fxt_json_named(out, &fxt_convert_arg_types, arg.type);
        arg_value(out, tables, &arg);
        if (arg.tail.words > 0)
            words(out, "tail", arg.tail);
        fxt_out_char(out, '}');
        before = ",{\"name\":";
    }
    fxt_out_char(out, ']');
}

static void field_value(struct fxt_out *out, const struct fxt_tables *tables,
                        const union fxt_convert_any *any, const struct fxt_convert_field *field)
{
    const void *at = fxt_convert_field_at(any, field->at);
    switch (field->shape) {
    case FXT_CONVERT_U64:
    case FXT_CONVERT_ADDRESS:
        wide(out, fxt_convert_number(any, field));
        return;
    case FXT_CONVERT_SCOPE:
        if (any->event.has_scope == 0) {
            fxt_out_text(out, "null");
            return;
        }
        fxt_json_named(out, field->names, any->event.scope);
        return;
    case FXT_CONVERT_NAMED:
    case FXT_CONVERT_WHICH:
        fxt_json_named(out, field->names, fxt_convert_number(any, field));
        return;
    case FXT_CONVERT_TEXT:
        fxt_json_text(out, *(const struct fxt_bytes *)at);
        return;
    case FXT_CONVERT_PAYLOAD:
        fxt_json_hex(out, *(const struct fxt_bytes *)at);
        return;
    case FXT_CONVERT_STRING:
        string_ref(out, tables, *(const struct fxt_string_ref *)at);
        return;
    case FXT_CONVERT_THREAD:
    case FXT_CONVERT_PROCESS:
        thread_ref(out, tables, *(const struct fxt_thread_ref *)at,
                   field->shape == FXT_CONVERT_PROCESS);
        return;
    case FXT_CONVERT_FRAMES:
        frames(out, &any->backtrace);
        return;
    default:
        fxt_out_u64(out, fxt_convert_number(any, field));
    }
}

static void begin(struct fxt_out *out, uint64_t offset, const char *what, const char *value)
{
    fxt_out_text(out, "{\"offset\":");
    wide(out, offset);
    fxt_json_key(out, what);
    fxt_json_plain(out, value);
}

static void size_of(struct fxt_out *out, const struct fxt_record *record)
{
    fxt_json_key(out, "size");
    fxt_out_u64(out, record->words);
}

static void unknown(struct fxt_out *out, const struct fxt_record *record)
{
    struct fxt_tail all = {record->bytes, record->words};
    begin(out, record->offset, "record", "unknown");
    size_of(out, record);
    fxt_json_key(out, "type");
    fxt_out_u64(out, record->type);
    words(out, "words", all);
    fxt_out_text(out, "}\n");
}

static void malformed(struct fxt_out *out, const struct fxt_record *record,
                      const struct fxt_error *error)
{
    begin(out, record->offset, "record", "malformed");
    size_of(out, record);
    fxt_json_key(out, "rule");
    fxt_json_plain(out, fxt_rule_id(error->rule));
    fxt_json_key(out, "at");
    wide(out, error->offset);
    fxt_out_text(out, "}\n");
}

void fxt_convert_jsonl_record(struct fxt_out *out, const struct fxt_tables *tables,
                              const struct fxt_record *record)
{
    const struct fxt_convert_kind *kind = fxt_convert_kind_of(record);
    union fxt_convert_any any;
    struct fxt_error error;
    if (kind == NULL) {
        unknown(out, record);
        return;
    }
    if (kind->decode(record, &any, &error) != FXT_OK) {
        malformed(out, record, &error);
        return;
    }
    begin(out, record->offset, "record", kind->name);
    size_of(out, record);
    for (size_t i = 0; i < kind->field_count; i++) {
        if (fxt_convert_has(kind, &any, kind->fields[i].only)) {
            fxt_json_key(out, kind->fields[i].name);
            field_value(out, tables, &any, &kind->fields[i]);
        }
    }
    if (kind->args != FXT_CONVERT_NOWHERE && fxt_convert_has(kind, &any, kind->args_only))
        all_args(out, tables, fxt_convert_args(kind, &any));
    if (fxt_convert_tail(kind, &any).words > 0)
        words(out, "tail", fxt_convert_tail(kind, &any));
    fxt_out_text(out, "}\n");
}

void fxt_convert_jsonl_error(struct fxt_out *out, const struct fxt_error *error)
{
    if (error->status == FXT_ZERO_WORD) {
        begin(out, error->offset, "record", "zero_word");
    } else {
        begin(out, error->offset, "error", fxt_convert_error_name(error->status));
        fxt_json_key(out, "rule");
        fxt_json_plain(out, fxt_rule_id(error->rule));
    }
    fxt_out_text(out, "}\n");
}
