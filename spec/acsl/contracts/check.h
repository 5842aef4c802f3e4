/* The contracts of <fxt/check.h>. Only Frama-C reads this. */
#ifndef FXT_ACSL_CONTRACTS_CHECK_H
#define FXT_ACSL_CONTRACTS_CHECK_H

/*@ // The memory is there and no part of it overlaps another; its contents may be anything.
  @ predicate fxt_checker_ok(struct fxt_checker *c) =
  @   fxt_tables_ok(&c->tables) &&
  @   (c->thread_max > 0 ==> \valid(c->threads + (0 .. c->thread_max - 1))) &&
  @   (c->open_max > 0 ==> \valid(c->opens + (0 .. c->open_max - 1))) &&
  @   \separated(c, c->threads + (0 .. c->thread_max - 1), c->opens + (0 .. c->open_max - 1),
  @              c->tables.providers + (0 .. c->tables.provider_max - 1),
  @              c->tables.provider_ids + (0 .. c->tables.provider_max - 1),
  @              c->tables.objects + (0 .. c->tables.object_max - 1),
  @              c->tables.arena + (0 .. c->tables.arena_size - 1));
  @
  @ // The record and its bytes are none of the checker's memory.
  @ predicate fxt_checker_apart(struct fxt_checker *c, struct fxt_record *r) =
  @   fxt_tables_apart(&c->tables, r->bytes, 8 * r->words) &&
  @   \separated(r->bytes + (0 .. 8 * r->words - 1), c) &&
  @   \separated(r->bytes + (0 .. 8 * r->words - 1), c->threads + (0 .. c->thread_max - 1)) &&
  @   \separated(r->bytes + (0 .. 8 * r->words - 1), c->opens + (0 .. c->open_max - 1)) &&
  @   \separated(r, c) &&
  @   \separated(r, c->threads + (0 .. c->thread_max - 1)) &&
  @   \separated(r, c->opens + (0 .. c->open_max - 1)) &&
  @   \separated(r, c->tables.providers + (0 .. c->tables.provider_max - 1)) &&
  @   \separated(r, c->tables.provider_ids + (0 .. c->tables.provider_max - 1)) &&
  @   \separated(r, c->tables.objects + (0 .. c->tables.object_max - 1)) &&
  @   \separated(r, c->tables.arena + (0 .. c->tables.arena_size - 1));
  @
  @ predicate fxt_check_memory_ok(struct fxt_check_memory *m) =
  @   fxt_tables_memory_ok(&m->tables) &&
  @   (m->thread_max > 0 ==> \valid(m->threads + (0 .. m->thread_max - 1))) &&
  @   (m->open_max > 0 ==> \valid(m->opens + (0 .. m->open_max - 1))) &&
  @   \separated(m->threads + (0 .. m->thread_max - 1), m->opens + (0 .. m->open_max - 1),
  @              m->tables.providers + (0 .. m->tables.provider_max - 1),
  @              m->tables.provider_ids + (0 .. m->tables.provider_max - 1),
  @              m->tables.objects + (0 .. m->tables.object_max - 1),
  @              m->tables.arena + (0 .. m->tables.arena_size - 1));
  @
  @ // More than the findings that fxt_check_end can still give: a thread has up to two.
  @ logic integer fxt_check_left(struct fxt_checker *c) =
  @   2 * c->thread_count + (c->last_flow > 0 ? 1 : 0) + c->open_count;
  @
  @ logic integer fxt_findings_kept(struct fxt_checker *c) =
  @   c->finding_count < FXT_FINDINGS_MAX ? c->finding_count : FXT_FINDINGS_MAX;
  @ predicate fxt_findings_sorted(struct fxt_checker *c, integer count) =
  @   \forall integer i, j; 0 <= i <= j < count ==>
  @     c->findings[i].offset <= c->findings[j].offset;
  @*/

/*@ requires \valid(checker) && \valid_read(memory) && fxt_check_memory_ok(memory);
  @ requires \separated(checker, memory, memory->threads + (0 .. memory->thread_max - 1),
  @                     memory->opens + (0 .. memory->open_max - 1));
  @ requires \separated(checker, memory,
  @                     memory->tables.providers + (0 .. memory->tables.provider_max - 1),
  @                     memory->tables.provider_ids + (0 .. memory->tables.provider_max - 1));
  @ requires \separated(checker, memory->tables.objects + (0 .. memory->tables.object_max - 1));
  @ requires \separated(checker, memory->tables.arena + (0 .. memory->tables.arena_size - 1));
  @ terminates \true;
  @ assigns *checker, memory->tables.providers[0], memory->tables.provider_ids[0];
  @ ensures ok: fxt_checker_ok(checker);
  @ ensures memory: checker->threads == \old(memory->threads)
  @         && checker->thread_max == \old(memory->thread_max)
  @         && checker->opens == \old(memory->opens)
  @         && checker->open_max == \old(memory->open_max);
  @ ensures tables: checker->tables.providers == \old(memory->tables.providers)
  @         && checker->tables.provider_ids == \old(memory->tables.provider_ids)
  @         && checker->tables.provider_max == \old(memory->tables.provider_max)
  @         && checker->tables.objects == \old(memory->tables.objects)
  @         && checker->tables.object_max == \old(memory->tables.object_max)
  @         && checker->tables.arena == \old(memory->tables.arena)
  @         && checker->tables.arena_size == \old(memory->tables.arena_size);
  @ ensures empty: checker->finding_count == 0 && checker->thread_count == 0
  @         && checker->open_count == 0 && checker->edition == edition;
  @*/
void fxt_check_init(struct fxt_checker *checker, const struct fxt_check_memory *memory, enum fxt_edition edition);

/*@ requires \valid(checker) && fxt_checker_ok(checker);
  @ requires \valid_read(record) && fxt_record_ok(record) && fxt_checker_apart(checker, record);
  @ terminates \true;
  @ assigns checker->finding_count, checker->findings[0 .. FXT_FINDINGS_MAX - 1],
  @         checker->started, checker->full, checker->shared, checker->lost,
  @         checker->generation, checker->may_compare, checker->thread_count, checker->last_thread,
  @         checker->open_count, checker->last_open, checker->last_flow, checker->forgotten,
  @         checker->threads[0 .. checker->thread_max - 1],
  @         checker->opens[0 .. checker->open_max - 1],
  @         checker->tables.generation, checker->tables.epoch, checker->tables.arena_used,
  @         checker->tables.arena_garbage, checker->tables.provider_count,
  @         checker->tables.current, checker->tables.object_count,
  @         checker->tables.providers[0 .. checker->tables.provider_max - 1],
  @         checker->tables.provider_ids[0 .. checker->tables.provider_max - 1],
  @         checker->tables.objects[0 .. checker->tables.object_max - 1],
  @         checker->tables.arena[0 .. checker->tables.arena_size - 1];
  @ ensures ok: fxt_checker_ok(checker);
  @ ensures count: \result == checker->finding_count;
  @ ensures sorted: fxt_findings_sorted(checker, fxt_findings_kept(checker));
  @*/
uint32_t fxt_check_record(struct fxt_checker *checker, const struct fxt_record *record);

/*@ requires \valid(checker) && \valid_read(error) && \separated(checker, error);
  @ terminates \true;
  @ assigns checker->finding_count, checker->findings[0 .. FXT_FINDINGS_MAX - 1],
  @         checker->started, checker->zero_end;
  @ ensures count: \result == checker->finding_count <= 2;
  @ ensures place: \forall integer i; 0 <= i < \result ==>
  @         checker->findings[i].offset == error->offset;
  @*/
uint32_t fxt_check_error(struct fxt_checker *checker, const struct fxt_error *error);

/*@ requires \valid(checker) && fxt_checker_ok(checker);
  @ requires \valid(finding) && \separated(finding, checker);
  @ terminates \true;
  @ assigns *finding, checker->last_thread, checker->thread_count, checker->last_open,
  @         checker->open_count, checker->last_flow;
  @ ensures ok: fxt_checker_ok(checker);
  @ ensures found: \result ==>
  @         finding->rule \in {FXT_RULE_EVT_04, FXT_RULE_EVT_06, FXT_RULE_EVT_07,
  @                            FXT_RULE_EVT_11, FXT_RULE_EVT_13};
  @ ensures none: !\result ==> *finding == \old(*finding);
  @ ensures less: \result ==> fxt_check_left(checker) < \old(fxt_check_left(checker));
  @*/
bool fxt_check_end(struct fxt_checker *checker, struct fxt_finding *finding);

/*@ requires \valid_read(record) && fxt_record_ok(record) && \valid(error);
  @ requires \separated(error, record);
  @ terminates \true;
  @ assigns *error;
  @ ensures set: \result \in {FXT_OK, FXT_INVALID};
  @ ensures error: \result == FXT_INVALID ==>
  @         error->status == FXT_INVALID && error->rule != FXT_RULE_NONE;
  @ ensures kept: \result == FXT_OK ==> *error == \old(*error);
  @*/
enum fxt_status fxt_check_canonical(const struct fxt_record *record, struct fxt_error *error);

#endif
