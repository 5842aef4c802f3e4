/* What must be in the archives: a list of all events that the program writes, with what the engine
   said of each. The law knows nothing of leases, halves, packets and saves. */
#ifndef FXT_FUZZ_JOINT_LAW_H
#define FXT_FUZZ_JOINT_LAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LAW_EVENTS_MAX 4096
#define LAW_THREADS_MAX 8
#define LAW_ARCHIVES 4
#define LAW_BLOB_MAX 2048

struct law_event {
    int thread;
    uint32_t text;    /* which name; 0: that of all */
    uint32_t bytes;   /* of a blob's payload; 0: it is an event */
    uint32_t wrapped; /* count of the buffer when the call began */
    bool returned;
    bool dropped;
    bool cleared;    /* by a later start */
    bool excused;    /* tracing was off, or changed meanwhile: it may be lost */
    uint8_t promise; /* bit n: archive n has to have it, if it is not lost otherwise */
};

extern struct law_event law_events[LAW_EVENTS_MAX];
extern uint32_t law_count;

void law_begin(void);

/* -1: the list is full. */
int law_add(struct law_event event);

/* The name of an event. Returns the length. */
uint32_t law_name(char out[64], uint32_t text);

/* The payload of a blob. */
void law_payload(uint8_t *bytes, uint32_t id);

/* Archive `number` has to have all events that were recorded until now: the session's, or one that
   has what is in the buffer. */
void law_promise(unsigned number);
/* A start clears the buffer; what is not `saved` may be lost. */
void law_clear(bool saved);

struct law_ring {
    bool circular;
    uint32_t wrapped; /* at the end */
    bool both;        /* the half of before is whole */
};

/* Judges archive `number`, which has these bytes; 0 is the session's. */
void law_judge(unsigned number, const uint8_t *bytes, size_t size, const struct law_ring *ring);

#endif
