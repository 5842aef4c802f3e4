/* What a record says, apart from how it is written: references are resolved, times are in ns, and a
   provider is known by its name. Strings, threads, tick rates and metadata say nothing by
   themselves. */
#ifndef FXT_TOOLS_FXT_EDIT_MEANING_H
#define FXT_TOOLS_FXT_EDIT_MEANING_H

#include "src/tools/fxt/edit/walk.h"

enum {
    MEANING_WITHOUT_TIMES = 1,
    MEANING_WITHOUT_IDS = 2,
    MEANING_WITHOUT_PROVIDERS = 4,
};

/* A digest of 128 bits: equal for records of equal meaning. */
struct meaning {
    uint64_t a;
    uint64_t b;
};

/* How digests are made. They begin with a random seed, so that nobody can prepare records of equal
   digests; the digest is not a cryptographic one. */
struct meaning_rules {
    struct meaning seed;
    unsigned without; /* the bits above */
};

/* False for a record that says nothing by itself. */
bool meaning_of(struct meaning *meaning, const struct walk *walk, const struct item *item,
                const struct meaning_rules *rules);

/* What a record gives a value that lasts until the next one: the counters of an event, or the
   processor of a context switch. False: another record. */
bool meaning_of_state(struct meaning *meaning, const struct walk *walk, const struct item *item,
                      const struct meaning_rules *rules);

#endif
