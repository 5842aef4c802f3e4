/* What a selection that matches nothing may have meant. */
#ifndef FXT_TOOLS_FXT_EDIT_MISSING_H
#define FXT_TOOLS_FXT_EDIT_MISSING_H

#include <fxt/record.h>

#include "src/tools/fxt/edit/patterns.h"

#define MISSING_NAME 64u

/* Of the patterns of one option. Zeroed at first. */
struct missing {
    bool found;       /* a record matches one */
    const char *word; /* the pattern that `name` is nearest to; NULL: no name is near */
    unsigned typos;
    char name[MISSING_NAME];
};

/* Compares one more name of the trace with the patterns. */
void missing_try(struct missing *missing, const struct pattern_list *patterns,
                 struct fxt_bytes name);

#endif
