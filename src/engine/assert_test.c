/* What the engine asserts stops the program, and says where and what. */
#include <criterion/criterion.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/engine/engine.h"

/* What a child process says, in which `breaks` is called, and how it ends. */
static int run_child(void (*breaks)(void), char said[512])
{
    int ends[2];
    int status;
    ssize_t length = 0;
    ssize_t got;

    cr_assert_eq(pipe(ends), 0);
    pid_t child = fork();
    cr_assert_geq(child, 0);
    if (child == 0) {
        signal(SIGABRT, SIG_DFL); /* not the test framework's */
        dup2(ends[1], STDERR_FILENO);
        breaks();
        _exit(0);
    }
    close(ends[1]);
    while (length < 511 && (got = read(ends[0], said + length, 511 - (size_t)length)) > 0)
        length += got;
    said[length] = '\0';
    close(ends[0]);
    cr_assert_eq(waitpid(child, &status, 0), child);
    return status;
}

static void expect_abort(void (*breaks)(void), const char *file, const char *condition)
{
    char said[512];
    int status = run_child(breaks, said);

    cr_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, "%d: %s", status, said);
    cr_assert_not_null(strstr(said, file), "%s", said);
    cr_assert_not_null(strstr(said, condition), "%s", said);
}

static void release_what_is_not_held(void)
{
    trace_release_context(&fxt_i_this_thread);
}

Test(engine_asserts, that_a_context_is_released_once)
{
    expect_abort(release_what_is_not_held, "src/engine/context.c:", "context->held > 0");
}

static void release_that_of_another(void)
{
    static struct trace_context other = {.depth = 1};
    trace_release_context(&other);
}

Test(engine_asserts, that_a_context_is_its_threads)
{
    expect_abort(release_that_of_another, "src/engine/context.c:", "&fxt_i_this_thread");
}

static void unlock_what_is_free(void)
{
    fxt_i_unlock(&fxt_i_engine.turn_lock);
}

Test(engine_asserts, that_a_lock_is_held)
{
    expect_abort(unlock_what_is_free, "src/engine/engine.c:", "fxt_i_lock_is_held(lock)");
}

static void define_without_the_lock(void)
{
    fxt_i_definition_begin(&fxt_i_this_thread, 8);
}

Test(engine_asserts, that_definitions_are_made_under_their_lock)
{
    expect_abort(define_without_the_lock, "src/engine/durable.c:", "table_lock");
}

static void publish_beyond_the_lease(void)
{
    static uint64_t room[4];
    struct trace_context context = {.next = (uint8_t *)room, .end = (uint8_t *)(room + 2)};

    fxt_i_publish_record(&context, 24, fxt_i_filler(24));
}

static bool is_hot_asserted(void)
{
#if !defined __OPTIMIZE__ || defined FXT_HOT_ASSERTIONS
    return true;
#else
    return false;
#endif
}

Test(engine_asserts, on_the_hot_path_in_some_builds_that_a_record_fits)
{
    if (!is_hot_asserted())
        cr_skip_test("this build leaves them out: -c dbg and the sanitizers have them");
    expect_abort(publish_beyond_the_lease, "src/engine/engine.h:", "context->end");
}
