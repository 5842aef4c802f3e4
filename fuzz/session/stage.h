/* A manager in this process. The target turns its loop by hand: nothing sleeps, and a timer is due
   when the script says so. Its sockets have no names in the file system. */
#ifndef FXT_FUZZ_STAGE_H
#define FXT_FUZZ_STAGE_H

#include "src/manager/state.h"

/* Makes the manager. */
struct trace_manager *fuzz_stage_open(void);

/* A connection to its registry, or to its controller; -1 when none is accepted. */
int fuzz_stage_connect(bool registry);

/* One turn of the loop. */
void fuzz_stage_turn(void);

/* Turns until nothing is ready. A loop that is never idle breaks the law. `turned` is called after
   each turn. */
void fuzz_stage_settle(void (*turned)(void));

/* Makes the timers due that would be within `ms`. They run in the next turn. */
void fuzz_stage_pass(uint64_t ms);

/* Nobody may be connected any more. Ends the manager; descriptors and mappings are as before. */
void fuzz_stage_close(void);

#endif
