/* Rows of a query as a table, CSV or JSON Lines. A table is as wide as its first rows, which are
   kept until their widths are known; what does not fit later makes its own row wider. */
#include "src/tools/fxt/sql/sql.h"

#include <stdlib.h>
#include <string.h>

#include <lib/trace-engine/types.h>

#include "src/convert/printable.h"
#include "src/tools/fxt/tables/print.h"

#define MEASURED_ROWS 200u
#define TEXT_BYTES_MAX 200u /* of a cell of a table; the rest is cut off */
#define PADDING_MAX 60u

static struct fxt_bytes name_of(sqlite3_stmt *statement, int column)
{
    const char *name = sqlite3_column_name(statement, column);
    return (struct fxt_bytes){(const uint8_t *)name, name != NULL ? strlen(name) : 0};
}

static void cell_of(sqlite3_stmt *statement, int column, struct cell *cell)
{
    switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER:
        cell->kind = CELL_INTEGER;
        cell->integer = sqlite3_column_int64(statement, column);
        break;
    case SQLITE_FLOAT:
        cell->kind = CELL_REAL;
        cell->real = sqlite3_column_double(statement, column);
        break;
    case SQLITE_TEXT:
        cell->kind = CELL_TEXT;
        cell->bytes.bytes = sqlite3_column_text(statement, column);
        cell->bytes.size = (uint64_t)sqlite3_column_bytes(statement, column);
        break;
    case SQLITE_BLOB:
        cell->kind = CELL_BLOB;
        cell->bytes.bytes = sqlite3_column_blob(statement, column);
        cell->bytes.size = (uint64_t)sqlite3_column_bytes(statement, column);
        break;
    default:
        cell->kind = CELL_NULL;
        break;
    }
}

/* ---- CSV, JSON */

static void print_csv_head(struct fxt_out *out, sqlite3_stmt *statement, bool no_formulas)
{
    for (int i = 0; i < sqlite3_column_count(statement); i++) {
        if (i > 0)
            fxt_out_char(out, ',');
        print_csv_text(out, name_of(statement, i), no_formulas);
    }
    fxt_out_char(out, '\n');
}

static void print_csv_row(struct fxt_out *out, sqlite3_stmt *statement, bool no_formulas)
{
    struct cell cell;
    for (int i = 0; i < sqlite3_column_count(statement); i++) {
        if (i > 0)
            fxt_out_char(out, ',');
        cell_of(statement, i, &cell);
        print_csv_cell(out, &cell, no_formulas);
    }
    fxt_out_char(out, '\n');
}

static void print_json_row(struct fxt_out *out, sqlite3_stmt *statement)
{
    struct cell cell;
    for (int i = 0; i < sqlite3_column_count(statement); i++) {
        fxt_out_char(out, i > 0 ? ',' : '{');
        print_json_text(out, name_of(statement, i));
        fxt_out_char(out, ':');
        cell_of(statement, i, &cell);
        print_json_cell(out, &cell);
    }
    fxt_out_text(out, "}\n");
}

/* ---- tables */

struct grid {
    struct fxt_out *out;
    char **cells; /* of the rows that are kept */
    unsigned rows;
    unsigned *widths;
    int columns;
    bool head; /* is printed */
};

static unsigned width_of(const char *text)
{
    unsigned width = 0;
    for (; *text != '\0'; text++)
        width += ((uint8_t)*text & 0xc0) != 0x80;
    return width;
}

/* The caller frees it; NULL if there is no memory. */
static char *text_of(const struct cell *cell)
{
    char buffer[FXT_OUT_CAPACITY_MIN];
    struct fxt_out out = {.bytes = buffer, .capacity = sizeof buffer};
    char *text = malloc(FXT_I_PRINTABLE_GROWTH * TEXT_BYTES_MAX + 8);
    struct cell cut = *cell;
    if (cut.kind == CELL_BLOB && cut.bytes.size > TEXT_BYTES_MAX / 2)
        cut.bytes.size = TEXT_BYTES_MAX / 2;
    if (cut.kind == CELL_NULL)
        fxt_out_text(&out, "[NULL]");
    else if (cut.kind != CELL_TEXT)
        print_plain_cell(&out, &cut);
    const char *from = cut.kind == CELL_TEXT ? (const char *)cut.bytes.bytes : buffer;
    size_t size = cut.kind == CELL_TEXT ? (size_t)cut.bytes.size : out.size;
    bool is_cut = size > TEXT_BYTES_MAX || (cell->bytes.size != cut.bytes.size);
    size = trace_i_cut(from, size, TEXT_BYTES_MAX);
    if (text != NULL) {
        size = fxt_i_printable(text, FXT_I_PRINTABLE_GROWTH * TEXT_BYTES_MAX + 1, from, size);
        strcpy(text + size, is_cut ? "..." : "");
    }
    return text;
}

static void print_cell(const struct grid *grid, int column, const char *text)
{
    unsigned width = width_of(text);
    fxt_out_text(grid->out, text);
    if (column == grid->columns - 1) {
        fxt_out_char(grid->out, '\n');
        return;
    }
    for (; width < grid->widths[column] + 2 || width == 0; width++)
        fxt_out_char(grid->out, ' ');
    if (width > grid->widths[column] + 2)
        fxt_out_text(grid->out, "  ");
}

static void measure(struct grid *grid, int column, const char *text)
{
    unsigned width = width_of(text);
    width = width < PADDING_MAX ? width : PADDING_MAX;
    if (grid->widths[column] < width)
        grid->widths[column] = width;
}

/* The names of the columns, and the rows that were kept. */
static void print_kept(struct grid *grid, sqlite3_stmt *statement)
{
    struct cell cell = {.kind = CELL_TEXT};
    grid->head = true;
    for (int i = 0; i < grid->columns; i++) {
        cell.bytes = name_of(statement, i);
        char *name = text_of(&cell);
        measure(grid, i, name != NULL ? name : "");
        for (unsigned row = 0; row < grid->rows; row++)
            measure(grid, i, grid->cells[row * (unsigned)grid->columns + (unsigned)i]);
        print_cell(grid, i, name != NULL ? name : "");
        free(name);
    }
    for (unsigned i = 0; i < grid->rows * (unsigned)grid->columns; i++) {
        print_cell(grid, (int)(i % (unsigned)grid->columns), grid->cells[i]);
        free(grid->cells[i]);
    }
    grid->rows = 0;
}

static int add_row(struct grid *grid, sqlite3_stmt *statement)
{
    struct cell cell = {.kind = CELL_NULL};
    for (int i = 0; i < grid->columns; i++) {
        cell.bytes.size = 0;
        cell_of(statement, i, &cell);
        char *text = text_of(&cell);
        if (text == NULL)
            return SQLITE_NOMEM;
        if (!grid->head) {
            grid->cells[grid->rows * (unsigned)grid->columns + (unsigned)i] = text;
            continue;
        }
        print_cell(grid, i, text);
        free(text);
    }
    if (!grid->head && ++grid->rows == MEASURED_ROWS)
        print_kept(grid, statement);
    return SQLITE_ROW;
}

static int print_grid(struct fxt_out *out, sqlite3_stmt *statement)
{
    int columns = sqlite3_column_count(statement);
    struct grid grid = {
        .out = out,
        .cells = calloc(MEASURED_ROWS * (size_t)columns, sizeof *grid.cells),
        .widths = calloc((size_t)columns, sizeof *grid.widths),
        .columns = columns,
    };
    int result = SQLITE_NOMEM;
    if (grid.cells != NULL && grid.widths != NULL)
        while ((result = sqlite3_step(statement)) == SQLITE_ROW && !out->failed)
            if ((result = add_row(&grid, statement)) != SQLITE_ROW)
                break;
    if (result == SQLITE_DONE && !grid.head)
        print_kept(&grid, statement);
    for (unsigned i = 0; i < grid.rows * (unsigned)columns; i++)
        free(grid.cells[i]);
    free(grid.cells);
    free(grid.widths);
    return out->failed ? SQLITE_DONE : result;
}

int answer_print(struct fxt_out *out, sqlite3_stmt *statement, enum answer_form form)
{
    int result = SQLITE_ROW;
    if (sqlite3_column_count(statement) == 0)
        return sqlite3_step(statement);
    if (form == ANSWER_TABLE)
        return print_grid(out, statement);
    bool no_formulas = form == ANSWER_SPREADSHEET;
    if (form != ANSWER_JSON)
        print_csv_head(out, statement, no_formulas);
    while (!out->failed && (result = sqlite3_step(statement)) == SQLITE_ROW)
        if (form == ANSWER_JSON)
            print_json_row(out, statement);
        else
            print_csv_row(out, statement, no_formulas);
    return out->failed ? SQLITE_DONE : result;
}
