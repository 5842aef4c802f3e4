/* Large blobs with metadata (format 0), whose strings precede the timestamp, and without
   (format 1). */
#include "src/wire/layout.h"
#include "src/write/emit.h"

#define LARGE_BYTES_MAX UINT64_C(34359738360) /* 2^32 - 1 words */

/*@ requires \valid_read(in) && in->blob_format <= 1;
  @ requires in->blob_format == 0 ==> arg_count <= 15 && in->thread.ref <= 255;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures metadata: in->blob_format == 0 ==> \result == l_string_wire(in->category.ref) +
  @     l_string_wire(in->name.ref) * 65536 + arg_count * 4294967296 +
  @     in->thread.ref * 68719476736;
  @ ensures none: in->blob_format == 1 ==> \result == l_string_wire(in->category.ref) +
  @     l_string_wire(in->name.ref) * 65536;
  @*/
static inline uint64_t format_word(const struct fxt_large_blob *in, size_t arg_count)
{
    uint16_t category = fxt_i_string_wire(in->category);
    uint16_t name = fxt_i_string_wire(in->name);

    if (in->blob_format == FXT_LARGE_BLOB_NO_METADATA)
        return fxt_pack_large_blob_no_metadata(category, name);
    return fxt_pack_large_blob_metadata(category, name, (uint8_t)arg_count,
                                        (uint8_t)in->thread.ref);
}

/* Writes the two header words and the two strings. */
/*@ requires room: writable(p, 8 * l_large_head_words(in));
  @ requires given: \valid_read(in) &&
  @     bytes_apart(p, 8 * l_large_head_words(in), in->category.bytes,
  @       l_inline_length(in->category.ref)) &&
  @     bytes_apart(p, 8 * l_large_head_words(in), in->name.bytes, l_inline_length(in->name.ref));
  @ requires sizes: 1 <= words <= 4294967295 && in->blob_format <= 1;
  @ requires metadata: in->blob_format == 0 ==> arg_count <= 15 && in->thread.ref <= 255;
  @ terminates \true;
  @ assigns p[0 .. 8 * l_large_head_words(in) - 1];
  @ ensures next: \result == p + 8 * l_large_head_words(in);
  @ ensures record: valid_record(p, words);
  @ ensures header: large_blob_header(p, words, in->blob_format);
  @ ensures metadata: in->blob_format == 0 ==> large_blob_metadata(p + 8,
  @     l_string_wire(in->category.ref), l_string_wire(in->name.ref), arg_count, in->thread.ref);
  @ ensures none: in->blob_format == 1 ==> large_blob_no_metadata(p + 8,
  @     l_string_wire(in->category.ref), l_string_wire(in->name.ref));
  @ ensures category: string_at{Pre, Here}(p + 16, in->category.bytes, in->category.ref);
  @ ensures name: string_at{Pre, Here}(p + 8 * (2 + l_string_words(in->category.ref)),
  @     in->name.bytes, in->name.ref);
  @*/
static inline uint8_t *put_head(uint8_t *p, const struct fxt_large_blob *in, uint64_t words,
                                size_t arg_count)
{
    uint64_t format = format_word(in, arg_count);
    uint8_t *next =
        fxt_i_put_word(p, fxt_pack_large_blob_header((uint32_t)words, (uint8_t)in->blob_format));
    next = fxt_i_put_word(next, format);
    /*@ assert same: stream_same{Pre, Here}(in->category.bytes,
      @   l_inline_length(in->category.ref)); */
    next = fxt_i_put_string(next, in->category);
    /*@ assert category: string_at{Pre, Here}(p + 16, in->category.bytes, in->category.ref); */
    /*@ assert same: stream_same{Pre, Here}(in->name.bytes, l_inline_length(in->name.ref)); */
    next = fxt_i_put_string(next, in->name);
    /*@ assert header: large_blob_header(p, words, in->blob_format); */
    /*@ assert format: word_at(p + 8, format); */
    /*@ assert category: string_at{Pre, Here}(p + 16, in->category.bytes, in->category.ref); */
    /*@ assert name: string_at{Pre, Here}(p + 8 * (2 + l_string_words(in->category.ref)),
      @   in->name.bytes, in->name.ref); */
    return next;
}

/* Writes the payload's size and the payload. */
/*@ requires room: writable(p, 8 * (1 + l_words_of(payload.size)));
  @ requires given: payload.size <= 34359738360 &&
  @     bytes_apart(p, 8 * (1 + l_words_of(payload.size)), payload.bytes, payload.size);
  @ terminates \true;
  @ assigns p[0 .. 8 * (1 + l_words_of(payload.size)) - 1];
  @ ensures size: word_at(p, payload.size);
  @ ensures payload: stream_at{Pre, Here}(p + 8, payload.bytes, payload.size);
  @*/
static inline void put_payload(uint8_t *p, struct fxt_bytes payload)
{
    uint8_t *next = fxt_i_put_word(p, payload.size);
    /*@ assert same: stream_same{Pre, Here}(payload.bytes, payload.size); */
    fxt_i_put_stream(next, payload.bytes, payload.size);
}

/* Writes the fields between the strings and the arguments of a blob with metadata. */
/*@ requires room: writable(p, 8 * (1 + l_thread_words(in->thread.ref))) && \valid_read(in);
  @ terminates \true;
  @ assigns p[0 .. 8 * (1 + l_thread_words(in->thread.ref)) - 1];
  @ ensures timestamp: word_at(p, in->timestamp);
  @ ensures thread: thread_at(p + 8, in->thread.ref, in->thread.process, in->thread.thread);
  @*/
static inline void put_metadata(uint8_t *p, const struct fxt_large_blob *in)
{
    uint8_t *next = fxt_i_put_word(p, in->timestamp);
    fxt_i_put_thread(next, in->thread);
}

/* Stores the arguments first: at that point the proof knows that the input has not changed. */
enum fxt_status fxt_write_large_blob(struct fxt_writer *writer, const struct fxt_large_blob *in,
                                     const struct fxt_arg *args, size_t arg_count)
{
    bool metadata = in->blob_format == FXT_LARGE_BLOB_METADATA;
    uint64_t head = 2 + fxt_i_write_string_words(in->category) + fxt_i_write_string_words(in->name);
    uint64_t before_args = metadata ? 1 + fxt_i_write_thread_words(in->thread) : 0;
    uint64_t args_words = metadata ? fxt_i_args_words(args, arg_count) : 0;
    uint64_t payload = 1 + fxt_i_stream_words(in->payload, LARGE_BYTES_MAX);
    uint64_t words = head + before_args + args_words + payload;

    if (in->blob_format > FXT_LARGE_BLOB_NO_METADATA || (!metadata && arg_count > 0))
        return FXT_INVALID;
    enum fxt_status status = fxt_i_reserve(writer, words, UINT32_MAX);
    if (status != FXT_OK)
        return status;
    /*@ assert writable: writable_args(args, arg_count); */
    /*@ assert words: words == l_large_blob_record_words(in, args, arg_count); */
    /*@ assert payload: head + before_args + args_words ==
      @   l_large_blob_payload_word(in, args, arg_count); */
    /*@ assert args_words: args_words == l_args_words(args, arg_count); */
    uint8_t *place = fxt_i_place(writer);
    uint8_t *p = place + 8 * (head + before_args);
    /*@ ghost
      /@ loop invariant 0 <= k <= arg_count;
        @ loop invariant apart: \forall integer j; 0 <= j < k ==>
        @   arg_apart(p, 8 * l_args_words(args, arg_count), args + j);
        @ loop assigns k;
        @ loop variant arg_count - k;
        @/
      for (size_t k = 0; k < arg_count; k++) {
        /@ assert array: \separated(args + (0 .. arg_count - 1),
          @   writer->bytes + (writer->size .. writer->capacity - 1)); @/
        /@ assert apart: \separated(args + k, p + (0 .. 8 * l_args_words(args, arg_count) - 1)); @/
        /@ assert given: arg_given(writer, args + k) && writable_arg(args + k); @/
        /@ assert name_apart: bytes_apart(p, 8 * l_args_words(args, arg_count),
          @   args[k].name.bytes, l_inline_length(args[k].name.ref)); @/
        /@ assert text_apart: args[k].type == 6 ==> bytes_apart(p,
          @   8 * l_args_words(args, arg_count), args[k].text.bytes,
          @   l_inline_length(args[k].text.ref)); @/
        /@ assert blob_apart: args[k].type == 10 ==> bytes_apart(p,
          @   8 * l_args_words(args, arg_count), args[k].blob.bytes, args[k].blob.size); @/
      }
    */
    fxt_i_put_args(p, args, arg_count);
    /*@ ghost stored:; */
    /*@ assert payload_same: stream_same{Pre, Here}(in->payload.bytes, in->payload.size); */
    uint64_t behind = head + before_args + args_words;
    put_payload(place + 8 * behind, in->payload);
    /*@ assert args_kept: stream_same{stored, Here}(p, 8 * args_words); */
    /*@ assert payload_stored: stream_at{Pre, Here}(place + 8 * (1 + behind), in->payload.bytes,
      @   in->payload.size); */
    /*@ ghost payload:; */
    if (metadata)
        put_metadata(place + 8 * head, in);
    /*@ assert args_kept: stream_same{stored, Here}(p, 8 * args_words); */
    /*@ assert payload_kept: stream_same{payload, Here}(place + 8 * (1 + behind),
      @   8 * l_words_of(in->payload.size)); */
    /*@ assert category_same: stream_same{Pre, Here}(in->category.bytes,
      @   l_inline_length(in->category.ref)); */
    /*@ assert name_same: stream_same{Pre, Here}(in->name.bytes, l_inline_length(in->name.ref)); */
    /*@ ghost behind_head:; */
    put_head(place, in, words, arg_count);
    /*@ assert name_stored: string_at{behind_head, Here}(place + 8 * (2 +
      @   l_string_words(in->category.ref)), in->name.bytes, in->name.ref); */
    /*@ assert name_stored: string_at{Pre, Here}(place + 8 * (2 +
      @   l_string_words(in->category.ref)), in->name.bytes, in->name.ref); */
    /*@ assert args_kept: stream_same{stored, Here}(p, 8 * args_words); */
    /*@ assert payload_kept: stream_same{payload, Here}(place + 8 * (1 + behind),
      @   8 * l_words_of(in->payload.size)); */
    /*@ assert payload_stored: stream_at{Pre, Here}(place + 8 * (1 + behind), in->payload.bytes,
      @   in->payload.size); */
    /*@ ghost
      /@ loop invariant 0 <= k <= arg_count;
        @ loop invariant kept: \forall integer j; 0 <= j < k ==>
        @   nth_arg_at{Pre, Here}(p, args, j) && l_args_words(args, j) >= 0;
        @ loop assigns k;
        @ loop variant arg_count - k;
        @/
      for (size_t k = 0; k < arg_count; k++) {
        /@ assert was: nth_arg_at{Pre, stored}(p, args, k); @/
        /@ assert sum: l_args_words(args, k + 1) ==
          @   l_args_words(args, k) + l_arg_words(args + k); @/
        /@ assert below: 0 <= l_args_words(args, k) &&
          @   l_args_words(args, k) + l_arg_words(args + k) <= args_words; @/
        /@ assert sizes: l_string_words(args[k].name.ref) >= 0 &&
          @   l_value_words(args + k) >= 0; @/
        /@ assert header_kept: stream_same{stored, Here}(p + 8 * l_args_words(args, k), 8); @/
        /@ assert header_was: nth_header_at{Pre, stored}(p, args, k); @/
        /@ assert header: nth_header_at{Pre, Here}(p, args, k); @/
        /@ assert text_end: args[k].type == 6 ==> l_args_words(args, k) + 1 +
          @   l_string_words(args[k].name.ref) +
          @   l_words_of(l_inline_length(args[k].text.ref)) <= args_words; @/
        /@ assert blob_end: args[k].type == 10 ==> l_args_words(args, k) + 1 +
          @   l_string_words(args[k].name.ref) + l_words_of(args[k].blob.size) <= args_words; @/
        /@ assert name_kept: nth_name_kept{stored, Here}(p, args, k); @/
        if (args[k].type == 6) {
          /@ assert text_size: 0 <= l_inline_length(args[k].text.ref) <=
            @   8 * l_words_of(l_inline_length(args[k].text.ref)); @/
          /@ assert text_there: 0 <= l_args_words(args, k) + 1 +
            @   l_string_words(args[k].name.ref) && 8 * (l_args_words(args, k) + 1 +
            @   l_string_words(args[k].name.ref)) + 8 * l_words_of(l_inline_length(
            @   args[k].text.ref)) <= 8 * args_words; @/
          /@ assert text_kept: stream_same{stored, Here}(p + 8 * (l_args_words(args, k) + 1 +
            @   l_string_words(args[k].name.ref)), 8 * l_words_of(l_inline_length(
            @   args[k].text.ref))); @/
          /@ assert text_kept: nth_text_kept{stored, Here}(p, args, k); @/
          /@ assert text_was: nth_string_at{Pre, stored}(p, args, k); @/
          /@ assert text: nth_string_at{Pre, Here}(p, args, k); @/
        }
        /@ assert text: nth_text_at{Pre, Here}(p, args, k); @/
        if (args[k].type == 10) {
          /@ assert blob_size: 0 <= args[k].blob.size <= 8 * l_words_of(args[k].blob.size); @/
          /@ assert blob_there: 0 <= l_args_words(args, k) + 1 +
            @   l_string_words(args[k].name.ref) && 8 * (l_args_words(args, k) + 1 +
            @   l_string_words(args[k].name.ref)) + 8 * l_words_of(args[k].blob.size) <=
            @   8 * args_words; @/
          /@ assert blob_kept: stream_same{stored, Here}(p + 8 * (l_args_words(args, k) + 1 +
            @   l_string_words(args[k].name.ref)), 8 * l_words_of(args[k].blob.size)); @/
          /@ assert blob_kept: nth_blob_kept{stored, Here}(p, args, k); @/
          /@ assert blob_was: nth_bytes_at{Pre, stored}(p, args, k); @/
          /@ assert blob: nth_bytes_at{Pre, Here}(p, args, k); @/
        }
        /@ assert blob: nth_blob_at{Pre, Here}(p, args, k); @/
        /@ assert name_was: nth_name_at{Pre, stored}(p, args, k); @/
        /@ assert name: nth_name_at{Pre, Here}(p, args, k); @/
        /@ assert word_kept: l_value_words(args + k) == 1 ==> stream_same{stored, Here}(p +
          @   8 * l_args_words(args, k) + 8 * (1 + l_string_words(args[k].name.ref)), 8); @/
        /@ assert word_was: nth_word_at{Pre, stored}(p, args, k); @/
        /@ assert word: nth_word_at{Pre, Here}(p, args, k); @/
        /@ assert one: nth_arg_at{Pre, Here}(p, args, k); @/
      }
    */
    /*@ assert args: metadata ==> encoded_args{Pre, Here}(l_place(writer) +
      @   8 * l_large_head_words(in) + 8 * (1 + l_thread_words(in->thread.ref)), args,
      @   arg_count); */
    /*@ assert timestamp: metadata ==> word_at(l_place(writer) + 8 * l_large_head_words(in),
      @   in->timestamp); */
    /*@ assert thread: metadata ==> thread_at(l_place(writer) + 8 * l_large_head_words(in) + 8,
      @   in->thread.ref, in->thread.process, in->thread.thread); */
    /*@ assert between: metadata ==> large_blob_metadata_at{Pre, Here}(l_place(writer) +
      @   8 * l_large_head_words(in), in, args, arg_count); */
    /*@ assert size: word_at(l_place(writer) +
      @   8 * l_large_blob_payload_word(in, args, arg_count), in->payload.size); */
    /*@ assert payload: stream_at{Pre, Here}(l_place(writer) +
      @   8 * (1 + l_large_blob_payload_word(in, args, arg_count)), in->payload.bytes,
      @   in->payload.size); */
    /*@ assert header: large_blob_header(l_place(writer), words, in->blob_format); */
    /*@ assert metadata: metadata ==> large_blob_metadata(l_place(writer) + 8,
      @   l_string_wire(in->category.ref), l_string_wire(in->name.ref), arg_count,
      @   in->thread.ref); */
    /*@ assert none: !metadata ==> large_blob_no_metadata(l_place(writer) + 8,
      @   l_string_wire(in->category.ref), l_string_wire(in->name.ref)); */
    /*@ assert category: string_at{Pre, Here}(l_place(writer) + 16, in->category.bytes,
      @   in->category.ref); */
    /*@ assert name: string_at{Pre, Here}(l_place(writer) + 8 * (2 +
      @   l_string_words(in->category.ref)), in->name.bytes, in->name.ref); */
    /*@ assert record: valid_record(l_place(writer), words); */
    /*@ assert between: in->blob_format == 0 ==> large_blob_metadata_at{Pre, Here}(
      @   l_place(writer) + 8 * (2 + l_string_words(in->category.ref) +
      @   l_string_words(in->name.ref)), in, args, arg_count); */
    /*@ assert encoded: encoded_large_blob{Pre, Here}(l_place(writer), in, args, arg_count); */
    return fxt_i_commit(writer, words);
}
