/* What the categories of a request mean with a configuration: groups, and what is for one provider
   only. */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "src/manager/config.h"

static int read_config(struct fxt_i_config *config, const char *bytes, size_t size,
                       char message[200])
{
    char path[] = "/tmp/config-XXXXXX";
    FILE *file = fdopen(mkstemp(path), "w");
    cr_assert_not_null(file);
    cr_assert_eq(fwrite(bytes, 1, size, file), size);
    fclose(file);
    int error = fxt_i_config_read(config, path, message);
    remove(path);
    return error;
}

static struct fxt_i_config config_of(const char *text)
{
    struct fxt_i_config config = {0};
    char message[200];
    cr_assert_eq(read_config(&config, text, strlen(text), message), 0, "%s", message);
    return config;
}

/* The names, each followed by a comma; NULL if the category is an unknown group. */
static const char *expanded(const struct fxt_i_config *config, const char *category,
                            const char *provider)
{
    static char text[256];
    struct fxt_i_names names = {NULL, 0};
    bool known = 0 == fxt_i_config_expand(config, &names, category, provider);
    size_t at = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < names.count; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%s,", names.names[i]);
    fxt_i_names_free(&names);
    return known ? text : NULL;
}

static struct fxt_i_config groups(void)
{
    return config_of("{\"categories\": {\"a\": \"first\"}, \"groups\": {\"one\": [\"a\"], "
                     "\"many\": [\"a\", \"b\", \"a\", \"p/c\", \"p/\"]}, \"other\": 1}");
}

Test(config, a_member_that_means_nothing_is_named)
{
    struct fxt_i_config config = config_of("{\"categories\": {}, \"group\": {}, \"x\": 1}");
    cr_expect_not_null(config.ignored);
    cr_expect(strcmp(config.ignored, "group") == 0 || strcmp(config.ignored, "x") == 0);
    fxt_i_config_free(&config);
    config = config_of("{\"groups\": {}, \"categories\": {\"group\": \"\"}}");
    cr_expect_null(config.ignored);
    fxt_i_config_free(&config);
}

Test(config, a_group_stands_for_its_members_once_each)
{
    struct fxt_i_config config = groups();
    cr_expect_str_eq(expanded(&config, "#one", "p"), "a,");
    cr_expect_str_eq(expanded(&config, "#many", NULL), "a,b,");
    cr_expect_null(expanded(&config, "#none", "p"));
    cr_expect_str_eq(expanded(&config, "many", "p"), "many,", "no group");
    fxt_i_config_free(&config);
    cr_expect_eq(config.category_count, 0);
}

Test(config, a_category_with_a_slash_is_for_the_provider_of_that_name)
{
    struct fxt_i_config config = groups();
    cr_expect_str_eq(expanded(&config, "#many", "p"), "a,b,c,");
    cr_expect_str_eq(expanded(&config, "p/c", "p"), "c,");
    cr_expect_str_eq(expanded(&config, "p/c", "q"), "");
    cr_expect_str_eq(expanded(&config, "p/c", "pp"), "");
    cr_expect_str_eq(expanded(&config, "p/c", NULL), "");
    cr_expect_str_eq(expanded(&config, "p/", "p"), "", "all of its categories");
    fxt_i_config_free(&config);
}

static void expect_refused(const char *bytes, size_t size)
{
    struct fxt_i_config config = {0};
    char message[200] = "";
    cr_expect_eq(read_config(&config, bytes, size, message), EINVAL);
    cr_expect_not_null(strstr(message, "it has a byte that is 0"), "%s", message);
    cr_expect_eq(config.group_count, 0);
}

/* jansson passes over one behind a number. */
Test(config, text_with_a_byte_that_is_0_is_refused)
{
    expect_refused("{\"a\": [0\0,true]}", 15);
    expect_refused("{\"groups\": {}}\0", 15);
    expect_refused("\0{}", 3);
    expect_refused("{\0\"\0a\0\"\0:\0"
                   "1\0}\0",
                   14);
    char text[5000];
    memset(text, ' ', sizeof text);
    memcpy(text, "{}", 2);
    text[sizeof text - 1] = '\0';
    expect_refused(text, sizeof text);
}

Test(config, a_file_that_cannot_be_read_is_named)
{
    struct fxt_i_config config = {0};
    char message[200] = "";
    cr_expect_eq(fxt_i_config_read(&config, "/nowhere/config", message), EINVAL);
    cr_expect_str_eq(message, "cannot read /nowhere/config: No such file or directory");
    cr_expect_eq(fxt_i_config_read(&config, "/tmp", message), EINVAL);
    cr_expect_str_eq(message, "cannot read /tmp: Is a directory");
}
