/* What the checker remembers between events: threads with their open durations, and the begins
   and ends of asyncs and flows. */
#ifndef FXT_CHECK_PAIRS_H
#define FXT_CHECK_PAIRS_H

#include "src/check/walk.h"

/* The state of the thread that the event belongs to: its number from 1 in checker->threads; 0 when
   its ref is not registered or the memory is used up (LIM-01 is reported once). */
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

/* Counts an async or flow event: its type, its timestamp, its correlation id and the process koid
   of an async. */
/*@ requires walk_ok(walk) && walk->checker != \null && walk_notes(walk);
  @ terminates \true;
  @ assigns FXT_I_REPORTS, walk->checker->full,
  @         walk->checker->open_count, walk->checker->last_open,
  @         walk->checker->opens[0 .. walk->checker->open_max - 1];
  @ ensures ok: walk_ok(walk) && walk_kept{Old,Here}(walk);
  @ ensures counts: walk->checker->finding_count == \old(walk->checker->finding_count) ||
  @                 walk->checker->finding_count ==
  @                 \min(\old(walk->checker->finding_count) + 1, UINT32_MAX);
  @*/
void fxt_i_check_pair(struct fxt_i_walk *walk, uint16_t type, uint64_t ticks, uint64_t id,
                      uint64_t process);

/* LIM-01, once. */
/*@ requires walk_ok(walk) && walk->checker != \null && walk_notes(walk);
  @ terminates \true;
  @ assigns FXT_I_REPORTS, walk->checker->full;
  @ ensures ok: walk_ok(walk) && walk_kept{Old,Here}(walk);
  @ ensures once: walk->checker->finding_count ==
  @               (\old(walk->checker->full) != 0 ? \old(walk->checker->finding_count) :
  @                \min(\old(walk->checker->finding_count) + 1, UINT32_MAX));
  @ ensures full: walk->checker->full == 1;
  @*/
void fxt_i_check_full(struct fxt_i_walk *walk);

#endif
