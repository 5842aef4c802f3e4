/* fxt report --json. A percentile may be off by one part in sixteen, which is the width of its buckets. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/lib/check_laws.h"
#include "fuzz/lib/oracle.h"
#include "fuzz/tools/laws.h"

/* ---- durations */

static bool is_async(const struct model_slice *slice)
{
    return slice->event->event.event_type == FXT_EVENT_ASYNC_BEGIN;
}

static int compare(const void *a, const void *b)
{
    const uint64_t *one = a, *other = b;
    return (*one > *other) - (*one < *other);
}

static void check_percentile(struct value row, const char *name, const uint64_t *lengths,
                             uint32_t count, uint32_t percent)
{
    uint32_t place = (count - 1) * percent / 100, next = place + (place + 1 < count);
    double by = (double)lengths[next] - (double)lengths[place];
    double exact = (double)lengths[place] + by * ((count - 1) * percent % 100) / 100;
    uint64_t shown = value_u64(row, name);
    FUZZ_CHECK(fabs((double)shown - exact) <= exact / 16 + 1);
    FUZZ_CHECK(shown >= lengths[0] && shown <= lengths[count - 1]);
}

/* Whether a slice lies in another one of its name on its track. */
static bool is_nested(const struct model *model, const struct model_slice *slice)
{
    for (uint32_t i = slice->parent; i != MODEL_NONE; i = model->slices[i].parent)
        if (model_is_text(model->slices[i].event->name, slice->event->name))
            return true;
    return false;
}

/* The durations of the row's name. */
static uint32_t check_row(const struct model *model, struct value row)
{
    uint64_t lengths[MODEL_EVENTS];
    uint64_t total = 0, self = 0;
    uint32_t count = 0;
    bool async = value_is(value_member(row, "async"), "true");
    for (uint32_t i = 0; i < model->slice_count; i++) {
        const struct model_slice *slice = &model->slices[i];
        if (is_async(slice) != async ||
            !value_is_text(value_member(row, "name"), slice->event->name))
            continue;
        lengths[count++] = slice->end - slice->start;
        total += is_nested(model, slice) ? 0 : slice->end - slice->start;
        self += slice->self;
    }
    FUZZ_CHECK(count > 0 && value_u64(row, "count") == count);
    FUZZ_CHECK(value_u64(row, "total_ns") == total);
    FUZZ_CHECK(async || value_u64(row, "self_ns") == self);
    qsort(lengths, count, sizeof *lengths, compare);
    FUZZ_CHECK(value_u64(row, "min_ns") == lengths[0]);
    FUZZ_CHECK(value_u64(row, "max_ns") == lengths[count - 1]);
    check_percentile(row, "p50_ns", lengths, count, 50);
    check_percentile(row, "p90_ns", lengths, count, 90);
    check_percentile(row, "p99_ns", lengths, count, 99);
    return count;
}

static void check_longest(const struct model *model, struct value list)
{
    uint64_t lengths[MODEL_EVENTS];
    struct value rest = value_inside(list), one;
    uint32_t left = model->slice_count;
    for (uint32_t i = 0; i < left; i++)
        lengths[i] = model->slices[i].end - model->slices[i].start;
    qsort(lengths, left, sizeof *lengths, compare);
    while (value_next(&rest, &one)) {
        FUZZ_CHECK(left > 0);
        FUZZ_CHECK(value_u64(one, "duration_ns") == lengths[--left]);
    }
}

/* ---- counters */

static bool is_number(const struct fxt_arg *arg, double *number)
{
    switch (arg->type) {
    case FXT_ARG_INT32:
    case FXT_ARG_INT64:
        *number = (double)fxt_arg_int64(arg);
        return true;
    case FXT_ARG_UINT32:
    case FXT_ARG_UINT64:
    case FXT_ARG_BOOL:
        *number = (double)arg->value;
        return true;
    case FXT_ARG_DOUBLE:
        *number = fxt_arg_double(arg);
        return isfinite(*number);
    default:
        return false;
    }
}

static bool is_of_row(struct value row, const struct model_event *event,
                      const struct model_arg *arg)
{
    return model_is(event, FXT_EVENT_COUNTER) && value_u64(row, "id") == event->event.value &&
           value_is_text(value_member(row, "name"), event->name) &&
           value_is_text(value_member(row, "category"), event->category) &&
           value_is_text(value_member(row, "argument"), arg->name);
}

static bool is_shown(struct value row, const char *name, double number)
{
    return strtod(value_member(row, name).at, NULL) == number;
}

/* Which sample is the first, the times say; the law asks only if all events have the order of time. */
static void check_counter(const struct model *model, struct value row)
{
    double least = INFINITY, most = -INFINITY, first = 0, last = 0, number;
    uint32_t count = 0;
    for (uint32_t i = 0; i < model->event_count; i++)
        for (uint32_t j = 0; j < model->events[i].arg_count; j++) {
            const struct model_arg *arg = &model->events[i].args[j];
            if (!is_of_row(row, &model->events[i], arg) || !is_number(&arg->arg, &number))
                continue;
            first = count++ == 0 ? number : first;
            last = number;
            least = number < least ? number : least;
            most = number > most ? number : most;
        }
    FUZZ_CHECK(value_u64(row, "count") == count);
    FUZZ_CHECK(is_shown(row, "first", first) && is_shown(row, "last", last));
    FUZZ_CHECK(is_shown(row, "min", least) && is_shown(row, "max", most));
}

/* Each counter is of one process, whose name the row has in words; and all samples are plain numbers. */
static bool has_plain_counters(const struct model *model)
{
    const struct model_event *before = NULL;
    double number;
    for (uint32_t i = 0; i < model->event_count; i++) {
        const struct model_event *event = &model->events[i];
        if (!model_is(event, FXT_EVENT_COUNTER))
            continue;
        if (before != NULL && (before->event.thread.process != event->event.thread.process ||
                               before->ns >= event->ns))
            return false;
        before = event;
        for (uint32_t j = 0; j < event->arg_count; j++)
            if (!is_number(&event->args[j].arg, &number))
                return false;
    }
    return true;
}

/* ---- the whole */

static bool has_plain_texts(const struct model *model)
{
    for (uint32_t i = 0; i < model->event_count; i++) {
        const struct model_event *event = &model->events[i];
        bool plain = fuzz_utf8(event->name.bytes, event->name.size) &&
                     fuzz_utf8(event->category.bytes, event->category.size);
        for (uint32_t j = 0; j < event->arg_count; j++)
            plain &= fuzz_utf8(event->args[j].name.bytes, event->args[j].name.size);
        if (!plain)
            return false;
    }
    return true;
}

void law_report(const struct model *model, const char *text, size_t size)
{
    struct value report = value_of(text, size), rest, row;
    uint32_t count = 0;
    if (!model->is_good || !has_plain_texts(model))
        return;
    FUZZ_CHECK(value_u64(report, "events") == model->event_count);
    if (has_plain_counters(model)) {
        rest = value_inside(value_member(report, "counters"));
        while (value_next(&rest, &row))
            check_counter(model, row);
    }
    if (!model->is_plain || !model->has_plain_asyncs)
        return;
    rest = value_inside(value_member(report, "durations"));
    while (value_next(&rest, &row))
        count += check_row(model, row);
    FUZZ_CHECK(count == model->slice_count);
    check_longest(model, value_member(report, "longest"));
}
