/* Scheduling records as one track a CPU; see chrome.h. Owns memory->cpus: what has been running on
   each CPU since when. A switch, which chrome_window.c gives in the order of time, ends the span of the thread that ran and begins the next one; a
   span whose begin is not in the trace is not shown.

   The CPUs on which something runs are kept as bits, and the words of those bits that are not 0 as
   bits again: a new trace (MET-10) costs a walk over those CPUs only, and not over all that there
   may be. */
#include "src/convert/chrome_i.h"

static const char span_start[24] = FXT_I_CHROME_START("X");
static const char instant_start[24] = FXT_I_CHROME_START("i");

/* A thread: its koid, or a ref that is not registered. Neither: no thread. */
struct who {
    uint64_t koid;
    uint16_t ref;
};

/* The name of a thread: that of its kernel object. */
static char *put_thread_name(struct fxt_chrome *chrome, char *to, struct who who)
{
    if (who.ref != 0)
        return fxt_i_chrome_put_unknown(to, "thread #", who.ref);
    const struct fxt_object *object =
        fxt_tables_kernel_object(chrome->tables, FXT_OBJECT_THREAD, who.koid);
    if (object != NULL && object->name_length > 0)
        return fxt_i_chrome_put_bytes(chrome, to, fxt_tables_object_name(chrome->tables, object));
    to = FXT_I_PUT(to, "\"thread ");
    to = fxt_number_u64(to, who.koid);
    *to = '"';
    return to + 1;
}

/* The begin of the arguments: which thread, and if known of which process. */
static char *put_who(struct fxt_chrome *chrome, char *to, struct fxt_i_chrome_names *names,
                     struct who who)
{
    if (who.ref != 0) {
        to = fxt_i_chrome_put_key(chrome, to, names, "thread_ref");
        return fxt_number_u64(to, who.ref);
    }
    const struct fxt_object *object =
        fxt_tables_kernel_object(chrome->tables, FXT_OBJECT_THREAD, who.koid);
    to = fxt_i_chrome_put_key(chrome, to, names, "thread");
    to = fxt_i_chrome_put_koid(to, who.koid);
    if (object != NULL && object->parent != 0) {
        to = fxt_i_chrome_put_key(chrome, to, names, "process");
        to = fxt_i_chrome_put_koid(to, object->parent);
    }
    return to;
}

static char *put_state(struct fxt_chrome *chrome, char *to, struct fxt_i_chrome_names *names,
                       uint16_t state)
{
    static const char *const states[] = {[FXT_THREAD_NEW] = "new",
                                         [FXT_THREAD_RUNNING] = "running",
                                         [FXT_THREAD_SUSPENDED] = "suspended",
                                         [FXT_THREAD_BLOCKED] = "blocked",
                                         [FXT_THREAD_DYING] = "dying",
                                         [FXT_THREAD_DEAD] = "dead"};
    to = fxt_i_chrome_put_key(chrome, to, names, "state");
    if (state > FXT_THREAD_DEAD)
        return fxt_number_u64(to, state);
    size_t length = strlen(states[state]);
    *to++ = '"';
    memcpy(to, states[state], length);
    to += length;
    *to = '"';
    return to + 1;
}

static char *put_priority(struct fxt_chrome *chrome, char *to, struct fxt_i_chrome_names *names,
                          const char *name, uint16_t priority)
{
    to = fxt_i_chrome_put_key(chrome, to, names, name);
    return fxt_number_u64(to, priority);
}

/* What a switch says of the thread that it stops. */
static char *put_stop(struct fxt_chrome *chrome, char *to, struct fxt_i_chrome_names *names,
                      const struct fxt_chrome_switch *change)
{
    to = put_state(chrome, to, names, change->state);
    if (change->has_priorities)
        to = put_priority(chrome, to, names, "outgoing_priority", change->outgoing_priority);
    return to;
}

char *fxt_i_chrome_put_outgoing(struct fxt_chrome *chrome, char *to,
                                const struct fxt_chrome_switch *change, struct fxt_args args)
{
    struct fxt_i_chrome_names names = {0};
    to = put_who(chrome, to, &names, (struct who){change->outgoing, change->outgoing_ref});
    to = put_stop(chrome, to, &names, change);
    return fxt_i_chrome_put_args(chrome, to, &names, args, false);
}

/* The members of "args" of what ran on a CPU. */
static char *put_members(struct fxt_chrome *chrome, char *to, const struct fxt_chrome_cpu *running,
                         const struct fxt_chrome_switch *change, const struct fxt_args *args)
{
    struct fxt_i_chrome_names names = {0};
    bool stops = change != NULL && change->outgoing == running->thread &&
                 change->outgoing_ref == running->ref;
    if (stops && change->text != 0)
        return fxt_i_chrome_put_kept(chrome, to, change->text);
    if (stops && args != NULL)
        return fxt_i_chrome_put_outgoing(chrome, to, change, *args);
    to = put_who(chrome, to, &names, (struct who){running->thread, running->ref});
    if (running->has_priority)
        to = put_priority(chrome, to, &names, "incoming_priority", running->priority);
    return stops ? put_stop(chrome, to, &names, change) : to;
}

/* The span of the thread that runs on `cpu`, until `ns`; change is NULL at the end of the trace. */
static void put_span(struct fxt_chrome *chrome, uint16_t cpu, uint64_t ns,
                     const struct fxt_chrome_switch *change, const struct fxt_args *args)
{
    const struct fxt_chrome_cpu *running = &chrome->memory->cpus[cpu];

    if (running->thread == 0 && running->ref == 0)
        return;
    char *to = fxt_i_chrome_begin(chrome, span_start);
    to = fxt_i_chrome_put_ts(chrome, to, running->since);
    to = FXT_I_PUT(to, ",\"dur\":");
    to = fxt_i_chrome_put_span(to, ns > running->since ? ns - running->since : 0);
    to = fxt_i_chrome_put_track(to, FXT_CHROME_CPU_PID, cpu);
    to = FXT_I_PUT(to, ",\"cat\":\"sched\",\"name\":");
    to = put_thread_name(chrome, to, (struct who){running->thread, running->ref});
    to = FXT_I_PUT(to, ",\"args\":{");
    to = put_members(chrome, to, running, change, args);
    *to++ = '}';
    fxt_i_chrome_finish(chrome, to);
}

static void set_bit(uint64_t *words, uint32_t number, bool value)
{
    uint64_t bit = UINT64_C(1) << number % 64;
    words[number / 64] = value ? words[number / 64] | bit : words[number / 64] & ~bit;
}

/* Something runs there, or nothing. */
static void set_busy(struct fxt_chrome_memory *memory, uint32_t cpu, bool busy)
{
    set_bit(memory->busy, cpu, busy);
    set_bit(memory->busy_words, cpu / 64, memory->busy[cpu / 64] != 0);
}

static void run(struct fxt_chrome *chrome, const struct fxt_chrome_switch *change)
{
    struct fxt_chrome_cpu *cpu = &chrome->memory->cpus[change->cpu];
    cpu->thread = change->incoming;
    cpu->ref = change->incoming_ref;
    cpu->since = change->ns;
    cpu->trace = chrome->trace;
    cpu->has_priority = change->has_priorities;
    cpu->priority = change->incoming_priority;
    set_busy(chrome->memory, change->cpu, cpu->thread != 0 || cpu->ref != 0);
}

void fxt_i_chrome_switch(struct fxt_chrome *chrome, const struct fxt_chrome_switch *change,
                         const struct fxt_args *args)
{
    const struct fxt_chrome_cpu *cpu = &chrome->memory->cpus[change->cpu];
    if (cpu->trace == chrome->trace && change->ns < cpu->since) {
        if (chrome->omitted.late_switches == 0)
            chrome->first_late = change->offset;
        chrome->omitted.late_switches++;
        return;
    }
    put_span(chrome, change->cpu, change->ns, change, args);
    run(chrome, change);
}

static void see(struct fxt_chrome *chrome, uint16_t cpu, uint64_t ns)
{
    if (chrome->latest < ns)
        chrome->latest = ns;
    fxt_i_chrome_name_cpu(chrome, cpu);
}

/* The koid; or 0, and the ref in *unknown, when it is not registered. */
static uint64_t thread_koid(const struct fxt_chrome *chrome, struct fxt_thread_ref ref,
                            uint16_t *unknown)
{
    *unknown = 0;
    if (ref.ref == 0 || fxt_tables_thread(chrome->tables, &ref, ref))
        return ref.thread;
    *unknown = ref.ref;
    return 0;
}

static enum fxt_status legacy_switch(struct fxt_chrome *chrome, const struct fxt_record *record)
{
    struct fxt_legacy_switch in;
    struct fxt_error error;
    if (fxt_read_legacy_switch(record, &in, &error) != FXT_OK)
        return FXT_MALFORMED;
    struct fxt_chrome_switch change = {.ns = fxt_i_chrome_ticks(chrome, in.timestamp),
                                       .offset = record->offset,
                                       .outgoing_priority = in.outgoing_priority,
                                       .incoming_priority = in.incoming_priority,
                                       .cpu = in.cpu,
                                       .state = in.outgoing_state,
                                       .has_priorities = 1};
    change.outgoing = thread_koid(chrome, in.outgoing, &change.outgoing_ref);
    change.incoming = thread_koid(chrome, in.incoming, &change.incoming_ref);
    see(chrome, change.cpu, change.ns);
    fxt_i_chrome_wait(chrome, &change, NULL);
    return FXT_OK;
}

static enum fxt_status context_switch(struct fxt_chrome *chrome, const struct fxt_record *record)
{
    struct fxt_context_switch in;
    struct fxt_error error;
    if (fxt_read_context_switch(record, &in, &error) != FXT_OK)
        return FXT_MALFORMED;
    struct fxt_chrome_switch change = {.ns = fxt_i_chrome_ticks(chrome, in.timestamp),
                                       .offset = record->offset,
                                       .outgoing = in.outgoing_thread,
                                       .incoming = in.incoming_thread,
                                       .cpu = in.cpu,
                                       .state = in.outgoing_state};
    see(chrome, change.cpu, change.ns);
    fxt_i_chrome_wait(chrome, &change, &in.args);
    return FXT_OK;
}

static enum fxt_status thread_wakeup(struct fxt_chrome *chrome, const struct fxt_record *record)
{
    struct fxt_thread_wakeup in;
    struct fxt_error error;
    struct fxt_i_chrome_names names = {0};
    if (fxt_read_thread_wakeup(record, &in, &error) != FXT_OK)
        return FXT_MALFORMED;
    uint64_t ns = fxt_i_chrome_ticks(chrome, in.timestamp);
    const struct who who = {in.waking_thread, 0};
    see(chrome, in.cpu, ns);
    char *to = fxt_i_chrome_begin(chrome, instant_start);
    to = fxt_i_chrome_put_ts(chrome, to, ns);
    to = FXT_I_PUT(to, ",\"s\":\"t\"");
    to = fxt_i_chrome_put_track(to, FXT_CHROME_CPU_PID, in.cpu);
    to = FXT_I_PUT(to, ",\"cat\":\"sched\",\"name\":\"wakeup\",\"args\":{");
    to = put_who(chrome, to, &names, who);
    to = fxt_i_chrome_put_key(chrome, to, &names, "name");
    to = put_thread_name(chrome, to, who);
    to = fxt_i_chrome_put_args(chrome, to, &names, in.args, false);
    *to++ = '}';
    fxt_i_chrome_finish(chrome, to);
    return FXT_OK;
}

enum fxt_status fxt_i_chrome_scheduling(struct fxt_chrome *chrome, const struct fxt_record *record)
{
    switch (fxt_record_scheduling_type(record)) {
    case FXT_SCHEDULING_LEGACY_SWITCH:
        return legacy_switch(chrome, record);
    case FXT_SCHEDULING_CONTEXT_SWITCH:
        return context_switch(chrome, record);
    case FXT_SCHEDULING_THREAD_WAKEUP:
        return thread_wakeup(chrome, record);
    default:
        chrome->omitted.unknown++;
        return FXT_OK;
    }
}

/* The first bit that is set from `number` on; `count` when there is none. */
static uint32_t next_bit(const uint64_t *words, uint32_t number, uint32_t count)
{
    while (number < count && (words[number / 64] >> number % 64 & 1) == 0)
        number = words[number / 64] >> number % 64 == 0 ? (number / 64 + 1) * 64 : number + 1;
    return number;
}

void fxt_i_chrome_end_cpus(struct fxt_chrome *chrome)
{
    struct fxt_chrome_memory *memory = chrome->memory;
    fxt_i_chrome_let_all_go(chrome);
    uint32_t word = next_bit(memory->busy_words, 0, FXT_CHROME_CPUS / 64);
    while (word < FXT_CHROME_CPUS / 64) {
        uint32_t cpu = next_bit(memory->busy, word * 64, FXT_CHROME_CPUS);
        put_span(chrome, (uint16_t)cpu, chrome->latest, NULL, NULL);
        set_busy(memory, cpu, false);
        memory->cpus[cpu].thread = 0;
        memory->cpus[cpu].ref = 0;
        word = next_bit(memory->busy_words, word, FXT_CHROME_CPUS / 64);
    }
}
