/* Functions of SQL. No state but that of an aggregate, which SQLite owns. */
#include "src/tools/fxt/sql/sql.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A text in the timeline stays where it is until the connection ends; one in the cell is copied. */
void functions_result(sqlite3_context *context, const struct cell *cell)
{
    const char *text = (const char *)cell->bytes.bytes;
    sqlite3_destructor_type how = text == cell->buffer ? SQLITE_TRANSIENT : SQLITE_STATIC;
    switch (cell->kind) {
    case CELL_INTEGER:
        sqlite3_result_int64(context, cell->integer);
        break;
    case CELL_REAL:
        sqlite3_result_double(context, cell->real);
        break;
    case CELL_TEXT:
        sqlite3_result_text64(context, text, cell->bytes.size, how, SQLITE_UTF8);
        break;
    case CELL_BLOB:
        sqlite3_result_blob64(context, text, cell->bytes.size, how);
        break;
    default:
        sqlite3_result_null(context);
        break;
    }
}

/* Of two arguments of one name the last one counts. */
static uint32_t find_arg(const struct timeline *timeline, uint32_t set, uint32_t key)
{
    uint32_t found = ROW_NONE;
    for (; set != ROW_NONE; set = sets_at(timeline, set)->next)
        for (uint32_t i = 0; i < sets_at(timeline, set)->count; i++)
            if (args_at(timeline, sets_at(timeline, set)->first + i)->key == key)
                found = sets_at(timeline, set)->first + i;
    return found;
}

static void extract_arg(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    const struct timeline *timeline = sqlite3_user_data(context);
    struct cell cell;
    (void)argc;
    if (sqlite3_value_type(argv[0]) != SQLITE_INTEGER || sqlite3_value_type(argv[1]) != SQLITE_TEXT)
        return;
    int64_t set = sqlite3_value_int64(argv[0]);
    const uint8_t *key = sqlite3_value_text(argv[1]);
    if (key == NULL || set < 0 || set >= timeline->sets.count)
        return;
    uint32_t text = texts_find(&timeline->texts,
                               (struct fxt_bytes){key, (uint64_t)sqlite3_value_bytes(argv[1])});
    uint32_t arg = text != ROW_NONE ? find_arg(timeline, (uint32_t)set, text) : ROW_NONE;
    if (arg == ROW_NONE)
        return;
    schema_arg(timeline, arg, &cell);
    functions_result(context, &cell);
}

/* ---- the time span */

static const struct bounds_row *bounds_of(sqlite3_context *context)
{
    return bounds_at(sqlite3_user_data(context), 0);
}

static void trace_start(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    (void)argv;
    sqlite3_result_int64(context, (int64_t)bounds_of(context)->start);
}

static void trace_end(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    (void)argv;
    sqlite3_result_int64(context, (int64_t)bounds_of(context)->end);
}

static void trace_dur(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    (void)argv;
    sqlite3_result_int64(context, (int64_t)(bounds_of(context)->end - bounds_of(context)->start));
}

/* ---- percentile(x, p): p from 0 to 100, linear between two values */

struct percentile {
    double *values;
    size_t count;
    size_t capacity;
    double fraction;
};

static void percentile_step(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    struct percentile *it = sqlite3_aggregate_context(context, sizeof *it);
    (void)argc;
    if (it == NULL || sqlite3_value_type(argv[0]) == SQLITE_NULL)
        return;
    it->fraction = sqlite3_value_double(argv[1]) / 100;
    if (!(it->fraction >= 0 && it->fraction <= 1)) {
        sqlite3_result_error(context, "percentile: the second argument is not from 0 to 100", -1);
        return;
    }
    if (it->count == it->capacity) {
        size_t capacity = it->capacity * 2 + 64;
        double *values = realloc(it->values, capacity * sizeof *values);
        if (values == NULL) {
            sqlite3_result_error_nomem(context);
            return;
        }
        it->values = values;
        it->capacity = capacity;
    }
    it->values[it->count++] = sqlite3_value_double(argv[0]);
}

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left;
    double b = *(const double *)right;
    return (a > b) - (a < b);
}

static void percentile_final(sqlite3_context *context)
{
    struct percentile *it = sqlite3_aggregate_context(context, 0);
    if (it == NULL)
        return;
    if (it->count > 0) {
        qsort(it->values, it->count, sizeof *it->values, compare);
        double place = it->fraction * (double)(it->count - 1);
        size_t low = (size_t)place;
        size_t high = low + 1 < it->count ? low + 1 : low;
        double part = place - (double)low;
        double value = it->values[low];
        if (part > 0) /* a part of no infinite value is none */
            value = value * (1 - part) + it->values[high] * part;
        sqlite3_result_double(context, value);
    }
    free(it->values);
    it->values = NULL;
    it->count = it->capacity = 0;
}

/* ---- time_from_UNIT, time_to_UNIT */

struct unit {
    const char *from;
    const char *to;
    int64_t ns;
};

static const struct unit units[] = {
    {"time_from_ns", "time_to_ns", 1},
    {"time_from_us", "time_to_us", 1000},
    {"time_from_ms", "time_to_ms", 1000000},
    {"time_from_s", "time_to_s", 1000000000},
    {"time_from_min", "time_to_min", INT64_C(60000000000)},
    {"time_from_hours", "time_to_hours", INT64_C(3600000000000)},
    {"time_from_days", "time_to_days", INT64_C(86400000000000)},
};

static void time_from(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    const struct unit *unit = sqlite3_user_data(context);
    int64_t number = sqlite3_value_int64(argv[0]);
    int64_t ns;
    (void)argc;
    if (sqlite3_value_type(argv[0]) == SQLITE_NULL)
        return;
    if (__builtin_mul_overflow(number, unit->ns, &ns))
        sqlite3_result_error(context, "the time is too large", -1);
    else
        sqlite3_result_int64(context, ns);
}

static void time_to(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    const struct unit *unit = sqlite3_user_data(context);
    (void)argc;
    if (sqlite3_value_type(argv[0]) != SQLITE_NULL)
        sqlite3_result_int64(context, sqlite3_value_int64(argv[0]) / unit->ns);
}

static int add(sqlite3 *db, const char *name, int count, const void *context,
               void (*call)(sqlite3_context *, int, sqlite3_value **))
{
    return sqlite3_create_function(db, name, count, SQLITE_UTF8 | SQLITE_DETERMINISTIC,
                                   (void *)(uintptr_t)context, call, NULL, NULL);
}

int functions_register(sqlite3 *db, const struct timeline *timeline)
{
    int bad = add(db, "extract_arg", 2, timeline, extract_arg);
    bad |= add(db, "trace_start", 0, timeline, trace_start);
    bad |= add(db, "trace_end", 0, timeline, trace_end);
    bad |= add(db, "trace_dur", 0, timeline, trace_dur);
    bad |= sqlite3_create_function(db, "percentile", 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL,
                                   NULL, percentile_step, percentile_final);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        bad |= add(db, units[i].from, 1, &units[i], time_from);
        bad |= add(db, units[i].to, 1, &units[i], time_to);
    }
    return bad == 0 ? SQLITE_OK : SQLITE_ERROR;
}
