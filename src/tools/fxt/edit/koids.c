/* Koids. The value of one in the map is the number of those before it. */
#include "src/tools/fxt/edit/koids.h"

bool koids_have(const struct map *koids, uint64_t trace, uint64_t koid)
{
    return map_find(koids, trace, koid, 0) != NULL;
}

bool koids_add(struct map *koids, uint64_t trace, uint64_t koid)
{
    uint32_t *number = map_add(koids, KOIDS_MAX, trace, koid, 0);
    if (number != NULL && *number == MAP_NEW)
        *number = koids->count - 1;
    return number != NULL;
}

bool koids_add_thread(struct map *threads, uint64_t trace, uint64_t process, uint64_t koid)
{
    return map_add(threads, KOIDS_MAX, trace, koid, process) != NULL;
}

void koids_remove_thread(struct map *threads, uint64_t trace, uint64_t process, uint64_t koid)
{
    uint32_t *value = map_find(threads, trace, koid, process);
    if (value != NULL)
        map_remove(threads, value);
}

bool koids_have_thread(const struct map *threads, uint64_t trace, uint64_t process, uint64_t koid)
{
    return map_find(threads, trace, koid, process) != NULL ||
           map_find(threads, trace, koid, 0) != NULL;
}

bool koids_set_process(struct koids_processes *processes, uint64_t trace, uint64_t thread,
                       uint64_t process)
{
    if (thread == 0 || process == 0 || koids_have(&processes->threads, trace, thread))
        return true;
    if (!koids_add(&processes->threads, trace, thread))
        return false;
    processes->of[processes->threads.count - 1] = process;
    return true;
}

uint64_t koids_process(const struct koids_processes *processes, uint64_t trace, uint64_t thread)
{
    const uint32_t *number = map_find(&processes->threads, trace, thread, 0);
    return number != NULL ? processes->of[*number] : 0;
}
