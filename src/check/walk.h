/* One record on its way through the rules. The same walk serves two users: the checker, which
   collects findings and knows the tables, and the canonical form, which has no tables and wants
   the first rule that keeps the record from being canonical. */
#ifndef FXT_CHECK_WALK_H
#define FXT_CHECK_WALK_H

#include <fxt/check.h>
#include <fxt/read.h>

#include "src/base/word.h"
#include "src/check/lookup.h"

struct fxt_i_walk {
    struct fxt_checker *checker; /* NULL when only the canonical form is asked for */
    struct fxt_error canonical;  /* the first rule of the canonical form that was broken */
    const struct fxt_record *record;
};

/* Reports that the rule is broken at that byte offset of the trace. */
void fxt_i_report(struct fxt_i_walk *walk, enum fxt_rule rule, uint64_t offset, uint64_t number);

/* Whether the record is an event that breaks no rule and has nothing inline: then it is taken into
   the checker's state, as the walk would have done, in a fraction of the time. When it is false
   nothing has changed, and the walk tells what there is to say. */
bool fxt_i_plain_event(struct fxt_checker *checker, const struct fxt_record *record);

/* The walk over the form of a record: everything that can be said of it by itself, and of its
   references when there are tables. Events have a file of their own. */
void fxt_i_walk_record(struct fxt_i_walk *walk);
void fxt_i_walk_event(struct fxt_i_walk *walk);
void fxt_i_walk_metadata(struct fxt_i_walk *walk);
void fxt_i_walk_object(struct fxt_i_walk *walk);
void fxt_i_walk_scheduling(struct fxt_i_walk *walk);
void fxt_i_walk_profiler(struct fxt_i_walk *walk);
void fxt_i_walk_large(struct fxt_i_walk *walk);

/* Pieces that several records share. Offsets are of the word that holds the piece. */
void fxt_i_walk_inline_string(struct fxt_i_walk *walk, struct fxt_string_ref string,
                              uint64_t offset, bool any_bytes);
void fxt_i_walk_text(struct fxt_i_walk *walk, struct fxt_bytes text);
void fxt_i_walk_padding(struct fxt_i_walk *walk, struct fxt_bytes stream);
void fxt_i_walk_args(struct fxt_i_walk *walk, struct fxt_args args);
void fxt_i_walk_edition(struct fxt_i_walk *walk, uint64_t offset, uint64_t number);

/* The byte offset in the trace of a place inside the record. */
static inline uint64_t fxt_i_offset_of(const struct fxt_i_walk *walk, const uint8_t *place)
{
    return walk->record->offset + (uint64_t)(place - walk->record->bytes) / 8 * 8;
}

static inline bool fxt_i_judges_references(const struct fxt_i_walk *walk)
{
    return walk->checker != NULL && !walk->checker->full;
}

/* STR-02 for a ref, STR-03 … 06 for its inline text. */
static inline void fxt_i_walk_string(struct fxt_i_walk *walk, struct fxt_string_ref string,
                                     uint64_t offset)
{
    if (string.ref >= FXT_STRING_INLINE) {
        fxt_i_walk_inline_string(walk, string, offset, false);
    } else if (string.ref != 0 && fxt_i_judges_references(walk) &&
               fxt_i_string_slot(fxt_i_provider(&walk->checker->tables), string.ref) == NULL) {
        fxt_i_report(walk, FXT_RULE_STR_02, offset, string.ref);
    }
}

/* THR-02 for a ref. */
static inline void fxt_i_walk_thread(struct fxt_i_walk *walk, uint8_t ref, uint64_t offset)
{
    if (ref != 0 && fxt_i_judges_references(walk) &&
        fxt_i_thread_slot(fxt_i_provider(&walk->checker->tables), ref) == NULL)
        fxt_i_report(walk, FXT_RULE_THR_02, offset, ref);
}

static inline void fxt_i_walk_reserved(struct fxt_i_walk *walk, uint64_t reserved, uint64_t offset)
{
    if (reserved != 0)
        fxt_i_report(walk, FXT_RULE_REC_04, offset, reserved);
}

static inline void fxt_i_walk_tail(struct fxt_i_walk *walk, struct fxt_tail tail)
{
    if (tail.words > 0)
        fxt_i_report(walk, FXT_RULE_REC_08, fxt_i_offset_of(walk, tail.bytes), tail.words);
}

#endif
