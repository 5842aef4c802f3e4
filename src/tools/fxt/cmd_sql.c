/* fxt sql: reads a trace into tables, and answers SQL on them. */
#include <string.h>

#include "src/cli/output.h"
#include "src/tools/fxt/commands.h"
#include "src/tools/fxt/sql/sql.h"
#include "src/tools/fxt/tables/read.h"

struct sql_options {
    struct options common; /* the first member */
    const char *save;      /* a database, or NULL */
    bool json;
    bool csv;
};

static enum answer_form form_of(const struct sql_options *options)
{
    if (options->json)
        return ANSWER_JSON;
    if (options->csv)
        return options->common.no_formulas ? ANSWER_SPREADSHEET : ANSWER_CSV;
    return ANSWER_TABLE;
}

static enum exit_code answer(sqlite3 *db, const struct sql_options *options,
                             enum exit_code imported)
{
    const struct operand_list trace = {options->common.operands.it, 1};
    struct output output;
    enum exit_code code = EXIT_CLEAN;
    if (!output_open(&output, options->common.output, &trace))
        return EXIT_IO;
    struct answer how = {.form = form_of(options)};
    if (how.form == ANSWER_TABLE) {
        how.colour = output.styled = terminal_has_colours(output.fd, options->common.colour);
        how.columns = terminal_columns(output.fd);
    }
    if (options->common.operands.count < 2)
        code = shell_run(db, &output.out, &how);
    bool quits = false;
    for (int i = 1; i < options->common.operands.count && code == EXIT_CLEAN && !quits; i++) {
        const char *sql = options->common.operands.it[i];
        code = sql[0] == '.' ? shell_command(&output.out, sql, &quits)
                             : database_run(db, sql, &output.out, &how);
    }
    bool is_whole =
        code == EXIT_CLEAN || options->common.operands.count < 2 || output.temporary == NULL;
    return output_end(&output, exit_worse(imported, code), is_whole);
}

/* imported: the result of the trace. */
static enum exit_code run_on(sqlite3 *db, const struct sql_options *options,
                             enum exit_code imported)
{
    const struct operand_list trace = {options->common.operands.it, 1};
    enum exit_code code = EXIT_CLEAN;
    if (options->save != NULL && imported == EXIT_IO) {
        output_report_unwritten(options->save);
        return imported;
    }
    if (options->save != NULL)
        code = database_save(db, options->save, &trace);
    if (code == EXIT_CLEAN && (options->save == NULL || options->common.operands.count > 1))
        code = answer(db, options, imported);
    return exit_worse(imported, code);
}

static bool is_usable(const struct sql_options *options)
{
    if (options->json && options->csv)
        message("sql: --json and --csv exclude each other");
    else if (options->common.no_formulas && !options->csv)
        message("sql: --no-formulas is for --csv");
    else if (options->save != NULL && options->common.output != NULL &&
             options->common.operands.count == 1)
        message("sql: --output is for the answers of a query, and there is none");
    else if (options->common.operands.count == 0)
        message("sql: no trace is given; 'fxt sql --help' shows the usage");
    else if (options->common.operands.count < 2 && options->save == NULL &&
             strcmp(options->common.operands.it[0], "-") == 0)
        message("sql: a trace from stdin needs a query as an argument");
    else
        return true;
    return false;
}

static enum exit_code run(const void *given)
{
    const struct sql_options *options = given;
    struct timeline *timeline;
    if (!is_usable(options))
        return EXIT_USAGE;
    const char *path = options->common.operands.it[0];
    enum exit_code code = timeline_read(&timeline, path, &options->common);
    if (timeline == NULL)
        return code;
    sqlite3 *db = database_open(path, timeline);
    if (db == NULL)
        return EXIT_IO;
    code = run_on(db, options, code);
    database_close(db);
    return code;
}

static const struct sql_options defaults = {.common = OPTIONS_INIT};

static const struct option_spec options_of_sql[] = {
    {"json", 'j', NULL, "rows as JSON Lines, one object a row", option_bool,
     offsetof(struct sql_options, json)},
    {"csv", 0, NULL, "rows as CSV, with the names of the columns", option_bool,
     offsetof(struct sql_options, csv)},
    OPTION_NO_FORMULAS,
    {"save", 0, "DB", "write all timeline to DB, a new database of SQLite", option_text,
     offsetof(struct sql_options, save)},
    OPTION_COLOR,
    OPTION_OUTPUT,
    OPTIONS_OF_TRACES,
    OPTION_OLD('c', "csv"),
    OPTION_OLD('s', "save"),
    OPTION_END,
};

const struct command command_sql = {
    .name = "sql",
    .title = "Answers SQL on a trace, with tables like those of Perfetto.",
    .usage = "FILE [SQL]...",
    .options = options_of_sql,
    .defaults = &defaults,
    .size = sizeof defaults,
    .run = run,
};
