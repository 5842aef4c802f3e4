/* What became of the providers, for the table at the end. */
#ifndef FXT_TOOLS_TRACE_STATISTICS_H
#define FXT_TOOLS_TRACE_STATISTICS_H

#include <trace-controller/controller.h>

struct statistics {
    struct trace_provider_statistics *it;
    size_t count;
    size_t lost; /* for which there was no memory */
};

/* A trace_statistics_handler_t; data is a struct statistics. */
void statistics_take(void *data, const struct trace_provider_statistics *it);

/* Records that found no room, of all of them. */
uint64_t statistics_dropped(const struct statistics *statistics);

/* The table on stderr, a provider a line; all columns when `verbose`. Without, and `quiet`, only a
   line for each provider that lost something. */
void statistics_print(const struct statistics *statistics, bool verbose, bool quiet);

void statistics_free(struct statistics *statistics);

#endif
