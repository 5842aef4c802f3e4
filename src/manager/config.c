/* The configuration: a JSON object. "categories" maps names to descriptions, "groups" maps names
   to lists of categories. Other members are ignored; the first of them is named. */
#include "src/manager/config.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_name(const char *name, size_t least)
{
    size_t length = strlen(name);
    return length >= least && length <= FXT_I_NAME_MAX;
}

static const char no_memory[] = "no memory";

/* Each returns an error message, or NULL. */

static const char *read_categories(struct fxt_i_config *config, json_t *object)
{
    const char *name;
    json_t *value;

    if (!json_is_object(object))
        return "\"categories\" is no object";
    config->categories = calloc(json_object_size(object) + 1, sizeof *config->categories);
    if (config->categories == NULL)
        return no_memory;
    json_object_foreach(object, name, value)
    {
        if (!json_is_string(value))
            return "the description of a category is no string";
        if (!is_name(name, 1) || !is_name(json_string_value(value), 0))
            return "a category or its description is longer than 100 bytes, or without a name";
        struct fxt_i_category *it = &config->categories[config->category_count++];
        it->name = strdup(name);
        it->description = strdup(json_string_value(value));
        if (it->name == NULL || it->description == NULL)
            return no_memory;
    }
    return NULL;
}

static const char *read_group(struct fxt_i_group *group, const char *name, json_t *members)
{
    json_t *member;
    size_t i;

    if (!json_is_array(members))
        return "a group is no list";
    group->name = strdup(name);
    if (group->name == NULL)
        return no_memory;
    json_array_foreach(members, i, member)
    {
        if (!json_is_string(member) || !is_name(json_string_value(member), 1))
            return "a member of a group is no name of 1 to 100 bytes";
        if (!fxt_i_names_add(&group->members, json_string_value(member),
                             json_string_length(member)))
            return no_memory;
    }
    return NULL;
}

static const char *read_groups(struct fxt_i_config *config, json_t *object)
{
    const char *name;
    json_t *value;

    if (!json_is_object(object))
        return "\"groups\" is no object";
    config->groups = calloc(json_object_size(object) + 1, sizeof *config->groups);
    if (config->groups == NULL)
        return no_memory;
    json_object_foreach(object, name, value)
    {
        const char *wrong = read_group(&config->groups[config->group_count++], name, value);
        if (wrong != NULL)
            return wrong;
    }
    return NULL;
}

static const char *find_ignored(struct fxt_i_config *config, json_t *root)
{
    const char *name;
    json_t *value;

    json_object_foreach(root, name, value)
    {
        if (strcmp(name, "categories") == 0 || strcmp(name, "groups") == 0)
            continue;
        config->ignored = strdup(name);
        return config->ignored == NULL ? no_memory : NULL;
    }
    return NULL;
}

static const char *read_members(struct fxt_i_config *config, json_t *root)
{
    json_t *categories = json_object_get(root, "categories");
    json_t *groups = json_object_get(root, "groups");
    const char *wrong = NULL;

    if (!json_is_object(root))
        return "it is no object";
    if (categories != NULL)
        wrong = read_categories(config, categories);
    if (wrong == NULL && groups != NULL)
        wrong = read_groups(config, groups);
    if (wrong == NULL)
        wrong = find_ignored(config, root);
    return wrong;
}

struct source {
    FILE *file;
    int error;
    bool has_zero;
};

/* jansson ignores some NUL bytes, so this looks for them. */
static size_t read_some(void *bytes, size_t size, void *source)
{
    struct source *it = source;
    size_t got = fread(bytes, 1, size, it->file);

    if (ferror(it->file))
        it->error = errno;
    it->has_zero |= memchr(bytes, 0, got) != NULL;
    return it->error != 0 || it->has_zero ? (size_t)-1 : got;
}

/* NULL with a message. */
static json_t *load(const char *path, char message[200])
{
    struct source source = {.file = fopen(path, "re")};
    json_error_t error;
    json_t *root = NULL;

    if (source.file != NULL) {
        root = json_load_callback(read_some, &source, JSON_REJECT_DUPLICATES, &error);
        fclose(source.file);
    } else {
        source.error = errno;
    }
    if (source.error != 0)
        snprintf(message, 200, "cannot read %.100s: %s", path, strerror(source.error));
    else if (source.has_zero)
        snprintf(message, 200, "%.100s: it has a byte that is 0", path);
    else if (root != NULL)
        return root;
    else if (error.line < 0)
        snprintf(message, 200, "%.100s: %s", path, no_memory);
    else
        snprintf(message, 200, "%.100s:%d:%d: %.70s", path, error.line, error.column, error.text);
    json_decref(root);
    return NULL;
}

int fxt_i_config_read(struct fxt_i_config *config, const char *path, char message[200])
{
    json_t *root = load(path, message);

    if (root == NULL)
        return EINVAL;
    const char *wrong = read_members(config, root);
    json_decref(root);
    if (wrong == NULL)
        return 0;
    snprintf(message, 200, "%.100s: %s", path, wrong);
    fxt_i_config_free(config);
    return wrong == no_memory ? ENOMEM : EINVAL;
}

void fxt_i_config_free(struct fxt_i_config *config)
{
    for (size_t i = 0; i < config->category_count; i++) {
        free(config->categories[i].name);
        free(config->categories[i].description);
    }
    for (size_t i = 0; i < config->group_count; i++) {
        free(config->groups[i].name);
        fxt_i_names_free(&config->groups[i].members);
    }
    free(config->categories);
    free(config->groups);
    free(config->ignored);
    memset(config, 0, sizeof *config);
}

static int expand_one(struct fxt_i_names *out, const char *category, const char *provider)
{
    const char *slash = strchr(category, '/');

    if (slash != NULL) {
        size_t length = (size_t)(slash - category);
        if (provider == NULL || strlen(provider) != length ||
            memcmp(provider, category, length) != 0)
            return 0;
        category = slash + 1;
    }
    return category[0] == '\0' || fxt_i_names_add(out, category, strlen(category)) ? 0 : ENOMEM;
}

int fxt_i_config_expand(const struct fxt_i_config *config, struct fxt_i_names *out,
                        const char *category, const char *provider)
{
    if (category[0] != '#')
        return expand_one(out, category, provider);
    for (size_t g = 0; g < config->group_count; g++) {
        const struct fxt_i_group *group = &config->groups[g];
        if (strcmp(group->name, category + 1) != 0)
            continue;
        int error = 0;
        for (uint32_t i = 0; i < group->members.count && error == 0; i++)
            error = expand_one(out, group->members.names[i], provider);
        return error;
    }
    return EINVAL;
}
