/* What is around the parts of joint_fuzzer, in one process: a clock, a scheduler, and system calls
   that let another thread go on where they would block. */
#ifndef FXT_FUZZ_JOINT_WORLD_H
#define FXT_FUZZ_JOINT_WORLD_H

#include <lib/async-loop/loop.h>

#include "proofs/interleave/explore.h"

/* Threads of the explorer. The first ones are a program that is traced: its dispatcher, and those that
   write. */
enum { WORLD_DISPATCHER, WORLD_WRITER, WORLD_WRITERS = 3, WORLD_MANAGER = 4, WORLD_CLIENT };
#define WORLD_THREADS 6

struct world_plan {
    uint64_t seed;       /* not 0 */
    uint32_t density;    /* at one choice of 2^density, something else is done than to go on */
    uint32_t kill_after; /* choices of the program, behind world_may_die; 0: it lives */
    int64_t tick_ns;
};

/* The whole schedule of the run. */
extern uint64_t world_digest;

void world_begin(const struct world_plan *plan);
int world_choose(int count); /* for x_run_once */

/* From here on, the program may be killed: then `died` is called, as the kernel would clean up. */
void world_may_die(void (*died)(void));
bool world_is_dead(void);

/* Another thread goes on. Time passes where none does anything. */
void world_wait(void);
/* Before a thread ends: those that wait go on. */
void world_leave(void);

/* A dispatcher that orders memory as the loop does: who posts a task releases what it did. */
async_dispatcher_t *world_dispatcher(async_loop_t *loop);

/* As fork(2) would: forgets what the program's parts keep for the whole process. */
void world_forget_provider(void);

#endif
