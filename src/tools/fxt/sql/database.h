/* A trace as a database in memory, and the statements of a user on it. */
#ifndef FXT_TOOLS_FXT_SQL_DATABASE_H
#define FXT_TOOLS_FXT_SQL_DATABASE_H

#include "src/cli/options.h"
#include "src/tools/fxt/sql/answer.h"
#include "src/tools/fxt/tables/tables.h"

/* Takes `tables`, which were read from `path`. NULL after a message. */
sqlite3 *database_open(const char *path, struct tables *tables);

void database_close(sqlite3 *db);

/* Runs statements, separated by ';'. EXIT_FINDINGS after a message if one fails: those after it
   are not run. */
enum exit_code database_run(sqlite3 *db, const char *sql, struct fxt_out *out,
                            enum answer_form form);

/* Copies all tables and views, with indexes, into a new database at `path`, which replaces what is
   there when it is complete, but none of `inputs`. EXIT_IO after a message. */
enum exit_code database_save(sqlite3 *db, const char *path, const struct operand_list *inputs);

#endif
