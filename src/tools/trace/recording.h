/* One recording from its beginning to its end. */
#ifndef FXT_TOOLS_TRACE_RECORDING_H
#define FXT_TOOLS_TRACE_RECORDING_H

#include "src/tools/trace/record_options.h"

/* Records as the options say, with the command that they name, and returns the exit code. Calls
   `started`, unless it is NULL, when recording has started, with the name of the output and whether
   it keeps the records of a process that dies; if that returns false, after a message, nothing is
   recorded. */
enum exit_code recording_run(const struct trace_options *options,
                             bool (*started)(const char *output, bool is_kept));

#endif
