/* Large blobs with metadata (format 0), whose strings precede the timestamp, and without (format
   1). The payload size is a separate 64-bit word, which is compared before any arithmetic. */
#include "src/read/arg.h"

/*@ // Everything before the payload is inside the record, with the word of its size.
  @ predicate head_fits(struct fxt_record *r, integer format) =
  @   (l_large_blob_header_blob_format(r->header) == 0 ==>
  @    l_large_blob_args(format) <= r->words) &&
  @   l_large_blob_size_at(r, format) != 0 && l_large_blob_size_at(r, format) + 1 <= r->words;
  @ // What is delivered of any blob, and what only of one with metadata.
  @ predicate payload_said(struct fxt_large_blob *o, uint8_t *bytes, integer words, integer f,
  @                        integer end, integer size) =
  @   says_string(o->category.bytes, o->category.ref, bytes, 2,
  @     l_large_blob_metadata_category(f)) &&
  @   says_string(o->name.bytes, o->name.ref, bytes, l_large_blob_name(f),
  @     l_large_blob_metadata_name(f)) &&
  @   says_stream(o->payload.bytes, o->payload.size, bytes, end + 1, size) &&
  @   says_tail(o->tail.bytes, o->tail.words, bytes, end + 1 + l_words_of(size), words);
  @ predicate metadata_said(struct fxt_large_blob *o, uint8_t *bytes, integer offset, integer f,
  @                         integer end) =
  @   o->blob_format == 0 && o->timestamp == l_word(bytes + 8 * l_large_blob_behind(f)) &&
  @   says_thread(o->thread.process, o->thread.thread, o->thread.ref, bytes,
  @     l_large_blob_behind(f) + 1, l_large_blob_metadata_thread(f)) &&
  @   o->args.bytes == bytes + 8 * l_large_blob_args(f) &&
  @   o->args.offset == offset + 8 * l_large_blob_args(f) &&
  @   o->args.words == end - l_large_blob_args(f) &&
  @   o->args.count == l_large_blob_metadata_arg_count(f) &&
  @   readable(o->args.bytes, 8 * o->args.words);
  @*/

/* The positions of the name, after the name, and of the arguments. */
/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_large_blob_name(format) && 2 <= \result <= 4098;
  @*/
static inline uint32_t name_of(uint64_t format)
{
    return 2 + fxt_i_read_string_words(fxt_large_blob_metadata_category(format));
}

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_large_blob_behind(format) && 2 <= \result <= 8194;
  @ ensures l_large_blob_name(format) <= \result;
  @ ensures \result == l_large_blob_name(format)
  @         + l_string_words(l_large_blob_metadata_name(format));
  @*/
static inline uint32_t behind_of(uint64_t format)
{
    return name_of(format) + fxt_i_read_string_words(fxt_large_blob_metadata_name(format));
}

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_large_blob_args(format) && 3 <= \result <= 8197;
  @ ensures \result == l_large_blob_behind(format) + 1
  @         + l_thread_words(l_large_blob_metadata_thread(format));
  @*/
static inline uint32_t args_of(uint64_t format)
{
    return behind_of(format) + 1 + fxt_i_read_thread_words(fxt_large_blob_metadata_thread(format));
}

/* The word after the fields that only format 0 has: timestamp, inline thread, and arguments, which
   begin at word `behind`. 0 if the arguments are malformed. */
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
    uint64_t args = args_of(format);

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

/* The position of the word with the payload size; 0 if the record ends before or at it. */
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
    uint64_t name = name_of(format);
    uint64_t behind = behind_of(format);

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

/* No code, only steps of the proof: this is the payload, and this is the metadata. */
/*@ requires \valid_read(out);
  @ requires says_string(out->category.bytes, out->category.ref, bytes, 2,
  @          l_large_blob_metadata_category(format));
  @ requires says_string(out->name.bytes, out->name.ref, bytes, l_large_blob_name(format),
  @          l_large_blob_metadata_name(format));
  @ requires says_stream(out->payload.bytes, out->payload.size, bytes, end + 1, size);
  @ requires says_tail(out->tail.bytes, out->tail.words, bytes, end + 1 + l_words_of(size),
  @          words);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures payload_said(out, bytes, words, format, end, size);
  @*/
static inline void payload_is(const struct fxt_large_blob *out, const uint8_t *bytes,
                              uint32_t words, uint64_t format, uint64_t end, uint64_t size)
{
    (void)out;
    (void)bytes;
    (void)words;
    (void)format;
    (void)end;
    (void)size;
}

/*@ requires \valid_read(out);
  @ requires out->blob_format == 0 && out->timestamp
  @          == l_word(bytes + 8 * l_large_blob_behind(format));
  @ requires says_thread(out->thread.process, out->thread.thread, out->thread.ref, bytes,
  @          l_large_blob_behind(format) + 1, l_large_blob_metadata_thread(format));
  @ requires out->args.bytes == bytes + 8 * l_large_blob_args(format);
  @ requires out->args.offset == offset + 8 * l_large_blob_args(format);
  @ requires out->args.words == end - l_large_blob_args(format);
  @ requires out->args.count == l_large_blob_metadata_arg_count(format);
  @ requires l_large_blob_args(format) <= end <= words && readable(bytes, 8 * words);
  @ requires offset + 8 * words <= 18446744073709551615;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures said: metadata_said(out, bytes, offset, format, end);
  @ ensures ok: fxt_args_ok(&out->args) && out->args.count <= 15;
  @*/
static inline void metadata_is(const struct fxt_large_blob *out, const uint8_t *bytes,
                               uint64_t offset, uint32_t words, uint64_t format, uint64_t end)
{
    (void)out;
    (void)bytes;
    (void)offset;
    (void)words;
    (void)format;
    (void)end;
    /*@ assert inside: readable(out->args.bytes, 8 * out->args.words); */
}

/* Decodes all members of a blob with metadata. Word `end` is the payload size. */
/*@ requires \valid(out) && readable(bytes, 8 * words);
  @ requires l_large_blob_args(format) <= end && offset + 8 * words <= 18446744073709551615;
  @ requires end + 1 + l_words_of(size) <= words;
  @ terminates \true;
  @ assigns *out;
  @ ensures payload: payload_said(out, bytes, words, format, end, size);
  @ ensures metadata: metadata_said(out, bytes, offset, format, end);
  @ ensures args: fxt_args_ok(&out->args) && out->args.count <= 15;
  @ ensures kept: fxt_args_kept{Pre,Post}(bytes, &out->args,
  @         l_large_blob_args(format), end, l_large_blob_metadata_arg_count(format));
  @*/
static inline void fill_with_all(struct fxt_large_blob *out, const uint8_t *bytes, uint64_t offset,
                                 uint32_t words, uint64_t format, uint64_t end, uint64_t size)
{
    uint16_t category = fxt_large_blob_metadata_category(format);
    uint16_t name = fxt_large_blob_metadata_name(format);
    uint8_t thread = fxt_large_blob_metadata_thread(format);
    uint8_t count = fxt_large_blob_metadata_arg_count(format);
    uint64_t behind = behind_of(format);
    uint64_t args = args_of(format);
    uint64_t tail = end + 1 + fxt_words_of(size);

    out->blob_format = FXT_LARGE_BLOB_METADATA;
    out->timestamp = fxt_load_word(bytes + 8 * behind);
    out->thread.process = fxt_i_koid(bytes, behind + 1, words, thread);
    out->thread.thread = fxt_i_koid(bytes, behind + 2, words, thread);
    out->thread.ref = thread;
    out->category.bytes = fxt_i_text(bytes, 2, words, category);
    out->category.ref = category;
    out->name.bytes = fxt_i_text(bytes, name_of(format), words, name);
    out->name.ref = name;
    out->payload.bytes = fxt_i_stream(bytes, end + 1, words, size);
    out->payload.size = size;
    out->tail.bytes = fxt_i_tail(bytes, tail, words);
    out->tail.words = (uint32_t)(words - tail);
    /*@ assert tail: says_tail(out->tail.bytes, out->tail.words, bytes, end + 1 + l_words_of(size),
      @     words); */
    out->args.bytes = bytes + 8 * args;
    out->args.offset = offset + 8 * args;
    out->args.words = (uint32_t)(end - args);
    out->args.count = count;
    metadata_is(out, bytes, offset, words, format, end);
    payload_is(out, bytes, words, format, end, size);
    fxt_i_args_kept(&out->args, bytes, args, end, count);
}

/* The same for a record. */
/*@ requires \valid_read(record) && fxt_record_ok(record) && \valid(out);
  @ requires \separated(record, out);
  @ requires l_large_blob_header_blob_format(record->header) == 0;
  @ requires l_large_blob_args(format) <= end && end + 1 <= record->words;
  @ requires size == l_word(record->bytes + 8 * end) && end + 1 + l_words_of(size) <= record->words;
  @ terminates \true;
  @ assigns *out;
  @ ensures says: says_large_blob_upto{Pre,Post}(record, out, format, end);
  @ ensures args: fxt_args_ok(&out->args) && out->args.count <= 15;
  @ ensures kept: fxt_args_kept{Pre,Post}(\old(record->bytes), &out->args,
  @         l_large_blob_args(format), end, l_large_blob_metadata_arg_count(format));
  @*/
static inline void fill_with(const struct fxt_record *record, struct fxt_large_blob *out,
                             uint64_t format, uint64_t end, uint64_t size)
{
    fill_with_all(out, record->bytes, record->offset, record->words, format, end, size);
}

/* The same for a blob without metadata. */
/*@ requires \valid(out) && readable(bytes, 8 * words);
  @ requires l_large_blob_behind(format) <= end;
  @ requires end + 1 + l_words_of(size) <= words;
  @ terminates \true;
  @ assigns *out;
  @ ensures payload: payload_said(out, bytes, words, format, end, size);
  @ ensures format: out->blob_format == 1;
  @ ensures none: says_no_metadata{Post}(out);
  @ ensures args: fxt_args_ok(&out->args) && out->args.count <= 15;
  @ ensures checked: fxt_args_checked(&out->args);
  @*/
static inline void fill_without_all(struct fxt_large_blob *out, const uint8_t *bytes,
                                    uint32_t words, uint64_t format, uint64_t end, uint64_t size)
{
    uint16_t category = fxt_large_blob_metadata_category(format);
    uint16_t name = fxt_large_blob_metadata_name(format);
    uint64_t tail = end + 1 + fxt_words_of(size);

    out->blob_format = FXT_LARGE_BLOB_NO_METADATA;
    out->timestamp = 0;
    out->thread.process = 0;
    out->thread.thread = 0;
    out->thread.ref = 0;
    out->category.bytes = fxt_i_text(bytes, 2, words, category);
    out->category.ref = category;
    out->name.bytes = fxt_i_text(bytes, name_of(format), words, name);
    out->name.ref = name;
    out->payload.bytes = fxt_i_stream(bytes, end + 1, words, size);
    out->payload.size = size;
    out->tail.bytes = fxt_i_tail(bytes, tail, words);
    out->tail.words = (uint32_t)(words - tail);
    out->args.bytes = NULL;
    out->args.offset = 0;
    out->args.words = 0;
    out->args.count = 0;
    payload_is(out, bytes, words, format, end, size);
}

/* The same for a record. */
/*@ requires \valid_read(record) && fxt_record_ok(record) && \valid(out);
  @ requires \separated(record, out);
  @ requires l_large_blob_header_blob_format(record->header) == 1;
  @ requires l_large_blob_behind(format) <= end && end + 1 <= record->words;
  @ requires size == l_word(record->bytes + 8 * end) && end + 1 + l_words_of(size) <= record->words;
  @ terminates \true;
  @ assigns *out;
  @ ensures says: says_large_blob_upto{Pre,Post}(record, out, format, end);
  @ ensures args: fxt_args_ok(&out->args) && out->args.count <= 15;
  @ ensures checked: fxt_args_checked(&out->args);
  @*/
static inline void fill_without(const struct fxt_record *record, struct fxt_large_blob *out,
                                uint64_t format, uint64_t end, uint64_t size)
{
    fill_without_all(out, record->bytes, record->words, format, end, size);
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
    /*@ assert fits: end != 0 <==> head_fits(record, format); */
    if (end == 0)
        return FXT_MALFORMED;
    uint64_t size = fxt_load_word(bytes + 8 * end);
    /*@ assert format: format == l_large_blob_format{Pre}(record); */
    /*@ assert end: end == l_large_blob_size_at{Pre}(record, format); */
    /*@ assert room: end + 1 <= words; */
    /*@ assert size: size == l_word{Pre}(\at(record->bytes, Pre) +
      @     8 * l_large_blob_size_at{Pre}(record, format)); */
    /*@ assert formed: formed_large_blob{Pre}(record) <==> end + 1 + l_words_of(size) <= words; */
    if (size > 8 * (words - end - 1))
        return fxt_i_malformed(error, record, end + 1, FXT_RULE_LRG_04);
    /*@ assert payload_fits: end + 1 + l_words_of(size) <= words; */
    /*@ assert same_bytes: record->bytes == \at(record->bytes, Pre); */
    /*@ assert same_header: record->header == \at(record->header, Pre); */
    /*@ assert same_offset: record->offset == \at(record->offset, Pre); */
    /*@ assert same_words: record->words == \at(record->words, Pre); */
    if (blob_format == FXT_LARGE_BLOB_METADATA)
        fill_with(record, out, format, end, size);
    else
        fill_without(record, out, format, end, size);
    /*@ assert upto: says_large_blob_upto{Pre,Here}(record, out, format, end); */
    return FXT_OK;
}
