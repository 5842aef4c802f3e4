/* The header of a trace buffer, and the sizes of its parts. */
#include <fxt/buffer.h>

#include "src/base/word.h"

/* The second word: the version in bits 0..15, the mode in 16..23, the flags in 24..31, the wrapped
   count in 32..63. */
#define MODE_UNIT UINT64_C(65536)
#define FLAGS_UNIT UINT64_C(16777216)
#define COUNT_UNIT UINT64_C(4294967296)

/*@ requires \valid(out) && buffer_size_ok(total_size) && buffering_mode <= 2;
  @ terminates \true;
  @ assigns *out;
  @ ensures sizes: buffer_formed(out) && out->total_size == total_size &&
  @     out->buffering_mode == buffering_mode;
  @ ensures durable: out->durable_size ==
  @     (buffering_mode == 0 ? 0 : total_size / 8 < 4194304 ? total_size / 8 : 4194304);
  @ ensures empty: out->wrapped_count == 0 && out->records_dropped == 0 &&
  @     out->definitions_inlined == 0 && out->flags == 0 &&
  @     out->durable_data_end == 0 && out->rolling_data_end[0] == 0 &&
  @     out->rolling_data_end[1] == 0;
  @*/
static void divide(struct fxt_buffer_header *out, uint64_t total_size, uint16_t buffering_mode)
{
    uint64_t left = total_size - FXT_BUFFER_HEADER_BYTES;
    uint64_t durable = 0;

    if (buffering_mode != FXT_BUFFERING_ONESHOT) {
        durable = total_size / 8;
        if (durable > FXT_BUFFER_DURABLE_MAX)
            durable = FXT_BUFFER_DURABLE_MAX;
    }
    /*@ assert eighth: durable % 512 == 0 && left % 128 == 0; */
    out->total_size = total_size;
    out->durable_size = durable;
    out->rolling_size = durable == 0 ? left : (left - durable) / 2;
    out->durable_data_end = 0;
    out->rolling_data_end[0] = 0;
    out->rolling_data_end[1] = 0;
    out->records_dropped = 0;
    out->definitions_inlined = 0;
    out->wrapped_count = 0;
    out->buffering_mode = buffering_mode;
    out->flags = 0;
}

enum fxt_status fxt_buffer_sizes(struct fxt_buffer_header *out, uint64_t total_size,
                                 uint16_t buffering_mode)
{
    if (total_size < FXT_BUFFER_BYTES_MIN || total_size > FXT_BUFFER_BYTES_MAX ||
        total_size % FXT_BUFFER_BYTES_MIN != 0 || buffering_mode > FXT_BUFFERING_STREAMING)
        return FXT_INVALID;
    divide(out, total_size, buffering_mode);
    return FXT_OK;
}

/* Checks BUF-06 without overflow, whatever the sizes are. */
/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result <==> buffer_tiled(mode, total, durable, rolling);
  @*/
static bool tiled(uint64_t mode, uint64_t total, uint64_t durable, uint64_t rolling)
{
    if (durable % 8 != 0 || rolling % 8 != 0 || durable > total || rolling > total)
        return false;
    if (mode == FXT_BUFFERING_ONESHOT)
        return durable == 0 && total - rolling == FXT_BUFFER_HEADER_BYTES;
    if (durable >= rolling || rolling > (total - durable) / 2)
        return false;
    return total - durable - 2 * rolling == FXT_BUFFER_HEADER_BYTES;
}

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result <==> buffer_end_inside(end, size);
  @*/
static bool end_inside(uint64_t end, uint64_t size)
{
    return end <= size && end % 8 == 0;
}

/* The offset of the first data end that is not inside its part; 0 if all are. */
/*@ requires \valid_read(bytes + (0 .. 127));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures inside: \result == 0 <==> buffer_end_inside(l_word(bytes + 40), l_word(bytes + 24)) &&
  @     buffer_end_inside(l_word(bytes + 48), l_word(bytes + 32)) &&
  @     buffer_end_inside(l_word(bytes + 56), l_word(bytes + 32));
  @ ensures offset: \result < 128;
  @*/
static uint64_t end_outside(const uint8_t *bytes)
{
    uint64_t durable = fxt_load_word(bytes + 24);
    uint64_t rolling = fxt_load_word(bytes + 32);

    if (!end_inside(fxt_load_word(bytes + 40), durable))
        return 40;
    if (!end_inside(fxt_load_word(bytes + 48), rolling))
        return 48;
    if (!end_inside(fxt_load_word(bytes + 56), rolling))
        return 56;
    return 0;
}

/*@ requires \valid(out) && \valid_read(bytes + (0 .. 127));
  @ requires \separated(out, bytes + (0 .. 127));
  @ requires l_word(bytes) == 0x627566ee68656164 && l_word(bytes + 8) % 65536 == 0;
  @ requires formed: buffer_bytes_formed(bytes, total_size);
  @ terminates \true;
  @ assigns *out;
  @ ensures formed: buffer_formed(out) && out->total_size == total_size;
  @ ensures says: buffer_says(bytes, out);
  @*/
static void decode(struct fxt_buffer_header *out, const uint8_t *bytes, uint64_t total_size)
{
    uint64_t second = fxt_load_word(bytes + 8);

    out->total_size = total_size;
    out->durable_size = fxt_load_word(bytes + 24);
    out->rolling_size = fxt_load_word(bytes + 32);
    out->durable_data_end = fxt_load_word(bytes + 40);
    out->rolling_data_end[0] = fxt_load_word(bytes + 48);
    out->rolling_data_end[1] = fxt_load_word(bytes + 56);
    out->records_dropped = fxt_load_word(bytes + 64);
    out->definitions_inlined = fxt_load_word(bytes + 72);
    out->wrapped_count = (uint32_t)(second / COUNT_UNIT);
    out->buffering_mode = (uint16_t)(second % FLAGS_UNIT / MODE_UNIT);
    out->flags = (uint16_t)(second / FLAGS_UNIT % 256);
}

/*@ requires \valid(error);
  @ terminates \true;
  @ assigns *error;
  @ ensures \result == FXT_MALFORMED && error->status == FXT_MALFORMED &&
  @     error->offset == offset && error->rule == rule;
  @*/
static enum fxt_status refuse(struct fxt_error *error, uint64_t offset, enum fxt_rule rule)
{
    error->offset = offset;
    error->status = FXT_MALFORMED;
    error->rule = rule;
    return FXT_MALFORMED;
}

/* The rule that a header breaks, or FXT_RULE_NONE. */
/*@ requires \valid_read(bytes + (0 .. size - 1));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures rule: \result == FXT_RULE_NONE || FXT_RULE_BUF_01 <= \result <= FXT_RULE_BUF_07;
  @ ensures size: \result == FXT_RULE_BUF_01 <==> size < 128;
  @ ensures valid: \result == FXT_RULE_NONE <==> buffer_valid(bytes, size, total_size);
  @*/
static enum fxt_rule broken(const uint8_t *bytes, uint64_t size, uint64_t total_size)
{
    if (size < FXT_BUFFER_HEADER_BYTES)
        return FXT_RULE_BUF_01;
    if (fxt_load_word(bytes) != FXT_BUFFER_MAGIC)
        return FXT_RULE_BUF_02;
    uint64_t second = fxt_load_word(bytes + 8);
    if (second % MODE_UNIT != 0)
        return FXT_RULE_BUF_03;
    uint64_t mode = second % FLAGS_UNIT / MODE_UNIT;
    if (mode > FXT_BUFFERING_STREAMING)
        return FXT_RULE_BUF_04;
    if (fxt_load_word(bytes + 16) != total_size || total_size % 8 != 0)
        return FXT_RULE_BUF_05;
    if (!tiled(mode, total_size, fxt_load_word(bytes + 24), fxt_load_word(bytes + 32)))
        return FXT_RULE_BUF_06;
    return end_outside(bytes) == 0 ? FXT_RULE_NONE : FXT_RULE_BUF_07;
}

/* The offset of the field that breaks the rule. */
/*@ requires rule == FXT_RULE_BUF_07 ==> \valid_read(bytes + (0 .. 127));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result < 128;
  @*/
static uint64_t place_of(enum fxt_rule rule, const uint8_t *bytes)
{
    switch (rule) {
    case FXT_RULE_BUF_03:
        return 8;
    case FXT_RULE_BUF_04:
        return 10;
    case FXT_RULE_BUF_05:
        return 16;
    case FXT_RULE_BUF_06:
        return 24;
    case FXT_RULE_BUF_07:
        return end_outside(bytes);
    default:
        return 0;
    }
}

enum fxt_status fxt_buffer_read_header(struct fxt_buffer_header *out, const uint8_t *bytes,
                                       uint64_t size, uint64_t total_size, struct fxt_error *error)
{
    enum fxt_rule rule = broken(bytes, size, total_size);

    if (rule != FXT_RULE_NONE)
        return refuse(error, place_of(rule, bytes), rule);
    decode(out, bytes, total_size);
    return FXT_OK;
}

/*@ requires \valid(p + (0 .. 7));
  @ terminates \true;
  @ assigns p[0 .. 7];
  @ ensures stored: l_word(p) == word;
  @ ensures kept: \forall uint8_t *q; \separated(q + (0 .. 7), p + (0 .. 7)) ==>
  @     l_word(q) == \old(l_word(q));
  @*/
static void put(uint8_t *p, uint64_t word)
{
    fxt_store_word(p, word);
}

/*@ requires \valid(bytes + (80 .. 127));
  @ terminates \true;
  @ assigns bytes[80 .. 127];
  @ ensures reserved: \forall integer i; 80 <= i < 128 ==> bytes[i] == 0;
  @ ensures kept: \forall uint8_t *q; \separated(q + (0 .. 7), bytes + (80 .. 127)) ==>
  @     l_word(q) == \old(l_word(q));
  @*/
static void clear_reserved(uint8_t *bytes)
{
    /*@ loop invariant 80 <= i <= 128;
      @ loop invariant zeros: \forall integer k; 80 <= k < i ==> bytes[k] == 0;
      @ loop assigns i, bytes[80 .. 127];
      @ loop variant 128 - i;
      @*/
    for (unsigned i = 80; i < FXT_BUFFER_HEADER_BYTES; i++)
        bytes[i] = 0;
}

void fxt_buffer_write_header(uint8_t *bytes, const struct fxt_buffer_header *in)
{
    uint64_t second =
        in->buffering_mode * MODE_UNIT + in->flags * FLAGS_UNIT + in->wrapped_count * COUNT_UNIT;
    /*@ assert count: second / 4294967296 == in->wrapped_count; */
    /*@ assert flags: second / 16777216 % 256 == in->flags; */
    /*@ assert mode: second % 16777216 == in->buffering_mode * 65536; */
    put(bytes, FXT_BUFFER_MAGIC);
    put(bytes + 8, second);
    put(bytes + 16, in->total_size);
    put(bytes + 24, in->durable_size);
    put(bytes + 32, in->rolling_size);
    put(bytes + 40, in->durable_data_end);
    put(bytes + 48, in->rolling_data_end[0]);
    put(bytes + 56, in->rolling_data_end[1]);
    put(bytes + 64, in->records_dropped);
    put(bytes + 72, in->definitions_inlined);
    clear_reserved(bytes);
    /*@ assert first: l_word(bytes) == 0x627566ee68656164 && l_word(bytes + 8) == second; */
    /*@ assert sizes: l_word(bytes + 16) == in->total_size &&
      @   l_word(bytes + 24) == in->durable_size && l_word(bytes + 32) == in->rolling_size; */
    /*@ assert ends: l_word(bytes + 40) == in->durable_data_end &&
      @   l_word(bytes + 48) == in->rolling_data_end[0] &&
      @   l_word(bytes + 56) == in->rolling_data_end[1]; */
}
