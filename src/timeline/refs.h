/* What the records of a trace refer to: a string becomes the number of a text, ticks become ns. The
   caller numbers the texts. */
#ifndef FXT_TIMELINE_REFS_H
#define FXT_TIMELINE_REFS_H

#include <fxt/tables.h>

#include "src/cli/memory.h"
#include "src/convert/idle.h"

/* Returns the number of a text in the caller's store, the same for equal texts. */
typedef uint32_t refs_add(void *texts, struct fxt_bytes text);

struct refs_string {
    uint64_t generation; /* valid if equal to that of the provider */
    uint32_t text;
};

struct refs {
    struct fxt_tables tables;
    uint64_t first; /* ns; no record has a time if it is greater than `last` */
    uint64_t last;
    uint64_t late_times; /* 2^63 ns and later [ORD-01] */
    bool tables_full;
    refs_add *add;
    void *texts;
    struct refs_string strings[TOOL_PROVIDERS][FXT_STRING_INDEX_MAX + 1]; /* 0: the empty string */
};

/* refs: zeroed. False after a message. */
bool refs_init(struct refs *refs, refs_add *add, void *texts);

/* Registers what a record defines. Every record that defines something must be given, after it was
   decoded. */
void refs_apply(struct refs *refs, const struct fxt_record *record);

/* The same of a string or thread record that was decoded. */
void refs_set_string(struct refs *refs, const struct fxt_string *string);
void refs_set_thread(struct refs *refs, const struct fxt_thread *thread);

/* Goes to a provider that is known already; false if it is not. */
bool refs_select(struct refs *refs, uint32_t provider_id);

/* refs_text for a string that has no number yet. */
uint32_t refs_new_text(struct refs *refs, struct fxt_string_ref ref);

/* The number of a string; "<unknown #N>" stands for one that is not registered. */
static inline uint32_t refs_text(struct refs *refs, struct fxt_string_ref ref)
{
    uint32_t current = refs->tables.current % TOOL_PROVIDERS;
    const struct refs_string *known = &refs->strings[current][ref.ref % FXT_STRING_INLINE];
    bool is_known = known->generation == fxt_tables_provider(&refs->tables)->generation;
    return is_known && ref.ref < FXT_STRING_INLINE ? known->text : refs_new_text(refs, ref);
}

/* As in src/convert/idle.h. */
bool refs_is_idle(const struct refs *refs, struct fxt_thread_ref thread, uint16_t priority);
#define REFS_IDLE FXT_CONVERT_IDLE_WEIGHT
int32_t refs_weight(const struct refs *refs, struct fxt_args args, const char *name);

/* Of the end of a complete duration, which may be before its begin: widens first … last upwards
   only [ORD-03]. At most 2^63 - 1 [ORD-01]. */
static inline uint64_t refs_end_ns(struct refs *refs, uint64_t ticks)
{
    uint64_t rate = fxt_tables_provider(&refs->tables)->ticks_per_second;
    uint64_t ns = rate == FXT_TICKS_PER_SECOND_DEFAULT ? ticks : fxt_ticks_to_ns(ticks, rate);
    if (ns > INT64_MAX) {
        ns = INT64_MAX;
        refs->late_times++;
    }
    if (ns > refs->last)
        refs->last = ns;
    return ns;
}

/* Also widens first … last. */
static inline uint64_t refs_ns(struct refs *refs, uint64_t ticks)
{
    uint64_t ns = refs_end_ns(refs, ticks);
    if (ns < refs->first)
        refs->first = ns;
    return ns;
}

#endif
