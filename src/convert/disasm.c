/* The disassembler. A canonical record becomes one line by name, because the writer gives its bytes
   back from its fields; any other record becomes raw lines, after a comment that says what is wrong
   with it: its header by the fields of the layout, its other words as numbers or text. Either way
   the assembler gives the same bytes, which is the invariant here. No state. */
#include <fxt/check.h>

#include "src/convert/asm.h"
#include "src/convert/asm_layout.h"
#include "src/convert/decimal.h"
#include "src/convert/number.h"
#include "src/convert/plain.h"
#include "src/convert/quote.h"

#define REVERSED_MAGIC UINT64_C(0x1000044678541600)
#define STREAM_MIN 3u /* shorter text is more likely a number */

static void string_ref(struct fxt_out *out, const struct fxt_tables *tables,
                       struct fxt_string_ref ref)
{
    (void)tables;
    if (ref.ref == 0 || ref.ref >= FXT_STRING_INLINE) {
        fxt_convert_quote(out, ref.bytes, fxt_string_ref_length(ref));
    } else {
        fxt_out_char(out, '@');
        fxt_out_u64(out, ref.ref);
    }
}

static void thread_ref(struct fxt_out *out, const struct fxt_tables *tables,
                       struct fxt_thread_ref ref, bool process_only)
{
    (void)tables;
    if (ref.ref != 0) {
        fxt_out_char(out, '@');
        fxt_out_u64(out, ref.ref);
        return;
    }
    fxt_out_u64(out, ref.process);
    if (!process_only) {
        fxt_out_char(out, '/');
        fxt_out_u64(out, ref.thread);
    }
}

static void payload(struct fxt_out *out, struct fxt_bytes bytes)
{
    fxt_out_text(out, "x\"");
    fxt_convert_hex_bytes(out, bytes.bytes, bytes.size);
    fxt_out_char(out, '"');
}

/* In decimal when the assembler is sure to read that back as the same bits. */
static void double_value(struct fxt_out *out, const struct fxt_arg *arg)
{
    if (fxt_convert_is_finite(arg->value)) {
        char text[FXT_NUMBER_BYTES];
        const char *end = fxt_number_double(text, fxt_arg_double(arg));
        struct fxt_asm_cursor cursor = {text, text, end, NULL, 0, NULL, NULL, FXT_OK};
        uint64_t again;
        if (fxt_asm_double(&cursor, &again) && again == arg->value) {
            fxt_out_bytes(out, text, (size_t)(end - text));
            return;
        }
    }
    fxt_convert_hex_padded(out, arg->value, 16);
}

static const struct fxt_plain plain = {string_ref, thread_ref, payload, double_value, ""};

static void all_args(struct fxt_out *out, struct fxt_args args)
{
    struct fxt_arg arg;
    struct fxt_error error;
    const char *before = " { ";
    if (args.count == 0)
        return;
    while (fxt_args_next(&args, &arg, &error) == FXT_OK) {
        fxt_out_text(out, before);
        string_ref(out, NULL, arg.name);
        fxt_out_char(out, ' ');
        fxt_plain_arg(&plain, out, NULL, &arg);
        before = ", ";
    }
    fxt_out_text(out, " }");
}

static void by_name(struct fxt_out *out, const struct fxt_convert_kind *kind,
                    const union fxt_convert_any *any)
{
    fxt_out_text(out, kind->name);
    fxt_plain_fields(&plain, out, NULL, kind, any);
    all_args(out, fxt_convert_args(kind, any));
    fxt_out_char(out, '\n');
}

static uint64_t word_at(const uint8_t *bytes)
{
    struct fxt_tail one = {bytes, 1};
    return fxt_tail_word(&one, 0);
}

/* Fields that are what the assembler would fill in by itself are left out, but for the size. */
static void header_word(struct fxt_out *out, uint64_t header, struct fxt_asm_word word)
{
    uint64_t rest = header;
    fxt_out_text(out, "word ");
    fxt_out_text(out, word.fields[0].word);
    for (size_t i = 0; i < word.count; i++) {
        const struct fxt_asm_field *field = &word.fields[i];
        uint64_t value = (header & fxt_asm_field_mask(field)) >> field->lo;
        uint64_t given = field->constant < 0 ? 0 : (uint64_t)field->constant;
        rest &= ~fxt_asm_field_mask(field);
        if (value == given && strcmp(field->name, "size") != 0)
            continue;
        fxt_out_char(out, ' ');
        fxt_out_text(out, field->name);
        fxt_out_char(out, '=');
        if (field->width == 16 && value >= FXT_STRING_INLINE)
            fxt_out_hex(out, value);
        else
            fxt_out_u64(out, value);
    }
    if (rest != 0) {
        fxt_out_text(out, " bits=");
        fxt_out_hex(out, rest);
    }
    fxt_out_char(out, '\n');
}

/* The bytes of text that stand here before their padding, or 0. */
static uint64_t text_length(const uint8_t *bytes, uint64_t size)
{
    uint64_t length = 0;
    while (length < size && bytes[length] >= 0x20 && bytes[length] < 0x7f)
        length++;
    uint64_t end = length;
    while (end % FXT_WORD_BYTES != 0 && end < size && bytes[end] == 0)
        end++;
    if (end % FXT_WORD_BYTES != 0) /* the text runs into something else: keep its whole words */
        length -= length % FXT_WORD_BYTES;
    return length >= STREAM_MIN ? length : 0;
}

static void raw_words(struct fxt_out *out, const uint8_t *bytes, uint64_t size)
{
    uint64_t at = 0;
    while (at < size) {
        uint64_t length = text_length(bytes + at, size - at);
        if (length > 0) {
            fxt_out_text(out, "stream ");
            fxt_convert_quote(out, bytes + at, length);
            fxt_out_char(out, '\n');
            at += (length + FXT_WORD_BYTES - 1) / FXT_WORD_BYTES * FXT_WORD_BYTES;
            continue;
        }
        uint64_t number = word_at(bytes + at);
        fxt_out_text(out, "u64 ");
        if (number < 1000000)
            fxt_out_u64(out, number);
        else
            fxt_out_hex(out, number);
        fxt_out_char(out, '\n');
        at += FXT_WORD_BYTES;
    }
}

/* A record as raw lines; args: what is known of its arguments. */
static void raw_record(struct fxt_out *out, const struct fxt_record *record, struct fxt_args args)
{
    const uint8_t *at = record->bytes + FXT_WORD_BYTES;
    const uint8_t *end = record->bytes + (uint64_t)record->words * FXT_WORD_BYTES;
    const uint8_t *header = args.bytes;
    struct fxt_arg arg;
    struct fxt_error error;
    header_word(out, record->header, fxt_asm_word_of_header(record->header));
    while (fxt_args_next(&args, &arg, &error) == FXT_OK) {
        raw_words(out, at, (uint64_t)(header - at));
        header_word(out, word_at(header), fxt_asm_word_of_arg(word_at(header)));
        at = header + FXT_WORD_BYTES;
        header = args.bytes;
    }
    raw_words(out, at, (uint64_t)(end - at));
}

static void comment(struct fxt_out *out, const char *what, const struct fxt_error *error)
{
    fxt_out_text(out, "; ");
    fxt_out_hex(out, error->offset);
    fxt_out_text(out, what);
    fxt_out_text(out, fxt_rule_id(error->rule));
    fxt_out_char(out, ' ');
    fxt_out_text(out, fxt_rule_title(error->rule));
    fxt_out_char(out, '\n');
}

void fxt_convert_disasm_record(struct fxt_out *out, const struct fxt_record *record)
{
    const struct fxt_convert_kind *kind = fxt_convert_kind_of(record);
    union fxt_convert_any any;
    struct fxt_error error;
    struct fxt_args no_args = {NULL, 0, 0, 0};
    if (kind != NULL && kind->decode(record, &any, &error) != FXT_OK) {
        comment(out, " malformed: ", &error);
        kind = NULL;
    } else if (fxt_check_canonical(record, &error) != FXT_OK) {
        comment(out, " not canonical: ", &error);
    } else if (kind != NULL && kind->encode != NULL) {
        by_name(out, kind, &any);
        return;
    }
    raw_record(out, record, kind != NULL ? fxt_convert_args(kind, &any) : no_args);
}

void fxt_convert_disasm_error(struct fxt_out *out, const struct fxt_error *error)
{
    if (error->status == FXT_ZERO_WORD)
        fxt_out_text(out, "u64 0\n");
    else
        comment(out, error->status == FXT_FULL ? " not decoded: " : " reading ends: ", error);
}

void fxt_convert_disasm_more(struct fxt_out *out, const uint8_t *bytes, uint64_t size)
{
    uint64_t whole = size - size % FXT_WORD_BYTES;
    raw_words(out, bytes, whole);
    if (size > whole) {
        struct fxt_bytes odd = {bytes + whole, size - whole};
        fxt_out_text(out, "bytes ");
        payload(out, odd);
        fxt_out_char(out, '\n');
    }
}

void fxt_convert_disasm_rest(struct fxt_out *out, const uint8_t *bytes, uint64_t size)
{
    uint64_t header = size >= FXT_WORD_BYTES ? word_at(bytes) : 0;
    if (header == 0 || header == REVERSED_MAGIC) {
        fxt_convert_disasm_more(out, bytes, size);
    } else {
        header_word(out, header, fxt_asm_word_of_header(header));
        fxt_convert_disasm_more(out, bytes + FXT_WORD_BYTES, size - FXT_WORD_BYTES);
    }
}
