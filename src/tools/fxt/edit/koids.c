/* Koids, in a table with open addressing that is never more than half full. */
#include "src/tools/fxt/edit/koids.h"

/* The slot of the koid, or the free one where it belongs. */
static uint32_t find(const struct koids *koids, uint64_t koid)
{
    uint32_t at = (uint32_t)(koid * UINT64_C(0x9e3779b97f4a7c15) >> 40) % KOIDS_SLOTS;
    while (koids->it[at] != 0 && koids->it[at] != koid)
        at = (at + 1) % KOIDS_SLOTS;
    return at;
}

bool koids_have(const struct koids *koids, uint64_t koid)
{
    return koid == 0 ? koids->has_zero : koids->it[find(koids, koid)] == koid;
}

bool koids_add(struct koids *koids, uint64_t koid)
{
    if (koids_have(koids, koid))
        return true;
    if (koid == 0) {
        koids->has_zero = true;
        return true;
    }
    if (koids->count == KOIDS_SLOTS / 2)
        return false;
    koids->it[find(koids, koid)] = koid;
    koids->count++;
    return true;
}

bool koids_set_process(struct koids_processes *processes, uint64_t thread, uint64_t process)
{
    if (thread == 0 || process == 0 || koids_have(&processes->threads, thread))
        return true;
    if (!koids_add(&processes->threads, thread))
        return false;
    processes->of[find(&processes->threads, thread)] = process;
    return true;
}

uint64_t koids_process(const struct koids_processes *processes, uint64_t thread)
{
    return processes->of[find(&processes->threads, thread)];
}
