/* The rules of events, those over several records too: durations per thread, asyncs, flows and
   the order of timestamps. The state is in struct fxt_checker (threads, opens). */
#include "src/check/pairs.h"
#include "src/check/walk.h"
#include "src/wire/layout.h"

/* EVT-09: numeric arguments, at least one. */
/*@ requires walk_ok(walk) && fxt_args_ok(&args);
  @ requires in_record(walk->record, args.bytes, 8 * args.words);
  @ terminates \true;
  @ assigns FXT_I_REPORTS;
  @ ensures ok: walk_ok(walk) && walk_kept{Old,Here}(walk);
  @*/
static void walk_counter(struct fxt_i_walk *walk, struct fxt_args args)
{
    struct fxt_error error;
    struct fxt_arg arg;

    if (args.count == 0)
        fxt_i_report(walk, FXT_RULE_EVT_09, walk->record->offset, 0);
    /*@ loop invariant walk_ok(walk) && fxt_args_ok(&args);
      @ loop invariant kept: walk_kept{Pre,Here}(walk);
      @ loop assigns args, arg, error, FXT_I_REPORTS;
      @ loop variant args.count;
      @*/
    for (;;) {
        uint64_t offset = args.offset;
        if (fxt_args_next(&args, &arg, &error) != FXT_OK)
            return;
        if (arg.type < FXT_ARG_INT32 || arg.type > FXT_ARG_DOUBLE)
            fxt_i_report(walk, FXT_RULE_EVT_09, offset, arg.type);
    }
}

/* The order of timestamps and the depth of the thread of that number. */
/*@ requires walk_ok(walk) && walk->checker != \null && walk_notes(walk);
  @ requires \valid_read(event) && 1 <= number <= walk->checker->thread_max;
  @ terminates \true;
  @ assigns FXT_I_REPORTS, walk->checker->threads[number - 1];
  @ ensures ok: walk_ok(walk) && walk_kept{Old,Here}(walk);
  @*/
static void walk_on_thread(struct fxt_i_walk *walk, const struct fxt_event *event, uint32_t number)
{
    struct fxt_check_thread *thread = &walk->checker->threads[number - 1];
    uint64_t offset = walk->record->offset;
    uint64_t timestamp = event->timestamp;
    uint16_t type = event->event_type;

    if (type != FXT_EVENT_DURATION_COMPLETE) {
        if (timestamp < thread->last_timestamp)
            fxt_i_report(walk, FXT_RULE_EVT_08, offset + 8, timestamp);
        thread->last_timestamp = timestamp;
    }
    if (type == FXT_EVENT_DURATION_BEGIN) {
        if (thread->depth == 0)
            thread->begin_offset = offset;
        if (thread->depth < UINT32_MAX)
            thread->depth++;
    } else if (type == FXT_EVENT_DURATION_END) {
        if (thread->depth > 0)
            thread->depth--;
        else if (!walk->checker->full)
            fxt_i_report(walk, FXT_RULE_EVT_04, offset, 0);
    }
}

/* What only the trace as a whole can tell. */
/*@ requires walk_ok(walk) && walk->checker != \null && walk_notes(walk);
  @ requires \valid_read(event);
  @ terminates \true;
  @ assigns FXT_I_REPORTS, FXT_I_NOTES;
  @ ensures ok: walk_ok(walk) && walk_kept{Old,Here}(walk);
  @*/
static void walk_in_trace(struct fxt_i_walk *walk, const struct fxt_event *event)
{
    bool pair =
        event->event_type >= FXT_EVENT_ASYNC_BEGIN && event->event_type <= FXT_EVENT_FLOW_END;
    bool flow = event->event_type >= FXT_EVENT_FLOW_BEGIN;
    uint32_t number = fxt_i_check_thread(walk, event->thread);

    if (pair && (flow || number > 0))
        fxt_i_check_pair(walk, event->event_type, event->timestamp, event->value,
                         flow ? 0 : walk->checker->threads[number - 1].process);
    if (number > 0)
        walk_on_thread(walk, event, number);
}

/* Where the word that belongs to the event's type is. */
/*@ requires \valid_read(event) && fxt_args_ok(&event->args);
  @ terminates \true;
  @ assigns \nothing;
  @*/
static uint64_t behind_args(const struct fxt_event *event)
{
    return event->args.offset + UINT64_C(8) * event->args.words;
}

/* EVT-10: the word behind the arguments of an instant event, in edition 2020 a tail when it is no
   scope. */
/*@ requires walk_ok(walk) && \valid_read(event) && fxt_args_ok(&event->args);
  @ requires in_record(walk->record, event->tail.bytes, 8 * event->tail.words);
  @ requires \separated(walk, event) && (walk->checker == \null || \separated(walk->checker, event));
  @ terminates \true;
  @ assigns FXT_I_REPORTS;
  @ ensures ok: walk_ok(walk) && walk_kept{Old,Here}(walk);
  @*/
static void walk_scope(struct fxt_i_walk *walk, const struct fxt_event *event)
{
    bool scope = !event->has_scope || event->value <= FXT_SCOPE_GLOBAL;
    if (!scope && walk->checker != NULL && walk->checker->edition == FXT_EDITION_2020) {
        fxt_i_report(walk, FXT_RULE_REC_08, behind_args(event), UINT64_C(1) + event->tail.words);
        return;
    }
    if (!scope)
        fxt_i_report(walk, FXT_RULE_EVT_10, behind_args(event), event->value);
    fxt_i_walk_tail(walk, event->tail);
}

void fxt_i_walk_event(struct fxt_i_walk *walk)
{
    const struct fxt_record *record = walk->record;
    struct fxt_event event;
    struct fxt_error error;

    if (fxt_read_event(record, &event, &error) != FXT_OK) {
        fxt_i_report(walk, error.rule, error.offset, 0);
        return;
    }
    fxt_i_walk_string(walk, event.category, record->offset);
    fxt_i_walk_string(walk, event.name, record->offset);
    fxt_i_walk_thread(walk, event.thread.ref, record->offset);
    if (event.args.count > 0)
        fxt_i_walk_args(walk, event.args);
    if (event.event_type > FXT_EVENT_FLOW_END) {
        fxt_i_report(walk, FXT_RULE_EVT_02, record->offset, event.event_type);
        return;
    }
    if (event.event_type == FXT_EVENT_INSTANT)
        walk_scope(walk, &event);
    else
        fxt_i_walk_tail(walk, event.tail);
    if (event.event_type == FXT_EVENT_COUNTER)
        walk_counter(walk, event.args);
    else if (event.event_type == FXT_EVENT_DURATION_COMPLETE && event.value < event.timestamp)
        fxt_i_report(walk, FXT_RULE_EVT_05, behind_args(&event), event.value);
    if (walk->checker != NULL && !walk->checker->lost)
        walk_in_trace(walk, &event);
}
