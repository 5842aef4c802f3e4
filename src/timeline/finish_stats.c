/* What is odd about the trace or left out of the timeline, as rows of `stats`; and `metadata`. */
#include "src/timeline/importer.h"

static void add_stat(struct importer *importer, const char *name, uint32_t idx,
                     const char *severity, uint64_t value, const char *description)
{
    struct texts *texts = &importer->timeline->texts;
    const struct stat_row row = {
        .name = texts_add_plain(texts, name),
        .idx = idx,
        .severity = texts_add_plain(texts, severity),
        .description = texts_add_plain(texts, description),
        .value = value,
    };
    *(struct stat_row *)array_add(&importer->timeline->stats) = row;
}

static void add_metadata(struct importer *importer, const char *name, const char *text,
                         uint64_t number)
{
    struct texts *texts = &importer->timeline->texts;
    const struct metadata_row row = {texts_add_plain(texts, name),
                                     text != NULL ? texts_add_plain(texts, text) : ROW_NONE,
                                     number};
    *(struct metadata_row *)array_add(&importer->timeline->metadata) = row;
}

static uint64_t count_unfinished(const struct timeline *timeline)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < timeline->slices.count; i++)
        count += slices_at(timeline, i)->dur == DUR_NONE;
    return count;
}

static uint64_t count_unbound(const struct timeline *timeline)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < timeline->flow_events.count; i++)
        count += flow_events_at(timeline, i)->slice == ROW_NONE;
    return count;
}

static void add_stats_of_providers(struct importer *importer)
{
    const struct timeline *timeline = importer->timeline;
    for (uint32_t i = 0; i < timeline->providers.count; i++)
        if (providers_at(timeline, i)->full_events > 0)
            add_stat(importer, "fxt_buffer_full", providers_at(timeline, i)->provider_id,
                     "data_loss", providers_at(timeline, i)->full_events,
                     "times that the buffer of provider idx was full");
}

/* From the first time to the last one; at least 1 ns, as in Perfetto, for queries that divide. */
static void add_bounds(struct importer *importer)
{
    struct timeline *timeline = importer->timeline;
    uint64_t start = INT64_MAX;
    uint64_t end = 0;
    for (uint32_t i = 0; i < timeline->traces.count; i++) {
        const struct bounds_row *trace = traces_at(timeline, i);
        start = trace->start < start ? trace->start : start;
        end = trace->end > end ? trace->end : end;
    }
    *(struct bounds_row *)array_add(&timeline->bounds) =
        (struct bounds_row){start <= end ? start : 0, import_clamp(end + (start == end))};
}

void finish_stats(struct importer *importer, uint64_t bytes)
{
    const struct import_notes *notes = &importer->notes;
    const struct timeline *timeline = importer->timeline;
    add_stat(importer, "fxt_malformed", ROW_NONE, "error", notes->malformed,
             "places that cannot be decoded; fxt check lists them");
    add_stat(importer, "fxt_tables_full", ROW_NONE, "error", importer->refs.tables_full,
             "1: the trace has more strings, objects or providers than fxt holds");
    add_stat(importer, "fxt_unknown", ROW_NONE, "info", notes->unknown,
             "records and events of types that the format does not define");
    add_stat(importer, "fxt_profiler", ROW_NONE, "info", notes->profiler,
             "profiler records, which are in no table");
    add_stat(importer, "fxt_late_times", ROW_NONE, "error", importer->refs.late_times,
             "times above 2^63 - 1 ns, shown as 2^63 - 1");
    add_stat(importer, "fxt_stray", ROW_NONE, "info", timeline->strays.count, "rows of fxt_stray");
    add_stat(importer, "fxt_unfinished", ROW_NONE, "info", count_unfinished(timeline),
             "slices with dur -1");
    add_stat(importer, "fxt_crossed", ROW_NONE, "info", notes->crossed,
             "ends of durations that name another event than the begin that they close");
    add_stat(importer, "fxt_flow_without_slice", ROW_NONE, "info", count_unbound(timeline),
             "flow events that no slice encloses");
    add_stat(importer, "fxt_counter_without_value", ROW_NONE, "info", notes->valueless,
             "counter events without a number, in fxt_stray");
    add_stats_of_providers(importer);
    add_bounds(importer);
    add_metadata(importer, "trace_type", "fuchsia", 0);
    add_metadata(importer, "trace_size_bytes", NULL, bytes);
}
