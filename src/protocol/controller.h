/* The packets of a client's connection to the manager: spec/system.md, section 5. Pure and
   thread-safe; any bytes may be read. */
#ifndef FXT_PROTOCOL_CONTROLLER_H
#define FXT_PROTOCOL_CONTROLLER_H

#include <fxt/status.h>

#include "src/protocol/name.h"

#define FXT_I_CONTROLLER_VERSION 1
#define FXT_I_NUMBERS 8
#define FXT_I_CONTROLLER_BYTES_MAX (80 + 104 * 101)

/* The sender of a packet: the client, or the manager, which provides the service. */
enum fxt_i_controller_side { FXT_I_OF_CLIENT = 0, FXT_I_OF_SERVICE = 1 };

enum fxt_i_controller_ordinal {
    FXT_I_PROVIDER_SPEC = 0x201,
    FXT_I_INITIALIZE_TRACING = 0x202,
    FXT_I_START_TRACING = 0x203,
    FXT_I_STOP_TRACING = 0x204,
    FXT_I_TERMINATE_TRACING = 0x205,
    FXT_I_GET_PROVIDERS = 0x206,
    FXT_I_GET_CATEGORIES = 0x207,
    FXT_I_WATCH_ALERT = 0x208,
    FXT_I_FLUSH_BUFFERS = 0x209,
    FXT_I_GET_STATUS = 0x20a,
    FXT_I_DONE = 0x241,
    FXT_I_PROVIDER_INFO = 0x242,
    FXT_I_CATEGORY_INFO = 0x243,
    FXT_I_STATISTICS = 0x244,
    FXT_I_ALERTED = 0x245,
    FXT_I_STATE = 0x246,
};

/* The specification says what the numbers of each packet mean. Unused numbers are 0. */
struct fxt_i_controller_packet {
    const uint8_t *names; /* the places of names in the packet; read them with fxt_i_packet_name */
    uint64_t numbers[FXT_I_NUMBERS];
    uint32_t transaction;
    uint16_t ordinal;
    uint16_t name_count;
};

/*@ // What there are places for, and what a packet holds that was written of it.
  @ predicate controller_fits(struct fxt_i_controller_packet *in, struct fxt_bytes *names) =
  @   (controller_known(in->ordinal, 0) || controller_known(in->ordinal, 1)) &&
  @   in->name_count <= l_controller_places(in->ordinal) && names_fit(names, in->name_count);
  @ predicate controller_says(uint8_t *bytes, struct fxt_i_controller_packet *in,
  @                           struct fxt_bytes *names) =
  @   l_packet_version(bytes) == 1 && l_packet_ordinal(bytes) == in->ordinal &&
  @   l_packet_transaction(bytes) == in->transaction && l_word(bytes + 8) == in->name_count &&
  @   (\forall integer i; 0 <= i < 8 ==> l_controller_number(bytes, i) == in->numbers[i]) &&
  @   (\forall integer i; 0 <= i < in->name_count ==>
  @     name_says(bytes + 80 + 104 * i, names[i].bytes, names[i].size)) &&
  @   (\forall integer i; in->name_count <= i < l_controller_places(in->ordinal) ==>
  @     empty_place(bytes + 80, i));
  @*/

/* Decodes and validates a packet from this side. If it breaks a rule, returns FXT_MALFORMED and
   leaves *out alone. Implements CTL-01 to CTL-09. */
/*@ requires \valid(out) && \valid(error) && readable(bytes, size);
  @ requires \separated(out, error, bytes + (0 .. size - 1));
  @ requires side <= 1;
  @ terminates \true;
  @ assigns *out, *error;
  @ ensures status: \result \in {FXT_OK, FXT_MALFORMED};
  @ ensures formed: \result == FXT_OK <==> controller_formed{Pre}(bytes, size, side);
  @ ensures header: \result == FXT_OK ==> out->ordinal == l_packet_ordinal(bytes) &&
  @     out->transaction == l_packet_transaction(bytes);
  @ ensures names: \result == FXT_OK ==>
  @     out->name_count == l_word(bytes + 8) && out->names == bytes + 80;
  @ ensures numbers: \result == FXT_OK ==>
  @     \forall integer i; 0 <= i < 8 ==> out->numbers[i] == l_controller_number(bytes, i);
  @ ensures kept: \result != FXT_OK ==> *out == \old(*out);
  @ ensures error: \result != FXT_OK ==> error->status == FXT_MALFORMED &&
  @     FXT_RULE_CTL_01 <= error->rule <= FXT_RULE_CTL_09;
  @*/
enum fxt_status fxt_i_controller_read(struct fxt_i_controller_packet *out, const uint8_t *bytes,
                                      uint64_t size, enum fxt_i_controller_side side,
                                      struct fxt_error *error);

/* Writes a packet and returns its size. Returns 0 if the ordinal is unknown, or if a number, the
   count of names, a name or the transaction is invalid, so that every written packet can be read.
   `names` are the names in the order of their places; in->names is ignored. */
/*@ requires \valid_read(in) && \valid(bytes + (0 .. 10583));
  @ requires in->name_count > 0 ==> \valid_read(names + (0 .. in->name_count - 1));
  @ requires \separated(bytes + (0 .. 10583), in, names + (0 .. in->name_count - 1));
  @ requires \forall integer i; 0 <= i < in->name_count ==>
  @     readable(names[i].bytes, names[i].size) && (names[i].size > 0 ==>
  @       \separated(bytes + (0 .. 10583), names[i].bytes + (0 .. names[i].size - 1)));
  @ terminates \true;
  @ assigns bytes[0 .. 10583];
  @ ensures size: \result == 0 || \result == l_controller_size(in->ordinal);
  @ ensures formed: \result > 0 <==> controller_fits(in, names) &&
  @     (controller_formed(bytes, l_controller_size(in->ordinal), 0) ||
  @      controller_formed(bytes, l_controller_size(in->ordinal), 1));
  @ ensures says: controller_fits(in, names) ==> controller_says(bytes, in, names);
  @*/
uint64_t fxt_i_controller_write(uint8_t bytes[FXT_I_CONTROLLER_BYTES_MAX],
                                const struct fxt_i_controller_packet *in,
                                const struct fxt_bytes *names);

#endif
