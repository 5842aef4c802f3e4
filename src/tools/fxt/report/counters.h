/* The values of counters: first, last, least and greatest. */
#ifndef FXT_TOOLS_FXT_REPORT_COUNTERS_H
#define FXT_TOOLS_FXT_REPORT_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

#include <fxt/read.h>

#include "src/cli/size.h"
#include "src/timeline/map.h"

#define COUNTERS_MAX TOOL_SIZE(65536u)

enum counter_type { COUNTER_SIGNED, COUNTER_UNSIGNED, COUNTER_DOUBLE };

struct counter_value {
    uint64_t bits;
    uint8_t type; /* enum counter_type */
};

double counter_value_double(struct counter_value value);

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
    struct counter_value first; /* by time */
    struct counter_value last;
    struct counter_value min;
    struct counter_value max;
    bool has_before;
    uint64_t before_ns;
    struct counter_value before; /* the last one before `from` */
};

struct counters {
    uint32_t count;
    bool full;
    uint64_t from; /* values before this time are not counted, but the last one holds [CNT-03] */
    struct map numbers;
    struct counter it[COUNTERS_MAX];
};

/* key: its id, process, category, name and arg. counters: zeroed at first. */
void counters_add(struct counters *counters, const struct counter *key, uint64_t ns,
                  struct counter_value value);

/* After all values: those that hold at `from`. */
void counters_end(struct counters *counters);

/* The value of an argument [CNT-01]; false if it has none. */
bool counters_number(const struct fxt_arg *arg, struct counter_value *value);

#endif
