/* Clients: the connections to the controller socket. */
#ifndef FXT_MANAGER_CLIENT_H
#define FXT_MANAGER_CLIENT_H

#include "src/manager/state.h"

void fxt_i_client_accept(struct trace_manager *manager, int socket);
/* True if there is room for one more client. Otherwise drops the client that has been idle for
   the longest time. A client that has a session or waits for an answer is not idle. */
bool fxt_i_client_has_place(struct trace_manager *manager);
void fxt_i_client_drop(struct fxt_i_client *client, const char *why);

#endif
