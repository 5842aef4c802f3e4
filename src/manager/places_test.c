/* Places of providers and clients, and queues of alerts: no process takes what others need, and
   silence costs a connection its place. */
#include "src/protocol/controller.h"
#include "src/manager/manager.h"
#include "src/manager/raw_test.h"

#define PER_PROCESS 8 /* connections at each socket */
#define SILENCE_MS 5000

static void begin(void)
{
    start_manager_with(NULL, 1000);
}

TestSuite(places, .init = begin, .fini = clean_up, .timeout = 120);

static const struct fxt_i_controller_packet watching = {.ordinal = FXT_I_WATCH_ALERT,
                                                        .transaction = 7};

/* Until the manager takes no more, because its answers are not read. */
static void say_in_vain(struct raw *const raws[], int count, const uint8_t *bytes, size_t size)
{
    for (uint64_t last = now_ms(); now_ms() - last < 500; sleep_ms(1))
        for (int i = 0; i < count; i++)
            while (raw_send(raws[i]->socket, bytes, size) == 0)
                last = now_ms();
}

static void be_crowd(const char *where, int count, const uint8_t *bytes, size_t size, bool in_vain)
{
    struct raw *raws[PER_PROCESS];
    for (int i = 0; i < count; i++) {
        raws[i] = raw_open(where);
        if (size > 0)
            raw_send(raws[i]->socket, bytes, size);
    }
    if (in_vain)
        say_in_vain(raws, count, bytes, size);
}

/* A process that holds `count` connections, on each of which it has sent these bytes, until the test
   ends. */
static void fork_crowd_with(const char *where, int count, const uint8_t *bytes, size_t size,
                            bool in_vain)
{
    int ready[2];
    char byte;
    cr_assert_eq(pipe(ready), 0);
    if (fork() == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        be_crowd(where, count, bytes, size, in_vain);
        if (write(ready[1], "x", 1) == 1)
            pause();
        _exit(0);
    }
    close(ready[1]);
    cr_assert_eq(read(ready[0], &byte, 1), 1);
    close(ready[0]);
}

static void fork_crowd(const char *where, int count, const struct fxt_i_controller_packet *first)
{
    uint8_t bytes[FXT_I_CONTROLLER_BYTES_MAX];
    uint64_t size = first != NULL ? fxt_i_controller_write(bytes, first, NULL) : 0;
    fork_crowd_with(where, count, bytes, (size_t)size, false);
}

static void fork_deaf_crowd(const struct fxt_i_controller_packet *packet)
{
    uint8_t bytes[FXT_I_CONTROLLER_BYTES_MAX];
    uint64_t size = fxt_i_controller_write(bytes, packet, NULL);
    fork_crowd_with(FXT_I_CONTROLLER, PER_PROCESS, bytes, (size_t)size, true);
}

struct wanted {
    const char *name;
    bool found;
};

static void look(void *data, const struct trace_provider_info *it)
{
    struct wanted *wanted = data;
    wanted->found = wanted->found || strcmp(it->name, wanted->name) == 0;
}

static bool is_listed_in_time(trace_controller_t *controller, const char *name, int ms)
{
    struct wanted wanted = {name, false};
    for (uint64_t end = now_ms() + (uint64_t)ms; now_ms() < end && !wanted.found; sleep_ms(10))
        cr_assert_eq(trace_controller_get_providers(controller, look, &wanted), 0);
    return wanted.found;
}

Test(places, one_process_cannot_take_all_places_of_providers)
{
    struct raw *raws[120];
    for (int i = 0; i < 120; i++) {
        raws[i] = raw_open(FXT_I_REGISTRY);
        raw_try_to_register(raws[i], "greedy");
    }
    struct test_provider other = start_provider("other");
    trace_controller_t *controller = connect_client();
    cr_expect(is_listed_in_time(controller, "other", 10000));
    wait_for_providers(controller, PER_PROCESS + 1);
    cr_expect(log_has("it has 8 connections"));
    trace_controller_destroy(controller);
    for (int i = 0; i < 120; i++)
        raw_end(raws[i]);
    end_provider(&other);
}

static int lines_of_log_with(const char *what)
{
    char line[512];
    int count = 0;
    FILE *file = fopen(manager_log, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        count += strstr(line, what) != NULL;
    if (file != NULL)
        fclose(file);
    return count;
}

Test(places, refused_connections_take_a_few_lines_a_second_of_the_log)
{
    struct raw *raws[PER_PROCESS + 300];
    uint64_t start = now_ms();
    for (int i = 0; i < PER_PROCESS + 300; i++)
        raws[i] = raw_open(i % 2 == 0 ? FXT_I_REGISTRY : FXT_I_CONTROLLER);
    for (int i = 0; i < 1000 && !log_has("more lines"); i++)
        sleep_ms(10);
    cr_expect(log_has("more lines"), "it says how many it did not tell of");
    cr_expect(log_has("is refused: it has 8 connections"), "it tells of the first one");
    int lines = lines_of_log_with("refused");
    cr_expect_leq(lines, FXT_I_LOG_LINES * (2 + (int)(now_ms() - start) / 1000));
    for (int i = 0; i < PER_PROCESS + 300; i++)
        raw_end(raws[i]);
}

Test(places, provider_that_finds_no_place_gets_the_one_that_becomes_free)
{
    static struct test_provider all[100];
    for (int i = 0; i < 100; i++)
        all[i] = start_provider("one of a hundred");
    trace_controller_t *controller = connect_client();
    wait_for_providers(controller, 100);
    struct test_provider late = start_provider("late");
    cr_expect(!is_listed_in_time(controller, "late", 1500));
    cr_expect(log_has("there are 100 providers"));
    end_provider(&all[0]);
    cr_expect(is_listed_in_time(controller, "late", 10000));
    trace_controller_destroy(controller);
    for (int i = 1; i < 100; i++)
        end_provider(&all[i]);
    end_provider(&late);
}

Test(places, provider_that_its_process_had_no_place_for_tries_again)
{
    struct raw *raws[PER_PROCESS];
    struct provider_self self = {NULL, NULL, 0, false};
    for (int i = 0; i < PER_PROCESS; i++)
        raws[i] = raw_provider("mine");
    trace_controller_t *controller = connect_client();
    wait_for_providers(controller, PER_PROCESS);
    begin_providing(&self, "the ninth", false);
    cr_expect(!is_listed_in_time(controller, "the ninth", 1500));
    for (int i = 0; i < PER_PROCESS; i++)
        raw_end(raws[i]);
    cr_expect(is_listed_in_time(controller, "the ninth", 20000));
    trace_provider_destroy(self.provider);
    async_loop_destroy(self.loop);
    trace_controller_destroy(controller);
}

/* They give way at once; nobody has to wait until their time is over. */
static void expect_place_among_crowd(const struct fxt_i_controller_packet *first)
{
    struct trace_status status;
    for (int i = 0; i < 5; i++)
        fork_crowd(FXT_I_CONTROLLER, PER_PROCESS, first);
    uint64_t since = now_ms();
    for (int i = 0; i < 40; i++) {
        trace_controller_t *controller = connect_client();
        cr_expect_eq(trace_controller_get_status(controller, &status), 0);
        trace_controller_destroy(controller);
    }
    cr_expect_lt(now_ms() - since, SILENCE_MS - 500, "%lu ms", (unsigned long)(now_ms() - since));
}

Test(places, silent_clients_shut_out_nobody)
{
    expect_place_among_crowd(NULL);
}

Test(places, idle_clients_shut_out_nobody)
{
    expect_place_among_crowd(&watching);
}

/* Clients that wait for an answer keep their places until they have it. */
Test(places, client_that_finds_no_place_gets_the_one_of_a_client_that_becomes_idle)
{
    const struct fxt_i_controller_packet ask = {.ordinal = FXT_I_GET_CATEGORIES, .transaction = 7};
    const struct fxt_i_controller_packet get = {.ordinal = FXT_I_GET_STATUS, .transaction = 1};
    uint8_t bytes[FXT_I_CONTROLLER_BYTES_MAX];
    struct raw *mute = raw_provider("mute"); /* answers nothing */
    for (int i = 0; i < 4; i++)
        fork_crowd(FXT_I_CONTROLLER, PER_PROCESS, &ask);
    struct raw *raw = raw_open(FXT_I_CONTROLLER);
    raw_send(raw->socket, bytes, (size_t)fxt_i_controller_write(bytes, &get, NULL));
    cr_expect(raw_is_readable(raw->socket, SILENCE_MS - 500));
    raw_end(raw);
    raw_end(mute);
}

/* The answer to a question for the state. */
static bool is_answered(struct raw *it)
{
    const struct fxt_i_controller_packet get = {.ordinal = FXT_I_GET_STATUS, .transaction = 1};
    uint8_t bytes[FXT_I_CONTROLLER_BYTES_MAX];
    if (raw_send(it->socket, bytes, (size_t)fxt_i_controller_write(bytes, &get, NULL)) != 0)
        return false;
    for (int i = 0; i < 2; i++) /* a state and a done */
        if (!raw_is_readable(it->socket, 20000) ||
            recv(it->socket, bytes, sizeof bytes, MSG_DONTWAIT) != 80)
            return false;
    return true;
}

/* Of 32 places, 8 are of clients that are silent. They go, although those of this process have been
   idle for longer. */
Test(places, clients_that_never_said_anything_go_before_those_that_did)
{
    struct raw *raws[PER_PROCESS - 1];
    for (int i = 0; i < PER_PROCESS - 1; i++) {
        raws[i] = raw_open(FXT_I_CONTROLLER);
        cr_expect(is_answered(raws[i]));
    }
    sleep_ms(50);
    fork_crowd(FXT_I_CONTROLLER, PER_PROCESS, NULL);
    for (int i = 0; i < 3; i++)
        fork_crowd(FXT_I_CONTROLLER, PER_PROCESS, &watching);
    struct raw *last = raw_open(FXT_I_CONTROLLER);
    cr_expect(is_answered(last));
    for (int i = 0; i < PER_PROCESS - 1; i++) {
        cr_expect(is_answered(raws[i]));
        raw_end(raws[i]);
    }
    raw_end(last);
}

Test(places, clients_that_do_not_read_their_answers_shut_out_nobody)
{
    const struct fxt_i_controller_packet list = {.ordinal = FXT_I_GET_PROVIDERS, .transaction = 7};
    struct raw *raws[PER_PROCESS]; /* make the answers longer */
    for (int i = 0; i < PER_PROCESS; i++)
        raws[i] = raw_provider("listed");
    for (int i = 0; i < 4; i++)
        fork_deaf_crowd(&list);
    struct raw *it = raw_open(FXT_I_CONTROLLER);
    cr_expect(is_answered(it));
    raw_end(it);
    for (int i = 0; i < PER_PROCESS; i++)
        raw_end(raws[i]);
}

static void *start(void *session)
{
    start_session(session);
    return NULL;
}

Test(places, client_that_waits_for_a_flush_keeps_its_place_in_a_crowd)
{
    const struct trace_config config = {
        .mode = TRACE_MODE_STREAMING, .buffer_megabytes = 1, .start_timeout_ms = 60000};
    const struct fxt_i_controller_packet flush = {.ordinal = FXT_I_FLUSH_BUFFERS, .transaction = 5};
    uint8_t bytes[FXT_I_CONTROLLER_BYTES_MAX];
    struct raw *slow = raw_provider("slow");
    struct session session;
    pthread_t starter;
    begin_session(&session, &config);
    wait_for_providers(session.controller, 1);
    pthread_create(&starter, NULL, start, &session);
    raw_start(slow, TRACE_MODE_STREAMING);
    pthread_join(starter, NULL);
    struct raw *flusher = raw_open(FXT_I_CONTROLLER);
    raw_send(flusher->socket, bytes, (size_t)fxt_i_controller_write(bytes, &flush, NULL));
    cr_assert(raw_is_readable(slow->fifo, 20000), "it is asked for its half");
    sleep_ms(50);
    for (int i = 0; i < 5; i++)
        fork_crowd(FXT_I_CONTROLLER, PER_PROCESS, &watching);
    struct raw *last = raw_open(FXT_I_CONTROLLER);
    cr_expect(is_answered(last));
    cr_expect(!raw_is_readable(flusher->socket, 0), "neither answered nor dropped");
    cr_assert_eq(raw_say(slow, FXT_I_SAVE_BUFFER, 0, 0), 0);
    cr_assert(raw_is_readable(flusher->socket, 20000));
    cr_expect_eq(recv(flusher->socket, bytes, sizeof bytes, MSG_DONTWAIT), 80, "it is done");
    cr_assert_eq(raw_say(slow, FXT_I_STOPPED, 0, 0), 0);
    cr_expect_eq(end_session(&session), 0);
    raw_end(last);
    raw_end(flusher);
    raw_end(slow);
}

Test(places, client_with_a_session_keeps_its_place_in_a_crowd)
{
    const struct trace_config config = {.mode = TRACE_MODE_ONESHOT, .buffer_megabytes = 1};
    struct session session;
    struct test_provider it = begin_with(&session, &config, "it");
    expect_place_among_crowd(NULL);
    cr_expect_eq(order(&it, 'e', 100), 'k');
    cr_expect_eq(end_session(&session), 0);
    cr_expect_eq(find_events(&session.archive, "it").events, 100);
    free(session.archive.bytes);
    end_provider(&it);
}

Test(places, silent_providers_shut_out_nobody)
{
    for (int i = 0; i < 13; i++)
        fork_crowd(FXT_I_REGISTRY, PER_PROCESS, NULL);
    uint64_t since = now_ms();
    struct test_provider it = start_provider("it");
    trace_controller_t *controller = connect_client();
    cr_expect(is_listed_in_time(controller, "it", SILENCE_MS));
    cr_expect_lt(now_ms() - since, SILENCE_MS - 500);
    trace_controller_destroy(controller);
    end_provider(&it);
}

static void fork_registered_crowd(void)
{
    const struct fxt_i_packet packet = {.ordinal = FXT_I_REGISTER, .process = 1};
    struct raw raw;
    uint64_t size = raw_compose(&raw, &packet, "crowd");
    fork_crowd_with(FXT_I_REGISTRY, PER_PROCESS, raw.packet, (size_t)size, false);
}

/* Its registration waits in its socket when another one comes, and 99 places are taken. */
Test(places, provider_that_has_sent_its_registration_keeps_its_place)
{
    struct raw *raws[3];
    int status;
    for (int i = 0; i < 12; i++)
        fork_registered_crowd();
    for (int i = 0; i < 3; i++)
        raws[i] = raw_provider("raw");
    trace_controller_t *controller = connect_client();
    wait_for_providers(controller, 99);
    kill(manager_process, SIGSTOP);
    cr_assert_eq(waitpid(manager_process, &status, WUNTRACED), manager_process);
    struct raw *in_time = raw_provider("in time");
    struct raw *late = raw_provider("late");
    kill(manager_process, SIGCONT);
    cr_expect(is_listed_in_time(controller, "in time", 20000));
    cr_expect(!is_listed_in_time(controller, "late", 100));
    raw_end(raws[0]);
    cr_expect(is_listed_in_time(controller, "late", 20000));
    trace_controller_destroy(controller);
    raw_end(in_time);
    raw_end(late);
    raw_end(raws[1]);
    raw_end(raws[2]);
}

Test(places, client_that_never_says_anything_is_dropped_one_that_did_is_not)
{
    struct trace_status status;
    struct raw *silent = raw_open(FXT_I_CONTROLLER);
    trace_controller_t *controller = connect_client();
    cr_expect_eq(trace_controller_get_status(controller, &status), 0);
    cr_expect(!raw_is_closed(silent->socket, SILENCE_MS - 2000));
    cr_expect(raw_is_closed(silent->socket, 20000));
    cr_expect_eq(trace_controller_get_status(controller, &status), 0);
    cr_expect(log_has("never says anything"));
    raw_end(silent);
    trace_controller_destroy(controller);
}

/* The manager waits for whoever reads its log. When it goes on, its timers are due first. */
Test(places, client_that_a_busy_manager_did_not_hear_is_not_silent)
{
    uint8_t bytes[FXT_I_CONTROLLER_BYTES_MAX];
    const struct fxt_i_controller_packet packet = {.ordinal = FXT_I_GET_STATUS, .transaction = 1};
    struct raw *raw = raw_open(FXT_I_CONTROLLER);
    struct raw *wrong = raw_open(FXT_I_CONTROLLER);
    sleep_ms(200);
    unlink(manager_log);
    cr_assert_eq(mkfifo(manager_log, 0600), 0);
    cr_assert_eq(raw_send(wrong->socket, (const uint8_t *)"nonsense", 8), 0);
    sleep_ms(200);
    cr_assert_eq(raw_send(raw->socket, bytes, (size_t)fxt_i_controller_write(bytes, &packet, NULL)),
                 0);
    cr_expect(!raw_is_readable(raw->socket, SILENCE_MS));
    int log = open(manager_log, O_RDONLY | O_NONBLOCK);
    cr_assert_geq(log, 0);
    cr_assert(raw_is_readable(raw->socket, 20000));
    cr_expect_eq(recv(raw->socket, bytes, sizeof bytes, 0), 80);
    close(log);
    unlink(manager_log);
    raw_end(raw);
    raw_end(wrong);
}

/* As many as there are, oldest first, until none comes any more. */
static bool receives(trace_controller_t *controller, const char *wanted)
{
    char name[15];
    bool found = false;
    while (trace_controller_watch_alert(controller) == 0 &&
           trace_controller_next_alert(controller, 500, name) == 0)
        found = found || strcmp(name, wanted) == 0;
    return found;
}

Test(places, flood_of_alerts_suppresses_no_alert_of_another)
{
    const struct trace_config config = {.mode = TRACE_MODE_ONESHOT, .buffer_megabytes = 1};
    struct session session;
    struct test_provider quiet = begin_with(&session, &config, "quiet");
    struct test_provider loud = start_provider("loud");
    cr_expect_eq(order(&loud, 's', 10000), 'k');
    cr_expect_eq(order(&quiet, 'a', 1), 'k');
    sleep_ms(300);
    for (int i = 0; i < 500; i++)
        cr_expect_eq(order(&loud, 'a', 0), 'k');
    sleep_ms(300);
    cr_expect(receives(session.controller, "a"));
    cr_expect_eq(end_session(&session), 0);
    free(session.archive.bytes);
    end_provider(&quiet);
    end_provider(&loud);
}
