/* Arguments to rows. */
#include "src/convert/args.h"
#include "src/timeline/importer.h"

static uint64_t value_of(struct importer *importer, const struct fxt_arg *arg)
{
    switch (fxt_convert_arg_shape(arg)) {
    case FXT_CONVERT_ARG_INT32:
    case FXT_CONVERT_ARG_INT64:
        return (uint64_t)fxt_arg_int64(arg);
    case FXT_CONVERT_ARG_STRING:
        return import_text(importer, arg->text);
    case FXT_CONVERT_ARG_BLOB:
        return texts_keep(&importer->timeline->texts, arg->blob);
    default:
        return arg->value;
    }
}

static uint32_t new_set(struct timeline *timeline)
{
    uint32_t set = timeline->sets.count;
    *(struct set_row *)array_add(&timeline->sets) =
        (struct set_row){timeline->args.count, 0, ROW_NONE};
    return set;
}

/* Adds an argument to the segment that was made last. */
static void add(struct importer *importer, uint32_t set, const struct fxt_arg *arg)
{
    struct timeline *timeline = importer->timeline;
    const struct arg_row row = {.set = set,
                                .key = import_text(importer, arg->name),
                                .type = (uint8_t)arg->type,
                                .value = value_of(importer, arg)};
    *(struct arg_row *)array_add(&timeline->args) = row;
    sets_at(timeline, timeline->sets.count - 1)->count++;
}

uint32_t import_arg_list(struct importer *importer, const struct fxt_arg *args, uint32_t count)
{
    if (count == 0)
        return ROW_NONE;
    uint32_t set = new_set(importer->timeline);
    for (uint32_t i = 0; i < count; i++)
        add(importer, set, &args[i]);
    return set;
}

uint32_t import_args(struct importer *importer, struct fxt_args args)
{
    struct fxt_arg list[FXT_ARGS_MAX];
    struct fxt_error error;
    uint32_t count = 0;
    while (count < FXT_ARGS_MAX && fxt_args_next(&args, &list[count], &error) == FXT_OK)
        count++;
    return import_arg_list(importer, list, count);
}

void import_more_args(struct importer *importer, uint32_t *set, const struct fxt_arg *args,
                      uint32_t count)
{
    if (count == 0)
        return;
    if (*set == ROW_NONE) {
        *set = import_arg_list(importer, args, count);
        return;
    }
    uint32_t more = new_set(importer->timeline);
    sets_at(importer->timeline, *set)->next = more;
    for (uint32_t i = 0; i < count; i++)
        add(importer, *set, &args[i]);
}

void import_join_args(struct timeline *timeline, uint32_t *set, uint32_t more)
{
    if (*set == ROW_NONE)
        *set = more;
    else if (more != ROW_NONE) {
        const struct set_row *from = sets_at(timeline, more);
        sets_at(timeline, *set)->next = more;
        for (uint32_t i = 0; i < from->count; i++)
            args_at(timeline, from->first + i)->set = *set;
    }
}

bool import_is_number(const struct fxt_arg *arg)
{
    return (arg->type >= FXT_ARG_INT32 && arg->type <= FXT_ARG_DOUBLE) || arg->type == FXT_ARG_BOOL;
}
