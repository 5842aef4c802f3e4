/* Strict UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF. */
#include <fxt/record.h>

#include "spec/acsl/utf8.h"
#include "src/base/word.h"

#define HIGH_BITS UINT64_C(0x8080808080808080)

/* The length of the well-formed sequence at p, of which `left` bytes (at least 1) are there; 0 if
   there is none. */
/*@ requires left >= 1 && \valid_read(p + (0 .. left - 1));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures inside: \result <= 4 && \result <= left;
  @ ensures sequence: \result > 0 ==> l_utf8_sequence(p, \result);
  @ ensures none: \result == 0
  @         ==> \forall integer n; 1 <= n <= left ==> !l_utf8_sequence(p, n);
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
    /*@ loop invariant at <= size;
      @ loop assigns at;
      @ loop variant size - at;
      @*/
    while (at < size) {
        if (size - at >= 8 && (fxt_load_word(bytes + at) & HIGH_BITS) == 0) {
            at += 8;
            continue;
        }
        /* The last bytes, together with some before them that are known to be whole sequences. */
        if (size - at < 8 && size >= 8 && (fxt_load_word(bytes + size - 8) & HIGH_BITS) == 0)
            return true;
        unsigned length = sequence(bytes + at, size - at);
        if (length == 0)
            return false;
        at += length;
    }
    return true;
}
