/* Whether an archive that goes by holds what was asked for: anything besides definitions, and events of
   each category. */
#ifndef FXT_TOOLS_TRACE_CONTENT_H
#define FXT_TOOLS_TRACE_CONTENT_H

#include "src/tools/trace/record_options.h"

#define CONTENT_PATTERNS_MAX 128 /* further ones are taken for found */
#define CONTENT_RECORD_MAX 32760 /* bytes of any record but a large one */

/* A category of the options. */
struct content_pattern {
    const char *text; /* without the provider's name; behind a prefix there is a '*' */
    const char
        *provider;     /* not NULL: of this one only; for "name/category" it goes up to the '/' */
    const char *given; /* as the user wrote it */
    bool found;
};

struct content_strings;

struct content {
    struct content_pattern patterns[CONTENT_PATTERNS_MAX];
    size_t pattern_count;
    size_t left;                       /* patterns that were not found yet */
    bool has_records;                  /* besides definitions */
    bool is_unknown;                   /* it could not be followed: then nothing is said */
    uint64_t skip;                     /* bytes of the current record that are passed over */
    size_t have;                       /* bytes of the current record, in `record` */
    struct content_strings *providers; /* what their strings match */
    struct content_strings *current;
    uint8_t record[CONTENT_RECORD_MAX];
};

/* options == NULL: no categories. A #group is not looked for: the manager alone knows its members. */
void content_begin(struct content *content, const struct trace_options *options);

/* The next bytes of the archive. */
void content_take(struct content *content, const char *bytes, size_t size);

/* Frees what it took. What was found stays. */
void content_end(struct content *content);

#endif
