/* Koids, in a table with open addressing that is never more than half full. Its hash begins with a
   random seed, so that nobody can prepare koids that collide. */
#include "src/tools/fxt/edit/koids.h"

#include <unistd.h>

static uint64_t hash(uint64_t seed, uint64_t trace, uint64_t koid)
{
    uint64_t mixed = (seed ^ koid) * UINT64_C(0x9e3779b97f4a7c15);
    mixed = (mixed ^ mixed >> 32 ^ trace) * UINT64_C(0xff51afd7ed558ccd);
    return mixed ^ mixed >> 29;
}

/* The slot of the koid, or the free one where it belongs. */
static uint32_t find(const struct koids *koids, uint64_t trace, uint64_t koid)
{
    uint32_t at = (uint32_t)hash(koids->seed, trace, koid) % KOIDS_SLOTS;
    while (koids->it[at].trace != 0 &&
           (koids->it[at].trace != trace + 1 || koids->it[at].koid != koid))
        at = (at + 1) % KOIDS_SLOTS;
    return at;
}

bool koids_have(const struct koids *koids, uint64_t trace, uint64_t koid)
{
    return koids->it[find(koids, trace, koid)].trace != 0;
}

bool koids_add(struct koids *koids, uint64_t trace, uint64_t koid)
{
    if (koids->count == 0 && getentropy(&koids->seed, sizeof koids->seed) != 0)
        koids->seed = 1;
    if (koids_have(koids, trace, koid))
        return true;
    if (koids->count == KOIDS_SLOTS / 2)
        return false;
    koids->it[find(koids, trace, koid)] = (struct koids_entry){koid, trace + 1};
    koids->count++;
    return true;
}

bool koids_set_process(struct koids_processes *processes, uint64_t trace, uint64_t thread,
                       uint64_t process)
{
    if (thread == 0 || process == 0 || koids_have(&processes->threads, trace, thread))
        return true;
    if (!koids_add(&processes->threads, trace, thread))
        return false;
    processes->of[find(&processes->threads, trace, thread)] = process;
    return true;
}

uint64_t koids_process(const struct koids_processes *processes, uint64_t trace, uint64_t thread)
{
    return processes->of[find(&processes->threads, trace, thread)];
}
