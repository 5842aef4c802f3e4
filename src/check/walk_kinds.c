/* The rules of metadata, objects, scheduling, profiler and large records. No state. */
#include "src/check/history.h"
#include "src/check/walk.h"
#include "src/wire/layout.h"

/* For the annotations: the header of the record that is decoded. */
#define HEADER \at(record->header, Pre)

/*@ requires walk_ok(walk);
  @ terminates \true;
  @ assigns FXT_I_REPORTS;
  @ ensures ok: walk_ok(walk) && walk_kept{Old,Here}(walk);
  @*/
static void malformed(struct fxt_i_walk *walk, struct fxt_error error)
{
    fxt_i_report(walk, error.rule, error.offset, 0);
}

/* MET-03: whether the provider that a section or an event names was introduced. */
/*@ requires walk_ok(walk);
  @ terminates \true;
  @ assigns FXT_I_REPORTS;
  @ ensures ok: walk_ok(walk) && walk_kept{Old,Here}(walk);
  @*/
static void walk_introduced(struct fxt_i_walk *walk, uint32_t id)
{
    if (!fxt_i_judges_references(walk))
        return;
    const struct fxt_tables *tables = &walk->checker->tables;
    uint32_t count = tables->provider_count;
    /*@ loop invariant i <= count;
      @ loop assigns i;
      @ loop variant count - i;
      @*/
    for (uint32_t i = 0; i < count; i++)
        if (tables->provider_ids[i] == id && tables->providers[i].introduced)
            return;
    fxt_i_report(walk, FXT_RULE_MET_03, walk->record->offset, id);
}

/*@ requires walk_ok(walk);
  @ terminates \true;
  @ assigns FXT_I_REPORTS;
  @ ensures ok: walk_ok(walk) && walk_kept{Old,Here}(walk);
  @*/
static void walk_trace_info(struct fxt_i_walk *walk)
{
    const struct fxt_record *record = walk->record;

    if (fxt_trace_info_header_trace_info_type(record->header) != FXT_TRACE_INFO_MAGIC)
        fxt_i_report(walk, FXT_RULE_MET_05, record->offset,
                     fxt_trace_info_header_trace_info_type(record->header));
    else if (record->header != FXT_MAGIC)
        fxt_i_report(walk, FXT_RULE_MET_06, record->offset, record->header);
}

FXT_I_DECODED(provider_info);

/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures name: \result.status == FXT_OK ==>
  @         in_record{Old}(record, \result.in.name.bytes,
  @                        8 * l_words_of(\result.in.name.size));
  @ ensures tail: \result.status == FXT_OK ==>
  @         in_record{Old}(record, \result.in.tail.bytes, 8 * \result.in.tail.words);
  @*/
static struct decoded_provider_info decode_provider_info(const struct fxt_record *record)
{
    struct decoded_provider_info it;

    it.status = fxt_read_provider_info(record, &it.in, &it.error);
    /*@ assert length: 0 <= l_provider_info_header_name_length(HEADER); */
    /*@ assert says_name: it.status == FXT_OK ==>
      @   says_stream(it.in.name.bytes, it.in.name.size, \at(record->bytes, Pre), 1,
      @               l_provider_info_header_name_length(HEADER)); */
    /*@ assert left: it.status == FXT_OK ==>
      @   1 + l_words_of(it.in.name.size) + it.in.tail.words == \at(record->words, Pre); */
    /*@ assert behind: it.status == FXT_OK && it.in.tail.words > 0 ==>
      @   it.in.tail.bytes == \at(record->bytes, Pre)
      @                    + 8 * (\at(record->words, Pre) - it.in.tail.words); */
    /*@ assert name: it.status == FXT_OK ==>
      @   in_record{Pre}(record, it.in.name.bytes, 8 * l_words_of(it.in.name.size)); */
    /*@ assert tail: it.status == FXT_OK ==>
      @   in_record{Pre}(record, it.in.tail.bytes, 8 * it.in.tail.words); */
    return it;
}

/*@ requires walk_ok(walk);
  @ terminates \true;
  @ assigns FXT_I_REPORTS;
  @ ensures ok: walk_ok(walk) && walk_kept{Old,Here}(walk);
  @*/
static void walk_provider_info(struct fxt_i_walk *walk)
{
    struct decoded_provider_info it = decode_provider_info(walk->record);
    uint64_t header = walk->record->header;
    uint64_t offset = walk->record->offset;

    if (it.status != FXT_OK) {
        malformed(walk, it.error);
        return;
    }
    fxt_i_walk_reserved(walk, fxt_provider_info_header_reserved(header), offset);
    fxt_i_walk_text(walk, it.in.name);
    fxt_i_walk_tail(walk, it.in.tail);
}

FXT_I_DECODED(provider_section);

/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures tail: \result.status == FXT_OK ==>
  @         in_record{Old}(record, \result.in.tail.bytes, 8 * \result.in.tail.words);
  @*/
static struct decoded_provider_section decode_provider_section(const struct fxt_record *record)
{
    struct decoded_provider_section it;

    it.status = fxt_read_provider_section(record, &it.in, &it.error);
    return it;
}

/*@ requires walk_ok(walk);
  @ terminates \true;
  @ assigns FXT_I_REPORTS;
  @ ensures ok: walk_ok(walk) && walk_kept{Old,Here}(walk);
  @*/
static void walk_provider_section(struct fxt_i_walk *walk)
{
    struct decoded_provider_section it = decode_provider_section(walk->record);
    uint64_t header = walk->record->header;
    uint64_t offset = walk->record->offset;

    if (it.status != FXT_OK) {
        malformed(walk, it.error);
        return;
    }
    fxt_i_walk_reserved(walk, fxt_provider_section_header_reserved(header), offset);
    walk_introduced(walk, it.in.provider_id);
    fxt_i_walk_tail(walk, it.in.tail);
}

FXT_I_DECODED(provider_event);

/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures tail: \result.status == FXT_OK ==>
  @         in_record{Old}(record, \result.in.tail.bytes, 8 * \result.in.tail.words);
  @*/
static struct decoded_provider_event decode_provider_event(const struct fxt_record *record)
{
    struct decoded_provider_event it;

    it.status = fxt_read_provider_event(record, &it.in, &it.error);
    return it;
}

/*@ requires walk_ok(walk);
  @ terminates \true;
  @ assigns FXT_I_REPORTS;
  @ ensures ok: walk_ok(walk) && walk_kept{Old,Here}(walk);
  @*/
static void walk_provider_event(struct fxt_i_walk *walk)
{
    struct decoded_provider_event it = decode_provider_event(walk->record);
    uint64_t header = walk->record->header;
    uint64_t offset = walk->record->offset;

    if (it.status != FXT_OK) {
        malformed(walk, it.error);
        return;
    }
    fxt_i_walk_reserved(walk, fxt_provider_event_header_reserved(header), offset);
    if (it.in.event_id != FXT_PROVIDER_EVENT_BUFFER_FULL)
        fxt_i_report(walk, FXT_RULE_MET_04, offset, it.in.event_id);
    walk_introduced(walk, it.in.provider_id);
    fxt_i_walk_tail(walk, it.in.tail);
}

void fxt_i_walk_metadata(struct fxt_i_walk *walk)
{
    uint8_t kind = fxt_record_metadata_type(walk->record);

    switch (kind) {
    case FXT_METADATA_PROVIDER_INFO:
        walk_provider_info(walk);
        break;
    case FXT_METADATA_PROVIDER_SECTION:
        walk_provider_section(walk);
        break;
    case FXT_METADATA_PROVIDER_EVENT:
        walk_provider_event(walk);
        break;
    case FXT_METADATA_TRACE_INFO:
        walk_trace_info(walk);
        break;
    default:
        fxt_i_report(walk, FXT_RULE_MET_01, walk->record->offset, kind);
        break;
    }
}

/*@ requires walk_ok(walk)
  @          && in_record(walk->record, name.bytes, 8 * l_string_words(name.ref));
  @ terminates \true;
  @ assigns FXT_I_REPORTS;
  @ ensures ok: walk_ok(walk) && walk_kept{Old,Here}(walk);
  @*/
static void walk_kernel_name(struct fxt_i_walk *walk, struct fxt_string_ref name)
{
    bool any = walk->checker == NULL || walk->checker->edition >= FXT_EDITION_CURRENT;
    if (name.ref >= FXT_STRING_INLINE)
        fxt_i_walk_inline_string(walk, name, walk->record->offset, any);
    else
        fxt_i_walk_string(walk, name, walk->record->offset);
}

FXT_I_DECODED(userspace_object);

/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures name: \result.status == FXT_OK ==>
  @         in_record{Old}(record, \result.in.name.bytes,
  @                        8 * l_string_words(\result.in.name.ref));
  @ ensures args: \result.status == FXT_OK ==>
  @         args_inside{Old}(record, \result.in.args.bytes, \result.in.args.offset,
  @                          \result.in.args.words, \result.in.args.count);
  @ ensures tail: \result.status == FXT_OK ==>
  @         in_record{Old}(record, \result.in.tail.bytes, 8 * \result.in.tail.words);
  @*/
static struct decoded_userspace_object decode_userspace_object(const struct fxt_record *record)
{
    struct decoded_userspace_object it;

    it.status = fxt_read_userspace_object(record, &it.in, &it.error);
    /*@ assert says: it.status == FXT_OK ==>
      @   says_userspace_object_upto{Pre,Here}(record, &it.in,
      @                                         l_userspace_object_end{Pre}(record)); */
    /*@ assert from: it.status == FXT_OK ==>
      @   it.in.args.bytes == \at(record->bytes, Pre)
      @                    + 8 * l_userspace_object_args(HEADER); */
    /*@ assert args_at: 0 <= l_userspace_object_args(HEADER); */
    /*@ assert end: it.status == FXT_OK ==>
      @   l_userspace_object_args(HEADER) + it.in.args.words
      @   == l_userspace_object_end{Pre}(record); */
    /*@ assert left: it.status == FXT_OK ==>
      @   l_userspace_object_end{Pre}(record) + it.in.tail.words == \at(record->words, Pre); */
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
    /*@ assert named: it.status == FXT_OK && it.in.name.ref > 32768 ==>
      @   it.in.name.bytes == \at(record->bytes, Pre) + 8 * l_userspace_object_name(HEADER); */
    /*@ assert fits: it.status == FXT_OK ==> l_userspace_object_name(HEADER) +
      @   l_string_words(it.in.name.ref) <= \at(record->words, Pre); */
    /*@ assert name: it.status == FXT_OK ==>
      @   in_record{Pre}(record, it.in.name.bytes, 8 * l_string_words(it.in.name.ref)); */
    return it;
}

/*@ requires walk_ok(walk);
  @ terminates \true;
  @ assigns FXT_I_REPORTS, walk->checker->may_compare;
  @ ensures ok: walk_ok(walk) && walk_kept{Old,Here}(walk);
  @*/
static void walk_userspace_object(struct fxt_i_walk *walk)
{
    struct decoded_userspace_object it = decode_userspace_object(walk->record);
    uint64_t header = walk->record->header;
    uint64_t offset = walk->record->offset;

    if (it.status != FXT_OK) {
        malformed(walk, it.error);
        return;
    }
    fxt_i_walk_reserved(walk, fxt_userspace_object_header_reserved(header), offset);
    fxt_i_walk_thread(walk, it.in.process.ref, offset);
    fxt_i_walk_string(walk, it.in.name, offset);
    fxt_i_walk_args(walk, it.in.args);
    fxt_i_walk_tail(walk, it.in.tail);
}

FXT_I_DECODED(kernel_object);

/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures name: \result.status == FXT_OK ==>
  @         in_record{Old}(record, \result.in.name.bytes,
  @                        8 * l_string_words(\result.in.name.ref));
  @ ensures args: \result.status == FXT_OK ==>
  @         args_inside{Old}(record, \result.in.args.bytes, \result.in.args.offset,
  @                          \result.in.args.words, \result.in.args.count);
  @ ensures tail: \result.status == FXT_OK ==>
  @         in_record{Old}(record, \result.in.tail.bytes, 8 * \result.in.tail.words);
  @*/
static struct decoded_kernel_object decode_kernel_object(const struct fxt_record *record)
{
    struct decoded_kernel_object it;

    it.status = fxt_read_kernel_object(record, &it.in, &it.error);
    /*@ assert says: it.status == FXT_OK ==>
      @   says_kernel_object_upto{Pre,Here}(record, &it.in, l_kernel_object_end{Pre}(record)); */
    /*@ assert from: it.status == FXT_OK ==>
      @   it.in.args.bytes == \at(record->bytes, Pre)
      @                    + 8 * l_kernel_object_args(HEADER); */
    /*@ assert args_at: 0 <= l_kernel_object_args(HEADER); */
    /*@ assert end: it.status == FXT_OK ==>
      @   l_kernel_object_args(HEADER) + it.in.args.words
      @   == l_kernel_object_end{Pre}(record); */
    /*@ assert left: it.status == FXT_OK ==>
      @   l_kernel_object_end{Pre}(record) + it.in.tail.words == \at(record->words, Pre); */
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
static void walk_kernel_object(struct fxt_i_walk *walk)
{
    struct decoded_kernel_object it = decode_kernel_object(walk->record);
    uint64_t header = walk->record->header;
    uint64_t offset = walk->record->offset;

    if (it.status != FXT_OK) {
        malformed(walk, it.error);
        return;
    }
    fxt_i_walk_reserved(walk, fxt_kernel_object_header_reserved(header), offset);
    walk_kernel_name(walk, it.in.name);
    fxt_i_walk_args(walk, it.in.args);
    fxt_i_walk_tail(walk, it.in.tail);
}

void fxt_i_walk_object(struct fxt_i_walk *walk)
{
    if (walk->record->type == FXT_RECORD_USERSPACE_OBJECT)
        walk_userspace_object(walk);
    else
        walk_kernel_object(walk);
}

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
    struct fxt_provider *provider = fxt_i_provider(&walk->checker->tables);
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
        malformed(walk, it.error);
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
        malformed(walk, it.error);
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
        malformed(walk, it.error);
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

/* What the walk asks of a module record. */
struct decoded_module {
    struct fxt_bytes name;
    struct fxt_bytes build_id;
    struct fxt_tail tail;
    struct fxt_error error;
    enum fxt_status status;
    uint16_t thread_ref;
};

/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures name: \result.status == FXT_OK ==>
  @         in_record{Old}(record, \result.name.bytes,
  @                        8 * l_words_of(\result.name.size));
  @ ensures build_id: \result.status == FXT_OK ==>
  @         in_record{Old}(record, \result.build_id.bytes,
  @                        8 * l_words_of(\result.build_id.size));
  @ ensures tail: \result.status == FXT_OK ==>
  @         in_record{Old}(record, \result.tail.bytes, 8 * \result.tail.words);
  @*/
static struct decoded_module decode_module(const struct fxt_record *record)
{
    struct fxt_module in;
    struct fxt_error error;
    enum fxt_status status = fxt_read_module(record, &in, &error);
    struct decoded_module it = {in.name, in.build_id, in.tail, error, status, in.thread.ref};

    /*@ assert body: 2 <= l_profiler_body(HEADER); */
    /*@ assert lengths: 0 <= l_module_header_name_length(HEADER)
      @   && 0 <= l_module_header_build_id_length(HEADER); */
    /*@ assert at_id: l_profiler_body(HEADER) + l_words_of(l_module_header_name_length(HEADER))
      @   == l_module_build_id(HEADER); */
    /*@ assert at_end: l_module_build_id(HEADER)
      @   + l_words_of(l_module_header_build_id_length(HEADER))
      @   == l_module_end(HEADER); */
    /*@ assert says_name: status == FXT_OK ==>
      @   says_stream(it.name.bytes, it.name.size, \at(record->bytes, Pre),
      @               l_profiler_body(HEADER),
      @               l_module_header_name_length(HEADER)); */
    /*@ assert says_build_id: status == FXT_OK ==>
      @   says_stream(it.build_id.bytes, it.build_id.size, \at(record->bytes, Pre),
      @               l_module_build_id(HEADER),
      @               l_module_header_build_id_length(HEADER)); */
    /*@ assert says_tail: status == FXT_OK ==>
      @   says_tail(it.tail.bytes, it.tail.words, \at(record->bytes, Pre), l_module_end(HEADER),
      @             \at(record->words, Pre)); */
    /*@ assert left: status == FXT_OK ==>
      @   l_module_end(HEADER) + it.tail.words == \at(record->words, Pre); */
    /*@ assert behind: status == FXT_OK && it.tail.words > 0 ==>
      @   it.tail.bytes == \at(record->bytes, Pre)
      @                    + 8 * (\at(record->words, Pre) - it.tail.words); */
    /*@ assert name: status == FXT_OK ==>
      @   in_record{Pre}(record, it.name.bytes, 8 * l_words_of(it.name.size)); */
    /*@ assert build_id: status == FXT_OK ==>
      @   in_record{Pre}(record, it.build_id.bytes, 8 * l_words_of(it.build_id.size)); */
    /*@ assert tail: status == FXT_OK ==>
      @   in_record{Pre}(record, it.tail.bytes, 8 * it.tail.words); */
    return it;
}

/*@ requires walk_ok(walk);
  @ terminates \true;
  @ assigns FXT_I_REPORTS;
  @ ensures ok: walk_ok(walk) && walk_kept{Old,Here}(walk);
  @*/
static void walk_module(struct fxt_i_walk *walk)
{
    struct decoded_module it = decode_module(walk->record);
    uint64_t header = walk->record->header;
    uint64_t offset = walk->record->offset;

    if (it.status != FXT_OK) {
        malformed(walk, it.error);
        return;
    }
    fxt_i_walk_reserved(walk, fxt_module_header_reserved(header), offset);
    fxt_i_walk_thread(walk, it.thread_ref, offset);
    fxt_i_walk_text(walk, it.name);
    fxt_i_walk_padding(walk, it.build_id);
    fxt_i_walk_tail(walk, it.tail);
}

FXT_I_DECODED(mmap);

/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures tail: \result.status == FXT_OK ==>
  @         in_record{Old}(record, \result.in.tail.bytes, 8 * \result.in.tail.words);
  @*/
static struct decoded_mmap decode_mmap(const struct fxt_record *record)
{
    struct decoded_mmap it;

    it.status = fxt_read_mmap(record, &it.in, &it.error);
    return it;
}

/*@ requires walk_ok(walk);
  @ terminates \true;
  @ assigns FXT_I_REPORTS;
  @ ensures ok: walk_ok(walk) && walk_kept{Old,Here}(walk);
  @*/
static void walk_mmap(struct fxt_i_walk *walk)
{
    struct decoded_mmap it = decode_mmap(walk->record);
    uint64_t header = walk->record->header;
    uint64_t offset = walk->record->offset;

    if (it.status != FXT_OK) {
        malformed(walk, it.error);
        return;
    }
    fxt_i_walk_reserved(walk, fxt_mmap_header_reserved(header), offset);
    fxt_i_walk_thread(walk, it.in.thread.ref, offset);
    fxt_i_walk_tail(walk, it.in.tail);
}

FXT_I_DECODED(backtrace);

/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures tail: \result.status == FXT_OK ==>
  @         in_record{Old}(record, \result.in.tail.bytes, 8 * \result.in.tail.words);
  @*/
static struct decoded_backtrace decode_backtrace(const struct fxt_record *record)
{
    struct decoded_backtrace it;

    it.status = fxt_read_backtrace(record, &it.in, &it.error);
    return it;
}

/*@ requires walk_ok(walk);
  @ terminates \true;
  @ assigns FXT_I_REPORTS;
  @ ensures ok: walk_ok(walk) && walk_kept{Old,Here}(walk);
  @*/
static void walk_backtrace(struct fxt_i_walk *walk)
{
    struct decoded_backtrace it = decode_backtrace(walk->record);
    uint64_t header = walk->record->header;
    uint64_t offset = walk->record->offset;

    if (it.status != FXT_OK) {
        malformed(walk, it.error);
        return;
    }
    fxt_i_walk_reserved(walk, fxt_backtrace_header_reserved(header), offset);
    fxt_i_walk_thread(walk, it.in.thread.ref, offset);
    fxt_i_walk_tail(walk, it.in.tail);
}

void fxt_i_walk_profiler(struct fxt_i_walk *walk)
{
    uint8_t kind = fxt_record_profiler_type(walk->record);

    fxt_i_walk_edition(walk, walk->record->offset, walk->record->type);
    switch (kind) {
    case FXT_PROFILER_MODULE:
        walk_module(walk);
        break;
    case FXT_PROFILER_MMAP:
        walk_mmap(walk);
        break;
    case FXT_PROFILER_BACKTRACE:
        walk_backtrace(walk);
        break;
    default:
        fxt_i_report(walk, FXT_RULE_PRF_01, walk->record->offset, kind);
        break;
    }
}

/* What the walk asks of a large blob. */
struct decoded_large_blob {
    struct fxt_string_ref category;
    struct fxt_string_ref name;
    struct fxt_args args;
    struct fxt_bytes payload;
    struct fxt_tail tail;
    struct fxt_error error;
    enum fxt_status status;
    uint16_t thread_ref;
    uint16_t blob_format;
};

/* For the annotations: the format word, and where the size of the payload stands. */
#define BLOB_FORMAT l_large_blob_format{Pre}(record)
#define BLOB_SIZE l_large_blob_size_at{Pre}(record, BLOB_FORMAT)

/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures format: \result.status == FXT_OK ==>
  @         2 <= \old(record->words);
  @ ensures category: \result.status == FXT_OK ==>
  @         in_record{Old}(record, \result.category.bytes,
  @                        8 * l_string_words(\result.category.ref));
  @ ensures name: \result.status == FXT_OK ==>
  @         in_record{Old}(record, \result.name.bytes,
  @                        8 * l_string_words(\result.name.ref));
  @ ensures args: \result.status == FXT_OK ==>
  @         \result.blob_format == 0 ==>
  @         args_inside{Old}(record, \result.args.bytes, \result.args.offset,
  @                          \result.args.words, \result.args.count);
  @ ensures payload: \result.status == FXT_OK ==>
  @         in_record{Old}(record, \result.payload.bytes,
  @                        8 * l_words_of(\result.payload.size));
  @ ensures tail: \result.status == FXT_OK ==>
  @         in_record{Old}(record, \result.tail.bytes, 8 * \result.tail.words);
  @*/
static struct decoded_large_blob decode_large_blob(const struct fxt_record *record)
{
    struct fxt_large_blob in;
    struct fxt_error error;
    enum fxt_status status = fxt_read_large_blob(record, &in, &error);
    struct decoded_large_blob it = {in.category, in.name, in.args,       in.payload,    in.tail,
                                    error,       status,  in.thread.ref, in.blob_format};

    /*@ assert says: status == FXT_OK ==>
      @   says_large_blob_upto{Pre,Here}(record, &in, BLOB_FORMAT, BLOB_SIZE); */
    /*@ assert says_metadata: status == FXT_OK && it.blob_format == 0 ==>
      @   says_large_blob_metadata{Pre,Here}(record, &in, BLOB_FORMAT, BLOB_SIZE); */
    /*@ assert says_category: status == FXT_OK ==>
      @   says_string(it.category.bytes, it.category.ref, \at(record->bytes, Pre), 2,
      @               l_large_blob_metadata_category(BLOB_FORMAT)); */
    /*@ assert says_name: status == FXT_OK ==>
      @   says_string(it.name.bytes, it.name.ref, \at(record->bytes, Pre),
      @               l_large_blob_name(BLOB_FORMAT), l_large_blob_metadata_name(BLOB_FORMAT)); */
    /*@ assert says_payload: status == FXT_OK ==>
      @   says_stream(it.payload.bytes, it.payload.size, \at(record->bytes, Pre),
      @               BLOB_SIZE + 1, l_word{Pre}(\at(record->bytes, Pre) + 8 * BLOB_SIZE)); */
    /*@ assert says_tail: status == FXT_OK ==>
      @   says_tail(it.tail.bytes, it.tail.words, \at(record->bytes, Pre),
      @             BLOB_SIZE + 1 + l_words_of(it.payload.size), \at(record->words, Pre)); */
    /*@ assert room: status == FXT_OK ==> 2 <= \at(record->words, Pre); */
    /*@ assert kinds: status == FXT_OK ==> it.blob_format == 0 || it.blob_format == 1; */
    /*@ assert from: status == FXT_OK && it.blob_format == 0 ==>
      @   it.args.bytes == \at(record->bytes, Pre) + 8 * l_large_blob_args(BLOB_FORMAT); */
    /*@ assert end: status == FXT_OK && it.blob_format == 0 ==>
      @   l_large_blob_args(BLOB_FORMAT) + it.args.words == BLOB_SIZE; */
    /*@ assert name_at: 2 <= l_large_blob_name(BLOB_FORMAT); */
    /*@ assert behind_at: l_large_blob_name(BLOB_FORMAT) <= l_large_blob_behind(BLOB_FORMAT); */
    /*@ assert args_at: l_large_blob_behind(BLOB_FORMAT) <= l_large_blob_args(BLOB_FORMAT); */
    /*@ assert without: status == FXT_OK && it.blob_format == 1 ==>
      @   BLOB_SIZE == l_large_blob_behind(BLOB_FORMAT); */
    /*@ assert refs: status == FXT_OK ==>
      @   2 <= l_large_blob_name(BLOB_FORMAT) <= l_large_blob_behind(BLOB_FORMAT) <= BLOB_SIZE; */
    /*@ assert upto: status == FXT_OK ==>
      @   BLOB_SIZE + 1 + l_words_of(it.payload.size) + it.tail.words
      @   == \at(record->words, Pre); */
    /*@ assert behind: status == FXT_OK && it.tail.words > 0 ==>
      @   it.tail.bytes == \at(record->bytes, Pre)
      @                    + 8 * (\at(record->words, Pre) - it.tail.words); */
    /*@ assert start: status == FXT_OK && it.payload.size > 0 ==>
      @   it.payload.bytes == \at(record->bytes, Pre) + 8 * (BLOB_SIZE + 1); */
    /*@ assert category: status == FXT_OK ==>
      @   in_record{Pre}(record, it.category.bytes, 8 * l_string_words(it.category.ref)); */
    /*@ assert name: status == FXT_OK ==>
      @   in_record{Pre}(record, it.name.bytes, 8 * l_string_words(it.name.ref)); */
    /*@ assert place: status == FXT_OK && it.blob_format == 0 ==>
      @   in_record{Pre}(record, it.args.bytes, 8 * it.args.words); */
    /*@ assert there: status == FXT_OK && it.blob_format == 0 ==>
      @   readable{Pre}(it.args.bytes, 8 * it.args.words); */
    /*@ assert count: status == FXT_OK ==> it.args.count <= 15
      @   && it.args.offset + 8 * it.args.words <= 18446744073709551615; */
    /*@ assert args: status == FXT_OK && it.blob_format == 0 ==>
      @   args_inside{Pre}(record, it.args.bytes, it.args.offset, it.args.words,
      @                    it.args.count); */
    /*@ assert payload: status == FXT_OK ==>
      @   in_record{Pre}(record, it.payload.bytes, 8 * l_words_of(it.payload.size)); */
    /*@ assert tail: status == FXT_OK ==>
      @   in_record{Pre}(record, it.tail.bytes, 8 * it.tail.words); */
    return it;
}

/* What stands before the payload. */
/*@ requires walk_ok(walk);
  @ requires in_record(walk->record, in.category.bytes, 8 * l_string_words(in.category.ref));
  @ requires in_record(walk->record, in.name.bytes, 8 * l_string_words(in.name.ref));
  @ requires in.blob_format == 0 ==>
  @          args_inside(walk->record, in.args.bytes, in.args.offset, in.args.words, in.args.count);
  @ terminates \true;
  @ assigns FXT_I_REPORTS, walk->checker->may_compare;
  @ ensures ok: walk_ok(walk) && walk_kept{Old,Here}(walk);
  @*/
static void walk_blob_metadata(struct fxt_i_walk *walk, struct decoded_large_blob in,
                               uint64_t format)
{
    uint64_t offset = walk->record->offset + 8;

    if (in.blob_format == FXT_LARGE_BLOB_METADATA)
        fxt_i_walk_reserved(walk, fxt_large_blob_metadata_reserved(format), offset);
    else
        fxt_i_walk_reserved(walk, fxt_large_blob_no_metadata_reserved(format), offset);
    fxt_i_walk_string(walk, in.category, offset);
    fxt_i_walk_string(walk, in.name, offset);
    if (in.blob_format == FXT_LARGE_BLOB_METADATA) {
        fxt_i_walk_thread(walk, in.thread_ref, offset);
        fxt_i_walk_args(walk, in.args);
    }
}

/*@ requires walk_ok(walk);
  @ terminates \true;
  @ assigns FXT_I_REPORTS, walk->checker->may_compare;
  @ ensures ok: walk_ok(walk) && walk_kept{Old,Here}(walk);
  @*/
static void walk_large_blob(struct fxt_i_walk *walk)
{
    struct decoded_large_blob it = decode_large_blob(walk->record);
    uint64_t header = walk->record->header;
    uint64_t offset = walk->record->offset;

    if (it.status != FXT_OK) {
        malformed(walk, it.error);
        return;
    }
    uint64_t format = fxt_load_word(walk->record->bytes + 8);
    fxt_i_walk_reserved(walk, fxt_large_blob_header_reserved(header), offset);
    walk_blob_metadata(walk, it, format);
    fxt_i_walk_padding(walk, it.payload);
    fxt_i_walk_tail(walk, it.tail);
}

void fxt_i_walk_large(struct fxt_i_walk *walk)
{
    uint64_t offset = walk->record->offset;
    uint8_t type = fxt_record_large_type(walk->record);
    uint8_t format = fxt_record_blob_format(walk->record);

    fxt_i_walk_edition(walk, offset, walk->record->type);
    if (type != FXT_LARGE_BLOB)
        fxt_i_report(walk, FXT_RULE_LRG_01, offset, type);
    else if (format > FXT_LARGE_BLOB_NO_METADATA)
        fxt_i_report(walk, FXT_RULE_LRG_02, offset, format);
    else
        walk_large_blob(walk);
}
