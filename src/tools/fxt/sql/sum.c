/* sum, total and avg, which the SQLite of Debian 12 computes by adding doubles one by one: ten thousand
   durations in milliseconds then end in digits that none of them has. Here, integers are added as
   integers, and doubles with the rounding error kept apart (Neumaier). The state is that of one
   aggregate. */
#include "src/tools/fxt/sql/sql.h"

#include <math.h>

struct sum {
    int64_t count;
    int64_t whole; /* of the integers, unless that overflows */
    double real;   /* of all else ... */
    double error;  /* ... and what is missing there */
    bool has_reals;
    bool overflows;
};

static void add_real(struct sum *sum, double number)
{
    volatile double all = sum->real + number; /* of 53 bits, also on an x87 */
    if (fabs(sum->real) > fabs(number))
        sum->error += sum->real - all + number;
    else
        sum->error += number - all + sum->real;
    sum->real = all;
}

/* Both halves are doubles. */
static void add_integer(struct sum *sum, int64_t number, double sign)
{
    int64_t low = number & INT64_C(0xffffffff);
    add_real(sum, sign * (double)(number - low));
    add_real(sum, sign * (double)low);
}

static void take(sqlite3_context *context, sqlite3_value *value, bool is_removed)
{
    struct sum *sum = sqlite3_aggregate_context(context, sizeof *sum);
    int type = sqlite3_value_numeric_type(value);
    if (sum == NULL || type == SQLITE_NULL)
        return;
    sum->count += is_removed ? -1 : 1;
    if (type != SQLITE_INTEGER) {
        sum->has_reals = true;
        add_real(sum, is_removed ? -sqlite3_value_double(value) : sqlite3_value_double(value));
        return;
    }
    int64_t number = sqlite3_value_int64(value);
    int64_t old = sum->whole;
    bool fails = is_removed ? __builtin_sub_overflow(old, number, &sum->whole)
                            : __builtin_add_overflow(old, number, &sum->whole);
    if (fails) {
        sum->overflows = true;
        sum->whole = old;
        add_integer(sum, number, is_removed ? -1 : 1);
    }
}

static void step(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    take(context, argv[0], false);
}

static void inverse(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    (void)argc;
    take(context, argv[0], true);
}

/* An infinity leaves no error that is a number. */
static double total_of(const struct sum *sum)
{
    struct sum all = *sum;
    add_integer(&all, sum->whole, 1);
    return isfinite(all.error) ? all.real + all.error : all.real;
}

static void sum_value(sqlite3_context *context)
{
    const struct sum *sum = sqlite3_aggregate_context(context, 0);
    if (sum == NULL || sum->count == 0)
        return;
    if (sum->has_reals)
        sqlite3_result_double(context, total_of(sum));
    else if (sum->overflows)
        sqlite3_result_error(context, "integer overflow", -1);
    else
        sqlite3_result_int64(context, sum->whole);
}

static void total_value(sqlite3_context *context)
{
    const struct sum *sum = sqlite3_aggregate_context(context, 0);
    sqlite3_result_double(context, sum != NULL ? total_of(sum) : 0);
}

static void avg_value(sqlite3_context *context)
{
    const struct sum *sum = sqlite3_aggregate_context(context, 0);
    if (sum != NULL && sum->count > 0)
        sqlite3_result_double(context, total_of(sum) / (double)sum->count);
}

static int add(sqlite3 *db, const char *name, void (*value)(sqlite3_context *))
{
    return sqlite3_create_window_function(db, name, 1,
                                          SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
                                          NULL, step, value, value, inverse, NULL);
}

int sum_register(sqlite3 *db)
{
    int bad = add(db, "sum", sum_value);
    bad |= add(db, "total", total_value);
    bad |= add(db, "avg", avg_value);
    return bad == 0 ? SQLITE_OK : SQLITE_ERROR;
}
