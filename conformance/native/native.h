/* The levels of conformance/PROTOCOL.md: bytes in, bytes out, and an exit code. */
#ifndef FXT_CONFORMANCE_NATIVE_H
#define FXT_CONFORMANCE_NATIVE_H

#include <fxt/check.h>

#include "src/convert/out.h"

/* What a level gets and gives. `out` never fails. */
struct job {
    const uint8_t *bytes;
    size_t size;
    enum fxt_edition edition;
    struct fxt_out *out;
};

/* 0: nothing to complain of; 1: something is malformed, or not to be written. */
int level_records(const struct job *job);
int level_events(const struct job *job);
int level_findings(const struct job *job);
int level_exit(const struct job *job);
int level_write(const struct job *job);

#endif
