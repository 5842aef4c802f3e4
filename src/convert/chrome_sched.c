/* Scheduling records as one track a CPU; see chrome.h. Owns memory->cpus: what has been running on
   each CPU since when. A switch ends the span of the thread that ran and begins the next one; a
   span whose begin is not in the trace is not shown.

   The CPUs on which something runs are kept as bits, and the words of those bits that are not 0 as
   bits again: a new trace (MET-10) costs a walk over those CPUs only, and not over all that there
   may be. */
#include "src/convert/chrome_i.h"

static const char span_start[24] = FXT_I_CHROME_START("X");
static const char instant_start[24] = FXT_I_CHROME_START("i");
static const char metadata_start[24] = FXT_I_CHROME_START("M");

/* A switch, of either kind. */
struct change {
    uint64_t ns;
    uint64_t outgoing; /* koids, 0: none */
    uint64_t incoming;
    struct fxt_args args;
    uint16_t cpu;
    uint16_t state;
};

static char *put_cpu(char *to, uint16_t cpu)
{
    to = FXT_I_PUT(to, ",\"pid\":");
    to = fxt_number_u64(to, FXT_CHROME_CPU_PID);
    to = FXT_I_PUT(to, ",\"tid\":");
    return fxt_number_u64(to, cpu);
}

/* Names the track when its CPU is seen first. */
static void name_cpu(struct fxt_chrome *chrome, uint16_t cpu)
{
    if (chrome->memory->cpus[cpu].named)
        return;
    if (!chrome->cpus_named) {
        char *to = fxt_i_chrome_begin(chrome, metadata_start);
        to = FXT_I_PUT(to, ",\"name\":\"process_name\"");
        to = put_cpu(to, cpu);
        to = FXT_I_PUT(to, ",\"args\":{\"name\":\"CPUs\"}");
        fxt_i_chrome_finish(chrome, to);
        chrome->cpus_named = true;
    }
    char *to = fxt_i_chrome_begin(chrome, metadata_start);
    to = FXT_I_PUT(to, ",\"name\":\"thread_name\"");
    to = put_cpu(to, cpu);
    to = FXT_I_PUT(to, ",\"args\":{\"name\":\"CPU ");
    to = fxt_number_u64(to, cpu);
    to = FXT_I_PUT(to, "\"}");
    fxt_i_chrome_finish(chrome, to);
    chrome->memory->cpus[cpu].named = 1;
}

/* The name of a thread: that of its kernel object. */
static char *put_thread_name(struct fxt_chrome *chrome, char *to, uint64_t koid)
{
    const struct fxt_object *object = fxt_tables_kernel_object(chrome->tables, koid);
    if (object != NULL && object->name_length > 0)
        return fxt_i_chrome_put_bytes(chrome, to, fxt_tables_object_name(chrome->tables, object));
    to = FXT_I_PUT(to, "\"thread ");
    to = fxt_number_u64(to, koid);
    *to = '"';
    return to + 1;
}

/* The begin of the arguments: which thread, and if known of which process. */
static char *put_who(struct fxt_chrome *chrome, char *to, struct fxt_i_chrome_names *names,
                     uint64_t koid)
{
    const struct fxt_object *object = fxt_tables_kernel_object(chrome->tables, koid);
    to = FXT_I_PUT(to, ",\"args\":{");
    to = fxt_i_chrome_put_key(chrome, to, names, "thread");
    to = fxt_i_chrome_put_koid(to, koid);
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

/* The span of the thread that runs on `cpu`, until `ns`; change is NULL at the end of the trace. */
static void put_span(struct fxt_chrome *chrome, uint16_t cpu, uint64_t ns,
                     const struct change *change)
{
    const struct fxt_chrome_cpu *running = &chrome->memory->cpus[cpu];
    struct fxt_i_chrome_names names = {0};

    if (running->thread == 0)
        return;
    char *to = fxt_i_chrome_begin(chrome, span_start);
    to = fxt_i_chrome_put_ts(chrome, to, running->since);
    to = FXT_I_PUT(to, ",\"dur\":");
    to = fxt_i_chrome_put_span(to, ns > running->since ? ns - running->since : 0);
    to = put_cpu(to, cpu);
    to = FXT_I_PUT(to, ",\"cat\":\"sched\",\"name\":");
    to = put_thread_name(chrome, to, running->thread);
    to = put_who(chrome, to, &names, running->thread);
    if (change != NULL && change->outgoing == running->thread) {
        to = put_state(chrome, to, &names, change->state);
        to = fxt_i_chrome_put_args(chrome, to, &names, change->args, false);
    }
    *to++ = '}';
    fxt_i_chrome_finish(chrome, to);
}

static void set_bit(uint64_t *words, uint32_t number, bool value)
{
    uint64_t bit = UINT64_C(1) << number % 64;
    words[number / 64] = value ? words[number / 64] | bit : words[number / 64] & ~bit;
}

/* From `since` on that thread runs there, or none. */
static void run(struct fxt_chrome_memory *memory, uint32_t cpu, uint64_t thread, uint64_t since)
{
    memory->cpus[cpu].thread = thread;
    memory->cpus[cpu].since = since;
    set_bit(memory->busy, cpu, thread != 0);
    set_bit(memory->busy_words, cpu / 64, memory->busy[cpu / 64] != 0);
}

static void apply(struct fxt_chrome *chrome, const struct change *change)
{
    name_cpu(chrome, change->cpu);
    put_span(chrome, change->cpu, change->ns, change);
    run(chrome->memory, change->cpu, change->incoming, change->ns);
    if (chrome->latest < change->ns)
        chrome->latest = change->ns;
}

/* 0 when the ref is not registered. */
static uint64_t thread_koid(const struct fxt_chrome *chrome, struct fxt_thread_ref ref)
{
    if (ref.ref != 0 && !fxt_tables_thread(chrome->tables, &ref, ref))
        return 0;
    return ref.thread;
}

static enum fxt_status legacy_switch(struct fxt_chrome *chrome, const struct fxt_record *record)
{
    struct fxt_legacy_switch in;
    struct fxt_error error;
    if (fxt_read_legacy_switch(record, &in, &error) != FXT_OK)
        return FXT_MALFORMED;
    struct change change = {.ns = fxt_i_chrome_ticks(chrome, in.timestamp),
                            .outgoing = thread_koid(chrome, in.outgoing),
                            .incoming = thread_koid(chrome, in.incoming),
                            .cpu = in.cpu,
                            .state = in.outgoing_state};
    apply(chrome, &change);
    return FXT_OK;
}

static enum fxt_status context_switch(struct fxt_chrome *chrome, const struct fxt_record *record)
{
    struct fxt_context_switch in;
    struct fxt_error error;
    if (fxt_read_context_switch(record, &in, &error) != FXT_OK)
        return FXT_MALFORMED;
    struct change change = {.ns = fxt_i_chrome_ticks(chrome, in.timestamp),
                            .outgoing = in.outgoing_thread,
                            .incoming = in.incoming_thread,
                            .args = in.args,
                            .cpu = in.cpu,
                            .state = in.outgoing_state};
    apply(chrome, &change);
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
    if (chrome->latest < ns)
        chrome->latest = ns;
    name_cpu(chrome, in.cpu);
    char *to = fxt_i_chrome_begin(chrome, instant_start);
    to = fxt_i_chrome_put_ts(chrome, to, ns);
    to = FXT_I_PUT(to, ",\"s\":\"t\"");
    to = put_cpu(to, in.cpu);
    to = FXT_I_PUT(to, ",\"cat\":\"sched\",\"name\":\"wakeup\"");
    to = put_who(chrome, to, &names, in.waking_thread);
    to = fxt_i_chrome_put_key(chrome, to, &names, "name");
    to = put_thread_name(chrome, to, in.waking_thread);
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
    uint32_t word = next_bit(memory->busy_words, 0, FXT_CHROME_CPUS / 64);
    while (word < FXT_CHROME_CPUS / 64) {
        uint32_t cpu = next_bit(memory->busy, word * 64, FXT_CHROME_CPUS);
        put_span(chrome, (uint16_t)cpu, chrome->latest, NULL);
        run(memory, cpu, 0, 0);
        word = next_bit(memory->busy_words, word, FXT_CHROME_CPUS / 64);
    }
}
