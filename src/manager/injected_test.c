/* A short session with a real manager, provider and client, once for each call that can fail: the
   n-th call of a kind fails in one of the three, and n grows until there are no more calls.
   Whatever fails, nobody crashes, hangs or leaks, every request is answered, the archive is
   well-formed, and what is lost is told. */
#include <dirent.h>

#include "src/manager/inject_test.h"
#include "src/manager/system_test.h"

#include <criterion/parameterized.h>

#define EVENTS 100
#define CLIENT_MS 30000 /* more is a hang */
#define WAIT_MS 300     /* for a provider, once something has failed */
#define TIMEOUT_MS 2000 /* of the session, for providers to start and to stop */
#define LONG_MS 20000   /* if nothing keeps them from it but a busy machine */
#define NO_LOOP 10      /* how a program of the fixture ends that gets no loop ... */
#define NO_PROVIDER 11  /* ... or no provider */

enum who { MANAGER, PROVIDER, CLIENT };
static const char *const whos[] = {"manager", "provider", "client"};

enum {
    CONNECT,
    PROVIDERS,
    CATEGORIES,
    WATCH,
    INITIALIZE,
    START,
    FLUSH,
    STOP,
    AGAIN,
    TERMINATE,
    STEPS
};

static const char *const steps[STEPS] = {"connect",     "providers", "categories", "watch",
                                         "initialize",  "start",     "flush",      "stop",
                                         "start again", "terminate"};

/* What a process under test says of itself, and the client of its session. */
struct said {
    int error;         /* of trace_manager_create */
    char message[200]; /* of it */
    char log[1 << 16];
    unsigned leaked; /* blocks */
    int descriptors; /* more than before */
    int errors[STEPS];
    bool asked[STEPS];
    int providers;
    int categories;
    bool alerted;
};

static struct said *said;

static void *share(size_t size)
{
    void *it = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    cr_assert_neq(it, MAP_FAILED);
    return it;
}

static int count_own_descriptors(void)
{
    int count = 0;
    DIR *list = opendir("/proc/self/fd");
    while (list != NULL && readdir(list) != NULL)
        count++;
    closedir(list);
    return count;
}

/* Everything that it has is freed. */
static void end_under_test(int before)
{
    under_test = false;
    said->leaked = live_count;
    said->descriptors = count_own_descriptors() - before;
}

/* The manager. */

static void keep_line(void *data, const char *line)
{
    size_t used = strlen(said->log);
    (void)data;
    snprintf(said->log + used, sizeof said->log - used, "%s\n", line);
}

static void be_manager_under_test(const char *config, bool tested, int ready)
{
    struct trace_manager_options options = TRACE_MANAGER_OPTIONS_INIT;
    int before = count_own_descriptors();

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    options.config = config;
    options.log = keep_line;
    under_test = tested;
    said->error = trace_manager_create(&options, &running, said->message);
    under_test = false;
    if (said->error == 0) {
        signal(SIGTERM, quit_running);
        if (write(ready, "x", 1) != 1)
            _exit(3);
    }
    under_test = tested;
    if (said->error == 0) {
        trace_manager_run(running);
        trace_manager_destroy(running);
    }
    if (tested)
        end_under_test(before);
    _exit(0);
}

/* An event without an argument, of a category that nobody asks for. */
static void write_unwanted(struct provider_self *self, char order, uint64_t number)
{
    (void)self;
    (void)order;
    (void)number;
    TRACE_INSTANT("unwanted", "event", TRACE_SCOPE_THREAD);
}

static bool tests_next_child;

static void set_under_test(void)
{
    under_test = tests_next_child;
}

static struct test_provider begin_provider(bool tested)
{
    tests_next_child = tested;
    struct test_provider provider = start_provider("prog");
    tests_next_child = false;
    return provider;
}

/* False if there is none. */
static bool begin_manager(const char *config, bool tested)
{
    int ready[2];
    char byte;

    cr_assert_eq(pipe2(ready, O_CLOEXEC), 0);
    manager_process = fork();
    cr_assert_geq(manager_process, 0);
    if (manager_process == 0) {
        close(ready[0]);
        be_manager_under_test(config, tested, ready[1]);
    }
    close(ready[1]);
    bool begun = read(ready[0], &byte, 1) == 1;
    close(ready[0]);
    return begun;
}

/* The client. */

static void ask(int step, int error)
{
    said->asked[step] = true;
    said->errors[step] = error;
}

static void count_category(void *data, const char *name, const char *description)
{
    (void)data;
    (void)name;
    (void)description;
    said->categories++;
}

/* Only a failure can keep it waiting for ever, unless the call or the connection is made again. */
static bool is_worth_waiting(void)
{
    return atomic_load(&plan->failed) == NULL || plan->error == EINTR || plan->kind == ACCEPT;
}

static void await_provider(trace_controller_t *client)
{
    uint64_t end = now_ms() + WAIT_MS;
    int error = 0;
    for (; said->providers == 0 && error == 0 && (is_worth_waiting() || now_ms() < end);
         sleep_ms(1)) {
        uint32_t count = 0;
        error = trace_controller_get_providers(client, count_provider, &count);
        said->providers = (int)count;
    }
    ask(PROVIDERS, error);
}

/* Its own calls are not the client's. 0 if the provider has ended. */
static char tell(const struct test_provider *provider, char letter, uint64_t number)
{
    bool tested = under_test;
    under_test = false;
    send_order(provider, letter, number);
    char answer = receive_answer(provider);
    under_test = tested;
    return answer;
}

/* Waits until the provider traces, if it does, and lets it write. */
static void trace_some(const struct test_provider *provider)
{
    char answer;
    do
        answer = tell(provider, 's', WAIT_MS);
    while (answer == 'n' && is_worth_waiting());
    if (answer != 'k')
        return;
    tell(provider, 'e', EVENTS);
    tell(provider, 'u', 0);
}

static void run_session(trace_controller_t *client, const struct test_provider *provider,
                        const struct trace_config *config, const int outputs[2])
{
    char alert[15];

    await_provider(client);
    ask(CATEGORIES, trace_controller_get_known_categories(client, count_category, NULL));
    ask(WATCH, trace_controller_watch_alert(client));
    ask(INITIALIZE, trace_controller_initialize(client, config, outputs[0]));
    ask(START, trace_controller_start(client, TRACE_DISPOSITION_CLEAR_ENTIRE,
                                      (const char *const[]){"more"}, 1));
    if (said->errors[START] == 0 && said->providers > 0) {
        trace_some(provider);
        tell(provider, 'a', 0);
    }
    if (said->errors[WATCH] == 0)
        do
            said->alerted = trace_controller_next_alert(client, WAIT_MS, alert) == 0;
        while (!said->alerted && is_worth_waiting());
    ask(FLUSH, trace_controller_flush(client, outputs[1]));
    ask(STOP, trace_controller_stop(client, true, NULL, NULL));
    ask(AGAIN, trace_controller_start(client, TRACE_DISPOSITION_CLEAR_ENTIRE, NULL, 0));
    if (said->errors[AGAIN] == 0 && said->providers > 0)
        trace_some(provider);
    ask(TERMINATE, trace_controller_terminate(client, true, NULL, NULL));
}

static void be_client(const struct test_provider *provider, const struct trace_config *config,
                      const int outputs[2], bool tested)
{
    trace_controller_t *client;
    int before = count_own_descriptors();

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    under_test = tested;
    ask(CONNECT, trace_controller_connect(NULL, &client));
    if (said->errors[CONNECT] == 0) {
        run_session(client, provider, config, outputs);
        trace_controller_destroy(client);
    }
    if (tested)
        end_under_test(before);
    _exit(0);
}

/* One run. */

struct scenario {
    const char *name;
    enum trace_mode mode;
    bool deferred;
    bool snapshot; /* an archive of its own for the flush */
};

/* How the process ended, as a shell says it; -1 if it had to be killed. */
static int await_end(pid_t process, int ms)
{
    int status;
    for (uint64_t end = now_ms() + (uint64_t)ms; now_ms() < end; usleep(500))
        if (waitpid(process, &status, WNOHANG) == process)
            return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    kill(process, SIGKILL);
    waitpid(process, &status, 0);
    return -1;
}

/* As a program ends: it destroys what it has made. It may have ended already. */
static int leave_provider(struct test_provider *provider)
{
    const struct {
        char letter;
        uint64_t number;
    } order = {'x', 0};

    if (write(provider->orders, &order, sizeof order) < 0 && errno != EPIPE)
        return -1;
    int end = await_end(provider->process, CLIENT_MS);
    close(provider->orders);
    close(provider->answers);
    munmap((void *)(uintptr_t)provider->dropped, sizeof *provider->dropped);
    return end;
}

static const char *run_name(const char *scenario, const char *who)
{
    static char text[200];
    const char *function = atomic_load(&plan->failed);
    snprintf(text, sizeof text, "%s, %s: call %u of kind %d%s fails with %s (%s)", scenario, who,
             plan->nth, plan->kind, plan->for_good ? " and all after it" : "",
             strerrorname_np(plan->error), function != NULL ? function : "not reached");
    return text;
}

static void take_archive(struct archive *it, int output)
{
    ssize_t got;
    it->size = 0;
    it->room = 1 << 20;
    it->bytes = malloc(it->room);
    cr_assert_not_null(it->bytes);
    while ((got = read(output, it->bytes + it->size, it->room - it->size)) > 0)
        it->size += (size_t)got;
}

static uint64_t events_in(int output, const char *run)
{
    struct archive it;
    take_archive(&it, output);
    int findings = count_findings(&it, FXT_SUSPICIOUS);
    cr_expect_eq(findings, 0, "%s: the archive has %d findings", run, findings);
    const struct found found = find_events(&it, NULL);
    cr_expect_eq(found.strange, 0, "%s: an event of a category that nobody asks for", run);
    free(it.bytes);
    return found.events;
}

/* Whether an error of the client's says that the manager lacked something, or could not write. */
static bool has_reason(int error)
{
    return error == TRACE_ERROR_NO_RESOURCES || error == TRACE_ERROR_ABORTED;
}

/* What is lost is told with the reason, to the client or in the log. A call that was interrupted is
   made again: nothing is lost. */
static void expect_told(const char *run, enum who who, uint64_t events, uint64_t flushed,
                        bool snapshot)
{
    bool lost = events != 2 * EVENTS || (snapshot && flushed != EVENTS) || !said->alerted ||
                said->categories == 0;
    bool told = strstr(said->log, strerror(plan->error)) != NULL ||
                (plan->error == ENOMEM && strstr(said->log, "no memory") != NULL) ||
                strstr(said->log, "in time") != NULL || /* the machine is busy */
                (plan->error == EMFILE && strstr(said->log, "no descriptors") != NULL);

    for (int i = 0; i < STEPS; i++)
        told = told || (said->asked[i] && (who == CLIENT ? said->errors[i] == -plan->error
                                                         : has_reason(said->errors[i])));
    cr_expect(!lost || plan->error != EINTR, "%s: an interrupted call is not made again", run);
    cr_expect(!lost || told || who == PROVIDER, "%s: %d events, %d flushed, %s, and nobody is told",
              run, (int)events, (int)flushed, said->alerted ? "alerted" : "no alert");
}

static char config_path[80];

/* The outputs of a run: ends to read from, and to write to. */
struct outputs {
    int archive[2];
    int snapshot[2];
};

/* None is read before the end, so what is written has to fit into a pipe. */
static struct outputs open_outputs(const struct scenario *scenario)
{
    struct outputs it;

    if (scenario->deferred) {
        cr_assert_eq(pipe2(it.archive, O_CLOEXEC), 0);
    } else {
        it.archive[0] = memfd_create("archive", MFD_CLOEXEC);
        it.archive[1] = dup(it.archive[0]);
    }
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, it.snapshot), 0);
    return it;
}

static void check_outputs(const struct outputs *outputs, const struct scenario *scenario,
                          enum who who, const char *run)
{
    if (!scenario->deferred)
        lseek(outputs->archive[0], 0, SEEK_SET);
    uint64_t events = events_in(outputs->archive[0], run);
    uint64_t flushed = events_in(outputs->snapshot[0], run);
    expect_told(run, who, events, flushed, scenario->snapshot);
}

static pid_t begin_client(const struct test_provider *provider, const struct scenario *scenario,
                          const struct outputs *outputs, bool tested)
{
    static const char *const categories[] = {"#group", "trace:test"};
    static const char *const own[] = {"own"};
    const struct trace_provider_spec specs[] = {{"prog", own, 1, 1}, {"other", NULL, 0, 2}};
    const uint32_t ms = plan->kind == NOTHING || plan->error == EINTR ? LONG_MS : TIMEOUT_MS;
    const struct trace_config config = {.categories = categories,
                                        .category_count = 2,
                                        .specs = specs,
                                        .spec_count = 2,
                                        .mode = scenario->mode,
                                        .buffer_megabytes = 1,
                                        .start_timeout_ms = ms,
                                        .defer_transfer = scenario->deferred,
                                        .stop_timeout_ms = ms};
    const int both[] = {outputs->archive[1], scenario->snapshot ? outputs->snapshot[1] : -1};

    pid_t client = fork();
    cr_assert_geq(client, 0);
    if (client == 0)
        be_client(provider, &config, both, tested);
    return client;
}

/* The session of a manager that has begun, and the end of provider and client. */
static void pass_session(const struct scenario *scenario, enum who who,
                         const struct outputs *outputs)
{
    struct test_provider provider = begin_provider(who == PROVIDER);
    pid_t client = begin_client(&provider, scenario, outputs, who == CLIENT);

    int end = await_end(client, CLIENT_MS);
    cr_expect_eq(end, 0, "%s: the client ends with %d", run_name(scenario->name, whos[who]), end);
    end = leave_provider(&provider);
    cr_expect(end == 0 || end == NO_LOOP || end == NO_PROVIDER, "%s: the provider ends with %d",
              run_name(scenario->name, whos[who]), end);
}

static void check_message(const char *run)
{
    cr_expect(strcasestr(said->message, strerror(plan->error)) != NULL ||
                  (plan->error == ENOMEM && strstr(said->message, "no memory") != NULL),
              "%s: the message does not say why: %s", run, said->message);
}

static void run_one(const struct scenario *scenario, enum who who)
{
    memset(said, 0, sizeof *said);
    atomic_store(&plan->calls, 0);
    atomic_store(&plan->failed, NULL);
    struct outputs outputs = open_outputs(scenario);
    bool begun = begin_manager(config_path, who == MANAGER);
    if (begun) {
        pass_session(scenario, who, &outputs);
        kill(manager_process, SIGTERM);
    }
    int end = await_end(manager_process, CLIENT_MS);
    const char *run = run_name(scenario->name, whos[who]);
    manager_process = 0;
    cr_expect_eq(end, 0, "%s: the manager ends with %d", run, end);
    cr_expect_eq(said->leaked, 0, "%s: %u blocks are left", run, said->leaked);
    cr_expect_eq(said->descriptors, 0, "%s: %d descriptors are left", run, said->descriptors);
    close(outputs.archive[1]);
    close(outputs.snapshot[1]);
    if (begun)
        check_outputs(&outputs, scenario, who, run);
    else
        check_message(run);
    close(outputs.archive[0]);
    close(outputs.snapshot[0]);
}

struct row {
    enum kind kind;
    int error;
    bool for_good;
};

static const struct row rows[] = {
    {MEMORY, ENOMEM, false},       {MEMORY, ENOMEM, true},
    {DESCRIPTOR, EMFILE, false},   {DESCRIPTOR, EMFILE, true},
    {ACCEPT, EMFILE, false},       {ACCEPT, ENOMEM, false},
    {ACCEPT, ECONNABORTED, false}, {WRITE, ENOSPC, false},
    {WRITE, EINTR, false},         {READ, EIO, false},
    {SEND, ENOBUFS, false},        {SEND, EINTR, false},
    {RECEIVE, ENOMEM, false},      {RECEIVE, EINTR, false},
    {POLL, ENOMEM, false},         {OTHER, ENOMEM, false},
};

static void make_config(void)
{
    snprintf(config_path, sizeof config_path, "%s/config", directory);
    FILE *file = fopen(config_path, "w");
    cr_assert_not_null(file);
    fputs("{\"categories\": {\"known\": \"to all\"},\n"
          " \"groups\": {\"group\": [\"one\", \"prog/two\", \"other/three\"]}}\n",
          file);
    fclose(file);
}

static const struct scenario scenarios[] = {{"oneshot", TRACE_MODE_ONESHOT, false, true},
                                            {"stream", TRACE_MODE_STREAMING, true, false}};

#define ROWS (sizeof rows / sizeof *rows)
#define SCENARIOS (sizeof scenarios / sizeof *scenarios)

static void begin_tests(void)
{
    cr_assert_not_null(mkdtemp(directory));
    setenv("FXT_TRACE_DIR", directory, 1);
    make_config();
    signal(SIGPIPE, SIG_IGN);
    own_order = write_unwanted;
    pthread_atfork(NULL, NULL, set_under_test);
    plan = share(sizeof *plan);
    said = share(sizeof *said);
}

TestSuite(injected, .fini = clean_up);

Test(injected, without_a_failure_all_is_recorded)
{
    begin_tests();
    for (size_t i = 0; i < SCENARIOS; i++) {
        run_one(&scenarios[i], MANAGER);
        cr_expect(said->log[0] == '\0' && said->alerted, "%s: %s", scenarios[i].name, said->log);
        for (int step = 0; step < STEPS; step++)
            cr_expect(said->asked[step] && said->errors[step] == 0, "%s: %s", steps[step],
                      trace_controller_error_text(said->errors[step]));
    }
}

struct task {
    enum who who;
    size_t scenario;
    size_t row;
};

ParameterizedTestParameters(injected, a_session_survives_each_failure)
{
    static struct task tasks[(SCENARIOS + 2) * ROWS];
    size_t count = 0;

    for (size_t row = 0; row < ROWS; row++) {
        for (size_t i = 0; i < SCENARIOS; i++)
            tasks[count++] = (struct task){MANAGER, i, row};
        tasks[count++] = (struct task){PROVIDER, 0, row};
        tasks[count++] = (struct task){CLIENT, 0, row};
    }
    return cr_make_param_array(struct task, tasks, count);
}

/* The next call that is to fail: every third one, or with FXT_INJECT=all each. */
static unsigned next_call(unsigned nth)
{
    const char *which = getenv("FXT_INJECT");

    return nth + (nth == 0 || (which != NULL && strcmp(which, "all") == 0) ? 1 : 3);
}

/* Until no more calls fail. */
ParameterizedTest(struct task *task, injected, a_session_survives_each_failure)
{
    const struct row *row = &rows[task->row];

    if (task->who != MANAGER && (row->kind == ACCEPT || row->kind == WRITE || row->kind == READ))
        return; /* only the manager makes these calls */
    begin_tests();
    plan->kind = row->kind;
    plan->error = row->error;
    plan->for_good = row->for_good;
    do {
        plan->nth = next_call(plan->nth);
        run_one(&scenarios[task->scenario], task->who);
    } while (atomic_load(&plan->failed) != NULL);
    cr_expect(plan->nth > 1 || (row->kind == READ && !scenarios[task->scenario].deferred),
              "kind %d: nothing has failed", row->kind);
}
