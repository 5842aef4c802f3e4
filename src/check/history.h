/* The history of threads and processors that some rules need: complete durations, flow events
   outside of durations, and the running thread. */
#ifndef FXT_CHECK_HISTORY_H
#define FXT_CHECK_HISTORY_H

#include "src/check/report.h"

/* EVT-12: whether the complete duration overlaps a noted one of the thread, and neither encloses
   the other. */
/*@ requires \valid_read(thread);
  @ terminates \true;
  @ assigns \nothing;
  @*/
bool fxt_i_crosses(const struct fxt_check_thread *thread, uint64_t begin, uint64_t end);

/* Notes a complete duration of the thread, unless it ends before it begins. */
/*@ requires \valid(thread);
  @ terminates \true;
  @ assigns thread->complete_count, thread->latest_end, thread->begins[0 .. 3],
  @         thread->ends[0 .. 3], thread->flow_outside;
  @*/
void fxt_i_note_complete(struct fxt_check_thread *thread, uint64_t begin, uint64_t end);

/* EVT-11: notes a flow event of the thread. */
/*@ requires \valid(thread);
  @ terminates \true;
  @ assigns thread->flow_outside, thread->flow_offset, thread->flow_timestamp, thread->flow_id;
  @*/
void fxt_i_note_flow(struct fxt_check_thread *thread, uint64_t offset, uint64_t timestamp,
                     uint64_t id);

/* A context switch, legacy or not. A thread is unknown if its ref is not registered. */
struct fxt_i_switch {
    uint64_t timestamp;
    uint64_t outgoing; /* thread koids */
    uint64_t incoming;
    uint16_t processor;
    uint16_t outgoing_known;
    uint16_t incoming_known;
};

/* SCH-06 to SCH-08. */
/*@ requires walk_ok(walk) && walk->checker != \null && walk_notes(walk);
  @ terminates \true; FXT_I_WALKS, walk->checker->full,
  @         walk->checker->thread_count, walk->checker->last_thread,
  @         walk->checker->threads[0 .. walk->checker->thread_max - 1];
  @*/
void fxt_i_check_switch(struct fxt_i_walk *walk, struct fxt_i_switch change);

#endif
