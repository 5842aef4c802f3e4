/* Sets of names. No state but the set. */
#include "src/manager/names.h"

#include <stdlib.h>
#include <string.h>

bool fxt_i_names_have(const struct fxt_i_names *names, const char *name)
{
    for (uint32_t i = 0; i < names->count; i++)
        if (strcmp(names->names[i], name) == 0)
            return true;
    return false;
}

bool fxt_i_names_add(struct fxt_i_names *names, const char *name, size_t length)
{
    char *copy = strndup(name, length);

    if (copy == NULL)
        return false;
    if (fxt_i_names_have(names, copy)) {
        free(copy);
        return true;
    }
    char **room = realloc(names->names, (names->count + 1) * sizeof *room);
    if (room == NULL) {
        free(copy);
        return false;
    }
    names->names = room;
    names->names[names->count++] = copy;
    return true;
}

void fxt_i_names_free(struct fxt_i_names *names)
{
    for (uint32_t i = 0; i < names->count; i++)
        free(names->names[i]);
    free(names->names);
    *names = (struct fxt_i_names){NULL, 0};
}

void fxt_i_copy_name(char out[FXT_I_NAME_MAX + 1], struct fxt_bytes name)
{
    memcpy(out, name.bytes, name.size);
    out[name.size] = '\0';
}

struct fxt_bytes fxt_i_bytes_of(const char *text)
{
    return (struct fxt_bytes){(const uint8_t *)text, strlen(text)};
}
