#include <stdio.h>

#include <criterion/criterion.h>

#include <fxt/version.h>

Test(version, text_and_numbers_agree)
{
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", FXT_VERSION_MAJOR, FXT_VERSION_MINOR,
             FXT_VERSION_PATCH);
    cr_assert_str_eq(FXT_VERSION, text);
}

Test(version, the_library_was_built_with_these_headers)
{
    cr_assert_str_eq(fxt_version(), FXT_VERSION);
}
