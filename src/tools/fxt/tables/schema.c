/* The list of tables and their columns. No state. */
#include "src/tools/fxt/tables/schema.h"

#include "src/tools/fxt/tables/cells.h"

#define AT(type, field) offsetof(struct type##_row, field)

/* name, about */
#define NOTHING(name)                                                                              \
    {                                                                                              \
        name, "null", NULL, 0, COLUMN_INTEGER, SHAPE_NULL                                          \
    }
#define NO_TEXT(name)                                                                              \
    {                                                                                              \
        name, "null", NULL, 0, COLUMN_TEXT, SHAPE_NULL                                             \
    }
#define MACHINE                                                                                    \
    {                                                                                              \
        "machine_id", "0: one machine", NULL, 0, COLUMN_INTEGER, SHAPE_ZERO                        \
    }
#define ID(name)                                                                                   \
    {                                                                                              \
        name, "the number of the row", NULL, 0, COLUMN_INTEGER, SHAPE_ID                           \
    }
#define NUMBER(name, type, field, about)                                                           \
    {                                                                                              \
        name, about, NULL, AT(type, field), COLUMN_INTEGER, SHAPE_U64                              \
    }
#define ROW(name, type, field, about)                                                              \
    {                                                                                              \
        name, about, NULL, AT(type, field), COLUMN_INTEGER, SHAPE_U32                              \
    }
#define BYTE(name, type, field, about)                                                             \
    {                                                                                              \
        name, about, NULL, AT(type, field), COLUMN_INTEGER, SHAPE_U8                               \
    }
#define SIGNED(name, type, field, about)                                                           \
    {                                                                                              \
        name, about, NULL, AT(type, field), COLUMN_INTEGER, SHAPE_I32                              \
    }
#define DECIMAL(name, type, field, about)                                                          \
    {                                                                                              \
        name, about, NULL, AT(type, field), COLUMN_TEXT, SHAPE_DECIMAL                             \
    }
#define TEXT(name, type, field, about)                                                             \
    {                                                                                              \
        name, about, NULL, AT(type, field), COLUMN_TEXT, SHAPE_TEXT                                \
    }
#define BLOB(name, type, field, about)                                                             \
    {                                                                                              \
        name, about, NULL, AT(type, field), COLUMN_BLOB, SHAPE_BLOB                                \
    }
#define CALL(name, type, get, about)                                                               \
    {                                                                                              \
        name, about, cell_##get, 0, COLUMN_##type, SHAPE_CALL                                      \
    }

static const struct column slice[] = {
    ID("id"),
    NUMBER("ts", slice, ts, "begin, in ns"),
    NUMBER("dur", slice, dur, "in ns; 0: an instant; -1: begun, never ended"),
    ROW("track_id", slice, track, "track.id"),
    TEXT("category", slice, category, "category"),
    TEXT("name", slice, name, "name"),
    ROW("depth", slice, depth, "number of slices around it on its track"),
    ROW("parent_id", slice, parent, "slice.id of the innermost slice around it"),
    ROW("arg_set_id", slice, args, "args.arg_set_id, of the begin and of the end"),
    NOTHING("thread_ts"),
    NOTHING("thread_dur"),
    NOTHING("thread_instruction_count"),
    NOTHING("thread_instruction_delta"),
    TEXT("cat", slice, category, "category"),
    ID("slice_id"),
    CALL("fxt_event", TEXT, slice_event, "type of the event that began it"),
    CALL("fxt_scope", TEXT, slice_scope, "of an instant: thread, process or global"),
    ROW("fxt_provider", slice, provider, "fxt_provider.id"),
    NUMBER("fxt_offset", slice, offset, "of the record in the file, in bytes"),
};

static const struct column thread[] = {
    ID("utid"),
    ID("id"),
    CALL("tid", INTEGER, thread_tid, "koid; negative if bit 63 is set"),
    TEXT("name", thread, name, "of the kernel object"),
    NOTHING("start_ts"),
    NOTHING("end_ts"),
    ROW("upid", thread, process, "process.upid; null: not known"),
    CALL("is_main_thread", INTEGER, thread_is_main, "1 if tid = pid"),
    CALL("is_idle", INTEGER, thread_is_idle, "1 for utid 0"),
    MACHINE,
    NOTHING("arg_set_id"),
    CALL("fxt_koid", TEXT, thread_koid, "koid, exact"),
    CALL("fxt_ref", INTEGER, thread_ref, "the thread ref, if it is not registered"),
    ROW("fxt_trace", thread, trace, "number of the trace in the file, from 1"),
};

static const struct column process[] = {
    ID("upid"),
    ID("id"),
    NUMBER("pid", process, koid, "koid; negative if bit 63 is set"),
    TEXT("name", process, name, "of the kernel object"),
    NOTHING("start_ts"),
    NOTHING("end_ts"),
    NOTHING("parent_upid"),
    NOTHING("uid"),
    NOTHING("android_appid"),
    NOTHING("android_user_id"),
    NO_TEXT("cmdline"),
    NOTHING("arg_set_id"),
    MACHINE,
    DECIMAL("fxt_koid", process, koid, "koid, exact"),
    ROW("fxt_trace", process, trace, "number of the trace in the file, from 1"),
};

static const struct column track[] = {
    ID("id"),
    CALL("name", TEXT, track_name,
         "of an async operation's first event; of a counter, event:argument:id, with at most 1000 "
         "bytes of each name"),
    CALL("type", TEXT, track_type,
         "thread_execution, legacy_async_process_slice or fuchsia_counter"),
    NOTHING("dimension_arg_set_id"),
    NOTHING("parent_id"),
    ROW("source_arg_set_id", track, source, "args.arg_set_id, of an async operation"),
    MACHINE,
    NOTHING("track_group_id"),
    ROW("fxt_utid", track, thread, "thread.utid, of a thread's track"),
    ROW("fxt_upid", track, process, "process.upid, of any other track"),
    CALL("fxt_id", TEXT, track_id, "async id or counter id, exact"),
    TEXT("fxt_event", track, event, "name of the counter event"),
    TEXT("fxt_arg", track, arg, "name of its argument"),
    TEXT("fxt_category", track, category, "category of the counter event"),
};

static const struct column counter[] = {
    ID("id"),
    NUMBER("ts", counter, ts, "in ns"),
    ROW("track_id", counter, track, "counter_track.id"),
    CALL("value", REAL, counter_value, "as a double; null for NaN"),
    ROW("arg_set_id", counter, args, "args.arg_set_id, of the arguments that are no values"),
    CALL("fxt_value", TEXT, counter_exact, "the value, exact"),
    CALL("fxt_type", TEXT, counter_type, "int32, uint32, int64, uint64 or double"),
    ROW("fxt_provider", counter, provider, "fxt_provider.id"),
    NUMBER("fxt_offset", counter, offset, "of the record in the file, in bytes"),
};

static const struct column args[] = {
    ID("id"),
    ROW("arg_set_id", arg, set, "the same for all arguments of an event"),
    TEXT("flat_key", arg, key, "name"),
    TEXT("key", arg, key, "name"),
    CALL("int_value", INTEGER, arg_int, "integer, pointer, koid, bool; above 2^63 - 1 negative"),
    CALL("string_value", TEXT, arg_string, "string"),
    CALL("real_value", REAL, arg_real, "double; null for NaN"),
    CALL("value_type", TEXT, arg_value_type, "int, string, real, pointer, bool, blob or null"),
    CALL("display_value", TEXT, arg_display, "the value as text, exact"),
    CALL("fxt_type", TEXT, arg_type, "type of the argument in the trace"),
    CALL("fxt_blob", BLOB, arg_blob, "bytes of a blob"),
};

static const struct column flow[] = {
    ID("id"),
    ROW("slice_out", flow, out, "slice.id that the arrow leaves"),
    ROW("slice_in", flow, in, "slice.id that the arrow enters"),
    NUMBER("trace_id", flow, id, "flow id; negative if bit 63 is set"),
    NOTHING("arg_set_id"),
    DECIMAL("fxt_id", flow, id, "flow id, exact"),
};

static const struct column sched_slice[] = {
    ID("id"),
    NUMBER("ts", sched, ts, "in ns"),
    NUMBER("dur", sched, dur, "in ns; -1: runs until the end of the trace"),
    ROW("cpu", sched, cpu, "CPU"),
    ROW("utid", sched, thread, "thread.utid"),
    CALL("end_state", TEXT, sched_end_state,
         "R, S, T, Z, X; or the number of another state; null: not known"),
    SIGNED("priority", sched, priority, "weight, or priority of a legacy switch"),
    ROW("ucpu", sched, cpu, "CPU"),
    NUMBER("fxt_offset", sched, offset, "of the record in the file, in bytes"),
};

static const struct column thread_state[] = {
    ID("id"),
    NUMBER("ts", state, ts, "in ns"),
    NUMBER("dur", state, dur, "in ns; -1: lasts until the end of the trace"),
    ROW("cpu", state, cpu, "CPU of the record"),
    ROW("utid", state, thread, "thread.utid"),
    CALL("state", TEXT, state_name, "Running, R, S, T, Z, X, W; or the number of another state"),
    NOTHING("io_wait"),
    NO_TEXT("blocked_function"),
    ROW("waker_utid", state, waker, "thread.utid, of state W"),
    NOTHING("waker_id"),
    NOTHING("irq_context"),
    ROW("ucpu", state, cpu, "CPU of the record"),
    ROW("fxt_arg_set_id", state, args, "args.arg_set_id, of the record"),
};

static const struct column cpu[] = {
    ID("id"),
    ROW("ucpu", cpu, cpu, "CPU"),
    ROW("cpu", cpu, cpu, "CPU"),
    NOTHING("cluster_id"),
    NO_TEXT("processor"),
    MACHINE,
    NOTHING("capacity"),
    NOTHING("arg_set_id"),
};

static const struct column stats[] = {
    ID("id"),
    TEXT("name", stat, name, "what is counted"),
    NOTHING("key"),
    ROW("idx", stat, idx, "id of a provider"),
    TEXT("severity", stat, severity, "info, data_loss or error"),
    CALL("source", TEXT, stat_source, "analysis"),
    NUMBER("value", stat, value, "the count"),
    TEXT("description", stat, description, "what it means"),
    MACHINE,
    NOTHING("trace_id"),
};

static const struct column metadata[] = {
    ID("id"),
    TEXT("name", metadata, name, "trace_type, trace_size_bytes"),
    CALL("key_type", TEXT, metadata_key_type, "single"),
    CALL("int_value", INTEGER, metadata_number, "value"),
    TEXT("str_value", metadata, text, "value"),
    MACHINE,
    NOTHING("trace_id"),
};

static const struct column trace_bounds[] = {
    NUMBER("start_ts", bounds, start, "the first time of an event, in ns"),
    NUMBER("end_ts", bounds, end, "the last time of an event, in ns"),
};

static const struct column fxt_provider[] = {
    ID("id"),
    ROW("provider_id", provider, provider_id, "as in its records"),
    TEXT("name", provider, name, "of its provider info record"),
    BYTE("introduced", provider, introduced, "1 if it has a provider info record"),
    NUMBER("buffer_full", provider, full_events, "times that its buffer was full"),
    ROW("trace", provider, trace, "number of the trace in the file, from 1"),
};

static const struct column fxt_stray[] = {
    ID("id"),
    NUMBER("ts", stray, ts, "in ns"),
    ROW("utid", stray, thread, "thread.utid"),
    CALL("event", TEXT, stray_event, "duration_end, async_end, duration_complete or counter"),
    TEXT("category", stray, category, "category"),
    TEXT("name", stray, name, "name"),
    ROW("arg_set_id", stray, args, "args.arg_set_id"),
    CALL("end_ts", INTEGER, stray_end, "the end of a complete duration, which is before ts"),
    CALL("async_id", TEXT, stray_async_id, "async id, exact"),
    ROW("fxt_provider", stray, provider, "fxt_provider.id"),
    NUMBER("fxt_offset", stray, offset, "of the record in the file, in bytes"),
};

static const struct column fxt_flow_event[] = {
    ID("id"),
    NUMBER("ts", id_event, ts, "in ns"),
    ROW("utid", id_event, thread, "thread.utid"),
    ROW("slice_id", id_event, slice, "slice.id of the slice that encloses it"),
    CALL("event", TEXT, flow_event_event, "flow_begin, flow_step or flow_end"),
    DECIMAL("flow_id", id_event, id, "flow id, exact"),
    TEXT("category", id_event, category, "category"),
    TEXT("name", id_event, name, "name"),
    ROW("arg_set_id", id_event, args, "args.arg_set_id"),
    ROW("fxt_provider", id_event, provider, "fxt_provider.id"),
    NUMBER("fxt_offset", id_event, offset, "of the record in the file, in bytes"),
};

static const struct column fxt_log[] = {
    ID("id"),
    NUMBER("ts", log, ts, "in ns"),
    ROW("utid", log, thread, "thread.utid"),
    TEXT("message", log, message, "the text"),
    ROW("fxt_provider", log, provider, "fxt_provider.id"),
    NUMBER("fxt_offset", log, offset, "of the record in the file, in bytes"),
};

static const struct column fxt_object[] = {
    ID("id"),
    CALL("kind", TEXT, object_kind, "kernel or userspace"),
    ROW("type", object, type, "of a kernel object: 1 process, 2 thread, others"),
    CALL("key", TEXT, object_key, "koid, or pointer in hexadecimal"),
    CALL("process", TEXT, object_process, "koid of its process, exact"),
    TEXT("name", object, name, "name"),
    ROW("arg_set_id", object, args, "args.arg_set_id"),
    ROW("fxt_provider", object, provider, "fxt_provider.id"),
    NUMBER("fxt_offset", object, offset, "of the record in the file, in bytes"),
};

static const struct column fxt_blob[] = {
    ID("id"),
    TEXT("name", blob, name, "name"),
    ROW("type", blob, type, "blob type, or format of a large blob"),
    BYTE("large", blob, large, "1 for a large blob record"),
    BLOB("payload", blob, payload, "the bytes"),
    CALL("ts", INTEGER, blob_ts, "of a large blob with metadata, in ns"),
    ROW("utid", blob, thread, "thread.utid, of a large blob with metadata"),
    TEXT("category", blob, category, "of a large blob"),
    ROW("arg_set_id", blob, args, "args.arg_set_id, of a large blob with metadata"),
    ROW("fxt_provider", blob, provider, "fxt_provider.id"),
    NUMBER("fxt_offset", blob, offset, "of the record in the file, in bytes"),
};

#define TABLE(name, array, time, about)                                                            \
    {                                                                                              \
#name, about, name, sizeof name / sizeof *name, offsetof(struct timeline, array), time     \
    }

const struct table schema_tables[] = {
    TABLE(slice, slices, 1, "durations, async operations and instants"),
    TABLE(thread, threads, -1, "threads; row 0 is the idle task"),
    TABLE(process, processes, -1, "processes; row 0 is the idle task"),
    TABLE(track, tracks, -1, "one row of slices or of the values of a counter"),
    TABLE(counter, counters, 1, "the values of counters"),
    TABLE(args, args, -1, "arguments, one a row"),
    TABLE(flow, flows, -1, "arrows from slice to slice"),
    TABLE(sched_slice, scheds, 1, "what ran on each CPU"),
    TABLE(thread_state, states, 1, "the states of each thread"),
    TABLE(cpu, cpus, -1, "CPUs that scheduling records name"),
    TABLE(stats, stats, -1, "what is odd about the trace or left out"),
    TABLE(metadata, metadata, -1, "about the trace"),
    TABLE(trace_bounds, bounds, -1, "the time span of the trace, one row"),
    TABLE(fxt_provider, providers, -1, "providers"),
    TABLE(
        fxt_stray, strays, -1,
        "ends without a begin, durations that end before they begin, and counters without a value"),
    TABLE(fxt_flow_event, flow_events, 1, "flow events, with their names and arguments"),
    TABLE(fxt_log, logs, -1, "log records"),
    TABLE(fxt_object, objects, -1, "kernel objects and userspace objects"),
    TABLE(fxt_blob, blobs, -1, "blobs and large blobs"),
};
const size_t schema_table_count = sizeof schema_tables / sizeof *schema_tables;

#define TRACK_COLUMNS "id, name, type, parent_id, source_arg_set_id, machine_id"
#define COUNTER_TRACK TRACK_COLUMNS ", null as unit, null as description, "
#define WITH_TRACK "s.id, s.ts, s.dur, s.category, s.name, s.track_id, k.name as track_name, "
#define SLICE_REST "s.depth, s.parent_id, s.arg_set_id, s.thread_ts, s.thread_dur "

const struct view schema_views[] = {
    {"slices", "another name of slice", "select * from slice"},
    {"instant", "slices whose dur is 0",
     "select ts, track_id, name, arg_set_id from slice where dur = 0"},
    {"thread_track", "tracks of threads",
     "select " TRACK_COLUMNS ", fxt_utid as utid from track where type = 'thread_execution'"},
    {"process_track", "tracks of async operations",
     "select " TRACK_COLUMNS
     ", fxt_upid as upid, fxt_id from track where type = 'legacy_async_process_slice'"},
    {"counter_track", "tracks of counters",
     "select id, name, parent_id, type, dimension_arg_set_id, source_arg_set_id, machine_id, "
     "null as unit, null as description, fxt_upid, fxt_id, fxt_event, fxt_arg, fxt_category "
     "from track where type = 'fuchsia_counter'"},
    {"process_counter_track", "counter_track with upid",
     "select " COUNTER_TRACK "fxt_upid as upid, fxt_id, fxt_event, fxt_arg, fxt_category "
     "from track where type = 'fuchsia_counter'"},
    {"thread_counter_track", "empty: counters belong to processes",
     "select " COUNTER_TRACK "null as utid from track where false"},
    {"cpu_counter_track", "empty: counters belong to processes",
     "select " COUNTER_TRACK "null as cpu from track where false"},
    {"counters", "counter with the name of its track",
     "select c.id, c.ts, c.track_id, c.value, c.arg_set_id, k.name, null as unit, c.fxt_value "
     "from counter c join track k on k.id = c.track_id"},
    {"sched", "sched_slice with ts_end",
     "select id, ts, dur, cpu, utid, end_state, priority, ucpu, ts + dur as ts_end, fxt_offset "
     "from sched_slice"},
    {"thread_slice", "slices of threads, with thread and process",
     "select " WITH_TRACK "t.name as thread_name, t.utid, t.tid, t.is_main_thread, "
     "p.name as process_name, t.upid, p.pid, " SLICE_REST
     "from slice s join track k on k.id = s.track_id join thread t on t.utid = k.fxt_utid "
     "left join process p on p.upid = t.upid"},
    {"process_slice", "slices of async operations, with process",
     "select " WITH_TRACK "p.name as process_name, p.upid, p.pid, " SLICE_REST
     "from slice s join track k on k.id = s.track_id join process p on p.upid = k.fxt_upid"},
    {"thread_or_process_slice", "thread_slice and process_slice",
     "select id, ts, dur, category, name, track_id, track_name, thread_name, utid, tid, "
     "is_main_thread, process_name, upid, pid, depth, parent_id, arg_set_id, thread_ts, "
     "thread_dur from thread_slice union all "
     "select id, ts, dur, category, name, track_id, track_name, null, null, null, null, "
     "process_name, upid, pid, depth, parent_id, arg_set_id, thread_ts, thread_dur "
     "from process_slice"},
    {"slice_self_dur", "dur without the time of the slices inside",
     "select s.id, iif(s.dur = -1, -1, s.dur - coalesce(k.dur, 0)) as self_dur from slice s left "
     "join (select parent_id, sum(max(0, ts_end - max(ts, coalesce(covered, ts)))) as dur from "
     "(select parent_id, ts, ts_end, max(ts_end) over (partition by parent_id order by ts rows "
     "between unbounded preceding and 1 preceding) as covered from (select c.parent_id, c.ts, "
     "iif(c.dur = -1, p.ts + p.dur, c.ts + c.dur) as ts_end from slice c join slice p on p.id = "
     "c.parent_id)) group by parent_id) k on k.parent_id = s.id"},
};
const size_t schema_view_count = sizeof schema_views / sizeof *schema_views;

const struct table *schema_find(const char *name)
{
    for (size_t i = 0; i < schema_table_count; i++)
        if (strcmp(schema_tables[i].name, name) == 0)
            return &schema_tables[i];
    return NULL;
}

const char *schema_type_name(const struct column *column)
{
    static const char *const names[] = {"INTEGER", "REAL", "TEXT", "BLOB"};
    return names[column->type];
}

void schema_get(const struct timeline *timeline, const struct table *table, uint32_t row,
                const struct column *column, struct cell *cell)
{
    uint64_t number;
    uint32_t small;
    const uint8_t *it = (const uint8_t *)array_at(schema_rows(timeline, table), row) + column->at;
    switch (column->shape) {
    case SHAPE_ID:
        cell_integer(cell, row);
        break;
    case SHAPE_ZERO:
        cell_integer(cell, 0);
        break;
    case SHAPE_U8:
        cell_integer(cell, *it);
        break;
    case SHAPE_U64:
        memcpy(&number, it, sizeof number);
        cell_integer(cell, number);
        break;
    case SHAPE_DECIMAL:
        memcpy(&number, it, sizeof number);
        cell_decimal(cell, number);
        break;
    case SHAPE_CALL:
        column->get(timeline, row, cell);
        break;
    case SHAPE_NULL:
        cell_null(cell);
        break;
    default:
        memcpy(&small, it, sizeof small);
        if (column->shape == SHAPE_I32)
            cell_integer(cell, (uint64_t)(int64_t)(int32_t)small);
        else if (small == ROW_NONE)
            cell_null(cell);
        else if (column->shape == SHAPE_U32)
            cell_integer(cell, small);
        else {
            cell_text(cell, texts_at(&timeline->texts, small));
            cell->kind = column->shape == SHAPE_BLOB ? CELL_BLOB : CELL_TEXT;
        }
        break;
    }
}
