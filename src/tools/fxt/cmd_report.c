/* fxt report: reads a trace, passes its records to report/, and prints what that counted. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/tools/common/output.h"
#include "src/tools/common/stream.h"
#include "src/tools/fxt/commands.h"
#include "src/tools/fxt/report/print.h"

static void count(struct report *report, struct stream *stream)
{
    struct fxt_record record;
    struct fxt_error error;
    uint64_t zero_end = UINT64_MAX; /* a run of zero words counts once */
    for (;;) {
        enum fxt_status status = stream_next(stream, &record, &error);
        if (status == FXT_OK) {
            report_record(report, &record);
            continue;
        }
        if (status == FXT_END)
            break;
        if (status != FXT_ZERO_WORD || error.offset != zero_end)
            report->notes.malformed++;
        if (status == FXT_ZERO_WORD)
            zero_end = error.offset + FXT_WORD_BYTES;
        if (stream_is_fatal(status)) {
            stream_drain(stream);
            break;
        }
    }
    report_end(report);
}

/* *report is NULL if the file cannot be read at all. */
static enum exit_code read_file(struct report **report, const struct options *options,
                                const char *path)
{
    struct stream stream;
    enum exit_code code = stream_open(&stream, path, options);
    *report = NULL;
    if (code != EXIT_CLEAN)
        return code;
    *report = report_new(stream.input.raw.name, options);
    if (*report == NULL) {
        stream_close(&stream);
        return EXIT_IO;
    }
    count(*report, &stream);
    report_tell(*report);
    code = report_is_incomplete(*report) ? EXIT_FINDINGS : EXIT_CLEAN;
    return exit_worse(stream_close(&stream), code);
}

static bool wants_colour(const struct options *options)
{
    const char *no_color = secure_getenv("NO_COLOR");
    const char *term = secure_getenv("TERM");
    if (options->colour != REPORT_COLOUR_AUTO)
        return options->colour == REPORT_COLOUR_ALWAYS;
    if (options->output != NULL && strcmp(options->output, "-") != 0)
        return false;
    return isatty(STDOUT_FILENO) == 1 && (no_color == NULL || *no_color == '\0') && term != NULL &&
           strcmp(term, "dumb") != 0;
}

static bool print(struct fxt_out *out, struct report *report, const struct options *options)
{
    if (options->json)
        return print_json(out, report, options);
    if (options->csv)
        return print_csv(out, report, options);
    return print_text(out, report, options, wants_colour(options));
}

static enum exit_code report_file(const struct options *options, struct fxt_out *out)
{
    struct report *report;
    enum exit_code code = read_file(&report, options, options->operands.it[0]);
    if (report != NULL && !print(out, report, options))
        code = EXIT_IO;
    report_free(report);
    return code;
}

static bool is_usable(const struct options *options)
{
    int files = options->operands.count;
    if (options->json + options->csv > 1) {
        message("report: --json and --csv exclude each other");
        return false;
    }
    if (files != 1) {
        message("report: takes one file, not %d", files);
        return false;
    }
    return true;
}

static enum exit_code run(const struct options *options)
{
    struct output output;
    if (!is_usable(options))
        return EXIT_USAGE;
    if (!output_open(&output, options->output))
        return EXIT_IO;
    enum exit_code code = report_file(options, &output.out);
    return exit_worse(code, output_commit(&output));
}

/* The place of `value` in a list of so many words. */
static bool choose(unsigned *choice, const char *value, const char *const *words, unsigned count)
{
    for (*choice = 0; *choice < count; ++*choice)
        if (strcmp(value, words[*choice]) == 0)
            return true;
    return false;
}

static bool set_by(struct options *options, const char *value)
{
    return choose(&options->by, value, rows_by_names, REPORT_BY_COUNT);
}

static bool set_sort(struct options *options, const char *value)
{
    return choose(&options->sort, value, rows_sort_names, REPORT_SORT_COUNT_OF);
}

static bool set_colour(struct options *options, const char *value)
{
    static const char *const words[] = {"auto", "always", "never"};
    return choose(&options->colour, value, words, 3);
}

static bool set_top(struct options *options, const char *value)
{
    char *end;
    unsigned long number = strtoul(value, &end, 10);
    options->top = (uint32_t)number;
    return *value >= '0' && *value <= '9' && *end == '\0' && number > 0 && number <= LONGEST_MAX;
}

static bool set_csv(struct options *options, const char *value)
{
    (void)value;
    options->csv = true;
    return true;
}

static const struct option_spec options_of_report[] = {
    {"by", 'b', "WHAT", "group by name, category, thread, process or provider (name)", set_by},
    {"sort", 's', "KEY", "total, count, self, min, p50, p90, p99, max or name (total)", set_sort},
    {"top", 'n', "N", "print at most N rows of each table, up to 1000 (20)", set_top},
    {"json", 'j', NULL, "everything as one JSON object on one line", option_set_json},
    {"csv", 'c', NULL, "the durations as CSV, in nanoseconds", set_csv},
    {"color", 0, "WHEN", "auto, always or never (auto)", set_colour},
    OPTION_OUTPUT,
    OPTION_MAX_RECORD,
    OPTION_RAW,
    OPTION_END,
};

const struct command command_report = {
    .name = "report",
    .title = "Says where time went: durations by name, the longest, counters, gaps.",
    .usage = "[FILE]",
    .options = options_of_report,
    .run = run,
};
