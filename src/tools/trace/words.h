/* Numbers in readable form. */
#ifndef FXT_TOOLS_TRACE_WORDS_H
#define FXT_TOOLS_TRACE_WORDS_H

#include <stdint.h>
#include <stdio.h>

#define WORDS_SIZE 24

/* "980 bytes", "1.2 MB" */
static inline void words_bytes(char out[WORDS_SIZE], uint64_t bytes)
{
    if (bytes < 1000)
        snprintf(out, WORDS_SIZE, "%u bytes", (unsigned)bytes);
    else if (bytes < 1000000)
        snprintf(out, WORDS_SIZE, "%.1f kB", (double)bytes / 1e3);
    else if (bytes < 1000000000)
        snprintf(out, WORDS_SIZE, "%.1f MB", (double)bytes / 1e6);
    else
        snprintf(out, WORDS_SIZE, "%.2f GB", (double)bytes / 1e9);
}

#endif
