/* Kernel and userspace objects: an open-addressed table of the caller's, at most half full. A probe
   gives up after a fixed number of steps, so that keys chosen to collide cost memory and not time.
   Objects stay until a new trace begins. */
#include <fxt/read.h>

#include "src/check/arena.h"
#include "src/check/lookup.h"

#define PROBE_MAX 128u

static struct fxt_object *find(const struct fxt_tables *tables, uint32_t provider, bool userspace,
                               uint64_t process, uint64_t key, bool any_provider)
{
    uint32_t at = fxt_i_hash(key, process, userspace ? 1 : 0);

    for (uint32_t step = 0; step < PROBE_MAX && step < tables->object_max; step++, at++) {
        struct fxt_object *object = &tables->objects[at % tables->object_max];
        if (object->generation != tables->epoch)
            return object;
        if (object->key == key && object->process == process && object->userspace == userspace &&
            (any_provider || object->provider == provider))
            return object;
    }
    return NULL;
}

/* Keeps the object under its name; a later description replaces an earlier one. */
static enum fxt_status keep(struct fxt_tables *tables, const struct fxt_object *described,
                            struct fxt_string_ref name)
{
    struct fxt_bytes text;
    struct fxt_object *object = find(tables, described->provider, described->userspace,
                                     described->process, described->key, false);

    if (object == NULL)
        return FXT_FULL;
    bool known = object->generation == tables->epoch;
    if (!known && tables->object_count >= tables->object_max / 2)
        return FXT_FULL;
    if (known && object->name_length > 0)
        fxt_i_arena_drop(tables, object->name_length);
    if (!known)
        tables->object_count++;
    *object = *described;
    object->generation = tables->epoch;
    object->name_length = 0;
    object->name_offset = 0;
    if (!fxt_i_string(tables, &text, name) || text.size == 0)
        return FXT_OK;
    enum fxt_status status = fxt_i_arena_room(tables, text.size);
    if (status != FXT_OK)
        return status;
    /* Making room may have moved the text of an indexed name: ask for it again. */
    fxt_i_string(tables, &text, name);
    uint32_t offset;
    status = fxt_i_arena_add(tables, &offset, FXT_I_OWNER_OBJECT,
                             (uint32_t)(object - tables->objects), text);
    if (status != FXT_OK)
        return status;
    object->name_offset = offset;
    object->name_length = (uint16_t)text.size;
    return FXT_OK;
}

/* The koid of the argument called "process", or 0. */
static uint64_t process_argument(const struct fxt_tables *tables, struct fxt_args args)
{
    static const uint8_t word[] = {'p', 'r', 'o', 'c', 'e', 's', 's'};
    struct fxt_error error;
    struct fxt_bytes name;
    struct fxt_arg arg;

    while (fxt_args_next(&args, &arg, &error) == FXT_OK) {
        if (arg.type != FXT_ARG_KOID || !fxt_i_string(tables, &name, arg.name) ||
            name.size != sizeof word)
            continue;
        uint64_t same = 0;
        while (same < sizeof word && name.bytes[same] == word[same])
            same++;
        if (same == sizeof word)
            return arg.value;
    }
    return 0;
}

enum fxt_status fxt_tables_set_kernel_object(struct fxt_tables *tables,
                                             const struct fxt_kernel_object *object)
{
    struct fxt_object described = {.key = object->koid,
                                   .parent = process_argument(tables, object->args),
                                   .provider = tables->current,
                                   .object_type = object->object_type};
    if (tables->object_max == 0)
        return FXT_OK;
    return keep(tables, &described, object->name);
}

enum fxt_status fxt_tables_set_userspace_object(struct fxt_tables *tables,
                                                const struct fxt_userspace_object *object)
{
    struct fxt_thread_ref koids;
    struct fxt_object described = {
        .key = object->pointer, .provider = tables->current, .userspace = 1};

    if (tables->object_max == 0 || !fxt_tables_thread(tables, &koids, object->process))
        return FXT_OK;
    described.process = koids.process;
    return keep(tables, &described, object->name);
}

static const struct fxt_object *live(const struct fxt_tables *tables,
                                     const struct fxt_object *object)
{
    return object != NULL && object->generation == tables->epoch ? object : NULL;
}

const struct fxt_object *fxt_tables_kernel_object(const struct fxt_tables *tables, uint64_t koid)
{
    const struct fxt_object *own =
        live(tables, find(tables, tables->current, false, 0, koid, false));
    return own != NULL ? own : live(tables, find(tables, 0, false, 0, koid, true));
}

const struct fxt_object *fxt_tables_userspace_object(const struct fxt_tables *tables,
                                                     uint64_t process, uint64_t pointer)
{
    return live(tables, find(tables, tables->current, true, process, pointer, false));
}

struct fxt_bytes fxt_tables_object_name(const struct fxt_tables *tables,
                                        const struct fxt_object *object)
{
    struct fxt_bytes name = {NULL, object->name_length};
    if (object->name_length > 0)
        name.bytes = tables->arena + object->name_offset;
    return name;
}
