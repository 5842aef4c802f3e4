/* The logic of the packets of the tracing system: see spec/system.md, sections 2, 3 and
   5. Only annotations: the compiler sees nothing of it. */
#ifndef FXT_ACSL_CONTROL_H
#define FXT_ACSL_CONTROL_H

#include "spec/acsl/utf8.h"
#include "spec/acsl/word.h"

/*@ logic integer l_fifo_request(uint8_t *b) = l_word(b) % 65536;
  @ logic integer l_fifo_data16(uint8_t *b) = l_word(b) / 65536 % 65536;
  @ logic integer l_fifo_data32(uint8_t *b) = l_word(b) / 4294967296;
  @
  @ // A text from one byte to another, and zeros behind it up to the end.
  @ predicate text_of(uint8_t *p, integer from, integer to, integer end) =
  @   from <= to <= end && (\forall integer i; from <= i < to ==> p[i] != 0) &&
  @   (\forall integer i; to <= i < end ==> p[i] == 0);
  @
  @ // FIF-02 to FIF-04; side: 0 of the provider, 1 of the manager.
  @ predicate fifo_formed(uint8_t *b, integer side) =
  @   (side == 0 && l_fifo_request(b) == 1 && l_fifo_data16(b) == 0 && l_fifo_data32(b) == 1 &&
  @    l_word(b + 8) == 0) ||
  @   (side == 0 && l_fifo_request(b) == 2 && l_fifo_data16(b) == 0) ||
  @   (side == 0 && l_fifo_request(b) == 3 && l_fifo_data16(b) == 0 && l_fifo_data32(b) == 0 &&
  @    l_word(b + 8) == 0) ||
  @   (side == 0 && l_fifo_request(b) == 4 && b[2] != 0 &&
  @    \forall integer i, j; 2 <= i < j < 16 ==> b[i] == 0 ==> b[j] == 0) ||
  @   (side == 1 && l_fifo_request(b) == 256 && l_fifo_data16(b) == 0) ||
  @   (side == 1 && l_fifo_request(b) == 257 && l_fifo_data16(b) == 0 && l_fifo_data32(b) == 0 &&
  @    l_word(b + 8) == 0);
  @
  @ // CTL-04 and CTL-08: a name's place.
  @ logic integer l_name_length(uint8_t *p) = p[0] + 256 * p[1];
  @ predicate name_at(uint8_t *p, integer least) =
  @   least <= l_name_length(p) && p[2] == 0 && p[3] == 0 &&
  @   text_of(p, 4, 4 + l_name_length(p), 104) && utf8_from(p + 4, 0, l_name_length(p));
  @ predicate zeros_at(uint8_t *p, integer n) = \forall integer i; 0 <= i < n ==> p[i] == 0;
  @ predicate empty_place(uint8_t *p, integer i) = zeros_at(p + 104 * i, 104);
  @ // CTL-05: the first `used` of `places` are names; every second one of at least `odd` bytes.
  @ predicate names_at(uint8_t *p, integer used, integer places, integer odd) =
  @   \forall integer i; 0 <= i < places ==>
  @     (i < used ? name_at(p + 104 * i, i % 2 == 1 ? odd : 1) : empty_place(p, i));
  @
  @ logic integer l_packet_version(uint8_t *b) = l_word(b) % 65536;
  @ logic integer l_packet_ordinal(uint8_t *b) = l_word(b) / 65536 % 65536;
  @ logic integer l_packet_transaction(uint8_t *b) = l_word(b) / 4294967296;
  @ // CTL-03
  @ predicate packet_known(integer ordinal, integer side) =
  @   side == 0 ? ordinal \in {0x101, 0x102, 0x116}
  @             : ordinal \in {0x103, 0x111, 0x112, 0x113, 0x114, 0x115};
  @ predicate packet_answered(integer ordinal) = ordinal \in {0x102, 0x103, 0x115, 0x116};
  @ // CTL-01
  @ logic integer l_packet_size(integer ordinal) =
  @   ordinal == 0x101 ? 120 : ordinal == 0x102 ? 120 : ordinal == 0x103 ? 16 :
  @   ordinal == 0x111 ? 10416 : ordinal == 0x112 ? 10416 : ordinal == 0x116 ? 20816 : 8;
  @ // How many places of names there are, and how many of them hold one.
  @ logic integer l_packet_places(integer ordinal) =
  @   ordinal == 0x101 ? 1 : ordinal == 0x102 ? 1 : ordinal == 0x111 ? 100 :
  @   ordinal == 0x112 ? 100 : ordinal == 0x116 ? 200 : 0;
  @ logic integer l_packet_names(integer ordinal, integer count) =
  @   ordinal == 0x101 ? 1 : ordinal == 0x102 ? 1 : ordinal == 0x111 ? count :
  @   ordinal == 0x112 ? count : ordinal == 0x116 ? 2 * count : 0;
  @ // CTL-04 to CTL-08
  @ predicate packet_body(uint8_t *b, integer ordinal) =
  @   (ordinal \in {0x101, 0x102} ==> name_at(b + 16, 1)) &&
  @   (ordinal == 0x103 ==> l_word(b + 8) / 4294967296 <= 1) &&
  @   (ordinal \in {0x111, 0x112} ==>
  @     1 <= l_word(b + 8) % 65536 <= 3 && l_word(b + 8) / 65536 <= 100 &&
  @     names_at(b + 16, l_word(b + 8) / 65536, 100, 1)) &&
  @   (ordinal == 0x116 ==> l_word(b + 8) <= 100 &&
  @     names_at(b + 16, 2 * l_word(b + 8), 200, 0));
  @ // CTL-01 to CTL-08
  @ predicate packet_formed(uint8_t *b, integer size, integer side) =
  @   8 <= size && l_packet_version(b) == 1 && packet_known(l_packet_ordinal(b), side) &&
  @   size == l_packet_size(l_packet_ordinal(b)) &&
  @   (packet_answered(l_packet_ordinal(b)) || l_packet_transaction(b) == 0) &&
  @   packet_body(b, l_packet_ordinal(b));
  @
  @ // The packets of a client's connection; side: 0 of the client, 1 of the manager. Their header is
  @ // that of the packets above.
  @ predicate controller_known(integer ordinal, integer side) =
  @   side == 0 ? 0x201 <= ordinal <= 0x20a : 0x241 <= ordinal <= 0x246;
  @ // How many names there are at least and at most, and how long every second one is at least.
  @ logic integer l_controller_least(integer ordinal) =
  @   ordinal == 0x201 ? 1 : ordinal == 0x242 ? 1 : ordinal == 0x243 ? 2 : ordinal == 0x244 ? 1 :
  @   ordinal == 0x245 ? 1 : 0;
  @ logic integer l_controller_places(integer ordinal) =
  @   ordinal == 0x201 ? 101 : ordinal == 0x202 ? 100 : ordinal == 0x203 ? 100 :
  @   ordinal == 0x242 ? 1 : ordinal == 0x243 ? 2 : ordinal == 0x244 ? 1 : ordinal == 0x245 ? 1 : 0;
  @ logic integer l_controller_odd(integer ordinal) = ordinal == 0x243 ? 0 : 1;
  @ // CTL-01
  @ logic integer l_controller_size(integer ordinal) = 80 + 104 * l_controller_places(ordinal);
  @ // CTL-09
  @ logic integer l_controller_number(uint8_t *b, integer n) = l_word(b + 16 + 8 * n);
  @ logic integer l_number_least(integer ordinal, integer n) =
  @   ordinal == 0x202 ? (n == 0 ? 1 : 0) : ordinal == 0x203 ? (n == 0 ? 1 : 0) :
  @   ordinal == 0x244 ? (n == 1 ? 1 : 0) : 0;
  @ logic integer l_number_most(integer ordinal, integer n) =
  @   ordinal == 0x201 ? (n == 0 ? 4096 : 0) :
  @   ordinal == 0x202 ? (n == 0 ? 3 : n == 1 ? 4096 : n == 2 ? 4294967295 : n == 3 ? 1 :
  @                       n == 4 ? 4294967295 : 0) :
  @   ordinal == 0x203 ? (n == 0 ? 3 : 0) :
  @   ordinal == 0x204 ? (n == 0 ? 1 : 0) : ordinal == 0x205 ? (n == 0 ? 1 : 0) :
  @   ordinal == 0x241 ? (n == 0 ? 10 : n == 1 ? 18446744073709551615 : n == 2 ? 4095 : 0) :
  @   ordinal == 0x242 ? (n == 0 ? 4294967295 : n == 1 ? 18446744073709551615 : 0) :
  @   ordinal == 0x244 ? (n == 1 ? 3 : n == 2 ? 4294967295 : n == 4 ? 100 : n == 7 ? 63 :
  @                       18446744073709551615) :
  @   ordinal == 0x246 ? (n == 0 ? 7 : n == 1 ? 3 : n == 2 ? 4294967295 : n == 7 ? 4095 :
  @                       18446744073709551615) : 0;
  @ predicate numbers_formed(uint8_t *b, integer ordinal) =
  @   \forall integer n; 0 <= n < 8 ==>
  @     l_number_least(ordinal, n) <= l_controller_number(b, n) <= l_number_most(ordinal, n);
  @ // CTL-01 to CTL-09
  @ predicate controller_formed(uint8_t *b, integer size, integer side) =
  @   80 <= size && l_packet_version(b) == 1 && controller_known(l_packet_ordinal(b), side) &&
  @   size == l_controller_size(l_packet_ordinal(b)) &&
  @   (l_packet_ordinal(b) == 0x201 ==> l_packet_transaction(b) == 0) &&
  @   numbers_formed(b, l_packet_ordinal(b)) &&
  @   l_controller_least(l_packet_ordinal(b)) <= l_word(b + 8) <=
  @     l_controller_places(l_packet_ordinal(b)) &&
  @   names_at(b + 80, l_word(b + 8), l_controller_places(l_packet_ordinal(b)),
  @            l_controller_odd(l_packet_ordinal(b)));
  @ // A place that holds a text of n bytes, and nothing else.
  @ predicate name_says(uint8_t *p, uint8_t *text, integer n) =
  @   l_name_length(p) == n && p[2] == 0 && p[3] == 0 &&
  @   (\forall integer i; 0 <= i < n ==> p[4 + i] == text[i]) &&
  @   (\forall integer i; 4 + n <= i < 104 ==> p[i] == 0);
  @ // A text that may be a name.
  @ predicate name_given(uint8_t *text, integer n, integer least) =
  @   least <= n <= 100 && (\forall integer i; 0 <= i < n ==> text[i] != 0) &&
  @   utf8_from(text, 0, n);
  @*/

#endif
