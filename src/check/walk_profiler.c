/* The rules of profiler records. No state. */
#include "src/check/walk.h"
#include "src/wire/layout.h"

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

    /*@ assert body: 2 <= l_profiler_body(FXT_I_HEADER); */
    /*@ assert lengths: 0 <= l_module_header_name_length(FXT_I_HEADER)
      @   && 0 <= l_module_header_build_id_length(FXT_I_HEADER); */
    /*@ assert at_id: l_profiler_body(FXT_I_HEADER) + l_words_of(l_module_header_name_length(FXT_I_HEADER))
      @   == l_module_build_id(FXT_I_HEADER); */
    /*@ assert at_end: l_module_build_id(FXT_I_HEADER)
      @   + l_words_of(l_module_header_build_id_length(FXT_I_HEADER))
      @   == l_module_end(FXT_I_HEADER); */
    /*@ assert says_name: status == FXT_OK ==>
      @   says_stream(it.name.bytes, it.name.size, \at(record->bytes, Pre),
      @               l_profiler_body(FXT_I_HEADER),
      @               l_module_header_name_length(FXT_I_HEADER)); */
    /*@ assert says_build_id: status == FXT_OK ==>
      @   says_stream(it.build_id.bytes, it.build_id.size, \at(record->bytes, Pre),
      @               l_module_build_id(FXT_I_HEADER),
      @               l_module_header_build_id_length(FXT_I_HEADER)); */
    /*@ assert says_tail: status == FXT_OK ==>
      @   says_tail(it.tail.bytes, it.tail.words, \at(record->bytes, Pre), l_module_end(FXT_I_HEADER),
      @             \at(record->words, Pre)); */
    /*@ assert left: status == FXT_OK ==>
      @   l_module_end(FXT_I_HEADER) + it.tail.words == \at(record->words, Pre); */
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
        fxt_i_walk_malformed(walk, it.error);
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
        fxt_i_walk_malformed(walk, it.error);
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
        fxt_i_walk_malformed(walk, it.error);
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
