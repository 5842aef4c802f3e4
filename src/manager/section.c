/* An archive's state of one provider: a checker that has seen every record of that provider. Each
   provider has its own checker, so that neither the number of providers nor another provider
   leaves a record unchecked. */
#include "src/manager/section.h"

#include <assert.h>
#include <sys/mman.h>

#define PROVIDERS 2u /* the provider of the section, and provider 0, which always exists */
#define THREADS 64u
#define OPENS 256u
#define ARENA (UINT64_C(64) << 20)
#define ALONE 16u /* threads and opens of one record */
#define ALONE_ARENA (UINT64_C(64) << 10)

struct memory {
    struct fxt_checker checker;
    struct fxt_checker alone;
    struct fxt_provider providers[PROVIDERS];
    uint32_t provider_ids[PROVIDERS];
    struct fxt_check_thread threads[THREADS];
    struct fxt_check_open opens[OPENS];
    uint8_t arena[ARENA];
    struct fxt_provider alone_provider;
    uint32_t alone_id;
    struct fxt_check_thread alone_threads[ALONE];
    struct fxt_check_open alone_opens[ALONE];
    uint8_t alone_arena[ALONE_ARENA];
};

/* Most of the memory is never touched. */
bool fxt_i_section_begin(struct fxt_i_section *section)
{
    if (section->memory != NULL)
        return true;
    struct memory *all = mmap(NULL, sizeof *all, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED)
        return false;
    const struct fxt_check_memory memory = {
        .tables = {.providers = all->providers,
                   .provider_ids = all->provider_ids,
                   .arena = all->arena,
                   .provider_max = PROVIDERS,
                   .arena_size = ARENA},
        .threads = all->threads,
        .opens = all->opens,
        .thread_max = THREADS,
        .open_max = OPENS,
    };
    section->memory = all;
    section->checker = &all->checker;
    section->alone = &all->alone;
    fxt_check_init(section->checker, &memory, FXT_EDITION_CURRENT);
    return true;
}

/* A checker whose tables are full no longer judges references. Matching begins and ends does not
   matter here, so its tables of them are cleared. */
static void forget_pairs(struct fxt_checker *checker)
{
    checker->generation++;
    checker->thread_count = 0;
    checker->last_thread = 0;
    checker->open_count = 0;
    checker->last_open = 0;
    checker->full = 0;
}

uint32_t fxt_i_section_check(struct fxt_i_section *section, const struct fxt_record *record)
{
    assert(section->memory != NULL);
    struct fxt_checker *checker = section->checker;
    uint32_t count = fxt_check_record(checker, record);

    if (checker->full == 0)
        return count;
    forget_pairs(checker);
    count = fxt_check_record(checker, record);
    bool full = checker->full != 0; /* then the texts of strings found no room */
    checker->full = 0;
    return full ? FXT_FINDINGS_MAX + 1 : count;
}

uint32_t fxt_i_section_check_alone(struct fxt_i_section *section, const struct fxt_record *record)
{
    struct memory *all = section->memory;

    assert(all != NULL);
    const struct fxt_check_memory memory = {
        .tables = {.providers = &all->alone_provider,
                   .provider_ids = &all->alone_id,
                   .arena = all->alone_arena,
                   .provider_max = 1,
                   .arena_size = ALONE_ARENA},
        .threads = all->alone_threads,
        .opens = all->alone_opens,
        .thread_max = ALONE,
        .open_max = ALONE,
    };
    fxt_check_init(section->alone, &memory, FXT_EDITION_CURRENT);
    return fxt_check_record(section->alone, record);
}

void fxt_i_section_end(struct fxt_i_section *section)
{
    if (section->memory != NULL)
        munmap(section->memory, sizeof(struct memory));
    section->checker = NULL;
    section->alone = NULL;
    section->memory = NULL;
}
