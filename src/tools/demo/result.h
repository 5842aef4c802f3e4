/* What becomes of the trace: its check, its conversion. */
#ifndef FXT_TOOLS_DEMO_RESULT_H
#define FXT_TOOLS_DEMO_RESULT_H

#include <stdbool.h>
#include <stdint.h>

struct archive {
    uint8_t *bytes;
    uint64_t size;
};

struct contents {
    uint64_t records;
    uint64_t events;
    uint64_t flows;
    uint64_t threads;
    uint64_t findings;
    uint64_t ticks_per_second;
    uint64_t first; /* ticks of events */
    uint64_t last;
};

/* All functions that return false have said why on stderr. */

bool result_load(struct archive *archive, const char *path);
/* Reads the archive back; a finding is printed and counted. open_max: asyncs and flows that are
   expected at most. */
bool result_check(struct contents *contents, const struct archive *archive, uint64_t open_max);

/* *events: how many the JSON has. */
bool result_save_json(uint64_t *events, const char *path, const struct archive *archive);

#endif
