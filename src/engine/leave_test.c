/* A call of the engine that never returns, because a signal handler leaves by siglongjmp or the
   thread is cancelled: after each instruction of the call in turn, as in interrupt_test.c, and at
   random. Then the thread traces on, or another one, the stop ends, and each event is written or
   counted. */
#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>
#include <ucontext.h>

#include "src/engine/engine.h"
#include "src/engine/fixture_test.h"

TestSuite(leave, .timeout = 280);

static uint64_t dropped(void)
{
    trace_engine_sizes_t sizes;
    trace_engine_get_sizes(&sizes);
    return sizes.records_dropped;
}

/* What is called. */

static void trace(void)
{
    INSTANT("+c", "left");
}

static void trace_blob(void)
{
    trace_i_blob(TRACE_BLOB_TYPE_DATA, "left", "x", 1);
}

/* A site that is not known yet. */
static void trace_new_site(void)
{
    enum { SITES = 20000 };
    static struct trace_i_site sites[SITES];
    static int used;
    struct trace_i_site *site = &sites[used++];

    cr_assert_lt(used, SITES);
    if (trace_i_on(site, "+c"))
        trace_i_event(site, "+c", "left", FXT_EVENT_INSTANT, 0, NULL, 0);
}

/* A string that is not known yet, and room of its own. */
static void trace_large(void)
{
    static char text[600];
    static int number;
    const trace_arg_value_t values[] = {
        trace_make_string_arg_value(trace_make_inline_string_ref(text, sizeof text))};
    static const char *const names[] = {"text"};

    memset(text, 'a' + number++ % 26, sizeof text);
    EVENT_WITH(FXT_EVENT_INSTANT, "+c", "left", 0, names, values, 1);
}

static void trace_virtual(void)
{
    trace_i_vthread_event("+c", "left", FXT_EVENT_INSTANT, 0, "virtual", 7, 0, NULL, 0);
}

static void ask(void)
{
    trace_is_category_enabled("+c");
}

static void trace_duration(void)
{
    static struct trace_i_site site;
    struct trace_i_duration duration;

    if (!trace_i_on(&site, "+c"))
        return;
    trace_i_duration_open(&duration, &site, "+c", "left", NULL, 0);
    trace_i_duration_end(&duration);
}

static void trace_after(void)
{
    INSTANT("+c", "after");
}

static void *trace_of_other(void *unused)
{
    (void)unused;
    INSTANT("+c", "other");
    return NULL;
}

static void run_other(void)
{
    pthread_t thread;
    cr_assert_eq(pthread_create(&thread, NULL, trace_of_other, NULL), 0);
    pthread_join(thread, NULL);
}

/* Calls that were left after their beginning and before their end; and those whose thread was
   known. A thread that is cancelled before that cannot count. */
static volatile int left_inside;
static volatile int left_known;

/* A buffer that keeps all. Each call that was left counts as dropped, though it may be written. */
static void expect_all(int after, int other)
{
    stop();
    read_buffer();
    int found =
        count_from("instant +c left") + count_from("blob left") + count_from("begin +c left");
    cr_expect_eq(count_of("instant +c after scope=0"), after, "%d of %d",
                 count_of("instant +c after scope=0"), after);
    cr_expect_eq(count_of("instant +c other scope=0"), other, "%d of %d",
                 count_of("instant +c other scope=0"), other);
    cr_expect_leq(dropped(), (uint64_t)left_inside, "%" PRIu64 " dropped of %d", dropped(),
                  left_inside);
    cr_expect_geq(dropped(), (uint64_t)left_known, "%" PRIu64 " dropped of %d", dropped(),
                  left_known);
    cr_expect_gt(left_inside, 5, "%d", left_inside);
    cr_expect_gt(found, 1, "%d", found);
    tear_down();
}

#ifdef __x86_64__

#define TRAP_FLAG 0x100

static volatile int steps; /* instructions before the call is left */
static sigjmp_buf out;
static void (*volatile leave)(void); /* what leaves the handler */

static void jump(void)
{
    siglongjmp(out, 1);
}

/* Where signals are held back, the next instruction is the first at which another would come. */
static void on_trap(int number, siginfo_t *info, void *context)
{
    ucontext_t *at = context;

    (void)number;
    (void)info;
    if (steps-- > 0 || sigismember(&at->uc_sigmask, SIGALRM))
        return;
    at->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
    bool is_inside = fxt_i_this_thread.frame != 0 && fxt_i_this_thread.frame != FXT_I_HELD;
    left_inside += is_inside;
    left_known += is_inside && (leave == jump || fxt_i_this_thread.presence != NULL);
    leave();
}

/* The cancellation is asynchronous. */
static void cancel(void)
{
    pthread_cancel(pthread_self());
}

static void call_stepping(void (*call)(void))
{
    uint64_t flags = __builtin_ia32_readeflags_u64();

    __builtin_ia32_writeeflags_u64(flags | TRAP_FLAG);
    call();
    __builtin_ia32_writeeflags_u64(flags);
}

static void begin(trace_buffering_mode_t mode, size_t bytes, void (*how)(void), int flags)
{
    const struct sigaction action = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO | flags};

    leave = how;
    sigaction(SIGTRAP, &action, NULL);
    set_up(mode, bytes);
    start();
}

/* Whether the call was left. */
static bool call_left(void (*call)(void), int after)
{
    steps = after;
    if (sigsetjmp(out, 1) != 0)
        return true;
    call_stepping(call);
    return false;
}

/* One thread, until the call ends first. */
static void jump_out_of(void (*call)(void), int stride, int flags)
{
    int count = 0;
    bool left = true;

    begin(TRACE_BUFFERING_MODE_CIRCULAR, 64 << 20, jump, flags);
    trace_after();
    call(); /* resolves what it calls */
    for (; left; count++) {
        left = call_left(call, stride * count);
        trace_after();
    }
    cr_expect_gt(count, 10, "%d", count);
    run_other();
    expect_all(count + 1, 1);
}

Test(leave, event_by_siglongjmp)
{
    jump_out_of(trace, 1, 0);
}

Test(leave, event_by_siglongjmp_from_the_alternate_stack)
{
    static uint8_t room[1 << 16];
    const stack_t stack = {.ss_sp = room, .ss_size = sizeof room};

    sigaltstack(&stack, NULL);
    jump_out_of(trace, 1, SA_ONSTACK);
}

Test(leave, event_of_a_new_site_by_siglongjmp)
{
    jump_out_of(trace_new_site, 7, 0);
}

Test(leave, large_event_by_siglongjmp)
{
    jump_out_of(trace_large, 5, 0);
}

Test(leave, blob_by_siglongjmp)
{
    jump_out_of(trace_blob, 3, 0);
}

Test(leave, event_of_a_virtual_thread_by_siglongjmp)
{
    jump_out_of(trace_virtual, 7, 0);
}

Test(leave, duration_by_siglongjmp)
{
    jump_out_of(trace_duration, 3, 0);
}

Test(leave, question_for_a_category_by_siglongjmp)
{
    begin(TRACE_BUFFERING_MODE_CIRCULAR, 1 << 20, jump, 0);
    int count = 0;
    for (bool left = true; left; count++) {
        left = call_left(ask, count);
        trace_after();
    }
    run_other();
    stop();
    read_buffer();
    cr_expect_eq(count_of("instant +c after scope=0"), count);
    cr_expect_eq(count_of("instant +c other scope=0"), 1);
    tear_down();
}

/* Its first event: the call that makes it known. */
static void *jump_out_of_first(void *unused)
{
    *(bool *)unused = call_left(trace, steps);
    trace_after();
    return NULL;
}

/* A thread for every stride-th instruction of its call, until one is not left. Returns how many. */
static int leave_in_threads(void *(*run)(void *), int stride)
{
    int count = 0;

    for (bool left = true; left; count++) {
        pthread_t thread;
        steps = stride * count;
        cr_assert_eq(pthread_create(&thread, NULL, run, &left), 0);
        pthread_join(thread, NULL);
    }
    cr_expect_gt(count, 10, "%d", count);
    return count;
}

Test(leave, first_event_of_a_thread_by_siglongjmp)
{
    begin(TRACE_BUFFERING_MODE_CIRCULAR, 64 << 20, jump, 0);
    run_other();
    trace();
    int count = leave_in_threads(jump_out_of_first, 61);
    cr_expect_gt(count, 20, "%d", count);
    run_other();
    expect_all(count, 2);
}

/* With a context that the caller holds, and goes on to hold. */
Test(leave, event_by_siglongjmp_while_the_caller_holds_a_context)
{
    int count = 0;

    begin(TRACE_BUFFERING_MODE_CIRCULAR, 64 << 20, jump, 0);
    trace_context_t *context = trace_acquire_context();
    cr_assert_not_null(context);
    trace_after();
    trace();
    for (bool left = true; left; count++) {
        left = call_left(trace, 3 * count);
        trace_after();
    }
    trace_release_context(context);
    run_other();
    expect_all(count + 1, 1);
}

/* By the thread whose event was left, as the last thing that it does. */
Test(leave, stop_ends_after_an_event_by_siglongjmp)
{
    enum { STEPS = 150 };

    begin(TRACE_BUFFERING_MODE_CIRCULAR, 1 << 20, jump, 0);
    INSTANT("+c", "left");
    for (volatile int i = 0; i < STEPS; i++) {
        stop();
        start();
        INSTANT("+c", "after");
        steps = 9 * i; /* each start makes the site unknown */
        if (sigsetjmp(out, 1) == 0) {
            uint64_t flags = __builtin_ia32_readeflags_u64();
            __builtin_ia32_writeeflags_u64(flags | TRAP_FLAG);
            INSTANT("+c", "left");
            __builtin_ia32_writeeflags_u64(flags);
        }
    }
    cr_expect_gt(left_inside, STEPS / 2, "%d", left_inside);
    stop();
    tear_down();
}

/* A handler that traces and stops in its own time. */
static void trace_in_alert(trace_handler_t *handler, const char *name)
{
    (void)handler;
    (void)name;
    INSTANT("+c", "after");
    INSTANT("+c", "after");
    trace_engine_stop(ZX_OK);
}

Test(leave, alert_in_which_the_handler_traces_and_stops_is_not_left)
{
    static trace_handler_ops_t ops;

    ops = handler_ops;
    ops.send_alert = trace_in_alert;
    set_up(TRACE_BUFFERING_MODE_CIRCULAR, 1 << 20);
    it.handler.ops = &ops;
    start();
    trace_i_alert("alert");
    run_until(&it.stopped, 1);
    read_buffer();
    cr_expect_eq(count_of("instant +c after scope=0"), 2);
    cr_expect_eq(dropped(), 0);
    tear_down();
}

/* Threads that are cancelled. */

static bool traces_first;
static void (*cancelled_call)(void);

static void *be_cancelled(void *was_left)
{
    int type;

    if (traces_first)
        trace_after();
    *(bool *)was_left = true;
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &type);
    call_stepping(cancelled_call);
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &type);
    *(bool *)was_left = false;
    return NULL;
}

static void cancel_in(void (*call)(void), bool known, int stride)
{
    begin(TRACE_BUFFERING_MODE_CIRCULAR, 64 << 20, cancel, 0);
    run_other();
    call(); /* resolves what it calls */
    traces_first = known;
    cancelled_call = call;
    int count = leave_in_threads(be_cancelled, stride);
    run_other();
    expect_all(known ? count : 0, 2);
}

Test(leave, event_by_cancellation)
{
    cancel_in(trace, true, 1);
}

Test(leave, first_event_by_cancellation)
{
    cancel_in(trace, false, 61);
}

Test(leave, event_of_a_new_site_by_cancellation)
{
    cancel_in(trace_new_site, true, 11);
}

Test(leave, large_event_by_cancellation)
{
    cancel_in(trace_large, true, 17);
}

#endif

/* At random, in buffers that wrap and fill. */

static sigjmp_buf out_at_random;
static volatile sig_atomic_t is_tracing;
static volatile int jumps;

static void jump_at_random(int number)
{
    (void)number;
    if (!is_tracing)
        return;
    is_tracing = 0;
    jumps++;
    siglongjmp(out_at_random, 1);
}

static void trace_some(void)
{
    for (int i = 0; i < 50; i++) {
        INSTANT("+c", "left");
        trace_i_blob(TRACE_BLOB_TYPE_DATA, "left", "some bytes", 10);
    }
}

static void jump_for_a_second(void)
{
    int64_t end = fxt_i_monotonic_ns() + 1000000000;
    struct itimerval timer = {{0, 300}, {0, 300}};
    const struct sigaction action = {.sa_handler = jump_at_random};

    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &timer, NULL);
    while (fxt_i_monotonic_ns() < end) {
        if (sigsetjmp(out_at_random, 1) == 0) {
            is_tracing = 1;
            trace_some();
            is_tracing = 0;
        }
    }
    setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 0}}, NULL);
}

static void jump_at_random_in(trace_buffering_mode_t mode, size_t bytes)
{
    set_up(mode, bytes);
    it.save_at_once = true;
    start();
    jump_for_a_second();
    cr_expect_gt(jumps, 20, "%d", jumps);
    run_loop();
    trace_after(); /* counts the last one that was left */
    uint64_t before = dropped();
    trace_after();
    run_other();
    if (mode != TRACE_BUFFERING_MODE_ONESHOT)
        cr_expect_eq(dropped(), before, "%" PRIu64 " of 2", dropped() - before);
    stop();
    read_buffer();
    tear_down();
}

Test(leave, at_random_into_a_circular_buffer)
{
    jump_at_random_in(TRACE_BUFFERING_MODE_CIRCULAR, 65536);
}

Test(leave, at_random_into_a_streaming_buffer)
{
    jump_at_random_in(TRACE_BUFFERING_MODE_STREAMING, 65536);
}

Test(leave, at_random_into_a_full_buffer)
{
    jump_at_random_in(TRACE_BUFFERING_MODE_ONESHOT, 65536);
}

static void *be_cancelled_at_random(void *unused)
{
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    for (;;)
        trace_some();
    return unused;
}

static void cancel_at_random_in(trace_buffering_mode_t mode)
{
    set_up(mode, 65536);
    it.save_at_once = true;
    cr_assert_eq(async_loop_start_thread(it.loop, "saver", NULL), ZX_OK);
    start();
    for (int i = 0; i < 300; i++) {
        pthread_t thread;
        cr_assert_eq(pthread_create(&thread, NULL, be_cancelled_at_random, NULL), 0);
        for (int k = 0; k < i % 40; k++)
            fxt_i_yield();
        pthread_cancel(thread);
        pthread_join(thread, NULL);
    }
    async_loop_quit(it.loop);
    async_loop_join_threads(it.loop);
    async_loop_reset_quit(it.loop);
    run_loop();
    uint64_t before = dropped();
    trace_after();
    run_other();
    cr_expect_eq(dropped(), before, "%" PRIu64 " of 2", dropped() - before);
    stop();
    read_buffer();
    tear_down();
}

Test(leave, cancellations_at_random_into_a_circular_buffer)
{
    cancel_at_random_in(TRACE_BUFFERING_MODE_CIRCULAR);
}

Test(leave, cancellations_at_random_into_a_streaming_buffer)
{
    cancel_at_random_in(TRACE_BUFFERING_MODE_STREAMING);
}
