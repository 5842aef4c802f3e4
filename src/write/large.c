/* Large blobs: with metadata (format 0), whose strings come before the timestamp, and without
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

/* The two header words and the two strings. */
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

/* The payload's size and the payload. */
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

/* What stands between the strings and the payload of a blob with metadata. */
/*@ requires room: writable(p, 8 * (1 + l_thread_words(in->thread.ref) +
  @     l_args_words(args, arg_count)));
  @ requires given: \valid_read(in) && writable_args(args, arg_count) &&
  @     (arg_count > 0 ==> \valid_read(args + (0 .. arg_count - 1)));
  @ requires rising: \forall integer k; 0 <= k <= arg_count ==>
  @     0 <= l_args_words(args, k) <= l_args_words(args, arg_count);
  @ requires apart: args_apart(p, 8 * (1 + l_thread_words(in->thread.ref) +
  @     l_args_words(args, arg_count)), args, arg_count);
  @ terminates \true;
  @ assigns p[0 .. 8 * (1 + l_thread_words(in->thread.ref) + l_args_words(args, arg_count)) - 1];
  @ ensures timestamp: word_at(p, in->timestamp);
  @ ensures thread: thread_at(p + 8, in->thread.ref, in->thread.process, in->thread.thread);
  @ ensures args: encoded_args{Pre, Here}(p + 8 * (1 + l_thread_words(in->thread.ref)), args,
  @     arg_count);
  @*/
static inline void put_metadata(uint8_t *p, const struct fxt_large_blob *in,
                                const struct fxt_arg *args, size_t arg_count)
{
    uint8_t *next = fxt_i_put_word(p, in->timestamp);
    next = fxt_i_put_thread(next, in->thread);
    /*@ ghost
      /@ loop invariant 0 <= k <= arg_count;
        @ loop invariant same: \forall integer j; 0 <= j < k ==> arg_same{Pre, Here}(args + j);
        @ loop invariant apart: \forall integer j; 0 <= j < k ==>
        @   arg_apart(next, 8 * l_args_words(args, arg_count), args + j);
        @ loop assigns k;
        @ loop variant arg_count - k;
        @/
      for (size_t k = 0; k < arg_count; k++) {
        /@ assert name: stream_same{Pre, Here}(args[k].name.bytes,
          @   l_inline_length(args[k].name.ref)); @/
        /@ assert text: args[k].type == 6 ==>
          @   stream_same{Pre, Here}(args[k].text.bytes, l_inline_length(args[k].text.ref)); @/
        /@ assert blob: args[k].type == 10 ==>
          @   stream_same{Pre, Here}(args[k].blob.bytes, args[k].blob.size); @/
        /@ assert apart: arg_apart(next, 8 * l_args_words(args, arg_count), args + k); @/
      }
    */
    /*@ ghost before:; */
    fxt_i_put_args(next, args, arg_count);
    /*@ ghost
      /@ loop invariant 0 <= k <= arg_count;
        @ loop invariant stored: \forall integer j; 0 <= j < k ==>
        @   nth_arg_at{Pre, Here}(next, args, j) && l_args_words(args, j) >= 0;
        @ loop assigns k;
        @ loop variant arg_count - k;
        @/
      for (size_t k = 0; k < arg_count; k++) {
        /@ assert was: nth_arg_at{before, Here}(next, args, k); @/
        /@ assert same: arg_same{Pre, before}(args + k); @/
        /@ assert text: nth_text_at{before, Here}(next, args, k); @/
        /@ assert text: nth_text_at{Pre, Here}(next, args, k); @/
        /@ assert blob: nth_blob_at{Pre, Here}(next, args, k); @/
        /@ assert name: nth_name_at{Pre, Here}(next, args, k); @/
        /@ assert word: nth_word_at{Pre, Here}(next, args, k); @/
        /@ assert header: nth_header_at{Pre, Here}(next, args, k); @/
        /@ assert stored: nth_arg_at{Pre, Here}(next, args, k); @/
      }
    */
    /*@ assert args: encoded_args{Pre, Here}(next, args, arg_count); */
    /*@ assert args: encoded_args{Pre, Here}(p + 8 * (1 + l_thread_words(in->thread.ref)), args,
      @   arg_count); */
}

enum fxt_status fxt_write_large_blob(struct fxt_writer *writer, const struct fxt_large_blob *in,
                                     const struct fxt_arg *args, size_t arg_count)
{
    bool metadata = in->blob_format == FXT_LARGE_BLOB_METADATA;
    uint64_t words = 3 + fxt_i_string_words(in->category) + fxt_i_string_words(in->name) +
                     fxt_i_stream_words(in->payload, LARGE_BYTES_MAX);

    if (in->blob_format > FXT_LARGE_BLOB_NO_METADATA || (!metadata && arg_count > 0))
        return FXT_INVALID;
    if (metadata)
        words += 1 + fxt_i_thread_words(in->thread) + fxt_i_args_words(args, arg_count);
    enum fxt_status status = fxt_i_reserve(writer, words, UINT32_MAX);
    if (status != FXT_OK)
        return status;
    /*@ assert writable: metadata ==> writable_args(args, arg_count); */
    /*@ assert words: words == l_large_blob_record_words(in, args, arg_count); */
    /*@ assert apart: metadata ==> args_apart(l_place(writer), 8 * words, args, arg_count); */
    uint8_t *place = fxt_i_place(writer);
    uint8_t *p = put_head(place, in, words, arg_count);
    /*@ assert payload: stream_same{Pre, Here}(in->payload.bytes, in->payload.size); */
    /*@ assert same: metadata ==> args_same{Pre, Here}(args, arg_count); */
    uint64_t behind = words - 1 - fxt_words_of(in->payload.size);
    /*@ assert behind: behind == l_large_blob_payload_word(in, args, arg_count); */
    put_payload(place + 8 * behind, in->payload);
    /*@ assert payload: stream_at{Pre, Here}(l_place(writer) + 8 * (1 + behind),
      @   in->payload.bytes, in->payload.size); */
    /*@ assert same: metadata ==> args_same{Pre, Here}(args, arg_count); */
    if (metadata)
        put_metadata(p, in, args, arg_count);
    /*@ assert args: metadata ==> large_blob_metadata_at{Pre, Here}(l_place(writer) +
      @   8 * l_large_head_words(in), in, args, arg_count); */
    /*@ assert record: valid_record(l_place(writer), words); */
    /*@ assert header: large_blob_header(l_place(writer), words, in->blob_format); */
    /*@ assert metadata: in->blob_format == 0 ==> large_blob_metadata(l_place(writer) + 8,
      @   l_string_wire(in->category.ref), l_string_wire(in->name.ref), arg_count,
      @   in->thread.ref); */
    /*@ assert none: in->blob_format == 1 ==> large_blob_no_metadata(l_place(writer) + 8,
      @   l_string_wire(in->category.ref), l_string_wire(in->name.ref)); */
    /*@ assert category: string_at{Pre, Here}(l_place(writer) + 16, in->category.bytes,
      @   in->category.ref); */
    /*@ assert name: string_at{Pre, Here}(l_place(writer) + 8 * (2 +
      @   l_string_words(in->category.ref)), in->name.bytes, in->name.ref); */
    /*@ assert size: word_at(l_place(writer) + 8 * behind, in->payload.size); */
    /*@ assert payload: stream_at{Pre, Here}(l_place(writer) + 8 * (1 + behind),
      @   in->payload.bytes, in->payload.size); */
    return fxt_i_commit(writer, words);
}
