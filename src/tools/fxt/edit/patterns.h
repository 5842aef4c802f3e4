/* Names and numbers to select by. */
#ifndef FXT_TOOLS_FXT_EDIT_PATTERNS_H
#define FXT_TOOLS_FXT_EDIT_PATTERNS_H

#include <fxt/record.h>

#define PATTERNS_MAX 64u

struct pattern_list {
    const char *it[PATTERNS_MAX];
    unsigned count;
};

/* Whether one of the patterns is equal to the text; * stands for any bytes, ? for one. The time is
   at most the product of both lengths. */
bool patterns_match(const struct pattern_list *list, struct fxt_bytes text);

/* Whether one of the patterns is the number, in decimal digits or after 0x in hexadecimal ones. */
bool patterns_have(const struct pattern_list *list, uint64_t number);

/* Whether one of the patterns is no number, so that names are needed. */
bool patterns_are_names(const struct pattern_list *list);

/* What a selection that matches nothing may have meant. */

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
