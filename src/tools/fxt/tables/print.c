/* Values as CSV and as JSON. No state. */
#include "src/tools/fxt/tables/print.h"

#include <math.h>

#include "src/cli/formula.h"
#include "src/convert/escape.h"
#include "src/convert/quote.h"

void print_real(struct fxt_out *out, double number)
{
    char *to = fxt_out_room(out, FXT_NUMBER_BYTES);
    if (isfinite(number))
        out->size += (size_t)(fxt_number_double(to, number) - to);
    else
        fxt_out_text(out, number > 0 ? "Infinity" : "-Infinity");
}

static bool needs_quotes(struct fxt_bytes text)
{
    for (uint64_t i = 0; i < text.size; i++)
        if (text.bytes[i] <= ' ' || text.bytes[i] == '"' || text.bytes[i] == ',')
            return true;
    return text.size == 0;
}

/* An empty text, or blob, is "", so that it differs from null. */
void print_csv_text(struct fxt_out *out, struct fxt_bytes text, bool no_formulas)
{
    uint64_t done = 0;
    if (!no_formulas && !needs_quotes(text)) {
        fxt_out_bytes(out, (const char *)text.bytes, (size_t)text.size);
        return;
    }
    fxt_out_char(out, '"');
    if (no_formulas && text_is_formula(text))
        fxt_out_char(out, '\'');
    for (uint64_t i = 0; i < text.size; i++)
        if (text.bytes[i] == '"') {
            fxt_out_bytes(out, (const char *)text.bytes + done, (size_t)(i - done));
            fxt_out_char(out, '"');
            done = i;
        }
    if (text.size > 0)
        fxt_out_bytes(out, (const char *)text.bytes + done, (size_t)(text.size - done));
    fxt_out_char(out, '"');
}

void print_plain_cell(struct fxt_out *out, const struct cell *cell)
{
    switch (cell->kind) {
    case CELL_INTEGER:
        fxt_out_i64(out, cell->integer);
        break;
    case CELL_REAL:
        print_real(out, cell->real);
        break;
    case CELL_TEXT:
        fxt_out_bytes(out, (const char *)cell->bytes.bytes, (size_t)cell->bytes.size);
        break;
    case CELL_BLOB:
        fxt_convert_hex_bytes(out, cell->bytes.bytes, cell->bytes.size);
        break;
    default:
        break;
    }
}

void print_csv_cell(struct fxt_out *out, const struct cell *cell, bool no_formulas)
{
    bool is_empty = cell->kind == CELL_BLOB && cell->bytes.size == 0;
    if (cell->kind == CELL_TEXT || is_empty)
        print_csv_text(out, cell->bytes, no_formulas);
    else
        print_plain_cell(out, cell);
}

void print_json_text(struct fxt_out *out, struct fxt_bytes text)
{
    fxt_out_char(out, '"');
    if (text.size > 0)
        fxt_escape_out(out, text.bytes, (size_t)text.size);
    fxt_out_char(out, '"');
}

void print_json_cell(struct fxt_out *out, const struct cell *cell)
{
    bool quoted = cell->kind == CELL_BLOB || (cell->kind == CELL_REAL && !isfinite(cell->real));
    if (cell->kind == CELL_NULL)
        fxt_out_text(out, "null");
    else if (cell->kind == CELL_TEXT)
        print_json_text(out, cell->bytes);
    else {
        if (quoted)
            fxt_out_char(out, '"');
        print_plain_cell(out, cell);
        if (quoted)
            fxt_out_char(out, '"');
    }
}
