/* What a thread stores into its lease: the words of an event, and the words that make a record of them.
   Bytes in, and no state. These functions are proved (../../proofs): for all values of a program, they
   store in the lease only, and never in the first word of the room before the record is whole.

   Room is a row of bytes whose first word is a filler that covers all of them, so a reader of the buffer
   passes over it. Each function is called by the thread whose lease it is. */
#ifndef FXT_ENGINE_PUT_H
#define FXT_ENGINE_PUT_H

#include <stdbool.h>
#include <stddef.h>

#include <fxt/record.h>
#include <lib/trace-engine/types.h>

#include "src/base/utf8.h"
#include "src/buffer/chunk.h"
#include "src/engine/word.h"
#include "src/wire/layout.h"

/* The most words of an argument, without its inline string. */
#define FXT_I_ARG_WORDS 2u

/*@ logic integer l_given_length(integer ref) = ref / 32768 % 2 == 1 ? ref % 32768 : 0;
  @ // A string that a program gives has its bytes.
  @ predicate value_ok(struct trace_arg_value *value) =
  @   value->kind == TRACE_I_ARG_KIND_STRING ==>
  @     (l_given_length(value->string_ref) > 0 ==>
  @       \valid_read(value->string + (0 .. l_given_length(value->string_ref) - 1)));
  @ predicate values_ok(struct trace_arg_value *values, integer count) =
  @   \valid_read(values + (0 .. count - 1)) &&
  @   \forall integer i; 0 <= i < count ==> value_ok(values + i);
  @ // Kinds of arguments whose words are known: NULL, INT32, UINT32, BOOL of one; INT64, UINT64, DOUBLE,
  @ // POINTER, KOID of two.
  @ predicate is_plain_kind(integer kind) = 16 <= kind <= 18 || kind == 25 || 35 <= kind <= 37 ||
  @   39 <= kind <= 40;
  @ // Kinds that the macros make; the words of such an argument; and where each begins, the first at word 2.
  @ predicate is_known(struct trace_arg_value *value) =
  @   value->kind == TRACE_I_ARG_KIND_STRING || is_plain_kind(value->kind);
  @ logic integer l_value_words(struct trace_arg_value *value) =
  @   value->kind == TRACE_I_ARG_KIND_STRING ? 1 + l_words_of(l_given_length(value->string_ref)) : value->kind / 16;
  @ logic integer l_value_at(struct trace_arg_value *values, integer i) =
  @   i <= 0 ? 2 : l_value_at(values, i - 1) + l_value_words(values + (i - 1));
  @ // The words of an argument of a known kind; of one word, the second is another's.
  @ logic integer l_second(uint8_t *at, integer kind) = kind / 16 == 2 ? l_word(at + 8) : 0;
  @ predicate is_value(integer first, integer second, struct trace_arg_value *value, integer name) =
  @   is_plain_kind(value->kind) ==>
  @     (value->kind / 16 == 1 ==>
  @       first == value->kind + name + value->word % 4294967296 * 4294967296) &&
  @     (value->kind / 16 == 2 ==> first == value->kind + name && second == value->word);
  @ predicate are_known(struct trace_arg_value *values, integer count) =
  @   \forall integer k; 0 <= k < count ==> is_known(values + k);
  @ predicate are_before(struct trace_arg_value *values, integer count, integer end) =
  @   \forall integer k; 0 <= k < count ==>
  @     2 <= l_value_at(values, k) < end && l_value_at(values, k) + l_value_words(values + k) <= end;
  @ predicate are_values_at(uint8_t *p, struct trace_arg_value *values, uint32_t *names, integer first, integer end) =
  @   \forall integer k; first <= k < end ==>
  @     is_value(l_word(p + 8 * l_value_at(values, k)), l_second(p + 8 * l_value_at(values, k), values[k].kind),
  @              values + k, names[k]);
  @ // Names, as in the headers of arguments.
  @ predicate names_ok(uint32_t *names, integer count) =
  @   \valid_read(names + (0 .. count - 1)) &&
  @   \forall integer i; 0 <= i < count ==> names[i] % 65536 == 0;
  @ // Room: a reader of the buffer passes over so many bytes.
  @ predicate is_room(uint8_t *at, integer bytes) =
  @   0 <= bytes <= 34359738360 && bytes % 8 == 0 && \valid(at + (0 .. bytes - 1)) &&
  @   (bytes > 0 ==> is_filler(l_word(at)) && l_record_bytes(l_word(at)) == bytes);
  @*/

/*@ terminates \true; assigns \nothing; ensures \result == l_given_length(ref); */
static inline uint64_t fxt_i_inline_length(uint32_t ref)
{
    return ref / 32768u % 2u == 1u ? ref % 32768u : 0u;
}

/* Copies text. */
/*@ requires length > 0 ==> \valid(at + (0 .. length - 1)) && \valid_read(text + (0 .. length - 1));
  @ terminates \true;
  @ assigns at[0 .. length - 1];
  @*/
static inline void fxt_i_hot_text(uint8_t *at, const char *text, uint64_t length)
{
#ifdef __FRAMAC__
    /*@ loop invariant 0 <= i <= length;
      @ loop assigns i, at[0 .. length - 1];
      @ loop variant length - i;
      @*/
    for (uint64_t i = 0; i < length; i++)
        at[i] = (uint8_t)(text[i] < 0 ? text[i] + 256 : text[i]);
#else
    memcpy(at, text, (size_t)length);
#endif
}

/* Makes UTF-8 of whole words of text; fast where all is ASCII. */
/*@ requires words <= 4095 && \valid(at + (0 .. 8 * words - 1));
  @ terminates \true;
  @ assigns at[0 .. 8 * words - 1];
  @*/
static inline void fxt_i_mend_words(uint8_t *at, uint64_t words)
{
    uint64_t all = 0;
    /*@ loop invariant 0 <= i <= words;
      @ loop assigns i, all;
      @ loop variant words - i;
      @*/
    for (uint64_t i = 0; i < words; i++)
        all |= fxt_load_word(at + 8 * i);
    if ((all & UINT64_C(0x8080808080808080)) != 0)
        fxt_i_utf8_mend(at, 8 * words);
}

/* Writes a string argument at word `at`. Returns the word behind it; 0 if it finds no room in front of
   `limit`. */
/*@ requires at <= limit <= 4294967295 && \valid(p + (0 .. 8 * limit + 7));
  @ requires \valid_read(value) && \separated(value, p + (0 .. 8 * limit + 7));
  @ requires value->kind == TRACE_I_ARG_KIND_STRING && value_ok(value);
  @ terminates \true;
  @ assigns p[8 * at .. 8 * limit + 7];
  @ ensures \result == 0 || \result == at + 1 + l_words_of(l_given_length(value->string_ref)) <= limit + 1;
  @*/
static inline uint64_t fxt_i_hot_string(uint8_t *p, uint64_t at, uint64_t limit,
                                        const struct trace_arg_value *value, uint32_t name)
{
    uint64_t length = fxt_i_inline_length(value->string_ref);
    uint64_t words = fxt_words_of(length);

    if (limit - at < words || words >= FXT_RECORD_WORDS_MAX)
        return 0;
    fxt_i_put(p + 8 * at,
              fxt_pack_arg_string_header((uint16_t)(1 + words), fxt_arg_header_name(name),
                                         (uint16_t)(value->string_ref % 65536u)));
    if (words > 0) {
        fxt_i_put(p + 8 * (at + words), 0);
        fxt_i_hot_text(p + 8 * (at + 1), value->string, length);
        fxt_i_mend_words(p + 8 * (at + 1), words);
    }
    return at + 1 + words;
}

/* The kinds of arguments whose words are known: one bit each. */
#define FXT_I_KIND_BIT(type, words) (UINT64_C(1) << TRACE_I_ARG_KIND(type, words))
#define FXT_I_PLAIN_KINDS                                                                          \
    (FXT_I_KIND_BIT(TRACE_ARG_NULL, 1) | FXT_I_KIND_BIT(TRACE_ARG_BOOL, 1) |                       \
     FXT_I_KIND_BIT(TRACE_ARG_INT32, 1) | FXT_I_KIND_BIT(TRACE_ARG_UINT32, 1) |                    \
     FXT_I_KIND_BIT(TRACE_ARG_INT64, 2) | FXT_I_KIND_BIT(TRACE_ARG_UINT64, 2) |                    \
     FXT_I_KIND_BIT(TRACE_ARG_DOUBLE, 2) | FXT_I_KIND_BIT(TRACE_ARG_POINTER, 2) |                  \
     FXT_I_KIND_BIT(TRACE_ARG_KOID, 2))

/* Writes an argument of an unknown kind at word `at`, as null. Returns the word behind it. */
/*@ requires at <= 4294967295 && \valid(p + (8 * at .. 8 * at + 7)) && name % 65536 == 0;
  @ terminates \true;
  @ assigns p[8 * at .. 8 * at + 7];
  @ ensures \result == at + 1;
  @*/
__attribute__((cold)) static inline uint64_t fxt_i_hot_unknown(uint8_t *p, uint64_t at,
                                                               uint32_t name)
{
    fxt_i_put(p + 8 * at, fxt_pack_arg_plain_header(TRACE_ARG_NULL, 1, 0) + name);
    return at + 1;
}

/* Writes one argument at word `at`, in front of `limit` + 2; `name` is as in its header. An unknown
   kind is written as null. Returns the word behind it; 0 if a string finds no room in front of
   `limit`. There is no branch on the type: an argument of one word has its value in the header, and
   its unused second word is overwritten by whatever follows. */
/*@ requires at <= limit <= 4294967295 && \valid(p + (0 .. 8 * limit + 15));
  @ requires \valid_read(value) && \separated(value, p + (0 .. 8 * limit + 15));
  @ requires value_ok(value) && name % 65536 == 0;
  @ terminates \true;
  @ assigns p[8 * at .. 8 * limit + 15];
  @ ensures words: \result == 0 || at < \result <= limit + 2 &&
  @   (is_known(value) ==> \result == at + l_value_words(value));
  @ ensures value: is_value(l_word(p + 8 * at), l_second(p + 8 * at, value->kind), value, name);
  @*/
static inline uint64_t fxt_i_hot_arg(uint8_t *p, uint64_t at, uint64_t limit,
                                     const struct trace_arg_value *value, uint32_t name)
{
    uint32_t kind = value->kind;

    /*@ assert null: kind == 16 ==> (FXT_I_PLAIN_KINDS >> kind) % 2 == 1; */
    /*@ assert int32: kind == 17 ==> (FXT_I_PLAIN_KINDS >> kind) % 2 == 1; */
    /*@ assert uint32: kind == 18 ==> (FXT_I_PLAIN_KINDS >> kind) % 2 == 1; */
    /*@ assert bool: kind == 25 ==> (FXT_I_PLAIN_KINDS >> kind) % 2 == 1; */
    /*@ assert int64: kind == 35 ==> (FXT_I_PLAIN_KINDS >> kind) % 2 == 1; */
    /*@ assert uint64: kind == 36 ==> (FXT_I_PLAIN_KINDS >> kind) % 2 == 1; */
    /*@ assert double: kind == 37 ==> (FXT_I_PLAIN_KINDS >> kind) % 2 == 1; */
    /*@ assert pointer: kind == 39 ==> (FXT_I_PLAIN_KINDS >> kind) % 2 == 1; */
    /*@ assert koid: kind == 40 ==> (FXT_I_PLAIN_KINDS >> kind) % 2 == 1; */
    /*@ assert plain: is_plain_kind(kind) ==> (FXT_I_PLAIN_KINDS >> kind) % 2 == 1; */
    if (kind == TRACE_I_ARG_KIND_STRING)
        return fxt_i_hot_string(p, at, limit, value, name);
    if (kind >= 64 || (FXT_I_PLAIN_KINDS >> kind) % 2 == 0)
        return fxt_i_hot_unknown(p, at, name);
    uint64_t two = kind / 32u; /* 1 for two words, 0 for one */
    uint64_t data = value->word % 4294967296u * (1 - two);
    /*@ assert words: is_plain_kind(kind) ==> kind / 16 == 1 + two; */
    /*@ assert one: two == 0 ==> data == value->word % 4294967296; */
    /*@ assert two: two == 1 ==> data == 0; */
    uint64_t header = data * 4294967296u + name + kind;
    fxt_i_put(p + 8 * at, header);
    fxt_i_put(p + 8 * (at + 1), value->word);
    /*@ assert header: l_word(p + 8 * at) == header; */
    /*@ assert word: l_word(p + 8 * (at + 1)) == value->word; */
    /*@ assert second: kind / 16 == 2 ==> l_second(p + 8 * at, kind) == value->word; */
    return at + 1 + two;
}

/* Writes the arguments from word 2 on. Returns the word behind them; 0 if a string finds no room. There
   is room for the largest arguments without strings, and one word more, which stays free. */
/*@ requires count <= TRACE_MAX_ARGS && 3 + 2 * count <= end <= 4294967295;
  @ requires \valid(p + (0 .. 8 * end - 1));
  @ requires values_ok(values, count) && \separated(values + (0 .. count - 1), p + (0 .. 8 * end - 1));
  @ requires names_ok(names, count) && \separated(names + (0 .. count - 1), p + (0 .. 8 * end - 1));
  @ terminates \true;
  @ assigns p[16 .. 8 * end - 9];
  @ ensures inside: \result == 0 || 2 <= \result <= end - 1;
  @ ensures values: \result > 0 && are_known(values, count) ==> are_values_at(p, values, names, 0, count) &&
  @   are_before(values, count, \result) && \result == l_value_at(values, count);
  @*/
static inline uint64_t fxt_i_hot_args(uint8_t *p, uint64_t end, const uint32_t *names,
                                      const struct trace_arg_value *values, size_t count)
{
    uint64_t at = 2;
    /*@ loop invariant 0 <= i <= count && 2 <= at <= end - 1 - 2 * (count - i);
      @ loop invariant values_ok(values, count) && names_ok(names, count);
      @ loop invariant here: are_known(values, count) ==> at == l_value_at(values, i);
      @ loop invariant before: are_known(values, count) ==> are_before(values, i, at);
      @ loop invariant values: are_known(values, count) ==> are_values_at(p, values, names, 0, i);
      @ loop assigns i, at, p[16 .. 8 * end - 9];
      @ loop variant count - i;
      @*/
    for (size_t i = 0; i < count; i++) {
        /*@ ghost before:; uint64_t start = at; */
        at = fxt_i_hot_arg(p, at, end - 1 - FXT_I_ARG_WORDS * (count - i), &values[i], names[i]);
        /*@ assert kept: \forall uint8_t *q, integer w; \separated(q + (0 .. 7), p + (8 * start .. 8 * end - 9)) &&
          @   l_word{before}(q) == w ==> l_word(q) == w; */
        /*@ assert apart: are_known(values, count) ==> \forall integer k; 0 <= k < i ==>
          @   16 <= 8 * l_value_at(values, k) <= 8 * start - 8; */
        /*@ assert two: are_known(values, count) ==> \forall integer k; 0 <= k < i && values[k].kind / 16 == 2 ==>
          @   l_value_at(values, k) + 2 <= start; */
        /*@ assert first: are_known(values, count) ==> \forall integer k; 0 <= k < i ==>
          @   l_word(p + 8 * l_value_at(values, k)) == l_word{before}(p + 8 * l_value_at(values, k)); */
        /*@ assert second: are_known(values, count) ==> \forall integer k; 0 <= k < i ==>
          @   l_second(p + 8 * l_value_at(values, k), values[k].kind) ==
          @     l_second{before}(p + 8 * l_value_at(values, k), values[k].kind); */
        /*@ assert old: are_known(values, count) ==> are_values_at(p, values, names, 0, i); */
        /*@ assert this: are_known(values, count) && at > 0 ==>
          @   is_value(l_word(p + 8 * l_value_at(values, i)), l_second(p + 8 * l_value_at(values, i), values[i].kind),
          @            values + i, names[i]); */
        /*@ assert last: are_known(values, count) && at > 0 ==> are_values_at(p, values, names, i, i + 1); */
        /*@ assert all: are_known(values, count) && at > 0 ==> are_values_at(p, values, names, 0, i + 1); */
        if (at == 0)
            return 0;
    }
    return at;
}

/* Writes an event into room of `end` words, all but its first word. Returns its words; 0 if there is
   no room, or the record would be too large. `now` is its time, `value` the word after the arguments;
   of a complete duration, they are its end and its begin. */
/*@ requires end <= 4294967295 && \valid(p + (0 .. 8 * end - 1)) && count <= TRACE_MAX_ARGS;
  @ requires values_ok(values, count) && \separated(values + (0 .. count - 1), p + (0 .. 8 * end - 1));
  @ requires names_ok(names, count) && \separated(names + (0 .. count - 1), p + (0 .. 8 * end - 1));
  @ terminates \true;
  @ assigns p[8 .. 8 * end - 1];
  @ ensures inside: \result == 0 || 2 <= \result <= \min(end, 4095);
  @ ensures time: \result > 0 ==>
  @   l_word(p + 8) == (event_type == FXT_EVENT_DURATION_COMPLETE ? value : now);
  @ ensures value: \result > 0 && !(FXT_EVENT_DURATION_BEGIN <= event_type <= FXT_EVENT_DURATION_END) ==>
  @   \result > 2 && l_word(p + 8 * (\result - 1)) ==
  @     (event_type == FXT_EVENT_DURATION_COMPLETE ? now : value);
  @ ensures values: \result > 0 && are_known(values, count) ==> are_values_at(p, values, names, 0, count) &&
  @   \result == l_value_at(values, count) +
  @     (FXT_EVENT_DURATION_BEGIN <= event_type <= FXT_EVENT_DURATION_END ? 0 : 1);
  @*/
static inline uint64_t fxt_i_hot_event(uint8_t *p, uint64_t end, const uint32_t *names,
                                       uint32_t event_type, uint64_t now, uint64_t value,
                                       const struct trace_arg_value *values, size_t count)
{
    bool is_complete = event_type == FXT_EVENT_DURATION_COMPLETE;

    if (end < 3 + FXT_I_ARG_WORDS * count ||
        (event_type == FXT_EVENT_INSTANT && value > TRACE_SCOPE_GLOBAL))
        return 0;
    fxt_i_put(p + 8, is_complete ? value : now);
    uint64_t at = fxt_i_hot_args(p, end, names, values, count);
    if (at == 0)
        return 0;
    /*@ assert time: l_word(p + 8) == (is_complete ? value : now); */
    if (event_type < FXT_EVENT_DURATION_BEGIN || event_type > FXT_EVENT_DURATION_END) {
        /*@ ghost before:; */
        fxt_i_put(p + 8 * at, is_complete ? now : value);
        /*@ assert kept: \forall uint8_t *q, integer w; \separated(q + (0 .. 7), p + (8 * at .. 8 * at + 7)) &&
          @   l_word{before}(q) == w ==> l_word(q) == w; */
        /*@ assert time: l_word(p + 8) == (is_complete ? value : now); */
        /*@ assert first: are_known(values, count) ==> \forall integer k; 0 <= k < count ==>
          @   l_word(p + 8 * l_value_at(values, k)) == l_word{before}(p + 8 * l_value_at(values, k)); */
        /*@ assert second: are_known(values, count) ==> \forall integer k; 0 <= k < count ==>
          @   l_second(p + 8 * l_value_at(values, k), values[k].kind) ==
          @     l_second{before}(p + 8 * l_value_at(values, k), values[k].kind); */
        /*@ assert old: are_known(values, count) ==> are_values_at(p, values, names, 0, count); */
        at++;
    }
    return at <= FXT_RECORD_WORDS_MAX ? at : 0;
}

/* Makes a record of the first bytes of room, whose words are complete but for the first. The rest
   becomes room of its own before `header` is stored, which releases both to readers: at every instant
   the bytes are room, or a record and the room behind it. */
/*@ requires 8 <= bytes <= room && bytes % 8 == 0 && is_room(at, room);
  @ terminates \true;
  @ assigns at[0 .. 7], at[bytes .. \min(room, bytes + 8) - 1];
  @ ensures published: l_word(at) == header;
  @ ensures rest: is_room(at + bytes, room - bytes);
  @*/
static inline void fxt_i_put_record(uint8_t *at, uint64_t room, uint64_t bytes, uint64_t header)
{
    uint64_t filler = 0;
    if (bytes != room) {
        filler = fxt_i_filler(room - bytes);
        fxt_i_prepare(at + bytes, filler);
    }
    /*@ assert still: l_word(at) == l_word{Pre}(at); */
    /*@ assert room: is_room(at, room); */
    /*@ assert next: bytes < room ==> l_word(at + bytes) == filler; */
    fxt_i_publish(at, header);
    /*@ assert behind: bytes < room ==> l_word(at + bytes) == filler; */
}

/* Makes a lease of chunks that nobody reads before the head is stored: a head, and room behind it. */
/*@ requires 16 <= bytes <= 34359738360 && bytes % 8 == 0 && \valid(at + (0 .. bytes - 1));
  @ requires 1 <= chunks <= 1048576;
  @ terminates \true;
  @ assigns at[0 .. 15];
  @ ensures head: is_lease_head(l_word(at));
  @ ensures room: is_room(at + 8, bytes - 8);
  @*/
static inline void fxt_i_put_lease(uint8_t *at, uint64_t bytes, uint32_t wrapped, uint32_t chunks)
{
    uint64_t filler = fxt_i_filler(bytes - 8);
    fxt_i_prepare(at + 8, filler);
    fxt_i_publish(at, fxt_i_lease_head(wrapped, chunks));
    /*@ assert room: l_word(at + 8) == filler; */
}

#endif
