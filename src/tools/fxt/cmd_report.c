/* fxt report: reads a trace, passes its records to report/, and prints what that counted. */
#include <stdlib.h>
#include <string.h>

#include "src/cli/output.h"
#include "src/cli/stream.h"
#include "src/tools/fxt/commands.h"
#include "src/tools/fxt/part.h"
#include "src/tools/fxt/report/print.h"

struct command_options {
    struct report_options report; /* the first member */
    struct part_options part;
};

/* NULL: it cannot be read. */
static struct report *read_part(const struct report_options *options, struct stream *stream,
                                uint64_t from, uint64_t to)
{
    struct report *report = report_new(stream->input.raw.name, options);
    if (report == NULL)
        return NULL;
    report_set_part(report, from, to);
    if (report_read(report, stream))
        return report;
    report_free(report);
    return NULL;
}

/* A first pass finds the times of the trace, which those of the part may be relative to. */
static enum exit_code find_part(const struct command_options *options, struct stream *stream,
                                uint64_t *from, uint64_t *to)
{
    struct report *report = read_part(&options->report, stream, 0, UINT64_MAX);
    if (report == NULL)
        return EXIT_IO;
    bool has_time = report->first <= report->last;
    *from = has_time ? report->first : 0;
    *to = has_time ? report->last + 1 : 1;
    report_free(report);
    enum exit_code code = part_choose(&options->part, "report", stream->input.raw.name, from, to);
    return code == EXIT_USAGE || stream_rewind(stream) ? code : EXIT_IO;
}

/* *report is NULL if the file cannot be read, or has no such part. */
static enum exit_code read_file(struct report **report, const struct command_options *options,
                                const char *path)
{
    bool is_part = part_is_given(&options->part);
    uint64_t from = 0, to = UINT64_MAX;
    struct stream stream;
    enum exit_code code =
        (is_part ? stream_open_kept : stream_open)(&stream, path, &options->report.common);
    *report = NULL;
    if (code != EXIT_CLEAN)
        return code;
    if (is_part)
        code = find_part(options, &stream, &from, &to);
    if (code <= EXIT_FINDINGS)
        *report = read_part(&options->report, &stream, from, to);
    if (*report == NULL) {
        stream_close(&stream);
        return code == EXIT_USAGE ? code : EXIT_IO;
    }
    report_warn(*report);
    if (report_is_incomplete(*report))
        code = exit_worse(code, EXIT_FINDINGS);
    return exit_worse(stream_close(&stream), code);
}

static bool is_text(const struct report_options *options)
{
    return !options->json && !options->csv && !options->folded && !options->flamegraph;
}

static bool print(struct fxt_out *out, struct report *report, const struct report_options *options,
                  struct look look)
{
    if (options->json)
        return print_json(out, report, options);
    if (options->csv)
        return print_csv(out, report, options);
    if (options->folded)
        return print_folded(out, report);
    if (options->flamegraph)
        return print_flamegraph(out, report);
    return print_text(out, report, options, look);
}

/* Prints one report, or with --diff what changed between two. */
static enum exit_code put(const struct report_options *options, struct report *const reports[2],
                          enum exit_code code)
{
    struct output output;
    if (!output_open(&output, options->common.output, &options->common.operands))
        return EXIT_IO;
    if (is_text(options))
        output_tables(&output, options->common.colour);
    const struct look look = {output.styled, output.fit.columns};
    bool good = options->diff ? print_diff(&output.out, reports[0], reports[1], options, look)
                              : print(&output.out, reports[0], options, look);
    return output_end(&output, good ? code : EXIT_IO, true);
}

static bool is_usable(const struct report_options *options)
{
    int files = options->common.operands.count;
    bool stacks = options->folded || options->flamegraph;
    if (options->json + options->csv + options->folded + options->flamegraph > 1)
        message("report: --json, --csv, --folded and --flamegraph exclude each other");
    else if (options->common.no_formulas && !options->csv)
        message("report: --no-formulas is for --csv");
    else if (options->diff && stacks)
        message("report: --diff has no --folded and no --flamegraph");
    else if (options->diff && files != 2)
        message("report: --diff takes two files, not %d", files);
    else if (!options->diff && files != 1)
        message("report: takes one file, not %d", files);
    else
        return !options_read_stdin_twice(&options->common, "report");
    return false;
}

static enum exit_code run(const void *given)
{
    const struct command_options *all = given;
    const struct report_options *options = &all->report;
    struct report *reports[2] = {NULL, NULL};
    enum exit_code code = EXIT_CLEAN;
    int files = options->common.operands.count;
    int read = 0;
    if (!is_usable(options))
        return EXIT_USAGE;
    for (; read < files; read++) {
        code = exit_worse(code, read_file(&reports[read], all, options->common.operands.it[read]));
        if (reports[read] == NULL)
            break;
    }
    if (read == files)
        code = put(options, reports, code);
    report_free(reports[0]);
    report_free(reports[1]);
    return code;
}

static bool set_top(void *member, const struct option_spec *spec, const char *value)
{
    char *end;
    (void)spec;
    unsigned long number = strtoul(value, &end, 10);
    *(uint32_t *)member = (uint32_t)number;
    return *value >= '0' && *value <= '9' && *end == '\0' && number > 0 && number <= LONGEST_MAX;
}

#define BY "name|category|thread|process|provider"

static bool set_by(void *member, const struct option_spec *spec, const char *value)
{
    static const struct option_spec words = {.argument = BY};
    struct report_grouping *grouping = member;
    size_t prefix = strlen(REPORT_ARG);
    (void)spec;
    grouping->text = value;
    if (strncmp(value, REPORT_ARG, prefix) != 0)
        return option_choice(&grouping->by, &words, value);
    grouping->by = REPORT_BY_ARG;
    return value[prefix] != '\0' && strlen(value) <= prefix + REPORT_ARG_MAX;
}

static const struct command_options defaults = {
    .report = {.common = OPTIONS_INIT, .grouping.text = "name"}};

static const struct option_spec options_of_report[] = {
    OPTIONS_OF_PART(struct command_options, part, "count"),
    {"by", 'b', BY "|arg:NAME",
     "group by this (name); arg:NAME: by name and the value of that argument", set_by,
     offsetof(struct report_options, grouping)},
    {"sort", 0, "total|count|self|min|p50|p90|p99|max|name", "sort by this (total)", option_choice,
     offsetof(struct report_options, sort)},
    {"top", 0, "N", "print at most N rows of each table, up to 1000 (20)", set_top,
     offsetof(struct report_options, top)},
    {"json", 'j', NULL, "everything as one JSON object on one line", option_bool,
     offsetof(struct report_options, json)},
    {"csv", 0, NULL, "the durations as CSV, in nanoseconds", option_bool,
     offsetof(struct report_options, csv)},
    OPTION_NO_FORMULAS,
    {"folded", 0, NULL, "the stacks, for flame graph tools: FRAME;FRAME;... NANOSECONDS",
     option_bool, offsetof(struct report_options, folded)},
    {"flamegraph", 0, NULL, "the stacks as a flame graph, in SVG", option_bool,
     offsetof(struct report_options, flamegraph)},
    {"diff", 'd', NULL, "what changed from one file to another: --diff OLD NEW", option_bool,
     offsetof(struct report_options, diff)},
    OPTION_COLOR,
    OPTION_OUTPUT,
    OPTIONS_OF_TRACES,
    OPTION_OLD('s', "sort"),
    OPTION_OLD('n', "top"),
    OPTION_OLD('c', "csv"),
    OPTION_END,
};

const struct command command_report = {
    .name = "report",
    .title = "Says where time went: durations by name, the longest, counters, gaps.",
    .usage = "[FILE | --diff OLD NEW]",
    .options = options_of_report,
    .defaults = &defaults,
    .size = sizeof defaults,
    .run = run,
};
