/* The contracts of <fxt/tables.h>. Only Frama-C reads this. */
#ifndef FXT_ACSL_CONTRACTS_TABLES_H
#define FXT_ACSL_CONTRACTS_TABLES_H

#include "spec/acsl/word.h"

/*@ // The memory is there and no part of it overlaps another; its contents may be anything.
  @ predicate fxt_tables_ok(struct fxt_tables *t) =
  @   1 <= t->provider_count <= t->provider_max && t->current < t->provider_count &&
  @   t->arena_garbage <= t->arena_used <= t->arena_size <= 4294967295 && t->arena_used % 8 == 0 &&
  @   \valid(t->providers + (0 .. t->provider_max - 1)) &&
  @   \valid(t->provider_ids + (0 .. t->provider_max - 1)) &&
  @   (t->object_max > 0 ==> \valid(t->objects + (0 .. t->object_max - 1))) &&
  @   writable(t->arena, t->arena_size) &&
  @   \separated(t, t->providers + (0 .. t->provider_max - 1),
  @              t->provider_ids + (0 .. t->provider_max - 1),
  @              t->objects + (0 .. t->object_max - 1), t->arena + (0 .. t->arena_size - 1));
  @
  @ // The n bytes at p are none of the tables' own.
  @ predicate fxt_tables_apart(struct fxt_tables *t, uint8_t *p, integer n) =
  @   \separated(p + (0 .. n - 1), t) &&
  @   \separated(p + (0 .. n - 1), t->providers + (0 .. t->provider_max - 1)) &&
  @   \separated(p + (0 .. n - 1), t->provider_ids + (0 .. t->provider_max - 1)) &&
  @   \separated(p + (0 .. n - 1), t->objects + (0 .. t->object_max - 1)) &&
  @   \separated(p + (0 .. n - 1), t->arena + (0 .. t->arena_size - 1));
  @
  @ predicate fxt_tables_memory_ok(struct fxt_tables_memory *m) =
  @   1 <= m->provider_max && m->arena_size <= 4294967295 &&
  @   \valid(m->providers + (0 .. m->provider_max - 1)) &&
  @   \valid(m->provider_ids + (0 .. m->provider_max - 1)) &&
  @   (m->object_max > 0 ==> \valid(m->objects + (0 .. m->object_max - 1))) &&
  @   writable(m->arena, m->arena_size) &&
  @   \separated(m->providers + (0 .. m->provider_max - 1),
  @              m->provider_ids + (0 .. m->provider_max - 1),
  @              m->objects + (0 .. m->object_max - 1), m->arena + (0 .. m->arena_size - 1));
  @
  @ // The slot of an index, and whether it is registered, for the provider of the last record.
  @ logic struct fxt_string_slot *fxt_string_slot(struct fxt_tables *t, integer index) =
  @   &t->providers[t->current].strings[index];
  @ logic struct fxt_thread_slot *fxt_thread_slot(struct fxt_tables *t, integer index) =
  @   &t->providers[t->current].threads[index];
  @ predicate fxt_thread_known(struct fxt_tables *t, integer index) =
  @   fxt_thread_slot(t, index)->generation == t->providers[t->current].generation;
  @ // An offset or a length that leads outside of the texts counts as not registered.
  @ predicate fxt_string_known(struct fxt_tables *t, integer index) =
  @   fxt_string_slot(t, index)->generation == t->providers[t->current].generation &&
  @   fxt_string_slot(t, index)->offset + fxt_string_slot(t, index)->length <= t->arena_used;
  @*/

/*@ requires \valid(tables) && \valid_read(memory) && fxt_tables_memory_ok(memory);
  @ requires \separated(tables, memory, memory->providers + (0 .. memory->provider_max - 1),
  @                     memory->provider_ids + (0 .. memory->provider_max - 1));
  @ requires \separated(tables, memory->objects + (0 .. memory->object_max - 1));
  @ requires \separated(tables, memory->arena + (0 .. memory->arena_size - 1));
  @ terminates \true;
  @ assigns *tables, memory->providers[0], memory->provider_ids[0];
  @ ensures ok: fxt_tables_ok(tables);
  @ ensures providers: tables->providers == \old(memory->providers)
  @         && tables->provider_ids == \old(memory->provider_ids)
  @         && tables->provider_max == \old(memory->provider_max);
  @ ensures objects: tables->objects == \old(memory->objects)
  @         && tables->object_max == \old(memory->object_max) && tables->object_count == 0;
  @ ensures arena: tables->arena == \old(memory->arena)
  @         && tables->arena_size == \old(memory->arena_size) && tables->arena_used == 0;
  @ ensures first: tables->current == 0 && tables->provider_count == 1
  @         && tables->provider_ids[0] == 0;
  @*/
void fxt_tables_init(struct fxt_tables *tables, const struct fxt_tables_memory *memory);

/*@ requires \valid(tables) && fxt_tables_ok(tables);
  @ requires \valid_read(record) && fxt_record_ok(record) && \valid(error);
  @ requires \separated(record, error);
  @ requires \separated(error, record->bytes + (0 .. 8 * record->words - 1));
  @ requires fxt_tables_apart(tables, record->bytes, 8 * record->words);
  @ requires \separated(error, tables) && \separated(record, tables);
  @ terminates \true;
  @ assigns tables->generation, tables->epoch, tables->arena_used, tables->arena_garbage,
  @         tables->provider_count, tables->current, tables->object_count, *error,
  @         tables->providers[0 .. tables->provider_max - 1],
  @         tables->provider_ids[0 .. tables->provider_max - 1],
  @         tables->objects[0 .. tables->object_max - 1],
  @         tables->arena[0 .. tables->arena_size - 1];
  @ ensures ok: fxt_tables_ok(tables);
  @ ensures status: \result \in {FXT_OK, FXT_MALFORMED, FXT_FULL};
  @*/
enum fxt_status fxt_tables_apply(struct fxt_tables *tables, const struct fxt_record *record, struct fxt_error *error);

/*@ requires \valid(tables) && fxt_tables_ok(tables);
  @ terminates \true;
  @ assigns tables->generation, tables->epoch, tables->arena_used, tables->arena_garbage,
  @         tables->provider_count, tables->current, tables->object_count,
  @         tables->providers[0], tables->provider_ids[0];
  @ ensures ok: fxt_tables_ok(tables);
  @ ensures empty: tables->arena_used == 0 && tables->object_count == 0;
  @ ensures first: tables->current == 0 && tables->provider_count == 1
  @         && tables->provider_ids[0] == 0;
  @*/
void fxt_tables_reset(struct fxt_tables *tables);

/*@ requires \valid(tables) && fxt_tables_ok(tables);
  @ terminates \true;
  @ assigns tables->generation, tables->provider_count, tables->current,
  @         tables->providers[0 .. tables->provider_max - 1],
  @         tables->provider_ids[0 .. tables->provider_max - 1];
  @ ensures ok: fxt_tables_ok(tables);
  @ ensures status: \result \in {FXT_OK, FXT_FULL};
  @ ensures selected: tables->provider_ids[tables->current] == provider_id;
  @ ensures others: \forall integer i; 0 <= i < \old(tables->provider_count)
  @         && i != tables->current ==> tables->provider_ids[i] == \old(tables->provider_ids[i]);
  @ ensures room: \old(tables->provider_count) < tables->provider_max ==> \result == FXT_OK
  @         && (tables->current < \old(tables->provider_count) ==>
  @             \old(tables->provider_ids[\at(tables->current, Post)]) == provider_id);
  @ ensures full: \result == FXT_FULL ==> \old(tables->provider_count) == tables->provider_max
  @         && tables->provider_count == tables->provider_max
  @         && tables->current == tables->provider_max - 1
  @         && \forall integer i; 0 <= i < tables->provider_count
  @            ==> \old(tables->provider_ids[i]) != provider_id;
  @*/
enum fxt_status fxt_tables_select(struct fxt_tables *tables, uint32_t provider_id);

/*@ requires \valid(tables) && fxt_tables_ok(tables) && \valid_read(info);
  @ requires info->name.size <= 255 && readable(info->name.bytes, info->name.size);
  @ requires fxt_tables_apart(tables, info->name.bytes, info->name.size);
  @ terminates \true;
  @ assigns tables->generation, tables->provider_count, tables->current,
  @         tables->providers[0 .. tables->provider_max - 1],
  @         tables->provider_ids[0 .. tables->provider_max - 1];
  @ ensures ok: fxt_tables_ok(tables);
  @ ensures status: \result \in {FXT_OK, FXT_FULL};
  @ ensures selected: tables->provider_ids[tables->current] == \old(info->provider_id);
  @ ensures named: tables->providers[tables->current].introduced == 1
  @         && tables->providers[tables->current].name_length == \old(info->name.size);
  @ ensures name: \forall integer i; 0 <= i < \old(info->name.size) ==>
  @         tables->providers[tables->current].name[i] == \old(info->name.bytes[i]);
  @*/
enum fxt_status fxt_tables_introduce(struct fxt_tables *tables, const struct fxt_provider_info *info);

/*@ requires \valid(tables) && fxt_tables_ok(tables);
  @ terminates \true;
  @ assigns tables->providers[tables->current].ticks_per_second,
  @         tables->providers[tables->current].initialized;
  @ ensures ok: fxt_tables_ok(tables);
  @ ensures taken: ticks_per_second != 0
  @         ==> tables->providers[tables->current].ticks_per_second == ticks_per_second
  @          && tables->providers[tables->current].initialized == 1;
  @ ensures ignored: ticks_per_second == 0
  @         ==> tables->providers[tables->current].ticks_per_second
  @             == \old(tables->providers[tables->current].ticks_per_second);
  @*/
void fxt_tables_set_ticks(struct fxt_tables *tables, uint64_t ticks_per_second);

/*@ requires \valid(tables) && fxt_tables_ok(tables) && \valid_read(string);
  @ requires string->index <= 32767 && string->value.size <= 32767;
  @ requires readable(string->value.bytes, string->value.size);
  @ requires fxt_tables_apart(tables, string->value.bytes, string->value.size);
  @ terminates \true;
  @ assigns tables->arena_used, tables->arena_garbage,
  @         tables->providers[0 .. tables->provider_max - 1],
  @         tables->objects[0 .. tables->object_max - 1],
  @         tables->arena[0 .. tables->arena_size - 1];
  @ ensures ok: fxt_tables_ok(tables);
  @ ensures status: \result \in {FXT_OK, FXT_FULL};
  @ ensures registered: \result == FXT_OK && \old(string->index) > 0
  @         ==> fxt_string_known(tables, \old(string->index))
  @          && fxt_string_slot(tables, \old(string->index))->length == \old(string->value.size);
  @ ensures text: \result == FXT_OK && \old(string->index) > 0 ==> \forall integer i; 0 <= i < \old(string->value.size) ==>
  @         tables->arena[fxt_string_slot(tables, \old(string->index))->offset + i] == \old(string->value.bytes[i]);
  @*/
enum fxt_status fxt_tables_set_string(struct fxt_tables *tables, const struct fxt_string *string);

/*@ requires \valid(tables) && fxt_tables_ok(tables) && \valid_read(thread);
  @ terminates \true;
  @ assigns tables->providers[tables->current].threads[0 .. 255];
  @ ensures ok: fxt_tables_ok(tables);
  @ ensures registered: 0 < \old(thread->index) <= 255
  @         ==> fxt_thread_known(tables, \old(thread->index))
  @          && fxt_thread_slot(tables, \old(thread->index))->process == \old(thread->process)
  @          && fxt_thread_slot(tables, \old(thread->index))->thread == \old(thread->thread)
  @          && fxt_thread_slot(tables, \old(thread->index))->cookie == 0;
  @ ensures others: \forall integer i; 0 <= i <= 255 && i != \old(thread->index) ==>
  @         *fxt_thread_slot(tables, i) == \old(*fxt_thread_slot(tables, i));
  @*/
void fxt_tables_set_thread(struct fxt_tables *tables, const struct fxt_thread *thread);

/*@ requires \valid(tables) && fxt_tables_ok(tables) && \valid_read(object);
  @ requires readable(object->name.bytes, l_inline_length(object->name.ref));
  @ requires fxt_tables_apart(tables, object->name.bytes, l_inline_length(object->name.ref));
  @ requires fxt_args_ok(&object->args);
  @ terminates \true;
  @ assigns tables->arena_used, tables->arena_garbage, tables->object_count,
  @         tables->providers[0 .. tables->provider_max - 1],
  @         tables->objects[0 .. tables->object_max - 1],
  @         tables->arena[0 .. tables->arena_size - 1];
  @ ensures ok: fxt_tables_ok(tables);
  @ ensures status: \result \in {FXT_OK, FXT_FULL};
  @*/
enum fxt_status fxt_tables_set_kernel_object(struct fxt_tables *tables, const struct fxt_kernel_object *object);

/*@ requires \valid(tables) && fxt_tables_ok(tables) && \valid_read(object);
  @ requires readable(object->name.bytes, l_inline_length(object->name.ref));
  @ requires fxt_tables_apart(tables, object->name.bytes, l_inline_length(object->name.ref));
  @ terminates \true;
  @ assigns tables->arena_used, tables->arena_garbage, tables->object_count,
  @         tables->providers[0 .. tables->provider_max - 1],
  @         tables->objects[0 .. tables->object_max - 1],
  @         tables->arena[0 .. tables->arena_size - 1];
  @ ensures ok: fxt_tables_ok(tables);
  @ ensures status: \result \in {FXT_OK, FXT_FULL};
  @*/
enum fxt_status fxt_tables_set_userspace_object(struct fxt_tables *tables, const struct fxt_userspace_object *object);

/*@ requires \valid_read(tables) && fxt_tables_ok(tables);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures (struct fxt_provider *)\result == tables->providers + tables->current;
  @*/
const struct fxt_provider *fxt_tables_provider(const struct fxt_tables *tables);

/*@ requires \valid_read(tables) && fxt_tables_ok(tables);
  @ requires \valid(text) && \separated(text, tables);
  @ requires readable(ref.bytes, l_inline_length(ref.ref));
  @ terminates \true;
  @ assigns *text;
  @ ensures readable: readable(text->bytes, text->size) && text->size <= 65535;
  @ ensures empty: ref.ref == 0 ==> \result && text->size == 0;
  @ ensures inline: ref.ref >= 32768 ==> \result && text->bytes == ref.bytes
  @         && text->size == ref.ref - 32768;
  @ ensures unknown: !\result ==> text->size == 0;
  @ ensures known: 1 <= ref.ref < 32768
  @         ==> (\result <==> \old(fxt_string_known(tables, ref.ref)));
  @ ensures indexed: \result && 1 <= ref.ref < 32768
  @         ==> text->size == \old(fxt_string_slot(tables, ref.ref)->length);
  @ ensures place: 1 <= ref.ref < 32768 && text->size > 0
  @         ==> text->bytes == tables->arena + \old(fxt_string_slot(tables, ref.ref)->offset)
  @          && \old(fxt_string_slot(tables, ref.ref)->offset) + text->size <= tables->arena_used;
  @*/
bool fxt_tables_string(const struct fxt_tables *tables, struct fxt_bytes *text, struct fxt_string_ref ref);

/*@ requires \valid_read(tables) && fxt_tables_ok(tables);
  @ requires \valid(koids);
  @ terminates \true;
  @ assigns *koids;
  @ ensures inline: ref.ref == 0 ==> \result && *koids == ref;
  @ ensures known: 0 < ref.ref <= 255
  @         ==> (\result <==> \old(fxt_thread_known(tables, ref.ref)));
  @ ensures none: ref.ref > 255 ==> !\result;
  @ ensures indexed: \result && ref.ref > 0
  @         ==> koids->process == \old(fxt_thread_slot(tables, ref.ref)->process)
  @          && koids->thread == \old(fxt_thread_slot(tables, ref.ref)->thread);
  @*/
bool fxt_tables_thread(const struct fxt_tables *tables, struct fxt_thread_ref *koids, struct fxt_thread_ref ref);

/*@ requires \valid_read(tables) && fxt_tables_ok(tables);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures found: \result != \null ==> \valid_read(\result) && \result->key == koid
  @         && \result->object_type == object_type
  @         && \result->generation == tables->epoch && \result->userspace == 0;
  @*/
const struct fxt_object *fxt_tables_kernel_object(const struct fxt_tables *tables, uint16_t object_type, uint64_t koid);

/*@ requires \valid_read(tables) && fxt_tables_ok(tables);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures found: \result != \null ==> \valid_read(\result) && \result->key == pointer
  @         && \result->process == process && \result->generation == tables->epoch;
  @*/
const struct fxt_object *fxt_tables_userspace_object(const struct fxt_tables *tables, uint64_t process, uint64_t pointer);

/*@ requires \valid_read(tables) && fxt_tables_ok(tables) && \valid_read(object);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures readable: readable(\result.bytes, \result.size) && \result.size <= 65535;
  @ ensures place: \result.size > 0 ==> \result.bytes == tables->arena + object->name_offset
  @         && \result.size == object->name_length
  @         && object->name_offset + \result.size <= tables->arena_used;
  @*/
struct fxt_bytes fxt_tables_object_name(const struct fxt_tables *tables, const struct fxt_object *object);

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures never: ticks_per_second == 0 ==> \result == 18446744073709551615;
  @ ensures exact: ticks_per_second > 0 && \result < 18446744073709551615
  @         ==> \result * ticks_per_second <= ticks * 1000000000
  @             < (\result + 1) * ticks_per_second;
  @ ensures large: ticks_per_second > 0 && \result == 18446744073709551615
  @         ==> \result * ticks_per_second <= ticks * 1000000000;
  @*/
uint64_t fxt_ticks_to_ns(uint64_t ticks, uint64_t ticks_per_second);

#endif
