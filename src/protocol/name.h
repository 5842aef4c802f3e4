/* The places of names in packets: spec/system.md, section 3. Pure and thread-safe; any bytes may be
   read. */
#ifndef FXT_PROTOCOL_NAME_H
#define FXT_PROTOCOL_NAME_H

#include <fxt/record.h>

#include "spec/acsl/control.h"

#define FXT_I_NAME_MAX 100   /* bytes of a name */
#define FXT_I_NAME_PLACE 104 /* bytes that its place takes */

/*@ // Names that their places can hold.
  @ predicate names_fit(struct fxt_bytes *names, integer n) =
  @   \forall integer i; 0 <= i < n ==> names[i].size <= 100;
  @*/

/* The rule that the places break, or FXT_RULE_NONE. The first `used` places must hold names, in odd
   places of at least `odd` bytes; the other places must be zeros. Implements CTL-04, CTL-05 and
   CTL-08. */
/*@ requires \valid_read(p + (0 .. 104 * places - 1)) && places <= 200 && used <= places;
  @ requires odd <= 1;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures rule: \result \in {FXT_RULE_NONE, FXT_RULE_CTL_04, FXT_RULE_CTL_05, FXT_RULE_CTL_08};
  @ ensures formed: \result == FXT_RULE_NONE <==> names_at(p, used, places, odd);
  @ ensures first: \result == FXT_RULE_NONE && used > 0 ==> name_at(p, 1);
  @*/
enum fxt_rule fxt_i_names_broken(const uint8_t *p, uint32_t used, uint32_t places, uint32_t odd);

/* The name in a place, counted from 0. The result points into the packet. */
/*@ requires place < 200 && \valid_read(names + (104 * place .. 104 * place + 103));
  @ requires l_name_length(names + 104 * place) <= 100;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result.bytes == names + 104 * place + 4;
  @ ensures \result.size == l_name_length(names + 104 * place);
  @*/
struct fxt_bytes fxt_i_packet_name(const uint8_t *names, uint32_t place);

/* Writes names into their places, and zeros into the others. False if a name is too long. Does not
   check the characters. */
/*@ requires used <= places <= 200 && \valid(p + (0 .. 104 * places - 1));
  @ requires used > 0 ==> \valid_read(names + (0 .. used - 1));
  @ requires used > 0 ==> \separated(p + (0 .. 104 * places - 1), names + (0 .. used - 1));
  @ requires \forall integer i; 0 <= i < used ==> readable(names[i].bytes, names[i].size) &&
  @     (names[i].size > 0 ==>
  @       \separated(p + (0 .. 104 * places - 1), names[i].bytes + (0 .. names[i].size - 1)));
  @ terminates \true;
  @ assigns p[0 .. 104 * places - 1];
  @ ensures fit: \result == true <==> names_fit(names, used);
  @ ensures names: \result == true ==>
  @     \forall integer i; 0 <= i < used ==> name_says(p + 104 * i, names[i].bytes, names[i].size);
  @ ensures zeros: \result == true ==>
  @     \forall integer i; used <= i < places ==> empty_place(p, i);
  @*/
bool fxt_i_names_put(uint8_t *p, const struct fxt_bytes *names, uint32_t used, uint32_t places);

#endif
