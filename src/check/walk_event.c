/* The rules of events, those over several records too: durations per thread, asyncs, flows and
   the order of timestamps. The state is in struct fxt_checker (threads, opens). */
#include "src/check/pairs.h"
#include "src/check/walk.h"
#include "src/wire/layout.h"

/* EVT-09: numeric arguments, at least one. */
static void walk_counter(struct fxt_i_walk *walk, struct fxt_args args)
{
    struct fxt_error error;
    struct fxt_arg arg;

    if (args.count == 0)
        fxt_i_report(walk, FXT_RULE_EVT_09, walk->record->offset, 0);
    for (;;) {
        uint64_t offset = args.offset;
        if (fxt_args_next(&args, &arg, &error) != FXT_OK)
            return;
        if (arg.type < FXT_ARG_INT32 || arg.type > FXT_ARG_DOUBLE)
            fxt_i_report(walk, FXT_RULE_EVT_09, offset, arg.type);
    }
}

/* What only the trace as a whole can tell. */
static void walk_in_trace(struct fxt_i_walk *walk, const struct fxt_event *event)
{
    struct fxt_checker *checker = walk->checker;
    uint64_t offset = walk->record->offset;
    struct fxt_check_thread *thread = fxt_i_check_thread(walk, event->thread);

    if (event->event_type >= FXT_EVENT_ASYNC_BEGIN && event->event_type <= FXT_EVENT_FLOW_END)
        fxt_i_check_open(walk, event, thread);
    if (thread == NULL)
        return;
    if (event->event_type != FXT_EVENT_DURATION_COMPLETE) {
        if (event->timestamp < thread->last_timestamp)
            fxt_i_report(walk, FXT_RULE_EVT_08, offset + 8, event->timestamp);
        thread->last_timestamp = event->timestamp;
    }
    if (event->event_type == FXT_EVENT_DURATION_BEGIN) {
        if (thread->depth == 0)
            thread->begin_offset = offset;
        thread->depth += thread->depth < UINT32_MAX ? 1 : 0;
    } else if (event->event_type == FXT_EVENT_DURATION_END) {
        if (thread->depth > 0)
            thread->depth--;
        else if (!checker->full)
            fxt_i_report(walk, FXT_RULE_EVT_04, offset, 0);
    }
}

/* Where the word that belongs to the event's type is. */
static uint64_t behind_args(const struct fxt_event *event)
{
    return event->args.offset + UINT64_C(8) * event->args.words;
}

/* EVT-10: the word behind the arguments of an instant event, in edition 2020 a tail when it is no
   scope. */
static void walk_scope(struct fxt_i_walk *walk, const struct fxt_event *event)
{
    bool scope = !event->has_scope || event->value <= FXT_SCOPE_GLOBAL;
    if (!scope && walk->checker != NULL && walk->checker->edition == FXT_EDITION_2020) {
        fxt_i_report(walk, FXT_RULE_REC_08, behind_args(event), 1 + event->tail.words);
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
