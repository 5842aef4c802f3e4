#include <ctype.h>
#include <string.h>

#include <criterion/criterion.h>

#include <fxt/status.h>

static const int no_rules[] = {0, FXT_RULE_COUNT, FXT_RULE_COUNT + 1, INT32_MAX, INT32_MIN, -1};

Test(rule, the_id_of_a_rule_finds_the_rule)
{
    for (unsigned i = 1; i < FXT_RULE_COUNT; i++)
        cr_expect_eq(fxt_rule_by_id(fxt_rule_id((enum fxt_rule)i)), i);
}

// Three capitals, a hyphen, two digits.
static bool is_id(const char *id)
{
    return strlen(id) == 6 && isupper(id[0]) && isupper(id[1]) && isupper(id[2]) && id[3] == '-' &&
           isdigit(id[4]) && isdigit(id[5]);
}

Test(rule, each_rule_has_an_id_a_title_and_an_edition)
{
    for (unsigned i = 1; i < FXT_RULE_COUNT; i++) {
        enum fxt_rule rule = (enum fxt_rule)i;
        cr_expect(is_id(fxt_rule_id(rule)), "%s", fxt_rule_id(rule));
        cr_expect_gt(strlen(fxt_rule_title(rule)), 10);
        cr_expect_leq((unsigned)fxt_rule_class(rule), FXT_MALFORMED_CLASS);
        cr_expect_leq((unsigned)fxt_rule_edition(rule), FXT_EDITION_CURRENT);
    }
}

Test(rule, the_enumerator_the_id_and_the_title_belong_together)
{
    cr_expect_str_eq(fxt_rule_id(FXT_RULE_REC_01), "REC-01");
    cr_expect_str_eq(fxt_rule_title(FXT_RULE_REC_01), "a trace is a whole number of 8-byte words");
    cr_expect_str_eq(fxt_rule_id(FXT_RULE_EVT_10), "EVT-10");
    cr_expect_str_eq(fxt_rule_id(FXT_RULE_ARG_08), "ARG-08");
    cr_expect_str_eq(fxt_rule_id(FXT_RULE_LRG_04), "LRG-04");
    cr_expect_str_eq(fxt_rule_id(FXT_RULE_CAN_01), "CAN-01");
    cr_expect_str_eq(fxt_rule_id(FXT_RULE_BUF_11), "BUF-11");
    cr_expect_eq(FXT_RULE_CTL_09, FXT_RULE_COUNT - 1);
}

Test(rule, classes_are_those_of_the_format)
{
    cr_expect_eq(fxt_rule_class(FXT_RULE_REC_02), FXT_MALFORMED_CLASS);
    cr_expect_eq(fxt_rule_class(FXT_RULE_REC_04), FXT_NONCONFORMING);
    cr_expect_eq(fxt_rule_class(FXT_RULE_REC_08), FXT_SUSPICIOUS);
    cr_expect_eq(fxt_rule_class(FXT_RULE_REC_07), FXT_DEFINITION);
    cr_expect_eq(fxt_rule_class(FXT_RULE_LRG_04), FXT_MALFORMED_CLASS);
}

Test(rule, editions_are_those_of_the_format)
{
    cr_expect_eq(fxt_rule_edition(FXT_RULE_EVT_09), FXT_EDITION_2020);
    cr_expect_eq(fxt_rule_edition(FXT_RULE_EVT_10), FXT_EDITION_CURRENT);
    cr_expect_eq(fxt_rule_edition(FXT_RULE_ARG_08), FXT_EDITION_CURRENT);
    cr_expect_eq(fxt_rule_edition(FXT_RULE_SCH_03), FXT_EDITION_2020);
}

Test(rule, numbers_that_are_no_rule_have_empty_names)
{
    for (size_t i = 0; i < sizeof no_rules / sizeof no_rules[0]; i++) {
        enum fxt_rule rule = (enum fxt_rule)no_rules[i];
        cr_expect_str_empty(fxt_rule_id(rule));
        cr_expect_str_empty(fxt_rule_title(rule));
        cr_expect_eq(fxt_rule_class(rule), FXT_DEFINITION);
        cr_expect_eq(fxt_rule_edition(rule), FXT_EDITION_2020);
    }
}

Test(rule, text_that_is_no_id_finds_nothing)
{
    static const char *const ids[] = {"",        "EVT",     "EVT-",   "EVT-0",  "EVT-010", "evt-01",
                                      " EVT-01", "EVT-01 ", "EVT_01", "EVT-99", "NONE"};
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++)
        cr_expect_eq(fxt_rule_by_id(ids[i]), FXT_RULE_NONE, "%s", ids[i]);
}

Test(status, each_status_has_a_name_of_its_own)
{
    for (unsigned i = 0; i < FXT_STATUS_COUNT; i++) {
        const char *name = fxt_status_name((enum fxt_status)i);
        cr_assert_not_null(name);
        cr_expect_str_neq(name, "unknown status");
        for (unsigned j = 0; j < i; j++)
            cr_expect_str_neq(name, fxt_status_name((enum fxt_status)j));
    }
}

Test(status, names_belong_to_their_enumerators)
{
    cr_expect_str_eq(fxt_status_name(FXT_OK), "ok");
    cr_expect_str_eq(fxt_status_name(FXT_END), "end");
    cr_expect_str_eq(fxt_status_name(FXT_MORE), "more");
    cr_expect_str_eq(fxt_status_name(FXT_ZERO_WORD), "zero word");
    cr_expect_str_eq(fxt_status_name(FXT_MALFORMED), "malformed");
    cr_expect_str_eq(fxt_status_name(FXT_ZERO_SIZE), "zero size");
    cr_expect_str_eq(fxt_status_name(FXT_TRUNCATED), "truncated");
    cr_expect_str_eq(fxt_status_name(FXT_BYTE_ORDER), "byte order");
    cr_expect_str_eq(fxt_status_name(FXT_WRONG_TYPE), "wrong type");
    cr_expect_str_eq(fxt_status_name(FXT_FULL), "full");
    cr_expect_str_eq(fxt_status_name(FXT_INVALID), "invalid");
}

Test(status, numbers_that_are_no_status_are_unknown)
{
    cr_expect_str_eq(fxt_status_name(FXT_STATUS_COUNT), "unknown status");
    cr_expect_str_eq(fxt_status_name((enum fxt_status) - 1), "unknown status");
    cr_expect_str_eq(fxt_status_name((enum fxt_status)INT32_MAX), "unknown status");
}

Test(status, each_class_has_its_name)
{
    cr_expect_str_eq(fxt_class_name(FXT_DEFINITION), "definition");
    cr_expect_str_eq(fxt_class_name(FXT_SUSPICIOUS), "suspicious");
    cr_expect_str_eq(fxt_class_name(FXT_NONCONFORMING), "nonconforming");
    cr_expect_str_eq(fxt_class_name(FXT_MALFORMED_CLASS), "malformed");
    cr_expect_str_eq(fxt_class_name((enum fxt_class)4), "unknown class");
    cr_expect_str_eq(fxt_class_name((enum fxt_class) - 1), "unknown class");
}
