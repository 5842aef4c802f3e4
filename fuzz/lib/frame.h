/* Framing once more, written from section 4.4 of the format and not from the reader. */
#ifndef FXT_FUZZ_FRAME_H
#define FXT_FUZZ_FRAME_H

#include <fxt/status.h>

struct fuzz_frame {
    enum fxt_status status; /* FXT_OK: a record of `words` words */
    enum fxt_rule rule;
    uint64_t words;
};

struct fuzz_frame fuzz_frame(const uint8_t *bytes, uint64_t size, uint64_t at);

static inline uint64_t fuzz_word(const uint8_t *bytes)
{
    uint64_t word = 0;
    for (unsigned i = 0; i < 8; i++)
        word |= (uint64_t)bytes[i] << (8 * i);
    return word;
}

#endif
