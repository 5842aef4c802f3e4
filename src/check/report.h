/* The walk of one record through the rules, and its reports. The same walk has two users. The
   checker has tables and collects findings. The test for the canonical form has no tables and needs
   the first rule that makes the record not canonical. */
#ifndef FXT_CHECK_REPORT_H
#define FXT_CHECK_REPORT_H

#include <fxt/check.h>
#include <fxt/read.h>

#include "src/base/word.h"
#include "src/check/lookup.h"

struct fxt_i_walk {
    struct fxt_checker *checker; /* NULL: test the canonical form only */
    struct fxt_error canonical;  /* the first rule of the canonical form that was broken */
    const struct fxt_record *record;
};

/*@ // The n bytes at p are the record's; p may be anything when n is 0.
  @ predicate in_record(struct fxt_record *r, uint8_t *p, integer n) =
  @   n > 0 ==> \base_addr(p) == \base_addr(r->bytes) &&
  @             0 <= p - r->bytes && p - r->bytes + n <= 8 * r->words;
  @
  @ // What can be looked up.
  @ predicate tables_read(struct fxt_tables *t) =
  @   t->current < t->provider_count &&
  @   \valid(t->providers + (0 .. t->provider_count - 1)) &&
  @   \valid_read(t->provider_ids + (0 .. t->provider_count - 1)) &&
  @   readable(t->arena, t->arena_used);
  @
  @ // What a walk needs to report something.
  @ predicate walk_reports(struct fxt_i_walk *w) =
  @   \valid(w) && (w->checker == \null || (\valid(w->checker) && \separated(w, w->checker)));
  @
  @ // A walk over a record, in a checker or for the canonical form.
  @ predicate walk_ok(struct fxt_i_walk *w) =
  @   walk_reports(w) && \valid_read(w->record) && \separated(w, w->record) &&
  @   fxt_record_ok(w->record) &&
  @   (w->checker == \null ||
  @    (\separated(w->record, w->checker) && tables_read(&w->checker->tables)));
  @
  @ // What no walk changes.
  @ predicate walk_kept{A,B}(struct fxt_i_walk *w) =
  @   \at(w->record->words, A) == \at(w->record->words, B) &&
  @   (\at(w->checker, A) == \null ||
  @    (\at(w->checker->thread_max, A) == \at(w->checker->thread_max, B) &&
  @     \at(w->checker->open_max, A) == \at(w->checker->open_max, B) &&
  @     \at(w->checker->tables.provider_count, A) == \at(w->checker->tables.provider_count, B)));
  @
  @ // Memory for what is noted, apart from the walk, its record and the checker itself.
  @ predicate notes_apart(struct fxt_i_walk *w, struct fxt_checker *c, struct fxt_record *r,
  @                       struct fxt_check_thread *threads, integer thread_max,
  @                       struct fxt_check_open *opens, integer open_max,
  @                       struct fxt_provider *providers, integer provider_count) =
  @   (thread_max > 0 ==> \valid(threads + (0 .. thread_max - 1))) &&
  @   (open_max > 0 ==> \valid(opens + (0 .. open_max - 1))) &&
  @   \separated(w, threads + (0 .. thread_max - 1)) &&
  @   \separated(c, threads + (0 .. thread_max - 1)) &&
  @   \separated(r, threads + (0 .. thread_max - 1)) &&
  @   \separated(w, opens + (0 .. open_max - 1)) &&
  @   \separated(c, opens + (0 .. open_max - 1)) &&
  @   \separated(r, opens + (0 .. open_max - 1)) &&
  @   \separated(w, providers + (0 .. provider_count - 1)) &&
  @   \separated(c, providers + (0 .. provider_count - 1)) &&
  @   \separated(r, providers + (0 .. provider_count - 1));
  @ predicate walk_notes(struct fxt_i_walk *w) =
  @   notes_apart(w, w->checker, w->record, w->checker->threads, w->checker->thread_max,
  @               w->checker->opens, w->checker->open_max, w->checker->tables.providers,
  @               w->checker->tables.provider_count);
  @*/

/* For contracts: what a report may write. */
#define FXT_I_REPORTS walk->canonical, walk->checker->finding_count, walk->checker->findings[0..63]

/* For contracts: a step of the walk preserves its invariant and writes reports. Anything else that
   it writes follows after a comma. */
// clang-format off
#define FXT_I_WALKS                                                                                \
    ensures ok: walk_ok(walk) && walk_kept{Old, Here}(walk);                                       \
    assigns FXT_I_REPORTS
// clang-format on

/* Reports a violation of the rule at that byte offset of the trace. */
/*@ requires walk_reports(walk);
  @ terminates \true;
  @ assigns FXT_I_REPORTS;
  @ ensures counted: walk->checker != \null ==> walk->checker->finding_count ==
  @         \min(\old(walk->checker->finding_count) + 1, UINT32_MAX);
  @ ensures kept: walk->checker != \null && \old(walk->checker->finding_count) < 64 ==>
  @         walk->checker->findings[\old(walk->checker->finding_count)].offset == offset &&
  @         walk->checker->findings[\old(walk->checker->finding_count)].rule == rule;
  @ ensures ok: \old(walk_ok(walk)) ==> walk_ok(walk) && walk_kept{Old,Here}(walk);
  @ ensures first: walk->checker != \null && \old(walk->checker->finding_count) > 0 ==>
  @         walk->checker->findings[0].offset == \old(walk->checker->findings[0].offset);
  @*/
void fxt_i_report(struct fxt_i_walk *walk, enum fxt_rule rule, uint64_t offset, uint64_t number);

/* Pieces that several records share, including their padding. An offset is that of the word that
   holds the piece. */
/*@ requires walk_ok(walk) && string.ref >= 32768;
  @ requires in_record(walk->record, string.bytes, 8 * l_string_words(string.ref));
  @ terminates \true; FXT_I_WALKS;
  @*/
void fxt_i_walk_inline_string(struct fxt_i_walk *walk, struct fxt_string_ref string,
                              uint64_t offset, bool any_bytes);
/*@ requires walk_ok(walk) && in_record(walk->record, text.bytes, 8 * l_words_of(text.size));
  @ terminates \true; FXT_I_WALKS;
  @*/
void fxt_i_walk_text(struct fxt_i_walk *walk, struct fxt_bytes text);
/*@ requires walk_ok(walk) && in_record(walk->record, stream.bytes, 8 * l_words_of(stream.size));
  @ terminates \true; FXT_I_WALKS;
  @*/
void fxt_i_walk_padding(struct fxt_i_walk *walk, struct fxt_bytes stream);
/*@ requires walk_ok(walk); terminates \true; FXT_I_WALKS; */
void fxt_i_walk_edition(struct fxt_i_walk *walk, uint64_t offset, uint64_t number);

/* The byte offset in the trace of a place inside the record. */
/*@ requires \valid_read(walk) && \valid_read(walk->record) && fxt_record_ok(walk->record);
  @ requires in_record(walk->record, place, 1);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures walk->record->offset <= \result < walk->record->offset + 8 * walk->record->words;
  @*/
static inline uint64_t fxt_i_offset_of(const struct fxt_i_walk *walk, const uint8_t *place)
{
    return walk->record->offset + (uint64_t)(place - walk->record->bytes) / 8 * 8;
}

/*@ requires \valid_read(walk) && (walk->checker == \null || \valid_read(walk->checker));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result ==> walk->checker != \null;
  @*/
static inline bool fxt_i_judges_references(const struct fxt_i_walk *walk)
{
    return walk->checker != NULL && !walk->checker->full;
}

/*@ requires walk_ok(walk); terminates \true; FXT_I_WALKS; */
static inline void fxt_i_walk_malformed(struct fxt_i_walk *walk, struct fxt_error error)
{
    fxt_i_report(walk, error.rule, error.offset, 0);
}

/* Checks STR-02 for a ref, STR-03 to STR-06 for its inline text. */
/*@ requires walk_ok(walk);
  @ requires in_record(walk->record, string.bytes, 8 * l_string_words(string.ref));
  @ terminates \true; FXT_I_WALKS;
  @*/
static inline void fxt_i_walk_string(struct fxt_i_walk *walk, struct fxt_string_ref string,
                                     uint64_t offset)
{
    if (string.ref >= FXT_STRING_INLINE) {
        fxt_i_walk_inline_string(walk, string, offset, false);
    } else if (string.ref != 0 && fxt_i_judges_references(walk) &&
               fxt_i_string_slot(fxt_i_current_provider(&walk->checker->tables), string.ref) ==
                   NULL) {
        fxt_i_report(walk, FXT_RULE_STR_02, offset, string.ref);
    }
}

/* Checks THR-02 for a ref. */
/*@ requires walk_ok(walk); terminates \true; FXT_I_WALKS; */
static inline void fxt_i_walk_thread(struct fxt_i_walk *walk, uint16_t ref, uint64_t offset)
{
    if (ref != 0 && fxt_i_judges_references(walk) &&
        fxt_i_thread_slot(fxt_i_current_provider(&walk->checker->tables), ref) == NULL)
        fxt_i_report(walk, FXT_RULE_THR_02, offset, ref);
}

/*@ requires walk_ok(walk); terminates \true; FXT_I_WALKS; */
static inline void fxt_i_walk_reserved(struct fxt_i_walk *walk, uint64_t reserved, uint64_t offset)
{
    if (reserved != 0)
        fxt_i_report(walk, FXT_RULE_REC_04, offset, reserved);
}

/*@ requires walk_ok(walk) && in_record(walk->record, tail.bytes, 8 * tail.words);
  @ terminates \true; FXT_I_WALKS;
  @*/
static inline void fxt_i_walk_tail(struct fxt_i_walk *walk, struct fxt_tail tail)
{
    if (tail.words > 0)
        fxt_i_report(walk, FXT_RULE_REC_08, fxt_i_offset_of(walk, tail.bytes), tail.words);
}

#endif
