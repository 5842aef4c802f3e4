/* The rules of events, including those about several records: durations of a thread, asyncs, flows
   and the order of timestamps. The state is in struct fxt_checker (threads, opens). */
#include "src/check/history.h"
#include "src/check/pairs.h"
#include "src/check/walk.h"
#include "src/wire/layout.h"

/* The type of an argument, and the following arguments. */
struct next_type {
    struct fxt_args rest;
    uint16_t type;
    uint16_t is_one;
};

/*@ requires args.offset + 8 * args.words <= 18446744073709551615;
  @ requires readable(args.bytes, 8 * args.words);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures less: \result.is_one != 0 ==> args.count > 0
  @         && \result.rest.count == args.count - 1;
  @ ensures rest: \result.is_one != 0 ==>
  @         \result.rest.offset + 8 * \result.rest.words <= 18446744073709551615
  @         && readable(\result.rest.bytes, 8 * \result.rest.words);
  @*/
static struct next_type next_type(struct fxt_args args)
{
    struct fxt_args rest = args;
    struct fxt_arg arg;
    struct fxt_error error;
    enum fxt_status status = fxt_args_next(&rest, &arg, &error);
    struct next_type it = {rest, arg.type, status == FXT_OK};

    return it;
}

/* EVT-09: numeric arguments, at least one. */
/*@ requires walk_ok(walk);
  @ requires args.offset + 8 * args.words <= 18446744073709551615;
  @ requires readable(args.bytes, 8 * args.words);
  @ terminates \true; FXT_I_WALKS;
  @*/
static void walk_counter(struct fxt_i_walk *walk, struct fxt_args args)
{
    if (args.count == 0)
        fxt_i_report(walk, FXT_RULE_EVT_09, walk->record->offset, 0);
    /*@ loop invariant walk: walk_ok(walk) && walk_kept{Pre,Here}(walk);
      @ loop invariant args: args.offset + 8 * args.words <= 18446744073709551615;
      @ loop invariant bytes: readable(args.bytes, 8 * args.words);
      @ loop assigns args, FXT_I_REPORTS;
      @ loop variant args.count;
      @*/
    for (;;) {
        struct next_type it = next_type(args);
        if (!it.is_one)
            return;
        if (it.type < FXT_ARG_INT32 || it.type > FXT_ARG_DOUBLE)
            fxt_i_report(walk, FXT_RULE_EVT_09, args.offset, it.type);
        args = it.rest;
    }
}

/* EVT-04: an end without a begin. Earlier flow events are inside the duration that it ends. */
/*@ requires walk_ok(walk) && walk->checker != \null && walk_notes(walk);
  @ requires 1 <= number <= walk->checker->thread_max;
  @ terminates \true; FXT_I_WALKS, walk->checker->threads[number - 1].flow_outside;
  @*/
static void lonely_end(struct fxt_i_walk *walk, uint32_t number)
{
    walk->checker->threads[number - 1].flow_outside = 0;
    /*@ assert ok: walk_ok(walk) && walk_kept{Pre,Here}(walk); */
    fxt_i_report(walk, FXT_RULE_EVT_04, walk->record->offset, 0);
}

/* EVT-12: checks a complete duration of the thread of that number. */
/*@ requires walk_ok(walk) && walk->checker != \null && walk_notes(walk);
  @ requires 1 <= number <= walk->checker->thread_max;
  @ terminates \true; FXT_I_WALKS, walk->checker->threads[number - 1];
  @*/
static void complete(struct fxt_i_walk *walk, uint64_t begin, uint64_t end, uint32_t number)
{
    struct fxt_check_thread *thread = &walk->checker->threads[number - 1];
    bool crosses = fxt_i_crosses(thread, begin, end);

    fxt_i_note_complete(thread, begin, end);
    /*@ assert ok: walk_ok(walk) && walk_kept{Pre,Here}(walk); */
    if (crosses)
        fxt_i_report(walk, FXT_RULE_EVT_12, walk->record->offset, end);
}

/* EVT-11: notes a flow event of the thread of that number. */
/*@ requires walk_ok(walk) && walk->checker != \null && walk_notes(walk);
  @ requires 1 <= number <= walk->checker->thread_max;
  @ terminates \true;
  @ assigns walk->checker->threads[number - 1];
  @ ensures ok: walk_ok(walk) && walk_kept{Old,Here}(walk);
  @*/
static void flow(struct fxt_i_walk *walk, uint64_t timestamp, uint64_t id, uint32_t number)
{
    fxt_i_note_flow(&walk->checker->threads[number - 1], walk->record->offset, timestamp, id);
}

/* EVT-04: updates the depth of the thread of that number. */
/*@ requires walk_ok(walk) && walk->checker != \null && walk_notes(walk);
  @ requires 1 <= number <= walk->checker->thread_max;
  @ terminates \true; FXT_I_WALKS, walk->checker->threads[number - 1];
  @*/
static void begin_or_end(struct fxt_i_walk *walk, bool begin, uint32_t number)
{
    struct fxt_check_thread *thread = &walk->checker->threads[number - 1];

    if (begin) {
        if (thread->depth == 0)
            thread->begin_offset = walk->record->offset;
        if (thread->depth < UINT32_MAX)
            thread->depth++;
    } else if (thread->depth > 0) {
        thread->depth--;
    } else if (!walk->checker->full) {
        lonely_end(walk, number);
    }
}

/* EVT-08: checks the order of timestamps of the thread of that number. */
/*@ requires walk_ok(walk) && walk->checker != \null && walk_notes(walk);
  @ requires 1 <= number <= walk->checker->thread_max;
  @ terminates \true; FXT_I_WALKS, walk->checker->threads[number - 1].last_timestamp;
  @*/
static void take_time(struct fxt_i_walk *walk, uint64_t timestamp, uint32_t number)
{
    struct fxt_check_thread *thread = &walk->checker->threads[number - 1];
    bool backwards = timestamp < thread->last_timestamp;

    thread->last_timestamp = timestamp;
    /*@ assert ok: walk_ok(walk) && walk_kept{Pre,Here}(walk); */
    if (backwards)
        fxt_i_report(walk, FXT_RULE_EVT_08, walk->record->offset + 8, timestamp);
}

/* Checks the event with the state of the thread of that number. */
/*@ requires walk_ok(walk) && walk->checker != \null && walk_notes(walk);
  @ requires 1 <= number <= walk->checker->thread_max;
  @ terminates \true; FXT_I_WALKS, walk->checker->threads[number - 1];
  @*/
static void walk_on_thread(struct fxt_i_walk *walk, uint16_t type, uint64_t timestamp,
                           uint64_t value, uint32_t number)
{
    if (type == FXT_EVENT_DURATION_COMPLETE) {
        complete(walk, timestamp, value, number);
        return;
    }
    take_time(walk, timestamp, number);
    /*@ assert notes: walk_notes(walk) && walk->checker == \at(walk->checker, Pre); */
    if (type == FXT_EVENT_DURATION_BEGIN || type == FXT_EVENT_DURATION_END)
        begin_or_end(walk, type == FXT_EVENT_DURATION_BEGIN, number);
    else if (type >= FXT_EVENT_FLOW_BEGIN && type <= FXT_EVENT_FLOW_END)
        flow(walk, timestamp, value, number);
}

/* What the walk needs of an event; no more, so that it stays in registers. */
struct told {
    struct fxt_thread_ref thread;
    struct fxt_string_ref category;
    struct fxt_string_ref name;
    struct fxt_args args;
    struct fxt_tail tail;
    struct fxt_error error;
    uint64_t timestamp;
    uint64_t value;
    uint16_t event_type;
    uint16_t has_scope;
    enum fxt_status status;
};

/* Checks the rules that involve several records. */
/*@ requires walk_ok(walk) && walk->checker != \null && walk_notes(walk);
  @ requires event.thread.ref <= 255;
  @ terminates \true; FXT_I_WALKS, FXT_I_NOTES;
  @*/
static void walk_in_trace(struct fxt_i_walk *walk, struct told event)
{
    bool pair = event.event_type >= FXT_EVENT_ASYNC_BEGIN && event.event_type <= FXT_EVENT_FLOW_END;
    bool flow = event.event_type >= FXT_EVENT_FLOW_BEGIN;
    uint32_t number = fxt_i_check_thread(walk, event.thread);

    /*@ assert notes: walk_notes(walk); */
    if (pair && (flow || number > 0))
        fxt_i_check_pair(walk, event.event_type, event.timestamp, event.value,
                         flow ? 0 : walk->checker->threads[number - 1].process);
    /*@ assert still: walk_notes(walk); */
    if (number > 0)
        walk_on_thread(walk, event.event_type, event.timestamp, event.value, number);
}

/* For the annotations: the header, and the word after the arguments. */
#define EVENT_HEADER \at(record->header, Pre)
#define EVENT_END l_event_end{Pre}(record)

/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures thread: \result.status == FXT_OK ==> \result.thread.ref <= 255;
  @ ensures category: \result.status == FXT_OK ==>
  @         in_record{Old}(record, \result.category.bytes,
  @                        8 * l_string_words(\result.category.ref));
  @ ensures name: \result.status == FXT_OK ==>
  @         in_record{Old}(record, \result.name.bytes,
  @                        8 * l_string_words(\result.name.ref));
  @ ensures args: \result.status == FXT_OK ==>
  @         args_inside{Old}(record, \result.args.bytes, \result.args.offset,
  @                          \result.args.words, \result.args.count);
  @ ensures tail: \result.status == FXT_OK ==>
  @         in_record{Old}(record, \result.tail.bytes, 8 * \result.tail.words);
  @*/
static struct told decode_event(const struct fxt_record *record)
{
    struct fxt_event event;
    struct fxt_error error;
    enum fxt_status status = fxt_read_event(record, &event, &error);
    struct told it = {event.thread,     event.category,  event.name,      event.args,
                      event.tail,       error,           event.timestamp, event.value,
                      event.event_type, event.has_scope, status};

    /*@ assert says: status == FXT_OK ==>
      @   says_event_upto{Pre,Here}(record, &event, EVENT_END); */
    /*@ assert says_behind: status == FXT_OK ==>
      @   says_event_behind{Pre,Here}(record, &event, EVENT_END,
      @     l_event_has_scope(it.event_type, \at(record->words, Pre) - EVENT_END)); */
    /*@ assert says_category: status == FXT_OK ==>
      @   says_string(it.category.bytes, it.category.ref, \at(record->bytes, Pre),
      @               l_event_category(EVENT_HEADER), l_event_header_category(EVENT_HEADER)); */
    /*@ assert says_name: status == FXT_OK ==>
      @   says_string(it.name.bytes, it.name.ref, \at(record->bytes, Pre),
      @               l_event_name(EVENT_HEADER), l_event_header_name(EVENT_HEADER)); */
    /*@ assert category: 2 <= l_event_category(EVENT_HEADER)
      @   && l_event_category(EVENT_HEADER)
      @      + l_string_words(l_event_header_category(EVENT_HEADER))
      @      == l_event_name(EVENT_HEADER); */
    /*@ assert name: l_event_category(EVENT_HEADER) <= l_event_name(EVENT_HEADER)
      @   && l_event_name(EVENT_HEADER) + l_string_words(l_event_header_name(EVENT_HEADER))
      @      == l_event_args(EVENT_HEADER); */
    /*@ assert args: l_event_name(EVENT_HEADER) <= l_event_args(EVENT_HEADER); */
    /*@ assert args_bytes: status == FXT_OK ==>
      @   it.args.bytes == \at(record->bytes, Pre) + 8 * l_event_args(EVENT_HEADER); */
    /*@ assert args_words: status == FXT_OK ==>
      @   l_event_args(EVENT_HEADER) + it.args.words == EVENT_END; */
    /*@ assert left: status == FXT_OK ==> EVENT_END + it.tail.words <= \at(record->words, Pre); */
    /*@ assert behind: status == FXT_OK && it.tail.words > 0 ==>
      @   it.tail.bytes == \at(record->bytes, Pre)
      @                    + 8 * (\at(record->words, Pre) - it.tail.words); */
    /*@ assert place: status == FXT_OK ==>
      @   in_record{Pre}(record, it.args.bytes, 8 * it.args.words); */
    /*@ assert there: status == FXT_OK ==> readable{Pre}(it.args.bytes, 8 * it.args.words); */
    /*@ assert count: status == FXT_OK ==> it.args.count <= 15
      @   && it.args.offset + 8 * it.args.words <= 18446744073709551615; */
    return it;
}

/* EVT-10: checks the word after the arguments of an instant event, at `offset`. In edition 2020 it
   is a tail if it is no scope. */
/*@ requires walk_ok(walk);
  @ requires in_record(walk->record, event.tail.bytes, 8 * event.tail.words);
  @ terminates \true; FXT_I_WALKS;
  @*/
static void walk_scope(struct fxt_i_walk *walk, struct told event, uint64_t offset)
{
    bool scope = !event.has_scope || event.value <= FXT_SCOPE_GLOBAL;
    if (!scope && walk->checker != NULL && walk->checker->edition == FXT_EDITION_2020) {
        fxt_i_report(walk, FXT_RULE_REC_08, offset, UINT64_C(1) + event.tail.words);
        return;
    }
    if (!scope)
        fxt_i_report(walk, FXT_RULE_EVT_10, offset, event.value);
    fxt_i_walk_tail(walk, event.tail);
}

/* Checks what depends on the type of the event. */
/*@ requires walk_ok(walk);
  @ requires args_inside(walk->record, event.args.bytes, event.args.offset, event.args.words,
  @                      event.args.count);
  @ requires in_record(walk->record, event.tail.bytes, 8 * event.tail.words);
  @ terminates \true; FXT_I_WALKS;
  @*/
static void walk_by_type(struct fxt_i_walk *walk, struct told event)
{
    uint64_t behind = event.args.offset + UINT64_C(8) * event.args.words;

    if (event.event_type == FXT_EVENT_INSTANT)
        walk_scope(walk, event, behind);
    else
        fxt_i_walk_tail(walk, event.tail);
    if (event.event_type == FXT_EVENT_COUNTER)
        walk_counter(walk, event.args);
    else if (event.event_type == FXT_EVENT_DURATION_COMPLETE && event.value < event.timestamp)
        fxt_i_report(walk, FXT_RULE_EVT_05, behind, event.value);
}

/* Checks what every event has. */
/*@ requires walk_ok(walk);
  @ requires in_record(walk->record, event.category.bytes, 8 * l_string_words(event.category.ref));
  @ requires in_record(walk->record, event.name.bytes, 8 * l_string_words(event.name.ref));
  @ requires args_inside(walk->record, event.args.bytes, event.args.offset, event.args.words,
  @                      event.args.count);
  @ terminates \true; FXT_I_WALKS, walk->checker->may_compare;
  @*/
static void walk_parts(struct fxt_i_walk *walk, struct told event)
{
    uint64_t offset = walk->record->offset;

    fxt_i_walk_string(walk, event.category, offset);
    fxt_i_walk_string(walk, event.name, offset);
    fxt_i_walk_thread(walk, event.thread.ref, offset);
    if (event.args.count > 0)
        fxt_i_walk_args(walk, event.args);
}

void fxt_i_walk_event(struct fxt_i_walk *walk)
{
    struct told it = decode_event(walk->record);

    if (it.status != FXT_OK) {
        fxt_i_report(walk, it.error.rule, it.error.offset, 0);
        return;
    }
    walk_parts(walk, it);
    /*@ assert current: walk->checker != \null ==>
      @   walk->checker->tables.current == \at(walk->checker->tables.current, Pre); */
    if (it.event_type > FXT_EVENT_FLOW_END) {
        fxt_i_report(walk, FXT_RULE_EVT_02, walk->record->offset, it.event_type);
        return;
    }
    walk_by_type(walk, it);
    /*@ assert still: walk->checker != \null ==>
      @   walk->checker->tables.current == \at(walk->checker->tables.current, Pre); */
    /*@ assert sizes: walk->checker != \null ==>
      @   walk->checker->thread_max == \at(walk->checker->thread_max, Pre)
      @   && walk->checker->open_max == \at(walk->checker->open_max, Pre); */
    if (walk->checker != NULL && !walk->checker->lost) {
        /*@ assert notes: walk_notes(walk); */
        walk_in_trace(walk, it);
    }
}
