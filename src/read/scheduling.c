/* Scheduling: the legacy context switch of edition 2020, and the later context switch and thread
   wakeup. */
#include "src/read/arg.h"

enum fxt_status fxt_read_legacy_switch(const struct fxt_record *record,
                                       struct fxt_legacy_switch *out, struct fxt_error *error)
{
    const uint8_t *bytes = record->bytes;
    uint64_t header = record->header;
    uint32_t words = record->words;
    uint8_t outgoing = fxt_legacy_switch_header_outgoing_thread(header);
    uint8_t incoming = fxt_legacy_switch_header_incoming_thread(header);
    uint64_t behind = 2 + fxt_i_read_thread_words(outgoing);
    uint64_t end = behind + fxt_i_read_thread_words(incoming);

    if (record->type != FXT_RECORD_SCHEDULING ||
        fxt_scheduling_header_scheduling_type(header) != FXT_SCHEDULING_LEGACY_SWITCH)
        return fxt_i_wrong_type(error, record);
    if (words < 2)
        return fxt_i_malformed(error, record, 1, FXT_RULE_SCH_01);
    if (behind > words)
        return fxt_i_malformed(error, record, 2, FXT_RULE_SCH_01);
    if (end > words)
        return fxt_i_malformed(error, record, behind, FXT_RULE_SCH_01);
    out->timestamp = fxt_load_word(bytes + 8);
    out->outgoing.process = fxt_i_koid(bytes, 2, words, outgoing);
    out->outgoing.thread = fxt_i_koid(bytes, 3, words, outgoing);
    out->outgoing.ref = outgoing;
    out->incoming.process = fxt_i_koid(bytes, behind, words, incoming);
    out->incoming.thread = fxt_i_koid(bytes, behind + 1, words, incoming);
    out->incoming.ref = incoming;
    out->cpu = fxt_legacy_switch_header_cpu(header);
    out->outgoing_state = fxt_legacy_switch_header_outgoing_state(header);
    out->outgoing_priority = fxt_legacy_switch_header_outgoing_priority(header);
    out->incoming_priority = fxt_legacy_switch_header_incoming_priority(header);
    out->tail.bytes = fxt_i_tail(bytes, end, words);
    out->tail.words = (uint32_t)(words - end);
    /*@ assert outgoing: says_thread{Pre}(out->outgoing.process, out->outgoing.thread,
      @     out->outgoing.ref, bytes, 2, l_legacy_switch_header_outgoing_thread(header)); */
    /*@ assert incoming: says_thread{Pre}(out->incoming.process, out->incoming.thread,
      @     out->incoming.ref, bytes, l_legacy_switch_incoming(header),
      @     l_legacy_switch_header_incoming_thread(header)); */
    /*@ assert tail: says_tail(out->tail.bytes, out->tail.words, bytes,
      @     l_legacy_switch_end(header), words); */
    return FXT_OK;
}

/* Decodes all members; the arguments end at word `end`. */
/*@ requires \valid_read(record) && fxt_record_ok(record) && \valid(out);
  @ requires \separated(record, out);
  @ requires 4 <= end <= record->words;
  @ terminates \true;
  @ assigns *out;
  @ ensures says: says_context_switch_upto{Pre,Post}(record, out, end);
  @ ensures args: fxt_args_ok(&out->args) && out->args.count <= 15;
  @ ensures kept: fxt_args_kept{Pre,Post}(\old(record->bytes), &out->args,
  @         4, end, l_context_switch_header_arg_count(\old(record->header)));
  @*/
FXT_I_INLINE void fill_context_switch(const struct fxt_record *record,
                                      struct fxt_context_switch *out, uint64_t end)
{
    const uint8_t *bytes = record->bytes;
    uint64_t header = record->header;
    uint64_t offset = record->offset;
    uint32_t words = record->words;
    uint8_t count = fxt_context_switch_header_arg_count(header);
    uint64_t args = 4;

    out->timestamp = fxt_load_word(bytes + 8);
    out->outgoing_thread = fxt_load_word(bytes + 16);
    out->incoming_thread = fxt_load_word(bytes + 24);
    out->cpu = fxt_context_switch_header_cpu(header);
    out->outgoing_state = fxt_context_switch_header_outgoing_state(header);
    out->tail.bytes = fxt_i_tail(bytes, end, words);
    out->tail.words = (uint32_t)(words - end);
    out->args.bytes = bytes + 8 * args;
    out->args.offset = offset + 8 * args;
    out->args.words = (uint32_t)(end - args);
    out->args.count = count;
    /*@ assert tail: says_tail(out->tail.bytes, out->tail.words, bytes, end, words); */
    /*@ assert args: says_args{Pre,Here}(&out->args, record, 4, end,
      @     l_context_switch_header_arg_count(header)); */
    fxt_i_args_kept(&out->args, bytes, args, end, count);
}

enum fxt_status fxt_read_context_switch(const struct fxt_record *record,
                                        struct fxt_context_switch *out, struct fxt_error *error)
{
    const uint8_t *bytes = record->bytes;
    uint64_t header = record->header;
    uint32_t words = record->words;
    uint8_t count = fxt_context_switch_header_arg_count(header);
    uint64_t args = 4;

    if (record->type != FXT_RECORD_SCHEDULING ||
        fxt_scheduling_header_scheduling_type(header) != FXT_SCHEDULING_CONTEXT_SWITCH)
        return fxt_i_wrong_type(error, record);
    if (words < 4)
        return fxt_i_malformed(error, record, words, FXT_RULE_SCH_04);
    uint64_t end = fxt_i_args_end(bytes, words, args, count);
    /*@ assert end: end == l_context_switch_end(record); */
    /*@ assert formed: end != 0 <==> formed_context_switch(record); */
    if (end == 0)
        return fxt_i_refuse_args(error, record, args, count);
    fill_context_switch(record, out, end);
    return FXT_OK;
}

/* Decodes all members; the arguments end at word `end`. */
/*@ requires \valid_read(record) && fxt_record_ok(record) && \valid(out);
  @ requires \separated(record, out);
  @ requires 3 <= end <= record->words;
  @ terminates \true;
  @ assigns *out;
  @ ensures says: says_thread_wakeup_upto{Pre,Post}(record, out, end);
  @ ensures args: fxt_args_ok(&out->args) && out->args.count <= 15;
  @ ensures kept: fxt_args_kept{Pre,Post}(\old(record->bytes), &out->args,
  @         3, end, l_thread_wakeup_header_arg_count(\old(record->header)));
  @*/
FXT_I_INLINE void fill_thread_wakeup(const struct fxt_record *record, struct fxt_thread_wakeup *out,
                                     uint64_t end)
{
    const uint8_t *bytes = record->bytes;
    uint64_t header = record->header;
    uint64_t offset = record->offset;
    uint32_t words = record->words;
    uint8_t count = fxt_thread_wakeup_header_arg_count(header);
    uint64_t args = 3;

    out->timestamp = fxt_load_word(bytes + 8);
    out->waking_thread = fxt_load_word(bytes + 16);
    out->cpu = fxt_thread_wakeup_header_cpu(header);
    out->tail.bytes = fxt_i_tail(bytes, end, words);
    out->tail.words = (uint32_t)(words - end);
    out->args.bytes = bytes + 8 * args;
    out->args.offset = offset + 8 * args;
    out->args.words = (uint32_t)(end - args);
    out->args.count = count;
    /*@ assert tail: says_tail(out->tail.bytes, out->tail.words, bytes, end, words); */
    /*@ assert args: says_args{Pre,Here}(&out->args, record, 3, end,
      @     l_thread_wakeup_header_arg_count(header)); */
    fxt_i_args_kept(&out->args, bytes, args, end, count);
}

enum fxt_status fxt_read_thread_wakeup(const struct fxt_record *record,
                                       struct fxt_thread_wakeup *out, struct fxt_error *error)
{
    const uint8_t *bytes = record->bytes;
    uint64_t header = record->header;
    uint32_t words = record->words;
    uint8_t count = fxt_thread_wakeup_header_arg_count(header);
    uint64_t args = 3;

    if (record->type != FXT_RECORD_SCHEDULING ||
        fxt_scheduling_header_scheduling_type(header) != FXT_SCHEDULING_THREAD_WAKEUP)
        return fxt_i_wrong_type(error, record);
    if (words < 3)
        return fxt_i_malformed(error, record, words, FXT_RULE_SCH_05);
    uint64_t end = fxt_i_args_end(bytes, words, args, count);
    /*@ assert end: end == l_thread_wakeup_end(record); */
    /*@ assert formed: end != 0 <==> formed_thread_wakeup(record); */
    if (end == 0)
        return fxt_i_refuse_args(error, record, args, count);
    fill_thread_wakeup(record, out, end);
    return FXT_OK;
}
