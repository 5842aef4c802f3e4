/* Durations by group. Of a few durations, a group has the numbers themselves; of more, a histogram of 16
   buckets an octave. Its octaves take memory when a duration falls into them, so that a group takes
   little. */
#include "src/tools/fxt/report/groups.h"

#include <stdlib.h>
#include <string.h>

void groups_init(struct groups *groups)
{
    groups->count = 1; /* GROUP_OTHERS */
    groups->parts_used = 1;
    groups->it[GROUP_OTHERS].min = UINT64_MAX;
}

uint32_t groups_find(struct groups *groups, uint32_t key, bool is_async)
{
    uint32_t *found = &groups->of_key[is_async][key];
    if (*found != 0)
        return *found;
    if (groups->count == GROUPS_MAX) {
        groups->full = true;
        return GROUP_OTHERS;
    }
    *found = groups->count++;
    groups->it[*found].key = key;
    groups->it[*found].is_async = is_async;
    groups->it[*found].min = UINT64_MAX;
    return *found;
}

static unsigned octave_of(uint64_t ns)
{
    return ns < HISTOGRAM_BUCKETS ? 0 : 60u - (unsigned)__builtin_clzll(ns);
}

static unsigned bucket_of(uint64_t ns, unsigned octave)
{
    return (unsigned)(octave == 0 ? ns : ns >> (octave - 1)) % HISTOGRAM_BUCKETS;
}

/* The middle of a bucket. */
static uint64_t middle_of(unsigned octave, unsigned bucket)
{
    if (octave == 0)
        return bucket;
    uint64_t width = UINT64_C(1) << (octave - 1);
    return (HISTOGRAM_BUCKETS + bucket) * width + width / 2;
}

/* The part, which is a new one if it was none; 0: there is no room. */
static uint32_t part_of(struct groups *groups, uint32_t *part)
{
    if (*part == 0 && groups->parts_used < HISTOGRAM_PARTS)
        *part = groups->parts_used++;
    if (*part == 0)
        groups->parts_full = true;
    return *part;
}

static void count_in_histogram(struct groups *groups, struct group *group, uint64_t ns)
{
    unsigned octave = octave_of(ns);
    uint32_t part = part_of(groups, &group->octaves[octave]);
    if (part != 0)
        groups->parts[part][bucket_of(ns, octave)]++;
}

/* Durations that are no longer few. The first one takes their part for its octave. */
static void move_to_histogram(struct groups *groups, struct group *group, uint64_t count)
{
    uint64_t few[GROUP_FEW];
    uint32_t part = group->few;
    if (part == 0)
        return;
    memcpy(few, groups->parts[part], sizeof few);
    memset(groups->parts[part], 0, sizeof few);
    group->few = 0;
    group->octaves[octave_of(few[0])] = part;
    for (uint64_t i = 0; i < count; i++)
        count_in_histogram(groups, group, few[i]);
}

static void keep(struct groups *groups, struct group *group, uint64_t ns)
{
    if (group->count < GROUP_FEW) {
        uint32_t part = part_of(groups, &group->few);
        if (part != 0)
            groups->parts[part][group->count] = ns;
        return;
    }
    move_to_histogram(groups, group, GROUP_FEW);
    count_in_histogram(groups, group, ns);
}

void groups_count(struct groups *groups, uint32_t index, uint64_t ns)
{
    struct group *group = &groups->it[index];
    keep(groups, group, ns);
    group->count++;
    group->squares += (double)ns * (double)ns;
    if (ns < group->min)
        group->min = ns;
    if (ns > group->max)
        group->max = ns;
}

void groups_add_total(struct groups *groups, uint32_t index, uint64_t ns)
{
    struct group *group = &groups->it[index];
    group->total += ns;
    group->total_high += group->total < ns;
}

void groups_take_total(struct groups *groups, uint32_t index, uint64_t ns)
{
    struct group *group = &groups->it[index];
    group->total_high -= group->total < ns;
    group->total -= ns;
}

uint64_t groups_total(const struct group *group)
{
    return group->total_high > 0 ? UINT64_MAX : group->total;
}

static void merge_octave(struct groups *groups, uint32_t *into, uint32_t from)
{
    if (*into == 0) {
        *into = from;
        return;
    }
    for (unsigned bucket = 0; from != 0 && bucket < HISTOGRAM_BUCKETS; bucket++)
        groups->parts[*into][bucket] += groups->parts[from][bucket];
}

static void merge_kept(struct groups *groups, struct group *into, struct group *from)
{
    if (into->count + from->count <= GROUP_FEW) {
        uint32_t part = part_of(groups, &into->few);
        for (uint64_t i = 0; part != 0 && from->few != 0 && i < from->count; i++)
            groups->parts[part][into->count + i] = groups->parts[from->few][i];
        return;
    }
    move_to_histogram(groups, into, into->count);
    move_to_histogram(groups, from, from->count);
    for (unsigned octave = 0; octave < HISTOGRAM_OCTAVES; octave++)
        merge_octave(groups, &into->octaves[octave], from->octaves[octave]);
}

void groups_merge(struct groups *groups, uint32_t into, uint32_t from)
{
    struct group *group = &groups->it[into];
    struct group *other = &groups->it[from];
    merge_kept(groups, group, other);
    group->count += other->count;
    groups_add_total(groups, into, other->total);
    group->total_high += other->total_high;
    group->self += other->self;
    group->squares += other->squares;
    group->min = other->min < group->min ? other->min : group->min;
    group->max = other->max > group->max ? other->max : group->max;
    *other = (struct group){.key = other->key, .is_async = other->is_async, .min = UINT64_MAX};
}

static uint64_t clamped(const struct group *group, uint64_t ns)
{
    if (ns < group->min)
        return group->min;
    return ns > group->max ? group->max : ns;
}

static int compare(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a;
    uint64_t right = *(const uint64_t *)b;
    return left < right ? -1 : left > right;
}

/* In the order of length, from 0. */
static uint64_t duration_at(const struct groups *groups, const struct group *group, uint64_t place)
{
    if (group->few != 0) {
        uint64_t few[GROUP_FEW];
        memcpy(few, groups->parts[group->few], sizeof few);
        qsort(few, group->count, sizeof *few, compare);
        return few[place];
    }
    if (place == 0)
        return group->min;
    for (unsigned octave = 0; octave < HISTOGRAM_OCTAVES; octave++) {
        uint32_t part = group->octaves[octave];
        for (unsigned bucket = 0; part != 0 && bucket < HISTOGRAM_BUCKETS; bucket++) {
            uint64_t here = groups->parts[part][bucket];
            if (here > place)
                return clamped(group, middle_of(octave, bucket));
            place -= here;
        }
    }
    return group->max;
}

uint64_t groups_percentile(const struct groups *groups, const struct group *group, unsigned percent)
{
    if (group->count == 0)
        return 0;
    /* The place is (count - 1) * percent / 100, without overflow. */
    uint64_t last = group->count - 1;
    uint64_t part = last % 100 * percent;
    uint64_t place = last / 100 * percent + part / 100;
    uint64_t before = duration_at(groups, group, place);
    uint64_t by = place < last ? duration_at(groups, group, place + 1) - before : 0;
    part %= 100;
    return before + by / 100 * part + (by % 100 * part + 50) / 100;
}
