/* A checker of the oracles' own, with memory for any input: what a manager may put into an archive. */
#ifndef FXT_FUZZ_JUDGE_H
#define FXT_FUZZ_JUDGE_H

#include <fxt/check.h>

#define FUZZ_JUDGE_PROVIDERS 18

struct fuzz_judge {
    struct fxt_checker checker;
    struct fxt_provider providers[FUZZ_JUDGE_PROVIDERS];
    uint32_t ids[FUZZ_JUDGE_PROVIDERS];
    struct fxt_check_thread threads[1024];
    struct fxt_check_open opens[1024];
    uint8_t arena[1 << 19];
};

/* `providers` is at most FUZZ_JUDGE_PROVIDERS; provider 0 counts. */
void fuzz_judge_begin(struct fuzz_judge *judge, uint32_t providers);

/* Checks the next record: nothing nonconforming, and no reference that dangles. */
bool fuzz_judge_is_good(struct fuzz_judge *judge, const struct fxt_record *record);

#endif
