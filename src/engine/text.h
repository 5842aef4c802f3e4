/* Text in a record. A program may pass any bytes, but text in a record must be UTF-8 (STR-05). The
   copy in the record is mended before it is published; the program's bytes do not change. */
#ifndef FXT_ENGINE_TEXT_H
#define FXT_ENGINE_TEXT_H

#include <fxt/record.h>

#include "src/base/utf8.h"
#include "src/engine/engine.h"

static inline uint64_t fxt_i_inline_length(uint32_t ref)
{
    return (ref & TRACE_ENCODED_STRING_REF_INLINE_FLAG) != 0
               ? ref & TRACE_ENCODED_STRING_REF_LENGTH_MASK
               : 0;
}

/* Mends a string that lies at `at` if it is inline. Returns the place after it. */
static inline uint8_t *fxt_i_mend_string(uint8_t *at, uint32_t ref)
{
    fxt_i_utf8_mend(at, fxt_i_inline_length(ref));
    return at + fxt_i_padded(fxt_i_inline_length(ref));
}

/* The same for whole words, with their padding; fast where all is ASCII. */
static inline void fxt_i_mend_words(uint64_t *p, uint64_t words)
{
    uint64_t all = 0;
    for (uint64_t i = 0; i < words; i++)
        all |= p[i];
    if (__builtin_expect((all & UINT64_C(0x8080808080808080)) != 0, 0))
        fxt_i_utf8_mend((uint8_t *)p, 8 * words);
}

#endif
