/* Names of statuses, rules and classes. */
#include "src/base/rule_table.h"

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result <==> 0 < rule < FXT_RULE_COUNT;
  @*/
static bool is_rule(enum fxt_rule rule)
{
    return rule != FXT_RULE_NONE && (unsigned)rule < FXT_RULE_COUNT;
}

const char *fxt_rule_id(enum fxt_rule rule)
{
    return is_rule(rule) ? fxt_i_rule_table[rule - 1].id : "";
}

const char *fxt_rule_title(enum fxt_rule rule)
{
    return is_rule(rule) ? fxt_i_rule_table[rule - 1].title : "";
}

enum fxt_class fxt_rule_class(enum fxt_rule rule)
{
    return is_rule(rule) ? fxt_i_rule_table[rule - 1].severity : FXT_DEFINITION;
}

enum fxt_edition fxt_rule_edition(enum fxt_rule rule)
{
    return is_rule(rule) ? fxt_i_rule_table[rule - 1].edition : FXT_EDITION_2020;
}

/*@ predicate same_id(struct fxt_i_rule_row *row, char *id) =
  @   \exists integer n; 0 <= n < 8 && row->id[n] == 0 &&
  @     \forall integer i; 0 <= i <= n ==> id[i] == row->id[i];
  @*/

/*@ requires \valid_read(row) && fxt_text(id);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result <==> same_id(row, id);
  @*/
static bool has_id(const struct fxt_i_rule_row *row, const char *id)
{
    unsigned i = 0;
    /*@ loop invariant 0 <= i <= 8;
      @ loop invariant same: \forall integer j; 0 <= j < i ==> row->id[j] == id[j];
      @ loop invariant inside: \forall integer j; 0 <= j < i ==> id[j] != 0;
      @ loop assigns i;
      @ loop variant 8 - i;
      @*/
    while (i < 8 && id[i] == row->id[i]) {
        if (id[i] == '\0')
            return true;
        i++;
    }
    return false;
}

enum fxt_rule fxt_rule_by_id(const char *id)
{
    /*@ loop invariant 1 <= rule <= FXT_RULE_COUNT;
      @ loop assigns rule;
      @ loop variant FXT_RULE_COUNT - rule;
      @*/
    for (unsigned rule = 1; rule < FXT_RULE_COUNT; rule++)
        if (has_id(&fxt_i_rule_table[rule - 1], id))
            return (enum fxt_rule)rule;
    return FXT_RULE_NONE;
}

const char *fxt_class_name(enum fxt_class severity)
{
    static const char names[4][16] = {"definition", "suspicious", "nonconforming", "malformed"};
    return (unsigned)severity < 4 ? names[(unsigned)severity] : "unknown class";
}

const char *fxt_status_name(enum fxt_status status)
{
    static const char names[FXT_STATUS_COUNT][16] = {
        "ok",        "end",        "more",       "zero word", "malformed", "zero size",
        "truncated", "byte order", "wrong type", "full",      "invalid"};
    return (unsigned)status < FXT_STATUS_COUNT ? names[(unsigned)status] : "unknown status";
}
