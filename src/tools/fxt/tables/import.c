/* Records to rows: reads the file and passes each record on. struct importer is the whole state
   beside the tables, mapped once: what a trace does not use takes no memory. */
#include "src/tools/fxt/tables/import.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "src/cli/stream.h"
#include "src/tools/fxt/tables/importer.h"

static uint32_t add_text(void *texts, struct fxt_bytes text)
{
    return texts_add(texts, text);
}

static void import_record(struct importer *importer, const struct fxt_record *record)
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
    if (kind == FXT_KIND_MAGIC && record->offset > 0)
        importer->trace++;
    refs_apply(&importer->refs, record);
    import_other(importer, kind, &fields, record->offset);
}

static bool import_failed(const struct importer *importer)
{
    return tables_failed(importer->tables) || importer->lanes.failed || importer->asyncs.failed ||
           importer->switches.failed || importer->failed;
}

/* Returns the number of bytes. */
static uint64_t import_stream(struct importer *importer, struct stream *stream)
{
    struct fxt_record record;
    struct fxt_error error;
    enum fxt_status status;
    while (!import_failed(importer) && (status = stream_next(stream, &record, &error)) != FXT_END) {
        if (status == FXT_OK)
            import_record(importer, &record);
        else if (status == FXT_ZERO_WORD)
            importer->notes.zero_words += !stream->repeats;
        else
            importer->notes.malformed++;
    }
    return stream->reader.base + stream->reader.position;
}

static bool finish(struct importer *importer, uint64_t bytes)
{
    if (import_failed(importer))
        return false;
    finish_durations(importer);
    bool good = finish_asyncs(importer) && finish_slices(importer) && finish_scheduling(importer);
    if (good)
        finish_stats(importer, bytes);
    return good && !import_failed(importer);
}

static bool importer_init(struct importer *importer)
{
    if (!refs_init(&importer->refs, add_text, &importer->tables->texts))
        return false;
    importer->trace = 1;
    struct process_row *process = array_add(&importer->tables->processes);
    *process = (struct process_row){.name = ROW_NONE, .trace = 0};
    struct thread_row *thread = array_add(&importer->tables->threads);
    *thread = (struct thread_row){
        .process = PROCESS_IDLE, .name = ROW_NONE, .track = ROW_NONE, .trace = 0};
    return array_init(&importer->lanes, sizeof(struct lane_row)) &&
           array_init(&importer->asyncs, sizeof(struct id_event_row)) &&
           array_init(&importer->switches, sizeof(struct switch_row));
}

static void importer_free(struct importer *importer)
{
    map_clear(&importer->processes);
    map_clear(&importer->threads);
    map_clear(&importer->koids);
    map_clear(&importer->lane_map);
    map_clear(&importer->asyncs_map);
    map_clear(&importer->counter_map);
    map_clear(&importer->counter_names);
    array_free(&importer->lanes);
    array_free(&importer->asyncs);
    array_free(&importer->switches);
    munmap(importer, sizeof *importer);
}

static enum exit_code tell(const struct importer *importer)
{
    const struct import_notes *notes = &importer->notes;
    if (notes->malformed > 0)
        message_at("%s: left out: %llu place%s that cannot be decoded; 'fxt check' lists them",
                   importer->file, (unsigned long long)notes->malformed,
                   notes->malformed == 1 ? "" : "s");
    memory_tell_full(importer->file, &(bool){false},
                     importer->refs.tables_full ? FXT_FULL : FXT_OK);
    return notes->malformed > 0 || importer->refs.tables_full ? EXIT_FINDINGS : EXIT_CLEAN;
}

static enum exit_code import_into(struct tables *tables, struct stream *stream, const char *file)
{
    struct importer *importer = memory_zeroed(sizeof *importer);
    enum exit_code code = EXIT_IO;
    if (importer == NULL)
        return code;
    importer->file = file;
    importer->tables = tables;
    if (importer_init(importer) && finish(importer, import_stream(importer, stream)))
        code = tell(importer);
    else
        message("%s: not enough memory for the tables of this trace", file);
    importer_free(importer);
    return code;
}

enum exit_code tables_import(struct tables **tables, const char *path,
                             const struct options *options)
{
    struct stream stream;
    enum exit_code code = stream_open(&stream, path, options);
    *tables = NULL;
    if (code != EXIT_CLEAN)
        return code;
    struct tables *new = malloc(sizeof *new);
    if (new == NULL || !tables_init(new)) {
        message("%s: not enough memory", path);
        stream_close(&stream);
        tables_end(new);
        return EXIT_IO;
    }
    code = import_into(new, &stream, stream.input.raw.name);
    if (code == EXIT_IO)
        tables_end(new);
    else
        *tables = new;
    return exit_worse(code, stream_close(&stream));
}

void tables_end(struct tables *tables)
{
    if (tables != NULL)
        tables_free(tables);
    free(tables);
}
