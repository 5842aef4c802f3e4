/* One pass over a trace: its records decoded, with the tables of their providers. */
#ifndef FXT_TOOLS_FXT_EDIT_WALK_H
#define FXT_TOOLS_FXT_EDIT_WALK_H

#include "src/tools/fxt/edit/item.h"

struct walk {
    struct stream *stream;
    struct fxt_tables tables;
    struct fxt_record record;
    uint64_t max_findings; /* 0: all */
    uint64_t findings;     /* records that do not decode, and zero words, a run once */
    uint64_t zero_end;
    uint64_t traces; /* magic number records so far */
    bool reports;    /* findings go to stderr */
    bool told;       /* the tables were full */
    bool fatal;      /* the trace ended early */
    bool has_magic;  /* the record is a magic number record that is not the first record */
    bool has_record; /* there was a record */
};

/* False after a message. */
bool walk_begin(struct walk *walk, struct stream *stream, const struct options *options,
                bool reports);

/* The next record that decodes; the tables have what it defines. False at the end. The bytes live
   until the next call. */
bool walk_next(struct walk *walk, struct item *item);

/* What the pass says of the input, after its end. A message tells of findings that were not
   shown. */
enum exit_code walk_end(const struct walk *walk);

#endif
