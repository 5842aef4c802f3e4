/* Scheduling: the legacy context switch of edition 2020, and the later context switch and thread
   wakeup. */
#include "spec/acsl/put_args.h"
#include "src/wire/layout.h"
#include "src/write/emit.h"

enum fxt_status fxt_write_legacy_switch(struct fxt_writer *writer,
                                        const struct fxt_legacy_switch *in)
{
    uint64_t words =
        2 + fxt_i_write_thread_words(in->outgoing) + fxt_i_write_thread_words(in->incoming);

    if (in->outgoing_state > FXT_THREAD_DEAD || in->cpu > UINT8_MAX ||
        in->outgoing_priority > UINT8_MAX || in->incoming_priority > UINT8_MAX)
        return FXT_INVALID;
    enum fxt_status status = fxt_i_reserve(writer, words, FXT_RECORD_WORDS_MAX);
    if (status != FXT_OK)
        return status;
    /*@ assert words: words == l_legacy_switch_record_words(in); */
    uint64_t header = fxt_pack_legacy_switch_header(
        (uint16_t)words, (uint8_t)in->cpu, (uint8_t)in->outgoing_state, (uint8_t)in->outgoing.ref,
        (uint8_t)in->incoming.ref, (uint8_t)in->outgoing_priority, (uint8_t)in->incoming_priority);
    uint8_t *p = fxt_i_put_word(fxt_i_place(writer), header);
    p = fxt_i_put_word(p, in->timestamp);
    p = fxt_i_put_thread(p, in->outgoing);
    fxt_i_put_thread(p, in->incoming);
    /*@ assert header: word_at(l_place(writer), header); */
    /*@ assert timestamp: word_at(l_place(writer) + 8, in->timestamp); */
    /*@ assert outgoing: thread_at(l_place(writer) + 16, \at(in->outgoing.ref, Pre),
      @   in->outgoing.process, in->outgoing.thread); */
    /*@ assert incoming: thread_at(l_place(writer) + 8 * (2 +
      @   l_thread_words(\at(in->outgoing.ref, Pre))), \at(in->incoming.ref, Pre),
      @   in->incoming.process, in->incoming.thread); */
    return fxt_i_commit(writer, words);
}

/* Writes the four words before the arguments. */
/*@ requires room: writable(p, 32) && \valid_read(in);
  @ requires sizes: 1 <= words <= 4095 && arg_count <= 15 && in->outgoing_state <= 5;
  @ terminates \true;
  @ assigns p[0 .. 31];
  @ ensures next: \result == p + 32;
  @ ensures record: valid_record(p, words);
  @ ensures header: context_switch_header(p, words, arg_count, in->cpu, in->outgoing_state);
  @ ensures timestamp: word_at(p + 8, in->timestamp);
  @ ensures outgoing_thread: word_at(p + 16, in->outgoing_thread);
  @ ensures incoming_thread: word_at(p + 24, in->incoming_thread);
  @*/
static inline uint8_t *put_switch(uint8_t *p, const struct fxt_context_switch *in, uint64_t words,
                                  size_t arg_count)
{
    p = fxt_i_put_word(p, fxt_pack_context_switch_header((uint16_t)words, (uint8_t)arg_count,
                                                         in->cpu, (uint8_t)in->outgoing_state));
    p = fxt_i_put_word(p, in->timestamp);
    p = fxt_i_put_word(p, in->outgoing_thread);
    return fxt_i_put_word(p, in->incoming_thread);
}

enum fxt_status fxt_write_context_switch(struct fxt_writer *writer,
                                         const struct fxt_context_switch *in,
                                         const struct fxt_arg *args, size_t arg_count)
{
    uint64_t words = 4 + fxt_i_args_words(args, arg_count);

    if (in->outgoing_state > FXT_THREAD_DEAD)
        return FXT_INVALID;
    enum fxt_status status = fxt_i_reserve(writer, words, FXT_RECORD_WORDS_MAX);
    if (status != FXT_OK)
        return status;
    /*@ assert writable: writable_args(args, arg_count); */
    /*@ assert words: words == l_context_switch_record_words(in, args, arg_count); */
    uint8_t *p = put_switch(fxt_i_place(writer), in, words, arg_count);
    /*@ ghost FXT_I_ARGS_APART(writer, p, args, arg_count) */
    /*@ ghost before:; */
    fxt_i_put_args(p, args, arg_count);
    /*@ assert record: valid_record(l_place(writer), words); */
    /*@ assert header: context_switch_header(l_place(writer), words, arg_count, in->cpu,
      @   in->outgoing_state); */
    /*@ assert timestamp: word_at(l_place(writer) + 8, in->timestamp); */
    /*@ assert outgoing_thread: word_at(l_place(writer) + 16, in->outgoing_thread); */
    /*@ assert incoming_thread: word_at(l_place(writer) + 24, in->incoming_thread); */
    /*@ ghost FXT_I_ARGS_STORED(p, args, arg_count, ) */
    /*@ assert args: encoded_args{Pre, Here}(p, args, arg_count); */
    /*@ assert args: encoded_args{Pre, Here}(l_place(writer) + 32, args, arg_count); */
    return fxt_i_commit(writer, words);
}

/* Writes the three words before the arguments. */
/*@ requires room: writable(p, 24) && \valid_read(in);
  @ requires sizes: 1 <= words <= 4095 && arg_count <= 15;
  @ terminates \true;
  @ assigns p[0 .. 23];
  @ ensures next: \result == p + 24;
  @ ensures record: valid_record(p, words);
  @ ensures header: thread_wakeup_header(p, words, arg_count, in->cpu);
  @ ensures timestamp: word_at(p + 8, in->timestamp);
  @ ensures waking_thread: word_at(p + 16, in->waking_thread);
  @*/
static inline uint8_t *put_wakeup(uint8_t *p, const struct fxt_thread_wakeup *in, uint64_t words,
                                  size_t arg_count)
{
    p = fxt_i_put_word(p,
                       fxt_pack_thread_wakeup_header((uint16_t)words, (uint8_t)arg_count, in->cpu));
    p = fxt_i_put_word(p, in->timestamp);
    return fxt_i_put_word(p, in->waking_thread);
}

enum fxt_status fxt_write_thread_wakeup(struct fxt_writer *writer,
                                        const struct fxt_thread_wakeup *in,
                                        const struct fxt_arg *args, size_t arg_count)
{
    uint64_t words = 3 + fxt_i_args_words(args, arg_count);

    enum fxt_status status = fxt_i_reserve(writer, words, FXT_RECORD_WORDS_MAX);
    if (status != FXT_OK)
        return status;
    /*@ assert writable: writable_args(args, arg_count); */
    /*@ assert words: words == l_thread_wakeup_record_words(in, args, arg_count); */
    uint8_t *p = put_wakeup(fxt_i_place(writer), in, words, arg_count);
    /*@ ghost FXT_I_ARGS_APART(writer, p, args, arg_count) */
    /*@ ghost before:; */
    fxt_i_put_args(p, args, arg_count);
    /*@ assert record: valid_record(l_place(writer), words); */
    /*@ assert header: thread_wakeup_header(l_place(writer), words, arg_count, in->cpu); */
    /*@ assert timestamp: word_at(l_place(writer) + 8, in->timestamp); */
    /*@ assert waking_thread: word_at(l_place(writer) + 16, in->waking_thread); */
    /*@ ghost FXT_I_ARGS_STORED(p, args, arg_count, ) */
    /*@ assert args: encoded_args{Pre, Here}(p, args, arg_count); */
    /*@ assert args: encoded_args{Pre, Here}(l_place(writer) + 24, args, arg_count); */
    return fxt_i_commit(writer, words);
}
