/* What a program of the explorer has around the engine: a handler, and a dispatcher, which is thread
   0. The other threads write. */
#ifndef PROOFS_INTERLEAVE_HOST_H
#define PROOFS_INTERLEAVE_HOST_H

#include "proofs/interleave/explore.h"
#include "src/engine/engine.h"

struct host {
    int writers;
    int ended;                /* writers that have */
    int changes;              /* starts and stops that are done */
    bool starting;            /* a thread is */
    bool stopped;             /* the handler was told so */
    bool terminated;          /* likewise */
    void (*on_stopped)(void); /* or NULL; when it is */
};

extern struct host host;

/* An engine with that buffer is initialized and started. on_full is told of full halves. */
void host_begin(int writers, trace_buffering_mode_t mode, void *buffer, size_t bytes,
                void (*on_full)(trace_handler_t *, uint32_t wrapped_count, uint64_t durable_end));

/* Thread 0: runs the engine's tasks. Where there is none, saves a half; saves() returns false if
   there is nothing to save. Returns when all writers have ended. */
void host_dispatch(bool (*saves)(void));

/* A writer, when it ends. */
void host_ends(void);

/* A writer, once tracing has stopped. */
void host_start(trace_start_mode_t mode);

/* A writer, in front of an event: as trace_i_on, whose load is a step here. The compiler puts that
   function into the program, which is not explored. */
bool host_site_is_on(struct trace_i_site *site, const char *category);

/* Whether a record may be lost without being counted. */
bool host_is_off(void);

/* From begin and end: runs a task of the engine, if there is one. Until the handler was told. */
bool host_run_task(void);
void host_run_until(const bool *told);

#endif
