/* The places of names in packets. */
#include "src/protocol/name.h"

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

/* Whether a place has the form of a name. Does not check its characters. */
/*@ requires \valid_read(p + (0 .. 103));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == true <==> least <= l_name_length(p) && p[2] == 0 && p[3] == 0 &&
  @     text_of(p, 4, 4 + l_name_length(p), 104);
  @*/
static bool is_name(const uint8_t *p, uint32_t least)
{
    uint32_t length = length_at(p);

    if (length < least || length > FXT_I_NAME_MAX || p[2] != 0 || p[3] != 0)
        return false;
    return is_text(p, length);
}

enum fxt_rule fxt_i_names_broken(const uint8_t *p, uint32_t used, uint32_t places, uint32_t odd)
{
    /*@ loop invariant at: 0 <= i <= places;
      @ loop invariant names: names_at(p, used, i, odd);
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
        if (!is_name(place, i % 2 == 1 ? odd : 1))
            return FXT_RULE_CTL_04;
        if (!fxt_utf8_valid(place + 4, length_at(place)))
            return FXT_RULE_CTL_08;
    }
    return FXT_RULE_NONE;
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
  @ ensures name_says(p, name.bytes, name.size);
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

/*@ requires \valid(p + (0 .. 103));
  @ terminates \true;
  @ assigns p[0 .. 103];
  @ ensures zeros_at(p, 104);
  @*/
static void put_zeros(uint8_t *p)
{
    /*@ loop invariant at: 0 <= i <= 104;
      @ loop invariant zeros: zeros_at(p, i);
      @ loop assigns i, p[0 .. 103];
      @ loop variant 104 - i;
      @*/
    for (uint32_t i = 0; i < FXT_I_NAME_PLACE; i++)
        p[i] = 0;
}

/* False if a name is too long. */
/*@ requires used <= 200 && \valid(p + (0 .. 104 * used - 1));
  @ requires used > 0 ==> \valid_read(names + (0 .. used - 1));
  @ requires used > 0 ==> \separated(p + (0 .. 104 * used - 1), names + (0 .. used - 1));
  @ requires \forall integer i; 0 <= i < used ==> readable(names[i].bytes, names[i].size) &&
  @     (names[i].size > 0 ==>
  @       \separated(p + (0 .. 104 * used - 1), names[i].bytes + (0 .. names[i].size - 1)));
  @ terminates \true;
  @ assigns p[0 .. 104 * used - 1];
  @ ensures fit: \result == true <==> names_fit(names, used);
  @ ensures names: \result == true ==> \forall integer i; 0 <= i < used ==>
  @     name_says(p + 104 * i, names[i].bytes, names[i].size);
  @*/
static bool put_used(uint8_t *p, const struct fxt_bytes *names, uint32_t used)
{
    /*@ loop invariant at: 0 <= i <= used;
      @ loop invariant names: \forall integer j; 0 <= j < i ==>
      @     names[j].size <= 100 && name_says(p + 104 * j, names[j].bytes, names[j].size);
      @ loop assigns i, p[0 .. 104 * used - 1];
      @ loop variant used - i;
      @*/
    for (uint32_t i = 0; i < used; i++) {
        if (names[i].size > FXT_I_NAME_MAX)
            return false;
        put_name(p + FXT_I_NAME_PLACE * i, names[i]);
    }
    return true;
}

bool fxt_i_names_put(uint8_t *p, const struct fxt_bytes *names, uint32_t used, uint32_t places)
{
    if (!put_used(p, names, used))
        return false;
    /*@ loop invariant at: used <= i <= places;
      @ loop invariant names: \forall integer j; 0 <= j < used ==>
      @     names[j].size <= 100 && name_says(p + 104 * j, names[j].bytes, names[j].size);
      @ loop invariant zeros: \forall integer j; used <= j < i ==> empty_place(p, j);
      @ loop assigns i, p[104 * used .. 104 * places - 1];
      @ loop variant places - i;
      @*/
    for (uint32_t i = used; i < places; i++)
        put_zeros(p + FXT_I_NAME_PLACE * i);
    return true;
}
