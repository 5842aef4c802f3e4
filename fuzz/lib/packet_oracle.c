/* Any bytes are read as a packet or refused by a rule, by one side only; what is read is written to
   the same bytes. */
#include <string.h>

#include "fuzz/lib/oracle.h"
#include "src/protocol/controller.h"
#include "src/protocol/packet.h"

#define NAMES_MAX 200

static uint8_t written[FXT_I_PACKET_BYTES_MAX];
static struct fxt_bytes names[NAMES_MAX];

static void take_names(const uint8_t *places, uint32_t count)
{
    FUZZ_CHECK(count <= NAMES_MAX);
    for (uint32_t i = 0; i < count; i++)
        names[i] = fxt_i_packet_name(places, i);
}

static void check_same(const struct fuzz_copy *copy, uint64_t size)
{
    FUZZ_CHECK(size == copy->size);
    FUZZ_CHECK(memcmp(written, copy->bytes, copy->size) == 0);
}

/* An error is set, and nothing else. */
static void check_refused(const struct fxt_error *error, enum fxt_rule first, enum fxt_rule last,
                          const void *out, size_t size)
{
    const uint8_t *bytes = out;

    FUZZ_CHECK(error->status == FXT_MALFORMED);
    FUZZ_CHECK(error->rule >= first && error->rule <= last);
    for (size_t i = 0; i < size; i++)
        FUZZ_CHECK(bytes[i] == 0xa5);
}

static bool read_fifo(const struct fuzz_copy *copy, enum fxt_i_side side)
{
    struct fxt_i_fifo packet;
    struct fxt_error error;

    memset(&packet, 0xa5, sizeof packet);
    if (fxt_i_fifo_read(&packet, copy->bytes, copy->size, side, &error) != FXT_OK) {
        check_refused(&error, FXT_RULE_FIF_01, FXT_RULE_FIF_04, &packet, sizeof packet);
        return false;
    }
    fxt_i_fifo_write(written, &packet);
    check_same(copy, FXT_I_FIFO_BYTES);
    return true;
}

static bool read_packet(const struct fuzz_copy *copy, enum fxt_i_side side)
{
    struct fxt_i_packet packet;
    struct fxt_error error;

    memset(&packet, 0xa5, sizeof packet);
    if (fxt_i_packet_read(&packet, copy->bytes, copy->size, side, &error) != FXT_OK) {
        check_refused(&error, FXT_RULE_CTL_01, FXT_RULE_CTL_08, &packet, sizeof packet);
        return false;
    }
    take_names(packet.names, packet.ordinal == FXT_I_KNOWN_CATEGORIES ? 2u * packet.name_count
                                                                      : packet.name_count);
    check_same(copy, fxt_i_packet_write(written, &packet, names));
    return true;
}

static bool read_controller(const struct fuzz_copy *copy, enum fxt_i_controller_side side)
{
    struct fxt_i_controller_packet packet;
    struct fxt_error error;

    memset(&packet, 0xa5, sizeof packet);
    if (fxt_i_controller_read(&packet, copy->bytes, copy->size, side, &error) != FXT_OK) {
        check_refused(&error, FXT_RULE_CTL_01, FXT_RULE_CTL_09, &packet, sizeof packet);
        return false;
    }
    take_names(packet.names, packet.name_count);
    check_same(copy, fxt_i_controller_write(written, &packet, names));
    return true;
}

void fuzz_oracle_packets(const uint8_t *bytes, size_t size)
{
    struct fuzz_copy copy = fuzz_copy(bytes, size, (unsigned)fuzz_control(bytes, size));
    int senders = 0;

    for (unsigned side = 0; side <= 1; side++) {
        senders += read_fifo(&copy, (enum fxt_i_side)side);
        senders += read_packet(&copy, (enum fxt_i_side)side);
        senders += read_controller(&copy, (enum fxt_i_controller_side)side);
    }
    FUZZ_CHECK(senders <= 1);
    fuzz_release(&copy);
}

/* Packets end with places of names, of which most are empty: with zeros behind it, a short input is a
   packet of any of the sizes that there are. */
void fuzz_oracle_padded_packets(const uint8_t *bytes, size_t size)
{
    static const size_t sizes[] = {8, 16, 80, 120, 184, 288, 10416, 10480, 10584, 20816};
    static uint8_t padded[FXT_I_PACKET_BYTES_MAX];

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        if (sizes[i] <= size)
            continue;
        memset(padded, 0, sizes[i]);
        if (size > 0)
            memcpy(padded, bytes, size);
        fuzz_oracle_packets(padded, sizes[i]);
    }
}

/* A number that is small more often than not. */
static uint64_t draw_number(uint64_t *random)
{
    uint64_t bits = fuzz_random(random) % 65;
    uint64_t number = fuzz_random(random);

    return fuzz_random(random) % 2 == 0 ? number % 4 : bits == 0 ? 0 : number >> (64 - bits);
}

static struct fxt_bytes draw_name(const uint8_t *bytes, size_t size, uint64_t *random)
{
    uint64_t at = fuzz_random(random) % (size + 1);
    uint64_t length =
        fuzz_random(random) % 4 == 0 ? fuzz_random(random) % 102 : fuzz_random(random) % 8;
    struct fxt_bytes name = {bytes + at, length < size - at ? length : size - at};

    return name;
}

/* What the writer writes of anything, the reader takes from the side that sends it. */
void fuzz_oracle_written_packet(const uint8_t *bytes, size_t size)
{
    uint64_t random = fuzz_control(bytes, size);
    struct fxt_i_controller_packet in = {.transaction = (uint32_t)draw_number(&random)};

    if (size == 0)
        return;
    in.ordinal = (uint16_t)((fuzz_random(&random) % 2 ? 0x201 : 0x241) + fuzz_random(&random) % 11);
    in.name_count = (uint16_t)(draw_number(&random) % 110);
    for (int i = 0; i < FXT_I_NUMBERS; i++)
        in.numbers[i] = fuzz_random(&random) % 2 ? 0 : draw_number(&random);
    for (uint32_t i = 0; i < in.name_count; i++)
        names[i] = draw_name(bytes, size, &random);
    size_t done = (size_t)fxt_i_controller_write(written, &in, names);
    if (done == 0)
        return;
    struct fuzz_copy copy = fuzz_copy(written, done, 0);
    FUZZ_CHECK(
        read_controller(&copy, in.ordinal < FXT_I_DONE ? FXT_I_OF_CLIENT : FXT_I_OF_SERVICE));
    fuzz_release(&copy);
}

/* A packet of known categories, by the layout of section 3 of spec/system.md and not by the writer. */
void fuzz_oracle_categories(const uint8_t *bytes, size_t size)
{
    static uint8_t packet[16 + 2 * 100 * 104];
    uint64_t random = fuzz_control(bytes, size);
    uint64_t count = fuzz_random(&random) % 101;
    uint64_t transaction = fuzz_random(&random);
    struct fuzz_copy copy;

    if (fuzz_random(&random) % 8 != 0) /* a large packet takes time */
        return;
    memset(packet, 0, sizeof packet);
    packet[0] = 1;
    packet[2] = FXT_I_KNOWN_CATEGORIES % 256;
    packet[3] = FXT_I_KNOWN_CATEGORIES / 256;
    for (unsigned i = 0; i < 4; i++)
        packet[4 + i] = (uint8_t)(transaction >> (8 * i));
    packet[8] = (uint8_t)count;
    for (uint64_t i = 0; i < 2 * count; i++) {
        uint8_t *place = packet + 16 + 104 * i;
        place[0] = (uint8_t)(1 + fuzz_random(&random) % 100);
        memset(place + 4, 'a', place[0]);
    }
    copy = fuzz_copy(packet, sizeof packet, 0);
    FUZZ_CHECK(read_packet(&copy, FXT_I_OF_PROVIDER));
    fuzz_release(&copy);
}
