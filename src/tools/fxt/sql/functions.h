/* The functions of Perfetto's SQL that queries use most. */
#ifndef FXT_TOOLS_FXT_SQL_FUNCTIONS_H
#define FXT_TOOLS_FXT_SQL_FUNCTIONS_H

#include "src/tools/fxt/sql/sqlite.h"
#include "src/tools/fxt/tables/schema.h"

/* extract_arg(arg_set_id, key), trace_start(), trace_end(), trace_dur(), of these tables;
   percentile(x, p), time_from_UNIT(n) and time_to_UNIT(ns). A SQLite result code. */
int functions_register(sqlite3 *db, const struct tables *tables);

/* Makes a value the result of a function or column. Its text lives in the cell or in the tables. */
void functions_result(sqlite3_context *context, const struct cell *cell);

#endif
