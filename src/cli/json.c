/* Converts a trace to the JSON format of Chrome and Catapult. Records that do not decode are
   reported on stderr and left out; the document stays valid. If the input fails, the document
   ends early but properly. */
#include "src/cli/json.h"

#include <sys/mman.h>

#include "src/convert/chrome.h"
#include "src/cli/finding.h"
#include "src/convert/kinds.h"
#include "src/cli/memory.h"

struct reports {
    const char *file;
    uint64_t max; /* 0: all */
    uint64_t count;
    bool told; /* full tables have been reported */
};

static void report(struct reports *reports, const char *record, const struct fxt_error *error)
{
    if (reports->max == 0 || reports->count < reports->max)
        finding_message(reports->file, record, error);
    reports->count++;
}

static void convert_record(struct fxt_chrome *chrome, struct fxt_tables *tables,
                           const struct fxt_record *record, struct reports *reports)
{
    struct fxt_error error;
    fxt_chrome_before_record(chrome, record);
    memory_tell_full(reports->file, &reports->told, fxt_tables_apply(tables, record, &error));
    if (fxt_chrome_record(chrome, record) != FXT_OK && fxt_kind_malformed(record, &error))
        report(reports, fxt_kind_name(fxt_kind_of(record)), &error);
}

static void convert(struct fxt_chrome *chrome, struct fxt_tables *tables, struct stream *stream,
                    struct reports *reports)
{
    struct fxt_record record;
    struct fxt_error error;
    enum fxt_status status;
    while (!chrome->out->failed && (status = stream_next(stream, &record, &error)) != FXT_END) {
        if (status == FXT_OK)
            convert_record(chrome, tables, &record, reports);
        else if (!stream->repeats)
            report(reports, NULL, &error);
    }
}

/* True if some switches came too late. */
static bool report_late(const char *file, const struct fxt_chrome *chrome)
{
    unsigned long long late = chrome->omitted.late_switches;
    if (late > 0)
        message_at("%s:0x%llx: %llu context switch%s too late to be sorted by time, and left out; "
                   "this is the first",
                   file, (unsigned long long)chrome->first_late, late,
                   late > 1 ? "es come" : " comes");
    return late > 0;
}

enum exit_code json_convert(struct fxt_out *out, struct stream *stream, uint64_t max_findings)
{
    struct fxt_tables tables;
    struct fxt_chrome chrome;
    struct fxt_check_memory memory;
    struct fxt_chrome_memory *chrome_memory = memory_zeroed(sizeof *chrome_memory);
    if (chrome_memory == NULL || !memory_get(&memory))
        return EXIT_IO;
    struct reports reports = {stream->input.raw.name, max_findings, 0, false};
    fxt_tables_init(&tables, &memory.tables);
    fxt_chrome_init(&chrome, out, &tables, chrome_memory);
    convert(&chrome, &tables, stream, &reports);
    fxt_chrome_end(&chrome);
    if (reports.max > 0 && reports.count > reports.max)
        message_at("%s: %llu more are not shown (--max-findings=0 shows all)", reports.file,
                   (unsigned long long)(reports.count - reports.max));
    bool late = report_late(reports.file, &chrome);
    munmap(chrome_memory, sizeof *chrome_memory);
    return reports.count > 0 || late || reports.told ? EXIT_FINDINGS : EXIT_CLEAN;
}
