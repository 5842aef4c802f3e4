/* The file by which `trace stop` finds the process that `trace start` has left in the background. */
#ifndef FXT_TOOLS_TRACE_BACKGROUND_H
#define FXT_TOOLS_TRACE_BACKGROUND_H

#include <stdbool.h>
#include <sys/types.h>

#include "src/cli/message.h"

/* Makes this process the one in the background: false after a message, when there is one already. */
bool background_claim(void);

/* What goes to stderr from now on is what background_stop will print; the others are closed. */
void background_detach(void);

/* The exit code of this process is going to be that. */
void background_leave(enum exit_code code);

/* Ends the process in the background, if it has not ended; prints what it reported. Its exit code. */
enum exit_code background_stop(void);

#endif
