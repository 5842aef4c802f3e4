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
static inline enum fxt_rule fxt_i_arg_frame(struct fxt_i_arg_frame *frame, uint64_t header,
                                            uint32_t left)
{
    uint8_t type = fxt_arg_header_type(header);
    uint16_t name = fxt_arg_header_name(header);
    uint32_t size = fxt_arg_header_size(header);
    uint64_t need = 0;

    frame->size = size;
    frame->value = 0;
    frame->end = 0;
    if (size == 0)
        return FXT_RULE_ARG_02;
    if (size > left)
        return FXT_RULE_ARG_03;
    frame->value = 1;
    if (name > FXT_STRING_INLINE) {
        uint32_t name_words = ((uint32_t)name - FXT_STRING_INLINE + 7) / 8;
        if (name_words > size - 1)
            return FXT_RULE_STR_03;
        frame->value += name_words;
    }
    if (type >= FXT_ARG_INT64) {
        if (type == FXT_ARG_STRING) {
            uint16_t text = fxt_arg_string_header_value(header);
            if (text > FXT_STRING_INLINE)
                need = ((uint32_t)text - FXT_STRING_INLINE + 7) / 8;
        } else if (type <= FXT_ARG_KOID) {
            need = 1;
        } else if (type == FXT_ARG_BLOB) {
            need = fxt_words_of(fxt_arg_blob_header_payload_size(header));
        }
    }
    if (need > size - frame->value) {
        if (type == FXT_ARG_BLOB)
            return FXT_RULE_ARG_08;
        return type == FXT_ARG_STRING ? FXT_RULE_STR_03 : FXT_RULE_ARG_05;
    }
    frame->end = frame->value + (uint32_t)need;
    return FXT_RULE_NONE;
}

/* Hops over `count` arguments at the cursor, checking each (ARG-01 …), and tells where they are. */
/*@ requires \valid(cursor) && cursor_ok(cursor) && \valid(args) && \valid(error);
  @ requires \valid_read(record) && count <= 15;
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
    uint32_t words = cursor->words;

    /*@ loop invariant 0 <= i <= count;
      @ loop invariant cursor->position <= position <= words;
      @ loop assigns i, position, *error;
      @ loop variant count - i;
      @*/
    for (uint8_t i = 0; i < count; i++) {
        struct fxt_i_arg_frame frame;
        if (position >= words) {
            fxt_i_malformed(error, record, position, FXT_RULE_ARG_01);
            return false;
        }
        uint64_t header = fxt_load_word(cursor->bytes + UINT64_C(8) * position);
        enum fxt_rule rule = fxt_i_arg_frame(&frame, header, words - position);
        if (rule != FXT_RULE_NONE) {
            fxt_i_malformed(error, record, position + frame.value, rule);
            return false;
        }
        position += frame.size;
    }
    args->bytes = cursor->bytes + UINT64_C(8) * cursor->position;
    args->offset = record->offset + UINT64_C(8) * cursor->position;
    args->words = position - cursor->position;
    args->count = count;
    cursor->position = position;
    return true;
}

#endif
