/* The rows of a query, printed. */
#ifndef FXT_TOOLS_FXT_SQL_ANSWER_H
#define FXT_TOOLS_FXT_SQL_ANSWER_H

#include "src/convert/out.h"
#include "src/tools/fxt/sql/sqlite.h"

enum answer_form { ANSWER_TABLE, ANSWER_CSV, ANSWER_JSON };

/* Runs a statement and prints its rows. SQLITE_DONE, or what sqlite3_step failed with. */
int answer_print(struct fxt_out *out, sqlite3_stmt *statement, enum answer_form form);

#endif
