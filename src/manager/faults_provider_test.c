/* What happens to programs: they are killed, halted, end, become another program or fork, at every
   point of a session. The session goes on without them, keeps what they wrote, and loses nothing of
   the others. */
#include <sys/mman.h>
#include <sys/syscall.h>

#include <lib/trace-engine/instrumentation.h>

#include "src/manager/system_test.h"

#define STOP_MS 400
#define EVENTS 500

enum fault { KILLED, HALTED, EXITED, REPLACED, ABANDONED, FAULTS };

enum phase { REGISTERED, INITIALIZED, STARTING, STARTED, STOPPING };

static const char *const fault_names[] = {"killed", "halted", "exits", "execs", "leaves a child"};

/* A copy of this process that knows nothing of it, and keeps its descriptors. */
static void leave_a_child(void)
{
    if (syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) == 0) {
        alarm(20);
        for (;;)
            pause();
    }
    raise(SIGKILL);
}

static void fork_a_provider(void)
{
    pid_t parent = getpid();
    if (fork() != 0)
        return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    struct provider_self self = {NULL, NULL, 0, false};
    begin_providing(&self, "child", false);
    while (getppid() == parent && !wait_for_state(TRACE_STARTED, 100))
        ;
    write_events(&self, EVENTS);
    wait_for_state(TRACE_STOPPED, 20000);
    trace_provider_destroy(self.provider);
    async_loop_destroy(self.loop);
    exit(0);
}

static void *look_at_categories(void *end)
{
    while (!*(volatile bool *)end)
        trace_is_category_enabled("trace:test");
    return NULL;
}

/* As code does that runs for the first time. */
static void *pass_new_sites(void *end)
{
    static trace_site_t sites[1 << 20];
    for (size_t i = 0; i < sizeof sites / sizeof sites[0] && !*(volatile bool *)end; i++) {
        trace_string_ref_t category;
        trace_context_t *context =
            trace_acquire_context_for_category_cached("trace:test", &sites[i], &category);
        if (context != NULL)
            trace_release_context(context);
        if (i % 32 == 0)
            usleep(10);
    }
    return NULL;
}

/* While other threads look whether a category is traced. */
static void fork_many(struct provider_self *self, uint64_t count)
{
    static bool end;
    pthread_t threads[2];
    int status = 0;
    pthread_create(&threads[0], NULL, look_at_categories, &end);
    pthread_create(&threads[1], NULL, pass_new_sites, &end);
    for (uint64_t i = 0; i < count && status == 0; i++) {
        pid_t child = fork();
        if (child == 0) {
            alarm(5);
            trace_provider_destroy(self->provider);
            _exit(0);
        }
        waitpid(child, &status, 0);
    }
    end = true;
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    if (status != 0)
        _exit(14);
}

#define OWN_FILE "/tmp/fxt_own_XXXXXX"
#define NUMBERS 1024

static char own_file[] = OWN_FILE;
static struct stat own; /* the program's file or socket */
static bool taken[NUMBERS];
static int own_peer;

/* As a daemon does that closes all descriptors, and whose file or socket gets all numbers. The test's
   pipes stay. */
static void take_all_descriptors(int file)
{
    fstat(file, &own);
    for (int fd = 3; fd < NUMBERS; fd++) {
        struct stat it;
        if (fd == own_peer || (fstat(fd, &it) == 0 && S_ISFIFO(it.st_mode)))
            continue;
        dup2(file, fd);
        taken[fd] = true;
    }
    if (write(file, "mine", 4) != 4)
        _exit(12);
}

static void take_for_a_socket(void)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair) != 0)
        _exit(12);
    own_peer = pair[1];
    if (write(pair[1], "yours", 5) != 5)
        _exit(12);
    take_all_descriptors(pair[0]);
}

/* Nothing was read from the socket, sent to it, or closed. */
static char verify_descriptors(void)
{
    char bytes[16];
    for (int fd = 3; fd < NUMBERS; fd++) {
        struct stat it;
        if (taken[fd] && (fstat(fd, &it) != 0 || it.st_ino != own.st_ino))
            return 'n';
        taken[fd] = false;
    }
    if (own_peer == 0)
        return 'k';
    bool whole = recv(own_peer, bytes, sizeof bytes, MSG_DONTWAIT) == 4 &&
                 recv(own_peer, bytes, sizeof bytes, MSG_DONTWAIT) < 0;
    for (int fd = 3; fd < NUMBERS; fd++) { /* one that is still the socket */
        struct stat it;
        if (fstat(fd, &it) == 0 && it.st_ino == own.st_ino)
            return whole && recv(fd, bytes, sizeof bytes, MSG_DONTWAIT) == 5 ? 'k' : 'n';
    }
    return 'n';
}

#define OWN_DESCRIPTORS 500 /* the first that a provider takes: see fxt_i_descriptor_aside */
static int next_own = NUMBERS;

static void close_all_descriptors(void)
{
    next_own = OWN_DESCRIPTORS;
    for (int fd = 3; fd < NUMBERS; fd++) {
        struct stat it;
        if (fstat(fd, &it) == 0 && !S_ISFIFO(it.st_mode))
            close(fd);
    }
}

/* Of the session that was on when the descriptors were taken. A provider that has descriptors left
   connects again, and may be recorded again, before anyone sees that it was off. */
static void wait_for_the_end_of_its_part(int ms)
{
    for (uint64_t end = now_ms() + (uint64_t)ms; now_ms() < end; sleep_ms(1))
        if (trace_state() == TRACE_STOPPED || fcntl(next_own, F_GETFD) >= 0)
            return;
    _exit(14);
}

static void do_as_told(struct provider_self *self, char order, uint64_t number)
{
    switch (order) {
    case 'P':
        wait_for_the_end_of_its_part((int)number);
        break;
    case 'O': /* an observer that is never content: tracing goes on starting */
        trace_register_observer(1000000);
        break;
    case 'H': /* inside a context for ever: tracing goes on stopping */
        trace_acquire_context();
        break;
    case 'R':
        take_all_descriptors(open(own_file, O_RDWR));
        break;
    case 'S':
        take_for_a_socket();
        break;
    case 'V':
        if (verify_descriptors() != 'k')
            _exit(15);
        break;
    case 'C':
        close_all_descriptors();
        break;
    case 'X':
        execl("/bin/sleep", "sleep", "20", NULL);
        _exit(12);
    case 'L':
        leave_a_child();
        break;
    case 'F':
        fork_a_provider();
        break;
    case 'M':
        fork_many(self, number);
        break;
    case 'D': /* in a forked child, what its parent has is destroyed, and the child goes on */
        if (fork() == 0) {
            alarm(5);
            trace_provider_destroy(self->provider);
            async_loop_destroy(self->loop);
            write_events(self, 1);
            _exit(7);
        }
        int status = 0;
        wait(&status);
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 7)
            _exit(13);
        break;
    default:
        break;
    }
}

static void begin(void)
{
    own_order = do_as_told;
    start_manager_with(NULL, STOP_MS);
}

TestSuite(provider_faults, .init = begin, .fini = clean_up, .timeout = 240);

static void inflict(const struct test_provider *victim, enum fault fault)
{
    int status;

    switch (fault) {
    case KILLED:
        kill(victim->process, SIGKILL);
        break;
    case HALTED:
        kill(victim->process, SIGSTOP);
        waitpid(victim->process, &status, WUNTRACED);
        break;
    case EXITED:
        send_order(victim, 'q', 0);
        break;
    case REPLACED:
        send_order(victim, 'X', 0);
        break;
    default:
        send_order(victim, 'L', 0);
        break;
    }
    if (fault != HALTED) { /* its end of the pipe is closed, on exec too */
        struct pollfd gone = {.fd = victim->orders, .events = 0};
        if (fault != ABANDONED)
            cr_assert_eq(poll(&gone, 1, 20000), 1);
        else
            sleep_ms(50);
    }
}

struct later {
    pthread_t thread;
    const struct test_provider *victim;
    enum fault fault;
};

static void *inflict_later(void *self)
{
    struct later *it = self;
    sleep_ms(100);
    inflict(it->victim, it->fault);
    return NULL;
}

static void expect_all_events(const struct session *session, const char *name, uint64_t count)
{
    struct found found = find_events(&session->archive, name);
    cr_expect_eq(found.events, count, "%s: %lu of %lu", name, (unsigned long)found.events,
                 (unsigned long)count);
    cr_expect_eq(found.gaps, 0, "%s", name);
}

static void expect_what_is_left(const struct session *session, enum phase phase, enum fault fault)
{
    const struct trace_provider_statistics *it = statistics_of(session, "victim");
    struct found found = find_events(&session->archive, "victim");

    if (phase < STARTING)
        return;
    cr_expect_eq(found.events, EVENTS, "%s: %lu events", fault_names[fault],
                 (unsigned long)found.events);
    cr_expect_eq(found.gaps, 0);
    cr_assert_not_null(it, "%s", fault_names[fault]);
    cr_expect_eq(it->records_refused, 0);
    if (fault == HALTED)
        cr_expect(it->misbehaved);
    else if (fault != EXITED)
        cr_expect(it->died, "%s", fault_names[fault]);
}

/* Who is left takes part in the next session as if nothing had been. */
static void expect_another_session(const struct trace_config *config, struct test_provider *well,
                                   struct test_provider *victim, enum fault fault)
{
    struct session session;
    bool again = fault == HALTED;

    if (again) {
        kill(victim->process, SIGCONT);
        sleep_ms(50);
    }
    begin_session(&session, config);
    wait_for_providers(session.controller, again ? 2 : 1);
    start_session(&session);
    cr_expect_eq(order(well, 's', 5000), 'k');
    if (again)
        cr_expect_eq(order(victim, 's', 5000), 'k', "who was halted goes on");
    cr_expect_eq(order(well, 'e', EVENTS), 'k');
    cr_expect_eq(end_session(&session), 0);
    expect_all_events(&session, "well", EVENTS);
    cr_expect_eq(count_findings(&session.archive, FXT_NONCONFORMING), 0);
    if (again)
        cr_expect_not_null(statistics_of(&session, "victim"));
    free(session.archive.bytes);
}

static void suffer(enum trace_mode mode, enum phase phase, enum fault fault)
{
    const struct trace_config config = {
        .mode = mode, .buffer_megabytes = 1, .start_timeout_ms = phase == STARTING ? 300 : 5000};
    struct test_provider well = start_provider("well");
    struct test_provider victim = start_provider("victim");
    struct later later = {.victim = &victim, .fault = fault};
    struct session session;

    trace_controller_t *controller = connect_client();
    wait_for_providers(controller, 2);
    trace_controller_destroy(controller);
    if (phase == REGISTERED)
        inflict(&victim, fault);
    if (phase == STARTING)
        cr_expect_eq(order(&victim, 'O', 0), 'k');
    begin_session(&session, &config);
    if (phase == INITIALIZED)
        inflict(&victim, fault);
    start_session(&session);
    cr_expect_eq(order(&well, 's', 5000), 'k');
    cr_expect_eq(order(&well, 'e', EVENTS), 'k');
    if (phase >= STARTING) {
        cr_expect_eq(order(&victim, 's', 5000), 'k');
        cr_expect_eq(order(&victim, 'e', EVENTS), 'k');
    }
    if (phase == STOPPING) {
        cr_expect_eq(order(&victim, 'H', 0), 'k');
        pthread_create(&later.thread, NULL, inflict_later, &later);
    }
    if (phase == STARTING || phase == STARTED)
        inflict(&victim, fault);
    cr_expect_eq(order(&well, 'e', EVENTS), 'k');
    uint64_t before = now_ms();
    cr_expect_eq(end_session(&session), 0);
    cr_expect_lt(now_ms() - before, STOP_MS + 3000);
    if (phase == STOPPING)
        pthread_join(later.thread, NULL);
    expect_all_events(&session, "well", 2 * EVENTS);
    cr_expect_eq(count_findings(&session.archive, FXT_NONCONFORMING), 0);
    expect_what_is_left(&session, phase, fault);
    free(session.archive.bytes);
    if (phase <= STARTED)
        expect_another_session(&config, &well, &victim, fault);
    end_provider(&victim);
    end_provider(&well);
}

static void suffer_all(enum trace_mode mode, enum phase phase)
{
    int descriptors = count_descriptors(manager_process);
    for (int fault = KILLED; fault < FAULTS; fault++) {
        fprintf(stderr, "%s\n", fault_names[fault]);
        suffer(mode, phase, (enum fault)fault);
    }
    wait_for_descriptors(descriptors);
    cr_expect_eq(stop_manager(), 0);
}

Test(provider_faults, when_registered)
{
    suffer_all(TRACE_MODE_ONESHOT, REGISTERED);
}

Test(provider_faults, when_initialized)
{
    suffer_all(TRACE_MODE_CIRCULAR, INITIALIZED);
}

Test(provider_faults, while_starting)
{
    suffer_all(TRACE_MODE_ONESHOT, STARTING);
}

Test(provider_faults, while_started_in_oneshot_mode)
{
    suffer_all(TRACE_MODE_ONESHOT, STARTED);
}

Test(provider_faults, while_started_in_circular_mode)
{
    suffer_all(TRACE_MODE_CIRCULAR, STARTED);
}

Test(provider_faults, while_started_in_streaming_mode)
{
    suffer_all(TRACE_MODE_STREAMING, STARTED);
}

Test(provider_faults, while_stopping)
{
    suffer_all(TRACE_MODE_ONESHOT, STOPPING);
    start_manager_with(NULL, STOP_MS);
    suffer_all(TRACE_MODE_STREAMING, STOPPING);
}

Test(provider_faults, forked_child_may_be_a_provider)
{
    const struct trace_config config = {.mode = TRACE_MODE_STREAMING, .buffer_megabytes = 1};
    struct test_provider parent = start_provider("parent");
    struct session session;
    begin_session(&session, &config);
    wait_for_providers(session.controller, 1);
    start_session(&session);
    cr_expect_eq(order(&parent, 's', 5000), 'k');
    cr_expect_eq(order(&parent, 'e', EVENTS), 'k');
    cr_expect_eq(order(&parent, 'F', 0), 'k');
    cr_expect_eq(order(&parent, 'e', EVENTS), 'k');
    wait_for_providers(session.controller, 2);
    sleep_ms(300);
    cr_expect_eq(end_session(&session), 0);
    expect_all_events(&session, "parent", 2 * EVENTS);
    expect_all_events(&session, "child", EVENTS);
    cr_expect_eq(count_findings(&session.archive, FXT_NONCONFORMING), 0);
    cr_expect_neq(statistics_of(&session, "child")->process, (uint64_t)parent.process);
    end_provider(&parent);
}

Test(provider_faults, forked_child_may_destroy_what_it_inherited)
{
    const struct trace_config config = {.mode = TRACE_MODE_STREAMING, .buffer_megabytes = 1};
    struct test_provider parent = start_provider("parent");
    for (int round = 0; round < 2; round++) {
        struct session session;
        begin_session(&session, &config);
        wait_for_providers(session.controller, 1);
        start_session(&session);
        cr_assert_eq(order(&parent, 's', 5000), 'k');
        cr_assert_eq(order(&parent, 'D', 0), 'k');
        cr_expect_eq(order(&parent, 'e', EVENTS), 'k');
        cr_expect_eq(end_session(&session), 0);
        expect_all_events(&session, "parent", EVENTS);
        free(session.archive.bytes);
    }
    end_provider(&parent);
}

static void fork_while_threads_trace(void)
{
    static const char *const categories[] = {"trace:test"};
    const struct trace_config config = {.mode = TRACE_MODE_CIRCULAR,
                                        .buffer_megabytes = 1,
                                        .categories = categories,
                                        .category_count = 1};
    struct test_provider it = start_provider("it");
    struct session session;
    begin_session(&session, &config);
    wait_for_providers(session.controller, 1);
    start_session(&session);
    cr_assert_eq(order(&it, 's', 5000), 'k');
    cr_expect_eq(order(&it, 'M', 1000), 'k', "no child hangs");
    cr_expect_eq(order(&it, 'e', EVENTS), 'k');
    cr_expect_eq(end_session(&session), 0);
    expect_all_events(&session, "it", EVENTS);
    end_provider(&it);
}

Test(provider_faults, many_forks_while_threads_trace)
{
    fork_while_threads_trace();
}

/* Its part of the session ends; the next session has it again. */
static void take_descriptors_during_a_session(char how)
{
    const struct trace_config config = {.mode = TRACE_MODE_STREAMING, .buffer_megabytes = 1};
    char bytes[16];
    struct session session;
    strcpy(own_file, OWN_FILE);
    int file = mkstemp(own_file);
    struct test_provider daemon = begin_with(&session, &config, "daemon");
    cr_expect_eq(order(&daemon, 'e', EVENTS), 'k');
    sleep_ms(300); /* it polls */
    cr_expect_eq(order(&daemon, how, 0), 'k');
    cr_expect_eq(order(&daemon, 'p', 3 * EVENTS), 'k');
    cr_expect_eq(order(&daemon, 'a', 0), 'k');
    cr_expect_eq(order(&daemon, 'P', 20000), 'k', "its part of the session ends");
    cr_expect_eq(end_session(&session), 0);
    cr_expect_eq(order(&daemon, 'V', 0), 'k', "its descriptors are as it left them");
    struct found found = find_events(&session.archive, "daemon");
    cr_expect_geq(found.events, EVENTS);
    cr_expect_eq(found.gaps, 0);
    begin_session(&session, &config);
    if (how == 'C') { /* else it has descriptors to connect with only if the limit is higher */
        wait_for_providers(session.controller, 1);
        start_session(&session);
        cr_expect_eq(order(&daemon, 's', 5000), 'k', "the next session has it again");
        cr_expect_eq(order(&daemon, 'e', EVENTS), 'k');
    }
    cr_expect_eq(end_session(&session), 0);
    if (how == 'C')
        cr_expect_eq(find_events(&session.archive, "daemon").events, EVENTS);
    end_provider(&daemon);
    ssize_t size = pread(file, bytes, sizeof bytes, 0);
    cr_expect(how != 'R' ? size == 0 : size == 4 && memcmp(bytes, "mine", 4) == 0,
              "nothing of ours is in its file");
    close(file);
    unlink(own_file);
}

Test(provider_faults, program_closes_its_descriptors)
{
    take_descriptors_during_a_session('C');
}

Test(provider_faults, program_uses_all_descriptors_again)
{
    take_descriptors_during_a_session('R');
}

Test(provider_faults, program_has_a_socket_in_place_of_its_descriptors)
{
    take_descriptors_during_a_session('S');
}

static void ignore(trace_handler_t *handler)
{
    (void)handler;
}

/* The handlers of fork come in the order in which engine and provider were first used. */
static void use_the_engine(void)
{
    static const trace_handler_ops_t ops = {.trace_terminated = ignore};
    static trace_handler_t handler = {&ops};
    static uint64_t buffer[1 << 13];
    async_loop_t *loop;
    cr_assert_eq(async_loop_create(&kAsyncLoopConfigNoAttachToThread, &loop), ZX_OK);
    cr_assert_eq(trace_engine_initialize(async_loop_get_dispatcher(loop), &handler,
                                         TRACE_BUFFERING_MODE_ONESHOT, buffer, sizeof buffer),
                 ZX_OK);
    trace_engine_terminate();
    async_loop_run_until_idle(loop);
    async_loop_destroy(loop);
}

Test(provider_faults, many_forks_of_a_program_that_traced_before_it_was_a_provider)
{
    use_the_engine();
    fork_while_threads_trace();
}
