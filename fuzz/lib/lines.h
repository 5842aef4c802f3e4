/* What is left of the JSON Lines of a trace. Each function takes off the line of one result of
   reading, and ends the program unless it says what was read. */
#ifndef FXT_FUZZ_LINES_H
#define FXT_FUZZ_LINES_H

#include <fxt/tables.h>

struct fuzz_lines {
    const char *at;
    const char *end;
    const struct fxt_tables *tables; /* after the record was applied */
};

void fuzz_lines_record(struct fuzz_lines *lines, const struct fxt_record *record);
void fuzz_lines_error(struct fuzz_lines *lines, const struct fxt_error *error);

#endif
