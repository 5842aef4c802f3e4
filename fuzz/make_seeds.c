/* Writes the generated part of fuzz/seeds/ into the directory that is named: small valid traces, and
   the same with something cut off, turned or overwritten; and packets, of which zeros at the end
   are left out. */
#include <stdio.h>

#include "fuzz/lib/generate.h"
#include "src/protocol/controller.h"
#include "src/protocol/packet.h"

static int save(const char *directory, const char *name, unsigned number, const char *kind,
                const uint8_t *bytes, size_t size)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s-%02u.%s", directory, name, number, kind);
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) {
        perror(path);
        return 1;
    }
    return 0;
}

static int save_traces(const char *directory)
{
    static uint8_t bytes[4096];
    int bad = 0;

    for (unsigned i = 0; i < 24 && !bad; i++) {
        size_t size = fuzz_generate_trace(bytes, 512 + 96 * i, 1 + 2654435761u * i);
        bad |= save(directory, "generated", i, "fxt", bytes, size);
        if (i % 3 != 0 || size < 64)
            continue;
        uint64_t random = i + 1;
        for (unsigned k = 0; k < 6; k++)
            bytes[8 + fuzz_random(&random) % (size - 8)] = (uint8_t)fuzz_random(&random);
        bad |= save(directory, "damaged", i, "fxt", bytes, size - fuzz_random(&random) % 24);
    }
    return bad;
}

/* Fails for a packet that was not written. */
static int save_packet(const char *directory, const char *name, unsigned number,
                       const uint8_t *bytes, uint64_t size)
{
    uint64_t used = size;

    while (used > 8 && bytes[used - 1] == 0)
        used--;
    return size == 0 || save(directory, name, number, "packet", bytes, (size_t)used);
}

static int save_fifo(const char *directory)
{
    static const struct fxt_i_fifo packets[] = {
        {.request = FXT_I_STARTED},
        {.request = FXT_I_SAVE_BUFFER, .wrapped_count = 3, .durable_data_end = 64},
        {.request = FXT_I_STOPPED},
        {.request = FXT_I_ALERT, .alert_length = 5, .alert = "hello"},
        {.request = FXT_I_BUFFER_SAVED, .wrapped_count = 3, .durable_data_end = 64},
        {.request = FXT_I_FLUSH_BUFFER},
    };
    uint8_t bytes[FXT_I_FIFO_BYTES];
    int bad = 0;

    for (unsigned i = 0; i < sizeof packets / sizeof packets[0]; i++) {
        fxt_i_fifo_write(bytes, &packets[i]);
        bad |= save_packet(directory, "fifo", i, bytes, sizeof bytes);
    }
    return bad;
}

static const struct fxt_bytes names[] = {
    {(const uint8_t *)"a", 1},
    {(const uint8_t *)"net:*", 5},
    {(const uint8_t *)"\xc3\xa4\xe2\x82\xac", 5},
    {(const uint8_t *)"kernel", 6},
};

static int save_provider(const char *directory)
{
    static const struct fxt_i_packet packets[] = {
        {.ordinal = FXT_I_REGISTER, .process = 77, .name_count = 1},
        {.ordinal = FXT_I_REGISTER_SYNCHRONOUSLY, .transaction = 1, .process = 7, .name_count = 1},
        {.ordinal = FXT_I_REGISTERED, .transaction = 1, .status = 5, .choice = 1},
        {.ordinal = FXT_I_INITIALIZE, .choice = 3, .name_count = 4},
        {.ordinal = FXT_I_START, .choice = 2, .name_count = 2},
        {.ordinal = FXT_I_STOP},
        {.ordinal = FXT_I_TERMINATE},
        {.ordinal = FXT_I_GET_KNOWN_CATEGORIES, .transaction = 2},
        {.ordinal = FXT_I_KNOWN_CATEGORIES, .transaction = 2, .name_count = 2},
    };
    static uint8_t bytes[FXT_I_PACKET_BYTES_MAX];
    int bad = 0;

    for (unsigned i = 0; i < sizeof packets / sizeof packets[0]; i++)
        bad |= save_packet(directory, "provider", i, bytes,
                           fxt_i_packet_write(bytes, &packets[i], names));
    return bad;
}

static int save_client(const char *directory)
{
    static const struct fxt_i_controller_packet packets[] = {
        {.ordinal = FXT_I_PROVIDER_SPEC, .numbers = {8}, .name_count = 3},
        {.ordinal = FXT_I_INITIALIZE_TRACING, .numbers = {3, 4, 5000, 1}, .name_count = 4},
        {.ordinal = FXT_I_START_TRACING, .numbers = {1}, .name_count = 1},
        {.ordinal = FXT_I_STOP_TRACING, .numbers = {1}},
        {.ordinal = FXT_I_TERMINATE_TRACING, .numbers = {1}},
        {.ordinal = FXT_I_GET_PROVIDERS},
        {.ordinal = FXT_I_GET_CATEGORIES},
        {.ordinal = FXT_I_WATCH_ALERT},
        {.ordinal = FXT_I_FLUSH_BUFFERS},
        {.ordinal = FXT_I_GET_STATUS},
        {.ordinal = FXT_I_DONE, .numbers = {7, 2, 32}},
        {.ordinal = FXT_I_PROVIDER_INFO, .numbers = {1, 77}, .name_count = 1},
        {.ordinal = FXT_I_CATEGORY_INFO, .name_count = 2},
        {.ordinal = FXT_I_STATISTICS, .numbers = {77, 2, 3, 4, 50, 6, 7, 1}, .name_count = 1},
        {.ordinal = FXT_I_ALERTED, .name_count = 1},
        {.ordinal = FXT_I_STATE, .numbers = {4, 3, 1, 4096, 5, 6, 7, 28}},
    };
    static uint8_t bytes[FXT_I_CONTROLLER_BYTES_MAX];
    int bad = 0;

    for (unsigned i = 0; i < sizeof packets / sizeof packets[0]; i++)
        bad |= save_packet(directory, "client", i, bytes,
                           fxt_i_controller_write(bytes, &packets[i], names));
    return bad;
}

int main(int argc, char **argv)
{
    return argc != 2 || save_traces(argv[1]) || save_fifo(argv[1]) || save_provider(argv[1]) ||
           save_client(argv[1]);
}
