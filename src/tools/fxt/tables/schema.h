/* What users see of the timeline: the one list of tables, columns and views, from which `fxt sql`,
   `fxt export`, the extension and docs/sql.md are made. The columns of Perfetto's trace processor
   come first; those that only FXT has are called fxt_* and come behind. */
#ifndef FXT_TOOLS_FXT_TABLES_SCHEMA_H
#define FXT_TOOLS_FXT_TABLES_SCHEMA_H

#include "src/convert/number.h"
#include "src/timeline/timeline.h"

enum column_type { COLUMN_INTEGER, COLUMN_REAL, COLUMN_TEXT, COLUMN_BLOB };

/* How the value of a column lies in its row. */
enum column_shape {
    SHAPE_NULL, /* always null */
    SHAPE_ZERO,
    SHAPE_ID,      /* the number of the row */
    SHAPE_U8,      /* 8 bits */
    SHAPE_U32,     /* 32 bits; ROW_NONE: null */
    SHAPE_I32,     /* signed */
    SHAPE_U64,     /* 64 bits, above 2^63 - 1 negative; DUR_NONE: -1 */
    SHAPE_DECIMAL, /* 64 bits as text */
    SHAPE_TEXT,    /* the number of a text; ROW_NONE: null */
    SHAPE_BLOB,    /* the same, as bytes */
    SHAPE_CALL     /* made by `get` */
};

#define CELL_NAME_MAX 1000 /* bytes of each name in the name of a counter's track */
#define CELL_BUFFER (2 * CELL_NAME_MAX + FXT_NUMBER_BYTES)

enum cell_kind { CELL_NULL, CELL_INTEGER, CELL_REAL, CELL_TEXT, CELL_BLOB };

/* One value. A text is valid as long as the cell and the timeline. */
struct cell {
    struct fxt_bytes bytes;
    int64_t integer;
    double real;
    enum cell_kind kind;
    char buffer[CELL_BUFFER];
};

struct column {
    const char *name;
    const char *about;
    void (*get)(const struct timeline *timeline, uint32_t row, struct cell *cell);
    uint16_t at; /* in the row */
    uint8_t type;
    uint8_t shape;
};

struct table {
    const char *name;
    const char *about;
    const struct column *columns;
    size_t column_count;
    size_t rows; /* where in struct timeline its struct array is */
    int time;    /* the column by which its rows are ordered, or -1 */
};

struct view {
    const char *name;
    const char *about;
    const char *select;
};

#define SCHEMA_COLUMNS_MAX 24u

extern const struct table schema_tables[];
extern const size_t schema_table_count;

/* A view names only tables, and views before it. */
extern const struct view schema_views[];
extern const size_t schema_view_count;

static inline const struct array *schema_rows(const struct timeline *timeline,
                                              const struct table *table)
{
    return (const struct array *)(const void *)((const uint8_t *)timeline + table->rows);
}

/* The table of that name, or NULL. */
const struct table *schema_find(const char *name);

/* "INTEGER", "REAL", "TEXT", "BLOB" */
const char *schema_type_name(const struct column *column);

void schema_get(const struct timeline *timeline, const struct table *table, uint32_t row,
                const struct column *column, struct cell *cell);

/* The value of an argument, as EXTRACT_ARG returns it. */
void schema_arg(const struct timeline *timeline, uint32_t row, struct cell *cell);

#endif
