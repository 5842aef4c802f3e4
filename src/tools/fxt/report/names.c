/* Texts by number. Invariant: text n is bytes[ends[n - 1] … ends[n] - 1]. */
#include "src/tools/fxt/report/names.h"

#include <string.h>

void names_init(struct names *names)
{
    static const char others[] = "(others)";
    names->used = sizeof others - 1;
    memcpy(names->bytes, others, names->used);
    names->ends[NAME_OTHERS] = names->used;
    names->count = 1;
}

struct fxt_bytes names_text(const struct names *names, uint32_t name)
{
    uint32_t begin = name > 0 ? names->ends[name - 1] : 0;
    return (struct fxt_bytes){names->bytes + begin, names->ends[name] - begin};
}

static struct fxt_bytes text_at(const void *names, uint32_t name)
{
    return names_text(names, name);
}

uint32_t names_add(struct names *names, struct fxt_bytes text)
{
    uint32_t *name = map_add_text(&names->numbers, NAMES_MAX - 1, text, text_at, names);
    if (name != NULL && *name == MAP_NEW && text.size > NAMES_BYTES - names->used) {
        map_remove(&names->numbers, name);
        name = NULL;
    }
    if (name == NULL) {
        names->full = true;
        return NAME_OTHERS;
    }
    if (*name != MAP_NEW)
        return *name;
    if (text.size > 0)
        memcpy(names->bytes + names->used, text.bytes, (size_t)text.size);
    names->used += (uint32_t)text.size;
    names->ends[names->count] = names->used;
    *name = names->count++;
    return *name;
}

uint32_t names_add_text(void *names, struct fxt_bytes text)
{
    return names_add(names, text);
}
