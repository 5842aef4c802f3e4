/* For tests of the whole system: a manager and providers, each a process of its own, and this
   process their client. Sockets lie in a fresh directory. Whatever a test leaves behind is killed
   when it ends. */
#ifndef FXT_MANAGER_SYSTEM_TEST_H
#define FXT_MANAGER_SYSTEM_TEST_H

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <criterion/criterion.h>
#include <fxt/check.h>
#include <fxt/read.h>
#include <lib/async-loop/loop.h>
#include <lib/trace-engine/handler.h>
#include <trace-controller/controller.h>
#include <trace-manager/manager.h>
#include <trace-provider/provider.h>
#include <trace/event.h>

#ifndef __has_feature
#define __has_feature(name) 0
#endif

/* Memory is counted otherwise then. */
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define IS_SANITIZED true
#else
#define IS_SANITIZED false
#endif

static char directory[] = "/tmp/fxt_system_XXXXXX";
static pid_t manager_process;
static char manager_log[64];
static unsigned manager_stall_ms; /* 0: as usual */

static inline void sleep_ms(int ms)
{
    usleep((useconds_t)ms * 1000);
}

static inline uint64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* The manager. */

static inline void log_line(void *data, const char *line)
{
    FILE *file = fopen(data, "a");
    if (file != NULL) {
        fprintf(file, "%s\n", line);
        fclose(file);
    }
}

static trace_manager_t *running;

static inline void quit_running(int number)
{
    (void)number;
    trace_manager_quit(running);
}

static inline void be_manager(const char *config, unsigned stop_timeout_ms, int ready)
{
    struct trace_manager_options options = TRACE_MANAGER_OPTIONS_INIT;
    char message[200];

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    options.config = config;
    options.log = log_line;
    options.log_data = manager_log;
    options.stop_timeout_ms = stop_timeout_ms;
    options.stall_timeout_ms = manager_stall_ms;
    if (trace_manager_create(&options, &running, message) != 0) {
        fprintf(stderr, "%s\n", message);
        _exit(1);
    }
    signal(SIGTERM, quit_running);
    if (write(ready, "x", 1) != 1)
        _exit(1);
    close(ready);
    trace_manager_run(running);
    trace_manager_destroy(running);
    _exit(0);
}

static inline void start_manager_with(const char *config, unsigned stop_timeout_ms)
{
    int ready[2];
    char byte;

    if (strstr(directory, "XXXXXX") != NULL) {
        cr_assert_not_null(mkdtemp(directory));
        setenv("FXT_TRACE_DIR", directory, 1);
        snprintf(manager_log, sizeof manager_log, "%s/log", directory);
    }
    cr_assert_eq(pipe(ready), 0);
    manager_process = fork();
    if (manager_process == 0) {
        close(ready[0]);
        be_manager(config, stop_timeout_ms, ready[1]);
    }
    close(ready[1]);
    cr_assert_eq(read(ready[0], &byte, 1), 1, "the manager has started");
    close(ready[0]);
}

static inline void start_manager(void)
{
    start_manager_with(NULL, 3000);
}

static inline bool log_has(const char *what)
{
    static char text[1 << 16];
    FILE *file = fopen(manager_log, "r");
    if (file == NULL)
        return false;
    size_t size = fread(text, 1, sizeof text - 1, file);
    text[size] = '\0';
    fclose(file);
    return strstr(text, what) != NULL;
}

/* Its exit code; it has to end by itself. */
static inline int stop_manager(void)
{
    int status;
    kill(manager_process, SIGTERM);
    cr_assert_eq(waitpid(manager_process, &status, 0), manager_process);
    manager_process = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static inline int count_descriptors(pid_t process)
{
    char command[64];
    int count = 0;
    snprintf(command, sizeof command, "ls /proc/%d/fd | wc -l", process);
    FILE *file = popen(command, "r");
    cr_assert_not_null(file);
    cr_assert_eq(fscanf(file, "%d", &count), 1);
    pclose(file);
    return count;
}

/* The manager has no more than that many open, soon; one more when it accepts who has gone. */
static inline void wait_for_descriptors(int count)
{
    int open = count_descriptors(manager_process);
    for (uint64_t end = now_ms() + 5000; now_ms() < end && open > count;) {
        sleep_ms(20);
        open = count_descriptors(manager_process);
    }
    cr_expect_leq(open, count, "nothing is left open");
}

/* That are in use. */
static inline uint64_t memory_kb(pid_t process)
{
    char line[200];
    unsigned long kb = 0;
    snprintf(line, sizeof line, "/proc/%d/status", process);
    FILE *file = fopen(line, "r");
    cr_assert_not_null(file);
    while (fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "VmRSS: %lu kB", &kb) == 1)
            break;
    fclose(file);
    return kb;
}

static inline uint64_t cpu_ms(pid_t process)
{
    char path[64];
    unsigned long user;
    unsigned long system;
    snprintf(path, sizeof path, "/proc/%d/stat", process);
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file);
    cr_assert_eq(fscanf(file, "%*d (%*[^)]) %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu",
                        &user, &system),
                 2);
    fclose(file);
    return (user + system) * 1000 / (uint64_t)sysconf(_SC_CLK_TCK);
}

static inline int count_mapped_buffers(pid_t process)
{
    char line[300];
    int count = 0;
    snprintf(line, sizeof line, "/proc/%d/maps", process);
    FILE *file = fopen(line, "r");
    cr_assert_not_null(file);
    while (fgets(line, sizeof line, file) != NULL)
        count += strstr(line, "memfd:fxt-trace") != NULL;
    fclose(file);
    return count;
}

/* Providers: a process that does what it is told, a letter at a time. */

struct test_provider {
    pid_t process;
    int orders;                 /* write end */
    int answers;                /* read end */
    volatile uint64_t *dropped; /* records, when it last answered */
    char name[32];
};

struct provider_self {
    async_loop_t *loop;
    trace_provider_t *provider;
    uint64_t written;
    bool already_started;
};

/* Numbers of events begin at 0 for each process. */
static inline void write_events(struct provider_self *self, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        TRACE_INSTANT("trace:test", "event", TRACE_SCOPE_THREAD, "i", TA_UINT64(self->written++));
}

static inline void begin_providing(struct provider_self *self, const char *name, bool synchronously)
{
    if (async_loop_create(&kAsyncLoopConfigNoAttachToThread, &self->loop) != ZX_OK ||
        async_loop_start_thread(self->loop, "loop", NULL) != ZX_OK)
        _exit(10);
    async_dispatcher_t *dispatcher = async_loop_get_dispatcher(self->loop);
    self->provider = synchronously ? trace_provider_create_synchronously_with_fdio(
                                         dispatcher, name, &self->already_started)
                                   : trace_provider_create_with_name_fdio(dispatcher, name);
    if (self->provider == NULL)
        _exit(11);
}

static inline bool wait_for_state(trace_state_t state, int ms)
{
    for (uint64_t end = now_ms() + (uint64_t)ms; now_ms() < end; sleep_ms(1))
        if (trace_state() == state)
            return true;
    return false;
}

/* What a test adds to the letters below. */
static void (*own_order)(struct provider_self *self, char order, uint64_t number);

/* An order is a letter and a number; each is answered by a letter when it is done. */
static inline char obey_order(struct provider_self *self, char order, uint64_t number)
{
    switch (order) {
    case 'e': /* events */
        write_events(self, number);
        return 'k';
    case 'p': /* events, no faster than 500 a millisecond */
        for (uint64_t done = 0; done < number; done += 500) {
            write_events(self, number - done < 500 ? number - done : 500);
            sleep_ms(1);
        }
        return 'k';
    case 's': /* until tracing is on */
        return wait_for_state(TRACE_STARTED, (int)number) ? 'k' : 'n';
    case 'o': /* until it is off */
        return wait_for_state(TRACE_STOPPED, (int)number) ? 'k' : 'n';
    case 'a':
        TRACE_ALERT("trace:test", number == 0 ? "alert" : number == 1 ? "a" : "14 characters.");
        return 'k';
    case 'c': { /* known categories */
        const struct trace_known_category categories[] = {{"trace:test", "of the test"},
                                                          {"other", NULL}};
        trace_provider_set_known_categories(self->provider, categories, 2);
        return 'k';
    }
    case 'd': /* destroy */
        trace_provider_destroy(self->provider);
        return 'k';
    case 'l': /* the loop goes away */
        async_loop_destroy(self->loop);
        return 'k';
    case 'n': /* a provider anew */
        begin_providing(self, "again", false);
        return 'k';
    case 'y':
        return self->already_started ? 'y' : 'n';
    case 'q':
        exit(0);
    case 'x': /* ends as a program should */
        trace_provider_destroy(self->provider);
        async_loop_destroy(self->loop);
        exit(0);
    default:
        if (own_order != NULL)
            own_order(self, order, number);
        return 'k';
    }
}

static inline void be_provider(const char *name, int orders, int answers,
                               volatile uint64_t *dropped, bool synchronously)
{
    struct provider_self self = {NULL, NULL, 0, false};
    struct {
        char letter;
        uint64_t number;
    } order;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    begin_providing(&self, name, synchronously);
    while (read(orders, &order, sizeof order) == (ssize_t)sizeof order) {
        trace_engine_sizes_t sizes;
        char answer = obey_order(&self, order.letter, order.number);
        trace_engine_get_sizes(&sizes);
        *dropped = sizes.records_dropped;
        if (write(answers, &answer, 1) != 1)
            break;
    }
    _exit(0);
}

static inline struct test_provider start_provider_as(const char *name, bool synchronously)
{
    struct test_provider it;
    int orders[2];
    int answers[2];

    cr_assert_eq(pipe2(orders, O_CLOEXEC), 0);
    cr_assert_eq(pipe2(answers, O_CLOEXEC), 0);
    snprintf(it.name, sizeof it.name, "%s", name);
    it.dropped =
        mmap(NULL, sizeof *it.dropped, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    cr_assert_neq(it.dropped, MAP_FAILED);
    it.process = fork();
    cr_assert_geq(it.process, 0);
    if (it.process == 0) {
        close(orders[1]);
        close(answers[0]);
        be_provider(name, orders[0], answers[1], it.dropped, synchronously);
    }
    close(orders[0]);
    close(answers[1]);
    it.orders = orders[1];
    it.answers = answers[0];
    return it;
}

static inline struct test_provider start_provider(const char *name)
{
    return start_provider_as(name, false);
}

static inline void send_order(const struct test_provider *it, char letter, uint64_t number)
{
    struct {
        char letter;
        uint64_t number;
    } order;
    memset(&order, 0, sizeof order);
    order.letter = letter;
    order.number = number;
    cr_assert_eq(write(it->orders, &order, sizeof order), (ssize_t)sizeof order);
}

/* 0 when the process has ended, or does not answer within two minutes. */
static inline char receive_answer(const struct test_provider *it)
{
    struct pollfd ready = {.fd = it->answers, .events = POLLIN};
    char answer = 0;
    if (poll(&ready, 1, 120000) != 1 || read(it->answers, &answer, 1) != 1)
        return 0;
    return answer;
}

static inline char order(const struct test_provider *it, char letter, uint64_t number)
{
    send_order(it, letter, number);
    return receive_answer(it);
}

/* Returns when all its threads stand still. */
static inline void halt(const struct test_provider *it)
{
    int status;
    kill(it->process, SIGSTOP);
    cr_assert_eq(waitpid(it->process, &status, WUNTRACED), it->process);
}

static inline void end_provider(struct test_provider *it)
{
    int status;
    kill(it->process, SIGKILL);
    waitpid(it->process, &status, 0);
    close(it->orders);
    close(it->answers);
    munmap((void *)(uintptr_t)it->dropped, sizeof *it->dropped);
}

/* The client, and the archive that it is sent. */

struct archive {
    pthread_t reader;
    sem_t reads; /* once the thread runs */
    int descriptor;
    uint8_t *bytes;
    size_t size;
    size_t room;
};

static inline void *read_archive(void *self)
{
    struct archive *it = self;
    ssize_t got;
    it->room = 1 << 20;
    it->bytes = malloc(it->room);
    sem_post(&it->reads);
    do {
        if (it->size == it->room) {
            it->room *= 2;
            it->bytes = realloc(it->bytes, it->room);
        }
        got = read(it->descriptor, it->bytes + it->size, it->room - it->size);
        it->size += got > 0 ? (size_t)got : 0;
    } while (got > 0);
    close(it->descriptor);
    return NULL;
}

/* The threads of a process that is forked while this thread begins would wait for AddressSanitizer's
   locks for ever. */
static inline void begin_to_read(struct archive *it)
{
    cr_assert_eq(sem_init(&it->reads, 0, 0), 0);
    cr_assert_eq(pthread_create(&it->reader, NULL, read_archive, it), 0);
    sem_wait(&it->reads);
}

/* The end to write to. */
static inline int open_archive(struct archive *it)
{
    int ends[2];
    memset(it, 0, sizeof *it);
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    it->descriptor = ends[0];
    begin_to_read(it);
    return ends[1];
}

/* What an archive holds. */
struct found {
    uint64_t events;
    uint64_t first; /* number of an event */
    uint64_t last;
    uint64_t gaps; /* numbers that are missing in between; doubles count as one */
    uint64_t providers;
    uint64_t full;    /* provider events */
    uint64_t strange; /* records of other event names */
};

/* Of one provider by its name, or NULL: of all. Every record has to be well-formed; metadata of
   providers only. */
static inline struct found find_events(const struct archive *it, const char *provider)
{
    struct found found = {.first = UINT64_MAX};
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    enum fxt_status status;
    uint32_t wanted = UINT32_MAX;
    bool mine = provider == NULL;
    uint64_t *last = calloc(1024, sizeof *last);
    bool *seen = calloc(1024, sizeof *seen);
    uint32_t current = 0;

    fxt_reader_init(&reader, it->bytes, it->size);
    while ((status = fxt_reader_next(&reader, &record, &error)) == FXT_OK) {
        struct fxt_provider_info info;
        struct fxt_provider_section section;
        struct fxt_provider_event full;
        struct fxt_event event;
        struct fxt_arg arg;
        if (fxt_read_provider_info(&record, &info, &error) == FXT_OK) {
            bool same = provider != NULL && info.name.size == strlen(provider) &&
                        memcmp(info.name.bytes, provider, info.name.size) == 0;
            found.providers++;
            wanted = same ? info.provider_id : wanted;
            current = info.provider_id;
            mine = provider == NULL || current == wanted;
        }
        if (fxt_read_provider_section(&record, &section, &error) == FXT_OK) {
            current = section.provider_id;
            mine = provider == NULL || current == wanted;
        }
        found.full += mine && fxt_read_provider_event(&record, &full, &error) == FXT_OK;
        if (!mine || fxt_read_event(&record, &event, &error) != FXT_OK)
            continue;
        if (fxt_args_next(&event.args, &arg, &error) != FXT_OK || arg.type != FXT_ARG_UINT64) {
            found.strange++;
            continue;
        }
        found.events++;
        if (found.first == UINT64_MAX)
            found.first = arg.value;
        uint32_t slot = current % 1024;
        if (seen[slot] && arg.value != last[slot] + 1)
            found.gaps += arg.value > last[slot] ? arg.value - last[slot] - 1 : 1;
        seen[slot] = true;
        last[slot] = arg.value;
        found.last = arg.value;
    }
    cr_assert_eq(status, FXT_END, "whole records to the end");
    free(last);
    free(seen);
    return found;
}

/* How many findings of that class and above a checker has. */
static inline int count_findings(const struct archive *it, enum fxt_class least)
{
    static struct fxt_provider providers[128];
    static uint32_t ids[128];
    static struct fxt_object objects[1024];
    static uint8_t arena[1 << 22];
    static struct fxt_check_thread threads[4096];
    static struct fxt_check_open opens[4096];
    const struct fxt_check_memory memory = {.tables = {.providers = providers,
                                                       .provider_ids = ids,
                                                       .objects = objects,
                                                       .arena = arena,
                                                       .provider_max = 128,
                                                       .object_max = 1024,
                                                       .arena_size = sizeof arena},
                                            .threads = threads,
                                            .opens = opens,
                                            .thread_max = 4096,
                                            .open_max = 4096};
    static struct fxt_checker checker;
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    enum fxt_status status;
    int bad = 0;

    fxt_check_init(&checker, &memory, FXT_EDITION_CURRENT);
    fxt_reader_init(&reader, it->bytes, it->size);
    while ((status = fxt_reader_next(&reader, &record, &error)) != FXT_END) {
        uint32_t count = status == FXT_OK ? fxt_check_record(&checker, &record)
                                          : fxt_check_error(&checker, &error);
        for (uint32_t i = 0; i < count && i < FXT_FINDINGS_MAX; i++)
            if (fxt_rule_class(checker.findings[i].rule) >= least) {
                bad++;
                if (bad < 10)
                    fprintf(stderr, "finding: %s at %lu\n", fxt_rule_id(checker.findings[i].rule),
                            (unsigned long)checker.findings[i].offset);
            }
        if (status != FXT_OK && status != FXT_ZERO_WORD)
            return bad + 1;
    }
    return bad;
}

/* The different ticks a second that initialization records tell. */
static inline int count_rates(const struct archive *it)
{
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_initialization here;
    struct fxt_error error;
    uint64_t last = 0;
    int rates = 0;
    fxt_reader_init(&reader, it->bytes, it->size);
    while (fxt_reader_next(&reader, &record, &error) == FXT_OK)
        if (fxt_read_initialization(&record, &here, &error) == FXT_OK) {
            rates += here.ticks_per_second != last;
            last = here.ticks_per_second;
        }
    return rates;
}

static inline void expect_clean(const struct archive *it)
{
    cr_expect_eq(count_findings(it, FXT_SUSPICIOUS), 0);
}

struct session {
    trace_controller_t *controller;
    struct archive archive;
    struct trace_provider_statistics statistics[128];
    int count; /* of statistics */
};

static inline void take_statistics(void *data, const struct trace_provider_statistics *it)
{
    struct session *session = data;
    if (session->count < 128)
        session->statistics[session->count++] = *it;
}

static inline const struct trace_provider_statistics *statistics_of(const struct session *session,
                                                                    const char *name)
{
    for (int i = 0; i < session->count; i++)
        if (strcmp(session->statistics[i].name, name) == 0)
            return &session->statistics[i];
    return NULL;
}

static inline trace_controller_t *connect_client(void)
{
    trace_controller_t *controller;
    cr_assert_eq(trace_controller_connect(NULL, &controller), 0);
    return controller;
}

static inline void wait_for_providers(trace_controller_t *controller, uint32_t count);

static inline void begin_session(struct session *session, const struct trace_config *config)
{
    memset(session, 0, sizeof *session);
    session->controller = connect_client();
    int output = open_archive(&session->archive);
    cr_assert_eq(trace_controller_initialize(session->controller, config, output), 0);
    close(output);
}

static inline void start_session(struct session *session)
{
    cr_assert_eq(
        trace_controller_start(session->controller, TRACE_DISPOSITION_CLEAR_ENTIRE, NULL, 0), 0);
}

/* A session that is on, with one provider that traces. */
static inline struct test_provider begin_with(struct session *session,
                                              const struct trace_config *config, const char *name)
{
    struct test_provider provider = start_provider(name);

    begin_session(session, config);
    wait_for_providers(session->controller, 1);
    start_session(session);
    cr_assert_eq(order(&provider, 's', 5000), 'k');
    return provider;
}

/* A client that asks to terminate with results. It has a thread of its own, since the answer may take
   long. */
struct terminator {
    pthread_t thread;
    trace_controller_t *controller;
    int error;
};

static inline void *terminate(void *self)
{
    struct terminator *it = self;
    it->error = trace_controller_terminate(it->controller, true, NULL, NULL);
    return NULL;
}

static inline void begin_to_terminate(struct terminator *it, trace_controller_t *controller)
{
    it->controller = controller;
    pthread_create(&it->thread, NULL, terminate, it);
}

/* Ends it with its results, which are in session->archive then. */
static inline int end_session(struct session *session)
{
    session->count = 0;
    int error = trace_controller_terminate(session->controller, true, take_statistics, session);
    pthread_join(session->archive.reader, NULL);
    trace_controller_destroy(session->controller);
    session->controller = NULL;
    return error;
}

static inline void count_provider(void *data, const struct trace_provider_info *it)
{
    (void)it;
    ++*(uint32_t *)data;
}

static inline void wait_for_providers(trace_controller_t *controller, uint32_t count)
{
    uint32_t there = 0;
    for (uint64_t end = now_ms() + 20000; now_ms() < end; sleep_ms(2)) {
        there = 0;
        cr_assert_eq(trace_controller_get_providers(controller, count_provider, &there), 0);
        if (there == count)
            return;
    }
    cr_assert_eq(there, count, "providers register");
}

/* What the manager has said is read only when a test fails. */
static inline void show_log(void)
{
    char line[1000];
    int log = open(manager_log, O_RDONLY | O_NONBLOCK | O_CLOEXEC); /* a test may make it a FIFO */
    FILE *file = log >= 0 ? fdopen(log, "r") : NULL;
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        fprintf(stderr, "manager: %s", line);
    if (file != NULL)
        fclose(file);
}

static inline void clean_up(void)
{
    char command[128];
    show_log();
    if (manager_process > 0) {
        kill(manager_process, SIGKILL);
        waitpid(manager_process, NULL, 0);
    }
    snprintf(command, sizeof command, "rm -rf %s", directory);
    if (strstr(directory, "XXXXXX") == NULL && system(command) != 0)
        fprintf(stderr, "%s is left\n", directory);
}

#endif
