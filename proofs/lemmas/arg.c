/* Arguments, type by type: what was written is decoded as it was. */
#include "proofs/lemmas/step.h"

/* The words of an argument, and bits 32 .. 63 of its header, by their names in the logic. */
/*@ requires \valid_read(in) && writable_arg(in);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_arg_words(in);
  @*/
static inline uint64_t arg_words(const struct fxt_arg *in)
{
    uint64_t words = 1 + string_words(in->name.ref);
    if (in->type == FXT_ARG_STRING)
        return words + string_words(in->text.ref);
    if (in->type == FXT_ARG_BLOB)
        return words + fxt_words_of(in->blob.size);
    if (in->type < FXT_ARG_INT64 || in->type == FXT_ARG_BOOL)
        return words;
    return words + 1;
}

/*@ requires \valid_read(in) && writable_arg(in);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_value_data(in);
  @*/
static inline uint64_t arg_data(const struct fxt_arg *in)
{
    if (in->type == FXT_ARG_INT32 || in->type == FXT_ARG_UINT32 || in->type == FXT_ARG_BOOL)
        return in->value;
    if (in->type == FXT_ARG_STRING)
        return in->text.ref == FXT_STRING_INLINE ? 0 : in->text.ref;
    return in->type == FXT_ARG_BLOB ? in->blob.size : 0;
}

/* The header of what was written. */
/*@ requires \valid_read(in) && writable_arg(in);
  @ requires readable(bytes, 8 * l_arg_words(in)) && encoded_arg{Here, Here}(bytes, in);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures type: l_arg_header_type(l_word(bytes)) == in->type;
  @ ensures size: l_arg_header_size(l_word(bytes)) == l_arg_words(in);
  @ ensures name: l_arg_header_name(l_word(bytes)) == l_string_wire(in->name.ref);
  @ ensures data: l_arg_header_data(l_word(bytes)) == l_value_data(in);
  @ ensures whole: l_word(bytes) / 4294967296 == l_value_data(in);
  @*/
static inline void arg_written(const uint8_t *bytes, const struct fxt_arg *in)
{
    uint64_t data = arg_data(in);
    uint64_t header =
        fxt_pack_arg_header((uint8_t)in->type, (uint16_t)arg_words(in),
                            in->name.ref == FXT_STRING_INLINE ? 0 : in->name.ref, (uint32_t)data);
    value_of_bytes(bytes, header);
    /*@ assert header: l_word(bytes) == header; */
    /*@ assert high: header / 4294967296 == data; */
}

/* Types 3, 4, 5, 7 and 8 have a word of their own. */
/*@ requires \valid_read(in) && \valid_read(out) && writable_arg(in);
  @ requires readable(bytes, 8 * l_arg_words(in)) && encoded_arg{Here, Here}(bytes, in);
  @ requires says_arg{Here, Here}(bytes, l_word(bytes), out);
  @ requires l_arg_own_words(in->type) > 0;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures same_arg(in, out);
  @*/
static inline void number_same(const uint8_t *bytes, const struct fxt_arg *in,
                               const struct fxt_arg *out)
{
    uint64_t value = 8 * (1 + string_words(in->name.ref));
    arg_written(bytes, in);
    /*@ assert place: value == 8 * l_arg_value(l_word(bytes)); */
    value_of_bytes(bytes + value, in->value);
    /*@ assert value: out->value == in->value; */
    /*@ assert name: same_string(in->name.bytes, in->name.ref, out->name.bytes, out->name.ref); */
    /*@ assert tail: out->tail.words == 0; */
}

/* Types 0, 1, 2 and 9 have nothing but the header. */
/*@ requires \valid_read(in) && \valid_read(out) && writable_arg(in);
  @ requires readable(bytes, 8 * l_arg_words(in)) && encoded_arg{Here, Here}(bytes, in);
  @ requires says_arg{Here, Here}(bytes, l_word(bytes), out);
  @ requires in->type <= 2 || in->type == 9;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures same_arg(in, out);
  @*/
static inline void small_same(const uint8_t *bytes, const struct fxt_arg *in,
                              const struct fxt_arg *out)
{
    arg_written(bytes, in);
    /*@ assert value: in->type > 0 ==> out->value == in->value; */
    /*@ assert name: same_string(in->name.bytes, in->name.ref, out->name.bytes, out->name.ref); */
    /*@ assert tail: out->tail.words == 0; */
}

/*@ requires \valid_read(in) && \valid_read(out) && writable_arg(in);
  @ requires readable(bytes, 8 * l_arg_words(in)) && encoded_arg{Here, Here}(bytes, in);
  @ requires says_arg{Here, Here}(bytes, l_word(bytes), out);
  @ requires in->type == 6;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures same_arg(in, out);
  @*/
static inline void text_same(const uint8_t *bytes, const struct fxt_arg *in,
                             const struct fxt_arg *out)
{
    uint64_t value = 8 * (1 + string_words(in->name.ref));
    arg_written(bytes, in);
    /*@ assert place: value == 8 * l_arg_value(l_word(bytes)); */
    /*@ assert wire: l_arg_string_header_value(l_word(bytes)) == l_string_wire(in->text.ref); */
    /*@ assert there: string_at{Here, Here}(bytes + value, in->text.bytes, in->text.ref); */
    /*@ assert from: l_inline_length(in->text.ref) > 0 ==> out->text.bytes == bytes + value; */
    /*@ assert text: same_string(in->text.bytes, in->text.ref, out->text.bytes, out->text.ref); */
    /*@ assert name: same_string(in->name.bytes, in->name.ref, out->name.bytes, out->name.ref); */
    /*@ assert tail: out->tail.words == 0; */
}

/*@ requires \valid_read(in) && \valid_read(out) && writable_arg(in);
  @ requires readable(bytes, 8 * l_arg_words(in)) && encoded_arg{Here, Here}(bytes, in);
  @ requires says_arg{Here, Here}(bytes, l_word(bytes), out);
  @ requires in->type == 10;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures same_arg(in, out);
  @*/
static inline void blob_value_same(const uint8_t *bytes, const struct fxt_arg *in,
                                   const struct fxt_arg *out)
{
    uint64_t value = 8 * (1 + string_words(in->name.ref));
    arg_written(bytes, in);
    /*@ assert place: value == 8 * l_arg_value(l_word(bytes)); */
    /*@ assert wire: l_arg_blob_header_payload_size(l_word(bytes)) == in->blob.size; */
    /*@ assert there: stream_at{Here, Here}(bytes + value, in->blob.bytes, in->blob.size); */
    /*@ assert from: in->blob.size > 0 ==> out->blob.bytes == bytes + value; */
    /*@ assert blob: same_bytes(in->blob.bytes, out->blob.bytes, in->blob.size); */
    /*@ assert name: same_string(in->name.bytes, in->name.ref, out->name.bytes, out->name.ref); */
    /*@ assert tail: out->tail.words == 0; */
}

/* P4 */
/*@ requires \valid_read(in) && \valid_read(out) && writable_arg(in);
  @ requires readable(bytes, 8 * l_arg_words(in)) && encoded_arg{Here, Here}(bytes, in);
  @ requires says_arg{Here, Here}(bytes, l_word(bytes), out);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures same_arg(in, out);
  @*/
static inline void arg_same(const uint8_t *bytes, const struct fxt_arg *in,
                            const struct fxt_arg *out)
{
    if (in->type == FXT_ARG_STRING)
        text_same(bytes, in, out);
    else if (in->type == FXT_ARG_BLOB)
        blob_value_same(bytes, in, out);
    else if (in->type <= FXT_ARG_UINT32 || in->type == FXT_ARG_BOOL)
        small_same(bytes, in, out);
    else
        number_same(bytes, in, out);
}
