/* Asyncs and flows once more (EVT-06, EVT-07), of traces with ticks of a nanosecond. */
#ifndef FXT_FUZZ_PAIRS_H
#define FXT_FUZZ_PAIRS_H

#include <fxt/read.h>
#include <fxt/tables.h>

#define FUZZ_PAIRS_MAX 256

struct fuzz_pair {
    uint64_t id;
    struct fxt_thread_ref thread; /* of the first event */
    uint64_t begins, ends;
    uint64_t first, first_begin; /* times */
    uint64_t last, last_end;
    bool flow;
    bool mixed; /* an async of several threads */
};

struct fuzz_pairs {
    size_t count;
    bool unknown;                               /* too many, or other ticks: nothing can be said */
    unsigned threads[FXT_THREAD_INDEX_MAX + 1]; /* how often each index was registered */
    struct fuzz_pair all[FUZZ_PAIRS_MAX];
};

void fuzz_pairs_take(struct fuzz_pairs *pairs, const struct fxt_record *record);

/* Whether its process is one and known, or does not matter. */
bool fuzz_pair_is_known(const struct fuzz_pairs *pairs, const struct fuzz_pair *pair);

/* Whether the rule is broken: as many begins as ends, at least one, and nothing before or after. */
bool fuzz_pair_is_broken(const struct fuzz_pair *pair);

#endif
