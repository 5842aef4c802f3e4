/* The packets of a provider's connection to its manager: spec/system.md, section 3. Pure and
   thread-safe; any bytes may be read. */
#ifndef FXT_PROTOCOL_PACKET_H
#define FXT_PROTOCOL_PACKET_H

#include "src/protocol/fifo.h"
#include "src/protocol/name.h"

#define FXT_I_PACKET_VERSION 1
#define FXT_I_PACKET_BYTES_MAX 20816
#define FXT_I_NAMES_MAX 100

enum fxt_i_ordinal {
    FXT_I_REGISTER = 0x101,
    FXT_I_REGISTER_SYNCHRONOUSLY = 0x102,
    FXT_I_REGISTERED = 0x103,
    FXT_I_INITIALIZE = 0x111,
    FXT_I_START = 0x112,
    FXT_I_STOP = 0x113,
    FXT_I_TERMINATE = 0x114,
    FXT_I_GET_KNOWN_CATEGORIES = 0x115,
    FXT_I_KNOWN_CATEGORIES = 0x116,
};

/* Members that a packet does not have are 0. */
struct fxt_i_packet {
    uint64_t process; /* of a provider that registers */
    /* The places of names in the packet; read them with fxt_i_packet_name. In *known categories*,
       even places hold names, and each next place the description. */
    const uint8_t *names;
    uint32_t transaction;
    uint32_t status; /* the bits of a zx_status_t */
    uint16_t ordinal;
    uint16_t choice;     /* mode or disposition, 1 to 3; in *registered*: whether started */
    uint16_t name_count; /* names, or pairs of a name and a description */
};

/*@ // The second word of a packet.
  @ logic integer l_packet_second(struct fxt_i_packet *in) =
  @   in->ordinal == 0x101 ? in->process : in->ordinal == 0x102 ? in->process :
  @   in->ordinal == 0x103 ? in->status + 4294967296 * in->choice :
  @   in->ordinal == 0x116 ? in->name_count : in->choice + 65536 * in->name_count;
  @ // What there are places for, and what a packet holds that was written of it.
  @ predicate packet_fits(struct fxt_i_packet *in, struct fxt_bytes *names) =
  @   (packet_known(in->ordinal, 0) || packet_known(in->ordinal, 1)) &&
  @   l_packet_names(in->ordinal, in->name_count) <= l_packet_places(in->ordinal) &&
  @   names_fit(names, l_packet_names(in->ordinal, in->name_count));
  @ predicate packet_says(uint8_t *bytes, struct fxt_i_packet *in, struct fxt_bytes *names) =
  @   l_packet_version(bytes) == 1 && l_packet_ordinal(bytes) == in->ordinal &&
  @   l_packet_transaction(bytes) == in->transaction &&
  @   (l_packet_size(in->ordinal) > 8 ==> l_word(bytes + 8) == l_packet_second(in)) &&
  @   (\forall integer i; 0 <= i < l_packet_names(in->ordinal, in->name_count) ==>
  @     name_says(bytes + 16 + 104 * i, names[i].bytes, names[i].size)) &&
  @   (\forall integer i; l_packet_names(in->ordinal, in->name_count) <= i <
  @       l_packet_places(in->ordinal) ==> empty_place(bytes + 16, i));
  @ // Members that a packet does not have are 0.
  @ predicate packet_zeros(struct fxt_i_packet *p) =
  @   (p->ordinal \in {0x101, 0x102} || p->process == 0) &&
  @   (p->ordinal == 0x103 || p->status == 0) &&
  @   (p->ordinal \in {0x103, 0x111, 0x112} || p->choice == 0) &&
  @   (p->ordinal \in {0x101, 0x102, 0x111, 0x112, 0x116} ||
  @     p->names == \null && p->name_count == 0);
  @*/

/* Decodes and validates a packet from this side. If it breaks a rule, returns FXT_MALFORMED and
   leaves *out alone. Implements CTL-01 to CTL-08. */
/*@ requires \valid(out) && \valid(error) && readable(bytes, size);
  @ requires \separated(out, error, bytes + (0 .. size - 1));
  @ requires side <= 1;
  @ terminates \true;
  @ assigns *out, *error;
  @ ensures status: \result \in {FXT_OK, FXT_MALFORMED};
  @ ensures formed: \result == FXT_OK <==> packet_formed{Pre}(bytes, size, side);
  @ ensures ordinal: \result == FXT_OK ==> out->ordinal == l_packet_ordinal(bytes);
  @ ensures transaction: \result == FXT_OK ==> out->transaction == l_packet_transaction(bytes);
  @ ensures process: \result == FXT_OK && out->ordinal \in {0x101, 0x102} ==>
  @     out->process == l_word(bytes + 8) && out->names == bytes + 16 && out->name_count == 1;
  @ ensures choice: \result == FXT_OK && out->ordinal \in {0x111, 0x112} ==>
  @     out->choice == l_word(bytes + 8) % 65536 && out->names == bytes + 16 &&
  @     out->name_count == l_word(bytes + 8) / 65536;
  @ ensures started: \result == FXT_OK && out->ordinal == 0x103 ==>
  @     out->status == l_word(bytes + 8) % 4294967296 &&
  @     out->choice == l_word(bytes + 8) / 4294967296;
  @ ensures known: \result == FXT_OK && out->ordinal == 0x116 ==>
  @     out->names == bytes + 16 && out->name_count == l_word(bytes + 8);
  @ ensures zeros: \result == FXT_OK ==> packet_zeros(out);
  @ ensures kept: \result != FXT_OK ==> *out == \old(*out);
  @ ensures error: \result != FXT_OK ==> error->status == FXT_MALFORMED &&
  @     FXT_RULE_CTL_01 <= error->rule <= FXT_RULE_CTL_08;
  @*/
enum fxt_status fxt_i_packet_read(struct fxt_i_packet *out, const uint8_t *bytes, uint64_t size,
                                  enum fxt_i_side side, struct fxt_error *error);

/* Writes a packet and returns its size. Returns 0 if the ordinal is unknown, or if the second word,
   a name or the transaction is invalid, so that every written packet can be read. `names` are the
   names in the order of their places; in->names is ignored. */
/*@ requires \valid_read(in) && \valid(bytes + (0 .. 20815));
  @ requires \let n = l_packet_names(in->ordinal, in->name_count);
  @     (n > 0 ==> \valid_read(names + (0 .. n - 1))) &&
  @     \separated(bytes + (0 .. 20815), in, names + (0 .. n - 1)) &&
  @     \forall integer i; 0 <= i < n ==> readable(names[i].bytes, names[i].size) &&
  @       (names[i].size > 0 ==>
  @         \separated(bytes + (0 .. 20815), names[i].bytes + (0 .. names[i].size - 1)));
  @ terminates \true;
  @ assigns bytes[0 .. 20815];
  @ ensures size: \result == 0 || \result == l_packet_size(in->ordinal);
  @ ensures formed: \result > 0 <==> packet_fits(in, names) &&
  @     (packet_formed(bytes, l_packet_size(in->ordinal), 0) ||
  @      packet_formed(bytes, l_packet_size(in->ordinal), 1));
  @ ensures says: packet_fits(in, names) ==> packet_says(bytes, in, names);
  @*/
uint64_t fxt_i_packet_write(uint8_t bytes[FXT_I_PACKET_BYTES_MAX], const struct fxt_i_packet *in,
                            const struct fxt_bytes *names);

#endif
