/* What the files of fxt sql call of each other, by file. */
#ifndef FXT_TOOLS_FXT_SQL_SQL_H
#define FXT_TOOLS_FXT_SQL_SQL_H

#include <sqlite3ext.h>

#include "src/cli/options.h"
#include "src/convert/out.h"
#include "src/tools/fxt/tables/schema.h"
#include "src/timeline/timeline.h"

/* SQLite's functions: those of the library for fxt, those of the program that loads it for the
   extension, which is compiled without SQLITE_CORE. */

SQLITE_EXTENSION_INIT3

/* Why a file could not be read, for an SQL error. */

/* In the extension the text of the last message, which is printed nowhere else. In fxt, which
   prints its messages, a hint to look there. */
const char *last_message(void);

/* The rows of a query, printed. */

/* ANSWER_SPREADSHEET is CSV without formulas. */
enum answer_form { ANSWER_TABLE, ANSWER_CSV, ANSWER_SPREADSHEET, ANSWER_JSON };

/* How answers are printed. */
struct answer {
    enum answer_form form;
    bool colour;      /* of the names of the columns */
    unsigned columns; /* of the terminal; 0: no limit */
};

/* Runs a statement and prints its rows. SQLITE_DONE, or what sqlite3_step failed with. */
int answer_print(struct fxt_out *out, sqlite3_stmt *statement, const struct answer *how);

/* A trace as a database in memory, and the statements of a user on it. */

/* Takes `timeline`, which was read from `path`. NULL after a message. */
sqlite3 *database_open(const char *path, struct timeline *timeline);

void database_close(sqlite3 *db);

/* Runs statements, separated by ';'. EXIT_FINDINGS after a message if one fails: those after it
   are not run. */
enum exit_code database_run(sqlite3 *db, const char *sql, struct fxt_out *out,
                            const struct answer *how);

/* Copies all tables and views, with indexes, into a new database at `path`, which replaces what is
   there when it is complete, but none of `inputs`. EXIT_IO after a message. */
enum exit_code database_save(sqlite3 *db, const char *path, const struct operand_list *inputs);

/* Statements from stdin. */

/* Runs a command that is no SQL, such as ".tables". *quits: whether it is .quit. EXIT_FINDINGS after
   a message. */
enum exit_code shell_command(struct fxt_out *out, const char *command, bool *quits);

/* Runs each statement when its ';' is there, until the end of stdin or .quit. At a terminal a
   statement that fails ends nothing, and lines are edited and remembered; else it ends the run with
   EXIT_FINDINGS. */
enum exit_code shell_run(sqlite3 *db, struct fxt_out *out, const struct answer *how);

/* The functions of Perfetto's SQL that queries use most. */

/* extract_arg(arg_set_id, key), trace_start(), trace_end(), trace_dur(), of these timeline;
   percentile(x, p), time_from_UNIT(n) and time_to_UNIT(ns). A SQLite result code. */
int functions_register(sqlite3 *db, const struct timeline *timeline);

/* Makes a value the result of a function or column. Its text lives in the cell or in the timeline. */
void functions_result(sqlite3_context *context, const struct cell *cell);

/* sum, total and avg in place of SQLite's, exact to a rounding. A SQLite result code. */
int sum_register(sqlite3 *db);

/* Rows of a table by the value of one integer column: made when a query first asks for it. */

struct index_row {
    uint64_t key;
    uint32_t row;
};

/* False if there is no memory. Rows without a value are left out. */
bool index_make(struct array *index, const struct timeline *timeline, const struct table *table,
                const struct column *column);

/* The place of the first row whose value is at least `value`. Rows of one value are ascending. */
uint32_t index_find(const struct array *index, int64_t value);

static inline uint64_t index_key(int64_t value)
{
    return (uint64_t)value ^ UINT64_C(1) << 63;
}

/* Tables of traces in SQLite:

     CREATE VIRTUAL TABLE NAME USING fxt('FILE'[, TABLE])

   is the table TABLE of schema.h; without TABLE the one that is called NAME, or else slice.
   fxt_open('FILE') makes all tables and views, as temporary ones. A connection reads each file
   once. The tables are read only. */

/* The files that a connection has read. */
struct files;

/* Registers the module. The connection owns *files. A SQLite result code. */
int module_register(sqlite3 *db, struct files **files);

/* Registers fxt_open, where no file is open yet: it cannot replace the functions of one. */
int module_register_open(struct files *files);

/* Makes all tables and views of a file in a schema ("main", "temp"), and the functions of
   functions.h. `timeline` is what was read from `path`; the connection then owns it. A SQLite result
   code. */
int module_open(struct files *files, const char *schema, const char *path,
                struct timeline *timeline);

/* Functions of Perfetto's SQL that return rows: each is a query with one parameter, the id of a
   slice. */

/* ancestor_slice(id), descendant_slice(id): rows of slice. directly_connected_flow(id),
   following_flow(id), preceding_flow(id): rows of flow. They read the tables of these names when
   they are called. A SQLite result code. */
int table_functions_register(sqlite3 *db);

#endif
