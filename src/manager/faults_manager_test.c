/* What happens to managers: they are killed, ended, out of descriptors, started twice, or have to do
   with programs that are slow. Programs go on, and are there for the next one. */
#include <sys/resource.h>

#include <lib/trace-engine/instrumentation.h>

#include "src/manager/both_test.h"

#define STOP_MS 500

static void do_as_told(struct provider_self *self, char order, uint64_t number)
{
    if (order == 'Z') /* the number of the next event */
        self->written = number;
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
    start_manager_with(NULL, STOP_MS);
}

TestSuite(manager_faults, .init = begin, .fini = clean_up, .timeout = 120);

static const struct trace_config oneshot = {.mode = TRACE_MODE_ONESHOT, .buffer_megabytes = 1};
static const struct trace_config circular = {.mode = TRACE_MODE_CIRCULAR, .buffer_megabytes = 1};
static const struct trace_config streaming = {.mode = TRACE_MODE_STREAMING, .buffer_megabytes = 1};

/* A session of one program, complete. */
static void expect_a_session(struct test_provider *it, const struct trace_config *config)
{
    struct session session;
    begin_session(&session, config);
    wait_for_providers(session.controller, 1);
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

static void kill_manager(void)
{
    kill(manager_process, SIGKILL);
    waitpid(manager_process, NULL, 0);
}

Test(manager_faults, killed_while_programs_trace)
{
    const struct trace_config *const configs[] = {&oneshot, &circular, &streaming};
    struct test_provider it = start_provider("it");
    expect_a_session(&it, &oneshot);
    int descriptors = count_descriptors(it.process);
    for (int i = 0; i < 6; i++) {
        struct session session;
        begin_session(&session, configs[i % 3]);
        wait_for_providers(session.controller, 1);
        start_session(&session);
        cr_expect_eq(order(&it, 's', 5000), 'k');
        send_order(&it, 'p', 20000);
        sleep_ms(10);
        kill_manager();
        cr_expect_eq(trace_controller_stop(session.controller, true, NULL, NULL), -EPIPE);
        trace_controller_destroy(session.controller);
        pthread_join(session.archive.reader, NULL);
        free(session.archive.bytes);
        cr_expect_eq(receive_answer(&it), 'k');
        cr_expect_eq(order(&it, 'o', 5000), 'k', "it stops tracing");
        uint64_t since = now_ms();
        start_manager_with(NULL, STOP_MS); /* its sockets lie in the way */
        expect_a_session(&it, configs[(i + 1) % 3]);
        cr_expect_lt(now_ms() - since, 3000);
    }
    cr_expect_leq(count_descriptors(it.process), descriptors);
    cr_expect(IS_SANITIZED || memory_kb(it.process) < 20000);
    end_provider(&it);
    cr_expect_eq(stop_manager(), 0);
}

Test(manager_faults, killed_before_programs_trace)
{
    struct test_provider it = start_provider("it");
    for (int i = 0; i < 5; i++) {
        trace_controller_t *controller = connect_client();
        wait_for_providers(controller, 1);
        trace_controller_destroy(controller);
        kill_manager();
        cr_expect_eq(order(&it, 'e', 10), 'k');
        start_manager_with(NULL, STOP_MS);
    }
    expect_a_session(&it, &streaming);
    end_provider(&it);
}

Test(manager_faults, ended_while_programs_trace_it_writes_their_results)
{
    const struct trace_config *const configs[] = {&oneshot, &circular, &streaming};
    struct test_provider it = start_provider("it");
    for (int i = 0; i < 3; i++) {
        struct session session;
        begin_session(&session, configs[i]);
        wait_for_providers(session.controller, 1);
        start_session(&session);
        cr_expect_eq(order(&it, 's', 5000), 'k');
        cr_expect_eq(order(&it, 'e', 700), 'k');
        cr_expect_eq(stop_manager(), 0);
        pthread_join(session.archive.reader, NULL);
        cr_expect_eq(find_events(&session.archive, "it").events, 700);
        expect_clean(&session.archive);
        trace_controller_destroy(session.controller);
        cr_expect_eq(order(&it, 'o', 5000), 'k');
        start_manager_with(NULL, STOP_MS);
    }
    end_provider(&it);
    cr_expect_eq(stop_manager(), 0);
}

Test(manager_faults, ended_twice_it_does_not_wait)
{
    struct test_provider it = start_provider("it");
    struct session session;
    int status;
    begin_session(&session, &streaming);
    wait_for_providers(session.controller, 1);
    start_session(&session);
    cr_expect_eq(order(&it, 's', 5000), 'k');
    kill(it.process, SIGSTOP);
    waitpid(it.process, &status, WUNTRACED);
    uint64_t since = now_ms();
    kill(manager_process, SIGTERM);
    sleep_ms(50);
    cr_expect_eq(stop_manager(), 0);
    cr_expect_lt(now_ms() - since, STOP_MS);
    end_provider(&it);
    pthread_join(session.archive.reader, NULL);
    trace_controller_destroy(session.controller);
}

/* Several managers. */

static int try_to_create(const char *where)
{
    struct trace_manager_options options = TRACE_MANAGER_OPTIONS_INIT;
    trace_manager_t *another = NULL;
    char message[200];
    options.directory = where;
    int error = trace_manager_create(&options, &another, message);
    cr_expect((error != 0) == (message[0] != '\0'));
    if (error == 0)
        trace_manager_destroy(another);
    return error;
}

Test(manager_faults, busy_manager_is_not_replaced)
{
    int many[200];
    int count = 0;
    cr_expect_eq(try_to_create(NULL), EADDRINUSE);
    kill(manager_process, SIGSTOP);
    while (count < 200 && fxt_i_socket_connect(&many[count], directory, FXT_I_REGISTRY, false) == 0)
        count++;
    cr_expect_lt(count, 200, "no more can wait");
    cr_expect_eq(try_to_create(NULL), EADDRINUSE);
    kill(manager_process, SIGCONT);
    while (count > 0)
        close(many[--count]);
    struct test_provider it = start_provider("it");
    expect_a_session(&it, &oneshot);
    end_provider(&it);
    cr_expect_eq(stop_manager(), 0);
    cr_expect_eq(try_to_create(NULL), 0);
}

/* Each is told whether it is the one, and waits until the others know. */
static void be_one_of_many(int begin_end, int answers)
{
    struct trace_manager_options options = TRACE_MANAGER_OPTIONS_INIT;
    trace_manager_t *another = NULL;
    char message[200];
    char byte;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (read(begin_end, &byte, 1) < 0)
        _exit(1);
    byte = trace_manager_create(&options, &another, message) == 0 ? 'y' : 'n';
    if (write(answers, &byte, 1) != 1)
        _exit(1);
    for (;;)
        pause();
}

Test(manager_faults, of_many_that_start_at_once_there_is_one)
{
    cr_expect_eq(stop_manager(), 0);
    for (int round = 0; round < 10; round++) {
        pid_t processes[8];
        int begins[2];
        int answers[2];
        int winners = 0;
        char answer;
        cr_assert_eq(pipe2(begins, O_CLOEXEC), 0);
        cr_assert_eq(pipe2(answers, O_CLOEXEC), 0);
        for (int i = 0; i < 8; i++) {
            processes[i] = fork();
            if (processes[i] == 0) {
                close(begins[1]);
                be_one_of_many(begins[0], answers[1]);
            }
        }
        close(begins[0]);
        close(begins[1]);
        for (int i = 0; i < 8; i++) {
            cr_assert_eq(read(answers[0], &answer, 1), 1);
            winners += answer == 'y';
        }
        cr_expect_eq(winners, 1, "%d", winners);
        for (int i = 0; i < 8; i++) {
            kill(processes[i], SIGKILL);
            waitpid(processes[i], NULL, 0);
        }
        close(answers[0]);
        close(answers[1]);
    }
    start_manager_with(NULL, STOP_MS);
}

/* Directories. */

Test(manager_faults, directory_may_be_as_long_as_a_program_finds_it)
{
    char path[200];
    snprintf(path, sizeof path, "%s/", directory);
    for (size_t length = 80; length < 112; length++) {
        memset(path + strlen(directory) + 1, 'x', length);
        path[length] = '\0';
        setenv("FXT_TRACE_DIR", path, 1);
        int error = try_to_create(NULL);
        cr_expect_eq(error, length < FXT_I_DIRECTORY_MAX ? 0 : ENAMETOOLONG, "%lu: %d",
                     (unsigned long)length, error);
        error = try_to_create(path);
        cr_expect_eq(error, length < FXT_I_DIRECTORY_MAX ? 0 : ENAMETOOLONG);
    }
}

Test(manager_faults, relative_directory_in_the_environment_is_refused)
{
    struct trace_manager_options options = TRACE_MANAGER_OPTIONS_INIT;
    trace_manager_t *another = NULL;
    char message[200];
    setenv("FXT_TRACE_DIR", "here", 1);
    cr_expect_eq(trace_manager_create(&options, &another, message), EINVAL);
    cr_expect_str_eq(message, "here: $FXT_TRACE_DIR must be an absolute path");
}

Test(manager_faults, sockets_stay_the_callers_if_no_manager_is_created)
{
    struct trace_manager_options options = TRACE_MANAGER_OPTIONS_INIT;
    trace_manager_t *another = NULL;
    char message[200];
    int ends[2];
    cr_assert_eq(fxt_i_socket_pair(ends), 0);
    options.registry = ends[0];
    cr_expect_eq(trace_manager_create(&options, &another, message), EINVAL, "one of two");
    cr_expect_str_eq(message, "only one of the two sockets is given: Invalid argument");
    options.controller = ends[1];
    options.config = "/nowhere";
    cr_expect_eq(trace_manager_create(&options, &another, message), EINVAL);
    cr_expect_geq(fcntl(ends[0], F_GETFD), 0);
    cr_expect_geq(fcntl(ends[1], F_GETFD), 0);
    options.config = NULL;
    cr_assert_eq(trace_manager_create(&options, &another, message), 0, "%s", message);
    trace_manager_destroy(another);
    cr_expect_lt(fcntl(ends[0], F_GETFD), 0);
    cr_expect_lt(fcntl(ends[1], F_GETFD), 0);
}

Test(manager_faults, directory_of_others_is_not_used)
{
    char path[100];
    char link[100];
    snprintf(path, sizeof path, "%s/d", directory);
    snprintf(link, sizeof link, "%s/l", directory);
    cr_assert_eq(mkdir(path, 0755), 0);
    cr_expect_eq(try_to_create(path), EPERM);
    cr_assert_eq(chmod(path, 0770), 0);
    cr_expect_eq(try_to_create(path), EPERM);
    cr_assert_eq(chmod(path, 0701), 0);
    cr_expect_eq(try_to_create(path), EPERM);
    cr_assert_eq(chmod(path, 0700), 0);
    cr_expect_eq(try_to_create(path), 0);
    cr_assert_eq(symlink(path, link), 0);
    cr_expect_eq(try_to_create(link), ENOTDIR);
    if (getuid() == 0) {
        cr_assert_eq(chown(path, 12345, (gid_t)-1), 0);
        cr_expect_eq(try_to_create(path), EPERM);
        setenv("FXT_TRACE_DIR", path, 1);
        struct test_provider it = start_provider("it");
        cr_expect_eq(order(&it, 'e', 10), 'k');
        end_provider(&it);
    }
    snprintf(path, sizeof path, "%s/no/such", directory);
    cr_expect_eq(try_to_create(path), ENOENT);
}

/* Out of descriptors. */

static void limit_descriptors(rlim_t count)
{
    struct rlimit limit;
    cr_assert_eq(prlimit(manager_process, RLIMIT_NOFILE, NULL, &limit), 0);
    limit.rlim_cur = count;
    cr_assert_eq(prlimit(manager_process, RLIMIT_NOFILE, &limit, NULL), 0);
}

Test(manager_faults, out_of_descriptors_it_goes_on)
{
    struct raw *many[60];
    struct test_provider it = start_provider("it");
    struct session session;
    begin_session(&session, &streaming);
    wait_for_providers(session.controller, 1);
    start_session(&session);
    cr_expect_eq(order(&it, 's', 5000), 'k');
    int descriptors = count_descriptors(manager_process);
    limit_descriptors((rlim_t)descriptors + 10);
    for (int i = 0; i < 60; i++) {
        many[i] = raw_open(FXT_I_REGISTRY);
        raw_try_to_register(many[i], "many");
    }
    sleep_ms(300);
    uint64_t before = cpu_ms(manager_process);
    sleep_ms(1000);
    cr_expect_leq(cpu_ms(manager_process) - before, 200, "it does not spin");
    cr_expect_eq(order(&it, 'p', 20000), 'k');
    struct trace_status status;
    cr_expect_eq(trace_controller_get_status(session.controller, &status), 0);
    cr_expect_eq(status.state, TRACE_SESSION_STARTED);
    int refused = 0;
    for (int i = 0; i < 60; i++) {
        refused += raw_is_closed(many[i]->socket, 25);
        raw_end(many[i]);
    }
    cr_expect_gt(refused, 30);
    wait_for_descriptors(descriptors);
    cr_expect_eq(end_session(&session), 0);
    struct found found = find_events(&session.archive, "it");
    cr_expect_eq(found.events + statistics_of(&session, "it")->records_dropped, 20000);
    cr_expect_eq(count_findings(&session.archive, FXT_NONCONFORMING), 0);
    expect_a_session(&it, &oneshot);
    end_provider(&it);
    cr_expect_eq(stop_manager(), 0);
}

/* Fewer than it has: nothing can be opened. A session cannot begin, and can when there are more. */
Test(manager_faults, without_a_descriptor_there_is_no_session)
{
    struct test_provider it = start_provider("it");
    trace_controller_t *controller = connect_client();
    int ends[2];
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    wait_for_providers(controller, 1);
    int descriptors = count_descriptors(manager_process);
    for (int more = -1; more < 8; more++) {
        limit_descriptors((rlim_t)(descriptors + more));
        int error = trace_controller_initialize(controller, &streaming, ends[1]);
        if (error < 0) { /* it could not even take the output */
            trace_controller_destroy(controller);
            limit_descriptors(1000);
            controller = connect_client();
            continue;
        }
        cr_expect(error == 0 || error == TRACE_ERROR_NO_RESOURCES, "%d", error);
        if (error == 0) {
            error = trace_controller_start(controller, TRACE_DISPOSITION_CLEAR_ENTIRE, NULL, 0);
            cr_expect_eq(error, 0);
            cr_expect_eq(trace_controller_terminate(controller, true, NULL, NULL), 0);
        }
        cr_expect_eq(order(&it, 'o', 5000), 'k');
    }
    limit_descriptors(1000);
    trace_controller_destroy(controller);
    expect_a_session(&it, &streaming);
    wait_for_descriptors(descriptors - 1);
    end_provider(&it);
    cr_expect_eq(stop_manager(), 0);
}

/* Nothing can be accepted, and there is no descriptor to refuse with. */
Test(manager_faults, who_cannot_be_refused_is_not_waited_for_all_the_time)
{
    struct test_provider it = start_provider("it");
    trace_controller_t *controller = connect_client();
    wait_for_providers(controller, 1);
    limit_descriptors(3);
    struct raw *many[20];
    for (int i = 0; i < 20; i++)
        many[i] = raw_open(FXT_I_REGISTRY);
    sleep_ms(100);
    uint64_t before = cpu_ms(manager_process);
    sleep_ms(1000);
    cr_expect_leq(cpu_ms(manager_process) - before, 200, "it does not spin");
    limit_descriptors(1000);
    struct raw *one = raw_provider("one");
    for (int i = 0; i < 20; i++)
        raw_end(many[i]);
    wait_for_providers(controller, 2);
    raw_end(one);
    trace_controller_destroy(controller);
    expect_a_session(&it, &oneshot);
    end_provider(&it);
    cr_expect_eq(stop_manager(), 0);
}

/* Slow programs. */

Test(manager_faults, who_is_halted_for_many_sessions_takes_part_again_afterwards)
{
    const struct trace_config config = {
        .mode = TRACE_MODE_ONESHOT, .buffer_megabytes = 1, .start_timeout_ms = 50};
    struct test_provider it = start_provider("it");
    struct test_provider slow = start_provider("slow");
    struct session session;
    int descriptors = 0;
    for (int i = 0; i < 30; i++) {
        begin_session(&session, &config);
        wait_for_providers(session.controller, 2);
        if (i == 0)
            halt(&slow);
        start_session(&session);
        cr_expect_eq(order(&it, 's', 5000), 'k');
        cr_expect_eq(order(&it, 'e', 10), 'k');
        uint64_t since = now_ms();
        cr_expect_eq(end_session(&session), 0);
        cr_expect_lt(now_ms() - since, STOP_MS + 1500);
        cr_expect_eq(find_events(&session.archive, "it").events, 10);
        free(session.archive.bytes);
        if (i == 1)
            descriptors = count_descriptors(manager_process);
    }
    wait_for_descriptors(descriptors);
    kill(slow.process, SIGCONT);
    sleep_ms(300);
    begin_session(&session, &config);
    start_session(&session);
    cr_expect_eq(order(&slow, 's', 5000), 'k');
    cr_expect_eq(order(&slow, 'e', 10), 'k');
    cr_expect_eq(end_session(&session), 0);
    cr_expect_eq(find_events(&session.archive, "slow").events, 10);
    end_provider(&it);
    end_provider(&slow);
}

static void flush_with_a_halted_program(const struct trace_config *config, bool snapshot)
{
    struct test_provider it = start_provider("it");
    struct test_provider slow = start_provider("slow");
    struct session session;
    struct archive archive;
    begin_session(&session, config);
    wait_for_providers(session.controller, 2);
    start_session(&session);
    cr_expect_eq(order(&it, 's', 5000), 'k');
    cr_expect_eq(order(&slow, 's', 5000), 'k');
    cr_expect_eq(order(&it, 'e', 100), 'k');
    cr_expect_eq(order(&slow, 'e', 100), 'k');
    halt(&slow);
    int output = snapshot ? open_archive(&archive) : -1;
    uint64_t since = now_ms();
    cr_expect_eq(trace_controller_flush(session.controller, output), 0);
    cr_expect_lt(now_ms() - since, config->start_timeout_ms + 1000);
    if (snapshot) {
        close(output);
        pthread_join(archive.reader, NULL);
        cr_expect_eq(find_events(&archive, "it").events, 100);
        cr_expect_eq(find_events(&archive, "slow").events, 100);
        cr_expect_eq(count_findings(&archive, FXT_NONCONFORMING), 0);
    }
    kill(slow.process, SIGCONT);
    sleep_ms(100);
    cr_expect_eq(order(&it, 'e', 100), 'k');
    cr_expect_eq(order(&slow, 'e', 100), 'k');
    cr_expect_eq(end_session(&session), 0);
    cr_expect_eq(find_events(&session.archive, "it").events, 200);
    struct found found = find_events(&session.archive, "slow");
    cr_expect_eq(found.events, 200, "%lu", (unsigned long)found.events);
    cr_expect_eq(found.gaps, 0);
    cr_expect_eq(count_findings(&session.archive, FXT_NONCONFORMING), 0);
    end_provider(&it);
    end_provider(&slow);
}

Test(manager_faults, flush_does_not_wait_for_ever)
{
    struct trace_config config = {
        .mode = TRACE_MODE_STREAMING, .buffer_megabytes = 1, .start_timeout_ms = 300};
    flush_with_a_halted_program(&config, false);
    flush_with_a_halted_program(&config, true);
    config.mode = TRACE_MODE_CIRCULAR;
    flush_with_a_halted_program(&config, true);
}

/* What is meant for others is not what it traces; it would trace all if it were told nothing. */
Test(manager_faults, who_is_not_meant_traces_nothing)
{
    static const char *const others[] = {"other/trace:test", "#none"};
    struct trace_config config = {
        .mode = TRACE_MODE_ONESHOT, .buffer_megabytes = 1, .categories = others};
    char path[100];
    cr_expect_eq(stop_manager(), 0);
    snprintf(path, sizeof path, "%s/config.json", directory);
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    fputs("{\"groups\": {\"none\": []}}", file);
    fclose(file);
    start_manager_with(path, STOP_MS);
    for (int i = 0; i < 2; i++) {
        struct test_provider it = start_provider("it");
        struct session session;
        config.categories = &others[i];
        config.category_count = 1;
        begin_session(&session, &config);
        wait_for_providers(session.controller, 1);
        start_session(&session);
        cr_expect_eq(order(&it, 's', 5000), 'k');
        cr_expect_eq(order(&it, 'e', 100), 'k');
        cr_expect_eq(end_session(&session), 0);
        cr_expect_eq(find_events(&session.archive, NULL).events, 0);
        end_provider(&it);
    }
}

/* What is being saved when a flush is asked for stops nobody. */
static void flush_under_load(bool snapshot)
{
    struct test_provider it = start_provider("it");
    struct session session;
    begin_session(&session, &streaming);
    wait_for_providers(session.controller, 1);
    start_session(&session);
    cr_expect_eq(order(&it, 's', 5000), 'k');
    uint64_t written = 0;
    for (int i = 0; i < 40; i++) {
        struct archive archive;
        int output = snapshot ? open_archive(&archive) : -1;
        send_order(&it, 'e', 20000);
        written += 20000;
        sleep_ms(i % 5);
        cr_expect_eq(trace_controller_flush(session.controller, output), 0);
        cr_expect_eq(receive_answer(&it), 'k');
        if (snapshot) {
            close(output);
            pthread_join(archive.reader, NULL);
            cr_expect_eq(count_findings(&archive, FXT_NONCONFORMING), 0);
            free(archive.bytes);
        }
    }
    cr_expect_eq(order(&it, 'Z', 1000000), 'k');
    cr_expect_eq(order(&it, 'p', 30000), 'k'); /* more than there is room for at once */
    cr_expect_eq(end_session(&session), 0);
    struct found found = find_events(&session.archive, "it");
    cr_expect_eq(found.last, 1000000 + 30000 - 1, "%lu is the last", (unsigned long)found.last);
    cr_expect_eq(found.events + *it.dropped, written + 30000);
    cr_expect_eq(count_findings(&session.archive, FXT_NONCONFORMING), 0);
    end_provider(&it);
}

Test(manager_faults, flush_under_load)
{
    flush_under_load(false);
}

Test(manager_faults, snapshots_under_load)
{
    flush_under_load(true);
}

/* Ctrl-Z in one program: the others' recording ends soon, and has what it wrote. */
Test(manager_faults, suspended_program_is_waited_for_as_long_as_the_client_says)
{
    const enum trace_mode modes[] = {TRACE_MODE_ONESHOT, TRACE_MODE_CIRCULAR, TRACE_MODE_STREAMING};
    for (int i = 0; i < 3; i++) {
        const struct trace_config config = {
            .mode = modes[i], .buffer_megabytes = 1, .stop_timeout_ms = 1500};
        struct test_provider it = start_provider("it");
        struct test_provider slow = start_provider("slow");
        struct session session;
        begin_session(&session, &config);
        wait_for_providers(session.controller, 2);
        start_session(&session);
        cr_expect_eq(order(&it, 's', 5000), 'k');
        cr_expect_eq(order(&slow, 's', 5000), 'k');
        cr_expect_eq(order(&it, 'e', 100), 'k');
        cr_expect_eq(order(&slow, 'e', 100), 'k');
        halt(&slow);
        uint64_t since = now_ms();
        cr_expect_eq(end_session(&session), 0);
        cr_expect(now_ms() - since >= 1400 && now_ms() - since < 4500, "%lu ms",
                  (unsigned long)(now_ms() - since));
        const struct trace_provider_statistics *late = statistics_of(&session, "slow");
        cr_expect(late->timed_out && late->misbehaved && !late->died);
        cr_expect(!statistics_of(&session, "it")->timed_out);
        cr_expect(log_has("slow"));
        cr_expect_eq(find_events(&session.archive, "it").events, 100);
        cr_expect_eq(find_events(&session.archive, "slow").events, 100);
        cr_expect_eq(count_findings(&session.archive, FXT_NONCONFORMING), 0);
        kill(slow.process, SIGCONT);
        cr_expect_eq(order(&slow, 'o', 5000), 'k', "it stops when it can");
        end_provider(&it);
        end_provider(&slow);
    }
}

/* It goes on in the middle of the session: what it wrote by then is in the archive once. */
Test(manager_faults, program_that_goes_on_after_its_time_is_read_once)
{
    const struct trace_config config = {
        .mode = TRACE_MODE_CIRCULAR, .buffer_megabytes = 1, .stop_timeout_ms = 300};
    struct test_provider slow = start_provider("slow");
    struct session session;
    begin_session(&session, &config);
    wait_for_providers(session.controller, 1);
    start_session(&session);
    cr_expect_eq(order(&slow, 's', 5000), 'k');
    cr_expect_eq(order(&slow, 'e', 100), 'k');
    halt(&slow);
    cr_expect_eq(trace_controller_stop(session.controller, true, NULL, NULL), 0);
    kill(slow.process, SIGCONT);
    cr_expect_eq(order(&slow, 'e', 100), 'k');
    cr_expect_eq(
        trace_controller_start(session.controller, TRACE_DISPOSITION_CLEAR_ENTIRE, NULL, 0), 0);
    sleep_ms(100);
    cr_expect_eq(end_session(&session), 0);
    struct found found = find_events(&session.archive, "slow");
    cr_expect_eq(found.events, 100, "%lu", (unsigned long)found.events);
    cr_expect_eq(found.gaps, 0);
    end_provider(&slow);
}

/* The next state of the manager is that there is no session, soon. */
static void expect_end_within(trace_controller_t *controller, uint64_t ms)
{
    struct trace_status status = {.state = TRACE_SESSION_STARTED};
    for (uint64_t end = now_ms() + ms; now_ms() < end; sleep_ms(10)) {
        cr_assert_eq(trace_controller_get_status(controller, &status), 0);
        if (status.state == TRACE_SESSION_NONE)
            return;
    }
    cr_expect_eq(status.state, TRACE_SESSION_NONE);
}

/* A receiver that never reads, and a client that has gone. */
Test(manager_faults, output_that_takes_nothing_is_given_up_soon_after_the_client_has_gone)
{
    for (int i = 0; i < 2; i++) {
        struct test_provider it = start_provider("it");
        struct session session;
        trace_controller_t *other = connect_client();
        int ends[2];
        memset(&session, 0, sizeof session);
        cr_assert_eq(i == 0 ? pipe(ends) : socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
        session.controller = connect_client();
        cr_assert_eq(trace_controller_initialize(session.controller, &circular, ends[1]), 0);
        close(ends[1]);
        wait_for_providers(session.controller, 1);
        start_session(&session);
        cr_expect_eq(order(&it, 's', 5000), 'k');
        cr_expect_eq(order(&it, 'e', 100000), 'k');
        trace_controller_destroy(session.controller);
        expect_end_within(other, 5000);
        char byte;
        cr_expect_eq(read(ends[0], &byte, 1), 1, "what could be written is there");
        close(ends[0]);
        expect_a_session(&it, &streaming);
        trace_controller_destroy(other);
        end_provider(&it);
    }
}

static void *stop_while_the_manager_stands_still(void *self)
{
    struct both *both = self;
    cr_assert(raw_await(both->raw, FXT_I_STOP, 5000));
    kill(manager_process, SIGSTOP);
    cr_assert_eq(raw_say(both->raw, FXT_I_STOPPED, 0, 0), 0);
    sleep_ms(3 * STOP_MS);
    kill(manager_process, SIGCONT);
    return NULL;
}

/* As by Ctrl-Z, or on a machine without time for it. */
Test(manager_faults, time_in_which_the_manager_stood_still_is_not_the_providers)
{
    struct both both;
    pthread_t thread;
    start_both(&both, TRACE_MODE_ONESHOT);
    write_all(&both, 50);
    cr_assert_eq(pthread_create(&thread, NULL, stop_while_the_manager_stands_still, &both), 0);
    const struct trace_provider_statistics *it = end_both(&both);
    pthread_join(thread, NULL);
    cr_assert_not_null(it);
    cr_expect(!it->timed_out && !it->misbehaved);
    expect_events(&both, 50);
}
