/* Counters. A NaN is neither the least nor the greatest value, unless it is the only one. */
#include "src/tools/fxt/report/counters.h"

#include <string.h>

double counter_value_double(struct counter_value value)
{
    double number;
    memcpy(&number, &value.bits, sizeof number);
    switch (value.type) {
    case COUNTER_SIGNED:
        return (double)(int64_t)value.bits;
    case COUNTER_UNSIGNED:
        return (double)value.bits;
    default:
        return number;
    }
}

static bool is_nan(struct counter_value value)
{
    double number = counter_value_double(value);
    return number != number;
}

/* Integers are exact, beside a double they are rounded to one. */
static bool is_less(struct counter_value a, struct counter_value b)
{
    if (a.type == COUNTER_DOUBLE || b.type == COUNTER_DOUBLE)
        return counter_value_double(a) < counter_value_double(b);
    bool a_is_negative = a.type == COUNTER_SIGNED && (int64_t)a.bits < 0;
    bool b_is_negative = b.type == COUNTER_SIGNED && (int64_t)b.bits < 0;
    return a_is_negative != b_is_negative ? a_is_negative : a.bits < b.bits;
}

static struct counter *find(struct counters *counters, const struct counter *key)
{
    uint32_t *number =
        map_add(&counters->numbers, COUNTERS_MAX, key->id, (uint64_t)key->process << 32 | key->name,
                (uint64_t)key->category << 32 | key->arg);
    if (number == NULL)
        return NULL;
    if (*number != MAP_NEW)
        return &counters->it[*number];
    *number = counters->count++;
    counters->it[*number] = *key;
    return &counters->it[*number];
}

static void take(struct counter *counter, uint64_t ns, struct counter_value value)
{
    bool is_new = counter->count == 0;
    if (is_new || ns < counter->first_ns) {
        counter->first_ns = ns;
        counter->first = value;
    }
    if (is_new || ns >= counter->last_ns) {
        counter->last_ns = ns;
        counter->last = value;
    }
    if (is_new || is_less(value, counter->min) || is_nan(counter->min))
        counter->min = value;
    if (is_new || is_less(counter->max, value) || is_nan(counter->max))
        counter->max = value;
}

void counters_add(struct counters *counters, const struct counter *key, uint64_t ns,
                  struct counter_value value)
{
    struct counter *counter = find(counters, key);
    if (counter == NULL) {
        counters->full = true;
    } else if (ns >= counters->from) {
        take(counter, ns, value);
        counter->count++;
    } else if (!counter->has_before || ns >= counter->before_ns) {
        counter->has_before = true;
        counter->before_ns = ns;
        counter->before = value;
    }
}

void counters_end(struct counters *counters)
{
    for (uint32_t i = 0; i < counters->count; i++) {
        struct counter *counter = &counters->it[i];
        bool holds = counter->count == 0 || counter->first_ns > counters->from;
        if (counter->has_before && holds)
            take(counter, counters->from, counter->before);
    }
}

bool counters_number(const struct fxt_arg *arg, struct counter_value *value)
{
    double number;
    switch (arg->type) {
    case FXT_ARG_INT32:
    case FXT_ARG_INT64:
        *value = (struct counter_value){(uint64_t)fxt_arg_int64(arg), COUNTER_SIGNED};
        return true;
    case FXT_ARG_UINT32:
    case FXT_ARG_UINT64:
    case FXT_ARG_BOOL:
        *value = (struct counter_value){arg->value, COUNTER_UNSIGNED};
        return true;
    case FXT_ARG_DOUBLE:
        number = fxt_arg_double(arg);
        value->type = COUNTER_DOUBLE;
        memcpy(&value->bits, &number, sizeof number);
        return true;
    default:
        return false;
    }
}
