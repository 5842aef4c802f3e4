/* The room of a record. Lock-free, except for turns. */
#ifndef FXT_ENGINE_LEASE_H
#define FXT_ENGINE_LEASE_H

#include "src/engine/engine.h"

/* The slow path of fxt_i_lease, if the context's lease is not enough. */
bool fxt_i_lease_slow(struct trace_context *context, uint64_t bytes);

/* Makes sure that the context's lease has `bytes` left, a multiple of 8. False, and counted, if
   there is no room. The context is inside. */
static inline bool fxt_i_lease(struct trace_context *context, uint64_t bytes)
{
    if (fxt_i_lease_open(context) && (uint64_t)(context->end - context->next) >= bytes)
        return true;
    return fxt_i_lease_slow(context, bytes);
}

#endif
