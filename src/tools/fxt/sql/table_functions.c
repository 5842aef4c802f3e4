/* To SQLite, a function that returns rows is a virtual table with a hidden column for the parameter.
   A cursor is a statement that runs. */
#include "src/tools/fxt/sql/sql.h"

#include <stdbool.h>
#include <stdlib.h>

#include "src/tools/fxt/tables/schema.h"

struct table_function {
    const char *name;
    const char *rows;  /* the table whose rows it returns */
    const char *found; /* the ids of these rows, for the slice ?1 */
};

/* CROSS JOIN keeps the order of the tables: from the few rows found so far to those of the index.
   As in Perfetto, what flows into a slice goes on from those inside, and what flows out of a slice
   came by those around. */
static const struct table_function table_functions[] = {
    {"ancestor_slice", "slice",
     "found(id) AS (SELECT parent_id FROM slice WHERE id = ?1 "
     "UNION ALL SELECT it.parent_id FROM found CROSS JOIN slice it ON it.id = found.id)"},
    {"descendant_slice", "slice",
     "found(id) AS (SELECT id FROM slice WHERE parent_id = ?1 "
     "UNION ALL SELECT it.id FROM found CROSS JOIN slice it ON it.parent_id = found.id)"},
    {"directly_connected_flow", "flow",
     "found(id) AS (SELECT id FROM flow WHERE slice_out = ?1 "
     "UNION SELECT id FROM flow WHERE slice_in = ?1)"},
    {"following_flow", "flow",
     "reached(id) AS (SELECT ?1 "
     "UNION SELECT it.id FROM reached CROSS JOIN slice it ON it.parent_id = reached.id "
     "UNION SELECT it.slice_in FROM reached CROSS JOIN flow it ON it.slice_out = reached.id), "
     "found(id) AS (SELECT it.id FROM reached CROSS JOIN flow it ON it.slice_out = reached.id)"},
    {"preceding_flow", "flow",
     "reached(id) AS (SELECT ?1 "
     "UNION SELECT it.parent_id FROM reached CROSS JOIN slice it ON it.id = reached.id "
     "UNION SELECT it.slice_out FROM reached CROSS JOIN flow it ON it.slice_in = reached.id), "
     "found(id) AS (SELECT it.id FROM reached CROSS JOIN flow it ON it.slice_in = reached.id)"},
};

struct function_table {
    sqlite3_vtab base;
    sqlite3 *db;
    const struct table_function *function;
    int parameter; /* the hidden column */
};

struct function_cursor {
    sqlite3_vtab_cursor base;
    sqlite3_stmt *rows; /* NULL until it is asked first */
    bool is_at_end;
};

static int connect_function(sqlite3 *db, void *context, int argc, const char *const *argv,
                            sqlite3_vtab **result, char **error)
{
    const struct table_function *function = context;
    const struct table *rows = schema_find(function->rows);
    sqlite3_str *text = sqlite3_str_new(db);
    (void)argc;
    (void)argv;
    (void)error;
    sqlite3_str_appendall(text, "CREATE TABLE x(");
    for (size_t i = 0; i < rows->column_count; i++)
        sqlite3_str_appendf(text, "\"%w\" %s, ", rows->columns[i].name,
                            schema_type_name(&rows->columns[i]));
    sqlite3_str_appendall(text, "of_slice INTEGER HIDDEN)");
    char *declaration = sqlite3_str_finish(text);
    int code = declaration != NULL ? sqlite3_declare_vtab(db, declaration) : SQLITE_NOMEM;
    sqlite3_free(declaration);
    struct function_table *table = code == SQLITE_OK ? calloc(1, sizeof *table) : NULL;
    if (table == NULL)
        return code == SQLITE_OK ? SQLITE_NOMEM : code;
    table->db = db;
    table->function = function;
    table->parameter = (int)rows->column_count;
    *result = &table->base;
    return SQLITE_OK;
}

static int disconnect_function(sqlite3_vtab *base)
{
    free(base);
    return SQLITE_OK;
}

/* The parameter must be given. If it is there but unusable, SQLite tries another order of tables. */
static int plan_function(sqlite3_vtab *base, sqlite3_index_info *info)
{
    const struct function_table *table = (const struct function_table *)base;
    bool is_given = false;
    for (int i = 0; i < info->nConstraint; i++) {
        const struct sqlite3_index_constraint *it = &info->aConstraint[i];
        if (it->op != SQLITE_INDEX_CONSTRAINT_EQ || it->iColumn != table->parameter)
            continue;
        is_given = true;
        if (!it->usable)
            continue;
        info->aConstraintUsage[i].argvIndex = 1;
        info->aConstraintUsage[i].omit = 1;
        info->estimatedCost = 100;
        info->estimatedRows = 10;
        return SQLITE_OK;
    }
    if (is_given)
        return SQLITE_CONSTRAINT;
    base->zErrMsg = sqlite3_mprintf("%s needs the id of a slice, as in %s(7)",
                                    table->function->name, table->function->name);
    return SQLITE_ERROR;
}

static int open_rows(sqlite3_vtab *base, sqlite3_vtab_cursor **result)
{
    struct function_cursor *cursor = calloc(1, sizeof *cursor);
    (void)base;
    if (cursor == NULL)
        return SQLITE_NOMEM;
    *result = &cursor->base;
    return SQLITE_OK;
}

static int close_rows(sqlite3_vtab_cursor *base)
{
    sqlite3_finalize(((struct function_cursor *)base)->rows);
    free(base);
    return SQLITE_OK;
}

static int next_of_rows(sqlite3_vtab_cursor *base)
{
    struct function_cursor *cursor = (struct function_cursor *)base;
    int code = sqlite3_step(cursor->rows);
    cursor->is_at_end = code != SQLITE_ROW;
    if (code == SQLITE_ROW)
        return SQLITE_OK;
    sqlite3_reset(cursor->rows);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

static int prepare_rows(struct function_cursor *cursor)
{
    const struct function_table *table = (const struct function_table *)cursor->base.pVtab;
    const struct table_function *function = table->function;
    char *sql = sqlite3_mprintf("WITH RECURSIVE %s SELECT it.* "
                                "FROM found CROSS JOIN %s it ON it.id = found.id ORDER BY it.id",
                                function->found, function->rows);
    int code =
        sql != NULL ? sqlite3_prepare_v2(table->db, sql, -1, &cursor->rows, NULL) : SQLITE_NOMEM;
    sqlite3_free(sql);
    return code;
}

static int find_rows(sqlite3_vtab_cursor *base, int number, const char *name, int argc,
                     sqlite3_value **argv)
{
    struct function_cursor *cursor = (struct function_cursor *)base;
    const struct function_table *table = (const struct function_table *)base->pVtab;
    int code = cursor->rows != NULL ? sqlite3_reset(cursor->rows) : prepare_rows(cursor);
    (void)number;
    (void)name;
    (void)argc;
    if (code == SQLITE_OK)
        code = sqlite3_bind_value(cursor->rows, 1, argv[0]);
    if (code == SQLITE_OK)
        return next_of_rows(base);
    base->pVtab->zErrMsg =
        sqlite3_mprintf("%s: %s", table->function->name, sqlite3_errmsg(table->db));
    return code;
}

static int is_at_end(sqlite3_vtab_cursor *base)
{
    return ((const struct function_cursor *)base)->is_at_end;
}

/* The parameter has been checked, and is not asked for. */
static int get_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column)
{
    const struct function_cursor *cursor = (const struct function_cursor *)base;
    if (column < ((const struct function_table *)base->pVtab)->parameter)
        sqlite3_result_value(context, sqlite3_column_value(cursor->rows, column));
    return SQLITE_OK;
}

static int row_id(sqlite3_vtab_cursor *base, sqlite3_int64 *result)
{
    *result = sqlite3_column_int64(((const struct function_cursor *)base)->rows, 0);
    return SQLITE_OK;
}

/* Without xCreate, the table exists by its name alone. */
static const sqlite3_module module = {
    .iVersion = 1,
    .xConnect = connect_function,
    .xBestIndex = plan_function,
    .xDisconnect = disconnect_function,
    .xOpen = open_rows,
    .xClose = close_rows,
    .xFilter = find_rows,
    .xNext = next_of_rows,
    .xEof = is_at_end,
    .xColumn = get_column,
    .xRowid = row_id,
};

int table_functions_register(sqlite3 *db)
{
    int code = SQLITE_OK;
    for (size_t i = 0; code == SQLITE_OK && i < sizeof table_functions / sizeof *table_functions;
         i++)
        code = sqlite3_create_module(db, table_functions[i].name, &module,
                                     (void *)(uintptr_t)&table_functions[i]);
    return code;
}
