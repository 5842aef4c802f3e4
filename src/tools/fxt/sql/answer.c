/* Rows of a query as a table, CSV or JSON Lines. A table is as wide as its first rows, which are
   kept until their widths are known; what does not fit later makes its own row wider. */
#include "src/tools/fxt/sql/sql.h"

#include <stdlib.h>
#include <string.h>

#include <lib/trace-engine/types.h>

#include "src/convert/printable.h"
#include "src/cli/output.h"
#include "src/tools/fxt/tables/print.h"

#define MEASURED_ROWS 200u
#define TEXT_BYTES_MAX 200u /* of a cell of a table; the rest is cut off */
#define CELL_BYTES (FXT_I_PRINTABLE_GROWTH * TEXT_BYTES_MAX + 8)
#define PADDING_MAX 60u
#define NARROW 12u /* the least width of a column that is made narrower */

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

enum { HAS_NUMBERS = 1, HAS_TEXTS = 2 };

struct grid {
    struct fxt_out *out;
    char **cells; /* of the rows that are kept */
    unsigned rows;
    unsigned *widths;
    int columns;
    const struct answer *how;
    uint8_t *kinds; /* of each column: HAS_NUMBERS, HAS_TEXTS, both, or 0 */
    bool head;      /* is printed */
};

static unsigned width_of(const struct grid *grid, const char *text)
{
    unsigned width = 0;
    if (grid->how->columns != 0)
        return (unsigned)terminal_width(text, strlen(text));
    for (; *text != '\0'; text++)
        width += ((uint8_t)*text & 0xc0) != 0x80;
    return width;
}

/* The caller frees it; NULL if there is no memory. */
static char *text_of(const struct cell *cell)
{
    char buffer[FXT_OUT_CAPACITY_MIN];
    struct fxt_out out = {.bytes = buffer, .capacity = sizeof buffer};
    char *text = malloc(CELL_BYTES);
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

static void spaces(struct fxt_out *out, unsigned from, unsigned to)
{
    for (; from < to; from++)
        fxt_out_char(out, ' ');
}

static bool is_number(const struct grid *grid, int column)
{
    return grid->kinds[column] == HAS_NUMBERS;
}

/* At a terminal: numbers stand right, and texts are cut to the width of their column. */
static void print_fitted(const struct grid *grid, int column, const char *text)
{
    char cut[TERMINAL_FIT_BYTES(CELL_BYTES)];
    struct terminal_fit fit = {.columns = grid->widths[column]};
    size_t size = strlen(text);
    if (is_number(grid, column))
        spaces(grid->out, width_of(grid, text), grid->widths[column]);
    bool is_whole = is_number(grid, column) || fit.columns == 0;
    if (!is_whole)
        size = terminal_fit(&fit, cut, text, size);
    fxt_out_bytes(grid->out, is_whole ? text : cut, size);
    if (column == grid->columns - 1)
        fxt_out_char(grid->out, '\n');
    else if (is_whole)
        fxt_out_text(grid->out, "  ");
    else
        spaces(grid->out, (unsigned)fit.used, grid->widths[column] + 2);
}

static void print_cell(const struct grid *grid, int column, const char *text)
{
    if (grid->how->columns != 0) {
        print_fitted(grid, column, text);
        return;
    }
    unsigned width = width_of(grid, text);
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
    unsigned width = width_of(grid, text);
    unsigned most = grid->how->columns != 0 ? grid->how->columns : PADDING_MAX;
    width = width < most ? width : most;
    if (grid->widths[column] < width)
        grid->widths[column] = width;
}

/* At a terminal, makes the widest columns narrower until a line has room, but none narrower than
   NARROW. The last one gets what is left. */
static void fit_columns(struct grid *grid)
{
    unsigned all = 0;
    if (grid->how->columns == 0)
        return;
    for (int i = 0; i < grid->columns; i++)
        all += grid->widths[i] + (i > 0 ? 2 : 0);
    if (all < grid->how->columns)
        grid->widths[grid->columns - 1] +=
            is_number(grid, grid->columns - 1) ? 0 : grid->how->columns - all;
    for (; all > grid->how->columns; all--) {
        int widest = 0;
        for (int i = 1; i < grid->columns; i++)
            if (grid->widths[i] > grid->widths[widest])
                widest = i;
        if (grid->widths[widest] <= NARROW)
            return;
        grid->widths[widest]--;
    }
}

static void print_names(struct grid *grid, sqlite3_stmt *statement)
{
    struct cell cell = {.kind = CELL_TEXT};
    if (grid->how->colour)
        fxt_out_text(grid->out, OUTPUT_HEADING);
    for (int i = 0; i < grid->columns; i++) {
        cell.bytes = name_of(statement, i);
        char *name = text_of(&cell);
        print_cell(grid, i, name != NULL ? name : "");
        free(name);
    }
    if (grid->how->colour)
        fxt_out_text(grid->out, OUTPUT_PLAIN);
}

static void measure_column(struct grid *grid, sqlite3_stmt *statement, int column)
{
    struct cell cell = {.kind = CELL_TEXT, .bytes = name_of(statement, column)};
    char *name = text_of(&cell);
    measure(grid, column, name != NULL ? name : "");
    free(name);
    for (unsigned row = 0; row < grid->rows; row++)
        measure(grid, column, grid->cells[row * (unsigned)grid->columns + (unsigned)column]);
}

/* The names of the columns, and the rows that were kept. */
static void print_kept(struct grid *grid, sqlite3_stmt *statement)
{
    grid->head = true;
    for (int i = 0; i < grid->columns; i++)
        measure_column(grid, statement, i);
    fit_columns(grid);
    print_names(grid, statement);
    for (unsigned i = 0; i < grid->rows * (unsigned)grid->columns; i++) {
        print_cell(grid, (int)(i % (unsigned)grid->columns), grid->cells[i]);
        free(grid->cells[i]);
    }
    grid->rows = 0;
}

static bool is_numeric(const struct cell *cell)
{
    return cell->kind == CELL_INTEGER || cell->kind == CELL_REAL;
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
            if (cell.kind != CELL_NULL)
                grid->kinds[i] |= is_numeric(&cell) ? HAS_NUMBERS : HAS_TEXTS;
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

static int print_grid(struct fxt_out *out, sqlite3_stmt *statement, const struct answer *how)
{
    int columns = sqlite3_column_count(statement);
    struct grid grid = {
        .out = out,
        .cells = calloc(MEASURED_ROWS * (size_t)columns, sizeof *grid.cells),
        .widths = calloc((size_t)columns, sizeof *grid.widths),
        .kinds = calloc((size_t)columns, sizeof *grid.kinds),
        .how = how,
        .columns = columns,
    };
    int result = SQLITE_NOMEM;
    if (grid.cells != NULL && grid.widths != NULL && grid.kinds != NULL)
        while ((result = sqlite3_step(statement)) == SQLITE_ROW && !out->failed)
            if ((result = add_row(&grid, statement)) != SQLITE_ROW)
                break;
    if (result == SQLITE_DONE && !grid.head)
        print_kept(&grid, statement);
    for (unsigned i = 0; i < grid.rows * (unsigned)columns; i++)
        free(grid.cells[i]);
    free(grid.cells);
    free(grid.widths);
    free(grid.kinds);
    return out->failed ? SQLITE_DONE : result;
}

int answer_print(struct fxt_out *out, sqlite3_stmt *statement, const struct answer *how)
{
    int result = SQLITE_ROW;
    if (sqlite3_column_count(statement) == 0)
        return sqlite3_step(statement);
    enum answer_form form = how->form;
    if (form == ANSWER_TABLE)
        return print_grid(out, statement, how);
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
