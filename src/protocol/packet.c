/* The packets of a provider's connection. */
#include "src/protocol/packet.h"

#include "src/base/word.h"

#define HEADER_BYTES 8
#define NAMES_AT 16

/* The form of the packets of an ordinal. */
struct shape {
    uint32_t size;    /* 0: unknown ordinal */
    uint16_t places;  /* places for names */
    uint16_t odd;     /* least length in bytes of the names in odd places */
    uint16_t side;    /* the side that sends it */
    bool is_answered; /* a request with an answer, or an answer */
};

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures known: \result.size > 0 <==> packet_known(ordinal, 0) || packet_known(ordinal, 1);
  @ ensures size: \result.size > 0 ==> \result.size == l_packet_size(ordinal);
  @ ensures side: \result.size > 0 ==> \result.side <= 1 && packet_known(ordinal, \result.side);
  @ ensures other: \result.size > 0 ==> !packet_known(ordinal, 1 - \result.side);
  @ ensures places: \result.size > 0 ==> \result.places == l_packet_places(ordinal);
  @ ensures odd: \result.odd == (ordinal == 0x116 ? 0 : 1);
  @ ensures answered: \result.size > 0 ==>
  @     (\result.is_answered == true <==> packet_answered(ordinal));
  @*/
static struct shape shape_of(uint16_t ordinal)
{
    switch (ordinal) {
    case FXT_I_REGISTER:
        return (struct shape){120, 1, 1, FXT_I_OF_PROVIDER, false};
    case FXT_I_REGISTER_SYNCHRONOUSLY:
        return (struct shape){120, 1, 1, FXT_I_OF_PROVIDER, true};
    case FXT_I_REGISTERED:
        return (struct shape){16, 0, 1, FXT_I_OF_MANAGER, true};
    case FXT_I_INITIALIZE:
    case FXT_I_START:
        return (struct shape){10416, 100, 1, FXT_I_OF_MANAGER, false};
    case FXT_I_STOP:
    case FXT_I_TERMINATE:
        return (struct shape){8, 0, 1, FXT_I_OF_MANAGER, false};
    case FXT_I_GET_KNOWN_CATEGORIES:
        return (struct shape){8, 0, 1, FXT_I_OF_MANAGER, true};
    case FXT_I_KNOWN_CATEGORIES:
        return (struct shape){20816, 200, 0, FXT_I_OF_PROVIDER, true};
    default:
        return (struct shape){0, 0, 1, FXT_I_OF_PROVIDER, false};
    }
}

/* Reading. */

/* The rule that the second word breaks, or FXT_RULE_NONE. Stores the number of used places in
   *used. */
/*@ requires \valid(used) && \valid_read(bytes + (0 .. 15)) && \separated(used, bytes + (0 .. 15));
  @ terminates \true;
  @ assigns *used;
  @ ensures rule: \result \in {FXT_RULE_NONE, FXT_RULE_CTL_05, FXT_RULE_CTL_06, FXT_RULE_CTL_07};
  @ ensures formed: \result == FXT_RULE_NONE <==>
  @     (ordinal == 0x103 ==> l_word(bytes + 8) / 4294967296 <= 1) &&
  @     (ordinal \in {0x111, 0x112} ==>
  @       1 <= l_word(bytes + 8) % 65536 <= 3 && l_word(bytes + 8) / 65536 <= 100) &&
  @     (ordinal == 0x116 ==> l_word(bytes + 8) <= 100);
  @ ensures used: \result == FXT_RULE_NONE ==> *used <= l_packet_places(ordinal) &&
  @     *used == l_packet_names(ordinal, ordinal == 0x116 ? l_word(bytes + 8) :
  @                                      l_word(bytes + 8) / 65536);
  @*/
static enum fxt_rule broken_second(const uint8_t *bytes, uint16_t ordinal, uint32_t *used)
{
    uint64_t second = fxt_load_word(bytes + 8);

    *used = 0;
    switch (ordinal) {
    case FXT_I_REGISTER:
    case FXT_I_REGISTER_SYNCHRONOUSLY:
        *used = 1;
        return FXT_RULE_NONE;
    case FXT_I_REGISTERED:
        return second / UINT64_C(4294967296) <= 1 ? FXT_RULE_NONE : FXT_RULE_CTL_06;
    case FXT_I_INITIALIZE:
    case FXT_I_START:
        if (second % 65536 < 1 || second % 65536 > 3)
            return FXT_RULE_CTL_06;
        if (second / UINT64_C(4294967296) != 0)
            return FXT_RULE_CTL_07;
        if (second / 65536 > FXT_I_NAMES_MAX)
            return FXT_RULE_CTL_05;
        *used = (uint32_t)(second / 65536);
        return FXT_RULE_NONE;
    case FXT_I_KNOWN_CATEGORIES:
        if (second / 65536 != 0)
            return FXT_RULE_CTL_07;
        if (second > FXT_I_NAMES_MAX)
            return FXT_RULE_CTL_05;
        *used = (uint32_t)second * 2;
        return FXT_RULE_NONE;
    default:
        return FXT_RULE_NONE;
    }
}

/* The rule that the bytes after the header break, or FXT_RULE_NONE. */
/*@ requires shape.size > 0 && shape.size == l_packet_size(ordinal);
  @ requires packet_known(ordinal, 0) || packet_known(ordinal, 1);
  @ requires shape.places == l_packet_places(ordinal) && shape.odd == (ordinal == 0x116 ? 0 : 1);
  @ requires \valid_read(bytes + (0 .. shape.size - 1));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures rule: \result == FXT_RULE_NONE || FXT_RULE_CTL_04 <= \result <= FXT_RULE_CTL_08;
  @ ensures formed: \result == FXT_RULE_NONE <==> packet_body(bytes, ordinal);
  @*/
static enum fxt_rule broken_body(const uint8_t *bytes, uint16_t ordinal, struct shape shape)
{
    uint32_t used;

    if (shape.size == HEADER_BYTES)
        return FXT_RULE_NONE;
    enum fxt_rule rule = broken_second(bytes, ordinal, &used);
    if (rule != FXT_RULE_NONE)
        return rule;
    rule = fxt_i_names_broken(bytes + NAMES_AT, used, shape.places, shape.odd);
    if (rule != FXT_RULE_NONE)
        return rule;
    /*@ assert one: ordinal \in {0x101, 0x102} ==> used == 1 && name_at(bytes + 16, 1); */
    /*@ assert list: ordinal \in {0x111, 0x112} ==>
      @   names_at(bytes + 16, l_word(bytes + 8) / 65536, 100, 1); */
    /*@ assert pairs: ordinal == 0x116 ==>
      @   names_at(bytes + 16, 2 * l_word(bytes + 8), 200, 0); */
    return FXT_RULE_NONE;
}

/* The rule that a packet breaks, or FXT_RULE_NONE. */
/*@ requires readable(bytes, size) && side <= 1;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures rule: \result == FXT_RULE_NONE || FXT_RULE_CTL_01 <= \result <= FXT_RULE_CTL_08;
  @ ensures formed: \result == FXT_RULE_NONE <==> packet_formed(bytes, size, side);
  @*/
static enum fxt_rule broken(const uint8_t *bytes, uint64_t size, enum fxt_i_side side)
{
    if (size < HEADER_BYTES)
        return FXT_RULE_CTL_01;
    uint64_t first = fxt_load_word(bytes);
    if (first % 65536 != FXT_I_PACKET_VERSION)
        return FXT_RULE_CTL_02;
    uint16_t ordinal = (uint16_t)(first / 65536 % 65536);
    struct shape shape = shape_of(ordinal);
    if (shape.size == 0 || shape.side != (uint16_t)side)
        return FXT_RULE_CTL_03;
    if (size != shape.size)
        return FXT_RULE_CTL_01;
    if (!shape.is_answered && first / UINT64_C(4294967296) != 0)
        return FXT_RULE_CTL_07;
    return broken_body(bytes, ordinal, shape);
}

/* The approximate offset of the violation. */
/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result <= 16;
  @*/
static uint64_t place_of(enum fxt_rule rule)
{
    switch (rule) {
    case FXT_RULE_CTL_03:
        return 2;
    case FXT_RULE_CTL_06:
        return 8;
    case FXT_RULE_CTL_04:
    case FXT_RULE_CTL_05:
    case FXT_RULE_CTL_08:
        return NAMES_AT;
    case FXT_RULE_CTL_07:
        return 4;
    default:
        return 0;
    }
}

/*@ requires \valid(out) && \valid_read(bytes + (0 .. size - 1));
  @ requires \separated(out, bytes + (0 .. size - 1));
  @ requires 8 <= size && size == l_packet_size(l_packet_ordinal(bytes));
  @ requires packet_known(l_packet_ordinal(bytes), 0) || packet_known(l_packet_ordinal(bytes), 1);
  @ requires packet_body(bytes, l_packet_ordinal(bytes));
  @ terminates \true;
  @ assigns *out;
  @ ensures ordinal: out->ordinal == l_packet_ordinal(bytes);
  @ ensures transaction: out->transaction == l_packet_transaction(bytes);
  @ ensures process: out->ordinal \in {0x101, 0x102} ==>
  @     out->process == l_word(bytes + 8) && out->names == bytes + 16 && out->name_count == 1;
  @ ensures choice: out->ordinal \in {0x111, 0x112} ==>
  @     out->choice == l_word(bytes + 8) % 65536 && out->names == bytes + 16 &&
  @     out->name_count == l_word(bytes + 8) / 65536;
  @ ensures started: out->ordinal == 0x103 ==>
  @     out->status == l_word(bytes + 8) % 4294967296 &&
  @     out->choice == l_word(bytes + 8) / 4294967296;
  @ ensures known: out->ordinal == 0x116 ==>
  @     out->names == bytes + 16 && out->name_count == l_word(bytes + 8);
  @ ensures zeros: packet_zeros(out);
  @*/
static void decode(struct fxt_i_packet *out, const uint8_t *bytes, uint64_t size)
{
    uint64_t first = fxt_load_word(bytes);
    uint64_t second = size > HEADER_BYTES ? fxt_load_word(bytes + 8) : 0;

    out->transaction = (uint32_t)(first / UINT64_C(4294967296));
    out->ordinal = (uint16_t)(first / 65536 % 65536);
    out->process = 0;
    out->names = NULL;
    out->status = 0;
    out->choice = 0;
    out->name_count = 0;
    if (size > NAMES_AT)
        out->names = bytes + NAMES_AT;
    switch (out->ordinal) {
    case FXT_I_REGISTER:
    case FXT_I_REGISTER_SYNCHRONOUSLY:
        out->process = second;
        out->name_count = 1;
        break;
    case FXT_I_REGISTERED:
        out->status = (uint32_t)(second % UINT64_C(4294967296));
        out->choice = (uint16_t)(second / UINT64_C(4294967296));
        break;
    case FXT_I_INITIALIZE:
    case FXT_I_START:
        out->choice = (uint16_t)(second % 65536);
        out->name_count = (uint16_t)(second / 65536);
        break;
    case FXT_I_KNOWN_CATEGORIES:
        out->name_count = (uint16_t)second;
        break;
    default:
        break;
    }
}

enum fxt_status fxt_i_packet_read(struct fxt_i_packet *out, const uint8_t *bytes, uint64_t size,
                                  enum fxt_i_side side, struct fxt_error *error)
{
    enum fxt_rule rule = broken(bytes, size, side);

    if (rule != FXT_RULE_NONE) {
        error->offset = place_of(rule);
        error->status = FXT_MALFORMED;
        error->rule = rule;
        return FXT_MALFORMED;
    }
    decode(out, bytes, size);
    return FXT_OK;
}

/* Writing. */

/*@ requires \valid_read(in);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_packet_second(in);
  @*/
static uint64_t second_word(const struct fxt_i_packet *in)
{
    switch (in->ordinal) {
    case FXT_I_REGISTER:
    case FXT_I_REGISTER_SYNCHRONOUSLY:
        return in->process;
    case FXT_I_REGISTERED:
        return in->status + UINT64_C(4294967296) * in->choice;
    case FXT_I_KNOWN_CATEGORIES:
        return in->name_count;
    default:
        return in->choice + UINT64_C(65536) * in->name_count;
    }
}

/*@ requires \valid_read(in);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_packet_names(in->ordinal, in->name_count);
  @*/
static uint32_t names_of(const struct fxt_i_packet *in)
{
    switch (in->ordinal) {
    case FXT_I_REGISTER:
    case FXT_I_REGISTER_SYNCHRONOUSLY:
        return 1;
    case FXT_I_INITIALIZE:
    case FXT_I_START:
        return in->name_count;
    case FXT_I_KNOWN_CATEGORIES:
        return UINT32_C(2) * in->name_count;
    default:
        return 0;
    }
}

uint64_t fxt_i_packet_write(uint8_t bytes[FXT_I_PACKET_BYTES_MAX], const struct fxt_i_packet *in,
                            const struct fxt_bytes *names)
{
    struct shape shape = shape_of(in->ordinal);
    uint32_t used = names_of(in);
    uint64_t first = FXT_I_PACKET_VERSION + UINT64_C(65536) * in->ordinal +
                     UINT64_C(4294967296) * in->transaction;
    /*@ assert version: first % 65536 == 1; */
    /*@ assert ordinal: first / 65536 % 65536 == in->ordinal; */
    /*@ assert transaction: first / 4294967296 == in->transaction; */

    if (shape.size == 0 || used > shape.places)
        return 0;
    fxt_store_word(bytes, first);
    if (shape.size > HEADER_BYTES)
        fxt_store_word(bytes + 8, second_word(in));
    if (!fxt_i_names_put(bytes + NAMES_AT, names, used, shape.places))
        return 0;
    /*@ assert head: l_packet_version(bytes) == 1 && l_packet_ordinal(bytes) == in->ordinal &&
      @   l_packet_transaction(bytes) == in->transaction; */
    /*@ assert second: shape.size > 8 ==> l_word(bytes + 8) == l_packet_second(in); */
    return broken(bytes, shape.size, shape.side) == FXT_RULE_NONE ? shape.size : 0;
}
