/* Texts by number: names of events, categories and tracks, copied out of the trace. */
#ifndef FXT_TOOLS_FXT_REPORT_NAMES_H
#define FXT_TOOLS_FXT_REPORT_NAMES_H

#include <stdbool.h>

#include <fxt/record.h>

#include "src/cli/size.h"
#include "src/timeline/map.h"

#define NAMES_MAX TOOL_SIZE(131072u)
#define NAMES_BYTES TOOL_SIZE(64u << 20)

#define NAME_OTHERS 0u /* stands for every text that found no room */

struct names {
    uint32_t count;
    uint32_t used; /* of bytes */
    bool full;     /* some text found no room */
    uint32_t ends[NAMES_MAX];
    struct map numbers; /* without NAME_OTHERS */
    uint8_t bytes[NAMES_BYTES];
};

/* names: zeroed. */
void names_init(struct names *names);

/* The number of a text, the same for equal texts. */
uint32_t names_add(struct names *names, struct fxt_bytes text);
uint32_t names_add_text(void *names, struct fxt_bytes text); /* for refs_init */

/* Lives as long as `names`. */
struct fxt_bytes names_text(const struct names *names, uint32_t name);

/* A hash of two numbers, of which the low bits are as good as the others. It has no key: only for
   what cannot be slow when hashes are equal, such as colours. */
static inline uint64_t names_hash(uint64_t a, uint64_t b)
{
    uint64_t hash = (a ^ b >> 32) * UINT64_C(0x9e3779b97f4a7c15) + b;
    hash = (hash ^ hash >> 32) * UINT64_C(0xff51afd7ed558ccd);
    return hash ^ hash >> 29;
}

#endif
