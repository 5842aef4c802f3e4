/* The steps of every encoder: measure, reserve, then store the words in order.

   A measure is a number of words in 64 bits, so that the sum of a few measures cannot overflow.
   FXT_I_BAD, which is larger than any record, marks a field that cannot be written. */
#ifndef FXT_WRITE_EMIT_H
#define FXT_WRITE_EMIT_H

#include <fxt/write.h>

#include "src/base/word.h"

#define FXT_I_BAD UINT64_C(4294967296) /* more words than any record has */

/* The words of a string ref's stream; 0 unless it is inline. */
/*@ terminates \true;
  @ assigns \nothing;
  @ ensures exact: string_writable(string.bytes, string.ref) ==>
  @     \result == l_string_words(string.ref);
  @ ensures refused: !string_writable(string.bytes, string.ref) ==> \result == 4294967296;
  @ ensures bound: \result <= 4096 || \result == 4294967296;
  @*/
static inline uint64_t fxt_i_write_string_words(struct fxt_string_ref string)
{
    if (string.ref <= FXT_STRING_INLINE)
        return 0;
    if (string.bytes == NULL)
        return FXT_I_BAD;
    return ((uint64_t)string.ref - FXT_STRING_INLINE + 7) / 8;
}

/* The ref to write: an inline string of length 0 becomes the empty string (STR-06). */
/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_string_wire(string.ref);
  @*/
static inline uint16_t fxt_i_string_wire(struct fxt_string_ref string)
{
    return string.ref == FXT_STRING_INLINE ? 0 : string.ref;
}

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures exact: thread_writable(thread.ref) ==> \result == l_thread_words(thread.ref);
  @ ensures refused: !thread_writable(thread.ref) ==> \result == 4294967296;
  @*/
static inline uint64_t fxt_i_write_thread_words(struct fxt_thread_ref thread)
{
    if (thread.ref > FXT_THREAD_INDEX_MAX)
        return FXT_I_BAD;
    return thread.ref == 0 ? 2 : 0;
}

/* The words of a stream of at most `max` bytes. */
/*@ requires max <= 34359738360;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures exact: stream_writable(stream.bytes, stream.size, max) ==>
  @     \result == l_words_of(stream.size);
  @ ensures refused: !stream_writable(stream.bytes, stream.size, max) ==> \result == 4294967296;
  @ ensures bound: \result <= l_words_of(max) || \result == 4294967296;
  @*/
static inline uint64_t fxt_i_stream_words(struct fxt_bytes stream, uint64_t max)
{
    if (stream.size > max || (stream.size > 0 && stream.bytes == NULL))
        return FXT_I_BAD;
    return fxt_words_of(stream.size);
}

/* Whether a record of `words` words, at most `max`, can be appended. On FXT_OK, store it at
   fxt_i_place, then call fxt_i_commit, which increases the writer's size. */
/*@ requires \valid_read(writer) && fxt_writer_ok(writer);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures result: \result \in {FXT_OK, FXT_FULL, FXT_INVALID};
  @ ensures invalid: \result == FXT_INVALID <==> words > max;
  @ ensures full: \result == FXT_FULL <==>
  @     words <= max && 8 * words > writer->capacity - writer->size;
  @*/
static inline enum fxt_status fxt_i_reserve(const struct fxt_writer *writer, uint64_t words,
                                            uint64_t max)
{
    if (words > max)
        return FXT_INVALID;
    if (words > (writer->capacity - writer->size) / 8)
        return FXT_FULL;
    return FXT_OK;
}

/* Where the next record goes. */
/*@ requires \valid_read(writer) && fxt_writer_ok(writer);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == writer->bytes + writer->size;
  @*/
static inline uint8_t *fxt_i_place(const struct fxt_writer *writer)
{
    return writer->bytes + writer->size;
}

/*@ requires \valid(writer) && fxt_writer_ok(writer);
  @ requires 8 * words <= writer->capacity - writer->size;
  @ terminates \true;
  @ assigns writer->size;
  @ ensures writer->size == \old(writer->size) + 8 * words && fxt_writer_ok(writer);
  @ ensures \result == FXT_OK;
  @*/
static inline enum fxt_status fxt_i_commit(struct fxt_writer *writer, uint64_t words)
{
    writer->size += 8 * words;
    return FXT_OK;
}

/* The put functions store at p and return the place of the next word. */
/*@ requires writable(p, 8);
  @ terminates \true;
  @ assigns p[0 .. 7];
  @ ensures next: \result == p + 8;
  @ ensures stored: word_at(p, word);
  @ ensures kept: \forall uint8_t *q, integer w;
  @     \separated(q + (0 .. 7), p + (0 .. 7)) && \old(word_at(q, w)) ==> word_at(q, w);
  @*/
static inline uint8_t *fxt_i_put_word(uint8_t *p, uint64_t word)
{
    fxt_store_word(p, word);
    /*@ assert b0: word / 256 == p[1] + 256 * p[2] + 65536 * p[3] + 16777216 * p[4] +
      @   4294967296 * p[5] + 1099511627776 * p[6] + 281474976710656 * p[7]; */
    /*@ assert b1: word / 256 / 256 == p[2] + 256 * p[3] + 65536 * p[4] + 16777216 * p[5] +
      @   4294967296 * p[6] + 1099511627776 * p[7]; */
    /*@ assert b2: word / 256 / 256 / 256 == p[3] + 256 * p[4] + 65536 * p[5] +
      @   16777216 * p[6] + 4294967296 * p[7]; */
    /*@ assert b3: word / 256 / 256 / 256 / 256 == p[4] + 256 * p[5] + 65536 * p[6] +
      @   16777216 * p[7]; */
    return p + 8;
}

/* Bytes and their zero padding (REC-05). */
/*@ requires room: writable(p, 8 * l_words_of(size));
  @ requires given: stream_apart(p, bytes, size);
  @ requires size <= 9223372036854775800;
  @ terminates \true;
  @ assigns p[0 .. 8 * l_words_of(size) - 1];
  @ ensures next: \result == p + 8 * l_words_of(size);
  @ ensures stored: stream_at{Pre, Here}(p, bytes, size);
  @ ensures kept: \forall uint8_t *q, integer w;
  @     \separated(q + (0 .. 7), p + (0 .. 8 * l_words_of(size) - 1)) && \old(word_at(q, w)) ==> word_at(q, w);
  @*/
static inline uint8_t *fxt_i_put_stream(uint8_t *restrict p, const uint8_t *restrict bytes,
                                        uint64_t size)
{
    uint64_t padded = 8 * fxt_words_of(size);
    if (size == 0)
        return p;
    fxt_store_word(p + (padded - 8), 0);
    /*@ assert zero: \forall integer k; padded - 8 <= k < padded ==> p[k] == 0; */
    /*@ loop invariant count: 0 <= i <= size;
      @ loop invariant copied: \forall integer k; 0 <= k < i ==> p[k] == \at(bytes[k], Pre);
      @ loop invariant padded: \forall integer k; size <= k < padded ==> p[k] == 0;
      @ loop assigns i, p[0 .. size - 1];
      @ loop variant size - i;
      @*/
    for (uint64_t i = 0; i < size; i++)
        p[i] = bytes[i];
    return p + padded;
}

/*@ requires room: writable(p, 8 * l_string_words(string.ref));
  @ requires given: stream_apart(p, string.bytes, l_inline_length(string.ref));
  @ terminates \true;
  @ assigns p[0 .. 8 * l_string_words(string.ref) - 1];
  @ ensures next: \result == p + 8 * l_string_words(string.ref);
  @ ensures stored: string_at{Pre, Here}(p, string.bytes, string.ref);
  @ ensures kept: \forall uint8_t *q, integer w;
  @     \separated(q + (0 .. 7), p + (0 .. 8 * l_string_words(string.ref) - 1)) && \old(word_at(q, w)) ==> word_at(q, w);
  @*/
static inline uint8_t *fxt_i_put_string(uint8_t *p, struct fxt_string_ref string)
{
    if (string.ref <= FXT_STRING_INLINE)
        return p;
    return fxt_i_put_stream(p, string.bytes, fxt_string_ref_length(string));
}

/*@ requires room: writable(p, 8 * l_thread_words(thread.ref));
  @ terminates \true;
  @ assigns p[0 .. 8 * l_thread_words(thread.ref) - 1];
  @ ensures next: \result == p + 8 * l_thread_words(thread.ref);
  @ ensures stored: thread_at(p, thread.ref, thread.process, thread.thread);
  @ ensures kept: \forall uint8_t *q, integer w;
  @     \separated(q + (0 .. 7), p + (0 .. 8 * l_thread_words(thread.ref) - 1)) && \old(word_at(q, w)) ==> word_at(q, w);
  @*/
static inline uint8_t *fxt_i_put_thread(uint8_t *p, struct fxt_thread_ref thread)
{
    if (thread.ref != 0)
        return p;
    p = fxt_i_put_word(p, thread.process);
    return fxt_i_put_word(p, thread.thread);
}

/* The sum of the words of all arguments. FXT_I_BAD or more if one cannot be written. */
/*@ requires given: args != \null && arg_count > 0 ==> \valid_read(args + (0 .. arg_count - 1));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures exact: writable_args(args, arg_count) ==> \result == l_args_words(args, arg_count);
  @ ensures refused: !writable_args(args, arg_count) ==> \result >= 4294967296;
  @ ensures bound: \result <= 64424509440;
  @ ensures rising: writable_args(args, arg_count) ==> \forall integer k; 0 <= k <= arg_count ==>
  @     k <= l_args_words(args, k) <= l_args_words(args, arg_count);
  @*/
uint64_t fxt_i_args_words(const struct fxt_arg *args, size_t arg_count);

/* Stores arguments that fxt_i_args_words has measured. */
/*@ requires writable: writable_args(args, arg_count);
  @ requires given: arg_count > 0 ==> \valid_read(args + (0 .. arg_count - 1));
  @ requires rising: \forall integer k; 0 <= k <= arg_count ==>
  @     0 <= l_args_words(args, k) <= l_args_words(args, arg_count);
  @ requires room: writable(p, 8 * l_args_words(args, arg_count));
  @ requires apart: \forall integer k; 0 <= k < arg_count ==>
  @     arg_apart(p, 8 * l_args_words(args, arg_count), args + k);
  @ terminates \true;
  @ assigns p[0 .. 8 * l_args_words(args, arg_count) - 1];
  @ ensures next: \result == p + 8 * \old(l_args_words(args, arg_count));
  @ ensures stored: encoded_args{Pre, Here}(p, args, arg_count);
  @ ensures kept: \forall uint8_t *q, integer w;
  @     \separated(q + (0 .. 7), p + (0 .. 8 * \old(l_args_words(args, arg_count)) - 1)) &&
  @     \old(word_at(q, w)) ==> word_at(q, w);
  @*/
uint8_t *fxt_i_put_args(uint8_t *p, const struct fxt_arg *args, size_t arg_count);

#endif
