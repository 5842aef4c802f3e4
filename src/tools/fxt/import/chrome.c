/* One event of a JSON trace: its members are found, then its phase decides what they become. The texts are
   decoded into `room`, and live until the record is written. */
#include "src/tools/fxt/import/chrome.h"

#include "src/tools/fxt/import/number.h"

#define US_TO_NS 3 /* decimal places */
#define TEXTS_MAX (2 * FXT_ARGS_MAX + 4u)
#define VIRTUAL (UINT64_C(1) << 63) /* koids of ids that are no numbers */

#define MEMBERS                                                                                    \
    X(ph)                                                                                          \
    X(ts)                                                                                          \
    X(dur)                                                                                         \
    X(pid)                                                                                         \
    X(tid)                                                                                         \
    X(cat)                                                                                         \
    X(name)                                                                                        \
    X(args)                                                                                        \
    X(other_args)                                                                                  \
    X(s)                                                                                           \
    X(id)                                                                                          \
    X(id2)                                                                                         \
    X(bp)                                                                                          \
    X(bind_id)                                                                                     \
    X(flow_in)                                                                                     \
    X(flow_out)

enum {
#define X(name) M_##name,
    MEMBERS
#undef X
        MEMBER_COUNT
};

static const char *const member_names[] = {
#define X(name) #name,
    MEMBERS
#undef X
};

struct event {
    struct intake *intake;
    struct json_value members[MEMBER_COUNT]; /* JSON_NONE: not there */
    struct intake_record record;
    struct json_changes changes;
    size_t texts;
};

static char room[TEXTS_MAX][FXT_STRING_LENGTH_MAX];

static void note_member(struct event *event, struct json_value key, struct json_value value)
{
    const struct intake_text name = {key.at + 1, (size_t)(key.end - key.at) - 2};
    for (int i = 0; i < MEMBER_COUNT; i++)
        if (json_is(key, member_names[i])) {
            event->members[i] = value;
            return;
        }
    intake_leave_named(event->intake, INTAKE_MEMBER, name);
}

static bool find_members(struct event *event, const char *text, size_t size)
{
    struct json_value whole, key, value;
    struct json_walk walk;
    enum json_step step;
    const char *at = text;
    if (!json_read(&at, text + size, &whole) || whole.type != JSON_OBJECT)
        return false;
    json_walk(&walk, whole);
    while ((step = json_next(&walk, &key, &value)) == JSON_MEMBER)
        note_member(event, key, value);
    return step == JSON_END;
}

/* What a string says, or any other value as it is written. */
static struct intake_text text_of(struct event *event, struct json_value value)
{
    struct intake_text text = {NULL, 0};
    if (value.type == JSON_NONE || event->texts == TEXTS_MAX)
        return text;
    char *to = room[event->texts++];
    text.bytes = to;
    text.size = (value.type == JSON_STRING ? json_text : json_source)(to, FXT_STRING_LENGTH_MAX,
                                                                      value, &event->changes);
    return text;
}

/* The digits of a number, which some writers put into a string. */
static struct json_value bare(struct json_value value)
{
    if (value.type == JSON_STRING) {
        value.at++;
        value.end--;
    }
    return value;
}

static bool read_time(struct json_value value, uint64_t *ns)
{
    bool may_be = value.type == JSON_NUMBER || value.type == JSON_STRING;
    value = bare(value);
    return may_be && number_scaled(ns, value.at, value.end, US_TO_NS);
}

/* The number that an id says, or else one that is the same for the same text. */
static uint64_t read_id(struct json_value value, uint64_t mark)
{
    uint64_t id;
    if (value.type == JSON_NONE)
        return 0;
    value = bare(value);
    if (number_digits(&id, value.at, value.end) || number_hex(&id, value.at, value.end))
        return id;
    if (value.at < value.end && *value.at == '-' && number_digits(&id, value.at + 1, value.end))
        return 0 - id;
    return mark | intake_digest(value.at, (size_t)(value.end - value.at));
}

static uint64_t id_of(const struct event *event)
{
    struct json_value id2 = event->members[M_id2], key, value;
    struct json_walk walk;
    if (id2.type != JSON_OBJECT)
        return read_id(event->members[M_id], 0);
    json_walk(&walk, id2);
    return json_next(&walk, &key, &value) == JSON_MEMBER ? read_id(value, 0) : 0;
}

/* The koids. A thread that is not named is the first one of its process. */
static void read_thread(struct event *event)
{
    struct json_value pid = event->members[M_pid], tid = event->members[M_tid];
    struct intake_record *record = &event->record;
    if (tid.type == JSON_NONE)
        tid = pid;
    record->process = read_id(pid, VIRTUAL);
    record->thread = read_id(tid, VIRTUAL);
}

static bool is_no_number(struct json_value value, uint64_t koid)
{
    return value.type == JSON_STRING && koid >= VIRTUAL && value.at[1] != '-' &&
           (value.at[1] < '0' || value.at[1] > '9');
}

/* Ids that are no numbers are the names of what they stand for. */
static void name_thread(struct event *event)
{
    const struct intake_record *record = &event->record;
    struct json_value pid = event->members[M_pid], tid = event->members[M_tid];
    if (is_no_number(tid, record->thread))
        intake_thread(event->intake, record->process, record->thread, text_of(event, tid));
    if (is_no_number(pid, record->process))
        intake_process(event->intake, record->process, text_of(event, pid));
}

/* What no number of JSON says, as `fxt json` writes it: a counter has no texts. */
static bool read_odd_double(const struct event *event, struct json_value value, struct fxt_arg *arg)
{
    static const char *const names[] = {"NaN", "Infinity", "-Infinity"};
    static const uint64_t bits[] = {UINT64_C(0x7ff8) << 48, UINT64_C(0x7ff0) << 48,
                                    UINT64_C(0xfff0) << 48};
    for (size_t i = 0; i < 3 && json_is(event->members[M_ph], "C"); i++)
        if (json_is(value, names[i])) {
            arg->type = FXT_ARG_DOUBLE;
            arg->value = bits[i];
            return true;
        }
    return false;
}

static void add_arg(struct event *event, struct json_value key, struct json_value value)
{
    static const uint16_t types[] = {
        [JSON_TRUE] = FXT_ARG_BOOL, [JSON_FALSE] = FXT_ARG_BOOL, [JSON_NULL] = FXT_ARG_NULL};
    struct intake_arg *arg = intake_arg(event->intake, &event->record);
    if (arg == NULL)
        return;
    arg->name = text_of(event, key);
    if (value.type == JSON_NUMBER && number_arg(&arg->value, value.at, value.end))
        return;
    if (read_odd_double(event, value, &arg->value))
        return;
    if (value.type >= JSON_TRUE) {
        arg->value.type = types[value.type];
        arg->value.value = value.type == JSON_TRUE;
        return;
    }
    event->intake->nested += value.type == JSON_OBJECT || value.type == JSON_ARRAY;
    arg->value.type = FXT_ARG_STRING;
    arg->text = text_of(event, value);
}

static void add_args(struct event *event, struct json_value args, const char *name)
{
    struct json_value key = {name, name + strlen(name), JSON_STRING}, value;
    struct json_walk walk;
    if (args.type == JSON_NONE || args.type == JSON_NULL)
        return;
    if (args.type != JSON_OBJECT) {
        add_arg(event, key, args);
        return;
    }
    json_walk(&walk, args);
    while (json_next(&walk, &key, &value) == JSON_MEMBER)
        add_arg(event, key, value);
}

/* A number among what `fxt json` wrote as no value of a counter is a koid. */
static void make_koids(struct event *event, uint16_t first)
{
    for (uint16_t i = first; i < event->record.arg_count; i++) {
        struct fxt_arg *arg = &event->record.args[i].value;
        if (arg->type <= FXT_ARG_UINT64 && arg->type != FXT_ARG_NULL && fxt_arg_int64(arg) >= 0)
            arg->type = FXT_ARG_KOID;
    }
}

static void put(struct event *event, uint16_t type)
{
    event->record.kind = INTAKE_EVENT;
    event->record.type = type;
    intake_put(event->intake, &event->record);
}

static void put_instant(struct event *event)
{
    struct json_value scope = event->members[M_s];
    event->record.scope = json_is(scope, "g")   ? FXT_SCOPE_GLOBAL
                          : json_is(scope, "p") ? FXT_SCOPE_PROCESS
                                                : FXT_SCOPE_THREAD;
    put(event, FXT_EVENT_INSTANT);
}

static void put_complete(struct event *event)
{
    uint64_t dur = 0;
    if (event->members[M_dur].type != JSON_NONE &&
        (!read_time(event->members[M_dur], &dur) || dur > UINT64_MAX - event->record.ns)) {
        intake_leave(event->intake, INTAKE_TIME);
        return;
    }
    event->record.value = event->record.ns + dur;
    put(event, FXT_EVENT_DURATION_COMPLETE);
}

static void put_with_id(struct event *event, uint16_t type)
{
    event->record.value = id_of(event);
    put(event, type);
}

/* The second form of flows: the event that they leave or reach names them. */
static void put_flow(struct event *event)
{
    bool in = event->members[M_flow_in].type == JSON_TRUE;
    bool out = event->members[M_flow_out].type == JSON_TRUE;
    if (event->members[M_bind_id].type == JSON_NONE || (!in && !out))
        return;
    event->record.value = read_id(event->members[M_bind_id], 0);
    event->record.arg_count = 0;
    put(event, in && out ? FXT_EVENT_FLOW_STEP : in ? FXT_EVENT_FLOW_END : FXT_EVENT_FLOW_BEGIN);
}

/* An object of the program: its creation names its address; all that happens to it has a time. */
static void put_object(struct event *event, const char *what)
{
    uint64_t id = id_of(event);
    struct intake_arg *arg;
    if (event->members[M_ph].at[1] == 'N') {
        event->record.kind = INTAKE_POINTER;
        event->record.value = id;
        intake_put(event->intake, &event->record);
    }
    if ((arg = intake_arg(event->intake, &event->record)) != NULL) {
        arg->name = intake_text("id");
        arg->value.type = FXT_ARG_POINTER;
        arg->value.value = id;
    }
    if ((arg = intake_arg(event->intake, &event->record)) != NULL) {
        arg->name = intake_text("object");
        arg->value.type = FXT_ARG_STRING;
        arg->text = intake_text(what);
    }
    event->record.scope = FXT_SCOPE_PROCESS;
    put(event, FXT_EVENT_INSTANT);
}

static void put_metadata(struct event *event)
{
    struct json_value args = event->members[M_args], key, value;
    struct json_walk walk;
    bool is_process = json_is(event->members[M_name], "process_name");
    bool is_named = is_process || json_is(event->members[M_name], "thread_name");
    struct intake_text kind = text_of(event, event->members[M_name]);
    if (is_named && args.type == JSON_OBJECT) {
        json_walk(&walk, args);
        while (json_next(&walk, &key, &value) == JSON_MEMBER)
            if (json_is(key, "name") && value.type == JSON_STRING) {
                struct intake_text name = text_of(event, value);
                if (is_process)
                    intake_process(event->intake, event->record.process, name);
                else
                    intake_thread(event->intake, event->record.process, event->record.thread, name);
                return;
            }
    }
    intake_leave_named(event->intake, INTAKE_METADATA, kind);
}

static void put_phase(struct event *event, char phase)
{
    switch (phase) {
    case 'B':
        put(event, FXT_EVENT_DURATION_BEGIN);
        break;
    case 'E':
        put(event, FXT_EVENT_DURATION_END);
        break;
    case 'X':
        put_complete(event);
        break;
    case 'i':
    case 'I':
    case 'R': /* a mark */
        put_instant(event);
        break;
    case 'C':
        put_with_id(event, FXT_EVENT_COUNTER);
        break;
    case 'b':
    case 'S': /* these four are an older form of b, n, n, e */
        put_with_id(event, FXT_EVENT_ASYNC_BEGIN);
        break;
    case 'n':
    case 'T':
    case 'p':
        put_with_id(event, FXT_EVENT_ASYNC_INSTANT);
        break;
    case 'e':
    case 'F':
        put_with_id(event, FXT_EVENT_ASYNC_END);
        break;
    case 's':
        put_with_id(event, FXT_EVENT_FLOW_BEGIN);
        break;
    case 't':
        put_with_id(event, FXT_EVENT_FLOW_STEP);
        break;
    case 'f':
        put_with_id(event, FXT_EVENT_FLOW_END);
        break;
    case 'N':
        put_object(event, "created");
        break;
    case 'O':
        put_object(event, "snapshot");
        break;
    default:
        put_object(event, "deleted");
    }
}

static bool has_place(struct json_value phase)
{
    return phase.type == JSON_STRING && phase.end - phase.at == 3 &&
           strchr("BEXiIRCbSnTpeFstfNOD", phase.at[1]) != NULL && phase.at[1] != '\0';
}

static void convert(struct event *event)
{
    struct json_value phase = event->members[M_ph];
    read_thread(event);
    if (json_is(phase, "M")) {
        put_metadata(event);
        return;
    }
    if (!has_place(phase)) {
        intake_leave_named(event->intake, INTAKE_PHASE, text_of(event, phase));
        return;
    }
    if (!read_time(event->members[M_ts], &event->record.ns)) {
        intake_leave(event->intake, INTAKE_TIME);
        return;
    }
    name_thread(event);
    event->record.category = text_of(event, event->members[M_cat]);
    event->record.name = text_of(event, event->members[M_name]);
    add_args(event, event->members[M_args], "\"args\"");
    uint16_t others = event->record.arg_count;
    add_args(event, event->members[M_other_args], "\"other_args\"");
    make_koids(event, others);
    put_phase(event, phase.at[1]);
    put_flow(event);
}

void chrome_event(struct intake *intake, const char *text, size_t size)
{
    struct event event = {.intake = intake};
    if (find_members(&event, text, size))
        convert(&event);
    else
        intake_leave(intake, INTAKE_MALFORMED);
    intake->left[INTAKE_CUT] += event.changes.cut;
    intake->left[INTAKE_MENDED] += event.changes.mended;
}

void chrome_member(struct intake *intake, const char *name, size_t size)
{
    static const char *const about[] = {"displayTimeUnit", "otherData", "metadata"};
    for (size_t i = 0; i < sizeof about / sizeof *about; i++)
        if (size == strlen(about[i]) && memcmp(name, about[i], size) == 0)
            return;
    intake_leave_named(intake, INTAKE_DOCUMENT, (struct intake_text){name, size});
}
