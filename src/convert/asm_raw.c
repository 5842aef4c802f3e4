/* The raw level: words by the fields of the layout, plain numbers, streams, bytes. Any file can be
   written with it. */
#include "src/base/word.h"
#include "src/convert/asm.h"
#include "src/convert/asm_layout.h"

static bool put(struct fxt_asm_cursor *cursor, struct fxt_asm_sink *sink, struct fxt_bytes bytes)
{
    if (bytes.size > sink->capacity - sink->size)
        return fxt_asm_fail_full(cursor, "the memory for the trace is full");
    if (bytes.size > 0)
        memcpy(sink->bytes + sink->size, bytes.bytes, (size_t)bytes.size);
    sink->size += bytes.size;
    return true;
}

static bool put_word(struct fxt_asm_cursor *cursor, struct fxt_asm_sink *sink, uint64_t word)
{
    uint8_t bytes[8];
    struct fxt_bytes span = {bytes, sizeof bytes};
    fxt_store_word(bytes, word);
    return put(cursor, sink, span);
}

struct word {
    struct fxt_asm_word layout;
    uint64_t fields;
    uint64_t bits;  /* what `bits=` adds */
    uint32_t given; /* a bit for each field of the layout */
};

static bool value_of(struct fxt_asm_cursor *cursor, uint64_t *number, uint64_t max)
{
    return fxt_asm_need(cursor, '=', "'=' was expected here") &&
           fxt_asm_number(cursor, number, max);
}

/* One `name=number` of a word line. */
static bool set_field(struct fxt_asm_cursor *cursor, struct word *word)
{
    const struct fxt_asm_field *field;
    const char *name;
    size_t length;
    uint64_t number;
    if (!fxt_asm_name(cursor, &name, &length))
        return false;
    if (fxt_convert_text_is(name, length, "bits")) {
        if (!value_of(cursor, &number, UINT64_MAX))
            return false;
        word->bits |= number;
        return true;
    }
    field = fxt_asm_field_find(&word->layout, name, length);
    if (field == NULL)
        return fxt_asm_fail(cursor, name, "the word has no such field");
    uint32_t bit = UINT32_C(1) << (field - word->layout.fields);
    if ((word->given & bit) != 0)
        return fxt_asm_fail(cursor, name, "the field is given twice");
    word->given |= bit;
    if (!value_of(cursor, &number, fxt_asm_field_mask(field) >> field->lo))
        return false;
    word->fields = (word->fields & ~fxt_asm_field_mask(field)) | number << field->lo;
    return true;
}

static bool word_line(struct fxt_asm_cursor *cursor, struct fxt_asm_sink *sink)
{
    struct word word = {{NULL, 0}, 0, 0, 0};
    const char *name;
    size_t length;
    if (!fxt_asm_name(cursor, &name, &length))
        return false;
    if (!fxt_asm_word_find(&word.layout, name, length))
        return fxt_asm_fail(cursor, name, "no word of that name is in the layout");
    for (size_t i = 0; i < word.layout.count; i++) {
        const struct fxt_asm_field *field = &word.layout.fields[i];
        if (field->constant > 0)
            word.fields |= (uint64_t)field->constant << field->lo;
    }
    while (!fxt_asm_at_end(cursor))
        if (!set_field(cursor, &word))
            return false;
    return put_word(cursor, sink, word.fields | word.bits);
}

static bool u64_line(struct fxt_asm_cursor *cursor, struct fxt_asm_sink *sink)
{
    uint64_t number;
    do {
        bool good = fxt_asm_peek(cursor) == '-' ? fxt_asm_signed(cursor, &number, 64)
                                                : fxt_asm_number(cursor, &number, UINT64_MAX);
        if (!good || !put_word(cursor, sink, number))
            return false;
    } while (!fxt_asm_at_end(cursor));
    return true;
}

static bool stream_line(struct fxt_asm_cursor *cursor, struct fxt_asm_sink *sink)
{
    static const uint8_t zeros[8];
    struct fxt_bytes text;
    struct fxt_bytes padding;
    const char *name;
    size_t length;
    if (!fxt_asm_bytes(cursor, &text))
        return false;
    padding.bytes = zeros;
    padding.size = (8 - text.size % 8) % 8;
    if (!fxt_asm_at_end(cursor)) {
        uint64_t missing = padding.size;
        if (!fxt_asm_name(cursor, &name, &length))
            return false;
        if (!fxt_convert_text_is(name, length, "pad"))
            return fxt_asm_fail(cursor, name, "pad=x\"..\" was expected here");
        if (!fxt_asm_need(cursor, '=', "'=' was expected here") || !fxt_asm_bytes(cursor, &padding))
            return false;
        if (padding.size != missing)
            return fxt_asm_fail(cursor, name, "the padding must end at a multiple of 8 bytes");
    }
    return put(cursor, sink, text) && put(cursor, sink, padding);
}

static bool bytes_line(struct fxt_asm_cursor *cursor, struct fxt_asm_sink *sink)
{
    struct fxt_bytes bytes;
    return fxt_asm_bytes(cursor, &bytes) && put(cursor, sink, bytes);
}

bool fxt_asm_raw(struct fxt_asm_cursor *cursor, struct fxt_asm_sink *sink, bool *known,
                 const char *name, size_t length)
{
    bool good = false;
    *known = true;
    if (fxt_convert_text_is(name, length, "word"))
        good = word_line(cursor, sink);
    else if (fxt_convert_text_is(name, length, "u64"))
        good = u64_line(cursor, sink);
    else if (fxt_convert_text_is(name, length, "stream"))
        good = stream_line(cursor, sink);
    else if (fxt_convert_text_is(name, length, "bytes"))
        good = bytes_line(cursor, sink);
    else
        *known = false;
    return good;
}
