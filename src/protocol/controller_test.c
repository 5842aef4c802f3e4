/* The packets of a client's connection: each there and back, and each rule broken. */
#include "src/protocol/controller.h"

#include <string.h>

#include <criterion/criterion.h>

#define ANY UINT64_MAX
#define U32 UINT32_MAX

static uint8_t bytes[FXT_I_CONTROLLER_BYTES_MAX + 8];
static uint64_t size;
static struct fxt_i_controller_packet packet;
static struct fxt_error error;
static struct fxt_bytes names[102];
static char texts[102][100];

/* The tables of the specification, a second time. */
static const struct kind {
    uint16_t ordinal;
    enum fxt_i_controller_side side;
    uint16_t least; /* names */
    uint16_t places;
    struct {
        uint64_t least;
        uint64_t most;
    } numbers[FXT_I_NUMBERS];
} kinds[] = {
    {0x201, FXT_I_OF_CLIENT, 1, 101, {{0, 4096}}},
    {0x202, FXT_I_OF_CLIENT, 0, 100, {{1, 3}, {0, 4096}, {0, U32}, {0, 1}, {0, U32}}},
    {0x203, FXT_I_OF_CLIENT, 0, 100, {{1, 3}}},
    {0x204, FXT_I_OF_CLIENT, 0, 0, {{0, 1}}},
    {0x205, FXT_I_OF_CLIENT, 0, 0, {{0, 1}}},
    {0x206, FXT_I_OF_CLIENT, 0, 0, {{0, 0}}},
    {0x207, FXT_I_OF_CLIENT, 0, 0, {{0, 0}}},
    {0x208, FXT_I_OF_CLIENT, 0, 0, {{0, 0}}},
    {0x209, FXT_I_OF_CLIENT, 0, 0, {{0, 0}}},
    {0x20a, FXT_I_OF_CLIENT, 0, 0, {{0, 0}}},
    {0x241, FXT_I_OF_SERVICE, 0, 0, {{0, 10}, {0, ANY}, {0, 4095}}},
    {0x242, FXT_I_OF_SERVICE, 1, 1, {{0, U32}, {0, ANY}}},
    {0x243, FXT_I_OF_SERVICE, 2, 2, {{0, 0}}},
    {0x244,
     FXT_I_OF_SERVICE,
     1,
     1,
     {{0, ANY}, {1, 3}, {0, U32}, {0, ANY}, {0, 100}, {0, ANY}, {0, ANY}, {0, 63}}},
    {0x245, FXT_I_OF_SERVICE, 1, 1, {{0, 0}}},
    {0x246,
     FXT_I_OF_SERVICE,
     0,
     0,
     {{0, 7}, {0, 3}, {0, U32}, {0, ANY}, {0, ANY}, {0, ANY}, {0, ANY}, {0, 4095}}},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static uint64_t state = 1;

static uint64_t draw(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static uint64_t between(uint64_t least, uint64_t most)
{
    return most - least == UINT64_MAX ? draw() : least + draw() % (most - least + 1);
}

/* Names of 1 to 100 bytes, each of one letter, the next one of the next letter. */
static void make_names(void)
{
    for (int i = 0; i < 102; i++) {
        uint64_t length = between(1, 100);
        memset(texts[i], 'a' + i % 26, length);
        names[i] = (struct fxt_bytes){(const uint8_t *)texts[i], length};
    }
}

static struct fxt_i_controller_packet make(const struct kind *kind)
{
    struct fxt_i_controller_packet in = {.ordinal = kind->ordinal};

    make_names();
    in.transaction = kind->ordinal == 0x201 ? 0 : (uint32_t)draw();
    in.name_count = (uint16_t)between(kind->least, kind->places);
    for (int i = 0; i < FXT_I_NUMBERS; i++)
        in.numbers[i] = between(kind->numbers[i].least, kind->numbers[i].most);
    return in;
}

static struct fxt_i_controller_packet write_one(const struct kind *kind)
{
    struct fxt_i_controller_packet in = make(kind);

    memset(bytes, 0xee, sizeof bytes);
    size = fxt_i_controller_write(bytes, &in, names);
    cr_assert_eq(size, 80 + 104 * (uint64_t)kind->places, "%x", kind->ordinal);
    cr_expect_eq(bytes[size], 0xee);
    return in;
}

static const struct kind *kind_of(uint16_t ordinal)
{
    for (int i = 0; i < KINDS; i++)
        if (kinds[i].ordinal == ordinal)
            return &kinds[i];
    cr_assert_fail("no kind");
    return NULL;
}

static void expect_read(const struct kind *kind)
{
    cr_expect_eq(fxt_i_controller_read(&packet, bytes, size, kind->side, &error), FXT_OK, "%x: %s",
                 kind->ordinal, fxt_rule_id(error.rule));
}

static void expect_refused(const struct kind *kind, enum fxt_rule rule)
{
    memset(&packet, 0x77, sizeof packet);
    cr_expect_eq(fxt_i_controller_read(&packet, bytes, size, kind->side, &error), FXT_MALFORMED);
    cr_expect_eq(error.status, FXT_MALFORMED);
    cr_expect_eq(error.rule, rule, "%x: %s, not %s", kind->ordinal, fxt_rule_id(error.rule),
                 fxt_rule_id(rule));
    cr_expect_eq(packet.ordinal, 0x7777);
}

static void put_word(uint64_t at, uint64_t word)
{
    for (int i = 0; i < 8; i++)
        bytes[at + (uint64_t)i] = (uint8_t)(word >> (8 * i));
}

Test(controller, every_packet_there_and_back)
{
    for (int round = 0; round < 200; round++)
        for (int k = 0; k < KINDS; k++) {
            struct fxt_i_controller_packet in = write_one(&kinds[k]);
            memset(&packet, 0xee, sizeof packet);
            expect_read(&kinds[k]);
            cr_expect_eq(packet.ordinal, in.ordinal);
            cr_expect_eq(packet.transaction, in.transaction);
            cr_expect_eq(packet.name_count, in.name_count);
            cr_expect_arr_eq(packet.numbers, in.numbers, sizeof in.numbers);
            for (uint32_t i = 0; i < in.name_count; i++) {
                struct fxt_bytes name = fxt_i_packet_name(packet.names, i);
                cr_assert_eq(name.size, names[i].size);
                cr_expect_arr_eq(name.bytes, names[i].bytes, name.size);
            }
        }
}

Test(controller, fields_lie_where_the_specification_says)
{
    struct fxt_i_controller_packet in = {
        .ordinal = 0x202, .transaction = 0x89abcdef, .name_count = 1};
    uint8_t expected[FXT_I_CONTROLLER_BYTES_MAX] = {1, 0, 0x02, 2, 0xef, 0xcd, 0xab, 0x89, 1};

    names[0] = (struct fxt_bytes){(const uint8_t *)"net", 3};
    in.numbers[0] = 2;
    in.numbers[1] = 0x0102;
    in.numbers[3] = 1;
    expected[16] = 2;
    expected[24] = 2;
    expected[25] = 1;
    expected[40] = 1;
    expected[80] = 3;
    memcpy(expected + 84, "net", 3);
    cr_assert_eq(fxt_i_controller_write(bytes, &in, names), 10480);
    cr_expect_arr_eq(bytes, expected, 10480);
}

Test(controller, each_number_is_refused_outside_of_its_range_and_taken_at_its_ends)
{
    for (int k = 0; k < KINDS; k++)
        for (int i = 0; i < FXT_I_NUMBERS; i++) {
            uint64_t at = 16 + 8 * (uint64_t)i;
            uint64_t least = kinds[k].numbers[i].least;
            uint64_t most = kinds[k].numbers[i].most;
            struct fxt_i_controller_packet in = write_one(&kinds[k]);
            put_word(at, least);
            expect_read(&kinds[k]);
            put_word(at, most);
            expect_read(&kinds[k]);
            if (least > 0) {
                put_word(at, least - 1);
                expect_refused(&kinds[k], FXT_RULE_CTL_09);
                in.numbers[i] = least - 1;
                cr_expect_eq(fxt_i_controller_write(bytes, &in, names), 0);
            }
            if (most == ANY)
                continue;
            write_one(&kinds[k]);
            put_word(at, most + 1);
            expect_refused(&kinds[k], FXT_RULE_CTL_09);
            put_word(at, least + (UINT64_C(1) << 63));
            expect_refused(&kinds[k], FXT_RULE_CTL_09);
            in = make(&kinds[k]);
            in.numbers[i] = most + 1;
            cr_expect_eq(fxt_i_controller_write(bytes, &in, names), 0);
        }
}

Test(controller, each_truncation_and_one_byte_more_are_refused)
{
    for (int k = 0; k < KINDS; k++) {
        write_one(&kinds[k]);
        uint64_t whole = size;
        for (size = 0; size < whole; size++)
            expect_refused(&kinds[k], FXT_RULE_CTL_01);
        size = whole + 1;
        expect_refused(&kinds[k], FXT_RULE_CTL_01);
    }
}

Test(controller, the_other_side_and_other_versions_are_refused)
{
    for (int k = 0; k < KINDS; k++) {
        struct kind other = kinds[k];
        other.side = 1 - other.side;
        write_one(&kinds[k]);
        expect_refused(&other, FXT_RULE_CTL_03);
        for (unsigned version = 0; version < 65536; version++)
            if (version != 1) {
                bytes[0] = (uint8_t)version;
                bytes[1] = (uint8_t)(version >> 8);
                expect_refused(&kinds[k], FXT_RULE_CTL_02);
            }
    }
}

Test(controller, unknown_ordinals_are_refused)
{
    struct fxt_i_controller_packet in = {0};
    unsigned known = 0;

    for (unsigned ordinal = 0; ordinal < 65536; ordinal++) {
        bytes[0] = 1;
        bytes[2] = (uint8_t)ordinal;
        bytes[3] = (uint8_t)(ordinal >> 8);
        for (int side = 0; side <= 1; side++) {
            fxt_i_controller_read(&packet, bytes, 9, (enum fxt_i_controller_side)side, &error);
            known += error.rule != FXT_RULE_CTL_03;
        }
    }
    cr_expect_eq(known, KINDS);
    for (unsigned ordinal = 0; ordinal < 65536; ordinal++) {
        in.ordinal = (uint16_t)ordinal;
        if ((ordinal < 0x201 || ordinal > 0x20a) && (ordinal < 0x241 || ordinal > 0x246))
            cr_expect_eq(fxt_i_controller_write(bytes, &in, names), 0);
    }
}

Test(controller, transaction_is_zero_where_nothing_is_answered)
{
    struct fxt_i_controller_packet in = write_one(kind_of(FXT_I_PROVIDER_SPEC));

    for (uint64_t i = 4; i < 8; i++) {
        bytes[i] = 1;
        expect_refused(kind_of(FXT_I_PROVIDER_SPEC), FXT_RULE_CTL_07);
        bytes[i] = 0;
    }
    in.transaction = 1;
    cr_expect_eq(fxt_i_controller_write(bytes, &in, names), 0);
    for (int k = 1; k < KINDS; k++)
        for (int round = 0; round < 2; round++) {
            write_one(&kinds[k]);
            memset(bytes + 4, round == 0 ? 0 : 0xff, 4);
            expect_read(&kinds[k]);
        }
}

Test(controller, count_of_names_is_in_its_range)
{
    for (int k = 0; k < KINDS; k++) {
        struct fxt_i_controller_packet in = write_one(&kinds[k]);
        put_word(8, kinds[k].places + 1u);
        expect_refused(&kinds[k], FXT_RULE_CTL_05);
        put_word(8, in.name_count + (UINT64_C(1) << 32));
        expect_refused(&kinds[k], FXT_RULE_CTL_05);
        in.name_count = (uint16_t)(kinds[k].places + 1);
        cr_expect_eq(fxt_i_controller_write(bytes, &in, names), 0);
        if (kinds[k].least == 0)
            continue;
        write_one(&kinds[k]);
        put_word(8, kinds[k].least - 1u);
        expect_refused(&kinds[k], FXT_RULE_CTL_05);
        in.name_count = (uint16_t)(kinds[k].least - 1);
        cr_expect_eq(fxt_i_controller_write(bytes, &in, names), 0);
    }
}

/* Behind the last name there are zeros, in its place and in those that hold none. */
Test(controller, bytes_that_are_not_of_a_name_are_zero)
{
    for (int k = 0; k < KINDS; k++) {
        const struct kind *kind = &kinds[k];
        if (kind->places == 0)
            continue;
        struct fxt_i_controller_packet in = make(kind);
        in.name_count = kind->least;
        for (uint32_t i = 0; i < kind->least; i++)
            names[i].size = 1;
        size = fxt_i_controller_write(bytes, &in, names);
        cr_assert_neq(size, 0);
        for (uint64_t at = 80; at < size; at++) {
            bool is_used = at < 80 + 104 * (uint64_t)kind->least;
            if (is_used && ((at - 80) % 104 < 2 || (at - 80) % 104 == 4))
                continue;
            bytes[at] ^= 1;
            expect_refused(kind, is_used ? FXT_RULE_CTL_04 : FXT_RULE_CTL_05);
            bytes[at] ^= 1;
        }
        expect_read(kind);
    }
}

Test(controller, names_are_of_1_to_100_bytes_of_utf8)
{
    static const uint16_t ordinals[] = {0x201, 0x242, 0x243, 0x244, 0x245};
    char text[102];

    memset(text, 'x', sizeof text);
    for (unsigned i = 0; i < sizeof ordinals / sizeof ordinals[0]; i++) {
        const struct kind *kind = kind_of(ordinals[i]);
        struct fxt_i_controller_packet in = make(kind);
        uint32_t last = in.name_count - 1u;
        for (uint64_t length = 0; length <= 101; length++) {
            bool is_good = length <= 100 && (length > 0 || in.ordinal == 0x243);
            names[last] = (struct fxt_bytes){(const uint8_t *)text, length};
            size = fxt_i_controller_write(bytes, &in, names);
            cr_expect_eq(size, is_good ? 80 + 104 * (uint64_t)kind->places : 0);
        }
        names[last].size = 100;
        size = fxt_i_controller_write(bytes, &in, names);
        bytes[80 + 104 * last] = 101;
        expect_refused(kind, FXT_RULE_CTL_04);
        bytes[80 + 104 * last] = 100;
        bytes[80 + 104 * last + 4 + 50] = 0;
        expect_refused(kind, FXT_RULE_CTL_04);
        bytes[80 + 104 * last + 4 + 50] = 0xff;
        expect_refused(kind, FXT_RULE_CTL_08);
        names[last] = (struct fxt_bytes){(const uint8_t *)"a\0b", 3};
        cr_expect_eq(fxt_i_controller_write(bytes, &in, names), 0);
        names[last] = (struct fxt_bytes){(const uint8_t *)"\xed\xa0\x80", 3};
        cr_expect_eq(fxt_i_controller_write(bytes, &in, names), 0);
    }
}

Test(controller, category_has_a_name_and_its_description_may_be_empty)
{
    const struct kind *kind = kind_of(FXT_I_CATEGORY_INFO);

    write_one(kind);
    memset(bytes + 80 + 104, 0, 104);
    expect_read(kind);
    memset(bytes + 80, 0, 104);
    expect_refused(kind, FXT_RULE_CTL_04);
}

/* What is read writes back to the same bytes. */
static void expect_same(void)
{
    static uint8_t again[FXT_I_CONTROLLER_BYTES_MAX];

    for (uint32_t i = 0; i < packet.name_count; i++)
        names[i] = fxt_i_packet_name(packet.names, i);
    cr_assert_eq(fxt_i_controller_write(again, &packet, names), size);
    cr_expect_arr_eq(again, bytes, size);
}

Test(controller, any_bytes_are_read_or_refused)
{
    unsigned good = 0;

    for (int round = 0; round < 20000; round++) {
        const struct kind *kind = &kinds[draw() % KINDS];
        write_one(kind);
        for (uint64_t changes = draw() % 4; changes > 0; changes--)
            bytes[draw() % (draw() % 2 ? size : 80)] = (uint8_t)(draw() >> draw() % 8);
        if (draw() % 8 == 0)
            size = draw() % sizeof bytes;
        if (fxt_i_controller_read(&packet, bytes, size, kind->side, &error) == FXT_OK) {
            good++;
            expect_same();
        }
    }
    cr_expect(good > 5000 && good < 15000, "%u", good);
    for (int round = 0; round < 2000; round++) {
        for (uint64_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)draw();
        for (int side = 0; side <= 1; side++)
            fxt_i_controller_read(&packet, bytes, draw() % sizeof bytes,
                                  (enum fxt_i_controller_side)side, &error);
    }
}
