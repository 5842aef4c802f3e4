/* Records and text that the macros of <trace/event.h> do not provide. */
#ifndef FXT_TOOLS_DEMO_SAY_H
#define FXT_TOOLS_DEMO_SAY_H

#include <stdint.h>

/* Nanoseconds of the monotonic clock. */
uint64_t now_ns(void);

/* Makes the text valid for a string argument: bytes that are not UTF-8 become question marks, and
   the text is truncated at the limit. The result is in `safe`, which must hold SAFE_BYTES bytes. */
#define SAFE_BYTES 1024u
const char *safe_text(char *safe, const char *text);

/* Writes a log record of this thread, now. */
void say_log(const char *message);

#endif
