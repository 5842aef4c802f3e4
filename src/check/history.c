/* EVT-11, EVT-12 and SCH-06 to SCH-08: see history.h. The state is struct fxt_check_thread. Its
   memory is fixed, so some violations are missed, but every report is true. */
#include "src/check/history.h"

#include "src/check/pairs.h"

bool fxt_i_crosses(const struct fxt_check_thread *thread, uint64_t begin, uint64_t end)
{
    if (end < begin)
        return false;
    /*@ loop invariant 0 <= i <= 4;
      @ loop assigns i;
      @ loop variant 4 - i;
      @*/
    for (uint32_t i = 0; i < FXT_COMPLETES_MAX; i++) {
        uint64_t from = thread->begins[i];
        uint64_t to = thread->ends[i];
        bool later = from < begin && begin < to && to < end;
        bool earlier = begin < from && from < end && end < to;
        if (i < thread->complete_count && (later || earlier))
            return true;
    }
    return false;
}

/* Keeps the last durations that the new one does not enclose, as far as there is room beside it.
   Returns their number. */
/*@ requires \valid(thread);
  @ terminates \true;
  @ assigns thread->begins[0 .. 3], thread->ends[0 .. 3];
  @ ensures room: \result <= 3;
  @*/
static uint32_t keep_outer(struct fxt_check_thread *thread, uint64_t begin, uint64_t end)
{
    uint32_t count =
        thread->complete_count < FXT_COMPLETES_MAX ? thread->complete_count : FXT_COMPLETES_MAX;
    uint32_t kept = 0;

    /*@ loop invariant 0 <= i <= count && kept <= i;
      @ loop assigns i, kept, thread->begins[0 .. 3], thread->ends[0 .. 3];
      @ loop variant count - i;
      @*/
    for (uint32_t i = 0; i < count; i++) {
        uint64_t from = thread->begins[i];
        uint64_t to = thread->ends[i];
        thread->begins[kept] = from;
        thread->ends[kept] = to;
        if (from < begin || end < to)
            kept++;
    }
    if (kept < FXT_COMPLETES_MAX)
        return kept;
    /*@ loop invariant 1 <= i <= 4;
      @ loop assigns i, thread->begins[0 .. 3], thread->ends[0 .. 3];
      @ loop variant 4 - i;
      @*/
    for (uint32_t i = 1; i < FXT_COMPLETES_MAX; i++) {
        thread->begins[i - 1] = thread->begins[i];
        thread->ends[i - 1] = thread->ends[i];
    }
    return FXT_COMPLETES_MAX - 1;
}

void fxt_i_note_complete(struct fxt_check_thread *thread, uint64_t begin, uint64_t end)
{
    if (end < begin)
        return;
    if (begin <= thread->flow_timestamp && thread->flow_timestamp <= end)
        thread->flow_outside = 0;
    if (thread->complete_count == 0 || thread->latest_end < end)
        thread->latest_end = end;
    uint32_t at = keep_outer(thread, begin, end);
    thread->begins[at] = begin;
    thread->ends[at] = end;
    thread->complete_count = at + 1;
}

/* Keeps the first such event. A flow event that is not later than the end of an earlier complete
   duration counts as inside. */
void fxt_i_note_flow(struct fxt_check_thread *thread, uint64_t offset, uint64_t timestamp,
                     uint64_t id)
{
    bool inside =
        thread->depth > 0 || (thread->complete_count > 0 && timestamp <= thread->latest_end);

    if (inside || thread->flow_outside)
        return;
    thread->flow_outside = 1;
    thread->flow_offset = offset;
    thread->flow_timestamp = timestamp;
    thread->flow_id = id;
}

/* Checks the order of switches on the processor of that number, and notes the running thread. */
/*@ requires walk_ok(walk) && walk->checker != \null && walk_notes(walk);
  @ requires 1 <= number <= walk->checker->thread_max;
  @ terminates \true; FXT_I_WALKS, walk->checker->threads[number - 1];
  @*/
static void switch_on(struct fxt_i_walk *walk, struct fxt_i_switch change, uint32_t number)
{
    struct fxt_check_thread *processor = &walk->checker->threads[number - 1];
    uint64_t offset = walk->record->offset;
    bool backwards = change.timestamp < processor->last_timestamp;
    bool other =
        processor->running_known && change.outgoing_known && processor->running != change.outgoing;

    processor->last_timestamp = change.timestamp;
    processor->running = change.incoming;
    processor->running_known = change.incoming_known && !backwards;
    /*@ assert ok: walk_ok(walk) && walk_kept{Pre,Here}(walk); */
    if (backwards)
        fxt_i_report(walk, FXT_RULE_SCH_06, offset + 8, change.timestamp);
    else if (other)
        fxt_i_report(walk, FXT_RULE_SCH_07, offset, change.outgoing);
}

void fxt_i_check_switch(struct fxt_i_walk *walk, struct fxt_i_switch change)
{
    bool known = change.outgoing_known && change.incoming_known;

    if (known && change.outgoing == change.incoming && change.incoming != 0)
        fxt_i_report(walk, FXT_RULE_SCH_08, walk->record->offset, change.outgoing);
    /*@ assert notes: walk_notes(walk); */
    uint32_t number = fxt_i_check_processor(walk, change.processor);
    /*@ assert still: walk_notes(walk); */
    if (number > 0)
        switch_on(walk, change, number);
}
