/* Watches of descriptors, timers, and calls in the next turn of the loop. The loop owns them and frees them some time after their
   end. */
#ifndef FXT_MANAGER_WATCH_H
#define FXT_MANAGER_WATCH_H

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

struct fxt_i_watch {
    uv_poll_t poll; /* first */
    int events;
    void (*ready)(void *self, int events);
    void *self;
};
/* events: of enum uv_poll_event. NULL with errno if the descriptor cannot be polled or there is no
   memory. */
struct fxt_i_watch *fxt_i_watch_begin(uv_loop_t *loop, int descriptor, int events,
                                      void (*ready)(void *self, int events), void *self);
void fxt_i_watch_change(struct fxt_i_watch *watch, int events);
/* Ends the watch and sets the pointer to NULL. The caller may then close the descriptor. */
void fxt_i_watch_end(struct fxt_i_watch **watch);

struct fxt_i_timer {
    uv_timer_t timer; /* first */
    void (*due)(void *self);
    void *self;
};
/* Makes a timer whose begin cannot fail. False if there is no memory. */
bool fxt_i_timer_make(struct fxt_i_timer **timer, uv_loop_t *loop);
/* Calls `due` once, after `ms` milliseconds. Restarts a running timer. Makes the timer if there is
   none: false if there is no memory. */
bool fxt_i_timer_begin(struct fxt_i_timer **timer, uv_loop_t *loop, uint64_t ms,
                       void (*due)(void *self), void *self);
/* Stops the timer, which can begin again. */
void fxt_i_timer_stop(struct fxt_i_timer *timer);
bool fxt_i_timer_runs(const struct fxt_i_timer *timer);
void fxt_i_timer_end(struct fxt_i_timer **timer);

struct fxt_i_turn {
    uv_idle_t idle; /* first */
    void (*due)(void *self);
    void *self;
};
/* False if there is no memory. */
bool fxt_i_turn_make(struct fxt_i_turn **turn, uv_loop_t *loop, void (*due)(void *self),
                     void *self);
/* Calls `due` once, in the next turn of the loop. When it is called in `due`, the loop first polls
   all descriptors: a timer of 0 ms would be due again at once. */
void fxt_i_turn_begin(struct fxt_i_turn *turn);
void fxt_i_turn_end(struct fxt_i_turn **turn);

#endif
