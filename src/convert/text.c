/* One line a record, for people: offset, kind, fields by their names, arguments, tail. References
   are shown as what they stand for, or as #12? when nothing is registered there. Long payloads are
   cut. No state; called by `fxt dump`. */
#include "src/convert/convert.h"
#include "src/convert/decimal.h"
#include "src/convert/kinds.h"
#include "src/convert/number.h"
#include "src/convert/plain.h"
#include "src/convert/quote.h"

#define PREVIEW_BYTES 32u
#define PREVIEW_WORDS 16u

static void offset(struct fxt_out *out, uint64_t at)
{
    unsigned digits = 6;
    while (digits < 16 && at >> (4 * digits) != 0)
        digits++;
    fxt_convert_hex_padded(out, at, digits);
}

static void unresolved(struct fxt_out *out, uint64_t index)
{
    fxt_out_char(out, '#');
    fxt_out_u64(out, index);
    fxt_out_char(out, '?');
}

static void string_ref(struct fxt_out *out, const struct fxt_tables *tables,
                       struct fxt_string_ref ref)
{
    struct fxt_bytes value;
    if (fxt_convert_resolve(tables, &value, ref))
        fxt_convert_quote(out, value.bytes, value.size);
    else
        unresolved(out, ref.ref);
}

static void thread_ref(struct fxt_out *out, const struct fxt_tables *tables,
                       struct fxt_thread_ref ref, bool process_only)
{
    struct fxt_thread_ref koids;
    if (!fxt_convert_resolve_thread(tables, &koids, ref)) {
        unresolved(out, ref.ref);
        return;
    }
    fxt_out_u64(out, koids.process);
    if (!process_only) {
        fxt_out_char(out, '/');
        fxt_out_u64(out, koids.thread);
    }
}

static void payload(struct fxt_out *out, struct fxt_bytes bytes)
{
    fxt_out_u64(out, bytes.size);
    fxt_out_text(out, bytes.size == 1 ? " byte" : " bytes");
    if (bytes.size == 0)
        return;
    fxt_out_text(out, " x\"");
    fxt_convert_hex_bytes(out, bytes.bytes,
                          bytes.size < PREVIEW_BYTES ? bytes.size : PREVIEW_BYTES);
    fxt_out_text(out, bytes.size > PREVIEW_BYTES ? "\"..." : "\"");
}

static void tail_words(struct fxt_out *out, struct fxt_tail tail)
{
    if (tail.words == 0)
        return;
    fxt_out_text(out, " tail=[");
    for (uint32_t i = 0; i < tail.words && i < PREVIEW_WORDS; i++) {
        if (i > 0)
            fxt_out_char(out, ',');
        fxt_out_hex(out, fxt_tail_word(&tail, i));
    }
    fxt_out_text(out, tail.words > PREVIEW_WORDS ? ",...]" : "]");
}

static bool is_word(struct fxt_bytes name)
{
    for (uint64_t i = 0; i < name.size; i++) {
        uint8_t c = name.bytes[i];
        uint8_t lower = c | 0x20;
        if (!(lower >= 'a' && lower <= 'z') && !(c >= '0' && c <= '9') && c != '_' && c != '.')
            return false;
    }
    return name.size > 0;
}

static void arg_name(struct fxt_out *out, const struct fxt_tables *tables,
                     struct fxt_string_ref ref)
{
    struct fxt_bytes name;
    if (fxt_convert_resolve(tables, &name, ref) && is_word(name))
        fxt_out_bytes(out, (const char *)name.bytes, (size_t)name.size);
    else
        string_ref(out, tables, ref);
    fxt_out_text(out, ": ");
}

static void double_value(struct fxt_out *out, const struct fxt_arg *arg)
{
    if (fxt_convert_is_finite(arg->value)) {
        char *room = fxt_out_room(out, FXT_NUMBER_BYTES);
        out->size += (size_t)(fxt_number_double(room, fxt_arg_double(arg)) - room);
        return;
    }
    if (arg->value << 12 != 0)
        fxt_out_text(out, "nan");
    else
        fxt_out_text(out, arg->value >> 63 != 0 ? "-inf" : "inf");
}

static const struct fxt_plain plain = {string_ref, thread_ref, payload, double_value,
                                       "unknown type "};

static void all_args(struct fxt_out *out, const struct fxt_tables *tables, struct fxt_args args)
{
    struct fxt_arg arg;
    struct fxt_error error;
    const char *before = " {";
    if (args.count == 0)
        return;
    while (fxt_args_next(&args, &arg, &error) == FXT_OK) {
        fxt_out_text(out, before);
        arg_name(out, tables, arg.name);
        fxt_plain_arg(&plain, out, tables, &arg);
        tail_words(out, arg.tail);
        before = ", ";
    }
    fxt_out_char(out, '}');
}

static void unknown(struct fxt_out *out, const struct fxt_record *record)
{
    struct fxt_tail tail = {record->bytes + FXT_WORD_BYTES, record->words - 1};
    fxt_out_text(out, "unknown record type ");
    fxt_out_u64(out, record->type);
    fxt_out_text(out, ", ");
    fxt_out_u64(out, record->words);
    fxt_out_text(out, record->words == 1 ? " word, header " : " words, header ");
    fxt_out_hex(out, record->header);
    tail_words(out, tail);
}

static void rule(struct fxt_out *out, enum fxt_rule number)
{
    fxt_out_text(out, " [");
    fxt_out_text(out, fxt_rule_id(number));
    fxt_out_text(out, "] ");
    fxt_out_text(out, fxt_rule_title(number));
}

static void malformed(struct fxt_out *out, const struct fxt_convert_kind *kind,
                      const struct fxt_record *record, const struct fxt_error *error)
{
    fxt_out_text(out, "malformed ");
    fxt_out_text(out, kind->name);
    fxt_out_text(out, ", ");
    fxt_out_u64(out, record->words);
    fxt_out_text(out, record->words == 1 ? " word, at " : " words, at ");
    offset(out, error->offset);
    rule(out, error->rule);
}

void fxt_convert_text_record(struct fxt_out *out, const struct fxt_tables *tables,
                             const struct fxt_record *record)
{
    const struct fxt_convert_kind *kind = fxt_convert_kind_of(record);
    union fxt_convert_any any;
    struct fxt_error error;
    offset(out, record->offset);
    fxt_out_char(out, ' ');
    if (kind == NULL) {
        unknown(out, record);
    } else if (kind->decode(record, &any, &error) != FXT_OK) {
        malformed(out, kind, record, &error);
    } else {
        fxt_out_text(out, kind->name);
        fxt_plain_fields(&plain, out, tables, kind, &any);
        all_args(out, tables, fxt_convert_args(kind, &any));
        tail_words(out, fxt_convert_tail(kind, &any));
    }
    fxt_out_char(out, '\n');
}

void fxt_convert_text_error(struct fxt_out *out, const struct fxt_error *error)
{
    offset(out, error->offset);
    fxt_out_char(out, ' ');
    if (error->status == FXT_ZERO_WORD) {
        fxt_out_text(out, "zero word");
    } else {
        fxt_out_text(out, "error ");
        fxt_out_text(out, fxt_convert_error_name(error->status));
    }
    rule(out, error->rule);
    fxt_out_char(out, '\n');
}
