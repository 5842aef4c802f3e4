/* See judge.h. No state. */
#include "fuzz/lib/judge.h"

void fuzz_judge_begin(struct fuzz_judge *judge, uint32_t providers)
{
    const struct fxt_check_memory memory = {.tables = {.providers = judge->providers,
                                                       .provider_ids = judge->ids,
                                                       .arena = judge->arena,
                                                       .provider_max = providers,
                                                       .arena_size = sizeof judge->arena},
                                            .threads = judge->threads,
                                            .opens = judge->opens,
                                            .thread_max = 1024,
                                            .open_max = 1024};
    fxt_check_init(&judge->checker, &memory, FXT_EDITION_CURRENT);
}

bool fuzz_judge_is_good(struct fuzz_judge *judge, const struct fxt_record *record)
{
    const struct fxt_checker *checker = &judge->checker;
    uint32_t count = fxt_check_record(&judge->checker, record);
    bool good = count <= FXT_FINDINGS_MAX;
    for (uint32_t i = 0; good && i < count; i++) {
        enum fxt_rule rule = checker->findings[i].rule;
        good = fxt_rule_class(rule) < FXT_NONCONFORMING && rule != FXT_RULE_STR_02 &&
               rule != FXT_RULE_THR_02;
    }
    return good;
}
