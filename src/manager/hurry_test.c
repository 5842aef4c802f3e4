/* Clients and managers that cannot wait: a session ends soon, with what it has. */
#include "src/manager/raw_test.h"

#define LONG_MS 60000 /* what would be waited for otherwise */
#define SOON_MS 30000

static const struct trace_config patient = {.mode = TRACE_MODE_ONESHOT,
                                            .buffer_megabytes = 1,
                                            .stop_timeout_ms = LONG_MS};

TestSuite(hurry, .init = start_manager, .fini = clean_up, .timeout = 120);

static enum trace_session_state state_of(trace_controller_t *controller)
{
    struct trace_status status = {.state = TRACE_SESSION_NONE};
    cr_assert_eq(trace_controller_get_status(controller, &status), 0);
    return status.state;
}

static void wait_for_state_of(trace_controller_t *controller, enum trace_session_state state)
{
    for (uint64_t end = now_ms() + SOON_MS; now_ms() < end && state_of(controller) != state;)
        sleep_ms(5);
    cr_assert_eq(state_of(controller), state);
}

/* Each of them comes before the time of the last one would be over. */
Test(hurry, many_requests_give_programs_no_more_time_than_two)
{
    struct session session;
    struct terminator terminator;
    trace_controller_t *other = connect_client();
    struct test_provider it = begin_with(&session, &patient, "it");
    cr_assert_eq(order(&it, 'e', 100), 'k');
    halt(&it);
    begin_to_terminate(&terminator, session.controller);
    wait_for_state_of(other, TRACE_SESSION_TERMINATING);
    for (uint64_t end = now_ms() + SOON_MS;
         now_ms() < end && state_of(other) == TRACE_SESSION_TERMINATING; sleep_ms(20))
        trace_controller_hurry(session.controller);
    cr_expect_eq(state_of(other), TRACE_SESSION_NONE);
    pthread_join(terminator.thread, NULL);
    cr_expect_eq(terminator.error, 0);
    pthread_join(session.archive.reader, NULL);
    cr_expect_eq(find_events(&session.archive, "it").events, 100);
    trace_controller_destroy(session.controller);
    trace_controller_destroy(other);
    end_provider(&it);
}

static void *start_it(void *session)
{
    trace_controller_start(((struct session *)session)->controller, TRACE_DISPOSITION_CLEAR_ENTIRE,
                           NULL, 0);
    return NULL;
}

/* The program neither starts nor stops. */
Test(hurry, one_request_ends_a_session_soon_whose_start_is_waited_for)
{
    struct trace_config config = patient;
    struct session session;
    pthread_t starter;
    trace_controller_t *other = connect_client();
    struct test_provider it = start_provider("it");
    config.start_timeout_ms = LONG_MS;
    begin_session(&session, &config);
    wait_for_providers(session.controller, 1);
    halt(&it);
    pthread_create(&starter, NULL, start_it, &session);
    wait_for_state_of(other, TRACE_SESSION_STARTING);
    trace_controller_hurry(session.controller);
    wait_for_state_of(other, TRACE_SESSION_NONE);
    pthread_join(starter, NULL);
    pthread_join(session.archive.reader, NULL);
    trace_controller_destroy(session.controller);
    trace_controller_destroy(other);
    kill(it.process, SIGCONT);
    end_provider(&it);
}

/* A session whose output nobody reads. The program has more to write than fits into the socket. */
static int begin_unread(struct session *session, struct test_provider *it)
{
    int ends[2];
    memset(session, 0, sizeof *session);
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    *it = start_provider("it");
    session->controller = connect_client();
    wait_for_providers(session->controller, 1);
    cr_assert_eq(trace_controller_initialize(session->controller, &patient, ends[1]), 0);
    close(ends[1]);
    start_session(session);
    cr_assert_eq(order(it, 's', 20000), 'k');
    cr_assert_eq(order(it, 'e', 20000), 'k');
    return ends[0];
}

Test(hurry, second_request_after_all_programs_have_stopped_gives_the_output_little_time)
{
    struct session session;
    struct terminator terminator;
    struct test_provider it;
    int reading = begin_unread(&session, &it);
    uint64_t since = now_ms();
    begin_to_terminate(&terminator, session.controller);
    cr_assert(raw_is_readable(reading, 20000));
    cr_assert_eq(order(&it, 'o', 20000), 'k');
    sleep_ms(50);
    trace_controller_hurry(session.controller);
    pthread_join(terminator.thread, NULL);
    cr_expect_eq(terminator.error, TRACE_ERROR_ABORTED);
    cr_expect_lt(now_ms() - since, SOON_MS);
    trace_controller_destroy(session.controller);
    end_provider(&it);
    close(reading);
}

/* What can be read now. */
static size_t drain(int reading)
{
    static char bytes[65536];
    size_t size = 0;
    for (ssize_t got; (got = recv(reading, bytes, sizeof bytes, MSG_DONTWAIT)) > 0;)
        size += (size_t)got;
    sleep_ms(1);
    return size;
}

/* The reader pauses for longer than a client that hurries would wait. */
Test(hurry, manager_that_is_ended_during_the_end_of_a_session_writes_all_of_it)
{
    struct session session;
    struct terminator terminator;
    struct test_provider it;
    size_t size = 0;
    int status = -1;
    int reading = begin_unread(&session, &it);
    begin_to_terminate(&terminator, session.controller);
    cr_assert(raw_is_readable(reading, 20000));
    cr_assert_eq(order(&it, 'o', 20000), 'k');
    kill(manager_process, SIGTERM);
    sleep_ms(2500);
    while (waitpid(manager_process, &status, WNOHANG) == 0)
        size += drain(reading);
    size += drain(reading);
    manager_process = 0;
    cr_expect_eq(status, 0);
    pthread_join(terminator.thread, NULL);
    cr_expect_eq(terminator.error, 0);
    cr_expect_gt(size, 500000);
    trace_controller_destroy(session.controller);
    end_provider(&it);
    close(reading);
}

/* The manager's exit status; it is asked to end until it does. */
static int end_impatiently(void)
{
    int status = -1;
    for (uint64_t end = now_ms() + SOON_MS; now_ms() < end; sleep_ms(20)) {
        kill(manager_process, SIGTERM);
        if (waitpid(manager_process, &status, WNOHANG) == manager_process)
            break;
    }
    manager_process = 0;
    return status;
}

Test(hurry, manager_that_is_ended_twice_does_not_wait_for_a_session_whose_client_has_gone)
{
    struct session session;
    struct test_provider it;
    trace_controller_t *other = connect_client();
    int reading = begin_unread(&session, &it);
    halt(&it);
    trace_controller_destroy(session.controller);
    wait_for_state_of(other, TRACE_SESSION_TERMINATING);
    cr_expect_eq(end_impatiently(), 0);
    kill(it.process, SIGCONT);
    cr_expect_eq(order(&it, 'o', 20000), 'k');
    trace_controller_destroy(other);
    end_provider(&it);
    close(reading);
}
