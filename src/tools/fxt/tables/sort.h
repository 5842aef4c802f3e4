/* Rows into order by the uint64_t that each begins with. */
#ifndef FXT_TOOLS_FXT_TABLES_SORT_H
#define FXT_TOOLS_FXT_TABLES_SORT_H

#include "src/tools/fxt/tables/array.h"

/* Stable. False if there is no memory: the rows are as before. */
bool sort_by_time(struct array *rows);

#endif
