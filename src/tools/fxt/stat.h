/* The counts of fxt stat for one file. */
#ifndef FXT_TOOLS_FXT_STAT_H
#define FXT_TOOLS_FXT_STAT_H

#include "src/convert/args.h"
#include "src/convert/out.h"
#include "src/convert/kinds.h"
#include "src/cli/size.h"
#include "src/timeline/map.h"

#define STAT_PROVIDERS 256u
#define EVENT_NAMES 12u                        /* types of events, and "unknown" for all others */
#define ARG_NAMES (FXT_CONVERT_ARG_COUNT + 1u) /* types of arguments, likewise */
#define STAT_THREADS TOOL_SIZE(98304u)

/* Earliest and latest value; empty while first > last. */
struct stat_span {
    uint64_t first;
    uint64_t last;
};

struct stat_provider {
    uint32_t id;
    bool introduced;
    uint8_t name_length;
    char name[255];
    uint64_t records;
    uint64_t bytes;
    uint64_t events;
    uint64_t strings;
    uint64_t threads;
    uint64_t trace; /* the number of traces before it in the file */
    uint64_t ticks_per_second;
    struct stat_span ticks;
    struct stat_span at_this_rate; /* ticks that are not converted to `ns` yet */
    struct stat_span ns;
};

struct stats {
    const char *file;
    uint64_t bytes;
    uint64_t record_count;
    uint64_t malformed;
    uint64_t zero_words;
    uint64_t passed_over;
    enum fxt_rule stopped_by; /* why reading stopped, or FXT_RULE_NONE */
    uint64_t stopped_at;
    uint64_t records[FXT_KIND_COUNT];
    uint64_t record_bytes[FXT_KIND_COUNT];
    uint64_t events[EVENT_NAMES];
    uint64_t args[ARG_NAMES];
    uint64_t string_bytes;
    uint64_t inline_strings; /* in events and arguments */
    bool threads_full;       /* there are more */
    uint64_t trace;          /* the current trace, as in struct stat_provider */
    uint32_t provider_count;
    uint32_t current;
    bool providers_full;                                /* the last place has been used */
    struct stat_provider providers[STAT_PROVIDERS + 1]; /* the last one stands for all others */
    struct map threads;
};

/* stat: must be zeroed. */
void stat_init(struct stats *stat, const char *file);
void stat_record(struct stats *stat, const struct fxt_record *record);
void stat_error(struct stats *stat, const struct fxt_error *error);
void stat_end(struct stats *stat);

/* The sum over all providers. */
struct stat_span stat_ticks(const struct stats *stat);
struct stat_span stat_ns(const struct stats *stat);
static inline bool stat_is_empty(struct stat_span span)
{
    return span.first > span.last;
}

void stat_print_text(struct fxt_out *out, const struct stats *stat, bool colour);
void stat_print_json(struct fxt_out *out, const struct stats *stat);

#endif
