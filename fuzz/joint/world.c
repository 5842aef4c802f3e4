#include "fuzz/joint/world.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "fuzz/lib/oracle.h"
#include "proofs/interleave/atomic.h"
#include "src/engine/os.h"
#include "src/loop/now.h"

#define QUIET 64         /* waits of all in which nothing is done, before time passes */
#define QUIET_NS 5000000 /* which then passes in one of them */
#define QUIET_MAX 200000 /* then nothing will ever be done */
#define HELD_MAX 4096    /* choices */
#define NS_OF_S 1000000000

uint64_t world_digest;

static struct {
    struct world_plan plan;
    uint64_t state;
    uint32_t quiet;
    uint32_t held;  /* choices for which a writer still stands */
    uint32_t lived; /* choices of the program */
    void (*died)(void);
    bool dead;
} world;

static fxt_i_atomic news;  /* what those that wait are woken by */
static fxt_i_atomic posts; /* what the mutex of a loop orders */

void world_begin(const struct world_plan *plan)
{
    world.plan = *plan;
    world.state = plan->seed;
    world.quiet = world.lived = world.held = 0;
    x_held = 0;
    world.died = NULL;
    world.dead = false;
    news.value = posts.value = 0;
    x_tick_ns = plan->tick_ns;
    world_digest = 0;
}

/* The scheduler. */

static bool is_of_program(int thread)
{
    return thread <= WORLD_WRITERS;
}

static void die(void)
{
    world.dead = true;
    world.died();
    x_kill_threads(WORLD_DISPATCHER, WORLD_WRITERS);
}

/* A thread may stand anywhere for long: in the middle of a record, while all others go on. */
static bool holds_this(int thread, uint64_t random)
{
    if (world.held > 0 && (--world.held == 0 || world.quiet > QUIET))
        x_held = world.held = 0;
    if (x_held != 0 || thread < WORLD_WRITER || thread > WORLD_WRITERS || random >> 54 != 0)
        return false;
    x_held = 1u << thread;
    world.held = HELD_MAX >> (random >> 48 & 7);
    return true;
}

int world_choose(int count)
{
    int thread = x_this_thread();
    uint64_t random = fuzz_random(&world.state);
    int chosen = 0;

    if (thread >= WORLD_WRITER && thread <= WORLD_WRITERS)
        world.quiet = 0;
    if (world.died != NULL && !world.dead && is_of_program(thread) &&
        world.lived++ == world.plan.kill_after &&
        world.lived > 1) /* the first choice is of nobody */
        die();
    if (holds_this(thread, random) && count > 1)
        chosen = 1 + (int)((random & 0xffff) % (uint64_t)(count - 1));
    else if ((random >> 32 & ((UINT64_C(1) << world.plan.density) - 1)) == 0)
        chosen = (int)((random & 0xffff) % (uint64_t)count);
    world_digest = 31 * world_digest + (uint64_t)(thread * 64 + count * 8 + chosen);
    return chosen;
}

void world_may_die(void (*died)(void))
{
    world.died = died;
}

bool world_is_dead(void)
{
    return world.dead;
}

void world_wait(void)
{
    if (++world.quiet > QUIET_MAX)
        x_fail("nothing is done any more");
    x_pass(world.quiet > QUIET ? QUIET_NS : 1);
    fxt_i_add(&news, 1);
    x_sleep();
}

void world_leave(void)
{
    fxt_i_add(&news, 1);
}

/* The clock. Who looks at it takes the tasks of a loop next, or has just waited. */

uint64_t fxt_i_now_ns(void)
{
    if (x_exploring && x_this_thread() == WORLD_DISPATCHER)
        fxt_i_add(&posts, 0);
    return (uint64_t)fxt_i_monotonic_ns();
}

/* System calls. */

int ppoll(struct pollfd *polled, nfds_t count, const struct timespec *timeout, const sigset_t *mask)
{
    const struct timespec none = {0, 0};
    int64_t left = timeout != NULL ? timeout->tv_sec * NS_OF_S + timeout->tv_nsec : INT64_MAX;
    int64_t end = left < INT64_MAX / 2 && x_exploring ? fxt_i_monotonic_ns() + left : INT64_MAX;

    for (;;) {
        int ready = (int)syscall(SYS_ppoll, polled, count, x_exploring ? &none : timeout, mask, 8);
        if (ready != 0 || left == 0 || !x_exploring) {
            world.quiet = left != 0 ? 0 : world.quiet;
            return ready;
        }
        if (end != INT64_MAX && fxt_i_monotonic_ns() >= end)
            return 0;
        world_wait();
    }
}

int poll(struct pollfd *polled, nfds_t count, int timeout)
{
    const struct timespec time = {timeout / 1000, timeout % 1000 * 1000000};
    return ppoll(polled, count, timeout < 0 ? NULL : &time, NULL);
}

/* The dispatcher. */

static struct {
    async_dispatcher_t it;
    async_dispatcher_t *loop;
} dispatcher;

static zx_status_t post_task(async_dispatcher_t *self, async_task_t *task)
{
    (void)self;
    fxt_i_add(&posts, 1);
    return async_post_task(dispatcher.loop, task);
}

static zx_status_t cancel_task(async_dispatcher_t *self, async_task_t *task)
{
    (void)self;
    return async_cancel_task(dispatcher.loop, task);
}

static zx_status_t begin_wait(async_dispatcher_t *self, async_wait_t *wait)
{
    (void)self;
    return async_begin_wait(dispatcher.loop, wait);
}

static zx_status_t cancel_wait(async_dispatcher_t *self, async_wait_t *wait)
{
    (void)self;
    return async_cancel_wait(dispatcher.loop, wait);
}

async_dispatcher_t *world_dispatcher(async_loop_t *loop)
{
    static const struct async_ops ops = {post_task, cancel_task, begin_wait, cancel_wait};

    dispatcher.it.ops = &ops;
    dispatcher.loop = async_loop_get_dispatcher(loop);
    return &dispatcher.it;
}

/* The provider's handlers of a fork. */

static void (*before_fork)(void);
static void (*in_child)(void);

int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void))
{
    (void)parent;
    before_fork = prepare;
    in_child = child;
    return 0;
}

void world_forget_provider(void)
{
    if (in_child == NULL)
        return;
    before_fork();
    in_child();
}
