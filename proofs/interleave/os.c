/* What the engine asks of Linux, for the explorer: threads and fences are the explorer's, and time
   goes on whenever somebody looks. */
#include "src/engine/engine.h"

#include <assert.h>

#include "proofs/interleave/atomic.h"

/* In place of the C library's: what the engine asserts is explored like all else. */
void __assert_fail(const char *condition, const char *file, unsigned line, const char *function)
{
    (void)function;
    x_fail("%s:%u: asserted: %s", file, line, condition);
}

bool fxt_i_fences_are_light = true;

static void (*in_forked_child)(void);

void fxt_i_os_init(void (*leaving)(void *self))
{
    (void)leaving;
}

void fxt_i_os_after_fork(void)
{
}

bool fxt_i_wipe_in_child(void *from, void *to)
{
    (void)from;
    (void)to;
    return false;
}

void fxt_i_heavy_fence(void)
{
    fxt_i_fences_are_light ? x_fence_heavy() : x_fence();
}

/* A handler of the explorer returns. */
struct fxt_i_interrupts fxt_i_interrupts_off(void)
{
    return (struct fxt_i_interrupts){0, 0, 0};
}

void fxt_i_interrupts_restore(struct fxt_i_interrupts before)
{
    (void)before;
}

bool fxt_i_has_left(uintptr_t frame, uintptr_t here)
{
    (void)frame;
    (void)here;
    return false;
}

void fxt_i_yield(void)
{
    x_yield();
}

void fxt_i_sleep(void)
{
    x_yield();
}

uint64_t fxt_i_process_id(void)
{
    return 99;
}

uint64_t fxt_i_thread_id(void)
{
    return 100 + (uint64_t)x_this_thread();
}

bool fxt_i_thread_has_ended(uint64_t thread_id)
{
    (void)thread_id;
    return false;
}

static int64_t now;
int64_t x_tick_ns = 1000000;

int64_t fxt_i_monotonic_ns(void)
{
    now += x_tick_ns;
    return now;
}

void x_pass(int64_t ns)
{
    now += ns;
}

bool fxt_i_kernel_trusts_tsc(void)
{
    return false;
}

void fxt_i_thread_name(char out[16])
{
    out[0] = '\0';
}

/* No thread changes its name here. */
int fxt_i_names_open(void)
{
    return -1;
}

bool fxt_i_name_of_thread(int names, uint64_t thread_id, char out[16])
{
    (void)names;
    (void)thread_id;
    out[0] = '\0';
    return false;
}

void fxt_i_names_close(int names)
{
    (void)names;
}

const char *fxt_i_program_name(void)
{
    return "explored";
}

void fxt_i_describe_handle(int descriptor, struct fxt_i_object *out)
{
    (void)descriptor;
    *out = (struct fxt_i_object){.koid = 1};
}

int fxt_i_cancel_off(void)
{
    return 0;
}

void fxt_i_cancel_restore(int before)
{
    (void)before;
}

void fxt_i_event_signal(int event)
{
    (void)event;
}

/* A program of the explorer ends its threads by itself. */
void fxt_i_at_thread_end(void *self)
{
    (void)self;
}

void fxt_i_at_fork(void (*before)(void), void (*parent)(void), void (*child)(void))
{
    (void)before;
    (void)parent;
    in_forked_child = child;
}

static void *module; /* the program, once it has call sites */
static void (*unload)(void *module);

void fxt_i_at_unload(void *handle, void *its_module, void (*unloading)(void *module))
{
    (void)handle;
    module = its_module;
    unload = unloading;
}

/* A thread that forks holds signals for two locks, which its child gives back. */
void x_become_child(void)
{
    if (in_forked_child == NULL)
        return;
    fxt_i_signals_hold();
    fxt_i_signals_hold();
    in_forked_child();
}

void x_forget_process(void)
{
    now = 0;
    x_become_child();
    if (module != NULL)
        unload(module);
    module = NULL;
}
