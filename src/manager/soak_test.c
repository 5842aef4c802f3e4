/* Many programs that trace, in every mode, while faults happen to them and around them at random:
   programs are killed, suspended, end or leave; snapshots are taken; the receiver of the archive is
   slow; clients are silent, and other providers hostile. After each run the archive is well-formed,
   and the law of soak_law_test.h holds for it and for each snapshot.

   FXT_SOAK=SECONDS soaks for so long with 20 programs at once; FXT_SEED=N repeats a run's draws. */
#include "src/manager/soak_bystander_test.h"
#include "src/manager/soak_law_test.h"

#define SNAPSHOTS_MAX 4

static void begin(void)
{
    start_manager_with(NULL, 400);
}

TestSuite(soak, .init = begin, .fini = clean_up, .timeout = 1500);

enum fault { NONE, KILLED, EXITED, SUSPENDED, SUSPENDED_FOR_A_WHILE, DESTROYED, FAULTS };

struct snapshot {
    struct archive archive;
    uint32_t written[PROGRAMS_MAX][LANES_MAX]; /* before it was asked for */
    uint32_t dropped[PROGRAMS_MAX];            /* after it was there */
    bool was_well[PROGRAMS_MAX];               /* recording, before and after */
};

struct run {
    struct session session;
    pid_t processes[PROGRAMS_MAX];
    char names[PROGRAMS_MAX][32];
    enum fault faults[PROGRAMS_MAX];
    enum trace_mode mode;
    int count;
    pid_t bystander;
    struct snapshot snapshots[SNAPSHOTS_MAX];
    int snapshot_count;
    int napping; /* pieces after which the receiver of the archive sleeps; 0: it does not */
};

static struct run run;

/* Of all runs: to see that the law had something to hold for. */
static struct {
    uint64_t written[4]; /* by enum trace_mode */
    uint64_t dropped[4];
    int archives;
    int snapshots;
    int alive; /* programs at the end of a run */
    int gone;
} sums;

/* A run takes seconds, but for programs that are waited for in vain. One that stands still says what
   it waits for. */
#define STILL_S 400

static const char *volatile doing;

static void on_alarm(int signal)
{
    static const char text[] = "the soak stands still; it ";
    (void)signal;
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    (void)!write(STDERR_FILENO, doing, strlen(doing));
    (void)!write(STDERR_FILENO, "\n", 1);
    abort();
}

/* Programs and faults. */

static void start_program(int number)
{
    static int all;
    uint64_t own_seed = draw(1 << 30);

    snprintf(run.names[number], sizeof run.names[number], "program %d", all++);
    run.processes[number] = fork();
    cr_assert_geq(run.processes[number], 0);
    if (run.processes[number] == 0)
        be_program(&programs[number], run.names[number], own_seed);
}

static void start_bystander(void)
{
    uint64_t own_seed = draw(1 << 30);

    run.bystander = fork();
    cr_assert_geq(run.bystander, 0);
    if (run.bystander == 0)
        be_bystander(own_seed);
}

static void inflict(int number)
{
    pid_t process = run.processes[number];

    if (run.faults[number] != NONE)
        return;
    run.faults[number] = (enum fault)draw(FAULTS);
    switch (run.faults[number]) {
    case KILLED:
        kill(process, SIGKILL);
        break;
    case EXITED:
        atomic_store(&programs[number].end, true);
        break;
    case SUSPENDED:
        kill(process, SIGSTOP);
        break;
    case SUSPENDED_FOR_A_WHILE:
        kill(process, SIGSTOP);
        usleep((useconds_t)draw(20000));
        kill(process, SIGCONT);
        break;
    case DESTROYED:
        atomic_store(&programs[number].destroy, true);
        break;
    default:
        break;
    }
}

static bool is_well(int number)
{
    return run.faults[number] == NONE || run.faults[number] == SUSPENDED_FOR_A_WHILE;
}

/* A well program beats twice: what it has dropped is known. */
static void wait_for_beats(int number)
{
    unsigned beats = atomic_load(&programs[number].beats);
    for (uint64_t end = now_ms() + 20000; now_ms() < end && is_well(number); sleep_ms(1))
        if (atomic_load(&programs[number].beats) >= beats + 2)
            return;
}

static bool is_recorded(int number)
{
    return is_well(number) && atomic_load(&programs[number].state) == (int)TRACE_STARTED;
}

/* Every program that nothing happened to is recorded, to the end. */
static void expect_all_recorded(void)
{
    for (int i = 0; i < run.count; i++) {
        for (uint64_t end = now_ms() + 20000; now_ms() < end && !is_recorded(i) && is_well(i);)
            sleep_ms(1);
        cr_expect(is_recorded(i) || !is_well(i), "%s is recorded", run.names[i]);
    }
}

/* Its threads end what they are about; those of one that is killed or suspended do not. */
static bool comes_to_rest(int number)
{
    return is_well(number) || run.faults[number] == DESTROYED || run.faults[number] == EXITED;
}

/* What is written when tracing has stopped is neither recorded nor counted. */
static void quiet_down(void)
{
    for (int i = 0; i < run.count; i++)
        atomic_store(&programs[i].quiet, true);
    for (int i = 0; i < run.count; i++)
        for (uint64_t end = now_ms() + 20000;
             now_ms() < end && comes_to_rest(i) && atomic_load(&programs[i].busy) != 0;)
            sleep_ms(1);
}

/* Archives. */

static void *receive_slowly(void *self)
{
    struct archive *it = self;
    uint64_t own_seed = now_ms();
    ssize_t got;
    int piece = 0;

    do {
        if (it->room - it->size < 65536) {
            it->room = it->room != 0 ? 2 * it->room : 1 << 20;
            it->bytes = realloc(it->bytes, it->room);
        }
        got = read(it->descriptor, it->bytes + it->size, 65536);
        it->size += got > 0 ? (size_t)got : 0;
        if (run.napping != 0 && piece++ % run.napping == 0)
            usleep((useconds_t)draw_from(&own_seed, 20000));
    } while (got > 0);
    close(it->descriptor);
    return NULL;
}

static int open_slow_archive(struct archive *it)
{
    int ends[2];

    memset(it, 0, sizeof *it);
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    it->descriptor = ends[0];
    cr_assert_eq(pthread_create(&it->reader, NULL, receive_slowly, it), 0);
    return ends[1];
}

static void begin_recording(void)
{
    const struct trace_config config = {
        .mode = run.mode, .buffer_megabytes = 1 + (uint32_t)draw(2), .start_timeout_ms = 500};
    static const int naps[] = {0, 0, 64, 4};

    run.napping = naps[draw(4)];
    run.session.controller = connect_client();
    int output = open_slow_archive(&run.session.archive);
    cr_assert_eq(trace_controller_initialize(run.session.controller, &config, output), 0);
    close(output);
    start_session(&run.session);
}

static void take_snapshot(void)
{
    struct snapshot *it = &run.snapshots[run.snapshot_count++];
    trace_controller_t *controller = connect_client();

    for (int i = 0; i < run.count; i++) {
        it->was_well[i] = is_recorded(i);
        take_written(it->written[i], &programs[i]);
    }
    int output = open_slow_archive(&it->archive);
    doing = "waits for a snapshot";
    cr_expect_eq(trace_controller_flush(controller, output), 0);
    close(output);
    doing = "reads a snapshot";
    pthread_join(it->archive.reader, NULL);
    trace_controller_destroy(controller);
    doing = "waits for programs behind a snapshot";
    for (int i = 0; i < run.count; i++) {
        wait_for_beats(i);
        it->dropped[i] = atomic_load(&programs[i].dropped);
        it->was_well[i] = it->was_well[i] && is_well(i);
    }
}

/* The law. */

static struct holding holdings[PROGRAMS_MAX];

static void look_at_snapshot(struct snapshot *it)
{
    bool circular = run.mode == TRACE_MODE_CIRCULAR;

    cr_expect_eq(count_findings(&it->archive, FXT_NONCONFORMING), 0);
    read_holdings(holdings, (const char(*)[32])run.names, run.count, &it->archive);
    for (int i = 0; i < run.count; i++) {
        cr_expect_eq(holdings[i].doubles, 0, "%s", run.names[i]);
        cr_expect_eq(holdings[i].strange, 0, "%s", run.names[i]);
        if (run.mode == TRACE_MODE_STREAMING || !it->was_well[i])
            continue; /* what was saved before is in the session's archive only */
        uint32_t missing = count_all_missing(&holdings[i], it->written[i], circular);
        if (circular && holdings[i].tells_drops)
            continue;
        cr_expect_leq(missing, it->dropped[i], "snapshot of %s, mode %d: %u of %u missing",
                      run.names[i], (int)run.mode, missing, sum_written(it->written[i]));
    }
    free(it->archive.bytes);
}

static void look_at(int number)
{
    const char *name = run.names[number];
    const struct trace_provider_statistics *told = statistics_of(&run.session, name);
    const struct holding *holding = &holdings[number];
    bool circular = run.mode == TRACE_MODE_CIRCULAR;
    uint32_t written[LANES_MAX];

    take_written(written, &programs[number]);
    cr_expect_eq(holding->doubles, 0, "%s, fault %d: %u twice", name, (int)run.faults[number],
                 holding->doubles);
    cr_expect_eq(holding->strange, 0, "%s", name);
    if (told == NULL) {
        cr_expect(sum_written(written) == 0 || !is_well(number), "%s is in no table", name);
        return;
    }
    cr_expect_eq(told->records_refused, 0, "%s", name);
    uint32_t missing = count_all_missing(holding, written, circular && told->wrapped_count > 0);
    sums.written[run.mode] += sum_written(written);
    sums.dropped[run.mode] += missing;
    sums.alive += is_well(number);
    sums.gone += !is_well(number);
    cr_expect_leq(missing, told->records_dropped,
                  "%s, mode %d, fault %d: %u of %u missing, %lu dropped", name, (int)run.mode,
                  (int)run.faults[number], missing, sum_written(written),
                  (unsigned long)told->records_dropped);
}

static void end_programs(void)
{
    kill(run.bystander, SIGKILL);
    waitpid(run.bystander, NULL, 0);
    for (int i = 0; i < run.count; i++) {
        kill(run.processes[i], SIGKILL);
        waitpid(run.processes[i], NULL, 0);
    }
}

static void let_it_happen(int actions)
{
    for (int i = 0; i < actions; i++) {
        usleep((useconds_t)draw(60000));
        if (draw(4) != 0)
            inflict((int)draw((uint64_t)run.count));
        else if (run.snapshot_count < SNAPSHOTS_MAX)
            take_snapshot();
        doing = "does harm to programs";
    }
}

static void run_once(int count, int actions)
{
    fprintf(stderr, "FXT_SEED=%lu\n", (unsigned long)seed);
    alarm(STILL_S);
    doing = "begins a recording";
    memset(&run, 0, sizeof run);
    memset(programs, 0, PROGRAMS_MAX * sizeof *programs);
    run.count = count;
    run.mode = (enum trace_mode)(1 + draw(3));
    start_bystander();
    int first = (int)draw((uint64_t)count);
    for (int i = 0; i < first; i++)
        start_program(i);
    begin_recording();
    for (int i = first; i < count; i++)
        start_program(i);
    let_it_happen(actions);
    doing = "waits until all programs are recorded";
    expect_all_recorded();
    doing = "waits until all programs are quiet";
    quiet_down();
    doing = "ends the session";
    cr_expect_eq(end_session(&run.session), 0);
    cr_expect_eq(count_findings(&run.session.archive, FXT_NONCONFORMING), 0);
    doing = "looks at the archives";
    read_holdings(holdings, (const char(*)[32])run.names, count, &run.session.archive);
    for (int i = 0; i < count; i++)
        look_at(i);
    for (int i = 0; i < run.snapshot_count; i++)
        look_at_snapshot(&run.snapshots[i]);
    sums.archives++;
    sums.snapshots += run.snapshot_count;
    end_programs();
    free(run.session.archive.bytes);
}

Test(soak, every_event_is_in_the_archive_or_counted_whatever_happens)
{
    const char *seconds = getenv("FXT_SOAK");
    const char *given = getenv("FXT_SEED");

    seed = given != NULL ? strtoull(given, NULL, 10) : now_ms();
    programs = mmap(NULL, PROGRAMS_MAX * sizeof *programs, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    cr_assert_neq(programs, MAP_FAILED);
    int descriptors = count_descriptors(manager_process);
    signal(SIGALRM, on_alarm);
    for (uint64_t end = now_ms() + (seconds != NULL ? strtoull(seconds, NULL, 10) : 20) * 1000;
         now_ms() < end;)
        run_once(seconds != NULL ? PROGRAMS_MAX : 6, seconds != NULL ? 40 : 14);
    wait_for_descriptors(descriptors);
    cr_expect_eq(stop_manager(), 0);
    cr_expect_gt(sums.snapshots, 0);
    cr_expect_leq(10 * sums.dropped[TRACE_MODE_CIRCULAR], sums.written[TRACE_MODE_CIRCULAR],
                  "a ring has room for what is new");
    fprintf(stderr,
            "%d archives, %d snapshots; %d programs to the end, %d not\n"
            "events (dropped): oneshot %lu (%lu), circular %lu (%lu), streaming %lu (%lu)\n",
            sums.archives, sums.snapshots, sums.alive, sums.gone,
            (unsigned long)sums.written[TRACE_MODE_ONESHOT],
            (unsigned long)sums.dropped[TRACE_MODE_ONESHOT],
            (unsigned long)sums.written[TRACE_MODE_CIRCULAR],
            (unsigned long)sums.dropped[TRACE_MODE_CIRCULAR],
            (unsigned long)sums.written[TRACE_MODE_STREAMING],
            (unsigned long)sums.dropped[TRACE_MODE_STREAMING]);
}
