/* The async operations of each process and async id, in bounded memory. What comes in order is matched at once, as for a
   thread [ASY-02]. */
#ifndef FXT_TIMELINE_ASYNCS_H
#define FXT_TIMELINE_ASYNCS_H

#include <stdbool.h>
#include <stdint.h>

#include "src/cli/size.h"
#include "src/timeline/map.h"
#include "src/timeline/pairing.h"

#define ASYNCS_MAX TOOL_SIZE(1u << 20) /* that wait at a time */
#define ASYNCS_IDLE TOOL_SIZE(16384u)
#define ASYNC_NONE 0u

/* The operations of an id are a track. */
struct async {
    struct pairing operations;
    uint64_t process; /* a koid, or what the caller has instead */
    uint64_t id;
    uint32_t previous; /* of those that wait for nothing, the longest first */
    uint32_t next;     /* of a free one the next free one */
    bool waits;        /* for a begin or an end */
};

struct asyncs {
    struct map numbers;
    uint32_t used;
    uint32_t free;
    uint32_t idle; /* so many wait for nothing */
    uint32_t first;
    uint32_t last;
    bool full; /* an id found no room */
    struct async it[ASYNCS_MAX];
};

/* The number of an id, or ASYNC_NONE. asyncs: zeroed at first. */
uint32_t asyncs_find(struct asyncs *asyncs, uint64_t process, uint64_t id);

/* To be called after each begin and end. Returns an id that has waited for nothing for so long that it
   is to be forgotten, or ASYNC_NONE. If it comes again, what is late is not known as such. */
uint32_t asyncs_settle(struct asyncs *asyncs, uint32_t number);
void asyncs_forget(struct asyncs *asyncs, uint32_t number);

/* Forgets all, at the end of a trace. */
void asyncs_clear(struct asyncs *asyncs);

#endif
