/* See text.h. A line is

       comm tid [cpu] time: [period] [system:]event[:modifier]: fields    perf script, also pid/tid
       comm-tid [(tgid)] [cpu] [flags] time: event: fields                trace-cmd report, trace

   where the name of the thread may hold spaces. All of a line is copied, and mended if it is not UTF-8; a
   record refers to the copy. Lines that begin with white space and a hexadecimal number are the stack of the
   event before. */
#include "src/tools/fxt/import/text.h"

#include "src/tools/fxt/import/number.h"

struct span {
    const char *at;
    const char *end;
};

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static struct span trim(struct span span)
{
    while (span.at < span.end && is_space(*span.at))
        span.at++;
    while (span.at < span.end && is_space(span.end[-1]))
        span.end--;
    return span;
}

/* Takes the next word off the front; empty at the end. */
static struct span next_word(struct span *rest)
{
    struct span word;
    *rest = trim(*rest);
    word.at = word.end = rest->at;
    while (word.end < rest->end && !is_space(*word.end))
        word.end++;
    rest->at = word.end;
    return word;
}

/* Takes the last word off the back. */
static struct span last_word(struct span *rest)
{
    struct span word;
    *rest = trim(*rest);
    word.at = word.end = rest->end;
    while (word.at > rest->at && !is_space(word.at[-1]))
        word.at--;
    rest->end = word.at;
    return word;
}

static bool is(struct span span, const char *text)
{
    size_t length = strlen(text);
    return (size_t)(span.end - span.at) == length && memcmp(span.at, text, length) == 0;
}

static struct intake_text text_of(struct span span)
{
    return (struct intake_text){span.at, (size_t)(span.end - span.at)};
}

static const char *find(struct span span, const char *wanted)
{
    return memmem(span.at, (size_t)(span.end - span.at), wanted, strlen(wanted));
}

/* [003] */
static bool read_cpu(struct span word, uint16_t *cpu)
{
    uint64_t number;
    if (word.end - word.at < 3 || *word.at != '[' || word.end[-1] != ']' ||
        !number_digits(&number, word.at + 1, word.end - 1) || number > UINT16_MAX)
        return false;
    *cpu = (uint16_t)number;
    return true;
}

/* 123.456789: or, in nanoseconds, 123456789: */
static bool read_time(struct span word, uint64_t *ns)
{
    if (word.end - word.at < 2 || word.end[-1] != ':' || !is_digit(*word.at))
        return false;
    bool has_point = memchr(word.at, '.', (size_t)(word.end - word.at)) != NULL;
    return number_scaled(ns, word.at, word.end - 1, has_point ? 9 : 0);
}

/* Who an event happened to. */
struct who {
    struct span comm;
    uint64_t process; /* 0: unknown */
    uint64_t thread;
};

/* comm-tid and maybe (tgid), or comm tid, or comm pid/tid. */
static bool read_who(struct span task, struct who *who)
{
    struct span word = last_word(&task);
    who->process = 0;
    if (word.end > word.at && word.end[-1] == ')') { /* (tgid), (-----), or "(  123)" */
        word.end--;
        if (*word.at == '(')
            word.at++;
        else if (!is(last_word(&task), "("))
            return false;
        number_digits(&who->process, word.at, word.end);
        word = last_word(&task);
    }
    const char *slash = memchr(word.at, '/', (size_t)(word.end - word.at));
    if (number_digits(&who->thread, word.at, word.end) ||
        (slash != NULL && number_digits(&who->process, word.at, slash) &&
         number_digits(&who->thread, slash + 1, word.end))) {
        who->comm = trim(task);
        return true;
    }
    const char *dash = memrchr(word.at, '-', (size_t)(word.end - word.at));
    if (dash == NULL || !number_digits(&who->thread, dash + 1, word.end))
        return false;
    who->comm = (struct span){trim(task).at, dash};
    return true;
}

/* The head of a line: up to the time. */
static bool read_head(struct span *rest, struct who *who, struct intake_record *record,
                      bool *has_cpu)
{
    struct span task = *rest, word;
    record->cpu = 0;
    *has_cpu = false;
    task.end = task.at;
    for (word = next_word(rest); word.at < word.end; word = next_word(rest)) {
        if (read_cpu(word, &record->cpu)) {
            *has_cpu = true;
            if (!read_who(task, who))
                return false;
            word = next_word(rest);
            if (!read_time(word, &record->ns)) /* flags come before it */
                word = next_word(rest);
            return read_time(word, &record->ns);
        }
        if (read_time(word, &record->ns) && task.at < task.end) /* perf script without a CPU */
            return read_who(task, who);
        task.end = word.end;
    }
    return false;
}

/* What perf says of how it counts, behind the name of an event: cpu-clock:u, cycles:ppp. */
static bool is_modifier(struct span word)
{
    while (word.at < word.end && strchr("ukhGHpPSDWeIbR", *word.at) != NULL)
        word.at++;
    return word.at == word.end;
}

/* [period] [system:]event[:modifier]: */
static bool read_event(struct span *rest, struct intake_record *record)
{
    uint64_t period;
    struct span word = next_word(rest);
    if (number_digits(&period, word.at, word.end))
        word = next_word(rest);
    if (word.end - word.at < 2)
        return false;
    if (word.end[-1] != ':') {
        /* A word of it has spaces behind its name: "event     : fields" */
        if (!is(next_word(rest), ":"))
            return false;
    } else {
        word.end--;
    }
    const char *colon = memchr(word.at, ':', (size_t)(word.end - word.at));
    if (colon != NULL && is_modifier((struct span){colon + 1, word.end}))
        colon = NULL;
    record->category =
        colon != NULL ? text_of((struct span){word.at, colon}) : intake_text("kernel");
    record->name = text_of((struct span){colon != NULL ? colon + 1 : word.at, word.end});
    *rest = trim(*rest);
    return true;
}

/* Fields: name=value, where a value goes up to the next name. */

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c);
}

/* Where the next " name=" begins; the end if there is none. */
static const char *next_field(struct span rest)
{
    for (const char *at = rest.at; at < rest.end; at++) {
        const char *name = at;
        if (at > rest.at && !is_space(at[-1]))
            continue;
        while (name < rest.end && is_name(*name))
            name++;
        if (name > at && name < rest.end && *name == '=')
            return at;
        at = name > at ? name - 1 : at;
    }
    return rest.end;
}

static void set_value(struct intake_arg *arg, struct span value)
{
    uint64_t number;
    bool negative = value.at < value.end && *value.at == '-';
    if (number_digits(&number, value.at + negative, value.end) &&
        number_arg(&arg->value, value.at, value.end))
        return;
    arg->value.type = FXT_ARG_POINTER;
    if (number_hex(&arg->value.value, value.at, value.end))
        return;
    arg->value.type = FXT_ARG_STRING;
    arg->text = text_of(value);
}

/* What stands before the first field, and after "==>". */
static void add_text(struct text_reader *reader, struct span text)
{
    struct intake_arg *arg;
    text = trim(text);
    if (text.at == text.end || (arg = intake_arg(reader->intake, &reader->record)) == NULL)
        return;
    arg->name = intake_text("text");
    arg->value.type = FXT_ARG_STRING;
    arg->text = text_of(text);
}

static void add_fields(struct text_reader *reader, struct span rest)
{
    const char *field = next_field(rest);
    add_text(reader, (struct span){rest.at, field});
    while (field < rest.end) {
        const char *equals = memchr(field, '=', (size_t)(rest.end - field));
        rest.at = equals + 1;
        struct span name = {field, equals};
        field = next_field(rest);
        struct intake_arg *arg = intake_arg(reader->intake, &reader->record);
        if (arg == NULL)
            continue;
        struct span value = trim((struct span){rest.at, field});
        if (value.end - value.at >= 4 && memcmp(value.end - 4, " ==>", 4) == 0)
            value = trim((struct span){value.at, value.end - 4});
        arg->name = text_of(name);
        set_value(arg, value);
    }
}

/* Scheduling. */

static const struct intake_arg *field_of(const struct intake_record *record, const char *name)
{
    for (uint16_t i = 0; i < record->arg_count; i++) {
        struct intake_text found = record->args[i].name;
        if (found.size == strlen(name) && memcmp(found.bytes, name, found.size) == 0)
            return &record->args[i];
    }
    return NULL;
}

/* A thread of a scheduling event. */
struct sched {
    struct intake_text comm;
    uint64_t thread;
    struct fxt_arg prio;
};

/* comm:pid [prio], at the front; takes it off. */
static bool read_sched(struct span *rest, struct sched *sched)
{
    const char *bracket = find(*rest, " [");
    const char *close =
        bracket != NULL ? memchr(bracket, ']', (size_t)(rest->end - bracket)) : NULL;
    if (close == NULL)
        return false;
    const char *colon = memrchr(rest->at, ':', (size_t)(bracket - rest->at));
    struct span prio = {bracket + 2, close};
    uint64_t number;
    if (colon == NULL || !number_digits(&sched->thread, colon + 1, bracket) ||
        !number_digits(&number, prio.at + (*prio.at == '-'), prio.end) ||
        !number_arg(&sched->prio, prio.at, prio.end))
        return false;
    sched->comm = text_of((struct span){rest->at, colon});
    rest->at = close + 1;
    *rest = trim(*rest);
    return true;
}

/* The same by the fields <prefix>comm, <prefix>pid, <prefix>prio. */
static bool find_sched(const struct intake_record *record, const char *const names[3],
                       struct sched *sched)
{
    const struct intake_arg *comm = field_of(record, names[0]), *pid = field_of(record, names[1]),
                            *prio = field_of(record, names[2]);
    if (comm == NULL || pid == NULL || prio == NULL || pid->value.type != FXT_ARG_INT32 ||
        prio->value.type != FXT_ARG_INT32)
        return false;
    sched->comm = comm->text;
    sched->thread = pid->value.value;
    sched->prio = prio->value;
    return true;
}

static uint16_t state_of(char letter)
{
    switch (letter) {
    case 'R':
    case 'T':
    case 't':
        return FXT_THREAD_SUSPENDED;
    case 'X':
    case 'Z':
        return FXT_THREAD_DEAD;
    default:
        return FXT_THREAD_BLOCKED;
    }
}

static void add_prio(struct text_reader *reader, const char *name, struct fxt_arg prio)
{
    struct intake_arg *arg = intake_arg(reader->intake, &reader->record);
    arg->name = intake_text(name);
    arg->value = prio;
}

static void name_sched(struct text_reader *reader, const struct sched *sched)
{
    if (sched->thread != 0 && sched->comm.size > 0)
        intake_thread(reader->intake, 0, sched->thread, sched->comm);
}

static bool make_switch(struct text_reader *reader, struct span rest)
{
    static const char *const prev[] = {"prev_comm", "prev_pid", "prev_prio"};
    static const char *const next[] = {"next_comm", "next_pid", "next_prio"};
    struct intake_record *record = &reader->record;
    struct sched out, in;
    char letter;
    if (find_sched(record, prev, &out) && find_sched(record, next, &in)) {
        const struct intake_arg *state = field_of(record, "prev_state");
        letter = state != NULL && state->text.size > 0 ? state->text.bytes[0] : 'S';
    } else if (read_sched(&rest, &out)) {
        letter = rest.at < rest.end ? *rest.at : 'S';
        const char *arrow = find(rest, "==> ");
        if (arrow == NULL)
            return false;
        rest.at = arrow + 4;
        if (!read_sched(&rest, &in))
            return false;
    } else {
        return false;
    }
    name_sched(reader, &out);
    name_sched(reader, &in);
    record->kind = INTAKE_SWITCH;
    record->type = state_of(letter);
    record->thread = out.thread;
    record->value = in.thread;
    record->arg_count = 0;
    add_prio(reader, "outgoing_prio", out.prio);
    add_prio(reader, "incoming_prio", in.prio);
    return true;
}

/* The target CPU: target_cpu=001, or CPU:001. */
static uint64_t target_of(const struct intake_record *record, struct span rest)
{
    const struct intake_arg *target = field_of(record, "target_cpu");
    const char *colon = find(rest, "CPU:");
    uint64_t cpu = record->cpu;
    if (target != NULL && target->value.type == FXT_ARG_INT32)
        return target->value.value;
    if (colon != NULL)
        number_digits(&cpu, colon + 4, rest.end);
    return cpu;
}

static bool make_wakeup(struct text_reader *reader, struct span rest)
{
    static const char *const names[] = {"comm", "pid", "prio"};
    struct intake_record *record = &reader->record;
    struct span fields = rest;
    struct sched woken;
    uint64_t cpu = target_of(record, rest);
    if (cpu > UINT16_MAX || (!find_sched(record, names, &woken) && !read_sched(&fields, &woken)))
        return false;
    name_sched(reader, &woken);
    const struct fxt_arg waker =
        fxt_make_koid(fxt_string_inline(NULL, 0), record->thread); /* whose line it is */
    record->kind = INTAKE_WAKEUP;
    record->thread = woken.thread;
    record->cpu = (uint16_t)cpu;
    record->arg_count = 0;
    add_prio(reader, "prio", woken.prio);
    add_prio(reader, "waker", waker);
    return true;
}

static bool has_name(const struct intake_record *record, const char *name)
{
    return record->name.size == strlen(name) &&
           memcmp(record->name.bytes, name, record->name.size) == 0;
}

static void make_record(struct text_reader *reader, struct span rest)
{
    struct intake_record *record = &reader->record;
    record->kind = INTAKE_EVENT;
    record->type = FXT_EVENT_INSTANT;
    record->scope = FXT_SCOPE_THREAD;
    record->arg_count = 0;
    add_fields(reader, rest);
    if (has_name(record, "sched_switch") && make_switch(reader, rest))
        return;
    if (has_name(record, "sched_wakeup") || has_name(record, "sched_wakeup_new"))
        make_wakeup(reader, rest);
}

/* Puts out the event that waits. */
static void settle(struct text_reader *reader)
{
    if (!reader->is_waiting)
        return;
    reader->is_waiting = false;
    struct intake_arg *arg;
    if (reader->has_cpu && reader->record.kind == INTAKE_EVENT &&
        reader->record.arg_count < FXT_ARGS_MAX) {
        arg = intake_arg(reader->intake, &reader->record);
        arg->name = intake_text("cpu");
        arg->value = fxt_make_uint32(fxt_string_inline(NULL, 0), reader->record.cpu);
    }
    if (reader->stack_size > 0 && (arg = intake_arg(reader->intake, &reader->record)) != NULL) {
        arg->name = intake_text("stack");
        arg->value.type = FXT_ARG_STRING;
        arg->text = (struct intake_text){reader->stack, reader->stack_size};
    }
    intake_put(reader->intake, &reader->record);
}

static void add_frame(struct text_reader *reader, struct span line)
{
    struct json_changes changes = {0, 0};
    const struct json_value frame = {line.at, line.end, JSON_NONE};
    size_t room = sizeof reader->stack - reader->stack_size;
    if (room > 0 && reader->stack_size > 0) {
        reader->stack[reader->stack_size++] = '\n';
        room--;
    }
    reader->stack_size += json_source(reader->stack + reader->stack_size, room, frame, &changes);
    reader->intake->left[INTAKE_CUT] += changes.cut;
    reader->intake->left[INTAKE_MENDED] += changes.mended;
}

static bool is_frame(struct span line, char first)
{
    uint64_t address;
    char text[20] = "0x";
    struct span word = next_word(&line);
    size_t size = (size_t)(word.end - word.at);
    if (!is_space(first) || size == 0 || size > 16)
        return false;
    memcpy(text + 2, word.at, size);
    return number_hex(&address, text, text + 2 + size);
}

void text_begin(struct text_reader *reader, struct intake *intake)
{
    reader->intake = intake;
    reader->is_waiting = false;
    reader->stack_size = 0;
}

/* The heads of trace-cmd report and of the kernel's file. */
static bool is_heading(struct span line)
{
    struct span word = next_word(&line);
    return word.at == word.end || *word.at == '#' ||
           (word.end - word.at > 5 && memcmp(word.at, "cpus=", 5) == 0) || is(word, "version");
}

void text_line(struct text_reader *reader, const char *line, size_t length)
{
    struct json_changes changes = {0, 0};
    const struct json_value source = {line, line + length, JSON_NONE};
    struct who who;
    struct span rest = trim((struct span){line, line + length});
    if (reader->is_waiting && is_frame(rest, length > 0 ? *line : 'x')) {
        add_frame(reader, rest);
        return;
    }
    settle(reader);
    size_t size = json_source(reader->texts, sizeof reader->texts, source, &changes);
    rest = trim((struct span){reader->texts, reader->texts + size});
    if (is_heading(rest))
        return;
    if (!read_head(&rest, &who, &reader->record, &reader->has_cpu) ||
        !read_event(&rest, &reader->record)) {
        intake_leave(reader->intake, INTAKE_LINE);
        return;
    }
    reader->intake->left[INTAKE_CUT] += changes.cut;
    reader->intake->left[INTAKE_MENDED] += changes.mended;
    if (who.thread != 0 && who.comm.at < who.comm.end && !is(who.comm, "<...>"))
        intake_thread(reader->intake, who.process, who.thread, text_of(who.comm));
    reader->record.process = who.process;
    reader->record.thread = who.thread;
    reader->stack_size = 0;
    make_record(reader, rest);
    reader->is_waiting = true;
}

void text_end(struct text_reader *reader)
{
    settle(reader);
}
