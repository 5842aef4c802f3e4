/* Names of statuses, rules and classes. The table is generated from spec/rules.tbl and in the order
   of enum fxt_rule, where number 0 is FXT_RULE_NONE and has no row. */
#include <fxt/status.h>

struct rule_row {
    const char *id;
    enum fxt_class severity;
    enum fxt_edition edition;
    const char *title;
};

static const struct rule_row rule_table[] = {
#include "src/base/rule_table.inc"
};

static const struct rule_row no_rule = {"", FXT_DEFINITION, FXT_EDITION_2020, ""};

static const struct rule_row *row_of(enum fxt_rule rule)
{
    if ((unsigned)rule == 0 || (unsigned)rule >= FXT_RULE_COUNT)
        return &no_rule;
    return &rule_table[(unsigned)rule - 1];
}

const char *fxt_rule_id(enum fxt_rule rule)
{
    return row_of(rule)->id;
}

const char *fxt_rule_title(enum fxt_rule rule)
{
    return row_of(rule)->title;
}

enum fxt_class fxt_rule_class(enum fxt_rule rule)
{
    return row_of(rule)->severity;
}

enum fxt_edition fxt_rule_edition(enum fxt_rule rule)
{
    return row_of(rule)->edition;
}

static bool same_text(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

enum fxt_rule fxt_rule_by_id(const char *id)
{
    for (unsigned rule = 1; rule < FXT_RULE_COUNT; rule++)
        if (same_text(rule_table[rule - 1].id, id))
            return (enum fxt_rule)rule;
    return FXT_RULE_NONE;
}

const char *fxt_class_name(enum fxt_class severity)
{
    static const char *const names[] = {"definition", "suspicious", "nonconforming", "malformed"};
    return (unsigned)severity < 4 ? names[(unsigned)severity] : "unknown class";
}

const char *fxt_status_name(enum fxt_status status)
{
    static const char *const names[FXT_STATUS_COUNT] = {
        "ok",        "end",        "more",       "zero word", "malformed", "zero size",
        "truncated", "byte order", "wrong type", "full",      "invalid"};
    return (unsigned)status < FXT_STATUS_COUNT ? names[(unsigned)status] : "unknown status";
}
