/* The rules of arguments: types, reserved bits, padding, names. No state. */
#include "src/check/walk.h"
#include "src/wire/layout.h"

static uint64_t reserved_of(uint8_t type)
{
    switch (type) {
    case FXT_ARG_INT32:
    case FXT_ARG_UINT32:
    case FXT_ARG_BLOB:
        return 0;
    case FXT_ARG_STRING:
        return FXT_ARG_STRING_HEADER_RESERVED;
    case FXT_ARG_BOOL:
        return FXT_ARG_BOOL_HEADER_RESERVED;
    default:
        return FXT_ARG_PLAIN_HEADER_RESERVED;
    }
}

static bool same_bytes(struct fxt_bytes a, struct fxt_bytes b)
{
    if (a.size != b.size)
        return false;
    for (uint64_t i = 0; i < a.size; i++)
        if (a.bytes[i] != b.bytes[i])
            return false;
    return true;
}

/* The size of a name whose ref is not registered, of which nothing is known. */
#define UNKNOWN UINT64_MAX

static struct fxt_bytes name_of(const struct fxt_i_walk *walk, struct fxt_string_ref ref)
{
    struct fxt_bytes name = {NULL, 0};
    bool indexed = ref.ref != 0 && ref.ref < FXT_STRING_INLINE;

    if ((indexed && walk->checker->lost) || !fxt_i_string(&walk->checker->tables, &name, ref))
        name.size = UNKNOWN;
    return name;
}

/* ARG-06, for names that are known: the names before `count` against names[count]. */
static void walk_duplicate(struct fxt_i_walk *walk, const struct fxt_bytes *names, unsigned count,
                           uint64_t offset)
{
    if (names[count].size == UNKNOWN)
        return;
    for (unsigned i = 0; i < count; i++) {
        if (names[i].size == names[count].size &&
            (names[i].bytes == names[count].bytes || same_bytes(names[i], names[count]))) {
            fxt_i_report(walk, FXT_RULE_ARG_06, offset, i);
            return;
        }
    }
}

static void walk_arg(struct fxt_i_walk *walk, const struct fxt_arg *arg, uint64_t header,
                     uint64_t offset)
{
    if (arg->type > FXT_ARG_BLOB) {
        fxt_i_report(walk, FXT_RULE_ARG_04, offset, arg->type);
        return;
    }
    if (arg->type >= FXT_ARG_BOOL)
        fxt_i_walk_edition(walk, offset, arg->type);
    fxt_i_walk_reserved(walk, header, reserved_of(arg->type), offset);
    if (arg->type == FXT_ARG_STRING)
        fxt_i_walk_string(walk, arg->text, offset);
    else if (arg->type == FXT_ARG_BLOB)
        fxt_i_walk_padding(walk, arg->blob);
    fxt_i_walk_tail(walk, arg->tail);
}

void fxt_i_walk_args(struct fxt_i_walk *walk, struct fxt_args args)
{
    struct fxt_bytes names[FXT_ARGS_MAX];
    struct fxt_error error;
    struct fxt_arg arg;
    unsigned count = 0;

    for (;;) {
        uint64_t offset = args.offset;
        const uint8_t *bytes = args.bytes;
        if (fxt_args_next(&args, &arg, &error) != FXT_OK)
            return;
        fxt_i_walk_string(walk, arg.name, offset);
        walk_arg(walk, &arg, fxt_load_word(bytes), offset);
        if (walk->checker == NULL)
            continue;
        names[count] = name_of(walk, arg.name);
        if (names[count].size == 0)
            fxt_i_report(walk, FXT_RULE_ARG_07, offset, count);
        walk_duplicate(walk, names, count, offset);
        count++;
    }
}
