/* Level "events" of the conformance suite, as JSON Lines: what a consumer sees of a trace, with all
   references resolved and all times in nanoseconds, too. conformance/schema/events.md says what each line
   holds; legacy switches have their priorities besides. No state; called by the tools and by
   conformance/native, once a record.

   The fields are those of kinds.c, in two rounds: thread, category and name come before the rest. */
#include <fxt/check.h>

#include "src/convert/args.h"
#include "src/convert/convert.h"
#include "src/convert/decimal.h"
#include "src/convert/escape.h"
#include "src/convert/json_value.h"
#include "src/convert/kinds.h"
#include "src/convert/number.h"

struct line {
    struct fxt_out *out;
    const struct fxt_tables *tables;
    const struct fxt_convert_kind *kind;
    const union fxt_convert_any *any;
};

static void number(struct fxt_out *out, const char *name, uint64_t value)
{
    fxt_json_key(out, name);
    fxt_out_u64(out, value);
}

static void koid(struct fxt_out *out, const char *name, bool known, uint64_t value)
{
    fxt_json_key(out, name);
    if (known)
        fxt_out_u64(out, value);
    else
        fxt_out_text(out, "null");
}

static void string_value(const struct line *line, struct fxt_string_ref ref)
{
    struct fxt_bytes text;
    if (fxt_convert_resolve(line->tables, &text, ref))
        fxt_json_text(line->out, text);
    else
        fxt_out_text(line->out, "null");
}

static void ticks(const struct line *line, const char *name, const char *name_ns, uint64_t value)
{
    uint64_t rate = fxt_tables_provider(line->tables)->ticks_per_second;
    number(line->out, name, value);
    number(line->out, name_ns, fxt_ticks_to_ns(value, rate));
}

/* The thread of the record is a process and a thread. Those that a processor passes between are
   threads only, as in context switches that name them by koid. */
static void thread(const struct line *line, const struct fxt_convert_field *field)
{
    struct fxt_thread_ref ref =
        *(const struct fxt_thread_ref *)fxt_convert_field_at(line->any, field->at);
    struct fxt_thread_ref koids = {0, 0, 0};
    bool known = fxt_convert_resolve_thread(line->tables, &koids, ref);
    bool own = fxt_convert_text_is(field->name, strlen(field->name), "thread");
    if (own || field->shape == FXT_CONVERT_PROCESS)
        koid(line->out, "process", known, koids.process);
    if (field->shape == FXT_CONVERT_THREAD)
        koid(line->out, field->name, known, koids.thread);
}

static void frames(struct fxt_out *out, const struct fxt_backtrace *backtrace)
{
    fxt_json_key(out, "frames");
    fxt_out_char(out, '[');
    for (uint8_t i = 0; i < backtrace->frame_count; i++) {
        if (i > 0)
            fxt_out_char(out, ',');
        fxt_out_u64(out, fxt_backtrace_frame(backtrace, i));
    }
    fxt_out_char(out, ']');
}

/* A scope that is absent or undefined is read as thread [EVT-10]. */
static void scope(struct fxt_out *out, const struct fxt_event *event)
{
    uint16_t value = event->has_scope != 0 ? event->scope : FXT_SCOPE_THREAD;
    fxt_json_key(out, "scope");
    fxt_json_named(out, &fxt_convert_scopes, value);
}

static void u64_field(const struct line *line, const struct fxt_convert_field *field)
{
    uint64_t value = fxt_convert_number(line->any, field);
    size_t length = strlen(field->name);
    if (fxt_convert_text_is(field->name, length, "timestamp"))
        ticks(line, "ts", "ns", value);
    else if (fxt_convert_text_is(field->name, length, "end"))
        ticks(line, "end", "end_ns", value);
    else
        number(line->out, field->name, value);
}

static void field_value(const struct line *line, const struct fxt_convert_field *field)
{
    const void *at = fxt_convert_field_at(line->any, field->at);
    switch (field->shape) {
    case FXT_CONVERT_WHICH: /* printed first, as the kind of the line */
        return;
    case FXT_CONVERT_THREAD:
    case FXT_CONVERT_PROCESS:
        thread(line, field);
        return;
    case FXT_CONVERT_SCOPE:
        scope(line->out, &line->any->event);
        return;
    case FXT_CONVERT_FRAMES:
        frames(line->out, &line->any->backtrace);
        return;
    case FXT_CONVERT_STRING:
        fxt_json_key(line->out, field->name);
        string_value(line, *(const struct fxt_string_ref *)at);
        return;
    case FXT_CONVERT_TEXT:
        fxt_json_key(line->out, field->name);
        fxt_json_text(line->out, *(const struct fxt_bytes *)at);
        return;
    case FXT_CONVERT_PAYLOAD:
        fxt_json_key(line->out, field->name);
        fxt_json_hex(line->out, *(const struct fxt_bytes *)at);
        return;
    case FXT_CONVERT_NAMED:
        fxt_json_key(line->out, field->name);
        fxt_json_named(line->out, field->names, fxt_convert_number(line->any, field));
        return;
    default:
        u64_field(line, field);
    }
}

static bool is_name(const struct fxt_convert_field *field)
{
    return field->shape == FXT_CONVERT_THREAD || field->shape == FXT_CONVERT_PROCESS ||
           field->shape == FXT_CONVERT_STRING;
}

static void fields(const struct line *line, bool names)
{
    for (size_t i = 0; i < line->kind->field_count; i++) {
        const struct fxt_convert_field *field = &line->kind->fields[i];
        if (is_name(field) == names && fxt_convert_has(line->kind, line->any, field->only))
            field_value(line, field);
    }
}

/* ---- arguments */

static void double_value(struct fxt_out *out, uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    if (fxt_convert_is_finite(bits)) {
        char *to = fxt_out_room(out, FXT_NUMBER_BYTES);
        out->size += (size_t)(fxt_number_double(to, value) - to);
    } else if (bits << 12 != 0) {
        fxt_out_text(out, "\"NaN\"");
    } else {
        fxt_out_text(out, bits >> 63 == 0 ? "\"Infinity\"" : "\"-Infinity\"");
    }
}

static void arg_value(const struct line *line, const struct fxt_arg *arg)
{
    switch (fxt_convert_arg_shape(arg)) {
    case FXT_CONVERT_ARG_NOTHING:
        fxt_out_text(line->out, "null");
        return;
    case FXT_CONVERT_ARG_INT32:
    case FXT_CONVERT_ARG_INT64:
        fxt_out_i64(line->out, fxt_arg_int64(arg));
        return;
    case FXT_CONVERT_ARG_DOUBLE:
        double_value(line->out, arg->value);
        return;
    case FXT_CONVERT_ARG_STRING:
        string_value(line, arg->text);
        return;
    case FXT_CONVERT_ARG_BOOL:
        fxt_out_text(line->out, arg->value != 0 ? "true" : "false");
        return;
    case FXT_CONVERT_ARG_BLOB:
        fxt_json_hex(line->out, arg->blob);
        return;
    default:
        fxt_out_u64(line->out, arg->value);
    }
}

/* The next letter as it is written: its bytes, or those of U+FFFD. */
static struct fxt_bytes take_letter(struct fxt_bytes *text)
{
    static const uint8_t replacement[] = {0xef, 0xbf, 0xbd};
    struct fxt_bytes letter = {replacement, sizeof replacement};
    bool valid;
    size_t length = fxt_escape_character(&valid, text->bytes, (size_t)text->size);
    if (valid)
        letter = (struct fxt_bytes){text->bytes, length};
    text->bytes += length;
    text->size -= length;
    return letter;
}

/* Whether they are one key: names that are not UTF-8 may differ in what is not written. */
static bool same(struct fxt_bytes a, struct fxt_bytes b)
{
    while (a.size > 0 && b.size > 0) {
        struct fxt_bytes one = take_letter(&a);
        struct fxt_bytes other = take_letter(&b);
        if (one.size != other.size || memcmp(one.bytes, other.bytes, (size_t)one.size) != 0)
            return false;
    }
    return a.size == b.size;
}

/* The next argument whose type is known and whose name is registered. */
static bool next_arg(const struct fxt_tables *tables, struct fxt_args *args, struct fxt_arg *arg,
                     struct fxt_bytes *name)
{
    struct fxt_error error;
    while (fxt_args_next(args, arg, &error) == FXT_OK) {
        if (fxt_convert_arg_shape(arg) != FXT_CONVERT_ARG_UNKNOWN &&
            fxt_convert_resolve(tables, name, arg->name))
            return true;
    }
    return false;
}

/* Of arguments of one name, the last is the value of the name. */
static bool comes_again(const struct fxt_tables *tables, struct fxt_args later,
                        struct fxt_bytes name)
{
    struct fxt_arg arg;
    struct fxt_bytes other;
    while (next_arg(tables, &later, &arg, &other)) {
        if (same(name, other))
            return true;
    }
    return false;
}

static void all_args(const struct line *line, struct fxt_args args)
{
    struct fxt_arg arg;
    struct fxt_bytes name;
    const char *before = "\"";
    fxt_json_key(line->out, "args");
    fxt_out_char(line->out, '{');
    while (next_arg(line->tables, &args, &arg, &name)) {
        if (comes_again(line->tables, args, name))
            continue;
        fxt_out_text(line->out, before);
        fxt_escape_out(line->out, name.bytes, (size_t)name.size);
        fxt_out_text(line->out, "\":");
        arg_value(line, &arg);
        before = ",\"";
    }
    fxt_out_char(line->out, '}');
}

/* What the line is about; NULL: nothing that is delivered as an event. */
static const char *title(enum fxt_kind kind, const union fxt_convert_any *any)
{
    if (kind == FXT_KIND_EVENT)
        return fxt_convert_name_of(&fxt_convert_event_types, any->event.event_type);
    return fxt_kind_name(kind == FXT_KIND_LEGACY_SWITCH ? FXT_KIND_CONTEXT_SWITCH : kind);
}

void fxt_convert_events_record(struct fxt_out *out, const struct fxt_tables *tables,
                               const struct fxt_record *record)
{
    enum fxt_kind which = fxt_kind_of(record);
    union fxt_convert_any any;
    struct fxt_error error;
    if (which < FXT_KIND_EVENT || which >= FXT_KIND_UNKNOWN ||
        fxt_kind_decode(which, record, &any, &error) != FXT_OK || title(which, &any) == NULL)
        return;
    struct line line = {out, tables, fxt_convert_kind_of(record), &any};
    fxt_out_text(out, "{\"event\":");
    fxt_json_plain(out, title(which, &any));
    number(out, "provider", fxt_tables_provider(tables)->id);
    fields(&line, true);
    fields(&line, false);
    if (line.kind->args != FXT_CONVERT_NOWHERE &&
        fxt_convert_has(line.kind, &any, line.kind->args_only))
        all_args(&line, fxt_convert_args(line.kind, &any));
    fxt_out_text(out, "}\n");
}
