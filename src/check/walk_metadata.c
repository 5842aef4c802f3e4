/* The rules of metadata records. No state. */
#include "src/check/walk.h"
#include "src/wire/layout.h"

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
    /*@ assert length: 0 <= l_provider_info_header_name_length(FXT_I_HEADER); */
    /*@ assert says_name: it.status == FXT_OK ==>
      @   says_stream(it.in.name.bytes, it.in.name.size, \at(record->bytes, Pre), 1,
      @               l_provider_info_header_name_length(FXT_I_HEADER)); */
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
        fxt_i_walk_malformed(walk, it.error);
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
        fxt_i_walk_malformed(walk, it.error);
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
        fxt_i_walk_malformed(walk, it.error);
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
