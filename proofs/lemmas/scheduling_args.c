/* Wakeups and context switches, which carry arguments: there and back. */
#include "proofs/lemmas/args.c"

/* The end of the arguments, by its name in the logic. */
/*@ requires \valid_read(record) && count == l_thread_wakeup_header_arg_count(record->header);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures end: l_thread_wakeup_end(record) ==
  @     l_args_end(record->bytes, record->words, 3, count);
  @*/
static inline void thread_wakeup_args_end(const struct fxt_record *record, uint32_t count)
{
    (void)record;
    (void)count;
}

/* The header of a wakeup that was written says its fields. */
/*@ requires \valid_read(record) && \valid_read(in);
  @ requires count > 0 ==> \valid_read(args + (0 .. count - 1));
  @ requires writable_thread_wakeup(in, args, count);
  @ requires encoded_thread_wakeup{Here, Here}(record->bytes, in, args, count);
  @ requires framed(record, l_thread_wakeup_record_words(in, args, count));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures is: is_thread_wakeup(record);
  @ ensures count: l_thread_wakeup_header_arg_count(record->header) == count;
  @ ensures fields: l_thread_wakeup_header_cpu(record->header) == in->cpu;
  @ ensures words: 3 <= record->words;
  @*/
static inline void thread_wakeup_header(const struct fxt_record *record,
                                        const struct fxt_thread_wakeup *in,
                                        const struct fxt_arg *args, uint32_t count)
{
    uint64_t header =
        fxt_pack_thread_wakeup_header((uint16_t)record->words, (uint8_t)count, in->cpu);
    args_rise(args, count);
    /*@ assert bytes: \valid_read(record->bytes + (0 .. 7)); */
    /*@ assert word: word_at(record->bytes, header); */
    value_of_bytes(record->bytes, header);
    /*@ assert header: record->header == header; */
}

/*@ requires \valid_read(record) && \valid_read(in);
  @ requires count > 0 ==> \valid_read(args + (0 .. count - 1));
  @ requires writable_thread_wakeup(in, args, count);
  @ requires encoded_thread_wakeup{Here, Here}(record->bytes, in, args, count);
  @ requires framed(record, l_thread_wakeup_record_words(in, args, count));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures formed: formed_thread_wakeup(record);
  @ ensures count: l_thread_wakeup_header_arg_count(record->header) == count;
  @ ensures fields: l_thread_wakeup_header_cpu(record->header) == in->cpu;
  @ ensures timestamp: l_word(record->bytes + 8) == in->timestamp;
  @ ensures waking_thread: l_word(record->bytes + 16) == in->waking_thread;
  @ ensures end: l_thread_wakeup_end(record) == 3 + l_args_words(args, count);
  @ ensures all: l_thread_wakeup_end(record) == record->words;
  @*/
static inline void thread_wakeup_written(const struct fxt_record *record,
                                         const struct fxt_thread_wakeup *in,
                                         const struct fxt_arg *args, uint32_t count)
{
    thread_wakeup_header(record, in, args, count);
    args_rise(args, count);
    /*@ assert args: encoded_args{Here, Here}(record->bytes + 8 * 3, args, count); */
    args_end(record->bytes, record->words, 3, args, count);
    thread_wakeup_args_end(record, count);
    /*@ assert end: l_thread_wakeup_end(record) == 3 + l_args_words(args, count); */
    value_of_bytes(record->bytes + 8, in->timestamp);
    value_of_bytes(record->bytes + 16, in->waking_thread);
}

/* What a decoder says, part by part. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ requires says_thread_wakeup{Here, Here}(record, out) && end == l_thread_wakeup_end(record);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures fields: out->cpu == l_thread_wakeup_header_cpu(record->header);
  @ ensures timestamp: out->timestamp == l_word(record->bytes + 8);
  @ ensures waking_thread: out->waking_thread == l_word(record->bytes + 16);
  @ ensures args: out->args.bytes == record->bytes + 8 * 3 && out->args.words == end - 3 &&
  @     out->args.count == l_thread_wakeup_header_arg_count(record->header);
  @ ensures tail: out->tail.words == record->words - end;
  @*/
static inline void thread_wakeup_parts(const struct fxt_record *record,
                                       const struct fxt_thread_wakeup *out, uint32_t end)
{
    (void)record;
    (void)out;
    (void)end;
}

/* What a decoder says of a wakeup that was written is what was written; its arguments stand where
   they were put. */
/*@ requires \valid_read(record) && \valid_read(in) && \valid_read(out);
  @ requires count > 0 ==> \valid_read(args + (0 .. count - 1));
  @ requires writable_thread_wakeup(in, args, count);
  @ requires encoded_thread_wakeup{Here, Here}(record->bytes, in, args, count);
  @ requires framed(record, l_thread_wakeup_record_words(in, args, count));
  @ requires says_thread_wakeup{Here, Here}(record, out);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures same: same_thread_wakeup(in, args, count, out);
  @ ensures args: out->args.bytes == record->bytes + 24;
  @*/
static inline void thread_wakeup_read(const struct fxt_record *record,
                                      const struct fxt_thread_wakeup *in,
                                      const struct fxt_arg *args, uint32_t count,
                                      const struct fxt_thread_wakeup *out)
{
    thread_wakeup_written(record, in, args, count);
    thread_wakeup_parts(record, out, record->words);
}

/* What a decoder gives of a canonical wakeup with its arguments can be written, and takes as many
   words. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_thread_wakeup(record) && says_thread_wakeup{Here, Here}(record, out);
  @ requires count == out->args.count;
  @ requires count > 0 ==> \valid_read(d + (0 .. count - 1)) && d != \null;
  @ requires says_each{Here}(record->bytes, 3, d, count);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures writable: writable_thread_wakeup(out, d, count);
  @ ensures words: l_thread_wakeup_record_words(out, d, count) == record->words;
  @ ensures header: record->header == 8 + record->words * 16 + count * 65536 +
  @     out->cpu * 1048576 + 2 * 1152921504606846976;
  @*/
static inline void thread_wakeup_said(const struct fxt_record *record,
                                      const struct fxt_thread_wakeup *out, const struct fxt_arg *d,
                                      uint32_t count)
{
    thread_wakeup_parts(record, out, record->words);
    /*@ assert count: count == l_thread_wakeup_header_arg_count(record->header) && count <= 15; */
    thread_wakeup_args_end(record, count);
    args_said(record->bytes, record->words, 3, d, count);
    /*@ assert end: record->words == 3 + l_args_words(d, count); */
    repack_thread_wakeup_header(record->header);
}

/* What was written of it is what the record was. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_thread_wakeup(record) && says_thread_wakeup{Here, Here}(record, out);
  @ requires count == out->args.count;
  @ requires count > 0 ==> \valid_read(d + (0 .. count - 1)) && d != \null;
  @ requires says_each{Here}(record->bytes, 3, d, count);
  @ requires readable(place, 8 * record->words);
  @ requires encoded_thread_wakeup{Here, Here}(place, out, d, count);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures same: same_from(place, record->bytes, 0, 8 * record->words);
  @*/
static inline void thread_wakeup_same(const struct fxt_record *record,
                                      const struct fxt_thread_wakeup *out, const struct fxt_arg *d,
                                      uint32_t count, const uint8_t *place)
{
    thread_wakeup_said(record, out, d, count);
    thread_wakeup_parts(record, out, record->words);
    /*@ assert enough: record->words >= 3; */
    /*@ assert head: thread_wakeup_header{Here}(place, record->words, count, out->cpu); */
    /*@ assert word: word_at(place, record->header); */
    same_word(place, record->bytes, 0, 0, record->header);
    same_word(place, record->bytes, 8, 8, out->timestamp);
    same_word(place, record->bytes, 16, 16, out->waking_thread);
    thread_wakeup_args_end(record, count);
    /*@ assert canonical: canonical_args(record->bytes, 3, count); */
    /*@ assert encoded: encoded_args{Here, Here}(place + 8 * 3, d, count); */
    args_same(record->bytes, record->words, 3, d, count, place);
    /*@ assert args: same_from(place, record->bytes, 24, 8 * record->words); */
}

/* The end of the arguments, by its name in the logic. */
/*@ requires \valid_read(record) && count == l_context_switch_header_arg_count(record->header);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures end: l_context_switch_end(record) ==
  @     l_args_end(record->bytes, record->words, 4, count);
  @*/
static inline void context_switch_args_end(const struct fxt_record *record, uint32_t count)
{
    (void)record;
    (void)count;
}

/* The header of a context switch that was written says its fields. */
/*@ requires \valid_read(record) && \valid_read(in);
  @ requires count > 0 ==> \valid_read(args + (0 .. count - 1));
  @ requires writable_context_switch(in, args, count);
  @ requires encoded_context_switch{Here, Here}(record->bytes, in, args, count);
  @ requires framed(record, l_context_switch_record_words(in, args, count));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures is: is_context_switch(record);
  @ ensures count: l_context_switch_header_arg_count(record->header) == count;
  @ ensures fields: l_context_switch_header_cpu(record->header) == in->cpu &&
  @     l_context_switch_header_outgoing_state(record->header) == in->outgoing_state;
  @ ensures words: 4 <= record->words;
  @*/
static inline void context_switch_header(const struct fxt_record *record,
                                         const struct fxt_context_switch *in,
                                         const struct fxt_arg *args, uint32_t count)
{
    uint64_t header = fxt_pack_context_switch_header((uint16_t)record->words, (uint8_t)count,
                                                     in->cpu, (uint8_t)in->outgoing_state);
    args_rise(args, count);
    /*@ assert bytes: \valid_read(record->bytes + (0 .. 7)); */
    /*@ assert word: word_at(record->bytes, header); */
    value_of_bytes(record->bytes, header);
    /*@ assert header: record->header == header; */
}

/*@ requires \valid_read(record) && \valid_read(in);
  @ requires count > 0 ==> \valid_read(args + (0 .. count - 1));
  @ requires writable_context_switch(in, args, count);
  @ requires encoded_context_switch{Here, Here}(record->bytes, in, args, count);
  @ requires framed(record, l_context_switch_record_words(in, args, count));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures formed: formed_context_switch(record);
  @ ensures count: l_context_switch_header_arg_count(record->header) == count;
  @ ensures fields: l_context_switch_header_cpu(record->header) == in->cpu &&
  @     l_context_switch_header_outgoing_state(record->header) == in->outgoing_state;
  @ ensures timestamp: l_word(record->bytes + 8) == in->timestamp;
  @ ensures outgoing_thread: l_word(record->bytes + 16) == in->outgoing_thread;
  @ ensures incoming_thread: l_word(record->bytes + 24) == in->incoming_thread;
  @ ensures end: l_context_switch_end(record) == 4 + l_args_words(args, count);
  @ ensures all: l_context_switch_end(record) == record->words;
  @*/
static inline void context_switch_written(const struct fxt_record *record,
                                          const struct fxt_context_switch *in,
                                          const struct fxt_arg *args, uint32_t count)
{
    context_switch_header(record, in, args, count);
    args_rise(args, count);
    /*@ assert args: encoded_args{Here, Here}(record->bytes + 8 * 4, args, count); */
    args_end(record->bytes, record->words, 4, args, count);
    context_switch_args_end(record, count);
    /*@ assert end: l_context_switch_end(record) == 4 + l_args_words(args, count); */
    value_of_bytes(record->bytes + 8, in->timestamp);
    value_of_bytes(record->bytes + 16, in->outgoing_thread);
    value_of_bytes(record->bytes + 24, in->incoming_thread);
}

/* What a decoder says, part by part. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ requires says_context_switch{Here, Here}(record, out) && end == l_context_switch_end(record);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures fields: out->cpu == l_context_switch_header_cpu(record->header) &&
  @     out->outgoing_state == l_context_switch_header_outgoing_state(record->header);
  @ ensures timestamp: out->timestamp == l_word(record->bytes + 8);
  @ ensures outgoing_thread: out->outgoing_thread == l_word(record->bytes + 16);
  @ ensures incoming_thread: out->incoming_thread == l_word(record->bytes + 24);
  @ ensures args: out->args.bytes == record->bytes + 8 * 4 && out->args.words == end - 4 &&
  @     out->args.count == l_context_switch_header_arg_count(record->header);
  @ ensures tail: out->tail.words == record->words - end;
  @*/
static inline void context_switch_parts(const struct fxt_record *record,
                                        const struct fxt_context_switch *out, uint32_t end)
{
    (void)record;
    (void)out;
    (void)end;
}

/* What a decoder says of a context switch that was written is what was written; its arguments stand
   where they were put. */
/*@ requires \valid_read(record) && \valid_read(in) && \valid_read(out);
  @ requires count > 0 ==> \valid_read(args + (0 .. count - 1));
  @ requires writable_context_switch(in, args, count);
  @ requires encoded_context_switch{Here, Here}(record->bytes, in, args, count);
  @ requires framed(record, l_context_switch_record_words(in, args, count));
  @ requires says_context_switch{Here, Here}(record, out);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures same: same_context_switch(in, args, count, out);
  @ ensures args: out->args.bytes == record->bytes + 32;
  @*/
static inline void context_switch_read(const struct fxt_record *record,
                                       const struct fxt_context_switch *in,
                                       const struct fxt_arg *args, uint32_t count,
                                       const struct fxt_context_switch *out)
{
    context_switch_written(record, in, args, count);
    context_switch_parts(record, out, record->words);
}

/* What a decoder gives of a canonical context switch with its arguments can be written, and takes
   as many words. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_context_switch(record) && says_context_switch{Here, Here}(record, out);
  @ requires count == out->args.count;
  @ requires count > 0 ==> \valid_read(d + (0 .. count - 1)) && d != \null;
  @ requires says_each{Here}(record->bytes, 4, d, count);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures writable: writable_context_switch(out, d, count);
  @ ensures words: l_context_switch_record_words(out, d, count) == record->words;
  @ ensures header: record->header == 8 + record->words * 16 + count * 65536 +
  @     out->cpu * 1048576 + out->outgoing_state * 68719476736 + 1152921504606846976;
  @*/
static inline void context_switch_said(const struct fxt_record *record,
                                       const struct fxt_context_switch *out,
                                       const struct fxt_arg *d, uint32_t count)
{
    context_switch_parts(record, out, record->words);
    /*@ assert count: count == l_context_switch_header_arg_count(record->header) && count <= 15; */
    context_switch_args_end(record, count);
    args_said(record->bytes, record->words, 4, d, count);
    /*@ assert end: record->words == 4 + l_args_words(d, count); */
    repack_context_switch_header(record->header);
}

/* What was written of it is what the record was. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_context_switch(record) && says_context_switch{Here, Here}(record, out);
  @ requires count == out->args.count;
  @ requires count > 0 ==> \valid_read(d + (0 .. count - 1)) && d != \null;
  @ requires says_each{Here}(record->bytes, 4, d, count);
  @ requires readable(place, 8 * record->words);
  @ requires encoded_context_switch{Here, Here}(place, out, d, count);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures same: same_from(place, record->bytes, 0, 8 * record->words);
  @*/
static inline void context_switch_same(const struct fxt_record *record,
                                       const struct fxt_context_switch *out,
                                       const struct fxt_arg *d, uint32_t count,
                                       const uint8_t *place)
{
    context_switch_said(record, out, d, count);
    context_switch_parts(record, out, record->words);
    /*@ assert enough: record->words >= 4; */
    /*@ assert head: context_switch_header{Here}(place, record->words, count, out->cpu,
      @   out->outgoing_state); */
    /*@ assert word: word_at(place, record->header); */
    same_word(place, record->bytes, 0, 0, record->header);
    same_word(place, record->bytes, 8, 8, out->timestamp);
    same_word(place, record->bytes, 16, 16, out->outgoing_thread);
    same_word(place, record->bytes, 24, 24, out->incoming_thread);
    context_switch_args_end(record, count);
    /*@ assert canonical: canonical_args(record->bytes, 4, count); */
    /*@ assert encoded: encoded_args{Here, Here}(place + 8 * 4, d, count); */
    args_same(record->bytes, record->words, 4, d, count, place);
    /*@ assert args: same_from(place, record->bytes, 32, 8 * record->words); */
}
