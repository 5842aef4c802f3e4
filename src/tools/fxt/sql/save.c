/* The database of a trace in a file. Beside the tables and views it has indexes for the joins that
   queries make. */
#include <string.h>
#include <sys/stat.h>

#include "src/cli/output.h"
#include "src/tools/fxt/sql/sql.h"
#include "src/tools/fxt/tables/schema.h"

/* Tables and columns. */
static const char *const indexes[][2] = {
    {"slice", "track_id"},  {"slice", "parent_id"},   {"slice", "ts"},
    {"args", "arg_set_id"}, {"counter", "track_id"},  {"flow", "slice_out"},
    {"flow", "slice_in"},   {"sched_slice", "utid"},  {"thread_state", "utid"},
    {"track", "fxt_utid"},  {"fxt_flow_event", "ts"},
};

static int run(sqlite3 *db, char *sql)
{
    int result = sql != NULL ? sqlite3_exec(db, sql, NULL, NULL, NULL) : SQLITE_NOMEM;
    sqlite3_free(sql);
    return result;
}

static int create_table(sqlite3 *db, const struct table *table)
{
    sqlite3_str *sql = sqlite3_str_new(db);
    sqlite3_str_appendf(sql, "CREATE TABLE saved.%s(", table->name);
    for (size_t i = 0; i < table->column_count; i++)
        sqlite3_str_appendf(sql, "%s%s %s%s", i > 0 ? ", " : "", table->columns[i].name,
                            schema_type_name(&table->columns[i]),
                            i == 0 && table->columns[i].shape == SHAPE_ID ? " PRIMARY KEY" : "");
    sqlite3_str_appendall(sql, ")");
    return run(db, sqlite3_str_finish(sql));
}

static int save_all(sqlite3 *db)
{
    int result = SQLITE_OK;
    for (size_t i = 0; result == SQLITE_OK && i < schema_table_count; i++) {
        result = create_table(db, &schema_tables[i]);
        if (result == SQLITE_OK)
            result = run(db, sqlite3_mprintf("INSERT INTO saved.%s SELECT * FROM main.%s",
                                             schema_tables[i].name, schema_tables[i].name));
    }
    for (size_t i = 0; result == SQLITE_OK && i < sizeof indexes / sizeof *indexes; i++)
        result = run(db, sqlite3_mprintf("CREATE INDEX saved.%s_%s ON %s(%s)", indexes[i][0],
                                         indexes[i][1], indexes[i][0], indexes[i][1]));
    for (size_t i = 0; result == SQLITE_OK && i < schema_view_count; i++)
        result = run(db, sqlite3_mprintf("CREATE VIEW saved.%s AS %s", schema_views[i].name,
                                         schema_views[i].select));
    return result;
}

/* The file is new, and nobody sees it before it is complete: it needs no journal. SQLite takes a name
   that begins with "file:" for a URI. */
static int save_into(sqlite3 *db, const char *path)
{
    int result =
        run(db, sqlite3_mprintf("ATTACH %s%Q AS saved", *path == '/' ? "" : "'./' || ", path));
    if (result == SQLITE_OK)
        result = run(db, sqlite3_mprintf("PRAGMA saved.journal_mode = OFF; "
                                         "PRAGMA saved.synchronous = OFF; BEGIN"));
    if (result == SQLITE_OK)
        result = save_all(db);
    if (result == SQLITE_OK)
        result = run(db, sqlite3_mprintf("COMMIT; DETACH saved"));
    return result;
}

enum exit_code database_save(sqlite3 *db, const char *path, const struct operand_list *inputs)
{
    struct output output;
    struct stat it;
    /* To open a FIFO would wait for a reader. */
    bool is_other = stat(path, &it) == 0 && !S_ISREG(it.st_mode) && !S_ISDIR(it.st_mode);
    if (!is_other && !output_open(&output, path, inputs))
        return EXIT_IO;
    if (is_other || output.temporary == NULL) {
        message("%s: not a regular file, as a database must be", path);
        if (!is_other)
            output_discard(&output);
        return EXIT_IO;
    }
    if (save_into(db, output.temporary) == SQLITE_OK)
        return output_commit(&output);
    message("%s: %s", path, sqlite3_errmsg(db));
    output_discard(&output);
    return EXIT_IO;
}
