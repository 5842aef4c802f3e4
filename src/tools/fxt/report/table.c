/* Tables of text. A cell is made twice: to measure it, and to print it. */
#include "src/cli/output.h"
#include "src/tools/fxt/report/print.h"

#define NAME_COLUMNS                                                                               \
    24u /* that names have at least, unless only KEPT_COLUMNS are left before them */
#define KEPT_COLUMNS 2u

/* Characters, of which some have more than one byte. */
static size_t columns_of(const char *text)
{
    size_t count = 0;
    for (; *text != '\0'; text++)
        count += ((uint8_t)*text & 0xc0) != 0x80;
    return count;
}

static void right(struct fxt_out *out, const char *text, size_t width)
{
    for (size_t i = columns_of(text); i < width; i++)
        fxt_out_char(out, ' ');
    fxt_out_text(out, text);
    fxt_out_text(out, "  ");
}

static size_t width_of(const struct table *table, unsigned column)
{
    char text[READABLE_BYTES];
    size_t width = columns_of(table->headings[column]);
    for (uint32_t row = 0; row < table->rows; row++) {
        table->cell(table->context, row, column, text);
        if (columns_of(text) > width)
            width = columns_of(text);
    }
    return width;
}

static void style(struct fxt_out *out, struct look look, const char *code)
{
    if (look.colour)
        fxt_out_text(out, code);
}

/* Measures the columns before that of the names. Returns how many are shown. */
static unsigned choose(const struct table *table, unsigned columns, size_t *widths)
{
    unsigned shown = 0;
    size_t used = NAME_COLUMNS;
    for (; table->headings[shown + 1] != NULL; shown++) {
        widths[shown] = width_of(table, shown);
        used += widths[shown] + 2;
    }
    while (columns > 0 && used > columns && shown > KEPT_COLUMNS)
        used -= widths[--shown] + 2;
    return shown;
}

void table_print(struct fxt_out *out, const struct table *table, struct look look)
{
    size_t widths[TABLE_COLUMNS_MAX];
    char text[READABLE_BYTES];
    unsigned shown = choose(table, look.columns, widths);
    unsigned last = shown;
    while (table->headings[last + 1] != NULL)
        last++;
    style(out, look, OUTPUT_TITLE);
    fxt_out_text(out, table->title);
    style(out, look, OUTPUT_PLAIN);
    fxt_out_char(out, '\n');
    style(out, look, OUTPUT_HEADING);
    for (unsigned column = 0; column < shown; column++)
        right(out, table->headings[column], widths[column]);
    fxt_out_text(out, table->headings[last]);
    style(out, look, OUTPUT_PLAIN);
    fxt_out_char(out, '\n');
    for (uint32_t row = 0; row < table->rows; row++) {
        for (unsigned column = 0; column < shown; column++) {
            table->cell(table->context, row, column, text);
            right(out, text, widths[column]);
        }
        table->name(table->context, row, out);
        fxt_out_char(out, '\n');
    }
}
