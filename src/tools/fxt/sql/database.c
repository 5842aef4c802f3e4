/* Databases of traces. The connection is the only state. */
#include "src/tools/fxt/sql/sql.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

const char *last_message(void)
{
    return "the file cannot be read as a trace";
}

/* ---- names in double quotes that no column has, which SQLite takes for texts */

static char told[64]; /* the last name of this statement: SQLite may tell of one more than once */

/* SQLite leaves out names that are too long for its buffer. */
static void on_log(void *context, int code, const char *text)
{
    static const char start[] = "double-quoted string literal: ";
    (void)context;
    if (code != SQLITE_WARNING || strncmp(text, start, strlen(start)) != 0)
        return;
    const char *name = strlen(text) > strlen(start) + 1 ? text + strlen(start) : "a long \"name\"";
    if (strncmp(name, told, sizeof told - 1) != 0)
        message("sql: %s is not the name of a column here, so it is a text; write '...' for texts",
                name);
    snprintf(told, sizeof told, "%s", name);
}

/* ---- opening */

sqlite3 *database_open(const char *path, struct timeline *timeline)
{
    sqlite3 *db = NULL;
    struct files *files;
    sqlite3_config(SQLITE_CONFIG_LOG, on_log, NULL); /* once, before SQLite begins */
    int result = sqlite3_open(":memory:", &db);
    if (result == SQLITE_OK)
        result = module_register(db, &files);
    if (result == SQLITE_OK)
        result = module_open(files, "main", path, timeline);
    if (result == SQLITE_OK)
        result = sum_register(db);
    if (result == SQLITE_OK)
        return db;
    message("%s: %s", path, db != NULL ? sqlite3_errmsg(db) : sqlite3_errstr(result));
    sqlite3_close(db);
    return NULL;
}

void database_close(sqlite3 *db)
{
    sqlite3_close(db);
}

/* ---- INCLUDE PERFETTO MODULE, which SQLite does not know */

/* What they define is always there. */
static const char *const modules[] = {"slices.with_context", "slices.self_dur", "time.conversion"};

static const char *skip_space(const char *sql)
{
    for (;;) {
        while (isspace((unsigned char)*sql) || *sql == ';')
            sql++;
        if (strncmp(sql, "--", 2) != 0)
            return sql;
        sql += strcspn(sql, "\n");
    }
}

/* The text behind a word, or NULL. */
static const char *skip_word(const char *sql, const char *word)
{
    size_t length = strlen(word);
    if (strncasecmp(sql, word, length) != 0 || !isspace((unsigned char)sql[length]))
        return NULL;
    return skip_space(sql + length);
}

/* The name of the module that the statement includes, or NULL. */
static const char *included(const char *sql)
{
    static const char *const words[] = {"INCLUDE", "PERFETTO", "MODULE"};
    for (size_t i = 0; sql != NULL && i < sizeof words / sizeof *words; i++)
        sql = skip_word(sql, words[i]);
    return sql;
}

static enum exit_code include(const char **sql, const char *name)
{
    size_t length = strcspn(name, "; \t\r\n");
    *sql = name + length;
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
        if (strlen(modules[i]) == length && strncasecmp(name, modules[i], length) == 0)
            return EXIT_CLEAN;
    message("sql: there is no module '%.*s' here: only slices.with_context, slices.self_dur and "
            "time.conversion",
            (int)length, name);
    return EXIT_FINDINGS;
}

static enum exit_code failed(sqlite3 *db)
{
    message("sql: %s", sqlite3_errmsg(db));
    return EXIT_FINDINGS;
}

static enum exit_code run_one(sqlite3 *db, const char **sql, struct fxt_out *out,
                              const struct answer *how)
{
    sqlite3_stmt *statement;
    const char *module = included(*sql);
    told[0] = '\0';
    if (module != NULL)
        return include(sql, module);
    if (sqlite3_prepare_v2(db, *sql, -1, &statement, sql) != SQLITE_OK)
        return failed(db);
    if (statement == NULL)
        return EXIT_CLEAN;
    int result = answer_print(out, statement, how);
    enum exit_code code = result == SQLITE_DONE || result == SQLITE_ROW ? EXIT_CLEAN : failed(db);
    sqlite3_finalize(statement);
    return code;
}

enum exit_code database_run(sqlite3 *db, const char *sql, struct fxt_out *out,
                            const struct answer *how)
{
    enum exit_code code = EXIT_CLEAN;
    for (sql = skip_space(sql); *sql != '\0' && code == EXIT_CLEAN && !out->failed;
         sql = skip_space(sql))
        code = run_one(db, &sql, out, how);
    return code;
}
