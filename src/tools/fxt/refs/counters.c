/* Counters. A lookup costs at most PROBE_MAX steps. A NaN is neither the least nor the greatest
   value, unless it is the only one. */
#include "src/tools/fxt/refs/counters.h"

#include "src/tools/fxt/refs/names.h"

#define PROBE_MAX 512u
#define SLOTS (2 * COUNTERS_MAX)

static struct counter *find(struct counters *counters, const struct counter *key, uint64_t ns,
                            double value)
{
    uint64_t hash = names_hash((uint64_t)key->process << 32 | key->name, key->id);
    uint64_t rest = (uint64_t)key->category << 32 | key->arg;
    uint32_t at = (uint32_t)names_hash(hash, rest) & (SLOTS - 1);
    unsigned step = 0;
    for (; step < PROBE_MAX && counters->slots[at] != 0; step++) {
        struct counter *counter = &counters->it[counters->slots[at] - 1];
        if (counter->process == key->process && counter->name == key->name &&
            counter->id == key->id && counter->arg == key->arg &&
            counter->category == key->category)
            return counter;
        at = (at + 1) & (SLOTS - 1);
    }
    if (step == PROBE_MAX || counters->count == COUNTERS_MAX)
        return NULL;
    struct counter *counter = &counters->it[counters->count];
    counters->slots[at] = ++counters->count;
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
