/* The column of times of fxt dump. */
#ifndef FXT_TOOLS_FXT_WHEN_H
#define FXT_TOOLS_FXT_WHEN_H

#include <fxt/tables.h>

#include "src/convert/out.h"

enum when_from {
    WHEN_START, /* since the first timestamp of the file */
    WHEN_CLOCK, /* as the trace has it */
    WHEN_NOT,   /* no column */
};

struct when {
    enum when_from from;
    bool started;
    uint64_t start; /* ns */
};

/* Prints the record's time in seconds, or as many spaces if it has none. */
void when_print(struct fxt_out *out, struct when *when, const struct fxt_tables *tables,
                const struct fxt_record *record);

/* The spaces alone. */
void when_skip(struct fxt_out *out, const struct when *when);

#endif
