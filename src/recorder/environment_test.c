/* What the variables of a recording mean. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "src/recorder/environment.h"

static char *no_variable(const char *name)
{
    (void)name;
    return NULL;
}

static char *other_variables(const char *name)
{
    static char size[] = "2G", mode[] = "oneshot";
    if (strcmp(name, "FXT_TRACE_BUFFER") == 0)
        return size;
    return strcmp(name, "FXT_TRACE_MODE") == 0 ? mode : NULL;
}

static char *all_variables(const char *name)
{
    static char file[] = "a.fxt";
    return strcmp(name, "FXT_TRACE_FILE") == 0 ? file : other_variables(name);
}

/* secure_getenv returns NULL in a program that has more rights than its caller. */
Test(environment, only_a_file_begins_a_recording)
{
    struct fxt_i_environment it;
    fxt_i_environment_read(&it, no_variable);
    cr_expect_null(it.file);
    fxt_i_environment_read(&it, other_variables);
    cr_expect_null(it.file);
    fxt_i_environment_read(&it, all_variables);
    cr_expect_str_eq(it.file, "a.fxt");
    cr_expect_null(it.wrong);
    cr_expect_eq(it.options.buffer_bytes, (size_t)2 << 30);
    cr_expect_eq(it.options.mode, TRACE_BUFFERING_MODE_ONESHOT);
}

Test(environment, name_has_the_number_of_the_process)
{
    static char out[PATH_MAX], longest[PATH_MAX + 8];
    cr_expect_eq(fxt_i_environment_path(out, "a.%p-%%p.%p", 42, 1), 0);
    cr_expect_str_eq(out, "a.42-%p.42");
    cr_expect_eq(fxt_i_environment_path(out, "a.fxt", 42, 3), 0);
    cr_expect_str_eq(out, "a.fxt.3");
    cr_expect_eq(fxt_i_environment_path(out, "a%q", 42, 1), EINVAL);
    cr_expect_eq(fxt_i_environment_path(out, "a%", 42, 1), EINVAL);
    memset(longest, 'a', PATH_MAX - 1);
    cr_expect_eq(fxt_i_environment_path(out, longest, 42, 1), 0);
    cr_expect_eq(fxt_i_environment_path(out, longest, 42, 2), ENAMETOOLONG);
    longest[PATH_MAX - 1] = 'a';
    cr_expect_eq(fxt_i_environment_path(out, longest, 42, 1), ENAMETOOLONG);
}
