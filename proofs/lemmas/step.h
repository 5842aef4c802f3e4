/* Steps that all round trips take. */
#ifndef FXT_LEMMAS_STEP_H
#define FXT_LEMMAS_STEP_H

#include <fxt/read.h>
#include <fxt/write.h>

#include "spec/acsl/same.h"
#include "src/base/word.h"
#include "src/wire/layout.h"

/* Bytes that are those of a word have its value. */
/*@ requires \valid_read(p + (0 .. 7)) && word_at(p, word);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures l_word(p) == word;
  @*/
static inline void value_of_bytes(const uint8_t *p, uint64_t word)
{
    /*@ assert b0: p[0] == word % 256 && p[1] == word / 256 % 256 && p[2] == word / 256 / 256 % 256; */
    /*@ assert b3: p[3] == word / 256 / 256 / 256 % 256 &&
      @   p[4] == word / 256 / 256 / 256 / 256 % 256; */
    /*@ assert b5: p[5] == word / 256 / 256 / 256 / 256 / 256 % 256 &&
      @   p[6] == word / 256 / 256 / 256 / 256 / 256 / 256 % 256; */
    /*@ assert b7: p[7] == word / 256 / 256 / 256 / 256 / 256 / 256 / 256 % 256; */
    /*@ assert t7: word / 256 / 256 / 256 / 256 / 256 / 256 / 256 == p[7]; */
    /*@ assert t6: word / 256 / 256 / 256 / 256 / 256 / 256 == p[6] + 256 * p[7]; */
    /*@ assert t5: word / 256 / 256 / 256 / 256 / 256 == p[5] + 256 * p[6] + 65536 * p[7]; */
    /*@ assert t4: word / 256 / 256 / 256 / 256 == p[4] + 256 * p[5] + 65536 * p[6] +
      @   16777216 * p[7]; */
    /*@ assert t3: word / 256 / 256 / 256 == p[3] + 256 * p[4] + 65536 * p[5] +
      @   16777216 * p[6] + 4294967296 * p[7]; */
    /*@ assert t2: word / 256 / 256 == p[2] + 256 * p[3] + 65536 * p[4] + 16777216 * p[5] +
      @   4294967296 * p[6] + 1099511627776 * p[7]; */
    /*@ assert t1: word / 256 == p[1] + 256 * p[2] + 65536 * p[3] + 16777216 * p[4] +
      @   4294967296 * p[5] + 1099511627776 * p[6] + 281474976710656 * p[7]; */
    return;
}

/* Bytes are those of the word that they are the value of. */
/*@ requires \valid_read(p + (0 .. 7));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures word_at(p, l_word(p));
  @*/
static inline void bytes_of_value(const uint8_t *p)
{
    /*@ assert t1: l_word(p) / 256 == p[1] + 256 * p[2] + 65536 * p[3] + 16777216 * p[4] +
      @   4294967296 * p[5] + 1099511627776 * p[6] + 281474976710656 * p[7]; */
    /*@ assert t2: l_word(p) / 256 / 256 == p[2] + 256 * p[3] + 65536 * p[4] + 16777216 * p[5] +
      @   4294967296 * p[6] + 1099511627776 * p[7]; */
    /*@ assert t3: l_word(p) / 256 / 256 / 256 == p[3] + 256 * p[4] + 65536 * p[5] +
      @   16777216 * p[6] + 4294967296 * p[7]; */
    /*@ assert t4: l_word(p) / 256 / 256 / 256 / 256 == p[4] + 256 * p[5] + 65536 * p[6] +
      @   16777216 * p[7]; */
    /*@ assert b0: l_byte(l_word(p), 0) == p[0]; */
    /*@ assert b1: l_byte(l_word(p), 1) == p[1]; */
    /*@ assert b2: l_byte(l_word(p), 2) == p[2]; */
    /*@ assert b3: l_byte(l_word(p), 3) == p[3]; */
    /*@ assert b4: l_byte(l_word(p), 4) == p[4]; */
    /*@ assert b5: l_byte(l_word(p), 5) == p[5]; */
    /*@ assert b6: l_byte(l_word(p), 6) == p[6]; */
    /*@ assert b7: l_byte(l_word(p), 7) == p[7]; */
    return;
}

/* The bytes and the words of the text of a string ref, by their names in the logic. */
/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_inline_length(ref);
  @*/
static inline uint64_t inline_length(uint16_t ref)
{
    return ref > FXT_STRING_INLINE ? ref - FXT_STRING_INLINE : 0;
}

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_string_words(ref);
  @*/
static inline uint64_t string_words(uint16_t ref)
{
    return fxt_words_of(inline_length(ref));
}

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_thread_words(ref);
  @*/
static inline uint64_t thread_words(uint16_t ref)
{
    return ref == 0 ? 2 : 0;
}

/* Bytes that are the same seen from x and y on, which are at the byte `from` of a and b. */
/*@ requires at_byte(x, a, from) && at_byte(y, b, from) && same_bytes(x, y, size);
  @ requires from <= 34359738360 && size <= 34359738360;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures same_from(a, b, from, from + size);
  @*/
static inline void same_piece(const uint8_t *a, const uint8_t *b, const uint8_t *x,
                              const uint8_t *y, uint64_t from, uint64_t size)
{
    /*@ loop invariant i <= size && same_from(a, b, from, from + i);
      @ loop assigns i;
      @ loop variant size - i;
      @*/
    for (uint64_t i = 0; i < size; i++) {
        /*@ assert same: x[i] == y[i]; */
        /*@ assert there: a[from + i] == b[from + i]; */
    }
}

/* A stream that was written at p, and is read there. */
/*@ requires \valid_read(in) && \valid_read(out) && out->size == in->size;
  @ requires stream_at{Here, Here}(p, in->bytes, in->size);
  @ requires in->size > 0 ==> out->bytes == p;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures same_bytes(in->bytes, out->bytes, in->size);
  @*/
static inline void read_stream(const uint8_t *p, const struct fxt_bytes *in,
                               const struct fxt_bytes *out)
{
    return;
}

/* A stream that was decoded from b at the word `position` and written at the byte `from` of a. */
/*@ requires from == 8 * position && position <= 4294967295;
  @ requires \valid_read(it) && it->size == wire && wire <= 34359738360;
  @ requires readable(a + from, 8 * l_words_of(wire));
  @ requires readable(b + 8 * position, 8 * l_words_of(wire));
  @ requires stream_at{Here, Here}(a + from, it->bytes, it->size);
  @ requires says_stream{Here}(it->bytes, it->size, b, position, wire);
  @ requires padded(b + 8 * position, wire);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures same_from(a, b, from, from + 8 * l_words_of(it->size));
  @*/
static inline void same_stream(const uint8_t *a, const uint8_t *b, uint64_t from, uint64_t position,
                               const struct fxt_bytes *it, uint64_t wire)
{
    /*@ assert same: same_bytes(a + from, b + from, wire); */
    /*@ assert zeros: same_bytes(a + from, b + from, 8 * l_words_of(wire)); */
    same_piece(a, b, a + from, b + from, from, 8 * fxt_words_of(wire));
}

/* The text of a string ref in the same way. */
/*@ requires from == 8 * position && position <= 4294967295;
  @ requires \valid_read(it) && it->ref == wire;
  @ requires readable(a + from, 8 * l_string_words(wire));
  @ requires readable(b + 8 * position, 8 * l_string_words(wire));
  @ requires string_at{Here, Here}(a + from, it->bytes, it->ref);
  @ requires says_string{Here}(it->bytes, it->ref, b, position, wire);
  @ requires canonical_string(b + 8 * position, wire);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures same_from(a, b, from, from + 8 * l_string_words(it->ref));
  @*/
static inline void same_texts(const uint8_t *a, const uint8_t *b, uint64_t from, uint64_t position,
                             const struct fxt_string_ref *it, uint16_t wire)
{
    uint64_t size = inline_length(wire);
    /*@ assert same: same_bytes(a + from, b + from, size); */
    /*@ assert zeros: same_bytes(a + from, b + from, 8 * l_words_of(size)); */
    same_piece(a, b, a + from, b + from, from, 8 * fxt_words_of(size));
}

/* A word that was decoded from the byte `at` of b and written at the byte `from` of a. */
/*@ requires from == at && at <= 34359738360;
  @ requires readable(a + from, 8) && readable(b + at, 8);
  @ requires word_at{Here}(a + from, word);
  @ requires l_word(b + at) == word;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures same_from(a, b, from, from + 8);
  @*/
static inline void same_word(const uint8_t *a, const uint8_t *b, uint64_t from, uint64_t at,
                             uint64_t word)
{
    bytes_of_value(b + at);
    same_piece(a, b, a + from, b + from, from, 8);
}

/* The koids of a thread ref at that word, as the decoder reads them. */
/*@ requires position <= 4294967295;
  @ requires readable(bytes + 8 * position, 8 * l_thread_words(ref));
  @ requires thread_at{Here}(bytes + 8 * position, ref, process, thread);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures ref == 0 ==> l_koid(bytes, position, ref) == process &&
  @     l_koid(bytes, position + 1, ref) == thread;
  @*/
static inline void koids_of_bytes(const uint8_t *bytes, uint64_t position, uint16_t ref,
                                  uint64_t process, uint64_t thread)
{
    if (ref != 0)
        return;
    value_of_bytes(bytes + 8 * position, process);
    value_of_bytes(bytes + (8 * position + 8), thread);
}

/* The koids of a thread ref that were decoded from the word `position` of b, and written at the
   byte `from` of a. */
/*@ requires from == 8 * position && position <= 4294967293;
  @ requires \valid_read(it) && it->ref == wire;
  @ requires readable(a + from, 8 * l_thread_words(wire));
  @ requires readable(b + 8 * position, 8 * l_thread_words(wire));
  @ requires thread_at{Here}(a + from, it->ref, it->process, it->thread);
  @ requires says_thread{Here}(it->process, it->thread, it->ref, b, position, wire);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures same_from(a, b, from, from + 8 * l_thread_words(it->ref));
  @*/
static inline void same_koids(const uint8_t *a, const uint8_t *b, uint64_t from, uint64_t position,
                              const struct fxt_thread_ref *it, uint16_t wire)
{
    if (wire != 0)
        return;
    same_word(a, b, from, 8 * position, it->process);
    same_word(a, b, from + 8, 8 * position + 8, it->thread);
}

/* A record as the reader frames it: see frame_record. */
/*@ requires \valid(record) && \valid_read(bytes + (0 .. size - 1));
  @ requires \separated(record, bytes + (0 .. size - 1));
  @ requires size >= 8 && size % 8 == 0 && size <= 34359738360;
  @ terminates \true;
  @ assigns *record;
  @ ensures framed(record, size / 8) && record->bytes == bytes && record->offset == 0;
  @*/
static inline void frame_bytes(const uint8_t *bytes, uint64_t size, struct fxt_record *record)
{
    record->bytes = bytes;
    record->offset = 0;
    record->header = fxt_load_word(bytes);
    record->words = (uint32_t)(size / 8);
    record->type = fxt_record_header_type(record->header);
}

#endif
