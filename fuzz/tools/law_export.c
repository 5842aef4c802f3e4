/* The tables that fxt export writes, which are those of fxt sql. Rows are found by the offset of their
   record. */
#include <stdlib.h>
#include <string.h>

#include "fuzz/lib/oracle.h"
#include "fuzz/tools/laws.h"

struct rows {
    uint32_t count;
    struct value it[4 * MODEL_EVENTS];
};

static void split(struct rows *rows, struct value lines)
{
    struct value line;
    rows->count = 0;
    while (rows->count < sizeof rows->it / sizeof *rows->it && value_line(&lines, &line))
        rows->it[rows->count++] = line;
}

static struct value *find(struct rows *rows, const struct model_event *event)
{
    for (uint32_t i = 0; i < rows->count; i++)
        if (value_u64(rows->it[i], "fxt_offset") == event->offset)
            return &rows->it[i];
    fuzz_broken(__FILE__, __LINE__, "a row for each record");
}

/* NUL has an escape of the tables' own. */
static bool is_text(struct value value, struct fxt_bytes text)
{
    return (text.size > 0 && memchr(text.bytes, 0, text.size) != NULL) ||
           value_is_text(value, text);
}

/* Ids are the numbers of the rows. */
static void check_slices(const struct model *model, struct rows *rows)
{
    for (uint32_t i = 0; i < model->duration_count; i++) {
        const struct model_slice *slice = &model->slices[i];
        struct value row = *find(rows, slice->event), parent = value_member(row, "parent_id");
        FUZZ_CHECK(value_u64(row, "ts") == slice->start);
        FUZZ_CHECK(value_u64(row, "dur") == slice->end - slice->start);
        FUZZ_CHECK(value_u64(row, "depth") == slice->depth);
        FUZZ_CHECK(is_text(value_member(row, "name"), slice->event->name));
        FUZZ_CHECK(is_text(value_member(row, "category"), slice->event->category));
        if (slice->parent == MODEL_NONE) {
            FUZZ_CHECK(value_is(parent, "null"));
            continue;
        }
        struct value *around = find(rows, model->slices[slice->parent].event);
        FUZZ_CHECK(value_u64(row, "parent_id") == (uint64_t)(around - rows->it));
    }
}

/* A row for each number. */
static void check_counters(const struct model *model, const struct rows *rows)
{
    for (uint32_t i = 0; i < rows->count; i++) {
        uint64_t offset = value_u64(rows->it[i], "fxt_offset");
        const struct model_event *event = NULL;
        bool found = false;
        for (uint32_t j = 0; j < model->event_count && event == NULL; j++)
            if (model->events[j].offset == offset)
                event = &model->events[j];
        FUZZ_CHECK(event != NULL && model_is(event, FXT_EVENT_COUNTER));
        FUZZ_CHECK(value_u64(rows->it[i], "ts") == event->ns);
        double value = strtod(value_member(rows->it[i], "value").at, NULL);
        for (uint32_t j = 0; j < event->arg_count; j++) {
            const struct fxt_arg *arg = &event->args[j].arg;
            found |= arg->type == FXT_ARG_DOUBLE
                         ? fxt_arg_double(arg) - value == 0 || !(fxt_arg_double(arg) * 0 == 0)
                     : arg->type == FXT_ARG_INT32 || arg->type == FXT_ARG_INT64
                         ? (double)fxt_arg_int64(arg) == value
                         : (double)arg->value == value;
        }
        FUZZ_CHECK(found);
    }
}

/* Where a flow event is at no edge of a slice, it lies in the innermost one. */
static void check_flow_events(const struct model *model, struct rows *rows, struct rows *slices)
{
    uint32_t around;
    for (uint32_t i = 0; i < model->event_count; i++) {
        const struct model_event *event = &model->events[i];
        if (event->event.event_type < FXT_EVENT_FLOW_BEGIN)
            continue;
        struct value row = *find(rows, event), slice = value_member(row, "slice_id");
        FUZZ_CHECK(value_u64(row, "ts") == event->ns);
        FUZZ_CHECK(value_u64(row, "flow_id") == event->event.value);
        if (!model->is_plain || !model_around(&around, model, event))
            continue;
        if (around == MODEL_NONE) {
            FUZZ_CHECK(value_is(slice, "null"));
            continue;
        }
        struct value *wanted = find(slices, model->slices[around].event);
        FUZZ_CHECK(value_u64(row, "slice_id") == (uint64_t)(wanted - slices->it));
    }
}

/* An arrow has the slices of two points of its id. */
static void check_flows(const struct rows *flows, const struct rows *events)
{
    for (uint32_t i = 0; i < flows->count; i++) {
        uint64_t id = value_u64(flows->it[i], "fxt_id");
        unsigned found = 0;
        for (uint32_t j = 0; j < events->count; j++) {
            uint64_t slice;
            if (value_u64(events->it[j], "flow_id") != id ||
                !value_number(value_member(events->it[j], "slice_id"), &slice))
                continue;
            found |= slice == value_u64(flows->it[i], "slice_out") ? 1 : 0;
            found |= slice == value_u64(flows->it[i], "slice_in") ? 2 : 0;
        }
        FUZZ_CHECK(found == 3);
    }
}

void law_export(const struct model *model, const struct law_tables *tables)
{
    static struct rows slices, counters, flows, flow_events;
    if (!model->is_good)
        return;
    split(&slices, tables->slices);
    split(&counters, tables->counters);
    split(&flows, tables->flows);
    split(&flow_events, tables->flow_events);
    check_counters(model, &counters);
    check_flow_events(model, &flow_events, &slices);
    check_flows(&flows, &flow_events);
    if (model->is_plain)
        check_slices(model, &slices);
}
