/* Many providers, at once and one after the other: as many as there may be, and none of those that
   have gone costs anything.

   FXT_SLOW=1: ten times as many. */
#include "src/manager/raw_test.h"

static void begin(void)
{
    start_manager_with(NULL, 1000);
}

TestSuite(many, .init = begin, .fini = clean_up, .timeout = 280);

static int many(void)
{
    return getenv("FXT_SLOW") != NULL ? 10000 : 1000;
}

Test(many, a_hundred_providers_and_no_more)
{
    const struct trace_config config = {
        .mode = TRACE_MODE_STREAMING, .buffer_megabytes = 1, .start_timeout_ms = 20000};
    static struct test_provider all[100];
    static struct session session;
    char name[20];
    for (int i = 0; i < 100; i++) {
        snprintf(name, sizeof name, "number %d", i);
        all[i] = start_provider(name);
    }
    begin_session(&session, &config);
    wait_for_providers(session.controller, 100);
    struct raw *one_more = raw_provider("one more");
    cr_expect(!raw_is_readable(one_more->socket, 500), "it waits");
    cr_expect(log_has("there are 100 providers"));
    raw_end(one_more);
    start_session(&session);
    for (int i = 0; i < 100; i++)
        cr_expect_eq(order(&all[i], 's', 20000), 'k');
    for (int i = 0; i < 100; i++)
        send_order(&all[i], 'e', 1000);
    for (int i = 0; i < 100; i++)
        cr_expect_eq(receive_answer(&all[i]), 'k');
    cr_expect_eq(end_session(&session), 0);
    struct found found = find_events(&session.archive, NULL);
    cr_expect_eq(found.events, 100000, "%lu", (unsigned long)found.events);
    cr_expect_eq(found.gaps, 0);
    cr_expect_eq(found.providers, 100);
    cr_expect_eq(session.count, 100);
    cr_expect_eq(count_findings(&session.archive, FXT_NONCONFORMING), 0);
    end_provider(&all[0]);
    trace_controller_t *controller = connect_client();
    wait_for_providers(controller, 99);
    struct raw *next = raw_provider("there is room again");
    wait_for_providers(controller, 100);
    raw_end(next);
    trace_controller_destroy(controller);
    for (int i = 1; i < 100; i++)
        end_provider(&all[i]);
}

/* A provider that connects, and goes as soon as it has done so much. */
enum deed { CONNECTS, REGISTERS, TAKES_PART, WRITES, DEEDS };

static void come_and_go(enum deed deed, enum trace_mode mode)
{
    struct raw *it = raw_open(FXT_I_REGISTRY);
    if (deed >= REGISTERS)
        raw_try_to_register(it, "comes and goes");
    if (deed >= TAKES_PART)
        raw_start(it, mode);
    if (deed >= WRITES) {
        uint64_t at = FXT_BUFFER_HEADER_BYTES + it->header.durable_size;
        it->header.rolling_data_end[0] = raw_write_events(it, at, 0, 10);
        fxt_buffer_write_header(it->buffer, &it->header);
        cr_assert_eq(raw_say(it, FXT_I_STOPPED, 0, 0), 0);
    }
    raw_end(it);
}

static void expect_little_memory(uint64_t before, uint64_t more_kb)
{
    uint64_t now = memory_kb(manager_process);
    cr_expect(IS_SANITIZED || now <= before + more_kb, "%lu kB, before %lu", (unsigned long)now,
              (unsigned long)before);
}

Test(many, who_comes_and_goes_leaves_nothing)
{
    trace_controller_t *controller = connect_client();
    wait_for_providers(controller, 0);
    int descriptors = count_descriptors(manager_process);
    uint64_t before = memory_kb(manager_process);
    for (int i = 0; i < many(); i++)
        come_and_go(i % 2 == 0 ? CONNECTS : REGISTERS, TRACE_MODE_ONESHOT);
    wait_for_providers(controller, 0);
    wait_for_descriptors(descriptors);
    expect_little_memory(before, 2000);
    trace_controller_destroy(controller);
    cr_expect_eq(stop_manager(), 0);
}

static void come_and_go_in_a_session(enum trace_mode mode)
{
    const struct trace_config config = {
        .mode = mode, .buffer_megabytes = 1, .start_timeout_ms = 100};
    struct test_provider well = start_provider("well");
    struct session session;
    int wrote = 0;
    begin_session(&session, &config);
    wait_for_providers(session.controller, 1);
    start_session(&session);
    cr_expect_eq(order(&well, 's', 5000), 'k');
    cr_expect_eq(order(&well, 'e', 500), 'k');
    for (int i = 0; i < 8; i++) /* so that what it needs once is there */
        come_and_go(WRITES, mode);
    int descriptors = count_descriptors(manager_process);
    uint64_t before = memory_kb(manager_process);
    for (int i = 0; i < many(); i++) {
        come_and_go((enum deed)(i % DEEDS), mode);
        wrote += i % DEEDS == WRITES;
    }
    wait_for_providers(session.controller, 1);
    wait_for_descriptors(descriptors);
    /* A hundred of the dead may have a buffer, of which little is in use. */
    expect_little_memory(before, 8000 + (uint64_t)many() * 2);
    cr_expect_eq(order(&well, 'e', 500), 'k');
    cr_expect_eq(end_session(&session), 0);
    struct found found = find_events(&session.archive, "well");
    cr_expect_eq(found.events, 1000);
    found = find_events(&session.archive, NULL);
    cr_expect_eq(found.events, 1000 + 10 * (8 + (uint64_t)wrote), "%lu",
                 (unsigned long)found.events);
    cr_expect_eq(count_findings(&session.archive, FXT_NONCONFORMING), 0);
    expect_little_memory(before, 8000);
    free(session.archive.bytes);
    end_provider(&well);
    cr_expect_eq(stop_manager(), 0);
}

Test(many, who_comes_and_goes_in_a_session_leaves_what_it_wrote)
{
    come_and_go_in_a_session(TRACE_MODE_CIRCULAR);
}

Test(many, who_comes_and_goes_in_a_streaming_session_leaves_what_it_wrote)
{
    come_and_go_in_a_session(TRACE_MODE_STREAMING);
}

/* The manager stands still while a provider dies and the next one registers. */
Test(many, who_registers_when_another_one_dies_is_not_left_out)
{
    const struct trace_config config = {.mode = TRACE_MODE_CIRCULAR, .buffer_megabytes = 1};
    struct session session;
    begin_session(&session, &config);
    start_session(&session);
    struct raw *it = raw_provider("comes and goes");
    for (int i = 0; i < 300; i++) {
        struct raw *next = raw_open(FXT_I_REGISTRY);
        raw_start(it, TRACE_MODE_CIRCULAR);
        kill(manager_process, SIGSTOP);
        cr_assert_eq(waitpid(manager_process, NULL, WUNTRACED), manager_process);
        raw_end(it);
        raw_register(next, "comes and goes");
        kill(manager_process, SIGCONT);
        it = next;
    }
    raw_start(it, TRACE_MODE_CIRCULAR);
    raw_end(it);
    cr_expect_not(log_has("left out"));
    cr_expect_eq(end_session(&session), 0);
    free(session.archive.bytes);
}

/* What they wrote cannot be got rid of. */
Test(many, who_comes_and_goes_is_not_kept_without_end_when_nobody_reads)
{
    const struct trace_config config = {
        .mode = TRACE_MODE_STREAMING, .buffer_megabytes = 1, .start_timeout_ms = 100};
    struct session session = {.controller = connect_client()};
    int ends[2];
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    cr_assert_eq(trace_controller_initialize(session.controller, &config, ends[1]), 0);
    start_session(&session);
    uint64_t before = memory_kb(manager_process);
    for (int i = 0; i < 400; i++) {
        struct raw *it = raw_provider("comes and goes");
        if (raw_await(it, FXT_I_START, i < 20 ? 5000 : 50)) {
            raw_begin_buffer(it, TRACE_MODE_STREAMING);
            uint64_t at = FXT_BUFFER_HEADER_BYTES + it->header.durable_size;
            it->header.rolling_data_end[0] = raw_write_events(it, at, 0, 6000);
            fxt_buffer_write_header(it->buffer, &it->header);
            raw_say(it, FXT_I_STARTED, 0, 0);
            raw_say(it, FXT_I_STOPPED, 0, 0);
        }
        raw_end(it);
        if (i % 10 == 0)
            wait_for_providers(session.controller, 0);
    }
    cr_expect_leq(count_mapped_buffers(manager_process), 102);
    expect_little_memory(before, 40000);
    cr_expect(log_has("too many"));
    trace_controller_destroy(session.controller);
    close(ends[0]);
    close(ends[1]);
}
