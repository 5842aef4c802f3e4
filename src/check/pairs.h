/* What the checker remembers between events: threads with their open durations, and the begins
   and ends of asyncs and flows. */
#ifndef FXT_CHECK_PAIRS_H
#define FXT_CHECK_PAIRS_H

#include "src/check/walk.h"

/* The state of the thread that the event belongs to; NULL when its ref is not registered or the
   memory is used up (LIM-01 is reported once). */
struct fxt_check_thread *fxt_i_check_thread(struct fxt_i_walk *walk, struct fxt_thread_ref ref);

/* Counts an async or flow event. */
void fxt_i_check_open(struct fxt_i_walk *walk, const struct fxt_event *event,
                      const struct fxt_check_thread *thread);

/* The same by itself: the type, the timestamp, the correlation id and the process koid of an
   async. */
void fxt_i_check_pair(struct fxt_i_walk *walk, uint8_t type, uint64_t ticks, uint64_t id,
                      uint64_t process);

/* LIM-01, once. */
void fxt_i_check_full(struct fxt_i_walk *walk);

#endif
