/* The packets of a provider's connection. */
#include "src/control/packet.h"

#include <fxt/check.h>

#include "src/base/word.h"

#define HEADER_BYTES 8
#define NAMES_AT 16

/* What a packet of that ordinal is like. */
struct shape {
    uint32_t size;    /* 0: there is none */
    uint16_t places;  /* of names */
    uint16_t least;   /* bytes that every second of them has at least */
    uint16_t side;    /* that sends it */
    bool is_answered; /* or an answer */
};

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures known: \result.size > 0 <==> packet_known(ordinal, 0) || packet_known(ordinal, 1);
  @ ensures size: \result.size > 0 ==> \result.size == l_packet_size(ordinal);
  @ ensures side: \result.size > 0 ==> \result.side <= 1 && packet_known(ordinal, \result.side);
  @ ensures other: \result.size > 0 ==> !packet_known(ordinal, 1 - \result.side);
  @ ensures places: \result.size > 0 ==> \result.places == l_packet_places(ordinal);
  @ ensures least: \result.least == (ordinal == 0x116 ? 0 : 1);
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

/*@ requires \valid_read(p + (0 .. size - 1)) && size <= 104;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == true <==> zeros_at(p, size);
  @*/
static bool is_zero(const uint8_t *p, uint32_t size)
{
    /*@ loop invariant at: 0 <= i <= size;
      @ loop invariant zeros: zeros_at(p, i);
      @ loop assigns i;
      @ loop variant size - i;
      @*/
    for (uint32_t i = 0; i < size; i++)
        if (p[i] != 0)
            return false;
    return true;
}

/*@ requires \valid_read(p + (0 .. 103));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_name_length(p);
  @*/
static uint32_t length_at(const uint8_t *p)
{
    return p[0] + UINT32_C(256) * p[1];
}

/*@ requires \valid_read(p + (0 .. 103)) && length <= 100;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == true <==> text_of(p, 4, 4 + length, 104);
  @*/
static bool is_text(const uint8_t *p, uint32_t length)
{
    /*@ loop invariant at: 4 <= i <= 104;
      @ loop invariant text: \forall integer j; 4 <= j < i && j < 4 + length ==> p[j] != 0;
      @ loop invariant rest: \forall integer j; 4 + length <= j < i ==> p[j] == 0;
      @ loop assigns i;
      @ loop variant 104 - i;
      @*/
    for (uint32_t i = 4; i < FXT_I_NAME_PLACE; i++)
        if ((p[i] != 0) != (i < 4 + length))
            return false;
    return true;
}

/*@ requires \valid_read(p + (0 .. 103));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == true <==> name_at(p, least);
  @*/
static bool is_name(const uint8_t *p, uint32_t least)
{
    uint32_t length = length_at(p);

    if (length < least || length > FXT_I_NAME_MAX || p[2] != 0 || p[3] != 0)
        return false;
    return is_text(p, length);
}

/* The rule that the places break. */
/*@ requires \valid_read(p + (0 .. 104 * places - 1)) && places <= 200 && used <= places;
  @ requires least <= 1;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures rule: \result \in {FXT_RULE_NONE, FXT_RULE_CTL_04, FXT_RULE_CTL_05, FXT_RULE_CTL_08};
  @ ensures formed: \result == FXT_RULE_NONE ==> names_at(p, used, places, least);
  @ ensures first: \result == FXT_RULE_NONE && used > 0 ==> name_at(p, 1);
  @ ensures refused: \result \in {FXT_RULE_CTL_04, FXT_RULE_CTL_05} ==>
  @     !names_at(p, used, places, least);
  @*/
static enum fxt_rule broken_names(const uint8_t *p, uint32_t used, uint32_t places, uint32_t least)
{
    /*@ loop invariant at: 0 <= i <= places;
      @ loop invariant names: names_at(p, used, i, least);
      @ loop invariant first: i > 0 && used > 0 ==> name_at(p, 1);
      @ loop assigns i;
      @ loop variant places - i;
      @*/
    for (uint32_t i = 0; i < places; i++) {
        const uint8_t *place = p + FXT_I_NAME_PLACE * i;
        if (i >= used) {
            if (!is_zero(place, FXT_I_NAME_PLACE))
                return FXT_RULE_CTL_05;
            continue;
        }
        if (!is_name(place, i % 2 == 1 ? least : 1))
            return FXT_RULE_CTL_04;
        if (!fxt_utf8_valid(place + 4, length_at(place)))
            return FXT_RULE_CTL_08;
    }
    return FXT_RULE_NONE;
}

/* The rule that the second word breaks, and in *used how many places hold names. */
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

/* The rule that what follows the header breaks. */
/*@ requires shape.size > 0 && shape.size == l_packet_size(ordinal);
  @ requires packet_known(ordinal, 0) || packet_known(ordinal, 1);
  @ requires shape.places == l_packet_places(ordinal) && shape.least == (ordinal == 0x116 ? 0 : 1);
  @ requires \valid_read(bytes + (0 .. shape.size - 1));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures rule: \result == FXT_RULE_NONE || FXT_RULE_CTL_04 <= \result <= FXT_RULE_CTL_08;
  @ ensures formed: \result == FXT_RULE_NONE ==> packet_body(bytes, ordinal);
  @ ensures refused: \result != FXT_RULE_NONE && \result != FXT_RULE_CTL_08 ==>
  @     !packet_body(bytes, ordinal);
  @*/
static enum fxt_rule broken_body(const uint8_t *bytes, uint16_t ordinal, struct shape shape)
{
    uint32_t used;

    if (shape.size == HEADER_BYTES)
        return FXT_RULE_NONE;
    enum fxt_rule rule = broken_second(bytes, ordinal, &used);
    if (rule != FXT_RULE_NONE)
        return rule;
    rule = broken_names(bytes + NAMES_AT, used, shape.places, shape.least);
    if (rule != FXT_RULE_NONE)
        return rule;
    /*@ assert one: ordinal \in {0x101, 0x102} ==> used == 1 && name_at(bytes + 16, 1); */
    /*@ assert list: ordinal \in {0x111, 0x112} ==>
      @   names_at(bytes + 16, l_word(bytes + 8) / 65536, 100, 1); */
    /*@ assert pairs: ordinal == 0x116 ==>
      @   names_at(bytes + 16, 2 * l_word(bytes + 8), 200, 0); */
    return FXT_RULE_NONE;
}

/* The rule that a packet breaks. */
/*@ requires readable(bytes, size) && side <= 1;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures rule: \result == FXT_RULE_NONE || FXT_RULE_CTL_01 <= \result <= FXT_RULE_CTL_08;
  @ ensures formed: \result == FXT_RULE_NONE ==> packet_formed(bytes, size, side);
  @ ensures refused: \result != FXT_RULE_NONE && \result != FXT_RULE_CTL_08 ==>
  @     !packet_formed(bytes, size, side);
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

/* The offset of what breaks the rule, about. */
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

struct fxt_bytes fxt_i_packet_name(const uint8_t *names, uint32_t place)
{
    const uint8_t *at = names + FXT_I_NAME_PLACE * place;
    struct fxt_bytes name = {at + 4, length_at(at)};
    return name;
}

/* Writing. */

/*@ requires \valid(p + (0 .. 103)) && readable(name.bytes, name.size) && name.size <= 100;
  @ requires name.size > 0 ==> \separated(p + (0 .. 103), name.bytes + (0 .. name.size - 1));
  @ terminates \true;
  @ assigns p[0 .. 103];
  @ ensures length: l_name_length(p) == name.size && p[2] == 0 && p[3] == 0;
  @ ensures text: \forall integer i; 0 <= i < name.size ==> p[4 + i] == name.bytes[i];
  @ ensures rest: \forall integer i; 4 + name.size <= i < 104 ==> p[i] == 0;
  @*/
static void put_name(uint8_t *p, struct fxt_bytes name)
{
    p[0] = (uint8_t)name.size;
    p[1] = 0;
    p[2] = 0;
    p[3] = 0;
    /*@ loop invariant at: 0 <= i <= 100;
      @ loop invariant head: l_name_length(p) == name.size && p[2] == 0 && p[3] == 0;
      @ loop invariant text: \forall integer j; 0 <= j < i && j < name.size ==>
      @     p[4 + j] == name.bytes[j];
      @ loop invariant rest: \forall integer j; 4 + name.size <= j < 4 + i ==> p[j] == 0;
      @ loop assigns i, p[4 .. 103];
      @ loop variant 100 - i;
      @*/
    for (uint32_t i = 0; i < FXT_I_NAME_MAX; i++)
        p[4 + i] = i < name.size ? name.bytes[i] : 0;
}

/* False when a name is too long. */
/*@ requires used <= places <= 200 && \valid(p + (0 .. 104 * places - 1));
  @ requires used > 0 ==> \valid_read(names + (0 .. used - 1));
  @ requires used > 0 ==> \separated(p + (0 .. 104 * places - 1), names + (0 .. used - 1));
  @ requires \forall integer i; 0 <= i < used ==> readable(names[i].bytes, names[i].size) &&
  @     (names[i].size > 0 ==>
  @       \separated(p + (0 .. 104 * places - 1), names[i].bytes + (0 .. names[i].size - 1)));
  @ terminates \true;
  @ assigns p[0 .. 104 * places - 1];
  @*/
static bool put_names(uint8_t *p, const struct fxt_bytes *names, uint32_t used, uint32_t places)
{
    struct fxt_bytes none = {NULL, 0};

    /*@ loop invariant at: 0 <= i <= places;
      @ loop assigns i, p[0 .. 104 * places - 1];
      @ loop variant places - i;
      @*/
    for (uint32_t i = 0; i < places; i++) {
        struct fxt_bytes name = none;
        if (i < used)
            name = names[i];
        if (name.size > FXT_I_NAME_MAX)
            return false;
        put_name(p + FXT_I_NAME_PLACE * i, name);
    }
    return true;
}

/*@ requires \valid_read(in);
  @ terminates \true;
  @ assigns \nothing;
  @*/
static uint64_t second_word(const struct fxt_i_packet *in)
{
    switch (in->ordinal) {
    case FXT_I_REGISTER:
    case FXT_I_REGISTER_SYNCHRONOUSLY:
        return in->process;
    case FXT_I_REGISTERED:
        return in->status + UINT64_C(4294967296) * in->choice;
    case FXT_I_INITIALIZE:
    case FXT_I_START:
        return in->choice + UINT64_C(65536) * in->name_count;
    default:
        return in->name_count;
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
    if (!put_names(bytes + NAMES_AT, names, used, shape.places))
        return 0;
    if (shape.size > HEADER_BYTES)
        fxt_store_word(bytes + 8, second_word(in));
    fxt_store_word(bytes, first);
    return shape.size;
}
