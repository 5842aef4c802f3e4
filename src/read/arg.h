/* How one argument is laid out, worked out from its header alone, so that hopping over the
   arguments of a record and decoding them follow the same few lines. */
#ifndef FXT_READ_ARG_H
#define FXT_READ_ARG_H

#include "src/read/cursor.h"
#include "src/wire/layout.h"

struct fxt_i_arg_frame {
    uint32_t size;  /* words, with the header */
    uint32_t value; /* word at which the value starts */
    uint32_t end;   /* word after the value */
};

/* What the value of a type is made of. A table and not a switch: the types of a trace's arguments
   follow no pattern that a branch predictor could learn. */
struct fxt_i_arg_kind {
    uint8_t words;  /* words of its own */
    uint8_t string; /* 1: a string ref in the header, and its stream when that is inline */
    uint8_t blob;   /* 1: a payload whose size is in the header */
};

extern const struct fxt_i_arg_kind fxt_i_arg_kinds[16];

/* Whether nothing in the argument is inline, so that its kind alone tells its words. */
/*@ terminates \true;
  @ assigns \nothing;
  @*/
static inline bool fxt_i_arg_plain(uint64_t header, struct fxt_i_arg_kind kind)
{
    uint32_t name = fxt_arg_header_name(header) / FXT_STRING_INLINE;
    uint32_t text = fxt_arg_string_header_value(header) / FXT_STRING_INLINE;
    return (name | (text & kind.string) | kind.blob) == 0;
}

/* Frames the argument of that header, of which at most `left` words are there. Returns
   FXT_RULE_NONE, or the rule that it breaks, with frame->value the word where. */
/*@ requires \valid(frame);
  @ requires 1 <= left;
  @ terminates \true;
  @ assigns *frame;
  @ ensures \result == FXT_RULE_NONE ==>
  @         1 <= frame->value <= frame->end <= frame->size <= left;
  @ ensures frame->value <= 4097;
  @*/
enum fxt_rule fxt_i_arg_frame(struct fxt_i_arg_frame *frame, uint64_t header, uint32_t left);

/* What bits 32..63 of the header say of an argument without words of its own. */
/*@ terminates \true;
  @ assigns \nothing;
  @*/
static inline uint64_t fxt_i_arg_small(uint64_t header)
{
    if (fxt_arg_header_type(header) == FXT_ARG_BOOL)
        return fxt_arg_bool_header_value(header);
    return fxt_arg_header_data(header);
}

/* Decodes the argument at bytes, of which at most `words` words are there, and returns its size in
   words; 0 when it is malformed, and then *arg is as before. This one is for arguments that are not
   plain. */
/*@ requires words >= 1 && \valid_read(bytes + (0 .. 8 * words - 1)) && \valid(arg);
  @ requires \separated(arg, bytes + (0 .. 8 * words - 1));
  @ terminates \true;
  @ assigns *arg;
  @ ensures \result <= words;
  @ ensures \result == 0 ==> *arg == \old(*arg);
  @*/
uint32_t fxt_i_decode_inline(struct fxt_arg *arg, const uint8_t *bytes, uint32_t words);

/* The same for any argument. The value of a plain one is taken both from its header and from the
   word behind it, and the right one is kept. */
/*@ requires words >= 1 && \valid_read(bytes + (0 .. 8 * words - 1)) && \valid(arg);
  @ requires \separated(arg, bytes + (0 .. 8 * words - 1));
  @ terminates \true;
  @ assigns *arg;
  @ ensures \result <= words;
  @ ensures \result == 0 ==> *arg == \old(*arg);
  @*/
static inline uint32_t fxt_i_decode_arg(struct fxt_arg *arg, const uint8_t *bytes, uint32_t words)
{
    uint64_t header = fxt_load_word(bytes);
    uint32_t size = fxt_arg_header_size(header);
    struct fxt_i_arg_kind kind = fxt_i_arg_kinds[fxt_arg_header_type(header)];

    if (!fxt_i_arg_plain(header, kind) || size <= kind.words || size > words)
        return fxt_i_decode_inline(arg, bytes, words);
    uint64_t small = fxt_i_arg_small(header);
    uint64_t word = fxt_load_word(bytes + UINT64_C(8) * kind.words);
    arg->name.bytes = NULL;
    arg->name.ref = fxt_arg_header_name(header);
    arg->text.bytes = NULL;
    arg->text.ref = (uint16_t)(kind.string * (small % 65536));
    arg->blob.bytes = NULL;
    arg->blob.size = 0;
    arg->tail.words = size - 1 - kind.words;
    arg->tail.bytes = NULL;
    if (arg->tail.words > 0)
        arg->tail.bytes = bytes + 8 + UINT64_C(8) * kind.words;
    arg->value = kind.words > 0 ? word : small;
    arg->type = fxt_arg_header_type(header);
    return size;
}

/* Hops over `count` arguments from word `position` on, checking each, and returns the word behind
   them; 0 when one is malformed, and then fxt_i_refuse_args tells why. */
/*@ requires position <= words && \valid_read(bytes + (0 .. 8 * words - 1));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == 0 || position <= \result <= words;
  @*/
uint32_t fxt_i_skip_args(const uint8_t *bytes, uint32_t words, uint32_t position, uint8_t count);

FXT_I_COLD enum fxt_status fxt_i_refuse_args(struct fxt_error *error,
                                             const struct fxt_record *record, uint32_t position,
                                             uint8_t count);

/* Hops over `count` arguments at the cursor (ARG-01 …), and tells where they are. */
/*@ requires \valid(cursor) && cursor_ok(cursor) && \valid(args) && \valid(error);
  @ requires \valid_read(record) && count <= 15 && cursor->position >= 1;
  @ requires \separated(cursor, args, error, record);
  @ terminates \true;
  @ assigns cursor->position, *args, *error;
  @ ensures cursor_ok(cursor);
  @ ensures \result ==> fxt_args_ok(args) && args->count == count;
  @*/
static inline bool fxt_i_take_args(struct fxt_i_cursor *cursor, struct fxt_args *args,
                                   struct fxt_error *error, const struct fxt_record *record,
                                   uint8_t count)
{
    uint32_t position = cursor->position;

    if (count > 0)
        position = fxt_i_skip_args(cursor->bytes, cursor->words, position, count);
    if (position == 0) {
        fxt_i_refuse_args(error, record, cursor->position, count);
        return false;
    }
    args->bytes = cursor->bytes + UINT64_C(8) * cursor->position;
    args->offset = record->offset + UINT64_C(8) * cursor->position;
    args->words = position - cursor->position;
    args->count = count;
    cursor->position = position;
    return true;
}

#endif
