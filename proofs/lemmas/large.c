/* Large blobs, with metadata and without: there and back. */
#include "proofs/lemmas/args.h"

/* Positions by their names in the logic. */
/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_large_blob_name(format) && 2 <= \result <= 4098;
  @*/
static inline uint32_t large_name(uint64_t format)
{
    return (uint32_t)(2 + string_words(fxt_large_blob_metadata_category(format)));
}

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_large_blob_behind(format) && 2 <= \result <= 8194;
  @*/
static inline uint32_t large_behind(uint64_t format)
{
    return (uint32_t)(large_name(format) + string_words(fxt_large_blob_metadata_name(format)));
}

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_large_blob_args(format) && 3 <= \result <= 8197;
  @*/
static inline uint32_t large_args(uint64_t format)
{
    return (uint32_t)(large_behind(format) + 1 +
                      thread_words(fxt_large_blob_metadata_thread(format)));
}

/* The word of the payload's size, by its name in the logic. */
/*@ requires \valid_read(record) && l_large_blob_header_blob_format(record->header) == 0;
  @ requires position == l_large_blob_args(format);
  @ requires count == l_large_blob_metadata_arg_count(format);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures end: l_large_blob_size_at(record, format) ==
  @     l_args_end(record->bytes, record->words, position, count);
  @*/
static inline void large_args_end(const struct fxt_record *record, uint64_t format,
                                  uint32_t position, uint32_t count)
{
    (void)record;
    (void)format;
    (void)position;
    (void)count;
}

/* The words before the payload's size. */
/*@ requires \valid_read(in) && writable_large_blob(in, args, count);
  @ requires count > 0 ==> \valid_read(args + (0 .. count - 1));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures head: 2 <= l_large_head_words(in) <= l_large_blob_payload_word(in, args, count);
  @ ensures all: 0 <= l_args_words(args, count) <= 61425;
  @ ensures with: in->blob_format == 0 ==> l_large_blob_payload_word(in, args, count) ==
  @     l_large_head_words(in) + 1 + l_thread_words(in->thread.ref) + l_args_words(args, count);
  @ ensures without: in->blob_format == 1 ==> count == 0 && l_args_words(args, count) == 0 &&
  @     l_large_blob_payload_word(in, args, count) == l_large_head_words(in);
  @*/
static inline void large_sizes(const struct fxt_large_blob *in, const struct fxt_arg *args,
                               uint32_t count)
{
    uint64_t head = 2 + string_words(in->category.ref) + string_words(in->name.ref);
    /*@ assert head: head == l_large_head_words(in); */
    if (in->blob_format == 0) {
        args_rise(args, count);
        thread_words(in->thread.ref);
    }
}

/* What was written, part by part, at these words. */
/*@ requires \valid_read(in) && encoded_large_blob{Here, Here}(place, in, args, count);
  @ requires name == 2 + l_string_words(in->category.ref);
  @ requires behind == 2 + l_string_words(in->category.ref) + l_string_words(in->name.ref);
  @ requires from == behind + 1 + l_thread_words(in->thread.ref);
  @ requires end == l_large_blob_payload_word(in, args, count);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures header: large_blob_header{Here}(place, l_large_blob_record_words(in, args, count),
  @     in->blob_format);
  @ ensures with: in->blob_format == 0 ==> large_blob_metadata{Here}(place + 8,
  @     l_string_wire(in->category.ref), l_string_wire(in->name.ref), count, in->thread.ref);
  @ ensures without: in->blob_format == 1 ==> large_blob_no_metadata{Here}(place + 8,
  @     l_string_wire(in->category.ref), l_string_wire(in->name.ref));
  @ ensures category: string_at{Here, Here}(place + 16, in->category.bytes, in->category.ref);
  @ ensures name: string_at{Here, Here}(place + 8 * name, in->name.bytes, in->name.ref);
  @ ensures timestamp: in->blob_format == 0 ==> word_at(place + 8 * behind, in->timestamp);
  @ ensures thread: in->blob_format == 0 ==> thread_at{Here}(place + 8 * (behind + 1),
  @     in->thread.ref, in->thread.process, in->thread.thread);
  @ ensures args: in->blob_format == 0 ==>
  @     encoded_args{Here, Here}(place + 8 * from, args, count);
  @ ensures size: word_at(place + 8 * end, in->payload.size);
  @ ensures payload: stream_at{Here, Here}(place + 8 * (end + 1), in->payload.bytes,
  @     in->payload.size);
  @*/
static inline void large_encoded(const uint8_t *place, const struct fxt_large_blob *in,
                                 const struct fxt_arg *args, uint32_t count, uint32_t name,
                                 uint32_t behind, uint32_t from, uint32_t end)
{
    (void)place;
    (void)in;
    (void)args;
    (void)count;
    (void)name;
    (void)behind;
    (void)from;
    (void)end;
}

/* The word of the payload's size in a large blob of `words` words. */
/*@ requires l_words_of(size) < words;
  @ requires size <= 34359738360;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == words - 1 - l_words_of(size);
  @*/
static inline uint32_t large_end(uint32_t words, uint64_t size)
{
    return (uint32_t)(words - 1 - fxt_words_of(size));
}

/* The header of a large blob that was written says its format. */
/*@ requires \valid_read(record) && \valid_read(in);
  @ LEMMA_WRITTEN(large_blob);
  @ requires framed(record, l_large_blob_record_words(in, args, count));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures is: is_large_blob(record);
  @ ensures format: l_large_blob_header_blob_format(record->header) == in->blob_format;
  @*/
static inline void large_header(const struct fxt_record *record, const struct fxt_large_blob *in,
                                const struct fxt_arg *args, uint32_t count)
{
    large_sizes(in, args, count);
    uint64_t header = fxt_pack_large_blob_header(record->words, (uint8_t)in->blob_format);
    /*@ assert enough: record->words >= 3; */
    /*@ assert at: large_blob_header{Here}(record->bytes, record->words, in->blob_format); */
    /*@ assert word: word_at(record->bytes, header); */
    value_of_bytes(record->bytes, header);
    /*@ assert header: record->header == header; */
}

/* The format word says the other fields, and where they are. */
/*@ requires \valid_read(record) && \valid_read(in);
  @ LEMMA_WRITTEN(large_blob);
  @ requires framed(record, l_large_blob_record_words(in, args, count));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures refs: l_large_blob_metadata_category(l_word(record->bytes + 8)) ==
  @     l_string_wire(in->category.ref) &&
  @     l_large_blob_metadata_name(l_word(record->bytes + 8)) == l_string_wire(in->name.ref);
  @ ensures with: in->blob_format == 0 ==>
  @     l_large_blob_metadata_arg_count(l_word(record->bytes + 8)) == count &&
  @     l_large_blob_metadata_thread(l_word(record->bytes + 8)) == in->thread.ref;
  @*/
static inline void large_format(const struct fxt_record *record, const struct fxt_large_blob *in,
                                const struct fxt_arg *args, uint32_t count)
{
    uint16_t category = in->category.ref == FXT_STRING_INLINE ? 0 : in->category.ref;
    uint16_t name = in->name.ref == FXT_STRING_INLINE ? 0 : in->name.ref;
    /*@ assert wires: category == l_string_wire(in->category.ref) &&
      @   name == l_string_wire(in->name.ref); */
    large_sizes(in, args, count);
    /*@ assert enough: record->words >= 3; */
    if (in->blob_format == 0) {
        uint64_t with =
            fxt_pack_large_blob_metadata(category, name, (uint8_t)count, (uint8_t)in->thread.ref);
        /*@ assert with_at: large_blob_metadata{Here}(record->bytes + 8, category, name, count,
          @   in->thread.ref); */
        /*@ assert with: word_at(record->bytes + 8, with); */
        value_of_bytes(record->bytes + 8, with);
    } else {
        uint64_t without = fxt_pack_large_blob_no_metadata(category, name);
        /*@ assert without_at: large_blob_no_metadata{Here}(record->bytes + 8, category, name); */
        /*@ assert without: word_at(record->bytes + 8, without); */
        value_of_bytes(record->bytes + 8, without);
        /*@ assert category: l_large_blob_metadata_category(without) ==
          @   l_large_blob_no_metadata_category(without); */
        /*@ assert name: l_large_blob_metadata_name(without) ==
          @   l_large_blob_no_metadata_name(without); */
    }
}

/* Where the parts are. */
/*@ requires \valid_read(record) && \valid_read(in) && format == l_word(record->bytes + 8);
  @ LEMMA_WRITTEN(large_blob);
  @ requires framed(record, l_large_blob_record_words(in, args, count));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures name: l_large_blob_name(format) == 2 + l_string_words(in->category.ref);
  @ ensures behind: l_large_blob_behind(format) == l_large_head_words(in);
  @ ensures args: in->blob_format == 0 ==>
  @     l_large_blob_args(format) == l_large_head_words(in) + 1 + l_thread_words(in->thread.ref);
  @*/
static inline void large_places(const struct fxt_record *record, const struct fxt_large_blob *in,
                                const struct fxt_arg *args, uint32_t count, uint64_t format)
{
    (void)format;
    large_format(record, in, args, count);
    /*@ assert category_words: l_string_words(l_string_wire(in->category.ref)) ==
      @   l_string_words(in->category.ref); */
    /*@ assert name_words: l_string_words(l_string_wire(in->name.ref)) ==
      @   l_string_words(in->name.ref); */
}

/* A decoder finds the size of the payload where the writer put it. */
/*@ requires \valid_read(record) && \valid_read(in) && format == l_word(record->bytes + 8);
  @ LEMMA_WRITTEN(large_blob);
  @ requires framed(record, l_large_blob_record_words(in, args, count));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures at: l_large_blob_size_at(record, format) ==
  @     l_large_blob_payload_word(in, args, count);
  @*/
static inline void large_size_at(const struct fxt_record *record, const struct fxt_large_blob *in,
                                 const struct fxt_arg *args, uint32_t count, uint64_t format)
{
    large_header(record, in, args, count);
    large_format(record, in, args, count);
    large_places(record, in, args, count, format);
    large_sizes(in, args, count);
    if (in->blob_format == 0) {
        uint32_t position = large_args(format);
        uint32_t end = large_end(record->words, in->payload.size);
        args_rise(args, count);
        large_encoded(record->bytes, in, args, count, large_name(format), large_behind(format),
                      position, end);
        /*@ assert args: encoded_args{Here, Here}(record->bytes + 8 * position, args, count); */
        args_end(record->bytes, record->words, position, args, count);
        large_args_end(record, format, position, count);
    }
}

/* It is formed, by the format word and the word of the payload's size. */
/*@ requires \valid_read(record) && is_large_blob(record) && 2 <= record->words;
  @ requires format == l_word(record->bytes + 8);
  @ requires end == l_large_blob_size_at(record, format) && 0 < end;
  @ requires l_large_blob_header_blob_format(record->header) == 0 ==>
  @     l_large_blob_args(format) <= record->words;
  @ requires end + 1 + l_words_of(l_word(record->bytes + 8 * end)) <= record->words;
  @ requires end + 1 <= record->words;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures formed: formed_large_blob(record);
  @*/
static inline void large_formed(const struct fxt_record *record, uint64_t format, uint32_t end)
{
    /*@ assert format: l_large_blob_format(record) == format; */
    /*@ assert at: l_large_blob_size_at(record, l_large_blob_format(record)) == end; */
    /*@ assert args: l_large_blob_header_blob_format(record->header) == 0 ==>
      @   l_large_blob_args(l_large_blob_format(record)) <= record->words; */
    /*@ assert size: l_word(record->bytes + 8 * l_large_blob_size_at(record,
      @   l_large_blob_format(record))) == l_word(record->bytes + 8 * end); */
    (void)record;
    (void)format;
    (void)end;
}

/*@ requires \valid_read(record) && \valid_read(in) && format == l_word(record->bytes + 8);
  @ LEMMA_WRITTEN(large_blob);
  @ requires framed(record, l_large_blob_record_words(in, args, count));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures formed: formed_large_blob(record);
  @ ensures format: l_large_blob_header_blob_format(record->header) == in->blob_format;
  @ ensures refs: l_large_blob_metadata_category(format) == l_string_wire(in->category.ref) &&
  @     l_large_blob_metadata_name(format) == l_string_wire(in->name.ref);
  @ ensures with: in->blob_format == 0 ==>
  @     l_large_blob_metadata_arg_count(format) == count &&
  @     l_large_blob_metadata_thread(format) == in->thread.ref;
  @ ensures timestamp: in->blob_format == 0 ==>
  @     l_word(record->bytes + 8 * l_large_blob_behind(format)) == in->timestamp;
  @ ensures thread: in->blob_format == 0 && in->thread.ref == 0 ==>
  @     l_koid(record->bytes, l_large_blob_behind(format) + 1, 0) == in->thread.process &&
  @     l_koid(record->bytes, l_large_blob_behind(format) + 2, 0) == in->thread.thread;
  @ ensures at: l_large_blob_size_at(record, format) ==
  @     l_large_blob_payload_word(in, args, count);
  @ ensures size: l_word(record->bytes + 8 * l_large_blob_size_at(record, format)) ==
  @     in->payload.size;
  @*/
static inline void large_written(const struct fxt_record *record, const struct fxt_large_blob *in,
                                 const struct fxt_arg *args, uint32_t count, uint64_t format)
{
    large_header(record, in, args, count);
    large_format(record, in, args, count);
    large_places(record, in, args, count, format);
    large_size_at(record, in, args, count, format);
    large_sizes(in, args, count);
    uint32_t name = large_name(format);
    uint32_t behind = large_behind(format);
    uint32_t from = behind + 1 + (uint32_t)thread_words(in->thread.ref);
    uint32_t end = large_end(record->words, in->payload.size);
    /*@ assert head: behind == l_large_head_words(in); */
    /*@ assert end: end == l_large_blob_payload_word(in, args, count); */
    large_encoded(record->bytes, in, args, count, name, behind, from, end);
    if (in->blob_format == 0) {
        /*@ assert inside: from <= end; */
        value_of_bytes(record->bytes + UINT64_C(8) * behind, in->timestamp);
        koids_of_bytes(record->bytes, behind + 1, in->thread.ref, in->thread.process,
                       in->thread.thread);
    }
    value_of_bytes(record->bytes + UINT64_C(8) * end, in->payload.size);
    /*@ assert size_at: end == l_large_blob_size_at(record, format); */
    /*@ assert size_there: l_word(record->bytes + 8 * end) == in->payload.size; */
    /*@ assert size: l_word(record->bytes + 8 * l_large_blob_size_at(record, format)) ==
      @   in->payload.size; */
    large_formed(record, format, end);
}

/* What a decoder says, by the format word and the word of the payload's size. */
/*@ requires \valid_read(record) && \valid_read(out) && format == l_word(record->bytes + 8);
  @ requires says_large_blob{Here, Here}(record, out);
  @ requires end == l_large_blob_size_at(record, format);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures upto: says_large_blob_upto{Here, Here}(record, out, format, end);
  @*/
static inline void large_said_upto(const struct fxt_record *record,
                                   const struct fxt_large_blob *out, uint64_t format, uint32_t end)
{
    (void)record;
    (void)out;
    (void)format;
    (void)end;
}

/* The same, part by part, at these words. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ requires says_large_blob_upto{Here, Here}(record, out, format, end);
  @ requires name == l_large_blob_name(format) && behind == l_large_blob_behind(format);
  @ requires from == l_large_blob_args(format);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures format: out->blob_format == l_large_blob_header_blob_format(record->header);
  @ ensures refs: out->category.ref == l_large_blob_metadata_category(format) &&
  @     out->name.ref == l_large_blob_metadata_name(format);
  @ ensures category: says_string(out->category.bytes, out->category.ref, record->bytes, 2,
  @     out->category.ref);
  @ ensures name: says_string(out->name.bytes, out->name.ref, record->bytes, name,
  @     out->name.ref);
  @ ensures with: out->blob_format == 0 ==>
  @     out->timestamp == l_word(record->bytes + 8 * behind) &&
  @     out->thread.ref == l_large_blob_metadata_thread(format);
  @ ensures thread: out->blob_format == 0 ==> says_thread(out->thread.process,
  @     out->thread.thread, out->thread.ref, record->bytes, behind + 1, out->thread.ref);
  @ ensures args: out->blob_format == 0 ==> out->args.bytes == record->bytes + 8 * from &&
  @     out->args.words == end - from &&
  @     out->args.count == l_large_blob_metadata_arg_count(format);
  @ ensures without: out->blob_format == 1 ==> out->args.count == 0 && out->args.words == 0;
  @ ensures size: out->payload.size == l_word(record->bytes + 8 * end);
  @ ensures payload: says_stream(out->payload.bytes, out->payload.size, record->bytes, end + 1,
  @     out->payload.size);
  @ ensures tail: out->tail.words == record->words - (end + 1 + l_words_of(out->payload.size));
  @*/
static inline void large_parts(const struct fxt_record *record, const struct fxt_large_blob *out,
                               uint64_t format, uint32_t name, uint32_t behind, uint32_t from,
                               uint32_t end)
{
    (void)record;
    (void)out;
    (void)format;
    (void)name;
    (void)behind;
    (void)from;
    (void)end;
}

/* What a decoder says of a large blob that was written is what was written; its arguments stand
   where they were put. */
/*@ requires \valid_read(record) && \valid_read(in) && \valid_read(out);
  @ LEMMA_WRITTEN(large_blob);
  @ requires framed(record, l_large_blob_record_words(in, args, count));
  @ requires says_large_blob{Here, Here}(record, out);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures same: same_large_blob(in, args, count, out);
  @ ensures args: in->blob_format == 0 ==>
  @     out->args.bytes == record->bytes + 8 * l_large_blob_args(l_large_blob_format(record));
  @*/
static inline void large_read(const struct fxt_record *record, const struct fxt_large_blob *in,
                              const struct fxt_arg *args, uint32_t count,
                              const struct fxt_large_blob *out)
{
    large_sizes(in, args, count);
    /*@ assert enough: record->words >= 3; */
    uint64_t format = fxt_load_word(record->bytes + 8);
    large_written(record, in, args, count, format);
    large_places(record, in, args, count, format);
    uint32_t name = large_name(format);
    uint32_t behind = large_behind(format);
    uint32_t from = large_args(format);
    uint32_t end = large_end(record->words, in->payload.size);
    /*@ assert end: end == l_large_blob_payload_word(in, args, count); */
    large_said_upto(record, out, format, end);
    large_parts(record, out, format, name, behind, from, end);
    uint32_t own = behind + 1 + (uint32_t)thread_words(in->thread.ref);
    /*@ assert head: behind == l_large_head_words(in); */
    large_encoded(record->bytes, in, args, count, name, behind, own, end);
    /*@ assert category: same_string(in->category.bytes, in->category.ref, out->category.bytes,
      @   out->category.ref); */
    /*@ assert name: same_string(in->name.bytes, in->name.ref, out->name.bytes, out->name.ref); */
    /*@ assert size: out->payload.size == in->payload.size; */
    /*@ assert payload: same_bytes(in->payload.bytes, out->payload.bytes, in->payload.size); */
    /*@ assert timestamp: in->blob_format == 0 ==> out->timestamp == in->timestamp; */
    /*@ assert thread: in->blob_format == 0 ==> same_thread(in->thread.process,
      @   in->thread.thread, in->thread.ref, out->thread.process, out->thread.thread,
      @   out->thread.ref); */
    /*@ assert count: out->args.count == count; */
    /*@ assert words: out->args.words == l_args_words(args, count); */
    /*@ assert tail: out->tail.words == 0; */
}

/* What is canonical, at these words. */
/*@ requires \valid_read(record) && canonical_large_parts(record, format);
  @ requires name == l_large_blob_name(format) && from == l_large_blob_args(format);
  @ requires end == l_large_blob_size_at(record, format);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures without: l_large_blob_header_blob_format(record->header) == 1 ==>
  @     l_large_blob_no_metadata_reserved(format) == 0;
  @ ensures with: l_large_blob_header_blob_format(record->header) == 0 ==>
  @     l_large_blob_metadata_reserved(format) == 0 &&
  @     canonical_args(record->bytes, from, l_large_blob_metadata_arg_count(format));
  @ ensures category: canonical_string(record->bytes + 16, l_large_blob_metadata_category(format));
  @ ensures name: canonical_string(record->bytes + 8 * name, l_large_blob_metadata_name(format));
  @ ensures all: end + 1 + l_words_of(l_word(record->bytes + 8 * end)) == record->words;
  @ ensures payload: padded(record->bytes + 8 * (end + 1), l_word(record->bytes + 8 * end));
  @*/
static inline void large_canonical(const struct fxt_record *record, uint64_t format, uint32_t name,
                                   uint32_t from, uint32_t end)
{
    /*@ assert with: canonical_large_metadata(record, format); */
    /*@ assert payload: canonical_large_payload(record, end); */
}

/* Where the payload's size is in a formed record. */
/*@ requires \valid_read(record) && canonical_large_blob(record);
  @ requires format == l_word(record->bytes + 8);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures is: is_large_blob(record) && 2 <= record->words;
  @ ensures reserved: l_large_blob_header_reserved(record->header) == 0;
  @ ensures parts: canonical_large_parts(record, format);
  @ ensures args: l_large_blob_header_blob_format(record->header) == 0 ==>
  @     l_large_blob_args(format) <= record->words;
  @ ensures end: l_large_blob_size_at(record, format) != 0 &&
  @     l_large_blob_size_at(record, format) < record->words;
  @*/
static inline void large_is_formed(const struct fxt_record *record, uint64_t format)
{
    /*@ assert format: l_large_blob_format(record) == format; */
}

/* The word of the payload's size, by what a decoder says. */
/*@ requires \valid_read(record) && \valid_read(out) && format == l_word(record->bytes + 8);
  @ requires says_large_blob{Here, Here}(record, out) && is_large_blob(record);
  @ requires l_large_blob_size_at(record, format) < record->words;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures at: \result == l_large_blob_size_at(record, format);
  @*/
static inline uint32_t large_said_at(const struct fxt_record *record,
                                     const struct fxt_large_blob *out, uint64_t format)
{
    /*@ assert format: l_large_blob_format(record) == format; */
    /*@ assert upto: says_large_blob_upto{Here, Here}(record, out, format,
      @   l_large_blob_size_at(record, format)); */
    /*@ assert formats: out->blob_format == 0 || out->blob_format == 1; */
    if (out->blob_format == 1) {
        /*@ assert without: l_large_blob_size_at(record, format) == l_large_blob_behind(format); */
        return large_behind(format);
    }
    /*@ assert with: says_large_blob_metadata{Here, Here}(record, out, format,
      @   l_large_blob_size_at(record, format)); */
    /*@ assert words: out->args.words == l_large_blob_size_at(record, format) -
      @   l_large_blob_args(format); */
    return large_args(format) + out->args.words;
}

/* What a decoder gives of a canonical large blob with its arguments can be written, and takes as
   many words. */
/*@ requires \valid_read(record) && \valid_read(out) && format == l_word(record->bytes + 8);
  @ LEMMA_SAID(large_blob, l_large_blob_args(format));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures args: out->blob_format == 0 ==> writable_args(d, count) &&
  @     l_large_blob_size_at(record, format) ==
  @     l_large_blob_args(format) + l_args_words(d, count);
  @*/
static inline void large_said_args(const struct fxt_record *record,
                                   const struct fxt_large_blob *out, const struct fxt_arg *d,
                                   uint32_t count, uint64_t format)
{
    /*@ assert formed: formed_large_blob(record) && 2 <= record->words; */
    large_is_formed(record, format);
    uint32_t end = large_said_at(record, out, format);
    uint32_t from = large_args(format);
    large_said_upto(record, out, format, end);
    large_parts(record, out, format, large_name(format), large_behind(format), from, end);
    large_canonical(record, format, large_name(format), from, end);
    if (out->blob_format == 0) {
        large_args_end(record, format, from, count);
        args_said(record->bytes, record->words, from, d, count);
    }
}

/*@ requires \valid_read(record) && \valid_read(out) && format == l_word(record->bytes + 8);
  @ LEMMA_SAID(large_blob, l_large_blob_args(format));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures at: l_large_blob_size_at(record, format) == l_large_blob_payload_word(out, d, count);
  @ ensures words: l_large_blob_record_words(out, d, count) == record->words;
  @ ensures writable: writable_large_blob(out, d, count);
  @ ensures header: record->header == 15 + record->words * 16 + out->blob_format * 1099511627776;
  @ ensures with: out->blob_format == 0 ==> format == l_string_wire(out->category.ref) +
  @     l_string_wire(out->name.ref) * 65536 + count * 4294967296 +
  @     out->thread.ref * 68719476736;
  @ ensures without: out->blob_format == 1 ==> format == l_string_wire(out->category.ref) +
  @     l_string_wire(out->name.ref) * 65536;
  @*/
static inline void large_said(const struct fxt_record *record, const struct fxt_large_blob *out,
                              const struct fxt_arg *d, uint32_t count, uint64_t format)
{
    /*@ assert formed: formed_large_blob(record) && 2 <= record->words; */
    large_is_formed(record, format);
    uint32_t end = large_said_at(record, out, format);
    large_said_upto(record, out, format, end);
    large_parts(record, out, format, large_name(format), large_behind(format), large_args(format),
                end);
    large_canonical(record, format, large_name(format), large_args(format), end);
    large_said_args(record, out, d, count, format);
    /*@ assert wires: l_string_wire(out->category.ref) == out->category.ref &&
      @   l_string_wire(out->name.ref) == out->name.ref; */
    /*@ assert behind: l_large_blob_behind(format) == 2 + l_string_words(out->category.ref) +
      @   l_string_words(out->name.ref); */
    /*@ assert from: out->blob_format == 0 ==> l_large_blob_args(format) ==
      @   l_large_blob_behind(format) + 1 + l_thread_words(out->thread.ref); */
    /*@ assert none: out->blob_format == 1 ==> count == 0 && l_args_words(d, count) == 0; */
    /*@ assert at: end == l_large_blob_payload_word(out, d, count); */
    /*@ assert words: end + 1 + l_words_of(out->payload.size) == record->words; */
    repack_large_blob_header(record->header);
    if (out->blob_format == 0)
        repack_large_blob_metadata(format);
    else
        repack_large_blob_no_metadata(format);
}

/* What was written of it is what the record was: up to the metadata, the metadata, the payload. */
/*@ requires \valid_read(record) && \valid_read(out) && format == l_word(record->bytes + 8);
  @ LEMMA_SAID(large_blob, l_large_blob_args(format));
  @ requires readable(place, 8 * record->words);
  @ requires encoded_large_blob{Here, Here}(place, out, d, count);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures same: same_from(place, record->bytes, 0, 8 * l_large_blob_behind(format));
  @*/
static inline void large_same_head(const struct fxt_record *record,
                                   const struct fxt_large_blob *out, const struct fxt_arg *d,
                                   uint32_t count, uint64_t format, const uint8_t *place)
{
    /*@ assert formed: formed_large_blob(record) && 2 <= record->words; */
    large_is_formed(record, format);
    uint32_t name = large_name(format);
    uint32_t behind = large_behind(format);
    uint32_t end = large_said_at(record, out, format);
    large_said_upto(record, out, format, end);
    large_parts(record, out, format, name, behind, large_args(format), end);
    large_canonical(record, format, name, large_args(format), end);
    large_said(record, out, d, count, format);
    uint32_t from = behind + 1 + (uint32_t)thread_words(out->thread.ref);
    /*@ assert name: name == 2 + l_string_words(out->category.ref); */
    /*@ assert behind: behind == name + l_string_words(out->name.ref); */
    /*@ assert from: out->blob_format == 0 ==> from == l_large_blob_args(format); */
    /*@ assert inside: behind <= end && end + 1 <= record->words; */
    large_encoded(place, out, d, count, name, behind, from, end);
    /*@ assert header: word_at(place, record->header); */
    /*@ assert format: word_at(place + 8, format); */
    same_word(place, record->bytes, 0, 0, record->header);
    same_word(place, record->bytes, 8, 8, format);
    same_texts(place, record->bytes, 16, 2, &out->category, out->category.ref);
    same_texts(place, record->bytes, UINT64_C(8) * name, name, &out->name, out->name.ref);
}

/*@ requires \valid_read(record) && \valid_read(out) && format == l_word(record->bytes + 8);
  @ LEMMA_SAID(large_blob, l_large_blob_args(format));
  @ requires readable(place, 8 * record->words);
  @ requires encoded_large_blob{Here, Here}(place, out, d, count);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures same: out->blob_format == 0 ==> same_from(place, record->bytes,
  @     8 * l_large_blob_behind(format), 8 * l_large_blob_size_at(record, format));
  @*/
static inline void large_same_metadata(const struct fxt_record *record,
                                       const struct fxt_large_blob *out, const struct fxt_arg *d,
                                       uint32_t count, uint64_t format, const uint8_t *place)
{
    /*@ assert formed: formed_large_blob(record) && 2 <= record->words; */
    large_is_formed(record, format);
    uint32_t name = large_name(format);
    uint32_t behind = large_behind(format);
    uint32_t end = large_said_at(record, out, format);
    large_said_upto(record, out, format, end);
    large_parts(record, out, format, name, behind, large_args(format), end);
    large_canonical(record, format, name, large_args(format), end);
    large_said(record, out, d, count, format);
    uint32_t from = behind + 1 + (uint32_t)thread_words(out->thread.ref);
    /*@ assert name: name == 2 + l_string_words(out->category.ref); */
    /*@ assert behind: behind == name + l_string_words(out->name.ref); */
    /*@ assert from: out->blob_format == 0 ==> from == l_large_blob_args(format); */
    /*@ assert inside: behind <= end && end + 1 <= record->words; */
    large_encoded(place, out, d, count, name, behind, from, end);
    if (out->blob_format == 0) {
        large_said_args(record, out, d, count, format);
        large_args_end(record, format, from, count);
        /*@ assert args_inside: from <= end; */
        same_word(place, record->bytes, UINT64_C(8) * behind, UINT64_C(8) * behind, out->timestamp);
        same_koids(place, record->bytes, UINT64_C(8) * (behind + 1), behind + 1, &out->thread,
                   out->thread.ref);
        /*@ assert canonical: canonical_args(record->bytes, from, count); */
        /*@ assert each: says_each{Here}(record->bytes, from, d, count); */
        args_same(record->bytes, record->words, from, d, count, place);
        /*@ assert args: same_from(place, record->bytes, 8 * from, 8 * end); */
    }
}

/*@ requires \valid_read(record) && \valid_read(out) && format == l_word(record->bytes + 8);
  @ LEMMA_SAID(large_blob, l_large_blob_args(format));
  @ requires readable(place, 8 * record->words);
  @ requires encoded_large_blob{Here, Here}(place, out, d, count);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures same: same_from(place, record->bytes, 8 * l_large_blob_size_at(record, format),
  @     8 * record->words);
  @*/
static inline void large_same_payload(const struct fxt_record *record,
                                      const struct fxt_large_blob *out, const struct fxt_arg *d,
                                      uint32_t count, uint64_t format, const uint8_t *place)
{
    /*@ assert formed: formed_large_blob(record) && 2 <= record->words; */
    large_is_formed(record, format);
    uint32_t name = large_name(format);
    uint32_t behind = large_behind(format);
    uint32_t end = large_said_at(record, out, format);
    large_said_upto(record, out, format, end);
    large_parts(record, out, format, name, behind, large_args(format), end);
    large_canonical(record, format, name, large_args(format), end);
    large_said(record, out, d, count, format);
    uint32_t from = behind + 1 + (uint32_t)thread_words(out->thread.ref);
    /*@ assert name: name == 2 + l_string_words(out->category.ref); */
    /*@ assert behind: behind == name + l_string_words(out->name.ref); */
    /*@ assert from: out->blob_format == 0 ==> from == l_large_blob_args(format); */
    /*@ assert inside: behind <= end && end + 1 <= record->words; */
    large_encoded(place, out, d, count, name, behind, from, end);
    /*@ assert words: end + 1 + l_words_of(out->payload.size) == record->words; */
    same_word(place, record->bytes, UINT64_C(8) * end, UINT64_C(8) * end, out->payload.size);
    same_stream(place, record->bytes, UINT64_C(8) * (UINT64_C(1) + end), UINT64_C(1) + end,
                &out->payload, out->payload.size);
}

/*@ requires \valid_read(record) && \valid_read(out) && format == l_word(record->bytes + 8);
  @ LEMMA_SAID(large_blob, l_large_blob_args(format));
  @ requires readable(place, 8 * record->words);
  @ requires encoded_large_blob{Here, Here}(place, out, d, count);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures same: same_from(place, record->bytes, 0, 8 * record->words);
  @*/
static inline void large_same(const struct fxt_record *record, const struct fxt_large_blob *out,
                              const struct fxt_arg *d, uint32_t count, uint64_t format,
                              const uint8_t *place)
{
    large_same_head(record, out, d, count, format, place);
    large_same_metadata(record, out, d, count, format, place);
    large_same_payload(record, out, d, count, format, place);
    large_said(record, out, d, count, format);
    /*@ assert formed: formed_large_blob(record); */
    large_is_formed(record, format);
    /*@ assert without: out->blob_format == 1 ==>
      @   l_large_blob_size_at(record, format) == l_large_blob_behind(format); */
}
