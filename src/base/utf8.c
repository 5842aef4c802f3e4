/* Strict UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF. */
#include "src/base/utf8.h"

#include <fxt/record.h>

#include "src/base/word.h"

/*@ // A sequence begins at i, and ends in the first n bytes.
  @ predicate utf8_begins(uint8_t *p, integer i, integer n) =
  @   i + l_utf8_length(p[i]) <= n && l_utf8_sequence(p + i, l_utf8_length(p[i]));
  @ // Byte i is in such a sequence, `distance` bytes behind its first.
  @ predicate utf8_behind(uint8_t *p, integer i, integer n, integer distance) =
  @   distance <= i && utf8_begins(p, i - distance, n) && distance < l_utf8_length(p[i - distance]);
  @ predicate utf8_part(uint8_t *p, integer i, integer n) =
  @   utf8_begins(p, i, n) || utf8_behind(p, i, n, 1) || utf8_behind(p, i, n, 2) ||
  @   utf8_behind(p, i, n, 3);
  @ // Each of the first n bytes is in a sequence. Unlike utf8_from, a loop can say this of what it has
  @ // done, whatever follows.
  @ predicate utf8_parts(uint8_t *p, integer n) =
  @   \forall integer i; 0 <= i < n ==> utf8_part(p, i, n);
  @*/

/* Whether the eight bytes at `at` are all ASCII, so that each of them is a whole character. The
   prover reads a loop. The compiler reads a comparison of a word with a mask, because gcc does not
   make one from the loop. utf8_test.c tests that both give the same results. */
/*@ requires at + 8 <= size && \valid_read(bytes + (0 .. size - 1));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == true ==> \forall integer i; at <= i <= at + 8 ==>
  @     (utf8_from(bytes, i, size) <==> utf8_from(bytes, at + 8, size));
  @ ensures ascii: \result == true ==> \forall integer i; at <= i < at + 8 ==> bytes[i] <= 127;
  @*/
static bool is_ascii_word(const uint8_t *bytes, uint64_t at, uint64_t size)
{
#ifdef __FRAMAC__
    /*@ loop invariant at: 0 <= n <= 8;
      @ loop invariant same: \forall integer i; at + n <= i <= at + 8 ==>
      @     (utf8_from(bytes, i, size) <==> utf8_from(bytes, at + 8, size));
      @ loop invariant ascii: \forall integer i; at + n <= i < at + 8 ==> bytes[i] <= 127;
      @ loop assigns n;
      @ loop variant n;
      @*/
    for (unsigned n = 8; n > 0; n--) {
        if (bytes[at + n - 1] > 127)
            return false;
        /*@ assert one: utf8_from(bytes, at + n - 1, size) <==> utf8_from(bytes, at + n, size); */
    }
    return true;
#else
    (void)size;
    return (fxt_load_word(bytes + at) & UINT64_C(0x8080808080808080)) == 0;
#endif
}

/* The length of the well-formed sequence at p, where `left` bytes (at least 1) are left; 0 if there
   is none. */
/*@ requires left >= 1 && \valid_read(p + (0 .. left - 1));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures inside: \result <= 4 && \result <= left;
  @ ensures sequence: \result > 0 ==> \result == l_utf8_length(p[0]) &&
  @     l_utf8_sequence(p, \result);
  @ ensures none: \result == 0 ==> left < l_utf8_length(p[0]) ||
  @     !l_utf8_sequence(p, l_utf8_length(p[0]));
  @*/
static unsigned sequence(const uint8_t *p, uint64_t left)
{
    uint8_t a = p[0];
    if (a < 0x80)
        return 1;
    if (a < 0xc2 || a > 0xf4 || left < 2)
        return 0;
    uint8_t low = a == 0xe0 ? 0xa0 : a == 0xf0 ? 0x90 : 0x80;
    uint8_t high = a == 0xed ? 0x9f : a == 0xf4 ? 0x8f : 0xbf;
    if (p[1] < low || p[1] > high)
        return 0;
    if (a < 0xe0)
        return 2;
    if (left < 3 || p[2] < 0x80 || p[2] > 0xbf)
        return 0;
    if (a < 0xf0)
        return 3;
    if (left < 4 || p[3] < 0x80 || p[3] > 0xbf)
        return 0;
    return 4;
}

bool fxt_utf8_valid(const uint8_t *bytes, uint64_t size)
{
    uint64_t at = 0;
    /*@ loop invariant at: at <= size;
      @ loop invariant same: utf8_from(bytes, 0, size) <==> utf8_from(bytes, at, size);
      @ loop assigns at;
      @ loop variant size - at;
      @*/
    while (at < size) {
        if (size - at >= 8 && is_ascii_word(bytes, at, size)) {
            at += 8;
            continue;
        }
        /* The last bytes, together with some earlier bytes that are known to be whole sequences. */
        if (size - at < 8 && size >= 8 && is_ascii_word(bytes, size - 8, size)) {
            /*@ assert end: utf8_from(bytes, size, size); */
            return true;
        }
        unsigned length = sequence(bytes + at, size - at);
        if (length == 0)
            return false;
        at += length;
    }
    return true;
}

void fxt_i_utf8_mend(uint8_t *bytes, uint64_t size)
{
    uint64_t at = 0;
    /*@ loop invariant at: at <= size;
      @ loop invariant before: \forall integer i; 0 <= i < at ==> bytes[i] == \at(bytes[i], Pre) ||
      @     (bytes[i] == '?' && \at(bytes[i], Pre) > 127);
      @ loop invariant after: \forall integer i; at <= i < size ==>
      @     bytes[i] == \at(bytes[i], Pre);
      @ loop invariant parts: utf8_parts(bytes, at);
      @ loop invariant valid: \at(utf8_from(bytes, 0, size), Pre) ==> utf8_from(bytes, at, size) &&
      @     \forall integer i; 0 <= i < at ==> bytes[i] == \at(bytes[i], Pre);
      @ loop assigns at, bytes[0 .. size - 1];
      @ loop variant size - at;
      @*/
    while (at < size) {
        bool ascii = size - at >= 8 && is_ascii_word(bytes, at, size);
        unsigned length = ascii ? 8 : sequence(bytes + at, size - at);
        if (length == 0) {
            bytes[at] = '?';
            length = 1;
        }
        /*@ assert begins: \forall integer i; 0 <= i < at ==>
          @   \at(utf8_begins(bytes, i, at), LoopCurrent) ==> utf8_begins(bytes, i, at); */
        /*@ assert lengths: \forall integer i; 0 <= i < at ==>
          @   \at(l_utf8_length(bytes[i]), LoopCurrent) == l_utf8_length(bytes[i]); */
        /*@ assert kept: utf8_parts(bytes, at); */
        /*@ assert wider: \forall integer i; 0 <= i < at ==>
          @   utf8_begins(bytes, i, at) ==> utf8_begins(bytes, i, at + length); */
        /*@ assert earlier: \forall integer i; 0 <= i < at ==> utf8_part(bytes, i, at + length); */
        /*@ assert word: ascii ==> \forall integer i; at <= i < at + 8 ==> bytes[i] <= 127; */
        /*@ assert one: !ascii ==> length == l_utf8_length(bytes[at]) &&
          @   utf8_begins(bytes, at, at + length); */
        /*@ assert now: \forall integer i; at <= i < at + length ==>
          @   utf8_part(bytes, i, at + length); */
        at += length;
    }
    /*@ ghost
      /@ loop invariant 0 <= k <= size;
        @ loop invariant from: \forall integer i; k <= i <= size ==>
        @   (i == size || !l_utf8_tail(bytes[i])) ==> utf8_from(bytes, i, size);
        @ loop assigns k;
        @ loop variant k;
        @/
      for (uint64_t k = size; k > 0; k--) {
        /@ assert part: utf8_part(bytes, k - 1, size); @/
        /@ assert begins: !l_utf8_tail(bytes[k - 1]) ==> utf8_begins(bytes, k - 1, size); @/
        /@ assert parts: \forall integer i; k <= i < size ==> utf8_part(bytes, i, size); @/
        /@ assert before: utf8_begins(bytes, k - 1, size) ==> \forall integer i; 0 <= i < k - 1 ==>
          @   utf8_begins(bytes, i, size) ==> i + l_utf8_length(bytes[i]) <= k - 1; @/
        /@ assert later: utf8_begins(bytes, k - 1, size) ==> \forall integer i; k <= i < size ==>
          @   utf8_begins(bytes, i, size) ==> k - 1 + l_utf8_length(bytes[k - 1]) <= i; @/
        /@ assert not_1: utf8_begins(bytes, k - 1, size) ==>
          @   !utf8_behind(bytes, k - 1 + l_utf8_length(bytes[k - 1]), size, 1); @/
        /@ assert not_2: utf8_begins(bytes, k - 1, size) ==>
          @   !utf8_behind(bytes, k - 1 + l_utf8_length(bytes[k - 1]), size, 2); @/
        /@ assert not_3: utf8_begins(bytes, k - 1, size) ==>
          @   !utf8_behind(bytes, k - 1 + l_utf8_length(bytes[k - 1]), size, 3); @/
        /@ assert next: !l_utf8_tail(bytes[k - 1]) ==>
          @   \let i = k - 1 + l_utf8_length(bytes[k - 1]);
          @   k <= i <= size && (i == size || !l_utf8_tail(bytes[i])); @/
        /@ assert behind: !l_utf8_tail(bytes[k - 1]) ==>
          @   utf8_from(bytes, k - 1 + l_utf8_length(bytes[k - 1]), size); @/
      }
    */
    /*@ assert first: size > 0 ==> utf8_part(bytes, 0, size) && !l_utf8_tail(bytes[0]); */
}
