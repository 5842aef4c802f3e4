/* Durations by group. A histogram has 16 buckets an octave. Its octaves take memory when a duration
   falls into them, so that a group of a few durations takes little. */
#include "src/tools/fxt/report/groups.h"

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

static void count_in_histogram(struct groups *groups, struct group *group, uint64_t ns)
{
    unsigned octave = octave_of(ns);
    uint32_t *part = &group->octaves[octave];
    if (*part == 0 && groups->parts_used < HISTOGRAM_PARTS)
        *part = groups->parts_used++;
    if (*part == 0)
        groups->parts_full = true;
    else
        groups->parts[*part][bucket_of(ns, octave)]++;
}

void groups_count(struct groups *groups, uint32_t index, uint64_t ns)
{
    struct group *group = &groups->it[index];
    group->count++;
    group->total = ns > UINT64_MAX - group->total ? UINT64_MAX : group->total + ns;
    group->squares += (double)ns * (double)ns;
    if (ns < group->min)
        group->min = ns;
    if (ns > group->max)
        group->max = ns;
    count_in_histogram(groups, group, ns);
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

void groups_merge(struct groups *groups, uint32_t into, uint32_t from)
{
    struct group *group = &groups->it[into];
    struct group *other = &groups->it[from];
    group->count += other->count;
    group->total =
        other->total > UINT64_MAX - group->total ? UINT64_MAX : group->total + other->total;
    group->self += other->self;
    group->squares += other->squares;
    group->min = other->min < group->min ? other->min : group->min;
    group->max = other->max > group->max ? other->max : group->max;
    for (unsigned octave = 0; octave < HISTOGRAM_OCTAVES; octave++)
        merge_octave(groups, &group->octaves[octave], other->octaves[octave]);
    *other = (struct group){.key = other->key, .is_async = other->is_async, .min = UINT64_MAX};
}

static uint64_t clamped(const struct group *group, uint64_t ns)
{
    if (ns < group->min)
        return group->min;
    return ns > group->max ? group->max : ns;
}

uint64_t groups_percentile(const struct groups *groups, const struct group *group, unsigned percent)
{
    /* The rank is count * percent / 100, rounded up, without overflow. */
    uint64_t rest = group->count / 100 * percent + (group->count % 100 * percent + 99) / 100;
    for (unsigned octave = 0; octave < HISTOGRAM_OCTAVES; octave++) {
        uint32_t part = group->octaves[octave];
        for (unsigned bucket = 0; part != 0 && bucket < HISTOGRAM_BUCKETS; bucket++) {
            uint64_t here = groups->parts[part][bucket];
            if (here > 0 && here >= rest)
                return clamped(group, middle_of(octave, bucket));
            rest -= here;
        }
    }
    return group->max;
}
