/* The rules of the format, generated from spec/rules.tbl. */
#include "src/base/rule_table.h"

const struct fxt_i_rule_row fxt_i_rule_table[FXT_RULE_COUNT - 1] = {
#include "src/base/rule_table.inc"
};
