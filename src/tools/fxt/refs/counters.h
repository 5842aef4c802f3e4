/* The values of counters: first, last, least and greatest. */
#ifndef FXT_TOOLS_FXT_REFS_COUNTERS_H
#define FXT_TOOLS_FXT_REFS_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

#include <fxt/read.h>

#include "src/cli/size.h"
#include "src/tools/fxt/map.h"

#define COUNTERS_MAX TOOL_SIZE(65536u)
#define COUNTER_NONE COUNTERS_MAX /* there is no room for it */

/* A numeric argument of the counter events of one process, category, name and counter id. */
struct counter {
    uint64_t id;
    uint32_t process;
    uint32_t category;
    uint32_t name;
    uint32_t arg;
    uint64_t count;
    uint64_t first_ns;
    uint64_t last_ns;
    double first; /* by time */
    double last;
    double min;
    double max;
};

struct counters {
    uint32_t count;
    bool full;
    struct map numbers;
    struct counter it[COUNTERS_MAX];
};

/* key: its id, process, category, name and arg. counters: zeroed at first. Returns the counter's
   number, or COUNTER_NONE. */
uint32_t counters_add(struct counters *counters, const struct counter *key, uint64_t ns,
                      double value);

/* The value of a numeric argument; false if it has another type. */
bool counters_number(const struct fxt_arg *arg, double *value);

#endif
