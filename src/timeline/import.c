/* Records to rows. struct importer is the whole state beside the timeline, mapped once: what a trace
   does not use takes no memory. */
#include "src/timeline/timeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "src/timeline/importer.h"

static uint32_t add_text(void *texts, struct fxt_bytes text)
{
    return texts_add(texts, text);
}

static void end_trace(struct importer *importer)
{
    struct refs *refs = &importer->refs;
    *(struct bounds_row *)array_add(&importer->timeline->traces) =
        (struct bounds_row){import_clamp(refs->first), import_clamp(refs->last)};
    refs->first = UINT64_MAX;
    refs->last = 0;
}

void import_record(struct importer *importer, const struct fxt_record *record)
{
    union fxt_convert_any fields;
    struct fxt_arg args[FXT_ARGS_MAX];
    struct fxt_error error;
    enum fxt_kind kind = fxt_kind_of(record);
    enum fxt_status status = kind == FXT_KIND_EVENT
                                 ? fxt_read_event_args(record, &fields.event, args, &error)
                                 : fxt_kind_decode(kind, record, &fields, &error);
    if (status != FXT_OK) {
        importer->notes.malformed++;
        return;
    }
    if (kind == FXT_KIND_EVENT) {
        import_event(importer, &fields.event, args, record->offset);
        return;
    }
    if (kind == FXT_KIND_MAGIC && record->offset > 0) {
        end_trace(importer);
        importer->trace++;
    }
    refs_apply(&importer->refs, record);
    import_other(importer, kind, &fields, record->offset);
}

bool import_failed(const struct importer *importer)
{
    return timeline_failed(importer->timeline) || importer->lanes.failed ||
           importer->asyncs.failed || importer->switches.failed || importer->failed;
}

bool import_end(struct importer *importer, uint64_t bytes)
{
    if (import_failed(importer))
        return false;
    end_trace(importer);
    map_clear(&importer->counter_map); /* large, if there are many counters */
    finish_threads(importer);
    finish_durations(importer);
    bool good = finish_asyncs(importer) && finish_slices(importer) && finish_scheduling(importer);
    if (good)
        finish_stats(importer, bytes);
    return good && !import_failed(importer);
}

static bool init(struct importer *importer)
{
    if (!refs_init(&importer->refs, add_text, &importer->timeline->texts))
        return false;
    importer->trace = 1;
    struct process_row *process = array_add(&importer->timeline->processes);
    *process = (struct process_row){.name = ROW_NONE, .trace = 0};
    struct thread_row *thread = array_add(&importer->timeline->threads);
    *thread = (struct thread_row){
        .process = PROCESS_IDLE, .name = ROW_NONE, .track = ROW_NONE, .trace = 0};
    return array_init(&importer->lanes, sizeof(struct lane_row)) &&
           array_init(&importer->asyncs, sizeof(struct id_event_row)) &&
           array_init(&importer->switches, sizeof(struct switch_row));
}

struct importer *import_new(struct timeline *timeline)
{
    struct importer *importer = memory_zeroed(sizeof *importer);
    if (importer == NULL)
        return NULL;
    importer->timeline = timeline;
    if (init(importer))
        return importer;
    import_free(importer);
    return NULL;
}

void import_free(struct importer *importer)
{
    if (importer == NULL)
        return;
    map_clear(&importer->processes);
    map_clear(&importer->threads);
    map_clear(&importer->koids);
    map_clear(&importer->koid_names);
    map_clear(&importer->lane_map);
    map_clear(&importer->asyncs_map);
    map_clear(&importer->counter_map);
    array_free(&importer->lanes);
    array_free(&importer->asyncs);
    array_free(&importer->switches);
    munmap(importer, sizeof *importer);
}
