/* Memory of the tables: mapped once, never released. Commands request it for each file and get
   the same addresses with fresh zero pages, so that no file sees data of another. */
#include "src/cli/memory.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "src/cli/message.h"

void *memory_zeroed(size_t size)
{
    void *bytes = mmap(NULL, size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (bytes == MAP_FAILED) {
        message("cannot map %zu MiB of memory, most of which is never used: %s; raise ulimit -v",
                (size >> 20) + 1, strerror(errno));
        return NULL;
    }
    return bytes;
}

struct all {
    struct fxt_provider providers[TOOL_PROVIDERS];
    struct fxt_object objects[TOOL_OBJECTS];
    struct fxt_check_thread threads[TOOL_THREADS];
    struct fxt_check_open opens[TOOL_OPENS];
    uint32_t provider_ids[TOOL_PROVIDERS];
    uint8_t arena[TOOL_ARENA_BYTES];
};

static void lay_out(struct fxt_check_memory *memory, struct all *all)
{
    *memory = (struct fxt_check_memory){
        .tables = {.providers = all->providers,
                   .provider_ids = all->provider_ids,
                   .objects = all->objects,
                   .arena = all->arena,
                   .provider_max = TOOL_PROVIDERS,
                   .object_max = TOOL_OBJECTS,
                   .arena_size = TOOL_ARENA_BYTES,
                   .zeroed = 1},
        .threads = all->threads,
        .opens = all->opens,
        .thread_max = TOOL_THREADS,
        .open_max = TOOL_OPENS,
    };
}

static bool get(struct fxt_check_memory *memory, struct all **all)
{
    if (*all == NULL)
        *all = memory_zeroed(sizeof **all);
    else if (madvise(*all, sizeof **all, MADV_DONTNEED) != 0)
        memset(*all, 0, sizeof **all);
    if (*all == NULL)
        return false;
    lay_out(memory, *all);
    return true;
}

bool memory_get(struct fxt_check_memory *memory)
{
    static struct all *all;
    return get(memory, &all);
}

bool memory_get_second(struct fxt_check_memory *memory)
{
    static struct all *all;
    return get(memory, &all);
}

void memory_report_full(const char *file, bool *told, enum fxt_status status)
{
    if (status != FXT_FULL || *told)
        return;
    *told = true;
    message(
        "%s: the trace has more strings, objects or providers than the tables hold: from here on "
        "some references are not resolved",
        file);
}
