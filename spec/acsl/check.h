/* The logic of the checker: the blocks of its text memory. Only annotations: the compiler sees
   nothing of it. */
#ifndef FXT_ACSL_CHECK_H
#define FXT_ACSL_CHECK_H

#include "spec/acsl/word.h"

/*@ // The bytes that a text of that length takes in the text memory, with its two words of head.
  @ logic integer l_block(integer length) = 16 + 8 * l_words_of(length);
  @*/

#endif
