/* The configuration: descriptions of categories, and groups of them. */
#ifndef FXT_MANAGER_CONFIG_H
#define FXT_MANAGER_CONFIG_H

#include "src/manager/names.h"

struct fxt_i_category {
    char *name;
    char *description;
};
struct fxt_i_group {
    char *name;
    struct fxt_i_names members;
};
struct fxt_i_config {
    struct fxt_i_category *categories;
    struct fxt_i_group *groups;
    char *ignored; /* a member that means nothing, or NULL */
    size_t category_count;
    size_t group_count;
};
/* Fills *config, which must be zero. Returns 0, or an errno value and a message. */
int fxt_i_config_read(struct fxt_i_config *config, const char *path, char message[200]);
void fxt_i_config_free(struct fxt_i_config *config);
/* Adds a category, or the members of a #group. A category that begins with "name/" is added only
   for the provider of that name; for NULL, no such category is added. EINVAL if the group is
   unknown, ENOMEM. */
int fxt_i_config_expand(const struct fxt_i_config *config, struct fxt_i_names *out,
                        const char *category, const char *provider);

#endif
