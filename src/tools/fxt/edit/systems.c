/* See systems.h. */
#include "src/tools/fxt/edit/systems.h"

#include "src/cli/message.h"

#define FIRST_NEW (UINT64_C(1) << 30)
#define MADE_UP (UINT64_C(1) << 63) /* koids that a provider made up */
#define KEPT (MAP_NEW - 1)

bool systems_init(struct systems *systems)
{
    *systems = (struct systems){.differ = false};
    if (texts_init(&systems->texts))
        return true;
    message("merge: not enough memory");
    return false;
}

void systems_free(struct systems *systems)
{
    map_clear(&systems->names);
    map_clear(&systems->files);
    texts_free(&systems->texts);
}

bool systems_take(struct systems *systems, const struct walk *walk, const struct item *item,
                  uint32_t file)
{
    const struct fxt_kernel_object *object = &item->any.kernel_object;
    struct fxt_bytes text;
    if (systems->differ || item->kind != FXT_KIND_KERNEL_OBJECT ||
        object->object_type != FXT_OBJECT_PROCESS ||
        !fxt_tables_string(&walk->tables, &text, object->name) || text.size == 0)
        return true;
    uint32_t name = texts_add(&systems->texts, text);
    uint32_t *known = map_add(&systems->names, MAP_UNLIMITED, object->koid, 0, 0);
    uint32_t *from = map_add(&systems->files, MAP_UNLIMITED, object->koid, 0, 0);
    if (known == NULL || from == NULL || systems->texts.failed)
        return false;
    if (*known == MAP_NEW)
        *known = name;
    systems->differ = *from != file && *known != name;
    if (systems->differ)
        systems->clash = (struct systems_clash){object->koid, {*from, file}, {*known, name}};
    *from = file;
    return true;
}

/* A number that no koid of the output has. NULL: no memory. */
static uint32_t *new_koid(struct systems_koids *koids, uint64_t bits)
{
    for (;;) {
        uint64_t number = bits | (FIRST_NEW + koids->next++);
        uint32_t *taken = map_add(&koids->taken, MAP_UNLIMITED, number, 0, 0);
        if (taken == NULL || *taken == MAP_NEW)
            return taken;
    }
}

bool systems_koid(struct systems_koids *koids, uint64_t trace, uint64_t koid, uint64_t *to)
{
    *to = koid;
    if (koid == 0)
        return true;
    uint32_t *mine = map_add(&koids->mine, MAP_UNLIMITED, trace, koid, 0);
    if (mine == NULL)
        return false;
    if (*mine == MAP_NEW) {
        uint32_t *taken = map_add(&koids->taken, MAP_UNLIMITED, koid, 0, 0);
        bool is_free = taken != NULL && *taken == MAP_NEW;
        if (taken != NULL && !is_free)
            taken = new_koid(koids, koid & MADE_UP);
        if (taken == NULL)
            return false;
        *taken = 0;
        *mine = is_free ? KEPT : koids->next - 1;
    }
    if (*mine != KEPT)
        *to = (koid & MADE_UP) | (FIRST_NEW + *mine);
    return true;
}

void systems_koids_free(struct systems_koids *koids)
{
    map_clear(&koids->taken);
    map_clear(&koids->mine);
}
