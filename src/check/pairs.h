/* The memory of the checker between events: threads with their open durations, and the begins and
   ends of asyncs and flows. */
#ifndef FXT_CHECK_PAIRS_H
#define FXT_CHECK_PAIRS_H

#include "src/check/report.h"

/*@ // How much memory there is stays as it is as long as the checker lives.
  @ predicate checker_kept{A,B}(struct fxt_checker *c) =
  @   \at(c->thread_max, A) == \at(c->thread_max, B) &&
  @   \at(c->open_max, A) == \at(c->open_max, B) &&
  @   \at(c->tables.provider_max, A) == \at(c->tables.provider_max, B) &&
  @   \at(c->tables.object_max, A) == \at(c->tables.object_max, B) &&
  @   \at(c->tables.arena_size, A) == \at(c->tables.arena_size, B);
  @
  @ // The same for what changes as it is used.
  @ predicate tables_kept{A,B}(struct fxt_tables *t) =
  @   \at(t->provider_count, A) == \at(t->provider_count, B) &&
  @   \at(t->current, A) == \at(t->current, B) &&
  @   \at(t->arena_used, A) == \at(t->arena_used, B) &&
  @   \at(t->arena_garbage, A) == \at(t->arena_garbage, B);
  @ predicate record_kept{A,B}(struct fxt_record *r) =
  @   \at(r->words, A) == \at(r->words, B) && \at(r->offset, A) == \at(r->offset, B);
  @
  @ // The walk is none of the memory of its checker.
  @ predicate walk_apart(struct fxt_i_walk *w, struct fxt_checker *c) =
  @   \separated(w, c) &&
  @   \separated(w, c->threads + (0 .. c->thread_max - 1)) &&
  @   \separated(w, c->opens + (0 .. c->open_max - 1)) &&
  @   \separated(w, c->tables.providers + (0 .. c->tables.provider_max - 1)) &&
  @   \separated(w, c->tables.provider_ids + (0 .. c->tables.provider_max - 1)) &&
  @   \separated(w, c->tables.objects + (0 .. c->tables.object_max - 1)) &&
  @   \separated(w, c->tables.arena + (0 .. c->tables.arena_size - 1));
  @ predicate checks(struct fxt_i_walk *w, struct fxt_checker *c, struct fxt_record *r) =
  @   \valid(w) && \valid(c) && \valid_read(r) && \separated(w, r) && walk_apart(w, c) &&
  @   fxt_checker_ok(c) && fxt_record_ok(r) && fxt_checker_apart(c, r);
  @*/

/* Returns the number, from 1, of the event's thread in checker->threads; 0 if its ref is not
   registered or the memory is full (LIM-01 is reported once). */
/*@ requires walk_ok(walk) && walk->checker != \null && walk_notes(walk);
  @ terminates \true;
  @ assigns FXT_I_REPORTS, walk->checker->full,
  @         walk->checker->thread_count, walk->checker->last_thread,
  @         walk->checker->threads[0 .. walk->checker->thread_max - 1],
  @         walk->checker->tables.providers[walk->checker->tables.current].threads[ref.ref].cookie;
  @ ensures inside: \result <= walk->checker->thread_max;
  @ ensures ok: walk_ok(walk) && walk_kept{Old,Here}(walk);
  @ ensures counts: walk->checker->finding_count == \old(walk->checker->finding_count) ||
  @                 walk->checker->finding_count ==
  @                 \min(\old(walk->checker->finding_count) + 1, UINT32_MAX);
  @*/
uint32_t fxt_i_check_thread(struct fxt_i_walk *walk, struct fxt_thread_ref ref);

/* The same for a processor of the current provider. */
/*@ requires walk_ok(walk) && walk->checker != \null && walk_notes(walk);
  @ terminates \true;
  @ assigns FXT_I_REPORTS, walk->checker->full,
  @         walk->checker->thread_count, walk->checker->last_thread,
  @         walk->checker->threads[0 .. walk->checker->thread_max - 1];
  @ ensures inside: \result <= walk->checker->thread_max;
  @ ensures ok: walk_ok(walk) && walk_kept{Old,Here}(walk);
  @*/
uint32_t fxt_i_check_processor(struct fxt_i_walk *walk, uint16_t number);

/* Counts an async or flow event, given its type, timestamp, correlation id and, for an async,
   process koid. */
/*@ requires walk_ok(walk) && walk->checker != \null && walk_notes(walk);
  @ terminates \true; FXT_I_WALKS, walk->checker->full,
  @         walk->checker->open_count, walk->checker->last_open, walk->checker->forgotten,
  @         walk->checker->opens[0 .. walk->checker->open_max - 1];
  @ ensures counts: walk->checker->finding_count == \old(walk->checker->finding_count) ||
  @                 walk->checker->finding_count ==
  @                 \min(\old(walk->checker->finding_count) + 1, UINT32_MAX);
  @*/
void fxt_i_check_pair(struct fxt_i_walk *walk, uint16_t type, uint64_t ticks, uint64_t id,
                      uint64_t process);

/* Whether an async or a flow has all of its begins and ends, in the right order. */
/*@ requires \valid_read(open);
  @ terminates \true;
  @ assigns \nothing;
  @*/
static inline bool fxt_i_is_matched(const struct fxt_check_open *open)
{
    return open->begins == open->ends && open->earliest == open->earliest_begin &&
           open->latest == open->latest_end;
}

/* EVT-13: whether two flows of the id were open at once. */
/*@ requires \valid_read(open);
  @ terminates \true;
  @ assigns \nothing;
  @*/
static inline bool fxt_i_is_twice(const struct fxt_check_open *open)
{
    return open->flow && open->twice;
}

/* Reports LIM-01, once. */
/*@ requires walk_ok(walk) && walk->checker != \null && walk_notes(walk);
  @ terminates \true; FXT_I_WALKS, walk->checker->full;
  @ ensures once: walk->checker->finding_count ==
  @               (\old(walk->checker->full) != 0 ? \old(walk->checker->finding_count) :
  @                \min(\old(walk->checker->finding_count) + 1, UINT32_MAX));
  @ ensures full: walk->checker->full == 1;
  @*/
void fxt_i_check_full(struct fxt_i_walk *walk);

#endif
