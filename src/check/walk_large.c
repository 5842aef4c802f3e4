/* The rules of large records. No state. */
#include "src/check/walk.h"
#include "src/wire/layout.h"

/* The fields of a large blob that the walk needs. */
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

/* For the annotations: the format word, and the position of the payload's size. */
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

/* Checks everything before the payload. */
/*@ requires walk_ok(walk);
  @ requires in_record(walk->record, in.category.bytes, 8 * l_string_words(in.category.ref));
  @ requires in_record(walk->record, in.name.bytes, 8 * l_string_words(in.name.ref));
  @ requires in.blob_format == 0 ==>
  @          args_inside(walk->record, in.args.bytes, in.args.offset, in.args.words, in.args.count);
  @ terminates \true; FXT_I_WALKS, walk->checker->may_compare;
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

/*@ requires walk_ok(walk); terminates \true; FXT_I_WALKS, walk->checker->may_compare; */
static void walk_large_blob(struct fxt_i_walk *walk)
{
    struct decoded_large_blob it = decode_large_blob(walk->record);
    uint64_t header = walk->record->header;
    uint64_t offset = walk->record->offset;

    if (it.status != FXT_OK) {
        fxt_i_walk_malformed(walk, it.error);
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
