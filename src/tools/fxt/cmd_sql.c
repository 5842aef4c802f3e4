/* fxt sql: reads a trace into tables, and answers SQL on them. */
#include <string.h>

#include "src/cli/output.h"
#include "src/tools/fxt/commands.h"
#include "src/tools/fxt/sql/database.h"
#include "src/tools/fxt/sql/shell.h"
#include "src/tools/fxt/tables/import.h"

static enum answer_form form_of(const struct options *options)
{
    if (options->json)
        return ANSWER_JSON;
    return options->csv ? ANSWER_CSV : ANSWER_TABLE;
}

static enum exit_code answer(sqlite3 *db, const struct options *options, enum exit_code imported)
{
    const struct operand_list trace = {options->operands.it, 1};
    struct output output;
    enum exit_code code = EXIT_CLEAN;
    if (!output_open(&output, options->output, &trace))
        return EXIT_IO;
    if (options->operands.count < 2)
        code = shell_run(db, &output.out, form_of(options));
    for (int i = 1; i < options->operands.count && code == EXIT_CLEAN; i++)
        code = database_run(db, options->operands.it[i], &output.out, form_of(options));
    bool is_whole = code == EXIT_CLEAN || options->operands.count < 2 || output.temporary == NULL;
    return output_end(&output, exit_worse(imported, code), is_whole);
}

/* imported: the result of the trace. */
static enum exit_code run_on(sqlite3 *db, const struct options *options, enum exit_code imported)
{
    const struct operand_list trace = {options->operands.it, 1};
    enum exit_code code = EXIT_CLEAN;
    if (options->save != NULL && imported == EXIT_IO) {
        output_tell_unwritten(options->save);
        return imported;
    }
    if (options->save != NULL)
        code = database_save(db, options->save, &trace);
    if (code == EXIT_CLEAN && (options->save == NULL || options->operands.count > 1))
        code = answer(db, options, imported);
    return exit_worse(imported, code);
}

static bool is_usable(const struct options *options)
{
    if (options->json && options->csv)
        message("sql: --json and --csv exclude each other");
    else if (options->save != NULL && options->output != NULL && options->operands.count == 1)
        message("sql: --output is for the answers of a query, and there is none");
    else if (options->operands.count == 0)
        message("sql: no trace is given; 'fxt sql --help' shows the usage");
    else if (options->operands.count < 2 && options->save == NULL &&
             strcmp(options->operands.it[0], "-") == 0)
        message("sql: a trace from stdin needs a query as an argument");
    else
        return true;
    return false;
}

static enum exit_code run(const struct options *options)
{
    struct tables *tables;
    if (!is_usable(options))
        return EXIT_USAGE;
    const char *path = options->operands.it[0];
    enum exit_code code = tables_import(&tables, path, options);
    if (tables == NULL)
        return code;
    sqlite3 *db = database_open(path, tables);
    if (db == NULL)
        return EXIT_IO;
    code = run_on(db, options, code);
    database_close(db);
    return code;
}

static bool set_csv(struct options *options, const char *value)
{
    (void)value;
    options->csv = true;
    return true;
}

static bool set_save(struct options *options, const char *value)
{
    options->save = value;
    return *value != '\0';
}

static const struct option_spec options_of_sql[] = {
    {"json", 'j', NULL, "rows as JSON Lines, one object a row", option_set_json},
    {"csv", 'c', NULL, "rows as CSV, with the names of the columns", set_csv},
    {"save", 's', "DB", "write all tables to DB, a new database of SQLite", set_save},
    OPTION_OUTPUT,
    OPTION_MAX_RECORD,
    OPTION_RAW,
    OPTION_ALLOW_EMPTY,
    OPTION_END,
};

const struct command command_sql = {
    .name = "sql",
    .title = "Answers SQL on a trace, with tables like those of Perfetto.",
    .usage = "FILE [SQL]...",
    .options = options_of_sql,
    .run = run,
};
