/* src/protocol over corpus/packets.json: which packets are refused, and by which rule; what the
   others hold; and that they write back to the same bytes.

   usage: packets_test [CORPUS [KNOWN]] */
#include <stdbool.h>

#include "conformance/manager_vectors.h"
#include "src/protocol/controller.h"
#include "src/protocol/fifo.h"
#include "src/protocol/packet.h"

static const json_t *expected; /* the packet, or null */
static const uint8_t *bytes;
static size_t size;

/* The rule has to be one of the findings. The offset is for people. */
static bool expect_status(enum fxt_status status, const struct fxt_error *error)
{
    const json_t *findings = json_object_get(json_object_get(vector, "expected"), "findings");
    bool listed = false;
    expect_number("refused", status != FXT_OK, json_array_size(findings) > 0);
    for (size_t i = 0; status != FXT_OK && i < json_array_size(findings); i++)
        listed |=
            strcmp(fxt_rule_id(error->rule), text_of(json_array_get(findings, i), "rule")) == 0;
    if (status != FXT_OK && json_array_size(findings) > 0 && !listed)
        fail("refused by %s, expected %s", fxt_rule_id(error->rule),
             text_of(json_array_get(findings, 0), "rule"));
    return status == FXT_OK && json_array_size(findings) == 0;
}

/* A text of the vector, as it is or in hex. Returns its size. */
static size_t text_bytes(uint8_t *out, size_t room, const json_t *text)
{
    if (json_is_object(text))
        return put_hex(out, room, text_of(text, "hex"));
    size_t length = json_string_length(text);
    if (length > room)
        abort();
    memcpy(out, json_string_value(text), length);
    return length;
}

static void expect_name(const json_t *wanted, const uint8_t *name, size_t length)
{
    uint8_t text[FXT_I_NAME_PLACE];
    size_t wanted_size = text_bytes(text, sizeof text, wanted);
    expect_bytes("name", name, length, text, wanted_size);
}

static void expect_names(const uint8_t *places, size_t count, struct fxt_bytes *names)
{
    const json_t *wanted = json_object_get(expected, "names");
    expect_number("names", count, json_array_size(wanted));
    for (size_t i = 0; i < count && i < json_array_size(wanted); i++) {
        names[i] = fxt_i_packet_name(places, (uint32_t)i);
        expect_name(json_array_get(wanted, i), names[i].bytes, (size_t)names[i].size);
    }
}

/* ---- the FIFO */

static uint16_t request_of(const char *name)
{
    static const struct {
        const char *name;
        uint16_t number;
    } all[] = {{"started", FXT_I_STARTED},           {"save_buffer", FXT_I_SAVE_BUFFER},
               {"stopped", FXT_I_STOPPED},           {"alert", FXT_I_ALERT},
               {"buffer_saved", FXT_I_BUFFER_SAVED}, {"flush_buffer", FXT_I_FLUSH_BUFFER}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (strcmp(name, all[i].name) == 0)
            return all[i].number;
    return 0;
}

static void test_fifo(enum fxt_i_side side)
{
    struct fxt_i_fifo packet, before;
    struct fxt_error error = {0};
    uint8_t again[FXT_I_FIFO_BYTES];
    memset(&packet, 0x5a, sizeof packet);
    before = packet;
    if (!expect_status(fxt_i_fifo_read(&packet, bytes, size, side, &error), &error)) {
        if (memcmp(&packet, &before, sizeof packet) != 0)
            fail("a refused packet is decoded");
        return;
    }
    expect_number("request", packet.request, request_of(text_of(expected, "packet")));
    expect_number("wrapped count", packet.wrapped_count, number_at(expected, "wrapped_count"));
    expect_number("durable data end", packet.durable_data_end,
                  number_at(expected, "durable_data_end"));
    if (json_object_get(expected, "name") != NULL)
        expect_name(json_object_get(expected, "name"), packet.alert, packet.alert_length);
    fxt_i_fifo_write(again, &packet);
    expect_bytes("written again", again, sizeof again, bytes, size);
}

/* ---- a provider's connection */

/* By the name of the text. */
static const struct {
    const char *name;
    uint16_t ordinal;
} provider_names[] = {
    {"register", FXT_I_REGISTER},
    {"register_synchronously", FXT_I_REGISTER_SYNCHRONOUSLY},
    {"registered", FXT_I_REGISTERED},
    {"initialize", FXT_I_INITIALIZE},
    {"start", FXT_I_START},
    {"stop", FXT_I_STOP},
    {"terminate", FXT_I_TERMINATE},
    {"get_known_categories", FXT_I_GET_KNOWN_CATEGORIES},
    {"known_categories", FXT_I_KNOWN_CATEGORIES},
};

static const char *provider_name(uint16_t ordinal)
{
    for (size_t i = 0; i < sizeof provider_names / sizeof provider_names[0]; i++)
        if (provider_names[i].ordinal == ordinal)
            return provider_names[i].name;
    return "unknown";
}

static uint64_t choice_of(void)
{
    return number_at(expected, "mode") + number_at(expected, "disposition") +
           number_at(expected, "started");
}

static void test_provider(enum fxt_i_side side)
{
    static uint8_t again[FXT_I_PACKET_BYTES_MAX];
    struct fxt_bytes names[200];
    struct fxt_i_packet packet, before;
    struct fxt_error error = {0};
    memset(&packet, 0x5a, sizeof packet);
    before = packet;
    if (!expect_status(fxt_i_packet_read(&packet, bytes, size, side, &error), &error)) {
        if (memcmp(&packet, &before, sizeof packet) != 0)
            fail("a refused packet is decoded");
        return;
    }
    bool pairs = packet.ordinal == FXT_I_KNOWN_CATEGORIES;
    expect_text("packet", provider_name(packet.ordinal), text_of(expected, "packet"));
    expect_number("transaction", packet.transaction, number_at(expected, "transaction"));
    expect_number("process", packet.process, number_at(expected, "process"));
    expect_number("status", packet.status, (uint32_t)number_at(expected, "status"));
    expect_number("choice", packet.choice, choice_of());
    expect_names(packet.names, (size_t)packet.name_count << pairs, names);
    expect_bytes("written again", again, (size_t)fxt_i_packet_write(again, &packet, names), bytes,
                 size);
}

/* ---- a client's connection */

static const struct {
    const char *name;
    uint16_t ordinal;
} client_names[] = {
    {"provider_spec", FXT_I_PROVIDER_SPEC},
    {"initialize_tracing", FXT_I_INITIALIZE_TRACING},
    {"start_tracing", FXT_I_START_TRACING},
    {"stop_tracing", FXT_I_STOP_TRACING},
    {"terminate_tracing", FXT_I_TERMINATE_TRACING},
    {"get_providers", FXT_I_GET_PROVIDERS},
    {"get_known_categories", FXT_I_GET_CATEGORIES},
    {"watch_alert", FXT_I_WATCH_ALERT},
    {"flush_buffers", FXT_I_FLUSH_BUFFERS},
    {"get_status", FXT_I_GET_STATUS},
    {"done", FXT_I_DONE},
    {"provider", FXT_I_PROVIDER_INFO},
    {"known_category", FXT_I_CATEGORY_INFO},
    {"provider_statistics", FXT_I_STATISTICS},
    {"alert", FXT_I_ALERTED},
    {"state", FXT_I_STATE},
};

static const char *client_name(uint16_t ordinal)
{
    for (size_t i = 0; i < sizeof client_names / sizeof client_names[0]; i++)
        if (client_names[i].ordinal == ordinal)
            return client_names[i].name;
    return "unknown";
}

static void test_client(enum fxt_i_controller_side side)
{
    static uint8_t again[FXT_I_CONTROLLER_BYTES_MAX];
    struct fxt_bytes names[101];
    struct fxt_i_controller_packet packet, before;
    struct fxt_error error = {0};
    memset(&packet, 0x5a, sizeof packet);
    before = packet;
    if (!expect_status(fxt_i_controller_read(&packet, bytes, size, side, &error), &error)) {
        if (memcmp(&packet, &before, sizeof packet) != 0)
            fail("a refused packet is decoded");
        return;
    }
    const json_t *numbers = json_object_get(expected, "numbers");
    expect_text("packet", client_name(packet.ordinal), text_of(expected, "packet"));
    expect_number("transaction", packet.transaction, number_at(expected, "transaction"));
    for (size_t i = 0; i < FXT_I_NUMBERS; i++)
        expect_number("number", packet.numbers[i], number_of(json_array_get(numbers, i)));
    expect_names(packet.names, packet.name_count, names);
    expect_bytes("written again", again, (size_t)fxt_i_controller_write(again, &packet, names),
                 bytes, size);
}

static void test(void)
{
    const char *channel = text_of(vector, "channel");
    bool manager = strcmp(text_of(vector, "sender"), "manager") == 0;
    uint8_t *own = bytes_of(&size);
    bytes = own;
    expected = json_object_get(json_object_get(vector, "expected"), "packet");
    if (strcmp(channel, "fifo") == 0)
        test_fifo(manager ? FXT_I_OF_MANAGER : FXT_I_OF_PROVIDER);
    else if (strcmp(channel, "provider") == 0)
        test_provider(manager ? FXT_I_OF_MANAGER : FXT_I_OF_PROVIDER);
    else
        test_client(manager ? FXT_I_OF_SERVICE : FXT_I_OF_CLIENT);
    free(own);
}

int main(int argc, char **argv)
{
    return run_vectors(argc > 1 ? argv[1] : "conformance/corpus/packets.json",
                       argc > 2 ? argv[2] : "conformance/packets_known.tsv", test);
}
