/* Children of which no fork handler learns: of _Fork, and of the bare system call. */
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "src/engine/engine.h"
#include "src/engine/fixture_test.h"

TestSuite(fork, .timeout = 120);

extern pid_t _Fork(void) __attribute__((weak));

static pid_t fork_bare(void)
{
    return (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
}

typedef pid_t forking(void);

static void event(const char *name, int number)
{
    static const char *const names[] = {"i"};
    static struct trace_i_site site = {.names = names};
    trace_arg_value_t value = trace_make_int32_arg_value(number);
    if (trace_i_on(&site, "+c"))
        trace_i_event(&site, "+c", name, FXT_EVENT_INSTANT, 0, &value, 1);
}

static void expect_success(pid_t child)
{
    int status = 1;

    cr_assert_gt(child, 0);
    waitpid(child, &status, 0);
    cr_expect(WIFEXITED(status), "signal %d", WTERMSIG(status));
    cr_expect_eq(WEXITSTATUS(status), 0);
}

static const char *record(char out[LINE], int i)
{
    snprintf(out, LINE, "instant +c parent i:int32=%d scope=0", i);
    return out;
}

/* The child begins with the parent's lease, and both write on. */
static void trace_at_once(forking *fork_now, trace_buffering_mode_t mode)
{
    enum { FORKS = 40, EVENTS = 50 };
    trace_engine_sizes_t sizes;
    char line[LINE];
    int i = 0;

    memset(&it, 0, sizeof it);
    set_up(mode, 4 << 20);
    start();
    for (int forks = 0; forks < FORKS; forks++) {
        event("parent", i++);
        pid_t child = fork_now();
        if (child == 0) {
            for (int k = 0; k < 20 * EVENTS; k++)
                event("child", k);
            INSTANT("+c", "child");
            _exit(0);
        }
        for (int k = 1; k < EVENTS; k++) {
            event("parent", i++);
            sched_yield();
        }
        expect_success(child);
    }
    stop();
    read_buffer();
    trace_engine_get_sizes(&sizes);
    cr_expect_eq(sizes.records_dropped, 0);
    cr_expect_eq(count_from("instant +c child"), 0);
    int missing = 0;
    for (int k = 0; k < i; k++)
        missing += count_of(record(line, k)) != 1;
    cr_expect_eq(missing, 0, "%d of %d events of the parent", missing, i);
    tear_down();
}

Test(fork, child_of_bare_clone_does_not_trace_into_the_parents_buffer)
{
    trace_at_once(fork_bare, TRACE_BUFFERING_MODE_CIRCULAR);
    trace_at_once(fork_bare, TRACE_BUFFERING_MODE_ONESHOT);
}

Test(fork, child_of__Fork_does_not_trace_into_the_parents_buffer)
{
    if (_Fork == NULL)
        cr_skip_test("the C library has no _Fork");
    trace_at_once(_Fork, TRACE_BUFFERING_MODE_CIRCULAR);
    trace_at_once(_Fork, TRACE_BUFFERING_MODE_ONESHOT);
}

/* Everything that takes a context. */
static void use(trace_context_t *context)
{
    trace_string_ref_t name;
    trace_thread_ref_t thread;

    trace_context_register_string_copy(context, "new in the child", 16, &name);
    trace_context_register_string_literal(context, "literal of the child", &name);
    trace_context_register_category_literal(context, "+of the child", &name);
    trace_context_register_current_thread(context, &thread);
    trace_context_register_thread(context, 1, 2, &thread);
    trace_context_register_vthread(context, 1, "vthread", 3, &thread);
    trace_context_write_blob_record(context, TRACE_BLOB_TYPE_DATA, &name, "blob", 4);
    trace_context_write_instant_event_record(context, 1, &thread, &name, &name, TRACE_SCOPE_THREAD,
                                             NULL, 0);
    trace_context_alloc_record(context, 64);
    trace_context_send_alert(context, "alert");
    event("child", 1);
    trace_release_prolonged_context(trace_acquire_prolonged_context());
}

static pid_t fork_as_usual(void)
{
    return fork();
}

static void use_held_context(forking *fork_now, trace_buffering_mode_t mode)
{
    memset(&it, 0, sizeof it);
    set_up(mode, 65536);
    start();
    event("parent", 0);
    trace_context_t *context = trace_acquire_context();
    cr_assert_not_null(context);
    uint8_t *before = malloc(it.bytes);
    memcpy(before, it.buffer, it.bytes);
    pid_t child = fork_now();
    if (child == 0) {
        use(context);
        trace_release_context(context);
        event("child", 2);
        _exit(trace_state() != TRACE_STOPPED || it.alert[0] != '\0');
    }
    expect_success(child);
    cr_expect_eq(memcmp(before, it.buffer, it.bytes), 0, "the child wrote there");
    free(before);
    trace_release_context(context);
    stop();
    tear_down();
}

Test(fork, child_writes_nothing_by_a_context_that_its_parent_held)
{
    static forking *const ways[] = {fork_as_usual, fork_bare};
    for (int way = 0; way < 2; way++)
        for (trace_buffering_mode_t mode = 0; mode <= TRACE_BUFFERING_MODE_STREAMING; mode++)
            use_held_context(ways[way], mode);
}

/* As a program that has made itself a daemon. */
static int trace_anew(void)
{
    set_up(TRACE_BUFFERING_MODE_CIRCULAR, 65536);
    for (int run = 0; run < 2; run++) {
        start();
        event("own", run);
        stop();
        read_buffer();
        if (count_from("instant +c own") != 1 || count_from("instant") != 1)
            return 1;
    }
    tear_down();
    return 0;
}

static pthread_barrier_t is_inside, is_over;

static void *hold_context(void *unused)
{
    trace_context_t *context = trace_acquire_context();
    pthread_barrier_wait(&is_inside);
    pthread_barrier_wait(&is_over);
    trace_release_context(context);
    return unused;
}

Test(fork, child_of_bare_clone_may_have_an_engine_of_its_own)
{
    pthread_t thread;

    set_up(TRACE_BUFFERING_MODE_STREAMING, 65536);
    start();
    event("parent", 0);
    pthread_barrier_init(&is_inside, NULL, 2);
    pthread_barrier_init(&is_over, NULL, 2);
    pthread_create(&thread, NULL, hold_context, NULL);
    pthread_barrier_wait(&is_inside);
    pid_t child = fork_bare();
    if (child == 0) {
        event("child", 0);
        if (trace_anew() != 0)
            _exit(1);
        pid_t grandchild = fork_bare(); /* of a child whose engine is terminated */
        if (grandchild == 0)
            _exit(trace_anew());
        int status = 1;
        waitpid(grandchild, &status, 0);
        _exit(status != 0 ? 2 : 0);
    }
    expect_success(child);
    pthread_barrier_wait(&is_over);
    pthread_join(thread, NULL);
    stop();
    read_buffer();
    cr_expect_eq(count_from("instant +c"), 1);
    tear_down();
}
