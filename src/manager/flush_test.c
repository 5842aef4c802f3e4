/* Flushes that come at a bad time: during another flush, while a provider is about to clear its buffer,
   and with providers that the session does without. */
#include "src/protocol/controller.h"
#include "src/manager/both_test.h"

static void begin(void)
{
    start_manager_with(NULL, 5000);
}

TestSuite(flush, .init = begin, .fini = clean_up, .timeout = 120);

/* Its events by the provider by hand. */
static uint64_t events_of_snapshot(struct both *it)
{
    struct archive snapshot;
    int output = open_archive(&snapshot);
    cr_expect_eq(trace_controller_flush(it->session.controller, output), 0);
    close(output);
    pthread_join(snapshot.reader, NULL);
    cr_expect_eq(find_events(&snapshot, "well").events, 100);
    cr_expect_eq(count_findings(&snapshot, FXT_NONCONFORMING), 0);
    uint64_t events = find_events(&snapshot, "raw").events;
    free(snapshot.bytes);
    return events;
}

/* Of the provider that is left out nothing comes later, either. */
static void expect_nothing_of_it(struct both *both)
{
    cr_expect_eq(events_of_snapshot(both), 0);
    end_both(both);
    expect_events(both, 0);
}

Test(flush, nothing_is_taken_of_who_speaks_another_version)
{
    struct both both;
    begin_both(&both, TRACE_MODE_CIRCULAR);
    fill_a_half(&both);
    cr_assert_eq(raw_send(both.raw->fifo, "\1\0\0\0\2\0\0\0\0\0\0\0\0\0\0", FXT_I_FIFO_BYTES), 0);
    cr_expect(raw_is_closed(both.raw->fifo, 20000));
    expect_nothing_of_it(&both);
}

Test(flush, nothing_is_taken_of_who_broke_a_rule_before_the_start)
{
    struct both both;
    initialize_both(&both, TRACE_MODE_CIRCULAR);
    fill_a_half(&both);
    cr_assert_eq(raw_send(both.raw->fifo, "", 1), 0);
    cr_expect(raw_is_closed(both.raw->fifo, 20000));
    begin_well(&both);
    expect_nothing_of_it(&both);
}

/* Both have events; the provider by hand does not say that it has started again. */
static void start_again(struct both *it, enum trace_disposition disposition)
{
    start_both(it, TRACE_MODE_CIRCULAR);
    fill_a_half(it);
    cr_assert_eq(raw_say(it->raw, FXT_I_STOPPED, 0, 0), 0);
    cr_assert_eq(trace_controller_stop(it->session.controller, false, NULL, NULL), 0);
    cr_assert_eq(trace_controller_start(it->session.controller, disposition, NULL, 0), 0);
    cr_assert(raw_await(it->raw, FXT_I_START, 20000));
    cr_assert_eq(order(&it->well, 's', 20000), 'k');
}

static void end_again(struct both *it)
{
    cr_assert_eq(raw_say(it->raw, FXT_I_STARTED, 0, 0), 0);
    cr_assert_eq(raw_say(it->raw, FXT_I_STOPPED, 0, 0), 0);
    end_both(it);
}

Test(flush, who_is_about_to_clear_its_buffer_is_left_out)
{
    struct both both;
    start_again(&both, TRACE_DISPOSITION_CLEAR_NONDURABLE);
    cr_assert_eq(order(&both.well, 'e', 100), 'k');
    cr_expect_eq(events_of_snapshot(&both), 0);
    cr_expect(log_has("left out of a flush: it does not answer"));
    end_again(&both);
}

Test(flush, who_keeps_its_buffer_is_read_before_it_has_started_again)
{
    struct both both;
    start_again(&both, TRACE_DISPOSITION_RETAIN);
    cr_expect_eq(events_of_snapshot(&both), 100);
    end_again(&both);
    expect_events(&both, 100);
}

/* It clears its buffer as it is told. */
static void receive_start(struct both *it)
{
    struct fxt_i_packet packet = {.ordinal = 0};
    while (packet.ordinal != FXT_I_START)
        cr_assert(raw_hear(it->raw, &packet, 20000));
    cr_expect_eq(packet.choice, TRACE_DISPOSITION_CLEAR_ENTIRE);
    if (packet.choice != TRACE_DISPOSITION_CLEAR_ENTIRE)
        return;
    memset(it->raw->buffer, 0, it->raw->header.total_size);
    raw_begin_buffer(it->raw, TRACE_MODE_STREAMING);
}

Test(flush, who_stopped_by_itself_is_not_written_twice)
{
    struct both both;
    start_both(&both, TRACE_MODE_STREAMING);
    fill_a_half(&both);
    cr_assert_eq(raw_say(both.raw, FXT_I_STOPPED, 0, 0), 0);
    await_heard(&both);
    trace_controller_t *controller = both.session.controller;
    cr_expect_eq(trace_controller_flush(controller, -1), 0);
    cr_assert_eq(trace_controller_stop(controller, false, NULL, NULL), 0);
    cr_assert_eq(trace_controller_start(controller, TRACE_DISPOSITION_RETAIN, NULL, 0), 0);
    receive_start(&both);
    cr_assert_eq(order(&both.well, 's', 20000), 'k');
    end_again(&both);
    expect_events(&both, 100);
}

static void *start_it(void *session)
{
    start_session(session);
    return NULL;
}

/* The provider by hand alone, which has much time. */
static void start_alone(struct both *it)
{
    const struct trace_config config = {
        .mode = TRACE_MODE_STREAMING, .buffer_megabytes = 1, .start_timeout_ms = 20000};
    pthread_t starter;
    it->raw = raw_provider("raw");
    begin_session(&it->session, &config);
    wait_for_providers(it->session.controller, 1);
    cr_assert(raw_await(it->raw, FXT_I_INITIALIZE, 5000));
    raw_begin_buffer(it->raw, TRACE_MODE_STREAMING);
    pthread_create(&starter, NULL, start_it, &it->session);
    cr_assert(raw_await(it->raw, FXT_I_START, 5000));
    cr_assert_eq(raw_say(it->raw, FXT_I_STARTED, 0, 0), 0);
    pthread_join(starter, NULL);
}

/* Nothing else happens in the session that would have it saved. */
Test(flush, who_stopped_by_itself_is_written_soon)
{
    struct both both;
    start_alone(&both);
    cr_assert_eq(raw_say(both.raw, FXT_I_STOPPED, 0, 0), 0);
    await_heard(&both);
    uint64_t since = now_ms();
    cr_expect_eq(trace_controller_flush(both.session.controller, -1), 0);
    cr_expect_lt(now_ms() - since, 10000);
    cr_expect_eq(end_session(&both.session), 0);
    raw_end(both.raw);
}

/* A client that does not wait for its answer. */
static struct raw *ask_for_flush(int output)
{
    const struct fxt_i_controller_packet packet = {.ordinal = FXT_I_FLUSH_BUFFERS,
                                                   .transaction = 5};
    uint8_t bytes[FXT_I_CONTROLLER_BYTES_MAX];
    struct raw *it = raw_open(FXT_I_CONTROLLER);
    size_t size = (size_t)fxt_i_controller_write(bytes, &packet, NULL);
    cr_assert_eq(fxt_i_socket_send(it->socket, bytes, size, &output, output >= 0 ? 1 : 0), 0);
    return it;
}

static void *stop_it(void *session)
{
    const struct session *it = session;
    cr_expect_eq(trace_controller_stop(it->controller, true, NULL, NULL), 0);
    return NULL;
}

/* The stop asks for what the flush asks for, too. */
Test(flush, who_stops_instead_of_its_flush_is_written_once)
{
    struct both both;
    pthread_t stopper;
    start_alone(&both);
    fill_a_half(&both);
    struct raw *client = ask_for_flush(-1);
    cr_assert(raw_is_readable(both.raw->fifo, 20000));
    pthread_create(&stopper, NULL, stop_it, &both.session);
    cr_assert(raw_await(both.raw, FXT_I_STOP, 20000));
    cr_assert_eq(raw_say(both.raw, FXT_I_STOPPED, 0, 0), 0);
    pthread_join(stopper, NULL);
    cr_expect(raw_is_readable(client->socket, 20000), "the flush is done");
    cr_expect_eq(end_session(&both.session), 0);
    expect_events(&both, 100);
    raw_end(client);
    raw_end(both.raw);
}

/* A flush that goes on: its output has no room for all, and nobody reads it yet. */
struct stuck {
    struct raw *client;
    int reading;
};

static void get_stuck(struct stuck *it)
{
    int ends[2];
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    it->client = ask_for_flush(ends[1]);
    it->reading = ends[0];
    close(ends[1]);
    cr_assert(raw_is_readable(it->reading, 20000));
}

Test(flush, another_one_is_refused_and_the_first_one_is_complete)
{
    const struct trace_config config = {.mode = TRACE_MODE_ONESHOT, .buffer_megabytes = 1};
    struct session session;
    struct stuck stuck;
    struct archive refused;
    struct archive first = {.bytes = NULL};
    uint8_t bytes[FXT_I_CONTROLLER_BYTES_MAX];
    struct test_provider it = begin_with(&session, &config, "it");
    cr_assert_eq(order(&it, 'e', 20000), 'k');
    get_stuck(&stuck);
    int output = open_archive(&refused);
    cr_expect_neq(trace_controller_flush(session.controller, output), 0);
    close(output);
    pthread_join(refused.reader, NULL);
    cr_expect_eq(refused.size, 0);
    cr_expect(!raw_is_readable(stuck.client->socket, 0), "it goes on");
    first.descriptor = stuck.reading;
    read_archive(&first);
    cr_expect_eq(find_events(&first, "it").events, 20000);
    cr_assert(raw_is_readable(stuck.client->socket, 20000));
    cr_expect_eq(recv(stuck.client->socket, bytes, sizeof bytes, 0), 80, "it is done");
    output = open_archive(&refused);
    cr_expect_eq(trace_controller_flush(session.controller, output), 0, "now it may be");
    close(output);
    pthread_join(refused.reader, NULL);
    cr_expect_eq(find_events(&refused, "it").events, 20000);
    cr_expect_eq(end_session(&session), 0);
    raw_end(stuck.client);
    end_provider(&it);
}

/* The output of one that waits is given up after 60 s. */
Test(flush, one_whose_client_has_gone_is_given_up_soon)
{
    const struct trace_config config = {.mode = TRACE_MODE_ONESHOT, .buffer_megabytes = 1};
    struct session session;
    struct stuck stuck;
    struct archive archive;
    int error = 1;
    struct test_provider it = begin_with(&session, &config, "it");
    cr_assert_eq(order(&it, 'e', 20000), 'k');
    get_stuck(&stuck);
    raw_end(stuck.client);
    int output = open_archive(&archive);
    for (uint64_t end = now_ms() + 30000; now_ms() < end && error != 0; sleep_ms(20))
        error = trace_controller_flush(session.controller, output);
    cr_expect_eq(error, 0, "there may be another one");
    close(output);
    pthread_join(archive.reader, NULL);
    cr_expect_eq(find_events(&archive, "it").events, 20000);
    cr_expect_eq(end_session(&session), 0);
    close(stuck.reading);
    end_provider(&it);
}
