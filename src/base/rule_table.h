/* The rules of the format as rows, in the order of enum fxt_rule. Rule 0, FXT_RULE_NONE, has no
   row. */
#ifndef FXT_BASE_RULE_TABLE_H
#define FXT_BASE_RULE_TABLE_H

#include <fxt/status.h>

/* The texts are arrays in the row, so that the loader has no pointers to relocate. */
struct fxt_i_rule_row {
    char id[8];
    enum fxt_class severity;
    enum fxt_edition edition;
    char title[88];
};

extern const struct fxt_i_rule_row fxt_i_rule_table[FXT_RULE_COUNT - 1];

#endif
