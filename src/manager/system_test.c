/* The system in order: what a client asks for is in the archive, and nothing else. Where a test asks
   for what one of the original system's own tests does, a comment has that one's name. */
#include "src/manager/system_test.h"

#include "src/protocol/controller.h"
#include "src/socket/socket.h"

TestSuite(system, .init = start_manager, .fini = clean_up, .timeout = 120);

static const struct trace_config oneshot = {.mode = TRACE_MODE_ONESHOT, .buffer_megabytes = 1};
static const struct trace_config circular = {.mode = TRACE_MODE_CIRCULAR, .buffer_megabytes = 1};
static const struct trace_config streaming = {.mode = TRACE_MODE_STREAMING, .buffer_megabytes = 1};

/* All events are there, in order, but those that found no room: on a busy machine a small buffer may
   not be saved in time. */
static void expect_all(const struct found *found, const struct test_provider *provider,
                       uint64_t written)
{
    uint64_t dropped = *provider->dropped;
    cr_expect_eq(found->events + dropped, written, "%lu + %lu of %lu", (unsigned long)found->events,
                 (unsigned long)dropped, (unsigned long)written);
    cr_expect_leq(found->gaps, dropped);
}

/* InitToFini, RegisterProviderWithFdio */
Test(system, records_of_a_provider_are_in_the_archive)
{
    struct session session;
    struct test_provider provider = begin_with(&session, &oneshot, "one");
    cr_assert_eq(order(&provider, 'e', 1000), 'k');
    cr_assert_eq(end_session(&session), 0);
    struct found found = find_events(&session.archive, "one");
    cr_expect_eq(found.events, 1000);
    cr_expect_eq(found.gaps, 0);
    cr_expect_eq(found.full, 0);
    expect_clean(&session.archive);
    cr_assert_eq(session.count, 1);
    cr_expect_eq(session.statistics[0].process, (uint64_t)provider.process);
    cr_expect_eq(session.statistics[0].records_dropped, 0);
    cr_expect_eq(session.statistics[0].records_refused, 0);
    cr_expect(!session.statistics[0].died && !session.statistics[0].misbehaved);
    cr_expect_eq(order(&provider, 'o', 5000), 'k');
    end_provider(&provider);
    cr_expect_eq(stop_manager(), 0);
}

/* Oneshot, Circular, Streaming.FillBuffer */
Test(system, oneshot_keeps_the_first_and_circular_the_last_and_streaming_all)
{
    const struct trace_config *configs[] = {&oneshot, &circular, &streaming};
    struct test_provider provider = start_provider("fills");
    uint64_t written = 0;
    for (int i = 0; i < 3; i++) {
        struct session session;
        begin_session(&session, configs[i]);
        wait_for_providers(session.controller, 1);
        start_session(&session);
        cr_assert_eq(order(&provider, 's', 5000), 'k');
        cr_assert_eq(order(&provider, 'p', 100000), 'k');
        cr_assert_eq(end_session(&session), 0);
        struct found found = find_events(&session.archive, "fills");
        uint64_t dropped = session.statistics[0].records_dropped;
        if (i == 0) {
            cr_expect_eq(found.first, written);
            cr_expect_eq(found.events + dropped, 100000);
            cr_expect_gt(dropped, 0);
            cr_expect_eq(found.full, 1);
        } else if (i == 1) {
            cr_expect_eq(found.last, written + 99999);
            cr_expect_gt(found.first, written);
            cr_expect_eq(dropped, 0);
        } else {
            cr_expect_gt(found.events, 40000, "more than the buffer holds");
            expect_all(&found, &provider, 100000);
            cr_expect_eq(dropped, *provider.dropped);
        }
        cr_expect(i == 2 || found.gaps == 0);
        expect_clean(&session.archive);
        written += 100000;
    }
    end_provider(&provider);
}

/* TwoProvidersTwoEngines */
Test(system, two_providers_have_a_section_each)
{
    struct session session;
    struct test_provider one = start_provider("one");
    struct test_provider two = start_provider("two");
    begin_session(&session, &streaming);
    wait_for_providers(session.controller, 2);
    start_session(&session);
    cr_assert_eq(order(&one, 's', 5000), 'k');
    cr_assert_eq(order(&two, 's', 5000), 'k');
    send_order(&one, 'p', 40000);
    send_order(&two, 'p', 50000);
    cr_assert_eq(receive_answer(&one), 'k');
    cr_assert_eq(receive_answer(&two), 'k');
    cr_assert_eq(end_session(&session), 0);
    struct found in_one = find_events(&session.archive, "one");
    struct found in_two = find_events(&session.archive, "two");
    expect_all(&in_one, &one, 40000);
    expect_all(&in_two, &two, 50000);
    cr_expect_eq(find_events(&session.archive, NULL).providers, 2);
    expect_clean(&session.archive);
    cr_expect_eq(session.count, 2);
    end_provider(&one);
    end_provider(&two);
}

Test(system, providers_of_one_machine_count_the_same_ticks)
{
    struct session session;
    struct test_provider providers[8];
    for (int i = 0; i < 8; i++)
        providers[i] = start_provider("counts");
    begin_session(&session, &oneshot);
    wait_for_providers(session.controller, 8);
    start_session(&session);
    for (int i = 0; i < 8; i++)
        cr_assert_eq(order(&providers[i], 's', 5000), 'k');
    cr_assert_eq(end_session(&session), 0);
    cr_expect_eq(count_rates(&session.archive), 1);
    for (int i = 0; i < 8; i++)
        end_provider(&providers[i]);
}

/* StreamingTest.Stream */
Test(system, streaming_loses_and_doubles_nothing)
{
    const char *slow = getenv("FXT_SLOW"); /* 1 GiB instead of 10 MiB */
    const uint64_t events = slow != NULL ? UINT64_C(1) << 25 : UINT64_C(10) << 15;
    const struct trace_config config = {.mode = TRACE_MODE_STREAMING, .buffer_megabytes = 16};
    struct session session;
    struct test_provider provider = begin_with(&session, &config, "streams");
    for (uint64_t done = 0; done < events; done += 1 << 15)
        cr_assert_eq(order(&provider, 'p', 1 << 15), 'k');
    cr_assert_eq(end_session(&session), 0);
    struct found found = find_events(&session.archive, NULL);
    cr_expect_eq(found.events, events);
    cr_expect_eq(found.gaps, 0);
    cr_expect_geq(session.archive.size, events * 32);
    cr_expect_eq(session.statistics[0].records_dropped, 0);
    expect_clean(&session.archive);
    end_provider(&provider);
}

/* InitToFiniWithProviderAddedAfterSessionStarts, RegisterProviderSynchronously */
Test(system, late_provider_joins_a_session_that_is_on)
{
    struct session session;
    begin_session(&session, &oneshot);
    start_session(&session);
    struct test_provider late = start_provider_as("late", true);
    cr_expect_eq(order(&late, 'y', 0), 'y', "told that tracing is on");
    cr_assert_eq(order(&late, 's', 5000), 'k');
    cr_assert_eq(order(&late, 'e', 10), 'k');
    cr_assert_eq(end_session(&session), 0);
    cr_expect_eq(find_events(&session.archive, "late").events, 10);
    expect_clean(&session.archive);
    end_provider(&late);
    struct test_provider idle = start_provider_as("idle", true);
    cr_expect_eq(order(&idle, 'y', 0), 'n');
    end_provider(&idle);
}

Test(system, provider_that_waited_for_a_manager_registers_when_one_appears)
{
    struct session session;
    cr_expect_eq(stop_manager(), 0);
    struct test_provider provider = start_provider("early");
    cr_expect_eq(order(&provider, 'e', 10), 'k');
    sleep_ms(50);
    start_manager();
    begin_session(&session, &oneshot);
    wait_for_providers(session.controller, 1);
    start_session(&session);
    cr_assert_eq(order(&provider, 's', 5000), 'k');
    cr_expect_eq(order(&provider, 'e', 5), 'k');
    cr_assert_eq(end_session(&session), 0);
    cr_expect_eq(find_events(&session.archive, "early").events, 5);
    end_provider(&provider);
}

/* InitializeWithoutProviders, InitToFiniWithNoProviders */
Test(system, session_without_providers_has_an_archive)
{
    struct session session;
    begin_session(&session, &oneshot);
    start_session(&session);
    cr_assert_eq(trace_controller_stop(session.controller, true, NULL, NULL), 0);
    cr_assert_eq(end_session(&session), 0);
    cr_expect_eq(session.archive.size, 8, "the magic number");
    cr_expect_eq(session.count, 0);
    begin_session(&session, &oneshot);
    cr_assert_eq(end_session(&session), 0, "initialized, never started");
    cr_expect_eq(session.archive.size, 8);
}

/* DuplicateInitialization, ExtraStart, ExtraStop */
Test(system, requests_in_the_wrong_state_are_refused)
{
    struct session session;
    struct session other;
    trace_controller_t *client = connect_client();
    cr_expect_eq(trace_controller_start(client, TRACE_DISPOSITION_CLEAR_ENTIRE, NULL, 0),
                 TRACE_ERROR_NOT_INITIALIZED);
    cr_expect_eq(trace_controller_stop(client, true, NULL, NULL), TRACE_ERROR_NOT_INITIALIZED);
    cr_expect_eq(trace_controller_terminate(client, true, NULL, NULL), TRACE_ERROR_NOT_INITIALIZED);
    cr_expect_eq(trace_controller_flush(client, -1), TRACE_ERROR_NOT_INITIALIZED);
    begin_session(&session, &oneshot);
    cr_expect_eq(trace_controller_stop(session.controller, true, NULL, NULL),
                 TRACE_ERROR_NOT_STARTED);
    int output = open_archive(&other.archive);
    cr_expect_eq(trace_controller_initialize(session.controller, &oneshot, output),
                 TRACE_ERROR_ALREADY_INITIALIZED);
    cr_expect_eq(trace_controller_initialize(client, &oneshot, output),
                 TRACE_ERROR_ALREADY_INITIALIZED);
    close(output);
    pthread_join(other.archive.reader, NULL);
    cr_expect_eq(other.archive.size, 0);
    start_session(&session);
    cr_expect_eq(
        trace_controller_start(session.controller, TRACE_DISPOSITION_CLEAR_ENTIRE, NULL, 0),
        TRACE_ERROR_ALREADY_STARTED);
    cr_expect_eq(trace_controller_flush(session.controller, -1), TRACE_ERROR_INVALID,
                 "of a session that does not stream");
    cr_expect_eq(trace_controller_stop(session.controller, true, NULL, NULL), 0);
    cr_expect_eq(trace_controller_stop(session.controller, true, NULL, NULL),
                 TRACE_ERROR_NOT_STARTED);
    cr_expect_eq(end_session(&session), 0);
    trace_controller_destroy(client);
}

/* A client that does not wait for its answers. */
static void ask(int socket, uint16_t ordinal, uint32_t transaction, uint64_t number)
{
    static uint8_t bytes[FXT_I_CONTROLLER_BYTES_MAX];
    struct fxt_i_controller_packet packet = {.ordinal = ordinal, .transaction = transaction};
    packet.numbers[0] = number;
    uint64_t size = fxt_i_controller_write(bytes, &packet, NULL);
    cr_assert_eq(fxt_i_socket_send(socket, bytes, size, NULL, 0), 0);
}

/* The error of the next answer that is done; in *transaction, to what. */
static uint64_t receive_done(int socket, uint32_t *transaction)
{
    static uint8_t bytes[FXT_I_CONTROLLER_BYTES_MAX];
    int descriptors[FXT_I_DESCRIPTORS_MAX];
    struct fxt_i_controller_packet packet;
    struct fxt_error error;
    size_t size;
    do {
        struct pollfd ready = {.fd = socket, .events = POLLIN};
        cr_assert_eq(poll(&ready, 1, 20000), 1);
        cr_assert_eq(fxt_i_socket_receive(socket, bytes, sizeof bytes, &size, descriptors), 0);
        cr_assert_eq(fxt_i_controller_read(&packet, bytes, size, FXT_I_OF_SERVICE, &error), FXT_OK);
    } while (packet.ordinal != FXT_I_DONE);
    *transaction = packet.transaction;
    return packet.numbers[0];
}

/* StartWhileStopping, StopWhileStopping */
static void expect_done(int socket, uint32_t transaction, uint64_t error)
{
    uint32_t done;
    cr_expect_eq(receive_done(socket, &done), error);
    cr_expect_eq(done, transaction);
}

Test(system, requests_while_a_session_stops_are_refused_and_it_may_be_started_again)
{
    struct session session;
    struct test_provider provider = begin_with(&session, &oneshot, "slow");
    cr_assert_eq(order(&provider, 'e', 10), 'k');
    halt(&provider);
    int socket = trace_controller_descriptor(session.controller);
    ask(socket, FXT_I_STOP_TRACING, 901, 0);
    ask(socket, FXT_I_START_TRACING, 902, 1);
    expect_done(socket, 902, TRACE_ERROR_STOPPING);
    ask(socket, FXT_I_STOP_TRACING, 903, 1);
    expect_done(socket, 903, TRACE_ERROR_STOPPING);
    kill(provider.process, SIGCONT);
    expect_done(socket, 901, 0);
    cr_assert_eq(trace_controller_start(session.controller, TRACE_DISPOSITION_RETAIN, NULL, 0), 0);
    cr_assert_eq(order(&provider, 's', 5000), 'k');
    cr_assert_eq(order(&provider, 'e', 10), 'k');
    cr_assert_eq(end_session(&session), 0);
    cr_expect_eq(find_events(&session.archive, "slow").events, 20);
    expect_clean(&session.archive);
    end_provider(&provider);
}

Test(system, requests_while_a_session_starts_are_answered_and_it_may_be_stopped)
{
    struct session session;
    struct test_provider provider = start_provider("slow");
    begin_session(&session, &oneshot);
    wait_for_providers(session.controller, 1);
    halt(&provider);
    int socket = trace_controller_descriptor(session.controller);
    ask(socket, FXT_I_START_TRACING, 901, 1);
    ask(socket, FXT_I_START_TRACING, 902, 1);
    expect_done(socket, 902, TRACE_ERROR_ALREADY_STARTED);
    ask(socket, FXT_I_STOP_TRACING, 903, 1);
    expect_done(socket, 901, TRACE_ERROR_STOPPING);
    kill(provider.process, SIGCONT);
    expect_done(socket, 903, 0);
    cr_assert_eq(trace_controller_start(session.controller, TRACE_DISPOSITION_RETAIN, NULL, 0), 0);
    cr_assert_eq(order(&provider, 's', 5000), 'k');
    cr_assert_eq(order(&provider, 'e', 10), 'k');
    cr_assert_eq(end_session(&session), 0);
    cr_expect_eq(find_events(&session.archive, "slow").events, 10);
    end_provider(&provider);
}

Test(system, second_request_to_terminate_hurries_and_others_are_refused)
{
    struct session session;
    struct test_provider provider = begin_with(&session, &oneshot, "slow");
    cr_assert_eq(order(&provider, 'e', 10), 'k');
    halt(&provider);
    int socket = trace_controller_descriptor(session.controller);
    uint64_t begin = now_ms();
    ask(socket, FXT_I_TERMINATE_TRACING, 901, 1);
    ask(socket, FXT_I_START_TRACING, 902, 1);
    ask(socket, FXT_I_STOP_TRACING, 903, 1);
    ask(socket, FXT_I_TERMINATE_TRACING, 904, 1);
    for (uint32_t refused = 902; refused <= 904; refused++) {
        expect_done(socket, refused, TRACE_ERROR_TERMINATING);
    }
    expect_done(socket, 901, 0);
    cr_expect_lt(now_ms() - begin, 2900, "its time was 3 seconds");
    pthread_join(session.archive.reader, NULL);
    trace_controller_destroy(session.controller);
    cr_expect_eq(find_events(&session.archive, "slow").events, 10);
    kill(provider.process, SIGCONT);
    end_provider(&provider);
}

Test(system, provider_that_does_not_stop_in_time_is_left_behind_with_what_it_wrote)
{
    struct session session;
    struct test_provider slow = start_provider("slow");
    struct test_provider other = start_provider("other");
    begin_session(&session, &circular);
    wait_for_providers(session.controller, 2);
    start_session(&session);
    cr_assert_eq(order(&slow, 's', 5000), 'k');
    cr_assert_eq(order(&other, 's', 5000), 'k');
    cr_assert_eq(order(&slow, 'e', 100), 'k');
    cr_assert_eq(order(&other, 'e', 100), 'k');
    halt(&slow);
    uint64_t begin = now_ms();
    cr_assert_eq(end_session(&session), 0);
    cr_expect(now_ms() - begin >= 2900 && now_ms() - begin < 8000, "3 seconds are its time here");
    cr_expect_eq(find_events(&session.archive, "slow").events, 100);
    cr_expect_eq(find_events(&session.archive, "other").events, 100);
    cr_expect(statistics_of(&session, "slow")->misbehaved);
    expect_clean(&session.archive);
    kill(slow.process, SIGCONT);
    cr_expect_eq(order(&slow, 'o', 5000), 'k', "it stops when it can");
    begin_session(&session, &circular);
    start_session(&session);
    cr_assert_eq(order(&slow, 's', 5000), 'k', "and takes part again");
    cr_assert_eq(order(&slow, 'e', 100), 'k');
    cr_assert_eq(end_session(&session), 0);
    cr_expect_eq(find_events(&session.archive, "slow").events, 100);
    end_provider(&slow);
    end_provider(&other);
}

/* TerminateOnClose, InitToFiniWithNoStop */
Test(system, closing_the_connection_ends_the_session_with_its_results)
{
    struct session session;
    struct test_provider provider = begin_with(&session, &oneshot, "one");
    cr_assert_eq(order(&provider, 'e', 100), 'k');
    trace_controller_destroy(session.controller);
    pthread_join(session.archive.reader, NULL);
    cr_expect_eq(find_events(&session.archive, "one").events, 100);
    cr_expect_eq(order(&provider, 'o', 5000), 'k');
    begin_session(&session, &oneshot);
    cr_assert_eq(end_session(&session), 0, "the next client has its session");
    end_provider(&provider);
}

Test(system, results_that_are_not_wanted_are_not_written)
{
    struct session session;
    struct test_provider provider = begin_with(&session, &oneshot, "one");
    cr_assert_eq(order(&provider, 'e', 100), 'k');
    cr_expect_eq(trace_controller_terminate(session.controller, false, NULL, NULL), 0);
    pthread_join(session.archive.reader, NULL);
    trace_controller_destroy(session.controller);
    cr_expect_eq(session.archive.size, 8);
    end_provider(&provider);
}

Test(system, buffer_of_a_dead_provider_is_given_back_when_no_results_are_wanted)
{
    struct session session;
    struct trace_status status;
    struct test_provider provider = begin_with(&session, &oneshot, "one");
    cr_assert_eq(order(&provider, 'e', 100), 'k');
    end_provider(&provider);
    cr_expect_eq(trace_controller_terminate(session.controller, false, NULL, NULL), 0);
    pthread_join(session.archive.reader, NULL);
    trace_controller_destroy(session.controller);
    cr_expect_eq(session.archive.size, 8);
    trace_controller_t *controller = connect_client();
    cr_expect_eq(trace_controller_get_status(controller, &status), 0);
    trace_controller_destroy(controller);
    cr_expect_eq(count_mapped_buffers(manager_process), 0);
}

static void trace_once(struct session *session, const struct test_provider *provider,
                       enum trace_disposition disposition, uint64_t events, bool write_results)
{
    cr_assert_eq(trace_controller_start(session->controller, disposition, NULL, 0), 0);
    cr_assert_eq(order(provider, 's', 5000), 'k');
    cr_assert_eq(order(provider, 'e', events), 'k');
    cr_assert_eq(trace_controller_stop(session->controller, write_results, NULL, NULL), 0);
    cr_assert_eq(order(provider, 'o', 5000), 'k');
}

static int count_process_names(const struct archive *archive)
{
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_kernel_object object;
    struct fxt_error error;
    int count = 0;
    fxt_reader_init(&reader, archive->bytes, archive->size);
    while (fxt_reader_next(&reader, &record, &error) == FXT_OK)
        if (fxt_read_kernel_object(&record, &object, &error) == FXT_OK)
            count += object.object_type == FXT_OBJECT_PROCESS;
    return count;
}

Test(system, disposition_says_what_a_start_keeps)
{
    const struct trace_config *configs[] = {&oneshot, &circular, &streaming};
    struct test_provider provider = start_provider("one");
    for (int i = 0; i < 3; i++) {
        struct session session;
        begin_session(&session, configs[i]);
        wait_for_providers(session.controller, 1);
        trace_once(&session, &provider, TRACE_DISPOSITION_CLEAR_ENTIRE, 10, false);
        trace_once(&session, &provider, TRACE_DISPOSITION_RETAIN, 10, false);
        trace_once(&session, &provider, TRACE_DISPOSITION_RETAIN, 10, true);
        trace_once(&session, &provider, TRACE_DISPOSITION_RETAIN, 10, false);
        trace_once(&session, &provider, TRACE_DISPOSITION_CLEAR_NONDURABLE, 10, false);
        cr_assert_eq(end_session(&session), 0);
        struct found found = find_events(&session.archive, "one");
        cr_expect_eq(found.events, 30 + 10, "mode %d: %lu", i, (unsigned long)found.events);
        cr_expect_eq(found.gaps, 10, "mode %d: %lu", i, (unsigned long)found.gaps);
        int names = count_process_names(&session.archive);
        cr_expect_eq(names, 2, "mode %d: %d", i, names);
        expect_clean(&session.archive);
    }
    end_provider(&provider);
}

/* Alerted, AlertSequence */
Test(system, alerts_come_in_order)
{
    char name[15];
    struct session session;
    struct test_provider provider = begin_with(&session, &oneshot, "one");
    cr_assert_eq(trace_controller_watch_alert(session.controller), 0);
    cr_expect_eq(trace_controller_next_alert(session.controller, 50, name), -ETIMEDOUT);
    for (uint64_t i = 0; i < 3; i++)
        cr_assert_eq(order(&provider, 'a', i), 'k');
    cr_expect_eq(trace_controller_next_alert(session.controller, 5000, name), 0);
    cr_expect_str_eq(name, "alert");
    const char *others[] = {"a", "14 characters."};
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(trace_controller_watch_alert(session.controller), 0);
        cr_expect_eq(trace_controller_next_alert(session.controller, 5000, name), 0);
        cr_expect_str_eq(name, others[i]);
    }
    for (uint64_t i = 0; i < 20; i++) /* the queue holds 16 */
        cr_assert_eq(order(&provider, 'a', i < 10 ? 0 : 1), 'k');
    int a = 0;
    int alert = 0;
    sleep_ms(200);
    for (int i = 0; i < 16; i++) {
        cr_assert_eq(trace_controller_watch_alert(session.controller), 0);
        cr_assert_eq(trace_controller_next_alert(session.controller, 5000, name), 0);
        alert += strcmp(name, "alert") == 0;
        a += strcmp(name, "a") == 0;
    }
    cr_expect(alert == 6 && a == 10, "%d %d", alert, a);
    cr_assert_eq(end_session(&session), 0);
    end_provider(&provider);
}

/* LargeBuffers */
Test(system, large_buffers_can_be_had)
{
    const struct trace_config config = {.mode = TRACE_MODE_ONESHOT, .buffer_megabytes = 1024};
    struct session session;
    struct test_provider provider = begin_with(&session, &config, "one");
    cr_assert_eq(order(&provider, 'e', 100000), 'k');
    cr_assert_eq(end_session(&session), 0);
    cr_expect_eq(find_events(&session.archive, "one").events, 100000);
    end_provider(&provider);
}

/* BufferForwarderTest.DeferredForwarder */
Test(system, deferred_transfer_comes_at_the_end)
{
    const struct trace_config config = {
        .mode = TRACE_MODE_STREAMING, .buffer_megabytes = 1, .defer_transfer = true};
    struct session session;
    struct trace_status status;
    struct test_provider provider = begin_with(&session, &config, "one");
    cr_assert_eq(order(&provider, 'p', 200000), 'k');
    for (int i = 0; i < 200; i++) {
        cr_assert_eq(trace_controller_get_status(session.controller, &status), 0);
        if (status.bytes_written > 1000000)
            break;
        sleep_ms(10);
    }
    cr_expect_gt(status.bytes_written, 1000000);
    cr_expect_eq(*(volatile size_t *)&session.archive.size, 0);
    cr_assert_eq(end_session(&session), 0);
    struct found found = find_events(&session.archive, "one");
    expect_all(&found, &provider, 200000);
    expect_clean(&session.archive);
    end_provider(&provider);
}

Test(system, status_tells_what_is_going_on)
{
    struct session session;
    struct trace_status status;
    trace_controller_t *other = connect_client();
    struct test_provider provider = start_provider("one");
    cr_assert_eq(trace_controller_get_status(other, &status), 0);
    cr_expect_eq(status.state, TRACE_SESSION_NONE);
    begin_session(&session, &circular);
    wait_for_providers(session.controller, 1);
    cr_assert_eq(trace_controller_get_status(other, &status), 0);
    cr_expect_eq(status.state, TRACE_SESSION_INITIALIZED);
    start_session(&session);
    cr_assert_eq(order(&provider, 's', 5000), 'k');
    sleep_ms(5);
    cr_assert_eq(trace_controller_get_status(other, &status), 0);
    cr_expect_eq(status.state, TRACE_SESSION_STARTED);
    cr_expect_eq(status.mode, TRACE_MODE_CIRCULAR);
    cr_expect_eq(status.providers, 1);
    cr_expect_eq(status.bytes_written, 8);
    cr_expect_gt(status.started_ns, 1000000);
    cr_assert_eq(end_session(&session), 0);
    trace_controller_destroy(other);
    end_provider(&provider);
}

/* Categories. */

static void two_categories(struct provider_self *self, char letter, uint64_t number)
{
    (void)self;
    (void)letter;
    (void)number;
    TRACE_INSTANT("kernel:sched", "a", TRACE_SCOPE_THREAD, "i", TA_UINT64(1));
    TRACE_INSTANT("kernel:irq", "b", TRACE_SCOPE_THREAD, "i", TA_UINT64(2));
    TRACE_INSTANT("net", "c", TRACE_SCOPE_THREAD, "i", TA_UINT64(4));
}

static uint64_t traced_with(const struct trace_config *config, const struct test_provider *provider,
                            const char *const *additional, size_t count)
{
    struct session session;
    begin_session(&session, config);
    wait_for_providers(session.controller, 1);
    cr_assert_eq(trace_controller_start(session.controller, TRACE_DISPOSITION_CLEAR_ENTIRE,
                                        additional, count),
                 0);
    cr_assert_eq(order(provider, 's', 5000), 'k');
    cr_assert_eq(order(provider, 't', 0), 'k');
    cr_assert_eq(end_session(&session), 0);
    struct found found = find_events(&session.archive, NULL);
    return found.events == 0   ? 0
           : found.events == 3 ? 7
           : found.events == 1 ? found.first
                               : found.first + found.last;
}

Test(system, categories_choose)
{
    const char *const kernel[] = {"kernel:*"};
    const char *const irq[] = {"kernel:irq"};
    const char *const net[] = {"net"};
    const char *const all[] = {"*"};
    const char *const group[] = {"#both"};
    const char *const its[] = {"chosen/net"};
    const char *const others[] = {"other/net", "kernel:irq"};
    const char *const unknown[] = {"#neither"};
    struct trace_config config = oneshot;
    own_order = two_categories;
    stop_manager();
    char path[64];
    snprintf(path, sizeof path, "%s/config.json", directory);
    FILE *file = fopen(path, "w");
    fputs("{\"groups\": {\"both\": [\"kernel:irq\", \"net\"]}}", file);
    fclose(file);
    start_manager_with(path, 3000);
    struct test_provider provider = start_provider("chosen");
    cr_expect_eq(traced_with(&config, &provider, NULL, 0), 7, "none: all");
    config.category_count = 1;
    config.categories = kernel;
    cr_expect_eq(traced_with(&config, &provider, NULL, 0), 3);
    config.categories = irq;
    cr_expect_eq(traced_with(&config, &provider, NULL, 0), 2);
    cr_expect_eq(traced_with(&config, &provider, net, 1), 6, "added at the start");
    config.categories = all;
    cr_expect_eq(traced_with(&config, &provider, NULL, 0), 7);
    config.categories = group;
    cr_expect_eq(traced_with(&config, &provider, NULL, 0), 6);
    config.categories = its;
    cr_expect_eq(traced_with(&config, &provider, NULL, 0), 4);
    config.categories = others;
    config.category_count = 2;
    cr_expect_eq(traced_with(&config, &provider, NULL, 0), 2);
    config.category_count = 1;
    cr_expect_eq(traced_with(&config, &provider, NULL, 0), 0, "nothing of its own");
    const struct trace_provider_spec specs[] = {{"chosen", net, 1, 2}, {"other", all, 1, 0}};
    config.specs = specs;
    config.spec_count = 2;
    config.categories = irq;
    config.category_count = 1;
    cr_expect_eq(traced_with(&config, &provider, NULL, 0), 6, "its own as well");
    struct session session;
    config.categories = unknown;
    session.controller = connect_client();
    int output = open_archive(&session.archive);
    cr_expect_eq(trace_controller_initialize(session.controller, &config, output),
                 TRACE_ERROR_INVALID);
    close(output);
    trace_controller_destroy(session.controller);
    end_provider(&provider);
}

static char known[256];

static void note_category(void *data, const char *name, const char *description)
{
    (void)data;
    size_t used = strlen(known);
    snprintf(known + used, sizeof known - used, "%s=%s;", name, description);
}

/* GetKnownCategories, GetKnownCategoriesTimeout */
Test(system, known_categories_are_those_of_the_configuration_and_of_providers)
{
    char path[64];
    stop_manager();
    snprintf(path, sizeof path, "%s/config.json", directory);
    FILE *file = fopen(path, "w");
    fputs("{\"categories\": {\"net\": \"packets\", \"other\": \"configured\"}}", file);
    fclose(file);
    start_manager_with(path, 3000);
    struct test_provider provider = start_provider("one");
    struct test_provider mute = start_provider("mute");
    trace_controller_t *client = connect_client();
    wait_for_providers(client, 2);
    cr_assert_eq(order(&provider, 'c', 0), 'k');
    cr_assert_eq(trace_controller_get_known_categories(client, note_category, NULL), 0);
    cr_expect_str_eq(known, "net=packets;other=configured;trace:test=of the test;");
    known[0] = '\0';
    halt(&mute);
    uint64_t begin = now_ms();
    cr_assert_eq(trace_controller_get_known_categories(client, note_category, NULL), 0);
    cr_expect_str_eq(known, "net=packets;other=configured;trace:test=of the test;");
    cr_expect(now_ms() - begin >= 900 && now_ms() - begin < 5000, "after a second");
    trace_controller_destroy(client);
    end_provider(&provider);
    end_provider(&mute);
}

/* Flushing. */

/* AllInOneTest.Flush */
Test(system, flush_puts_what_there_is_into_a_streaming_archive)
{
    struct session session;
    struct test_provider provider = begin_with(&session, &streaming, "one");
    for (int i = 0; i < 5; i++) {
        cr_assert_eq(order(&provider, 'p', 1000), 'k');
        cr_assert_eq(trace_controller_flush(session.controller, -1), 0);
        cr_assert_eq(order(&provider, 's', 5000), 'k');
        struct trace_status status;
        cr_assert_eq(trace_controller_get_status(session.controller, &status), 0);
        cr_expect_gt(status.bytes_written, (uint64_t)(i + 1) * 32000);
    }
    cr_assert_eq(order(&provider, 'p', 100000), 'k');
    cr_assert_eq(end_session(&session), 0);
    struct found found = find_events(&session.archive, "one");
    expect_all(&found, &provider, 105000);
    expect_clean(&session.archive);
    end_provider(&provider);
}

Test(system, snapshot_of_a_flight_recorder_while_it_goes_on)
{
    struct session session;
    struct archive snapshot;
    trace_controller_t *other = connect_client();
    struct test_provider provider = begin_with(&session, &circular, "one");
    for (uint64_t i = 1; i <= 3; i++) {
        cr_assert_eq(order(&provider, 'e', 50000), 'k');
        int output = open_archive(&snapshot);
        cr_assert_eq(trace_controller_flush(other, output), 0);
        close(output);
        pthread_join(snapshot.reader, NULL);
        struct found found = find_events(&snapshot, "one");
        cr_expect_eq(found.last, i * 50000 - 1);
        cr_expect_gt(found.events, 10000);
        cr_expect_eq(found.gaps, 0);
        expect_clean(&snapshot);
        free(snapshot.bytes);
        cr_assert_eq(order(&provider, 's', 5000), 'k');
    }
    cr_assert_eq(order(&provider, 'e', 10), 'k');
    cr_assert_eq(end_session(&session), 0);
    cr_expect_eq(find_events(&session.archive, "one").last, 150009);
    expect_clean(&session.archive);
    trace_controller_destroy(other);
    end_provider(&provider);
}

/* Providers that go. */

/* provider_destruction */
Test(system, provider_that_goes_keeps_what_it_wrote)
{
    const struct trace_config *configs[] = {&oneshot, &circular, &streaming};
    for (int mode = 0; mode < 3; mode++)
        for (int way = 0; way < 3; way++) { /* destroyed, exits, killed */
            struct session session;
            struct test_provider provider = begin_with(&session, configs[mode], "goes");
            cr_assert_eq(order(&provider, 'p', 60000), 'k');
            if (way < 2)
                send_order(&provider, way == 0 ? 'd' : 'q', 0);
            else
                kill(provider.process, SIGKILL);
            wait_for_providers(session.controller, 0);
            cr_assert_eq(end_session(&session), 0);
            struct found found = find_events(&session.archive, "goes");
            if (mode == 1)
                cr_expect(found.events > 10000 && found.last == 59999 && found.gaps == 0,
                          "way %d: %lu", way, (unsigned long)found.last);
            else
                expect_all(&found, &provider, 60000);
            cr_expect_eq(session.statistics[0].died, way > 0);
            expect_clean(&session.archive);
            end_provider(&provider);
        }
}

Test(system, program_that_ends_in_order_has_not_died)
{
    for (int i = 0; i < 20; i++) {
        struct session session;
        struct test_provider provider = begin_with(&session, &oneshot, "ends");
        cr_assert_eq(order(&provider, 'e', 10), 'k');
        send_order(&provider, 'x', 0);
        wait_for_providers(session.controller, 0);
        cr_assert_eq(end_session(&session), 0);
        cr_expect_eq(find_events(&session.archive, "ends").events, 10);
        cr_expect(!session.statistics[0].died);
        end_provider(&provider);
    }
}

/* The manager receives at once that a half is to be saved, that tracing has stopped, and that the
   connection has ended. */
Test(system, program_that_ends_in_order_with_a_half_to_save_has_not_died)
{
    struct session session;
    struct test_provider provider = begin_with(&session, &streaming, "ends");
    siginfo_t info;
    kill(manager_process, SIGSTOP);
    cr_assert_eq(order(&provider, 'e', 60000), 'k');
    send_order(&provider, 'x', 0);
    cr_assert_eq(waitid(P_PID, (id_t)provider.process, &info, WEXITED | WNOWAIT), 0);
    kill(manager_process, SIGCONT);
    wait_for_providers(session.controller, 0);
    cr_assert_eq(end_session(&session), 0);
    struct found found = find_events(&session.archive, "ends");
    cr_expect_gt(session.statistics[0].records_dropped, 0);
    cr_expect_eq(found.events + session.statistics[0].records_dropped, 60000);
    cr_expect(!session.statistics[0].died);
    expect_clean(&session.archive);
    end_provider(&provider);
}

Test(system, provider_can_be_made_anew)
{
    struct session session;
    struct test_provider provider = start_provider("first");
    begin_session(&session, &oneshot);
    wait_for_providers(session.controller, 1);
    cr_assert_eq(order(&provider, 'd', 0), 'k');
    wait_for_providers(session.controller, 0);
    cr_assert_eq(order(&provider, 'l', 0), 'k');
    cr_assert_eq(order(&provider, 'n', 0), 'k');
    wait_for_providers(session.controller, 1);
    start_session(&session);
    cr_assert_eq(order(&provider, 's', 5000), 'k');
    cr_assert_eq(order(&provider, 'e', 10), 'k');
    cr_assert_eq(end_session(&session), 0);
    cr_expect_eq(find_events(&session.archive, "again").events, 10);
    end_provider(&provider);
}
