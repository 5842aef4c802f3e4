/* The rules of the format as rows, in the order of enum fxt_rule; rule 0 is none and has no row. */
#ifndef FXT_BASE_RULE_TABLE_H
#define FXT_BASE_RULE_TABLE_H

#include <fxt/status.h>

/* The texts are arrays, so that they lie in the row and no loader has to relocate them. */
struct fxt_i_rule_row {
    char id[8];
    enum fxt_class severity;
    enum fxt_edition edition;
    char title[88];
};

extern const struct fxt_i_rule_row fxt_i_rule_table[FXT_RULE_COUNT - 1];

#endif
