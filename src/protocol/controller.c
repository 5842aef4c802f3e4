/* The packets of a client's connection to the manager. All packets begin alike, with a header, a
   count of names and eight numbers. Two tables describe what depends on the ordinal: shape_of and
   limits_of. */
#include "src/protocol/controller.h"

#include "src/base/word.h"

#define COUNT_AT 8
#define NUMBERS_AT 16
#define NAMES_AT 80

/* The form of the packets of an ordinal. */
struct shape {
    uint16_t least;  /* least number of names */
    uint16_t places; /* places for names: the most names */
    uint16_t odd;    /* least length in bytes of the names in odd places */
    uint16_t side;   /* the side that sends it */
    bool is_known;
    bool is_answered; /* a request with an answer, or an answer */
};

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures known: \result.is_known == true <==>
  @     controller_known(ordinal, 0) || controller_known(ordinal, 1);
  @ ensures side: \result.is_known == true ==>
  @     \result.side <= 1 && controller_known(ordinal, \result.side);
  @ ensures other: \result.is_known == true ==> !controller_known(ordinal, 1 - \result.side);
  @ ensures least: \result.least == l_controller_least(ordinal);
  @ ensures places: \result.places == l_controller_places(ordinal);
  @ ensures odd: \result.odd == l_controller_odd(ordinal);
  @ ensures answered: \result.is_answered == true <==> ordinal != 0x201;
  @*/
static struct shape shape_of(uint16_t ordinal)
{
    switch (ordinal) {
    case FXT_I_PROVIDER_SPEC:
        return (struct shape){1, 101, 1, FXT_I_OF_CLIENT, true, false};
    case FXT_I_INITIALIZE_TRACING:
    case FXT_I_START_TRACING:
        return (struct shape){0, 100, 1, FXT_I_OF_CLIENT, true, true};
    case FXT_I_STOP_TRACING:
    case FXT_I_TERMINATE_TRACING:
    case FXT_I_GET_PROVIDERS:
    case FXT_I_GET_CATEGORIES:
    case FXT_I_WATCH_ALERT:
    case FXT_I_FLUSH_BUFFERS:
    case FXT_I_GET_STATUS:
        return (struct shape){0, 0, 1, FXT_I_OF_CLIENT, true, true};
    case FXT_I_DONE:
    case FXT_I_STATE:
        return (struct shape){0, 0, 1, FXT_I_OF_SERVICE, true, true};
    case FXT_I_PROVIDER_INFO:
    case FXT_I_STATISTICS:
    case FXT_I_ALERTED:
        return (struct shape){1, 1, 1, FXT_I_OF_SERVICE, true, true};
    case FXT_I_CATEGORY_INFO:
        return (struct shape){2, 2, 0, FXT_I_OF_SERVICE, true, true};
    default:
        return (struct shape){0, 0, 1, FXT_I_OF_CLIENT, false, true};
    }
}

/*@ requires places <= 101;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == 80 + 104 * places;
  @*/
static uint64_t size_of(uint32_t places)
{
    return NAMES_AT + FXT_I_NAME_PLACE * (uint64_t)places;
}

/* The range of a number. 0 to 0 if the packet does not have that number. */
struct limits {
    uint64_t least;
    uint64_t most;
};

#define NUMBER(ordinal, n) (UINT32_C(8) * (ordinal) + (n))

/*@ requires n < 8;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures least: \result.least == l_number_least(ordinal, n);
  @ ensures most: \result.most == l_number_most(ordinal, n);
  @*/
static struct limits limits_of(uint16_t ordinal, uint32_t n)
{
    switch (NUMBER(ordinal, n)) {
    case NUMBER(FXT_I_INITIALIZE_TRACING, 3): /* defer transfer */
    case NUMBER(FXT_I_STOP_TRACING, 0):       /* write results */
    case NUMBER(FXT_I_TERMINATE_TRACING, 0):
        return (struct limits){0, 1};
    case NUMBER(FXT_I_INITIALIZE_TRACING, 0): /* mode */
    case NUMBER(FXT_I_START_TRACING, 0):      /* disposition */
    case NUMBER(FXT_I_STATISTICS, 1):         /* mode */
        return (struct limits){1, 3};
    case NUMBER(FXT_I_STATE, 1): /* mode */
        return (struct limits){0, 3};
    case NUMBER(FXT_I_STATE, 0): /* state */
        return (struct limits){0, 7};
    case NUMBER(FXT_I_DONE, 0): /* error */
        return (struct limits){0, 10};
    case NUMBER(FXT_I_STATISTICS, 7): /* flags */
        return (struct limits){0, 63};
    case NUMBER(FXT_I_STATISTICS, 4): /* percent */
        return (struct limits){0, 100};
    case NUMBER(FXT_I_DONE, 2): /* errno */
    case NUMBER(FXT_I_STATE, 7):
        return (struct limits){0, 4095};
    case NUMBER(FXT_I_PROVIDER_SPEC, 0): /* MiB */
    case NUMBER(FXT_I_INITIALIZE_TRACING, 1):
        return (struct limits){0, 4096};
    case NUMBER(FXT_I_INITIALIZE_TRACING, 2): /* start timeout */
    case NUMBER(FXT_I_INITIALIZE_TRACING, 4): /* stop timeout */
    case NUMBER(FXT_I_PROVIDER_INFO, 0):      /* id */
    case NUMBER(FXT_I_STATISTICS, 2):         /* wrapped count */
    case NUMBER(FXT_I_STATE, 2):              /* providers */
        return (struct limits){0, UINT32_MAX};
    case NUMBER(FXT_I_DONE, 1):          /* packets before it */
    case NUMBER(FXT_I_PROVIDER_INFO, 1): /* process */
    case NUMBER(FXT_I_STATISTICS, 0):    /* process */
    case NUMBER(FXT_I_STATISTICS, 3):    /* records dropped */
    case NUMBER(FXT_I_STATISTICS, 5):    /* bytes written */
    case NUMBER(FXT_I_STATISTICS, 6):    /* records refused */
    case NUMBER(FXT_I_STATE, 3):         /* bytes written */
    case NUMBER(FXT_I_STATE, 4):         /* records dropped */
    case NUMBER(FXT_I_STATE, 5):         /* ns since the start */
    case NUMBER(FXT_I_STATE, 6):         /* records refused */
        return (struct limits){0, UINT64_MAX};
    default:
        return (struct limits){0, 0};
    }
}

/* Reading. */

/*@ requires \valid_read(bytes + (0 .. 79));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures \result == true <==> numbers_formed(bytes, ordinal);
  @*/
static bool are_numbers(const uint8_t *bytes, uint16_t ordinal)
{
    /*@ loop invariant at: 0 <= i <= 8;
      @ loop invariant formed: \forall integer j; 0 <= j < i ==>
      @     l_number_least(ordinal, j) <= l_controller_number(bytes, j) <=
      @     l_number_most(ordinal, j);
      @ loop assigns i;
      @ loop variant 8 - i;
      @*/
    for (uint32_t i = 0; i < FXT_I_NUMBERS; i++) {
        uint64_t number = fxt_load_word(bytes + NUMBERS_AT + 8 * i);
        struct limits limits = limits_of(ordinal, i);
        if (number < limits.least || number > limits.most)
            return false;
    }
    return true;
}

/* The rule that a packet breaks, or FXT_RULE_NONE. */
/*@ requires readable(bytes, size) && side <= 1;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures rule: \result == FXT_RULE_NONE || FXT_RULE_CTL_01 <= \result <= FXT_RULE_CTL_09;
  @ ensures formed: \result == FXT_RULE_NONE <==> controller_formed(bytes, size, side);
  @*/
static enum fxt_rule broken(const uint8_t *bytes, uint64_t size, uint32_t side)
{
    if (size < COUNT_AT)
        return FXT_RULE_CTL_01;
    uint64_t first = fxt_load_word(bytes);
    if (first % 65536 != FXT_I_CONTROLLER_VERSION)
        return FXT_RULE_CTL_02;
    uint16_t ordinal = (uint16_t)(first / 65536 % 65536);
    struct shape shape = shape_of(ordinal);
    if (!shape.is_known || shape.side != side)
        return FXT_RULE_CTL_03;
    if (size != size_of(shape.places))
        return FXT_RULE_CTL_01;
    if (!shape.is_answered && first / UINT64_C(4294967296) != 0)
        return FXT_RULE_CTL_07;
    if (!are_numbers(bytes, ordinal))
        return FXT_RULE_CTL_09;
    uint64_t count = fxt_load_word(bytes + COUNT_AT);
    if (count < shape.least || count > shape.places)
        return FXT_RULE_CTL_05;
    return fxt_i_names_broken(bytes + NAMES_AT, (uint32_t)count, shape.places, shape.odd);
}

/* The approximate offset of the violation. */
/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result <= 80;
  @*/
static uint64_t place_of(enum fxt_rule rule)
{
    switch (rule) {
    case FXT_RULE_CTL_03:
        return 2;
    case FXT_RULE_CTL_07:
        return 4;
    case FXT_RULE_CTL_05:
        return COUNT_AT;
    case FXT_RULE_CTL_09:
        return NUMBERS_AT;
    case FXT_RULE_CTL_04:
    case FXT_RULE_CTL_08:
        return NAMES_AT;
    default:
        return 0;
    }
}

/*@ requires \valid(out) && \valid_read(bytes + (0 .. 79));
  @ requires \separated(out, bytes + (0 .. 79));
  @ requires l_word(bytes + 8) <= 101;
  @ terminates \true;
  @ assigns *out;
  @ ensures header: out->ordinal == l_packet_ordinal(bytes) &&
  @     out->transaction == l_packet_transaction(bytes);
  @ ensures names: out->name_count == l_word(bytes + 8) && out->names == bytes + 80;
  @ ensures numbers: \forall integer i; 0 <= i < 8 ==>
  @     out->numbers[i] == l_controller_number(bytes, i);
  @*/
static void decode(struct fxt_i_controller_packet *out, const uint8_t *bytes)
{
    uint64_t first = fxt_load_word(bytes);

    out->names = bytes + NAMES_AT;
    out->transaction = (uint32_t)(first / UINT64_C(4294967296));
    out->ordinal = (uint16_t)(first / 65536 % 65536);
    out->name_count = (uint16_t)fxt_load_word(bytes + COUNT_AT);
    /*@ loop invariant at: 0 <= i <= 8;
      @ loop invariant numbers: \forall integer j; 0 <= j < i ==>
      @     out->numbers[j] == l_controller_number(bytes, j);
      @ loop assigns i, out->numbers[0 .. 7];
      @ loop variant 8 - i;
      @*/
    for (uint32_t i = 0; i < FXT_I_NUMBERS; i++)
        out->numbers[i] = fxt_load_word(bytes + NUMBERS_AT + 8 * i);
}

enum fxt_status fxt_i_controller_read(struct fxt_i_controller_packet *out, const uint8_t *bytes,
                                      uint64_t size, enum fxt_i_controller_side side,
                                      struct fxt_error *error)
{
    enum fxt_rule rule = broken(bytes, size, (uint32_t)side);

    if (rule != FXT_RULE_NONE) {
        error->offset = place_of(rule);
        error->status = FXT_MALFORMED;
        error->rule = rule;
        return FXT_MALFORMED;
    }
    decode(out, bytes);
    return FXT_OK;
}

/* Writing. */

/*@ requires n < 8 && \valid(bytes + (0 .. 79));
  @ terminates \true;
  @ assigns bytes[16 + 8 * n .. 23 + 8 * n];
  @ ensures number: l_controller_number(bytes, n) == number;
  @ ensures kept: \forall integer i; 0 <= i < n ==>
  @     l_controller_number(bytes, i) == \old(l_controller_number(bytes, i));
  @*/
static void put_number(uint8_t *bytes, uint32_t n, uint64_t number)
{
    fxt_store_word(bytes + NUMBERS_AT + 8 * n, number);
}

/* Writes the 80 bytes before the names. */
/*@ requires \valid_read(in) && \valid(bytes + (0 .. 79)) && \separated(in, bytes + (0 .. 79));
  @ terminates \true;
  @ assigns bytes[0 .. 79];
  @ ensures header: l_packet_version(bytes) == 1 && l_packet_ordinal(bytes) == in->ordinal &&
  @     l_packet_transaction(bytes) == in->transaction;
  @ ensures count: l_word(bytes + 8) == in->name_count;
  @ ensures numbers: \forall integer i; 0 <= i < 8 ==>
  @     l_controller_number(bytes, i) == in->numbers[i];
  @*/
static void put_head(uint8_t *bytes, const struct fxt_i_controller_packet *in)
{
    uint64_t first = FXT_I_CONTROLLER_VERSION + UINT64_C(65536) * in->ordinal +
                     UINT64_C(4294967296) * in->transaction;
    /*@ assert version: first % 65536 == 1; */
    /*@ assert ordinal: first / 65536 % 65536 == in->ordinal; */
    /*@ assert transaction: first / 4294967296 == in->transaction; */

    fxt_store_word(bytes, first);
    fxt_store_word(bytes + COUNT_AT, in->name_count);
    /*@ loop invariant at: 0 <= i <= 8;
      @ loop invariant header: l_packet_version(bytes) == 1 &&
      @     l_packet_ordinal(bytes) == in->ordinal &&
      @     l_packet_transaction(bytes) == in->transaction;
      @ loop invariant count: l_word(bytes + 8) == in->name_count;
      @ loop invariant numbers: \forall integer j; 0 <= j < i ==>
      @     l_controller_number(bytes, j) == in->numbers[j];
      @ loop assigns i, bytes[16 .. 79];
      @ loop variant 8 - i;
      @*/
    for (uint32_t i = 0; i < FXT_I_NUMBERS; i++)
        put_number(bytes, i, in->numbers[i]);
}

uint64_t fxt_i_controller_write(uint8_t bytes[FXT_I_CONTROLLER_BYTES_MAX],
                                const struct fxt_i_controller_packet *in,
                                const struct fxt_bytes *names)
{
    struct shape shape = shape_of(in->ordinal);
    uint64_t size = size_of(shape.places);

    if (!shape.is_known || in->name_count > shape.places)
        return 0;
    put_head(bytes, in);
    if (!fxt_i_names_put(bytes + NAMES_AT, names, in->name_count, shape.places))
        return 0;
    /*@ assert numbers: \forall integer i; 0 <= i < 8 ==>
      @   l_controller_number(bytes, i) == in->numbers[i]; */
    /*@ assert head: l_packet_version(bytes) == 1 && l_packet_ordinal(bytes) == in->ordinal &&
      @   l_packet_transaction(bytes) == in->transaction && l_word(bytes + 8) == in->name_count; */
    return broken(bytes, size, shape.side) == FXT_RULE_NONE ? size : 0;
}
