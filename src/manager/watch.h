/* Watches and timers: of the loop, freed by it some time after they were ended. */
#ifndef FXT_MANAGER_WATCH_H
#define FXT_MANAGER_WATCH_H

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

struct fxt_i_watch {
    uv_poll_t poll; /* first */
    void (*ready)(void *self, int events);
    void *self;
};
/* events: of uv_poll_event. NULL for a descriptor that cannot be waited for, or without memory. */
struct fxt_i_watch *fxt_i_watch_begin(uv_loop_t *loop, int descriptor, int events,
                                      void (*ready)(void *self, int events), void *self);
void fxt_i_watch_change(struct fxt_i_watch *watch, int events);
/* Sets it to NULL. The descriptor may be closed then. */
void fxt_i_watch_end(struct fxt_i_watch **watch);

struct fxt_i_timer {
    uv_timer_t timer; /* first */
    void (*due)(void *self);
    void *self;
};
/* Once, in so many milliseconds; begins anew when it runs already. False without memory. */
bool fxt_i_timer_begin(struct fxt_i_timer **timer, uv_loop_t *loop, uint64_t ms,
                       void (*due)(void *self), void *self);
void fxt_i_timer_end(struct fxt_i_timer **timer);

#endif
