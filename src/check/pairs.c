/* Pairing of begins and ends. Two open-addressed tables of the caller's, at most half full; a probe
   gives up after a fixed number of steps, so that chosen collisions cost memory and not time. An
   entry is live when its generation is the checker's; the live ones are chained by `previous`, so
   that going through them takes no longer than making them did. */
#include "src/check/pairs.h"

#define PROBE_MAX 128u

void fxt_i_check_full(struct fxt_i_walk *walk)
{
    if (!walk->checker->full)
        fxt_i_report(walk, FXT_RULE_LIM_01, walk->record->offset, 0);
    walk->checker->full = 1;
}

static struct fxt_check_thread *find_thread(struct fxt_checker *checker, uint32_t provider,
                                            uint64_t process, uint64_t thread)
{
    uint32_t at = fxt_i_hash(thread, process, provider);

    for (uint32_t step = 0; step < PROBE_MAX && step < checker->thread_max; step++, at++) {
        struct fxt_check_thread *entry = &checker->threads[at % checker->thread_max];
        if (entry->generation != checker->generation) {
            if (checker->thread_count >= checker->thread_max / 2)
                return NULL;
            struct fxt_check_thread fresh = {.generation = checker->generation,
                                             .process = process,
                                             .thread = thread,
                                             .provider = provider,
                                             .previous = checker->last_thread};
            checker->thread_count++;
            checker->last_thread = at % checker->thread_max + 1;
            *entry = fresh;
            return entry;
        }
        if (entry->thread == thread && entry->process == process && entry->provider == provider)
            return entry;
    }
    return NULL;
}

struct fxt_check_thread *fxt_i_check_thread(struct fxt_i_walk *walk, struct fxt_thread_ref ref)
{
    struct fxt_checker *checker = walk->checker;
    struct fxt_thread_slot *slot = NULL;

    if (ref.ref != 0) {
        slot = fxt_i_thread_slot(fxt_i_provider(&checker->tables), ref.ref);
        if (slot == NULL)
            return NULL;
        if (slot->cookie != 0)
            return &checker->threads[slot->cookie - 1];
        ref.process = slot->process;
        ref.thread = slot->thread;
    }
    struct fxt_check_thread *entry =
        find_thread(checker, checker->tables.current, ref.process, ref.thread);
    if (entry == NULL)
        fxt_i_check_full(walk);
    else if (slot != NULL)
        slot->cookie = (uint32_t)(entry - checker->threads) + 1;
    return entry;
}

static struct fxt_check_open *find_open(struct fxt_checker *checker, bool flow, uint64_t process,
                                        uint64_t id, uint64_t offset)
{
    uint32_t at = fxt_i_hash(id, process, flow ? 1 : 0);

    for (uint32_t step = 0; step < PROBE_MAX && step < checker->open_max; step++, at++) {
        struct fxt_check_open *entry = &checker->opens[at % checker->open_max];
        if (entry->generation != checker->generation) {
            if (checker->open_count >= checker->open_max / 2)
                return NULL;
            struct fxt_check_open fresh = {.generation = checker->generation,
                                           .id = id,
                                           .process = process,
                                           .offset = offset,
                                           .earliest = UINT64_MAX,
                                           .earliest_begin = UINT64_MAX,
                                           .previous = checker->last_open,
                                           .flow = flow};
            checker->open_count++;
            checker->last_open = at % checker->open_max + 1;
            *entry = fresh;
            return entry;
        }
        if (entry->id == id && entry->process == process && entry->flow == flow)
            return entry;
    }
    return NULL;
}

static inline uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

void fxt_i_check_pair(struct fxt_i_walk *walk, uint8_t type, uint64_t ticks, uint64_t id,
                      uint64_t process)
{
    bool flow = type >= FXT_EVENT_FLOW_BEGIN;
    uint32_t begin = type == FXT_EVENT_ASYNC_BEGIN || type == FXT_EVENT_FLOW_BEGIN;
    uint32_t end = type == FXT_EVENT_ASYNC_END || type == FXT_EVENT_FLOW_END;
    uint64_t rate = fxt_i_provider(&walk->checker->tables)->ticks_per_second;
    uint64_t ns = rate == FXT_TICKS_PER_SECOND_DEFAULT ? ticks : fxt_ticks_to_ns(ticks, rate);
    struct fxt_check_open *entry =
        find_open(walk->checker, flow, flow ? 0 : process, id, walk->record->offset);

    if (entry == NULL) {
        fxt_i_check_full(walk);
        return;
    }
    if (entry->begins == UINT32_MAX || entry->ends == UINT32_MAX)
        return;
    entry->begins += begin;
    entry->ends += end;
    entry->earliest = smaller(entry->earliest, ns);
    entry->latest = larger(entry->latest, ns);
    entry->earliest_begin = smaller(entry->earliest_begin, begin > 0 ? ns : UINT64_MAX);
    entry->latest_end = larger(entry->latest_end, end > 0 ? ns : 0);
}

void fxt_i_check_open(struct fxt_i_walk *walk, const struct fxt_event *event,
                      const struct fxt_check_thread *thread)
{
    bool flow = event->event_type >= FXT_EVENT_FLOW_BEGIN;

    if (flow || thread != NULL)
        fxt_i_check_pair(walk, event->event_type, event->timestamp, event->value,
                         flow ? 0 : thread->process);
}
