/* From records to tables. The caller passes every record of a trace, in order, then ends it. */
#ifndef FXT_TOOLS_FXT_TABLES_IMPORT_H
#define FXT_TOOLS_FXT_TABLES_IMPORT_H

#include "src/cli/tool_options.h"
#include "src/tools/fxt/tables/tables.h"

/* Reads a whole file. EXIT_FINDINGS: a part of it is malformed or exceeds a limit, and the tables
   hold the rest. EXIT_IO and EXIT_FINDINGS with *tables NULL: there are no tables. A message was
   printed in each of these cases. The caller frees *tables by tables_end. */
enum exit_code tables_import(struct tables **tables, const char *path,
                             const struct options *options);
void tables_end(struct tables *tables);

#endif
