/* Kernel and userspace objects, in an open-addressed table that the caller provides. It is at most
   half full. A probe gives up after a fixed number of steps, so hostile keys that collide cost
   memory, not time. Objects stay until a new trace begins. */
#include <fxt/read.h>

#include "src/check/arena.h"
#include "src/check/lookup.h"

#define PROBE_MAX 128u

/* The key of an object, besides its provider. The type of a userspace object is 0. */
struct key {
    uint64_t key; /* koid or pointer */
    uint64_t process;
    uint16_t userspace;
    uint16_t object_type;
};

/*@ predicate is_of(struct fxt_object *o, struct key k) =
  @   o->key == k.key && o->process == k.process && o->userspace == k.userspace &&
  @   o->object_type == k.object_type;
  @*/

/*@ requires \valid_read(object);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures same: \result <==> is_of(object, key);
  @*/
static bool has_key(const struct fxt_object *object, struct key key)
{
    return object->key == key.key && object->process == key.process &&
           object->userspace == key.userspace && object->object_type == key.object_type;
}

/* The slot of the object with that key, or a free slot for it; object_max if there is neither. */
/*@ requires \valid_read(tables) && fxt_tables_ok(tables);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures inside: \result <= tables->object_max;
  @ ensures key: \result < tables->object_max
  @         ==> tables->objects[\result].generation != tables->epoch
  @          || (is_of(&tables->objects[\result], key)
  @              && (any_provider || tables->objects[\result].provider == provider));
  @*/
static uint32_t find(const struct fxt_tables *tables, uint32_t provider, struct key key,
                     bool any_provider)
{
    uint32_t max = tables->object_max;

    if (max == 0)
        return 0;
    uint64_t kind = key.userspace + UINT64_C(2) * key.object_type;
    uint32_t at = fxt_i_hash(key.key, key.process, kind) % max;
    /*@ loop invariant at < max && step <= max && step <= 128;
      @ loop assigns step, at;
      @ loop variant max - step;
      @*/
    for (uint32_t step = 0; step < PROBE_MAX && step < max; step++) {
        const struct fxt_object *object = &tables->objects[at];
        if (object->generation != tables->epoch)
            return at;
        if (has_key(object, key) && (any_provider || object->provider == provider))
            return at;
        at = at + 1 == max ? 0 : at + 1;
    }
    return max;
}

/* Names the object in that slot. The name is registered and not empty. */
/*@ requires \valid(tables) && fxt_tables_ok(tables) && at < tables->object_max;
  @ requires readable(name.bytes, l_inline_length(name.ref));
  @ requires fxt_tables_apart(tables, name.bytes, l_inline_length(name.ref));
  @ requires size <= 65535;
  @ terminates \true;
  @ assigns tables->arena_used, tables->arena_garbage,
  @         tables->providers[0 .. tables->provider_max - 1],
  @         tables->objects[0 .. tables->object_max - 1],
  @         tables->arena[0 .. tables->arena_size - 1];
  @ ensures ok: fxt_tables_ok(tables);
  @ ensures status: \result \in {FXT_OK, FXT_FULL};
  @*/
static enum fxt_status set_name(struct fxt_tables *tables, uint32_t at, struct fxt_string_ref name,
                                uint64_t size)
{
    struct fxt_bytes text;
    struct fxt_object *object = &tables->objects[at];

    if (fxt_i_arena_room(tables, size) != FXT_OK)
        return FXT_FULL;
    /* Making room may have moved the text of an indexed name: look it up again. */
    if (!fxt_i_string(tables, &text, name) || text.size != size)
        return FXT_OK;
    uint32_t offset = fxt_i_arena_put(tables, FXT_I_OWNER_OBJECT, at, text);
    object->name_offset = offset;
    object->name_length = (uint16_t)size;
    return FXT_OK;
}

/* Stores the described object in that slot, still without a name. */
/*@ requires \valid(tables) && fxt_tables_ok(tables) && at < tables->object_max;
  @ requires \valid_read(described);
  @ terminates \true;
  @ assigns tables->arena_garbage, tables->object_count, tables->objects[at];
  @ ensures ok: fxt_tables_ok(tables);
  @ ensures status: \result \in {FXT_OK, FXT_FULL};
  @*/
static enum fxt_status put_object(struct fxt_tables *tables, uint32_t at,
                                  const struct fxt_object *described)
{
    struct fxt_object *object = &tables->objects[at];
    bool known = object->generation == tables->epoch;

    if (!known && tables->object_count >= tables->object_max / 2)
        return FXT_FULL;
    if (known && object->name_length > 0)
        fxt_i_arena_drop(tables, object->name_length);
    if (!known)
        tables->object_count++;
    object->generation = tables->epoch;
    object->key = described->key;
    object->process = described->process;
    object->parent = described->parent;
    object->provider = described->provider;
    object->name_offset = 0;
    object->name_length = 0;
    object->userspace = described->userspace;
    object->object_type = described->object_type;
    return FXT_OK;
}

/* Registers the object and its name. A later description replaces an earlier one. */
/*@ requires \valid(tables) && fxt_tables_ok(tables) && \valid_read(described);
  @ requires readable(name.bytes, l_inline_length(name.ref));
  @ requires fxt_tables_apart(tables, name.bytes, l_inline_length(name.ref));
  @ terminates \true;
  @ assigns tables->arena_used, tables->arena_garbage, tables->object_count,
  @         tables->providers[0 .. tables->provider_max - 1],
  @         tables->objects[0 .. tables->object_max - 1],
  @         tables->arena[0 .. tables->arena_size - 1];
  @ ensures ok: fxt_tables_ok(tables);
  @ ensures status: \result \in {FXT_OK, FXT_FULL};
  @*/
static enum fxt_status keep(struct fxt_tables *tables, const struct fxt_object *described,
                            struct fxt_string_ref name)
{
    struct fxt_bytes text;
    struct key key = {described->key, described->process, described->userspace,
                      described->object_type};
    uint32_t at = find(tables, described->provider, key, false);

    if (at == tables->object_max || put_object(tables, at, described) != FXT_OK)
        return FXT_FULL;
    if (!fxt_i_string(tables, &text, name) || text.size == 0)
        return FXT_OK;
    return set_name(tables, at, name, text.size);
}

/*@ requires readable(name.bytes, name.size);
  @ terminates \true;
  @ assigns \nothing;
  @*/
static bool is_process(struct fxt_bytes name)
{
    static const uint8_t word[] = {'p', 'r', 'o', 'c', 'e', 's', 's'};

    if (name.size != sizeof word)
        return false;
    /*@ loop invariant 0 <= i <= 7;
      @ loop assigns i;
      @ loop variant 7 - i;
      @*/
    for (uint64_t i = 0; i < sizeof word; i++)
        if (name.bytes[i] != word[i])
            return false;
    return true;
}

/* Takes the next argument off. The contract is only about its name and value. */
/*@ requires \valid(args) && fxt_args_ok(args) && \valid(arg) && \separated(args, arg);
  @ requires \separated(arg, args->bytes + (0 .. 8 * args->words - 1));
  @ terminates \true;
  @ assigns *args, *arg;
  @ ensures ok: fxt_args_ok(args);
  @ ensures apart: \separated(arg, args->bytes + (0 .. 8 * args->words - 1));
  @ ensures fewer: \result ==> args->count < \old(args->count);
  @ ensures name: \result ==> readable(arg->name.bytes, l_inline_length(arg->name.ref));
  @*/
static bool next_arg(struct fxt_args *args, struct fxt_arg *arg)
{
    struct fxt_error error;

    return fxt_args_next(args, arg, &error) == FXT_OK;
}

/* The koid of the argument called "process", or 0. */
/*@ requires \valid_read(tables) && fxt_tables_ok(tables);
  @ requires \valid_read(all) && fxt_args_ok(all);
  @ terminates \true;
  @ assigns \nothing;
  @*/
static uint64_t process_argument(const struct fxt_tables *tables, const struct fxt_args *all)
{
    struct fxt_args args = {all->bytes, all->offset, all->words, all->count};
    struct fxt_bytes name;
    struct fxt_arg arg;

    /*@ loop invariant fxt_args_ok(&args);
      @ loop invariant same_pointers{Pre, Here}(tables);
      @ loop invariant same_sizes{Pre, Here}(tables);
      @ loop invariant same_counts{Pre, Here}(tables);
      @ loop invariant \separated(&arg, args.bytes + (0 .. 8 * args.words - 1));
      @ loop assigns args, arg, name;
      @ loop variant args.count;
      @*/
    while (next_arg(&args, &arg)) {
        /*@ assert pointers: same_pointers{Pre, Here}(tables); */
        /*@ assert sizes: same_sizes{Pre, Here}(tables); */
        /*@ assert counts: same_counts{Pre, Here}(tables); */
        if (arg.type == FXT_ARG_KOID && fxt_i_string(tables, &name, arg.name) && is_process(name))
            return arg.value;
    }
    return 0;
}

enum fxt_status fxt_tables_set_kernel_object(struct fxt_tables *tables,
                                             const struct fxt_kernel_object *object)
{
    struct fxt_object described = {.key = object->koid,
                                   .parent = process_argument(tables, &object->args),
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

/* The object in that slot, or NULL. */
/*@ requires \valid_read(tables) && fxt_tables_ok(tables) && at <= tables->object_max;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures live: \result != \null ==> at < tables->object_max
  @         && \result == tables->objects + at && \result->generation == tables->epoch;
  @*/
static struct fxt_object *live(const struct fxt_tables *tables, uint32_t at)
{
    if (at == tables->object_max || tables->objects[at].generation != tables->epoch)
        return NULL;
    return &tables->objects[at];
}

const struct fxt_object *fxt_tables_kernel_object(const struct fxt_tables *tables,
                                                  uint16_t object_type, uint64_t koid)
{
    struct key key = {.key = koid, .object_type = object_type};
    const struct fxt_object *own = live(tables, find(tables, tables->current, key, false));
    return own != NULL ? own : live(tables, find(tables, 0, key, true));
}

const struct fxt_object *fxt_tables_userspace_object(const struct fxt_tables *tables,
                                                     uint64_t process, uint64_t pointer)
{
    struct key key = {.key = pointer, .process = process, .userspace = 1};
    return live(tables, find(tables, tables->current, key, false));
}

struct fxt_bytes fxt_tables_object_name(const struct fxt_tables *tables,
                                        const struct fxt_object *object)
{
    struct fxt_bytes name = {NULL, 0};
    if (object->name_length == 0 ||
        (uint64_t)object->name_offset + object->name_length > tables->arena_used)
        return name;
    name.bytes = tables->arena + object->name_offset;
    name.size = object->name_length;
    return name;
}
