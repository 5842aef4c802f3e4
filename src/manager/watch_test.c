/* Turns and watches: what is begun again and again leaves the loop time for others. */
#include <criterion/criterion.h>
#include <errno.h>
#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

#include "src/manager/watch.h"

#include "src/socket/socket.h"

#define CHAIN 1000
#define SENT 100

struct chain {
    async_loop_t *loop;
    struct fxt_i_timer *turn;
    struct fxt_i_watch *watch;
    int called;
    int called_before_ready; /* -1: not ready yet */
};

static void go_on(void *self)
{
    struct chain *chain = self;
    if (++chain->called < CHAIN)
        fxt_i_immediate_begin(chain->turn);
    else
        fxt_i_timer_end(&chain->turn);
}

static void on_ready(void *self, int events)
{
    struct chain *chain = self;
    (void)events;
    chain->called_before_ready = chain->called;
    fxt_i_watch_end(&chain->watch);
}

Test(watch, turn_that_begins_another_one_lets_descriptors_be_served_before_it)
{
    struct chain chain = {.called_before_ready = -1};
    int ends[2];

    cr_assert_eq(async_loop_create(&kAsyncLoopConfigNoAttachToThread, &chain.loop), ZX_OK);
    cr_assert_eq(pipe(ends), 0);
    cr_assert_eq(write(ends[1], "x", 1), 1);
    chain.watch = fxt_i_watch_begin(chain.loop, ends[0], POLLIN, on_ready, &chain);
    cr_assert(fxt_i_immediate_make(&chain.turn, chain.loop, go_on, &chain));
    fxt_i_immediate_begin(chain.turn);
    async_loop_run_until_idle(chain.loop);
    cr_expect_eq(chain.called, CHAIN);
    cr_expect_leq(chain.called_before_ready, 1);
    cr_expect_geq(chain.called_before_ready, 0);
    async_loop_destroy(chain.loop);
}

struct reader {
    struct fxt_i_watch *watch;
    int socket;
    int received;
};

/* One packet at a time, as the manager reads a bounded number. */
static void on_packet(void *self, int events)
{
    struct reader *reader = self;
    int descriptors[FXT_I_DESCRIPTORS_MAX];
    uint8_t byte;
    size_t size;
    (void)events;
    int error = fxt_i_socket_receive(reader->socket, &byte, 1, &size, descriptors);
    if (error == 0) {
        cr_expect_eq(byte, reader->received);
        reader->received++;
    } else if (error != EAGAIN) {
        cr_expect_eq(error, EPIPE);
        fxt_i_watch_end(&reader->watch);
    }
}

/* Linux then reports an error on this socket, before what was sent. */
Test(watch, all_is_heard_of_a_peer_that_closes_without_having_read_everything)
{
    struct reader reader = {.received = 0};
    async_loop_t *loop;
    int ends[2];

    cr_assert_eq(async_loop_create(&kAsyncLoopConfigNoAttachToThread, &loop), ZX_OK);
    cr_assert_eq(fxt_i_socket_pair(ends), 0);
    reader.socket = ends[0];
    cr_assert_eq(fxt_i_socket_send(ends[0], "unread", 6, NULL, 0), 0);
    for (uint8_t i = 0; i < SENT; i++)
        cr_assert_eq(fxt_i_socket_send(ends[1], &i, 1, NULL, 0), 0);
    close(ends[1]);
    reader.watch = fxt_i_watch_begin(loop, ends[0], POLLIN | POLLRDHUP, on_packet, &reader);
    async_loop_run_until_idle(loop);
    cr_expect_eq(reader.received, SENT);
    close(ends[0]);
    async_loop_destroy(loop);
}

static void note_events(void *self, int events)
{
    *(int *)self = events;
}

/* Linux then reports POLLHUP alone. */
Test(watch, end_of_a_pipe_is_told_as_what_is_watched)
{
    async_loop_t *loop;
    int ends[2];
    int events = 0;

    cr_assert_eq(async_loop_create(&kAsyncLoopConfigNoAttachToThread, &loop), ZX_OK);
    cr_assert_eq(pipe(ends), 0);
    close(ends[1]);
    struct fxt_i_watch *watch = fxt_i_watch_begin(loop, ends[0], POLLIN, note_events, &events);
    cr_assert_not_null(watch);
    async_loop_run(loop, 0, true);
    cr_expect_eq(events, POLLIN);
    fxt_i_watch_end(&watch);
    close(ends[0]);
    async_loop_destroy(loop);
}

static void expect_refused(async_loop_t *loop, int descriptor, int error)
{
    int events;
    errno = 0;
    cr_expect_null(fxt_i_watch_begin(loop, descriptor, POLLIN, note_events, &events));
    cr_expect_eq(errno, error);
}

Test(watch, errno_says_why_a_descriptor_cannot_be_watched)
{
    async_loop_t *loop;
    int ends[2];
    int events = 0;

    cr_assert_eq(async_loop_create(&kAsyncLoopConfigNoAttachToThread, &loop), ZX_OK);
    cr_assert_eq(pipe(ends), 0);
    struct fxt_i_watch *watch = fxt_i_watch_begin(loop, ends[0], POLLIN, note_events, &events);
    cr_assert_not_null(watch);
    expect_refused(loop, ends[0], EEXIST);
    int file = memfd_create("file", MFD_CLOEXEC);
    expect_refused(loop, file, EPERM);
    close(file);
    expect_refused(loop, file, EBADF);
    fxt_i_watch_end(&watch);
    close(ends[0]);
    close(ends[1]);
    async_loop_destroy(loop);
}

static void count_call(void *self)
{
    (*(int *)self)++;
}

/* All are due, or ready. */
Test(watch, loop_that_is_shut_down_calls_nobody)
{
    struct fxt_i_timer *timer = NULL;
    struct fxt_i_timer *immediate;
    async_loop_t *loop;
    int ends[2];
    int called = 0;
    int events = 0;

    cr_assert_eq(async_loop_create(&kAsyncLoopConfigNoAttachToThread, &loop), ZX_OK);
    cr_assert_eq(pipe(ends), 0);
    close(ends[1]);
    struct fxt_i_watch *watch = fxt_i_watch_begin(loop, ends[0], POLLIN, note_events, &events);
    cr_assert(fxt_i_timer_begin(&timer, loop, 0, count_call, &called));
    cr_assert(fxt_i_immediate_make(&immediate, loop, count_call, &called));
    fxt_i_immediate_begin(immediate);
    async_loop_shutdown(loop);
    cr_expect_eq(called, 0);
    cr_expect_eq(events, 0);
    cr_expect_not(fxt_i_timer_runs(timer));
    fxt_i_watch_end(&watch);
    fxt_i_timer_end(&timer);
    fxt_i_timer_end(&immediate);
    close(ends[0]);
    async_loop_destroy(loop);
}
