/* The walk over a record: checks its form and, if there are tables, its references. Each family of
   records has its own file. */
#ifndef FXT_CHECK_WALK_H
#define FXT_CHECK_WALK_H

#include "src/check/report.h"

/* The result of a decoder as one value, so that the walk takes no addresses that it does not
   need. */
#define FXT_I_DECODED(name)                                                                        \
    struct decoded_##name {                                                                        \
        struct fxt_##name in;                                                                      \
        struct fxt_error error;                                                                    \
        enum fxt_status status;                                                                    \
    }

/* For the annotations: the header of the record that is decoded. */
#define FXT_I_HEADER \at(record->header, Pre)

/* Takes an event that breaks no rule and has nothing inline into the checker's state, like the
   walk, but in a fraction of the time. For any other record, returns false and changes nothing: the
   walk must check it. */
/*@ requires \valid(checker) && fxt_checker_ok(checker);
  @ requires \valid_read(record) && fxt_record_ok(record) && fxt_checker_apart(checker, record);
  @ requires checker->finding_count == 0;
  @ terminates \true;
  @ assigns checker->finding_count, checker->findings[0 .. 63], checker->full,
  @         checker->open_count, checker->last_open, checker->forgotten,
  @         checker->threads[0 .. checker->thread_max - 1],
  @         checker->opens[0 .. checker->open_max - 1];
  @ ensures ok: fxt_checker_ok(checker);
  @ ensures little: checker->finding_count <= 1;
  @ ensures refused: !\result ==> checker->finding_count == 0 && checker->full == \old(checker->full)
  @         && checker->open_count == \old(checker->open_count)
  @         && checker->last_open == \old(checker->last_open)
  @         && checker->forgotten == \old(checker->forgotten);
  @ ensures kept: !\result ==> checker->thread_max == \old(checker->thread_max)
  @         && checker->open_max == \old(checker->open_max)
  @         && checker->tables.provider_max == \old(checker->tables.provider_max)
  @         && checker->tables.object_max == \old(checker->tables.object_max)
  @         && checker->tables.arena_size == \old(checker->tables.arena_size);
  @ ensures record: !\result ==> record->words == \old(record->words)
  @         && record->offset == \old(record->offset);
  @*/
bool fxt_i_plain_event(struct fxt_checker *checker, const struct fxt_record *record);

/* For contracts: what the walk over an event may write besides reports. */
// clang-format off
#define FXT_I_NOTED                                                                                \
    walk->checker->threads[0 .. (walk->checker == \null ? -1 : walk->checker->thread_max - 1)],    \
    walk->checker->opens[0 .. (walk->checker == \null ? -1 : walk->checker->open_max - 1)],        \
    walk->checker->tables.providers[walk->checker->tables.current]                                 \
        .threads[0 .. (walk->checker == \null ? -1 : 255)].cookie
/* For contracts: the same for a context switch. */
#define FXT_I_NOTED_SWITCH                                                                         \
    walk->checker->full, walk->checker->thread_count, walk->checker->last_thread,                  \
    walk->checker->threads[0 .. (walk->checker == \null ? -1 : walk->checker->thread_max - 1)]
// clang-format on

#define FXT_I_NOTES                                                                                \
    walk->checker->full, walk->checker->thread_count, walk->checker->last_thread,                  \
        walk->checker->open_count, walk->checker->last_open, walk->checker->forgotten, FXT_I_NOTED

/*@ requires walk_ok(walk) && (walk->checker == \null || walk_notes(walk));
  @ terminates \true; FXT_I_WALKS, walk->checker->may_compare, FXT_I_NOTES;
  @*/
void fxt_i_walk_record(struct fxt_i_walk *walk);
/*@ requires walk_ok(walk) && (walk->checker == \null || walk_notes(walk));
  @ terminates \true; FXT_I_WALKS, walk->checker->may_compare, FXT_I_NOTES;
  @*/
void fxt_i_walk_event(struct fxt_i_walk *walk);
/*@ requires walk_ok(walk); terminates \true; FXT_I_WALKS; */
void fxt_i_walk_metadata(struct fxt_i_walk *walk);
/*@ requires walk_ok(walk); terminates \true; FXT_I_WALKS, walk->checker->may_compare; */
void fxt_i_walk_object(struct fxt_i_walk *walk);
/*@ requires walk_ok(walk) && (walk->checker == \null || walk_notes(walk));
  @ terminates \true; FXT_I_WALKS, walk->checker->may_compare, FXT_I_NOTED_SWITCH;
  @*/
void fxt_i_walk_scheduling(struct fxt_i_walk *walk);
/*@ requires walk_ok(walk); terminates \true; FXT_I_WALKS; */
void fxt_i_walk_profiler(struct fxt_i_walk *walk);
/*@ requires walk_ok(walk); terminates \true; FXT_I_WALKS, walk->checker->may_compare; */
void fxt_i_walk_large(struct fxt_i_walk *walk);
/*@ // Arguments in the record, as fxt_args_next needs them.
  @ predicate args_inside(struct fxt_record *r, uint8_t *bytes, integer offset, integer words,
  @                       integer count) =
  @   count <= 15 && offset + 8 * words <= 18446744073709551615 && readable(bytes, 8 * words) &&
  @   in_record(r, bytes, 8 * words);
  @*/
/*@ requires walk_ok(walk);
  @ requires args_inside(walk->record, args.bytes, args.offset, args.words, args.count);
  @ terminates \true; FXT_I_WALKS, walk->checker->may_compare;
  @*/
void fxt_i_walk_args(struct fxt_i_walk *walk, struct fxt_args args);

#endif
