/* The packets of a connection: each there and back, and each rule broken. */
#include "src/protocol/packet.h"

#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>

static uint8_t bytes[FXT_I_PACKET_BYTES_MAX + 8];
static uint64_t size;
static struct fxt_i_packet packet;
static struct fxt_error error;
static struct fxt_bytes names[200];
static char texts[200][101];

/* Names n0, n1 … of rising length. */
static void make_names(void)
{
    for (int i = 0; i < 200; i++) {
        int n = snprintf(texts[i], sizeof texts[i], "n%d", i);
        memset(texts[i] + n, 'x', (size_t)(i % 97));
        names[i] = (struct fxt_bytes){(const uint8_t *)texts[i], (uint64_t)(n + i % 97)};
    }
}

static void write_packet(struct fxt_i_packet in)
{
    make_names();
    memset(bytes, 0xee, sizeof bytes);
    size = fxt_i_packet_write(bytes, &in, names);
    cr_assert_neq(size, 0);
    cr_expect_eq(bytes[size], 0xee);
}

static enum fxt_i_side sender_of(uint16_t ordinal)
{
    return ordinal == FXT_I_REGISTER || ordinal == FXT_I_REGISTER_SYNCHRONOUSLY ||
                   ordinal == FXT_I_KNOWN_CATEGORIES
               ? FXT_I_OF_PROVIDER
               : FXT_I_OF_MANAGER;
}

static void expect_refused(enum fxt_rule rule)
{
    uint16_t ordinal = (uint16_t)(bytes[2] + 256 * bytes[3]);
    packet.ordinal = 77;
    cr_expect_eq(fxt_i_packet_read(&packet, bytes, size, sender_of(ordinal), &error),
                 FXT_MALFORMED);
    cr_expect_eq(error.rule, rule, "%s, not %s", fxt_rule_id(error.rule), fxt_rule_id(rule));
    cr_expect_eq(packet.ordinal, 77);
}

static const struct {
    struct fxt_i_packet in;
    uint64_t size;
    uint32_t used; /* places of names */
} packets[] = {
    {{.ordinal = FXT_I_REGISTER, .process = 0x0123456789abcdef, .name_count = 1}, 120, 1},
    {{.ordinal = FXT_I_REGISTER_SYNCHRONOUSLY, .transaction = 5, .process = 1, .name_count = 1},
     120,
     1},
    {{.ordinal = FXT_I_REGISTERED, .transaction = 5, .status = (uint32_t)-20, .choice = 1}, 16, 0},
    {{.ordinal = FXT_I_INITIALIZE, .choice = 3, .name_count = 100}, 10416, 100},
    {{.ordinal = FXT_I_INITIALIZE, .choice = 1}, 10416, 0},
    {{.ordinal = FXT_I_START, .choice = 2, .name_count = 7}, 10416, 7},
    {{.ordinal = FXT_I_STOP}, 8, 0},
    {{.ordinal = FXT_I_TERMINATE}, 8, 0},
    {{.ordinal = FXT_I_GET_KNOWN_CATEGORIES, .transaction = UINT32_MAX}, 8, 0},
    {{.ordinal = FXT_I_KNOWN_CATEGORIES, .transaction = 9, .name_count = 100}, 20816, 200},
    {{.ordinal = FXT_I_KNOWN_CATEGORIES, .transaction = 9, .name_count = 3}, 20816, 6},
};
enum { PACKETS = sizeof packets / sizeof packets[0] };

/* What was read writes back to the same bytes. */
static void expect_same(uint32_t used)
{
    static uint8_t again[FXT_I_PACKET_BYTES_MAX];
    struct fxt_bytes read[200];

    for (uint32_t place = 0; place < used; place++)
        read[place] = fxt_i_packet_name(packet.names, place);
    cr_assert_eq(fxt_i_packet_write(again, &packet, read), size);
    cr_expect_arr_eq(again, bytes, size);
}

Test(packet, every_packet_there_and_back)
{
    for (int i = 0; i < PACKETS; i++) {
        const struct fxt_i_packet *in = &packets[i].in;
        write_packet(*in);
        cr_expect_eq(size, packets[i].size);
        memset(&packet, 0xee, sizeof packet);
        cr_assert_eq(fxt_i_packet_read(&packet, bytes, size, sender_of(in->ordinal), &error),
                     FXT_OK, "%d: %s", i, fxt_rule_id(error.rule));
        cr_expect_eq(packet.ordinal, in->ordinal);
        cr_expect_eq(packet.transaction, in->transaction);
        cr_expect_eq(packet.process, in->process);
        cr_expect_eq(packet.status, in->status);
        cr_expect_eq(packet.choice, in->choice);
        cr_expect_eq(packet.name_count, in->name_count);
        for (uint32_t place = 0; place < packets[i].used; place++) {
            struct fxt_bytes name = fxt_i_packet_name(packet.names, place);
            cr_assert_eq(name.size, names[place].size);
            cr_expect_arr_eq(name.bytes, names[place].bytes, name.size);
        }
        expect_same(packets[i].used);
    }
}

Test(packet, other_sizes_other_versions_and_the_other_side_are_refused)
{
    for (int i = 0; i < PACKETS; i++) {
        const struct fxt_i_packet *in = &packets[i].in;
        enum fxt_i_side side = sender_of(in->ordinal);
        write_packet(*in);
        for (uint64_t other = 0; other <= packets[i].size + 8; other += other < 32 ? 1 : 104)
            cr_expect_eq(fxt_i_packet_read(&packet, bytes, other, side, &error),
                         other == size ? FXT_OK : FXT_MALFORMED);
        cr_expect_eq(fxt_i_packet_read(&packet, bytes, size, 1 - side, &error), FXT_MALFORMED);
        cr_expect_eq(error.rule, FXT_RULE_CTL_03);
        bytes[0] = 2;
        expect_refused(FXT_RULE_CTL_02);
        bytes[0] = 1;
        bytes[1] = 1;
        expect_refused(FXT_RULE_CTL_02);
    }
}

Test(packet, unknown_ordinals_are_refused)
{
    int known = 0;
    for (unsigned ordinal = 0; ordinal < 65536; ordinal++) {
        bytes[0] = 1;
        bytes[2] = (uint8_t)ordinal;
        bytes[3] = (uint8_t)(ordinal >> 8);
        for (int side = 0; side <= 1; side++) {
            fxt_i_packet_read(&packet, bytes, 9, (enum fxt_i_side)side, &error);
            known += error.rule != FXT_RULE_CTL_03;
        }
    }
    cr_expect_eq(known, 9);
}

Test(packet, transaction_is_zero_where_nothing_is_answered)
{
    for (int i = 0; i < PACKETS; i++) {
        write_packet(packets[i].in);
        bytes[7] = 1;
        if (packets[i].in.transaction == 0)
            expect_refused(FXT_RULE_CTL_07);
    }
}

/* What a name may be: the first place of a packet that registers. */
Test(packet, names_are_of_1_to_100_bytes_with_zeros_behind)
{
    const struct fxt_i_packet in = {.ordinal = FXT_I_REGISTER, .name_count = 1};
    write_packet(in);
    bytes[16] = 0;
    expect_refused(FXT_RULE_CTL_04);
    write_packet(in);
    bytes[16] = 1; /* shorter than it is */
    expect_refused(FXT_RULE_CTL_04);
    write_packet(in);
    bytes[16] = 3; /* longer */
    expect_refused(FXT_RULE_CTL_04);
    write_packet(in);
    bytes[17] = 1;
    expect_refused(FXT_RULE_CTL_04);
    write_packet(in);
    bytes[18] = 1;
    expect_refused(FXT_RULE_CTL_04);
    write_packet(in);
    bytes[119] = 'x';
    expect_refused(FXT_RULE_CTL_04);
    memset(bytes + 20, 'x', 100);
    bytes[16] = 100;
    cr_expect_eq(fxt_i_packet_read(&packet, bytes, size, FXT_I_OF_PROVIDER, &error), FXT_OK);
    bytes[16] = 101;
    expect_refused(FXT_RULE_CTL_04);
    bytes[16] = 100;
    bytes[119] = 0xff;
    expect_refused(FXT_RULE_CTL_08);
}

Test(packet, description_may_be_empty_and_a_category_may_not)
{
    write_packet((struct fxt_i_packet){
        .ordinal = FXT_I_KNOWN_CATEGORIES, .transaction = 1, .name_count = 2});
    memset(bytes + 16 + 104, 0, 104);
    cr_expect_eq(fxt_i_packet_read(&packet, bytes, size, FXT_I_OF_PROVIDER, &error), FXT_OK);
    memset(bytes + 16 + 2 * 104, 0, 104);
    expect_refused(FXT_RULE_CTL_04);
}

Test(packet, one_name_too_many_and_places_that_are_not_empty_are_refused)
{
    static const uint16_t ordinals[] = {FXT_I_INITIALIZE, FXT_I_START, FXT_I_KNOWN_CATEGORIES};
    for (int i = 0; i < 3; i++) {
        struct fxt_i_packet in = {.ordinal = ordinals[i], .choice = 1, .name_count = 5};
        int count_at = i < 2 ? 10 : 8;
        write_packet(in);
        bytes[count_at] = 101;
        expect_refused(FXT_RULE_CTL_05);
        bytes[count_at] = 4;
        expect_refused(FXT_RULE_CTL_05);
        bytes[count_at] = 6;
        expect_refused(FXT_RULE_CTL_04);
        bytes[count_at] = 5;
        bytes[size - 1] = 1;
        expect_refused(FXT_RULE_CTL_05);
        in.name_count = 101;
        make_names();
        cr_expect_eq(fxt_i_packet_write(bytes, &in, names), 0);
    }
}

Test(packet, choices_and_reserved_bytes_are_looked_at)
{
    static const uint16_t ordinals[] = {FXT_I_INITIALIZE, FXT_I_START};
    for (int i = 0; i < 2; i++)
        for (unsigned choice = 0; choice < 65536; choice++) {
            if (choice == 0)
                write_packet((struct fxt_i_packet){.ordinal = ordinals[i], .choice = 1});
            bytes[8] = (uint8_t)choice;
            bytes[9] = (uint8_t)(choice >> 8);
            if (choice < 1 || choice > 3)
                expect_refused(FXT_RULE_CTL_06);
        }
    write_packet((struct fxt_i_packet){.ordinal = FXT_I_START, .choice = 1});
    bytes[12] = 1;
    expect_refused(FXT_RULE_CTL_07);
    write_packet((struct fxt_i_packet){.ordinal = FXT_I_REGISTERED, .choice = 1});
    bytes[12] = 2;
    expect_refused(FXT_RULE_CTL_06);
    write_packet((struct fxt_i_packet){.ordinal = FXT_I_REGISTERED});
    bytes[15] = 1;
    expect_refused(FXT_RULE_CTL_06);
    write_packet((struct fxt_i_packet){.ordinal = FXT_I_KNOWN_CATEGORIES});
    bytes[10] = 1;
    expect_refused(FXT_RULE_CTL_07);
}

static void expect_unwritten(struct fxt_i_packet in)
{
    cr_expect_eq(fxt_i_packet_write(bytes, &in, names), 0);
}

Test(packet, what_cannot_be_read_is_not_written)
{
    make_names();
    expect_unwritten((struct fxt_i_packet){.ordinal = 0x104});
    expect_unwritten((struct fxt_i_packet){.ordinal = FXT_I_REGISTER, .transaction = 1});
    expect_unwritten((struct fxt_i_packet){.ordinal = FXT_I_REGISTERED, .choice = 2});
    expect_unwritten((struct fxt_i_packet){.ordinal = FXT_I_START});
    expect_unwritten((struct fxt_i_packet){.ordinal = FXT_I_START, .choice = 4});
    expect_unwritten((struct fxt_i_packet){.ordinal = FXT_I_START, .choice = 1, .name_count = 101});
    static const struct fxt_bytes bad[] = {{(const uint8_t *)"", 0},
                                           {(const uint8_t *)"a\0b", 3},
                                           {(const uint8_t *)"\xff", 1},
                                           {(const uint8_t *)texts, 101}};
    for (unsigned i = 0; i < 4; i++) {
        names[0] = bad[i];
        expect_unwritten((struct fxt_i_packet){.ordinal = FXT_I_REGISTER});
    }
}
