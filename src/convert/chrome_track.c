/* Tracks of processes that no trace has: the CPUs, the providers, the threads that nobody
   registered. Owns memory->tracks: which of them have their names. */
#include "src/convert/chrome_i.h"

static const char start[24] = FXT_I_CHROME_START("M");

/* Up to the name itself; fxt_i_chrome_end_name comes after it. */
static char *begin_name(struct fxt_chrome *chrome, const char *what, uint32_t pid, uint32_t tid)
{
    size_t length = strlen(what);
    char *to = fxt_i_chrome_begin(chrome, start);
    to = FXT_I_PUT(to, ",\"name\":\"");
    memcpy(to, what, length);
    to = FXT_I_PUT(to + length, "\"");
    to = fxt_i_chrome_put_track(to, pid, tid);
    return FXT_I_PUT(to, ",\"args\":{\"name\":");
}

static void end_name(struct fxt_chrome *chrome, char *to)
{
    *to++ = '}';
    fxt_i_chrome_finish(chrome, to);
}

static char *put_numbered(char *to, const char *text, uint64_t number)
{
    size_t length = strlen(text);
    memcpy(to, text, length);
    return fxt_number_u64(to + length, number);
}

/* True the first time that it is asked of that bit, in this trace. */
static bool is_new(uint64_t *bits, uint32_t number)
{
    uint64_t bit = UINT64_C(1) << number % 64;
    bool fresh = (bits[number / 64] & bit) == 0;
    bits[number / 64] |= bit;
    return fresh;
}

static void name_process(struct fxt_chrome *chrome, enum fxt_i_chrome_group group, uint32_t tid)
{
    static const char *const names[] = {"\"CPUs\"", "\"providers\"", "\"unknown threads\""};
    static const uint32_t pids[] = {FXT_CHROME_CPU_PID, FXT_CHROME_PROVIDER_PID,
                                    FXT_CHROME_UNKNOWN_PID};
    if ((chrome->groups_named & 1u << group) != 0)
        return;
    chrome->groups_named |= 1u << group;
    char *to = begin_name(chrome, "process_name", pids[group], tid);
    size_t length = strlen(names[group]);
    memcpy(to, names[group], length);
    end_name(chrome, to + length);
}

void fxt_i_chrome_name_cpu(struct fxt_chrome *chrome, uint16_t place)
{
    struct fxt_chrome_cpu *cpu = &chrome->memory->cpus[place];
    if (cpu->named == chrome->trace)
        return;
    cpu->named = chrome->trace;
    name_process(chrome, FXT_I_CHROME_CPUS, cpu->tid);
    char *to = begin_name(chrome, "thread_name", FXT_CHROME_CPU_PID, cpu->tid);
    to = put_numbered(to, "\"CPU ", cpu->tid % 65536);
    if (cpu->tid >= 65536)
        to = put_numbered(to, " of provider ",
                          chrome->tables->provider_ids[chrome->tables->current]);
    *to++ = '"';
    end_name(chrome, to);
}

void fxt_i_chrome_name_provider(struct fxt_chrome *chrome, uint32_t index)
{
    const struct fxt_tables *tables = chrome->tables;
    const struct fxt_provider *provider = &tables->providers[index];
    const struct fxt_bytes name = {provider->name, provider->name_length};
    uint32_t tid = fxt_i_chrome_provider_tid(index);
    if (!is_new(chrome->memory->tracks.providers, tid))
        return;
    name_process(chrome, FXT_I_CHROME_PROVIDERS, tid);
    char *to = begin_name(chrome, "thread_name", FXT_CHROME_PROVIDER_PID, tid);
    if (name.size > 0) {
        to = fxt_i_chrome_put_bytes(chrome, to, name);
    } else {
        to = put_numbered(to, "\"provider ", tables->provider_ids[index]);
        *to++ = '"';
    }
    end_name(chrome, to);
}

void fxt_i_chrome_name_unknown(struct fxt_chrome *chrome)
{
    uint32_t tid = chrome->unknown_thread;
    chrome->unknown_thread = 0;
    if (!is_new(chrome->memory->tracks.unknown, tid))
        return;
    name_process(chrome, FXT_I_CHROME_UNKNOWN, tid);
    char *to = begin_name(chrome, "thread_name", FXT_CHROME_UNKNOWN_PID, tid);
    to = put_numbered(to, "\"thread ref ", tid % 256);
    to = put_numbered(to, " of provider ", chrome->tables->provider_ids[chrome->tables->current]);
    *to++ = '"';
    end_name(chrome, to);
}
