/* Tables of traces in SQLite:

     CREATE VIRTUAL TABLE NAME USING fxt('FILE'[, TABLE])

   is the table TABLE of schema.h; without TABLE the one that is called NAME, or else slice.
   fxt_open('FILE') makes all tables and views, as temporary ones. A connection reads each file
   once. The tables are read only. */
#ifndef FXT_TOOLS_FXT_SQL_MODULE_H
#define FXT_TOOLS_FXT_SQL_MODULE_H

#include "src/tools/fxt/sql/sqlite.h"
#include "src/tools/fxt/tables/tables.h"

/* The files that a connection has read. */
struct files;

/* Registers the module. The connection owns *files. A SQLite result code. */
int module_register(sqlite3 *db, struct files **files);

/* Registers fxt_open, where no file is open yet: it cannot replace the functions of one. */
int module_register_open(struct files *files);

/* Makes all tables and views of a file in a schema ("main", "temp"), and the functions of
   functions.h. `tables` is what was read from `path`; the connection then owns it. A SQLite result
   code. */
int module_open(struct files *files, const char *schema, const char *path, struct tables *tables);

#endif
