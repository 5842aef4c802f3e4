/* A signal handler that traces, after each instruction of a call in turn: with the processor's trap
   flag set, every instruction raises SIGTRAP. Whatever the handler interrupts, each event is written
   or counted. */
#include <signal.h>
#include <ucontext.h>

#include "src/engine/engine.h"
#include "src/engine/fixture_test.h"

#ifdef __x86_64__

#define TRAP_FLAG 0x100

TestSuite(interrupt, .timeout = 280);

static pthread_key_t key; /* its destructor runs behind the engine's */
static volatile int left; /* instructions before the handler traces */
static int handled;       /* events of the handler */
static int refused;       /* contexts that could not be had */

static int dropped(void)
{
    trace_engine_sizes_t sizes;
    trace_engine_get_sizes(&sizes);
    return (int)sizes.records_dropped;
}

/* A context that cannot be had is counted, too. */
static void write_blob(void)
{
    const trace_string_ref_t name = trace_make_inline_c_string_ref("handler");
    trace_context_t *context = trace_acquire_context();

    if (context == NULL)
        return;
    trace_context_write_blob_record(context, TRACE_BLOB_TYPE_DATA, &name, "x", 1);
    trace_release_context(context);
}

static void on_trap(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)info;
    if (left-- > 0)
        return;
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
    INSTANT("+c", "handler");
    write_blob();
    handled++;
}

static void acquire_and_release(void)
{
    trace_context_t *context = trace_acquire_context();
    if (context != NULL)
        trace_release_context(context);
    refused += context == NULL;
}

static void trace(void)
{
    INSTANT("+c", "thread");
}

static void end(void)
{
    fxt_i_thread_ends(&fxt_i_this_thread);
}

static void (*call)(void);

static void call_interrupted(void *unused)
{
    uint64_t flags = __builtin_ia32_readeflags_u64();

    (void)unused;
    __builtin_ia32_writeeflags_u64(flags | TRAP_FLAG);
    call();
    __builtin_ia32_writeeflags_u64(flags);
}

/* The thread begins with the call. */
static void *begin(void *unused)
{
    call_interrupted(unused);
    return NULL;
}

/* It has traced before. */
static void *go_on(void *unused)
{
    trace();
    call_interrupted(unused);
    return NULL;
}

/* The engine knows already that it ends. */
static void *come_to_end(void *unused)
{
    trace();
    pthread_setspecific(key, &key);
    return unused;
}

/* A thread for each instruction, or every stride-th, until the call is over before the handler
   traces. Each thread writes so many events. */
static void interrupt_each_instruction(void *(*run)(void *), void (*interrupted)(void), int events,
                                       int stride)
{
    const struct sigaction action = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO};
    int threads = 0;
    int before = -1;

    set_up(TRACE_BUFFERING_MODE_CIRCULAR, 16 << 20);
    pthread_key_create(&key, call_interrupted);
    sigaction(SIGTRAP, &action, NULL);
    start();
    call = acquire_and_release;
    call_interrupted(NULL); /* resolves what is called, and the handler's site */
    call = interrupted;
    for (; handled != before; threads++) {
        pthread_t thread;
        before = handled;
        left = stride * threads;
        cr_assert_eq(pthread_create(&thread, NULL, run, NULL), 0);
        pthread_join(thread, NULL);
    }
    stop();
    read_buffer();
    int found = count_of("instant +c handler scope=0") + count_of("blob handler x");
    cr_expect_gt(threads, 20, "%d", threads);
    cr_expect_eq(refused, 0, "%d contexts are refused", refused);
    cr_expect_eq(count_of("instant +c thread scope=0"), threads * events);
    cr_expect_eq(found + dropped(), 2 * handled, "%d written and %d dropped, not %d", found,
                 dropped(), 2 * handled);
    cr_expect_gt(found, 0);
    cr_expect_gt(dropped(), 0);
    tear_down();
}

Test(interrupt, drops_before_a_threads_first_record_are_counted)
{
    interrupt_each_instruction(begin, acquire_and_release, 0, 1);
}

Test(interrupt, first_event_is_written_whatever_the_handler_traces)
{
    interrupt_each_instruction(begin, trace, 1, 61); /* some thousand instructions */
}

Test(interrupt, event_is_written_whatever_the_handler_traces)
{
    interrupt_each_instruction(go_on, trace, 2, 1);
}

Test(interrupt, thread_ends_whatever_the_handler_traces)
{
    interrupt_each_instruction(go_on, end, 1, 1);
}

Test(interrupt, ending_thread_goes_inside_whatever_the_handler_traces)
{
    interrupt_each_instruction(come_to_end, acquire_and_release, 1, 1);
}

#else

Test(interrupt, needs_the_trap_flag_of_x86)
{
    cr_skip_test("no trap flag");
}

#endif
