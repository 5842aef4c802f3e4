/* Which name is proposed for a mistyped one. */
#include <criterion/criterion.h>

#include "src/cli/nearest.h"

TestSuite(nearest, .timeout = 60);

static const char *const names[] = {"check", "dump", "json", "salvage", "output-file"};

static const char *proposed(const char *word)
{
    struct nearest nearest = nearest_begin(word);
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        nearest_try(&nearest, names[i]);
    return nearest.name;
}

Test(nearest, one_typo_of_each_kind_is_seen)
{
    cr_expect_str_eq(proposed("chek"), "check");
    cr_expect_str_eq(proposed("checkk"), "check");
    cr_expect_str_eq(proposed("chech"), "check");
    cr_expect_str_eq(proposed("hceck"), "check");
    cr_expect_str_eq(proposed("dupm"), "dump");
    cr_expect_str_eq(proposed("jsno"), "json");
}

Test(nearest, a_long_word_may_have_more_typos)
{
    cr_expect_str_eq(proposed("ouptut-flie"), "output-file");
    cr_expect_str_eq(proposed("slavage"), "salvage");
}

Test(nearest, a_value_is_not_compared)
{
    cr_expect_str_eq(proposed("ouput-file=check"), "output-file");
}

Test(nearest, another_word_is_near_to_none)
{
    cr_expect_null(proposed("record"));
    cr_expect_null(proposed(""));
    cr_expect_null(proposed("d"));
    struct nearest nearest = nearest_begin("");
    nearest_try(&nearest, "");
    cr_expect_null(nearest.name);
    cr_expect_null(proposed("a_word_of_more_than_forty_letters_________"));
}
