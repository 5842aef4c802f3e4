/* An explorer of interleavings. It runs a small program with some threads again and again, each
   time with other choices, until there are none left:

   - at each step, which thread goes on: at most `preemptions` times another one than that which
     could have gone on;
   - at each load, which value it sees: at most `stales` times another one than the newest, of those
     that the order of memory allows;
   - at each step, whether a signal handler interrupts: at most `signals` times.

   A step is a call of one of the x_ functions for memory: nothing else of what the threads do is
   interleaved. Threads are coroutines of one real thread; `own` is what each has for itself.

   The order of memory is that of C11 in views: each value has a time stamp among those of its
   place, each thread knows the least stamp that it may still see of every place, and what is loaded
   by an acquire from a release joins the views. A release is continued by read-modify-writes, and by
   the same thread's stores (C11 has that, C++20 no longer). A read-modify-write acquires and
   releases at most: none is one order with others. The values of one place come in the order in
   which they are stored, and nothing is loaded before it is stored.

   plain.c, where it is linked, looks for races of accesses that are not atomic. */
#ifndef PROOFS_INTERLEAVE_EXPLORE_H
#define PROOFS_INTERLEAVE_EXPLORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum x_order { X_RELAXED, X_ACQUIRE, X_RELEASE, X_BOTH };

uint64_t x_load(const void *at, int bytes, enum x_order order);
void x_store(void *at, int bytes, uint64_t value, enum x_order order);
uint64_t x_add(void *at, int bytes, uint64_t value, enum x_order order);
uint64_t x_exchange(void *at, int bytes, uint64_t value, enum x_order order);
bool x_swap(void *at, int bytes, uint64_t *expected, uint64_t value, enum x_order order,
            enum x_order failure);
/* A store to memory that the program's threads never load. */
void x_publish(uint64_t *word, uint64_t value, enum x_order order);
void x_count(uint64_t *word); /* adds 1 */
/* A load of such a word by another process, which has a thread of the program. */
uint64_t x_look(const uint64_t *word);
void x_raise(uint64_t *word, uint64_t value, enum x_order order); /* where it is less */
void x_fence(void);
/* As of C++'s P1202: a heavy fence (membarrier) and a light one (which keeps the compiler from
   moving anything over it) order two threads as two full ones do; two light ones do not. */
void x_fence_light(void);
void x_fence_heavy(void);
/* This thread waits for others: it goes on when one of them has stored something. */
void x_yield(void);
/* So, when one has stored to that place. */
void x_await(const void *at);
/* As x_yield, or when no other can go on. */
void x_sleep(void);

#define X_THREADS_MAX 6

struct x_program {
    const char *name;
    int threads;
    int preemptions;
    int stales;
    int signals;
    int steps; /* at most, in one run: with more, it is said to go on for ever; 0: 20000 */
    /* Memory of which each thread has one of its own, as of a thread-local object; or NULL. */
    void *own;
    size_t own_bytes;
    /* Before and after each run, on thread 0, without choices. */
    void (*begin)(void);
    void (*end)(void);
    void (*run)(int thread);
    void (*signal)(int thread);                              /* or NULL */
    void (*published)(const uint64_t *word, uint64_t value); /* or NULL; after each x_publish */
    void (*shown)(void);                    /* or NULL; what another process may see */
    const char *(*name_of)(const void *at); /* of a place, for what is printed; or NULL */
};

/* Runs the program with all choices, at most `most` runs. Prints how many, and the steps of the
   first run in which something was wrong. Whether all runs were good. */
bool x_explore(const struct x_program *program, uint64_t most);

/* Runs the program once. choose(count) selects one of that many choices, of which 0 is to go on, or
   the newest value. Returns false if the run was killed. A program that goes wrong aborts. */
bool x_run_once(const struct x_program *program, int (*choose)(int count));

/* From `published`: the process is killed here. Nothing more is done by any thread; `end` is not
   called. Only in x_run_once. */
void x_kill(void) __attribute__((noreturn));

/* The threads from first to last, whose process is killed here, do nothing more. Another one goes
   on. Does not return to one of them. Only in x_run_once. */
void x_kill_threads(int first, int last);

/* Threads, a bit each, that go on only where no other can. */
extern uint32_t x_held;

/* Of a program: something is wrong. Does not return while exploring. */
void x_fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Whether this run does what no run before it has done. */
bool x_is_new(void);

/* Runs work(argument) on that thread, from begin or end. */
void x_on_thread(int thread, void (*work)(void *argument), void *argument);

/* What that thread has for itself. */
const void *x_own(int thread);
/* From begin or end, or after a run: each has what it had before the first run. */
void x_forget_own(void);

int x_this_thread(void);

/* What the engine does in a child that a program forks. */
void x_become_child(void);

/* The engine forgets what it keeps in a forked child, too: where its call sites are, and the time. */
void x_forget_process(void);

/* By how much time goes on whenever somebody looks. */
extern int64_t x_tick_ns;
/* Time passes. */
void x_pass(int64_t ns);

/* Of all deeds in all runs: equal runs change it in the same way. */
extern uint64_t x_digest;

/* What plain.c adds, where it is linked: accesses that are not atomic. */

/* X_CHANGES: publishes a word that other threads change, too. */
enum x_access { X_READS, X_WRITES, X_PUBLISHES, X_CHANGES };
/* NULL, or called before each access of the thread that runs. */
extern void (*x_touch)(const void *at, size_t bytes, enum x_access access);
/* NULL, or called after a store to published memory that does not release. */
extern void (*x_publishes_early)(const void *word, void (*shown)(void));

extern bool x_exploring; /* between begin and end */
uint64_t x_run_number(void);
const uint32_t *x_clock(void); /* of this thread: what it knows of each thread's */
bool x_is_of_a_thread(const void *at);
uint64_t x_stretch(void); /* how often this thread has stored to what threads load, or fenced */

/* How many values this thread has loaded in this run that were not the newest. */
int x_old_values(void);

#endif
