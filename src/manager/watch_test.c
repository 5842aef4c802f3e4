/* Turns and watches: what is begun again and again leaves the loop time for others. */
#include <criterion/criterion.h>
#include <unistd.h>

#include "src/manager/watch.h"

#define CHAIN 1000

struct chain {
    uv_loop_t loop;
    struct fxt_i_turn *turn;
    struct fxt_i_watch *watch;
    int called;
    int called_before_ready; /* -1: not ready yet */
};

static void go_on(void *self)
{
    struct chain *chain = self;
    if (++chain->called < CHAIN)
        fxt_i_turn_begin(chain->turn);
    else
        fxt_i_turn_end(&chain->turn);
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

    cr_assert_eq(uv_loop_init(&chain.loop), 0);
    cr_assert_eq(pipe(ends), 0);
    cr_assert_eq(write(ends[1], "x", 1), 1);
    chain.watch = fxt_i_watch_begin(&chain.loop, ends[0], UV_READABLE, on_ready, &chain);
    cr_assert(fxt_i_turn_make(&chain.turn, &chain.loop, go_on, &chain));
    fxt_i_turn_begin(chain.turn);
    uv_run(&chain.loop, UV_RUN_DEFAULT);
    cr_expect_eq(chain.called, CHAIN);
    cr_expect_leq(chain.called_before_ready, 1);
    cr_expect_geq(chain.called_before_ready, 0);
    cr_expect_eq(uv_loop_close(&chain.loop), 0);
}
