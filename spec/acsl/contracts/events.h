/* The contracts of <fxt/events.h>. Fuzz targets check them (fuzz/contracts); they are not proved, and
   Frama-C does not read them. */
#ifndef FXT_ACSL_CONTRACTS_EVENTS_H
#define FXT_ACSL_CONTRACTS_EVENTS_H

/*@ // The tables, the state of the loop and the bytes of the trace overlap nowhere.
  @ predicate fxt_events_apart(struct fxt_events *e, struct fxt_tables *t, uint8_t *bytes,
  @                            integer size) =
  @   \valid(t) && fxt_tables_ok(t) && fxt_tables_apart(t, bytes, size) &&
  @   \separated(e, t) &&
  @   \separated(e, t->providers + (0 .. t->provider_max - 1)) &&
  @   \separated(e, t->provider_ids + (0 .. t->provider_max - 1)) &&
  @   \separated(e, t->objects + (0 .. t->object_max - 1)) &&
  @   \separated(e, t->arena + (0 .. t->arena_size - 1));
  @
  @ // Each record that is counted has a word at least, so the counts do not overflow.
  @ predicate fxt_events_ok(struct fxt_events *e) =
  @   fxt_reader_ok(&e->reader) && e->reader.final &&
  @   \separated(e, e->reader.bytes + (0 .. e->reader.size - 1)) &&
  @   8 * e->skipped <= e->reader.position && 8 * e->unregistered <= e->reader.position &&
  @   (e->tables != \null ==>
  @    fxt_events_apart(e, e->tables, e->reader.bytes, e->reader.size));
  @
  @ // The record is what the reader has passed last.
  @ predicate fxt_events_read(struct fxt_events *e) =
  @   fxt_record_framed(&e->record) && 8 * e->record.words <= e->reader.position &&
  @   e->record.bytes == e->reader.bytes + (e->reader.position - 8 * e->record.words);
  @ // The event is what the record says.
  @ predicate fxt_events_gives{R,O}(struct fxt_record *r, struct fxt_event *event) =
  @   formed_event{R}(r) && says_event{R,O}(r, event) &&
  @   fxt_args_ok{O}(\at(&event->args, O)) && \at(event->args.count, O) <= 15 &&
  @   \at(r->offset, R) < \at(event->args.offset, O) <= \at(r->offset + 8 * r->words, R);
  @
  @ // The event's arguments begin in the latest record, behind its header.
  @ predicate fxt_events_latest(struct fxt_events *e, struct fxt_event *event) =
  @   e->tables != \null &&
  @   e->record.offset < event->args.offset <= e->record.offset + 8 * e->record.words;
  @ logic integer fxt_events_rate(struct fxt_events *e) =
  @   e->tables->providers[e->tables->current].ticks_per_second;
  @*/

/*@ requires \valid(events);
  @ requires size <= 9223372036854775807;
  @ requires size > 0 ==> \valid_read(bytes + (0 .. size - 1));
  @ requires \separated(events, bytes + (0 .. size - 1));
  @ requires tables != \null ==> fxt_events_apart(events, tables, bytes, size);
  @ terminates \true;
  @ assigns *events;
  @ ensures ok: fxt_events_ok(events);
  @ ensures trace: events->reader.bytes == bytes && events->reader.size == size
  @         && events->tables == tables;
  @ ensures begin: events->reader.position == 0 && events->reader.base == 0
  @         && events->reader.passing == 0 && events->record.words == 0
  @         && events->skipped == 0 && events->unregistered == 0;
  @*/
void fxt_events_init(struct fxt_events *events, const uint8_t *bytes, uint64_t size, struct fxt_tables *tables);

/*@ requires \valid(events) && fxt_events_ok(events);
  @ requires \valid(event) && \valid(args + (0 .. 14));
  @ requires \separated(events, event, args + (0 .. 14));
  @ requires \separated(event, events->reader.bytes + (0 .. events->reader.size - 1));
  @ requires \separated(args + (0 .. 14), events->reader.bytes + (0 .. events->reader.size - 1));
  @ requires events->tables != \null ==> \separated(events->tables, event, args + (0 .. 14));
  @ terminates \true;
  @ assigns events->reader.position, events->reader.passing, events->record, events->error,
  @         events->skipped, events->unregistered, *event, args[0 .. 14],
  @         events->tables->generation, events->tables->epoch, events->tables->arena_used,
  @         events->tables->arena_garbage, events->tables->provider_count,
  @         events->tables->current, events->tables->object_count,
  @         events->tables->providers[0 .. events->tables->provider_max - 1],
  @         events->tables->provider_ids[0 .. events->tables->provider_max - 1],
  @         events->tables->objects[0 .. events->tables->object_max - 1],
  @         events->tables->arena[0 .. events->tables->arena_size - 1];
  @ ensures ok: fxt_events_ok(events);
  @ ensures trace: events->reader.bytes == \old(events->reader.bytes)
  @         && events->reader.size == \old(events->reader.size)
  @         && events->tables == \old(events->tables);
  @ ensures record: \result ==> fxt_events_read(events);
  @ ensures event: \result ==> fxt_events_gives{Here,Here}(&events->record, event);
  @ ensures end: !\result ==> events->record.words == 0
  @         && events->error.status \in {FXT_END, FXT_TRUNCATED, FXT_ZERO_SIZE, FXT_BYTE_ORDER};
  @ ensures all: !\result && events->error.status == FXT_END
  @         ==> events->reader.position == events->reader.size;
  @ ensures skipped: events->skipped >= \old(events->skipped);
  @*/
bool fxt_events_next(struct fxt_events *events, struct fxt_event *event, struct fxt_arg args[FXT_ARGS_MAX]);

/*@ requires \valid_read(events) && fxt_events_ok(events) && \valid_read(event);
  @ requires \valid(text) && readable(ref.bytes, l_inline_length(ref.ref));
  @ terminates \true;
  @ assigns *text;
  @ ensures latest: \result ==> \old(fxt_events_latest(events, event));
  @ ensures known: \old(fxt_events_latest(events, event)) ==>
  @         (\result <==> (1 <= ref.ref < 32768
  @                        ==> \old(fxt_string_known(events->tables, ref.ref))));
  @ ensures readable: \result ==> readable(text->bytes, text->size) && text->size <= 65535;
  @ ensures empty: \result && ref.ref == 0 ==> text->size == 0;
  @ ensures inline: \result && ref.ref >= 32768 ==> text->bytes == ref.bytes
  @         && text->size == ref.ref - 32768;
  @ ensures indexed: \result && 1 <= ref.ref < 32768
  @         ==> text->size == \old(fxt_string_slot(events->tables, ref.ref)->length);
  @ ensures place: \result && 1 <= ref.ref < 32768 && text->size > 0
  @         ==> text->bytes == \old(events->tables->arena
  @             + fxt_string_slot(events->tables, ref.ref)->offset);
  @ ensures kept: !\result ==> *text == \old(*text);
  @*/
bool fxt_events_string(const struct fxt_events *events, struct fxt_bytes *text, const struct fxt_event *event, struct fxt_string_ref ref);

/*@ requires \valid_read(events) && fxt_events_ok(events) && \valid_read(event);
  @ requires \valid(koids);
  @ terminates \true;
  @ assigns *koids;
  @ ensures latest: \result ==> \old(fxt_events_latest(events, event));
  @ ensures known: \old(fxt_events_latest(events, event)) ==>
  @         (\result <==> (\old(event->thread.ref) == 0 || (\old(event->thread.ref) <= 255
  @                        && \old(fxt_thread_known(events->tables, event->thread.ref)))));
  @ ensures inline: \result && \old(event->thread.ref) == 0 ==> *koids == \old(event->thread);
  @ ensures indexed: \result && \old(event->thread.ref) > 0 ==>
  @         koids->process
  @         == \old(fxt_thread_slot(events->tables, event->thread.ref)->process)
  @         && koids->thread
  @         == \old(fxt_thread_slot(events->tables, event->thread.ref)->thread);
  @ ensures kept: !\result ==> *koids == \old(*koids);
  @*/
bool fxt_events_thread(const struct fxt_events *events, struct fxt_thread_ref *koids, const struct fxt_event *event);

/*@ requires \valid_read(events) && fxt_events_ok(events) && \valid_read(event);
  @ requires \valid(ns);
  @ terminates \true;
  @ assigns *ns;
  @ ensures latest: \result <==> \old(fxt_events_latest(events, event));
  @ ensures never: \result && \old(fxt_events_rate(events)) == 0 ==> *ns == 18446744073709551615;
  @ ensures exact: \result && \old(fxt_events_rate(events)) > 0 && *ns < 18446744073709551615 ==>
  @         *ns * \old(fxt_events_rate(events)) <= \old(event->timestamp) * 1000000000
  @             < (*ns + 1) * \old(fxt_events_rate(events));
  @ ensures large: \result && \old(fxt_events_rate(events)) > 0 && *ns == 18446744073709551615 ==>
  @         *ns * \old(fxt_events_rate(events)) <= \old(event->timestamp) * 1000000000;
  @ ensures kept: !\result ==> *ns == \old(*ns);
  @*/
bool fxt_events_ns(const struct fxt_events *events, uint64_t *ns, const struct fxt_event *event);

#endif
