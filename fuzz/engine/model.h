/* What must be in a provider's buffer: a list of all records that a script writes, with what the
   engine said of each. The model knows nothing of leases, halves and turns but what section 1 of
   spec/system.md says. */
#ifndef FXT_FUZZ_ENGINE_MODEL_H
#define FXT_FUZZ_ENGINE_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "proofs/interleave/explore.h"

#define MODEL_BUFFER_MAX 65536u
#define MODEL_RECORDS_MAX 1024u
#define MODEL_PROCESS 99u
#define MODEL_THREAD 100u /* the koid of thread 0 */

enum model_kind {
    MODEL_EVENT,   /* by a call site */
    MODEL_NAMED,   /* a name of its own, which is written as it is, or as a string record */
    MODEL_FOREIGN, /* of another thread than the one that writes */
    MODEL_BLOB,
    MODEL_LARGE,
    MODEL_PLACE, /* a blob that is filled while others write */
};

struct model_record {
    enum model_kind kind;
    int thread;
    bool handler; /* written by a signal handler: in no order with those of its thread */
    bool returned;
    bool dropped;
    bool excused; /* tracing was off, or changed meanwhile */
    bool cleared; /* by a later start */
    bool saved;
    uint64_t bytes; /* about as many as the record has: its payload's, for blobs */
    uint32_t wrapped;
    uint64_t text; /* NAMED: which name. FOREIGN: which thread */
};

extern struct model_record model_records[MODEL_RECORDS_MAX];
extern uint8_t model_buffer[MODEL_BUFFER_MAX];

/* A provider begins: nothing is written yet. */
void model_begin(uint32_t buffer_bytes);

/* The names of MODEL_NAMED. Returns the length. */
uint32_t model_name(char out[300], uint64_t text);

/* -1: the list is full. */
int model_add(struct model_record record);

/* A start. Those that were written until now are gone if it clears the buffer. */
void model_started(bool clears);

/* A half is handed over, and nobody writes to it any more. */
void model_hand_over(uint32_t wrapped, uint64_t durable_end);
/* It is saved, or must not have changed since. */
void model_saved(uint32_t wrapped);
void model_unchanged(uint32_t wrapped);

/* At any moment: who reads the halves by the heads of the leases finds whole leases of their lap. */
void model_look(void);

/* Drops since the last start that cleared their count. */
struct model_drops {
    uint64_t returned; /* in calls that have returned */
    uint64_t begun;    /* at most so many more, in calls that have not */
    uint64_t cleared;  /* killed in the middle of a start: what the header may tell of, too */
};

/* The end: tracing has stopped, or the process is killed here, maybe in the middle of a start. */
void model_end(bool killed, bool clearing, const struct model_drops *drops);

#endif
