/* Mistakes of writers that break a rule in one record after the other: one line says more than all findings. */
#ifndef FXT_CLI_HINT_H
#define FXT_CLI_HINT_H

#include <fxt/record.h>

enum hint {
    HINT_NONE,
    HINT_COUNTER_ID,
    HINT_BLOB_SIZE,
    HINT_STRING_INDEX,
    HINT_THREAD_INDEX,
    HINT_COUNT,
};

/* The mistake that a record with findings looks like. */
enum hint hint_of(const struct fxt_record *record);

const char *hint_text(enum hint hint);

#endif
