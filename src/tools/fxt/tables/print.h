/* Values as CSV and as JSON. */
#ifndef FXT_TOOLS_FXT_TABLES_PRINT_H
#define FXT_TOOLS_FXT_TABLES_PRINT_H

#include "src/convert/out.h"
#include "src/tools/fxt/tables/schema.h"

/* RFC 4180: nothing for null, hexadecimal digits for bytes. no_formulas: all text is in quotes, and
   an apostrophe is before text that a spreadsheet would compute. */
void print_csv_cell(struct fxt_out *out, const struct cell *cell, bool no_formulas);
void print_csv_text(struct fxt_out *out, struct fxt_bytes text, bool no_formulas);
/* The cell without quotes; text as it is. */
void print_plain_cell(struct fxt_out *out, const struct cell *cell);

/* Hexadecimal digits for bytes, "Infinity" and "-Infinity" for what JSON has no number for. */
void print_json_cell(struct fxt_out *out, const struct cell *cell);
void print_json_text(struct fxt_out *out, struct fxt_bytes text);

/* A finite number as both have it. */
void print_real(struct fxt_out *out, double number);

#endif
