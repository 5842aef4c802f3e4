/* The virtual tables. A connection has one struct files, which owns what was read; a table refers
   to it, so it lives until the connection ends. */
#include "src/tools/fxt/sql/sql.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "src/cli/tool_options.h"
#include "src/tools/fxt/tables/read.h"
#include "src/tools/fxt/tables/schema.h"

struct file {
    struct file *next;
    struct timeline *timeline;
    char *path;
};

struct files {
    sqlite3 *db;
    struct file *first;
};

struct virtual_table {
    sqlite3_vtab base;
    const struct timeline *timeline;
    const struct table *table;
    struct array indexes[SCHEMA_COLUMNS_MAX]; /* by column; it NULL: not made yet */
};

/* Rows first … end - 1; or those at these places of an index; or the arguments of a set. */
struct cursor {
    sqlite3_vtab_cursor base;
    const struct array *index;
    uint32_t at;
    uint32_t end;
    uint32_t set; /* that follows */
};

enum plan { PLAN_ALL, PLAN_ID, PLAN_INDEX, PLAN_SET, PLAN_TIME };

/* idxNum: the plan, the column, and for PLAN_TIME and PLAN_INDEX which bounds are given. */
#define PLAN_COLUMN(number) ((number) >> 8 & 0xff)
#define PLAN_OF(number) ((number)&0xff)
#define BOUND_LOW (1 << 16)
#define BOUND_HIGH (1 << 17)
#define BOUND_LOW_OPEN (1 << 18)
#define BOUND_HIGH_OPEN (1 << 19)

/* ---- files */

static void free_files(void *context)
{
    struct files *files = context;
    struct file *next;
    for (struct file *file = files->first; file != NULL; file = next) {
        next = file->next;
        timeline_end(file->timeline);
        free(file->path);
        free(file);
    }
    free(files);
}

static bool add_file(struct files *files, const char *path, struct timeline *timeline)
{
    struct file *file = malloc(sizeof *file);
    char *copy = strdup(path);
    if (file == NULL || copy == NULL) {
        free(file);
        free(copy);
        return false;
    }
    *file = (struct file){files->first, timeline, copy};
    files->first = file;
    return true;
}

/* The tools read one file at a time; connections of several threads may ask for more. */
static pthread_mutex_t importing = PTHREAD_MUTEX_INITIALIZER;

static const struct timeline *find_file(struct files *files, const char *path, char **error)
{
    struct options options = OPTIONS_INIT;
    options.allow_empty = true; /* a table without rows */
    struct timeline *timeline;
    for (const struct file *file = files->first; file != NULL; file = file->next)
        if (strcmp(file->path, path) == 0)
            return file->timeline;
    pthread_mutex_lock(&importing);
    enum exit_code code = timeline_read(&timeline, path, &options);
    pthread_mutex_unlock(&importing);
    /* Half a file is none here: nobody would read the message. */
    if (timeline != NULL && code != EXIT_IO && add_file(files, path, timeline))
        return timeline;
    if (timeline != NULL && code == EXIT_IO)
        *error = sqlite3_mprintf("%s: cannot be read to its end", path);
    else
        *error = sqlite3_mprintf("%s", last_message());
    timeline_end(timeline);
    return NULL;
}

/* ---- tables */

/* The text of an SQL literal 'a''b' or "a""b", or the word itself. */
static char *unquoted(const char *literal)
{
    char quote = *literal;
    char *text = strdup(literal);
    char *to = text;
    if (text == NULL || (quote != '\'' && quote != '"'))
        return text;
    for (const char *from = literal + 1; *from != '\0'; from++) {
        if (*from == quote && *++from != quote)
            break;
        *to++ = *from;
    }
    *to = '\0';
    return text;
}

static char *declaration(const struct table *table)
{
    sqlite3_str *text = sqlite3_str_new(NULL);
    sqlite3_str_appendall(text, "CREATE TABLE x(");
    for (size_t i = 0; i < table->column_count; i++)
        sqlite3_str_appendf(text, "%s\"%w\" %s", i > 0 ? ", " : "", table->columns[i].name,
                            schema_type_name(&table->columns[i]));
    sqlite3_str_appendall(text, ")");
    return sqlite3_str_finish(text);
}

static int declare(sqlite3 *db, const struct table *table)
{
    char *text = declaration(table);
    int result = text != NULL ? sqlite3_declare_vtab(db, text) : SQLITE_NOMEM;
    sqlite3_free(text);
    return result;
}

static const struct table *choose_table(int argc, const char *const *argv)
{
    const struct table *table = schema_find(argv[2]);
    if (argc < 5)
        return table != NULL ? table : schema_find("slice");
    char *name = unquoted(argv[4]);
    table = name != NULL ? schema_find(name) : NULL;
    free(name);
    return table;
}

/* argv: module, schema, name of the table, then what is in the parentheses. */
static int connect_table(sqlite3 *db, void *context, int argc, const char *const *argv,
                         sqlite3_vtab **result, char **error)
{
    const struct table *table = argc >= 4 && argc <= 5 ? choose_table(argc, argv) : NULL;
    if (table == NULL) {
        *error = argc == 5 ? sqlite3_mprintf("%s is no table of a trace", argv[4])
                           : sqlite3_mprintf("usage: CREATE VIRTUAL TABLE NAME USING "
                                             "fxt('FILE'[, TABLE])");
        return SQLITE_ERROR;
    }
    char *path = unquoted(argv[3]);
    const struct timeline *timeline = path != NULL ? find_file(context, path, error) : NULL;
    free(path);
    if (timeline == NULL)
        return SQLITE_ERROR;
    struct virtual_table *new = calloc(1, sizeof *new);
    if (new == NULL)
        return SQLITE_NOMEM;
    new->timeline = timeline;
    new->table = table;
    *result = &new->base;
    return declare(db, table);
}

static int disconnect_table(sqlite3_vtab *base)
{
    struct virtual_table *table = (struct virtual_table *)base;
    for (size_t i = 0; i < SCHEMA_COLUMNS_MAX; i++)
        array_free(&table->indexes[i]);
    free(table);
    return SQLITE_OK;
}

/* ---- plans */

/* Whether an equation on this column has a plan. */
static enum plan plan_of_equation(const struct virtual_table *table, int column)
{
    if (column < 0)
        return PLAN_ID;
    const struct column *it = &table->table->columns[column];
    if (it->shape == SHAPE_ID)
        return PLAN_ID;
    if (strcmp(table->table->name, "args") == 0 && strcmp(it->name, "arg_set_id") == 0)
        return PLAN_SET;
    return it->type == COLUMN_INTEGER && it->shape != SHAPE_NULL && it->shape != SHAPE_ZERO
               ? PLAN_INDEX
               : PLAN_ALL;
}

/* The best equation, or -1. */
static int find_equation(const struct virtual_table *table, const sqlite3_index_info *info)
{
    int best = -1;
    for (int i = 0; i < info->nConstraint; i++) {
        const struct sqlite3_index_constraint *it = &info->aConstraint[i];
        if (!it->usable || it->op != SQLITE_INDEX_CONSTRAINT_EQ)
            continue;
        enum plan plan = plan_of_equation(table, it->iColumn);
        if (plan == PLAN_ID)
            return i;
        if (plan != PLAN_ALL && best < 0)
            best = i;
    }
    return best;
}

/* Bounds of the time column, which become the arguments from the `next` one on. */
static int find_bounds(const struct virtual_table *table, sqlite3_index_info *info, int next)
{
    int found = 0;
    for (int low = 1; low >= 0; low--)
        for (int i = 0; i < info->nConstraint; i++) {
            const struct sqlite3_index_constraint *it = &info->aConstraint[i];
            bool is_low =
                it->op == SQLITE_INDEX_CONSTRAINT_GE || it->op == SQLITE_INDEX_CONSTRAINT_GT;
            bool is_high =
                it->op == SQLITE_INDEX_CONSTRAINT_LE || it->op == SQLITE_INDEX_CONSTRAINT_LT;
            bool is_open =
                it->op == SQLITE_INDEX_CONSTRAINT_GT || it->op == SQLITE_INDEX_CONSTRAINT_LT;
            if (!it->usable || table->table->time < 0 || it->iColumn != table->table->time ||
                !(low ? is_low : is_high))
                continue;
            found |= low ? BOUND_LOW : BOUND_HIGH;
            if (is_open)
                found |= low ? BOUND_LOW_OPEN : BOUND_HIGH_OPEN;
            info->aConstraintUsage[i].argvIndex = next++;
            break;
        }
    return found;
}

/* Every plan but that of a set, whose end may have come first, gives rows in the order of their
   numbers, which is that of time. */
static bool is_in_order(const struct virtual_table *table, const sqlite3_index_info *info)
{
    if (info->nOrderBy != 1 || info->aOrderBy[0].desc)
        return false;
    int column = info->aOrderBy[0].iColumn;
    return column < 0 || column == table->table->time ||
           table->table->columns[column].shape == SHAPE_ID;
}

static void set_cost(sqlite3_index_info *info, double rows)
{
    info->estimatedRows = (sqlite3_int64)rows + 1;
    info->estimatedCost = rows + 1;
}

static int best_index(sqlite3_vtab *base, sqlite3_index_info *info)
{
    const struct virtual_table *table = (const struct virtual_table *)base;
    double rows = schema_rows(table->timeline, table->table)->count;
    int equation = find_equation(table, info);
    info->orderByConsumed = is_in_order(table, info);
    if (equation >= 0) {
        int column = info->aConstraint[equation].iColumn;
        enum plan plan = plan_of_equation(table, column);
        info->orderByConsumed &= plan != PLAN_SET;
        info->aConstraintUsage[equation].argvIndex = 1;
        info->idxNum = (int)plan | (column < 0 ? 0 : column) << 8;
        if (plan == PLAN_ID)
            info->idxFlags = SQLITE_INDEX_SCAN_UNIQUE;
        int bounds = plan == PLAN_INDEX ? find_bounds(table, info, 2) : 0;
        info->idxNum |= bounds;
        set_cost(info, plan == PLAN_ID                             ? 0
                       : plan == PLAN_SET                          ? 4
                       : bounds & BOUND_LOW && bounds & BOUND_HIGH ? 10 + rows / 8000
                                                                   : 20 + rows / 1000);
        return SQLITE_OK;
    }
    int bounds = find_bounds(table, info, 1);
    info->idxNum = bounds != 0 ? (int)PLAN_TIME | bounds : PLAN_ALL;
    set_cost(info, bounds == 0                                 ? rows
                   : bounds & BOUND_LOW && bounds & BOUND_HIGH ? rows / 8
                                                               : rows / 2);
    return SQLITE_OK;
}

/* ---- cursors */

static int open_cursor(sqlite3_vtab *base, sqlite3_vtab_cursor **result)
{
    (void)base;
    struct cursor *cursor = calloc(1, sizeof *cursor);
    if (cursor == NULL)
        return SQLITE_NOMEM;
    *result = &cursor->base;
    return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *base)
{
    free(base);
    return SQLITE_OK;
}

static uint32_t row_at(const struct cursor *cursor, uint32_t at)
{
    if (cursor->index == NULL)
        return at;
    return ((const struct index_row *)array_at(cursor->index, at))->row;
}

/* The first place of the cursor whose time is at least `time`. */
static uint32_t find_time(const struct virtual_table *table, const struct cursor *cursor,
                          int64_t time)
{
    struct cell cell;
    uint32_t low = cursor->at;
    uint32_t high = cursor->end;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        schema_get(table->timeline, table->table, row_at(cursor, middle),
                   &table->table->columns[table->table->time], &cell);
        if (cell.integer < time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Narrows the rows of the cursor, which are in the order of time. SQLite checks every row again, so a
   bound that is no integer may be left out. */
static void filter_time(const struct virtual_table *table, struct cursor *cursor, int bounds,
                        sqlite3_value **values)
{
    if (bounds & BOUND_LOW) {
        sqlite3_value *value = *values++;
        int64_t time = sqlite3_value_int64(value);
        if (sqlite3_value_type(value) == SQLITE_INTEGER)
            cursor->at = find_time(table, cursor, time);
    }
    if (bounds & BOUND_HIGH) {
        int64_t time = sqlite3_value_int64(*values);
        if (sqlite3_value_type(*values) == SQLITE_INTEGER && time < INT64_MAX)
            cursor->end = find_time(table, cursor, time + 1);
    }
}

static void filter_id(struct cursor *cursor, int64_t id)
{
    if (id < 0 || id >= cursor->end)
        cursor->end = 0;
    else {
        cursor->at = (uint32_t)id;
        cursor->end = cursor->at + 1;
    }
}

static void enter_set(const struct timeline *timeline, struct cursor *cursor, uint32_t set)
{
    const struct set_row *row = sets_at(timeline, set);
    cursor->at = row->first;
    cursor->end = row->first + row->count;
    cursor->set = row->next;
}

static void filter_set(const struct timeline *timeline, struct cursor *cursor, int64_t set)
{
    cursor->end = 0;
    if (set >= 0 && set < timeline->sets.count)
        enter_set(timeline, cursor, (uint32_t)set);
}

static int filter_index(struct virtual_table *table, struct cursor *cursor, int column,
                        int64_t value)
{
    struct array *index = &table->indexes[column];
    if (index->it == NULL &&
        !index_make(index, table->timeline, table->table, &table->table->columns[column]))
        return SQLITE_NOMEM;
    cursor->index = index;
    cursor->at = index_find(index, value);
    cursor->end = value < INT64_MAX ? index_find(index, value + 1) : index->count;
    return SQLITE_OK;
}

static int filter_cursor(sqlite3_vtab_cursor *base, int number, const char *name, int argc,
                         sqlite3_value **argv)
{
    struct cursor *cursor = (struct cursor *)base;
    struct virtual_table *table = (struct virtual_table *)base->pVtab;
    (void)name;
    cursor->index = NULL;
    cursor->set = ROW_NONE;
    cursor->at = 0;
    cursor->end = schema_rows(table->timeline, table->table)->count;
    if (PLAN_OF(number) == PLAN_TIME) {
        filter_time(table, cursor, number, argv);
        return SQLITE_OK;
    }
    if (argc == 0)
        return SQLITE_OK;
    int type = sqlite3_value_type(argv[0]);
    int64_t value = sqlite3_value_int64(argv[0]);
    if (type == SQLITE_NULL)
        cursor->end = 0;
    if (type != SQLITE_INTEGER)
        return SQLITE_OK;
    if (PLAN_OF(number) == PLAN_ID)
        filter_id(cursor, value);
    else if (PLAN_OF(number) == PLAN_SET)
        filter_set(table->timeline, cursor, value);
    else if (PLAN_OF(number) == PLAN_INDEX) {
        int code = filter_index(table, cursor, PLAN_COLUMN(number), value);
        if (code == SQLITE_OK)
            filter_time(table, cursor, number, argv + 1);
        return code;
    }
    return SQLITE_OK;
}

static int next_row(sqlite3_vtab_cursor *base)
{
    struct cursor *cursor = (struct cursor *)base;
    cursor->at++;
    if (cursor->at == cursor->end && cursor->set != ROW_NONE)
        enter_set(((struct virtual_table *)base->pVtab)->timeline, cursor, cursor->set);
    return SQLITE_OK;
}

static int is_at_end(sqlite3_vtab_cursor *base)
{
    const struct cursor *cursor = (const struct cursor *)base;
    return cursor->at >= cursor->end;
}

static uint32_t row_of(const struct cursor *cursor)
{
    return row_at(cursor, cursor->at);
}

static int row_id(sqlite3_vtab_cursor *base, sqlite3_int64 *result)
{
    *result = row_of((const struct cursor *)base);
    return SQLITE_OK;
}

static int get_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column)
{
    struct cell cell;
    const struct virtual_table *table = (const struct virtual_table *)base->pVtab;
    schema_get(table->timeline, table->table, row_of((const struct cursor *)base),
               &table->table->columns[column], &cell);
    functions_result(context, &cell);
    return SQLITE_OK;
}

static const sqlite3_module module = {
    .iVersion = 1,
    .xCreate = connect_table,
    .xConnect = connect_table,
    .xBestIndex = best_index,
    .xDisconnect = disconnect_table,
    .xDestroy = disconnect_table,
    .xOpen = open_cursor,
    .xClose = close_cursor,
    .xFilter = filter_cursor,
    .xNext = next_row,
    .xEof = is_at_end,
    .xColumn = get_column,
    .xRowid = row_id,
};

/* ---- registering, opening */

static int run(sqlite3 *db, char *sql)
{
    int result = sql != NULL ? sqlite3_exec(db, sql, NULL, NULL, NULL) : SQLITE_NOMEM;
    sqlite3_free(sql);
    return result;
}

static int create_all(sqlite3 *db, const char *schema, const char *path)
{
    int result = SQLITE_OK;
    for (size_t i = 0; result == SQLITE_OK && i < schema_table_count; i++)
        result = run(db, sqlite3_mprintf("CREATE VIRTUAL TABLE %s.%s USING fxt(%Q, %s)", schema,
                                         schema_tables[i].name, path, schema_tables[i].name));
    for (size_t i = 0; result == SQLITE_OK && i < schema_view_count; i++)
        result = run(db, sqlite3_mprintf("CREATE VIEW %s.%s AS %s", schema, schema_views[i].name,
                                         schema_views[i].select));
    return result;
}

/* SQLITE_CANTOPEN with an error, which the caller frees, if the file cannot be read. */
static int open_in(struct files *files, const char *schema, const char *path, char **error)
{
    const struct timeline *found = find_file(files, path, error);
    int result = found != NULL ? create_all(files->db, schema, path) : SQLITE_CANTOPEN;
    return result == SQLITE_OK ? functions_register(files->db, found) : result;
}

int module_open(struct files *files, const char *schema, const char *path,
                struct timeline *timeline)
{
    char *error = NULL;
    if (!add_file(files, path, timeline)) {
        timeline_end(timeline);
        return SQLITE_NOMEM;
    }
    int result = open_in(files, schema, path, &error);
    sqlite3_free(error);
    return result;
}

/* fxt_open(FILE): all tables and views of the file, as temporary ones. */
static void fxt_open(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    struct files *files = sqlite3_user_data(context);
    const char *path = (const char *)sqlite3_value_text(argv[0]);
    char *error = NULL;
    (void)argc;
    if (path == NULL)
        sqlite3_result_error(context, "fxt_open: no file is given", -1);
    else if (open_in(files, "temp", path, &error) == SQLITE_CANTOPEN)
        sqlite3_result_error(context, error != NULL ? error : "fxt_open: no memory", -1);
    else if (sqlite3_errcode(files->db) != SQLITE_OK)
        sqlite3_result_error(context, sqlite3_errmsg(files->db), -1);
    sqlite3_free(error);
}

int module_register(sqlite3 *db, struct files **files)
{
    *files = calloc(1, sizeof **files);
    if (*files == NULL)
        return SQLITE_NOMEM;
    (*files)->db = db;
    int result = sqlite3_create_module_v2(db, "fxt", &module, *files, free_files);
    if (result != SQLITE_OK)
        return result;
    return table_functions_register(db);
}

int module_register_open(struct files *files)
{
    return sqlite3_create_function(files->db, "fxt_open", 1, SQLITE_UTF8 | SQLITE_DIRECTONLY, files,
                                   fxt_open, NULL, NULL);
}
