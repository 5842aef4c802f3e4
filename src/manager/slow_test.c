/* A machine so slow that the time of a step is up before its first save. The manager's clock shows 3 ms
   more each time it is read (fxt_i_now_ns is wrapped); a step saves for 5 ms. */
#include "src/manager/raw_test.h"

uint64_t __wrap_fxt_i_now_ns(void);
uint64_t __wrap_fxt_i_now_ns(void)
{
    static uint64_t now;
    return now += UINT64_C(3000000);
}

TestSuite(slow, .init = start_manager, .fini = clean_up, .timeout = 60);

Test(slow, session_ends_and_has_all_events)
{
    const struct trace_config oneshot = {.mode = TRACE_MODE_ONESHOT, .buffer_megabytes = 1};
    struct session session;
    struct test_provider it = begin_with(&session, &oneshot, "it");
    cr_assert_eq(order(&it, 'e', 100), 'k');
    cr_expect_eq(end_session(&session), 0);
    cr_expect_eq(find_events(&session.archive, "it").events, 100);
    free(session.archive.bytes);
    end_provider(&it);
}

/* Programs that trace faster than the manager saves: the other half of each is full, too, when one is
   saved. */

#define EVENTS_IN_A_HALF 6000u

struct fast {
    struct raw *raw;
    pthread_t thread;
    _Atomic uint32_t saved;
};

static void fill_both_halves(struct fast *it)
{
    struct fxt_buffer_header *header = &it->raw->header;
    for (uint32_t half = 0; half < 2; half++)
        header->rolling_data_end[half] = raw_write_events(
            it->raw, FXT_BUFFER_HEADER_BYTES + header->durable_size + half * header->rolling_size,
            0, EVENTS_IN_A_HALF);
}

static void *ask_again_and_again(void *self)
{
    struct fast *it = self;
    uint8_t bytes[FXT_I_FIFO_BYTES];
    do {
        it->raw->header.wrapped_count = it->saved + 1;
        fxt_buffer_write_header(it->raw->buffer, &it->raw->header);
        raw_say(it->raw, FXT_I_SAVE_BUFFER, it->saved, 0);
        if (!raw_is_readable(it->raw->fifo, 20000) ||
            recv(it->raw->fifo, bytes, sizeof bytes, MSG_DONTWAIT) <= 0)
            return NULL;
    } while (++it->saved > 0);
    return NULL;
}

Test(slow, programs_that_outpace_the_manager_have_equal_parts_of_its_time)
{
    static const char *const names[] = {"first", "second", "third"};
    static uint8_t piece[64 << 10];
    const struct trace_config config = {
        .mode = TRACE_MODE_STREAMING, .buffer_megabytes = 1, .start_timeout_ms = 50};
    trace_controller_t *controller = connect_client();
    struct fast fast[3];
    int ends[2];
    for (uint32_t i = 0; i < 3; i++) {
        fast[i].raw = raw_provider(names[i]);
        fast[i].saved = 0;
        wait_for_providers(controller, i + 1);
    }
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    cr_assert_eq(trace_controller_initialize(controller, &config, ends[1]), 0);
    close(ends[1]);
    for (int i = 0; i < 3; i++)
        cr_assert(raw_await(fast[i].raw, FXT_I_INITIALIZE, 5000));
    cr_assert_eq(trace_controller_start(controller, TRACE_DISPOSITION_CLEAR_ENTIRE, NULL, 0), 0);
    for (int i = 0; i < 3; i++) {
        raw_start(fast[i].raw, TRACE_MODE_STREAMING);
        fill_both_halves(&fast[i]);
        pthread_create(&fast[i].thread, NULL, ask_again_and_again, &fast[i]);
    }
    for (uint64_t got = 0; got < UINT64_C(40) << 20;) {
        ssize_t size = read(ends[0], piece, sizeof piece);
        cr_assert_gt(size, 0);
        got += (uint64_t)size;
    }
    for (int i = 0; i < 3; i++)
        cr_expect_gt(fast[i].saved, 20, "%u, %u, %u", fast[0].saved, fast[1].saved, fast[2].saved);
    close(ends[0]);
    trace_controller_destroy(controller);
    for (int i = 0; i < 3; i++) {
        shutdown(fast[i].raw->fifo, SHUT_RDWR);
        pthread_join(fast[i].thread, NULL);
        raw_end(fast[i].raw);
    }
}
