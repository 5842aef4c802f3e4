/* The pieces that the walks share, and the walk over the records that need no file of their own.
   No state but struct fxt_i_walk, which lives for one record. */
#include "src/check/walk.h"

#include "src/wire/layout.h"

/* The rules that keep a record from being canonical (CAN-01), beside the malformed ones. */
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
    default: /* not SCH-03: running is a state that can be written, a state above dead is not */
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

/* Text that stands in the record itself: UTF-8 and padding. */
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

FXT_I_DECODED(initialization);

/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures tail: \result.status == FXT_OK ==>
  @         in_record{Old}(record, \result.in.tail.bytes, 8 * \result.in.tail.words);
  @*/
static struct decoded_initialization decode_initialization(const struct fxt_record *record)
{
    struct decoded_initialization it;

    it.status = fxt_read_initialization(record, &it.in, &it.error);
    return it;
}

/* INI-03 */
/*@ requires walk_ok(walk);
  @ terminates \true;
  @ assigns FXT_I_REPORTS;
  @ ensures ok: walk_ok(walk) && walk_kept{Old,Here}(walk);
  @*/
static void walk_rate(struct fxt_i_walk *walk, uint64_t ticks_per_second)
{
    if (walk->checker == NULL || walk->checker->lost)
        return;
    const struct fxt_provider *provider = fxt_i_provider(&walk->checker->tables);
    if ((provider->initialized || provider->timed) && ticks_per_second != 0 &&
        provider->ticks_per_second != ticks_per_second)
        fxt_i_report(walk, FXT_RULE_INI_03, walk->record->offset + 8, ticks_per_second);
}

/*@ requires walk_ok(walk);
  @ terminates \true;
  @ assigns FXT_I_REPORTS;
  @ ensures ok: walk_ok(walk) && walk_kept{Old,Here}(walk);
  @*/
static void walk_initialization(struct fxt_i_walk *walk)
{
    struct decoded_initialization it = decode_initialization(walk->record);
    uint64_t header = walk->record->header;
    uint64_t offset = walk->record->offset;

    if (it.status != FXT_OK) {
        malformed(walk, it.error);
        return;
    }
    fxt_i_walk_reserved(walk, fxt_initialization_header_reserved(header), offset);
    if (it.in.ticks_per_second == 0)
        fxt_i_report(walk, FXT_RULE_INI_02, offset + 8, 0);
    fxt_i_walk_tail(walk, it.in.tail);
    walk_rate(walk, it.in.ticks_per_second);
}

FXT_I_DECODED(string);

/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures value: \result.status == FXT_OK ==>
  @         in_record{Old}(record, \result.in.value.bytes,
  @                        8 * l_words_of(\result.in.value.size));
  @ ensures tail: \result.status == FXT_OK ==>
  @         in_record{Old}(record, \result.in.tail.bytes, 8 * \result.in.tail.words);
  @*/
static struct decoded_string decode_string(const struct fxt_record *record)
{
    struct decoded_string it;

    it.status = fxt_read_string(record, &it.in, &it.error);
    /*@ assert length: 0 <= l_string_header_length(HEADER); */
    /*@ assert says_value: it.status == FXT_OK ==>
      @   says_stream(it.in.value.bytes, it.in.value.size, \at(record->bytes, Pre), 1,
      @               l_string_header_length(HEADER)); */
    /*@ assert left: it.status == FXT_OK ==>
      @   1 + l_words_of(it.in.value.size) + it.in.tail.words == \at(record->words, Pre); */
    /*@ assert behind: it.status == FXT_OK && it.in.tail.words > 0 ==>
      @   it.in.tail.bytes == \at(record->bytes, Pre)
      @                    + 8 * (\at(record->words, Pre) - it.in.tail.words); */
    /*@ assert value: it.status == FXT_OK ==>
      @   in_record{Pre}(record, it.in.value.bytes, 8 * l_words_of(it.in.value.size)); */
    /*@ assert tail: it.status == FXT_OK ==>
      @   in_record{Pre}(record, it.in.tail.bytes, 8 * it.in.tail.words); */
    return it;
}

/*@ requires walk_ok(walk);
  @ terminates \true;
  @ assigns FXT_I_REPORTS;
  @ ensures ok: walk_ok(walk) && walk_kept{Old,Here}(walk);
  @*/
static void walk_string_record(struct fxt_i_walk *walk)
{
    struct decoded_string it = decode_string(walk->record);
    uint64_t header = walk->record->header;
    uint64_t offset = walk->record->offset;

    if (it.status != FXT_OK) {
        malformed(walk, it.error);
        return;
    }
    fxt_i_walk_reserved(walk, fxt_string_header_reserved(header), offset);
    if (it.in.index == 0)
        fxt_i_report(walk, FXT_RULE_STT_02, offset, 0);
    if (it.in.value.size == 0)
        fxt_i_report(walk, FXT_RULE_STT_04, offset, it.in.index);
    if (it.in.value.size > FXT_STRING_LENGTH_MAX)
        fxt_i_report(walk, FXT_RULE_STR_04, offset + 8, it.in.value.size);
    fxt_i_walk_text(walk, it.in.value);
    fxt_i_walk_tail(walk, it.in.tail);
}

FXT_I_DECODED(thread);

/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures tail: \result.status == FXT_OK ==>
  @         in_record{Old}(record, \result.in.tail.bytes, 8 * \result.in.tail.words);
  @*/
static struct decoded_thread decode_thread(const struct fxt_record *record)
{
    struct decoded_thread it;

    it.status = fxt_read_thread(record, &it.in, &it.error);
    return it;
}

/*@ requires walk_ok(walk);
  @ terminates \true;
  @ assigns FXT_I_REPORTS;
  @ ensures ok: walk_ok(walk) && walk_kept{Old,Here}(walk);
  @*/
static void walk_thread_record(struct fxt_i_walk *walk)
{
    struct decoded_thread it = decode_thread(walk->record);
    uint64_t header = walk->record->header;
    uint64_t offset = walk->record->offset;

    if (it.status != FXT_OK) {
        malformed(walk, it.error);
        return;
    }
    fxt_i_walk_reserved(walk, fxt_thread_header_reserved(header), offset);
    if (it.in.index == 0)
        fxt_i_report(walk, FXT_RULE_THT_02, offset, 0);
    fxt_i_walk_tail(walk, it.in.tail);
}

/* What the walk asks of a blob record. */
struct decoded_blob {
    struct fxt_string_ref name;
    struct fxt_bytes payload;
    struct fxt_tail tail;
    struct fxt_error error;
    enum fxt_status status;
    uint16_t blob_type;
};

/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures name: \result.status == FXT_OK ==>
  @         in_record{Old}(record, \result.name.bytes,
  @                        8 * l_string_words(\result.name.ref));
  @ ensures payload: \result.status == FXT_OK ==>
  @         in_record{Old}(record, \result.payload.bytes,
  @                        8 * l_words_of(\result.payload.size));
  @ ensures tail: \result.status == FXT_OK ==>
  @         in_record{Old}(record, \result.tail.bytes, 8 * \result.tail.words);
  @*/
static struct decoded_blob decode_blob(const struct fxt_record *record)
{
    struct fxt_blob in;
    struct fxt_error error;
    enum fxt_status status = fxt_read_blob(record, &in, &error);
    struct decoded_blob it = {in.name, in.payload, in.tail, error, status, in.blob_type};

    /*@ assert length: 0 <= l_blob_header_payload_size(HEADER); */
    /*@ assert at_payload: 1 + l_string_words(l_blob_header_name(HEADER))
      @   == l_blob_payload(HEADER); */
    /*@ assert says_name: status == FXT_OK ==>
      @   says_string(it.name.bytes, it.name.ref, \at(record->bytes, Pre), 1,
      @               l_blob_header_name(HEADER)); */
    /*@ assert says_payload: status == FXT_OK ==>
      @   says_stream(it.payload.bytes, it.payload.size, \at(record->bytes, Pre),
      @               l_blob_payload(HEADER),
      @               l_blob_header_payload_size(HEADER)); */
    /*@ assert at_end: l_blob_payload(HEADER) + l_words_of(l_blob_header_payload_size(HEADER))
      @   == l_blob_end(HEADER); */
    /*@ assert says_tail: status == FXT_OK ==>
      @   says_tail(it.tail.bytes, it.tail.words, \at(record->bytes, Pre),
      @             l_blob_end(HEADER), \at(record->words, Pre)); */
    /*@ assert left: status == FXT_OK ==>
      @   l_blob_payload(HEADER) + l_words_of(it.payload.size) + it.tail.words
      @   == \at(record->words, Pre); */
    /*@ assert behind: status == FXT_OK && it.tail.words > 0 ==>
      @   it.tail.bytes == \at(record->bytes, Pre)
      @                    + 8 * (\at(record->words, Pre) - it.tail.words); */
    /*@ assert name: status == FXT_OK ==>
      @   in_record{Pre}(record, it.name.bytes, 8 * l_string_words(it.name.ref)); */
    /*@ assert payload: status == FXT_OK ==>
      @   in_record{Pre}(record, it.payload.bytes, 8 * l_words_of(it.payload.size)); */
    /*@ assert tail: status == FXT_OK ==>
      @   in_record{Pre}(record, it.tail.bytes, 8 * it.tail.words); */
    return it;
}

/*@ requires walk_ok(walk);
  @ terminates \true;
  @ assigns FXT_I_REPORTS;
  @ ensures ok: walk_ok(walk) && walk_kept{Old,Here}(walk);
  @*/
static void walk_blob(struct fxt_i_walk *walk)
{
    struct decoded_blob it = decode_blob(walk->record);
    uint64_t header = walk->record->header;
    uint64_t offset = walk->record->offset;

    if (it.status != FXT_OK) {
        malformed(walk, it.error);
        return;
    }
    fxt_i_walk_reserved(walk, fxt_blob_header_reserved(header), offset);
    if (it.blob_type < FXT_BLOB_DATA || it.blob_type > FXT_BLOB_PERFETTO)
        fxt_i_report(walk, FXT_RULE_BLB_02, offset, it.blob_type);
    if (it.blob_type == FXT_BLOB_PERFETTO)
        fxt_i_walk_edition(walk, offset, it.blob_type);
    fxt_i_walk_string(walk, it.name, offset);
    fxt_i_walk_padding(walk, it.payload);
    fxt_i_walk_tail(walk, it.tail);
}

FXT_I_DECODED(log);

/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures message: \result.status == FXT_OK ==>
  @         in_record{Old}(record, \result.in.message.bytes,
  @                        8 * l_words_of(\result.in.message.size));
  @ ensures tail: \result.status == FXT_OK ==>
  @         in_record{Old}(record, \result.in.tail.bytes, 8 * \result.in.tail.words);
  @*/
static struct decoded_log decode_log(const struct fxt_record *record)
{
    struct decoded_log it;

    it.status = fxt_read_log(record, &it.in, &it.error);
    /*@ assert at_message: 2 <= l_log_message(HEADER); */
    /*@ assert length: 0 <= l_log_header_length(HEADER); */
    /*@ assert says_message: it.status == FXT_OK ==>
      @   says_stream(it.in.message.bytes, it.in.message.size, \at(record->bytes, Pre),
      @               l_log_message(HEADER),
      @               l_log_header_length(HEADER)); */
    /*@ assert left: it.status == FXT_OK ==>
      @   l_log_message(HEADER) + l_words_of(it.in.message.size) + it.in.tail.words
      @   == \at(record->words, Pre); */
    /*@ assert behind: it.status == FXT_OK && it.in.tail.words > 0 ==>
      @   it.in.tail.bytes == \at(record->bytes, Pre)
      @                    + 8 * (\at(record->words, Pre) - it.in.tail.words); */
    /*@ assert message: it.status == FXT_OK ==>
      @   in_record{Pre}(record, it.in.message.bytes, 8 * l_words_of(it.in.message.size)); */
    /*@ assert tail: it.status == FXT_OK ==>
      @   in_record{Pre}(record, it.in.tail.bytes, 8 * it.in.tail.words); */
    return it;
}

/*@ requires walk_ok(walk);
  @ terminates \true;
  @ assigns FXT_I_REPORTS;
  @ ensures ok: walk_ok(walk) && walk_kept{Old,Here}(walk);
  @*/
static void walk_log(struct fxt_i_walk *walk)
{
    struct decoded_log it = decode_log(walk->record);
    uint64_t header = walk->record->header;
    uint64_t offset = walk->record->offset;

    if (it.status != FXT_OK) {
        malformed(walk, it.error);
        return;
    }
    fxt_i_walk_reserved(walk, fxt_log_header_reserved(header), offset);
    fxt_i_walk_thread(walk, it.in.thread.ref, offset);
    fxt_i_walk_text(walk, it.in.message);
    fxt_i_walk_tail(walk, it.in.tail);
}

void fxt_i_walk_record(struct fxt_i_walk *walk)
{
    switch (walk->record->type) {
    case FXT_RECORD_METADATA:
        fxt_i_walk_metadata(walk);
        break;
    case FXT_RECORD_INITIALIZATION:
        walk_initialization(walk);
        break;
    case FXT_RECORD_STRING:
        walk_string_record(walk);
        break;
    case FXT_RECORD_THREAD:
        walk_thread_record(walk);
        break;
    case FXT_RECORD_EVENT:
        fxt_i_walk_event(walk);
        break;
    case FXT_RECORD_BLOB:
        walk_blob(walk);
        break;
    case FXT_RECORD_USERSPACE_OBJECT:
    case FXT_RECORD_KERNEL_OBJECT:
        fxt_i_walk_object(walk);
        break;
    case FXT_RECORD_SCHEDULING:
        fxt_i_walk_scheduling(walk);
        break;
    case FXT_RECORD_LOG:
        walk_log(walk);
        break;
    case FXT_RECORD_PROFILER:
        fxt_i_walk_profiler(walk);
        break;
    case FXT_RECORD_LARGE:
        fxt_i_walk_large(walk);
        break;
    default:
        fxt_i_report(walk, FXT_RULE_REC_06, walk->record->offset, walk->record->type);
        break;
    }
}
