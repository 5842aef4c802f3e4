/* Providers, processes, threads and their lanes. A thread is identified by its koid and that of its
   process within a trace, whichever provider names it. The library's tables keep, with each
   registered thread, 1 + the number of its lane. */
#include <stdio.h>

#include "src/timeline/importer.h"

uint32_t import_provider(struct importer *importer)
{
    const struct fxt_provider *provider = fxt_tables_provider(&importer->refs.tables);
    struct known_provider *known =
        &importer->providers[importer->refs.tables.current % TOOL_PROVIDERS];
    if (known->generation != provider->generation) {
        struct provider_row *row = array_add(&importer->timeline->providers);
        *row = (struct provider_row){
            .provider_id = provider->id, .name = ROW_NONE, .trace = importer->trace};
        *known =
            (struct known_provider){provider->generation, importer->timeline->providers.count - 1};
    }
    return known->row;
}

uint32_t import_process(struct importer *importer, uint64_t koid)
{
    struct timeline *timeline = importer->timeline;
    uint32_t *row = import_row(importer, &importer->processes, importer->trace, koid, 0);
    if (*row == ROW_NONE) {
        *row = timeline->processes.count;
        *(struct process_row *)array_add(&timeline->processes) =
            (struct process_row){koid, ROW_NONE, importer->trace};
    }
    return *row;
}

/* A thread whose process was not known so far gets it, and is returned. */
static uint32_t known_by_koid(struct importer *importer, const struct thread_row *wanted)
{
    uint32_t known = import_known(importer, wanted->trace, wanted->koid);
    if (known == ROW_NONE || threads_at(importer->timeline, known)->process != ROW_NONE)
        return ROW_NONE;
    threads_at(importer->timeline, known)->process = wanted->process;
    return known;
}

/* The thread of this key; a new one is `wanted`. */
static uint32_t find_thread(struct importer *importer, const struct thread_row *wanted,
                            uint64_t key)
{
    struct timeline *timeline = importer->timeline;
    uint32_t *row = import_row(importer, &importer->threads, wanted->process, wanted->koid, key);
    if (*row != ROW_NONE)
        return *row;
    if (wanted->ref == 0)
        *row = known_by_koid(importer, wanted);
    if (*row == ROW_NONE) {
        *row = timeline->threads.count;
        *(struct thread_row *)array_add(&timeline->threads) = *wanted;
    }
    if (wanted->ref == 0) {
        uint32_t *known = import_row(importer, &importer->koids, wanted->trace, wanted->koid, 0);
        if (*known == ROW_NONE)
            *known = *row;
    }
    return *row;
}

uint32_t import_thread_of_koids(struct importer *importer, uint64_t process, uint64_t koid)
{
    const struct thread_row wanted = {.koid = koid,
                                      .process = import_process(importer, process),
                                      .name = ROW_NONE,
                                      .track = ROW_NONE,
                                      .trace = importer->trace};
    return find_thread(importer, &wanted, importer->trace);
}

uint32_t import_thread_of_koid(struct importer *importer, uint32_t trace, uint64_t koid)
{
    uint32_t known = import_known(importer, trace, koid);
    const struct thread_row wanted = {
        .koid = koid, .process = ROW_NONE, .name = ROW_NONE, .track = ROW_NONE, .trace = trace};
    return known != ROW_NONE ? known : find_thread(importer, &wanted, trace);
}

/* A thread ref that is not registered has a thread of its own. */
static uint32_t unknown_thread(struct importer *importer, uint16_t ref)
{
    char name[32];
    uint64_t key = (uint64_t)1 << 63 | (uint64_t)import_provider(importer) << 16 | ref;
    sprintf(name, "thread ref %u", (unsigned)ref);
    const struct thread_row wanted = {.process = ROW_NONE,
                                      .name = texts_add_plain(&importer->timeline->texts, name),
                                      .track = ROW_NONE,
                                      .trace = importer->trace,
                                      .ref = ref};
    return find_thread(importer, &wanted, key);
}

uint32_t import_thread(struct importer *importer, struct fxt_thread_ref ref)
{
    struct fxt_thread_ref koids = ref;
    if (ref.ref == 0 || fxt_tables_thread(&importer->refs.tables, &koids, ref))
        return import_thread_of_koids(importer, koids.process, koids.thread);
    return unknown_thread(importer, ref.ref);
}

struct lane_row *import_lane(struct importer *importer, struct fxt_thread_ref ref)
{
    struct fxt_provider *provider = &importer->refs.tables.providers[importer->refs.tables.current];
    struct fxt_thread_slot *slot = NULL;
    if (ref.ref > 0 && provider->threads[ref.ref].generation == provider->generation)
        slot = &provider->threads[ref.ref];
    if (slot != NULL && slot->cookie != 0)
        return array_at(&importer->lanes, slot->cookie - 1);
    uint32_t thread = import_thread(importer, ref);
    uint32_t *lane =
        import_row(importer, &importer->lane_map, import_provider(importer), thread, 0);
    if (*lane == ROW_NONE) {
        *lane = importer->lanes.count;
        *(struct lane_row *)array_add(&importer->lanes) =
            (struct lane_row){thread, pairing_of_none(ROW_NONE)};
    }
    if (slot != NULL)
        slot->cookie = *lane + 1;
    return array_at(&importer->lanes, *lane < importer->lanes.count ? *lane : 0);
}

void finish_threads(struct importer *importer)
{
    for (uint32_t i = 0; i < importer->timeline->threads.count; i++) {
        struct thread_row *row = threads_at(importer->timeline, i);
        const uint32_t *name = map_find(&importer->koid_names, row->trace, row->koid, 0);
        if (row->name == ROW_NONE && row->ref == 0 && name != NULL)
            row->name = *name;
    }
}
