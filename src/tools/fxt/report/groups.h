/* Durations by group: counts, sums, and histograms for the percentiles. */
#ifndef FXT_TOOLS_FXT_REPORT_GROUPS_H
#define FXT_TOOLS_FXT_REPORT_GROUPS_H

#include <stdbool.h>
#include <stdint.h>

#include "src/cli/size.h"

#define GROUPS_MAX TOOL_SIZE(65536u)
#define GROUP_KEYS_MAX TOOL_SIZE(131072u)
#define HISTOGRAM_BUCKETS 16u /* an octave */
#define HISTOGRAM_OCTAVES 61u /* the first counts 0 … 15, octave n 2^(n + 3) … 2^(n + 4) - 1 */
#define GROUP_FEW HISTOGRAM_BUCKETS
#define HISTOGRAM_PARTS TOOL_SIZE(1048576u)

#define GROUP_OTHERS 0u /* of everything that found no room */

struct group {
    uint32_t key;
    bool is_async; /* such durations have no self time */
    uint64_t count;
    uint64_t total; /* ns, like all below; of 128 bits */
    uint64_t total_high;
    uint64_t self; /* modulo 2^64 until everything has been counted */
    uint64_t min;
    uint64_t max;
    double squares; /* the sum of the squares */
    uint32_t few;   /* the part that has all durations, while they are few; 0: none */
    uint32_t octaves[HISTOGRAM_OCTAVES]; /* parts, 0: none */
};

struct groups {
    uint32_t count;
    uint32_t parts_used;
    bool full;                          /* a group found no room */
    bool parts_full;                    /* a duration is in no histogram */
    uint32_t of_key[2][GROUP_KEYS_MAX]; /* by is_async and key; 0: none */
    struct group it[GROUPS_MAX];
    uint64_t parts[HISTOGRAM_PARTS][HISTOGRAM_BUCKETS];
};

/* groups: zeroed. */
void groups_init(struct groups *groups);

/* The group of a key below GROUP_KEYS_MAX. */
uint32_t groups_find(struct groups *groups, uint32_t key, bool is_async);

/* Everything but the total. */
void groups_count(struct groups *groups, uint32_t group, uint64_t ns);

/* The total is that of the durations that lie in no other one of the group [SUM-01]. */
void groups_add_total(struct groups *groups, uint32_t group, uint64_t ns);
void groups_take_total(struct groups *groups, uint32_t group, uint64_t ns);

/* In ns, at most UINT64_MAX. */
uint64_t groups_total(const struct group *group);

/* Adds what `from` has counted to another group, and leaves it empty. */
void groups_merge(struct groups *groups, uint32_t into, uint32_t from);

/* [SUM-02], rounded. Exact for at most GROUP_FEW durations, and otherwise at most 1/32 off. */
uint64_t groups_percentile(const struct groups *groups, const struct group *group,
                           unsigned percent);

#endif
