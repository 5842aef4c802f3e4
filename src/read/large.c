/* Large blobs: with metadata (format 0), whose strings come before the timestamp, and without
   (format 1). The payload size is a 64-bit word of its own and compared before any arithmetic. */
#include "src/read/arg.h"

/*@ // Everything before the payload is inside the record, with the word of its size.
  @ predicate head_fits(struct fxt_record *r, integer format) =
  @   (l_large_blob_header_blob_format(r->header) == 0 ==>
  @    l_large_blob_args(format) <= r->words) &&
  @   l_large_blob_size_at(r, format) != 0 && l_large_blob_size_at(r, format) + 1 <= r->words;
  @ predicate says_payload{R,O}(struct fxt_record *r, struct fxt_large_blob *o, integer f,
  @                             integer end) =
  @   \at(o->blob_format,O) == l_large_blob_header_blob_format(\at(r->header,R)) &&
  @   says_string{O}(\at(o->category.bytes,O), \at(o->category.ref,O), \at(r->bytes,R), 2,
  @     l_large_blob_metadata_category(f)) &&
  @   says_string{O}(\at(o->name.bytes,O), \at(o->name.ref,O), \at(r->bytes,R),
  @     l_large_blob_name(f), l_large_blob_metadata_name(f)) &&
  @   says_stream{O}(\at(o->payload.bytes,O), \at(o->payload.size,O), \at(r->bytes,R), end + 1,
  @     l_word{R}(\at(r->bytes,R) + 8 * end)) &&
  @   says_tail{O}(\at(o->tail.bytes,O), \at(o->tail.words,O), \at(r->bytes,R),
  @     end + 1 + l_words_of(\at(o->payload.size,O)), \at(r->words,R));
  @*/

/* The word behind what only format 0 has: timestamp, inline thread, arguments, which begin at word
   `behind`; 0 when they are malformed. */
/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ requires \valid(error) && \separated(record, error);
  @ requires 2 <= behind == l_large_blob_behind(format) <= record->words;
  @ terminates \true;
  @ assigns *error;
  @ ensures fits: \result != 0 ==> \old(l_large_blob_args(format) <= record->words)
  @         && l_large_blob_args(format) <= \result <= \old(record->words);
  @ ensures end: \old(l_large_blob_args(format) <= record->words) ==>
  @         \result == \old(l_args_end(record->bytes, record->words, l_large_blob_args(format),
  @                                    l_large_blob_metadata_arg_count(format)));
  @ ensures fill: \result != 0 ==> l_args_fill(\old(record->bytes) + 8 * \result,
  @         \result - l_large_blob_args(format), l_large_blob_metadata_arg_count(format));
  @ ensures error: \result == 0 ==> error->status == FXT_MALFORMED;
  @*/
static uint32_t behind_metadata(const struct fxt_record *record, struct fxt_error *error,
                                uint64_t format, uint64_t behind)
{
    const uint8_t *bytes = record->bytes;
    uint32_t words = record->words;
    uint8_t count = fxt_large_blob_metadata_arg_count(format);
    uint64_t args = behind + 1 + fxt_i_thread_words(fxt_large_blob_metadata_thread(format));

    if (behind == words) {
        fxt_i_malformed(error, record, behind, FXT_RULE_LRG_03);
        return 0;
    }
    if (args > words) {
        fxt_i_malformed(error, record, behind + 1, FXT_RULE_THR_03);
        return 0;
    }
    uint32_t end = fxt_i_args_end(bytes, words, args, count);
    if (end == 0)
        fxt_i_refuse_args(error, record, args, count);
    return end;
}

/* The word that holds the size of the payload; 0 when what is before it, or this word itself, is
   not inside the record. */
/*@ requires \valid_read(record) && fxt_record_ok(record) && is_large_blob(record);
  @ requires \valid(error) && \separated(record, error) && 2 <= record->words;
  @ terminates \true;
  @ assigns *error;
  @ ensures fits: \result != 0 <==> \old(head_fits(record, format));
  @ ensures end: \result != 0 ==> \result == \old(l_large_blob_size_at(record, format));
  @ ensures behind: \result != 0 ==> l_large_blob_behind(format) <= \result;
  @ ensures inside: \result != 0 && l_large_blob_header_blob_format(\old(record->header)) == 0 ==>
  @         l_large_blob_args(format) <= \result;
  @ ensures fill: \result != 0 && l_large_blob_header_blob_format(\old(record->header)) == 0 ==>
  @         l_args_fill(\old(record->bytes) + 8 * \result,
  @         \result - l_large_blob_args(format), l_large_blob_metadata_arg_count(format));
  @ ensures error: \result == 0 ==> error->status == FXT_MALFORMED;
  @*/
static uint32_t size_word(const struct fxt_record *record, struct fxt_error *error, uint64_t format)
{
    uint32_t words = record->words;
    uint64_t name = 2 + fxt_i_string_words(fxt_large_blob_metadata_category(format));
    uint64_t behind = name + fxt_i_string_words(fxt_large_blob_metadata_name(format));

    if (name > words) {
        fxt_i_malformed(error, record, 2, FXT_RULE_STR_03);
        return 0;
    }
    if (behind > words) {
        fxt_i_malformed(error, record, name, FXT_RULE_STR_03);
        return 0;
    }
    uint32_t end = (uint32_t)behind;
    if (fxt_large_blob_header_blob_format(record->header) == FXT_LARGE_BLOB_METADATA)
        end = behind_metadata(record, error, format, behind);
    if (end == words) {
        fxt_i_malformed(error, record, end, FXT_RULE_LRG_03);
        return 0;
    }
    return end;
}

/* What only format 0 has. */
/*@ requires \valid_read(record) && fxt_record_ok(record) && \valid(out);
  @ requires \separated(record, out);
  @ requires l_large_blob_args(format) <= end <= record->words;
  @ requires l_args_fill(record->bytes + 8 * end, end - l_large_blob_args(format),
  @                      l_large_blob_metadata_arg_count(format));
  @ terminates \true;
  @ assigns out->timestamp, out->thread, out->args;
  @ ensures says: says_large_blob_metadata{Pre,Post}(record, out, format, end);
  @ ensures args: fxt_args_ok(&out->args) && out->args.count <= 15;
  @ ensures checked: fxt_args_checked(&out->args);
  @*/
static inline void fill_metadata(const struct fxt_record *record, struct fxt_large_blob *out,
                                 uint64_t format, uint64_t end)
{
    const uint8_t *bytes = record->bytes;
    uint64_t offset = record->offset;
    uint32_t words = record->words;
    uint8_t thread = fxt_large_blob_metadata_thread(format);
    uint8_t count = fxt_large_blob_metadata_arg_count(format);
    uint64_t name = 2 + fxt_i_string_words(fxt_large_blob_metadata_category(format));
    uint64_t behind = name + fxt_i_string_words(fxt_large_blob_metadata_name(format));
    uint64_t args = behind + 1 + fxt_i_thread_words(thread);
    /*@ assert places: behind == l_large_blob_behind(format) && args == l_large_blob_args(format); */

    out->timestamp = fxt_load_word(bytes + 8 * behind);
    out->thread.process = fxt_i_koid(bytes, behind + 1, words, thread);
    out->thread.thread = fxt_i_koid(bytes, behind + 2, words, thread);
    out->thread.ref = thread;
    out->args.bytes = bytes + 8 * args;
    out->args.offset = offset + 8 * args;
    out->args.words = (uint32_t)(end - args);
    out->args.count = count;
    /*@ assert time: out->timestamp == l_word{Pre}(bytes + 8 * l_large_blob_behind(format)); */
    /*@ assert thread: says_thread{Pre}(out->thread.process, out->thread.thread, out->thread.ref,
      @     bytes, l_large_blob_behind(format) + 1, l_large_blob_metadata_thread(format)); */
    /*@ assert args: says_args{Pre,Here}(&out->args, record, l_large_blob_args(format), end,
      @     l_large_blob_metadata_arg_count(format)); */
    /*@ assert args_end: out->args.bytes + 8 * out->args.words == bytes + 8 * end; */
    /*@ assert checked: fxt_args_checked(&out->args); */
}

/*@ requires \valid(out);
  @ terminates \true;
  @ assigns out->timestamp, out->thread, out->args;
  @ ensures says: says_no_metadata{Post}(out);
  @ ensures args: fxt_args_ok(&out->args) && out->args.count <= 15;
  @ ensures checked: fxt_args_checked(&out->args);
  @*/
static inline void fill_no_metadata(struct fxt_large_blob *out)
{
    out->timestamp = 0;
    out->thread.process = 0;
    out->thread.thread = 0;
    out->thread.ref = 0;
    out->args.bytes = NULL;
    out->args.offset = 0;
    out->args.words = 0;
    out->args.count = 0;
}

/* What both formats have; word `end` is the size of the payload. */
/*@ requires \valid_read(record) && fxt_record_ok(record) && \valid(out);
  @ requires \separated(record, out);
  @ requires l_large_blob_behind(format) <= end && end + 1 <= record->words;
  @ requires size == l_word(record->bytes + 8 * end) && end + 1 + l_words_of(size) <= record->words;
  @ terminates \true;
  @ assigns out->category, out->name, out->payload, out->tail, out->blob_format;
  @ ensures says_payload{Pre,Post}(record, out, format, end);
  @*/
static inline void fill_payload(const struct fxt_record *record, struct fxt_large_blob *out,
                                uint64_t format, uint64_t end, uint64_t size)
{
    const uint8_t *bytes = record->bytes;
    uint32_t words = record->words;
    uint16_t category = fxt_large_blob_metadata_category(format);
    uint16_t name = fxt_large_blob_metadata_name(format);
    uint64_t name_at = 2 + fxt_i_string_words(category);
    uint64_t tail = end + 1 + fxt_words_of(size);

    out->category.bytes = fxt_i_text(bytes, 2, words, category);
    out->category.ref = category;
    out->name.bytes = fxt_i_text(bytes, name_at, words, name);
    out->name.ref = name;
    out->payload.bytes = fxt_i_stream(bytes, end + 1, words, size);
    out->payload.size = size;
    out->tail.bytes = fxt_i_tail(bytes, tail, words);
    out->tail.words = (uint32_t)(words - tail);
    out->blob_format = fxt_large_blob_header_blob_format(record->header);
    /*@ assert category: says_string(out->category.bytes, out->category.ref, bytes, 2,
      @     l_large_blob_metadata_category(format)); */
    /*@ assert name: says_string(out->name.bytes, out->name.ref, bytes, l_large_blob_name(format),
      @     l_large_blob_metadata_name(format)); */
    /*@ assert payload: says_stream(out->payload.bytes, out->payload.size, bytes, end + 1,
      @     l_word{Pre}(bytes + 8 * end)); */
    /*@ assert tail: says_tail(out->tail.bytes, out->tail.words, bytes,
      @     end + 1 + l_words_of(out->payload.size), words); */
}

enum fxt_status fxt_read_large_blob(const struct fxt_record *record, struct fxt_large_blob *out,
                                    struct fxt_error *error)
{
    const uint8_t *bytes = record->bytes;
    uint64_t header = record->header;
    uint32_t words = record->words;
    uint8_t blob_format = fxt_large_blob_header_blob_format(header);

    if (record->type != FXT_RECORD_LARGE || fxt_large_header_large_type(header) != FXT_LARGE_BLOB ||
        blob_format > FXT_LARGE_BLOB_NO_METADATA)
        return fxt_i_wrong_type(error, record);
    if (words < 2)
        return fxt_i_malformed(error, record, 1, FXT_RULE_LRG_03);

    uint64_t format = fxt_load_word(bytes + 8);
    uint64_t end = size_word(record, error, format);
    if (end == 0)
        return FXT_MALFORMED;
    uint64_t size = fxt_load_word(bytes + 8 * end);
    if (size > 8 * (words - end - 1))
        return fxt_i_malformed(error, record, end + 1, FXT_RULE_LRG_04);
    if (blob_format == FXT_LARGE_BLOB_METADATA)
        fill_metadata(record, out, format, end);
    else
        fill_no_metadata(out);
    fill_payload(record, out, format, end, size);
    /*@ assert end: end == l_large_blob_size_at{Pre}(record, format); */
    /*@ assert formed: formed_large_blob{Pre}(record); */
    /*@ assert payload: says_payload{Pre,Here}(record, out, format, end); */
    /*@ assert metadata: blob_format == 0 ==>
      @     says_large_blob_metadata{Pre,Here}(record, out, format, end); */
    /*@ assert no_metadata: blob_format == 1 ==> says_no_metadata{Here}(out); */
    /*@ assert args: fxt_args_ok(&out->args) && out->args.count <= 15; */
    /*@ assert checked: fxt_args_checked(&out->args); */
    /*@ assert says: says_large_blob_upto{Pre,Here}(record, out, format, end); */
    return FXT_OK;
}
