/* Values of columns that are not in the rows as they stand. No state. */
#include "src/tools/fxt/tables/cells.h"

#include <math.h>
#include <stdio.h>

#include <lib/trace-engine/types.h>

#include "src/convert/args.h"
#include "src/convert/names.h"

void cell_plain(struct cell *cell, const char *text)
{
    cell_text(cell, (struct fxt_bytes){(const uint8_t *)text, strlen(text)});
}

/* What stands in the buffer up to `end`. */
static void buffered(struct cell *cell, const char *end)
{
    cell_text(cell,
              (struct fxt_bytes){(const uint8_t *)cell->buffer, (uint64_t)(end - cell->buffer)});
}

void cell_decimal(struct cell *cell, uint64_t number)
{
    buffered(cell, fxt_number_u64(cell->buffer, number));
}

static void signed_decimal(struct cell *cell, uint64_t number)
{
    buffered(cell, fxt_number_i64(cell->buffer, (int64_t)number));
}

static void event_name(struct cell *cell, unsigned event)
{
    static const char *const names[] = {"instant",       "counter",           "duration_begin",
                                        "duration_end",  "duration_complete", "async_begin",
                                        "async_instant", "async_end",         "flow_begin",
                                        "flow_step",     "flow_end"};
    cell_plain(cell, names[event]);
}

void cell_slice_event(const struct timeline *timeline, uint32_t row, struct cell *cell)
{
    event_name(cell, slices_at(timeline, row)->event);
}

void cell_slice_scope(const struct timeline *timeline, uint32_t row, struct cell *cell)
{
    static const char *const names[] = {"thread", "process", "global"};
    const struct slice_row *slice = slices_at(timeline, row);
    cell_null(cell);
    if (slice->event == FXT_EVENT_INSTANT && slice->scope <= FXT_SCOPE_GLOBAL)
        cell_plain(cell, names[slice->scope]);
    else if (slice->event == FXT_EVENT_INSTANT)
        cell_decimal(cell, slice->scope);
}

void cell_thread_tid(const struct timeline *timeline, uint32_t row, struct cell *cell)
{
    const struct thread_row *thread = threads_at(timeline, row);
    cell_integer(cell, thread->koid);
    if (thread->ref != 0)
        cell_null(cell);
}

void cell_thread_koid(const struct timeline *timeline, uint32_t row, struct cell *cell)
{
    const struct thread_row *thread = threads_at(timeline, row);
    cell_decimal(cell, thread->koid);
    if (thread->ref != 0)
        cell_null(cell);
}

void cell_thread_ref(const struct timeline *timeline, uint32_t row, struct cell *cell)
{
    const struct thread_row *thread = threads_at(timeline, row);
    cell_integer(cell, thread->ref);
    if (thread->ref == 0)
        cell_null(cell);
}

void cell_thread_is_main(const struct timeline *timeline, uint32_t row, struct cell *cell)
{
    const struct thread_row *thread = threads_at(timeline, row);
    cell_null(cell);
    if (thread->process != ROW_NONE && thread->ref == 0)
        cell_integer(cell, processes_at(timeline, thread->process)->koid == thread->koid);
}

void cell_thread_is_idle(const struct timeline *timeline, uint32_t row, struct cell *cell)
{
    (void)timeline;
    cell_integer(cell, row == THREAD_IDLE);
}

/* A small record can bring a new counter with long names, of which each is cut. */
static int name_size(struct fxt_bytes text)
{
    return (int)trace_i_cut((const char *)text.bytes, (size_t)text.size, CELL_NAME_MAX);
}

void cell_track_name(const struct timeline *timeline, uint32_t row, struct cell *cell)
{
    const struct track_row *track = tracks_at(timeline, row);
    cell_null(cell);
    if (track->type == TRACK_ASYNC)
        cell_text(cell, texts_at(&timeline->texts, track->name));
    if (track->type != TRACK_COUNTER)
        return;
    struct fxt_bytes event = texts_at(&timeline->texts, track->event);
    struct fxt_bytes arg = texts_at(&timeline->texts, track->arg);
    int size = snprintf(cell->buffer, sizeof cell->buffer, "%.*s:%.*s:%llu", name_size(event),
                        (const char *)event.bytes, name_size(arg), (const char *)arg.bytes,
                        (unsigned long long)track->id);
    buffered(cell, cell->buffer + size);
}

void cell_track_type(const struct timeline *timeline, uint32_t row, struct cell *cell)
{
    static const char *const names[] = {"thread_execution", "legacy_async_process_slice",
                                        "fuchsia_counter"};
    cell_plain(cell, names[tracks_at(timeline, row)->type]);
}

void cell_track_id(const struct timeline *timeline, uint32_t row, struct cell *cell)
{
    const struct track_row *track = tracks_at(timeline, row);
    cell_decimal(cell, track->id);
    if (track->type == TRACK_THREAD)
        cell_null(cell);
}

/* ---- numbers of counters and arguments */

static double double_of(uint64_t bits)
{
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static void real(struct cell *cell, double number)
{
    cell->kind = isnan(number) ? CELL_NULL : CELL_REAL;
    cell->real = number;
}

static void double_text(struct cell *cell, double number)
{
    if (isnan(number))
        cell_plain(cell, "NaN");
    else if (isinf(number))
        cell_plain(cell, number > 0 ? "Infinity" : "-Infinity");
    else
        buffered(cell, fxt_number_double(cell->buffer, number));
}

static void number_text(struct cell *cell, uint8_t type, uint64_t value)
{
    enum fxt_convert_arg_shape shape = fxt_convert_arg_shape_of(type);
    if (shape == FXT_CONVERT_ARG_INT32 || shape == FXT_CONVERT_ARG_INT64)
        signed_decimal(cell, value);
    else if (shape == FXT_CONVERT_ARG_DOUBLE)
        double_text(cell, double_of(value));
    else
        cell_decimal(cell, value);
}

void cell_counter_value(const struct timeline *timeline, uint32_t row, struct cell *cell)
{
    const struct counter_row *counter = counters_at(timeline, row);
    if (counter->type == FXT_ARG_DOUBLE)
        real(cell, double_of(counter->value));
    else if (counter->type == FXT_ARG_INT32 || counter->type == FXT_ARG_INT64)
        real(cell, (double)(int64_t)counter->value);
    else
        real(cell, (double)counter->value);
}

void cell_counter_exact(const struct timeline *timeline, uint32_t row, struct cell *cell)
{
    const struct counter_row *counter = counters_at(timeline, row);
    number_text(cell, counter->type, counter->value);
}

static void arg_type_name(struct cell *cell, unsigned type)
{
    const char *name = fxt_convert_name_of(&fxt_convert_arg_types, type);
    if (name != NULL)
        cell_plain(cell, name);
    else
        cell_decimal(cell, type);
}

void cell_counter_type(const struct timeline *timeline, uint32_t row, struct cell *cell)
{
    arg_type_name(cell, counters_at(timeline, row)->type);
}

/* ---- arguments */

/* Perfetto's types of values, by shape. */
static const struct {
    const char *name;
    bool is_integer;
} value_types[] = {
    [FXT_CONVERT_ARG_UNKNOWN] = {NULL, false},     [FXT_CONVERT_ARG_NOTHING] = {"null", false},
    [FXT_CONVERT_ARG_INT32] = {"int", true},       [FXT_CONVERT_ARG_UINT32] = {"int", true},
    [FXT_CONVERT_ARG_INT64] = {"int", true},       [FXT_CONVERT_ARG_UINT64] = {"int", true},
    [FXT_CONVERT_ARG_DOUBLE] = {"real", false},    [FXT_CONVERT_ARG_STRING] = {"string", false},
    [FXT_CONVERT_ARG_ADDRESS] = {"pointer", true}, [FXT_CONVERT_ARG_BOOL] = {"bool", true},
    [FXT_CONVERT_ARG_BLOB] = {"blob", false},
};

static enum fxt_convert_arg_shape shape_of(const struct arg_row *arg)
{
    return fxt_convert_arg_shape_of(arg->type);
}

void cell_arg_type(const struct timeline *timeline, uint32_t row, struct cell *cell)
{
    arg_type_name(cell, args_at(timeline, row)->type);
}

void cell_arg_value_type(const struct timeline *timeline, uint32_t row, struct cell *cell)
{
    const char *name = value_types[shape_of(args_at(timeline, row))].name;
    cell_null(cell);
    if (name != NULL)
        cell_plain(cell, name);
}

void cell_arg_int(const struct timeline *timeline, uint32_t row, struct cell *cell)
{
    const struct arg_row *arg = args_at(timeline, row);
    cell_integer(cell, arg->value);
    if (!value_types[shape_of(arg)].is_integer)
        cell_null(cell);
}

void cell_arg_string(const struct timeline *timeline, uint32_t row, struct cell *cell)
{
    const struct arg_row *arg = args_at(timeline, row);
    cell_null(cell);
    if (shape_of(arg) == FXT_CONVERT_ARG_STRING)
        cell_text(cell, texts_at(&timeline->texts, (uint32_t)arg->value));
}

void cell_arg_real(const struct timeline *timeline, uint32_t row, struct cell *cell)
{
    const struct arg_row *arg = args_at(timeline, row);
    cell_null(cell);
    if (shape_of(arg) == FXT_CONVERT_ARG_DOUBLE)
        real(cell, double_of(arg->value));
}

void cell_arg_blob(const struct timeline *timeline, uint32_t row, struct cell *cell)
{
    const struct arg_row *arg = args_at(timeline, row);
    cell_null(cell);
    if (shape_of(arg) == FXT_CONVERT_ARG_BLOB) {
        cell_text(cell, texts_at(&timeline->texts, (uint32_t)arg->value));
        cell->kind = CELL_BLOB;
    }
}

void cell_arg_display(const struct timeline *timeline, uint32_t row, struct cell *cell)
{
    const struct arg_row *arg = args_at(timeline, row);
    switch (shape_of(arg)) {
    case FXT_CONVERT_ARG_NOTHING:
        cell_plain(cell, "null");
        break;
    case FXT_CONVERT_ARG_STRING:
        cell_arg_string(timeline, row, cell);
        break;
    case FXT_CONVERT_ARG_ADDRESS:
        buffered(cell, fxt_number_hex(cell->buffer, arg->value));
        break;
    case FXT_CONVERT_ARG_BOOL:
        cell_plain(cell, arg->value != 0 ? "true" : "false");
        break;
    case FXT_CONVERT_ARG_BLOB:
        sprintf(cell->buffer, "%llu bytes",
                (unsigned long long)texts_at(&timeline->texts, (uint32_t)arg->value).size);
        cell_plain(cell, cell->buffer);
        break;
    default:
        number_text(cell, arg->type, arg->value);
        break;
    }
}

void schema_arg(const struct timeline *timeline, uint32_t row, struct cell *cell)
{
    const struct arg_row *arg = args_at(timeline, row);
    if (value_types[shape_of(arg)].is_integer)
        cell_arg_int(timeline, row, cell);
    else if (shape_of(arg) == FXT_CONVERT_ARG_STRING)
        cell_arg_string(timeline, row, cell);
    else if (shape_of(arg) == FXT_CONVERT_ARG_BLOB)
        cell_arg_blob(timeline, row, cell);
    else
        cell_arg_real(timeline, row, cell);
}

/* ---- scheduling */

static void state_text(struct cell *cell, unsigned state)
{
    static const char *const names[] = {
        [FXT_THREAD_NEW] = "R",     [FXT_THREAD_RUNNING] = "R", [FXT_THREAD_SUSPENDED] = "T",
        [FXT_THREAD_BLOCKED] = "S", [FXT_THREAD_DYING] = "Z",   [FXT_THREAD_DEAD] = "X"};
    if (state == STATE_RUNNING)
        cell_plain(cell, "Running");
    else if (state == STATE_WAKING)
        cell_plain(cell, "W");
    else if (state <= FXT_THREAD_DEAD)
        cell_plain(cell, names[state]);
    else
        cell_decimal(cell, state);
}

void cell_sched_end_state(const struct timeline *timeline, uint32_t row, struct cell *cell)
{
    const struct sched_row *sched = scheds_at(timeline, row);
    state_text(cell, sched->end_state);
    if (!sched->has_end)
        cell_null(cell);
}

void cell_state_name(const struct timeline *timeline, uint32_t row, struct cell *cell)
{
    state_text(cell, states_at(timeline, row)->state);
}

/* ---- what only FXT has */

void cell_stray_event(const struct timeline *timeline, uint32_t row, struct cell *cell)
{
    event_name(cell, strays_at(timeline, row)->event);
}

void cell_stray_end(const struct timeline *timeline, uint32_t row, struct cell *cell)
{
    const struct stray_row *stray = strays_at(timeline, row);
    cell_integer(cell, stray->value);
    if (stray->event != FXT_EVENT_DURATION_COMPLETE)
        cell_null(cell);
}

void cell_stray_async_id(const struct timeline *timeline, uint32_t row, struct cell *cell)
{
    const struct stray_row *stray = strays_at(timeline, row);
    cell_decimal(cell, stray->value);
    if (stray->event != FXT_EVENT_ASYNC_END)
        cell_null(cell);
}

void cell_flow_event_event(const struct timeline *timeline, uint32_t row, struct cell *cell)
{
    event_name(cell, flow_events_at(timeline, row)->event);
}

void cell_object_kind(const struct timeline *timeline, uint32_t row, struct cell *cell)
{
    cell_plain(cell, objects_at(timeline, row)->type == ROW_NONE ? "userspace" : "kernel");
}

void cell_object_key(const struct timeline *timeline, uint32_t row, struct cell *cell)
{
    const struct object_row *object = objects_at(timeline, row);
    if (object->type != ROW_NONE)
        cell_decimal(cell, object->key);
    else
        buffered(cell, fxt_number_hex(cell->buffer, object->key));
}

void cell_object_process(const struct timeline *timeline, uint32_t row, struct cell *cell)
{
    const struct object_row *object = objects_at(timeline, row);
    cell_decimal(cell, object->process);
    if (!object->has_process)
        cell_null(cell);
}

void cell_blob_ts(const struct timeline *timeline, uint32_t row, struct cell *cell)
{
    uint64_t ts = blobs_at(timeline, row)->ts;
    cell_integer(cell, ts);
    if (ts == DUR_NONE)
        cell_null(cell);
}

void cell_stat_source(const struct timeline *timeline, uint32_t row, struct cell *cell)
{
    (void)timeline;
    (void)row;
    cell_plain(cell, "analysis");
}

void cell_metadata_key_type(const struct timeline *timeline, uint32_t row, struct cell *cell)
{
    (void)timeline;
    (void)row;
    cell_plain(cell, "single");
}

void cell_metadata_number(const struct timeline *timeline, uint32_t row, struct cell *cell)
{
    const struct metadata_row *metadata = metadata_at(timeline, row);
    cell_integer(cell, metadata->number);
    if (metadata->text != ROW_NONE)
        cell_null(cell);
}
