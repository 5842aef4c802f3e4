/* Pairing of begins and ends. Two open-addressed tables of the caller's, at most half full; a probe
   gives up after a fixed number of steps, so that chosen collisions cost memory and not time. An
   entry is live when its generation is the checker's; the live ones are chained by `previous`, so
   that going through them takes no longer than making them did. Numbers of entries count from 1. */
#include "src/check/pairs.h"

#define PROBE_MAX 128u

void fxt_i_check_full(struct fxt_i_walk *walk)
{
    if (!walk->checker->full)
        fxt_i_report(walk, FXT_RULE_LIM_01, walk->record->offset, 0);
    walk->checker->full = 1;
}

/* Takes the entry at `at` for a thread. Returns its number, or 0 when the table is half full. */
/*@ requires \valid(checker) && at < checker->thread_max;
  @ requires \valid(checker->threads + at) && \separated(checker, checker->threads + at);
  @ terminates \true;
  @ assigns checker->threads[at], checker->thread_count, checker->last_thread;
  @ ensures number: \result == 0 || \result == at + 1;
  @*/
static uint32_t add_thread(struct fxt_checker *checker, uint32_t at, uint32_t provider,
                           uint64_t process, uint64_t thread)
{
    if (checker->thread_count >= checker->thread_max / 2)
        return 0;
    struct fxt_check_thread fresh = {.generation = checker->generation,
                                     .process = process,
                                     .thread = thread,
                                     .provider = provider,
                                     .previous = checker->last_thread};
    checker->threads[at] = fresh;
    checker->thread_count++;
    checker->last_thread = at + 1;
    return at + 1;
}

/* The number of the thread's entry, or 0 when it is new and there is no room for it. */
/*@ requires \valid(checker) && (checker->thread_max > 0 ==>
  @          \valid(checker->threads + (0 .. checker->thread_max - 1)));
  @ requires \separated(checker, checker->threads + (0 .. checker->thread_max - 1));
  @ terminates \true;
  @ assigns checker->threads[0 .. checker->thread_max - 1], checker->thread_count,
  @         checker->last_thread;
  @ ensures inside: \result <= checker->thread_max;
  @*/
static uint32_t find_thread(struct fxt_checker *checker, uint32_t provider, uint64_t process,
                            uint64_t thread)
{
    uint32_t max = checker->thread_max;

    if (max == 0)
        return 0;
    uint32_t steps = max < PROBE_MAX ? max : PROBE_MAX;
    uint32_t at = fxt_i_hash(thread, process, provider) % max;
    /*@ loop invariant at < max && 0 <= step <= steps;
      @ loop assigns at, step;
      @ loop variant steps - step;
      @*/
    for (uint32_t step = 0; step < steps; step++) {
        const struct fxt_check_thread *entry = &checker->threads[at];
        if (entry->generation != checker->generation)
            return add_thread(checker, at, provider, process, thread);
        if (entry->thread == thread && entry->process == process && entry->provider == provider)
            return at + 1;
        at = at + 1 == max ? 0 : at + 1;
    }
    return 0;
}

uint32_t fxt_i_check_thread(struct fxt_i_walk *walk, struct fxt_thread_ref ref)
{
    struct fxt_checker *checker = walk->checker;
    struct fxt_thread_slot *slot = NULL;

    if (ref.ref != 0) {
        slot = fxt_i_thread_slot(fxt_i_provider(&checker->tables), ref.ref);
        if (slot == NULL)
            return 0;
        if (slot->cookie != 0 && slot->cookie <= checker->thread_max)
            return slot->cookie;
        ref.process = slot->process;
        ref.thread = slot->thread;
    }
    uint32_t number = find_thread(checker, checker->tables.current, ref.process, ref.thread);
    /*@ assert held: walk_ok(walk) && walk_kept{Pre,Here}(walk); */
    if (number == 0)
        fxt_i_check_full(walk);
    else if (slot != NULL)
        slot->cookie = number;
    return number;
}

/* As add_thread and find_thread, for asyncs and flows. */
/*@ requires \valid(checker) && at < checker->open_max;
  @ requires \valid(checker->opens + at) && \separated(checker, checker->opens + at);
  @ terminates \true;
  @ assigns checker->opens[at], checker->open_count, checker->last_open;
  @ ensures number: \result == 0 || \result == at + 1;
  @*/
static uint32_t add_open(struct fxt_checker *checker, uint32_t at, bool flow, uint64_t process,
                         uint64_t id, uint64_t offset)
{
    if (checker->open_count >= checker->open_max / 2)
        return 0;
    struct fxt_check_open fresh = {.generation = checker->generation,
                                   .id = id,
                                   .process = process,
                                   .offset = offset,
                                   .earliest = UINT64_MAX,
                                   .earliest_begin = UINT64_MAX,
                                   .previous = checker->last_open,
                                   .flow = flow};
    checker->opens[at] = fresh;
    checker->open_count++;
    checker->last_open = at + 1;
    return at + 1;
}

/*@ requires \valid(checker) && (checker->open_max > 0 ==>
  @          \valid(checker->opens + (0 .. checker->open_max - 1)));
  @ requires \separated(checker, checker->opens + (0 .. checker->open_max - 1));
  @ terminates \true;
  @ assigns checker->opens[0 .. checker->open_max - 1], checker->open_count, checker->last_open;
  @ ensures inside: \result <= checker->open_max;
  @*/
static uint32_t find_open(struct fxt_checker *checker, bool flow, uint64_t process, uint64_t id,
                          uint64_t offset)
{
    uint32_t max = checker->open_max;

    if (max == 0)
        return 0;
    uint32_t steps = max < PROBE_MAX ? max : PROBE_MAX;
    uint32_t at = fxt_i_hash(id, process, flow ? 1 : 0) % max;
    /*@ loop invariant at < max && 0 <= step <= steps;
      @ loop assigns at, step;
      @ loop variant steps - step;
      @*/
    for (uint32_t step = 0; step < steps; step++) {
        const struct fxt_check_open *entry = &checker->opens[at];
        if (entry->generation != checker->generation)
            return add_open(checker, at, flow, process, id, offset);
        if (entry->id == id && entry->process == process && entry->flow == flow)
            return at + 1;
        at = at + 1 == max ? 0 : at + 1;
    }
    return 0;
}

/*@ terminates \true; assigns \nothing; ensures \result == \min(a, b); @*/
static inline uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/*@ terminates \true; assigns \nothing; ensures \result == \max(a, b); @*/
static inline uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Counts an event of that type and time. */
/*@ requires \valid(entry);
  @ terminates \true;
  @ assigns *entry;
  @*/
static inline void count_event(struct fxt_check_open *entry, uint16_t type, uint64_t ns)
{
    uint32_t begin = type == FXT_EVENT_ASYNC_BEGIN || type == FXT_EVENT_FLOW_BEGIN;
    uint32_t end = type == FXT_EVENT_ASYNC_END || type == FXT_EVENT_FLOW_END;

    if (entry->begins == UINT32_MAX || entry->ends == UINT32_MAX)
        return;
    entry->begins += begin;
    entry->ends += end;
    entry->earliest = smaller(entry->earliest, ns);
    entry->latest = larger(entry->latest, ns);
    entry->earliest_begin = smaller(entry->earliest_begin, begin > 0 ? ns : UINT64_MAX);
    entry->latest_end = larger(entry->latest_end, end > 0 ? ns : 0);
}

/* Finds the async or flow of that process and id, and counts the event; false when there is no room
   for a new one. */
/*@ requires \valid(checker) && (checker->open_max > 0 ==>
  @          \valid(checker->opens + (0 .. checker->open_max - 1)));
  @ requires \separated(checker, checker->opens + (0 .. checker->open_max - 1));
  @ terminates \true;
  @ assigns checker->opens[0 .. checker->open_max - 1], checker->open_count, checker->last_open;
  @*/
static inline bool count_pair(struct fxt_checker *checker, uint16_t type, uint64_t ns, uint64_t id,
                              uint64_t process, uint64_t offset)
{
    bool flow = type >= FXT_EVENT_FLOW_BEGIN;
    uint32_t number = find_open(checker, flow, flow ? 0 : process, id, offset);

    /*@ assert same: checker->open_max == \at(checker->open_max, Pre); */
    if (number == 0)
        return false;
    count_event(&checker->opens[number - 1], type, ns);
    return true;
}

void fxt_i_check_pair(struct fxt_i_walk *walk, uint16_t type, uint64_t ticks, uint64_t id,
                      uint64_t process)
{
    struct fxt_checker *checker = walk->checker;
    uint64_t rate = fxt_i_provider(&checker->tables)->ticks_per_second;
    uint64_t ns =
        rate == FXT_TICKS_PER_SECOND_DEFAULT || rate == 0 ? ticks : fxt_ticks_to_ns(ticks, rate);
    bool room = count_pair(checker, type, ns, id, process, walk->record->offset);

    /*@ assert held: walk_ok(walk) && walk_kept{Pre,Here}(walk); */
    if (!room)
        fxt_i_check_full(walk);
}
