/* A machine so slow that the time of a step is up before its first save. The manager's clock shows 3 ms
   more each time it is read (uv_hrtime is wrapped); a step saves for 5 ms. */
#include "src/manager/raw_test.h"

uint64_t __wrap_uv_hrtime(void);
uint64_t __wrap_uv_hrtime(void)
{
    static uint64_t now;
    return now += UINT64_C(3000000);
}

TestSuite(slow, .init = start_manager, .fini = clean_up, .timeout = 60);

Test(slow, session_ends_and_has_all_events)
{
    const struct trace_config oneshot = {.mode = TRACE_MODE_ONESHOT, .buffer_megabytes = 1};
    struct session session;
    struct test_provider it = begin_with(&session, &oneshot, "it");
    cr_assert_eq(order(&it, 'e', 100), 'k');
    cr_expect_eq(end_session(&session), 0);
    cr_expect_eq(find_events(&session.archive, "it").events, 100);
    free(session.archive.bytes);
    end_provider(&it);
}
