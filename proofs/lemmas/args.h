/* Arguments that were written are found again by a decoder, each where it was put. */
#ifndef FXT_LEMMAS_ARGS_H
#define FXT_LEMMAS_ARGS_H

#include "proofs/lemmas/layout.h"
#include "proofs/lemmas/step.h"

// clang-format off
/* For the contracts of lemmas: a record of that kind as the writer puts it, with its arguments. */
#define LEMMA_WRITTEN(kind)                                                                        \
    requires count > 0 ==> \valid_read(args + (0 .. count - 1));                                   \
    requires writable_##kind(in, args, count);                                                     \
    requires encoded_##kind{Here, Here}(record->bytes, in, args, count)

/* A canonical one and what a decoder says of it, with its arguments from that word on. */
#define LEMMA_SAID(kind, word)                                                                     \
    requires framed(record, record->words) && record->words == l_record_words(record->header);     \
    requires canonical_##kind(record) && says_##kind{Here, Here}(record, out);                     \
    requires count == out->args.count;                                                             \
    requires count > 0 ==> \valid_read(d + (0 .. count - 1)) && d != \null;                        \
    requires says_each{Here}(record->bytes, word, d, count)
// clang-format on

/* What the logic says of an argument that can be written, computed. */
/*@ requires \valid_read(a) && writable_arg(a);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_value_data(a);
  @*/
static inline uint32_t value_data(const struct fxt_arg *a)
{
    if (a->type == FXT_ARG_STRING)
        return a->text.ref == FXT_STRING_INLINE ? 0 : a->text.ref;
    if (a->type == FXT_ARG_BLOB)
        return (uint32_t)a->blob.size;
    if (a->type == FXT_ARG_INT32 || a->type == FXT_ARG_UINT32 || a->type == FXT_ARG_BOOL)
        return (uint32_t)a->value;
    return 0;
}

/*@ requires \valid_read(a) && writable_arg(a);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_value_words(a);
  @*/
static inline uint64_t value_words(const struct fxt_arg *a)
{
    if (a->type == FXT_ARG_STRING)
        return string_words(a->text.ref);
    if (a->type == FXT_ARG_BLOB)
        return fxt_words_of(a->blob.size);
    return (3 <= a->type && a->type <= 5) || a->type == 7 || a->type == 8 ? 1 : 0;
}

/*@ requires \valid_read(a) && writable_arg(a);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_arg_words(a) && 1 <= \result <= 4095;
  @*/
static inline uint16_t arg_words(const struct fxt_arg *a)
{
    return (uint16_t)(1 + string_words(a->name.ref) + value_words(a));
}

/* The header of an argument that was written says its parts and its size. */
/*@ requires \valid_read(a) && \valid_read(p + (0 .. 7));
  @ requires writable_arg(a) && encoded_arg{Here, Here}(p, a);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures type: l_arg_header_type(l_word(p)) == a->type;
  @ ensures size: l_arg_header_size(l_word(p)) == l_arg_words(a);
  @ ensures name: l_arg_header_name(l_word(p)) == l_string_wire(a->name.ref);
  @ ensures data: l_arg_header_data(l_word(p)) == l_value_data(a);
  @*/
static inline void arg_written(const uint8_t *p, const struct fxt_arg *a)
{
    uint64_t header =
        fxt_pack_arg_header((uint8_t)a->type, arg_words(a),
                            a->name.ref == FXT_STRING_INLINE ? 0 : a->name.ref, value_data(a));
    value_of_bytes(p, header);
}

/* A decoder finds the end of the argument where the writer put it. */
/*@ requires \valid_read(a) && \valid_read(p + (0 .. 7));
  @ requires writable_arg(a) && encoded_arg{Here, Here}(p, a);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures value: l_arg_value(l_word(p)) == 1 + l_string_words(a->name.ref);
  @ ensures end: l_arg_end(l_word(p)) == l_arg_words(a);
  @ ensures words: 1 <= l_arg_words(a) <= 4095;
  @*/
static inline void arg_end(const uint8_t *p, const struct fxt_arg *a)
{
    arg_words(a);
    arg_written(p, a);
    /*@ assert wire: l_string_words(l_string_wire(a->name.ref)) == l_string_words(a->name.ref); */
    /*@ assert text: l_string_words(l_string_wire(a->text.ref)) == l_string_words(a->text.ref); */
    /*@ assert string: a->type == 6 ==>
      @   l_arg_string_header_value(l_word(p)) == l_string_wire(a->text.ref); */
    /*@ assert blob: a->type == 10 ==> l_arg_blob_header_payload_size(l_word(p)) == a->blob.size; */
    /*@ assert words: l_arg_value_words(l_word(p)) == l_value_words(a); */
}

/* Arguments take the more words the more they are. */
/*@ requires count > 0 ==> \valid_read(args + (0 .. count - 1));
  @ requires writable_args(args, count);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures rise: \forall integer k; 0 <= k <= count ==>
  @     k <= l_args_words(args, k) <= l_args_words(args, count);
  @ ensures all: 0 <= l_args_words(args, count) <= 61425;
  @*/
static inline void args_rise(const struct fxt_arg *args, uint32_t count)
{
    /*@ loop invariant count: 0 <= k <= count;
      @ loop invariant all: 0 <= l_args_words(args, k) <= 4095 * k;
      @ loop invariant rise: \forall integer j; 0 <= j <= k ==>
      @     j <= l_args_words(args, j) <= l_args_words(args, k);
      @ loop assigns k;
      @ loop variant count - k;
      @*/
    for (uint32_t k = 0; k < count; k++) {
        /*@ assert writable: writable_arg(args + k); */
        arg_words(&args[k]);
        /*@ assert next: l_args_words(args, k + 1) ==
          @   l_args_words(args, k) + l_arg_words(args + k); */
    }
}

/* A decoder that goes over `count` written arguments comes to their end. */
/*@ requires count > 0 ==> \valid_read(args + (0 .. count - 1));
  @ requires writable_args(args, count) && \valid_read(b + (0 .. 8 * words - 1));
  @ requires \forall integer k; 0 <= k <= count ==>
  @     k <= l_args_words(args, k) <= l_args_words(args, count);
  @ requires position + l_args_words(args, count) <= words;
  @ requires encoded_args{Here, Here}(b + 8 * position, args, count);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures end: l_args_end(b, words, position, count) == position + l_args_words(args, count);
  @*/
static inline void args_end(const uint8_t *b, uint32_t words, uint32_t position,
                            const struct fxt_arg *args, uint32_t count)
{
    uint32_t at = position;

    /*@ loop invariant count: 0 <= k <= count;
      @ loop invariant at: at == position + l_args_words(args, k);
      @ loop invariant rest: l_args_end(b, words, position, count) ==
      @     l_args_end(b, words, at, count - k);
      @ loop assigns k, at;
      @ loop variant count - k;
      @*/
    for (uint32_t k = 0; k < count; k++) {
        const uint8_t *p = b + UINT64_C(8) * at;
        /*@ assert writable: writable_arg(args + k); */
        /*@ assert next: l_args_words(args, k + 1) ==
          @   l_args_words(args, k) + l_arg_words(args + k); */
        /*@ assert less: at < words; */
        /*@ assert here: encoded_arg{Here, Here}(b + 8 * position + 8 * l_args_words(args, k),
          @   args + k); */
        /*@ assert there: encoded_arg{Here, Here}(p, args + k); */
        arg_end(p, &args[k]);
        arg_written(p, &args[k]);
        uint16_t size = arg_words(&args[k]);
        /*@ assert hop: l_arg_hop(l_word(b + 8 * at), words - at) == size; */
        at += size;
    }
}

/* What a decoder says of an argument that was written is what was written. */
/*@ requires \valid_read(a) && \valid_read(d);
  @ requires readable(p, 8 * l_arg_words(a));
  @ requires writable_arg(a) && encoded_arg{Here, Here}(p, a);
  @ requires says_arg{Here, Here}(p, l_word(p), d);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures same: same_arg(a, d);
  @*/
static inline void arg_read(const uint8_t *p, const struct fxt_arg *a, const struct fxt_arg *d)
{
    arg_end(p, a);
    arg_written(p, a);
    /*@ assert own: l_arg_own_words(a->type) > 0 ==> word_at(p + 8 * l_arg_value(l_word(p)), a->value); */
    if ((3 <= a->type && a->type <= 5) || a->type == 7 || a->type == 8)
        value_of_bytes(p + 8 * (1 + string_words(a->name.ref)), a->value);
    /*@ assert place: l_arg_value(l_word(p)) == 1 + l_string_words(a->name.ref); */
    /*@ assert loaded: l_arg_own_words(a->type) > 0 ==>
      @   l_word(p + 8 * l_arg_value(l_word(p))) == a->value; */
    /*@ assert kind: l_arg_header_type(l_word(p)) == a->type; */
    /*@ assert said: d->value == l_arg_number(p, l_word(p)); */
    /*@ assert number: l_arg_own_words(a->type) > 0 ==> d->value == a->value; */
    /*@ assert data: 1 <= a->type <= 2 ==> d->value == a->value; */
    /*@ assert bool: a->type == 9 ==> d->value == a->value; */
    /*@ assert name: same_string(a->name.bytes, a->name.ref, d->name.bytes, d->name.ref); */
    /*@ assert wire: a->type == 6 ==> d->text.ref == l_string_wire(a->text.ref); */
    /*@ assert text_at: a->type == 6 && a->text.ref > 32768 ==>
      @   d->text.bytes == p + 8 * (1 + l_string_words(a->name.ref)); */
    /*@ assert stream: a->type == 6 && a->text.ref > 32768 ==>
      @   stream_at{Here, Here}(d->text.bytes, a->text.bytes, l_inline_length(a->text.ref)); */
    /*@ assert text: a->type == 6 ==>
      @   same_string(a->text.bytes, a->text.ref, d->text.bytes, d->text.ref); */
    /*@ assert size: a->type == 10 ==> d->blob.size == a->blob.size; */
    /*@ assert blob_at: a->type == 10 && a->blob.size > 0 ==>
      @   d->blob.bytes == p + 8 * (1 + l_string_words(a->name.ref)); */
    /*@ assert bytes: a->type == 10 && a->blob.size > 0 ==>
      @   stream_at{Here, Here}(d->blob.bytes, a->blob.bytes, a->blob.size); */
    /*@ assert blob: a->type == 10 ==>
      @   d->blob.size == a->blob.size && same_bytes(a->blob.bytes, d->blob.bytes, a->blob.size); */
}

/* The header of a canonical argument is the sum of its type, its size, its name and what its type
   has in bits 32..63. */
/*@ requires canonical_arg_word(w);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures plain: l_arg_header_type(w) == 0 || l_arg_own_words(l_arg_header_type(w)) > 0 ==>
  @     l_arg_header_data(w) == 0;
  @ ensures string: l_arg_header_type(w) == 6 ==>
  @     l_arg_header_data(w) == l_arg_string_header_value(w);
  @ ensures bool: l_arg_header_type(w) == 9 ==>
  @     l_arg_header_data(w) == l_arg_bool_header_value(w);
  @ ensures whole: w == l_arg_header_type(w) + l_arg_header_size(w) * 16 +
  @     l_arg_header_name(w) * 65536 + l_arg_header_data(w) * 4294967296;
  @*/
static inline void arg_bits(uint64_t w)
{
    repack_arg_header(w);
    if (fxt_arg_header_type(w) == FXT_ARG_STRING)
        repack_arg_string_header(w);
    if (fxt_arg_header_type(w) == FXT_ARG_BOOL)
        repack_arg_bool_header(w);
}

/* What a decoder gives of a canonical argument can be written, and takes as many words. */
/*@ requires \valid_read(d) && \valid_read(p + (0 .. 7));
  @ requires canonical_arg(p) && says_arg{Here, Here}(p, l_word(p), d);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures words: l_arg_words(d) == l_arg_header_size(l_word(p));
  @ ensures data: l_value_data(d) == l_arg_header_data(l_word(p));
  @ ensures tail: d->tail.words == 0;
  @ ensures value: writable_value(d);
  @ ensures writable: writable_arg(d);
  @ ensures header: l_word(p) == d->type + l_arg_words(d) * 16 +
  @     l_string_wire(d->name.ref) * 65536 + l_value_data(d) * 4294967296;
  @*/
static inline void arg_said(const uint8_t *p, const struct fxt_arg *d)
{
    uint64_t w = fxt_load_word(p);
    arg_bits(w);
    /*@ assert bits: canonical_arg_word(w); */
    /*@ assert name: l_string_wire(d->name.ref) == l_arg_header_name(w); */
    /*@ assert text: d->type == 6 ==> l_string_wire(d->text.ref) == l_arg_string_header_value(w); */
    /*@ assert value_words: l_value_words(d) == l_arg_value_words(w); */
    /*@ assert end: l_arg_words(d) == l_arg_end(w); */
    /*@ assert data: l_value_data(d) == l_arg_header_data(w); */
}

/* What a decoder says of the value, at the word `at` of the argument. */
/*@ requires \valid_read(d) && \valid_read(p + (0 .. 7));
  @ requires canonical_arg(p) && says_arg{Here, Here}(p, l_word(p), d);
  @ requires at == l_arg_value(l_word(p));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures number: l_arg_own_words(d->type) > 0 ==> l_word(p + 8 * at) == d->value;
  @ ensures text: canonical_string(p + 8 * at, d->text.ref) &&
  @     says_string{Here}(d->text.bytes, d->text.ref, p, at, d->text.ref);
  @ ensures blob: padded(p + 8 * at, d->blob.size) &&
  @     says_stream{Here}(d->blob.bytes, d->blob.size, p, at, d->blob.size);
  @*/
static inline void arg_value_said(const uint8_t *p, const struct fxt_arg *d, uint64_t at)
{
    (void)p;
    (void)d;
    (void)at;
}

/* The same of the header and the name. */
/*@ requires \valid_read(d) && \valid_read(p + (0 .. 7));
  @ requires canonical_arg(p) && says_arg{Here, Here}(p, l_word(p), d);
  @ requires readable(p, 8 * l_arg_words(d));
  @ requires readable(place, 8 * l_arg_words(d)) && encoded_arg{Here, Here}(place, d);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures same: same_from(place, p, 0, 8 + 8 * l_string_words(d->name.ref));
  @*/
static inline void arg_same_name(const uint8_t *p, const struct fxt_arg *d, const uint8_t *place)
{
    uint64_t w = fxt_load_word(p);
    arg_said(p, d);
    /*@ assert header: word_at(place, w); */
    same_word(place, p, 0, 0, w);
    same_texts(place, p, 8, 1, &d->name, fxt_arg_header_name(w));
}

/* The same of the value, at the word `at`. */
/*@ requires \valid_read(d) && at <= 4095;
  @ requires at == 1 + l_string_words(d->name.ref) && encoded_arg{Here, Here}(place, d);
  @ requires readable(p + 8 * at, 8 * l_value_words(d));
  @ requires readable(place + 8 * at, 8 * l_value_words(d));
  @ requires number: l_arg_own_words(d->type) > 0 ==> l_word(p + 8 * at) == d->value;
  @ requires text: canonical_string(p + 8 * at, d->text.ref) &&
  @     says_string{Here}(d->text.bytes, d->text.ref, p, at, d->text.ref);
  @ requires blob: padded(p + 8 * at, d->blob.size) && d->blob.size <= 4294967295 &&
  @     says_stream{Here}(d->blob.bytes, d->blob.size, p, at, d->blob.size);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures same: same_from(place, p, 8 * at, 8 * at + 8 * l_value_words(d));
  @*/
static inline void arg_same_value(const uint8_t *p, const struct fxt_arg *d, const uint8_t *place,
                                  uint64_t at)
{
    /*@ assert value: value_at{Here, Here}(place + 8 * at, d); */
    if (d->type == FXT_ARG_STRING)
        same_texts(place, p, 8 * at, at, &d->text, d->text.ref);
    else if (d->type == FXT_ARG_BLOB)
        same_stream(place, p, 8 * at, at, &d->blob, d->blob.size);
    else if ((3 <= d->type && d->type <= 5) || d->type == 7 || d->type == 8)
        same_word(place, p, 8 * at, 8 * at, d->value);
}

/* What was written of it is what the argument was. */
/*@ requires \valid_read(d) && \valid_read(p + (0 .. 7));
  @ requires canonical_arg(p) && says_arg{Here, Here}(p, l_word(p), d);
  @ requires readable(p, 8 * l_arg_words(d));
  @ requires readable(place, 8 * l_arg_words(d)) && encoded_arg{Here, Here}(place, d);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures same: same_from(place, p, 0, 8 * l_arg_words(d));
  @*/
static inline void arg_same(const uint8_t *p, const struct fxt_arg *d, const uint8_t *place)
{
    uint64_t at = 1 + string_words(d->name.ref);
    arg_said(p, d);
    /*@ assert at: at == l_arg_value(l_word(p)); */
    /*@ assert words: l_arg_words(d) == at + l_value_words(d); */
    arg_same_name(p, d, place);
    /*@ assert name: same_from(place, p, 0, 8 * at); */
    arg_value_said(p, d, at);
    arg_same_value(p, d, place, at);
}

/* The k-th argument from word `position` on is the one at word `at`. */
/*@ requires at == l_arg_place(b, position, k) && canonical_nth(b, position, k);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures canonical: canonical_arg(b + 8 * at);
  @*/
static inline void nth_canonical(const uint8_t *b, uint32_t position, uint32_t k, uint32_t at)
{
    (void)b;
    (void)position;
    (void)k;
    (void)at;
}

/*@ requires at == l_arg_place(b, position, k) && says_nth{Here}(b, position, d, k);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures says: says_arg{Here, Here}(b + 8 * at, l_word(b + 8 * at), d + k);
  @*/
static inline void nth_said(const uint8_t *b, uint32_t position, const struct fxt_arg *d,
                            uint32_t k, uint32_t at)
{
    (void)b;
    (void)position;
    (void)d;
    (void)k;
    (void)at;
}

/*@ requires at == position + l_args_words(d, k);
  @ requires nth_arg_at{Here, Here}(place + 8 * position, d, k);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures encoded: encoded_arg{Here, Here}(place + 8 * at, d + k);
  @*/
static inline void nth_encoded(const uint8_t *place, uint32_t position, const struct fxt_arg *d,
                               uint32_t k, uint32_t at)
{
    (void)place;
    (void)position;
    (void)d;
    (void)k;
    (void)at;
}

/* What a decoder says of arguments that were written is what was written. */
/*@ requires count > 0 ==> \valid_read(args + (0 .. count - 1)) &&
  @     \valid_read(d + (0 .. count - 1));
  @ requires writable_args(args, count) && \valid_read(b + (0 .. 8 * words - 1));
  @ requires position + l_args_words(args, count) <= words;
  @ requires encoded_args{Here, Here}(b + 8 * position, args, count);
  @ requires says_each{Here}(b, position, d, count);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures place: l_arg_place(b, position, count) == position + l_args_words(args, count);
  @ ensures same: same_args(args, d, count);
  @*/
static inline void args_read(const uint8_t *b, uint32_t words, uint32_t position,
                             const struct fxt_arg *args, uint32_t count, const struct fxt_arg *d)
{
    uint32_t at = position;
    args_rise(args, count);

    /*@ loop invariant count: 0 <= k <= count;
      @ loop invariant at: at == position + l_args_words(args, k);
      @ loop invariant place: at == l_arg_place(b, position, k);
      @ loop invariant same: same_args(args, d, k);
      @ loop assigns k, at;
      @ loop variant count - k;
      @*/
    for (uint32_t k = 0; k < count; k++) {
        const uint8_t *p = b + UINT64_C(8) * at;
        /*@ assert writable: writable_arg(args + k); */
        /*@ assert next: l_args_words(args, k + 1) ==
          @   l_args_words(args, k) + l_arg_words(args + k); */
        /*@ assert here: nth_arg_at{Here, Here}(b + 8 * position, args, k); */
        /*@ assert there: encoded_arg{Here, Here}(p, args + k); */
        arg_written(p, &args[k]);
        uint16_t size = arg_words(&args[k]);
        /*@ assert inside: at + size <= words; */
        /*@ assert says: says_nth{Here}(b, position, d, k); */
        nth_said(b, position, d, k, at);
        arg_read(p, &args[k], &d[k]);
        /*@ assert hop: l_arg_place(b, position, k + 1) == at + size; */
        at += size;
    }
}

/* What a decoder gives of canonical arguments can be written, and takes as many words. */
/*@ requires count > 0 ==> \valid_read(d + (0 .. count - 1)) && d != \null;
  @ requires count <= 15 && \valid_read(b + (0 .. 8 * words - 1));
  @ requires position <= words && l_args_end(b, words, position, count) != 0;
  @ requires canonical_args(b, position, count) && says_each{Here}(b, position, d, count);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures writable: writable_args(d, count);
  @ ensures place: l_arg_place(b, position, count) == position + l_args_words(d, count);
  @ ensures end: l_args_end(b, words, position, count) == position + l_args_words(d, count);
  @*/
static inline void args_said(const uint8_t *b, uint32_t words, uint32_t position,
                             const struct fxt_arg *d, uint32_t count)
{
    uint32_t at = position;

    /*@ loop invariant count: 0 <= k <= count;
      @ loop invariant at: at == position + l_args_words(d, k);
      @ loop invariant place: at == l_arg_place(b, position, k);
      @ loop invariant inside: at <= words;
      @ loop invariant rest: l_args_end(b, words, position, count) ==
      @     l_args_end(b, words, at, count - k);
      @ loop invariant writable: \forall integer j; 0 <= j < k ==> writable_arg(d + j);
      @ loop assigns k, at;
      @ loop variant count - k;
      @*/
    for (uint32_t k = 0; k < count; k++) {
        /*@ assert there: at < words; */
        const uint8_t *p = b + UINT64_C(8) * at;
        /*@ assert hop: l_arg_hop(l_word(b + 8 * at), words - at) != 0; */
        uint16_t size = fxt_arg_header_size(fxt_load_word(p));
        /*@ assert whole: l_arg_hop(l_word(b + 8 * at), words - at) == size; */
        /*@ assert canonical: canonical_nth(b, position, k); */
        nth_canonical(b, position, k, at);
        /*@ assert says: says_nth{Here}(b, position, d, k); */
        nth_said(b, position, d, k, at);
        arg_said(p, &d[k]);
        /*@ assert step: l_args_end(b, words, at, count - k) ==
          @   l_args_end(b, words, at + size, count - (k + 1)); */
        /*@ assert next: l_args_words(d, k + 1) == l_args_words(d, k) + l_arg_words(d + k); */
        /*@ assert place: l_arg_place(b, position, k + 1) == at + size; */
        at += size;
    }
}

/* What was written of it is what the arguments were. */
/*@ requires count > 0 ==> \valid_read(d + (0 .. count - 1)) && d != \null;
  @ requires count <= 15 && \valid_read(b + (0 .. 8 * words - 1));
  @ requires position <= words && l_args_end(b, words, position, count) != 0;
  @ requires canonical_args(b, position, count) && says_each{Here}(b, position, d, count);
  @ requires \valid_read(place + (0 .. 8 * words - 1));
  @ requires encoded_args{Here, Here}(place + 8 * position, d, count);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures same: same_from(place, b, 8 * position,
  @     8 * l_args_end(b, words, position, count));
  @*/
static inline void args_same(const uint8_t *b, uint32_t words, uint32_t position,
                             const struct fxt_arg *d, uint32_t count, const uint8_t *place)
{
    uint32_t at = position;

    /*@ loop invariant count: 0 <= k <= count;
      @ loop invariant at: at == position + l_args_words(d, k);
      @ loop invariant place: at == l_arg_place(b, position, k);
      @ loop invariant inside: at <= words;
      @ loop invariant rest: l_args_end(b, words, position, count) ==
      @     l_args_end(b, words, at, count - k);
      @ loop invariant same: same_from(place, b, 8 * position, 8 * at);
      @ loop assigns k, at;
      @ loop variant count - k;
      @*/
    for (uint32_t k = 0; k < count; k++) {
        /*@ assert there: at < words; */
        const uint8_t *p = b + UINT64_C(8) * at;
        const uint8_t *q = place + UINT64_C(8) * at;
        /*@ assert hop: l_arg_hop(l_word(b + 8 * at), words - at) != 0; */
        uint16_t size = fxt_arg_header_size(fxt_load_word(p));
        /*@ assert whole: l_arg_hop(l_word(b + 8 * at), words - at) == size; */
        /*@ assert fits: at + size <= words; */
        /*@ assert canonical: canonical_nth(b, position, k); */
        nth_canonical(b, position, k, at);
        /*@ assert says: says_nth{Here}(b, position, d, k); */
        nth_said(b, position, d, k, at);
        /*@ assert nth: nth_arg_at{Here, Here}(place + 8 * position, d, k); */
        nth_encoded(place, position, d, k, at);
        arg_said(p, &d[k]);
        /*@ assert step: l_args_end(b, words, at, count - k) ==
          @   l_args_end(b, words, at + size, count - (k + 1)); */
        arg_same(p, &d[k], q);
        /*@ assert bytes: same_bytes(q, p, 8 * size); */
        same_piece(place, b, q, p, UINT64_C(8) * at, UINT64_C(8) * size);
        /*@ assert next: l_args_words(d, k + 1) == l_args_words(d, k) + l_arg_words(d + k); */
        /*@ assert place: l_arg_place(b, position, k + 1) == at + size; */
        at += size;
    }
}

#endif
