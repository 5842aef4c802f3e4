/* The argument iterator. Its state is struct fxt_args: the bytes left, the words left and the
   arguments left. */
#include "src/read/arg.h"

enum fxt_rule fxt_i_arg_frame(struct fxt_i_arg_frame *frame, uint64_t header, uint32_t left)
{
    struct fxt_i_arg_kind kind = fxt_i_arg_kind_of(fxt_arg_header_type(header));
    uint32_t size = fxt_arg_header_size(header);
    uint32_t name = fxt_i_read_string_words(fxt_arg_header_name(header));
    uint64_t need = kind.words;

    frame->size = size;
    frame->value = 0;
    frame->end = 0;
    if (size == 0)
        return FXT_RULE_ARG_02;
    if (size > left)
        return FXT_RULE_ARG_03;
    frame->value = 1;
    if (name > size - 1)
        return FXT_RULE_STR_03;
    frame->value = 1 + name;
    if (kind.string > 0)
        need = fxt_i_read_string_words(fxt_arg_string_header_value(header));
    else if (kind.blob > 0)
        need = fxt_words_of(fxt_arg_blob_header_payload_size(header));
    if (need > size - frame->value) {
        if (kind.blob > 0)
            return FXT_RULE_ARG_08;
        return kind.string > 0 ? FXT_RULE_STR_03 : FXT_RULE_ARG_05;
    }
    frame->end = frame->value + (uint32_t)need;
    return FXT_RULE_NONE;
}

/* The size in words of the argument with that header, if `left` words are left in the record; 0 if
   it is malformed. */
/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_arg_hop(header, left);
  @*/
FXT_I_INLINE uint32_t size_of(uint64_t header, uint32_t left)
{
    struct fxt_i_arg_frame frame;
    uint32_t size = fxt_arg_header_size(header);
    struct fxt_i_arg_kind kind = fxt_i_arg_kind_of(fxt_arg_header_type(header));

    if (size > left)
        return 0;
    if ((size <= kind.words || !fxt_i_arg_plain(header, kind)) &&
        fxt_i_arg_frame(&frame, header, left) != FXT_RULE_NONE)
        return 0;
    return size;
}

uint32_t fxt_i_skip_args(const uint8_t *bytes, uint32_t words, uint32_t position, uint8_t count)
{
    /*@ loop invariant inside: \at(position, Pre) <= position <= words;
      @ loop invariant end: l_args_end(bytes, words, position, count)
      @                == \at(l_args_end(bytes, words, position, count), Pre);
      @ loop assigns position, count;
      @ loop variant count;
      @*/
    for (; count > 0; count--) {
        if (position >= words)
            return 0;
        uint64_t header = fxt_load_word(bytes + UINT64_C(8) * position);
        uint32_t size = size_of(header, words - position);
        if (size == 0)
            return 0;
        position += size;
    }
    /*@ ghost
      @ /@ loop invariant 0 <= n <= 15;
      @  @ loop invariant fill: \forall integer p, m; 0 <= m <= n && 1 <= p &&
      @  @   l_args_end(bytes, words, p, m) == position ==>
      @  @   p <= position && l_args_fill(bytes + 8 * position, position - p, m);
      @  @ loop assigns n;
      @  @ loop variant 15 - n;
      @  @/
      @ for (int n = 0; n < 15; n++) {
      @   /@ assert same: \forall integer left; l_word_before(bytes + 8 * position, left)
      @    @             == l_word(bytes + 8 * (position - left)); @/
      @   /@ assert step: \forall integer p, m; 0 < m <= n + 1 && 1 <= p &&
      @    @   l_args_end(bytes, words, p, m) == position ==>
      @    @   l_arg_hop(l_word(bytes + 8 * p), words - p) > 0 &&
      @    @   l_arg_hop(l_word(bytes + 8 * p), words - p) <= position - p &&
      @    @   l_args_fill(bytes + 8 * position,
      @    @     position - p - l_arg_hop(l_word(bytes + 8 * p), words - p), m - 1); @/
      @   /@ assert hop: \forall integer p, m; 0 < m <= n + 1 && 1 <= p &&
      @    @   l_args_end(bytes, words, p, m) == position ==>
      @    @   l_arg_hop(l_word_before(bytes + 8 * position, position - p), position - p) ==
      @    @   l_arg_hop(l_word(bytes + 8 * p), words - p); @/
      @ }
      @*/
    return position;
}

enum fxt_status fxt_i_refuse_args(struct fxt_error *error, const struct fxt_record *record,
                                  uint64_t position, uint8_t count)
{
    struct fxt_i_arg_frame frame = {0, 0, 0};
    enum fxt_rule rule = FXT_RULE_ARG_01;

    /*@ loop invariant position <= record->words;
      @ loop assigns position, count, frame, rule;
      @ loop variant count;
      @*/
    while (count > 0 && position < record->words) {
        uint64_t header = fxt_load_word(record->bytes + UINT64_C(8) * position);
        rule = fxt_i_arg_frame(&frame, header, (uint32_t)(record->words - position));
        if (rule != FXT_RULE_NONE)
            return fxt_i_malformed(error, record, position + frame.value, rule);
        position += frame.size;
        count--;
    }
    return fxt_i_malformed(error, record, position, FXT_RULE_ARG_01);
}

uint32_t fxt_i_decode_inline(struct fxt_arg *arg, const uint8_t *bytes, uint32_t words)
{
    uint64_t header = fxt_load_word(bytes);
    uint8_t type = fxt_arg_header_type(header);
    uint16_t name = fxt_arg_header_name(header);
    struct fxt_i_arg_frame frame;

    if (fxt_i_arg_frame(&frame, header, words) != FXT_RULE_NONE)
        return 0;
    uint16_t text = type == FXT_ARG_STRING ? fxt_arg_string_header_value(header) : 0;
    uint32_t blob = type == FXT_ARG_BLOB ? fxt_arg_blob_header_payload_size(header) : 0;
    uint32_t value = frame.value;
    uint32_t end = frame.end;
    uint32_t size = frame.size;
    uint64_t number = fxt_i_arg_small(header);
    if (fxt_i_arg_kind_of(type).words > 0)
        number = fxt_load_word(bytes + UINT64_C(8) * value);
    /*@ assert number: number == l_arg_number(bytes, header); */
    /*@ assert text_is: text == l_arg_text(header); */
    /*@ assert blob_is: blob == l_arg_blob(header); */
    arg->value = number;
    arg->name.bytes = fxt_i_text(bytes, 1, size, name);
    arg->name.ref = name;
    arg->text.bytes = fxt_i_text(bytes, value, size, text);
    arg->text.ref = text;
    arg->blob.bytes = fxt_i_stream(bytes, value, size, blob);
    arg->blob.size = blob;
    arg->tail.bytes = fxt_i_tail(bytes, end, size);
    arg->tail.words = size - end;
    arg->type = type;
    /*@ assert name: says_string(arg->name.bytes, arg->name.ref, bytes, 1,
      @                          l_arg_header_name(header)); */
    /*@ assert text: says_string(arg->text.bytes, arg->text.ref, bytes, l_arg_value(header),
      @                          l_arg_text(header)); */
    /*@ assert blob: says_stream(arg->blob.bytes, arg->blob.size, bytes, l_arg_value(header),
      @                          l_arg_blob(header)); */
    /*@ assert tail: says_tail(arg->tail.bytes, arg->tail.words, bytes, l_arg_end(header),
      @                        l_arg_header_size(header)); */
    return size;
}

/* Reports the malformed argument at `bytes`. */
/*@ requires \valid(error) && readable(bytes, 8 * words);
  @ requires offset + 8 * words <= 18446744073709551615;
  @ terminates \true;
  @ assigns *error;
  @ ensures \result == FXT_MALFORMED && error->status == FXT_MALFORMED;
  @*/
static FXT_I_COLD enum fxt_status refuse(const uint8_t *bytes, uint64_t offset, uint32_t words,
                                         struct fxt_error *error)
{
    struct fxt_i_arg_frame frame = {0, 0, 0};
    enum fxt_rule rule = FXT_RULE_ARG_01;

    if (words > 0)
        rule = fxt_i_arg_frame(&frame, fxt_load_word(bytes), words);
    error->offset = offset + UINT64_C(8) * frame.value;
    error->status = FXT_MALFORMED;
    error->rule = rule;
    return FXT_MALFORMED;
}

/* No code, only a step of the proof: these are the arguments after the first one, which has `size`
   words. */
/*@ requires \valid_read(args) && 1 <= count && 1 <= size <= words && readable(bytes, 8 * words);
  @ requires offset + 8 * words <= 18446744073709551615;
  @ requires size == l_arg_hop(l_word(bytes), words);
  @ requires args->bytes == bytes + 8 * size && args->offset == offset + 8 * size;
  @ requires args->words == words - size && args->count == count - 1;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures ok: fxt_args_ok(args);
  @ ensures checked: l_args_fill(bytes + 8 * words, words, count) ==> fxt_args_checked(args);
  @*/
static inline void advanced(const struct fxt_args *args, const uint8_t *bytes, uint64_t offset,
                            uint32_t words, uint16_t count, uint32_t size)
{
    (void)args;
    (void)bytes;
    (void)offset;
    (void)words;
    (void)count;
    (void)size;
    /*@ assert word: l_word_before(bytes + 8 * words, words) == l_word(bytes); */
    /*@ assert fill: l_args_fill(bytes + 8 * words, words, count) ==>
      @              l_args_fill(bytes + 8 * words, words - size, count - 1); */
    /*@ assert end: args->bytes + 8 * args->words == bytes + 8 * words; */
    /*@ assert rest: words - size > 0 ==> \valid_read(bytes + (8 * size .. 8 * words - 1)); */
    /*@ assert inside: readable(args->bytes, 8 * args->words); */
}

enum fxt_status fxt_args_next(struct fxt_args *args, struct fxt_arg *arg, struct fxt_error *error)
{
    const uint8_t *bytes = args->bytes;
    uint64_t offset = args->offset;
    uint32_t words = args->words;
    uint16_t count = args->count;
    /*@ assert word: l_word_before(args->bytes + 8 * args->words, args->words)
      @              == l_word(args->bytes); */
    /*@ assert first: fxt_args_checked(args) && count > 0 ==>
      @               words > 0 && l_arg_hop(l_word(bytes), words) > 0; */
    /*@ assert fill: fxt_args_checked(args) ==> l_args_fill(bytes + 8 * words, words, count); */

    if (count == 0)
        return FXT_END;
    uint32_t size = words > 0 ? fxt_i_decode_arg(arg, bytes, words) : 0;
    /*@ assert same: args->words == words; */
    /*@ assert same_offset: args->offset == offset; */
    if (size == 0) {
        enum fxt_status status = refuse(bytes, offset, words, error);
        /*@ assert bytes: args->bytes == bytes; */
        /*@ assert offset: args->offset == offset; */
        /*@ assert words: args->words == words; */
        /*@ assert count: args->count == count; */
        /*@ assert unchecked: !fxt_args_checked{Pre}(args); */
        return status;
    }
    args->bytes = bytes + UINT64_C(8) * size;
    args->offset = offset + UINT64_C(8) * size;
    args->words = words - size;
    args->count = (uint16_t)(count - 1);
    advanced(args, bytes, offset, words, count, size);
    /*@ assert type: arg->type == l_arg_header_type(l_word(bytes)); */
    /*@ assert number: arg->value == l_arg_number{Pre}(bytes, l_word(bytes)); */
    /*@ assert name: says_string(arg->name.bytes, arg->name.ref, bytes, 1,
      @                          l_arg_header_name(l_word(bytes))); */
    /*@ assert text: says_string(arg->text.bytes, arg->text.ref, bytes,
      @                          l_arg_value(l_word(bytes)), l_arg_text(l_word(bytes))); */
    /*@ assert blob: says_stream(arg->blob.bytes, arg->blob.size, bytes,
      @                          l_arg_value(l_word(bytes)), l_arg_blob(l_word(bytes))); */
    /*@ assert tail: says_tail(arg->tail.bytes, arg->tail.words, bytes,
      @                        l_arg_end(l_word(bytes)), l_arg_header_size(l_word(bytes))); */
    return FXT_OK;
}
