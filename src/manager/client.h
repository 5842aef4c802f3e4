/* Clients: who has connected to the controller. */
#ifndef FXT_MANAGER_CLIENT_H
#define FXT_MANAGER_CLIENT_H

#include "src/manager/state.h"

void fxt_i_client_accept(struct trace_manager *manager, int socket);
/* True if one more fits. When there is no room, the client that has been idle for the longest time
   is dropped; one that has a session or waits for an answer is not idle. */
bool fxt_i_client_has_place(struct trace_manager *manager);
void fxt_i_client_drop(struct fxt_i_client *client, const char *why);

#endif
