/* What a sound trace says, from libfxt's decoders alone: its events with all references resolved, and
   the slices that they make, if there is but one way to see these. The decoders have oracles of their
   own. The laws of content compare what the commands print with this. */
#ifndef FXT_FUZZ_MODEL_H
#define FXT_FUZZ_MODEL_H

#include <stdbool.h>

#include <fxt/read.h>

#define MODEL_EVENTS 600u
#define MODEL_NONE UINT32_MAX

/* Names are copies, because a string record can give an index another text. */
struct model_arg {
    struct fxt_bytes name;
    struct fxt_bytes text; /* of a string, or of a blob */
    struct fxt_arg arg;
};

struct model_event {
    struct fxt_event event; /* with the koids of the thread */
    struct fxt_bytes category;
    struct fxt_bytes name;
    const struct model_arg *args;
    uint64_t offset; /* of its record */
    uint64_t ns;
    uint64_t end; /* of a complete duration, in ns */
    uint32_t provider;
    uint32_t arg_count;
};

/* A duration, or an async operation. */
struct model_slice {
    const struct model_event *event; /* that begins it */
    uint64_t start;
    uint64_t end;
    uint64_t self; /* its time less that of the slices right below it */
    uint32_t parent;
    uint32_t depth;
};

/* A switch of a CPU from a thread to another one, 0 if it is idle; or the wakeup of the incoming one. */
struct model_sched {
    uint64_t ns;
    uint64_t outgoing;
    uint64_t incoming;
    uint32_t provider;
    uint16_t cpu;
    bool is_wakeup;
    bool has_args; /* or it is a legacy one, whose threads are not looked at */
};

struct model {
    uint64_t first;        /* the least time of an event */
    uint64_t begin;        /* the least time of a record with one; UINT64_MAX: there is none */
    uint64_t end;          /* the greatest, ends of complete durations among them */
    bool is_good;          /* one trace, all references known, not too long */
    bool is_plain;         /* there is but one way to see durations, by the laws of model.c */
    bool has_plain_asyncs; /* the same of async operations */
    bool has_rate;         /* of a provider, whose ticks are no ns */
    uint32_t event_count;
    uint32_t slice_count; /* durations in the order of their begins' records, then asyncs */
    uint32_t duration_count;
    uint32_t sched_count;
    struct model_event events[MODEL_EVENTS];
    struct model_sched scheds[MODEL_EVENTS];
    struct model_slice slices[MODEL_EVENTS];
};

/* The trace is sound. The model is valid until the next one of the same `place`, 0 or 1. */
const struct model *model_of(const void *bytes, size_t size, unsigned place);

bool model_is_text(struct fxt_bytes text, struct fxt_bytes other);
bool model_is_thread(const struct model_event *event, const struct model_event *other);

/* The innermost duration around a time of the event's thread; MODEL_NONE: there is none. False: the
   time is at an edge of one. */
bool model_around(uint32_t *slice, const struct model *model, const struct model_event *event);

static inline bool model_is(const struct model_event *event, unsigned type)
{
    return event->event.event_type == type;
}

#endif
