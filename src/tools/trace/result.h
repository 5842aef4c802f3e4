/* The result of a recording: the archive, checked, converted and compressed as requested. */
#ifndef FXT_TOOLS_TRACE_RESULT_H
#define FXT_TOOLS_TRACE_RESULT_H

#include <stdint.h>
#include <stdio.h>

#include <trace-controller/controller.h>

#include "src/tools/trace/record_options.h"
#include "src/tools/trace/sink.h"

struct result {
    const struct result_options *options;
    struct sink *archive; /* the manager's output: `raw` if it is converted */
    bool is_file;         /* the result is a regular file */
    struct sink sink;
    struct sink raw;
};

/* False after a message; then there is nothing to finish. */
bool result_open(struct result *result, const struct result_options *options);

/* Finishes a complete archive: checks it, converts it, and prints the size of the file. `is_empty`: it
   is known to have definitions only. With `broken`, the archive may end anywhere, and is cut after its
   last whole record. */
enum exit_code result_finish(struct result *result, bool is_empty, bool broken);

/* Discards the result: an existing file stays unchanged. */
void result_discard(struct result *result);

/* Numbers in readable form. */

#define READABLE_SIZE 24

/* "980 bytes", "1.2 MB" */
static inline void readable_bytes(char out[READABLE_SIZE], uint64_t bytes)
{
    if (bytes < 1000)
        snprintf(out, READABLE_SIZE, "%u bytes", (unsigned)bytes);
    else if (bytes < 1000000)
        snprintf(out, READABLE_SIZE, "%.1f kB", (double)bytes / 1e3);
    else if (bytes < 1000000000)
        snprintf(out, READABLE_SIZE, "%.1f MB", (double)bytes / 1e6);
    else
        snprintf(out, READABLE_SIZE, "%.2f GB", (double)bytes / 1e9);
}

/* The results of the providers, for the table at the end. */

struct statistics {
    struct trace_provider_statistics *it;
    size_t count;
    size_t lost;     /* providers without statistics, for lack of memory */
    bool is_crowded; /* there were more than a manager holds at a time */
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
