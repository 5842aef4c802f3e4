/* The logic of UTF-8. Only annotations: the compiler sees nothing of it. */
#ifndef FXT_ACSL_UTF8_H
#define FXT_ACSL_UTF8_H

#include <stdint.h>

/*@ // The n bytes at p are a well-formed sequence (Unicode, table 3-7).
  @ predicate l_utf8_tail(integer byte) = 128 <= byte <= 191;
  @ predicate l_utf8_second(integer first, integer byte) =
  @   l_utf8_tail(byte) && (first == 224 ==> byte >= 160) && (first == 237 ==> byte <= 159) &&
  @   (first == 240 ==> byte >= 144) && (first == 244 ==> byte <= 143);
  @ predicate l_utf8_sequence(uint8_t *p, integer n) =
  @   (n == 1 && p[0] <= 127) ||
  @   (n == 2 && 194 <= p[0] <= 223 && l_utf8_second(p[0], p[1])) ||
  @   (n == 3 && 224 <= p[0] <= 239 && l_utf8_second(p[0], p[1]) && l_utf8_tail(p[2])) ||
  @   (n == 4 && 240 <= p[0] <= 244 && l_utf8_second(p[0], p[1]) && l_utf8_tail(p[2]) &&
  @    l_utf8_tail(p[3]));
  @
  @ // How many bytes the first one of a sequence announces; 0 when it is none.
  @ logic integer l_utf8_length(integer first) =
  @   first <= 127 ? 1 : first <= 193 ? 0 : first <= 223 ? 2 : first <= 239 ? 3 :
  @   first <= 244 ? 4 : 0;
  @ // The bytes from i to n are such sequences, one after the other (STR-05).
  @ predicate utf8_from(uint8_t *p, integer i, integer n) =
  @   i == n || (i + l_utf8_length(p[i]) <= n && l_utf8_sequence(p + i, l_utf8_length(p[i])) &&
  @              utf8_from(p, i + l_utf8_length(p[i]), n));
  @*/

#endif
