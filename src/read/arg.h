/* The layout of one argument, computed from its header alone. Skipping arguments and decoding them
   share this code. */
#ifndef FXT_READ_ARG_H
#define FXT_READ_ARG_H

#include "src/read/cursor.h"
#include "src/wire/layout.h"

struct fxt_i_arg_frame {
    uint32_t size;  /* words, with the header */
    uint32_t value; /* word at which the value starts */
    uint32_t end;   /* word after the value */
};

/* The parts of a value of each type. This is a table, not a switch, because the types of arguments
   in a trace follow no pattern that a branch predictor could learn. */
struct fxt_i_arg_kind {
    uint8_t words;  /* words of its own */
    uint8_t string; /* 1: a string ref in the header, and its stream if that is inline */
    uint8_t blob;   /* 1: a payload whose size is in the header */
};

static const struct fxt_i_arg_kind fxt_i_arg_kinds[16] = {
    [FXT_ARG_INT64] = {1, 0, 0},  [FXT_ARG_UINT64] = {1, 0, 0},  [FXT_ARG_DOUBLE] = {1, 0, 0},
    [FXT_ARG_STRING] = {0, 1, 0}, [FXT_ARG_POINTER] = {1, 0, 0}, [FXT_ARG_KOID] = {1, 0, 0},
    [FXT_ARG_BLOB] = {0, 0, 1},
};

/*@ requires type < 16;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result.words == l_arg_own_words(type);
  @ ensures \result.string == (type == 6 ? 1 : 0);
  @ ensures \result.blob == (type == 10 ? 1 : 0);
  @*/
static inline struct fxt_i_arg_kind fxt_i_arg_kind_of(uint8_t type)
{
    return fxt_i_arg_kinds[type];
}

/* Whether nothing in the argument is inline, so that its kind alone determines its size. */
/*@ requires kind.string <= 1 && kind.blob <= 1;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result <==> l_arg_header_name(header) < 32768 && kind.blob == 0 &&
  @         (kind.string == 0 || l_arg_string_header_value(header) < 32768);
  @*/
static inline bool fxt_i_arg_plain(uint64_t header, struct fxt_i_arg_kind kind)
{
    uint32_t name = fxt_arg_header_name(header) / FXT_STRING_INLINE;
    uint32_t text = fxt_arg_string_header_value(header) / FXT_STRING_INLINE;
    return name + text * kind.string + kind.blob == 0;
}

/* Frames the argument with that header, if `left` words are left in the record. Returns
   FXT_RULE_NONE, or the broken rule, with the word of the violation in frame->value. */
/*@ requires \valid(frame);
  @ terminates \true;
  @ assigns *frame;
  @ ensures fits: \result == FXT_RULE_NONE <==> l_arg_hop(header, left) > 0;
  @ ensures frame: \result == FXT_RULE_NONE ==> frame->size == l_arg_header_size(header)
  @         && frame->value == l_arg_value(header) && frame->end == l_arg_end(header);
  @ ensures inside: frame->value <= left;
  @*/
enum fxt_rule fxt_i_arg_frame(struct fxt_i_arg_frame *frame, uint64_t header, uint32_t left);

/* The value, in bits 32..63 of the header, of an argument without other words. */
/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_arg_small(header) && \result < 4294967296;
  @*/
static inline uint64_t fxt_i_arg_small(uint64_t header)
{
    if (fxt_arg_header_type(header) == FXT_ARG_BOOL)
        return fxt_arg_bool_header_value(header);
    return fxt_arg_header_data(header);
}

/* Decodes the argument at `bytes`, where `words` words are left, and returns its size in words. If
   it is malformed, returns 0 and leaves *arg alone. Call it for arguments that are not plain. */
/*@ requires words >= 1 && \valid_read(bytes + (0 .. 8 * words - 1)) && \valid(arg);
  @ requires \separated(arg, bytes + (0 .. 8 * words - 1));
  @ terminates \true;
  @ assigns *arg;
  @ ensures size: \result == \old(l_arg_hop(l_word(bytes), words));
  @ ensures says: \result > 0 ==> says_arg{Pre,Post}(bytes, \old(l_word(bytes)), arg);
  @ ensures kept: \result == 0 ==> *arg == \old(*arg);
  @*/
uint32_t fxt_i_decode_inline(struct fxt_arg *arg, const uint8_t *bytes, uint32_t words);

/* The same for any argument. Reads the value of a plain argument both from its header and from the
   next word, and keeps the right one, so that it needs no branch. */
/*@ requires words >= 1 && \valid_read(bytes + (0 .. 8 * words - 1)) && \valid(arg);
  @ requires \separated(arg, bytes + (0 .. 8 * words - 1));
  @ terminates \true;
  @ assigns *arg;
  @ ensures size: \result == \old(l_arg_hop(l_word(bytes), words));
  @ ensures says: \result > 0 ==> says_arg{Pre,Post}(bytes, \old(l_word(bytes)), arg);
  @ ensures kept: \result == 0 ==> *arg == \old(*arg);
  @*/
static inline uint32_t fxt_i_decode_arg(struct fxt_arg *arg, const uint8_t *bytes, uint32_t words)
{
    uint64_t header = fxt_load_word(bytes);
    uint32_t size = fxt_arg_header_size(header);
    uint8_t type = fxt_arg_header_type(header);
    struct fxt_i_arg_kind kind = fxt_i_arg_kind_of(type);

    if (!fxt_i_arg_plain(header, kind) || size <= kind.words || size > words)
        return fxt_i_decode_inline(arg, bytes, words);
    uint64_t small = fxt_i_arg_small(header);
    uint64_t word = fxt_load_word(bytes + UINT64_C(8) * kind.words);
    uint64_t number = kind.words > 0 ? word : small;
    uint16_t text = kind.string > 0 ? fxt_arg_string_header_value(header) : 0;
    uint64_t end = UINT64_C(1) + kind.words;
    /*@ assert number: number == l_arg_number(bytes, header); */
    /*@ assert text_is: text == l_arg_text(header) && text <= 32768; */
    /*@ assert no_text: l_string_words(l_arg_text(header)) == 0; */
    /*@ assert blob_is: l_arg_blob(header) == 0; */
    /*@ assert value_is: l_arg_value(header) == 1; */
    /*@ assert end_is: end == l_arg_end(header); */
    arg->name.bytes = NULL;
    arg->name.ref = fxt_arg_header_name(header);
    arg->text.bytes = NULL;
    arg->text.ref = text;
    arg->blob.bytes = NULL;
    arg->blob.size = 0;
    arg->tail.words = (uint32_t)(size - end);
    arg->tail.bytes = fxt_i_tail(bytes, end, size);
    arg->value = number;
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

/* Skips `count` arguments from word `position` on, and validates each. Returns the word after them,
   or 0 if one is malformed; then fxt_i_refuse_args finds the reason. */
/*@ requires 1 <= position <= words && count <= 15 && readable(bytes, 8 * words);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures end: \result == l_args_end(bytes, words, position, count);
  @ ensures inside: \result == 0 || position <= \result <= words;
  @ ensures fill: \result > 0 ==> l_args_fill(bytes + 8 * \result, \result - position, count);
  @*/
uint32_t fxt_i_skip_args(const uint8_t *bytes, uint32_t words, uint32_t position, uint8_t count);

/* The same, without a call for records without arguments, which are the most. */
/*@ requires 1 <= position <= words && count <= 15 && readable(bytes, 8 * words);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures end: \result == l_args_end(bytes, words, position, count);
  @ ensures inside: \result == 0 || position <= \result <= words;
  @ ensures fill: \result > 0 ==> l_args_fill(bytes + 8 * \result, \result - position, count);
  @*/
static inline uint32_t fxt_i_args_end(const uint8_t *bytes, uint32_t words, uint64_t position,
                                      uint8_t count)
{
    if (count == 0)
        return (uint32_t)position;
    return fxt_i_skip_args(bytes, words, (uint32_t)position, count);
}

/*@ // When the words from `position` to `end` are `count` arguments, they are delivered as such.
  @ predicate fxt_args_kept{R,O}(uint8_t *bytes, struct fxt_args *a, integer position, integer end,
  @                              integer count) =
  @   l_args_fill{R}(bytes + 8 * end, end - position, count) ==> fxt_args_checked{O}(a);
  @*/

/* No code, only a step of the proof: these are the arguments from `position` to `end`. */
/*@ requires \valid_read(args) && args->bytes == bytes + 8 * position;
  @ requires args->words == end - position && args->count == count;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures fxt_args_kept{Pre,Post}(bytes, args, position, end, count);
  @*/
static inline void fxt_i_args_kept(const struct fxt_args *args, const uint8_t *bytes,
                                   uint64_t position, uint64_t end, uint16_t count)
{
    (void)args;
    (void)bytes;
    (void)position;
    (void)end;
    (void)count;
    /*@ assert args->bytes + 8 * args->words == bytes + 8 * end; */
}

/* Refuses arguments for which fxt_i_skip_args returned 0. */
/*@ requires \valid(error) && \valid_read(record) && fxt_record_ok(record);
  @ requires position <= record->words;
  @ terminates \true;
  @ assigns *error;
  @ ensures \result == FXT_MALFORMED && error->status == FXT_MALFORMED;
  @*/
FXT_I_COLD enum fxt_status fxt_i_refuse_args(struct fxt_error *error,
                                             const struct fxt_record *record, uint64_t position,
                                             uint8_t count);

#endif
