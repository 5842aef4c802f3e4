/* Fields and values in plain text. No state. */
#include "src/convert/plain.h"

#include "src/convert/args.h"
#include "src/convert/quote.h"

void fxt_plain_named(struct fxt_out *out, const struct fxt_convert_names *names, uint64_t number)
{
    const char *name = fxt_convert_name_of(names, number);
    if (name != NULL)
        fxt_out_text(out, name);
    else
        fxt_out_u64(out, number);
}

static void frames(struct fxt_out *out, const struct fxt_backtrace *backtrace)
{
    fxt_out_char(out, '[');
    for (uint8_t i = 0; i < backtrace->frame_count; i++) {
        if (i > 0)
            fxt_out_char(out, ',');
        fxt_out_hex(out, fxt_backtrace_frame(backtrace, i));
    }
    fxt_out_char(out, ']');
}

static void field_value(const struct fxt_plain *plain, struct fxt_out *out,
                        const struct fxt_tables *tables, const union fxt_convert_any *any,
                        const struct fxt_convert_field *field)
{
    const void *at = fxt_convert_field_at(any, field->at);
    switch (field->shape) {
    case FXT_CONVERT_ADDRESS:
        fxt_out_hex(out, fxt_convert_number(any, field));
        return;
    case FXT_CONVERT_NAMED:
    case FXT_CONVERT_WHICH:
    case FXT_CONVERT_SCOPE:
        fxt_plain_named(out, field->names, fxt_convert_number(any, field));
        return;
    case FXT_CONVERT_TEXT:
        fxt_convert_quote(out, ((const struct fxt_bytes *)at)->bytes,
                          ((const struct fxt_bytes *)at)->size);
        return;
    case FXT_CONVERT_PAYLOAD:
        plain->payload(out, *(const struct fxt_bytes *)at);
        return;
    case FXT_CONVERT_STRING:
        plain->string(out, tables, *(const struct fxt_string_ref *)at);
        return;
    case FXT_CONVERT_THREAD:
    case FXT_CONVERT_PROCESS:
        plain->thread(out, tables, *(const struct fxt_thread_ref *)at,
                      field->shape == FXT_CONVERT_PROCESS);
        return;
    case FXT_CONVERT_FRAMES:
        frames(out, &any->backtrace);
        return;
    default:
        fxt_out_u64(out, fxt_convert_number(any, field));
    }
}

void fxt_plain_fields(const struct fxt_plain *plain, struct fxt_out *out,
                      const struct fxt_tables *tables, const struct fxt_convert_kind *kind,
                      const union fxt_convert_any *any)
{
    for (size_t i = 0; i < kind->field_count; i++) {
        const struct fxt_convert_field *field = &kind->fields[i];
        if (!fxt_convert_has(kind, any, field->only) ||
            (field->shape == FXT_CONVERT_SCOPE && any->event.has_scope == 0))
            continue;
        fxt_out_char(out, ' ');
        if (field->shape != FXT_CONVERT_WHICH) {
            fxt_out_text(out, field->name);
            fxt_out_char(out, '=');
        } else if (fxt_convert_name_of(field->names, fxt_convert_number(any, field)) == NULL) {
            fxt_out_text(out, plain->unknown);
        }
        field_value(plain, out, tables, any, field);
    }
}

static void arg_value(const struct fxt_plain *plain, struct fxt_out *out,
                      const struct fxt_tables *tables, const struct fxt_arg *arg)
{
    switch (fxt_convert_arg_shape(arg)) {
    case FXT_CONVERT_ARG_INT32:
    case FXT_CONVERT_ARG_INT64:
        fxt_out_i64(out, fxt_arg_int64(arg));
        return;
    case FXT_CONVERT_ARG_DOUBLE:
        plain->real(out, arg);
        return;
    case FXT_CONVERT_ARG_STRING:
        plain->string(out, tables, arg->text);
        return;
    case FXT_CONVERT_ARG_ADDRESS:
        fxt_out_hex(out, arg->value);
        return;
    case FXT_CONVERT_ARG_BOOL:
        fxt_out_text(out, arg->value != 0 ? "true" : "false");
        return;
    case FXT_CONVERT_ARG_BLOB:
        plain->payload(out, arg->blob);
        return;
    default: /* unsigned numbers, and what is not known */
        fxt_out_u64(out, arg->value);
    }
}

void fxt_plain_arg(const struct fxt_plain *plain, struct fxt_out *out,
                   const struct fxt_tables *tables, const struct fxt_arg *arg)
{
    if (fxt_convert_arg_shape(arg) == FXT_CONVERT_ARG_UNKNOWN)
        fxt_out_text(out, plain->unknown);
    fxt_plain_named(out, &fxt_convert_arg_types, arg->type);
    if (fxt_convert_arg_shape(arg) == FXT_CONVERT_ARG_NOTHING)
        return;
    fxt_out_char(out, ' ');
    arg_value(plain, out, tables, arg);
}
