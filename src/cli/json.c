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
    memory_report_full(reports->file, &reports->told, fxt_tables_apply(tables, record, &error));
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

static void report_counters(const char *file, const struct fxt_chrome *chrome)
{
    unsigned long long count = chrome->omitted.counters;
    if (count > 0)
        message_at("%s:0x%llx: %llu counter event%s no number, so no value to show; this is the "
                   "first, \"%s\"",
                   file, (unsigned long long)chrome->first_counter, count,
                   count > 1 ? "s have" : " has", chrome->first_counter_name);
}

static bool report_cpus(const char *file, const struct fxt_chrome *chrome)
{
    unsigned long long count = chrome->omitted.cpus;
    if (count > 0)
        message_at("%s: %llu scheduling record%s left out: the trace has too many CPUs", file,
                   count, count > 1 ? "s are" : " is");
    return count > 0;
}

/* True if a reader loses some times, or their nanoseconds. */
static bool report_times(const char *file, const struct fxt_chrome *chrome, bool absolute)
{
    unsigned long long negative = chrome->negative, inexact = chrome->inexact;
    unsigned long long late = chrome->late_times;
    if (late > 0)
        message_at("%s: %llu time%s of 2^63 ns or more, and written as 2^63 - 1 ns", file, late,
                   late > 1 ? "s are" : " is");
    if (negative > 0)
        message_at("%s: %llu time%s over a day before the first one and negative, which Perfetto "
                   "drops; cut the trace with `fxt cut`",
                   file, negative, negative > 1 ? "s are" : " is");
    if (inexact > 0)
        message_at("%s: %llu time%s over 50 days from %llu ns, where doubles do not hold "
                   "nanoseconds; %s",
                   file, inexact, inexact > 1 ? "s are" : " is", (unsigned long long)chrome->base,
                   absolute ? "leave out --absolute-times" : "cut the trace with `fxt cut`");
    return negative + inexact + late > 0;
}

static void report_base(const char *file, const struct fxt_chrome *chrome)
{
    if (chrome->base > 0)
        message_at("%s: times count from %llu ns (otherData.base_ns)", file,
                   (unsigned long long)chrome->base);
}

enum exit_code json_convert(struct fxt_out *out, struct stream *stream,
                            const struct json_options *options)
{
    struct fxt_tables tables;
    struct fxt_chrome chrome;
    struct fxt_check_memory memory;
    struct fxt_chrome_memory *chrome_memory = memory_zeroed(sizeof *chrome_memory);
    if (chrome_memory == NULL || !memory_get(&memory))
        return EXIT_IO;
    struct reports reports = {stream->input.raw.name, options->common.max_findings, 0, false};
    fxt_tables_init(&tables, &memory.tables);
    fxt_chrome_init(&chrome, out, &tables, chrome_memory);
    if (options->absolute_times)
        fxt_chrome_absolute(&chrome);
    convert(&chrome, &tables, stream, &reports);
    fxt_chrome_end(&chrome);
    if (reports.max > 0 && reports.count > reports.max)
        message_at("%s: %llu more are not shown (--max-findings=0 shows all)", reports.file,
                   (unsigned long long)(reports.count - reports.max));
    bool odd = report_late(reports.file, &chrome);
    odd |= report_cpus(reports.file, &chrome);
    odd |= report_times(reports.file, &chrome, options->absolute_times);
    report_counters(reports.file, &chrome);
    if (!options->quiet)
        report_base(reports.file, &chrome);
    munmap(chrome_memory, sizeof *chrome_memory);
    return reports.count > 0 || odd || reports.told ? EXIT_FINDINGS : EXIT_CLEAN;
}
