/* The system in order: what a client asks for is in the archive, and nothing else. */
#include "src/manager/system_test.h"

TestSuite(system, .init = start_manager, .fini = clean_up, .timeout = 120);

static const struct trace_config oneshot = {.mode = TRACE_MODE_ONESHOT, .buffer_megabytes = 1};
static const struct trace_config circular = {.mode = TRACE_MODE_CIRCULAR, .buffer_megabytes = 1};
static const struct trace_config streaming = {.mode = TRACE_MODE_STREAMING, .buffer_megabytes = 1};

Test(system, records_of_a_provider_are_in_the_archive)
{
    struct session session;
    struct test_provider provider = start_provider("one");
    begin_session(&session, &oneshot);
    wait_for_providers(session.controller, 1);
    start_session(&session);
    cr_assert_eq(order(&provider, 's', 5000), 'k');
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
            cr_expect_eq(found.events, 100000, "%lu, dropped %lu", (unsigned long)found.events,
                         (unsigned long)dropped);
        }
        cr_expect_eq(found.gaps, 0);
        expect_clean(&session.archive);
        written += 100000;
    }
    end_provider(&provider);
}
