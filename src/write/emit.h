/* What every encoder does: measure, reserve, then store words one behind the other.

   A measure is a number of words in 64 bits, so that sums of a few of them cannot overflow; the
   value FXT_I_BAD marks a field that cannot be written and is larger than any record. */
#ifndef FXT_WRITE_EMIT_H
#define FXT_WRITE_EMIT_H

#include <fxt/write.h>

#include "src/base/word.h"

#define FXT_I_BAD UINT64_C(4294967296) /* more words than any record has */

/* The words of a string ref's stream: 0 unless it is inline. */
/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result <= 4096 || \result == 4294967296;
  @*/
static inline uint64_t fxt_i_string_words(struct fxt_string_ref string)
{
    if (string.ref <= FXT_STRING_INLINE)
        return 0;
    if (string.bytes == NULL)
        return FXT_I_BAD;
    return ((uint64_t)string.ref - FXT_STRING_INLINE + 7) / 8;
}

/* The ref as it is written: an inline string of length 0 is the empty string (STR-06). */
/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result != 32768;
  @*/
static inline uint16_t fxt_i_string_wire(struct fxt_string_ref string)
{
    return string.ref == FXT_STRING_INLINE ? 0 : string.ref;
}

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result == 0 || \result == 2;
  @*/
static inline uint64_t fxt_i_thread_words(struct fxt_thread_ref thread)
{
    return thread.ref == 0 ? 2 : 0;
}

/* The words of a stream of at most `max` bytes. */
/*@ requires max <= 34359738360;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result <= 4294967296;
  @*/
static inline uint64_t fxt_i_stream_words(struct fxt_bytes stream, uint64_t max)
{
    if (stream.size > max || (stream.size > 0 && stream.bytes == NULL))
        return FXT_I_BAD;
    return fxt_words_of(stream.size);
}

/* Whether a record of that many words, at most `max`, can be appended. On FXT_OK *place is where
   it goes; the writer's size is moved by fxt_i_commit once all words are stored. */
/*@ requires \valid(writer) && fxt_writer_ok(writer) && \valid(place);
  @ requires words >= 1 && max <= 4294967295 && \separated(writer, place);
  @ terminates \true;
  @ assigns *place;
  @ ensures \result \in {FXT_OK, FXT_FULL, FXT_INVALID};
  @ ensures \result == FXT_OK ==> words <= max
  @      && 8 * words <= writer->capacity - writer->size
  @      && *place == writer->bytes + writer->size;
  @*/
static inline enum fxt_status fxt_i_reserve(struct fxt_writer *writer, uint8_t **place,
                                            uint64_t words, uint64_t max)
{
    if (words > max)
        return FXT_INVALID;
    if (words > (writer->capacity - writer->size) / 8)
        return FXT_FULL;
    *place = writer->bytes + writer->size;
    return FXT_OK;
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

/* The put functions store at p and return where the next word goes. */
/*@ requires \valid(p + (0 .. 7));
  @ terminates \true;
  @ assigns p[0 .. 7];
  @ ensures \result == p + 8 && l_word(p) == word;
  @*/
static inline uint8_t *fxt_i_put_word(uint8_t *p, uint64_t word)
{
    fxt_store_word(p, word);
    return p + 8;
}

/* Bytes and their zero padding (REC-05). */
/*@ requires size > 0 ==> \valid(p + (0 .. 8 * ((size + 7) / 8) - 1));
  @ requires size > 0 ==> \valid_read(bytes + (0 .. size - 1));
  @ requires size > 0 ==> \separated(p + (0 .. 8 * ((size + 7) / 8) - 1), bytes + (0 .. size - 1));
  @ requires size <= 34359738360;
  @ terminates \true;
  @ assigns p[0 .. 8 * ((size + 7) / 8) - 1];
  @ ensures \result == p + 8 * ((size + 7) / 8);
  @ ensures \forall integer i; 0 <= i < size ==> p[i] == bytes[i];
  @ ensures \forall integer i; size <= i < 8 * ((size + 7) / 8) ==> p[i] == 0;
  @*/
static inline uint8_t *fxt_i_put_stream(uint8_t *restrict p, const uint8_t *restrict bytes,
                                        uint64_t size)
{
    uint64_t padded = 8 * fxt_words_of(size);
    if (size == 0)
        return p;
    fxt_store_word(p + (padded - 8), 0);
    /*@ loop invariant 0 <= i <= size;
      @ loop invariant \forall integer k; 0 <= k < i ==> p[k] == bytes[k];
      @ loop invariant \forall integer k; size <= k < padded ==> p[k] == 0;
      @ loop assigns i, p[0 .. size - 1];
      @ loop variant size - i;
      @*/
    for (uint64_t i = 0; i < size; i++)
        p[i] = bytes[i];
    return p + padded;
}

/*@ requires fxt_string_ref_inline: string.ref > 32768 ==>
  @            \valid(p + (0 .. 8 * ((string.ref - 32768 + 7) / 8) - 1)) &&
  @            \valid_read(string.bytes + (0 .. string.ref - 32769));
  @ terminates \true;
  @ assigns p[0 .. 8 * ((string.ref - 32768 + 7) / 8) - 1];
  @*/
static inline uint8_t *fxt_i_put_string(uint8_t *p, struct fxt_string_ref string)
{
    if (string.ref <= FXT_STRING_INLINE)
        return p;
    return fxt_i_put_stream(p, string.bytes, fxt_string_ref_length(string));
}

/*@ requires thread.ref == 0 ==> \valid(p + (0 .. 15));
  @ terminates \true;
  @ assigns p[0 .. 15];
  @*/
static inline uint8_t *fxt_i_put_thread(uint8_t *p, struct fxt_thread_ref thread)
{
    if (thread.ref != 0)
        return p;
    p = fxt_i_put_word(p, thread.process);
    return fxt_i_put_word(p, thread.thread);
}

/* The words of all arguments together, or FXT_I_BAD or more when one cannot be written. */
/*@ requires arg_count > 0 ==> args == \null || \valid_read(args + (0 .. arg_count - 1));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result <= 15 * 4294971392;
  @*/
uint64_t fxt_i_args_words(const struct fxt_arg *args, size_t arg_count);

/* Stores arguments that fxt_i_args_words has measured. */
/*@ requires arg_count <= 15;
  @ requires arg_count > 0 ==> \valid_read(args + (0 .. arg_count - 1));
  @ terminates \true;
  @*/
uint8_t *fxt_i_put_args(uint8_t *p, const struct fxt_arg *args, size_t arg_count);

#endif
