/* Statements from stdin. */
#ifndef FXT_TOOLS_FXT_SQL_SHELL_H
#define FXT_TOOLS_FXT_SQL_SHELL_H

#include "src/tools/fxt/sql/database.h"

/* Runs each statement when its ';' is there, until the end of stdin or .quit. At a terminal a
   statement that fails ends nothing; else it ends the run with EXIT_FINDINGS. */
enum exit_code shell_run(sqlite3 *db, struct fxt_out *out, enum answer_form form);

#endif
