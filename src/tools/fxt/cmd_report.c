/* fxt report: reads a trace, passes its records to report/, and prints what that counted. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/cli/output.h"
#include "src/cli/stream.h"
#include "src/tools/fxt/commands.h"
#include "src/tools/fxt/report/print.h"

/* *report is NULL if the file cannot be read at all. */
static enum exit_code read_file(struct report **report, const struct report_options *options,
                                const char *path)
{
    struct stream stream;
    enum exit_code code = stream_open(&stream, path, &options->common);
    *report = NULL;
    if (code != EXIT_CLEAN)
        return code;
    *report = report_new(stream.input.raw.name, options);
    if (*report == NULL || !report_read(*report, &stream)) {
        report_free(*report);
        *report = NULL;
        stream_close(&stream);
        return EXIT_IO;
    }
    report_warn(*report);
    code = report_is_incomplete(*report) ? EXIT_FINDINGS : EXIT_CLEAN;
    return exit_worse(stream_close(&stream), code);
}

static bool wants_colour(const struct report_options *options)
{
    const char *no_color = secure_getenv("NO_COLOR");
    const char *term = secure_getenv("TERM");
    if (options->json || options->csv || options->folded || options->flamegraph)
        return false;
    if (options->colour != REPORT_COLOUR_AUTO)
        return options->colour == REPORT_COLOUR_ALWAYS;
    if (options->common.output != NULL && strcmp(options->common.output, "-") != 0)
        return false;
    return isatty(STDOUT_FILENO) == 1 && (no_color == NULL || *no_color == '\0') && term != NULL &&
           strcmp(term, "dumb") != 0;
}

static bool print(struct fxt_out *out, struct report *report, const struct report_options *options,
                  bool colour)
{
    if (options->json)
        return print_json(out, report, options);
    if (options->csv)
        return print_csv(out, report, options);
    if (options->folded)
        return print_folded(out, report);
    if (options->flamegraph)
        return print_flamegraph(out, report);
    return print_text(out, report, options, colour);
}

/* Prints one report, or with --diff what changed between two. */
static enum exit_code put(const struct report_options *options, struct report *const reports[2],
                          enum exit_code code)
{
    struct output output;
    if (!output_open(&output, options->common.output, &options->common.operands))
        return EXIT_IO;
    output.styled = wants_colour(options);
    bool good = options->diff
                    ? print_diff(&output.out, reports[0], reports[1], options, output.styled)
                    : print(&output.out, reports[0], options, output.styled);
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
    const struct report_options *options = given;
    struct report *reports[2] = {NULL, NULL};
    enum exit_code code = EXIT_CLEAN;
    int files = options->common.operands.count;
    int read = 0;
    if (!is_usable(options))
        return EXIT_USAGE;
    for (; read < files; read++) {
        code =
            exit_worse(code, read_file(&reports[read], options, options->common.operands.it[read]));
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

static const struct report_options defaults = {.common = OPTIONS_INIT, .grouping.text = "name"};

static const struct option_spec options_of_report[] = {
    {"by", 'b', BY "|arg:NAME",
     "group by this (name); arg:NAME: by name and the value of that argument", set_by,
     offsetof(struct report_options, grouping)},
    {"sort", 's', "total|count|self|min|p50|p90|p99|max|name", "sort by this (total)",
     option_choice, offsetof(struct report_options, sort)},
    {"top", 'n', "N", "print at most N rows of each table, up to 1000 (20)", set_top,
     offsetof(struct report_options, top)},
    {"json", 'j', NULL, "everything as one JSON object on one line", option_bool,
     offsetof(struct report_options, json)},
    {"csv", 'c', NULL, "the durations as CSV, in nanoseconds", option_bool,
     offsetof(struct report_options, csv)},
    OPTION_NO_FORMULAS,
    {"folded", 0, NULL, "the stacks, for flame graph tools: FRAME;FRAME;... NANOSECONDS",
     option_bool, offsetof(struct report_options, folded)},
    {"flamegraph", 0, NULL, "the stacks as a flame graph, in SVG", option_bool,
     offsetof(struct report_options, flamegraph)},
    {"diff", 'd', NULL, "what changed from one file to another: --diff OLD NEW", option_bool,
     offsetof(struct report_options, diff)},
    {"color", 0, "auto|always|never", "whether to use colors (auto)", option_choice,
     offsetof(struct report_options, colour)},
    OPTION_OUTPUT,
    OPTIONS_OF_TRACES,
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
