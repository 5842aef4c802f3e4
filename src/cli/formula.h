/* Text that a spreadsheet would compute instead of show. */
#ifndef FXT_CLI_FORMULA_H
#define FXT_CLI_FORMULA_H

#include <stdbool.h>
#include <string.h>

#include <fxt/record.h>

/* Whether a cell of CSV with this text is a formula to spreadsheets. Quotes do not change that. */
static inline bool text_is_formula(struct fxt_bytes text)
{
    return text.size > 0 && memchr("=+-@\t\r\n", text.bytes[0], 7) != NULL;
}

#endif
