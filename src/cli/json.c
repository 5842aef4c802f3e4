/* Converts a trace to the JSON format of Chrome and Catapult. Records that do not decode are
   reported on stderr and left out; the document stays valid. If the input fails, the document
   ends early but properly. */
#include "src/cli/json.h"

#include <sys/mman.h>

#include "src/cli/finding.h"
#include "src/convert/kinds.h"
#include "src/cli/memory.h"

static void report(struct json_writer *writer, const char *record, const struct fxt_error *error)
{
    uint64_t max = writer->options->common.max_findings;
    if (max == 0 || writer->reported < max)
        finding_message(writer->file, record, error);
    writer->reported++;
}

bool json_begin(struct json_writer *writer, struct fxt_out *out, const char *file,
                const struct json_options *options, bool is_second)
{
    struct fxt_check_memory memory;
    *writer = (struct json_writer){
        .file = file, .options = options, .memory = memory_zeroed(sizeof *writer->memory)};
    if (writer->memory == NULL || !(is_second ? memory_get_second : memory_get)(&memory))
        return false;
    fxt_tables_init(&writer->tables, &memory.tables);
    fxt_chrome_init(&writer->chrome, out, &writer->tables, writer->memory);
    if (options->absolute_times)
        fxt_chrome_absolute(&writer->chrome);
    return true;
}

void json_take(struct json_writer *writer, const struct fxt_record *record)
{
    struct fxt_error error;
    fxt_chrome_before_record(&writer->chrome, record);
    memory_report_full(writer->file, &writer->told,
                       fxt_tables_apply(&writer->tables, record, &error));
    if (fxt_chrome_record(&writer->chrome, record) != FXT_OK && fxt_kind_malformed(record, &error))
        report(writer, fxt_kind_name(fxt_kind_of(record)), &error);
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

enum exit_code json_end(struct json_writer *writer)
{
    const struct fxt_chrome *chrome = &writer->chrome;
    uint64_t max = writer->options->common.max_findings;
    fxt_chrome_end(&writer->chrome);
    if (max > 0 && writer->reported > max)
        message_at("%s: %llu more are not shown (--max-findings=0 shows all)", writer->file,
                   (unsigned long long)(writer->reported - max));
    bool odd = report_late(writer->file, chrome);
    odd |= report_cpus(writer->file, chrome);
    odd |= report_times(writer->file, chrome, writer->options->absolute_times);
    report_counters(writer->file, chrome);
    if (!writer->options->quiet)
        report_base(writer->file, chrome);
    munmap(writer->memory, sizeof *writer->memory);
    return writer->reported > 0 || odd || writer->told ? EXIT_FINDINGS : EXIT_CLEAN;
}

enum exit_code json_convert(struct fxt_out *out, struct stream *stream,
                            const struct json_options *options)
{
    struct json_writer writer;
    struct fxt_record record;
    struct fxt_error error;
    enum fxt_status status;
    if (!json_begin(&writer, out, stream->input.raw.name, options, false))
        return EXIT_IO;
    while (!out->failed && (status = stream_next(stream, &record, &error)) != FXT_END) {
        if (status == FXT_OK)
            json_take(&writer, &record);
        else if (!stream->repeats)
            report(&writer, NULL, &error);
    }
    return json_end(&writer);
}
