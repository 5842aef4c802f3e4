/* Text in a record. A program may pass any bytes, but text in a record must be UTF-8 (STR-05). The
   copy in the record is mended before it is published; the program's bytes do not change. */
#ifndef FXT_ENGINE_TEXT_H
#define FXT_ENGINE_TEXT_H

#include <fxt/record.h>

#include "src/base/utf8.h"
#include "src/engine/engine.h"

/* Mends a string that lies at `at` if it is inline. Returns the place after it. */
static inline uint8_t *fxt_i_mend_string(uint8_t *at, uint32_t ref)
{
    fxt_i_utf8_mend(at, fxt_i_inline_length(ref));
    return at + fxt_i_padded(fxt_i_inline_length(ref));
}

#endif
