#include "src/convert/format.h"

#include <criterion/criterion.h>
#include <fxt/check.h>
#include <fxt/write.h>
#include <stdlib.h>

#include "src/convert/chrome_test.h"

static uint8_t input[1 << 20];
static uint8_t output[2 << 20];
static size_t output_size;
static struct fxt_writer writer;
static struct fxt_format format;

static void init(void)
{
    fxt_writer_init(&writer, input, sizeof input);
    output_size = 0;
}

TestSuite(format, .init = init);

static bool keep(void *context, const char *bytes, size_t size)
{
    (void)context;
    memcpy(output + output_size, bytes, size);
    output_size += size;
    return true;
}

static uint8_t scratch[1 << 20];
static uint64_t scratch_size = sizeof scratch;

// What becomes of what was written; the last status.
static enum fxt_status run(enum fxt_format_large large)
{
    static struct fxt_provider providers[4];
    static uint32_t ids[4];
    static uint8_t arena[1 << 20];
    static char buffer[1 << 16];
    struct fxt_tables_memory memory = {.providers = providers,
                                       .provider_ids = ids,
                                       .arena = arena,
                                       .provider_max = 4,
                                       .arena_size = sizeof arena};
    struct fxt_tables tables;
    struct fxt_out out = {buffer, sizeof buffer, 0, keep, NULL, false};
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    enum fxt_status status = FXT_OK;

    fxt_tables_init(&tables, &memory);
    fxt_format_init(&format, &out, &tables, large, scratch, scratch_size);
    fxt_reader_init(&reader, input, writer.size);
    while (fxt_reader_next(&reader, &record, &error) == FXT_OK) {
        fxt_tables_apply(&tables, &record, &error);
        status = fxt_format_record(&format, &record);
    }
    fxt_out_flush(&out);
    return status;
}

static struct fxt_large_blob large_blob(uint16_t blob_format, uint64_t size)
{
    static uint8_t payload[200000];
    for (size_t i = 0; i < sizeof payload; i++)
        payload[i] = (uint8_t)(i * 7 + i / 256);
    return (struct fxt_large_blob){.blob_format = blob_format,
                                   .category = chrome_test_string("net"),
                                   .name = chrome_test_string("packet"),
                                   .timestamp = blob_format == 0 ? 5 : 0,
                                   .thread = blob_format == 0 ? fxt_thread_inline(7, 8)
                                                              : (struct fxt_thread_ref){0},
                                   .payload = {payload, size}};
}

static struct fxt_arg number(const char *name)
{
    return (struct fxt_arg){.name = chrome_test_string(name), .type = FXT_ARG_INT32, .value = 3};
}

Test(format, a_canonical_record_is_copied)
{
    struct fxt_large_blob blob = large_blob(FXT_LARGE_BLOB_METADATA, 100000);
    struct fxt_arg arg = number("n");
    struct fxt_event event = chrome_test_event(FXT_EVENT_INSTANT, 1);
    fxt_write_magic(&writer);
    fxt_write_event(&writer, &event, &arg, 1);
    fxt_write_large_blob(&writer, &blob, &arg, 1);
    run(FXT_FORMAT_LARGE_KEEP);
    cr_assert_eq(output_size, writer.size);
    cr_assert_arr_eq(output, input, output_size);
    cr_assert_eq(format.rewritten + format.as_it_is, 0);
}

// A reserved bit, padding and a tail.
Test(format, a_record_that_is_not_canonical_is_written_again)
{
    struct fxt_string string = {.index = 1, .value = {(const uint8_t *)"abc", 3}};
    fxt_write_string(&writer, &string);
    uint64_t size = writer.size;
    static uint8_t expected[64];
    memcpy(expected, input, size);
    input[7] |= 0x80;                    // reserved
    input[size - 1] = 1;                 // padding
    input[0] = (uint8_t)(input[0] + 16); // a word more
    memset(input + size, 0x11, 8);
    writer.size += 8;
    cr_assert_eq(run(FXT_FORMAT_LARGE_KEEP), FXT_OK);
    cr_assert_eq(output_size, size);
    cr_assert_arr_eq(output, expected, size);
    cr_assert_eq(format.rewritten, 1);
}

Test(format, what_the_writer_cannot_say_is_copied)
{
    static const uint8_t type_14[16] = {0x2e, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8};
    fxt_write_raw(&writer, type_14, sizeof type_14);
    cr_assert_eq(run(FXT_FORMAT_LARGE_KEEP), FXT_OK);
    cr_assert_eq(output_size, sizeof type_14);
    cr_assert_arr_eq(output, type_14, sizeof type_14);
    cr_assert_eq(format.as_it_is, 1);
}

Test(format, what_does_not_decode_is_left_out)
{
    static const uint8_t short_event[8] = {0x14};
    fxt_write_raw(&writer, short_event, sizeof short_event);
    cr_assert_eq(run(FXT_FORMAT_LARGE_KEEP), FXT_MALFORMED);
    cr_assert_eq(output_size, 0);
    cr_assert_eq(format.malformed, 1);
}

Test(format, record_that_is_larger_than_the_scratch_memory_is_full)
{
    struct fxt_large_blob blob = large_blob(FXT_LARGE_BLOB_NO_METADATA, 99999);
    scratch_size = FXT_FORMAT_SCRATCH_MIN;
    fxt_write_magic(&writer);
    fxt_write_large_blob(&writer, &blob, NULL, 0);
    input[writer.size - 1] = 1; // in the padding: it has to be written anew
    cr_assert_eq(run(FXT_FORMAT_LARGE_KEEP), FXT_FULL);
    cr_assert_eq(output_size, 8);
    cr_assert_eq(format.rewritten + format.as_it_is, 0);
}

Test(format, large_records_are_left_out)
{
    struct fxt_large_blob blob = large_blob(FXT_LARGE_BLOB_NO_METADATA, 100000);
    static const uint8_t unknown[8] = {0x1f, 0, 0, 0, 0x70};
    fxt_write_magic(&writer);
    fxt_write_large_blob(&writer, &blob, NULL, 0);
    fxt_write_raw(&writer, unknown, sizeof unknown);
    run(FXT_FORMAT_LARGE_DROP);
    cr_assert_eq(output_size, 8);
    cr_assert_eq(format.large_dropped, 2);
}

// Reads the blob records of that name in the output, from *at on, into one.
static uint64_t join(uint64_t *at, const char *name, uint8_t *payload)
{
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    struct fxt_blob piece;
    uint64_t size = 0;
    fxt_reader_init(&reader, output + *at, output_size - *at);
    while (fxt_reader_next(&reader, &record, &error) == FXT_OK) {
        cr_assert_eq(fxt_read_blob(&record, &piece, &error), FXT_OK);
        cr_assert_eq(fxt_check_canonical(&record, &error), FXT_OK);
        cr_assert_eq(piece.blob_type, 1);
        cr_assert_eq(fxt_string_ref_length(piece.name), strlen(name));
        cr_assert_arr_eq(piece.name.bytes, name, strlen(name));
        if (piece.payload.size > 0)
            memcpy(payload + size, piece.payload.bytes, piece.payload.size);
        size += piece.payload.size;
    }
    *at = output_size;
    return size;
}

Test(format, a_large_blob_becomes_blob_records_that_join_to_it)
{
    static uint8_t joined[200000];
    static const uint64_t sizes[] = {0, 1, 32720, 32728, 32729, 65464, 200000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint64_t at = 0;
        init();
        struct fxt_large_blob blob = large_blob(FXT_LARGE_BLOB_NO_METADATA, sizes[i]);
        fxt_write_large_blob(&writer, &blob, NULL, 0);
        run(FXT_FORMAT_LARGE_BLOBS);
        cr_assert_eq(join(&at, "net/packet#1", joined), sizes[i]);
        cr_assert_arr_eq(joined, blob.payload.bytes, sizes[i]);
        // header and name take 24 bytes of 32760
        cr_assert_eq(format.pieces, sizes[i] == 0 ? 1 : (sizes[i] + 32735) / 32736);
        cr_assert_eq(format.large_cut, 1);
    }
}

static uint64_t read_event(struct fxt_event *event, struct fxt_arg *args)
{
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    fxt_reader_init(&reader, output, output_size);
    cr_assert_eq(fxt_reader_next(&reader, &record, &error), FXT_OK);
    cr_assert_eq(fxt_check_canonical(&record, &error), FXT_OK);
    cr_assert_eq(fxt_read_event_args(&record, event, args, &error), FXT_OK);
    return 8 * (uint64_t)record.words;
}

Test(format, metadata_become_an_event_that_names_the_blob)
{
    static uint8_t joined[100000];
    struct fxt_large_blob blob = large_blob(FXT_LARGE_BLOB_METADATA, 100000);
    struct fxt_arg arg = number("n");
    struct fxt_arg args[FXT_ARGS_MAX];
    struct fxt_event event;
    fxt_write_large_blob(&writer, &blob, &arg, 1);
    run(FXT_FORMAT_LARGE_BLOBS);
    uint64_t at = read_event(&event, args);
    cr_assert_eq(event.event_type, FXT_EVENT_INSTANT);
    cr_assert_eq(event.timestamp, 5);
    cr_assert_eq(event.thread.thread, 8);
    cr_assert_eq(event.args.count, 2);
    cr_assert_arr_eq(args[0].name.bytes, "blob", 4);
    cr_assert_arr_eq(args[0].text.bytes, "net/packet#1", 12);
    cr_assert_arr_eq(args[1].name.bytes, "n", 1);
    cr_assert_eq(format.no_room, 0);
    cr_assert_eq(join(&at, "net/packet#1", joined), 100000);
    cr_assert_arr_eq(joined, blob.payload.bytes, 100000);
}

Test(format, arguments_that_find_no_room_are_left_out)
{
    static char text[20000];
    memset(text, 'x', sizeof text);
    struct fxt_large_blob blob = large_blob(FXT_LARGE_BLOB_METADATA, 1);
    struct fxt_arg args[FXT_ARGS_MAX];
    struct fxt_event event;
    for (unsigned i = 0; i < FXT_ARGS_MAX; i++)
        args[i] = number("n");
    fxt_write_large_blob(&writer, &blob, args, FXT_ARGS_MAX);
    run(FXT_FORMAT_LARGE_BLOBS);
    read_event(&event, args);
    cr_assert_eq(event.args.count, FXT_ARGS_MAX); // none of them says where the blob is
    cr_assert_eq(format.no_room, 0);

    init();
    for (int i = 0; i < 2; i++)
        args[i] = (struct fxt_arg){.name = chrome_test_string("t"),
                                   .type = FXT_ARG_STRING,
                                   .text = fxt_string_inline(text, sizeof text)};
    fxt_write_large_blob(&writer, &blob, args, 2);
    run(FXT_FORMAT_LARGE_BLOBS);
    read_event(&event, args);
    cr_assert_eq(event.args.count, 2);
    cr_assert_arr_eq(args[0].text.bytes, "net/packet#1", 12);
    cr_assert_eq(format.no_room, 1);
}

Test(format, blobs_of_one_name_do_not_become_one_blob)
{
    static char text[1000];
    memset(text, 'x', sizeof text);
    memcpy(text + 199, "\u00e9", 2); // is cut in front of it
    struct fxt_string string = {.index = 9, .value = {(const uint8_t *)text, sizeof text}};
    struct fxt_large_blob blob = large_blob(FXT_LARGE_BLOB_NO_METADATA, 1);
    struct fxt_blob piece;
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    char name[300];
    fxt_write_string(&writer, &string);
    blob.category = fxt_string_index(9);
    blob.name = fxt_string_index(10); // not registered
    fxt_write_large_blob(&writer, &blob, NULL, 0);
    fxt_write_large_blob(&writer, &blob, NULL, 0);
    run(FXT_FORMAT_LARGE_BLOBS);
    fxt_reader_init(&reader, output, output_size);
    fxt_reader_next(&reader, &record, &error);
    for (int i = 1; i <= 2; i++) {
        cr_assert_eq(fxt_reader_next(&reader, &record, &error), FXT_OK);
        cr_assert_eq(fxt_read_blob(&record, &piece, &error), FXT_OK);
        snprintf(name, sizeof name, "%.199s/unknown 10#%d", text, i);
        cr_assert_eq(fxt_string_ref_length(piece.name), strlen(name));
        cr_assert_arr_eq(piece.name.bytes, name, strlen(name));
    }
}
