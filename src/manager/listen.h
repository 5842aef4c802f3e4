/* The two sockets at which the manager listens. */
#ifndef FXT_MANAGER_LISTEN_H
#define FXT_MANAGER_LISTEN_H

#include "src/manager/state.h"

/* A place is free: accepts waiting connections again. */
void fxt_i_manager_accept_again(struct trace_manager *manager);
/* No place is free and no client is idle: stops accepting clients for a while, because no event
   reports that a client has become idle. Without memory for the timer, until a client disconnects. */
void fxt_i_manager_await_idle_client(struct trace_manager *manager);
/* Accepts waiting connections and passes each to `accepted`. */
void fxt_i_manager_accept(struct trace_manager *manager, int listening,
                          void (*accepted)(struct trace_manager *manager, int socket));
/* Whether the connection has an unread packet, or its end. */
bool fxt_i_manager_is_readable(int socket);

#endif
