/* What happens to clients and to their outputs: they go away, do not read, have no room, or send
   nonsense. Programs stop tracing, and the next client finds the manager as it should be. */
#include <netinet/in.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include <lib/trace-engine/instrumentation.h>

#include "src/protocol/controller.h"
#include "src/manager/raw_test.h"

#define STALL_MS 600

static void do_as_told(struct provider_self *self, char order, uint64_t number)
{
    (void)self;
    if (order == 'O') /* an observer that is never content: tracing goes on starting */
        trace_register_observer(1000000);
    if (order == 'H') { /* inside a context: tracing goes on stopping */
        trace_context_t *context = trace_acquire_context();
        sleep_ms((int)number);
        if (context != NULL)
            trace_release_context(context);
    }
}

static void begin(void)
{
    own_order = do_as_told;
    manager_stall_ms = STALL_MS;
    start_manager_with(NULL, 1000);
}

TestSuite(client_faults, .init = begin, .fini = clean_up, .timeout = 120);

static const struct trace_config oneshot = {.mode = TRACE_MODE_ONESHOT, .buffer_megabytes = 1};
static const struct trace_config streaming = {.mode = TRACE_MODE_STREAMING, .buffer_megabytes = 1};
static const struct trace_config deferred = {.mode = TRACE_MODE_STREAMING,
                                             .buffer_megabytes = 1,
                                             .defer_transfer = true};

/* A session in order, of one program, as soon as the last one has gone. */
static void expect_a_session(struct test_provider *it)
{
    struct session session;
    memset(&session, 0, sizeof session);
    session.controller = connect_client();
    int output = open_archive(&session.archive);
    int error = TRACE_ERROR_ALREADY_INITIALIZED;
    for (uint64_t end = now_ms() + 5000; now_ms() < end && error == TRACE_ERROR_ALREADY_INITIALIZED;
         sleep_ms(5))
        error = trace_controller_initialize(session.controller, &streaming, output);
    cr_assert_eq(error, 0);
    close(output);
    start_session(&session);
    cr_expect_eq(order(it, 's', 5000), 'k');
    cr_expect_eq(order(it, 'e', 500), 'k');
    cr_expect_eq(end_session(&session), 0);
    struct found found = find_events(&session.archive, it->name);
    cr_expect_eq(found.events, 500, "%lu", (unsigned long)found.events);
    expect_clean(&session.archive);
    cr_expect_eq(order(it, 'o', 5000), 'k');
    free(session.archive.bytes);
}

static void wait_for_state_of(trace_controller_t *controller, enum trace_session_state state)
{
    struct trace_status status = {.state = TRACE_SESSION_NONE};
    for (uint64_t end = now_ms() + 5000; now_ms() < end; sleep_ms(2)) {
        cr_assert_eq(trace_controller_get_status(controller, &status), 0);
        if (status.state == state)
            return;
    }
    cr_assert_eq(status.state, state);
}

/* Clients that go away: processes. */

enum moment { READY, INITIALIZED, STARTING, STARTED, STOPPING, STOPPED, TERMINATING, MOMENTS };

static void be_client(enum moment moment, int output)
{
    trace_controller_t *controller;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (trace_controller_connect(NULL, &controller) != 0)
        _exit(1);
    if (moment >= INITIALIZED)
        trace_controller_initialize(controller, &oneshot, output);
    close(output);
    if (moment >= STARTING)
        trace_controller_start(controller, TRACE_DISPOSITION_CLEAR_ENTIRE, NULL, 0);
    if (moment >= STOPPING)
        sleep_ms(300);
    if (moment >= STOPPING && moment < TERMINATING)
        trace_controller_stop(controller, true, NULL, NULL);
    if (moment == TERMINATING)
        trace_controller_terminate(controller, true, NULL, NULL);
    for (;;)
        pause();
}

static void go_away_at(enum moment moment)
{
    static const enum trace_session_state states[] = {
        TRACE_SESSION_NONE,       TRACE_SESSION_INITIALIZED, TRACE_SESSION_STARTING,
        TRACE_SESSION_STARTED,    TRACE_SESSION_STOPPING,    TRACE_SESSION_STOPPED,
        TRACE_SESSION_TERMINATING};
    struct test_provider it = start_provider("it");
    struct test_provider slow = start_provider("slow");
    trace_controller_t *controller = connect_client();
    struct archive archive;

    wait_for_providers(controller, 2);
    if (moment == STARTING)
        cr_expect_eq(order(&slow, 'O', 0), 'k');
    int output = open_archive(&archive);
    pid_t client = fork();
    if (client == 0)
        be_client(moment, output);
    close(output);
    if (moment == STOPPING || moment == TERMINATING) {
        cr_expect_eq(order(&it, 's', 5000), 'k');
        cr_expect_eq(order(&slow, 's', 5000), 'k');
        send_order(&slow, 'H', 900);
    }
    wait_for_state_of(controller, states[moment]);
    if (moment == STARTED) {
        cr_expect_eq(order(&it, 's', 5000), 'k');
        cr_expect_eq(order(&it, 'e', 200), 'k');
    }
    kill(client, SIGKILL);
    waitpid(client, NULL, 0);
    wait_for_state_of(controller, TRACE_SESSION_NONE);
    cr_expect_eq(order(&it, 'o', 5000), 'k');
    pthread_join(archive.reader, NULL);
    if (moment == STARTED)
        cr_expect_eq(find_events(&archive, "it").events, 200);
    cr_expect_eq(count_findings(&archive, FXT_SUSPICIOUS), 0);
    free(archive.bytes);
    end_provider(&slow);
    wait_for_providers(controller, 1);
    expect_a_session(&it);
    trace_controller_destroy(controller);
    end_provider(&it);
}

Test(client_faults, client_that_goes_away_ends_its_session)
{
    int descriptors = count_descriptors(manager_process);
    for (int moment = READY; moment < MOMENTS; moment++) {
        fprintf(stderr, "moment %d\n", moment);
        go_away_at((enum moment)moment);
    }
    wait_for_descriptors(descriptors);
    cr_expect_eq(stop_manager(), 0);
}

Test(client_faults, there_is_one_session_at_a_time)
{
    struct test_provider it = start_provider("it");
    struct session session;
    struct archive other;
    begin_session(&session, &oneshot);
    trace_controller_t *second = connect_client();
    int output = open_archive(&other);
    cr_expect_eq(trace_controller_initialize(second, &oneshot, output),
                 TRACE_ERROR_ALREADY_INITIALIZED);
    cr_expect_eq(trace_controller_initialize(session.controller, &oneshot, output),
                 TRACE_ERROR_ALREADY_INITIALIZED);
    cr_expect_eq(trace_controller_start(second, TRACE_DISPOSITION_CLEAR_ENTIRE, NULL, 0),
                 TRACE_ERROR_NOT_INITIALIZED);
    cr_expect_eq(trace_controller_terminate(second, true, NULL, NULL), TRACE_ERROR_NOT_INITIALIZED);
    trace_controller_destroy(second);
    wait_for_providers(session.controller, 1);
    start_session(&session);
    cr_expect_eq(order(&it, 's', 5000), 'k');
    cr_expect_eq(end_session(&session), 0);
    close(output);
    end_provider(&it);
}

/* What was said before an initialize that failed was said for that one. */
Test(client_faults, specifications_of_a_failed_initialize_are_forgotten)
{
    static const char *const nothing[] = {"nothing of this"};
    static const char *const traced[] = {"trace:test"};
    const struct trace_provider_spec wrong = {"it", nothing, 1, 4096};
    const struct trace_provider_spec right = {"it", traced, 1, 1};
    struct trace_config config = {
        .specs = &wrong, .spec_count = 1, .mode = TRACE_MODE_ONESHOT, .buffer_megabytes = 1};
    struct test_provider it = start_provider("it");
    struct session session = {.controller = connect_client()};
    wait_for_providers(session.controller, 1);
    int output = open_archive(&session.archive);
    config.defer_transfer = true; /* not in this mode */
    cr_expect_eq(trace_controller_initialize(session.controller, &config, output),
                 TRACE_ERROR_INVALID);
    config.defer_transfer = false;
    config.specs = &right;
    cr_expect_eq(trace_controller_initialize(session.controller, &config, output), 0);
    close(output);
    start_session(&session);
    cr_expect_eq(order(&it, 's', 5000), 'k');
    cr_expect_eq(order(&it, 'e', 10), 'k');
    cr_expect_eq(end_session(&session), 0);
    cr_expect_eq(find_events(&session.archive, "it").events, 10);
    end_provider(&it);
}

/* Outputs without room. */

static void expect_aborted(int output, const struct trace_config *config, int wanted)
{
    struct test_provider it = start_provider("it");
    trace_controller_t *controller = connect_client();
    struct trace_status status = {.output_error = 0};
    wait_for_providers(controller, 1);
    cr_expect_eq(trace_controller_initialize(controller, config, output), 0);
    close(output);
    int error = trace_controller_start(controller, TRACE_DISPOSITION_CLEAR_ENTIRE, NULL, 0);
    cr_expect(error == 0 || error == TRACE_ERROR_ABORTED);
    if (error == 0) {
        order(&it, 's', 100); /* it may be over already */
        cr_expect_eq(order(&it, 'p', 100000), 'k');
        if (!config->defer_transfer)
            error = trace_controller_stop(controller, true, NULL, NULL);
        cr_expect(error == TRACE_ERROR_ABORTED || config->defer_transfer, "%d", error);
    }
    uint64_t since = now_ms();
    cr_expect_eq(trace_controller_get_status(controller, &status), 0);
    cr_expect(status.output_error == wanted || config->defer_transfer, "%d", status.output_error);
    cr_expect_eq(trace_controller_terminate(controller, true, NULL, NULL), TRACE_ERROR_ABORTED);
    cr_expect_lt(now_ms() - since, 3000);
    cr_expect_eq(order(&it, 'o', 5000), 'k');
    trace_controller_destroy(controller);
    expect_a_session(&it);
    end_provider(&it);
}

Test(client_faults, output_that_takes_nothing)
{
    expect_aborted(open("/dev/full", O_WRONLY), &oneshot, ENOSPC);
    expect_aborted(open("/dev/full", O_WRONLY), &streaming, ENOSPC);
    expect_aborted(open("/dev/full", O_WRONLY), &deferred, ENOSPC);
    expect_aborted(open("/dev/null", O_RDONLY), &streaming, EBADF);
    cr_expect_eq(stop_manager(), 0);
}

/* The file may become so large. */
static int full_file(off_t bytes)
{
    char path[200];
    snprintf(path, sizeof path, "%s/full", directory);
    mkdir(path, 0700);
    if (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
        return -1;
    char options[60];
    snprintf(options, sizeof options, "size=%ld", (long)bytes);
    if (mount("none", path, "tmpfs", 0, options) != 0)
        return -1;
    snprintf(path, sizeof path, "%s/full/archive", directory);
    return open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
}

Test(client_faults, disk_that_is_full)
{
    int file = full_file(256 << 10);
    if (file < 0)
        cr_skip_test("nothing can be mounted here");
    expect_aborted(dup(file), &streaming, ENOSPC);
    cr_expect_eq(lseek(file, 0, SEEK_END), 256 << 10, "what there is room for is kept");
    cr_expect_eq(ftruncate(file, 0), 0);
    cr_expect_eq(lseek(file, 0, SEEK_SET), 0);
    expect_aborted(dup(file), &oneshot, ENOSPC);
    cr_expect_eq(ftruncate(file, 0), 0);
    cr_expect_eq(lseek(file, 0, SEEK_SET), 0);
    expect_aborted(dup(file), &deferred, ENOSPC);
    close(file);
    char path[200];
    snprintf(path, sizeof path, "%s/full", directory);
    umount2(path, MNT_DETACH);
}

Test(client_faults, limit_on_the_size_of_files)
{
    struct rlimit limit = {1 << 20, RLIM_INFINITY}; /* the buffer may be as large */
    char path[200];
    snprintf(path, sizeof path, "%s/archive", directory);
    cr_assert_eq(prlimit(manager_process, RLIMIT_FSIZE, &limit, NULL), 0);
    expect_aborted(open(path, O_CREAT | O_RDWR | O_TRUNC, 0600), &streaming, EFBIG);
    cr_expect_eq(stop_manager(), 0, "no signal of this comes later");
}

/* What a deferred archive held before its own file was full is written. */
Test(client_faults, deferred_archive_that_finds_no_room_is_kept_up_to_there)
{
    struct rlimit limit = {1 << 20, RLIM_INFINITY};
    struct test_provider it = start_provider("it");
    struct session session;
    cr_assert_eq(prlimit(manager_process, RLIMIT_FSIZE, &limit, NULL), 0);
    begin_session(&session, &deferred);
    wait_for_providers(session.controller, 1);
    start_session(&session);
    cr_expect_eq(order(&it, 's', 5000), 'k');
    cr_expect_eq(order(&it, 'p', 100000), 'k');
    cr_expect_eq(order(&it, 'o', 5000), 'k', "it is told to stop");
    struct trace_status status;
    cr_expect_eq(trace_controller_get_status(session.controller, &status), 0);
    cr_expect_eq(status.output_error, EFBIG);
    cr_expect_eq(end_session(&session), TRACE_ERROR_ABORTED);
    struct found found = find_events(&session.archive, "it");
    cr_expect_gt(found.events, 5000, "%lu", (unsigned long)found.events);
    cr_expect_eq(found.gaps, 0);
    cr_expect_eq(count_findings(&session.archive, FXT_NONCONFORMING), 0);
    end_provider(&it);
    cr_expect_eq(stop_manager(), 0);
}

/* Outputs that nobody reads any more. */

static void close_while_tracing(const struct trace_config *config, bool is_pipe)
{
    struct test_provider it = start_provider("it");
    trace_controller_t *controller = connect_client();
    struct trace_status status = {.output_error = 0};
    int ends[2];
    cr_assert_eq(is_pipe ? pipe2(ends, O_CLOEXEC)
                         : socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends),
                 0);
    wait_for_providers(controller, 1);
    cr_expect_eq(trace_controller_initialize(controller, config, ends[1]), 0);
    close(ends[1]);
    cr_expect_eq(trace_controller_start(controller, TRACE_DISPOSITION_CLEAR_ENTIRE, NULL, 0), 0);
    cr_expect_eq(order(&it, 's', 5000), 'k');
    close(ends[0]);
    cr_expect_eq(order(&it, 'o', 5000), 'k', "it is told to stop");
    cr_expect_eq(trace_controller_get_status(controller, &status), 0);
    cr_expect_eq(status.output_error, EPIPE);
    cr_expect_eq(trace_controller_terminate(controller, true, NULL, NULL), TRACE_ERROR_ABORTED);
    trace_controller_destroy(controller);
    expect_a_session(&it);
    end_provider(&it);
}

Test(client_faults, output_that_is_closed)
{
    const struct trace_config *const configs[] = {&oneshot, &streaming, &deferred};
    int descriptors = count_descriptors(manager_process);
    for (int i = 0; i < 3; i++) {
        close_while_tracing(configs[i], true);
        close_while_tracing(configs[i], false);
    }
    wait_for_descriptors(descriptors);
    cr_expect_eq(stop_manager(), 0, "no signal of this comes later");
}

/* The client's other users of it would find EAGAIN. */
Test(client_faults, output_blocks_as_before)
{
    struct test_provider it = start_provider("it");
    struct session session;
    memset(&session, 0, sizeof session);
    session.controller = connect_client();
    int output = open_archive(&session.archive);
    int flags = fcntl(output, F_GETFL);
    cr_assert_eq(trace_controller_initialize(session.controller, &streaming, output), 0);
    wait_for_providers(session.controller, 1);
    start_session(&session);
    cr_expect_eq(order(&it, 's', 5000), 'k');
    cr_expect_eq(order(&it, 'e', 1000), 'k');
    cr_expect_eq(fcntl(output, F_GETFL), flags);
    cr_expect_eq(trace_controller_terminate(session.controller, true, NULL, NULL), 0);
    cr_expect_eq(fcntl(output, F_GETFL), flags);
    close(output);
    pthread_join(session.archive.reader, NULL);
    cr_expect_eq(find_events(&session.archive, "it").events, 1000);
    trace_controller_destroy(session.controller);
    end_provider(&it);
}

/* Its reader has nothing to say, but reads. */
Test(client_faults, output_that_is_half_closed_is_written_to)
{
    struct test_provider it = start_provider("it");
    struct session session;
    begin_session(&session, &streaming);
    cr_assert_eq(shutdown(session.archive.descriptor, SHUT_WR), 0);
    wait_for_providers(session.controller, 1);
    start_session(&session);
    cr_expect_eq(order(&it, 's', 5000), 'k');
    sleep_ms(100);
    uint64_t before = cpu_ms(manager_process);
    sleep_ms(500);
    cr_expect_leq(cpu_ms(manager_process) - before, 100, "it does not spin");
    cr_expect_eq(order(&it, 'e', 1000), 'k');
    cr_expect_eq(end_session(&session), 0);
    cr_expect_eq(find_events(&session.archive, "it").events, 1000);
    end_provider(&it);
}

/* Outputs that are not read. */

static void leave_unread(const struct trace_config *config, int writing)
{
    struct test_provider it = start_provider("it");
    trace_controller_t *controller = connect_client();
    trace_controller_t *other = connect_client();
    struct trace_status status = {.output_error = 0};
    uint64_t slowest = 0;
    wait_for_providers(controller, 1);
    uint64_t before = memory_kb(manager_process);
    cr_expect_eq(trace_controller_initialize(controller, config, writing), 0);
    close(writing);
    cr_expect_eq(trace_controller_start(controller, TRACE_DISPOSITION_CLEAR_ENTIRE, NULL, 0), 0);
    cr_expect_eq(order(&it, 's', 5000), 'k');
    send_order(&it, 'p', 400000);
    uint64_t began = now_ms();
    while (status.output_error == 0 && now_ms() - began < 8000) {
        uint64_t since = now_ms();
        cr_assert_eq(trace_controller_get_status(other, &status), 0);
        slowest = now_ms() - since > slowest ? now_ms() - since : slowest;
        sleep_ms(5);
    }
    cr_expect_lt(slowest, 500, "others are served: %lu ms", (unsigned long)slowest);
    cr_expect_eq(status.output_error, ETIMEDOUT);
    cr_expect(IS_SANITIZED || memory_kb(manager_process) <= before + (26 << 10),
              "it keeps no more than it may");
    cr_expect_eq(receive_answer(&it), 'k');
    cr_expect_eq(order(&it, 'o', 5000), 'k', "it is told to stop");
    cr_expect_eq(trace_controller_terminate(controller, true, NULL, NULL), TRACE_ERROR_ABORTED);
    trace_controller_destroy(controller);
    trace_controller_destroy(other);
    expect_a_session(&it);
    end_provider(&it);
}

Test(client_faults, output_that_is_not_read)
{
    int descriptors = count_descriptors(manager_process);
    int ends[2];
    cr_assert_eq(pipe2(ends, O_CLOEXEC), 0);
    leave_unread(&streaming, ends[1]);
    close(ends[0]);
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    leave_unread(&streaming, ends[1]);
    close(ends[0]);
    wait_for_descriptors(descriptors);
}

/* At its end as well; what it takes slowly it may take. */
Test(client_faults, end_of_a_session_waits_for_its_output_only_so_long)
{
    const struct trace_config *const configs[] = {&oneshot, &streaming, &deferred};
    for (int i = 0; i < 3; i++) {
        struct test_provider it = start_provider("it");
        trace_controller_t *controller = connect_client();
        int ends[2];
        cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
        wait_for_providers(controller, 1);
        cr_expect_eq(trace_controller_initialize(controller, configs[i], ends[1]), 0);
        close(ends[1]);
        cr_expect_eq(trace_controller_start(controller, TRACE_DISPOSITION_CLEAR_ENTIRE, NULL, 0),
                     0);
        cr_expect_eq(order(&it, 's', 5000), 'k');
        cr_expect_eq(order(&it, 'p', 20000), 'k');
        uint64_t since = now_ms();
        cr_expect_eq(trace_controller_terminate(controller, true, NULL, NULL), TRACE_ERROR_ABORTED);
        cr_expect_geq(now_ms() - since, STALL_MS - 100);
        cr_expect_lt(now_ms() - since, STALL_MS + 3000);
        close(ends[0]);
        trace_controller_destroy(controller);
        expect_a_session(&it);
        end_provider(&it);
    }
}

/* A snapshot that cannot be written does not harm the session. */
Test(client_faults, outputs_of_snapshots_that_take_nothing)
{
    const struct trace_config config = {.mode = TRACE_MODE_CIRCULAR, .buffer_megabytes = 1};
    struct test_provider it = start_provider("it");
    trace_controller_t *other = connect_client();
    struct session session;
    int ends[2];
    begin_session(&session, &config);
    wait_for_providers(session.controller, 1);
    start_session(&session);
    cr_expect_eq(order(&it, 's', 5000), 'k');
    cr_expect_eq(order(&it, 'e', 10000), 'k');
    int descriptors = count_descriptors(manager_process);
    for (int i = 0; i < 4; i++) {
        cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
        const int outputs[] = {open("/dev/full", O_WRONLY | O_CLOEXEC), ends[1], ends[1],
                               eventfd(0, EFD_CLOEXEC)};
        if (i == 1)
            raw_close(&ends[0]);
        cr_expect_eq(trace_controller_flush(other, outputs[i]),
                     i == 3 ? TRACE_ERROR_INVALID : TRACE_ERROR_ABORTED, "%d", i);
        raw_close(&ends[0]);
        close(ends[1]);
        close(outputs[0]);
        close(outputs[3]);
        cr_expect_eq(order(&it, 's', 5000), 'k', "it goes on");
    }
    wait_for_descriptors(descriptors);
    cr_expect_eq(order(&it, 'e', 100), 'k');
    cr_expect_eq(end_session(&session), 0);
    struct found found = find_events(&session.archive, "it");
    cr_expect_eq(found.events, 10100, "%lu", (unsigned long)found.events);
    cr_expect_eq(count_findings(&session.archive, FXT_NONCONFORMING), 0);
    trace_controller_destroy(other);
    end_provider(&it);
}

/* Descriptors that are no output: refused, or the session is aborted. */
Test(client_faults, strange_outputs)
{
    struct test_provider it = start_provider("it");
    trace_controller_t *controller = connect_client();
    wait_for_providers(controller, 1);
    const struct {
        int descriptor;
        int wanted;
    } strange[] = {
        {socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), 0},
        {open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC), 0},
        {open("/dev/null", O_RDONLY | O_CLOEXEC), 0},
        {open(directory, O_PATH | O_CLOEXEC), TRACE_ERROR_INVALID},
        {open("/proc/self/maps", O_RDONLY | O_CLOEXEC), 0},
        {open("/dev/ptmx", O_RDWR | O_CLOEXEC | O_NOCTTY), TRACE_ERROR_INVALID},
        {eventfd(1, EFD_CLOEXEC), TRACE_ERROR_INVALID},
        {epoll_create1(EPOLL_CLOEXEC), TRACE_ERROR_INVALID},
    };
    int descriptors = count_descriptors(manager_process);
    for (size_t i = 0; i < sizeof strange / sizeof *strange; i++) {
        cr_assert_geq(strange[i].descriptor, 0);
        int error = trace_controller_initialize(controller, &streaming, strange[i].descriptor);
        cr_expect_eq(error, strange[i].wanted, "%lu: %d", (unsigned long)i, error);
        if (error != 0)
            continue;
        if (trace_controller_start(controller, TRACE_DISPOSITION_CLEAR_ENTIRE, NULL, 0) == 0)
            cr_expect_eq(order(&it, 'e', 1000), 'k');
        cr_expect_eq(trace_controller_terminate(controller, true, NULL, NULL), TRACE_ERROR_ABORTED,
                     "%lu", (unsigned long)i);
        close(strange[i].descriptor);
    }
    wait_for_descriptors(descriptors);
    trace_controller_destroy(controller);
    expect_a_session(&it);
    cr_expect_eq(stop_manager(), 0);
    end_provider(&it);
}

/* The archive comes among the answers. */
Test(client_faults, own_connection_as_output)
{
    struct test_provider it = start_provider("it");
    trace_controller_t *controller = connect_client();
    trace_controller_initialize(controller, &streaming, trace_controller_descriptor(controller));
    trace_controller_destroy(controller);
    expect_a_session(&it);
    end_provider(&it);
}

/* Clients that do not listen. */

static uint64_t compose(uint8_t *bytes, uint16_t ordinal, uint32_t transaction)
{
    const struct fxt_i_controller_packet packet = {.ordinal = ordinal, .transaction = transaction};
    return fxt_i_controller_write(bytes, &packet, NULL);
}

/* Answers with transaction 0 could not be told from what the manager says unasked. */
Test(client_faults, request_with_transaction_0_closes_the_connection)
{
    static const uint16_t requests[] = {FXT_I_GET_STATUS, FXT_I_GET_CATEGORIES, FXT_I_WATCH_ALERT,
                                        FXT_I_STOP_TRACING};
    uint8_t bytes[FXT_I_CONTROLLER_BYTES_MAX];
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        struct raw *it = raw_open(FXT_I_CONTROLLER);
        raw_send_patiently(it->socket, bytes, (size_t)compose(bytes, requests[i], 0));
        cr_expect(raw_is_closed(it->socket, 3000), "0x%x", requests[i]);
        raw_end(it);
    }
    cr_expect(log_has("a client sends a packet that breaks the rules"));
}

static void receive_answer_of(struct raw *it, struct fxt_i_controller_packet *packet)
{
    static uint8_t bytes[FXT_I_CONTROLLER_BYTES_MAX];
    int descriptors[FXT_I_DESCRIPTORS_MAX];
    struct fxt_error error;
    size_t size;
    cr_assert(raw_is_readable(it->socket, 5000));
    cr_assert_eq(fxt_i_socket_receive(it->socket, bytes, sizeof bytes, &size, descriptors), 0);
    cr_assert_eq(fxt_i_controller_read(packet, bytes, size, FXT_I_OF_SERVICE, &error), FXT_OK);
}

static void ask(struct raw *it, uint16_t ordinal, uint64_t number, int descriptor)
{
    const struct fxt_i_controller_packet packet = {
        .ordinal = ordinal, .transaction = ordinal, .numbers = {number}};
    uint8_t bytes[FXT_I_CONTROLLER_BYTES_MAX];
    uint64_t size = fxt_i_controller_write(bytes, &packet, NULL);
    cr_assert_eq(fxt_i_socket_send(it->socket, bytes, size, &descriptor, descriptor >= 0 ? 1 : 0),
                 0);
}

static void expect_done(struct raw *it, uint16_t ordinal, uint64_t error, uint64_t output_error)
{
    struct fxt_i_controller_packet packet;
    do
        receive_answer_of(it, &packet);
    while (packet.ordinal != FXT_I_DONE);
    cr_expect_eq(packet.transaction, ordinal);
    cr_expect_eq(packet.numbers[0], error, "0x%x", ordinal);
    cr_expect_eq(packet.numbers[2], output_error, "0x%x", ordinal);
}

/* A session whose output is full, and then closed. The provider may be halted before. */
static struct raw *abort_session(struct test_provider *provider, bool halted)
{
    struct fxt_i_controller_packet packet = {.ordinal = 0};
    struct raw *it = raw_open(FXT_I_CONTROLLER);
    int ends[2];
    *provider = start_provider("it");
    cr_assert_eq(pipe(ends), 0);
    ask(it, FXT_I_INITIALIZE_TRACING, TRACE_MODE_STREAMING, ends[1]);
    expect_done(it, FXT_I_INITIALIZE_TRACING, TRACE_ERROR_NONE, 0);
    ask(it, FXT_I_START_TRACING, TRACE_DISPOSITION_CLEAR_ENTIRE, -1);
    expect_done(it, FXT_I_START_TRACING, TRACE_ERROR_NONE, 0);
    cr_expect_eq(order(provider, 's', 5000), 'k');
    order(provider, 'e', 100000);
    if (halted)
        halt(provider);
    close(ends[0]);
    close(ends[1]);
    while (packet.ordinal != FXT_I_STATE || packet.numbers[7] == 0)
        receive_answer_of(it, &packet);
    cr_expect_eq(packet.numbers[0], TRACE_SESSION_STARTED);
    return it;
}

/* While it is started, too: an aborted session keeps its state. */
Test(client_faults, requests_to_an_aborted_session_are_answered_with_the_errno)
{
    static const uint16_t requests[] = {FXT_I_START_TRACING, FXT_I_FLUSH_BUFFERS,
                                        FXT_I_STOP_TRACING, FXT_I_TERMINATE_TRACING};
    struct test_provider provider;
    struct raw *it = abort_session(&provider, false);
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        ask(it, requests[i], requests[i] != FXT_I_FLUSH_BUFFERS ? 1 : 0, -1);
        expect_done(it, requests[i], TRACE_ERROR_ABORTED, EPIPE);
    }
    raw_end(it);
    end_provider(&provider);
}

Test(client_faults, flush_during_the_end_of_an_aborted_session_is_refused_for_the_end)
{
    struct test_provider provider;
    struct raw *it = abort_session(&provider, true);
    ask(it, FXT_I_TERMINATE_TRACING, 1, -1);
    ask(it, FXT_I_FLUSH_BUFFERS, 0, -1);
    expect_done(it, FXT_I_FLUSH_BUFFERS, TRACE_ERROR_TERMINATING, 0);
    kill(provider.process, SIGCONT);
    expect_done(it, FXT_I_TERMINATE_TRACING, TRACE_ERROR_ABORTED, EPIPE);
    raw_end(it);
    end_provider(&provider);
}

/* The last close of such a socket takes 20 s, also if it does not block otherwise: what it has sent is not
   read. Its other end is never closed. */
static int lingering_socket(void)
{
    const struct linger linger = {.l_onoff = 1, .l_linger = 20};
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int listening = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int it = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    cr_assert_eq(listen(listening, 1), 0);
    cr_assert_eq(getsockname(listening, (struct sockaddr *)&address, &size), 0);
    cr_assert_eq(connect(it, (struct sockaddr *)&address, size), 0);
    cr_assert_geq(accept(listening, NULL, NULL), 0);
    while (send(it, &address, sizeof address, MSG_DONTWAIT) > 0)
        ;
    cr_assert_eq(setsockopt(it, SOL_SOCKET, SO_LINGER, &linger, sizeof linger), 0);
    return it;
}

Test(client_faults, the_manager_does_not_linger_for_a_socket_of_another)
{
    struct raw *it = raw_open(FXT_I_CONTROLLER);
    trace_controller_t *other = connect_client();
    struct trace_status status;
    uint8_t bytes[FXT_I_CONTROLLER_BYTES_MAX];
    uint64_t size = compose(bytes, FXT_I_GET_STATUS, 1);
    for (size_t count = 1; count <= 3; count++) { /* 3: too many */
        int sent[3];
        struct iovec data = {bytes, size};
        char room[CMSG_SPACE(sizeof sent)] = {0};
        struct msghdr message = {.msg_iov = &data,
                                 .msg_iovlen = 1,
                                 .msg_control = room,
                                 .msg_controllen = CMSG_SPACE(count * sizeof(int))};
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        for (size_t i = 0; i < count; i++)
            sent[i] = lingering_socket();
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(count * sizeof(int));
        memcpy(CMSG_DATA(header), sent, count * sizeof(int));
        cr_assert_eq(sendmsg(it->socket, &message, MSG_NOSIGNAL), (ssize_t)size);
        for (size_t i = 0; i < count; i++)
            close(sent[i]);
        sleep_ms(100);
        uint64_t since = now_ms();
        cr_expect_eq(trace_controller_get_status(other, &status), 0);
        cr_expect_lt(now_ms() - since, 10000, "%zu", count);
    }
    trace_controller_destroy(other);
    raw_end(it);
}

/* How many questions are taken of one who does not read the answers. */
static uint32_t ask_and_do_not_listen(struct raw *it)
{
    uint8_t bytes[FXT_I_CONTROLLER_BYTES_MAX];
    struct pollfd room = {.fd = it->socket, .events = POLLOUT};
    for (uint32_t asked = 0; asked < 1000000; asked++) {
        uint64_t size = compose(bytes, FXT_I_GET_STATUS, asked + 1);
        int error;
        while ((error = raw_send(it->socket, bytes, size)) == EAGAIN)
            if (poll(&room, 1, 1000) != 1)
                return asked;
        cr_assert_eq(error, 0);
    }
    return 0;
}

/* A state and a done each, in the order of the questions. */
static void expect_answers(struct raw *it, uint32_t count)
{
    static uint8_t bytes[FXT_I_CONTROLLER_BYTES_MAX];
    int descriptors[FXT_I_DESCRIPTORS_MAX];
    struct fxt_i_controller_packet packet;
    struct fxt_error error;
    size_t size;
    for (uint32_t i = 0; i < 2 * count; i++) {
        cr_assert(raw_is_readable(it->socket, 5000), "answer %u", i);
        cr_assert_eq(fxt_i_socket_receive(it->socket, bytes, sizeof bytes, &size, descriptors), 0);
        cr_assert_eq(fxt_i_controller_read(&packet, bytes, size, FXT_I_OF_SERVICE, &error), FXT_OK);
        cr_assert_eq(packet.transaction, i / 2 + 1);
        cr_assert_eq(packet.ordinal, i % 2 == 0 ? FXT_I_STATE : FXT_I_DONE);
    }
}

Test(client_faults, client_that_does_not_read_its_answers_is_not_heard_until_it_does)
{
    struct test_provider it = start_provider("it");
    int descriptors = count_descriptors(manager_process);
    uint64_t before = memory_kb(manager_process);
    struct raw *raw = raw_open(FXT_I_CONTROLLER);
    uint32_t asked = ask_and_do_not_listen(raw);
    cr_expect_gt(asked, 1000);
    cr_expect(IS_SANITIZED || memory_kb(manager_process) <= before + (8 << 10));
    uint64_t cpu = cpu_ms(manager_process);
    sleep_ms(500);
    cr_expect_leq(cpu_ms(manager_process) - cpu, 100, "it does not spin");
    expect_a_session(&it);
    expect_answers(raw, asked);
    cr_expect_gt(ask_and_do_not_listen(raw), 1000);
    raw_end(raw);
    wait_for_descriptors(descriptors + 2); /* of the program, which came later */
    end_provider(&it);
}

/* Some of its answers wait in the manager, which still reads its requests. */
static void ask_much(struct raw *it)
{
    uint8_t bytes[FXT_I_CONTROLLER_BYTES_MAX];
    size_t size = (size_t)compose(bytes, FXT_I_GET_STATUS, 1);
    for (int i = 0; i < 3000; i++)
        raw_send_patiently(it->socket, bytes, size);
}

/* The answers would take 10 MiB together. */
Test(client_faults, answers_of_a_client_that_is_dropped_are_freed)
{
    static const uint8_t broken[80] = {9};
    int descriptors = count_descriptors(manager_process);
    uint64_t before = memory_kb(manager_process);
    for (int i = 0; i < 20; i++) {
        struct raw *it = raw_open(FXT_I_CONTROLLER);
        ask_much(it);
        if (i % 2 == 0)
            raw_send_patiently(it->socket, broken, sizeof broken);
        else
            cr_assert_eq(shutdown(it->socket, SHUT_WR), 0);
        wait_for_descriptors(descriptors);
        cr_expect(raw_is_closed(it->socket, 5000));
        raw_end(it);
    }
    cr_expect(log_has("a client sends a packet that breaks the rules"));
    cr_expect(IS_SANITIZED || memory_kb(manager_process) <= before + (5 << 10));
    cr_expect_eq(stop_manager(), 0);
}

Test(client_faults, client_that_does_not_read_its_answers_and_sends_no_more_is_dropped)
{
    int descriptors = count_descriptors(manager_process);
    struct raw *it = raw_open(FXT_I_CONTROLLER);
    cr_expect_gt(ask_and_do_not_listen(it), 1000);
    cr_assert_eq(shutdown(it->socket, SHUT_WR), 0);
    wait_for_descriptors(descriptors);
    cr_expect(log_has("a client has not read its answers"));
    raw_end(it);
}

/* Nonsense. */

static uint64_t seed;

static uint64_t draw(uint64_t below)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (seed >> 33) % below;
}

/* Random bytes, or a packet with some of its bytes changed. */
static size_t make_nonsense(struct raw *it, uint8_t *bytes, const char *where)
{
    const struct fxt_i_packet packet = {
        .ordinal = (uint16_t)(FXT_I_REGISTER + draw(2)), .process = 1, .transaction = 0};
    size_t size = 1 + draw(draw(2) == 0 ? 200 : 12000);
    for (size_t i = 0; i < size; i++)
        bytes[i] = draw(3) == 0 ? (uint8_t)draw(256) : 0;
    if (draw(4) == 0)
        return size;
    if (where[0] == 'r') {
        size = (size_t)raw_compose(it, &packet, "nonsense");
        memcpy(bytes, it->packet, size);
    } else {
        size = (size_t)compose(bytes, (uint16_t)(0x201 + draw(11)), 1 + (uint32_t)draw(100));
        size = size != 0 ? size : 80;
    }
    for (uint64_t i = draw(4); i > 0; i--)
        bytes[draw(size)] = (uint8_t)draw(256);
    return size;
}

Test(client_faults, nonsense_harms_who_says_it)
{
    static const char *const where[] = {FXT_I_REGISTRY, FXT_I_CONTROLLER};
    static uint8_t bytes[30000];
    const char *slow = getenv("FXT_SLOW");
    const char *given = getenv("FXT_SEED");
    struct test_provider it = start_provider("it");
    struct session session;
    seed = given != NULL ? strtoull(given, NULL, 10) : now_ms();
    fprintf(stderr, "FXT_SEED=%lu\n", (unsigned long)seed);
    begin_session(&session, &streaming);
    wait_for_providers(session.controller, 1);
    start_session(&session);
    cr_expect_eq(order(&it, 's', 5000), 'k');
    int descriptors = count_descriptors(manager_process);
    for (int i = 0; i < (slow != NULL ? 200000 : 3000); i++) {
        const char *to = where[i % 2];
        struct raw *raw = raw_open(to);
        for (uint64_t count = 1 + draw(5); count > 0; count--) {
            size_t size = make_nonsense(raw, bytes, to);
            if (raw_send(raw->socket, bytes, size) == EPIPE)
                break;
        }
        raw_end(raw);
    }
    wait_for_providers(session.controller, 1);
    wait_for_descriptors(descriptors);
    cr_expect_eq(order(&it, 'e', 500), 'k');
    cr_expect_eq(end_session(&session), 0);
    cr_expect_eq(find_events(&session.archive, "it").events, 500);
    cr_expect_eq(count_findings(&session.archive, FXT_NONCONFORMING), 0);
    expect_a_session(&it);
    end_provider(&it);
    cr_expect_eq(stop_manager(), 0);
}
