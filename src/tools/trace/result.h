/* The result of a recording: the archive, checked, converted and compressed as requested. */
#ifndef FXT_TOOLS_TRACE_RESULT_H
#define FXT_TOOLS_TRACE_RESULT_H

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

#endif
