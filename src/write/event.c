/* Events: the one layout of all eleven types. */
#include "src/wire/layout.h"
#include "src/write/emit.h"

/* Whether the event ends in a word of its own. */
/*@ requires \valid_read(in);
  @ terminates \true;
  @ assigns \nothing;
  @*/
static inline bool has_value(const struct fxt_event *in)
{
    return in->event_type == FXT_EVENT_COUNTER || in->event_type >= FXT_EVENT_DURATION_COMPLETE ||
           (in->event_type == FXT_EVENT_INSTANT && in->has_scope != 0);
}

enum fxt_status fxt_write_event(struct fxt_writer *writer, const struct fxt_event *in,
                                const struct fxt_arg *args, size_t arg_count)
{
    uint64_t words = 2 + fxt_i_thread_words(in->thread) + fxt_i_string_words(in->category) +
                     fxt_i_string_words(in->name) + fxt_i_args_words(args, arg_count) +
                     (has_value(in) ? 1u : 0u);

    if (in->event_type > FXT_EVENT_FLOW_END || in->has_scope > 1 || in->scope > FXT_SCOPE_GLOBAL)
        return FXT_INVALID;
    enum fxt_status status = fxt_i_reserve(writer, words, FXT_RECORD_WORDS_MAX);
    if (status != FXT_OK)
        return status;
    /*@ assert writable: writable_args(args, arg_count); */
    /*@ assert words: words == l_event_record_words(in, args, arg_count); */
    /*@ assert apart: arg_count > 0 ==> \separated(args + (0 .. arg_count - 1),
      @   writer->bytes + (writer->size .. writer->capacity - 1)); */
    /*@ assert given: \forall integer k; 0 <= k < arg_count ==> arg_given(writer, args + k); */
    uint64_t header = fxt_pack_event_header(
        (uint16_t)words, (uint8_t)in->event_type, (uint8_t)arg_count, (uint8_t)in->thread.ref,
        fxt_i_string_wire(in->category), fxt_i_string_wire(in->name));
    uint8_t *p = fxt_i_put_word(fxt_i_place(writer), header);
    p = fxt_i_put_word(p, in->timestamp);
    p = fxt_i_put_thread(p, in->thread);
    p = fxt_i_put_string(p, in->category);
    p = fxt_i_put_string(p, in->name);
    /*@ assert types: \forall integer k; 0 <= k < arg_count ==>
      @   args[k].type == \at(args[k].type, Pre); */
    /*@ assert names: \forall integer k; 0 <= k < arg_count ==>
      @   stream_same{Pre, Here}(args[k].name.bytes, l_inline_length(args[k].name.ref)); */
    /*@ assert texts: \forall integer k; 0 <= k < arg_count && \at(args[k].type, Pre) == 6 ==>
      @   stream_same{Pre, Here}(args[k].text.bytes, l_inline_length(args[k].text.ref)); */
    /*@ assert blobs: \forall integer k; 0 <= k < arg_count && \at(args[k].type, Pre) == 10 ==>
      @   stream_same{Pre, Here}(args[k].blob.bytes, args[k].blob.size); */
    /*@ assert args: args_same{Pre, Here}(args, arg_count); */
    /*@ ghost
      /@ loop invariant 0 <= k <= arg_count;
        @ loop invariant same: \forall integer j; 0 <= j <= k ==>
        @   l_args_words(args, j) == l_args_words{Pre}(args, j);
        @ loop assigns k;
        @ loop variant arg_count - k;
        @/
      for (size_t k = 0; k < arg_count; k++) {
      }
    */
    p = fxt_i_put_args(p, args, arg_count);
    /*@ assert args: encoded_args{Pre, Here}(l_place(writer) + 8 * (2 + l_thread_words(\at(in->thread.ref, Pre)) +
      @   l_string_words(in->category.ref) + l_string_words(in->name.ref)), args,
      @   arg_count); */
    if (has_value(in))
        fxt_i_put_word(p, in->event_type == FXT_EVENT_INSTANT ? in->scope : in->value);
    /*@ assert header: word_at(l_place(writer), header); */
    /*@ assert timestamp: word_at(l_place(writer) + 8, in->timestamp); */
    return fxt_i_commit(writer, words);
}
