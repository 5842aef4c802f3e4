/* The enabled categories: a list of names, one after the other, each terminated by NUL. Those of
   the session come first; the additional ones of the last start follow. The dispatcher changes the
   list, and traced threads look names up, all under the list's own lock, which is the last lock to
   be taken. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "src/provider/provider.h"

static size_t bytes_of(const struct fxt_i_categories *categories)
{
    size_t at = 0;
    for (size_t i = 0; i < categories->count; i++)
        at += strlen(categories->names + at) + 1;
    return at;
}

/* The lock is held. */
static bool add(struct fxt_i_categories *categories, const uint8_t *names, uint32_t count)
{
    size_t used = bytes_of(categories);

    assert((categories->count == 0) == (categories->names == NULL));
    assert(count > 0 && count <= FXT_I_NAMES_MAX);
    char *room = realloc(categories->names, used + (size_t)count * (FXT_I_NAME_MAX + 1));

    if (room == NULL)
        return false;
    categories->names = room;
    for (uint32_t i = 0; i < count; i++) {
        struct fxt_bytes name = fxt_i_packet_name(names, i);
        assert(name.size <= FXT_I_NAME_MAX);
        memcpy(room + used, name.bytes, (size_t)name.size);
        room[used + name.size] = '\0';
        used += (size_t)name.size + 1;
    }
    categories->count += count;
    return true;
}

bool fxt_i_categories_begin(struct fxt_i_categories *categories, const uint8_t *names,
                            uint32_t count)
{
    pthread_mutex_lock(&categories->lock);
    assert(categories->count == 0);
    bool done = count == 0 || add(categories, names, count);
    categories->of_session = categories->count;
    pthread_mutex_unlock(&categories->lock);
    return done;
}

/* If the session has none, all categories are enabled already. */
void fxt_i_categories_start(struct fxt_i_categories *categories, const uint8_t *names,
                            uint32_t count)
{
    pthread_mutex_lock(&categories->lock);
    categories->count = categories->of_session;
    if (categories->count > 0 && count > 0)
        add(categories, names, count);
    pthread_mutex_unlock(&categories->lock);
}

void fxt_i_categories_clear(struct fxt_i_categories *categories)
{
    pthread_mutex_lock(&categories->lock);
    free(categories->names);
    categories->names = NULL;
    categories->count = 0;
    categories->of_session = 0;
    pthread_mutex_unlock(&categories->lock);
}

static bool matches(const char *name, const char *category)
{
    size_t length = strlen(name);
    if (length > 0 && name[length - 1] == '*')
        return strncmp(name, category, length - 1) == 0;
    return strcmp(name, category) == 0;
}

bool fxt_i_categories_have(struct fxt_i_categories *categories, const char *category)
{
    pthread_mutex_lock(&categories->lock);
    bool found = categories->count == 0;
    const char *name = categories->names;
    for (size_t i = 0; i < categories->count && !found; i++) {
        found = matches(name, category);
        name += strlen(name) + 1;
    }
    pthread_mutex_unlock(&categories->lock);
    return found;
}
