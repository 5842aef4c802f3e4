/* The packets of the FIFO: each as the specification has it, and each rule broken. */
#include "src/protocol/fifo.h"

#include <string.h>

#include <criterion/criterion.h>

static uint8_t bytes[32];
static struct fxt_i_fifo packet;
static struct fxt_error error;

static void put(uint64_t first, uint64_t data64)
{
    memcpy(bytes, &first, 8);
    memcpy(bytes + 8, &data64, 8);
}

static void expect_refused(enum fxt_i_side side, enum fxt_rule rule)
{
    struct fxt_i_fifo before = {.request = 77, .wrapped_count = 78};
    packet = before;
    cr_expect_eq(fxt_i_fifo_read(&packet, bytes, 16, side, &error), FXT_MALFORMED);
    cr_expect_eq(error.rule, rule, "%s", fxt_rule_id(error.rule));
    cr_expect_eq(packet.request, 77);
    cr_expect_eq(packet.wrapped_count, 78);
}

Test(fifo, bytes_are_those_of_the_specification)
{
    static const uint8_t started[16] = {1, 0, 0, 0, 1};
    static const uint8_t save[16] = {2, 0, 0, 0, 4, 3, 2, 1, 8, 7, 6, 5, 0, 0, 0, 0};
    static const uint8_t stopped[16] = {3};
    static const uint8_t alert[16] = {4, 0, 'h', 'e', 'l', 'p'};
    static const uint8_t flush[16] = {1, 1};
    static const uint8_t saved[16] = {0, 1, 0, 0, 4, 3, 2, 1, 8, 7, 6, 5, 0, 0, 0, 0};
    const struct {
        struct fxt_i_fifo in;
        const uint8_t *bytes;
        enum fxt_i_side side;
    } rows[] = {
        {{.request = FXT_I_STARTED}, started, FXT_I_OF_PROVIDER},
        {{0x05060708, 0x01020304, FXT_I_SAVE_BUFFER, 0, {0}}, save, FXT_I_OF_PROVIDER},
        {{.request = FXT_I_STOPPED}, stopped, FXT_I_OF_PROVIDER},
        {{.request = FXT_I_ALERT, .alert_length = 4, .alert = "help"}, alert, FXT_I_OF_PROVIDER},
        {{0x05060708, 0x01020304, FXT_I_BUFFER_SAVED, 0, {0}}, saved, FXT_I_OF_MANAGER},
        {{.request = FXT_I_FLUSH_BUFFER}, flush, FXT_I_OF_MANAGER},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        memset(bytes, 0xee, sizeof bytes);
        fxt_i_fifo_write(bytes, &rows[i].in);
        cr_expect_arr_eq(bytes, rows[i].bytes, 16, "%zu", i);
        cr_expect_eq(bytes[16], 0xee);
        memset(&packet, 0xee, sizeof packet);
        cr_assert_eq(fxt_i_fifo_read(&packet, bytes, 16, rows[i].side, &error), FXT_OK);
        cr_expect_eq(packet.request, rows[i].in.request);
        cr_expect_eq(packet.wrapped_count, rows[i].in.wrapped_count);
        cr_expect_eq(packet.durable_data_end, rows[i].in.durable_data_end);
        cr_expect_eq(packet.alert_length, rows[i].in.alert_length);
        cr_expect_arr_eq(packet.alert, rows[i].in.alert, 14);
        expect_refused(1 - rows[i].side, FXT_RULE_FIF_02);
    }
}

Test(fifo, alert_of_every_length)
{
    for (uint16_t length = 1; length <= 14; length++) {
        struct fxt_i_fifo in = {.request = FXT_I_ALERT, .alert_length = length};
        memset(in.alert, 'a', 14);
        fxt_i_fifo_write(bytes, &in);
        cr_assert_eq(fxt_i_fifo_read(&packet, bytes, 16, FXT_I_OF_PROVIDER, &error), FXT_OK);
        cr_expect_eq(packet.alert_length, length);
    }
}

Test(fifo, other_sizes_are_refused)
{
    put(3, 0);
    for (uint64_t size = 0; size <= 32; size++)
        cr_expect_eq(fxt_i_fifo_read(&packet, bytes, size, FXT_I_OF_PROVIDER, &error),
                     size == 16 ? FXT_OK : FXT_MALFORMED);
}

Test(fifo, unknown_requests_are_refused)
{
    for (uint64_t request = 0; request < 65536; request++) {
        put(request, 0);
        if (request == 0 || request > 4)
            expect_refused(FXT_I_OF_PROVIDER, FXT_RULE_FIF_02);
        if (request != 0x100 && request != 0x101)
            expect_refused(FXT_I_OF_MANAGER, FXT_RULE_FIF_02);
    }
}

Test(fifo, data_that_means_nothing_is_zero)
{
    const uint64_t data16 = 65536;
    const uint64_t data32 = UINT64_C(4294967296);
    put(1, 0); /* version 0 */
    expect_refused(FXT_I_OF_PROVIDER, FXT_RULE_FIF_03);
    put(1 + 2 * data32, 0);
    expect_refused(FXT_I_OF_PROVIDER, FXT_RULE_FIF_03);
    put(1 + data32, 1);
    expect_refused(FXT_I_OF_PROVIDER, FXT_RULE_FIF_03);
    put(1 + data32 + data16, 0);
    expect_refused(FXT_I_OF_PROVIDER, FXT_RULE_FIF_03);
    put(2 + data16, 0);
    expect_refused(FXT_I_OF_PROVIDER, FXT_RULE_FIF_03);
    put(3 + data16, 0);
    expect_refused(FXT_I_OF_PROVIDER, FXT_RULE_FIF_03);
    put(3 + data32, 0);
    expect_refused(FXT_I_OF_PROVIDER, FXT_RULE_FIF_03);
    put(3, UINT64_C(1) << 63);
    expect_refused(FXT_I_OF_PROVIDER, FXT_RULE_FIF_03);
    put(0x100 + 0x8000 * data16, 0);
    expect_refused(FXT_I_OF_MANAGER, FXT_RULE_FIF_03);
    put(0x101 + data16, 0);
    expect_refused(FXT_I_OF_MANAGER, FXT_RULE_FIF_03);
    put(0x101 + data32, 0);
    expect_refused(FXT_I_OF_MANAGER, FXT_RULE_FIF_03);
    put(0x101, 1);
    expect_refused(FXT_I_OF_MANAGER, FXT_RULE_FIF_03);
}

Test(fifo, alert_without_a_name_or_with_something_behind_it_is_refused)
{
    put(4, 0);
    expect_refused(FXT_I_OF_PROVIDER, FXT_RULE_FIF_04);
    put(4 + UINT64_C(0x61) * 65536, 0);
    bytes[15] = 1;
    expect_refused(FXT_I_OF_PROVIDER, FXT_RULE_FIF_04);
    put(4, 0);
    bytes[3] = 'a';
    expect_refused(FXT_I_OF_PROVIDER, FXT_RULE_FIF_04);
}
