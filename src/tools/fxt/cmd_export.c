/* fxt export: the tables of a trace as files, for engines that read many of them; or its stacks as one, for
   flame graph tools. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/cli/output.h"
#include "src/tools/fxt/commands.h"
#include "src/tools/fxt/stacks.h"
#include "src/tools/fxt/tables/read.h"
#include "src/tools/fxt/tables/print.h"

enum export_format { EXPORT_JSONL, EXPORT_CSV, EXPORT_SPEEDSCOPE, EXPORT_FOLDED };

struct export_options {
    struct options common; /* the first member */
    enum export_format format;
};

static void print_head(struct fxt_out *out, const struct table *table)
{
    for (size_t i = 0; i < table->column_count; i++) {
        if (i > 0)
            fxt_out_char(out, ',');
        fxt_out_text(out, table->columns[i].name);
    }
    fxt_out_char(out, '\n');
}

static void print_csv_row(struct fxt_out *out, const struct timeline *timeline,
                          const struct table *table, uint32_t row, bool no_formulas)
{
    struct cell cell;
    for (size_t i = 0; i < table->column_count; i++) {
        if (i > 0)
            fxt_out_char(out, ',');
        schema_get(timeline, table, row, &table->columns[i], &cell);
        print_csv_cell(out, &cell, no_formulas);
    }
    fxt_out_char(out, '\n');
}

static void print_json_row(struct fxt_out *out, const struct timeline *timeline,
                           const struct table *table, uint32_t row)
{
    struct cell cell;
    for (size_t i = 0; i < table->column_count; i++) {
        fxt_out_text(out, i > 0 ? ",\"" : "{\"");
        fxt_out_text(out, table->columns[i].name);
        fxt_out_text(out, "\":");
        schema_get(timeline, table, row, &table->columns[i], &cell);
        print_json_cell(out, &cell);
    }
    fxt_out_text(out, "}\n");
}

static enum exit_code export_table(const char *path, const struct timeline *timeline,
                                   const struct table *table, const struct export_options *options)
{
    bool csv = options->format == EXPORT_CSV;
    struct output output;
    if (!output_open(&output, path, NULL))
        return EXIT_IO;
    if (csv)
        print_head(&output.out, table);
    uint32_t count = schema_rows(timeline, table)->count;
    for (uint32_t row = 0; row < count && !output.out.failed; row++)
        if (csv)
            print_csv_row(&output.out, timeline, table, row, options->common.no_formulas);
        else
            print_json_row(&output.out, timeline, table, row);
    return output_commit(&output);
}

/* The types of standard SQL. A blob is text: its bytes are printed as hexadecimal digits. */
static void print_table_type(struct fxt_out *out, const struct table *table)
{
    static const char *const types[] = {"BIGINT", "DOUBLE PRECISION", "VARCHAR", "VARCHAR"};
    fxt_out_text(out, "CREATE TABLE ");
    fxt_out_text(out, table->name);
    for (size_t i = 0; i < table->column_count; i++) {
        fxt_out_text(out, i > 0 ? ", " : "(");
        fxt_out_text(out, table->columns[i].name);
        fxt_out_char(out, ' ');
        fxt_out_text(out, types[table->columns[i].type]);
    }
    fxt_out_text(out, ");\n");
}

static enum exit_code export_schema(const char *path)
{
    struct output output;
    if (!output_open(&output, path, NULL))
        return EXIT_IO;
    for (size_t i = 0; i < schema_table_count; i++)
        print_table_type(&output.out, &schema_tables[i]);
    return output_commit(&output);
}

/* DIRECTORY/NAME.ENDING, which the caller frees; NULL after a message. */
static char *path_in(const char *directory, const char *name, const char *ending)
{
    size_t size = strlen(directory) + strlen(name) + strlen(ending) + sizeof "/.";
    char *path = malloc(size);
    if (path == NULL)
        message("%s: %s", directory, strerror(ENOMEM));
    else
        snprintf(path, size, "%s/%s.%s", directory, name, ending);
    return path;
}

/* Each file appears when it is complete. */
static enum exit_code export_all(const struct timeline *timeline,
                                 const struct export_options *options)
{
    bool csv = options->format == EXPORT_CSV;
    char *path = path_in(options->common.output, "schema", "sql");
    enum exit_code code = path != NULL ? export_schema(path) : EXIT_IO;
    free(path);
    for (size_t i = 0; i < schema_table_count && code == EXIT_CLEAN; i++) {
        const struct table *table = &schema_tables[i];
        path = path_in(options->common.output, table->name, csv ? "csv" : "jsonl");
        code = path != NULL ? export_table(path, timeline, table, options) : EXIT_IO;
        free(path);
    }
    return code;
}

/* EXIT_FINDINGS after a message: some slices have no place in it. */
static enum exit_code export_stacks(struct fxt_out *out, struct timeline *timeline,
                                    const struct export_options *options)
{
    const char *path = options->common.operands.it[0];
    const char *slash = strrchr(path, '/');
    uint64_t left = 0;
    bool good = options->format == EXPORT_FOLDED
                    ? stacks_folded(out, timeline)
                    : stacks_speedscope(out, timeline, slash != NULL ? slash + 1 : path, &left);
    if (!good)
        message("%s: not enough memory for the stacks of this trace", path);
    if (left > 0)
        message_at("%s: left out: %llu slices that overlap too many others", path,
                   (unsigned long long)left);
    return !good ? EXIT_IO : left > 0 ? EXIT_FINDINGS : EXIT_CLEAN;
}

static enum exit_code run_stacks(const struct export_options *options)
{
    struct timeline *timeline;
    struct output output;
    if (!output_open(&output, options->common.output, &options->common.operands))
        return EXIT_IO;
    enum exit_code code =
        timeline_read(&timeline, options->common.operands.it[0], &options->common);
    if (timeline != NULL && code != EXIT_IO)
        code = exit_worse(code, export_stacks(&output.out, timeline, options));
    code = output_end(&output, code, timeline != NULL);
    timeline_end(timeline);
    return code;
}

static enum exit_code run_tables(const struct export_options *options)
{
    struct timeline *timeline;
    enum exit_code code =
        timeline_read(&timeline, options->common.operands.it[0], &options->common);
    if (timeline == NULL)
        return code;
    if (code == EXIT_IO) {
        output_report_unwritten(options->common.output);
    } else if (mkdir(options->common.output, 0777) != 0 && errno != EEXIST) {
        message("%s: cannot make the directory: %s", options->common.output, strerror(errno));
        code = EXIT_IO;
    } else
        code = exit_worse(code, export_all(timeline, options));
    timeline_end(timeline);
    return code;
}

static enum exit_code run(const void *given)
{
    const struct export_options *options = given;
    bool stacks = options->format == EXPORT_SPEEDSCOPE || options->format == EXPORT_FOLDED;
    if (!stacks && options->common.output == NULL)
        message("export: no directory is given: --output=DIR");
    else if (options->common.operands.count != 1)
        message("export: takes one trace");
    else if (options->common.no_formulas && options->format != EXPORT_CSV)
        message("export: --no-formulas is for --format=csv");
    else
        return stacks ? run_stacks(options) : run_tables(options);
    return EXIT_USAGE;
}

static const struct export_options defaults = {.common = OPTIONS_INIT};

static const struct option_spec options_of_export[] = {
    {"format", 0, "jsonl|csv|speedscope|folded",
     "tables: JSON Lines, CSV; stacks: speedscope, folded lines (jsonl)", option_choice,
     offsetof(struct export_options, format)},
    {"output", 'o', "PATH", "PATH/TABLE.jsonl, one file a table; stacks: the file PATH (stdout)",
     option_text, offsetof(struct options, output)},
    OPTION_NO_FORMULAS,
    OPTIONS_OF_TRACES,
    OPTION_OLD('f', "format"),
    OPTION_END,
};

const struct command command_export = {
    .name = "export",
    .title =
        "Writes the tables of fxt sql as files, or the stacks of threads for flame graph tools.",
    .usage = "FILE",
    .options = options_of_export,
    .operands = OPERANDS_FILE,
    .defaults = &defaults,
    .size = sizeof defaults,
    .run = run,
};
