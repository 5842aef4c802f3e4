/* fxt report: reads a trace, passes its records to report/, and prints what that counted. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/cli/output.h"
#include "src/cli/stream.h"
#include "src/tools/fxt/commands.h"
#include "src/tools/fxt/report/print.h"

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
    if (*report == NULL || !report_read(*report, &stream)) {
        report_free(*report);
        *report = NULL;
        stream_close(&stream);
        return EXIT_IO;
    }
    report_tell(*report);
    code = report_is_incomplete(*report) ? EXIT_FINDINGS : EXIT_CLEAN;
    return exit_worse(stream_close(&stream), code);
}

static bool wants_colour(const struct options *options)
{
    const char *no_color = secure_getenv("NO_COLOR");
    const char *term = secure_getenv("TERM");
    if (options->json || options->csv || options->folded || options->flamegraph)
        return false;
    if (options->colour != REPORT_COLOUR_AUTO)
        return options->colour == REPORT_COLOUR_ALWAYS;
    if (options->output != NULL && strcmp(options->output, "-") != 0)
        return false;
    return isatty(STDOUT_FILENO) == 1 && (no_color == NULL || *no_color == '\0') && term != NULL &&
           strcmp(term, "dumb") != 0;
}

static bool print(struct fxt_out *out, struct report *report, const struct options *options,
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
static enum exit_code put(const struct options *options, struct report *const reports[2],
                          enum exit_code code)
{
    struct output output;
    if (!output_open(&output, options->output, &options->operands))
        return EXIT_IO;
    output.styled = wants_colour(options);
    bool good = options->diff
                    ? print_diff(&output.out, reports[0], reports[1], options, output.styled)
                    : print(&output.out, reports[0], options, output.styled);
    return output_end(&output, good ? code : EXIT_IO, true);
}

static bool is_usable(const struct options *options)
{
    int files = options->operands.count;
    bool stacks = options->folded || options->flamegraph;
    if (options->json + options->csv + options->folded + options->flamegraph > 1)
        message("report: --json, --csv, --folded and --flamegraph exclude each other");
    else if (options->diff && stacks)
        message("report: --diff has no --folded and no --flamegraph");
    else if (options->diff && files != 2)
        message("report: --diff takes two files, not %d", files);
    else if (!options->diff && files != 1)
        message("report: takes one file, not %d", files);
    else
        return !options_read_stdin_twice(options, "report");
    return false;
}

static enum exit_code run(const struct options *options)
{
    struct report *reports[2] = {NULL, NULL};
    enum exit_code code = EXIT_CLEAN;
    int files = options->operands.count;
    int read = 0;
    if (!is_usable(options))
        return EXIT_USAGE;
    for (; read < files; read++) {
        code = exit_worse(code, read_file(&reports[read], options, options->operands.it[read]));
        if (reports[read] == NULL)
            break;
    }
    if (read == files)
        code = put(options, reports, code);
    report_free(reports[0]);
    report_free(reports[1]);
    return code;
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

static bool set_diff(struct options *options, const char *value)
{
    (void)value;
    options->diff = true;
    return true;
}

static bool set_folded(struct options *options, const char *value)
{
    (void)value;
    options->folded = true;
    return true;
}

static bool set_flamegraph(struct options *options, const char *value)
{
    (void)value;
    options->flamegraph = true;
    return true;
}

static bool set_csv(struct options *options, const char *value)
{
    (void)value;
    options->csv = true;
    return true;
}

static const struct option_spec options_of_report[] = {
    {"by", 'b', "name|category|thread|process|provider", "group by this (name)", set_by},
    {"sort", 's', "total|count|self|min|p50|p90|p99|max|name", "sort by this (total)", set_sort},
    {"top", 'n', "N", "print at most N rows of each table, up to 1000 (20)", set_top},
    {"json", 'j', NULL, "everything as one JSON object on one line", option_set_json},
    {"csv", 'c', NULL, "the durations as CSV, in nanoseconds", set_csv},
    {"folded", 0, NULL, "the stacks, for flame graph tools: FRAME;FRAME;... NANOSECONDS",
     set_folded},
    {"flamegraph", 0, NULL, "the stacks as a flame graph, in SVG", set_flamegraph},
    {"diff", 'd', NULL, "what changed from one file to another: --diff OLD NEW", set_diff},
    {"color", 0, "auto|always|never", "whether to use colors (auto)", set_colour},
    OPTION_OUTPUT,
    OPTION_MAX_RECORD,
    OPTION_RAW,
    OPTION_ALLOW_EMPTY,
    OPTION_END,
};

const struct command command_report = {
    .name = "report",
    .title = "Says where time went: durations by name, the longest, counters, gaps.",
    .usage = "[FILE | --diff OLD NEW]",
    .options = options_of_report,
    .run = run,
};
