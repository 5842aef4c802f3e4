/* Watches of descriptors, timers, and immediates (calls in the next round of the loop). A callback may
   begin and end any of them, its own too. */
#ifndef FXT_MANAGER_WATCH_H
#define FXT_MANAGER_WATCH_H

#include <lib/async-loop/loop.h>
#include <stdbool.h>
#include <stdint.h>

#include "src/loop/now.h"

struct fxt_i_watch {
    async_wait_t wait; /* first */
    async_dispatcher_t *dispatcher;
    void (*ready)(void *self, int events);
    void *self;
};

/* Calls `ready` while the descriptor is ready (level-triggered). Events are POLLIN, POLLOUT and
   POLLRDHUP. POLLERR is reported as POLLIN | POLLRDHUP, and POLLHUP alone as all watched events. NULL
   with errno if the descriptor cannot be polled or there is no memory. */
struct fxt_i_watch *fxt_i_watch_begin(async_loop_t *loop, int descriptor, int events,
                                      void (*ready)(void *self, int events), void *self);
/* 0 events: `ready` is not called, not even for an error. */
void fxt_i_watch_change(struct fxt_i_watch *watch, int events);
/* Ends the watch and sets the pointer to NULL. The caller may then close the descriptor. */
void fxt_i_watch_end(struct fxt_i_watch **watch);

struct fxt_i_timer {
    async_task_t task; /* first */
    async_dispatcher_t *dispatcher;
    bool runs;
    void (*due)(void *self);
    void *self;
};
/* Makes a timer whose begin cannot fail. False if there is no memory. */
bool fxt_i_timer_make(struct fxt_i_timer **timer, async_loop_t *loop);
/* Calls `due` once, after `ms` milliseconds. Restarts a running timer. Makes the timer if there is
   none: false if there is no memory. */
bool fxt_i_timer_begin(struct fxt_i_timer **timer, async_loop_t *loop, uint64_t ms,
                       void (*due)(void *self), void *self);
/* Stops the timer, which can begin again. */
void fxt_i_timer_stop(struct fxt_i_timer *timer);
bool fxt_i_timer_runs(const struct fxt_i_timer *timer);
void fxt_i_timer_end(struct fxt_i_timer **timer);

/* An immediate is a timer of 0 ms: the loop polls all descriptors before it calls `due`, even if
   `due` itself begins the immediate again. False if there is no memory. */
bool fxt_i_immediate_make(struct fxt_i_timer **immediate, async_loop_t *loop,
                          void (*due)(void *self), void *self);
/* Calls `due` once, in the next round of the loop. */
void fxt_i_immediate_begin(struct fxt_i_timer *immediate);

#endif
