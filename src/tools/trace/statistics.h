/* The results of the providers, for the table at the end. */
#ifndef FXT_TOOLS_TRACE_STATISTICS_H
#define FXT_TOOLS_TRACE_STATISTICS_H

#include <trace-controller/controller.h>

struct statistics {
    struct trace_provider_statistics *it;
    size_t count;
    size_t lost; /* providers without statistics, for lack of memory */
};

/* A trace_statistics_handler_t; data is a struct statistics. */
void statistics_take(void *data, const struct trace_provider_statistics *it);

/* Whether a provider of this name took part. */
bool statistics_has(const struct statistics *statistics, const char *name, size_t length);

/* Whether a provider has started to trace. */
bool statistics_started(const struct statistics *statistics);

/* A trace_statistics_handler_t, of a provider that has dropped its first record. No data. */
void statistics_tell_drop(void *data, const struct trace_provider_statistics *it);

/* Whether no record is known to be missing. */
bool statistics_is_whole(const struct statistics *statistics);

/* Sum of the dropped records of all providers. */
uint64_t statistics_dropped(const struct statistics *statistics);

/* The mode of a provider that dropped records. */
enum trace_mode statistics_dropped_mode(const struct statistics *statistics);

/* Prints what would keep more records, if some were dropped. */
void statistics_advise(uint64_t dropped, enum trace_mode mode);

/* Prints the table on stderr, one line for each provider; with all columns if `verbose`. With
   `quiet`, prints only a line for each provider that lost something. */
void statistics_print(const struct statistics *statistics, bool verbose, bool quiet);

void statistics_free(struct statistics *statistics);

#endif
