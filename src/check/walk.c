/* The walk over a record by its type, and over the records that need no file of their own. */
#include "src/check/walk.h"

#include "src/wire/layout.h"

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
    const struct fxt_provider *provider = fxt_i_current_provider(&walk->checker->tables);
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
        fxt_i_walk_malformed(walk, it.error);
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
    /*@ assert length: 0 <= l_string_header_length(FXT_I_HEADER); */
    /*@ assert says_value: it.status == FXT_OK ==>
      @   says_stream(it.in.value.bytes, it.in.value.size, \at(record->bytes, Pre), 1,
      @               l_string_header_length(FXT_I_HEADER)); */
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
        fxt_i_walk_malformed(walk, it.error);
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
        fxt_i_walk_malformed(walk, it.error);
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

    /*@ assert length: 0 <= l_blob_header_payload_size(FXT_I_HEADER); */
    /*@ assert at_payload: 1 + l_string_words(l_blob_header_name(FXT_I_HEADER))
      @   == l_blob_payload(FXT_I_HEADER); */
    /*@ assert says_name: status == FXT_OK ==>
      @   says_string(it.name.bytes, it.name.ref, \at(record->bytes, Pre), 1,
      @               l_blob_header_name(FXT_I_HEADER)); */
    /*@ assert says_payload: status == FXT_OK ==>
      @   says_stream(it.payload.bytes, it.payload.size, \at(record->bytes, Pre),
      @               l_blob_payload(FXT_I_HEADER),
      @               l_blob_header_payload_size(FXT_I_HEADER)); */
    /*@ assert at_end: l_blob_payload(FXT_I_HEADER) + l_words_of(l_blob_header_payload_size(FXT_I_HEADER))
      @   == l_blob_end(FXT_I_HEADER); */
    /*@ assert says_tail: status == FXT_OK ==>
      @   says_tail(it.tail.bytes, it.tail.words, \at(record->bytes, Pre),
      @             l_blob_end(FXT_I_HEADER), \at(record->words, Pre)); */
    /*@ assert left: status == FXT_OK ==>
      @   l_blob_payload(FXT_I_HEADER) + l_words_of(it.payload.size) + it.tail.words
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
        fxt_i_walk_malformed(walk, it.error);
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
    /*@ assert at_message: 2 <= l_log_message(FXT_I_HEADER); */
    /*@ assert length: 0 <= l_log_header_length(FXT_I_HEADER); */
    /*@ assert says_message: it.status == FXT_OK ==>
      @   says_stream(it.in.message.bytes, it.in.message.size, \at(record->bytes, Pre),
      @               l_log_message(FXT_I_HEADER),
      @               l_log_header_length(FXT_I_HEADER)); */
    /*@ assert left: it.status == FXT_OK ==>
      @   l_log_message(FXT_I_HEADER) + l_words_of(it.in.message.size) + it.in.tail.words
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
        fxt_i_walk_malformed(walk, it.error);
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
