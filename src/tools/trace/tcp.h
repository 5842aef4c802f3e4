/* A trace over TCP. */
#ifndef FXT_TOOLS_TRACE_TCP_H
#define FXT_TOOLS_TRACE_TCP_H

#include <stdbool.h>

/* Whether the name is of the form "tcp:HOST:PORT". */
bool tcp_is_place(const char *name);

/* Connects to such a place; an IPv6 address may be in []. False after a message. */
bool tcp_connect(int *out, const char *name);

/* To be asked until it is true, after shutdown: true if the receiver's system has everything, or
   after an error, an errno value. Reads what the receiver says: a connection that is closed with
   unread bytes is reset, and what is on its way is lost. */
bool tcp_is_delivered(int connection, int *error);

#endif
