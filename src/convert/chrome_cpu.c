/* One track a CPU of a provider; see chrome.h. Owns memory->cpus: what has been running on each CPU
   since when. A place there belongs to one CPU of one scheduler, that is, of the first, second, …
   provider of a trace that has CPUs; cpu_blocks knows the places, and keeps them from trace to trace.

   A switch, which chrome_window.c gives in the order of time, ends the span of the thread that ran and
   begins the next one; a span whose begin is not in the trace is not shown.

   The CPUs on which something runs are kept as bits, and the words of those bits that are not 0 as
   bits again: a new trace (MET-10) costs a walk over those CPUs only, and not over all that there
   may be. */
#include "src/convert/chrome_i.h"

static const char span_start[24] = FXT_I_CHROME_START("X");

char *fxt_i_chrome_put_thread_name(struct fxt_chrome *chrome, char *to, struct fxt_i_chrome_who who)
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

char *fxt_i_chrome_put_who(struct fxt_chrome *chrome, char *to, struct fxt_i_chrome_names *names,
                           struct fxt_i_chrome_who who)
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
    to = fxt_i_chrome_put_who(chrome, to, &names,
                              (struct fxt_i_chrome_who){change->outgoing, change->outgoing_ref});
    to = put_stop(chrome, to, &names, change);
    return fxt_i_chrome_put_args(chrome, to, &names, args, false);
}

static char *put_kept(struct fxt_chrome *chrome, char *to, uint32_t block)
{
    while (block != 0) {
        const struct fxt_chrome_block *it = &chrome->memory->window.blocks[block - 1];
        to = fxt_i_chrome_more(chrome, to);
        memcpy(to, it->text, it->size);
        to += it->size;
        block = it->next;
    }
    return fxt_i_chrome_more(chrome, to);
}

/* The members of "args" of what ran on a CPU. */
static char *put_members(struct fxt_chrome *chrome, char *to, const struct fxt_chrome_cpu *running,
                         const struct fxt_chrome_switch *change, const struct fxt_args *args)
{
    struct fxt_i_chrome_names names = {0};
    bool stops = change != NULL && change->outgoing == running->thread &&
                 change->outgoing_ref == running->ref;
    if (stops && change->text != 0)
        return put_kept(chrome, to, change->text);
    if (stops && args != NULL)
        return fxt_i_chrome_put_outgoing(chrome, to, change, *args);
    to = fxt_i_chrome_put_who(chrome, to, &names,
                              (struct fxt_i_chrome_who){running->thread, running->ref});
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
    to = fxt_i_chrome_put_dur(chrome, to, ns > running->since ? ns - running->since : 0);
    to = fxt_i_chrome_put_track(to, FXT_CHROME_CPU_PID, running->tid);
    to = FXT_I_PUT(to, ",\"cat\":\"sched\",\"name\":");
    to = fxt_i_chrome_put_thread_name(chrome, to,
                                      (struct fxt_i_chrome_who){running->thread, running->ref});
    to = FXT_I_PUT(to, ",\"args\":{");
    to = put_members(chrome, to, running, change, args);
    *to++ = '}';
    fxt_i_chrome_finish(chrome, to);
}

bool fxt_i_chrome_find_cpu(struct fxt_chrome *chrome, uint16_t *place, uint16_t cpu)
{
    struct fxt_chrome_memory *memory = chrome->memory;
    uint16_t *scheduler = &memory->tracks.scheduler[chrome->tables->current % FXT_CHROME_PROVIDERS];
    if (*scheduler == 0)
        *scheduler = ++memory->tracks.schedulers;
    uint16_t *block = &memory->cpu_blocks[*scheduler - 1][cpu / FXT_CHROME_CPU_BLOCK];
    if (*block == 0 && memory->cpu_blocks_used < FXT_CHROME_CPU_BLOCKS)
        *block = ++memory->cpu_blocks_used;
    if (*block == 0) {
        chrome->omitted.cpus++;
        return false;
    }
    *place = (uint16_t)((*block - 1u) * FXT_CHROME_CPU_BLOCK + cpu % FXT_CHROME_CPU_BLOCK);
    memory->cpus[*place].tid = (*scheduler - 1u) * 65536 + cpu;
    fxt_i_chrome_name_cpu(chrome, *place);
    return true;
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

/* The first bit that is set from `number` on; `count` when there is none. */
static uint32_t next_bit(const uint64_t *words, uint32_t number, uint32_t count)
{
    while (number < count && (words[number / 64] >> number % 64 & 1) == 0)
        number = words[number / 64] >> number % 64 == 0 ? (number / 64 + 1) * 64 : number + 1;
    return number;
}

void fxt_i_chrome_end_spans(struct fxt_chrome *chrome)
{
    struct fxt_chrome_memory *memory = chrome->memory;
    uint64_t end = fxt_i_chrome_latest(chrome);
    uint32_t word = next_bit(memory->busy_words, 0, FXT_CHROME_CPUS / 64);
    while (word < FXT_CHROME_CPUS / 64) {
        uint32_t cpu = next_bit(memory->busy, word * 64, FXT_CHROME_CPUS);
        put_span(chrome, (uint16_t)cpu, end, NULL, NULL);
        set_busy(memory, cpu, false);
        memory->cpus[cpu].thread = 0;
        memory->cpus[cpu].ref = 0;
        word = next_bit(memory->busy_words, word, FXT_CHROME_CPUS / 64);
    }
}
