/* The reports of a walk, and the walks over pieces that records share. The only state is struct
   fxt_i_walk, which exists for one record. */
#include "src/check/report.h"

/* Whether breaking the rule makes a record not canonical (CAN-01). Malformed rules are not
   listed. */
/*@ terminates \true; assigns \nothing; @*/
static bool keeps_from_canonical(enum fxt_rule rule)
{
    switch (rule) {
    case FXT_RULE_REC_04:
    case FXT_RULE_REC_05:
    case FXT_RULE_REC_06:
    case FXT_RULE_REC_08:
    case FXT_RULE_STR_06:
    case FXT_RULE_MET_01:
    case FXT_RULE_MET_05:
    case FXT_RULE_MET_06:
    case FXT_RULE_INI_02:
    case FXT_RULE_STT_02:
    case FXT_RULE_THT_02:
    case FXT_RULE_EVT_02:
    case FXT_RULE_EVT_10:
    case FXT_RULE_ARG_04:
    case FXT_RULE_SCH_02:
    case FXT_RULE_PRF_01:
    case FXT_RULE_LRG_01:
    case FXT_RULE_LRG_02:
        return true;
    default: /* SCH-03 is not here: a running state can be written, a state above dead cannot */
        break;
    }
    return fxt_rule_class(rule) == FXT_MALFORMED_CLASS;
}

/*@ requires \valid(checker);
  @ terminates \true;
  @ assigns checker->finding_count, checker->findings[0 .. 63];
  @ ensures counted: checker->finding_count == \min(\old(checker->finding_count) + 1, UINT32_MAX);
  @ ensures kept: \old(checker->finding_count) < 64 ==>
  @         checker->findings[\old(checker->finding_count)].offset == offset &&
  @         checker->findings[\old(checker->finding_count)].rule == rule;
  @ ensures kept: checker->thread_max == \old(checker->thread_max)
  @         && checker->open_max == \old(checker->open_max)
  @         && checker->tables.current == \old(checker->tables.current)
  @         && checker->tables.provider_count == \old(checker->tables.provider_count)
  @         && checker->tables.arena_used == \old(checker->tables.arena_used);
  @ ensures first: \old(checker->finding_count) > 0 ==>
  @         checker->findings[0].offset == \old(checker->findings[0].offset);
  @*/
static void add_finding(struct fxt_checker *checker, enum fxt_rule rule, uint64_t offset,
                        uint64_t number)
{
    if (checker->finding_count < FXT_FINDINGS_MAX) {
        struct fxt_finding *finding = &checker->findings[checker->finding_count];
        finding->offset = offset;
        finding->number = number;
        finding->rule = rule;
    }
    if (checker->finding_count < UINT32_MAX)
        checker->finding_count++;
}

void fxt_i_report(struct fxt_i_walk *walk, enum fxt_rule rule, uint64_t offset, uint64_t number)
{
    if (walk->checker != NULL) {
        add_finding(walk->checker, rule, offset, number);
        return;
    }
    bool unwritable = rule == FXT_RULE_SCH_03 && number > FXT_THREAD_DEAD;
    if (walk->canonical.rule == FXT_RULE_NONE && (unwritable || keeps_from_canonical(rule))) {
        walk->canonical.rule = rule;
        walk->canonical.offset = offset;
        walk->canonical.status = FXT_INVALID;
    }
}

void fxt_i_walk_edition(struct fxt_i_walk *walk, uint64_t offset, uint64_t number)
{
    if (walk->checker != NULL && walk->checker->edition == FXT_EDITION_2020)
        fxt_i_report(walk, FXT_RULE_EDN_01, offset, number);
}

void fxt_i_walk_padding(struct fxt_i_walk *walk, struct fxt_bytes stream)
{
    uint64_t end = 8 * fxt_words_of(stream.size);

    /*@ loop invariant stream.size <= i <= end;
      @ loop assigns i;
      @ loop variant end - i;
      @*/
    for (uint64_t i = stream.size; i < end; i++) {
        if (stream.bytes[i] != 0) {
            fxt_i_report(walk, FXT_RULE_REC_05, fxt_i_offset_of(walk, stream.bytes + i), 0);
            return;
        }
    }
}

/* Text in the record itself: checks UTF-8 and padding. */
void fxt_i_walk_text(struct fxt_i_walk *walk, struct fxt_bytes text)
{
    if (text.size == 0)
        return;
    if (!fxt_utf8_valid(text.bytes, text.size))
        fxt_i_report(walk, FXT_RULE_STR_05, fxt_i_offset_of(walk, text.bytes), text.size);
    fxt_i_walk_padding(walk, text);
}

void fxt_i_walk_inline_string(struct fxt_i_walk *walk, struct fxt_string_ref string,
                              uint64_t offset, bool any_bytes)
{
    struct fxt_bytes text = {string.bytes, fxt_string_ref_length(string)};

    if (text.size == 0) {
        fxt_i_report(walk, FXT_RULE_STR_06, offset, string.ref);
        return;
    }
    if (text.size > FXT_STRING_LENGTH_MAX)
        fxt_i_report(walk, FXT_RULE_STR_04, fxt_i_offset_of(walk, text.bytes), text.size);
    if (any_bytes)
        fxt_i_walk_padding(walk, text);
    else
        fxt_i_walk_text(walk, text);
}
