/* A trace from its archive to what the user has asked for: checked, converted, compressed. */
#ifndef FXT_TOOLS_TRACE_RESULT_H
#define FXT_TOOLS_TRACE_RESULT_H

#include "src/tools/trace/record_options.h"
#include "src/tools/trace/sink.h"

struct result {
    const struct trace_options *options;
    struct sink *archive; /* what the manager writes goes there: `raw` when it is converted */
    struct sink sink;
    struct sink raw;
};

/* False after a message; then there is nothing to finish. */
bool result_open(struct result *result, const struct trace_options *options);

/* The archive is in: checks it, converts it, and tells how large the file is. With `broken` it may
   end anywhere, and is cut after its last whole record. */
enum exit_code result_finish(struct result *result, bool broken);

/* Nothing was recorded: a file that was there before is as it was. */
void result_discard(struct result *result);

#endif
