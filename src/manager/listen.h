/* The two sockets that others connect to. */
#ifndef FXT_MANAGER_LISTEN_H
#define FXT_MANAGER_LISTEN_H

#include "src/manager/state.h"

/* A place is free: whoever waits at the socket is accepted. */
void fxt_i_manager_accept_again(struct trace_manager *manager);
/* Accepts who waits at the socket, and hands it on. */
void fxt_i_manager_accept(struct trace_manager *manager, int listening,
                          void (*accepted)(struct trace_manager *manager, int socket));
/* Whether the connection has a packet, or its end, that has not been read yet. */
bool fxt_i_manager_has_more(int socket);

#endif
