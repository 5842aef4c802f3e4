/* Rewrites a trace. Records that do not decode are reported on stderr and left out. The state is
   struct formatting. The scratch memory of the format grows with the largest record. */
#include "src/cli/rewrite.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/cli/finding.h"
#include "src/convert/kinds.h"
#include "src/cli/memory.h"

struct formatting {
    struct fxt_format format;
    struct fxt_tables tables;
    const char *file;
    uint64_t max_findings;
    uint64_t findings;
    bool told; /* full tables have been reported */
    bool out_of_memory;
};

static void report(struct formatting *it, const char *record, const struct fxt_error *error)
{
    it->findings++;
    if (it->max_findings == 0 || it->findings <= it->max_findings)
        finding_message(it->file, record, error);
}

static bool grow(struct formatting *it, uint64_t size)
{
    uint8_t *larger = realloc(it->format.scratch, (size_t)size);
    it->out_of_memory = larger == NULL;
    if (larger == NULL) {
        message("%s: %s", it->file, strerror(ENOMEM));
        return false;
    }
    it->format.scratch = larger;
    it->format.scratch_size = size;
    return true;
}

static void take(struct formatting *it, const struct fxt_record *record)
{
    struct fxt_error error;
    if (it->format.large == FXT_FORMAT_LARGE_BLOBS) /* which have names */
        memory_report_full(it->file, &it->told, fxt_tables_apply(&it->tables, record, &error));
    enum fxt_status status = fxt_format_record(&it->format, record);
    if (status == FXT_FULL && grow(it, FXT_WORD_BYTES * (uint64_t)record->words))
        status = fxt_format_record(&it->format, record);
    if (status == FXT_MALFORMED && fxt_kind_malformed(record, &error))
        report(it, fxt_kind_name(fxt_kind_of(record)), &error);
}

/* Only large records are too large for memory. */
static void take_error(struct formatting *it, const struct fxt_error *error)
{
    if (error->status == FXT_FULL && it->format.large == FXT_FORMAT_LARGE_DROP)
        it->format.large_dropped++;
    else
        report(it, NULL, error);
}

static void format_all(struct formatting *it, struct stream *stream)
{
    struct fxt_record record;
    struct fxt_error error;
    enum fxt_status status;
    while (!it->format.out->failed && !it->out_of_memory &&
           (status = stream_next(stream, &record, &error)) != FXT_END) {
        if (status == FXT_OK)
            take(it, &record);
        else if (!stream->repeats)
            take_error(it, &error);
    }
}

static void tell(const char *file, uint64_t count, const char *what)
{
    if (count > 0)
        message_at("%s: %llu %s", file, (unsigned long long)count, what);
}

static void conclude(const struct formatting *it)
{
    const struct fxt_format *format = &it->format;
    if (it->max_findings > 0 && it->findings > it->max_findings)
        message_at("%s: %llu more are not shown (--max-findings=0 shows all)", it->file,
                   (unsigned long long)(it->findings - it->max_findings));
    tell(it->file, format->as_it_is,
         "records copied unchanged: the writer does not know their kind, or refuses what they say");
    tell(it->file, format->large_dropped, "large records left out");
    if (format->large_cut > 0)
        message_at("%s: %llu large blobs cut into %llu blob records", it->file,
                   (unsigned long long)format->large_cut, (unsigned long long)format->pieces);
    tell(it->file, format->no_room,
         "arguments of large blobs left out: an event has no room for them, or their type is "
         "unknown");
    tell(it->file, format->no_event,
         "events of large blobs left out: a record has no room for their category and name");
}

static enum exit_code format_stream(struct formatting *it, struct fxt_out *out,
                                    struct stream *stream, enum fxt_format_large large)
{
    struct fxt_check_memory memory;
    uint8_t *scratch = malloc(FXT_FORMAT_SCRATCH_MIN);
    if (scratch == NULL) {
        message("%s: %s", it->file, strerror(ENOMEM));
        return EXIT_IO;
    }
    if (!memory_get(&memory)) {
        free(scratch);
        return EXIT_IO;
    }
    memory.tables.object_max = 0;
    fxt_tables_init(&it->tables, &memory.tables);
    fxt_format_init(&it->format, out, &it->tables, large, scratch, FXT_FORMAT_SCRATCH_MIN);
    format_all(it, stream);
    free(it->format.scratch);
    conclude(it);
    if (it->out_of_memory)
        return EXIT_IO;
    return it->findings > 0 || it->told ? EXIT_FINDINGS : EXIT_CLEAN;
}

enum exit_code rewrite(struct fxt_out *out, struct stream *stream, enum fxt_format_large large,
                       uint64_t max_findings)
{
    struct formatting it = {.file = stream->input.raw.name, .max_findings = max_findings};
    return format_stream(&it, out, stream, large);
}
