/* A trace over TCP. */
#ifndef FXT_TOOLS_TRACE_TCP_H
#define FXT_TOOLS_TRACE_TCP_H

#include <stdbool.h>

/* Connects to "tcp:HOST:PORT"; an IPv6 address may be in []. False after a message. */
bool tcp_connect(int *out, const char *name);

#endif
