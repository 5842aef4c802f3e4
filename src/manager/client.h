/* Clients: the connections to the controller socket. */
#ifndef FXT_MANAGER_CLIENT_H
#define FXT_MANAGER_CLIENT_H

#include "src/manager/state.h"

void fxt_i_client_accept(struct trace_manager *manager, int socket);
/* Makes a place for one more client. If all are taken, drops the client that has been idle for the
   longest time; a client that has a session or waits for an answer is not idle. False if there is
   still no place. */
bool fxt_i_client_make_place(struct trace_manager *manager);
void fxt_i_client_drop(struct fxt_i_client *client, const char *why);

#endif
