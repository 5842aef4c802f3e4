#include "proofs/interleave/explore.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <sanitizer/asan_interface.h>

#if defined __SANITIZE_ADDRESS__
#define ASAN 1
#elif defined __has_feature
#define ASAN __has_feature(address_sanitizer)
#else
#define ASAN 0
#endif

enum {
    STEPS_MAX = 20000, /* in one run, unless the program says how many */
    DEEDS_MAX = 1 << 19,
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

bool x_exploring;

static int (*chooser)(int count); /* in x_run_once */

static int choose(int count)
{
    if (!x_exploring || count == 1)
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

static struct deed deeds[DEEDS_MAX];
static int deed_count;
uint64_t x_digest;

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

/* Threads: coroutines. */

enum { STACK_BYTES = 1 << 18, OWN_MAX = 256 };

struct thread {
    ucontext_t at; /* where it goes on */
    const void *stack;
    size_t stack_bytes;
    uint8_t own[OWN_MAX] __attribute__((aligned(128))); /* while another thread runs */
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
};

static struct thread threads[X_THREADS_MAX];
static uint8_t stacks[X_THREADS_MAX][STACK_BYTES] __attribute__((aligned(64)));
static struct thread outside; /* of the run: who began it */
static bool killed;
static int current;
static const void *known_own;
static uint8_t fresh_own[OWN_MAX];
static uint64_t stores; /* by all, in this run */
static uint64_t run_number;

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
    if (!x_exploring)
        return;
    if (deed_count == (program->steps != 0 ? program->steps : STEPS_MAX))
        x_fail("it does not end");
    deeds[deed_count++] = (struct deed){what, at, value, current, old};
    x_digest = 31 * x_digest + (uint64_t)(uintptr_t)what;
    x_digest = 31 * x_digest + (uint64_t)(uintptr_t)at;
    x_digest = 31 * x_digest + value;
    x_digest = 31 * x_digest + 2 * (uint64_t)current + old;
}

/* From here on, what the program has for each thread is this one's. */
static void become(int thread)
{
    if (program->own != NULL && thread != current) {
        memcpy(threads[current].own, program->own, program->own_bytes);
        memcpy(program->own, threads[thread].own, program->own_bytes);
    }
    current = thread;
}

const void *x_own(int thread)
{
    return thread == current ? program->own : threads[thread].own;
}

/* Before the first run, when no thread has changed anything. */
static void know_own(void)
{
    if (known_own == program->own)
        return;
    if (program->own_bytes > OWN_MAX)
        x_fail("a thread has more than %d bytes of its own", OWN_MAX);
    known_own = program->own;
    memcpy(fresh_own, program->own, program->own_bytes);
    x_forget_own();
}

void x_forget_own(void)
{
    for (int i = 0; i < X_THREADS_MAX; i++)
        memcpy(threads[i].own, fresh_own, program->own_bytes);
    memcpy(program->own, fresh_own, program->own_bytes);
}

/* On a new stack, or on one that is gone on with. */
static void arrive(void *fake_stack)
{
#if ASAN
    const void *stack;
    size_t bytes;
    __sanitizer_finish_switch_fiber(fake_stack, &stack, &bytes);
    if (outside.stack == NULL) { /* the first time, it comes from there */
        outside.stack = stack;
        outside.stack_bytes = bytes;
    }
#endif
    (void)fake_stack;
}

static void jump(struct thread *from, struct thread *to)
{
    void *fake_stack = NULL;
#if ASAN
    __sanitizer_start_switch_fiber(&fake_stack, to->stack, to->stack_bytes);
#endif
    swapcontext(&from->at, &to->at);
    arrive(fake_stack);
}

static void switch_to(int thread)
{
    int self = current;
    if (thread == self)
        return;
    become(thread);
    jump(&threads[self], &threads[thread]);
}

static bool can_run(int thread)
{
    const struct thread *it = &threads[thread];

    if (it->finished || !it->waiting || it->behind)
        return !it->finished;
    return it->awaited != NULL ? it->has_come : stores - it->own_stores != it->seen_stores;
}

uint32_t x_held;

/* The other threads that can run, from the one behind this. */
static int others(int out[X_THREADS_MAX])
{
    int count = 0;
    int held = -1;
    for (int i = 1; i < program->threads; i++) {
        int thread = (current + i) % program->threads;
        if (can_run(thread) && (x_held >> thread & 1) != 0)
            held = thread;
        else if (can_run(thread))
            out[count++] = thread;
    }
    if (count == 0 && held >= 0)
        out[count++] = held;
    return count;
}

/* What the thread has seen before is older than what the handler sees, if that waits. */
static void interrupt(struct thread *self)
{
    bool behind = self->behind;
    bool has_come = self->has_come;
    uint64_t seen_stores = self->seen_stores;

    signals_left--;
    self->in_signal = true;
    note("is interrupted", NULL, 0, false);
    program->signal(current);
    note("goes on", NULL, 0, false);
    self->in_signal = false;
    self->behind |= behind;
    self->has_come |= has_come;
    self->seen_stores = seen_stores;
}

/* Before each access. */
static void step(void)
{
    struct thread *self = &threads[current];
    int other[X_THREADS_MAX];

    if (!x_exploring)
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
    interrupt(self);
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

static int waits_outside; /* of runs */

void x_yield(void)
{
    x_await(NULL);
}

void x_await(const void *at)
{
    threads[current].awaited = at;
    if (!x_exploring && ++waits_outside > STEPS_MAX)
        x_fail("it waits before or after the runs");
    note("waits", NULL, 0, false);
    if (x_exploring && !let_others())
        x_fail("all threads wait");
}

void x_sleep(void)
{
    threads[current].awaited = NULL;
    note("sleeps", NULL, 0, false);
    if (x_exploring)
        let_others();
}

/* When a thread has ended: what goes on. */
static struct thread *choose_next(void)
{
    int other[X_THREADS_MAX];
    int left = 0;
    int count = others(other);

    for (int i = 0; i < program->threads; i++)
        left += !threads[i].finished;
    if (left == 0)
        return &outside;
    if (count == 0)
        x_fail("all threads wait");
    become(other[choose(count)]);
    threads[current].waiting = false;
    threads[current].fresh = true;
    return &threads[current];
}

static void thread_main(void)
{
    arrive(NULL);
    program->run(current);
    note("ends", NULL, 0, false);
    struct thread *self = &threads[current];
    self->finished = true;
    jump(self, choose_next());
}

/* No thread goes on: their stacks are given up as they are. */
void x_kill(void)
{
    killed = true;
    jump(&threads[current], &outside);
    abort();
}

void x_kill_threads(int first, int last)
{
    struct thread *self = &threads[current];

    for (int i = first; i <= last; i++)
        threads[i].finished = true;
    note("are killed", NULL, 0, false);
    if (self->finished)
        jump(self, choose_next());
}

void x_on_thread(int thread, void (*work)(void *argument), void *argument)
{
    int self = current;

    become(thread);
    work(argument);
    become(self);
}

/* The order of memory. */

struct view {
    uint16_t least[PLACES_MAX];
    uint32_t clock[X_THREADS_MAX]; /* what each thread has done up to there happened before */
};

struct value {
    uint64_t value;
    int by;           /* thread; -1: it was there before */
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
static struct view lit[X_THREADS_MAX];     /* at the last light fence: heavy ones learn it */
static struct view of_fences;
static struct view of_heavy_fences; /* light ones learn it */

/* What the one may see no more, the other may not either. By itself it orders no plain access. */
static void join_least(struct view *to, const struct view *from)
{
    for (int i = 0; i < place_count; i++)
        to->least[i] = to->least[i] > from->least[i] ? to->least[i] : from->least[i];
}

static void join(struct view *to, const struct view *from)
{
    join_least(to, from);
    for (int i = 0; i < X_THREADS_MAX; i++)
        to->clock[i] = to->clock[i] > from->clock[i] ? to->clock[i] : from->clock[i];
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
    places[place_count].values[0].by = -1;
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
    memset(lit, 0, sizeof lit);
    memset(&of_fences, 0, sizeof of_fences);
    memset(&of_heavy_fences, 0, sizeof of_heavy_fences);
    for (int i = 0; i < X_THREADS_MAX; i++)
        views[i].clock[i] = 1;
}

static bool acquires(enum x_order order)
{
    return order == X_ACQUIRE || order == X_BOTH;
}

static bool releases(enum x_order order)
{
    return order == X_RELEASE || order == X_BOTH;
}

uint64_t x_load(const void *at, int bytes, enum x_order order)
{
    step();
    if (!x_exploring)
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
    join(acquires(order) ? &views[current] : &relaxed[current], &value->view);
    note("loads", at, value->value, chosen > 0);
    return value->value;
}

static uint64_t stretches[X_THREADS_MAX];

uint64_t x_stretch(void)
{
    return stretches[current];
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

/* From here on, what the thread does is behind what it has given. */
static void tick(void)
{
    stretches[current]++;
    views[current].clock[current]++;
}

static void add_value(int place, uint64_t value, const struct view *given)
{
    uint16_t stamp = (uint16_t)(places[place].newest + 1);
    views[current].least[place] = stamp;
    places[place].newest = stamp;
    struct value *it = value_of(place, stamp);
    it->value = value;
    it->by = current;
    it->view = *given;
    it->view.least[place] = stamp;
}

void x_store(void *at, int bytes, uint64_t value, enum x_order order)
{
    step();
    if (x_exploring) {
        int place = place_of(at, bytes);
        struct view given = releases(order) ? views[current] : fenced[current];
        const struct value *before = value_of(place, places[place].newest);
        if (before->by == current) /* C11's release sequence goes on; that of C++20 does not */
            join(&given, &before->view);
        add_value(place, value, &given);
        tick();
        note("stores", at, value, false);
    }
    put(at, bytes, value);
}

/* Of the newest value. Returns what its release gave. */
static struct view see_newest(int place, enum x_order order)
{
    struct view view = value_of(place, places[place].newest)->view;

    views[current].least[place] = places[place].newest;
    join(acquires(order) ? &views[current] : &relaxed[current], &view);
    return view;
}

/* What is done to the newest value. The new one gives what that gave, too. */
static void change(void *at, int bytes, uint64_t value, enum x_order order)
{
    if (x_exploring) {
        int place = place_of(at, bytes);
        struct view given = see_newest(place, order);
        join(&given, releases(order) ? &views[current] : &fenced[current]);
        add_value(place, value, &given);
        tick();
        note("changes", at, value, false);
    }
    put(at, bytes, value);
}

uint64_t x_add(void *at, int bytes, uint64_t value, enum x_order order)
{
    step();
    uint64_t before = memory(at, bytes);
    change(at, bytes, before + value, order);
    return before;
}

uint64_t x_exchange(void *at, int bytes, uint64_t value, enum x_order order)
{
    step();
    uint64_t before = memory(at, bytes);
    change(at, bytes, value, order);
    return before;
}

bool x_swap(void *at, int bytes, uint64_t *expected, uint64_t value, enum x_order order,
            enum x_order failure)
{
    step();
    uint64_t found = memory(at, bytes);
    if (found == *expected) {
        change(at, bytes, value, order);
        return true;
    }
    if (x_exploring) {
        see_newest(place_of(at, bytes), failure);
        note("finds", at, found, false);
    }
    *expected = found;
    return false;
}

void (*x_touch)(const void *at, size_t bytes, enum x_access access);
void (*x_publishes_early)(const void *word, void (*shown)(void));

uint64_t x_run_number(void)
{
    return run_number;
}

const uint32_t *x_clock(void)
{
    return views[current].clock;
}

bool x_is_of_a_thread(const void *at)
{
    const uint8_t *byte = at;
    const uint8_t *own = program->own;
    return (byte >= stacks[0] && byte < stacks[0] + sizeof stacks) ||
           (own != NULL && byte >= own && byte < own + program->own_bytes);
}

static void publish(enum x_access access, uint64_t *word, uint64_t value, enum x_order order)
{
    note(access == X_PUBLISHES ? "publishes" : "raises", word, value, false);
    if (x_exploring && x_touch != NULL)
        x_touch(word, 8, access);
    put(word, 8, value);
    if (x_exploring && x_publishes_early != NULL && !releases(order) && program->shown != NULL)
        x_publishes_early(word, program->shown);
    if (program->published != NULL)
        program->published(word, value);
}

void x_publish(uint64_t *word, uint64_t value, enum x_order order)
{
    step();
    publish(X_PUBLISHES, word, value, order);
}

void x_count(uint64_t *word)
{
    step();
    publish(X_CHANGES, word, *word + 1, X_RELAXED);
}

uint64_t x_look(const uint64_t *word)
{
    step();
    note("looks", word, *word, false);
    return *word;
}

void x_raise(uint64_t *word, uint64_t value, enum x_order order)
{
    step();
    if (*word < value)
        publish(X_CHANGES, word, value, order);
}

static void fence_of_this(void)
{
    join(&views[current], &relaxed[current]);
    join_least(&views[current], &of_fences);
    fenced[current] = views[current];
    join_least(&of_fences, &views[current]);
    tick();
}

void x_fence(void)
{
    step();
    if (!x_exploring)
        return;
    fence_of_this();
    note("fences", NULL, 0, false);
}

/* Of a light and a heavy one, one comes first, and the other thread knows behind its own what this
   one knew in front of it. */
void x_fence_light(void)
{
    step();
    if (!x_exploring)
        return;
    join_least(&views[current], &of_heavy_fences);
    lit[current] = views[current];
    note("fences lightly", NULL, 0, false);
}

void x_fence_heavy(void)
{
    step();
    if (!x_exploring)
        return;
    fence_of_this();
    for (int thread = 0; thread < program->threads; thread++)
        join_least(&views[current], &lit[thread]);
    join_least(&of_heavy_fences, &views[current]);
    note("fences heavily", NULL, 0, false);
}

/* Runs. */

static void begin_thread(int i)
{
    struct thread *it = &threads[i];

    it->finished = false;
    it->waiting = false;
    it->fresh = true;
    it->in_signal = false;
    it->behind = false;
    it->old_values = 0;
    it->awaited = NULL;
    it->has_come = false;
    it->own_stores = 0;
    it->seen_stores = 0;
    it->stack = stacks[i];
    it->stack_bytes = STACK_BYTES;
    ASAN_UNPOISON_MEMORY_REGION(stacks[i], STACK_BYTES); /* the last run may have been killed */
    getcontext(&it->at);
    it->at.uc_stack.ss_sp = stacks[i];
    it->at.uc_stack.ss_size = STACK_BYTES;
    makecontext(&it->at, thread_main, 0);
}

/* False if it was killed. */
static bool one_run(void)
{
    run_number++;
    made = 0;
    preemptions_left = program->preemptions;
    stales_left = program->stales;
    signals_left = program->signals;
    deed_count = 0;
    waits_outside = 0;
    know_own();
    if (program->begin != NULL)
        program->begin();
    forget_memory();
    for (int i = 0; i < program->threads; i++)
        begin_thread(i);
    stores = 0;
    killed = false;
    x_exploring = true;
    become(choose(program->threads));
    jump(&outside, &threads[current]);
    x_exploring = false;
    become(0);
    if (killed)
        return false;
    if (program->end != NULL)
        program->end();
    return true;
}

bool x_run_once(const struct x_program *it, int (*choose_one)(int count))
{
    program = it;
    chooser = choose_one;
    if (it->steps > DEEDS_MAX)
        x_fail("more than %d steps", DEEDS_MAX);
    return one_run();
}

static void explore(uint64_t most)
{
    uint64_t runs = 0;

    alarm(SECONDS_MAX);
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
