/* The logic of bytes and words: what the contracts mean by a word, a stream and a reference. Only
   annotations: the compiler sees nothing of it. */
#ifndef FXT_ACSL_WORD_H
#define FXT_ACSL_WORD_H

#include <stdint.h>

/*@ // The eight bytes at p as a little-endian number (REC-07).
  @ logic integer l_word(uint8_t *p) =
  @   p[0] + 256 * p[1] + 65536 * p[2] + 16777216 * p[3] + 4294967296 * p[4] +
  @   1099511627776 * p[5] + 281474976710656 * p[6] + 72057594037927936 * p[7];
  @
  @ // n bytes at p; p may be anything when n is 0.
  @ predicate readable(uint8_t *p, integer n) = n > 0 ==> \valid_read(p + (0 .. n - 1));
  @ predicate writable(uint8_t *p, integer n) = n > 0 ==> \valid(p + (0 .. n - 1));
  @
  @ // The words of a stream of that many bytes (REC-05).
  @ logic integer l_words_of(integer size) = (size + 7) / 8;
  @
  @ // The bytes and the words of the inline text of a string ref (STR-01), and the words of the
  @ // koids of a thread ref (THR-01).
  @ logic integer l_inline_length(integer ref) = ref > 32768 ? ref - 32768 : 0;
  @ logic integer l_string_words(integer ref) = l_words_of(l_inline_length(ref));
  @ logic integer l_thread_words(integer ref) = ref == 0 ? 2 : 0;
  @*/

#endif
