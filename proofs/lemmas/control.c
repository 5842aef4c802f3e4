/* The packets of the tracing system: there and back. */
#include "src/protocol/controller.h"
#include "src/protocol/fifo.h"
#include "src/protocol/packet.h"

/* A name that is read from its place is the one that was written there. */
/*@ requires place < 200 && \valid_read(names + (104 * place .. 104 * place + 103));
  @ requires size <= 100 && name_says(names + 104 * place, text, size);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures size: \result.size == size;
  @ ensures same: \forall integer i; 0 <= i < size ==> \result.bytes[i] == text[i];
  @*/
static inline struct fxt_bytes name_back(const uint8_t *names, uint32_t place, const uint8_t *text,
                                         uint64_t size)
{
    return fxt_i_packet_name(names, place);
}

/* What is said of a text's place by who wrote a name there, and knew that it may be one. */
/*@ requires size <= 100 && readable(text, size) && \valid_read(place + (0 .. 103));
  @ requires name_says(place, text, size) && name_given(text, size, least) && 0 <= least;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures name_at(place, least);
  @*/
static inline void name_placed(const uint8_t *text, const uint8_t *place, uint64_t size,
                               uint32_t least)
{
    /*@ loop invariant at: 0 <= n <= size;
      @ loop invariant utf: \forall integer i; n <= i <= size ==>
      @     (utf8_from(text, i, size) <==> utf8_from(place + 4, i, size));
      @ loop assigns n;
      @ loop variant n;
      @*/
    for (uint64_t n = size; n > 0; n--) {
        /*@ assert b0: place[4 + n - 1] == text[n - 1]; */
        /*@ assert b1: n < size ==> place[4 + n] == text[n]; */
        /*@ assert b2: n + 1 < size ==> place[4 + n + 1] == text[n + 1]; */
        /*@ assert b3: n + 2 < size ==> place[4 + n + 2] == text[n + 2]; */
        /*@ assert step: utf8_from(text, n - 1, size) <==> utf8_from(place + 4, n - 1, size); */
    }
    /*@ loop invariant at: 0 <= n <= size;
      @ loop invariant some: \forall integer i; 4 <= i < 4 + n ==> place[i] != 0;
      @ loop assigns n;
      @ loop variant size - n;
      @*/
    for (uint64_t n = 0; n < size; n++) {
        /*@ assert same: place[4 + n] == text[n]; */
    }
    /*@ assert text: text_of(place, 4, 4 + size, 104); */
}

/*@ // Names that may stand in places of which every second one has at least `odd` bytes.
  @ predicate names_given(struct fxt_bytes *names, integer n, integer odd) =
  @   \forall integer i; 0 <= i < n ==>
  @     name_given(names[i].bytes, names[i].size, i % 2 == 1 ? odd : 1);
  @*/

/* The same of all places of a packet. */
/*@ requires used <= places <= 200 && odd <= 1 && \valid_read(p + (0 .. 104 * places - 1));
  @ requires used > 0 ==> \valid_read(names + (0 .. used - 1));
  @ requires \forall integer i; 0 <= i < used ==> readable(names[i].bytes, names[i].size);
  @ requires given: names_given(names, used, odd);
  @ requires said: \forall integer i; 0 <= i < used ==>
  @     name_says(p + 104 * i, names[i].bytes, names[i].size);
  @ requires zeros: \forall integer i; used <= i < places ==> empty_place(p, i);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures names_at(p, used, places, odd);
  @*/
static inline void names_placed(const uint8_t *p, const struct fxt_bytes *names, uint32_t used,
                                uint32_t places, uint32_t odd)
{
    /*@ loop invariant at: 0 <= i <= used;
      @ loop invariant placed: \forall integer j; 0 <= j < i ==>
      @     name_at(p + 104 * j, j % 2 == 1 ? odd : 1);
      @ loop assigns i;
      @ loop variant used - i;
      @*/
    for (uint32_t i = 0; i < used; i++) {
        /*@ assert given: name_given(names[i].bytes, names[i].size, i % 2 == 1 ? odd : 1); */
        name_placed(names[i].bytes, p + 104 * i, names[i].size, i % 2 == 1 ? odd : 1);
    }
}

/*@ // What the specification lets a packet say: CTL-03 to CTL-08.
  @ predicate packet_given(struct fxt_i_packet *in, struct fxt_bytes *names) =
  @   packet_fits(in, names) && (packet_answered(in->ordinal) || in->transaction == 0) &&
  @   (in->ordinal == 0x103 ==> in->choice <= 1) &&
  @   (in->ordinal \in {0x111, 0x112} ==> 1 <= in->choice <= 3) &&
  @   names_given(names, l_packet_names(in->ordinal, in->name_count), in->ordinal == 0x116 ? 0 : 1);
  @*/

/* What may be said, and was written, is well-formed. */
/*@ requires \valid_read(in) && \valid_read(bytes + (0 .. 20815));
  @ requires count == l_packet_names(in->ordinal, in->name_count);
  @ requires count > 0 ==> \valid_read(names + (0 .. count - 1));
  @ requires \forall integer i; 0 <= i < count ==> readable(names[i].bytes, names[i].size);
  @ requires side <= 1 && packet_known(in->ordinal, side);
  @ requires packet_given(in, names) && packet_says(bytes, in, names);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures packet_formed(bytes, l_packet_size(in->ordinal), side);
  @*/
static inline void packet_written(const uint8_t *bytes, const struct fxt_i_packet *in,
                                  const struct fxt_bytes *names, uint32_t count,
                                  enum fxt_i_side side)
{
    bool is_one = in->ordinal == FXT_I_REGISTER || in->ordinal == FXT_I_REGISTER_SYNCHRONOUSLY;
    bool is_list = in->ordinal == FXT_I_INITIALIZE || in->ordinal == FXT_I_START;
    bool is_pairs = in->ordinal == FXT_I_KNOWN_CATEGORIES;
    uint32_t places = is_one ? 1 : is_list ? 100 : is_pairs ? 200 : 0;
    /*@ assert places: places == l_packet_places(in->ordinal); */
    /*@ assert given: names_given(names, count, is_pairs ? 0 : 1); */
    /*@ assert said: \forall integer i; 0 <= i < count ==>
      @   name_says(bytes + 16 + 104 * i, names[i].bytes, names[i].size); */
    /*@ assert zeros: \forall integer i; count <= i < places ==> empty_place(bytes + 16, i); */
    names_placed(bytes + 16, names, count, places, is_pairs ? 0 : 1);
    /*@ assert first: is_one ==> name_at(bytes + 16 + 104 * 0, 0 % 2 == 1 ? 1 : 1); */
    /*@ assert one: is_one ==> name_at(bytes + 16, 1); */
    /*@ assert body: packet_body(bytes, in->ordinal); */
}

/* It is read as it was. */
/*@ requires \valid_read(in) && \valid_read(bytes + (0 .. size - 1)) && size <= 20816;
  @ requires \valid(out) && \valid(error) && \separated(out, error, bytes + (0 .. size - 1));
  @ requires \separated(out, in) && \separated(error, in);
  @ requires side <= 1 && packet_formed(bytes, size, side) && packet_says(bytes, in, names);
  @ terminates \true;
  @ assigns *out, *error;
  @ ensures ok: \result == FXT_OK;
  @ ensures head: out->ordinal == in->ordinal && out->transaction == in->transaction;
  @ ensures process: in->ordinal \in {0x101, 0x102} ==> out->process == in->process;
  @ ensures choice: in->ordinal \in {0x103, 0x111, 0x112} ==> out->choice == in->choice;
  @ ensures status: in->ordinal == 0x103 ==> out->status == in->status;
  @ ensures count: in->ordinal \in {0x111, 0x112, 0x116} ==> out->name_count == in->name_count;
  @ ensures places: in->ordinal \in {0x101, 0x102, 0x111, 0x112, 0x116} ==>
  @     out->names == bytes + 16;
  @*/
static inline enum fxt_status packet_read(const uint8_t *bytes, uint64_t size,
                                          const struct fxt_i_packet *in,
                                          const struct fxt_bytes *names, enum fxt_i_side side,
                                          struct fxt_i_packet *out, struct fxt_error *error)
{
    /*@ assert ordinal: l_packet_ordinal(bytes) == in->ordinal; */
    /*@ assert second: in->ordinal \in {0x101, 0x102, 0x103, 0x111, 0x112, 0x116} ==>
      @   l_word(bytes + 8) == l_packet_second(in); */
    /*@ assert choice: in->ordinal \in {0x111, 0x112} ==>
      @   l_word(bytes + 8) % 65536 == in->choice &&
      @   l_word(bytes + 8) / 65536 == in->name_count; */
    /*@ assert started: in->ordinal == 0x103 ==>
      @   l_word(bytes + 8) % 4294967296 == in->status &&
      @   l_word(bytes + 8) / 4294967296 == in->choice; */
    return fxt_i_packet_read(out, bytes, size, side, error);
}

/*@ predicate kept{A, B}(uint8_t *p, integer i) = \at(p[i], A) == \at(p[i], B);
  @*/

/* What is said of texts is said of them still when something else was written. */
/*@ requires \valid_read(in) && \valid(bytes + (0 .. 20815));
  @ requires count == l_packet_names(in->ordinal, in->name_count) && count <= 200;
  @ requires count > 0 ==> \valid_read(names + (0 .. count - 1));
  @ requires \separated(bytes + (0 .. 20815), in, names + (0 .. count - 1));
  @ requires \forall integer i; 0 <= i < count ==> readable(names[i].bytes, names[i].size) &&
  @     (names[i].size > 0 ==>
  @       \separated(bytes + (0 .. 20815), names[i].bytes + (0 .. names[i].size - 1)));
  @ requires given: packet_given(in, names);
  @ terminates \true;
  @ assigns bytes[0 .. 20815];
  @ ensures given: packet_given(in, names);
  @ ensures says: packet_says(bytes, in, names);
  @ ensures formed: \result > 0 <==> packet_formed(bytes, l_packet_size(in->ordinal), 0) ||
  @     packet_formed(bytes, l_packet_size(in->ordinal), 1);
  @ ensures size: \result == 0 || \result == l_packet_size(in->ordinal);
  @*/
static inline uint64_t packet_put(uint8_t *bytes, const struct fxt_i_packet *in,
                                  const struct fxt_bytes *names, uint32_t count)
{
    uint64_t size = fxt_i_packet_write(bytes, in, names);
    /*@ loop invariant at: 0 <= i <= count;
      @ loop invariant given: \forall integer j; 0 <= j < i ==>
      @     name_given(names[j].bytes, names[j].size, in->ordinal == 0x116 && j % 2 == 1 ? 0 : 1);
      @ loop assigns i;
      @ loop variant count - i;
      @*/
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *text = names[i].bytes;
        uint64_t length = names[i].size;
        /*@ assert was: name_given{Pre}(text, length, in->ordinal == 0x116 && i % 2 == 1 ? 0 : 1); */
        /*@ assert kept: \forall integer j; 0 <= j < length ==> kept{Pre, Here}(text, j); */
        /*@ loop invariant at: 0 <= n <= length;
          @ loop invariant utf: \forall integer j; n <= j <= length ==>
          @     (utf8_from{Pre}(text, j, length) <==> utf8_from(text, j, length));
          @ loop assigns n;
          @ loop variant n;
          @*/
        for (uint64_t n = length; n > 0; n--) {
            /*@ assert b0: kept{Pre, Here}(text, n - 1); */
            /*@ assert b1: n < length ==> kept{Pre, Here}(text, n); */
            /*@ assert b2: n + 1 < length ==> kept{Pre, Here}(text, n + 1); */
            /*@ assert b3: n + 2 < length ==> kept{Pre, Here}(text, n + 2); */
            /*@ assert step: utf8_from{Pre}(text, n - 1, length) <==>
              @   utf8_from(text, n - 1, length); */
        }
    }
    return size;
}

/* P4: what may be said is written, and read as it was. */
/*@ requires \valid_read(in) && \valid(bytes + (0 .. 20815)) && \valid(out) && \valid(error);
  @ requires count == l_packet_names(in->ordinal, in->name_count) && count <= 200;
  @ requires count > 0 ==> \valid_read(names + (0 .. count - 1));
  @ requires \separated(bytes + (0 .. 20815), in, names + (0 .. count - 1), out, error);
  @ requires \forall integer i; 0 <= i < count ==> readable(names[i].bytes, names[i].size) &&
  @     (names[i].size > 0 ==>
  @       \separated(bytes + (0 .. 20815), names[i].bytes + (0 .. names[i].size - 1)));
  @ requires side <= 1 && packet_known(in->ordinal, side);
  @ requires given: packet_given(in, names);
  @ terminates \true;
  @ assigns bytes[0 .. 20815], *out, *error;
  @ ensures ok: \result == FXT_OK;
  @ ensures head: out->ordinal == in->ordinal && out->transaction == in->transaction;
  @ ensures process: in->ordinal \in {0x101, 0x102} ==> out->process == in->process;
  @ ensures choice: in->ordinal \in {0x103, 0x111, 0x112} ==> out->choice == in->choice;
  @ ensures status: in->ordinal == 0x103 ==> out->status == in->status;
  @ ensures count: in->ordinal \in {0x111, 0x112, 0x116} ==> out->name_count == in->name_count;
  @ ensures names: \forall integer i; 0 <= i < count ==>
  @     name_says(out->names + 104 * i, \old(names[i].bytes), \old(names[i].size));
  @*/
static inline enum fxt_status packet_there(uint8_t *bytes, const struct fxt_i_packet *in,
                                           const struct fxt_bytes *names, uint32_t count,
                                           enum fxt_i_side side, struct fxt_i_packet *out,
                                           struct fxt_error *error)
{
    uint64_t size = packet_put(bytes, in, names, count);
    /*@ assert said: \forall integer i; 0 <= i < count ==>
      @   name_says(bytes + 16 + 104 * i, \at(names[i].bytes, Pre), \at(names[i].size, Pre)); */
    packet_written(bytes, in, names, count, side);
    enum fxt_status status = packet_read(bytes, size, in, names, side, out, error);
    /*@ assert ordinal: in->ordinal == \at(in->ordinal, Pre); */
    /*@ assert some: count > 0 ==> in->ordinal \in {0x101, 0x102, 0x111, 0x112, 0x116}; */
    /*@ assert places: count > 0 ==> out->names == bytes + 16; */
    return status;
}

/* The packets of a client's connection, in the same steps. */

/*@ // What the specification lets a packet say: CTL-03 to CTL-05, CTL-07 to CTL-09.
  @ predicate controller_given(struct fxt_i_controller_packet *in, struct fxt_bytes *names) =
  @   controller_fits(in, names) && (in->ordinal == 0x201 ==> in->transaction == 0) &&
  @   (\forall integer i; 0 <= i < 8 ==>
  @     l_number_least(in->ordinal, i) <= in->numbers[i] <= l_number_most(in->ordinal, i)) &&
  @   l_controller_least(in->ordinal) <= in->name_count &&
  @   names_given(names, in->name_count, l_controller_odd(in->ordinal));
  @*/

/*@ requires \valid_read(in) && \valid_read(bytes + (0 .. 10583));
  @ requires in->name_count > 0 ==> \valid_read(names + (0 .. in->name_count - 1));
  @ requires \forall integer i; 0 <= i < in->name_count ==>
  @     readable(names[i].bytes, names[i].size);
  @ requires places == l_controller_places(in->ordinal);
  @ requires side <= 1 && controller_known(in->ordinal, side);
  @ requires controller_given(in, names) && controller_says(bytes, in, names);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures controller_formed(bytes, l_controller_size(in->ordinal), side);
  @*/
static inline void controller_written(const uint8_t *bytes,
                                      const struct fxt_i_controller_packet *in,
                                      const struct fxt_bytes *names, uint32_t places,
                                      enum fxt_i_controller_side side)
{
    uint32_t odd = in->ordinal == FXT_I_CATEGORY_INFO ? 0 : 1;
    /*@ assert given: names_given(names, in->name_count, odd); */
    /*@ assert said: \forall integer i; 0 <= i < in->name_count ==>
      @   name_says(bytes + 80 + 104 * i, names[i].bytes, names[i].size); */
    /*@ assert zeros: \forall integer i; in->name_count <= i < places ==>
      @   empty_place(bytes + 80, i); */
    names_placed(bytes + 80, names, in->name_count, places, odd);
    /*@ assert numbers: numbers_formed(bytes, in->ordinal); */
}

/*@ requires \valid_read(in) && \valid_read(bytes + (0 .. size - 1)) && size <= 10584;
  @ requires \valid(out) && \valid(error) && \separated(out, error, bytes + (0 .. size - 1));
  @ requires \separated(out, in) && \separated(error, in);
  @ requires side <= 1 && controller_formed(bytes, size, side);
  @ requires controller_says(bytes, in, names);
  @ terminates \true;
  @ assigns *out, *error;
  @ ensures ok: \result == FXT_OK;
  @ ensures head: out->ordinal == in->ordinal && out->transaction == in->transaction;
  @ ensures numbers: \forall integer i; 0 <= i < 8 ==> out->numbers[i] == in->numbers[i];
  @ ensures names: out->name_count == in->name_count && out->names == bytes + 80;
  @*/
static inline enum fxt_status
controller_read(const uint8_t *bytes, uint64_t size, const struct fxt_i_controller_packet *in,
                const struct fxt_bytes *names, enum fxt_i_controller_side side,
                struct fxt_i_controller_packet *out, struct fxt_error *error)
{
    /*@ assert numbers: \forall integer i; 0 <= i < 8 ==>
      @   l_controller_number(bytes, i) == in->numbers[i]; */
    return fxt_i_controller_read(out, bytes, size, side, error);
}

/*@ requires \valid_read(in) && \valid(bytes + (0 .. 10583));
  @ requires in->name_count > 0 ==> \valid_read(names + (0 .. in->name_count - 1));
  @ requires \separated(bytes + (0 .. 10583), in, names + (0 .. in->name_count - 1));
  @ requires \forall integer i; 0 <= i < in->name_count ==>
  @     readable(names[i].bytes, names[i].size) && (names[i].size > 0 ==>
  @       \separated(bytes + (0 .. 10583), names[i].bytes + (0 .. names[i].size - 1)));
  @ requires given: controller_given(in, names);
  @ terminates \true;
  @ assigns bytes[0 .. 10583];
  @ ensures given: controller_given(in, names);
  @ ensures says: controller_says(bytes, in, names);
  @ ensures formed: \result > 0 <==> controller_formed(bytes, l_controller_size(in->ordinal), 0) ||
  @     controller_formed(bytes, l_controller_size(in->ordinal), 1);
  @ ensures size: \result == 0 || \result == l_controller_size(in->ordinal);
  @*/
static inline uint64_t controller_put(uint8_t *bytes, const struct fxt_i_controller_packet *in,
                                      const struct fxt_bytes *names)
{
    uint32_t odd = in->ordinal == FXT_I_CATEGORY_INFO ? 0 : 1;
    uint64_t size = fxt_i_controller_write(bytes, in, names);
    /*@ loop invariant at: 0 <= i <= in->name_count;
      @ loop invariant given: \forall integer j; 0 <= j < i ==>
      @     name_given(names[j].bytes, names[j].size, j % 2 == 1 ? odd : 1);
      @ loop assigns i;
      @ loop variant in->name_count - i;
      @*/
    for (uint32_t i = 0; i < in->name_count; i++) {
        const uint8_t *text = names[i].bytes;
        uint64_t length = names[i].size;
        /*@ assert was: name_given{Pre}(text, length, i % 2 == 1 ? odd : 1); */
        /*@ assert kept: \forall integer j; 0 <= j < length ==> kept{Pre, Here}(text, j); */
        /*@ loop invariant at: 0 <= n <= length;
          @ loop invariant utf: \forall integer j; n <= j <= length ==>
          @     (utf8_from{Pre}(text, j, length) <==> utf8_from(text, j, length));
          @ loop assigns n;
          @ loop variant n;
          @*/
        for (uint64_t n = length; n > 0; n--) {
            /*@ assert b0: kept{Pre, Here}(text, n - 1); */
            /*@ assert b1: n < length ==> kept{Pre, Here}(text, n); */
            /*@ assert b2: n + 1 < length ==> kept{Pre, Here}(text, n + 1); */
            /*@ assert b3: n + 2 < length ==> kept{Pre, Here}(text, n + 2); */
            /*@ assert step: utf8_from{Pre}(text, n - 1, length) <==>
              @   utf8_from(text, n - 1, length); */
        }
    }
    return size;
}

/* P4: what may be said is written, and read as it was. */
/*@ requires \valid_read(in) && \valid(bytes + (0 .. 10583)) && \valid(out) && \valid(error);
  @ requires in->name_count > 0 ==> \valid_read(names + (0 .. in->name_count - 1));
  @ requires \separated(bytes + (0 .. 10583), in, names + (0 .. in->name_count - 1), out, error);
  @ requires \forall integer i; 0 <= i < in->name_count ==>
  @     readable(names[i].bytes, names[i].size) && (names[i].size > 0 ==>
  @       \separated(bytes + (0 .. 10583), names[i].bytes + (0 .. names[i].size - 1)));
  @ requires places == l_controller_places(in->ordinal);
  @ requires side <= 1 && controller_known(in->ordinal, side);
  @ requires given: controller_given(in, names);
  @ terminates \true;
  @ assigns bytes[0 .. 10583], *out, *error;
  @ ensures ok: \result == FXT_OK;
  @ ensures head: out->ordinal == in->ordinal && out->transaction == in->transaction;
  @ ensures numbers: \forall integer i; 0 <= i < 8 ==> out->numbers[i] == in->numbers[i];
  @ ensures count: out->name_count == in->name_count;
  @ ensures names: \forall integer i; 0 <= i < in->name_count ==>
  @     name_says(out->names + 104 * i, \old(names[i].bytes), \old(names[i].size));
  @*/
static inline enum fxt_status
controller_there(uint8_t *bytes, const struct fxt_i_controller_packet *in,
                 const struct fxt_bytes *names, uint32_t places, enum fxt_i_controller_side side,
                 struct fxt_i_controller_packet *out, struct fxt_error *error)
{
    uint64_t size = controller_put(bytes, in, names);
    /*@ assert said: \forall integer i; 0 <= i < in->name_count ==>
      @   name_says(bytes + 80 + 104 * i, \at(names[i].bytes, Pre), \at(names[i].size, Pre)); */
    controller_written(bytes, in, names, places, side);
    return controller_read(bytes, size, in, names, side, out, error);
}

/* The packets of the FIFO. */

/* The text of an alert as it was, by its bytes: it has one length only. */
/*@ requires \valid_read(bytes + (0 .. 15)) && \valid_read(in) && \valid_read(out);
  @ requires 1 <= in->alert_length <= 14 && 1 <= out->alert_length <= 14;
  @ requires \forall integer i; 0 <= i < in->alert_length ==> in->alert[i] != 0;
  @ requires put: \forall integer i; 0 <= i < 14 ==>
  @     bytes[2 + i] == (i < in->alert_length ? in->alert[i] : 0);
  @ requires got: text_of(bytes, 2, 2 + out->alert_length, 16);
  @ requires here: \forall integer i; 0 <= i < 14 ==> out->alert[i] == bytes[2 + i];
  @ terminates \true;
  @ assigns \nothing;
  @ ensures length: out->alert_length == in->alert_length;
  @ ensures alert: \forall integer i; 0 <= i < in->alert_length ==> out->alert[i] == in->alert[i];
  @*/
static inline void alert_read(const uint8_t *bytes, const struct fxt_i_fifo *in,
                              const struct fxt_i_fifo *out)
{
    /*@ loop invariant at: 0 <= i <= 14;
      @ loop invariant length: \forall integer j; 0 <= j < i ==>
      @     (j < out->alert_length <==> j < in->alert_length);
      @ loop invariant same: \forall integer j; 0 <= j < i && j < in->alert_length ==>
      @     out->alert[j] == in->alert[j];
      @ loop assigns i;
      @ loop variant 14 - i;
      @*/
    for (unsigned i = 0; i < 14; i++) {
        /*@ assert in: bytes[2 + i] == (i < in->alert_length ? in->alert[i] : 0); */
        /*@ assert put: bytes[2 + i] != 0 <==> i < in->alert_length; */
        /*@ assert got: bytes[2 + i] != 0 <==> i < out->alert_length; */
        /*@ assert out: out->alert[i] == bytes[2 + i]; */
    }
    /*@ assert not_more: out->alert_length - 1 < in->alert_length; */
    /*@ assert not_less: in->alert_length - 1 < out->alert_length; */
}

/* P4. */
/*@ requires \valid_read(in) && \valid(bytes + (0 .. 15)) && \valid(out) && \valid(error);
  @ requires \separated(bytes + (0 .. 15), in, out, error);
  @ requires in->request \in {1, 2, 3, 4, 256, 257};
  @ requires in->request == 4 ==> 1 <= in->alert_length <= 14 &&
  @     \forall integer i; 0 <= i < in->alert_length ==> in->alert[i] != 0;
  @ terminates \true;
  @ assigns bytes[0 .. 15], *out, *error;
  @ ensures ok: \result == FXT_OK;
  @ ensures request: out->request == in->request;
  @ ensures half: in->request \in {2, 256} ==>
  @     out->wrapped_count == in->wrapped_count && out->durable_data_end == in->durable_data_end;
  @ ensures length: in->request == 4 ==> out->alert_length == in->alert_length;
  @ ensures alert: in->request == 4 ==>
  @     \forall integer i; 0 <= i < in->alert_length ==> out->alert[i] == in->alert[i];
  @*/
static inline enum fxt_status fifo_there(uint8_t *bytes, const struct fxt_i_fifo *in,
                                         struct fxt_i_fifo *out, struct fxt_error *error)
{
    enum fxt_i_side side = in->request >= FXT_I_BUFFER_SAVED ? FXT_I_OF_MANAGER : FXT_I_OF_PROVIDER;
    fxt_i_fifo_write(bytes, in);
    /*@ assert in: \forall integer i; 0 <= i < 14 ==> in->alert[i] == \at(in->alert[i], Pre); */
    /*@ assert request: in->request == \at(in->request, Pre); */
    /*@ assert length: in->alert_length == \at(in->alert_length, Pre); */
    /*@ ghost written:; */
    enum fxt_status status = fxt_i_fifo_read(out, bytes, 16, side, error);
    /*@ assert still: \forall integer i; 0 <= i < 14 ==> in->alert[i] == \at(in->alert[i], Pre); */
    /*@ assert bytes: \forall integer i; 0 <= i < 16 ==> bytes[i] == \at(bytes[i], written); */
    /*@ assert first: l_word(bytes) == \at(l_word(bytes), written); */
    /*@ assert second: l_word(bytes + 8) == \at(l_word(bytes + 8), written); */
    /*@ assert again_request: in->request == \at(in->request, Pre); */
    /*@ assert again_length: in->alert_length == \at(in->alert_length, Pre); */
    /*@ assert again_count: in->wrapped_count == \at(in->wrapped_count, Pre); */
    /*@ assert again_end: in->durable_data_end == \at(in->durable_data_end, Pre); */
    /*@ assert text: in->request == 4 ==> \forall integer i; 0 <= i < 14 ==>
      @   bytes[2 + i] == (i < in->alert_length ? in->alert[i] : 0); */
    if (in->request == FXT_I_ALERT)
        alert_read(bytes, in, out);
    return status;
}
