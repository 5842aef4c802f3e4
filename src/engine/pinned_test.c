/* A thread that ends while it holds a record that it has not filled yet: a destructor that runs behind the
   engine's fills it, or nobody does. */
#include <semaphore.h>

#include "src/engine/fixture_test.h"

TestSuite(pinned, .timeout = 60);

enum { PAYLOAD = 200 };

static pthread_key_t key; /* its destructor runs behind the engine's */
static sem_t ended;
static sem_t go_on;
static trace_context_t *held;

static void fill_and_release(void *place)
{
    sem_post(&ended);
    sem_wait(&go_on);
    memset(place, 'p', PAYLOAD);
    trace_release_context(held);
}

static void *begin_record(void *leave_it)
{
    const trace_string_ref_t name = trace_make_inline_c_string_ref("late");

    held = trace_acquire_context();
    void *place = trace_context_begin_write_blob_record(held, TRACE_BLOB_TYPE_DATA, &name, PAYLOAD);
    if (leave_it == NULL)
        pthread_setspecific(key, place);
    return NULL;
}

static pthread_t begin(trace_buffering_mode_t mode, void *leave_it)
{
    pthread_t thread;

    memset(&it, 0, sizeof it);
    sem_init(&ended, 0, 0);
    sem_init(&go_on, 0, 0);
    set_up(mode, 4096);
    cr_assert_eq(pthread_key_create(&key, fill_and_release), 0);
    start();
    cr_assert_eq(pthread_create(&thread, NULL, begin_record, leave_it), 0);
    return thread;
}

static uint32_t wrapped_count(void)
{
    trace_engine_sizes_t sizes;

    trace_engine_get_sizes(&sizes);
    return sizes.wrapped_count;
}

/* More than two halves hold. */
static void write_much(void)
{
    for (int i = 0; i < 1000; i++)
        INSTANT("+c", "much");
}

static void finish(pthread_t thread)
{
    sem_post(&go_on);
    pthread_join(thread, NULL);
}

Test(pinned, half_is_not_used_again_before_a_destructor_has_filled_its_record)
{
    pthread_t thread = begin(TRACE_BUFFERING_MODE_CIRCULAR, NULL);
    sem_wait(&ended);
    write_much();
    cr_expect_eq(wrapped_count(), 1, "the record is in the half of lap 0");
    finish(thread);
    write_much();
    cr_expect_gt(wrapped_count(), 1);
    stop();
    read_buffer();
    tear_down();
}

Test(pinned, half_is_not_handed_over_before_a_destructor_has_filled_its_record)
{
    pthread_t thread = begin(TRACE_BUFFERING_MODE_STREAMING, NULL);
    sem_wait(&ended);
    write_much();
    run_loop();
    cr_expect_eq(it.fulls, 0);
    finish(thread);
    run_until(&it.fulls, 1);
    read_buffer();
    cr_expect_eq(count_from("blob late"), 1);
    stop();
    tear_down();
}

Test(pinned, tracing_does_not_stop_before_a_destructor_has_filled_its_record)
{
    pthread_t thread = begin(TRACE_BUFFERING_MODE_ONESHOT, NULL);
    sem_wait(&ended);
    trace_engine_stop(ZX_OK);
    for (int i = 0; i < 10; i++) {
        run_loop();
        usleep(1000);
    }
    cr_expect_eq(it.stopped, 0);
    finish(thread);
    run_until(&it.stopped, 1);
    read_buffer();
    cr_expect_eq(count_from("blob late"), 1);
    tear_down();
}

Test(pinned, thread_that_has_ended_without_a_release_holds_nobody_up)
{
    for (int mode = 0; mode <= 2; mode++) {
        pthread_t thread = begin((trace_buffering_mode_t)mode, &ended);
        pthread_join(thread, NULL);
        if (mode == TRACE_BUFFERING_MODE_STREAMING) {
            write_much();
            run_until(&it.fulls, 1);
        }
        for (int i = 0; i < 1000 && mode == TRACE_BUFFERING_MODE_CIRCULAR && wrapped_count() < 3;
             i++) {
            write_much(); /* the kernel may know the thread for a moment */
            usleep(1000);
        }
        cr_expect(mode != TRACE_BUFFERING_MODE_CIRCULAR || wrapped_count() >= 3);
        stop();
        read_buffer();
        tear_down();
    }
}
