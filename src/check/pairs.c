/* Pairing of begins and ends, in two open-addressed tables that the caller provides. A probe gives
   up after a fixed number of steps, so hostile collisions cost memory, not time. An entry is live
   if its generation is the checker's. `previous` chains the live entries, so a walk over them takes
   no longer than their creation. Entries are numbered from 1.

   The table of threads and processors is at most half full. The table of asyncs and flows may be
   full: a matched async or flow stays while there is room, because more of its events may follow,
   and is overwritten if there is none. */
#include "src/check/pairs.h"

#define PROBE_MAX 128u

void fxt_i_check_full(struct fxt_i_walk *walk)
{
    if (!walk->checker->full)
        fxt_i_report(walk, FXT_RULE_LIM_01, walk->record->offset, 0);
    walk->checker->full = 1;
}

/* Takes the entry at `at` for a thread. Returns its number, or 0 if the table is half full. */
/*@ requires \valid(checker) && at < checker->thread_max;
  @ requires \valid(checker->threads + at) && \separated(checker, checker->threads + at);
  @ terminates \true;
  @ assigns checker->threads[at], checker->thread_count, checker->last_thread;
  @ ensures number: \result == 0 || \result == at + 1;
  @*/
static uint32_t add_thread(struct fxt_checker *checker, uint32_t at, uint64_t process,
                           uint64_t thread, bool processor)
{
    if (checker->thread_count >= checker->thread_max / 2)
        return 0;
    struct fxt_check_thread fresh = {.generation = checker->generation,
                                     .process = process,
                                     .thread = thread,
                                     .provider = checker->tables.current,
                                     .previous = checker->last_thread,
                                     .processor = processor};
    checker->threads[at] = fresh;
    checker->thread_count++;
    checker->last_thread = at + 1;
    return at + 1;
}

/* The number of the entry of the current provider's thread or processor, made if it is new. 0 if
   there is no room. */
/*@ requires \valid(checker) && (checker->thread_max > 0 ==>
  @          \valid(checker->threads + (0 .. checker->thread_max - 1)));
  @ requires \separated(checker, checker->threads + (0 .. checker->thread_max - 1));
  @ terminates \true;
  @ assigns checker->threads[0 .. checker->thread_max - 1], checker->thread_count,
  @         checker->last_thread;
  @ ensures inside: \result <= checker->thread_max;
  @*/
static uint32_t find_thread(struct fxt_checker *checker, uint64_t process, uint64_t thread,
                            bool processor)
{
    uint32_t max = checker->thread_max;
    uint32_t provider = checker->tables.current;

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
            return add_thread(checker, at, process, thread, processor);
        if (entry->thread == thread && entry->process == process && entry->provider == provider &&
            entry->processor == (processor ? 1u : 0u))
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
        slot = fxt_i_thread_slot(fxt_i_current_provider(&checker->tables), ref.ref);
        if (slot == NULL)
            return 0;
        if (slot->cookie != 0 && slot->cookie <= checker->thread_max)
            return slot->cookie;
        ref.process = slot->process;
        ref.thread = slot->thread;
    }
    uint32_t number = find_thread(checker, ref.process, ref.thread, false);
    /*@ assert held: walk_ok(walk) && walk_kept{Pre,Here}(walk); */
    if (number == 0)
        fxt_i_check_full(walk);
    else if (slot != NULL)
        slot->cookie = number;
    return number;
}

uint32_t fxt_i_check_processor(struct fxt_i_walk *walk, uint16_t number)
{
    uint32_t found = find_thread(walk->checker, 0, number, true);

    /*@ assert held: walk_ok(walk) && walk_kept{Pre,Here}(walk); */
    if (found == 0)
        fxt_i_check_full(walk);
    return found;
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

/* Initializes the entry for a new async or flow. If others were forgotten, this may be one of them
   that had begins and ends before. So the checker then judges only the counts, and events that are
   later than everything that was forgotten. */
/*@ requires \valid(open) && \valid_read(checker);
  @ terminates \true;
  @ assigns *open;
  @*/
static void start_open(const struct fxt_checker *checker, struct fxt_check_open *open,
                       uint32_t previous, bool flow, uint64_t process, uint64_t id, uint64_t offset)
{
    uint64_t earliest = checker->forgotten > 0 ? 0 : UINT64_MAX;
    struct fxt_check_open fresh = {.generation = checker->generation,
                                   .id = id,
                                   .process = process,
                                   .offset = offset,
                                   .earliest = earliest,
                                   .latest = checker->forgotten,
                                   .earliest_begin = earliest,
                                   .latest_end = checker->forgotten,
                                   .previous = previous,
                                   .flow = flow};
    *open = fresh;
}

/* Adds the entry at `at`, which is not live, to the chain. */
/*@ requires \valid(checker) && at < checker->open_max;
  @ requires \valid(checker->opens + at) && \separated(checker, checker->opens + at);
  @ terminates \true;
  @ assigns checker->opens[at], checker->open_count, checker->last_open;
  @ ensures number: \result == 0 || \result == at + 1;
  @*/
static uint32_t add_open(struct fxt_checker *checker, uint32_t at, bool flow, uint64_t process,
                         uint64_t id, uint64_t offset)
{
    if (checker->open_count >= checker->open_max)
        return 0;
    start_open(checker, &checker->opens[at], checker->last_open, flow, process, id, offset);
    checker->open_count++;
    checker->last_open = at + 1;
    return at + 1;
}

/* Whether the entry has nothing to report, so that it may be overwritten. */
/*@ requires \valid_read(open);
  @ terminates \true;
  @ assigns \nothing;
  @*/
static inline bool is_spare(const struct fxt_check_open *open)
{
    return fxt_i_is_matched(open) && !fxt_i_is_twice(open);
}

/* Overwrites the spare entry at `at`. */
/*@ requires \valid(checker) && at < checker->open_max;
  @ requires \valid(checker->opens + at) && \separated(checker, checker->opens + at);
  @ terminates \true;
  @ assigns checker->opens[at], checker->forgotten;
  @ ensures number: \result == at + 1;
  @*/
static uint32_t replace_open(struct fxt_checker *checker, uint32_t at, bool flow, uint64_t process,
                             uint64_t id, uint64_t offset)
{
    struct fxt_check_open *open = &checker->opens[at];
    uint64_t latest = larger(open->latest, 1);
    checker->forgotten = larger(checker->forgotten, latest);
    start_open(checker, open, open->previous, flow, process, id, offset);
    return at + 1;
}

/* The number of the entry of the async or flow, made if it is new. 0 if there is no room. */
/*@ requires \valid(checker) && (checker->open_max > 0 ==>
  @          \valid(checker->opens + (0 .. checker->open_max - 1)));
  @ requires \separated(checker, checker->opens + (0 .. checker->open_max - 1));
  @ terminates \true;
  @ assigns checker->opens[0 .. checker->open_max - 1], checker->open_count, checker->last_open,
  @         checker->forgotten;
  @ ensures inside: \result <= checker->open_max;
  @*/
static uint32_t find_open(struct fxt_checker *checker, bool flow, uint64_t process, uint64_t id,
                          uint64_t offset)
{
    uint32_t max = checker->open_max;
    uint32_t spare = max;

    if (max == 0)
        return 0;
    uint32_t steps = max < PROBE_MAX ? max : PROBE_MAX;
    uint32_t at = fxt_i_hash(id, process, flow ? 1 : 0) % max;
    /*@ loop invariant at < max && 0 <= step <= steps && spare <= max;
      @ loop assigns at, step, spare;
      @ loop variant steps - step;
      @*/
    for (uint32_t step = 0; step < steps; step++) {
        const struct fxt_check_open *entry = &checker->opens[at];
        if (entry->generation != checker->generation)
            return add_open(checker, at, flow, process, id, offset);
        if (entry->id == id && entry->process == process && entry->flow == flow)
            return at + 1;
        if (spare == max && is_spare(entry))
            spare = at;
        at = at + 1 == max ? 0 : at + 1;
    }
    return spare < max ? replace_open(checker, spare, flow, process, id, offset) : 0;
}

/* EVT-13: notes a begin that follows another begin in the trace, if no end at a time between the
   two has been seen. There is one note at a time. If such an end appears later in the trace, it
   removes the note. So every note at the end of the trace is true, but if events are out of order,
   some violations are missed. */
/*@ requires \valid(entry);
  @ terminates \true;
  @ assigns entry->twice, entry->twice_offset, entry->twice_from, entry->twice_to,
  @         entry->last_begin;
  @*/
static inline void note_begin(struct fxt_check_open *entry, uint64_t ns, uint64_t offset)
{
    uint64_t from = smaller(entry->last_begin, ns);

    if (entry->begins > entry->ends && !entry->twice &&
        (entry->latest_end < from || (entry->ends == 0 && entry->latest_end == 0))) {
        entry->twice = 1;
        entry->twice_offset = offset;
        entry->twice_from = from;
        entry->twice_to = larger(entry->last_begin, ns);
    }
    entry->last_begin = ns;
}

/*@ requires \valid(entry);
  @ terminates \true;
  @ assigns entry->twice;
  @*/
static inline void note_end(struct fxt_check_open *entry, uint64_t ns)
{
    if (entry->twice_from <= ns && ns <= entry->twice_to)
        entry->twice = 0;
}

/* Counts an event of that type at that time. */
/*@ requires \valid(entry);
  @ terminates \true;
  @ assigns *entry;
  @*/
static inline void count_event(struct fxt_check_open *entry, uint16_t type, uint64_t ns,
                               uint64_t offset)
{
    uint32_t begin = type == FXT_EVENT_ASYNC_BEGIN || type == FXT_EVENT_FLOW_BEGIN;
    uint32_t end = type == FXT_EVENT_ASYNC_END || type == FXT_EVENT_FLOW_END;

    if (entry->begins == UINT32_MAX || entry->ends == UINT32_MAX)
        return;
    if (begin > 0)
        note_begin(entry, ns, offset);
    if (end > 0)
        note_end(entry, ns);
    entry->begins += begin;
    entry->ends += end;
    entry->earliest = smaller(entry->earliest, ns);
    entry->latest = larger(entry->latest, ns);
    entry->earliest_begin = smaller(entry->earliest_begin, begin > 0 ? ns : UINT64_MAX);
    entry->latest_end = larger(entry->latest_end, end > 0 ? ns : 0);
}

/* Finds the async or flow with that process and id, and counts the event. False if it is new and
   there is no room. */
/*@ requires \valid(checker) && (checker->open_max > 0 ==>
  @          \valid(checker->opens + (0 .. checker->open_max - 1)));
  @ requires \separated(checker, checker->opens + (0 .. checker->open_max - 1));
  @ terminates \true;
  @ assigns checker->opens[0 .. checker->open_max - 1], checker->open_count, checker->last_open,
  @         checker->forgotten;
  @*/
static inline bool count_pair(struct fxt_checker *checker, uint16_t type, uint64_t ns, uint64_t id,
                              uint64_t process, uint64_t offset)
{
    bool flow = type >= FXT_EVENT_FLOW_BEGIN;
    uint32_t number = find_open(checker, flow, flow ? 0 : process, id, offset);

    /*@ assert same: checker->open_max == \at(checker->open_max, Pre); */
    if (number == 0)
        return false;
    count_event(&checker->opens[number - 1], type, ns, offset);
    return true;
}

void fxt_i_check_pair(struct fxt_i_walk *walk, uint16_t type, uint64_t ticks, uint64_t id,
                      uint64_t process)
{
    struct fxt_checker *checker = walk->checker;
    uint64_t rate = fxt_i_current_provider(&checker->tables)->ticks_per_second;
    uint64_t ns =
        rate == FXT_TICKS_PER_SECOND_DEFAULT || rate == 0 ? ticks : fxt_ticks_to_ns(ticks, rate);
    bool room = count_pair(checker, type, ns, id, process, walk->record->offset);

    /*@ assert held: walk_ok(walk) && walk_kept{Pre,Here}(walk); */
    if (!room)
        fxt_i_check_full(walk);
}
