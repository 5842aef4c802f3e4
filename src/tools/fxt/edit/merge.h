/* Several traces as one: what fxt merge does to the records of its inputs.

   The inputs follow each other in the output: records need not be in the order of time. Tables,
   tick rates and context switches belong to a provider, so it is enough that no two inputs share a
   provider. An id that an earlier input has taken becomes the smallest free one. Records in front of
   any provider record belong to provider 0, which is introduced by the name of the file.

   The ids of flows are unique in a trace, those of async operations in a process. So that ids of two
   inputs do not meet, no two inputs share the top 16 bits of an id: bits that an earlier input has
   become the smallest free ones. If none are free, ids may meet, and `crowded` says so.

   Koids of two inputs mean the same, unless they are kept apart (systems.h).

   A shift in time is rounded down to ticks of each provider. Only words that change are written
   anew: provider ids, async and flow ids, koids, and, of inputs that are shifted, timestamps and the
   wall-clock times of initialization records. */
#ifndef FXT_TOOLS_FXT_EDIT_MERGE_H
#define FXT_TOOLS_FXT_EDIT_MERGE_H

#include "src/tools/fxt/edit/koids.h"
#include "src/tools/fxt/edit/systems.h"
#include "src/tools/fxt/edit/walk.h"

#define MERGE_PROVIDERS 4096u /* of one input */
#define MERGE_TOPS 65536u     /* values of the top 16 bits of an id */

/* What the top bits of ids become. */
struct merge_top {
    uint64_t trace; /* for which `to` is, from 1 */
    uint64_t to;
};

struct merge {
    struct fxt_out *out;
    bool same_ids;   /* async and flow ids stay */
    bool same_koids; /* koids stay */
    struct systems_koids koids;
    uint64_t trace;    /* counts the traces of all inputs (MET-10), from 0 */
    uint32_t next;     /* no smaller id is free */
    struct map taken;  /* ids of providers in the output */
    uint32_t next_top; /* no smaller top bits are free */
    bool crowded;      /* no top bits were free */
    bool taken_tops[MERGE_TOPS];

    /* Of this input. */
    const char *file;
    uint64_t shift;    /* ns */
    bool is_earlier;   /* the times become smaller */
    bool has_provider; /* one was selected */
    uint64_t rate;     /* for which `ticks` is the shift */
    uint64_t ticks;
    uint32_t count;
    uint32_t from[MERGE_PROVIDERS];
    uint32_t to[MERGE_PROVIDERS];
    struct merge_top tops[MERGE_TOPS];
};

/* Begins an input. merge: zeroed before the first one, but for `out`, `same_ids` and `same_koids`. */
void merge_begin(struct merge *merge, const char *file, int64_t shift);

/* Writes a record of the input. False after a message. */
bool merge_record(struct merge *merge, const struct walk *walk, const struct item *item);

#endif
