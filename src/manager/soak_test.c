/* Many programs that trace, in every mode, while faults happen to them at random: every archive is
   well-formed, and every event whose call had returned is in it or was counted as dropped.

   FXT_SOAK=SECONDS soaks for so long with 20 programs at once; FXT_SEED=N repeats a run. */
#include "src/manager/system_test.h"

#define PROGRAMS_MAX 20

static void begin(void)
{
    start_manager_with(NULL, 400);
}

TestSuite(soak, .init = begin, .fini = clean_up, .timeout = 900);

enum fault { NONE, KILLED, EXITED, HALTED, HALTED_FOR_A_WHILE, DESTROYED, FAULTS };

static struct program {
    volatile uint64_t written; /* events whose call has returned ... */
    volatile uint64_t dropped; /* ... and those of them that found no room */
    volatile bool be_quiet;
    volatile bool is_quiet;
    volatile bool end;
    volatile bool destroy;
} * programs;

static uint64_t seed;

static uint64_t draw(uint64_t below)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (seed >> 33) % below;
}

static void be_program(struct program *it, const char *name, uint64_t own_seed)
{
    struct provider_self self = {NULL, NULL, 0, false};

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    seed = own_seed;
    begin_providing(&self, name, draw(2) == 0);
    while (!it->end && !it->destroy) {
        if (!it->be_quiet && trace_state() == TRACE_STARTED) {
            trace_engine_sizes_t sizes;
            write_events(&self, 1 + draw(2000));
            trace_engine_get_sizes(&sizes);
            it->dropped = sizes.records_dropped;
            it->written = self.written;
        }
        it->is_quiet = it->be_quiet;
        usleep((useconds_t)draw(3000));
    }
    if (it->destroy)
        trace_provider_destroy(self.provider);
    it->is_quiet = true;
    while (!it->end)
        usleep(1000);
    exit(0);
}

struct run {
    struct session session;
    pid_t processes[PROGRAMS_MAX];
    char names[PROGRAMS_MAX][32];
    enum fault faults[PROGRAMS_MAX];
    enum trace_mode mode;
    int count;
};

static void start_program(struct run *run, int number)
{
    static int all;
    uint64_t own_seed = draw(1 << 30);

    snprintf(run->names[number], sizeof run->names[number], "program %d", all++);
    run->processes[number] = fork();
    cr_assert_geq(run->processes[number], 0);
    if (run->processes[number] == 0)
        be_program(&programs[number], run->names[number], own_seed);
}

static void inflict(struct run *run, int number)
{
    pid_t process = run->processes[number];

    if (run->faults[number] != NONE)
        return;
    run->faults[number] = (enum fault)draw(FAULTS);
    switch (run->faults[number]) {
    case KILLED:
        kill(process, SIGKILL);
        break;
    case EXITED:
        programs[number].end = true;
        break;
    case HALTED:
        kill(process, SIGSTOP);
        break;
    case HALTED_FOR_A_WHILE:
        kill(process, SIGSTOP);
        usleep((useconds_t)draw(20000));
        kill(process, SIGCONT);
        break;
    case DESTROYED:
        programs[number].destroy = true;
        break;
    default:
        break;
    }
}

static bool is_well(const struct run *run, int number)
{
    return run->faults[number] == NONE || run->faults[number] == HALTED_FOR_A_WHILE;
}

static void quiet_down(struct run *run)
{
    for (int i = 0; i < run->count; i++)
        programs[i].be_quiet = true;
    for (int i = 0; i < run->count; i++)
        for (int ms = 0; (is_well(run, i) || run->faults[i] == DESTROYED) && ms < 10000 &&
                         !programs[i].is_quiet;
             ms++)
            sleep_ms(1);
}

/* In circular mode what is lost is the oldest. Of who died, the last burst may be there in part. */
static void look_at(const struct run *run, int number)
{
    const char *name = run->names[number];
    const struct program *it = &programs[number];
    const struct trace_provider_statistics *told = statistics_of(&run->session, name);
    struct found found = find_events(&run->session.archive, name);

    if (told == NULL) {
        cr_expect(found.events == 0 && (it->written == 0 || !is_well(run, number)),
                  "%s: %lu of %lu", name, (unsigned long)found.events, (unsigned long)it->written);
        return;
    }
    cr_expect_eq(told->records_refused, 0, "%s", name);
    if (run->mode == TRACE_MODE_CIRCULAR) {
        cr_expect(found.gaps <= it->dropped, "%s: %lu gaps", name, (unsigned long)found.gaps);
        cr_expect(it->written == 0 || found.last + 1 + it->dropped >= it->written,
                  "%s: up to %lu of %lu", name, (unsigned long)found.last,
                  (unsigned long)it->written);
        return;
    }
    if (is_well(run, number))
        cr_expect_eq(found.events + told->records_dropped, it->written, "%s: %lu + %lu of %lu",
                     name, (unsigned long)found.events, (unsigned long)told->records_dropped,
                     (unsigned long)it->written);
    else
        cr_expect(found.events + told->records_dropped >= it->written,
                  "%s, fault %d: %lu + %lu of %lu", name, (int)run->faults[number],
                  (unsigned long)found.events, (unsigned long)told->records_dropped,
                  (unsigned long)it->written);
}

static void end_programs(struct run *run)
{
    for (int i = 0; i < run->count; i++) {
        kill(run->processes[i], SIGKILL);
        waitpid(run->processes[i], NULL, 0);
    }
}

static void run_once(int count, int ms)
{
    static struct run run;

    fprintf(stderr, "FXT_SEED=%lu\n", (unsigned long)seed);
    memset(&run, 0, sizeof run);
    memset(programs, 0, PROGRAMS_MAX * sizeof *programs);
    run.count = count;
    run.mode = (enum trace_mode)(1 + draw(3));
    const struct trace_config config = {
        .mode = run.mode, .buffer_megabytes = 1 + (uint32_t)draw(2), .start_timeout_ms = 500};
    int first = (int)draw((uint64_t)count);
    for (int i = 0; i < first; i++)
        start_program(&run, i);
    begin_session(&run.session, &config);
    start_session(&run.session);
    for (int i = first; i < count; i++)
        start_program(&run, i);
    for (uint64_t end = now_ms() + (uint64_t)ms; now_ms() < end; usleep((useconds_t)draw(60000)))
        inflict(&run, (int)draw((uint64_t)count));
    quiet_down(&run);
    int error = end_session(&run.session);
    cr_expect_eq(error, 0);
    cr_expect_eq(count_findings(&run.session.archive, FXT_NONCONFORMING), 0);
    for (int i = 0; i < count; i++)
        look_at(&run, i);
    end_programs(&run);
    free(run.session.archive.bytes);
}

Test(soak, archives_are_well_formed_and_nothing_is_lost_but_what_is_counted)
{
    const char *seconds = getenv("FXT_SOAK");
    const char *given = getenv("FXT_SEED");
    int runs = 0;

    seed = given != NULL ? strtoull(given, NULL, 10) : now_ms();
    programs = mmap(NULL, PROGRAMS_MAX * sizeof *programs, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    cr_assert_neq(programs, MAP_FAILED);
    int descriptors = count_descriptors(manager_process);
    for (uint64_t end = now_ms() + (seconds != NULL ? strtoull(seconds, NULL, 10) : 8) * 1000;
         now_ms() < end; runs++)
        run_once(seconds != NULL ? PROGRAMS_MAX : 6, 400);
    sleep_ms(200);
    cr_expect_leq(count_descriptors(manager_process), descriptors);
    cr_expect_eq(stop_manager(), 0);
    fprintf(stderr, "%d archives\n", runs);
}
