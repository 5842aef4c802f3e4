/* Checks whether an archive holds what was requested, while it is written: any records besides
   definitions, and events of each category. */
#ifndef FXT_TOOLS_TRACE_CONTENT_H
#define FXT_TOOLS_TRACE_CONTENT_H

#include "src/tools/trace/record_options.h"

#define CONTENT_PATTERNS_MAX 128 /* further ones count as found */
#define CONTENT_RECORD_MAX 32760 /* the largest record; of a large record, the head is kept */

/* A category of the options. */
struct content_pattern {
    const char *text;       /* may end in '*' */
    const char *provider;   /* if not NULL: of this provider only */
    size_t provider_length; /* the name may be in front of a '/' */
    bool found;
};

struct content_strings;

struct content {
    struct content_pattern patterns[CONTENT_PATTERNS_MAX];
    size_t pattern_count;
    size_t left;                       /* patterns not found yet */
    bool has_records;                  /* records besides definitions */
    bool is_unknown;                   /* the archive could not be followed: report nothing */
    uint64_t skip;                     /* bytes of the current record to skip */
    size_t have;                       /* bytes of the current record, in `record` */
    struct content_strings *providers; /* the patterns that their strings match */
    struct content_strings *current;
    uint8_t record[CONTENT_RECORD_MAX];
};

/* options == NULL: no categories. A #group is not checked: only the manager knows its members. */
void content_begin(struct content *content, const struct trace_options *options);

/* The next bytes of the archive. */
void content_take(struct content *content, const char *bytes, size_t size);

/* Frees the memory. The results stay. */
void content_end(struct content *content);

#endif
