/* The file through which `trace stop` finds the process that `trace start` has left in the
   background. */
#ifndef FXT_TOOLS_TRACE_BACKGROUND_H
#define FXT_TOOLS_TRACE_BACKGROUND_H

#include <stdbool.h>
#include <sys/types.h>

#include "src/cli/message.h"

/* Makes this process the background process. False after a message if there already is one. */
bool background_claim(void);

/* From now on, stderr goes to the file that background_stop prints. The other standard
   descriptors are closed. If the process dies, background_stop says so of this output, and whether it
   has the records until then. False after a message. */
bool background_detach(const char *output, bool is_kept);

/* Records the exit code with which this process is about to exit. */
void background_leave(enum exit_code code);

/* Ends the background process, unless it has ended, and prints its report as it grows. Returns its
   exit code. */
enum exit_code background_stop(void);

#endif
