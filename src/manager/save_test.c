/* What of a buffer reaches the archive: buffers made by hand, as any provider may leave them. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <fxt/write.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/word.h"
#include "src/manager/manager.h"

TestSuite(save, .timeout = 60);

#define BYTES 8192u
#define MANY_BYTES (1u << 20)
#define HUGE_BYTES (4u << 20)
#define PAYLOAD 80000u       /* bytes: more than a record has that is not a large one */
#define HUGE_PAYLOAD 300000u /* bytes: more than is copied of the durable part in one step */
#define RECORD 16u           /* an instant with references only */

static struct trace_manager manager;
static struct fxt_i_session session;
static struct fxt_i_tracee tracee;
static struct fxt_buffer_header header;
static uint8_t buffer[HUGE_BYTES];
static int file;

static void nothing(void *self)
{
    (void)self;
}

static void begin_with(uint16_t mode, uint32_t bytes)
{
    char path[] = "/tmp/fxt_save_XXXXXX";
    cr_assert_eq(async_loop_create(&kAsyncLoopConfigNoAttachToThread, &manager.loop), ZX_OK);
    file = mkstemp(path);
    cr_assert_geq(file, 0);
    unlink(path);
    cr_assert_eq(fxt_buffer_sizes(&header, bytes, mode), FXT_OK);
    session.manager = &manager;
    session.mode = (enum trace_mode)(mode + 1);
    session.archive = fxt_i_archive_create(manager.loop, 0, dup(file), false, nothing, NULL);
    cr_assert_not_null(session.archive);
    tracee.session = &session;
    tracee.buffer = buffer;
    tracee.bytes = bytes;
    tracee.state = FXT_I_TRACEE_STOPPED;
    tracee.started_once = true;
    tracee.id = 7;
    tracee.fifo = -1;
    strcpy(tracee.name, "hand");
}

static void begin(uint16_t mode)
{
    begin_with(mode, BYTES);
}

static void put_header(void)
{
    fxt_buffer_write_header(buffer, &header);
}

static uint8_t *half_at(uint32_t half)
{
    return buffer + FXT_BUFFER_HEADER_BYTES + header.durable_size + half * header.rolling_size;
}

/* An instant whose timestamp is `number`. */
static uint64_t put_event(uint8_t *at, uint64_t number)
{
    struct fxt_writer writer;
    const struct fxt_event event = {.event_type = FXT_EVENT_INSTANT,
                                    .thread = {.process = 1, .thread = 2, .ref = 1},
                                    .category = {NULL, 1},
                                    .name = {NULL, 1},
                                    .timestamp = number};
    fxt_writer_init(&writer, at, 64);
    cr_assert_eq(fxt_write_event(&writer, &event, NULL, 0), FXT_OK);
    return writer.size;
}

static uint64_t put_events(uint8_t *at, uint64_t first, uint64_t count)
{
    uint64_t size = 0;
    for (uint64_t i = 0; i < count; i++)
        size += put_event(at + size, first + i);
    return size;
}

static uint64_t put_large_of(uint8_t *at, uint64_t bytes)
{
    static const uint8_t payload[HUGE_PAYLOAD];
    struct fxt_writer writer;
    const struct fxt_large_blob blob = {.blob_format = FXT_LARGE_BLOB_NO_METADATA,
                                        .category = {NULL, 1},
                                        .name = {NULL, 1},
                                        .payload = {payload, bytes}};
    fxt_writer_init(&writer, at, bytes + 64);
    cr_assert_eq(fxt_write_large_blob(&writer, &blob, NULL, 0), FXT_OK);
    return writer.size;
}

static uint64_t put_large(uint8_t *at)
{
    return put_large_of(at, PAYLOAD);
}

/* What events refer to: in the durable part, or in front of the others. */
static uint64_t put_definitions(uint8_t *at)
{
    struct fxt_writer writer;
    const struct fxt_string string = {.value = {(const uint8_t *)"name", 4}, .index = 1};
    const struct fxt_thread thread = {.process = 1, .thread = 2, .index = 1};
    fxt_writer_init(&writer, at, 64);
    cr_assert_eq(fxt_write_string(&writer, &string), FXT_OK);
    cr_assert_eq(fxt_write_thread(&writer, &thread), FXT_OK);
    return writer.size;
}

static struct {
    uint64_t events[512];
    uint32_t count;
    uint32_t strings;
    uint32_t metadata;
    uint32_t full;
    uint32_t large;
    uint32_t others;
    uint64_t rates[32]; /* ticks per second */
    uint32_t rate_count;
} found;

/* Reads the archive. */
static void look(void)
{
    static uint8_t bytes[1 << 20];
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_event event;
    struct fxt_initialization clock;
    struct fxt_provider_event full;
    struct fxt_error error;
    enum fxt_status status;
    ssize_t size = pread(file, bytes, sizeof bytes, 0);
    cr_assert_geq(size, 8);
    memset(&found, 0, sizeof found);
    fxt_reader_init(&reader, bytes, (uint64_t)size);
    while ((status = fxt_reader_next(&reader, &record, &error)) == FXT_OK) {
        found.metadata += record.type == FXT_RECORD_METADATA;
        found.strings += record.type == FXT_RECORD_STRING;
        found.full += fxt_read_provider_event(&record, &full, &error) == FXT_OK;
        found.large += record.type == FXT_RECORD_LARGE;
        found.others += record.type > FXT_RECORD_EVENT;
        if (fxt_read_event(&record, &event, &error) == FXT_OK && found.count < 512)
            found.events[found.count++] = event.timestamp;
        if (fxt_read_initialization(&record, &clock, &error) == FXT_OK && found.rate_count < 32)
            found.rates[found.rate_count++] = clock.ticks_per_second;
    }
    cr_expect_eq(status, FXT_END);
}

static void expect_events(uint64_t first, uint64_t count)
{
    look();
    cr_assert_eq(found.count, count, "%u", found.count);
    for (uint32_t i = 0; i < count; i++)
        cr_expect_eq(found.events[i], first + i);
}

/* Whole, as steps of a session do it. */
static bool save(enum fxt_i_save_kind kind)
{
    if (fxt_i_save_begin(&tracee, kind, session.archive) != FXT_I_SAVE_BEGUN)
        return false;
    while (!fxt_i_save_some(fxt_i_save_of(&tracee, kind)))
        ;
    tracee.next_wrapped += kind == FXT_I_SAVE_HALF;
    return true;
}

/* A streaming buffer with both halves full of events, after so many turns. */
static void stream(uint32_t wrapped_count)
{
    begin(FXT_BUFFERING_STREAMING);
    header.wrapped_count = wrapped_count;
    header.durable_data_end = put_definitions(buffer + FXT_BUFFER_HEADER_BYTES);
    uint32_t current = wrapped_count & 1;
    header.rolling_data_end[1 - current] = put_events(half_at(1 - current), 100, 20);
    header.rolling_data_end[current] = put_events(half_at(current), 120, 10);
    put_header();
}

Test(save, both_halves_of_a_stream_that_was_never_saved)
{
    stream(1);
    save(FXT_I_SAVE_REST);
    expect_events(100, 30);
    cr_expect_eq(found.strings, 1);
}

Test(save, half_that_was_saved_is_not_written_again)
{
    stream(5);
    tracee.next_wrapped = 5; /* half 4 was the last */
    save(FXT_I_SAVE_REST);
    expect_events(120, 10);
}

Test(save, half_that_is_saved_and_then_the_rest_are_each_there_once)
{
    stream(1);
    tracee.save_wrapped = 0;
    tracee.save_durable_end = header.durable_data_end;
    cr_expect(save(FXT_I_SAVE_HALF));
    expect_events(100, 20);
    cr_expect_not(save(FXT_I_SAVE_HALF), "not twice");
    save(FXT_I_SAVE_REST);
    expect_events(100, 30);
    cr_expect_eq(found.strings, 1, "the durable part, too");
}

Test(save, current_half_that_was_handed_over_is_not_read_again)
{
    stream(1);
    tracee.next_wrapped = 1;
    tracee.save_wrapped = 1;
    tracee.save_durable_end = header.durable_data_end;
    cr_expect(save(FXT_I_SAVE_HALF));
    expect_events(120, 10);
    save(FXT_I_SAVE_REST);
    expect_events(120, 10);
}

Test(save, what_cannot_be_saved_is_refused)
{
    stream(1);
    tracee.save_durable_end = header.durable_data_end;
    tracee.save_wrapped = 1;
    cr_expect_not(save(FXT_I_SAVE_HALF), "the wrong half");
    tracee.save_wrapped = 0;
    tracee.save_durable_end = header.durable_size + 8;
    cr_expect_not(save(FXT_I_SAVE_HALF), "beyond the durable part");
    tracee.save_durable_end = header.durable_data_end;
    tracee.last_durable_end = header.durable_data_end + 8;
    cr_expect_not(save(FXT_I_SAVE_HALF), "less than before");
    tracee.last_durable_end = 0;
    buffer[10] = FXT_BUFFERING_CIRCULAR;
    cr_expect_not(save(FXT_I_SAVE_HALF), "another mode");
    buffer[10] = FXT_BUFFERING_STREAMING;
    buffer[0] ^= 1;
    cr_expect_not(save(FXT_I_SAVE_HALF), "no header");
    buffer[0] ^= 1;
    cr_expect(save(FXT_I_SAVE_HALF));
}

Test(save, circular_halves_are_written_the_older_first)
{
    begin(FXT_BUFFERING_CIRCULAR);
    header.wrapped_count = 2;
    header.durable_data_end = put_definitions(buffer + FXT_BUFFER_HEADER_BYTES);
    header.rolling_data_end[1] = put_events(half_at(1), 1, 5);
    header.rolling_data_end[0] = put_events(half_at(0), 6, 5);
    put_header();
    save(FXT_I_SAVE_REST);
    expect_events(1, 10);
}

Test(save, record_that_ends_where_the_part_ends_is_found_without_a_data_end)
{
    begin(FXT_BUFFERING_ONESHOT);
    uint64_t size = put_definitions(half_at(0));
    while (size + RECORD <= header.rolling_size)
        size += put_event(half_at(0) + size, size);
    uint64_t rest = header.rolling_size - size; /* a record that fills it */
    cr_assert(rest == 0 || rest == 8);
    memmove(half_at(0) + rest, half_at(0), size);
    struct fxt_writer writer;
    const struct fxt_string empty = {.value = {NULL, 0}, .index = 2};
    fxt_writer_init(&writer, half_at(0), rest);
    cr_assert_eq(fxt_write_string(&writer, &empty), rest > 0 ? FXT_OK : FXT_FULL);
    tracee.died = true;
    put_header();
    save(FXT_I_SAVE_REST);
    look();
    cr_expect_eq(found.events[found.count - 1], size - RECORD);
}

Test(save, record_behind_a_large_one_is_found_without_a_data_end)
{
    begin_with(FXT_BUFFERING_ONESHOT, MANY_BYTES);
    uint64_t size = put_definitions(half_at(0));
    size += put_large(half_at(0) + size);
    put_events(half_at(0) + size, 1, 3);
    tracee.died = true;
    put_header();
    save(FXT_I_SAVE_REST);
    expect_events(1, 3);
    cr_expect_eq(found.large, 1);
}

/* A lease of so many chunks begins with a head that says so. */
static uint64_t put_lease_head(uint8_t *at, uint64_t chunks)
{
    fxt_store_word(at, 1 << 4 | 14 << 16 | (chunks - 1) << 20);
    return 8;
}

/* Of half 0, which only then has leases. */
static void keep_end(uint64_t end)
{
    header.flags = FXT_BUFFER_ENDS_KEPT;
    header.rolling_data_end[0] = end;
}

/* A snapshot copies whole leases, 256 KiB at a time: here the fourth lease goes beyond them. */
Test(save, lease_of_many_chunks_is_copied_whole_while_the_provider_may_write)
{
    const uint64_t lease = 20 * 4096;
    static struct fxt_i_provider provider;
    begin_with(FXT_BUFFERING_ONESHOT, MANY_BYTES);
    for (uint64_t i = 0; i < 4; i++) {
        uint8_t *at = half_at(0) + i * lease;
        at += put_lease_head(at, 20);
        at += i == 0 ? put_definitions(at) : 0;
        put_large(at);
    }
    uint8_t *last = half_at(0) + 4 * lease;
    put_events(last + put_lease_head(last, 1), 1, 3);
    tracee.provider = &provider;
    tracee.state = FXT_I_TRACEE_STARTED;
    keep_end(4 * lease + 4096);
    put_header();
    save(FXT_I_SAVE_ALL);
    expect_events(1, 3);
    cr_expect_eq(found.large, 4);
}

/* A circular buffer of a provider that runs. */
static void run(void)
{
    static struct fxt_i_provider provider;
    begin_with(FXT_BUFFERING_CIRCULAR, MANY_BYTES);
    tracee.provider = &provider;
    tracee.state = FXT_I_TRACEE_STARTED;
    header.durable_data_end = put_definitions(buffer + FXT_BUFFER_HEADER_BYTES);
}

/* What the provider does first when it uses a half again. */
static void clear_chunks(uint32_t half)
{
    uint32_t chunk = fxt_buffer_chunk_bytes(header.rolling_size);
    for (uint64_t at = 0; at + chunk <= header.rolling_size; at += chunk)
        fxt_store_word(half_at(half) + at, 0);
}

static void save_the_rest(void)
{
    while (!fxt_i_save_some(fxt_i_save_of(&tracee, FXT_I_SAVE_ALL)))
        ;
    look();
}

/* The lease is longer than the 256 KiB that are copied at a time. */
Test(save, lease_that_is_overwritten_between_two_pieces_is_void)
{
    run();
    uint8_t *at = half_at(0) + put_lease_head(half_at(0), 80);
    for (int i = 0; i < 4; i++)
        at += put_large(at);
    keep_end(80 * 4096);
    put_header();
    cr_assert_eq(fxt_i_save_begin(&tracee, FXT_I_SAVE_ALL, session.archive), FXT_I_SAVE_BEGUN);
    cr_assert(fxt_i_copy_some(fxt_i_save_of(&tracee, FXT_I_SAVE_ALL), buffer));
    clear_chunks(0);
    keep_end(4096);
    put_events(half_at(0) + put_lease_head(half_at(0), 1), 1, 3);
    header.wrapped_count = 2;
    put_header();
    save_the_rest();
    cr_expect_eq(found.large, 0);
    cr_expect_eq(found.count, 0);
    cr_expect_eq(found.full, 1, "the loss is told");
}

/* The header of an engine that does not keep its data ends says it by the wrapped count alone. */
Test(save, half_that_is_cleared_in_front_of_the_first_piece_is_told)
{
    run();
    header.wrapped_count = 1;
    put_events(half_at(0) + put_lease_head(half_at(0), 1), 1, 3);
    put_header();
    cr_assert_eq(fxt_i_save_begin(&tracee, FXT_I_SAVE_ALL, session.archive), FXT_I_SAVE_BEGUN);
    clear_chunks(0);
    header.wrapped_count = 2;
    put_header();
    save_the_rest();
    cr_expect_eq(found.count, 0);
    cr_expect_eq(found.full, 1, "the loss is told");
}

/* A large record of so many bytes in the durable part, and behind it the thread of the events. */
static void expect_definition_behind(uint32_t buffer_bytes, uint64_t bytes)
{
    begin_with(FXT_BUFFERING_CIRCULAR, buffer_bytes);
    uint8_t *durable = buffer + FXT_BUFFER_HEADER_BYTES;
    struct fxt_writer writer;
    const struct fxt_string name = {.value = {(const uint8_t *)"name", 4}, .index = 1};
    fxt_writer_init(&writer, durable, 64);
    cr_assert_eq(fxt_write_string(&writer, &name), FXT_OK);
    uint64_t size = writer.size + put_large_of(durable + writer.size, bytes);
    header.durable_data_end = size + put_definitions(durable + size);
    cr_assert_leq(header.durable_data_end, header.durable_size);
    header.rolling_data_end[0] = put_events(half_at(0), 1, 3);
    put_header();
    save(FXT_I_SAVE_REST);
    expect_events(1, 3);
    cr_expect_eq(found.large, 1);
}

Test(save, definition_behind_a_large_record_is_taken)
{
    expect_definition_behind(MANY_BYTES, PAYLOAD);
}

Test(save, definition_behind_a_record_that_is_larger_than_a_step_is_taken)
{
    expect_definition_behind(HUGE_BYTES, HUGE_PAYLOAD);
}

Test(save, metadata_and_what_breaks_the_format_are_left_out)
{
    begin(FXT_BUFFERING_ONESHOT);
    uint8_t *at = half_at(0);
    struct fxt_writer writer;
    const struct fxt_provider_info info = {.name = {(const uint8_t *)"false", 5}, .provider_id = 9};
    at += put_definitions(at);
    at += put_events(at, 1, 1);
    fxt_writer_init(&writer, at, 64);
    fxt_write_provider_info(&writer, &info);
    fxt_write_magic(&writer);
    at += writer.size;
    at += put_events(at, 2, 1);
    put_event(at, 99);
    at[3] = 0xee; /* a thread that nobody knows */
    at += RECORD;
    put_event(at, 98);
    at[2] |= 0x0f; /* an event type that does not exist */
    at += RECORD;
    at += put_events(at, 3, 1);
    header.rolling_data_end[0] = (uint64_t)(at - half_at(0));
    put_header();
    save(FXT_I_SAVE_REST);
    expect_events(1, 3);
    cr_expect_eq(found.metadata, 2, "the magic number and the manager's own provider info");
    cr_expect_geq(tracee.records_refused, 2);
}

Test(save, what_refers_to_a_string_that_was_left_out_is_left_out)
{
    begin(FXT_BUFFERING_ONESHOT);
    uint8_t *at = half_at(0);
    uint64_t definitions = put_definitions(at);
    at[8] = 0xff; /* the string is no text */
    at += definitions;
    at += put_events(at, 1, 3);
    header.rolling_data_end[0] = (uint64_t)(at - half_at(0));
    put_header();
    save(FXT_I_SAVE_REST);
    look();
    cr_expect_eq(found.strings, 0);
    cr_expect_eq(found.count, 0);
    cr_expect_eq(tracee.records_refused, 4);
}

Test(save, drops_are_told_in_the_archive)
{
    begin(FXT_BUFFERING_ONESHOT);
    header.records_dropped = 5;
    header.rolling_data_end[0] = put_definitions(half_at(0));
    put_header();
    save(FXT_I_SAVE_REST);
    look();
    cr_expect_eq(found.full, 1);
}

Test(save, definitions_that_were_inlined_are_told_in_the_archive)
{
    static uint8_t bytes[4096];
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_blob blob;
    struct fxt_error error;
    int blobs = 0;
    begin(FXT_BUFFERING_ONESHOT);
    header.definitions_inlined = 42;
    header.rolling_data_end[0] = put_definitions(half_at(0));
    put_header();
    save(FXT_I_SAVE_REST);
    ssize_t size = pread(file, bytes, sizeof bytes, 0);
    cr_assert_gt(size, 8);
    fxt_reader_init(&reader, bytes, (uint64_t)size);
    while (fxt_reader_next(&reader, &record, &error) == FXT_OK)
        if (fxt_read_blob(&record, &blob, &error) == FXT_OK) {
            blobs++;
            cr_expect_eq(memcmp(blob.payload.bytes, "42 times", 8), 0);
        }
    cr_expect_eq(blobs, 1);
}

/* The file may hold the records, but not what the manager says about them. */
Test(save, nothing_follows_in_an_output_that_fails_at_the_record_of_drops)
{
    struct rlimit limit = {0, RLIM_INFINITY};
    struct stat archive;
    begin(FXT_BUFFERING_ONESHOT);
    header.records_dropped = 5;
    header.definitions_inlined = 42;
    uint64_t size = put_definitions(half_at(0));
    header.rolling_data_end[0] = size + put_events(half_at(0) + size, 1, 3);
    put_header();
    signal(SIGXFSZ, SIG_IGN);
    limit.rlim_cur = 8 + 16 + header.rolling_data_end[0]; /* magic number and provider info */
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    save(FXT_I_SAVE_REST);
    expect_events(1, 3);
    cr_assert_eq(fstat(file, &archive), 0);
    cr_expect_eq((rlim_t)archive.st_size, limit.rlim_cur);
    cr_expect_eq(session.archive->error, EFBIG);
    cr_expect(fxt_i_archive_is_empty(session.archive), "nothing waits for the output");
}

Test(save, whole_buffer_goes_into_another_archive_as_well)
{
    stream(5);
    tracee.next_wrapped = 5;
    tracee.section.durable_end = header.durable_data_end;
    tracee.section.introduced = true;
    save(FXT_I_SAVE_ALL);
    expect_events(100, 30);
    cr_expect_eq(found.strings, 1);
    cr_expect_eq(tracee.next_wrapped, 5);
    cr_expect_eq(tracee.bytes_written, 0, "counted once");
}

static uint64_t put_rate(uint8_t *at, uint64_t ticks_per_second)
{
    const struct fxt_initialization in = {.ticks_per_second = ticks_per_second};
    struct fxt_writer writer;
    fxt_writer_init(&writer, at, 16);
    cr_assert_eq(fxt_write_initialization(&writer, &in), FXT_OK);
    return writer.size;
}

/* The rates of the archive are `agreed` then. */
static void expect_rates(const uint64_t *rates, const uint64_t *agreed, uint32_t count)
{
    uint64_t size = 0;
    begin(FXT_BUFFERING_ONESHOT);
    for (uint32_t i = 0; i < count; i++)
        size += put_rate(half_at(0) + size, rates[i]);
    header.rolling_data_end[0] = size;
    put_header();
    save(FXT_I_SAVE_REST);
    look();
    cr_assert_eq(found.rate_count, count, "%u", found.rate_count);
    for (uint32_t i = 0; i < count; i++)
        cr_expect_eq(found.rates[i], agreed[i], "%lu becomes %lu", rates[i], found.rates[i]);
    cr_expect(session.archive->changed == nothing, "what is behind the rates is as before");
}

Test(save, rates_that_differ_by_less_than_a_thousandth_are_one)
{
    static const uint64_t rates[] = {1000000, 1001000, 999001, 1000999};
    static const uint64_t agreed[] = {1000000, 1001000, 1000000, 1000000};
    expect_rates(rates, agreed, 4);
}

static uint32_t lines_of_clocks;

static void count_lines_of_clocks(void *data, const char *line)
{
    (void)data;
    lines_of_clocks += strstr(line, "its clock, of 7 ticks a second, is not that of") != NULL;
}

Test(save, clock_that_is_not_that_of_the_others_is_told_once)
{
    static const uint64_t rates[] = {1000000, 1000001, 7, 7, 1000000};
    static const uint64_t agreed[] = {1000000, 1000000, 7, 7, 1000000};
    manager.log = count_lines_of_clocks;
    expect_rates(rates, agreed, 5);
    cr_expect_eq(lines_of_clocks, 1);
}

/* So many rates that are close to no other one, and then one that is close to the first. */
static void expect_first_of(uint32_t count, bool is_remembered)
{
    uint64_t rates[20];
    uint64_t agreed[20];
    for (uint32_t i = 0; i < count; i++)
        rates[i] = agreed[i] = 1000000 * (uint64_t)(i + 1);
    rates[count] = 1000001;
    agreed[count] = is_remembered ? 1000000 : 1000001;
    expect_rates(rates, agreed, count + 1);
}

Test(save, first_of_sixteen_rates_is_remembered)
{
    expect_first_of(16, true);
}

Test(save, first_of_seventeen_rates_is_not_remembered)
{
    expect_first_of(17, false);
}

/* Each that comes again becomes the latest one. */
Test(save, rate_that_comes_again_is_remembered_for_longer)
{
    uint64_t rates[20];
    for (uint32_t i = 0; i < 16; i++)
        rates[i] = 1000000 * (uint64_t)(i + 1);
    rates[16] = 1000000;
    rates[17] = 17000000; /* in place of the second one */
    rates[18] = 1000000;
    rates[19] = 2000001;
    expect_rates(rates, rates, 20);
}
