/* Sessions with many providers one after the other: each is judged, and none costs more for the
   others that were there before. Why one did not start is told of it. */
#include "src/manager/raw_test.h"

TestSuite(past, .init = start_manager, .fini = clean_up, .timeout = 180);

static const struct trace_config streaming = {.mode = TRACE_MODE_STREAMING, .buffer_megabytes = 1};

/* An event whose category is string 5, which nobody registered; and one that is as it should be. */
static uint64_t write_two(struct raw *it, uint64_t offset)
{
    const struct fxt_event dangling = {.thread = fxt_thread_inline(1, 2),
                                       .category = {NULL, 5},
                                       .name = fxt_string_inline("event", 5),
                                       .event_type = FXT_EVENT_INSTANT};
    struct fxt_writer writer;
    fxt_writer_init(&writer, it->buffer + offset, 512);
    cr_assert_eq(fxt_write_event(&writer, &dangling, NULL, 0), FXT_OK);
    return writer.size + raw_write_events(it, offset + writer.size, 0, 1);
}

/* A provider that comes, writes those two events, and goes. */
static void come_and_go(void)
{
    struct raw *it = raw_provider("short");
    cr_assert(raw_await(it, FXT_I_START, 20000));
    raw_begin_buffer(it, TRACE_MODE_STREAMING);
    write_two(it, FXT_BUFFER_HEADER_BYTES + it->header.durable_size);
    cr_assert_eq(raw_say(it, FXT_I_STARTED, 0, 0), 0);
    raw_end(it);
}

static uint64_t cpu_of(int providers)
{
    uint64_t before = cpu_ms(manager_process);
    for (int i = 0; i < providers; i++)
        come_and_go();
    return cpu_ms(manager_process) - before;
}

Test(past, reference_to_nothing_is_left_out_of_the_archive_however_many_providers_there_are)
{
    struct session session;
    struct trace_status status = {.state = TRACE_SESSION_NONE};
    begin_session(&session, &streaming);
    start_session(&session);
    for (int i = 0; i < 300; i++)
        come_and_go();
    wait_for_providers(session.controller, 0);
    for (uint64_t end = now_ms() + 20000; status.records_refused < 300 && now_ms() < end;
         sleep_ms(5))
        cr_assert_eq(trace_controller_get_status(session.controller, &status), 0);
    cr_expect_eq(status.records_refused, 300);
    cr_assert_eq(end_session(&session), 0);
    struct found found = find_events(&session.archive, NULL);
    cr_expect_eq(found.events, 300);
    cr_expect_eq(found.strange, 0);
    cr_expect_eq(found.providers, 300);
}

Test(past, provider_costs_no_more_for_those_that_were_there_before)
{
    const int many = IS_SANITIZED ? 200 : 700;
    struct session session;
    begin_session(&session, &streaming);
    start_session(&session);
    cpu_of(many / 10);
    uint64_t first = cpu_of(many);
    cpu_of(2 * many);
    uint64_t last = cpu_of(many);
    cr_expect_leq(last, 2 * first + 200, "%lu ms, then %lu ms", (unsigned long)first,
                  (unsigned long)last);
    wait_for_providers(session.controller, 0);
    cr_assert_eq(end_session(&session), 0);
    cr_expect_eq(find_events(&session.archive, NULL).events, (uint64_t)(many / 10 + 4 * many));
}

/* The initialization record of a provider. */
static void claim_rate(struct raw *it, uint64_t ticks_per_second)
{
    const struct fxt_initialization in = {.ticks_per_second = ticks_per_second};
    struct fxt_writer writer;
    fxt_writer_init(&writer, it->buffer + FXT_BUFFER_HEADER_BYTES, 64);
    cr_assert_eq(fxt_write_initialization(&writer, &in), FXT_OK);
}

Test(past, false_rate_of_the_first_provider_is_its_own)
{
    struct session session;
    struct raw *liar = raw_provider("liar");
    struct test_provider providers[4];
    begin_session(&session, &streaming);
    wait_for_providers(session.controller, 1);
    start_session(&session);
    cr_assert(raw_await(liar, FXT_I_START, 5000));
    raw_begin_buffer(liar, TRACE_MODE_STREAMING);
    claim_rate(liar, 7);
    cr_assert_eq(raw_say(liar, FXT_I_STARTED, 0, 0), 0);
    raw_end(liar);
    wait_for_providers(session.controller, 0);
    for (int i = 0; i < 4; i++)
        providers[i] = start_provider("counts");
    for (int i = 0; i < 4; i++)
        cr_assert_eq(order(&providers[i], 's', 5000), 'k');
    cr_assert_eq(end_session(&session), 0);
    cr_expect_eq(count_rates(&session.archive), 2);
    for (int i = 0; i < 4; i++)
        end_provider(&providers[i]);
}

static struct raw *start_unstarted(const char *name)
{
    struct raw *it = raw_provider(name);
    cr_assert(raw_await(it, FXT_I_START, 5000));
    return it;
}

static void expect_start(const struct session *session, const char *name,
                         enum trace_provider_start start)
{
    const struct trace_provider_statistics *it = statistics_of(session, name);
    cr_assert_not_null(it, "%s", name);
    cr_expect_eq(it->start, start, "%s: %d", name, it->start);
}

/* They decline by closing their FIFO; the connection may end later. */
Test(past, reason_for_which_a_provider_did_not_start_is_told)
{
    struct session session;
    begin_session(&session, &streaming);
    start_session(&session);
    struct raw *stays = start_unstarted("stays");
    struct raw *leaves = start_unstarted("leaves");
    struct raw *ends = start_unstarted("ends");
    struct raw *silent = start_unstarted("silent");
    raw_close(&stays->fifo);
    raw_close(&leaves->fifo);
    raw_end(ends);
    sleep_ms(300);
    raw_end(leaves);
    wait_for_providers(session.controller, 2);
    cr_assert_eq(end_session(&session), 0);
    expect_start(&session, "stays", TRACE_PROVIDER_DECLINED);
    expect_start(&session, "leaves", TRACE_PROVIDER_DECLINED);
    expect_start(&session, "ends", TRACE_PROVIDER_ENDED);
    expect_start(&session, "silent", TRACE_PROVIDER_SILENT);
    raw_end(stays);
    raw_end(silent);
}
