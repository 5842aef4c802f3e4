/* The packets of the FIFO. */
#include "src/protocol/fifo.h"

#include "src/base/word.h"

/* The length of an alert's name; 0 if it is empty, or a byte after it is not 0. */
/*@ requires \valid_read(bytes + (0 .. 15));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures length: \result <= 14;
  @ ensures text: \result > 0 ==> text_of(bytes, 2, 2 + \result, 16);
  @ ensures formed: \result > 0 <==> bytes[2] != 0 &&
  @     \forall integer i, j; 2 <= i < j < 16 ==> bytes[i] == 0 ==> bytes[j] == 0;
  @*/
static uint16_t alert_length(const uint8_t *bytes)
{
    uint16_t length = 0;

    /*@ loop invariant length: 0 <= length <= 14;
      @ loop invariant text: \forall integer i; 2 <= i < 2 + length ==> bytes[i] != 0;
      @ loop assigns length;
      @ loop variant 14 - length;
      @*/
    while (length < FXT_I_ALERT_MAX && bytes[2 + length] != 0)
        length++;
    /*@ loop invariant at: 2 + length <= i <= 16;
      @ loop invariant zeros: \forall integer j; 2 + length <= j < i ==> bytes[j] == 0;
      @ loop assigns i;
      @ loop variant 16 - i;
      @*/
    for (uint32_t i = UINT32_C(2) + length; i < FXT_I_FIFO_BYTES; i++)
        if (bytes[i] != 0) {
            /*@ assert gap: 2 + length < i && bytes[2 + length] == 0; */
            return 0;
        }
    return length;
}

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result <==> (side == 0 && 1 <= request <= 4) || (side == 1 && 256 <= request <= 257);
  @*/
static bool is_sent_by(uint16_t request, enum fxt_i_side side)
{
    if (side == FXT_I_OF_MANAGER)
        return request == FXT_I_BUFFER_SAVED || request == FXT_I_FLUSH_BUFFER;
    return side == FXT_I_OF_PROVIDER && request >= FXT_I_STARTED && request <= FXT_I_ALERT;
}

/* The rule that a packet of 16 bytes breaks, or FXT_RULE_NONE. */
/*@ requires \valid_read(bytes + (0 .. 15)) && side <= 1;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures rule: \result == FXT_RULE_NONE || FXT_RULE_FIF_02 <= \result <= FXT_RULE_FIF_04;
  @ ensures formed: \result == FXT_RULE_NONE <==> fifo_formed(bytes, side);
  @*/
static enum fxt_rule broken(const uint8_t *bytes, enum fxt_i_side side)
{
    uint64_t first = fxt_load_word(bytes);
    uint64_t data64 = fxt_load_word(bytes + 8);
    uint16_t request = (uint16_t)(first % 65536);
    uint64_t data = first / 65536;
    /*@ assert data: data % 65536 == l_fifo_data16(bytes) && data / 65536 == l_fifo_data32(bytes); */

    if (!is_sent_by(request, side))
        return FXT_RULE_FIF_02;
    if (request == FXT_I_ALERT)
        return alert_length(bytes) > 0 ? FXT_RULE_NONE : FXT_RULE_FIF_04;
    if (request == FXT_I_STARTED)
        return data == FXT_I_FIFO_VERSION * UINT64_C(65536) && data64 == 0 ? FXT_RULE_NONE
                                                                           : FXT_RULE_FIF_03;
    if (request == FXT_I_STOPPED || request == FXT_I_FLUSH_BUFFER)
        return data == 0 && data64 == 0 ? FXT_RULE_NONE : FXT_RULE_FIF_03;
    return data % 65536 == 0 ? FXT_RULE_NONE : FXT_RULE_FIF_03;
}

/*@ requires \valid(out) && \valid_read(bytes + (0 .. 15)) && \separated(out, bytes + (0 .. 15));
  @ requires l_fifo_request(bytes) == 4 ==> bytes[2] != 0 &&
  @     \forall integer i, j; 2 <= i < j < 16 ==> bytes[i] == 0 ==> bytes[j] == 0;
  @ terminates \true;
  @ assigns *out;
  @ ensures says: out->request == l_fifo_request(bytes);
  @ ensures half: out->request \in {2, 256} ==>
  @     out->wrapped_count == l_fifo_data32(bytes) && out->durable_data_end == l_word(bytes + 8);
  @ ensures alert: out->request == 4 ==>
  @     1 <= out->alert_length && text_of(bytes, 2, 2 + out->alert_length, 16);
  @ ensures text: out->request == 4 ==>
  @     \forall integer i; 0 <= i < 14 ==> out->alert[i] == bytes[2 + i];
  @ ensures zeros: fifo_zeros(out);
  @*/
static void decode(struct fxt_i_fifo *out, const uint8_t *bytes)
{
    uint64_t first = fxt_load_word(bytes);
    uint16_t request = (uint16_t)(first % 65536);
    bool is_alert = request == FXT_I_ALERT;
    bool is_half = request == FXT_I_SAVE_BUFFER || request == FXT_I_BUFFER_SAVED;

    out->request = request;
    out->wrapped_count = is_half ? (uint32_t)(first / UINT64_C(4294967296)) : 0;
    out->durable_data_end = is_half ? fxt_load_word(bytes + 8) : 0;
    out->alert_length = is_alert ? alert_length(bytes) : 0;
    /*@ loop invariant at: 0 <= i <= 14;
      @ loop invariant text: is_alert ==>
      @     \forall integer j; 0 <= j < i ==> out->alert[j] == bytes[2 + j];
      @ loop invariant zeros: !is_alert ==> \forall integer j; 0 <= j < i ==> out->alert[j] == 0;
      @ loop assigns i, out->alert[0 .. 13];
      @ loop variant 14 - i;
      @*/
    for (unsigned i = 0; i < FXT_I_ALERT_MAX; i++)
        out->alert[i] = is_alert ? bytes[2 + i] : 0;
}

enum fxt_status fxt_i_fifo_read(struct fxt_i_fifo *out, const uint8_t *bytes, uint64_t size,
                                enum fxt_i_side side, struct fxt_error *error)
{
    enum fxt_rule rule = size == FXT_I_FIFO_BYTES ? broken(bytes, side) : FXT_RULE_FIF_01;

    if (rule != FXT_RULE_NONE) {
        error->offset = rule == FXT_RULE_FIF_03 || rule == FXT_RULE_FIF_04 ? 2 : 0;
        error->status = FXT_MALFORMED;
        error->rule = rule;
        return FXT_MALFORMED;
    }
    decode(out, bytes);
    return FXT_OK;
}

/*@ requires \valid_read(in) && \valid(bytes + (0 .. 15)) && \separated(in, bytes + (0 .. 15));
  @ requires 1 <= in->alert_length <= 14 &&
  @     \forall integer i; 0 <= i < in->alert_length ==> in->alert[i] != 0;
  @ terminates \true;
  @ assigns bytes[0 .. 15];
  @ ensures request: l_fifo_request(bytes) == 4;
  @ ensures text: bytes[2] != 0 &&
  @     \forall integer i, j; 2 <= i < j < 16 ==> bytes[i] == 0 ==> bytes[j] == 0;
  @ ensures alert: \forall integer i; 0 <= i < 14 ==>
  @     bytes[2 + i] == (i < in->alert_length ? in->alert[i] : 0);
  @*/
static void write_alert(uint8_t *bytes, const struct fxt_i_fifo *in)
{
    bytes[0] = FXT_I_ALERT;
    bytes[1] = 0;
    /*@ loop invariant at: 2 <= i <= 16;
      @ loop invariant kept: \forall integer j; 0 <= j < 14 ==>
      @     in->alert[j] == \at(in->alert[j], Pre);
      @ loop invariant length: in->alert_length == \at(in->alert_length, Pre);
      @ loop invariant text: \forall integer j; 2 <= j < i && j < 2 + in->alert_length ==>
      @     bytes[j] != 0;
      @ loop invariant rest: \forall integer j; 2 + in->alert_length <= j < i ==> bytes[j] == 0;
      @ loop invariant alert: \forall integer j; 0 <= j < i - 2 ==>
      @     bytes[2 + j] == (j < in->alert_length ? in->alert[j] : 0);
      @ loop invariant request: bytes[0] == 4 && bytes[1] == 0;
      @ loop assigns i, bytes[2 .. 15];
      @ loop variant 16 - i;
      @*/
    for (unsigned i = 2; i < FXT_I_FIFO_BYTES; i++) {
        uint8_t byte = 0;
        if (i - 2 < in->alert_length) {
            byte = in->alert[i - 2];
            /*@ assert some: byte != 0; */
        }
        bytes[i] = byte;
    }
    /*@ assert word: l_word(bytes) == 4 + 65536 * (bytes[2] + 256 * bytes[3] + 65536 * bytes[4] +
      @   16777216 * bytes[5] + 4294967296 * bytes[6] + 1099511627776 * bytes[7]); */
}

void fxt_i_fifo_write(uint8_t bytes[FXT_I_FIFO_BYTES], const struct fxt_i_fifo *in)
{
    bool is_half = in->request == FXT_I_SAVE_BUFFER || in->request == FXT_I_BUFFER_SAVED;
    uint64_t data32 = is_half                        ? in->wrapped_count
                      : in->request == FXT_I_STARTED ? FXT_I_FIFO_VERSION
                                                     : 0;
    uint64_t first = in->request + UINT64_C(4294967296) * data32;
    /*@ assert request: first % 65536 == in->request; */
    /*@ assert data16: first / 65536 % 65536 == 0; */
    /*@ assert data32: first / 4294967296 == data32; */

    if (in->request == FXT_I_ALERT) {
        write_alert(bytes, in);
        return;
    }
    fxt_store_word(bytes + 8, is_half ? in->durable_data_end : 0);
    fxt_store_word(bytes, first);
}
