/* What the macros of <trace/event.h> do not do. */
#ifndef FXT_TOOLS_DEMO_SAY_H
#define FXT_TOOLS_DEMO_SAY_H

#include <stdint.h>

/* Nanoseconds of the monotonic clock. */
uint64_t now_ns(void);

/* The text as an argument's string: bytes that are not UTF-8 become question marks, and what is over
   the limit is cut. It lies in `safe`, which must hold SAFE_BYTES bytes. */
#define SAFE_BYTES 1024u
const char *safe_text(char *safe, const char *text);

/* A log record of this thread, now. */
void say_log(const char *message);

#endif
