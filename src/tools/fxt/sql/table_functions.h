/* Functions of Perfetto's SQL that return rows: each is a query with one parameter, the id of a
   slice. */
#ifndef FXT_TOOLS_FXT_SQL_TABLE_FUNCTIONS_H
#define FXT_TOOLS_FXT_SQL_TABLE_FUNCTIONS_H

#include "src/tools/fxt/sql/sqlite.h"

/* ancestor_slice(id), descendant_slice(id): rows of slice. directly_connected_flow(id),
   following_flow(id), preceding_flow(id): rows of flow. They read the tables of these names when
   they are called. A SQLite result code. */
int table_functions_register(sqlite3 *db);

#endif
