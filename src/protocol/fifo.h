/* The packets of the FIFO between provider and manager: spec/system.md, section 2. Pure and
   thread-safe; any bytes may be read. */
#ifndef FXT_PROTOCOL_FIFO_H
#define FXT_PROTOCOL_FIFO_H

#include <fxt/status.h>

#include "spec/acsl/control.h"

#define FXT_I_FIFO_BYTES 16
#define FXT_I_FIFO_PACKETS 4 /* the most packets that wait in a FIFO */
#define FXT_I_FIFO_VERSION 1
#define FXT_I_ALERT_MAX 14

enum fxt_i_side { FXT_I_OF_PROVIDER = 0, FXT_I_OF_MANAGER = 1 };

enum fxt_i_request {
    FXT_I_STARTED = 0x1,
    FXT_I_SAVE_BUFFER = 0x2,
    FXT_I_STOPPED = 0x3,
    FXT_I_ALERT = 0x4,
    FXT_I_BUFFER_SAVED = 0x100,
    FXT_I_FLUSH_BUFFER = 0x101,
};

/* Only *save buffer* and *buffer saved* have durable_data_end and wrapped_count, and only *alert* has
   an alert; else they are 0. */
struct fxt_i_fifo {
    uint64_t durable_data_end;
    uint32_t wrapped_count;
    uint16_t request; /* enum fxt_i_request */
    uint16_t alert_length;
    uint8_t alert[FXT_I_ALERT_MAX];
};

/*@ // Members that a packet does not have are 0.
  @ predicate fifo_zeros(struct fxt_i_fifo *p) =
  @   (p->request \in {2, 256} || p->wrapped_count == 0 && p->durable_data_end == 0) &&
  @   (p->request == 4 || p->alert_length == 0 &&
  @     \forall integer i; 0 <= i < 14 ==> p->alert[i] == 0);
  @*/

/* Decodes and validates a packet from this side. If it breaks a rule, returns FXT_MALFORMED and
   leaves *out alone. Implements FIF-01 to FIF-04. */
/*@ requires \valid(out) && \valid(error) && \valid_read(bytes + (0 .. size - 1));
  @ requires \separated(out, error, bytes + (0 .. size - 1));
  @ requires side <= 1;
  @ terminates \true;
  @ assigns *out, *error;
  @ ensures status: \result \in {FXT_OK, FXT_MALFORMED};
  @ ensures formed: \result == FXT_OK <==> size == 16 && fifo_formed{Pre}(bytes, side);
  @ ensures says: \result == FXT_OK ==> out->request == l_fifo_request(bytes);
  @ ensures half: \result == FXT_OK && out->request \in {2, 256} ==>
  @     out->wrapped_count == l_fifo_data32(bytes) && out->durable_data_end == l_word(bytes + 8);
  @ ensures alert: \result == FXT_OK && out->request == 4 ==>
  @     1 <= out->alert_length && text_of(bytes, 2, 2 + out->alert_length, 16) &&
  @     \forall integer i; 0 <= i < 14 ==> out->alert[i] == bytes[2 + i];
  @ ensures zeros: \result == FXT_OK ==> fifo_zeros(out);
  @ ensures kept: \result != FXT_OK ==> *out == \old(*out);
  @ ensures error: \result != FXT_OK ==> error->status == FXT_MALFORMED &&
  @     FXT_RULE_FIF_01 <= error->rule <= FXT_RULE_FIF_04;
  @*/
enum fxt_status fxt_i_fifo_read(struct fxt_i_fifo *out, const uint8_t *bytes, uint64_t size,
                                enum fxt_i_side side, struct fxt_error *error);

/* Writes a packet. An alert has a name of alert_length bytes, 1 to 14, without zero bytes. */
/*@ requires \valid_read(in) && \valid(bytes + (0 .. 15)) && \separated(in, bytes + (0 .. 15));
  @ requires in->request \in {1, 2, 3, 4, 256, 257};
  @ requires in->request == 4 ==> 1 <= in->alert_length <= 14 &&
  @     \forall integer i; 0 <= i < in->alert_length ==> in->alert[i] != 0;
  @ terminates \true;
  @ assigns bytes[0 .. 15];
  @ ensures formed: fifo_formed(bytes, in->request >= 256 ? 1 : 0);
  @ ensures says: l_fifo_request(bytes) == in->request;
  @ ensures half: in->request \in {2, 256} ==> l_fifo_data32(bytes) == in->wrapped_count &&
  @     l_word(bytes + 8) == in->durable_data_end;
  @ ensures alert: in->request == 4 ==> \forall integer i; 0 <= i < 14 ==>
  @     bytes[2 + i] == (i < in->alert_length ? in->alert[i] : 0);
  @*/
void fxt_i_fifo_write(uint8_t bytes[FXT_I_FIFO_BYTES], const struct fxt_i_fifo *in);

#endif
