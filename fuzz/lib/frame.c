/* The loop of section 4.4, one turn of it. No state. */
#include "fuzz/lib/frame.h"

static struct fuzz_frame refuse(enum fxt_status status, enum fxt_rule rule)
{
    struct fuzz_frame frame = {status, rule, 0};
    return frame;
}

struct fuzz_frame fuzz_frame(const uint8_t *bytes, uint64_t size, uint64_t at)
{
    uint64_t left = size - at;
    if (left == 0)
        return refuse(FXT_END, FXT_RULE_NONE);
    if (left < 8)
        return refuse(FXT_TRUNCATED, FXT_RULE_REC_01);
    uint64_t header = fuzz_word(bytes + at);
    if (at == 0 && header == UINT64_C(0x1000044678541600))
        return refuse(FXT_BYTE_ORDER, FXT_RULE_REC_10);
    if (header == 0)
        return refuse(FXT_ZERO_WORD, FXT_RULE_REC_09);
    uint64_t words =
        header % 16 == 15 ? header >> 4 & UINT64_C(0xffffffff) : header >> 4 & UINT64_C(0xfff);
    if (words == 0)
        return refuse(FXT_ZERO_SIZE, FXT_RULE_REC_02);
    if (words > left / 8)
        return refuse(FXT_TRUNCATED, FXT_RULE_REC_03);
    struct fuzz_frame frame = {FXT_OK, FXT_RULE_NONE, words};
    return frame;
}
