/* Snapshots and flushes of programs that go on: they disturb nobody, and what is read from a buffer
   that is being written to is whole, in order, and all that was there before. */
#include <sys/ioctl.h>

#include "src/manager/raw_test.h"
#include "src/wire/layout.h"

#define BLOB 10000u /* bytes: a lease of several chunks */
#define WRITERS 3

static const struct trace_config oneshot = {.mode = TRACE_MODE_ONESHOT, .buffer_megabytes = 1};
static const struct trace_config circular = {.mode = TRACE_MODE_CIRCULAR, .buffer_megabytes = 1};
static const struct trace_config streaming = {.mode = TRACE_MODE_STREAMING, .buffer_megabytes = 1};

/* Blobs each of which consists of one byte, until tracing is off. */
static void *write_blobs(void *self)
{
    static volatile uint8_t next;
    uint8_t bytes[BLOB];

    (void)self;
    while (trace_state() != TRACE_STOPPED) {
        memset(bytes, ++next, sizeof bytes);
        TRACE_BLOB_EVENT("trace:test", "blob", bytes, sizeof bytes);
    }
    return NULL;
}

static void be_told(struct provider_self *self, char order, uint64_t number)
{
    pthread_t threads[WRITERS];

    (void)self;
    (void)number;
    if (order != 'B')
        return;
    for (int i = 0; i < WRITERS; i++)
        pthread_create(&threads[i], NULL, write_blobs, NULL);
    for (int i = 0; i < WRITERS; i++)
        pthread_detach(threads[i]);
}

static void begin(void)
{
    own_order = be_told;
    start_manager();
}

TestSuite(live, .init = begin, .fini = clean_up, .timeout = 120);

static void take_snapshot(trace_controller_t *controller, struct archive *snapshot)
{
    int output = open_archive(snapshot);
    cr_expect_eq(trace_controller_flush(controller, output), 0);
    close(output);
    pthread_join(snapshot->reader, NULL);
}

Test(live, snapshot_in_the_first_milliseconds_of_a_program_does_not_end_its_recording)
{
    for (int i = 0; i < 20; i++) {
        struct session session;
        struct archive snapshot;
        begin_session(&session, &circular);
        start_session(&session);
        struct test_provider provider = start_provider("young");
        while (i % 2 == 0 && trace_controller_descriptor(session.controller) >= 0) {
            uint32_t there = 0;
            cr_assert_eq(trace_controller_get_providers(session.controller, count_provider, &there),
                         0);
            if (there > 0)
                break;
        }
        usleep((useconds_t)i * 500);
        take_snapshot(session.controller, &snapshot);
        cr_expect_eq(order(&provider, 's', 5000), 'k');
        cr_expect_eq(order(&provider, 'e', 1000), 'k');
        cr_assert_eq(end_session(&session), 0);
        struct found found = find_events(&session.archive, "young");
        cr_expect_eq(found.events, 1000, "%d: %lu", i, (unsigned long)found.events);
        end_provider(&provider);
        free(snapshot.bytes);
        free(session.archive.bytes);
    }
}

/* It has a buffer with records, and has not said that it has started. */
Test(live, snapshot_has_what_a_program_recorded_before_it_said_that_it_has_started)
{
    struct session session;
    struct archive snapshot;
    begin_session(&session, &oneshot);
    struct raw *it = raw_provider("young");
    wait_for_providers(session.controller, 1);
    cr_assert_eq(
        trace_controller_start(session.controller, TRACE_DISPOSITION_CLEAR_ENTIRE, NULL, 0),
        0); /* after the start timeout */
    cr_assert(raw_await(it, FXT_I_START, 5000));
    raw_begin_buffer(it, TRACE_MODE_ONESHOT);
    raw_write_events(it, FXT_BUFFER_HEADER_BYTES, 0, 10);
    take_snapshot(session.controller, &snapshot);
    cr_expect_eq(find_events(&snapshot, "young").events, 10);
    cr_expect_eq(raw_say(it, FXT_I_STARTED, 0, 0), 0);
    cr_expect_not(raw_await(it, FXT_I_STOP, 200), "it is not stopped");
    raw_write_events(it, FXT_BUFFER_HEADER_BYTES, 0, 20);
    trace_controller_destroy(session.controller);
    cr_expect(raw_await(it, FXT_I_STOP, 5000));
    cr_expect_eq(raw_say(it, FXT_I_STOPPED, 0, 0), 0);
    pthread_join(session.archive.reader, NULL);
    cr_expect_eq(find_events(&session.archive, "young").events, 20);
}

Test(live, statistics_and_archive_say_that_definitions_were_inlined)
{
    struct session session;
    struct test_provider other = start_provider("other");
    begin_session(&session, &circular);
    struct raw *it = raw_provider("full");
    wait_for_providers(session.controller, 2);
    cr_assert_eq(
        trace_controller_start(session.controller, TRACE_DISPOSITION_CLEAR_ENTIRE, NULL, 0), 0);
    cr_assert(raw_await(it, FXT_I_START, 5000));
    raw_begin_buffer(it, TRACE_MODE_CIRCULAR);
    it->header.definitions_inlined = 3;
    fxt_buffer_write_header(it->buffer, &it->header);
    cr_expect_eq(raw_say(it, FXT_I_STARTED, 0, 0), 0);
    raw_end(it);
    wait_for_providers(session.controller, 1);
    cr_assert_eq(end_session(&session), 0);
    cr_expect(statistics_of(&session, "full")->definitions_inlined);
    cr_expect_not(statistics_of(&session, "other")->definitions_inlined);
    expect_clean(&session.archive);
    end_provider(&other);
}

/* All events are in order. Of those before `before`, in circular mode, none is missing behind the first
   one that is there. A program that writes faster than this machine copies overtakes the copy; then the
   archive says so. Returns whether nothing is missing. */
static bool expect_order(const struct archive *it, uint64_t before)
{
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_event event;
    struct fxt_provider_event lost;
    struct fxt_arg arg;
    struct fxt_error error;
    uint64_t last = 0;
    uint64_t count = 0;
    uint64_t disorder = 0;
    uint64_t missing = 0;
    bool is_told = false;

    fxt_reader_init(&reader, it->bytes, it->size);
    while (fxt_reader_next(&reader, &record, &error) == FXT_OK) {
        is_told = is_told || fxt_read_provider_event(&record, &lost, &error) == FXT_OK;
        if (fxt_read_event(&record, &event, &error) != FXT_OK ||
            fxt_args_next(&event.args, &arg, &error) != FXT_OK)
            continue;
        disorder += count > 0 && arg.value <= last;
        missing += count > 0 && arg.value < before && arg.value != last + 1;
        last = arg.value;
        count++;
    }
    cr_expect_eq(disorder, 0, "%lu of %lu", (unsigned long)disorder, (unsigned long)count);
    bool is_complete = missing == 0 && (before == 0 || (count > 0 && last + 1 >= before));
    cr_expect(is_complete || is_told, "%lu is the last of %lu", (unsigned long)last,
              (unsigned long)before);
    return is_complete;
}

static void snapshots_of_a_busy_program(const struct trace_config *config)
{
    struct session session;
    struct archive snapshot;
    struct test_provider provider = begin_with(&session, config, "busy");
    uint64_t written = 0;
    int snapshots = 0;
    int complete = 0;
    for (int i = 0; i < 30; i++) {
        send_order(&provider, 'e', 50000);
        sleep_ms(i % 4);
        take_snapshot(session.controller, &snapshot);
        cr_expect_eq(receive_answer(&provider), 'k');
        complete += expect_order(&snapshot, written);
        snapshots++;
        cr_expect_eq(count_findings(&snapshot, FXT_NONCONFORMING), 0);
        written += 50000;
        free(snapshot.bytes);
        if (config->mode == TRACE_MODE_ONESHOT && i > 0)
            break;
    }
    cr_expect_geq(2 * complete, snapshots, "%d of %d snapshots are complete", complete, snapshots);
    cr_assert_eq(end_session(&session), 0);
    struct found found = find_events(&session.archive, "busy");
    cr_expect_eq(found.gaps, 0);
    if (config->mode == TRACE_MODE_CIRCULAR)
        cr_expect_eq(found.last, written - 1);
    else
        cr_expect_eq(found.events + *provider.dropped, written);
    end_provider(&provider);
}

Test(live, snapshot_of_a_ring_has_all_that_was_recorded_before_it_and_in_order)
{
    snapshots_of_a_busy_program(&circular);
}

/* The buffer holds the first event for good: 50,000 do not fill it. */
Test(live, snapshot_of_a_oneshot_buffer_has_all_that_was_recorded_before_it)
{
    const struct trace_config large = {.mode = TRACE_MODE_ONESHOT, .buffer_megabytes = 16};
    snapshots_of_a_busy_program(&large);
}

/* How many blobs there are; each holds one byte only. */
static uint64_t count_blobs(const struct archive *it)
{
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_large_blob blob;
    struct fxt_error error;
    uint64_t count = 0;

    fxt_reader_init(&reader, it->bytes, it->size);
    while (fxt_reader_next(&reader, &record, &error) == FXT_OK) {
        if (fxt_read_large_blob(&record, &blob, &error) != FXT_OK)
            continue;
        cr_assert_eq(blob.payload.size, BLOB);
        for (uint32_t i = 1; i < BLOB; i++)
            cr_assert_eq(blob.payload.bytes[i], blob.payload.bytes[0], "a torn record, at %u", i);
        count++;
    }
    return count;
}

Test(live, record_that_is_overwritten_while_it_is_copied_is_left_out)
{
    struct session session;
    struct archive snapshot;
    struct test_provider provider = begin_with(&session, &circular, "busy");
    uint64_t blobs = 0;
    cr_assert_eq(order(&provider, 'B', 0), 'k');
    for (int i = 0; i < 100; i++) {
        take_snapshot(session.controller, &snapshot);
        blobs += count_blobs(&snapshot);
        cr_expect_eq(count_findings(&snapshot, FXT_NONCONFORMING), 0);
        free(snapshot.bytes);
    }
    cr_expect_gt(blobs, 200, "%lu", (unsigned long)blobs);
    cr_assert_eq(end_session(&session), 0);
    cr_expect_gt(count_blobs(&session.archive), 20);
    end_provider(&provider);
}

/* Fills a half with leases of one chunk each, as of that lap. Returns the number of events. */
static uint64_t fill_half(struct raw *it, uint32_t lap)
{
    uint32_t chunk_bytes = fxt_buffer_chunk_bytes(it->header.rolling_size);
    uint64_t half =
        FXT_BUFFER_HEADER_BYTES + it->header.durable_size + (lap & 1) * it->header.rolling_size;
    uint64_t events = 0;

    for (uint64_t at = 0; at + 2 * chunk_bytes <= it->header.rolling_size; at += chunk_bytes) {
        uint64_t head = fxt_pack_metadata_header(1, 14) | (uint64_t)lap << 40;
        uint64_t used = 8 + raw_write_events(it, half + at + 8, events, 50);
        uint64_t filler = fxt_pack_metadata_header((uint16_t)((chunk_bytes - used) / 8), 15);
        memcpy(it->buffer + half + at + used, &filler, 8);
        memcpy(it->buffer + half + at, &head, 8);
        events += 50;
    }
    it->header.rolling_data_end[lap & 1] = it->header.rolling_size;
    it->header.wrapped_count = lap;
    return events;
}

static void clear_half(struct raw *it, uint32_t half)
{
    uint32_t chunk_bytes = fxt_buffer_chunk_bytes(it->header.rolling_size);
    uint64_t first =
        FXT_BUFFER_HEADER_BYTES + it->header.durable_size + half * it->header.rolling_size;
    for (uint64_t at = 0; at + 8 <= it->header.rolling_size; at += chunk_bytes)
        memset(it->buffer + first + at, 0, 8);
}

static void *flush_into(void *output)
{
    trace_controller_t *controller = connect_client();
    cr_expect_eq(trace_controller_flush(controller, *(int *)output), 0);
    trace_controller_destroy(controller);
    close(*(int *)output);
    return NULL;
}

/* The socket's other end has filled it, and waits. */
static void wait_until_full(int descriptor)
{
    int before = -1;
    int now = 0;
    for (uint64_t end = now_ms() + 20000; now_ms() < end && (now == 0 || now != before);) {
        before = now;
        sleep_ms(300);
        cr_assert_eq(ioctl(descriptor, FIONREAD, &now), 0);
    }
}

/* A provider of which both halves are full. Returns the number of events of each. */
static struct raw *begin_full_ring(struct session *session, const struct trace_config *config,
                                   uint64_t events[2])
{
    begin_session(session, config);
    start_session(session);
    struct raw *it = raw_provider("raw");
    raw_start(it, TRACE_MODE_CIRCULAR);
    it->header.flags = FXT_BUFFER_ENDS_KEPT;
    for (uint32_t lap = 0; lap < 2; lap++)
        events[lap] = fill_half(it, lap);
    fxt_buffer_write_header(it->buffer, &it->header);
    return it;
}

/* The snapshot of a full ring of which the head in the middle of the older half is another one. */
static struct found snapshot_with_head(uint64_t head, uint64_t events[2])
{
    struct session session;
    struct archive snapshot;
    struct raw *it = begin_full_ring(&session, &circular, events);
    uint64_t middle = fxt_buffer_chunk_bytes(it->header.rolling_size) * UINT64_C(40);
    memcpy(it->buffer + FXT_BUFFER_HEADER_BYTES + it->header.durable_size + middle, &head, 8);
    take_snapshot(session.controller, &snapshot);
    struct found found = find_events(&snapshot, "raw");
    free(snapshot.bytes);
    raw_end(it);
    cr_assert_eq(end_session(&session), 0);
    return found;
}

/* A thread was suspended when it had taken the chunk and written nothing. */
Test(live, chunk_that_is_empty_in_the_older_half_hides_no_other)
{
    uint64_t events[2];
    struct found found = snapshot_with_head(0, events);
    cr_expect_eq(found.events, events[0] + events[1] - 50);
    cr_expect_eq(found.full, 0);
}

/* No hole in the middle: what is missing is the oldest. */
Test(live, older_half_that_is_used_again_while_it_is_copied_is_left_out_whole)
{
    uint64_t events[2];
    struct found found =
        snapshot_with_head(fxt_pack_metadata_header(1, 14) | UINT64_C(2) << 40, events);
    cr_expect_eq(found.events, events[1]);
    cr_expect_eq(found.gaps, 0);
    cr_expect_eq(found.full, 1);
}

/* The receiver is slow, and meanwhile the ring comes round: the older half is there in part only. */
Test(live, snapshot_that_the_ring_overtakes_says_that_records_are_missing)
{
    const struct trace_config large = {
        .mode = TRACE_MODE_CIRCULAR, .buffer_megabytes = 96, .start_timeout_ms = 5000};
    struct session session;
    struct archive snapshot = {.descriptor = -1};
    pthread_t flushing;
    uint64_t of_half[2];
    int ends[2];
    struct raw *provider = begin_full_ring(&session, &large, of_half);
    uint64_t events = of_half[0] + of_half[1];
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    snapshot.descriptor = ends[0];
    pthread_create(&flushing, NULL, flush_into, &ends[1]);
    wait_until_full(ends[0]);
    clear_half(provider, 0);
    provider->header.wrapped_count = 2;
    provider->header.rolling_data_end[0] = 0;
    fxt_buffer_write_header(provider->buffer, &provider->header);
    begin_to_read(&snapshot);
    pthread_join(flushing, NULL);
    pthread_join(snapshot.reader, NULL);
    struct found found = find_events(&snapshot, "raw");
    cr_expect(found.events > events / 2 && found.events < events, "%lu of %lu",
              (unsigned long)found.events, (unsigned long)events);
    cr_expect_eq(found.full, 1);
    cr_expect_eq(count_findings(&snapshot, FXT_NONCONFORMING), 0);
    free(snapshot.bytes);
    raw_end(provider);
    cr_assert_eq(end_session(&session), 0);
}

/* Nobody reads the snapshot: the recording of a stream loses nothing for it, and ends soon. */
Test(live, snapshot_that_nobody_reads_is_nobody_elses_matter)
{
    struct session session;
    trace_controller_t *other = connect_client();
    const struct trace_config config = {.mode = TRACE_MODE_STREAMING, .buffer_megabytes = 4};
    struct test_provider provider = begin_with(&session, &config, "busy");
    int ends[2];
    cr_assert_eq(order(&provider, 'p', 30000), 'k');
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    pid_t asker = fork();
    if (asker == 0) {
        trace_controller_flush(other, ends[1]);
        pause();
        _exit(0);
    }
    close(ends[1]);
    trace_controller_destroy(other);
    sleep_ms(50);
    for (int i = 0; i < 10; i++)
        cr_assert_eq(order(&provider, 'p', 30000), 'k');
    uint64_t since = now_ms();
    cr_assert_eq(end_session(&session), 0);
    cr_expect_lt(now_ms() - since, 10000);
    struct found found = find_events(&session.archive, "busy");
    cr_expect_eq(found.events + *provider.dropped, 330000);
    cr_expect_lt(*provider.dropped, 330000 / 2, "%lu", (unsigned long)*provider.dropped);
    kill(asker, SIGKILL);
    waitpid(asker, NULL, 0);
    close(ends[0]);
    end_provider(&provider);
}

/* It alerts, and ends before anybody asks. */
Test(live, alert_of_a_program_that_has_gone_is_told)
{
    struct session session;
    char name[15];
    struct test_provider provider = begin_with(&session, &streaming, "gone");
    cr_assert_eq(order(&provider, 'a', 0), 'k');
    end_provider(&provider);
    wait_for_providers(session.controller, 0);
    sleep_ms(100);
    cr_assert_eq(trace_controller_watch_alert(session.controller), 0);
    cr_expect_eq(trace_controller_next_alert(session.controller, 5000, name), 0);
    cr_expect_str_eq(name, "alert");
    cr_assert_eq(end_session(&session), 0);
}

Test(live, flush_into_the_stream_loses_and_doubles_nothing)
{
    struct session session;
    struct trace_status status;
    struct test_provider provider = begin_with(&session, &streaming, "busy");
    uint64_t written = 0;
    for (int i = 0; i < 30; i++) {
        cr_expect_eq(order(&provider, 'p', 2000), 'k');
        written += 2000;
        cr_assert_eq(trace_controller_flush(session.controller, -1), 0);
        cr_assert_eq(trace_controller_get_status(session.controller, &status), 0);
        cr_expect_geq(status.bytes_written, (written - *provider.dropped) * 32);
        send_order(&provider, 'p', 3000);
        sleep_ms(i % 5);
        cr_assert_eq(trace_controller_flush(session.controller, -1), 0);
        cr_expect_eq(receive_answer(&provider), 'k');
        written += 3000;
    }
    cr_assert_eq(end_session(&session), 0);
    struct found found = find_events(&session.archive, "busy");
    cr_expect_eq(found.events + *provider.dropped, written, "%lu + %lu of %lu",
                 (unsigned long)found.events, (unsigned long)*provider.dropped,
                 (unsigned long)written);
    cr_expect_leq(found.gaps, *provider.dropped);
    expect_clean(&session.archive);
    end_provider(&provider);
}
