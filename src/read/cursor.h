/* A position inside one record, in words. Every read of a record's body goes through here, so the
   bound is checked in one place: a decoder asks take_* for what it needs and stops at the first
   false. Invariant: position <= words. */
#ifndef FXT_READ_CURSOR_H
#define FXT_READ_CURSOR_H

#include <fxt/read.h>

#include "src/base/word.h"

/* Refusals are rare, and so are some kinds of records: kept out of line, they cost the common path
   no registers. */
#if defined(__GNUC__)
#define FXT_I_COLD __attribute__((cold, noinline))
#define FXT_I_OUT_OF_LINE __attribute__((noinline))
#define FXT_I_INLINE static inline __attribute__((always_inline))
#else
#define FXT_I_COLD
#define FXT_I_OUT_OF_LINE
#define FXT_I_INLINE static inline
#endif

struct fxt_i_cursor {
    const uint8_t *bytes; /* of the record */
    uint32_t words;
    uint32_t position;
};

/*@ predicate cursor_ok(struct fxt_i_cursor *c) =
  @   c->position <= c->words &&
  @   (c->words == 0 || \valid_read(c->bytes + (0 .. 8 * c->words - 1)));
  @*/

/* The record is malformed at word `position`. */
/*@ requires \valid(error) && \valid_read(record);
  @ terminates \true;
  @ assigns *error;
  @ ensures \result == FXT_MALFORMED && error->status == FXT_MALFORMED && error->rule == rule;
  @*/
FXT_I_COLD enum fxt_status fxt_i_malformed(struct fxt_error *error, const struct fxt_record *record,
                                           uint32_t position, enum fxt_rule rule);

/*@ requires \valid(error) && \valid_read(record);
  @ terminates \true;
  @ assigns *error;
  @ ensures \result == FXT_WRONG_TYPE;
  @*/
FXT_I_COLD enum fxt_status fxt_i_wrong_type(struct fxt_error *error,
                                            const struct fxt_record *record);

/* Behind the header word. */
/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result.position == 1 && \result.words == record->words
  @      && \result.bytes == record->bytes;
  @*/
static inline struct fxt_i_cursor fxt_i_body(const struct fxt_record *record)
{
    struct fxt_i_cursor cursor = {record->bytes, record->words, 1};
    return cursor;
}

/*@ requires \valid(cursor) && cursor_ok(cursor) && \valid(word) && \separated(cursor, word);
  @ terminates \true;
  @ assigns cursor->position, *word;
  @ ensures cursor_ok(cursor);
  @ ensures \result ==> cursor->position == \old(cursor->position) + 1;
  @ ensures cursor->position >= \old(cursor->position);
  @ ensures !\result ==> cursor->position == \old(cursor->position) && *word == \old(*word);
  @*/
static inline bool fxt_i_take_word(struct fxt_i_cursor *cursor, uint64_t *word)
{
    if (cursor->position >= cursor->words)
        return false;
    *word = fxt_load_word(cursor->bytes + UINT64_C(8) * cursor->position);
    cursor->position++;
    return true;
}

/* A stream of `size` bytes and its padding. */
/*@ requires \valid(cursor) && cursor_ok(cursor) && \valid(stream) && \separated(cursor, stream);
  @ terminates \true;
  @ assigns cursor->position, *stream;
  @ ensures cursor_ok(cursor);
  @ ensures \result ==> stream->size == size
  @      && (size > 0 ==> \valid_read(stream->bytes + (0 .. size - 1)));
  @ ensures cursor->position >= \old(cursor->position);
  @ ensures !\result ==> cursor->position == \old(cursor->position) && *stream == \old(*stream);
  @*/
static inline bool fxt_i_take_stream(struct fxt_i_cursor *cursor, struct fxt_bytes *stream,
                                     uint64_t size)
{
    uint64_t left = cursor->words - cursor->position;
    if (size > 8 * left)
        return false;
    stream->bytes = size > 0 ? cursor->bytes + UINT64_C(8) * cursor->position : NULL;
    stream->size = size;
    cursor->position += (uint32_t)fxt_words_of(size);
    return true;
}

/* The stream of a string ref, if it is inline (STR-03). */
/*@ requires \valid(cursor) && cursor_ok(cursor) && \valid(string) && \separated(cursor, string);
  @ terminates \true;
  @ assigns cursor->position, *string;
  @ ensures cursor_ok(cursor);
  @ ensures \result ==> string->ref == ref;
  @ ensures \result && ref > 32768 ==> \valid_read(string->bytes + (0 .. ref - 32769));
  @ ensures cursor->position >= \old(cursor->position);
  @ ensures !\result ==> cursor->position == \old(cursor->position) && *string == \old(*string);
  @*/
static inline bool fxt_i_take_string(struct fxt_i_cursor *cursor, struct fxt_string_ref *string,
                                     uint16_t ref)
{
    if (ref <= FXT_STRING_INLINE) {
        string->bytes = NULL;
        string->ref = ref;
        return true;
    }
    uint32_t need = ((uint32_t)ref - FXT_STRING_INLINE + 7) / 8;
    if (cursor->words - cursor->position < need)
        return false;
    string->bytes = cursor->bytes + UINT64_C(8) * cursor->position;
    string->ref = ref;
    cursor->position += need;
    return true;
}

/* The two koids of a thread ref, if it is inline (THR-01, THR-03). */
/*@ requires \valid(cursor) && cursor_ok(cursor) && \valid(thread) && \separated(cursor, thread);
  @ terminates \true;
  @ assigns cursor->position, *thread;
  @ ensures cursor_ok(cursor);
  @ ensures \result ==> thread->ref == ref;
  @ ensures cursor->position >= \old(cursor->position);
  @ ensures !\result ==> cursor->position == \old(cursor->position) && *thread == \old(*thread);
  @*/
static inline bool fxt_i_take_thread(struct fxt_i_cursor *cursor, struct fxt_thread_ref *thread,
                                     uint8_t ref)
{
    if (ref != 0) {
        thread->process = 0;
        thread->thread = 0;
        thread->ref = ref;
        return true;
    }
    if (cursor->words - cursor->position < 2)
        return false;
    thread->process = fxt_load_word(cursor->bytes + UINT64_C(8) * cursor->position);
    thread->thread = fxt_load_word(cursor->bytes + UINT64_C(8) * cursor->position + 8);
    thread->ref = 0;
    cursor->position += 2;
    return true;
}

/* All that is left (REC-08). */
/*@ requires \valid_read(cursor) && cursor_ok(cursor);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result.words == cursor->words - cursor->position;
  @ ensures \result.words > 0 ==> \valid_read(\result.bytes + (0 .. 8 * \result.words - 1));
  @*/
static inline struct fxt_tail fxt_i_tail(const struct fxt_i_cursor *cursor)
{
    struct fxt_tail tail = {NULL, cursor->words - cursor->position};
    if (tail.words > 0)
        tail.bytes = cursor->bytes + UINT64_C(8) * cursor->position;
    return tail;
}

#endif
