/* Text that comes from elsewhere and goes into a record or a packet. */
#ifndef FXT_BASE_UTF8_H
#define FXT_BASE_UTF8_H

#include <stdint.h>

#include "spec/acsl/utf8.h"

/* Replaces each byte that is not part of a character of strict UTF-8 by '?'. Then the text is
   valid (STR-05); if it was, it is the same. */
/*@ requires \valid(bytes + (0 .. size - 1));
  @ terminates \true;
  @ assigns bytes[0 .. size - 1];
  @ ensures kept: \forall integer i; 0 <= i < size ==> bytes[i] == \old(bytes[i]) ||
  @     (bytes[i] == '?' && \old(bytes[i]) > 127);
  @ ensures valid: utf8_from(bytes, 0, size);
  @ ensures same: \old(utf8_from(bytes, 0, size)) ==> \forall integer i; 0 <= i < size ==>
  @     bytes[i] == \old(bytes[i]);
  @*/
void fxt_i_utf8_mend(uint8_t *bytes, uint64_t size);

#endif
