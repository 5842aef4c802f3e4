#include "src/auto/auto.h"

#include <criterion/criterion.h>

Test(filter, a_pattern_fits_the_whole_name)
{
    cr_assert(fxt_auto_fits("parse", "parse"));
    cr_assert(!fxt_auto_fits("parse", "parser"));
    cr_assert(!fxt_auto_fits("parse", "pars"));
    cr_assert(fxt_auto_fits("p?rse", "parse"));
    cr_assert(!fxt_auto_fits("p?rse", "prse"));
}

Test(filter, a_star_is_any_text)
{
    cr_assert(fxt_auto_fits("*", ""));
    cr_assert(fxt_auto_fits("pa*", "parse"));
    cr_assert(fxt_auto_fits("*se", "parsese"));
    cr_assert(fxt_auto_fits("*a*b*", "xxaayybzz"));
    cr_assert(!fxt_auto_fits("*a*b", "xxaayybz"));
    cr_assert(fxt_auto_fits("*:***add*(int)", "shop::Basket::add(int)"));
}

Test(filter, the_last_pattern_that_fits_decides)
{
    cr_assert(fxt_auto_fits("a,b", "b"));
    cr_assert(!fxt_auto_fits("a,b", "c"));
    cr_assert(!fxt_auto_fits("p*,-parse", "parse"));
    cr_assert(fxt_auto_fits("-p*,parse", "parse"));
    cr_assert(fxt_auto_fits("-p*", "other"), "all but those");
    cr_assert(!fxt_auto_fits("-p*", "parse"));
    cr_assert(!fxt_auto_fits("b,-p*", "other"));
    cr_assert(fxt_auto_fits(",,a", "a"));
}
