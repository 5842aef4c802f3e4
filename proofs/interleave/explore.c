#include "proofs/interleave/explore.h"

#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    STEPS_MAX = 20000, /* in one run; with more, it is said to go on for ever */
    PLACES_MAX = 128,
    VALUES_KEPT = 4, /* of a place: nobody sees older ones */
    SECONDS_MAX = 3000,
};

static const struct x_program *program;

/* What is chosen, in one run. */

struct choice {
    uint8_t chosen;
    uint8_t count;
};

static struct choice choices[2 * STEPS_MAX];
static int made;   /* in this run */
static int repeat; /* as in the run before, up to here; the last of them is another one */
static int preemptions_left;
static int stales_left;
static int signals_left;

static bool exploring;

static int (*chooser)(int count); /* in x_run_once */

static int choose(int count)
{
    if (!exploring || count == 1)
        return 0;
    if (chooser != NULL)
        return chooser(count);
    if (made == 2 * STEPS_MAX)
        x_fail("too many choices");
    if (made >= repeat)
        choices[made] = (struct choice){0, (uint8_t)count};
    else if (choices[made].count != count)
        x_fail("the same choices led to something else: %d, not %d", count, choices[made].count);
    return choices[made++].chosen;
}

bool x_is_new(void)
{
    return made >= repeat;
}

/* False when there are no other choices. */
static bool next_choices(void)
{
    while (made > 0 && choices[made - 1].chosen + 1 == choices[made - 1].count)
        made--;
    if (made == 0)
        return false;
    choices[made - 1].chosen++;
    repeat = made;
    return true;
}

/* What was done, in one run. */

struct deed {
    const char *what;
    const void *at;
    uint64_t value;
    int thread;
    bool old; /* not the newest value */
};

static struct deed deeds[STEPS_MAX];
static int deed_count;

static void note(const char *what, const void *at, uint64_t value, bool old);

static void print_deeds(void)
{
    for (int i = 0; i < deed_count; i++) {
        const struct deed *it = &deeds[i];
        const char *name = program->name_of != NULL ? program->name_of(it->at) : NULL;
        printf("  %4d  thread %d %s", i, it->thread, it->what);
        if (it->at != NULL && name != NULL)
            printf(" %s", name);
        else if (it->at != NULL)
            printf(" %p", it->at);
        if (it->at != NULL)
            printf(" 0x%" PRIx64 "%s", it->value, it->old ? " (not the newest)" : "");
        printf("\n");
    }
}

void x_fail(const char *format, ...)
{
    va_list more;

    print_deeds();
    printf("%s: WRONG: ", program->name);
    va_start(more, format);
    vprintf(format, more);
    va_end(more);
    printf("\n");
    fflush(stdout);
    if (chooser != NULL)
        abort();
    _exit(1);
}

/* Threads. */

struct thread {
    pthread_t real;
    sem_t turn;
    jmp_buf killed; /* where it goes on when the run is killed */
    bool running;   /* the program */
    bool finished;
    bool waiting; /* it has yielded */
    bool fresh;   /* chosen just now: its next step is no choice */
    bool in_signal;
    int old_values;
    bool behind;         /* it has seen an old value since it yielded last: it need not wait */
    const void *awaited; /* or NULL */
    bool has_come;       /* somebody has stored there since this thread went on the last time */
    uint64_t own_stores;
    uint64_t seen_stores; /* of others, when it went on the last time that it had yielded */
    void (*work)(void *argument);
    void *argument;
};

static struct thread threads[X_THREADS_MAX];
static int current;
static uint64_t stores; /* by all, in this run */

int x_this_thread(void)
{
    return current;
}

int x_old_values(void)
{
    return threads[current].old_values;
}

static void note(const char *what, const void *at, uint64_t value, bool old)
{
    if (!exploring)
        return;
    if (deed_count == STEPS_MAX)
        x_fail("it does not end");
    deeds[deed_count++] = (struct deed){what, at, value, current, old};
}

static bool killing;

static void wait_for_turn(int thread)
{
    while (sem_wait(&threads[thread].turn) != 0)
        ;
    if (killing && threads[thread].running)
        longjmp(threads[thread].killed, 1);
}

static void switch_to(int thread)
{
    int self = current;
    if (thread == self)
        return;
    current = thread;
    sem_post(&threads[thread].turn);
    wait_for_turn(self);
}

static bool can_run(int thread)
{
    const struct thread *it = &threads[thread];

    if (it->finished || !it->waiting || it->behind)
        return !it->finished;
    return it->awaited != NULL ? it->has_come : stores - it->own_stores != it->seen_stores;
}

/* The other threads that can run, from the one behind this. */
static int others(int out[X_THREADS_MAX])
{
    int count = 0;
    for (int i = 1; i < program->threads; i++) {
        int thread = (current + i) % program->threads;
        if (can_run(thread))
            out[count++] = thread;
    }
    return count;
}

/* Before each access. */
static void step(void)
{
    struct thread *self = &threads[current];
    int other[X_THREADS_MAX];

    if (!exploring)
        return;
    if (self->fresh) {
        self->fresh = false;
        return;
    }
    int count = preemptions_left > 0 ? others(other) : 0;
    int signals = program->signal != NULL && signals_left > 0 && !self->in_signal && current != 0;
    int chosen = choose(1 + count + signals);
    if (chosen == 0)
        return;
    if (chosen <= count) {
        preemptions_left--;
        threads[other[chosen - 1]].waiting = false;
        switch_to(other[chosen - 1]);
        return;
    }
    signals_left--;
    self->in_signal = true;
    note("is interrupted", NULL, 0, false);
    program->signal(current);
    note("goes on", NULL, 0, false);
    self->in_signal = false;
}

/* Lets others go on; false when none can. */
static bool let_others(void)
{
    struct thread *self = &threads[current];
    int other[X_THREADS_MAX];

    self->waiting = true;
    int count = others(other);
    if (count > 0) {
        int chosen = choose(preemptions_left > 0 ? count : 1);
        preemptions_left -= chosen > 0;
        threads[other[chosen]].waiting = false;
        threads[other[chosen]].fresh = true;
        switch_to(other[chosen]);
    }
    bool can = count > 0 || can_run(current);
    self->waiting = false;
    self->behind = false;
    self->has_come = false;
    self->seen_stores = stores - self->own_stores;
    return can;
}

void x_yield(void)
{
    x_await(NULL);
}

void x_await(const void *at)
{
    static int before_and_after;

    threads[current].awaited = at;
    if (!exploring && ++before_and_after > STEPS_MAX)
        x_fail("it waits before or after the runs");
    note("waits", NULL, 0, false);
    if (exploring && !let_others())
        x_fail("all threads wait");
}

void x_sleep(void)
{
    threads[current].awaited = NULL;
    note("sleeps", NULL, 0, false);
    if (exploring)
        let_others();
}

/* Whether there is one. */
static bool choose_next(void)
{
    int other[X_THREADS_MAX];
    int left = 0;
    int count = others(other);

    for (int i = 0; i < program->threads; i++)
        left += !threads[i].finished;
    if (left == 0)
        return false;
    if (count == 0)
        x_fail("all threads wait");
    current = other[choose(count)];
    threads[current].waiting = false;
    threads[current].fresh = true;
    sem_post(&threads[current].turn);
    return true;
}

/* False if it was killed. */
static bool run_program(int self)
{
    if (setjmp(threads[self].killed) != 0) {
        threads[self].running = false;
        return false;
    }
    threads[self].running = true;
    program->run(self);
    threads[self].running = false;
    note("ends", NULL, 0, false);
    threads[self].finished = true;
    return true;
}

static void *thread_main(void *number)
{
    int self = (int)(intptr_t)number;

    for (;;) {
        wait_for_turn(self);
        if (threads[self].work != NULL) {
            threads[self].work(threads[self].argument);
            threads[self].work = NULL;
            current = 0;
            sem_post(&threads[0].turn);
            continue;
        }
        bool killed = !run_program(self);
        if (killed || !choose_next())
            sem_post(&threads[0].turn);
    }
    return NULL;
}

void x_kill(void)
{
    killing = true;
    longjmp(threads[current].killed, 1);
}

/* Thread 0, once the run is killed: the others leave what they are in. */
static void kill_others(void)
{
    exploring = false;
    for (int i = 1; i < program->threads; i++)
        if (threads[i].running) {
            sem_post(&threads[i].turn);
            wait_for_turn(0);
        }
    killing = false;
    current = 0;
}

void x_on_thread(int thread, void (*work)(void *argument), void *argument)
{
    if (thread == 0) {
        work(argument);
        return;
    }
    threads[thread].work = work;
    threads[thread].argument = argument;
    switch_to(thread);
}

/* The order of memory. */

struct view {
    uint16_t least[PLACES_MAX];
};

struct value {
    uint64_t value;
    struct view view; /* what its release gave */
};

struct place {
    const void *at;
    uint16_t newest; /* stamp */
    struct value values[VALUES_KEPT];
};

static struct place places[PLACES_MAX];
static int place_count;
static struct view views[X_THREADS_MAX];
static struct view relaxed[X_THREADS_MAX]; /* what relaxed loads saw: known behind a fence */
static struct view fenced[X_THREADS_MAX];  /* at the last fence: relaxed stores give it */
static struct view of_fences;

static void join(struct view *to, const struct view *from)
{
    for (int i = 0; i < PLACES_MAX; i++)
        to->least[i] = to->least[i] > from->least[i] ? to->least[i] : from->least[i];
}

static uint64_t memory(const void *at, int bytes)
{
    uint64_t value = 0;
    memcpy(&value, at, (size_t)bytes);
    return value;
}

static int place_of(const void *at, int bytes)
{
    for (int i = 0; i < place_count; i++)
        if (places[i].at == at)
            return i;
    if (place_count == PLACES_MAX)
        x_fail("too many places");
    places[place_count].at = at;
    places[place_count].newest = 0;
    places[place_count].values[0].value = memory(at, bytes);
    memset(&places[place_count].values[0].view, 0, sizeof(struct view));
    return place_count++;
}

static struct value *value_of(int place, uint16_t stamp)
{
    return &places[place].values[stamp % VALUES_KEPT];
}

static void forget_memory(void)
{
    place_count = 0;
    memset(views, 0, sizeof views);
    memset(relaxed, 0, sizeof relaxed);
    memset(fenced, 0, sizeof fenced);
    memset(&of_fences, 0, sizeof of_fences);
}

uint64_t x_load(const void *at, int bytes, enum x_order order)
{
    step();
    if (!exploring)
        return memory(at, bytes);
    int place = place_of(at, bytes);
    uint16_t newest = places[place].newest;
    int older = newest - views[current].least[place];
    if (older >= VALUES_KEPT)
        older = VALUES_KEPT - 1;
    int chosen = choose(stales_left > 0 ? 1 + older : 1);
    stales_left -= chosen > 0;
    threads[current].old_values += chosen > 0;
    threads[current].behind = threads[current].behind || chosen > 0;
    uint16_t stamp = (uint16_t)(newest - chosen);
    const struct value *value = value_of(place, stamp);
    views[current].least[place] = stamp;
    join(order == X_ACQUIRE ? &views[current] : &relaxed[current], &value->view);
    note("loads", at, value->value, chosen > 0);
    return value->value;
}

static void put(void *at, int bytes, uint64_t value)
{
    memcpy(at, &value, (size_t)bytes);
    stores++;
    threads[current].own_stores++;
    for (int i = 0; i < program->threads; i++)
        if (i != current && threads[i].awaited == at)
            threads[i].has_come = true;
}

static void add_value(int place, uint64_t value, const struct view *given)
{
    uint16_t stamp = (uint16_t)(places[place].newest + 1);
    views[current].least[place] = stamp;
    places[place].newest = stamp;
    struct value *it = value_of(place, stamp);
    it->value = value;
    it->view = *given;
    it->view.least[place] = stamp;
}

void x_store(void *at, int bytes, uint64_t value, enum x_order order)
{
    step();
    if (exploring) {
        int place = place_of(at, bytes);
        add_value(place, value, order == X_RELEASE ? &views[current] : &fenced[current]);
        note("stores", at, value, false);
    }
    put(at, bytes, value);
}

/* What is done to the newest value, which is acquired and released. */
static void change(void *at, int bytes, uint64_t value)
{
    if (exploring) {
        int place = place_of(at, bytes);
        join(&views[current], &value_of(place, places[place].newest)->view);
        add_value(place, value, &views[current]);
        note("changes", at, value, false);
    }
    put(at, bytes, value);
}

uint64_t x_add(void *at, int bytes, uint64_t value)
{
    step();
    uint64_t before = memory(at, bytes);
    change(at, bytes, before + value);
    return before;
}

uint64_t x_exchange(void *at, int bytes, uint64_t value)
{
    step();
    uint64_t before = memory(at, bytes);
    change(at, bytes, value);
    return before;
}

bool x_swap(void *at, int bytes, uint64_t *expected, uint64_t value)
{
    step();
    uint64_t found = memory(at, bytes);
    if (found == *expected) {
        change(at, bytes, value);
        return true;
    }
    if (exploring) {
        int place = place_of(at, bytes);
        views[current].least[place] = places[place].newest;
        join(&views[current], &value_of(place, places[place].newest)->view);
        note("finds", at, found, false);
    }
    *expected = found;
    return false;
}

void x_publish(uint64_t *word, uint64_t value)
{
    step();
    note("publishes", word, value, false);
    put(word, 8, value);
    if (program->published != NULL)
        program->published(word, value);
}

void x_count(uint64_t *word)
{
    step();
    note("publishes", word, *word + 1, false);
    put(word, 8, *word + 1);
    if (program->published != NULL)
        program->published(word, *word);
}

void x_raise(uint64_t *word, uint64_t value)
{
    step();
    if (*word >= value)
        return;
    note("raises", word, value, false);
    put(word, 8, value);
    if (program->published != NULL)
        program->published(word, value);
}

static void fence_of(int thread)
{
    join(&views[thread], &relaxed[thread]);
    join(&views[thread], &of_fences);
    fenced[thread] = views[thread];
}

void x_fence(void)
{
    step();
    if (!exploring)
        return;
    fence_of(current);
    of_fences = views[current];
    note("fences", NULL, 0, false);
}

void x_fence_all(void)
{
    step();
    if (!exploring)
        return;
    fence_of(current);
    of_fences = views[current];
    struct view all = of_fences;
    for (int thread = 0; thread < program->threads; thread++) {
        fence_of(thread);
        join(&all, &views[thread]);
    }
    of_fences = all;
    fence_of(current);
    note("fences all", NULL, 0, false);
}

/* Runs. */

/* False if it was killed. */
static bool one_run(void)
{
    made = 0;
    preemptions_left = program->preemptions;
    stales_left = program->stales;
    signals_left = program->signals;
    deed_count = 0;
    current = 0;
    stores = 0;
    if (program->begin != NULL)
        program->begin();
    forget_memory();
    for (int i = 0; i < program->threads; i++) {
        threads[i].finished = false;
        threads[i].waiting = false;
        threads[i].fresh = true;
        threads[i].in_signal = false;
        threads[i].behind = false;
        threads[i].old_values = 0;
        threads[i].awaited = NULL;
        threads[i].has_come = false;
        threads[i].own_stores = 0;
        threads[i].seen_stores = 0;
    }
    stores = 0;
    exploring = true;
    switch_to(choose(program->threads));
    if (!killing && run_program(0) && choose_next())
        wait_for_turn(0);
    if (killing) {
        kill_others();
        return false;
    }
    exploring = false;
    current = 0;
    if (program->end != NULL)
        program->end();
    return true;
}

/* Also in a forked child, which has none of its parent's threads. */
static void need_threads(void)
{
    static pid_t owner;
    static int count;

    if (owner != getpid()) {
        owner = getpid();
        count = 0;
    }
    for (; count < program->threads; count++) {
        sem_init(&threads[count].turn, 0, 0);
        if (count > 0 &&
            pthread_create(&threads[count].real, NULL, thread_main, (void *)(intptr_t)count) != 0)
            x_fail("no thread");
    }
}

bool x_run_once(const struct x_program *it, int (*choose_one)(int count))
{
    program = it;
    chooser = choose_one;
    need_threads();
    return one_run();
}

static void explore(uint64_t most)
{
    uint64_t runs = 0;
    cpu_set_t one;
    int cpu = sched_getcpu();

    CPU_ZERO(&one);
    CPU_SET(cpu >= 0 ? cpu : 0, &one);
    sched_setaffinity(0, sizeof one, &one); /* threads that take turns are faster on one */
    alarm(SECONDS_MAX);
    need_threads();
    do {
        one_run();
        runs++;
    } while (next_choices() && runs < most);
    printf("%s: %" PRIu64 " runs%s\n", program->name, runs,
           made > 0 ? ", and others were left out" : "");
    fflush(stdout);
    _exit(0);
}

bool x_explore(const struct x_program *it, uint64_t most)
{
    int status;

    program = it;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        explore(most);
    if (child < 0 || waitpid(child, &status, 0) != child) {
        perror("explore");
        exit(2);
    }
    if (WIFSIGNALED(status))
        printf("%s: WRONG: killed by signal %d\n", program->name, WTERMSIG(status));
    return status == 0;
}
