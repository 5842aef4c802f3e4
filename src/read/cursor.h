/* The positions of the fields of a record, in words from its header on. Positions have 64 bits, so
   the position after a field cannot overflow. A decoder adds up the sizes of the earlier fields,
   compares the sum with the size of the record, and only then reads. */
#ifndef FXT_READ_CURSOR_H
#define FXT_READ_CURSOR_H

#include <fxt/read.h>

#include "src/base/word.h"

/* For functions that rarely run: refusals, and rare kinds of records. Out of line, they take no
   registers from the common path. */
#if defined(__GNUC__)
#define FXT_I_COLD __attribute__((cold, noinline))
#define FXT_I_OUT_OF_LINE __attribute__((noinline))
#define FXT_I_INLINE static inline __attribute__((always_inline))
#else
#define FXT_I_COLD
#define FXT_I_OUT_OF_LINE
#define FXT_I_INLINE static inline
#endif

/* Refuses the record as malformed at word `position`. */
/*@ requires \valid(error) && \valid_read(record) && fxt_record_ok(record);
  @ requires position <= record->words;
  @ terminates \true;
  @ assigns *error;
  @ ensures \result == FXT_MALFORMED && error->status == FXT_MALFORMED && error->rule == rule;
  @ ensures error->offset == \old(record->offset) + 8 * position;
  @*/
FXT_I_COLD enum fxt_status fxt_i_malformed(struct fxt_error *error, const struct fxt_record *record,
                                           uint64_t position, enum fxt_rule rule);

/*@ requires \valid(error) && \valid_read(record);
  @ terminates \true;
  @ assigns *error;
  @ ensures \result == FXT_WRONG_TYPE && error->status == FXT_WRONG_TYPE;
  @ ensures error->rule == FXT_RULE_NONE && error->offset == \old(record->offset);
  @*/
FXT_I_COLD enum fxt_status fxt_i_wrong_type(struct fxt_error *error,
                                            const struct fxt_record *record);

/* The words of the text of a string ref; 0 unless it is inline (STR-03). */
/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_string_words(ref) && \result <= 4096;
  @*/
static inline uint32_t fxt_i_read_string_words(uint16_t ref)
{
    return ref > FXT_STRING_INLINE ? ((uint32_t)ref - FXT_STRING_INLINE + 7) / 8 : 0;
}

/* The words of the koids of a thread ref: 2 if it is inline, else 0 (THR-01, THR-03). */
/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_thread_words(ref);
  @*/
static inline uint32_t fxt_i_read_thread_words(uint8_t ref)
{
    return ref == 0 ? 2 : 0;
}

/* The stream of that many bytes, the text of a string ref, and what is left, at a position of a
   record of `words` words; NULL when it is empty. */
/*@ requires position + l_words_of(size) <= words && readable(bytes, 8 * words);
  @ terminates \true;
  @ assigns \result \from bytes, position, words, size;
  @ ensures says_stream(\result, size, bytes, position, size);
  @*/
static inline const uint8_t *fxt_i_stream(const uint8_t *bytes, uint64_t position, uint32_t words,
                                          uint64_t size)
{
    (void)words;
    return size > 0 ? bytes + 8 * position : NULL;
}

/*@ requires position + l_string_words(ref) <= words && readable(bytes, 8 * words);
  @ terminates \true;
  @ assigns \result \from bytes, position, words, ref;
  @ ensures says_string(\result, ref, bytes, position, ref);
  @*/
static inline const uint8_t *fxt_i_text(const uint8_t *bytes, uint64_t position, uint32_t words,
                                        uint16_t ref)
{
    (void)words;
    return ref > FXT_STRING_INLINE ? bytes + 8 * position : NULL;
}

/*@ requires position <= words && readable(bytes, 8 * words);
  @ terminates \true;
  @ assigns \result \from bytes, position, words;
  @ ensures says_tail(\result, words - position, bytes, position, words);
  @*/
static inline const uint8_t *fxt_i_tail(const uint8_t *bytes, uint64_t position, uint32_t words)
{
    return position < words ? bytes + 8 * position : NULL;
}

/* The koid at a position if the thread ref is inline, else 0. */
/*@ requires ref == 0 ==> position < words && readable(bytes, 8 * words);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_koid(bytes, position, ref);
  @*/
static inline uint64_t fxt_i_koid(const uint8_t *bytes, uint64_t position, uint32_t words,
                                  uint8_t ref)
{
    (void)words;
    return ref == 0 ? fxt_load_word(bytes + 8 * position) : 0;
}

#endif
