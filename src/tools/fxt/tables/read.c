/* Reads a file into a timeline. */
#include "src/tools/fxt/tables/read.h"

#include <stdlib.h>

#define RECORDS_AT_ONCE 4096u /* without a look at whether there is memory */

uint64_t timeline_records(struct importer *importer, struct stream *stream)
{
    struct fxt_record record;
    struct fxt_error error;
    enum fxt_status status;
    uint32_t count = 0;
    while ((++count % RECORDS_AT_ONCE != 0 || !import_failed(importer)) &&
           (status = stream_next(stream, &record, &error)) != FXT_END) {
        if (status == FXT_OK)
            import_record(importer, &record);
        else
            importer->notes.malformed += !stream->repeats;
    }
    return stream->reader.base + stream->reader.position;
}

static enum exit_code tell(const struct importer *importer, const char *file)
{
    const struct import_notes *notes = &importer->notes;
    if (notes->malformed > 0)
        message_at("%s: left out: %llu place%s that cannot be decoded; 'fxt check' lists them",
                   file, (unsigned long long)notes->malformed, notes->malformed == 1 ? "" : "s");
    memory_report_full(file, &(bool){false}, importer->refs.tables_full ? FXT_FULL : FXT_OK);
    return notes->malformed > 0 || importer->refs.tables_full ? EXIT_FINDINGS : EXIT_CLEAN;
}

static enum exit_code read_into(struct timeline *timeline, struct stream *stream, const char *file)
{
    struct importer *importer = import_new(timeline);
    enum exit_code code = EXIT_IO;
    if (importer != NULL && import_end(importer, timeline_records(importer, stream)))
        code = tell(importer, file);
    else
        message("%s: not enough memory for the tables of this trace", file);
    import_free(importer);
    return code;
}

enum exit_code timeline_read(struct timeline **timeline, const char *path,
                             const struct options *options)
{
    struct stream stream;
    enum exit_code code = stream_open(&stream, path, options);
    *timeline = NULL;
    if (code != EXIT_CLEAN)
        return code;
    struct timeline *new = malloc(sizeof *new);
    if (new == NULL || !timeline_init(new)) {
        message("%s: not enough memory", path);
        stream_close(&stream);
        timeline_end(new);
        return EXIT_IO;
    }
    code = read_into(new, &stream, stream.input.raw.name);
    if (code == EXIT_IO)
        timeline_end(new);
    else
        *timeline = new;
    return exit_worse(code, stream_close(&stream));
}

void timeline_end(struct timeline *timeline)
{
    if (timeline != NULL)
        timeline_free(timeline);
    free(timeline);
}
