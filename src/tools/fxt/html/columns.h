/* The data of the page: a header of JSON on one line, then columns of numbers. See columns.c. */
#ifndef FXT_TOOLS_FXT_HTML_COLUMNS_H
#define FXT_TOOLS_FXT_HTML_COLUMNS_H

#include "src/tools/fxt/html/pack.h"
#include "src/tools/fxt/html/timeline.h"

/* notes: lines of what is odd or left out. */
void columns_pack(struct pack *pack, struct timeline *timeline, const char *const *notes,
                  uint32_t note_count);

#endif
