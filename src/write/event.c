/* Events. All eleven types have the same layout. */
#include "spec/acsl/put_args.h"
#include "src/wire/layout.h"
#include "src/write/emit.h"

/* The number of words after the arguments: 1 if the event type or its scope needs one, else 0. */
/*@ requires \valid_read(in);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_event_value_words(in);
  @*/
static inline uint64_t value_words(const struct fxt_event *in)
{
    return in->event_type == FXT_EVENT_COUNTER || in->event_type >= FXT_EVENT_DURATION_COMPLETE ||
                   (in->event_type == FXT_EVENT_INSTANT && in->has_scope != 0)
               ? 1
               : 0;
}

/* Writes everything before the arguments. */
/*@ requires room: writable(p, 8 * l_event_head_words(in));
  @ requires given: \valid_read(in) &&
  @     bytes_apart(p, 8 * l_event_head_words(in), in->category.bytes,
  @       l_inline_length(in->category.ref)) &&
  @     bytes_apart(p, 8 * l_event_head_words(in), in->name.bytes, l_inline_length(in->name.ref));
  @ requires sizes: 1 <= words <= 4095 && arg_count <= 15 && in->event_type <= 10 &&
  @     in->thread.ref <= 255;
  @ terminates \true;
  @ assigns p[0 .. 8 * l_event_head_words(in) - 1];
  @ ensures next: \result == p + 8 * l_event_head_words(in);
  @ ensures record: valid_record(p, words);
  @ ensures header: event_header(p, words, in->event_type, arg_count, in->thread.ref,
  @     l_string_wire(in->category.ref), l_string_wire(in->name.ref));
  @ ensures timestamp: word_at(p + 8, in->timestamp);
  @ ensures thread: thread_at(p + 16, in->thread.ref, in->thread.process, in->thread.thread);
  @ ensures category: string_at{Pre, Here}(p + 8 * (2 + l_thread_words(in->thread.ref)),
  @     in->category.bytes, in->category.ref);
  @ ensures name: string_at{Pre, Here}(p + 8 * (2 + l_thread_words(in->thread.ref) +
  @     l_string_words(in->category.ref)), in->name.bytes, in->name.ref);
  @*/
static inline uint8_t *put_head(uint8_t *p, const struct fxt_event *in, uint64_t words,
                                size_t arg_count)
{
    uint8_t *next = fxt_i_put_word(
        p, fxt_pack_event_header((uint16_t)words, (uint8_t)in->event_type, (uint8_t)arg_count,
                                 (uint8_t)in->thread.ref, fxt_i_string_wire(in->category),
                                 fxt_i_string_wire(in->name)));
    next = fxt_i_put_word(next, in->timestamp);
    next = fxt_i_put_thread(next, in->thread);
    /*@ assert same: stream_same{Pre, Here}(in->category.bytes,
      @   l_inline_length(in->category.ref)); */
    next = fxt_i_put_string(next, in->category);
    /*@ assert category: string_at{Pre, Here}(p + 8 * (2 + l_thread_words(in->thread.ref)),
      @   in->category.bytes, in->category.ref); */
    /*@ assert next: next == p + 8 * (2 + l_thread_words(in->thread.ref) +
      @   l_string_words(in->category.ref)); */
    /*@ assert same: stream_same{Pre, Here}(in->name.bytes, l_inline_length(in->name.ref)); */
    next = fxt_i_put_string(next, in->name);
    /*@ assert name: string_at{Pre, Here}(p + 8 * (2 + l_thread_words(in->thread.ref) +
      @   l_string_words(in->category.ref)), in->name.bytes, in->name.ref); */
    /*@ assert header: event_header(p, words, in->event_type, arg_count, in->thread.ref,
      @   l_string_wire(in->category.ref), l_string_wire(in->name.ref)); */
    /*@ assert timestamp: word_at(p + 8, in->timestamp); */
    /*@ assert thread: thread_at(p + 16, in->thread.ref, in->thread.process, in->thread.thread); */
    /*@ assert category: string_at{Pre, Here}(p + 8 * (2 + l_thread_words(in->thread.ref)),
      @   in->category.bytes, in->category.ref); */
    return next;
}

enum fxt_status fxt_write_event(struct fxt_writer *writer, const struct fxt_event *in,
                                const struct fxt_arg *args, size_t arg_count)
{
    uint64_t words = 2 + fxt_i_write_thread_words(in->thread) +
                     fxt_i_write_string_words(in->category) + fxt_i_write_string_words(in->name) +
                     fxt_i_args_words(args, arg_count) + value_words(in);

    if (in->event_type > FXT_EVENT_FLOW_END || in->has_scope > 1 || in->scope > FXT_SCOPE_GLOBAL)
        return FXT_INVALID;
    enum fxt_status status = fxt_i_reserve(writer, words, FXT_RECORD_WORDS_MAX);
    if (status != FXT_OK)
        return status;
    /*@ assert writable: writable_args(args, arg_count); */
    /*@ assert words: words == l_event_record_words(in, args, arg_count); */
    uint8_t *p = put_head(fxt_i_place(writer), in, words, arg_count);
    if (value_words(in) == 1)
        fxt_i_put_word(fxt_i_place(writer) + 8 * (words - 1),
                       in->event_type == FXT_EVENT_INSTANT ? in->scope : in->value);
    /*@ ghost FXT_I_ARGS_APART(writer, p, args, arg_count) */
    /*@ ghost before:; */
    fxt_i_put_args(p, args, arg_count);
    /*@ assert record: valid_record(l_place(writer), words); */
    /*@ assert header: event_header(l_place(writer), words, in->event_type, arg_count,
      @   in->thread.ref, l_string_wire(in->category.ref), l_string_wire(in->name.ref)); */
    /*@ assert timestamp: word_at(l_place(writer) + 8, in->timestamp); */
    /*@ assert thread: thread_at(l_place(writer) + 16, in->thread.ref, in->thread.process,
      @   in->thread.thread); */
    /*@ assert category: string_at{Pre, Here}(l_place(writer) + 8 * (2 +
      @   l_thread_words(in->thread.ref)), in->category.bytes, in->category.ref); */
    /*@ assert kept: stream_same{before, Here}(l_place(writer) + 8 * (2 +
      @   l_thread_words(in->thread.ref) + l_string_words(in->category.ref)),
      @   8 * l_words_of(l_inline_length(in->name.ref))); */
    /*@ assert was: stream_at{Pre, before}(l_place(writer) + 8 * (2 +
      @   l_thread_words(in->thread.ref) + l_string_words(in->category.ref)), in->name.bytes,
      @   l_inline_length(in->name.ref)); */
    /*@ assert is: stream_at{Pre, Here}(l_place(writer) + 8 * (2 +
      @   l_thread_words(in->thread.ref) + l_string_words(in->category.ref)), in->name.bytes,
      @   l_inline_length(in->name.ref)); */
    /*@ assert name: string_at{Pre, Here}(l_place(writer) + 8 * (2 +
      @   l_thread_words(in->thread.ref) + l_string_words(in->category.ref)), in->name.bytes,
      @   in->name.ref); */
    /*@ assert value: l_event_value_words(in) == 1 ==>
      @   word_at(l_place(writer) + 8 * (words - 1), l_event_value(in)); */
    /*@ ghost FXT_I_ARGS_STORED(p, args, arg_count, ) */
    /*@ assert args: encoded_args{Pre, Here}(p, args, arg_count); */
    /*@ assert args: encoded_args{Pre, Here}(l_place(writer) + 8 * l_event_head_words(in), args,
      @   arg_count); */
    return fxt_i_commit(writer, words);
}
