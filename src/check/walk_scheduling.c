/* The rules of scheduling records. No state. */
#include "src/check/history.h"
#include "src/check/walk.h"
#include "src/wire/layout.h"

/* SCH-03 */
/*@ requires walk_ok(walk);
  @ terminates \true;
  @ assigns FXT_I_REPORTS;
  @ ensures ok: walk_ok(walk) && walk_kept{Old,Here}(walk);
  @*/
static void walk_state(struct fxt_i_walk *walk, uint16_t state)
{
    if (state > FXT_THREAD_DEAD || state == FXT_THREAD_RUNNING)
        fxt_i_report(walk, FXT_RULE_SCH_03, walk->record->offset, state);
}

FXT_I_DECODED(legacy_switch);

/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures tail: \result.status == FXT_OK ==>
  @         in_record{Old}(record, \result.in.tail.bytes, 8 * \result.in.tail.words);
  @*/
static struct decoded_legacy_switch decode_legacy_switch(const struct fxt_record *record)
{
    struct decoded_legacy_switch it;

    it.status = fxt_read_legacy_switch(record, &it.in, &it.error);
    return it;
}

/* The thread koid of a ref, when it is known. */
struct koid {
    uint64_t thread;
    uint16_t known;
};

/*@ requires \valid_read(provider);
  @ terminates \true;
  @ assigns \nothing;
  @*/
static struct koid koid_of(struct fxt_provider *provider, struct fxt_thread_ref ref)
{
    const struct fxt_thread_slot *slot = fxt_i_thread_slot(provider, ref.ref);
    struct koid it = {slot != NULL ? slot->thread : 0, slot != NULL};

    if (ref.ref == 0) {
        it.thread = ref.thread;
        it.known = 1;
    }
    return it;
}

/*@ requires walk_ok(walk) && walk->checker != \null && walk_notes(walk);
  @ terminates \true;
  @ assigns FXT_I_REPORTS, FXT_I_NOTED_SWITCH;
  @ ensures ok: walk_ok(walk) && walk_kept{Old,Here}(walk);
  @*/
static void check_legacy_switch(struct fxt_i_walk *walk, struct fxt_legacy_switch in)
{
    struct fxt_provider *provider = fxt_i_current_provider(&walk->checker->tables);
    struct koid outgoing = koid_of(provider, in.outgoing);
    struct koid incoming = koid_of(provider, in.incoming);
    struct fxt_i_switch change = {in.timestamp, outgoing.thread, incoming.thread,
                                  in.cpu,       outgoing.known,  incoming.known};

    fxt_i_check_switch(walk, change);
}

/*@ requires walk_ok(walk) && (walk->checker == \null || walk_notes(walk));
  @ terminates \true;
  @ assigns FXT_I_REPORTS, FXT_I_NOTED_SWITCH;
  @ ensures ok: walk_ok(walk) && walk_kept{Old,Here}(walk);
  @*/
static void walk_legacy_switch(struct fxt_i_walk *walk)
{
    struct decoded_legacy_switch it = decode_legacy_switch(walk->record);
    uint64_t header = walk->record->header;
    uint64_t offset = walk->record->offset;

    if (it.status != FXT_OK) {
        fxt_i_walk_malformed(walk, it.error);
        return;
    }
    fxt_i_walk_reserved(walk, fxt_legacy_switch_header_reserved(header), offset);
    walk_state(walk, it.in.outgoing_state);
    fxt_i_walk_thread(walk, it.in.outgoing.ref, offset);
    fxt_i_walk_thread(walk, it.in.incoming.ref, offset);
    fxt_i_walk_tail(walk, it.in.tail);
    if (walk->checker != NULL && !walk->checker->lost)
        check_legacy_switch(walk, it.in);
}

FXT_I_DECODED(context_switch);

/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures args: \result.status == FXT_OK ==>
  @         args_inside{Old}(record, \result.in.args.bytes, \result.in.args.offset,
  @                          \result.in.args.words, \result.in.args.count);
  @ ensures tail: \result.status == FXT_OK ==>
  @         in_record{Old}(record, \result.in.tail.bytes, 8 * \result.in.tail.words);
  @*/
static struct decoded_context_switch decode_context_switch(const struct fxt_record *record)
{
    struct decoded_context_switch it;

    it.status = fxt_read_context_switch(record, &it.in, &it.error);
    /*@ assert says: it.status == FXT_OK ==>
      @   says_context_switch_upto{Pre,Here}(record, &it.in, l_context_switch_end{Pre}(record)); */
    /*@ assert from: it.status == FXT_OK ==>
      @   it.in.args.bytes == \at(record->bytes, Pre) + 32; */
    /*@ assert end: it.status == FXT_OK ==>
      @   4 + it.in.args.words
      @   == l_context_switch_end{Pre}(record); */
    /*@ assert left: it.status == FXT_OK ==>
      @   l_context_switch_end{Pre}(record) + it.in.tail.words == \at(record->words, Pre); */
    /*@ assert behind: it.status == FXT_OK && it.in.tail.words > 0 ==>
      @   it.in.tail.bytes == \at(record->bytes, Pre)
      @                    + 8 * (\at(record->words, Pre) - it.in.tail.words); */
    /*@ assert place: it.status == FXT_OK ==>
      @   in_record{Pre}(record, it.in.args.bytes, 8 * it.in.args.words); */
    /*@ assert there: it.status == FXT_OK ==>
      @   readable{Pre}(it.in.args.bytes, 8 * it.in.args.words); */
    /*@ assert count: it.status == FXT_OK ==> it.in.args.count <= 15
      @   && it.in.args.offset + 8 * it.in.args.words <= 18446744073709551615; */
    /*@ assert args: it.status == FXT_OK ==>
      @   args_inside{Pre}(record, it.in.args.bytes, it.in.args.offset, it.in.args.words,
      @                    it.in.args.count); */
    /*@ assert tail: it.status == FXT_OK ==>
      @   in_record{Pre}(record, it.in.tail.bytes, 8 * it.in.tail.words); */
    return it;
}

/*@ requires walk_ok(walk) && (walk->checker == \null || walk_notes(walk));
  @ terminates \true;
  @ assigns FXT_I_REPORTS, walk->checker->may_compare, FXT_I_NOTED_SWITCH;
  @ ensures ok: walk_ok(walk) && walk_kept{Old,Here}(walk);
  @*/
static void walk_context_switch(struct fxt_i_walk *walk)
{
    struct decoded_context_switch it = decode_context_switch(walk->record);
    uint64_t header = walk->record->header;
    uint64_t offset = walk->record->offset;

    if (it.status != FXT_OK) {
        fxt_i_walk_malformed(walk, it.error);
        return;
    }
    fxt_i_walk_reserved(walk, fxt_context_switch_header_reserved(header), offset);
    walk_state(walk, it.in.outgoing_state);
    fxt_i_walk_args(walk, it.in.args);
    fxt_i_walk_tail(walk, it.in.tail);
    if (walk->checker != NULL && !walk->checker->lost) {
        struct fxt_i_switch change = {
            it.in.timestamp, it.in.outgoing_thread, it.in.incoming_thread, it.in.cpu, 1, 1};
        fxt_i_check_switch(walk, change);
    }
}

FXT_I_DECODED(thread_wakeup);

/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures args: \result.status == FXT_OK ==>
  @         args_inside{Old}(record, \result.in.args.bytes, \result.in.args.offset,
  @                          \result.in.args.words, \result.in.args.count);
  @ ensures tail: \result.status == FXT_OK ==>
  @         in_record{Old}(record, \result.in.tail.bytes, 8 * \result.in.tail.words);
  @*/
static struct decoded_thread_wakeup decode_thread_wakeup(const struct fxt_record *record)
{
    struct decoded_thread_wakeup it;

    it.status = fxt_read_thread_wakeup(record, &it.in, &it.error);
    /*@ assert says: it.status == FXT_OK ==>
      @   says_thread_wakeup_upto{Pre,Here}(record, &it.in, l_thread_wakeup_end{Pre}(record)); */
    /*@ assert from: it.status == FXT_OK ==>
      @   it.in.args.bytes == \at(record->bytes, Pre) + 24; */
    /*@ assert end: it.status == FXT_OK ==>
      @   3 + it.in.args.words
      @   == l_thread_wakeup_end{Pre}(record); */
    /*@ assert left: it.status == FXT_OK ==>
      @   l_thread_wakeup_end{Pre}(record) + it.in.tail.words == \at(record->words, Pre); */
    /*@ assert behind: it.status == FXT_OK && it.in.tail.words > 0 ==>
      @   it.in.tail.bytes == \at(record->bytes, Pre)
      @                    + 8 * (\at(record->words, Pre) - it.in.tail.words); */
    /*@ assert place: it.status == FXT_OK ==>
      @   in_record{Pre}(record, it.in.args.bytes, 8 * it.in.args.words); */
    /*@ assert there: it.status == FXT_OK ==>
      @   readable{Pre}(it.in.args.bytes, 8 * it.in.args.words); */
    /*@ assert count: it.status == FXT_OK ==> it.in.args.count <= 15
      @   && it.in.args.offset + 8 * it.in.args.words <= 18446744073709551615; */
    /*@ assert args: it.status == FXT_OK ==>
      @   args_inside{Pre}(record, it.in.args.bytes, it.in.args.offset, it.in.args.words,
      @                    it.in.args.count); */
    /*@ assert tail: it.status == FXT_OK ==>
      @   in_record{Pre}(record, it.in.tail.bytes, 8 * it.in.tail.words); */
    return it;
}

/*@ requires walk_ok(walk);
  @ terminates \true;
  @ assigns FXT_I_REPORTS, walk->checker->may_compare;
  @ ensures ok: walk_ok(walk) && walk_kept{Old,Here}(walk);
  @*/
static void walk_thread_wakeup(struct fxt_i_walk *walk)
{
    struct decoded_thread_wakeup it = decode_thread_wakeup(walk->record);
    uint64_t header = walk->record->header;
    uint64_t offset = walk->record->offset;

    if (it.status != FXT_OK) {
        fxt_i_walk_malformed(walk, it.error);
        return;
    }
    fxt_i_walk_reserved(walk, fxt_thread_wakeup_header_reserved(header), offset);
    fxt_i_walk_args(walk, it.in.args);
    fxt_i_walk_tail(walk, it.in.tail);
}

void fxt_i_walk_scheduling(struct fxt_i_walk *walk)
{
    uint8_t kind = fxt_record_scheduling_type(walk->record);

    if (kind == FXT_SCHEDULING_CONTEXT_SWITCH || kind == FXT_SCHEDULING_THREAD_WAKEUP)
        fxt_i_walk_edition(walk, walk->record->offset, kind);
    if (kind == FXT_SCHEDULING_LEGACY_SWITCH)
        walk_legacy_switch(walk);
    else if (kind == FXT_SCHEDULING_CONTEXT_SWITCH)
        walk_context_switch(walk);
    else if (kind == FXT_SCHEDULING_THREAD_WAKEUP)
        walk_thread_wakeup(walk);
    else
        fxt_i_report(walk, FXT_RULE_SCH_02, walk->record->offset, kind);
}
