/* Counters. A NaN is neither the least nor the greatest value, unless it is the only one. */
#include "src/tools/fxt/refs/counters.h"

static struct counter *find(struct counters *counters, const struct counter *key, uint64_t ns,
                            double value)
{
    uint32_t *number =
        map_add(&counters->numbers, COUNTERS_MAX, key->id, (uint64_t)key->process << 32 | key->name,
                (uint64_t)key->category << 32 | key->arg);
    if (number == NULL)
        return NULL;
    if (*number != MAP_NEW)
        return &counters->it[*number];
    *number = counters->count++;
    struct counter *counter = &counters->it[*number];
    *counter = *key;
    counter->count = 0;
    counter->first_ns = counter->last_ns = ns;
    counter->first = counter->last = counter->min = counter->max = value;
    return counter;
}

uint32_t counters_add(struct counters *counters, const struct counter *key, uint64_t ns,
                      double value)
{
    struct counter *counter = find(counters, key, ns, value);
    if (counter == NULL) {
        counters->full = true;
        return COUNTER_NONE;
    }
    counter->count++;
    if (ns < counter->first_ns) {
        counter->first_ns = ns;
        counter->first = value;
    }
    if (ns >= counter->last_ns) {
        counter->last_ns = ns;
        counter->last = value;
    }
    if (value < counter->min || counter->min != counter->min)
        counter->min = value;
    if (value > counter->max || counter->max != counter->max)
        counter->max = value;
    return (uint32_t)(counter - counters->it);
}

bool counters_number(const struct fxt_arg *arg, double *value)
{
    switch (arg->type) {
    case FXT_ARG_INT32:
    case FXT_ARG_INT64:
        *value = (double)fxt_arg_int64(arg);
        return true;
    case FXT_ARG_UINT32:
    case FXT_ARG_UINT64:
        *value = (double)arg->value;
        return true;
    case FXT_ARG_DOUBLE:
        *value = fxt_arg_double(arg);
        return true;
    default:
        return false;
    }
}
